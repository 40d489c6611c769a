/* What heat did to a run, out of its rows; and when a temperature has settled. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/measure.h"
#include "measure/settle.h"
#include "measure/topic.h"

static struct facts measured, before, after;

static int set_up(void **state)
{
	(void)state;
	facts_init(&measured);
	facts_init(&before);
	facts_init(&after);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	facts_deinit(&measured);
	facts_deinit(&before);
	facts_deinit(&after);
	return 0;
}

static void add_second(
	const char *phase, unsigned round, unsigned second, double iops, double celsius)
{
	struct row *row = facts_row(&measured, &table_bench_series, source_derived("test"));

	row_set(row, "workload", value_text("test"));
	row_set(row, "phase", value_text(phase));
	row_set(row, "round", value_uint(round));
	row_set(row, "point", value_uint(0));
	row_set(row, "second", value_uint(second));
	row_set(row, "read_count", value_uint((uint64_t)iops));
	row_set(row, "write_count", value_uint(0));
	row_set(row, "write_bytes", value_uint(0));
	if (!isnan(celsius))
		row_set(row, "celsius", value_real(celsius));
}

static void add_reading(const char *phase, double seconds, double celsius)
{
	struct row *row = facts_row(&measured, &table_bench_temperature, source_derived("test"));

	row_set(row, "phase", value_text(phase));
	row_set(row, "seconds", value_real(seconds));
	row_set(row, "celsius", value_real(celsius));
}

static void say(struct facts *facts, const char *key, double value)
{
	facts_add(
		facts, decoder_key(key), value_real(value), FACT_KNOWN, source_derived("test"), 0);
}

static double fact(const char *key)
{
	double value = NAN;

	facts_number(&measured, key, &value);
	return value;
}

static size_t count_rows(const struct table *table)
{
	size_t count = 0;

	for (size_t i = 0; i < measured.row_count; i++)
		count += measured.rows[i].table == table;
	return count;
}

/* Warms up to 71 and does less then; the last second is half of one. */
static void add_throttling_run(unsigned round)
{
	for (unsigned i = 0; i < 120; i++)
		add_second("measure", round, i, i < 70 ? 1000 : 400, fmin(36 + 0.5 * i, 71));
	add_second("measure", round, 120, 20, NAN);
}

static void a_slowdown_by_heat_is_told_with_when_and_how_much(void **state)
{
	(void)state;
	say(&after, "temperature.limit_celsius", 70);
	add_throttling_run(1);
	measure_heat(&measured, &before, &after);
	assert_int_equal(count_rows(&table_bench_slowdowns), 1);
	assert_true(fact("bench.throttled") > 0);
	assert_true(fabs(fact("bench.throttle_celsius") - 71) < 1.5);
	assert_true(fabs(fact("bench.throttle_seconds") - 70) < 3);
	assert_true(fabs(fact("bench.throttle_loss_percent") - 60) < 1);
	assert_int_equal(count_rows(&table_measurements), 2);
}

static void each_point_is_judged_by_itself(void **state)
{
	(void)state;
	say(&after, "temperature.limit_celsius", 70);
	add_throttling_run(1);
	add_throttling_run(2);
	measure_heat(&measured, &before, &after);
	assert_int_equal(count_rows(&table_bench_slowdowns), 2);
	assert_true(fabs(fact("bench.throttle_seconds") - 70) < 3);
}

static void rounds_of_preconditioning_are_one_load(void **state)
{
	(void)state;
	say(&after, "temperature.limit_celsius", 70);
	for (unsigned i = 0; i < 120; i++)
		add_second("condition", 1 + i / 20, i % 20, i < 70 ? 1000 : 400,
			fmin(36 + 0.5 * i, 71));
	measure_heat(&measured, &before, &after);
	assert_int_equal(count_rows(&table_bench_slowdowns), 1);
}

static void nothing_is_said_of_a_run_that_was_too_short_or_without_temperature(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 30; i++)
		add_second("measure", 1, i, 1000, 50);
	for (unsigned i = 0; i < 100; i++)
		add_second("measure", 2, i, 1000, NAN);
	measure_heat(&measured, &before, &after);
	assert_null(facts_find(&measured, "bench.throttled"));
	assert_int_equal(count_rows(&table_measurements), 0);
}

static void a_steady_run_with_temperatures_was_not_slowed_down(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 100; i++)
		add_second("measure", 1, i, 1000, 40 + i * 0.4);
	measure_heat(&measured, &before, &after);
	assert_non_null(facts_find(&measured, "bench.throttled"));
	assert_true(fact("bench.throttled") <= 0);
	assert_int_equal(count_rows(&table_bench_slowdowns), 0);
}

static void limits_and_counters_are_compared_before_and_after(void **state)
{
	(void)state;
	say(&before, "temperature.throttle_count", 4);
	say(&after, "temperature.throttle_count", 6);
	say(&before, "temperature.over_limit_minutes", 10);
	say(&after, "temperature.over_limit_minutes", 13);
	say(&after, "temperature.limit_celsius", 60);
	add_reading("measure", 0, 55);
	add_reading("measure", 10, 60);
	add_reading("measure", 20, 63);
	add_reading("measure", 30, 59);
	add_reading("cooling", 40, 58);
	add_reading("cooling", 50, 50);
	add_reading("cooling", 60, 48);
	for (unsigned i = 0; i < 60; i++)
		add_second("measure", 1, i, 1000, NAN);
	measure_heat(&measured, &before, &after);
	assert_true(fabs(fact("bench.over_limit_seconds") - 20) < 1e-9);
	assert_true(fabs(fact("bench.over_limit_minutes") - 3) < 1e-9);
	assert_true(fabs(fact("bench.throttle_count") - 2) < 1e-9);
	assert_true(fact("bench.throttled") > 0);
	assert_true(fabs(fact("bench.cooled_celsius") - 10) < 1e-9);
	assert_true(fabs(fact("bench.cooling_half_seconds") - 10) < 1e-9);
}

/* Seconds pass: the temperature of each, the rate of each. */
static enum settled pass(struct settle *settle, struct beside *beside, size_t seconds,
	double (*celsius)(size_t), double (*iops)(size_t))
{
	enum settled state = SETTLE_NOT_YET;

	settle_step(settle);
	beside_step(beside);
	for (size_t i = 0; i < seconds && state == SETTLE_NOT_YET; i++) {
		struct engine_second second = { .index = i };

		second.count[IO_READ] = (uint64_t)iops(i);
		beside_passed(beside, i);
		beside->seconds[i].taken_percent = 0;
		beside->seconds[i].celsius = celsius(i);
		state = settle_passed(settle, &second, beside);
	}
	return state;
}

static double warming(size_t second)
{
	return round(60 - 25 * exp(-(double)second / 30));
}
static double rising(size_t second)
{
	return round(30 + 0.3 * (double)second);
}
static double steady(size_t second)
{
	return 1000 + (double)(second % 5);
}
static double falling(size_t second)
{
	return second < 140 ? 1000 : 500;
}
static double seldom(size_t second)
{
	return second % 10 ? (double)NAN : warming(second);
}

static void a_load_ends_when_its_temperature_stays(void **state)
{
	struct settle settle = { .window_seconds = 60, .limit_celsius = 70 };
	struct beside beside;

	(void)state;
	beside_begin(&beside, NULL, NULL);
	assert_int_equal(pass(&settle, &beside, 600, warming, steady), SETTLE_WARM);
	assert_true(settle.celsius >= 59 && settle.celsius <= 60);
	assert_true(settle.seconds_until > 80 && settle.seconds_until < 130);
	assert_int_equal(pass(&settle, &beside, 600, seldom, steady), SETTLE_WARM);
	assert_int_equal(pass(&settle, &beside, 100, rising, steady), SETTLE_NOT_YET);
	assert_int_equal(pass(&settle, &beside, 300, rising, falling), SETTLE_THROTTLED);
	assert_true(fabs(settle.celsius - 72) < 2);
	assert_true(fabs(settle.seconds_until - 140) < 3);
	assert_true(fabs(settle.loss_percent - 50) < 1);
	settle_end(&settle, &measured);
	beside_end(&beside);
}

static void who_does_not_want_it_is_not_ended(void **state)
{
	struct settle settle = { .window_seconds = 0, .limit_celsius = 70 };
	struct beside beside;

	(void)state;
	beside_begin(&beside, NULL, NULL);
	assert_int_equal(pass(&settle, &beside, 300, warming, falling), SETTLE_NOT_YET);
	settle_end(&settle, &measured);
	assert_null(facts_find(&measured, "bench.settled"));
	beside_end(&beside);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_slowdown_by_heat_is_told_with_when_and_how_much),
		TEST(each_point_is_judged_by_itself),
		TEST(rounds_of_preconditioning_are_one_load),
		TEST(nothing_is_said_of_a_run_that_was_too_short_or_without_temperature),
		TEST(a_steady_run_with_temperatures_was_not_slowed_down),
		TEST(limits_and_counters_are_compared_before_and_after),
		TEST(a_load_ends_when_its_temperature_stays),
		TEST(who_does_not_want_it_is_not_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
