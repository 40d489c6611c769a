#include "test.h"

#include <stdio.h>
#include <string.h>

#include "assay/command.h"

static void assert_cdb(const struct cdb *cdb, const char *hex)
{
	char text[2 * CDB_MAX + 1] = "";

	for (size_t i = 0; i < cdb->len; i++)
		snprintf(text + 2 * i, 3, "%02x", cdb->bytes[i]);
	assert_string_equal(text, hex);
}

static const struct {
	struct page_id id;
	size_t len, in_len;
	bool shorter;
	const char *cdb;
} pages[] = {
	{ { .kind = PAGE_TEST_UNIT_READY }, 0, 0, false, "000000000000" },
	{ { .kind = PAGE_REQUEST_SENSE }, 252, 252, false, "03000000fc00" },
	{ { .kind = PAGE_INQUIRY }, 96, 96, false, "120000006000" },
	{ { .kind = PAGE_VPD, .page = 0x89 }, 572, 572, false, "120189023c00" },
	{ { .kind = PAGE_READ_CAPACITY_10 }, 8, 8, false, "25000000000000000000" },
	{ { .kind = PAGE_READ_CAPACITY_16 }, 32, 32, false, "9e100000000000000000000000200000" },
	{ { PAGE_LOG, 0x0d, 0x01, 1 }, 4096, 4096, false, "4d004d01000000100000" },
	{ { PAGE_LOG, 0x2f, 0x00, 3 }, 4, 4, false, "4d00ef00000000000400" },
	{ { PAGE_MODE, 0x3f, 0xff, 3 }, 4096, 4096, false, "5a00ffff000000100000" },
	{ { PAGE_MODE, 0x08, 0x00, 1 }, 192, 192, true, "1a004800c000" },
	{ { .kind = PAGE_OPERATION_CODES }, 4096, 4096, false, "a30c00000000000010000000" },
	{ { .kind = PAGE_DIAGNOSTIC, .page = 0x02 }, 512, 512, false, "1c0102020000" },
	{ { PAGE_SECURITY, 0x01, 0x0001, 0 }, 512, 512, false, "a20100010000000002000000" },
	{ { .kind = PAGE_DEFECTS, .control = 1 }, 8, 8, false, "b70d00000000000000080000" },
	{ { .kind = PAGE_DEFECTS, .control = 2 }, 4, 4, true, "37001500000000000400" },
	{ { .kind = PAGE_ATA_IDENTIFY }, 512, 512, false, "85080e0000000100000000000000ec00" },
	{ { .kind = PAGE_ATA_IDENTIFY }, 512, 512, true, "a1080e000100000000ec0000" },
	{ { .kind = PAGE_ATA_POWER_MODE }, 0, 0, false,
		"85062000000000000000000000"
		"00e500" },
	{ { .kind = PAGE_SMART_STATUS }, 0, 0, true, "a10620da00004fc200b00000" },
	{ { .kind = PAGE_SMART_DATA }, 512, 512, false, "85080e00d000010000004f00c200b000" },
	{ { .kind = PAGE_SMART_THRESHOLDS }, 512, 512, false, "85080e00d100010001004f00c200b000" },
	{ { .kind = PAGE_SMART_LOG, .page = 0x06 }, 512, 512, true, "a1080ed501064fc200b00000" },
	{ { PAGE_ATA_LOG, 0x04, 0x0102, 0 }, 1024, 1024, false,
		"85090e00000002000401020000402f00" },
	{ { PAGE_ATA_LOG, 0x04, 0, 1 }, 512, 512, false, "850d0e00000001000400000000404700" },
	{ { PAGE_ATA_OTHER, 0x3f, 0, 1 }, 512, 0, false, "850b260000000100e000000000403f00" },
	{ { PAGE_ATA_OTHER, 0xb0, 0xd6, 1 }, 512, 0, true, "a10a26d601e04fc200b00000" },
};

static void every_page_has_the_cdb_of_the_standards(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		struct cdb cdb = cdb_of_page(pages[i].id, pages[i].len, pages[i].shorter);
		struct page_id back = page_of_cdb(cdb.bytes, cdb.len), want = pages[i].id;

		assert_cdb(&cdb, pages[i].cdb);
		assert_int_equal(cdb.in_len, pages[i].in_len);
		if (want.kind == PAGE_ATA_LOG)
			want.control = 0; /* both commands read the same page */
		assert_true(page_same(back, want));
	}
}

static void a_length_that_does_not_fit_is_cut_to_the_field(void **state)
{
	static const struct {
		struct page_id id;
		bool shorter;
		size_t in_len;
	} cases[] = {
		{ { .kind = PAGE_REQUEST_SENSE }, false, SENSE_MAX },
		{ { .kind = PAGE_MODE, .page = 0x3f }, true, 255 },
		{ { .kind = PAGE_MODE, .page = 0x3f }, false, 65535 },
		{ { .kind = PAGE_LOG, .page = 0x15 }, false, 65535 },
		{ { .kind = PAGE_DEFECTS, .control = 1 }, true, 65535 },
		{ { .kind = PAGE_DEFECTS, .control = 1 }, false, 70000 },
		{ { .kind = PAGE_READ_CAPACITY_10 }, false, 8 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(
			cdb_of_page(cases[i].id, 70000, cases[i].shorter).in_len, cases[i].in_len);
}

static void what_has_no_cdb_gives_none(void **state)
{
	static const struct {
		struct page_id id;
		bool shorter;
	} cases[] = {
		{ { .kind = PAGE_NONE }, false },
		/* ATA PASS-THROUGH(12) carries no 48-bit command */
		{ { PAGE_ATA_LOG, 0x04, 0, 0 }, true },
		{ { PAGE_ATA_OTHER, 0x3f, 0, 1 }, true },
		/* nor a feature of 16 bits */
		{ { PAGE_ATA_OTHER, 0xff, 0xc17c, 0 }, true },
		/* A1h is also a command of packet devices */
		{ { .kind = PAGE_ATA_IDENTIFY_PACKET }, false },
		{ { .kind = PAGE_ATA_IDENTIFY_PACKET }, true },
		{ { .kind = PAGE_LOG, .page = 0x0d }, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(cdb_of_page(cases[i].id, 512, cases[i].shorter).len, 0);
}

static void commands_that_change_something_are_those_of_the_standards(void **state)
{
	const struct {
		struct cdb cdb;
		uint8_t bytes[16];
		size_t len, in_len;
	} cases[] = {
		{ cdb_start_stop(0, 0, false), { 0x1b }, 6, 0 },
		{ cdb_start_stop(0, 0, true), { 0x1b, [4] = 0x01 }, 6, 0 },
		/* START is ignored, and so not set, beside a power condition */
		{ cdb_start_stop(3, 1, true), { 0x1b, [3] = 0x01, [4] = 0x30 }, 6, 0 },
		{ cdb_start_stop(2, 2, false), { 0x1b, [3] = 0x02, [4] = 0x20 }, 6, 0 },
		{ cdb_read(UINT64_C(0x0102030405060708), 8, 512, true),
			{ 0x88, 0x18, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 8 }, 16, 4096 },
		{ cdb_read(1, 1, 4096, false), { 0x88, [9] = 1, [13] = 1 }, 16, 4096 },
		{ cdb_mode_select(0x128), { 0x55, 0x10, [7] = 0x01, 0x28 }, 10, 0 },
		{ cdb_of_ata(&(struct ata_task) { ATA_NON_DATA, .command = 0xe0 }),
			{ 0x85, 0x06, 0x20, [14] = 0xe0 }, 16, 0 },
		/* EPC: timer of standby_z to 1234h x 100 ms; HOLD stands in the device register */
		{ cdb_of_ata(
			  &(struct ata_task) { ATA_NON_DATA, 0xef, 0x4a, 0x82, 0x1123422, false }),
			{ 0x85, 0x06, 0x20, [4] = 0x4a, [6] = 0x82, [8] = 0x22, [10] = 0x34,
				[12] = 0x12, [13] = 0x01, [14] = 0xef },
			16, 0 },
		/* SANITIZE DEVICE: 48 bits, whose upper bytes stand before the lower ones */
		{ cdb_of_ata(&(struct ata_task) {
			  ATA_NON_DATA, 0xb4, 0x0014, 1, UINT64_C(0x64f7426b4572), true }),
			{ 0x85, 0x07, 0x20, [4] = 0x14, [6] = 0x01, [7] = 0x42, 0x72, 0xf7, 0x45,
				0x64, 0x6b, 0x40, 0xb4 },
			16, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(cases[i].cdb.len, cases[i].len);
		assert_int_equal(cases[i].cdb.in_len, cases[i].in_len);
		assert_memory_equal(cases[i].cdb.bytes, cases[i].bytes, 16);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_page_has_the_cdb_of_the_standards),
		cmocka_unit_test(a_length_that_does_not_fit_is_cut_to_the_field),
		cmocka_unit_test(what_has_no_cdb_gives_none),
		cmocka_unit_test(commands_that_change_something_are_those_of_the_standards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
