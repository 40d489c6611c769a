#include "imported.h"

#include <stdio.h>
#include <stdlib.h>

/* A sector in hexadecimal. To be freed. */
static char *hex_of(const uint8_t *bytes, size_t len, const char *format)
{
	char *text = calloc(len + 1, 8), *at = text;

	for (size_t i = 0; i < len; i++) {
		at += sprintf(at, format, bytes[i]);
		*at++ = i % 16 == 15 ? '\n' : ' ';
	}
	return text;
}

/* As hdparm --Istdout prints it: the words' values, eight a line. */
static char *words_of(const uint8_t sector[512], const char *heading)
{
	char *text = calloc(1, 2048), *at = text + sprintf(text, "%s", heading);

	for (size_t i = 0; i < 512; i += 2)
		at += sprintf(
			at, "%02x%02x%c", sector[i + 1], sector[i], i % 16 == 14 ? '\n' : ' ');
	return text;
}

static void words_of_hdparm_and_pairs_of_bytes_are_told_apart(void **state)
{
	uint8_t sector[512];
	struct bytes bytes = { sector, 512 };

	(void)state;
	for (int with_checksum = 0; with_checksum < 2; with_checksum++) {
		make_identify(sector, with_checksum);
		char *texts[] = { words_of(sector, "\n/dev/sda:\n"), words_of(sector, ""),
			hex_of(sector, 512, "%02x"), hex_of(sector, 512, "%X"),
			hex_of(sector, 512, "0x%02x,") };

		for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
			struct imported imported = import_text(texts[i], IMPORT_AUTO);

			assert_record(&imported, 0, identify_id, bytes);
			capture_deinit(&imported.capture);
			imported = import_text(texts[i], IMPORT_IDENTIFY);
			assert_record(&imported, 0, identify_id, bytes);
			capture_deinit(&imported.capture);
			free(texts[i]);
		}
	}
	/* xxd: pairs of bytes as they stand; of damaged words hdparm's order is meant. */
	char text[4096], *at = text;

	for (size_t i = 0; i < 512; i += 16) {
		at += sprintf(at, "%08zx: ", i);
		for (size_t k = i; k < i + 16; k += 2)
			at += sprintf(at, "%02x%02x ", sector[k], sector[k + 1]);
		at += sprintf(at, " @.?.7........0ad\n");
	}
	struct imported imported = import_text(text, IMPORT_AUTO);

	assert_record(&imported, 0, identify_id, bytes);
	capture_deinit(&imported.capture);
	imported = import_text("0040 3fff c837\n", IMPORT_IDENTIFY);
	assert_record(&imported, 0, identify_id, B("\x40\0\xff\x3f\x37\xc8"));
	capture_deinit(&imported.capture);
	imported = import_text("40 00 ff 3f 37 c8\n", IMPORT_IDENTIFY);
	assert_record(&imported, 0, identify_id, B("\x40\0\xff\x3f\x37\xc8"));
	capture_deinit(&imported.capture);
}

#define LIST "00 00 00 04 00 80 83 b1"

static void pages_of_sg3_utils_are_read_in_each_of_their_forms(void **state)
{
	static const char *const texts[] = {
		SERIAL_PAGE "\n",
		"# Unit serial number VPD page\n00 80 00 04 # header\n\n41 42 43 44\n",
		"0,80,0,4,41,42,43,44",
		"0 80 0 4  41 42 43 44",
		"Unit serial number VPD page:\n" SERIAL_PAGE "\n",
		"VPD INQUIRY: Unit serial number page\n"
		" 00     00 80 00 04 41 42 43 44                             ....ABCD\n",
		"Unit serial number VPD page:\n 00     00 80 00 04 41 42 43 44\n",
		"00000000  00 80 00 04 41 42 43 44                           "
		"|....ABCD|\n00000008\n",
		"00000000: 0080 0004 4142 4344                      ....ABCD\n",
		"0000:  00 80 00 04\n0004:  41 42 43 44\n",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct imported imported = import_text(texts[i], IMPORT_AUTO);

		assert_record(&imported, 0, (struct page_id) { .kind = PAGE_VPD, .page = 0x80 },
			B("\0\x80\0\4ABCD"));
		assert_int_equal(imported.capture.record_count, 1);
		capture_deinit(&imported.capture);
	}
}

static void the_text_beside_the_bytes_is_not_read(void **state)
{
	struct imported imported = import_text(
		" 00     00 80 00 14 61 62 20 63  64 20 65 66 20 61 31 62    ....ab cd ef a1b\n"
		" 10     32 63 33 20 64 34 20 65                             2c3 d4 e\n",
		IMPORT_AUTO);

	(void)state;
	assert_record(&imported, 0, (struct page_id) { .kind = PAGE_VPD, .page = 0x80 },
		B("\0\x80\0\x14"
		  "ab cd ef a1b2c3 d4 e"));
	capture_deinit(&imported.capture);
}

static void lines_that_hexdump_leaves_out_are_there(void **state)
{
	uint8_t sector[512];
	char text[4096], *at = text;
	bool starred = false;

	(void)state;
	make_attributes(sector, false);
	for (size_t i = 0; i < 512; i += 16) {
		bool same = i && !memcmp(sector + i, sector + i - 16, 16);

		if (same && !starred)
			at += sprintf(at, "*\n");
		starred = same;
		if (same)
			continue;
		at += sprintf(at, "%08zx  ", i);
		for (size_t k = i; k < i + 16; k++)
			at += sprintf(at, "%02x ", sector[k]);
		at += sprintf(at, " |................|\n");
	}
	sprintf(at, "00000200\n");
	struct imported imported = import_text(text, IMPORT_AUTO);

	assert_non_null(strchr(text, '*'));
	assert_record(&imported, 0, smart_id, (struct bytes) { sector, 512 });
	capture_deinit(&imported.capture);
}

#define INQUIRY_HEX                                        \
	"00 00 06 12 1f 00 00 02 53 45 41 47 41 54 45 20 " \
	"53 54 33 30 30 4d 4d 30 30 30 36 20 20 20 20 20 42 30 30 31 "

static void pages_one_behind_the_other_are_split_by_their_headers(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		struct page_id last;
	} cases[] = {
		{ INQUIRY_HEX LIST " " SERIAL_PAGE, 3, { .kind = PAGE_VPD, .page = 0x80 } },
		{ SERIAL_PAGE " " TEMPERATURE, 2,
			{ .kind = PAGE_LOG, .page = 0x0d, .control = 1 } },
		{ TEMPERATURE TEMPERATURE "00 00 00 00", 2,
			{ .kind = PAGE_LOG, .page = 0x0d, .control = 1 } },
		{ LIST "00 00 00 00 00 00", 1, { .kind = PAGE_VPD, .page = 0x00 } },
		{ "0e 01 00 06 00 00 03 02 12 34", 1,
			{ .kind = PAGE_NONE } }, /* no subpage format */
		{ "4e 01 00 06 00 00 03 02 12 34", 1,
			{ .kind = PAGE_LOG, .page = 0x0e, .sub = 1, .control = 1 } },
		{ "40 ff 00 04 00 00 00 ff", 1,
			{ .kind = PAGE_LOG, .page = 0x00, .sub = 0xff, .control = 1 } },
		{ "00 00 00 04 00 02 03 0d", 1, { .kind = PAGE_LOG, .page = 0x00, .control = 1 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct imported imported = import_text(cases[i].text, IMPORT_AUTO);

		if (cases[i].last.kind == PAGE_NONE) {
			assert_int_equal(imported.result, -1);
		} else {
			assert_int_equal(imported.result, 0);
			assert_int_equal(imported.capture.record_count, cases[i].count);
			assert_true(page_same(
				imported.capture.records[cases[i].count - 1].page, cases[i].last));
			assert_int_equal(imported.capture.note_count, 0);
		}
		capture_deinit(&imported.capture);
	}
}

static void what_stands_behind_a_certain_page_is_refused_with_a_note(void **state)
{
	struct imported imported = import_text(INQUIRY_HEX "99 98 97", IMPORT_AUTO);

	(void)state;
	assert_int_equal(imported.result, 0);
	assert_int_equal(imported.capture.record_count, 1);
	assert_string_equal(imported.capture.notes[0],
		"file: bytes behind the last certain page that are not used: 3");
	capture_deinit(&imported.capture);
	/* A VPD page alone is not certain with something behind it. */
	imported = import_text(SERIAL_PAGE " 99", IMPORT_AUTO);
	assert_int_equal(imported.result, -1);
	capture_deinit(&imported.capture);
	imported = import_text(LIST " " SERIAL_PAGE " 99", IMPORT_AUTO);
	assert_int_equal(imported.capture.record_count, 1);
	assert_int_equal(imported.capture.note_count, 1);
	capture_deinit(&imported.capture);
}

static void what_is_not_certain_is_refused(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{ "00 00 00 01 00", "no drive data is recognised" }, /* VPD or log? */
		{ "0b 00 00 08 00 00 00 00 00 00 02 00", "no drive data is recognised" },
		{ "0b 00 00 08 00 00 00 00 00 01 00 00", "no drive data is recognised" },
		{ "00 83 00 48 01 03 00 08", "no drive data is recognised" }, /* cut */
		{ "00 1a 00 00 00 00 00 00 08 12 04 00 ff ff 00 00 ff ff ff ff 80 14 00 00 00 00 "
		  "00 "
		  "00",
			"mode pages, but whether of current values is not said" },
		{ "17 00 00 00 08 12 04 00 ff ff 00 00 ff ff ff ff 80 14 00 00 00 00 00 00",
			"mode pages, but whether of current values is not said" },
		{ "00 00 00 00 6f c8 1a af 00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
		  "00 "
		  "00 00 00 00 00",
			"perhaps READ CAPACITY(16) data" },
		{ "\n\n# nothing\n", "holds no drive data" },
		{ "00 11 zz\n", "line 1: expected a hexadecimal byte, found \"zz\"" },
		{ "00\n123\n", "line 2: expected a hexadecimal byte, found \"123\"" },
		{ "smartctl 7.4\n\n=== START\nof\ninformation\n",
			"line 4: expected hexadecimal bytes, found \"of\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct imported imported = import_text(cases[i].text, IMPORT_AUTO);

		assert_int_equal(imported.result, -1);
		assert_int_equal(imported.error.status, EXIT_NO_DRIVE_DATA);
		if (!strstr(imported.error.text, cases[i].want))
			fail_msg("case %zu: %s", i, imported.error.text);
		capture_deinit(&imported.capture);
	}
}

static void said_kinds_become_what_they_were_said_to_be(void **state)
{
	static const struct {
		const char *text;
		enum import_kind kind;
		struct page_id want;
		size_t len;
	} cases[] = {
		{ "00 00 00 01 00", IMPORT_VPD, { .kind = PAGE_VPD }, 5 },
		{ "00 00 00 01 00", IMPORT_LOG, { .kind = PAGE_LOG, .control = 1 }, 5 },
		{ "00 83 00 48 01 03 00 08", IMPORT_VPD, { .kind = PAGE_VPD, .page = 0x83 }, 8 },
		{ "72 05 00 02 01 02", IMPORT_LOG,
			{ .kind = PAGE_LOG, .page = 0x32, .sub = 5, .control = 1 }, 6 },
		{ "32 05 00 02 01 02", IMPORT_LOG, { .kind = PAGE_LOG, .page = 0x32, .control = 1 },
			6 },
		{ "00 00 05", IMPORT_INQUIRY, { .kind = PAGE_INQUIRY }, 3 },
		{ "17 00 00 00 08 12 04 00 ff ff 00 00 ff ff ff ff 80 14 00 00 00 00 00 00",
			IMPORT_MODE, { .kind = PAGE_MODE, .page = 0x3f, .sub = 0xff }, 24 },
		{ "00 0a 00 00 00 00 00 00 40 01 00 00", IMPORT_MODE,
			{ .kind = PAGE_MODE, .page = 0x3f, .sub = 0xff }, 12 },
		{ "00 00 00 00 6f c8 1a af 00 00 02 00", IMPORT_READCAP16,
			{ .kind = PAGE_READ_CAPACITY_16 }, 12 },
		{ "70 00 05", IMPORT_SENSE, { .kind = PAGE_REQUEST_SENSE }, 3 },
		{ "70 00 05 00 00 00 00 0a 00 00 00 00 24 00 00 00 00 00", IMPORT_AUTO,
			{ .kind = PAGE_REQUEST_SENSE }, 18 },
		{ "72 05 24 00 00 00 00 04 03 02 00 01", IMPORT_AUTO,
			{ .kind = PAGE_REQUEST_SENSE }, 12 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct imported imported = import_text(cases[i].text, cases[i].kind);

		if (imported.result)
			fail_msg("case %zu: %s", i, imported.error.text);
		assert_int_equal(imported.capture.record_count, 1);
		assert_true(page_same(imported.capture.records[0].page, cases[i].want));
		assert_int_equal(imported.capture.records[0].data.len, cases[i].len);
		capture_deinit(&imported.capture);
	}
}

static void mode_data_are_read_with_the_header_that_they_have(void **state)
{
	struct imported imported = import_text(
		"17 00 00 00 08 12 04 00 ff ff 00 00 ff ff ff ff 80 14 00 00 00 00 00 00",
		IMPORT_MODE);

	(void)state;
	assert_int_equal(imported.capture.records[0].cdb[0], 0x1a);
	capture_deinit(&imported.capture);
	imported = import_text("00 0a 00 00 00 00 00 00 40 01 00 00", IMPORT_MODE);
	assert_int_equal(imported.capture.records[0].cdb[0], 0x5a);
	capture_deinit(&imported.capture);
}

static void what_cannot_be_what_it_was_said_to_be_is_refused(void **state)
{
	static const struct {
		const char *text;
		enum import_kind kind;
		const char *want;
	} cases[] = {
		{ "00 00 04 00", IMPORT_MODE, "no MODE SENSE data" },
		{ "08 12 04 00 ff ff 00 00 ff ff ff ff 80 14 00 00 00 00 00 00", IMPORT_MODE,
			"no MODE SENSE data" },
		{ "00 16 00 00 00 00 00 00 03 06 00 00 00 00 00 00 03 06 01 00 00 00 00 00",
			IMPORT_MODE, "a mode page stands in it twice" },
		{ "00 00 00 00 00 00 00 01", IMPORT_READCAP16, "8 bytes are too few" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct imported imported = import_text(cases[i].text, cases[i].kind);

		assert_int_equal(imported.result, -1);
		if (!strstr(imported.error.text, cases[i].want))
			fail_msg("case %zu: %s", i, imported.error.text);
		capture_deinit(&imported.capture);
	}
}

static void comments_that_say_what_was_asked_make_full_records(void **state)
{
	struct imported imported = import_text(
		"# response\n# CDB 4d 00 40 00 00 00 00 40 00 00\n"
		"# SENSE none\n00 00 00 01 00\n"
		"# CDB 12 01 80 00 ff 00\n# a remark\n" SERIAL_PAGE "\n# CDB 1a 08 3f ff ff 00\n"
		"# SENSE 70 00 02 00 00 00 00 0a 00 00 00 00 04 01 00\n"
		"# CDB of another drive\n"
		"# CDB 25 00 00 00 00 00 00 00 00 00\n# SENSE none\n",
		IMPORT_MODE); /* what the file says itself counts */
	const struct record *records = imported.capture.records;

	(void)state;
	assert_record(
		&imported, 0, (struct page_id) { .kind = PAGE_LOG, .control = 1 }, B("\0\0\0\1\0"));
	assert_record(&imported, 1, (struct page_id) { .kind = PAGE_VPD, .page = 0x80 },
		B("\0\x80\0\4ABCD"));
	assert_int_equal(imported.capture.record_count, 4);
	assert_int_equal(records[2].page.kind, PAGE_MODE);
	assert_int_equal(records[2].scsi_status, 2);
	assert_int_equal(records[2].sense.len, 15);
	assert_null(records[2].data.at);
	assert_int_equal(records[3].page.kind, PAGE_READ_CAPACITY_10);
	assert_int_equal(records[3].scsi_status, 0);
	assert_null(records[3].sense.at);
	assert_null(records[3].data.at);
	capture_deinit(&imported.capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_of_hdparm_and_pairs_of_bytes_are_told_apart),
		cmocka_unit_test(pages_of_sg3_utils_are_read_in_each_of_their_forms),
		cmocka_unit_test(the_text_beside_the_bytes_is_not_read),
		cmocka_unit_test(lines_that_hexdump_leaves_out_are_there),
		cmocka_unit_test(pages_one_behind_the_other_are_split_by_their_headers),
		cmocka_unit_test(what_stands_behind_a_certain_page_is_refused_with_a_note),
		cmocka_unit_test(what_is_not_certain_is_refused),
		cmocka_unit_test(said_kinds_become_what_they_were_said_to_be),
		cmocka_unit_test(mode_data_are_read_with_the_header_that_they_have),
		cmocka_unit_test(what_cannot_be_what_it_was_said_to_be_is_refused),
		cmocka_unit_test(comments_that_say_what_was_asked_make_full_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
