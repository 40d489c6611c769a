#include "smart.h"

static void a_disks_attributes_tell_usage_temperature_and_errors(void **state)
{
	static const struct smart_slot slots[] = {
		{ 3, 100, 0, 0, 0, 0 },
		{ 4, 100, 0, 1234, 0, 0 },
		{ 5, 100, 0, 7, 10, 0 },
		{ 7, 100, 0, 0, 0, 0 },
		{ 9, 99, 0, 57951993765239, 0, 0 },
		{ 12, 100, 0, 56, 0, 0 },
		{ 187, 100, 0, 3, 0, 0 },
		{ 190, 64, 0, 0x00220013001b, 0, 0 },
		{ 193, 100, 0, 28492, 0, 0 },
		{ 194, 36, 0, 240518299684, 0, 0 },
		{ 197, 100, 0, 2, 0, 0 },
		{ 198, 100, 0, 1, 0, 0 },
		{ 199, 200, 0, 9, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "SOME DISK", "1", SMART_ROTATING);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_fact(&drive, "usage.start_stop_count", 1234);
	smart_assert_fact(&drive, "errors.reallocated_count", 7);
	smart_assert_fact(&drive, "usage.power_on_hours", 40311);
	smart_assert_fact(&drive, "usage.power_cycle_count", 56);
	smart_assert_fact(&drive, "errors.uncorrected_count", 3);
	smart_assert_fact(&drive, "usage.load_cycle_count", 28492);
	smart_assert_fact(&drive, "temperature.current_celsius", 36);
	smart_assert_fact(&drive, "temperature.lowest_celsius", 2);
	smart_assert_fact(&drive, "temperature.highest_celsius", 56);
	smart_assert_fact(&drive, "errors.pending_count", 2);
	smart_assert_fact(&drive, "errors.crc_count", 9);
	const struct fact *fact = facts_find(&drive.facts, "usage.power_on_hours");
	assert_int_equal(fact->source.parameter, 9);
	assert_int_equal(fact->rank, 2);
	smart_end(&drive);
}

static void an_unknown_solid_state_drive_tells_little(void **state)
{
	static const struct smart_slot slots[] = {
		{ 5, 100, 0, 7, 10, 0 },
		{ 9, 100, 0, 100, 0, 0 },
		{ 12, 100, 0, 5, 0, 0 },
		{ 194, 100, 0, 30, 0, 0 },
		{ 197, 100, 0, 2, 0, 0 },
		{ 199, 100, 0, 9, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "UNKNOWN SSD", "1", SMART_SOLID);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_fact(&drive, "usage.power_on_hours", 100);
	smart_assert_fact(&drive, "usage.power_cycle_count", 5);
	smart_assert_fact(&drive, "temperature.current_celsius", 30);
	assert_null(facts_find(&drive.facts, "errors.reallocated_count"));
	assert_null(facts_find(&drive.facts, "errors.pending_count"));
	assert_null(facts_find(&drive.facts, "errors.crc_count"));
	smart_end(&drive);
}

static void hours_that_no_drive_has_are_not_known(void **state)
{
	static const struct {
		const char *database;
		uint64_t raw;
		double want; /* 0: unknown */
	} cases[] = {
		{ "", 351261, 0 },
		{ "-v 9,halfminutes", 351261, 2927 },
		{ "-v 9,minutes", 378645, 6310 },
		{ "-v 9,seconds", 36000, 10 },
		{ "-v 9,msec24hour32", 0xe2de00001790, 6032 },
		{ "", 250001, 0 },
		{ "", 0, 0.0001 },
	};
	char database[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 9, 100, 0, cases[i].raw, 0, 0 } };
		struct smart_drive drive;

		snprintf(database, sizeof(database), "{ \"Test\", \"DISK\", \"\", \"\", \"%s\" },",
			cases[i].database);
		smart_database(database);
		smart_begin(&drive, "DISK", "1", SMART_ROTATING);
		smart_decode(&drive, slots, 1);
		if (cases[i].want >= 1)
			smart_assert_fact(&drive, "usage.power_on_hours", cases[i].want);
		else
			smart_assert_state(&drive, "usage.power_on_hours",
				cases[i].want > 0 ? FACT_KNOWN : FACT_UNKNOWN);
		smart_end(&drive);
	}
}

static void toshibas_value_tells_hours_from_minutes(void **state)
{
	static const struct {
		uint8_t value;
		uint64_t raw;
		double want; /* 0: unknown */
	} cases[] = {
		{ 72, 11295, 11295 }, /* MK2576GSX GS001A, which a database has in minutes */
		{ 85, 378645, 6310 }, /* MK1651GSY */
		{ 65, 14297, 14297 }, /* MK1032GSX */
		{ 1, 73882, 0 },      /* below its end VALUE tells nothing */
		{ 50, 11295, 0 },
	};

	(void)state;
	smart_database("{ \"Toshiba\", \"TOSHIBA MK.*\", \"\", \"\", \"-v 9,minutes\" },");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 9, cases[i].value, 0, cases[i].raw, 0, 0 } };
		struct smart_drive drive;

		smart_begin(&drive, "TOSHIBA MK2576GSX", "GS001A", SMART_ROTATING);
		smart_decode(&drive, slots, 1);
		if (cases[i].want > 0)
			smart_assert_fact(&drive, "usage.power_on_hours", cases[i].want);
		else
			smart_assert_state(&drive, "usage.power_on_hours", FACT_UNKNOWN);
		smart_end(&drive);
	}
}

static void libatasmart_knows_old_disks_that_count_minutes(void **state)
{
	static const struct smart_slot slots[] = {
		{ 3, 205, 0, 0, 0, 0 },
		{ 7, 253, 0, 0, 0, 0 },
		{ 9, 214, 0, 28870, 0, 0 },
		{ 197, 100, 0, 0x6d4bfd220002, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "Maxtor 6Y120P0", "YAR41BW0", SMART_SILENT);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_fact(&drive, "usage.power_on_hours", 481);
	smart_assert_state(&drive, "errors.pending_count", FACT_UNKNOWN);
	smart_end(&drive);
	smart_begin(&drive, "FUJITSU MHY2120BH", "0085000B", SMART_SILENT);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	assert_null(facts_find(&drive.facts, "errors.pending_count"));
	smart_end(&drive);
}

static void temperatures_in_tenths_are_of_some_old_disks(void **state)
{
	static const struct smart_slot slots[] = { { 3, 100, 0, 0, 0, 0 }, { 7, 100, 0, 0, 0, 0 },
		{ 194, 100, 0, 365, 0, 0 } };
	struct smart_drive drive;

	(void)state;
	smart_database("{ \"Test\", \"DISK\", \"\", \"\", \"-v 194,temp10x\" },");
	smart_begin(&drive, "DISK", "1", SMART_ROTATING);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_fact(&drive, "temperature.current_celsius", 36);
	smart_end(&drive);
	smart_no_database();
	smart_begin(&drive, "SAMSUNG SV0412H", "1", SMART_SILENT);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_fact(&drive, "temperature.current_celsius", 36);
	smart_end(&drive);
}

static void a_statistic_that_stays_at_zero_gives_way_to_the_attribute(void **state)
{
	static const struct smart_slot slots[] = { { 9, 100, 0, 5821, 0, 0 } };
	static const struct smart_statistic general[] = { { 16, 0 }, { 0 } };
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "UNKNOWN SSD", "1", SMART_SOLID);
	smart_statistics(&drive.capture, 1, general);
	smart_decode(&drive, slots, 1);
	smart_assert_fact(&drive, "usage.power_on_hours", 5821);
	smart_end(&drive);
}

static void a_statistic_of_errors_that_the_attribute_does_not_count_is_doubted(void **state)
{
	static const struct {
		const char *model;
		uint8_t id;
		uint64_t attribute, statistic, counted;
		bool is_doubted;
	} drives[] = {
		/* seen on drives of these families */
		{ "SDLF1DAR-960G-1HA2", 13, 0, 652, 0, true },
		{ "SDLF1CRR-019T-1HA1", 13, 8, 3086, 8, true },
		{ "SAMSUNG MZ7LM1T9HMJP-00005", 187, 44, 44, 44, false },
		{ "SOME DISK", 187, 0, 0, 0, false },
		{ "SOME DISK", 187, 0, 200, 0, true },
		{ "SOME DISK", 187, 5, 0, 5, true },
		{ "SOME DISK", 187, 5, 7, 7, false },
		{ "SOME DISK", 187, 5, 8, 5, true },
		{ "SOME DISK", 187, 5, 3, 3, false },
		{ "SOME DISK", 187, 5, 2, 5, true },
		{ "SOME DISK", 197, 0, 200, 200, false },
	};

	(void)state;
	smart_no_database();
	for (size_t i = 0; i < ARRAY_LEN(drives); i++) {
		const struct smart_slot slot = { drives[i].id, 100, 0, drives[i].attribute, 0, 0 };
		const struct smart_statistic errors[] = { { 8, drives[i].statistic }, { 0 } };
		struct smart_drive drive;
		bool doubted = false;

		smart_begin(&drive, drives[i].model, "1", i < 3 ? SMART_SOLID : SMART_ROTATING);
		smart_statistics(&drive.capture, 4, errors);
		smart_decode(&drive, &slot, 1);
		smart_assert_fact(&drive, "errors.uncorrected_count", (double)drives[i].counted);
		for (size_t k = 0; k < drive.facts.fact_count; k++)
			if (!strcmp(drive.facts.facts[k].key->name, "errors.uncorrected_count") &&
				drive.facts.facts[k].note)
				doubted = true;
		if (doubted != drives[i].is_doubted)
			fail_msg("%s, %u", drives[i].model, (unsigned)drives[i].statistic);
		smart_end(&drive);
	}
}

static void three_equal_temperatures_are_no_range(void **state)
{
	static const struct smart_slot slots[] = { { 194, 67, 0, 0x002100210021, 0, 0 } };
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "minisforum", "SBFMBB.3", SMART_SOLID);
	smart_decode(&drive, slots, 1);
	smart_assert_fact(&drive, "temperature.current_celsius", 33);
	assert_null(facts_find(&drive.facts, "temperature.highest_celsius"));
	smart_end(&drive);
}

static void capacitor_tests_shutdowns_and_throttling_are_told_by_family(void **state)
{
	static const struct {
		uint8_t value;
		int threshold;
		const char *want; /* NULL: unknown */
	} cases[] = {
		{ 100, 10, "passed" },
		{ 1, 10, "failed" },
		{ 10, 10, "failed" },
		{ 1, -1, "failed" },
		{ 50, 10, NULL },
	};

	(void)state;
	smart_no_database();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = {
			{ 174, 100, 0, 27, 0, 0 },
			{ 175, cases[i].value, 0, 0xffff00020a39, cases[i].threshold, 0 },
			{ 234, 100, 0, 0x0305, 0, 0 },
		};
		struct smart_drive drive;

		smart_begin(&drive, "INTEL SSDSC2KG480G8", "XCV10132", SMART_SOLID);
		smart_decode(&drive, slots, ARRAY_LEN(slots));
		if (cases[i].want)
			assert_string_equal(facts_text(&drive.facts, "power_loss.capacitor_test"),
				cases[i].want);
		else
			smart_assert_state(&drive, "power_loss.capacitor_test", FACT_UNKNOWN);
		smart_assert_fact(&drive, "power_loss.unsafe_shutdown_count", 27);
		smart_assert_fact(&drive, "temperature.throttle_count", 3);
		smart_assert_text(row_get(smart_row(&drive.facts, 1), "raw_text"),
			"2617 us, 2 minutes ago, 65535 tests");
		smart_end(&drive);
	}
}

static void seagate_packs_rates_and_time_outs(void **state)
{
	static const struct smart_slot slots[] = {
		{ 1, 83, 0, 192564600, 6, 0 },
		{ 7, 88, 0, 0x000300000007, 30, 0 },
		{ 188, 100, 0, 8590065666, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "ST8000NM0055-1RM112", "SN02", SMART_ROTATING);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_text(row_get(smart_row(&drive.facts, 0), "raw_text"), "0 errors in 192564600");
	smart_assert_text(row_get(smart_row(&drive.facts, 1), "raw_text"), "3 errors in 7");
	smart_assert_text(row_get(smart_row(&drive.facts, 2), "raw_text"), "2/2/2");
	smart_end(&drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disks_attributes_tell_usage_temperature_and_errors),
		cmocka_unit_test(an_unknown_solid_state_drive_tells_little),
		cmocka_unit_test(hours_that_no_drive_has_are_not_known),
		cmocka_unit_test(toshibas_value_tells_hours_from_minutes),
		cmocka_unit_test(libatasmart_knows_old_disks_that_count_minutes),
		cmocka_unit_test(temperatures_in_tenths_are_of_some_old_disks),
		cmocka_unit_test(
			a_statistic_of_errors_that_the_attribute_does_not_count_is_doubted),
		cmocka_unit_test(a_statistic_that_stays_at_zero_gives_way_to_the_attribute),
		cmocka_unit_test(three_equal_temperatures_are_no_range),
		cmocka_unit_test(capacitor_tests_shutdowns_and_throttling_are_told_by_family),
		cmocka_unit_test(seagate_packs_rates_and_time_outs),
	};

	return cmocka_run_group_tests(tests, smart_database_begin, smart_database_end);
}
