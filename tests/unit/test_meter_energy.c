/* Energy from readings: known waveforms, dropouts, and the lines of programs. */
#include "test.h"

#include <math.h>
#include <stdio.h>

#include "measure/meter.h"

enum { SAMPLES_MAX = 20000 };

static const int64_t SECOND = 1000000000;
static struct meter_sample samples[SAMPLES_MAX];
static size_t count;

/* A waveform in watts and its exact integral from 0 to t. */
struct waveform {
	const char *name;
	double (*watts)(double t);
	double (*joules)(double t);
};

static double constant(double t)
{
	(void)t;
	return 5.5;
}
static double constant_joules(double t)
{
	return 5.5 * t;
}
static double ramp(double t)
{
	return 2 + 0.3 * t;
}
static double ramp_joules(double t)
{
	return 2 * t + 0.15 * t * t;
}
static double sine(double t)
{
	return 6 + 3 * sin(2 * M_PI * t / 1.7);
}
static double sine_joules(double t)
{
	return 6 * t + 3 * 1.7 / (2 * M_PI) * (1 - cos(2 * M_PI * t / 1.7));
}
static double square(double t)
{
	return fmod(t, 4) < 1 ? 9 : 3;
}
static double square_joules(double t)
{
	return 18 * floor(t / 4) + 3 * fmod(t, 4) + 6 * fmin(fmod(t, 4), 1);
}

static const struct waveform waveforms[] = {
	{ "constant", constant, constant_joules },
	{ "ramp", ramp, ramp_joules },
	{ "sine", sine, sine_joules },
	{ "square", square, square_joules },
};

static double jitter(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return (double)(*seed >> 8) / (1 << 24) - 0.5;
}

/* Readings every 0.1 s, late or early by up to 40 ms. */
static void sample(double (*watts)(double), double from, double to, uint32_t seed)
{
	for (double t = from; t <= to; t += 0.1) {
		double at = t + 0.08 * jitter(&seed);

		samples[count++] = (struct meter_sample) { SECOND + (int64_t)(at * 1e9), watts(at),
			watts(at), 1 };
	}
}

static void integrate(double from, double to, struct meter_figures *figures)
{
	meter_integrate(samples, count, SECOND + (int64_t)(from * 1e9),
		SECOND + (int64_t)(to * 1e9), SECOND, METER_SAMPLES_MIN, figures);
}

static void the_energy_of_a_known_waveform_is_within_one_percent(void **state)
{
	static const double windows[][2] = { { 0, 60 }, { 0.37, 41.9 }, { 12.2, 29.15 } };
	struct meter_figures figures;

	(void)state;
	for (size_t w = 0; w < ARRAY_LEN(waveforms); w++) {
		count = 0;
		sample(waveforms[w].watts, -0.3, 61, (uint32_t)w + 1);
		for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
			double from = windows[i][0], to = windows[i][1];
			double joules = waveforms[w].joules(to) - waveforms[w].joules(from);

			integrate(from, to, &figures);
			if (!figures.known || fabs(figures.joules / joules - 1) > 0.01)
				fail_msg("%s %g..%g: %g J, not %g", waveforms[w].name, from, to,
					figures.joules, joules);
			assert_true(fabs(figures.average_watts * (to - from) / joules - 1) < 0.01);
			assert_true(fabs(figures.coverage_percent - 100) < 1e-6);
			assert_int_equal(figures.gap_count, 0);
		}
	}
}

static void a_dropout_is_a_gap_and_nothing_is_made_up_in_it(void **state)
{
	struct meter_figures figures;

	(void)state;
	count = 0;
	sample(constant, 0, 20, 7);
	sample(constant, 24, 101, 8);
	integrate(0.1, 100, &figures);
	assert_int_equal(figures.gap_count, 1);
	assert_true(fabs(figures.longest_gap_seconds - 4) < 0.2);
	assert_true(fabs(figures.coverage_percent - 96) < 0.3);
	assert_true(figures.known);
	/* the energy is that of the covered time alone */
	assert_true(fabs(figures.joules - 5.5 * figures.covered_seconds) < 1e-6);
	assert_true(fabs(figures.average_watts - 5.5) < 1e-9);
}

static void below_its_coverage_nothing_is_known(void **state)
{
	static const struct {
		double until, to;
		bool known;
	} cases[] = { { 91, 100, true }, { 88, 100, false }, { 50, 100, false } };
	struct meter_figures figures;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		count = 0;
		sample(sine, -0.2, cases[i].until, 3);
		integrate(0, cases[i].to, &figures);
		assert_int_equal(figures.known, cases[i].known);
		assert_int_equal(isnan(figures.joules), !cases[i].known);
		assert_int_equal(isnan(figures.maximum_watts), !cases[i].known);
		assert_int_equal(figures.gap_count, 1);
		assert_true(
			fabs(figures.longest_gap_seconds - (cases[i].to - cases[i].until)) < 0.3);
	}
}

static void a_meter_that_begins_late_or_never_covers_nothing(void **state)
{
	struct meter_figures figures;

	(void)state;
	count = 0;
	integrate(0, 10, &figures);
	assert_false(figures.known);
	assert_true(figures.coverage_percent <= 0);
	assert_int_equal(figures.gap_count, 1);
	assert_true(fabs(figures.longest_gap_seconds - 10) < 1e-9);
	sample(constant, 6, 10.5, 1);
	integrate(0, 10, &figures);
	assert_false(figures.known);
	assert_true(figures.coverage_percent > 35 && figures.coverage_percent < 45);
	assert_true(fabs(figures.longest_gap_seconds - 6) < 0.1);
	integrate(10, 10, &figures);
	assert_false(figures.known);
}

static void the_maximum_is_of_readings_within_the_time(void **state)
{
	struct meter_figures figures;

	(void)state;
	count = 0;
	sample(ramp, 0, 20, 5);
	integrate(5, 15, &figures);
	assert_true(figures.maximum_watts > ramp(14.8) && figures.maximum_watts <= ramp(15));
	assert_int_equal(figures.sample_count, 100);
}

static void lines_of_a_program_are_read_or_refused(void **state)
{
	static const struct {
		const char *line;
		enum meter_reading kind;
		int64_t ns;
		double watts;
	} cases[] = {
		{ "5.25", METER_READ, 1000, 5.25 },
		{ "  0 ", METER_READ, 1000, 0 },
		{ "- 7e-1", METER_READ, 1000, 0.7 },
		{ "900 4.5\r", METER_READ, 900, 4.5 },
		{ "9007199254740993 1", METER_BAD, 0, 0 }, /* in the future */
		{ "-5 4.5", METER_BAD, 0, 0 },
		{ "1.5 4.5", METER_BAD, 0, 0 },
		{ "nan", METER_BAD, 0, 0 },
		{ "inf", METER_BAD, 0, 0 },
		{ "5.2W", METER_BAD, 0, 0 },
		{ "1 2 3", METER_BAD, 0, 0 },
		{ "watts", METER_BAD, 0, 0 },
		{ "", METER_NONE, 0, 0 },
		{ "# 5", METER_NONE, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		int64_t ns = 0;
		double watts = 0;
		enum meter_reading kind = meter_line(cases[i].line, 1000, &ns, &watts);

		if (kind != cases[i].kind ||
			(kind == METER_READ &&
				(ns != cases[i].ns || fabs(watts - cases[i].watts) > 1e-12)))
			fail_msg("'%s': %d, %lld, %g", cases[i].line, kind, (long long)ns, watts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_energy_of_a_known_waveform_is_within_one_percent),
		cmocka_unit_test(a_dropout_is_a_gap_and_nothing_is_made_up_in_it),
		cmocka_unit_test(below_its_coverage_nothing_is_known),
		cmocka_unit_test(a_meter_that_begins_late_or_never_covers_nothing),
		cmocka_unit_test(the_maximum_is_of_readings_within_the_time),
		cmocka_unit_test(lines_of_a_program_are_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
