/* Latency histograms against exact values. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "assay/histogram.h"
#include "measure/random.h"

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void bins_follow_each_other_without_a_gap(void **state)
{
	(void)state;
	for (size_t bin = 0; bin < HISTOGRAM_BINS - 1; bin++) {
		uint64_t low = histogram_low_ns(bin), high = histogram_high_ns(bin);

		assert_true(low < high);
		assert_int_equal(histogram_bin(low), bin);
		assert_int_equal(histogram_bin(high - 1), bin);
		assert_int_equal(histogram_bin(high), bin + 1);
		if (low >= 128)
			assert_true((double)(high - low) / (double)low <= 1.0 / 64);
	}
}

static void the_bins_reach_a_thousand_seconds(void **state)
{
	(void)state;
	assert_int_equal(histogram_high_ns(HISTOGRAM_BINS - 1), UINT64_C(1) << 40);
	assert_int_equal(histogram_bin((UINT64_C(1) << 40) - 1), HISTOGRAM_BINS - 1);
	assert_int_equal(histogram_bin(UINT64_MAX), HISTOGRAM_BINS - 1);
}

static void nothing_has_no_percentile(void **state)
{
	struct histogram histogram;

	(void)state;
	histogram_init(&histogram);
	assert_int_equal(histogram_percentile_ns(&histogram, 99), 0);
	assert_true(histogram_mean_ns(&histogram) == 0);
	assert_true(histogram_deviation_ns(&histogram) == 0);
}

static void a_percentile_is_never_above_the_maximum_nor_below_the_minimum(void **state)
{
	static const uint64_t values[] = { 0, 1, 127, 128, 129, 1000003, 17200000000, 1099511627775,
		5000000000000 };
	struct histogram histogram;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		histogram_init(&histogram);
		histogram_add(&histogram, values[i]);
		assert_int_equal(histogram_percentile_ns(&histogram, 0), values[i]);
		assert_int_equal(histogram_percentile_ns(&histogram, 50), values[i]);
		assert_int_equal(histogram_percentile_ns(&histogram, 99.9999), values[i]);
	}
}

/* Latencies as drives have them: a body and a long tail. */
static uint64_t latency(struct random *random)
{
	double unit = random_unit(random);

	return (uint64_t)(80000 * (1 - log(unit)) + (unit < 0.001 ? 5e7 * unit * 1000 : 0));
}

static void percentiles_are_within_one_bin_of_exact_ones(void **state)
{
	enum { COUNT = 200000 };
	static const double percents[] = { 1, 10, 50, 90, 99, 99.9, 99.99, 99.999, 100 };
	uint64_t *values = calloc(COUNT, sizeof(*values));
	struct histogram histogram;
	struct random random;

	(void)state;
	histogram_init(&histogram);
	random_seed(&random, 7);
	for (size_t i = 0; i < COUNT; i++) {
		values[i] = latency(&random);
		histogram_add(&histogram, values[i]);
	}
	qsort(values, COUNT, sizeof(*values), by_value);
	for (size_t i = 0; i < ARRAY_LEN(percents); i++) {
		size_t rank = (size_t)ceil(COUNT * percents[i] / 100) - 1;

		assert_int_equal(histogram_bin(histogram_percentile_ns(&histogram, percents[i])),
			histogram_bin(values[rank]));
	}
	assert_int_equal(histogram.min_ns, values[0]);
	assert_int_equal(histogram.max_ns, values[COUNT - 1]);
	assert_int_equal(histogram_percentile_ns(&histogram, 100), values[COUNT - 1]);
	free(values);
}

static void mean_and_deviation_are_exact(void **state)
{
	static const uint64_t values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct histogram histogram;

	(void)state;
	histogram_init(&histogram);
	for (size_t i = 0; i < ARRAY_LEN(values); i++)
		histogram_add(&histogram, values[i] + 2000000000);
	assert_true(fabs(histogram_mean_ns(&histogram) - 2000000005) < 1e-6);
	assert_true(fabs(histogram_deviation_ns(&histogram) - 2) < 1e-9);
}

static void merging_is_the_same_as_adding_all_to_one(void **state)
{
	struct histogram parts[3], whole, merged;
	struct random random;

	(void)state;
	histogram_init(&whole);
	histogram_init(&merged);
	random_seed(&random, 1);
	for (size_t i = 0; i < 3; i++)
		histogram_init(&parts[i]);
	for (size_t i = 0; i < 10000; i++) {
		uint64_t value = latency(&random);

		histogram_add(&whole, value);
		histogram_add(&parts[i % 2], value); /* the third stays empty */
	}
	for (size_t i = 0; i < 3; i++)
		histogram_merge(&merged, &parts[i]);
	assert_memory_equal(&merged, &whole, sizeof(whole));
}

static void many_of_one_are_the_same_as_adding_each(void **state)
{
	struct histogram each, many;
	struct random random;

	(void)state;
	histogram_init(&each);
	histogram_init(&many);
	random_seed(&random, 2);
	for (size_t i = 0; i < 1000; i++) {
		uint64_t value = latency(&random), count = random_below(&random, 40) + 1;

		histogram_add_many(&many, value, count);
		while (count-- > 0)
			histogram_add(&each, value);
	}
	assert_memory_equal(&many, &each, sizeof(each));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bins_follow_each_other_without_a_gap),
		cmocka_unit_test(the_bins_reach_a_thousand_seconds),
		cmocka_unit_test(nothing_has_no_percentile),
		cmocka_unit_test(a_percentile_is_never_above_the_maximum_nor_below_the_minimum),
		cmocka_unit_test(percentiles_are_within_one_bin_of_exact_ones),
		cmocka_unit_test(mean_and_deviation_are_exact),
		cmocka_unit_test(merging_is_the_same_as_adding_all_to_one),
		cmocka_unit_test(many_of_one_are_the_same_as_adding_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
