/* A table of rows over time, for people: a line of bars for each of its columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "assay/render.h"
#include "render/text_clean.h"
#include "render/text_table.h"

enum { INDENT = 4, LABEL_COLUMNS = 26, BARS_MAX = 60, BARS_LEAST = 10, NUMBERS_COLUMNS = 40 };

static const char *const bars[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
enum { BARS = ARRAY_LEN(bars) };

/* A column's numbers, NAN where a row has none, and the bars that rows share. */
struct line {
	double *values;
	size_t count;
	double lowest, highest, last; /* NAN: there is no number at all */
	double bars[BARS_MAX];        /* means; NAN: none */
	size_t bar_count;
};

static bool line_read(
	const struct facts *facts, const struct table *table, size_t column, struct line *line)
{
	*line = (struct line) { .lowest = NAN, .highest = NAN, .last = NAN };
	line->values = calloc(text_table_rows(facts, table), sizeof(*line->values));
	for (size_t i = 0; line->values && i < facts->row_count; i++) {
		double value = NAN;

		if (facts->rows[i].table != table)
			continue;
		if (value_number(facts->rows[i].cells[column], &value)) {
			line->lowest = fmin(line->lowest, value);
			line->highest = fmax(line->highest, value);
			line->last = value;
		}
		line->values[line->count++] = value;
	}
	return !isnan(line->last);
}

static double mean(const double *values, size_t count)
{
	size_t known = 0;
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i])) {
			sum += values[i];
			known++;
		}
	return known ? sum / (double)known : NAN;
}

static void line_pool(struct line *line, size_t count)
{
	line->bar_count = count;
	for (size_t i = 0; i < count; i++) {
		size_t from = i * line->count / count, to = (i + 1) * line->count / count;

		line->bars[i] = mean(line->values + from, to - from);
	}
}

static void print_bars(FILE *file, const struct line *line)
{
	double low = NAN, high = NAN;

	for (size_t i = 0; i < line->bar_count; i++) {
		low = fmin(low, line->bars[i]);
		high = fmax(high, line->bars[i]);
	}
	for (size_t i = 0; i < line->bar_count; i++) {
		double height = high > low ? (line->bars[i] - low) / (high - low) : 0;

		if (isnan(line->bars[i]))
			fputc(' ', file);
		else
			fputs(bars[height < 1 ? (size_t)(height * BARS) : BARS - 1], file);
	}
}

/* What is in parentheses is for those who want it exactly. */
static const char *short_human(double value, enum unit unit, char *text, size_t size)
{
	bool is_whole = fabs(value - round(value)) < 1e-9 && value >= 0 && value < 1e19;
	char *exact;

	value_human(is_whole ? value_uint((uint64_t)round(value)) : value_real(value), unit, text,
		size);
	if ((exact = strstr(text, " (")))
		*exact = '\0';
	return text;
}

static size_t bars_of(size_t rows, unsigned width)
{
	size_t room = BARS_MAX, taken = INDENT + LABEL_COLUMNS + NUMBERS_COLUMNS;

	if (width && width < taken + BARS_MAX)
		room = width > taken + BARS_LEAST ? width - taken : BARS_LEAST;
	return rows < room ? rows : room;
}

static void print_line(FILE *file, const struct column *column, const struct line *line)
{
	char lowest[80], highest[80], last[80];
	size_t label = text_columns(column->label);

	fprintf(file, "%*s%s%*s", INDENT, "", column->label,
		label < LABEL_COLUMNS ? (int)(LABEL_COLUMNS - label) : 1, "");
	print_bars(file, line);
	fprintf(file, "  %s to %s, last %s\n",
		short_human(line->lowest, column->unit, lowest, sizeof(lowest)),
		short_human(line->highest, column->unit, highest, sizeof(highest)),
		short_human(line->last, column->unit, last, sizeof(last)));
}

static void print_heading(FILE *file, const struct facts *facts, const struct table *table)
{
	const char *first = "", *last = "";

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != table || row->cells[0].kind != VALUE_TEXT)
			continue;
		first = *first ? first : row->cells[0].text;
		last = row->cells[0].text;
	}
	fprintf(file, "\n  %s, %s to %s\n", table->label, first, last);
}

void text_series_print(
	FILE *file, const struct facts *facts, const struct table *table, unsigned width)
{
	struct line line;

	print_heading(file, facts, table);
	for (size_t c = 0; c < table->column_count; c++) {
		if (!table->columns[c].label)
			continue;
		if (line_read(facts, table, c, &line)) {
			line_pool(&line, bars_of(line.count, width));
			print_line(file, &table->columns[c], &line);
		}
		free(line.values);
	}
}
