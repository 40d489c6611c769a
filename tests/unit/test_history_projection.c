/*
 * Projections against drives whose future is simulated, too: of each habit, how
 * often the true date lies in the range. Prints the table.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/history.h"
#include "test.h"

enum { RUNS = 100, LENGTHS = 4, DAYS_MAX = 730, FUTURE_MAX = 20000 };

static const size_t lengths[LENGTHS] = { 60, 180, 365, DAYS_MAX };

/* A drive that is written to. */
struct drive {
	uint64_t random;
	double level, a, b;
	int day, left;
	bool bursts;
};

static double uniform(struct drive *drive)
{
	drive->random ^= drive->random >> 12;
	drive->random ^= drive->random << 25;
	drive->random ^= drive->random >> 27;
	return ((double)(drive->random * 2685821657736338717u >> 11) + 0.5) / 9007199254740992.0;
}

static double gauss(struct drive *drive)
{
	double radius = sqrt(-2 * log(uniform(drive)));

	return radius * cos(2 * M_PI * uniform(drive));
}

/* Five days of work, two quiet ones, and what differs from day to day. */
static double working_day(struct drive *drive)
{
	return (drive->day % 7 >= 5 ? 0.5 : 1.2) * exp(0.15 * gauss(drive));
}

static double constant(struct drive *drive)
{
	return working_day(drive);
}

static double heavy_tail(struct drive *drive)
{
	return exp(1.5 * gauss(drive));
}

/* Quiet for 25 days, then 4 of much. */
static double clusters(struct drive *drive)
{
	if (uniform(drive) < (drive->bursts ? 1.0 / 4 : 1.0 / 25))
		drive->bursts = !drive->bursts;
	return drive->bursts ? 6 * exp(0.7 * gauss(drive)) : 0.1 * working_day(drive);
}

static double monthly(struct drive *drive)
{
	if (drive->day == 0)
		drive->left = (int)(30 * uniform(drive));
	return (drive->day % 30 == drive->left ? 20 : 0.3) * working_day(drive);
}

/* Once in the record, up to four times as much or as little. */
static double one_step(struct drive *drive)
{
	if (drive->day == (int)drive->a)
		drive->level = exp((2 * uniform(drive) - 1) * log(4));
	return drive->level * working_day(drive);
}

/* Every 120 days or so another use. */
static double regimes(struct drive *drive)
{
	if (drive->left-- <= 0) {
		drive->left = (int)(-120 * log(uniform(drive))) + 1;
		drive->level = exp(0.6 * gauss(drive));
	}
	return drive->level * working_day(drive);
}

static double drift(struct drive *drive)
{
	drive->level *= exp(0.1 / sqrt(30) * gauss(drive));
	return drive->level * working_day(drive);
}

/* By up to 60 % a year more, or 35 % less. */
static double growth(struct drive *drive)
{
	if (drive->day == 0)
		drive->b = log(uniform(drive) < 0.5 ? 1 + 0.6 * uniform(drive)
						    : 1 - 0.35 * uniform(drive));
	return exp(drive->b * drive->day / 365) * working_day(drive);
}

static double seasons(struct drive *drive)
{
	if (drive->day == 0)
		drive->b = 365 * uniform(drive);
	return (1 + 0.4 * sin(2 * M_PI * (drive->day + drive->b) / 365)) * working_day(drive);
}

/* Habits that the constants of the projection were not chosen with. */

/* A backup at each weekend. */
static double backups(struct drive *drive)
{
	return (drive->day % 7 == 6 ? 10 : 0.5) * exp(0.1 * gauss(drive));
}

/* One month in four nobody writes. */
static double idle_months(struct drive *drive)
{
	if (drive->day % 30 == 0)
		drive->level = uniform(drive) < 0.25 ? 0.02 : 1;
	return drive->level * working_day(drive);
}

/* A few days are many times the others. */
static double pareto(struct drive *drive)
{
	return pow(uniform(drive), -1 / 1.8);
}

/* A level that wanders about its mean, and returns within some 40 days. */
static double wandering(struct drive *drive)
{
	drive->a = drive->day ? 0.975 * drive->a + 0.1 * gauss(drive) : 0.45 * gauss(drive);
	return exp(drive->a) * working_day(drive);
}

/* As much more each day as before: up to twice as much in two years. */
static double ramp(struct drive *drive)
{
	if (drive->day == 0)
		drive->b = uniform(drive) / 730;
	return (1 + drive->b * drive->day) * working_day(drive);
}

/* A quarter of a year of much, then one of a third of it. */
static double quarters(struct drive *drive)
{
	if (drive->day == 0)
		drive->left = (int)(182 * uniform(drive));
	return ((drive->day + drive->left) / 91 % 2 ? 1 : 0.33) * working_day(drive);
}

static const struct habit {
	const char *kind, *name;
	double (*write)(struct drive *drive);
} habits[] = {
	{ "constant", "constant, by week", constant },
	{ "bursty", "heavy tail", heavy_tail },
	{ "bursty", "clusters", clusters },
	{ "bursty", "monthly", monthly },
	{ "changing", "one step", one_step },
	{ "changing", "regimes", regimes },
	{ "changing", "drift", drift },
	{ "changing", "growth, decline", growth },
	{ "changing", "seasons", seasons },
	{ "constant", "backups", backups },
	{ "bursty", "idle months", idle_months },
	{ "bursty", "pareto", pareto },
	{ "changing", "wandering", wandering },
	{ "changing", "ramp", ramp },
	{ "changing", "quarters", quarters },
};

static double next_day(struct drive *drive, const struct habit *habit)
{
	double amount = habit->write(drive);

	drive->day++;
	return amount;
}

struct tally {
	unsigned runs, hits, lifetime_hits;
	double low[RUNS * LENGTHS], high[RUNS * LENGTHS]; /* of the range, in true ones */
};

/* How long it really lasts. */
static double live(struct drive *drive, const struct habit *habit, double remaining)
{
	double amount = 0;
	int days = 0;

	for (; remaining > 0 && days < FUTURE_MAX; days++) {
		amount = next_day(drive, habit);
		remaining -= amount;
	}
	return days + (amount > 0 ? remaining / amount : 0);
}

static bool lies_in(double truth, const struct projection *projection)
{
	return truth >= projection->earliest && truth <= projection->latest;
}

static void try(const struct habit *habit, size_t length, unsigned seed, struct tally *tally)
{
	struct drive drive = { .random = 0x9e3779b97f4a7c15u * (seed + 1), .level = 1 };
	struct projection recent, lifetime;
	double amounts[DAYS_MAX], sum = 0;

	for (int i = 0; i < 20; i++)
		uniform(&drive);
	drive.a = 0.95 * (double)length * uniform(&drive);
	for (size_t i = 0; i < length; i++)
		sum += amounts[i] = next_day(&drive, habit);
	/* What is left lasts a quarter to three times as long as the record. */
	double remaining = sum * exp(log(0.25) + log(12) * uniform(&drive));
	double truth = live(&drive, habit, remaining);

	project(amounts, length, remaining, projection_recent_rate(amounts, length), &recent);
	project(amounts, length, remaining, sum / (double)length, &lifetime);
	tally->low[tally->runs] = recent.earliest / truth;
	tally->high[tally->runs] = recent.latest / truth;
	tally->runs++;
	tally->hits += lies_in(truth, &recent);
	tally->lifetime_hits += lies_in(truth, &lifetime);
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
	qsort(values, count, sizeof(*values), compare);
	return values[count / 2];
}

static void try_all(const struct habit *habit, unsigned number, struct tally *tally)
{
	printf("# %-9s %-18s", habit->kind, habit->name);
	for (size_t i = 0; i < LENGTHS; i++) {
		unsigned before = tally->hits;

		for (unsigned run = 0; run < RUNS; run++)
			try(habit, lengths[i], (number * LENGTHS + (unsigned)i) * RUNS + run,
				tally);
		printf(" %4.0f %%", 100.0 * (tally->hits - before) / RUNS);
	}
	printf("  %4.0f %%  %4.0f %%  %5.2f to %5.2f\n", 100.0 * tally->hits / tally->runs,
		100.0 * tally->lifetime_hits / tally->runs, median(tally->low, tally->runs),
		median(tally->high, tally->runs));
}

static void the_true_date_lies_in_nine_of_ten_ranges(void **state)
{
	static const char *const kinds[] = { "constant", "bursty", "changing" };
	static struct tally tallies[ARRAY_LEN(habits)];

	(void)state;
	printf("# true date in the range, by days recorded; median range, true date = 1\n"
	       "# %-28s     60    180    365    730     all  lifetime  range\n",
		"writes");
	for (unsigned i = 0; i < ARRAY_LEN(habits); i++)
		try_all(&habits[i], i, &tallies[i]);
	for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
		unsigned hits = 0, runs = 0;

		for (size_t i = 0; i < ARRAY_LEN(habits); i++) {
			if (strcmp(habits[i].kind, kinds[k]) != 0)
				continue;
			hits += tallies[i].hits;
			runs += tallies[i].runs;
			assert_in_range(
				tallies[i].hits * 10, tallies[i].runs * 9, tallies[i].runs * 10);
		}
		printf("# %-9s all: %u of %u\n", kinds[k], hits, runs);
	}
}

/* A range that is always right says nothing. */
static void constant_writes_have_a_narrow_range(void **state)
{
	static const double widest[LENGTHS] = { 3.3, 1.9, 1.5, 1.35 };

	(void)state;
	for (size_t i = 0; i < LENGTHS; i++) {
		struct drive drive = { .random = 12345 };
		struct projection projection;
		double amounts[DAYS_MAX], sum = 0;

		for (size_t d = 0; d < lengths[i]; d++)
			sum += amounts[d] = next_day(&drive, &habits[0]);
		project(amounts, lengths[i], sum, sum / (double)lengths[i], &projection);
		assert_true(fabs(projection.days - (double)lengths[i]) < 1e-6);
		assert_true(projection.earliest < projection.days);
		assert_true(projection.latest > projection.days);
		if (projection.latest / projection.earliest > widest[i] * widest[i])
			fail_msg("%zu days: %f to %f", lengths[i], projection.earliest,
				projection.latest);
	}
}

static void what_is_used_up_is_used_up_now(void **state)
{
	double amounts[30];
	struct projection projection;

	(void)state;
	for (size_t i = 0; i < 30; i++)
		amounts[i] = 1;
	project(amounts, 30, 0, 1, &projection);
	assert_true(projection.days <= 0 && projection.latest <= 0);
	project(amounts, 30, -5, 1, &projection);
	assert_true(projection.days <= 0 && projection.latest <= 0);
}

static void a_drive_that_is_not_written_to_lasts(void **state)
{
	double amounts[30] = { 0 };
	struct projection projection;

	(void)state;
	project(amounts, 30, 100, projection_recent_rate(amounts, 30), &projection);
	assert_true(isinf(projection.days));
	assert_true(isnan(projection.earliest) && isnan(projection.latest));
	/* It was once: the past rate is one, but its days tell no range. */
	project(amounts, 30, 100, 2, &projection);
	assert_true(fabs(projection.days - 50) < 1e-9);
	assert_true(isnan(projection.earliest) && isnan(projection.latest));
}

static void few_days_tell_no_range(void **state)
{
	double amounts[PROJECTION_DAYS];
	struct projection projection;

	(void)state;
	for (size_t i = 0; i < PROJECTION_DAYS; i++)
		amounts[i] = 2;
	project(amounts, PROJECTION_DAYS - 1, 100, 2, &projection);
	assert_true(fabs(projection.days - 50) < 1e-9);
	assert_true(isnan(projection.earliest));
	project(amounts, PROJECTION_DAYS, 100, 2, &projection);
	assert_true(projection.earliest < 50 && projection.latest > 50);
}

static void the_same_days_give_the_same_range(void **state)
{
	struct drive drive = { .random = 99 };
	struct projection first, second;
	double amounts[200];

	(void)state;
	for (size_t i = 0; i < 200; i++)
		amounts[i] = next_day(&drive, &habits[1]);
	project(amounts, 200, 1000, 5, &first);
	project(amounts, 200, 1000, 5, &second);
	assert_memory_equal(&first, &second, sizeof(first));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_true_date_lies_in_nine_of_ten_ranges),
		cmocka_unit_test(constant_writes_have_a_narrow_range),
		cmocka_unit_test(what_is_used_up_is_used_up_now),
		cmocka_unit_test(a_drive_that_is_not_written_to_lasts),
		cmocka_unit_test(few_days_tell_no_range),
		cmocka_unit_test(the_same_days_give_the_same_range),
	};

	return cmocka_run_group_tests_name("history_projection", tests, NULL, NULL);
}
