/* The middle of some numbers. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "measure/median.h"

static void the_middle_one_or_the_mean_of_the_middle_two(void **state)
{
	static const struct {
		double values[5];
		size_t count;
		double median, of_them;
	} table[] = {
		{ { 7 }, 1, 7, 7 },
		{ { 9, 1 }, 2, 5, 9 },
		{ { 5, 100, 1 }, 3, 5, 5 },
		{ { 4, 1, 100, 2 }, 4, 3, 4 },
		{ { 3, 3, -1, 8, 2 }, 5, 3, 3 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		double values[5];

		memcpy(values, table[i].values, sizeof(values));
		assert_float_equal(median_of(values, table[i].count), table[i].of_them, 1e-9);
		assert_memory_equal(values, table[i].values, sizeof(values));
		assert_float_equal(sorted_median(values, table[i].count), table[i].median, 1e-9);
		for (size_t k = 1; k < table[i].count; k++)
			assert_true(values[k - 1] <= values[k]);
	}
}

static void of_none_there_is_no_median(void **state)
{
	(void)state;
	assert_true(isnan(median_of(NULL, 0)));
	assert_true(isnan(sorted_median(NULL, 0)));
}

static void parts_go_from_the_least_to_the_most(void **state)
{
	static const double values[] = { 40, 10, 30, 20, 50 };

	(void)state;
	assert_float_equal(quantile_of(values, 5, 0), 10, 1e-9);
	assert_float_equal(quantile_of(values, 5, 0.1), 10, 1e-9);
	assert_float_equal(quantile_of(values, 5, 0.75), 40, 1e-9);
	assert_float_equal(quantile_of(values, 5, 1), 50, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_middle_one_or_the_mean_of_the_middle_two),
		cmocka_unit_test(of_none_there_is_no_median),
		cmocka_unit_test(parts_go_from_the_least_to_the_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
