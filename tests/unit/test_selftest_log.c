#include "pages.h"

static void give_hours(struct drive *drive, uint64_t hours)
{
	uint8_t page[512];

	statistics_begin(page, 1);
	statistic_set(page, 16, hours, SUPPORTED_VALID);
	statistics_give(drive, page);
}

/* One test of the log 06h: at byte 2 + 24 x slot. */
static void short_entry_set(
	uint8_t log[512], size_t slot, uint8_t type, uint8_t status, uint16_t hours, uint32_t lba)
{
	uint8_t *entry = &log[2 + 24 * slot];

	entry[0] = type;
	entry[1] = status;
	le_set(entry, 2, hours, 2);
	entry[4] = 0x55;
	le_set(entry, 5, lba, 4);
}

/* One test of the log 07h: at byte 4 + 26 x slot of its page. */
static void long_entry_set(
	uint8_t *log, size_t slot, uint8_t type, uint8_t status, uint16_t hours, uint64_t lba)
{
	uint8_t *entry = &log[slot / 19 * 512 + 4 + 26 * (slot % 19)];

	entry[0] = type;
	entry[1] = status;
	le_set(entry, 2, hours, 2);
	le_set(entry, 5, lba, 6);
}

static void hours_that_wrapped_are_unwrapped(void **state)
{
	static const struct {
		uint64_t now;
		uint16_t logged;
		int64_t want; /* -1: null */
	} cases[] = {
		{ 67346, 1770, 67306 },
		{ 67346, 65000, 65000 },
		{ 1800, 1770, 1770 },
		{ 1770, 1772, 1772 }, /* rounding */
		{ 1770, 1773, -1 },
		{ 1000, 1770, -1 }, /* a clock that was set back */
		{ 65540, 65530, 65530 },
		{ 131072, 65535, 131071 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 1, [508] = 1 };

		short_entry_set(log, 0, 1, 0x00, cases[i].logged, 0xffffffff);
		checksum_set(log);
		give_hours(drive, cases[i].now);
		give_smart_log(&drive->capture, 0x06, log, sizeof(log));
		drive_decode(drive);
		const struct row *row = row_of(drive, "self_tests", 0);

		assert_true(cell_is(row, "power_on_hours", value_uint(cases[i].logged)));
		assert_true(cell_is(row, "estimated_power_on_hours",
			cases[i].want < 0 ? value_null() : value_uint((uint64_t)cases[i].want)));
		expect_uint(drive, "selftest.last_power_on_hours",
			cases[i].want < 0 ? cases[i].logged : (uint64_t)cases[i].want);
		drive_free(drive);
	}
}

static void the_log_is_a_ring_with_the_newest_at_its_index(void **state)
{
	static const struct {
		uint8_t index, used;
		size_t rows;
		uint16_t first, last; /* hours */
	} cases[] = {
		{ 0, 0, 0, 0, 0 },
		{ 1, 1, 1, 101, 101 },
		{ 3, 3, 3, 103, 101 },
		{ 21, 21, 21, 121, 101 },
		{ 2, 21, 21, 102, 103 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 1, [508] = cases[i].index };

		for (size_t slot = 0; slot < cases[i].used; slot++)
			short_entry_set(log, slot, 1, 0, (uint16_t)(101 + slot), 0);
		checksum_set(log);
		give_smart_log(&drive->capture, 0x06, log, sizeof(log));
		drive_decode(drive);
		assert_int_equal(row_count(drive, "self_tests"), cases[i].rows);
		expect_uint(drive, "selftest.logged_count", cases[i].rows);
		if (cases[i].rows) {
			assert_true(cell_is(row_of(drive, "self_tests", 0), "power_on_hours",
				value_uint(cases[i].first)));
			for (size_t row = 0; row < cases[i].rows; row++)
				assert_true(cell_is(row_of(drive, "self_tests", row), "index",
					value_uint(row + 1)));
			assert_true(cell_is(row_of(drive, "self_tests", cases[i].rows - 1),
				"power_on_hours", value_uint(cases[i].last)));
		} else {
			expect_absent(drive, "selftest.last_result");
		}
		drive_free(drive);
	}
}

static void types_and_results_have_words(void **state)
{
	static const struct {
		uint8_t type, status;
		const char *type_text, *result;
		bool failed;
		uint64_t remaining;
	} cases[] = {
		{ 0x00, 0x00, "off-line collection", "completed without error", false, 0 },
		{ 0x01, 0x17, "short", "aborted by host", false, 70 },
		{ 0x02, 0x25, "extended", "interrupted by reset", false, 50 },
		{ 0x03, 0x30, "conveyance", "fatal or unknown error, not completed", true, 0 },
		{ 0x04, 0x40, "selective", "failed: unknown element", true, 0 },
		{ 0x7f, 0x50, "abort", "failed: electrical element", true, 0 },
		{ 0x81, 0x60, "short, captive", "failed: servo or seek element", true, 0 },
		{ 0x82, 0x79, "extended, captive", "failed: read element", true, 90 },
		{ 0x84, 0x80, "selective, captive", "failed: handling damage suspected", true, 0 },
		{ 0x40, 0x90, "vendor specific (40h)", "reserved (9)", false, 0 },
		{ 0x90, 0xf3, "vendor specific (90h)", "in progress", false, 30 },
		{ 0x80, 0x00, "reserved (80h)", "completed without error", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 1, [508] = 1 };

		short_entry_set(log, 0, cases[i].type, cases[i].status, 7, 0x1234);
		checksum_set(log);
		give_smart_log(&drive->capture, 0x06, log, sizeof(log));
		drive_decode(drive);
		const struct row *row = row_of(drive, "self_tests", 0);

		assert_true(cell_is(row, "type", value_text(cases[i].type_text)));
		assert_true(cell_is(row, "result", value_text(cases[i].result)));
		assert_true(cell_is(row, "failed", value_flag(cases[i].failed)));
		assert_true(cell_is(row, "remaining_percent", value_uint(cases[i].remaining)));
		assert_true(cell_is(row, "checkpoint", value_uint(0x55)));
		assert_true(cell_is(row, "first_failure_lba",
			cases[i].failed ? value_uint(0x1234) : value_null()));
		expect_uint(drive, "selftest.failed_count", cases[i].failed);
		drive_free(drive);
	}
}

static void an_aborted_test_does_not_hide_what_the_last_complete_one_found(void **state)
{
	static const struct {
		uint8_t newest, older;
		int failed; /* -1: absent */
	} cases[] = {
		{ 0x17, 0x70, true },
		{ 0x25, 0x00, false },
		{ 0xf5, 0x70, true },
		{ 0x00, 0x70, false },
		{ 0x10, 0x20, -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t log[512] = { 1, [508] = 2 };

		short_entry_set(log, 1, 1, cases[i].newest, 8, 0);
		short_entry_set(log, 0, 1, cases[i].older, 7, 0);
		checksum_set(log);
		give_smart_log(&drive->capture, 0x06, log, sizeof(log));
		drive_decode(drive);
		if (cases[i].failed < 0)
			expect_absent(drive, "selftest.last_failed");
		else
			expect_flag(drive, "selftest.last_failed", cases[i].failed);
		drive_free(drive);
	}
}

static void the_extended_log_goes_over_pages_and_has_wide_lbas(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[1024] = { 1, [2] = 20 }, other[512] = { 1, [508] = 1 };

	(void)state;
	for (size_t slot = 0; slot < 20; slot++)
		long_entry_set(log, slot, 2, 0x70, (uint16_t)(200 + slot),
			slot == 18 ? 0xffffffffffff : 0x123456789abc);
	checksum_set(log);
	short_entry_set(other, 0, 1, 0, 9, 0);
	checksum_set(other);
	give_ata_log(&drive->capture, 0x07, 0, log, sizeof(log));
	give_smart_log(&drive->capture, 0x06, other, sizeof(other));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "self_tests"), 20);
	const struct row *row = row_of(drive, "self_tests", 0);

	assert_true(cell_is(row, "power_on_hours", value_uint(219)));
	assert_true(cell_is(row, "first_failure_lba", value_uint(0x123456789abc)));
	assert_true(cell_is(row_of(drive, "self_tests", 1), "first_failure_lba", value_null()));
	assert_true(cell_is(row_of(drive, "self_tests", 19), "power_on_hours", value_uint(200)));
	drive_free(drive);
}

static void a_damaged_extended_log_leaves_it_to_the_other(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1, [2] = 21 }, other[512] = { 1, [508] = 1 };

	(void)state;
	long_entry_set(log, 0, 2, 0, 5, 0);
	checksum_set(log);
	short_entry_set(other, 0, 1, 0, 9, 0);
	checksum_set(other);
	give_ata_log(&drive->capture, 0x07, 0, log, sizeof(log));
	give_smart_log(&drive->capture, 0x06, other, sizeof(other));
	drive_decode(drive);
	assert_true(has_note(drive, "self-test log 07h: an index of 21 of 19"));
	assert_int_equal(row_count(drive, "self_tests"), 1);
	assert_true(cell_is(row_of(drive, "self_tests", 0), "power_on_hours", value_uint(9)));
	drive_free(drive);
}

static void test_add(struct log_page *log, uint16_t code, uint8_t test, uint16_t hours,
	uint64_t lba, const uint8_t sense[3])
{
	uint8_t value[16] = { test, test & 15 ? 3 : 0, (uint8_t)(hours >> 8), (uint8_t)hours };

	for (size_t i = 0; i < 8; i++)
		value[4 + i] = (uint8_t)(lba >> 8 * (7 - i));
	memcpy(&value[12], sense, 3);
	log_add(log, code, value, sizeof(value));
}

static void scsi_tests_stand_newest_first(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x10, 0);
	test_add(&log, 1, 0x2f, 91, UINT64_MAX, (const uint8_t[]) { 0, 0, 0 });
	test_add(&log, 2, 0x47, 90, 0x1157801b, (const uint8_t[]) { 0x03, 0x11, 0x01 });
	test_add(&log, 3, 0x20, 1, UINT64_MAX, (const uint8_t[]) { 0, 0, 0 });
	for (uint16_t code = 4; code <= 20; code++)
		test_add(&log, code, 0, 0, UINT64_MAX, (const uint8_t[]) { 0, 0, 0 });
	log_give(drive, &log);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "self_tests"), 3);
	const struct row *running = row_of(drive, "self_tests", 0);
	const struct row *failed = row_of(drive, "self_tests", 1);

	assert_true(cell_is(running, "type", value_text("background short")));
	assert_true(cell_is(running, "result", value_text("in progress")));
	assert_true(cell_is(running, "first_failure_lba", value_null()));
	assert_true(cell_is(running, "sense", value_null()));
	assert_true(cell_is(failed, "type", value_text("background extended")));
	assert_true(cell_is(failed, "result", value_text("failed in another segment")));
	assert_true(cell_is(failed, "failed", value_flag(true)));
	assert_true(cell_is(failed, "segment", value_uint(3)));
	assert_true(cell_is(failed, "first_failure_lba", value_uint(0x1157801b)));
	assert_true(cell_is(failed, "sense", value_text("Read retries exhausted")));
	assert_true(cell_is(failed, "sense_key", value_uint(3)));
	expect_flag(drive, "selftest.in_progress", true);
	expect_flag(drive, "selftest.last_failed", true);
	expect_text(drive, "selftest.last_result", "failed in another segment");
	expect_text(drive, "selftest.last_type", "background extended");
	expect_uint(drive, "selftest.last_power_on_hours", 90);
	expect_uint(drive, "selftest.failed_count", 1);
	expect_uint(drive, "selftest.logged_count", 3);
	drive_free(drive);
}

static void scsi_results_have_words_and_some_are_failures(void **state)
{
	static const struct {
		const char *word;
		bool failed;
	} want[16] = {
		{ "completed without error", false },
		{ "aborted by SEND DIAGNOSTIC", false },
		{ "aborted by other means", false },
		{ "unknown error, not completed", true },
		{ "failed in an unknown segment", true },
		{ "failed in the first segment", true },
		{ "failed in the second segment", true },
		{ "failed in another segment", true },
		{ "reserved (8)", false },
		[14] = { "reserved (14)", false },
		[15] = { "in progress", false },
	};
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x10, 0);
	for (uint16_t result = 0; result < 16; result++)
		test_add(&log, result + 1, (uint8_t)(0x20 | result), 0, UINT64_MAX,
			(const uint8_t[3]) { 0 });
	log_give(drive, &log);
	drive_decode(drive);
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		if (!want[i].word)
			continue;
		const struct row *row = row_of(drive, "self_tests", i);

		assert_true(cell_is(row, "result", value_text(want[i].word)));
		assert_true(cell_is(row, "failed", value_flag(want[i].failed)));
		assert_true(cell_is(row, "sense_key", value_null()));
	}
	drive_free(drive);
}

static void parameters_of_another_form_are_no_tests(void **state)
{
	const uint8_t value[16] = { 0x20, 0, 0, 9 };
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x10, 0);
	log_add(&log, 0x0000, value, 16);
	log_add(&log, 0x0001, value, 15);
	log_add(&log, 0x0014, value, 16);
	log_add(&log, 0x0015, value, 16);
	log_give(drive, &log);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "self_tests"), 1);
	assert_int_equal(row_of(drive, "self_tests", 0)->source.parameter, 0x14);
	drive_free(drive);
}

static void give_minutes(struct drive *drive, uint32_t minutes)
{
	uint8_t value[12] = { (uint8_t)(minutes >> 24), (uint8_t)(minutes >> 16),
		(uint8_t)(minutes >> 8), (uint8_t)minutes };
	struct log_page log;

	log_begin(&log, 0x15, 0);
	log_add(&log, 0, value, sizeof(value));
	log_give(drive, &log);
}

/* SPC-5 has hours stop at FFFFh; that a drive's go on from 0 shows in their order. */
static void hours_of_scsi_stop_or_wrap(void **state)
{
	static const struct {
		uint16_t newer, older;
		int64_t newer_want, older_want; /* -1: null */
	} cases[] = {
		{ 1770, 900, 1770, 900 },
		{ 1770, 60000, 67306, 60000 },
		{ 65535, 60000, -1, 60000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		struct log_page log;
		const int64_t want[] = { cases[i].newer_want, cases[i].older_want };

		log_begin(&log, 0x10, 0);
		test_add(&log, 1, 0x20, cases[i].newer, UINT64_MAX, (const uint8_t[3]) { 0 });
		test_add(&log, 2, 0x20, cases[i].older, UINT64_MAX, (const uint8_t[3]) { 0 });
		log_give(drive, &log);
		give_minutes(drive, 67346 * 60);
		drive_decode(drive);
		for (size_t row = 0; row < 2; row++)
			assert_true(cell_is(row_of(drive, "self_tests", row),
				"estimated_power_on_hours",
				want[row] < 0 ? value_null() : value_uint((uint64_t)want[row])));
		drive_free(drive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hours_that_wrapped_are_unwrapped),
		cmocka_unit_test(the_log_is_a_ring_with_the_newest_at_its_index),
		cmocka_unit_test(types_and_results_have_words),
		cmocka_unit_test(an_aborted_test_does_not_hide_what_the_last_complete_one_found),
		cmocka_unit_test(the_extended_log_goes_over_pages_and_has_wide_lbas),
		cmocka_unit_test(a_damaged_extended_log_leaves_it_to_the_other),
		cmocka_unit_test(scsi_tests_stand_newest_first),
		cmocka_unit_test(scsi_results_have_words_and_some_are_failures),
		cmocka_unit_test(parameters_of_another_form_are_no_tests),
		cmocka_unit_test(hours_of_scsi_stop_or_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
