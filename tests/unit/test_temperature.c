#include <stdio.h>

#include "pages.h"

static void expect_celsius(const struct drive *drive, const char *key, int celsius)
{
	char full[80];

	snprintf(full, sizeof(full), "temperature.%s_celsius", key);
	const struct fact *fact = fact_of(drive, full);

	if (!fact || fact->state != FACT_KNOWN || !value_same(fact->value, value_int(celsius)))
		fail_msg("%s is not %d", full, celsius);
}

struct sct {
	uint16_t version;
	int8_t now, cycle_low, cycle_high, low, high, limit;
	uint32_t over, under;
};

static void give_sct(struct drive *drive, const struct sct *sct)
{
	uint8_t data[512] = { 0 };

	le_set(data, 0, sct->version, 2);
	data[200] = (uint8_t)sct->now;
	data[201] = (uint8_t)sct->cycle_low;
	data[202] = (uint8_t)sct->cycle_high;
	data[203] = (uint8_t)sct->low;
	data[204] = (uint8_t)sct->high;
	data[205] = (uint8_t)sct->limit;
	le_set(data, 206, sct->over, 4);
	le_set(data, 210, sct->under, 4);
	give_ata_log(&drive->capture, 0xe0, 0, data, sizeof(data));
}

static void sct_status_has_signed_readings_and_their_bounds(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_sct(drive, &(struct sct) { 3, -3, -5, 41, -20, 55, 65, 0x34000001, 0x12000000 });
	drive_decode(drive);
	expect_celsius(drive, "current", -3);
	expect_celsius(drive, "lowest_since_power_on", -5);
	expect_celsius(drive, "highest_since_power_on", 41);
	expect_celsius(drive, "lowest", -20);
	expect_celsius(drive, "highest", 55);
	expect_celsius(drive, "limit", 65);
	expect_uint(drive, "temperature.over_limit_interval_count", 0x34000001);
	expect_uint(drive, "temperature.under_limit_interval_count", 0x12000000);
	drive_free(drive);
}

static void sct_status_of_another_version_tells_nothing(void **state)
{
	static const uint16_t versions[] = { 0, 1, 4, 0xffff };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
		struct drive *drive = drive_new();

		give_sct(drive, &(struct sct) { versions[i], 30, 20, 40, 10, 50, 65, 0, 0 });
		drive_decode(drive);
		expect_absent(drive, "temperature.current_celsius");
		expect_absent(drive, "temperature.limit_celsius");
		drive_free(drive);
	}
}

/* Drives of before ACS-4 have the average of the lifetime there. */
static void byte_205_is_a_limit_only_where_it_cannot_be_an_average(void **state)
{
	static const struct {
		int8_t high, limit;
		uint32_t over;
		int state; /* -1: absent */
	} cases[] = {
		{ 55, 65, 0, FACT_KNOWN },
		{ 55, 36, 0, FACT_UNKNOWN },
		{ 70, 65, 9, FACT_KNOWN }, /* it has been exceeded */
		{ 55, -128, 0, FACT_UNKNOWN },
		{ 55, 127, 0, FACT_UNKNOWN },
		{ 55, 0, 0, -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_sct(drive,
			&(struct sct) { 2, 30, 20, 40, 10, cases[i].high, cases[i].limit,
				cases[i].over, 0 });
		drive_decode(drive);
		if (cases[i].state < 0)
			expect_absent(drive, "temperature.limit_celsius");
		else
			expect_state(drive, "temperature.limit_celsius", cases[i].state);
		drive_free(drive);
	}
}

static void readings_that_cannot_be_are_withdrawn(void **state)
{
	static const struct {
		struct sct sct;
		int now, low, high; /* states */
	} cases[] = {
		{ { 2, 30, 20, 40, 10, 50, 0, 0, 0 }, FACT_KNOWN, FACT_KNOWN, FACT_KNOWN },
		{ { 2, 30, 20, 40, 50, 10, 0, 0, 0 }, FACT_KNOWN, FACT_INVALID, FACT_INVALID },
		{ { 2, 52, 20, 60, 10, 50, 0, 0, 0 }, FACT_KNOWN, FACT_KNOWN, FACT_INVALID },
		{ { 2, 5, 2, 40, 10, 50, 0, 0, 0 }, FACT_KNOWN, FACT_INVALID, FACT_KNOWN },
		{ { 2, 30, 20, 40, 127, -127, 0, 0, 0 }, FACT_KNOWN, FACT_UNKNOWN, FACT_UNKNOWN },
		{ { 2, 30, 20, 40, -128, -128, 0, 0, 0 }, FACT_KNOWN, FACT_UNKNOWN, FACT_UNKNOWN },
		{ { 2, 0, 0, 0, 0, 0, 0, 0, 0 }, FACT_UNKNOWN, FACT_KNOWN, FACT_UNKNOWN },
		{ { 2, 0, 20, 40, 10, 50, 0, 0, 0 }, FACT_UNKNOWN, FACT_KNOWN, FACT_KNOWN },
		{ { 2, 0, -2, 40, -9, 50, 0, 0, 0 }, FACT_KNOWN, FACT_KNOWN, FACT_KNOWN },
		{ { 2, -128, 20, 40, 10, 50, 0, 0, 0 }, FACT_UNKNOWN, FACT_KNOWN, FACT_KNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_sct(drive, &cases[i].sct);
		drive_decode(drive);
		expect_state(drive, "temperature.current_celsius", cases[i].now);
		expect_state(drive, "temperature.lowest_celsius", cases[i].low);
		expect_state(drive, "temperature.highest_celsius", cases[i].high);
		drive_free(drive);
	}
}

static void give_history(struct drive *drive, uint16_t version, uint16_t size, uint16_t index,
	const int8_t limits[4])
{
	uint8_t data[512] = { 0 };

	le_set(data, 0, version, 2);
	le_set(data, 2, 1, 2);
	le_set(data, 4, 59, 2);
	for (size_t i = 0; i < 4; i++)
		data[6 + i] = (uint8_t)limits[i];
	le_set(data, 30, size, 2);
	le_set(data, 32, index, 2);
	memset(&data[34], 0x80, 478);
	data[34 + 127] = 21; /* the oldest of three, around the end of the ring */
	data[34 + 0] = (uint8_t)-2;
	data[34 + 1] = 23;
	give_ata_log(&drive->capture, 0xe1, 0, data, sizeof(data));
}

static void the_history_is_a_ring_with_the_newest_at_its_index(void **state)
{
	static const struct {
		uint64_t index, minutes_ago;
		int64_t celsius;
	} want[] = { { 127, 118, 21 }, { 0, 59, -2 }, { 1, 0, 23 } };
	struct drive *drive = drive_new();

	(void)state;
	give_history(drive, 2, 128, 1, (const int8_t[]) { 60, 70, 0, -5 });
	drive_decode(drive);
	assert_int_equal(row_count(drive, "temperature_history"), ARRAY_LEN(want));
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		const struct row *row = row_of(drive, "temperature_history", i);

		assert_true(cell_is(row, "index", value_uint(want[i].index)));
		assert_true(cell_is(row, "minutes_ago", value_uint(want[i].minutes_ago)));
		assert_true(cell_is(row, "celsius", value_int(want[i].celsius)));
	}
	expect_uint(drive, "temperature.history_interval_minutes", 59);
	expect_uint(drive, "temperature.sampling_minutes", 1);
	expect_celsius(drive, "limit", 60);
	expect_celsius(drive, "critical_limit", 70);
	expect_celsius(drive, "low_limit", 0);
	expect_celsius(drive, "critical_low_limit", -5);
	drive_free(drive);
}

static void an_impossible_history_is_noted_and_not_shown(void **state)
{
	static const struct {
		uint16_t version, size, index;
		bool note;
	} cases[] = {
		{ 2, 13619, 879, true },
		{ 2, 479, 0, true },
		{ 2, 128, 128, true },
		{ 2, 0, 0, true },
		{ 0, 128, 1, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_history(drive, cases[i].version, cases[i].size, cases[i].index,
			(const int8_t[]) { 60, 70, 0, -5 });
		drive_decode(drive);
		assert_int_equal(row_count(drive, "temperature_history"), 0);
		assert_int_equal(has_note(drive, "impossible"), cases[i].note);
		drive_free(drive);
	}
}

static void limits_at_the_ends_of_the_scale_are_not_set(void **state)
{
	static const struct {
		int8_t limits[4];
		int limit, low_limit;
	} cases[] = {
		{ { 60, 70, 0, -5 }, FACT_KNOWN, FACT_KNOWN },
		{ { 127, 127, -127, -127 }, FACT_UNKNOWN, FACT_UNKNOWN },
		{ { 40, 40, -40, -40 }, FACT_UNKNOWN, FACT_UNKNOWN },
		{ { 85, 95, -40, -45 }, FACT_KNOWN, FACT_KNOWN },
		{ { 40, 50, 0, 0 }, FACT_KNOWN, FACT_KNOWN },
		{ { 0, 0, 70, 75 }, FACT_UNKNOWN, FACT_KNOWN },
		{ { 5, 10, 70, 75 }, FACT_INVALID, FACT_INVALID }, /* exchanged */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_history(drive, 2, 128, 1, cases[i].limits);
		drive_decode(drive);
		expect_state(drive, "temperature.limit_celsius", cases[i].limit);
		expect_state(drive, "temperature.low_limit_celsius", cases[i].low_limit);
		expect_state(drive, "temperature.critical_limit_celsius", cases[i].limit);
		drive_free(drive);
	}
}

static void statistics_have_averages_limits_and_minutes_beyond_them(void **state)
{
	struct drive *drive = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 5);
	statistic_set_only(page, 8, 29, 1);
	statistic_set_only(page, 16, 28, 1);
	statistic_set_only(page, 24, 27, 1);
	statistic_set_only(page, 32, 43, 1);
	statistic_set_only(page, 40, 0xfb, 1);
	statistic_set_only(page, 80, 17, 4);
	statistic_set_only(page, 88, 70, 1);
	statistic_set_only(page, 96, 3, 4);
	statistic_set(page, 104, 0xffffffffffff00, SUPPORTED_VALID); /* garbage above */
	statistics_give(drive, page);
	drive_decode(drive);
	expect_celsius(drive, "current", 29);
	expect_celsius(drive, "average_short", 28);
	expect_celsius(drive, "average_long", 27);
	expect_celsius(drive, "highest", 43);
	expect_celsius(drive, "lowest", -5);
	expect_celsius(drive, "limit", 70);
	expect_celsius(drive, "low_limit", 0);
	expect_uint(drive, "temperature.over_limit_minutes", 17);
	expect_uint(drive, "temperature.under_limit_minutes", 3);
	drive_free(drive);
}

static void sct_beats_statistics_for_now_and_loses_for_the_limit(void **state)
{
	struct drive *drive = drive_new();
	uint8_t page[512];

	(void)state;
	statistics_begin(page, 5);
	statistic_set_only(page, 8, 29, 1);
	statistic_set_only(page, 88, 70, 1);
	statistics_give(drive, page);
	give_sct(drive, &(struct sct) { 3, 31, 20, 40, 10, 50, 65, 0, 0 });
	drive_decode(drive);
	expect_celsius(drive, "current", 31);
	expect_celsius(drive, "limit", 70);
	drive_free(drive);
}

static void the_temperature_log_page_is_walked_and_not_indexed(void **state)
{
	static const struct {
		uint8_t now, reference;
		int now_state, reference_state;
	} cases[] = {
		{ 23, 70, FACT_KNOWN, FACT_KNOWN },
		{ 0xff, 0xff, FACT_UNKNOWN, FACT_UNKNOWN },
		{ 0, 0, FACT_UNKNOWN, FACT_UNKNOWN },
		{ 254, 255, FACT_KNOWN, FACT_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		struct log_page log;

		log_begin(&log, 0x0d, 0);
		log_add(&log, 1, (const uint8_t[]) { 0, cases[i].reference }, 2);
		log_add(&log, 0x8000, "x", 1);
		log_add(&log, 0, (const uint8_t[]) { 0, cases[i].now }, 2);
		log_give(drive, &log);
		drive_decode(drive);
		expect_state(drive, "temperature.current_celsius", cases[i].now_state);
		expect_state(drive, "temperature.limit_celsius", cases[i].reference_state);
		if (cases[i].now_state == FACT_KNOWN)
			expect_celsius(drive, "current", cases[i].now);
		drive_free(drive);
	}
}

static void the_environmental_pages_are_signed(void **state)
{
	static const uint8_t first[8] = { 0, 25, 54, 0xf6, 40, 23, 0x80, 0x80 };
	static const uint8_t second[8] = { 0, 30, 60, 10, 0x80, 22, 0x80, 0x80 };
	static const uint8_t humidity[8] = { 0, 45, 80, 5, 0xff, 0xff, 0xff, 0xff };
	static const uint8_t limits[8] = { 75, 72, 0xfe, 0xfb, 70, 68, 2, 0 };
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x0d, 1);
	log_add(&log, 0, first, 8);
	log_add(&log, 1, second, 8);
	log_add(&log, 0x0100, humidity, 8);
	log_give(drive, &log);
	log_begin(&log, 0x0d, 2);
	log_add(&log, 0, limits, 8);
	log_give(drive, &log);
	drive_decode(drive);
	expect_celsius(drive, "current", 25);
	expect_celsius(drive, "highest", 54);
	expect_celsius(drive, "lowest", -10);
	expect_celsius(drive, "highest_since_power_on", 40);
	expect_celsius(drive, "lowest_since_power_on", 23);
	expect_uint(drive, "temperature.humidity_percent", 45);
	expect_celsius(drive, "critical_limit", 75);
	expect_celsius(drive, "critical_limit_reset", 72);
	expect_celsius(drive, "critical_low_limit_reset", -2);
	expect_celsius(drive, "critical_low_limit", -5);
	expect_celsius(drive, "limit", 70);
	expect_celsius(drive, "limit_reset", 68);
	expect_celsius(drive, "low_limit_reset", 2);
	expect_celsius(drive, "low_limit", 0);
	assert_int_equal(row_count(drive, "temperature_sensors"), 2);
	const struct row *row = row_of(drive, "temperature_sensors", 1);

	assert_true(cell_is(row, "sensor", value_uint(1)));
	assert_true(cell_is(row, "celsius", value_int(30)));
	assert_true(cell_is(row, "highest_celsius", value_int(60)));
	assert_true(cell_is(row, "lowest_celsius", value_int(10)));
	assert_true(cell_is(row, "highest_since_power_on_celsius", value_null()));
	assert_true(cell_is(row, "lowest_since_power_on_celsius", value_int(22)));
	drive_free(drive);
}

/* Each page that has signed temperatures, with that byte for all of them. */
static void give_all_of(struct drive *drive, uint8_t byte)
{
	uint8_t status[512] = { 3 }, table[512] = { 2, 0, 1, 0, 1, 0, [30] = 128 };
	uint8_t statistics[512], value[8] = { 0 };
	struct log_page log;

	memset(&status[200], byte, 6);
	give_ata_log(&drive->capture, 0xe0, 0, status, sizeof(status));
	memset(&table[6], byte, 4);
	give_ata_log(&drive->capture, 0xe1, 0, table, sizeof(table));
	statistics_begin(statistics, 5);
	for (size_t at = 8; at <= 72; at += 8)
		statistic_set_only(statistics, at, byte, 1);
	statistic_set_only(statistics, 88, byte, 1);
	statistic_set_only(statistics, 104, byte, 1);
	statistics_give(drive, statistics);
	memset(&value[1], byte, 7);
	log_begin(&log, 0x0d, 1);
	log_add(&log, 0, value, sizeof(value));
	log_give(drive, &log);
	memset(value, byte, sizeof(value));
	log_begin(&log, 0x0d, 2);
	log_add(&log, 0, value, sizeof(value));
	log_give(drive, &log);
	drive_decode(drive);
}

static void every_temperature_with_a_sign_has_one_and_may_be_unknown(void **state)
{
	struct drive *below = drive_new(), *unknown = drive_new();
	size_t below_count = 0, unknown_count = 0;

	(void)state;
	give_all_of(below, 0xfd);
	give_all_of(unknown, 0x80);
	for (size_t i = 0; i < below->facts.fact_count; i++) {
		const struct fact *fact = &below->facts.facts[i];

		if (fact->key->unit != UNIT_CELSIUS || fact->source.offset == 205)
			continue;
		assert_true(value_same(fact->value, value_int(-3)));
		below_count++;
	}
	for (size_t i = 0; i < unknown->facts.fact_count; i++) {
		const struct fact *fact = &unknown->facts.facts[i];

		if (fact->key->unit != UNIT_CELSIUS)
			continue;
		assert_int_equal(fact->state, FACT_UNKNOWN);
		unknown_count++;
	}
	assert_int_equal(below_count, 5 + 4 + 7 + 5 + 8);
	assert_int_equal(unknown_count, below_count + 1);
	drive_free(below);
	drive_free(unknown);
}

static void minutes_and_counts_have_values_for_unknown(void **state)
{
	static const char *const keys[] = { "temperature.over_limit_minutes",
		"temperature.under_limit_minutes", "temperature.over_limit_interval_count",
		"temperature.under_limit_interval_count", "temperature.history_interval_minutes",
		"temperature.sampling_minutes", "temperature.humidity_percent" };
	uint8_t page[512], table[512] = { 2, [30] = 128 }, humidity[8];
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	statistics_begin(page, 5);
	statistic_set_only(page, 80, UINT32_MAX, 4);
	statistic_set_only(page, 96, UINT32_MAX, 4);
	statistics_give(drive, page);
	give_sct(drive, &(struct sct) { 3, 30, 20, 40, 10, 50, 65, UINT32_MAX, UINT32_MAX });
	give_ata_log(&drive->capture, 0xe1, 0, table, sizeof(table));
	memset(humidity, 0xff, sizeof(humidity));
	log_begin(&log, 0x0d, 1);
	log_add(&log, 0x0100, humidity, sizeof(humidity));
	log_give(drive, &log);
	drive_decode(drive);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		expect_state(drive, keys[i], FACT_UNKNOWN);
	drive_free(drive);
}

static void informational_exceptions_are_the_last_resort(void **state)
{
	struct drive *drive = drive_new();
	struct log_page log;

	(void)state;
	log_begin(&log, 0x2f, 0);
	log_add(&log, 1, (const uint8_t[]) { 0, 0, 99, 99 }, 4);
	log_add(&log, 0, (const uint8_t[]) { 0, 0, 38, 65 }, 4);
	log_give(drive, &log);
	drive_decode(drive);
	expect_celsius(drive, "current", 38);
	expect_celsius(drive, "limit", 65);
	drive_free(drive);
}

static void no_temperature_of_an_exception_is_unknown(void **state)
{
	static const uint8_t bytes[] = { 0x00, 0xff };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bytes); i++) {
		struct drive *drive = drive_new();
		struct log_page log;

		log_begin(&log, 0x2f, 0);
		log_add(&log, 0, (const uint8_t[]) { 0, 0, bytes[i], bytes[i] }, 4);
		log_give(drive, &log);
		drive_decode(drive);
		expect_state(drive, "temperature.current_celsius", FACT_UNKNOWN);
		expect_state(drive, "temperature.limit_celsius", FACT_UNKNOWN);
		drive_free(drive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sct_status_has_signed_readings_and_their_bounds),
		cmocka_unit_test(sct_status_of_another_version_tells_nothing),
		cmocka_unit_test(byte_205_is_a_limit_only_where_it_cannot_be_an_average),
		cmocka_unit_test(readings_that_cannot_be_are_withdrawn),
		cmocka_unit_test(the_history_is_a_ring_with_the_newest_at_its_index),
		cmocka_unit_test(an_impossible_history_is_noted_and_not_shown),
		cmocka_unit_test(limits_at_the_ends_of_the_scale_are_not_set),
		cmocka_unit_test(statistics_have_averages_limits_and_minutes_beyond_them),
		cmocka_unit_test(sct_beats_statistics_for_now_and_loses_for_the_limit),
		cmocka_unit_test(the_temperature_log_page_is_walked_and_not_indexed),
		cmocka_unit_test(the_environmental_pages_are_signed),
		cmocka_unit_test(every_temperature_with_a_sign_has_one_and_may_be_unknown),
		cmocka_unit_test(minutes_and_counts_have_values_for_unknown),
		cmocka_unit_test(informational_exceptions_are_the_last_resort),
		cmocka_unit_test(no_temperature_of_an_exception_is_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
