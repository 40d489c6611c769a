#include "error_entries.h"

static void expect_hours(const struct drive *drive, const uint16_t *hours, size_t count)
{
	assert_int_equal(row_count(drive, "error_log"), count);
	for (size_t i = 0; i < count; i++) {
		const struct row *row = row_of(drive, "error_log", i);

		assert_true(cell_is(row, "power_on_hours", value_uint(hours[i])));
		assert_true(cell_is(row, "index", value_uint(i + 1)));
	}
}

static void a_summary_entry_has_registers_state_and_commands(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1, 1 };

	(void)state;
	summary_entry_set(log, 0, 4321, 0x0abcdef);
	log[452] = 1;
	checksum_set(log);
	give_smart_log(&drive->capture, 0x01, log, sizeof(log));
	drive_decode(drive);
	expect_uint(drive, "errors.logged_count", 1);
	const struct row *row = row_of(drive, "error_log", 0);

	assert_true(cell_is(row, "number", value_uint(1)));
	assert_true(cell_is(row, "power_on_hours", value_uint(4321)));
	assert_true(cell_is(row, "state", value_text("active or idle")));
	assert_true(cell_is(row, "command", value_text("READ DMA")));
	assert_true(cell_is(row, "command_code", value_uint(0xc8)));
	assert_true(cell_is(row, "error", value_uint(UNC)));
	assert_true(cell_is(row, "error_text", value_text("UNC")));
	assert_true(cell_is(row, "status", value_uint(0x51)));
	assert_true(cell_is(row, "lba", value_uint(0x0abcdef)));
	assert_true(cell_is(row, "count", value_uint(3)));
	assert_true(cell_is(row, "device", value_uint(0xe0)));
	assert_true(cell_is(row, "device_control", value_null()));
	assert_int_equal(row_count(drive, "error_log_commands"), 1);
	row = row_of(drive, "error_log_commands", 0);
	assert_true(cell_is(row, "error_index", value_uint(1)));
	assert_true(cell_is(row, "step", value_uint(5)));
	assert_true(cell_is(row, "timestamp_ms", value_uint(123456)));
	assert_true(cell_is(row, "feature", value_uint(0x11)));
	assert_true(cell_is(row, "count", value_uint(8)));
	assert_true(cell_is(row, "device_control", value_uint(0x08)));
	assert_int_equal(row->source.offset, 2 + 48);
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void an_extended_entry_has_48_bits(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 0 };

	(void)state;
	extended_head_set(log, 1, 9);
	extended_entry_set(log, 0, 4321, 0x123456789abc);
	checksum_set(log);
	give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
	drive_decode(drive);
	const struct row *row = row_of(drive, "error_log", 0);

	assert_true(cell_is(row, "number", value_uint(9)));
	assert_true(cell_is(row, "power_on_hours", value_uint(4321)));
	assert_true(cell_is(row, "state", value_text("self-test or off-line collection")));
	assert_true(cell_is(row, "command", value_text("READ FPDMA QUEUED")));
	assert_true(cell_is(row, "lba", value_uint(0x123456789abc)));
	assert_true(cell_is(row, "count", value_uint(257)));
	assert_true(cell_is(row, "device_control", value_uint(0x08)));
	row = row_of(drive, "error_log_commands", 0);
	assert_true(cell_is(row, "lba", value_uint(0x123456789abc)));
	assert_true(cell_is(row, "feature", value_uint(0x1234)));
	assert_true(cell_is(row, "count", value_uint(256)));
	assert_true(cell_is(row, "timestamp_ms", value_uint(987654)));
	drive_free(drive);
}

static void the_summary_log_is_read_from_its_index_back(void **state)
{
	static const struct {
		uint8_t index;
		uint16_t hours[5]; /* newest first */
	} cases[] = {
		{ 1, { 1, 5, 4, 3, 2 } },
		{ 3, { 3, 2, 1, 5, 4 } },
		{ 5, { 5, 4, 3, 2, 1 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 1, cases[i].index, [452] = 200 };

		for (uint16_t slot = 0; slot < 5; slot++)
			summary_entry_set(log, slot, (uint16_t)(slot + 1), 77);
		checksum_set(log);
		give_smart_log(&drive->capture, 0x01, log, sizeof(log));
		drive_decode(drive);
		expect_hours(drive, cases[i].hours, 5);
		assert_true(cell_is(row_of(drive, "error_log", 4), "number", value_uint(196)));
		drive_free(drive);
	}
}

static void the_extended_log_is_a_ring_over_its_pages(void **state)
{
	static const struct {
		uint16_t index;
		uint16_t hours[8];
	} cases[] = {
		{ 4, { 4, 3, 2, 1, 8, 7, 6, 5 } },
		{ 5, { 5, 4, 3, 2, 1, 8, 7, 6 } },
		{ 8, { 8, 7, 6, 5, 4, 3, 2, 1 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[1024] = { 0 };

		extended_head_set(log, cases[i].index, 1000);
		for (uint16_t slot = 0; slot < 8; slot++)
			extended_entry_set(log, slot, (uint16_t)(slot + 1), 77);
		checksum_set(log);
		give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
		drive_decode(drive);
		expect_hours(drive, cases[i].hours, 8);
		drive_free(drive);
	}
}

static void pages_that_were_not_captured_are_noted(void **state)
{
	static const uint16_t hours[] = { 2, 1 };
	static const struct {
		uint16_t count;
		bool note;
	} cases[] = { { 1000, true }, { 0xffff, true }, { 2, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t directory[512] = { 1, [6] = 2 }, log[512] = { 0 };

		extended_head_set(log, 2, cases[i].count);
		extended_entry_set(log, 0, 1, 77);
		extended_entry_set(log, 1, 2, 77);
		checksum_set(log);
		give_ata_log(&drive->capture, 0x00, 0, directory, sizeof(directory));
		give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
		drive_decode(drive);
		expect_hours(drive, hours, 2);
		assert_int_equal(
			has_note(drive, "only the 2 newest entries were captured"), cases[i].note);
		drive_free(drive);
	}
}

/* The directory of SMART READ LOG counts the pages of its own route. */
static void pages_of_the_other_route_do_not_count(void **state)
{
	struct drive *drive = drive_new();
	uint8_t directory[512] = { 1, [6] = 2 }, log[512] = { 0 };

	(void)state;
	extended_head_set(log, 2, 1000);
	extended_entry_set(log, 0, 1, 77);
	extended_entry_set(log, 1, 2, 77);
	checksum_set(log);
	give_smart_log(&drive->capture, 0x00, directory, sizeof(directory));
	give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "error_log"), 2);
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void an_empty_log_has_a_count_and_no_rows(void **state)
{
	struct drive *drive = drive_new();
	uint8_t summary[512] = { 1 }, extended[512] = { 1 };

	(void)state;
	checksum_set(summary);
	checksum_set(extended);
	give_smart_log(&drive->capture, 0x01, summary, sizeof(summary));
	give_ata_log(&drive->capture, 0x03, 0, extended, sizeof(extended));
	drive_decode(drive);
	expect_uint(drive, "errors.logged_count", 0);
	assert_int_equal(row_count(drive, "error_log"), 0);
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void errors_are_listed_once_from_the_widest_log(void **state)
{
	static const uint16_t hours[] = { 9 };
	struct drive *drive = drive_new();
	uint8_t summary[512] = { 1, 1, [452] = 1 }, extended[512] = { 0 };

	(void)state;
	summary_entry_set(summary, 0, 8, 77);
	extended_head_set(extended, 1, 1);
	extended_entry_set(extended, 0, 9, 77);
	checksum_set(summary);
	checksum_set(extended);
	give_smart_log(&drive->capture, 0x01, summary, sizeof(summary));
	give_ata_log(&drive->capture, 0x03, 0, extended, sizeof(extended));
	drive_decode(drive);
	expect_hours(drive, hours, 1);
	drive_free(drive);
}

static void an_empty_log_leaves_it_to_the_next(void **state)
{
	static const uint16_t hours[] = { 8 };
	struct drive *drive = drive_new();
	uint8_t summary[512] = { 1, 1, [452] = 1 }, extended[512] = { 1 };

	(void)state;
	summary_entry_set(summary, 0, 8, 77);
	checksum_set(summary);
	checksum_set(extended);
	give_smart_log(&drive->capture, 0x01, summary, sizeof(summary));
	give_ata_log(&drive->capture, 0x03, 0, extended, sizeof(extended));
	drive_decode(drive);
	expect_hours(drive, hours, 1);
	drive_free(drive);
}

/* Log 01h by the GPL route is not defined: what a drive gives there is its own. */
static void the_summary_log_counts_by_its_own_route_only(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1, 1, [452] = 1 };

	(void)state;
	summary_entry_set(log, 0, 8, 77);
	give_ata_log(&drive->capture, 0x01, 0, log, sizeof(log));
	drive_decode(drive);
	expect_absent(drive, "errors.logged_count");
	assert_int_equal(row_count(drive, "error_log"), 0);
	drive_free(drive);
}

static void damaged_logs_are_noted(void **state)
{
	static const struct {
		uint8_t index;
		uint16_t count;
		size_t rows;
		const char *note;
	} cases[] = {
		{ 6, 3, 2, "an index of 6 of 5; order unknown" },
		{ 255, 3, 2, "an index of 255 of 5; order unknown" },
		{ 2, 0, 2, "an index of 2, but no errors" },
		{ 4, 3, 2, NULL }, /* empty entries where the newest ought to be */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 1, cases[i].index };

		summary_entry_set(log, 0, 8, 77);
		summary_entry_set(log, 1, 9, 78);
		le_set(log, 452, cases[i].count, 2);
		checksum_set(log);
		give_smart_log(&drive->capture, 0x01, log, sizeof(log));
		drive_decode(drive);
		assert_int_equal(row_count(drive, "error_log"), cases[i].rows);
		if (cases[i].note)
			assert_true(has_note(drive, cases[i].note));
		else
			assert_int_equal(drive->facts.note_count, 0);
		drive_free(drive);
	}
}

static void a_wrong_checksum_is_noted(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1 };

	(void)state;
	checksum_set(log);
	log[511]++;
	give_smart_log(&drive->capture, 0x01, log, sizeof(log));
	drive_decode(drive);
	assert_true(has_note(drive, "SMART log 01h: wrong checksum"));
	drive_free(drive);
}

static void a_count_that_is_full_numbers_no_error(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1, 1 };

	(void)state;
	summary_entry_set(log, 0, 8, 77);
	le_set(log, 452, 0xffff, 2);
	checksum_set(log);
	give_smart_log(&drive->capture, 0x01, log, sizeof(log));
	drive_decode(drive);
	assert_true(cell_is(row_of(drive, "error_log", 0), "number", value_null()));
	assert_string_equal(fact_of(drive, "errors.logged_count")->note, "65535 or more");
	drive_free(drive);
}

/* Of an old drive: the index is in the reserved byte 1. */
static void an_index_one_byte_too_early_is_found(void **state)
{
	static const uint16_t hours[] = { 2, 1 };
	struct drive *drive = drive_new();
	uint8_t log[512] = { 0 };

	(void)state;
	extended_head_set(log, 0, 2);
	log[1] = 2;
	extended_entry_set(log, 0, 1, 77);
	extended_entry_set(log, 1, 2, 77);
	checksum_set(log);
	give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
	drive_decode(drive);
	expect_hours(drive, hours, 2);
	drive_free(drive);
}

static void a_cylinder_head_and_sector_is_no_lba(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1, 1, [452] = 1 };

	(void)state;
	summary_entry_set(log, 0, 8, 77);
	log[2 + 60 + 6] = 0xa5;
	log[2 + 60 + 1] = IDNF;
	checksum_set(log);
	give_smart_log(&drive->capture, 0x01, log, sizeof(log));
	drive_decode(drive);
	const struct row *row = row_of(drive, "error_log", 0);

	assert_true(cell_is(row, "lba", value_null()));
	assert_true(cell_is(row, "error_text", value_text("IDNF")));
	assert_true(cell_is(row, "device", value_uint(0xa5)));
	drive_free(drive);
}

/* Bytes as drives with this flaw write them: 0 1 2 3 4 5. */
static void lbas_in_plain_order_show_where_they_do_not_fit_the_drive(void **state)
{
	static const struct {
		uint64_t written, want;
		bool plain;
	} cases[] = {
		{ 0x0ea00001, 0x0ea00001, true }, /* else 0EA0.0000.0001h: no such block */
		{ 0x00000077, 0x00000077, false },
	};
	uint8_t identify[512];

	(void)state;
	identify_ssd(identify);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 0 };

		extended_head_set(log, 1, 1);
		extended_entry_set(log, 0, 1, 0);
		le_set(log, 4 + 90 + 4, cases[i].written, 6);
		checksum_set(log);
		give_identify(&drive->capture, identify);
		give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
		drive_decode(drive);
		assert_true(
			cell_is(row_of(drive, "error_log", 0), "lba", value_uint(cases[i].want)));
		assert_int_equal(has_note(drive, "not in the standard's order"), cases[i].plain);
		drive_free(drive);
	}
}

static void hours_of_errors_are_unwrapped_from_the_newest_back(void **state)
{
	static const uint64_t want[] = { 67306, 65636, 65000, 64000 };
	static const uint16_t logged[] = { 64000, 65000, 100, 1770 };
	struct drive *drive = drive_new();
	uint8_t log[512] = { 0 }, page[512];

	(void)state;
	statistics_begin(page, 1);
	statistic_set(page, 16, 67346, SUPPORTED_VALID);
	statistics_give(drive, page);
	extended_head_set(log, 4, 4);
	for (size_t i = 0; i < ARRAY_LEN(logged); i++)
		extended_entry_set(log, i, logged[i], 77);
	checksum_set(log);
	give_ata_log(&drive->capture, 0x03, 0, log, sizeof(log));
	drive_decode(drive);
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		assert_true(cell_is(row_of(drive, "error_log", i), "estimated_power_on_hours",
			value_uint(want[i])));
	drive_free(drive);
}

static void the_ncq_log_has_one_error_or_none(void **state)
{
	struct drive *drive = drive_new(), *other = drive_new(), *none = drive_new();
	uint8_t log[512] = { 0x05, 0, 0x41, 0x40, 0xbc, 0x9a, 0x78, 0x40, 0x56, 0x34, 0x12, 0, 8, 0,
		3, 0x11, 0x04 };
	const struct row *row;

	(void)state;
	checksum_set(log);
	give_ata_log(&drive->capture, 0x10, 0, log, sizeof(log));
	log[0] = 0x80;
	log[14] = 0;
	give_ata_log(&other->capture, 0x10, 0, log, sizeof(log));
	memset(log, 0, sizeof(log));
	give_ata_log(&none->capture, 0x10, 0, log, sizeof(log));
	drive_decode(drive);
	drive_decode(none);
	drive_decode(other);
	row = row_of(other, "ncq_error", 0);
	assert_true(cell_is(row, "queued", value_flag(false)));
	assert_true(cell_is(row, "tag", value_null()));
	assert_true(cell_is(row, "sense_key", value_null()));
	row = row_of(drive, "ncq_error", 0);
	assert_true(cell_is(row, "device", value_uint(0x40)));
	assert_true(cell_is(row, "queued", value_flag(true)));
	assert_true(cell_is(row, "tag", value_uint(5)));
	assert_true(cell_is(row, "status", value_uint(0x41)));
	assert_true(cell_is(row, "error_text", value_text("UNC")));
	assert_true(cell_is(row, "lba", value_uint(0x123456789abc)));
	assert_true(cell_is(row, "count", value_uint(8)));
	assert_true(cell_is(row, "sense_key", value_uint(3)));
	assert_true(cell_is(row, "asc", value_uint(0x11)));
	assert_true(cell_is(row, "ascq", value_uint(0x04)));
	assert_int_equal(row_count(none, "ncq_error"), 0);
	drive_free(drive);
	drive_free(other);
	drive_free(none);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_summary_entry_has_registers_state_and_commands),
		cmocka_unit_test(an_extended_entry_has_48_bits),
		cmocka_unit_test(the_summary_log_is_read_from_its_index_back),
		cmocka_unit_test(the_extended_log_is_a_ring_over_its_pages),
		cmocka_unit_test(pages_that_were_not_captured_are_noted),
		cmocka_unit_test(pages_of_the_other_route_do_not_count),
		cmocka_unit_test(an_empty_log_has_a_count_and_no_rows),
		cmocka_unit_test(errors_are_listed_once_from_the_widest_log),
		cmocka_unit_test(an_empty_log_leaves_it_to_the_next),
		cmocka_unit_test(the_summary_log_counts_by_its_own_route_only),
		cmocka_unit_test(damaged_logs_are_noted),
		cmocka_unit_test(a_wrong_checksum_is_noted),
		cmocka_unit_test(a_count_that_is_full_numbers_no_error),
		cmocka_unit_test(an_index_one_byte_too_early_is_found),
		cmocka_unit_test(a_cylinder_head_and_sector_is_no_lba),
		cmocka_unit_test(lbas_in_plain_order_show_where_they_do_not_fit_the_drive),
		cmocka_unit_test(hours_of_errors_are_unwrapped_from_the_newest_back),
		cmocka_unit_test(the_ncq_log_has_one_error_or_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
