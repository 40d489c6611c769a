/* The steady-state rule of the PTS on series that were computed by hand. */
#include "test.h"

#include <math.h>

#include "assay/measure.h"

static const struct steady_wanted pts = {
	.rule = STEADY_PTS, .window = 5, .range_percent = 20, .slope_percent = 10
};

static bool close_to(double a, double b)
{
	return fabs(a - b) < 1e-6;
}

static struct steady_state of(
	const struct steady_wanted *wanted, const double *rounds, size_t count)
{
	return steady_state_of(wanted, rounds, count);
}

static void fewer_rounds_than_the_window_decide_nothing(void **state)
{
	static const double rounds[] = { 100, 100, 100, 100 };

	(void)state;
	for (size_t count = 0; count <= 4; count++) {
		assert_false(of(&pts, rounds, count).enough);
		assert_false(of(&pts, rounds, count).attained);
	}
}

static void range_and_slope_are_those_computed_by_hand(void **state)
{
	/* average 100, range 20, slope (-2*90 - 95 + 105 + 2*110) / 10 = 5, over 4 steps 20 */
	static const double rounds[] = { 90, 95, 100, 105, 110 };
	/* average 100, range 8, slope (-2*102 - 98 + 97 + 2*98) / 10 = -0.9, over 4 steps -3.6 */
	static const double level[] = { 102, 98, 105, 97, 98 };
	struct steady_state rising = of(&pts, rounds, 5), steady = of(&pts, level, 5);

	(void)state;
	assert_true(rising.enough && !rising.attained);
	assert_true(close_to(rising.average, 100));
	assert_true(close_to(rising.range_percent, 20));
	assert_true(close_to(rising.slope_percent, 20));
	assert_true(steady.attained);
	assert_true(close_to(steady.range_percent, 8));
	assert_true(close_to(steady.slope_percent, -0.9 * 4));
}

static void limits_themselves_are_still_steady(void **state)
{
	/* range exactly 20 % of 100, no slope */
	static const double wide[] = { 90, 110, 100, 110, 90 };
	static const double wider[] = { 90, 111, 99, 110, 90 };
	/* slope 2.5 a round: exactly 10 % over the window */
	static const double slope[] = { 95, 97.5, 100, 102.5, 105 };
	static const double steeper[] = { 94.9, 97.5, 100, 102.5, 105.1 };

	(void)state;
	assert_true(of(&pts, wide, 5).attained);
	assert_false(of(&pts, wider, 5).attained);
	assert_true(of(&pts, slope, 5).attained);
	assert_false(of(&pts, steeper, 5).attained);
}

/* The round at which a series is steady for the first time; 0: never. */
static size_t first_steady(const double *rounds, size_t count)
{
	for (size_t n = 1; n <= count; n++)
		if (of(&pts, rounds, n).attained)
			return n;
	return 0;
}

static void a_fresh_drive_settles_after_its_burst(void **state)
{
	/* as reviews plot it: 51,000 IOPS that fall to 17,900 */
	static const double rounds[] = { 51000, 49800, 44000, 31000, 24500, 21000, 19000, 18400,
		18100, 17950, 17885, 17890, 17880 };

	(void)state;
	/* rounds 6 to 10: average 18,890, range 3,050 (16.1 %), slope -675.5 * ... too steep;
	 * rounds 7 to 11: average 18,267, range 1,115 (6.1 %), fitted rise -5.9 % */
	assert_int_equal(first_steady(rounds, ARRAY_LEN(rounds)), 11);
}

static void a_sawtooth_within_the_range_is_steady_and_a_deep_one_is_not(void **state)
{
	static const double small[] = { 95, 105, 95, 105, 95, 105 };
	static const double deep[] = { 80, 120, 80, 120, 80, 120, 80, 120, 80, 120 };

	(void)state;
	assert_int_equal(first_steady(small, ARRAY_LEN(small)), 5);
	assert_int_equal(first_steady(deep, ARRAY_LEN(deep)), 0);
}

static void a_slow_drift_is_never_steady(void **state)
{
	double rounds[25];

	(void)state;
	/* 4 % a round: range 16 %, below its limit, but the line rises by 16 % */
	for (size_t i = 0; i < ARRAY_LEN(rounds); i++)
		rounds[i] = 1000 * pow(0.96, (double)i);
	assert_int_equal(first_steady(rounds, ARRAY_LEN(rounds)), 0);
}

static void a_cliff_restarts_the_window(void **state)
{
	static const double rounds[] = { 100, 100, 100, 100, 60, 60, 60, 60, 60 };

	(void)state;
	assert_false(of(&pts, rounds, 5).attained);
	assert_false(of(&pts, rounds, 8).attained);
	assert_true(of(&pts, rounds, 9).attained);
}

static void nothing_at_all_is_not_steady(void **state)
{
	static const double rounds[] = { 0, 0, 0, 0, 0 };

	(void)state;
	assert_false(of(&pts, rounds, 5).attained);
}

static void other_rules_look_at_one_of_the_two(void **state)
{
	static const double rising[] = { 95, 97, 100, 104, 109 };
	struct steady_wanted range = pts, slope = pts;

	(void)state;
	range.rule = STEADY_RANGE;
	slope.rule = STEADY_SLOPE;
	assert_true(of(&range, rising, 5).attained);
	assert_false(of(&slope, rising, 5).attained);
	assert_false(of(&pts, rising, 5).attained);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_rounds_than_the_window_decide_nothing),
		cmocka_unit_test(range_and_slope_are_those_computed_by_hand),
		cmocka_unit_test(limits_themselves_are_still_steady),
		cmocka_unit_test(a_fresh_drive_settles_after_its_burst),
		cmocka_unit_test(a_sawtooth_within_the_range_is_steady_and_a_deep_one_is_not),
		cmocka_unit_test(a_slow_drift_is_never_steady),
		cmocka_unit_test(a_cliff_restarts_the_window),
		cmocka_unit_test(nothing_at_all_is_not_steady),
		cmocka_unit_test(other_rules_look_at_one_of_the_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
