#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "assay/command.h"
#include "give.h"

#define SERIAL     "WX41A23B4567"
#define WWN        "\x50\x01\x4e\xe2\xb1\x23\x45\x67"
#define WWN_MASKED "\x50\x01\x4e\xe0\x00\x00\x00\x00"

#define BYTES(text) (const uint8_t *)(text), sizeof(text) - 1

static const uint8_t *data_of(const struct capture *capture, size_t record)
{
	return capture->records[record].data.at;
}

/* text at offset with the bytes of each word exchanged. */
static void put_swapped(uint8_t *at, const char *text)
{
	for (size_t i = 0; text[i]; i++)
		at[i ^ 1] = (uint8_t)text[i];
}

static void put_wwn_words(uint8_t *at, const char *wwn)
{
	for (size_t i = 0; i < 8; i++)
		at[i ^ 1] = (uint8_t)wwn[i];
}

static void put_checksum(uint8_t sector[512])
{
	sector[511] = 0;
	sector[511] = (uint8_t)-bytes_sum((struct bytes) { sector, 512 });
}

static void make_identify(uint8_t sector[512])
{
	memset(sector, 0, 512);
	memset(sector + 20, ' ', 20);
	put_swapped(sector + 20 + 8, SERIAL); /* right-justified */
	put_swapped(sector + 54, "MADE UP DISK                            ");
	put_wwn_words(sector + 216, WWN);
	memset(sector + 352, ' ', 60);
	put_swapped(sector + 352, "MEDIUM-0815");
	sector[510] = 0xa5;
	put_checksum(sector);
}

static const struct {
	const char *name;
	uint8_t page;
	const char *in, *want;
	size_t len;
} places[] = {
	{ "serial", 0x80, "\0\x80\0\x08 ABC12 \0", "\0\x80\0\x08 ----- \0", 12 },
	{ "NAA 5", 0x83, "\0\x83\0\x0c\1\3\0\x08\x50\x00\xc5\x12\x34\x56\x78\x9a",
		"\0\x83\0\x0c\1\3\0\x08\x50\x00\xc5\x10\0\0\0\0", 16 },
	{ "NAA 6", 0x83,
		"\0\x83\0\x14\1\3\0\x10\x60\x06\x04\x81\2\3\4\5\6\7\x08\x09\x0a\x0b\x0c"
		"\x0d",
		"\0\x83\0\x14\1\3\0\x10\x60\x06\x04\x80\0\0\0\0\0\0\0\0\0\0\0\0", 24 },
	{ "NAA 2", 0x83, "\0\x83\0\x0c\1\3\0\x08\x2a\xbc\x11\x22\x33\x44\x55\x66",
		"\0\x83\0\x0c\1\3\0\x08\x20\x00\x11\x22\x33\0\0\0", 16 },
	{ "NAA 3", 0x83, "\0\x83\0\x0c\1\3\0\x08\x3a\xbc\x11\x22\x33\x44\x55\x66",
		"\0\x83\0\x0c\1\3\0\x08\x30\0\0\0\0\0\0\0", 16 },
	{ "a name that the end cuts off", 0x83, "\0\x83\0\x0c\1\3\0\x08\x50\x00\xc5\x12\x34",
		"\0\x83\0\x0c\1\3\0\x08\0\0\0\0\0", 13 },
	{ "EUI-64", 0x83, "\0\x83\0\x0c\1\2\0\x08\xac\xde\x48\x23\x45\x67\xab\xcd",
		"\0\x83\0\x0c\1\2\0\x08\xac\xde\x48\0\0\0\0\0", 16 },
	{ "EUI-64 with extension", 0x83,
		"\0\x83\0\x14\1\2\0\x10\1\2\3\4\5\6\7\x08\xac\xde\x48\x23\x45\x67\xab\xcd",
		"\0\x83\0\x14\1\2\0\x10\0\0\0\0\0\0\0\0\xac\xde\x48\0\0\0\0\0", 24 },
	{ "vendor specific text", 0x83, "\0\x83\0\x08\2\0\0\4AB12", "\0\x83\0\x08\2\0\0\4----",
		12 },
	{ "vendor specific number", 0x83, "\0\x83\0\x08\1\0\0\4\1\2\3\4",
		"\0\x83\0\x08\1\0\0\4\0\0\0\0", 12 },
	{ "T10 vendor ID of an unknown model", 0x83, "\0\x83\0\x10\2\1\0\x0cSEAGATE Z1Z4",
		"\0\x83\0\x10\2\1\0\x0cSEAGATE ----", 20 },
	{ "relative port", 0x83, "\0\x83\0\x08\x61\x94\0\4\0\0\0\1",
		"\0\x83\0\x08\x61\x94\0\4\0\0\0\1", 12 },
	{ "UUID", 0x83, "\0\x83\0\x08\1\x0a\0\4\x10\0\3\4", "\0\x83\0\x08\1\x0a\0\4\0\0\0\0", 12 },
	{ "NAA as text", 0x83, "\0\x83\0\x18\3\x28\0\x14naa.5000C50067B953AD",
		"\0\x83\0\x18\3\x28\0\x14naa.5000C50000000000", 28 },
	{ "port of NAA as text", 0x83, "\0\x83\0\x1a\3\x18\0\x16naa.2abc112233445566,t",
		"\0\x83\0\x1a\3\x18\0\x16naa.2000112233000000,t", 30 },
	{ "EUI as text", 0x83,
		"\0\x83\0\x18\3\x28\0\x14"
		"eui.ACDE48234567ABCD",
		"\0\x83\0\x18\3\x28\0\x14"
		"eui.ACDE480000000000",
		28 },
	{ "iSCSI name", 0x83, "\0\x83\0\x14\3\x28\0\x10iqn.2026.a:b1\0\0\0",
		"\0\x83\0\x14\3\x28\0\x10iqn.2026.a:--\0\0\0", 24 },
	{ "two designators", 0x83, "\0\x83\0\x10\2\0\0\2XY\2\0\0\2ZA\0\0\0\0",
		"\0\x83\0\x10\2\0\0\2--\2\0\0\2--\0\0\0\0", 20 },
	{ "port", 0x88,
		"\0\x88\0\x1c\0\0\0\1\0\0\0\x08\6\0\0\0\1\2\3\4\0\0\0\x0c\x61\x93\0"
		"\x08" WWN,
		"\0\x88\0\x1c\0\0\0\1\0\0\0\x08\6\0\0\0\0\0\0\0\0\0\0\x0c\x61\x93\0"
		"\x08" WWN_MASKED,
		36 },
	{ "a page without a secret", 0xb1, "\0\xb1\0\4\0\1ABCD", "\0\xb1\0\4\0\1ABCD", 10 },
};

static void a_place_of_the_standards_is_masked(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct capture capture;

		capture_init(&capture, "t");
		give_vpd(&capture, places[i].page, (const uint8_t *)places[i].in, places[i].len);
		capture_redact(&capture);
		assert_int_equal(capture.records[0].data.len, places[i].len);
		if (memcmp(data_of(&capture, 0), places[i].want, places[i].len))
			fail_msg("%s", places[i].name);
		capture_deinit(&capture);
	}
}

static void a_t10_designator_keeps_vendor_and_model(void **state)
{
	static const char inquiry[] = "\0\0\6\2\x1f\0\0\2HGST    HUSMM888        A1B2";
	static const char name[] = "\0\x83\0\x24\2\1\0\x20HGST    HUSMM888        12345678";
	struct capture capture;

	(void)state;
	capture_init(&capture, "t");
	give_vpd(&capture, 0x83, BYTES(name));
	give_inquiry(&capture, BYTES(inquiry));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0) + 8, "HGST    HUSMM888        --------", 32);
	assert_memory_equal(data_of(&capture, 1), inquiry, 36);
	capture_deinit(&capture);

	capture_init(&capture, "t");
	give_vpd(&capture, 0x80,
		BYTES("\0\x80\0\4 5678")); /* too short to be looked for elsewhere */
	give_vpd(&capture, 0x83, BYTES(name));
	give_vpd(&capture, 0xc0,
		BYTES("\0\xc0\0\4"
		      "5678"));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 1) + 8, "HGST    HUSMM888        1234----", 32);
	assert_memory_equal(data_of(&capture, 2) + 4, "5678", 4);
	capture_deinit(&capture);
}

static void the_vendor_bytes_of_inquiry_are_masked_where_they_are_text(void **state)
{
	struct capture capture;
	uint8_t inquiry[64] = "\0\0\6\2\x3b\0\0\2SEAGATE ST4000NM0023    0004Z1Z4ABCD";

	(void)state;
	inquiry[44] = 0x80;
	inquiry[45] = 0x05;
	capture_init(&capture, "t");
	give_inquiry(&capture, inquiry, sizeof(inquiry));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0), inquiry, 36);
	assert_memory_equal(data_of(&capture, 0) + 36, "--------\x80\x05\0", 11);
	capture_deinit(&capture);
}

static void identify_keeps_its_checksum_right_or_wrong(void **state)
{
	static const struct {
		uint8_t signature, wrong_by;
	} cases[] = { { 0xa5, 0 }, { 0xa5, 3 }, { 0x00, 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct capture capture;
		uint8_t sector[512], vpd[572] = { 0, 0x89, 0x02, 0x38 };

		make_identify(sector);
		sector[510] = cases[i].signature;
		put_checksum(sector);
		sector[511] = (uint8_t)(sector[511] + cases[i].wrong_by);
		memcpy(vpd + 60, sector, 512);
		capture_init(&capture, "t");
		give_identify(&capture, sector);
		give_vpd(&capture, 0x89, vpd, sizeof(vpd));
		capture_redact(&capture);
		for (size_t r = 0; r < 2; r++) {
			struct bytes got = bytes_cut(capture.records[r].data, r ? 60 : 0, 512);

			assert_memory_equal(got.at + 20, "        ------------", 20);
			assert_memory_equal(got.at + 54, sector + 54, 40);
			assert_memory_equal(got.at + 216, "\x01\x50\xe0\x4e\0\0\0\0", 8);
			assert_memory_equal(got.at + 352, "----------", 10);
			assert_int_equal(got.at[510], cases[i].signature);
			if (cases[i].signature == 0xa5 && cases[i].wrong_by == 0)
				assert_int_equal(bytes_sum(got), 0);
			else
				assert_int_equal(got.at[511], sector[511]);
		}
		capture_deinit(&capture);
	}
}

static void names_that_say_nothing_stay(void **state)
{
	struct capture capture;
	uint8_t sector[512], before[512];

	(void)state;
	make_identify(sector);
	memset(sector + 20, ' ', 20);
	memset(sector + 216, 0xff, 8);
	memset(sector + 352, 0, 60);
	put_checksum(sector);
	memcpy(before, sector, sizeof(before));
	capture_init(&capture, "t");
	give_identify(&capture, sector);
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0), before, 512);
	capture_deinit(&capture);
}

static void the_identify_device_data_log_is_masked_page_by_page(void **state)
{
	struct capture capture;
	uint8_t pages[5 * 512] = { 0 };

	(void)state;
	make_identify(pages);                                                /* page 1 */
	memcpy(pages + 2 * 512 + 56, "\x67\x45\x23\xb1\xe2\x4e\x01\x50", 8); /* page 3 */
	put_swapped(pages + 4 * 512 + 8, "OTHER-SERIAL-0000001");            /* page 5 */
	capture_init(&capture, "t");
	give_ata_log(&capture, 0x30, 1, pages, sizeof(pages));
	capture_redact(&capture);
	const uint8_t *got = data_of(&capture, 0);

	assert_memory_equal(got + 20, "        ------------", 20);
	assert_int_equal(bytes_sum((struct bytes) { got, 512 }), 0);
	assert_memory_equal(got + 2 * 512 + 56, "\0\0\0\0\xe0\x4e\x01\x50", 8);
	assert_memory_equal(got + 4 * 512 + 8, "--------------------\0", 21);
	assert_int_equal(got[4 * 512 + 511], 0); /* no checksum there */
	capture_deinit(&capture);
}

static void sas_addresses_are_masked_in_log_and_mode_pages(void **state)
{
	static const char want[] = WWN_MASKED "\x50\x00\xc5\x10\0\0\0\0";
	uint8_t phy[48] = { [3] = 44 };
	uint8_t log[4 + 8 + 2 * 48] = { 0x18, 0, 0, 8 + 96, 0, 1, 3, 4 + 96, 6, 0, 0, 2 };
	uint8_t mode[8 + 8 + 12 + 8 + 48] = { [1] = sizeof(mode) - 2,
		[7] = 8,
		[16] = 0x0a,
		[17] = 0x0a,
		[28] = 0x59,
		[29] = 1,
		[31] = 8 + 48 - 4,
		[33] = 6,
		[35] = 1 };
	struct capture capture;

	(void)state;
	memcpy(phy + 8, WWN "\x50\x00\xc5\x12\x34\x56\x78\x9a", 16);
	phy[35] = 9;
	memcpy(log + 12, phy, 48);
	memcpy(log + 60, phy, 48);
	memcpy(mode + 36, phy, 48);
	capture_init(&capture, "t");
	give_mode(&capture, 1, 0x3f, 0xff, mode, sizeof(mode));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0), mode, sizeof(mode)); /* bits that may change */
	capture_deinit(&capture);

	capture_init(&capture, "t");
	give_log(&capture, 0x18, 0, log, sizeof(log));
	give_mode(&capture, 0, 0x3f, 0xff, mode, sizeof(mode));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0) + 12 + 8, want, 16);
	assert_memory_equal(data_of(&capture, 0) + 60 + 8, want, 16);
	assert_int_equal(data_of(&capture, 0)[12 + 35], 9);
	assert_memory_equal(data_of(&capture, 1) + 36 + 8, want, 16);
	assert_memory_equal(data_of(&capture, 1), mode, 36);
	capture_deinit(&capture);
}

static void a_secret_is_masked_wherever_else_it_stands(void **state)
{
	struct capture capture;
	uint8_t identify[512], log[512] = { 0 }, vendor[512] = { 0 };
	struct record sent = { .cdb = { 0x3b },
		.cdb_len = 10,
		.duration_us = -1,
		.out = { BYTES("x" SERIAL "y") },
		.sense = { BYTES("\x70\0\6" WWN) } };

	(void)state;
	make_identify(identify);
	put_swapped(log + 100, SERIAL);
	for (size_t i = 0; i < strlen(SERIAL); i++)
		log[(151 + i) ^ 1] = (uint8_t)SERIAL[i];
	memcpy(log + 200, SERIAL SERIAL, 24);
	memcpy(log + 301, WWN, 8);
	put_wwn_words(log + 320, WWN);
	put_checksum(log);
	memcpy(vendor, "\x67\x45\x23\xb1\xe2\x4e\x01\x50 50014EE2B1234567 50014ee2b1234567", 42);
	capture_init(&capture, SERIAL);
	capture_host(&capture, "wwid", "naa.50014ee2b1234567");
	capture_host(&capture, "model", "disk-" SERIAL);
	capture_note(&capture, "came with %s", SERIAL);
	give_smart_log(&capture, 0xa1, log, sizeof(log));
	give_ata_log(&capture, 0x04, 0, vendor, sizeof(vendor));
	give_identify(&capture, identify);
	capture_add(&capture, &sent);
	capture_redact(&capture);
	const uint8_t *got = data_of(&capture, 0);

	assert_memory_equal(got + 100, "------------\0", 13);
	assert_memory_equal(got + 149, "\0-\0----------\0-\0", 16);
	assert_memory_equal(got + 200, "------------------------\0", 25);
	assert_memory_equal(got + 301, WWN_MASKED, 8);
	assert_memory_equal(got + 320, "\x01\x50\xe0\x4e\0\0\0\0", 8);
	assert_int_equal(bytes_sum(capture.records[0].data), 0);
	assert_memory_equal(data_of(&capture, 1),
		"\0\0\0\0\xe0\x4e\x01\x50 50014EE000000000 50014ee000000000", 42);
	assert_memory_equal(capture.records[3].out.at, "x------------y", 14);
	assert_memory_equal(capture.records[3].sense.at + 3, WWN_MASKED, 8);
	assert_string_equal(capture_host_value(&capture, "wwid"), "naa.50014ee000000000");
	assert_string_equal(capture_host_value(&capture, "model"), "disk-------------");
	assert_string_equal(capture.notes[0], "came with ------------");
	assert_string_equal(capture.name, SERIAL);
	capture_deinit(&capture);
}

static void the_beginning_of_the_serial_number_in_inquiry_is_looked_for_too(void **state)
{
	struct capture capture;

	(void)state;
	capture_init(&capture, "t");
	give_vpd(&capture, 0x80, BYTES("\0\x80\0\x14Z1Z4ABCD0000R5171234"));
	give_inquiry(&capture, BYTES("\0\0\6\2\x27\0\0\2SEAGATE ST4000NM0023    0004Z1Z4ABCD"));
	give_log(&capture, 0x3e, 0, BYTES("\x3e\0\0\x0c\0\1\0\x08Z1Z4ABCD"));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 2) + 8, "--------", 8);
	capture_deinit(&capture);
}

static void the_reliability_log_holds_pieces_of_both(void **state)
{
	struct capture capture;
	uint8_t ata[512] = { 1 }, scsi[4 + 4 + 48] = { 0x3d, 3, 0, 52, 0, 1, 3, 48, [15] = 1 };

	(void)state;
	memcpy(ata + 16,
		"1Z4Z\0\0\0\xc0"
		"BADC\0\0\0\xc0\x67\x45\x23\xb1\0\0\0\xc0\xe2\x4e\1\x50",
		28);
	memcpy(scsi + 8 + 16,
		"\xc0\0\0\0Z1Z4\xc0\0\0\0"
		"ABCD\xc0\0\0\0\1\2\3\4\xc0\0\0\0\5\6\7\x08",
		32);
	capture_init(&capture, "t");
	give_ata_log(&capture, 0xa6, 32, ata, sizeof(ata));
	give_ata_log(&capture, 0xa6, 33, ata, sizeof(ata)); /* not the start of a page */
	give_log(&capture, 0x3d, 3, scsi, sizeof(scsi));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0) + 16,
		"----\0\0\0\xc0----\0\0\0\xc0\0\0\0\0\0\0\0\xc0\0\0\0\0", 28);
	assert_memory_equal(data_of(&capture, 1), ata, sizeof(ata));
	assert_memory_equal(data_of(&capture, 2) + 8 + 16,
		"\xc0\0\0\0----\xc0\0\0\0----\xc0\0\0\0\0\0\0\0\xc0\0\0\0\0\0\0\0", 32);
	capture_deinit(&capture);
}

static void to_redact_twice_is_to_redact_once(void **state)
{
	struct capture capture;
	uint8_t identify[512], once[512];

	(void)state;
	make_identify(identify);
	capture_init(&capture, "t");
	give_identify(&capture, identify);
	capture_redact(&capture);
	memcpy(once, data_of(&capture, 0), sizeof(once));
	capture_redact(&capture);
	assert_memory_equal(data_of(&capture, 0), once, sizeof(once));
	assert_int_equal(capture.note_count, 1);
	capture_deinit(&capture);
}

/* Every prefix of every page with a place, in an allocation of just its size. */
static void short_answers_are_survived(void **state)
{
	static const struct page_id ids[] = {
		{ .kind = PAGE_INQUIRY },
		{ .kind = PAGE_VPD, .page = 0x80 },
		{ .kind = PAGE_VPD, .page = 0x83 },
		{ .kind = PAGE_VPD, .page = 0x88 },
		{ .kind = PAGE_VPD, .page = 0x89 },
		{ .kind = PAGE_LOG, .page = 0x18, .control = 1 },
		{ .kind = PAGE_LOG, .page = 0x3d, .sub = 3, .control = 1 },
		{ .kind = PAGE_MODE, .page = 0x3f, .sub = 0xff },
		{ .kind = PAGE_ATA_IDENTIFY },
		{ .kind = PAGE_ATA_LOG, .page = 0x30, .sub = 1 },
		{ .kind = PAGE_ATA_LOG, .page = 0xa6, .sub = 32 },
	};
	uint8_t data[600];

	(void)state;
	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i * 7 + i / 13);
	for (size_t i = 0; i < ARRAY_LEN(ids); i++)
		for (size_t len = 0; len < sizeof(data); len += 1 + len / 64) {
			struct cdb cdb = cdb_of_page(ids[i], len, false);
			struct capture capture;

			capture_init(&capture, "t");
			give(&capture, cdb.bytes, cdb.len, data, len);
			/* The arena would hide a step too far. */
			uint8_t *exact = malloc(len + 1);
			memcpy(exact + 1, data, len);
			capture.records[0].data.at = exact + 1;
			capture_redact(&capture);
			free(exact);
			capture_deinit(&capture);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_place_of_the_standards_is_masked),
		cmocka_unit_test(a_t10_designator_keeps_vendor_and_model),
		cmocka_unit_test(the_vendor_bytes_of_inquiry_are_masked_where_they_are_text),
		cmocka_unit_test(identify_keeps_its_checksum_right_or_wrong),
		cmocka_unit_test(names_that_say_nothing_stay),
		cmocka_unit_test(the_identify_device_data_log_is_masked_page_by_page),
		cmocka_unit_test(sas_addresses_are_masked_in_log_and_mode_pages),
		cmocka_unit_test(a_secret_is_masked_wherever_else_it_stands),
		cmocka_unit_test(the_beginning_of_the_serial_number_in_inquiry_is_looked_for_too),
		cmocka_unit_test(the_reliability_log_holds_pieces_of_both),
		cmocka_unit_test(to_redact_twice_is_to_redact_once),
		cmocka_unit_test(short_answers_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
