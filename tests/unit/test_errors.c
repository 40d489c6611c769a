#include "pages.h"

static const struct statistic_row statistics[] = {
	{ "errors.pending_count", 1, 64, 8, 4 },
	{ "errors.reallocated_count", 3, 32, 16, 4 },
	{ "errors.read_recovery_count", 3, 40, 5, 4 },
	{ "errors.mechanical_start_failure_count", 3, 48, 1, 4 },
	{ "errors.reallocation_candidate_count", 3, 56, 2, 4 },
	{ "errors.uncorrected_count", 4, 8, 78, 4 },
	{ "errors.interrupted_command_count", 4, 16, 3, 4 },
	{ "errors.element_status_change_count", 4, 24, 4, 4 },
	{ "errors.crc_count", 6, 24, 25, 4 },
};

static void statistics_count_sectors_errors_and_crcs(void **state)
{
	(void)state;
	expect_statistics(statistics, ARRAY_LEN(statistics));
}

static void a_statistic_of_all_ones_is_no_data(void **state)
{
	(void)state;
	expect_no_statistics(statistics, ARRAY_LEN(statistics));
}

/* Counters have as many bytes as their parameter says, on each drive other ones. */
static void give_counters(struct drive *drive, uint8_t page, size_t width, uint64_t uncorrected)
{
	struct log_page log;

	log_begin(&log, page, 0);
	for (uint16_t code = 0; code < 5; code++)
		log_add_uint(&log, code, page + code * 10u, width);
	log_add_uint(&log, 5, UINT64_C(397290000000000), 8);
	log_add_uint(&log, 6, uncorrected, width);
	log_add_uint(&log, 0x8000, 99, 4);
	log_give(drive, &log);
}

static void error_counters_are_a_row_an_operation(void **state)
{
	static const char *const columns[] = { "corrected_without_delay", "corrected_with_delay",
		"retries", "corrected_total", "algorithm_runs" };
	struct drive *drive = drive_new();

	(void)state;
	give_counters(drive, 0x03, 8, 0x0100000000000002);
	give_counters(drive, 0x02, 4, 0x01000003);
	give_counters(drive, 0x05, 1, 4);
	give_counters(drive, 0x04, 2, 0x0105);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "error_counters"), 4);
	const struct row *write = row_of(drive, "error_counters", 1);

	assert_true(cell_is(write, "operation", value_text("write")));
	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		assert_true(cell_is(write, columns[i], value_uint(2 + i * 10)));
	assert_true(cell_is(write, "processed_bytes", value_uint(UINT64_C(397290000000000))));
	assert_true(cell_is(write, "uncorrected", value_uint(0x01000003)));
	assert_true(cell_is(row_of(drive, "error_counters", 0), "operation", value_text("read")));
	assert_true(cell_is(row_of(drive, "error_counters", 2), "operation", value_text("verify")));
	expect_uint(drive, "errors.uncorrected_read_count", 0x0100000000000002);
	expect_uint(drive, "errors.uncorrected_write_count", 0x01000003);
	expect_uint(drive, "errors.uncorrected_verify_count", 4);
	expect_uint(drive, "errors.uncorrected_read_reverse_count", 0x0105);
	expect_uint(
		drive, "errors.uncorrected_count", 0x0100000000000002 + 0x01000003 + 4 + 0x0105);
	drive_free(drive);
}

static void a_counter_that_is_not_there_is_null(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x04, 0);
	log_add_uint(&log, 3, 7, 2);
	log_add_uint(&log, 2, 0, 0); /* a parameter without a value */
	log_give(drive, &log);
	drive_decode(drive);
	const struct row *row = row_of(drive, "error_counters", 0);

	assert_true(cell_is(row, "operation", value_text("read reverse")));
	assert_true(cell_is(row, "corrected_total", value_uint(7)));
	assert_true(cell_is(row, "retries", value_null()));
	assert_true(cell_is(row, "uncorrected", value_null()));
	expect_absent(drive, "errors.uncorrected_count");
	drive_free(drive);
}

static void other_log_pages_have_one_count_each(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x06, 0);
	log_add_uint(&log, 0, 0x11000011, 4);
	log_give(drive, &log);
	log_begin(&log, 0x08, 0);
	log_add_uint(&log, 1, 0x0200000000000002, 8);
	log_add_uint(&log, 2, 0x0300000000000003, 8);
	log_add_uint(&log, 3, 0x0400000000000004, 8);
	log_give(drive, &log);
	log_begin(&log, 0x15, 3);
	log_add(&log, 0, (const uint8_t[]) { 0x01, 0x00, 0x00, 0x05 }, 4);
	log_give(drive, &log);
	drive_decode(drive);
	expect_uint(drive, "errors.non_medium_count", 0x11000011);
	expect_uint(drive, "errors.grown_in_format_count", 0x0200000000000002);
	expect_uint(drive, "errors.reassigned_in_format_count", 0x0300000000000003);
	expect_uint(drive, "errors.reassigned_since_format_count", 0x0400000000000004);
	expect_uint(drive, "errors.misaligned_write_count", 5);
	drive_free(drive);
}

static void a_drive_that_was_never_formatted_knows_nothing_of_it(void **state)
{
	static const char *const keys[] = { "errors.grown_in_format_count",
		"errors.reassigned_in_format_count", "errors.reassigned_since_format_count" };
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x08, 0);
	for (uint16_t code = 1; code <= 3; code++)
		log_add_uint(&log, code, UINT64_MAX, code == 1 ? 4 : 8);
	log_give(drive, &log);
	drive_decode(drive);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		expect_state(drive, keys[i], FACT_UNKNOWN);
	drive_free(drive);
}

/* READ DEFECT DATA: flags are PLIST VALID 10h, GLIST VALID 08h and the format. */
static void a_defect_list_is_counted_by_the_length_of_its_descriptors(void **state)
{
	static const struct {
		uint8_t flags;
		uint16_t length;
		int state;
		uint64_t count;
	} cases[] = {
		{ 0x08, 240, FACT_KNOWN, 60 }, /* short block */
		{ 0x09, 240, FACT_KNOWN, 30 },
		{ 0x0a, 240, FACT_KNOWN, 30 },
		{ 0x0b, 240, FACT_KNOWN, 30 }, /* long block */
		{ 0x0c, 240, FACT_KNOWN, 30 },
		{ 0x0d, 240, FACT_KNOWN, 30 }, /* physical sector */
		{ 0x0d, 0, FACT_KNOWN, 0 },
		{ 0x0e, 0, FACT_KNOWN, 0 },
		{ 0x0e, 240, FACT_UNKNOWN, 0 }, /* vendor specific */
		{ 0x05, 240, FACT_UNKNOWN, 0 }, /* no grown list in it */
		{ 0x0d, 241, FACT_INVALID, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t ten[4] = { 0, cases[i].flags, (uint8_t)(cases[i].length >> 8),
			(uint8_t)cases[i].length };
		const uint8_t twelve[8] = { 0, cases[i].flags, 0, 1, 0, 0, ten[2], ten[3] };
		struct drive *short_form = drive_new(), *long_form = drive_new();

		give(&short_form->capture, (const uint8_t[]) { 0x37, 0, 0x0d, [9] = 0 }, 10, ten,
			4);
		give(&long_form->capture, (const uint8_t[]) { 0xb7, 0x0d, [11] = 0 }, 12, twelve,
			8);
		drive_decode(short_form);
		drive_decode(long_form);
		expect_state(short_form, "errors.grown_defect_count", cases[i].state);
		expect_state(long_form, "errors.grown_defect_count", cases[i].state);
		expect_absent(short_form, "errors.primary_defect_count");
		if (cases[i].state == FACT_KNOWN) {
			expect_uint(short_form, "errors.grown_defect_count", cases[i].count);
			expect_uint(long_form, "errors.grown_defect_count", cases[i].count);
			assert_null(fact_of(short_form, "errors.grown_defect_count")->note);
		}
		drive_free(short_form);
		drive_free(long_form);
	}
}

static void the_long_form_of_a_defect_list_beats_the_short_one(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give(&drive->capture, (const uint8_t[]) { 0x37, 0, 0x15, [9] = 0 }, 10,
		(const uint8_t[]) { 0, 0x15, 0xff, 0xf8 }, 4);
	give(&drive->capture, (const uint8_t[]) { 0xb7, 0x15, [11] = 0 }, 12,
		(const uint8_t[]) { 0, 0x15, 0, 0, 0, 1, 0, 0 }, 8);
	drive_decode(drive);
	expect_uint(drive, "errors.primary_defect_count", 8192);
	expect_absent(drive, "errors.grown_defect_count");
	drive_free(drive);
}

static void a_short_defect_list_at_its_end_may_be_longer(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give(&drive->capture, (const uint8_t[]) { 0x37, 0, 0x0d, [9] = 0 }, 10,
		(const uint8_t[]) { 0, 0x0d, 0xff, 0xf8 }, 4);
	drive_decode(drive);
	expect_uint(drive, "errors.grown_defect_count", 8191);
	assert_non_null(strstr(fact_of(drive, "errors.grown_defect_count")->note, "or more"));
	drive_free(drive);
}

/* The page of a real drive, its last parameter cut off by the page length. */
static void a_background_scan_has_a_state_and_a_row_a_finding(void **state)
{
	static const uint8_t page[] = { 0x95, 0x00, 0x00, 0x88, 0x00, 0x00, 0x03, 0x0c, 0x00, 0x0f,
		0x17, 0x2b, 0x00, 0x08, 0x02, 0x5d, 0x00, 0x00, 0x02, 0x5c, 0x00, 0x01, 0x03, 0x14,
		0x00, 0x03, 0x7f, 0xbf, 0x51, 0x18, 0x01, 0x50, 0x5b, 0x54, 0x03, 0x48, 0x00, 0x00,
		0x00, 0x00, 0x11, 0x57, 0x80, 0x1b, 0x00, 0x02, 0x03, 0x14, 0x00, 0x0c, 0x68, 0x1c,
		0x13, 0x11, 0x00, 0x20, 0x44, 0x4c, 0x03, 0x9d, 0x00, 0x00, 0x00, 0x00, 0x0b, 0x8f,
		0x13, 0x7a, 0x00, 0x03, 0x03, 0x14, 0x00, 0x0c };
	struct drive *drive = drive_new();

	(void)state;
	give_log(&drive->capture, 0x15, 0, page, sizeof(page));
	drive_decode(drive);
	expect_text(drive, "errors.background_scan", "waiting for the next interval");
	expect_uint(drive, "errors.background_scan_count", 605);
	expect_uint(drive, "errors.background_medium_scan_count", 604);
	expect_real(drive, "errors.background_scan_percent", 0);
	assert_int_equal(row_count(drive, "background_scan"), 2);
	const struct row *first = row_of(drive, "background_scan", 0);
	const struct row *second = row_of(drive, "background_scan", 1);

	assert_true(cell_is(first, "power_on_minutes", value_uint(229311)));
	assert_true(cell_is(first, "lba", value_uint(0x1157801b)));
	assert_true(cell_is(first, "reassign_status", value_text("rewritten in place")));
	assert_true(cell_is(first, "sense_key", value_uint(1)));
	assert_true(cell_is(first, "asc", value_uint(0x18)));
	assert_true(cell_is(first, "ascq", value_uint(0x01)));
	assert_true(cell_is(second, "reassign_status", value_text("pending")));
	assert_true(cell_is(second, "sense", value_text("Unrecovered read error")));
	assert_true(cell_is(second, "lba", value_uint(0x0b8f137a)));
	drive_free(drive);
}

static void findings_have_codes_up_to_0800h_and_may_be_of_a_reserved_kind(void **state)
{
	static const struct {
		uint16_t code;
		uint8_t status, len;
		const char *word; /* NULL: no finding */
	} cases[] = {
		{ 0x0000, 0x20, 20, NULL },
		{ 0x0001, 0x20, 20, "reassigned" },
		{ 0x0800, 0x40, 20, "reassignment failed" },
		{ 0x0801, 0x20, 20, NULL },
		{ 0x0002, 0x20, 19, NULL },
		{ 0x0003, 0x30, 20, "reserved (3h)" },
		{ 0x0004, 0xf0, 20, "reserved (Fh)" },
		{ 0x0005, 0x80, 20, "REASSIGN BLOCKS failed" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t value[20] = { [4] = cases[i].status };
		struct drive *drive = drive_new();
		struct log_page log;

		log_begin(&log, 0x15, 0);
		log_add(&log, cases[i].code, value, cases[i].len);
		log_give(drive, &log);
		drive_decode(drive);
		assert_int_equal(row_count(drive, "background_scan"), cases[i].word != NULL);
		if (cases[i].word)
			assert_true(cell_is(row_of(drive, "background_scan", 0), "reassign_status",
				value_text(cases[i].word)));
		drive_free(drive);
	}
}

static void a_reserved_state_of_a_scan_is_invalid(void **state)
{
	const uint8_t value[12] = { [5] = 0x33, [8] = 0x80 };
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x15, 0);
	log_add(&log, 0, value, sizeof(value));
	log_give(drive, &log);
	drive_decode(drive);
	expect_state(drive, "errors.background_scan", FACT_INVALID);
	expect_real(drive, "errors.background_scan_percent", 50);
	expect_state(drive, "errors.background_medium_scan_count", FACT_UNKNOWN);
	drive_free(drive);
}

static void pending_defects_of_scsi_are_parameters(void **state)
{
	static const uint8_t defect[12] = { 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 2 };
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x15, 1);
	log_add_uint(&log, 0, 2, 4);
	log_add(&log, 1, (const uint8_t[]) { 0, 0, 0x10, 0x00, 0, 0, 0, 0, 0, 0, 0x12, 0x34 }, 12);
	log_add(&log, 0xf000, defect, sizeof(defect));
	log_add(&log, 3, defect, 8); /* too short */
	log_add(&log, 0xf001, defect, sizeof(defect));
	log_give(drive, &log);
	drive_decode(drive);
	expect_uint(drive, "errors.pending_count", 2);
	assert_int_equal(row_count(drive, "pending_defects"), 2);
	assert_true(cell_is(row_of(drive, "pending_defects", 0), "lba", value_uint(0x1234)));
	assert_true(
		cell_is(row_of(drive, "pending_defects", 0), "power_on_hours", value_uint(4096)));
	assert_true(cell_is(row_of(drive, "pending_defects", 1), "lba", value_uint(0x100000002)));
	assert_true(cell_is(row_of(drive, "pending_defects", 1), "power_on_hours", value_null()));
	drive_free(drive);
}

/* 31 descriptors fit in page 0 behind the count, 32 in each of the next. */
static void pending_defects_of_ata_go_on_in_the_next_page(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[1024] = { 33, [4] = 0xaa };

	(void)state;
	for (size_t i = 1; i <= 33; i++) {
		le_set(log, 16 * i, i == 33 ? 0xffffffff : 100 + i, 4);
		le_set(log, 16 * i + 8, 5000 + i, 8);
	}
	give_ata_log(&drive->capture, 0x0c, 0, log, sizeof(log));
	drive_decode(drive);
	expect_uint(drive, "errors.pending_count", 33);
	assert_int_equal(row_count(drive, "pending_defects"), 33);
	for (size_t i = 1; i <= 33; i++)
		assert_true(cell_is(
			row_of(drive, "pending_defects", i - 1), "lba", value_uint(5000 + i)));
	assert_true(
		cell_is(row_of(drive, "pending_defects", 31), "power_on_hours", value_uint(132)));
	assert_true(cell_is(row_of(drive, "pending_defects", 32), "power_on_hours", value_null()));
	drive_free(drive);
}

static void a_count_of_pending_defects_that_lies_is_noted(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512];

	(void)state;
	memset(log, 0xff, sizeof(log));
	log[511] = 0x7f;
	give_ata_log(&drive->capture, 0x0c, 0, log, sizeof(log));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "pending_defects"), 31);
	assert_true(has_note(drive, "31 of 4294967295"));
	drive_free(drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_count_sectors_errors_and_crcs),
		cmocka_unit_test(a_statistic_of_all_ones_is_no_data),
		cmocka_unit_test(error_counters_are_a_row_an_operation),
		cmocka_unit_test(a_counter_that_is_not_there_is_null),
		cmocka_unit_test(other_log_pages_have_one_count_each),
		cmocka_unit_test(a_drive_that_was_never_formatted_knows_nothing_of_it),
		cmocka_unit_test(a_defect_list_is_counted_by_the_length_of_its_descriptors),
		cmocka_unit_test(the_long_form_of_a_defect_list_beats_the_short_one),
		cmocka_unit_test(a_short_defect_list_at_its_end_may_be_longer),
		cmocka_unit_test(a_background_scan_has_a_state_and_a_row_a_finding),
		cmocka_unit_test(findings_have_codes_up_to_0800h_and_may_be_of_a_reserved_kind),
		cmocka_unit_test(a_reserved_state_of_a_scan_is_invalid),
		cmocka_unit_test(pending_defects_of_scsi_are_parameters),
		cmocka_unit_test(pending_defects_of_ata_go_on_in_the_next_page),
		cmocka_unit_test(a_count_of_pending_defects_that_lies_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
