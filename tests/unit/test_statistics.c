#include "pages.h"

static const struct row *statistic_row(const struct drive *drive, uint64_t page, uint64_t offset)
{
	for (size_t i = 0; i < row_count(drive, "device_statistics"); i++) {
		const struct row *row = row_of(drive, "device_statistics", i);

		if (cell_is(row, "page", value_uint(page)) &&
			cell_is(row, "offset", value_uint(offset)))
			return row;
	}
	fail_msg("no statistic %02Xh/%02Xh", (unsigned)page, (unsigned)offset);
	return NULL;
}

static const struct {
	uint8_t page;
	uint16_t at;
	uint64_t raw;
	const char *name, *unit;
	struct value value;
} widths[] = {
	{ 1, 8, 0xffffff00000016, "Lifetime power-on resets", "", { VALUE_UINT, { .uint = 22 } } },
	{ 1, 24, 0xff123456789abc, "Logical sectors written", "sectors",
		{ VALUE_UINT, { .uint = 0x123456789abc } } },
	{ 1, 72, 0x2710, "Workload utilization", "0.01 percent",
		{ VALUE_UINT, { .uint = 10000 } } },
	{ 1, 88, 0x12345678009a01, "Resource availability", "",
		{ VALUE_UINT, { .uint = 0x12345678009a01 } } },
	{ 5, 8, 0xff0000000000fe, "Current temperature", "celsius", { VALUE_INT, { .sint = -2 } } },
	{ 5, 40, 0x80, "Lowest temperature", "celsius", { VALUE_NULL, { 0 } } },
	{ 6, 24, 7, "Number of interface CRC errors", "", { VALUE_UINT, { .uint = 7 } } },
	{ 7, 8, 255, "Percentage used endurance indicator", "percent",
		{ VALUE_UINT, { .uint = 255 } } },
	{ 8, 96, 3, "Maximum implicitly open zones, sequential or before required", "",
		{ VALUE_UINT, { .uint = 3 } } },
	{ 0xff, 504, 0x8000000000ffee, "Vendor specific", "",
		{ VALUE_UINT, { .uint = 0x8000000000ffee } } },
	{ 0x09, 16, 12, "Command duration limits", "", { VALUE_UINT, { .uint = 12 } } },
	{ 0x42, 8, 1, "Unknown statistic", "", { VALUE_UINT, { .uint = 1 } } },
	{ 3, 48, 4294967295, "Number of mechanical start failures", "", { VALUE_NULL, { 0 } } },
};

static void each_statistic_has_its_own_width_sign_and_unit(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		struct drive *drive = drive_new();
		uint8_t page[512];

		statistics_begin(page, widths[i].page);
		statistic_set(page, widths[i].at, widths[i].raw, SUPPORTED_VALID);
		statistics_give(drive, page);
		drive_decode(drive);
		assert_int_equal(row_count(drive, "device_statistics"), 1);
		const struct row *row = statistic_row(drive, widths[i].page, widths[i].at);

		assert_true(cell_is(row, "name", value_text(widths[i].name)));
		assert_true(cell_is(row, "unit", value_text(widths[i].unit)));
		assert_true(cell_is(row, "value", widths[i].value));
		assert_true(cell_is(row, "valid", value_flag(true)));
		assert_true(cell_is(row, "flags", value_uint(SUPPORTED_VALID)));
		assert_int_equal(row_get(row, "note").kind,
			widths[i].value.kind == VALUE_NULL ? VALUE_TEXT : VALUE_NULL);
		assert_int_equal(row->source.offset, widths[i].at);
		drive_free(drive);
	}
}

static void what_is_not_valid_is_null_and_what_is_not_supported_is_not_there(void **state)
{
	struct drive *drive = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 1);
	statistic_set(page, 8, 5, 0x80);
	statistic_set(page, 16, 5, 0x40);
	statistic_set(page, 24, 5, 0xe0);
	statistics_give(drive, page);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "device_statistics"), 2);
	assert_true(cell_is(statistic_row(drive, 1, 8), "value", value_null()));
	assert_true(cell_is(statistic_row(drive, 1, 8), "valid", value_flag(false)));
	assert_true(cell_is(statistic_row(drive, 1, 8), "normalized", value_flag(false)));
	assert_true(cell_is(statistic_row(drive, 1, 24), "normalized", value_flag(true)));
	assert_true(
		cell_is(statistic_row(drive, 1, 8), "raw", value_text("05 00 00 00 00 00 00 80")));
	drive_free(drive);
}

/* Text that follows the last statistic has bit 7 set here and there, too. */
static void garbage_behind_the_last_statistic_is_not_shown(void **state)
{
	struct drive *drive = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 7);
	statistic_set(page, 8, 5, SUPPORTED_VALID);
	statistic_set(page, 16, 6, SUPPORTED_VALID); /* unknown, but well-formed */
	statistic_set(page, 24, 0x41414141414141, 0x41);
	statistic_set(page, 32, 0x41414141414141, 0xc0);
	statistics_give(drive, page);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "device_statistics"), 2);
	drive_free(drive);
}

static void statistics_come_by_either_route(void **state)
{
	struct drive *drive = drive_new();
	uint8_t pages[3][512];

	(void)state;
	memset(pages[0], 0, 512);
	pages[0][8] = 2;
	statistics_begin(pages[1], 1);
	statistic_set(pages[1], 16, 77, SUPPORTED_VALID);
	memset(pages[2], 0, 512); /* a page that the drive does not have */
	give_smart_log(&drive->capture, 0x04, pages[0], sizeof(pages));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "device_statistics"), 1);
	assert_int_equal(statistic_row(drive, 1, 16)->source.offset, 512 + 16);
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void an_answer_of_another_page_is_noted(void **state)
{
	struct drive *drive = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 4);
	statistic_set(page, 8, 77, SUPPORTED_VALID);
	give_ata_log(&drive->capture, 0x04, 1, page, sizeof(page));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "device_statistics"), 0);
	assert_true(has_note(drive, "device statistics page 01h: the answer is of page 04h"));
	drive_free(drive);
}

static void the_log_directory_has_both_routes(void **state)
{
	static const struct {
		uint64_t log, general, smart;
		const char *address, *name;
	} want[] = {
		{ 0x01, 0, 1, "01h", "Summary SMART error log" },
		{ 0x03, 256, 0, "03h", "Extended comprehensive SMART error log" },
		{ 0x0b, 1, 0, "0Bh", "Reserved" },
		{ 0x7f, 1, 1, "7Fh", "Reserved" },
		{ 0x80, 16, 16, "80h", "Host specific" },
		{ 0x9f, 16, 16, "9Fh", "Host specific" },
		{ 0xa0, 1, 1, "A0h", "Device vendor specific" },
		{ 0xdf, 1, 1, "DFh", "Device vendor specific" },
		{ 0xe0, 1, 1, "E0h", "SCT command and status" },
	};
	struct drive *drive = drive_new();
	uint8_t general[512] = { 1 }, smart[512] = { 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		le_set(general, 2 * want[i].log, want[i].general, 2);
		le_set(smart, 2 * want[i].log, want[i].smart, 2);
	}
	smart[2 * 0x03 + 1] = 1; /* reserved: counts have 8 bits by this route */
	give_ata_log(&drive->capture, 0x00, 0, general, sizeof(general));
	give_smart_log(&drive->capture, 0x00, smart, sizeof(smart));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "log_directory"), ARRAY_LEN(want));
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		const struct row *row = row_of(drive, "log_directory", i);

		assert_true(cell_is(row, "log", value_uint(want[i].log)));
		assert_true(cell_is(row, "address", value_text(want[i].address)));
		assert_true(cell_is(row, "name", value_text(want[i].name)));
		assert_true(cell_is(row, "gpl_pages", value_uint(want[i].general)));
		assert_true(cell_is(row, "smart_pages", value_uint(want[i].smart)));
	}
	drive_free(drive);
}

static void a_directory_that_was_not_read_is_null(void **state)
{
	struct drive *drive = drive_new();
	uint8_t smart[512] = { 1, 0, 1 };

	(void)state;
	give_smart_log(&drive->capture, 0x00, smart, sizeof(smart));
	drive_decode(drive);
	const struct row *row = row_of(drive, "log_directory", 0);

	assert_true(cell_is(row, "gpl_pages", value_null()));
	assert_true(cell_is(row, "smart_pages", value_uint(1)));
	drive_free(drive);
}

static void mode_pages_are_shown_in_all_their_forms(void **state)
{
	static const uint8_t current[] = { 0, 22, 0, 0, 0, 0, 0, 0, 0x88, 0x02, 0x14,
		0x00,                            /* 08h */
		0x5a, 0x01, 0, 0x02, 0x0a, 0x0b, /* 1Ah/01h */
		0x30, 0x04, 1, 2, 3, 4 };
	static const uint8_t changeable[] = { 0, 10, 0, 0, 0, 0, 0, 0, 0x88, 0x02, 0x04, 0x00 };
	struct drive *drive = drive_new();
	const struct row *row;

	(void)state;
	give_mode(&drive->capture, 0, 0x3f, 0xff, current, sizeof(current));
	give_mode(&drive->capture, 1, 0x3f, 0xff, changeable, sizeof(changeable));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "mode_pages"), 3);
	row = row_of(drive, "mode_pages", 0);
	assert_true(cell_is(row, "page", value_uint(0x08)));
	assert_true(cell_is(row, "number", value_text("08h")));
	assert_true(cell_is(row, "name", value_text("Caching")));
	assert_true(cell_is(row, "current", value_text("88 02 14 00")));
	assert_true(cell_is(row, "changeable", value_text("88 02 04 00")));
	assert_true(cell_is(row, "default", value_null()));
	assert_true(cell_is(row, "saved", value_null()));
	row = row_of(drive, "mode_pages", 1);
	assert_true(cell_is(row, "subpage", value_uint(1)));
	assert_true(cell_is(row, "number", value_text("1Ah/01h")));
	assert_true(cell_is(row, "name", value_text("Power consumption")));
	assert_true(cell_is(row, "changeable", value_null()));
	assert_true(cell_is(row_of(drive, "mode_pages", 2), "name", value_text("Vendor specific")));
	drive_free(drive);
}

static void mode_pages_have_names_by_page_and_subpage(void **state)
{
	static const struct {
		uint8_t page, sub;
		const char *name;
	} cases[] = {
		{ 0x00, 0x00, "Vendor specific" },
		{ 0x0a, 0x00, "Control" },
		{ 0x0a, 0x01, "Control extension" },
		{ 0x0a, 0x20, "Unknown" },
		{ 0x0a, 0xdf, "Unknown" },
		{ 0x0a, 0xe0, "Vendor specific" },
		{ 0x0a, 0xf1, "SATA control" },
		{ 0x0a, 0xfe, "Vendor specific" },
		{ 0x1f, 0x00, "Unknown" },
		{ 0x20, 0x00, "Vendor specific" },
		{ 0x3e, 0x00, "Vendor specific" },
		{ 0x3f, 0x00, "Unknown" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t page = cases[i].page, sub = cases[i].sub;
		const uint8_t plain[] = { 0, 9, 0, 0, 0, 0, 0, 0, page, 1, 0xaa };
		const uint8_t with_sub[] = { 0, 11, 0, 0, 0, 0, 0, 0, (uint8_t)(0x40 | page), sub,
			0, 1, 0xaa };
		struct drive *drive = drive_new();

		give_mode(&drive->capture, 0, 0x3f, 0xff, sub ? with_sub : plain,
			sub ? sizeof(with_sub) : sizeof(plain));
		drive_decode(drive);
		assert_true(
			cell_is(row_of(drive, "mode_pages", 0), "name", value_text(cases[i].name)));
		drive_free(drive);
	}
}

static void farm_set(uint8_t *at, uint64_t value, bool big)
{
	value |= UINT64_C(0xc000000000000000);
	for (size_t i = 0; i < 8; i++)
		at[big ? 7 - i : i] = (uint8_t)(value >> 8 * i);
}

static void farm_is_known_by_its_signature(void **state)
{
	static const struct {
		uint64_t signature;
		bool known;
	} cases[] = { { 0x4641524d4552, true }, { 0x4641524d4553, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *ata = drive_new(), *scsi = drive_new();
		uint8_t little[512] = { 0 }, big[24];
		struct log_page log;

		farm_set(&little[0], cases[i].signature, false);
		farm_set(&little[8], 4, false);
		farm_set(&little[16], 20, false);
		farm_set(&big[0], cases[i].signature, true);
		farm_set(&big[8], 4, true);
		farm_set(&big[16], 20, true);
		give_ata_log(&ata->capture, 0xa6, 0, little, sizeof(little));
		log_begin(&log, 0x3d, 3);
		log_add(&log, 0, big, sizeof(big));
		log_give(scsi, &log);
		drive_decode(ata);
		drive_decode(scsi);
		if (cases[i].known) {
			expect_text(ata, "statistics.farm_version", "4.20");
			expect_text(scsi, "statistics.farm_version", "4.20");
		} else {
			expect_absent(ata, "statistics.farm_version");
			expect_absent(scsi, "statistics.farm_version");
		}
		drive_free(ata);
		drive_free(scsi);
	}
}

/* Page 1 has the serial number before the hours. */
static void the_hours_of_farm_are_read_from_its_second_page(void **state)
{
	struct drive *ata = drive_new(), *scsi = drive_new();
	uint8_t header[512] = { 0 }, page[512] = { 0 }, big_header[72] = { 0 }, big[248] = { 0 };
	struct log_page log;
	(void)state;

	farm_set(&header[0], 0x4641524d4552, false);
	farm_set(&header[8], 4, false);
	farm_set(&header[16], 20, false);
	farm_set(&page[0], 1, false);
	farm_set(&page[152], 40123, false);
	farm_set(&big_header[0], 0x4641524d4552, true);
	farm_set(&big_header[8], 4, true);
	farm_set(&big_header[16], 20, true);
	farm_set(&big[0], 1, true);
	farm_set(&big[152], 40123, true);
	give_ata_log(&ata->capture, 0xa6, 0, header, sizeof(header));
	give_ata_log(&ata->capture, 0xa6, 32, page, sizeof(page));
	log_begin(&log, 0x3d, 3);
	log_add(&log, 0, big_header, sizeof(big_header));
	log_add(&log, 1, big, sizeof(big));
	log_give(scsi, &log);
	drive_decode(ata);
	drive_decode(scsi);
	expect_uint(ata, "usage.farm_power_on_hours", 40123);
	expect_uint(scsi, "usage.farm_power_on_hours", 40123);
	drive_free(ata);
	drive_free(scsi);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_statistic_has_its_own_width_sign_and_unit),
		cmocka_unit_test(what_is_not_valid_is_null_and_what_is_not_supported_is_not_there),
		cmocka_unit_test(garbage_behind_the_last_statistic_is_not_shown),
		cmocka_unit_test(statistics_come_by_either_route),
		cmocka_unit_test(an_answer_of_another_page_is_noted),
		cmocka_unit_test(the_log_directory_has_both_routes),
		cmocka_unit_test(a_directory_that_was_not_read_is_null),
		cmocka_unit_test(mode_pages_are_shown_in_all_their_forms),
		cmocka_unit_test(mode_pages_have_names_by_page_and_subpage),
		cmocka_unit_test(farm_is_known_by_its_signature),
		cmocka_unit_test(the_hours_of_farm_are_read_from_its_second_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
