#include "pages.h"

/* SMART RETURN STATUS with the sense data that came. */
static void give_status(struct drive *drive, const uint8_t *sense, size_t len)
{
	struct record record = {
		.cdb = { 0x85, 0x06, 0x2c, [4] = 0xda, [10] = 0x4f, [12] = 0xc2, [14] = 0xb0 },
		.cdb_len = 16,
		.scsi_status = len ? 0x02 : 0x00,
		.duration_us = -1,
		.sense = { len ? sense : NULL, len },
	};

	capture_add(&drive->capture, &record);
}

/* ATA Status Return descriptor */
static void give_registers_back(
	struct drive *drive, uint8_t mid, uint8_t high, uint8_t error, uint8_t status)
{
	const uint8_t sense[22] = { 0x72, 0x01, 0x00, 0x1d, [7] = 14, [8] = 0x09, 0x0c, 0x00,
		error, [17] = mid, [19] = high, [20] = 0x40, status };

	give_status(drive, sense, sizeof(sense));
}

static void both_registers_decide_over_ata_health(void **state)
{
	static const struct {
		uint8_t mid, high, error, status;
		const char *want;
	} cases[] = {
		{ 0x4f, 0xc2, 0, 0x50, "passed" }, { 0xf4, 0x2c, 0, 0x50, "failed" },
		{ 0x4f, 0x2c, 0, 0x50, "unknown" }, { 0xf4, 0xc2, 0, 0x50, "unknown" },
		{ 0x00, 0x00, 0, 0x50, "unknown" },
		{ 0x4f, 0xc2, 0x04, 0x51, "unknown" }, /* the command was aborted */
		{ 0x4f, 0xc2, 0, 0x70, "unknown" },    /* device fault */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_registers_back(
			drive, cases[i].mid, cases[i].high, cases[i].error, cases[i].status);
		drive_decode(drive);
		expect_text(drive, "health.self_assessment", cases[i].want);
		drive_free(drive);
	}
}

static void the_fixed_format_serves_too(void **state)
{
	static const uint8_t sense[18] = { 0xf0, 0x00, 0x01, 0x00, 0x50, 0x00, 0x00, 0x0a, 0x00,
		0x00, 0xf4, 0x2c, 0x00, 0x1d };
	struct drive *drive = drive_new();

	(void)state;
	give_status(drive, sense, sizeof(sense));
	drive_decode(drive);
	expect_text(drive, "health.self_assessment", "failed");
	drive_free(drive);
}

static void without_registers_nothing_passes(void **state)
{
	static const uint8_t refused[18] = { 0x70, 0, 0x05, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x20 };
	struct drive *silent = drive_new(), *bridge = drive_new(), *nothing = drive_new();

	(void)state;
	give_status(silent, NULL, 0);
	give_status(bridge, refused, sizeof(refused));
	drive_decode(silent);
	drive_decode(bridge);
	drive_decode(nothing);
	expect_text(silent, "health.self_assessment", "unknown");
	expect_text(bridge, "health.self_assessment", "unknown");
	expect_absent(nothing, "health.self_assessment");
	drive_free(silent);
	drive_free(bridge);
	drive_free(nothing);
}

static void give_sct_status(struct drive *drive, uint16_t version, uint16_t smart)
{
	uint8_t data[512] = { 0 };

	le_set(data, 0, version, 2);
	le_set(data, 214, smart, 2);
	give_ata_log(&drive->capture, 0xe0, 0, data, sizeof(data));
}

static void sct_status_is_the_second_source(void **state)
{
	static const struct {
		uint16_t version, smart;
		const char *want; /* NULL: absent */
	} cases[] = {
		{ 3, 0xc24f, "passed" },
		{ 3, 0x2cf4, "failed" },
		{ 3, 0x0000, NULL },
		{ 2, 0x2cf4, NULL },
		{ 0xffff, 0x2cf4, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *alone = drive_new(), *beside = drive_new();

		give_sct_status(alone, cases[i].version, cases[i].smart);
		give_sct_status(beside, cases[i].version, cases[i].smart);
		give_status(beside, NULL, 0);
		drive_decode(alone);
		drive_decode(beside);
		if (cases[i].want)
			expect_text(alone, "health.self_assessment", cases[i].want);
		else
			expect_absent(alone, "health.self_assessment");
		expect_text(beside, "health.self_assessment",
			cases[i].want ? cases[i].want : "unknown");
		drive_free(alone);
		drive_free(beside);
	}
}

static void failed_is_not_hidden_by_a_better_source_that_passed(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_registers_back(drive, 0x4f, 0xc2, 0, 0x50);
	give_sct_status(drive, 3, 0x2cf4);
	drive_decode(drive);
	expect_text(drive, "health.self_assessment", "failed");
	assert_true(has_note(drive, "one source says failed, another passed"));
	drive_free(drive);
}

static void give_exception(struct drive *drive, uint8_t asc, uint8_t ascq)
{
	const uint8_t value[8] = { asc, ascq, 33, 0, 40 }, other[4] = { 0x5d, 0x53 };
	struct log_page log;

	log_begin(&log, 0x2f, 0);
	log_add(&log, 0, value, sizeof(value));
	log_add(&log, 1, other, sizeof(other)); /* a vendor's list of what it watches */
	log_give(drive, &log);
}

static void informational_exceptions_tell_warning_from_failing(void **state)
{
	static const struct {
		uint8_t asc, ascq;
		const char *assessment, *text;
		bool warning;
	} cases[] = {
		{ 0x00, 0x00, "passed", NULL, false },
		{ 0x5d, 0x10, "failed", "Hardware impending failure general hard drive failure",
			false },
		{ 0x5d, 0x73, "failed", "Media impending failure endurance limit met", false },
		{ 0x5d, 0xff, "passed", "Failure prediction threshold exceeded (false)", false },
		{ 0x0b, 0x01, "passed", "Warning - specified temperature exceeded", true },
		{ 0x0b, 0x07, "passed", "Warning - degraded power to non-volatile cache", true },
		{ 0x3f, 0x01, "unknown", NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_exception(drive, cases[i].asc, cases[i].ascq);
		drive_decode(drive);
		expect_text(drive, "health.self_assessment", cases[i].assessment);
		if (cases[i].text)
			expect_text(drive, "health.informational_exception", cases[i].text);
		else
			expect_absent(drive, "health.informational_exception");
		if (cases[i].warning)
			expect_text(drive, "health.warning", cases[i].text);
		else
			expect_absent(drive, "health.warning");
		assert_int_equal(
			has_note(drive, "a test of failure prediction"), cases[i].ascq == 0xff);
		drive_free(drive);
	}
}

/* MRIE 6 puts it to REQUEST SENSE, MRIE 4 to any command that went well. */
static void sense_data_of_any_command_tell_a_predicted_failure(void **state)
{
	static const uint8_t predicted[18] = { 0x70, 0, 0x01, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x5d,
		0x10 };
	static const uint8_t request_sense[6] = { 0x03, 0, 0, 0, 252 };
	struct record inquiry = { .cdb = { 0x12, 0, 0, 0, 96 },
		.cdb_len = 6,
		.scsi_status = 0x02,
		.duration_us = -1,
		.sense = { predicted, sizeof(predicted) } };
	struct drive *asked = drive_new(), *told = drive_new();
	size_t exceptions = 0;

	(void)state;
	give_exception(asked, 0, 0);
	give(&asked->capture, request_sense, 6, predicted, sizeof(predicted));
	give_exception(told, 0, 0);
	capture_add(&told->capture, &inquiry);
	capture_add(&told->capture, &inquiry);
	drive_decode(asked);
	drive_decode(told);
	expect_text(asked, "health.self_assessment", "failed");
	expect_text(told, "health.self_assessment", "failed");
	for (size_t i = 0; i < told->facts.fact_count; i++)
		exceptions += !strcmp(
			told->facts.facts[i].key->name, "health.informational_exception");
	assert_int_equal(exceptions, 1);
	drive_free(asked);
	drive_free(told);
}

static void give_exceptions_control(struct drive *drive, uint8_t flags, uint8_t mrie)
{
	const uint8_t data[] = { 0, 18, 0, 0, 0, 0, 0, 0, 0x1c, 0x0a, flags, mrie, 0, 0, 0x17, 0x70,
		0, 0, 0, 1 };

	give_mode(&drive->capture, 0, 0x1c, 0, data, sizeof(data));
}

static void the_control_page_says_how_exceptions_are_reported(void **state)
{
	struct drive *drive = drive_new(), *off = drive_new(), *test = drive_new();

	(void)state;
	give_exceptions_control(drive, 0x10, 6);
	give_exception(drive, 0, 0);
	give_exceptions_control(test, 0x04, 0x0c);
	give_exceptions_control(off, 0x08 | 0x01, 0x04);
	give_exception(off, 0, 0);
	drive_decode(drive);
	drive_decode(off);
	drive_decode(test);
	expect_flag(drive, "health.smart_supported", true);
	expect_flag(drive, "health.smart_enabled", true);
	expect_flag(drive, "health.warnings_enabled", true);
	expect_flag(drive, "health.exception_test", false);
	expect_flag(drive, "health.exception_logging", false);
	expect_text(drive, "health.exception_reporting", "request sense only");
	expect_real(drive, "health.exception_interval_seconds", 600);
	expect_uint(drive, "health.exception_report_count", 1);
	expect_flag(off, "health.smart_enabled", false);
	expect_flag(off, "health.warnings_enabled", false);
	expect_flag(off, "health.exception_test", false);
	expect_flag(off, "health.exception_logging", true);
	expect_text(off, "health.exception_reporting", "recovered error");
	assert_true(has_note(off, "SMART is switched off"));
	assert_int_equal(drive->facts.note_count, 0);
	expect_flag(test, "health.exception_test", true);
	expect_flag(test, "health.smart_enabled", true);
	expect_text(test, "health.exception_reporting", "vendor specific");
	drive_free(drive);
	drive_free(off);
	drive_free(test);
}

static void an_interval_of_zeros_or_ones_is_the_vendors_own(void **state)
{
	static const uint8_t bytes[] = { 0x00, 0xff };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
		uint8_t data[] = { 0, 18, 0, 0, 0, 0, 0, 0, 0x1c, 0x0a, 0, 2, [19] = 0 };
		struct drive *drive = drive_new();

		memset(&data[12], bytes[i], 4);
		give_mode(&drive->capture, 0, 0x1c, 0, data, sizeof(data));
		drive_decode(drive);
		expect_state(drive, "health.exception_interval_seconds", FACT_UNKNOWN);
		expect_state(drive, "health.exception_report_count", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void what_is_unknown_contradicts_nothing(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_status(drive, NULL, 0);
	give_sct_status(drive, 3, 0x2cf4);
	drive_decode(drive);
	expect_text(drive, "health.self_assessment", "failed");
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void a_reserved_reporting_method_is_invalid(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_exceptions_control(drive, 0, 7);
	drive_decode(drive);
	expect_state(drive, "health.exception_reporting", FACT_INVALID);
	drive_free(drive);
}

static void identify_words_count_where_their_mark_is_right(void **state)
{
	uint8_t identify[512] = { 0 };
	struct drive *marked = drive_new(), *unmarked = drive_new();

	(void)state;
	word_set(identify, 82, 0x0001);
	word_set(identify, 85, 0x0002);
	give_identify(&unmarked->capture, identify);
	word_set(identify, 83, 0x4000);
	word_set(identify, 87, 0x4000);
	give_identify(&marked->capture, identify);
	drive_decode(marked);
	drive_decode(unmarked);
	expect_flag(marked, "health.smart_supported", true);
	expect_flag(marked, "health.smart_enabled", false);
	expect_absent(unmarked, "health.smart_supported");
	expect_absent(unmarked, "health.smart_enabled");
	drive_free(marked);
	drive_free(unmarked);
}

static void a_log_page_that_is_cut_off_tells_nothing(void **state)
{
	static const uint8_t cut[] = { 0x2f, 0, 0, 12, 0, 0, 3, 8, 0x5d };
	struct drive *drive = drive_new();

	(void)state;
	give_log(&drive->capture, 0x2f, 0, cut, sizeof(cut));
	drive_decode(drive);
	expect_absent(drive, "health.self_assessment");
	assert_true(has_note(drive, "shorter than its length field says"));
	drive_free(drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_registers_decide_over_ata_health),
		cmocka_unit_test(the_fixed_format_serves_too),
		cmocka_unit_test(without_registers_nothing_passes),
		cmocka_unit_test(sct_status_is_the_second_source),
		cmocka_unit_test(failed_is_not_hidden_by_a_better_source_that_passed),
		cmocka_unit_test(informational_exceptions_tell_warning_from_failing),
		cmocka_unit_test(sense_data_of_any_command_tell_a_predicted_failure),
		cmocka_unit_test(the_control_page_says_how_exceptions_are_reported),
		cmocka_unit_test(an_interval_of_zeros_or_ones_is_the_vendors_own),
		cmocka_unit_test(what_is_unknown_contradicts_nothing),
		cmocka_unit_test(a_reserved_reporting_method_is_invalid),
		cmocka_unit_test(identify_words_count_where_their_mark_is_right),
		cmocka_unit_test(a_log_page_that_is_cut_off_tells_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
