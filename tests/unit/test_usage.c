#include "pages.h"

static const struct statistic_row statistics[] = {
	{ "usage.power_cycle_count", 1, 8, 22, 4 },
	{ "usage.power_on_hours", 1, 16, 30931, 4 },
	{ "usage.write_command_count", 1, 32, 47373607766, 6 },
	{ "usage.read_command_count", 1, 48, 94564948500, 6 },
	{ "usage.timestamp_ms", 1, 56, 3977417600, 6 },
	{ "usage.free_fall_count", 2, 8, 3, 4 },
	{ "usage.shock_count", 2, 16, 4, 4 },
	{ "usage.spindle_hours", 3, 8, 100, 4 },
	{ "usage.head_flying_hours", 3, 16, 90, 4 },
	{ "usage.load_cycle_count", 3, 24, 1037, 4 },
	{ "usage.high_priority_unload_count", 3, 64, 7, 4 },
};

static void statistics_tell_hours_cycles_and_commands(void **state)
{
	(void)state;
	expect_statistics(statistics, ARRAY_LEN(statistics));
}

static void a_statistic_of_all_ones_is_no_data(void **state)
{
	(void)state;
	expect_no_statistics(statistics, ARRAY_LEN(statistics));
}

static void a_statistic_counts_only_if_supported_valid_and_not_all_ones(void **state)
{
	static const struct {
		uint64_t value;
		uint8_t flags;
		int state; /* -1: absent */
	} cases[] = {
		{ 5, SUPPORTED_VALID, FACT_KNOWN },
		{ 5, SUPPORTED, FACT_UNKNOWN },
		{ 5, 0x40, -1 },
		{ 0xffffffff, SUPPORTED_VALID, FACT_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t page[512];

		statistics_begin(page, 1);
		statistic_set(page, 16, cases[i].value, cases[i].flags);
		statistics_give(drive, page);
		drive_decode(drive);
		if (cases[i].state < 0)
			expect_absent(drive, "usage.power_on_hours");
		else
			expect_state(drive, "usage.power_on_hours", cases[i].state);
		drive_free(drive);
	}
}

static void a_page_that_answers_for_another_tells_nothing(void **state)
{
	struct drive *drive = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 4);
	statistic_set(page, 16, 5, SUPPORTED_VALID);
	give_ata_log(&drive->capture, 0x04, 1, page, sizeof(page));
	drive_decode(drive);
	expect_absent(drive, "usage.power_on_hours");
	drive_free(drive);
}

static void workload_is_in_hundredths_of_a_percent(void **state)
{
	static const struct {
		uint16_t raw;
		double percent;
		const char *note;
	} cases[] = {
		{ 0x2710, 100.00, NULL },
		{ 1, 0.01, NULL },
		{ 0xffff, 655.35, "more than 655.34 %" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *ata = drive_new(), *scsi = drive_new();
		struct log_page log;
		uint8_t page[512];

		statistics_begin(page, 1);
		statistic_set_only(page, 72, cases[i].raw, 2);
		statistics_give(ata, page);
		log_begin(&log, 0x0e, 1);
		log_add_uint(&log, 0, cases[i].raw, 2);
		log_add_uint(&log, 1, 42, 1);
		log_give(scsi, &log);
		drive_decode(ata);
		drive_decode(scsi);
		expect_real(ata, "usage.workload_utilization_percent", cases[i].percent);
		expect_real(scsi, "usage.workload_utilization_percent", cases[i].percent);
		expect_uint(scsi, "usage.utilization_rate_percent", 42);
		const char *note = fact_of(scsi, "usage.workload_utilization_percent")->note;

		assert_true(cases[i].note ? note && !strcmp(note, cases[i].note) : !note);
		drive_free(ata);
		drive_free(scsi);
	}
}

static void a_utilization_rate_needs_its_validity_to_be_0(void **state)
{
	struct drive *good = drive_new(), *bad = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 1);
	statistic_set(page, 80, 0x00800000aa19, SUPPORTED_VALID); /* basis 8 */
	statistics_give(good, page);
	statistic_set(page, 80, 0x10800000aa19, SUPPORTED_VALID); /* validity 10h */
	statistics_give(bad, page);
	drive_decode(good);
	drive_decode(bad);
	expect_uint(good, "usage.utilization_rate_percent", 25);
	expect_text(good, "usage.utilization_rate_basis", "manufacture, power-on time only");
	expect_absent(bad, "usage.utilization_rate_percent");
	drive_free(good);
	drive_free(bad);
}

static void start_stop_counts_come_with_what_was_specified(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x0e, 0);
	log_add(&log, 1, "201347", 6);
	log_add(&log, 2, "201402", 6);
	log_add_uint(&log, 3, 10000, 4);
	log_add_uint(&log, 4, 1363, 4);
	log_add_uint(&log, 5, 300000, 4);
	log_add_uint(&log, 6, 1364, 4);
	log_give(drive, &log);
	drive_decode(drive);
	expect_text(drive, "usage.accounting_date", "2014-W02");
	expect_uint(drive, "usage.specified_start_stop_count", 10000);
	expect_uint(drive, "usage.start_stop_count", 1363);
	expect_uint(drive, "usage.specified_load_cycle_count", 300000);
	expect_uint(drive, "usage.load_cycle_count", 1364);
	drive_free(drive);
}

static void counts_that_were_never_set_are_unknown(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x0e, 0);
	log_add(&log, 2, "      ", 6);
	log_add_uint(&log, 3, 0, 4);
	log_add_uint(&log, 4, 0xffffffff, 4);
	log_add_uint(&log, 5, 0xffffffff, 4);
	log_add_uint(&log, 6, 0xffffffff, 4);
	log_give(drive, &log);
	drive_decode(drive);
	expect_state(drive, "usage.accounting_date", FACT_UNKNOWN);
	expect_state(drive, "usage.specified_start_stop_count", FACT_UNKNOWN);
	expect_state(drive, "usage.start_stop_count", FACT_UNKNOWN);
	expect_state(drive, "usage.specified_load_cycle_count", FACT_UNKNOWN);
	expect_state(drive, "usage.load_cycle_count", FACT_UNKNOWN);
	drive_free(drive);
}

/* The page of a real drive: F172Bh minutes. */
static void background_scan_counts_minutes_and_hours_are_whole(void **state)
{
	static const uint8_t page[] = { 0x95, 0x00, 0x00, 0x10, 0x00, 0x00, 0x03, 0x0c, 0x00, 0x0f,
		0x17, 0x2b, 0x00, 0x08, 0x02, 0x5d, 0x00, 0x00, 0x02, 0x5d };
	struct drive *drive = drive_new();

	(void)state;
	give_log(&drive->capture, 0x15, 0, page, sizeof(page));
	drive_decode(drive);
	expect_uint(drive, "usage.power_on_minutes", 988971);
	expect_uint(drive, "usage.power_on_hours", 16482);
	assert_int_equal(fact_of(drive, "usage.power_on_hours")->source.offset, 8);
	drive_free(drive);
}

static void format_age_is_unknown_where_no_format_is_known(void **state)
{
	struct drive *drive = drive_new(), *never = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x08, 0);
	log_add_uint(&log, 4, 0x0100000000001234, 8);
	log_give(drive, &log);
	log_begin(&log, 0x08, 0);
	log_add_uint(&log, 4, UINT64_MAX, 8);
	log_give(never, &log);
	drive_decode(drive);
	drive_decode(never);
	expect_uint(drive, "usage.since_format_minutes", 0x0100000000001234);
	expect_state(never, "usage.since_format_minutes", FACT_UNKNOWN);
	drive_free(drive);
	drive_free(never);
}

static void intervals_are_times_a_negative_power_of_ten(void **state)
{
	uint8_t commands[64] = { [7] = 9, [15] = 8 }, interval[8] = { 0, 0, 0, 3, 0, 0, 0, 50 };
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	commands[39] = 100; /* read command processing intervals */
	commands[47] = 60;  /* write command processing intervals */
	log_begin(&log, 0x19, 0);
	log_add(&log, 1, commands, sizeof(commands));
	log_add_uint(&log, 2, 40, 8);
	log_add(&log, 3, interval, sizeof(interval));
	log_give(drive, &log);
	drive_decode(drive);
	expect_uint(drive, "usage.read_command_count", 9);
	expect_uint(drive, "usage.write_command_count", 8);
	expect_real(drive, "usage.read_seconds", 5.0);
	expect_real(drive, "usage.write_seconds", 3.0);
	expect_real(drive, "usage.idle_seconds", 2.0);
	drive_free(drive);
}

static void a_vendor_page_counts_only_on_that_vendors_drives(void **state)
{
	static const char *const vendors[] = { "HGST", "WDC", "SEAGATE", "TOSHIBA" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(vendors); i++) {
		struct drive *drive = drive_new();
		uint8_t value[44] = { 0, 0, 0x30, 0x39, [20] = 0xf9, [32] = 17, [40] = 18 };
		struct log_page log;

		give_standard_inquiry(drive, vendors[i]);
		log_begin(&log, 0x37, 0);
		log_add(&log, 0, value, sizeof(value));
		log_give(drive, &log);
		log_begin(&log, 0x3e, 0);
		log_add_uint(&log, 0, 0x0110c820, 4);
		log_give(drive, &log);
		drive_decode(drive);
		if (i < 2) {
			expect_uint(drive, "usage.read_command_count", 17);
			expect_uint(drive, "usage.write_command_count", 18);
			assert_true(value_same(fact_of(drive, "temperature.highest_celsius")->value,
				value_int(-7)));
		} else {
			expect_absent(drive, "usage.read_command_count");
		}
		if (i == 3)
			expect_absent(drive, "usage.power_on_hours");
		else if (i == 2)
			expect_uint(drive, "usage.power_on_minutes", 0x0110c820);
		if (i != 3)
			expect_uint(drive, "usage.power_on_hours", i < 2 ? 12345 : 297950);
		drive_free(drive);
	}
}

static void a_clock_of_zeros_or_ones_is_unknown(void **state)
{
	static const struct {
		const char *vendor;
		uint8_t page;
		size_t len;
		bool minutes;
	} cases[] = {
		{ "TOSHIBA", 0x15, 12, true },
		{ "HGST", 0x37, 44, false },
		{ "SEAGATE", 0x3e, 4, true },
	};

	(void)state;
	for (size_t i = 0; i < 2 * ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		struct log_page log;
		uint8_t value[44];

		memset(value, i % 2 ? 0xff : 0x00, sizeof(value));
		give_standard_inquiry(drive, cases[i / 2].vendor);
		log_begin(&log, cases[i / 2].page, 0);
		log_add(&log, 0, value, cases[i / 2].len);
		log_give(drive, &log);
		drive_decode(drive);
		expect_state(drive, "usage.power_on_hours", FACT_UNKNOWN);
		if (cases[i / 2].minutes)
			expect_state(drive, "usage.power_on_minutes", FACT_UNKNOWN);
		else
			expect_state(drive, "temperature.highest_celsius", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void a_vendor_page_that_is_too_short_is_not_that_vendors(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	give_standard_inquiry(drive, "HGST");
	log_begin(&log, 0x37, 0);
	log_add_uint(&log, 0, 12345, 8);
	log_give(drive, &log);
	drive_decode(drive);
	expect_absent(drive, "usage.power_on_hours");
	drive_free(drive);
}

static void two_clocks_that_differ_are_noted(void **state)
{
	struct drive *drive = drive_new();
	uint8_t scan[12] = { 0, 0x0f, 0x17, 0x2b };
	struct log_page log;

	(void)state;
	give_standard_inquiry(drive, "SEAGATE");
	log_begin(&log, 0x15, 0);
	log_add(&log, 0, scan, sizeof(scan));
	log_give(drive, &log);
	log_begin(&log, 0x3e, 0);
	log_add_uint(&log, 0, 60 * 7000, 4);
	log_give(drive, &log);
	drive_decode(drive);
	expect_uint(drive, "usage.power_on_hours", 16482);
	assert_true(has_note(drive, "usage.power_on_hours: sources contradict each other"));
	drive_free(drive);
}

static void hours_of_0_give_way_to_an_attribute_that_counts(void **state)
{
	static const uint8_t attribute[12] = { 9, 0x32, 0, 100, 100, 0x21, 0x01 };
	struct drive *drive = drive_new();
	uint8_t page[512], data[512] = { 16 };

	(void)state;
	statistics_begin(page, 1);
	statistic_set(page, 16, 0, SUPPORTED_VALID);
	statistics_give(drive, page);
	memcpy(&data[2], attribute, sizeof(attribute));
	checksum_set(data);
	give_smart_data(&drive->capture, data);
	drive_decode(drive);
	expect_uint(drive, "usage.power_on_hours", 289);
	drive_free(drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics_tell_hours_cycles_and_commands),
		cmocka_unit_test(a_statistic_of_all_ones_is_no_data),
		cmocka_unit_test(a_statistic_counts_only_if_supported_valid_and_not_all_ones),
		cmocka_unit_test(a_page_that_answers_for_another_tells_nothing),
		cmocka_unit_test(workload_is_in_hundredths_of_a_percent),
		cmocka_unit_test(a_utilization_rate_needs_its_validity_to_be_0),
		cmocka_unit_test(start_stop_counts_come_with_what_was_specified),
		cmocka_unit_test(counts_that_were_never_set_are_unknown),
		cmocka_unit_test(background_scan_counts_minutes_and_hours_are_whole),
		cmocka_unit_test(format_age_is_unknown_where_no_format_is_known),
		cmocka_unit_test(intervals_are_times_a_negative_power_of_ten),
		cmocka_unit_test(a_vendor_page_counts_only_on_that_vendors_drives),
		cmocka_unit_test(a_clock_of_zeros_or_ones_is_unknown),
		cmocka_unit_test(a_vendor_page_that_is_too_short_is_not_that_vendors),
		cmocka_unit_test(two_clocks_that_differ_are_noted),
		cmocka_unit_test(hours_of_0_give_way_to_an_attribute_that_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
