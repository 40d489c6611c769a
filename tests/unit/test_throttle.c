/* Why a drive slowed down: planted models with noise, each to be named rightly. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/change.h"
#include "measure/throttle.h"

enum { SECONDS = 1200, RUNS = 20, FIRST_SEED = 40001 };

static struct throttle_second seconds[SECONDS];
static struct throttle_finding findings[THROTTLE_FINDINGS];
static uint64_t random_state;

static double uniform(double least, double most)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return least + (most - least) * (double)(random_state >> 11) / 9007199254740992.0;
}

static double normal(void)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(0, 1);
	return sum;
}

/* A drive: how warm it gets, and what each model makes of its rate. */
struct drive {
	double full, noise, rest, hot, tau, celsius; /* bytes per second; goal at full rate */
	unsigned sampled_every;
	double limit;
	bool writes;
	/* the model's own */
	double factor, threshold, release, step, period, cliff_bytes, written;
	double steal[4][2], phase;
	double level;
};

struct model {
	const char *name;
	void (*plant)(struct drive *drive);
	/* The part of the full rate that is left in this second; *steal in percent. */
	double (*rate)(struct drive *drive, double t, double *steal);
	enum throttle_cause cause; /* THROTTLE_UNKNOWN: nothing is to be found */
};

static void plant_cool(struct drive *drive)
{
	drive->hot = uniform(42, 58);
}

static void plant_throttle(struct drive *drive)
{
	drive->threshold = uniform(68, 71);
	drive->hot = drive->threshold + uniform(5, 20);
	drive->release = drive->threshold - uniform(3, 8);
	drive->factor = uniform(0.25, 0.7);
	drive->step = uniform(1.5, 3);
	drive->tau = uniform(60, 200);
	drive->level = 1;
	drive->writes = uniform(0, 1) < 0.5;
	if (uniform(0, 1) < 0.7)
		drive->limit = 70;
}

/* At each step above the threshold a part less; back only far below. */
static double rate_steps(struct drive *drive, double t, double *steal)
{
	double steps = floor((drive->celsius - drive->threshold) / drive->step) + 1;
	double level = pow(0.75, fmin(fmax(steps, 0), 4));

	(void)t;
	(void)steal;
	if (level < drive->level || drive->celsius < drive->release)
		drive->level = level;
	return drive->level;
}

static double rate_hysteresis(struct drive *drive, double t, double *steal)
{
	(void)t;
	(void)steal;
	if (drive->celsius >= drive->threshold)
		drive->level = drive->factor;
	else if (drive->celsius <= drive->release)
		drive->level = 1;
	return drive->level;
}

/* Gets as warm as the others, or stays cool; never slows down. */
static void plant_quiet(struct drive *drive)
{
	drive->hot = uniform(40, 80);
	drive->limit = uniform(0, 1) < 0.5 ? 70 : NAN;
	drive->period = uniform(200, 900);
	drive->writes = uniform(0, 1) < 0.5;
}

/* Drifts a little, as all do. */
static double rate_quiet(struct drive *drive, double t, double *steal)
{
	*steal = uniform(0, 3);
	return 1 + 0.03 * sin(2 * M_PI * t / drive->period);
}

static void plant_cliff(struct drive *drive)
{
	plant_cool(drive);
	drive->cliff_bytes = 30e9;
	drive->factor = uniform(0.2, 0.7);
}

static double rate_cliff(struct drive *drive, double t, double *steal)
{
	(void)t;
	(void)steal;
	return drive->written >= drive->cliff_bytes ? drive->factor : 1;
}

static void plant_sawtooth(struct drive *drive)
{
	drive->hot = uniform(45, 75);
	drive->tau = uniform(60, 120);
	drive->period = uniform(12, 90);
	drive->factor = uniform(0.3, 0.7);
	drive->phase = uniform(0, 1);
	drive->limit = uniform(0, 1) < 0.5 ? 70 : NAN;
}

/* Falls bit by bit and comes back at once, or the other way round. */
static double rate_sawtooth(struct drive *drive, double t, double *steal)
{
	double part = fmod(t / drive->period + drive->phase, 1);

	(void)steal;
	return 1 - (1 - drive->factor) * (drive->phase < 0.5 ? part : 1 - part);
}

static void plant_host(struct drive *drive)
{
	plant_cool(drive);
	drive->hot = uniform(42, 75);
	drive->factor = uniform(0.3, 0.75);
	drive->writes = uniform(0, 1) < 0.5;
	for (size_t i = 0; i < 4; i++) {
		drive->steal[i][0] = uniform(50, SECONDS - 150);
		drive->steal[i][1] = uniform(8, 100);
	}
}

static double rate_host(struct drive *drive, double t, double *steal)
{
	*steal = uniform(0, 4);
	for (size_t i = 0; i < 4; i++)
		if (t >= drive->steal[i][0] && t < drive->steal[i][0] + drive->steal[i][1]) {
			*steal = uniform(20, 60);
			return drive->factor;
		}
	return 1;
}

static const struct model models[] = {
	{ "throttle at 70 C in steps", plant_throttle, rate_steps, THROTTLE_THERMAL },
	{ "throttle with hysteresis", plant_throttle, rate_hysteresis, THROTTLE_THERMAL },
	{ "cache cliff at 30 GB", plant_cliff, rate_cliff, THROTTLE_CACHE },
	{ "sawtooth of garbage collection", plant_sawtooth, rate_sawtooth, THROTTLE_COLLECTION },
	{ "steal of the host", plant_host, rate_host, THROTTLE_HOST },
	{ "no throttling", plant_quiet, rate_quiet, THROTTLE_UNKNOWN },
};

/* One run: with noise, outliers, a drive that warms up, and its sensor's whole
 * degrees, each second or each ten. */
static void simulate(const struct model *model, uint64_t seed, struct drive *drive,
	struct throttle_series *series)
{
	random_state = seed * 0x9e3779b97f4a7c15u + 1;
	for (int i = 0; i < 8; i++)
		uniform(0, 1);
	*drive = (struct drive) { .full = uniform(200e6, 500e6),
		.noise = uniform(0.01, 0.08),
		.rest = uniform(28, 38),
		.tau = uniform(80, 300),
		.sampled_every = uniform(0, 1) < 0.5 ? 1 : 10,
		.limit = 70,
		.writes = true };
	drive->celsius = drive->rest;
	model->plant(drive);
	for (size_t t = 0; t < SECONDS; t++) {
		double steal = 0, part = model->rate(drive, (double)t, &steal);
		double goal = drive->rest + (drive->hot - drive->rest) * part;
		double rate = drive->full * part * fmax(1 + drive->noise * normal(), 0.05);

		if (uniform(0, 1) < 0.01)
			rate *= uniform(0.3, 1);
		drive->celsius += (goal - drive->celsius) * (1 - exp(-1 / drive->tau));
		drive->written += rate;
		seconds[t] = (struct throttle_second) { .rate = rate,
			.celsius = t % drive->sampled_every ? NAN : round(drive->celsius),
			.steal_percent = steal,
			.written_bytes = drive->writes ? drive->written : 0,
			.disturbed = drive->sampled_every > 1 && t % drive->sampled_every == 0 };
	}
	*series = (struct throttle_series) { .seconds = seconds,
		.count = SECONDS,
		.writes = drive->writes,
		.limit_celsius = drive->limit,
		.counter_change = NAN };
}

/* All that is found is of this cause; of none, nothing is found. */
static bool is_named(const struct model *model, size_t count)
{
	bool right = (count > 0) == (model->cause != THROTTLE_UNKNOWN);

	for (size_t i = 0; i < count; i++)
		right &= findings[i].cause == model->cause;
	return right;
}

static void tell(const struct drive *drive, size_t count)
{
	print_message("# noise %.3f, to %.0f C in %.0f s, limit %.0f, sampled every %u s, factor "
		      "%.2f, threshold %.1f release %.1f, period %.0f\n",
		drive->noise, drive->hot, drive->tau, drive->limit, drive->sampled_every,
		drive->factor, drive->threshold, drive->release, drive->period);
	for (size_t i = 0; i < count; i++)
		print_message("# second %zu: %s: %s\n", findings[i].second,
			throttle_cause_name(findings[i].cause), findings[i].evidence);
}

static unsigned runs_named(const struct model *model)
{
	struct throttle_series series;
	struct drive drive;
	unsigned named = 0;

	for (unsigned run = 0; run < RUNS; run++) {
		simulate(model, FIRST_SEED + run, &drive, &series);
		size_t count = throttle_find(&series, findings);

		if (is_named(model, count))
			named++;
		else
			tell(&drive, count);
	}
	return named;
}

static void expect_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(models); i++)
		if (!strcmp(models[i].name, name)) {
			assert_int_equal(runs_named(&models[i]), RUNS);
			return;
		}
	fail_msg("no model '%s'", name);
}

static void throttling_in_steps_is_named_in_every_run(void **state)
{
	(void)state;
	expect_named("throttle at 70 C in steps");
}

static void throttling_with_hysteresis_is_named_in_every_run(void **state)
{
	(void)state;
	expect_named("throttle with hysteresis");
}

static void a_full_cache_is_named_in_every_run(void **state)
{
	(void)state;
	expect_named("cache cliff at 30 GB");
}

static void garbage_collection_is_named_in_every_run(void **state)
{
	(void)state;
	expect_named("sawtooth of garbage collection");
}

static void a_busy_host_is_named_in_every_run(void **state)
{
	(void)state;
	expect_named("steal of the host");
}

static void no_quiet_run_is_called_slow(void **state)
{
	(void)state;
	expect_named("no throttling");
}

/* Steady but for what a test changes: no noise, 40 C. */
static struct throttle_series plain(size_t count)
{
	for (size_t i = 0; i < count; i++)
		seconds[i] = (struct throttle_second) { .rate = 1000 + (double)(i % 7),
			.celsius = 40,
			.steal_percent = 0,
			.written_bytes = 1e9 * (double)i };
	return (struct throttle_series) { .seconds = seconds,
		.count = count,
		.writes = true,
		.limit_celsius = 70,
		.counter_change = NAN };
}

static void slow_from(size_t first, size_t count)
{
	for (size_t i = first; i < count; i++)
		seconds[i].rate *= 0.5;
}

static void a_counter_that_advanced_is_evidence_without_a_temperature(void **state)
{
	struct throttle_series series = plain(200);

	(void)state;
	slow_from(100, 200);
	for (size_t i = 0; i < 200; i++)
		seconds[i].celsius = NAN;
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_CACHE);
	assert_non_null(strstr(findings[0].evidence, "temperature is not known"));
	series.counter_change = 3;
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_THERMAL);
	assert_non_null(strstr(findings[0].evidence, "throttle counter rose by 3"));
	assert_true(findings[0].second >= 95 && findings[0].second <= 105);
}

static void a_counter_that_advanced_is_told_though_the_rate_is_steady(void **state)
{
	struct throttle_series series = plain(200);

	(void)state;
	series.counter_change = 1;
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_THERMAL);
	assert_non_null(strstr(findings[0].evidence, "nothing that stands out"));
}

static void a_fall_of_reads_for_no_reason_is_unknown(void **state)
{
	struct throttle_series series = plain(200);

	(void)state;
	slow_from(100, 200);
	series.writes = false;
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_UNKNOWN);
}

static void a_hot_drive_that_was_as_hot_before_did_not_slow_down_by_heat(void **state)
{
	struct throttle_series series = plain(600);

	(void)state;
	for (size_t i = 0; i < 600; i++)
		seconds[i].celsius = 69;
	slow_from(400, 600);
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_CACHE);
}

static void what_stays_slow_when_it_is_cool_again_was_not_slowed_by_heat(void **state)
{
	struct throttle_series series = plain(600);

	(void)state;
	for (size_t i = 0; i < 600; i++)
		seconds[i].celsius = i < 100 ? 40 + 0.3 * (double)i
					     : fmax(70 - 0.2 * (double)(i - 100), 45);
	slow_from(100, 600);
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_CACHE);
}

static void too_short_a_run_is_not_judged(void **state)
{
	struct throttle_series series = plain(THROTTLE_SECONDS_MIN - 1);

	(void)state;
	slow_from(20, THROTTLE_SECONDS_MIN - 1);
	assert_int_equal(throttle_find(&series, findings), 0);
}

static void seconds_that_a_reading_disturbed_do_not_count(void **state)
{
	struct throttle_series series = plain(200);

	(void)state;
	for (size_t i = 0; i < 200; i += 2) {
		seconds[i].rate = 10;
		seconds[i].disturbed = true;
	}
	assert_int_equal(throttle_find(&series, findings), 0);
}

/* The host is busy from the midst of a second to that of another, which seem to be
 * free: reads of a drive in the lab. */
static void seconds_in_which_a_busy_host_became_free_say_nothing_either(void **state)
{
	static const uint8_t rates[] = { 34, 31, 32, 34, 36, 35, 38, 42, 38, 36, 38, 40, 39, 37, 18,
		14, 10, 10, 14, 6, 10, 3, 21, 39, 38, 38, 38, 37, 39, 40, 9, 16, 8, 4, 9, 15, 22, 6,
		9, 37, 38, 36, 38, 36, 38, 38, 34, 38 };
	struct throttle_series series = plain(ARRAY_LEN(rates));

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rates); i++) {
		seconds[i].rate = rates[i];
		if ((i >= 14 && i < 22) || (i >= 30 && i < 38))
			seconds[i].steal_percent = 98;
	}
	series.writes = false;
	assert_int_equal(throttle_find(&series, findings), 1);
	assert_int_equal(findings[0].cause, THROTTLE_HOST);
}

/* Of few values that scatter, one in fifty series was said to repeat itself. */
static void a_short_run_that_scatters_has_no_period(void **state)
{
	enum { SERIES = 1000, COUNT = 48 };
	double values[COUNT], depth;
	unsigned quiet = 0, periodic = 0;

	(void)state;
	random_state = FIRST_SEED;
	for (int run = 0; run < SERIES; run++) {
		for (int i = 0; i < COUNT; i++)
			values[i] = round(19 * (1 + 0.055 * normal()));
		quiet += period_of(values, COUNT, &depth) != 0;
		for (int i = 0; i < COUNT; i++)
			values[i] = round(
				20 * (1 - 0.65 * (i % 11) / 11.0) * (1 + 0.08 * normal()));
		periodic += period_of(values, COUNT, &depth) == 11;
	}
	assert_true(quiet <= SERIES / 500);
	assert_int_equal(periodic, SERIES);
}

static void nothing_and_nonsense_give_no_finding(void **state)
{
	struct throttle_series series = plain(200);

	(void)state;
	for (size_t i = 0; i < 200; i++)
		seconds[i].rate = 0;
	assert_int_equal(throttle_find(&series, findings), 0);
	for (size_t i = 0; i < 200; i++)
		seconds[i].rate = NAN;
	assert_int_equal(throttle_find(&series, findings), 0);
	series.count = 0;
	assert_int_equal(throttle_find(&series, findings), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(throttling_in_steps_is_named_in_every_run),
		cmocka_unit_test(throttling_with_hysteresis_is_named_in_every_run),
		cmocka_unit_test(a_full_cache_is_named_in_every_run),
		cmocka_unit_test(garbage_collection_is_named_in_every_run),
		cmocka_unit_test(a_busy_host_is_named_in_every_run),
		cmocka_unit_test(no_quiet_run_is_called_slow),
		cmocka_unit_test(a_counter_that_advanced_is_evidence_without_a_temperature),
		cmocka_unit_test(a_counter_that_advanced_is_told_though_the_rate_is_steady),
		cmocka_unit_test(a_fall_of_reads_for_no_reason_is_unknown),
		cmocka_unit_test(a_hot_drive_that_was_as_hot_before_did_not_slow_down_by_heat),
		cmocka_unit_test(what_stays_slow_when_it_is_cool_again_was_not_slowed_by_heat),
		cmocka_unit_test(too_short_a_run_is_not_judged),
		cmocka_unit_test(seconds_that_a_reading_disturbed_do_not_count),
		cmocka_unit_test(seconds_in_which_a_busy_host_became_free_say_nothing_either),
		cmocka_unit_test(a_short_run_that_scatters_has_no_period),
		cmocka_unit_test(nothing_and_nonsense_give_no_finding),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
