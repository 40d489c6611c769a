#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "render/text_table.h"

static const struct column columns[] = {
	{ "day", "Day", UNIT_NONE },
	{ "warmth", "Warmth", UNIT_CELSIUS },
	{ "hidden", NULL, UNIT_COUNT },
};
static const struct table table = { "days", "Day by day", columns, ARRAY_LEN(columns),
	TABLE_SERIES };

enum { VALUES = 200 };

/* What is printed of a series, with its heading; to be freed. */
static char *printed(const double *values, size_t count, unsigned width)
{
	struct facts facts;
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	facts_init(&facts);
	for (size_t i = 0; i < count; i++) {
		struct row *row = facts_row(&facts, &table, source_derived("test"));

		row_set(row, "day", value_text(facts_printf(&facts, "day %zu", i + 1)));
		row_set(row, "warmth", isnan(values[i]) ? value_null() : value_real(values[i]));
		row_set(row, "hidden", value_uint(i));
	}
	text_series_print(file, &facts, &table, width);
	fclose(file);
	facts_deinit(&facts);
	return text;
}

static void numbers_are_bars_between_the_lowest_and_the_highest(void **state)
{
	static const struct {
		double values[10];
		size_t count;
		const char *want;
	} cases[] = {
		{ { 1, 2, 3, 4, 5, 6, 7, 8 }, 8, "▁▂▃▄▅▆▇█  1 °C to 8 °C, last 8 °C" },
		{ { 0, 100 }, 2, "▁█  0 °C to 100 °C, last 100 °C" },
		{ { 30, 30, 30 }, 3, "▁▁▁  30 °C to 30 °C, last 30 °C" },
		{ { 40 }, 1, "▁  40 °C to 40 °C, last 40 °C" },
		{ { -10, NAN, 10, NAN }, 4, "▁ █   -10 °C to 10 °C, last 10 °C" },
		{ { NAN, 5 }, 2, " ▁  5 °C to 5 °C, last 5 °C" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = printed(cases[i].values, cases[i].count, 0), want[200];

		snprintf(want, sizeof(want), "\n  Day by day, day 1 to day %zu\n    %-26s%s\n",
			cases[i].count, "Warmth", cases[i].want);
		assert_string_equal(text, want);
		free(text);
	}
}

static void a_series_of_nothing_has_no_line(void **state)
{
	static const double nothing[] = { NAN, NAN };
	char *text = printed(nothing, 2, 0);

	(void)state;
	assert_string_equal(text, "\n  Day by day, day 1 to day 2\n");
	free(text);
}

static size_t bars_in(const char *text)
{
	size_t count = 0;

	for (const char *at = text; (at = strstr(at, "\xe2\x96")); at += 3)
		count++;
	return count;
}

/* Many days share a bar, which is their mean, and a narrow terminal has fewer. */
static void a_long_series_fits_the_line(void **state)
{
	static const struct {
		size_t count;
		unsigned width;
		size_t bars;
	} cases[] = {
		{ 59, 0, 59 },
		{ 60, 0, 60 },
		{ 61, 0, 60 },
		{ VALUES, 0, 60 },
		{ VALUES, 200, 60 },
		{ VALUES, 100, 30 },
		{ VALUES, 40, 10 },
		{ 5, 40, 5 },
	};
	double values[VALUES];

	(void)state;
	for (size_t i = 0; i < VALUES; i++)
		values[i] = i < VALUES / 2 ? 20 : 60;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = printed(values, cases[i].count, cases[i].width);

		assert_int_equal(bars_in(text), cases[i].bars);
		free(text);
	}
	char *text = printed(values, VALUES, 40);

	assert_non_null(strstr(text, "▁▁▁▁▁█████  20 °C to 60 °C, last 60 °C"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_bars_between_the_lowest_and_the_highest),
		cmocka_unit_test(a_series_of_nothing_has_no_line),
		cmocka_unit_test(a_long_series_fits_the_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
