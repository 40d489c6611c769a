/* What is left of old records. */
#include <stdio.h>

#include "history.h"

enum { HOUR = 3600, DAY = 24 * HOUR, WEEK = 7 * DAY };

/* A Thursday, as weeks begin in the file. */
static const int64_t start = 2600 * (int64_t)WEEK;

static void thin(struct place *place, unsigned full_days, unsigned daily_days, int64_t now)
{
	struct history_keep keep = { full_days, daily_days };
	struct error error;

	if (history_thin(place->history, &keep, now, &error) != 0)
		fail_msg("%s", error.text);
}

/* A drive that writes 1 GB an hour, 30 to 53 degrees warm by the hour, and not well at
 * the noon of each third day. */
static void record_hour(struct history *history, int64_t hour)
{
	struct verdict verdict = { .id = "health", .reason = "because" };
	struct facts facts;

	verdict.state = hour % 72 == 12 ? VERDICT_FAILING : VERDICT_OK;
	give_drive(&facts, "S1");
	give_fact(&facts, "endurance.host_written_bytes", value_uint((uint64_t)hour * 1000000000));
	give_fact(&facts, "temperature.current_celsius", value_int(30 + hour % 24));
	give_fact(&facts, "errors.crc_count", value_uint(7));
	record(history, &facts, start + hour * HOUR, &verdict, 1);
	facts_deinit(&facts);
}

static void record_days(struct history *history, int64_t from, int64_t to)
{
	for (int64_t hour = from * 24; hour < to * 24; hour++)
		record_hour(history, hour);
}

static long long count(const struct place *place, const char *what)
{
	char sql[512];

	snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", what);
	return ask_file(place->file, sql);
}

static const char written[] = "value JOIN key ON key.id = value.key "
			      "WHERE name = 'endurance.host_written_bytes'";

static void young_records_stay_then_one_a_day_then_one_a_week(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_days(place.history, 0, 35);
	thin(&place, 7, 21, start + 35 * DAY);
	/* 14 days of weeks, 14 of days, 7 of hours */
	assert_int_equal(count(&place, "run"), 2 + 14 + 7 * 24);
	assert_int_equal(count(&place, written), 2 + 14 + 7 * 24);
	/* The last record of each day and week is the one that stays. */
	assert_int_equal(count(&place, "run WHERE time % 86400 <> 82800"), 7 * 23);
	assert_int_equal(ask_file(place.file, "SELECT sum(runs) FROM run"), 35 * 24);
	place_remove(&place);
}

static void without_an_end_days_stay_days(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_days(place.history, 0, 35);
	thin(&place, 7, 0, start + 35 * DAY);
	assert_int_equal(count(&place, "run"), 28 + 7 * 24);
	place_remove(&place);
}

static void the_last_value_before_a_gap_stays(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_days(place.history, 0, 35);
	thin(&place, 7, 21, start + 35 * DAY);
	assert_int_equal(count(&place,
				 "value JOIN key ON key.id = value.key "
				 "WHERE name = 'errors.crc_count' AND value = 7"),
		1);
	place_remove(&place);
}

static void the_worst_verdict_and_the_extremes_of_readings_stay(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_days(place.history, 0, 35);
	thin(&place, 7, 0, start + 35 * DAY);
	assert_int_equal(count(&place, "run WHERE worst = 'failing' AND state = 'ok'"), 10);
	assert_int_equal(count(&place, "run WHERE worst = 'failing'"), 12);
	assert_int_equal(
		count(&place, "day WHERE minimum = 30 AND maximum = 53 AND readings = 24"), 35);
	place_remove(&place);
}

static void thinning_in_steps_is_the_same_as_at_once(void **state)
{
	struct place steps, once;

	(void)state;
	place_open(&steps);
	place_open(&once);
	for (int64_t day = 0; day < 40; day++) {
		record_days(steps.history, day, day + 1);
		thin(&steps, 5, 10, start + (day + 1) * DAY);
	}
	record_days(once.history, 0, 40);
	thin(&once, 5, 10, start + 40 * DAY);
	static const char *const sums[] = { "SELECT count(*) FROM run", "SELECT sum(time) FROM run",
		"SELECT sum(runs) FROM run", "SELECT count(*) FROM value",
		"SELECT sum(time) FROM value", "SELECT sum(readings) FROM day",
		"SELECT count(*) FROM run WHERE worst = 'failing'",
		"SELECT count(*) FROM verdict" };
	for (size_t i = 0; i < ARRAY_LEN(sums); i++)
		assert_int_equal(ask_file(steps.file, sums[i]), ask_file(once.file, sums[i]));
	place_remove(&steps);
	place_remove(&once);
}

static void what_is_thinned_out_does_not_come_back(void **state)
{
	long long runs, values, readings;
	struct place place;

	(void)state;
	place_open(&place);
	record_days(place.history, 0, 35);
	thin(&place, 7, 21, start + 35 * DAY);
	runs = count(&place, "run");
	values = count(&place, "value");
	readings = ask_file(place.file, "SELECT sum(readings) FROM day");
	record_days(place.history, 0, 35);
	assert_int_equal(count(&place, "run"), runs);
	assert_int_equal(count(&place, "value"), values);
	assert_int_equal(ask_file(place.file, "SELECT sum(readings) FROM day"), readings);
	place_remove(&place);
}

static void old_records_that_come_late_are_thinned_at_once(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_days(place.history, 14, 35);
	thin(&place, 7, 21, start + 35 * DAY);
	record_days(place.history, 0, 14);
	assert_int_equal(count(&place, "run"), 2 + 14 + 7 * 24);
	assert_int_equal(count(&place, "day WHERE readings = 24"), 35);
	place_remove(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(young_records_stay_then_one_a_day_then_one_a_week),
		cmocka_unit_test(without_an_end_days_stay_days),
		cmocka_unit_test(the_last_value_before_a_gap_stays),
		cmocka_unit_test(the_worst_verdict_and_the_extremes_of_readings_stay),
		cmocka_unit_test(thinning_in_steps_is_the_same_as_at_once),
		cmocka_unit_test(what_is_thinned_out_does_not_come_back),
		cmocka_unit_test(old_records_that_come_late_are_thinned_at_once),
	};

	return cmocka_run_group_tests_name("history_thin", tests, NULL, NULL);
}
