#include "render/text_table.h"

#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "assay/render.h"
#include "render/text_clean.h"

enum { CELL = 160, INDENT = 2, GAP = 2 };

static const char *cell_text(const struct row *row, size_t column, char *text)
{
	const struct value *value = &row->cells[column];
	char raw[CELL];

	/* The heading names the unit, so a cell is a bare number. */
	value_human(*value, UNIT_NONE, raw, sizeof(raw));
	return text_clean(raw, text, CELL);
}

static const char *heading_text(const struct column *column, char *text)
{
	static const char *const suffixes[] = {
		[UNIT_HOURS] = " (h)",
		[UNIT_MINUTES] = " (min)",
		[UNIT_SECONDS] = " (s)",
		[UNIT_MILLISECONDS] = " (ms)",
		[UNIT_MICROSECONDS] = " (us)",
		[UNIT_CELSIUS] = " (°C)",
		[UNIT_PERCENT] = " (%)",
		[UNIT_GBPS] = " (Gbit/s)",
		[UNIT_MILLIWATTS] = " (mW)",
		[UNIT_BYTES] = " (bytes)",
	};
	const char *suffix = NULL;

	if ((size_t)column->unit < ARRAY_LEN(suffixes))
		suffix = suffixes[column->unit];
	snprintf(text, CELL, "%s%s", column->label, suffix ? suffix : "");
	return text;
}

/* How a column is to be printed. */
struct shape {
	size_t columns; /* 0: not at all */
	bool right;
};

static struct shape shape_of(const struct facts *facts, const struct table *table, size_t column)
{
	struct shape shape = { .right = true };
	char text[CELL];
	bool filled = false;

	if (!table->columns[column].label)
		return shape;
	shape.columns = text_columns(heading_text(&table->columns[column], text));
	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != table || row->cells[column].kind == VALUE_NULL)
			continue;
		size_t columns = text_columns(cell_text(row, column, text));

		filled = true;
		if (columns > shape.columns)
			shape.columns = columns;
		if (row->cells[column].kind == VALUE_TEXT)
			shape.right = false;
	}
	if (!filled)
		shape.columns = 0;
	return shape;
}

static void print_cell(char **at, const char *end, const char *text, const struct shape *shape)
{
	size_t columns = text_columns(text);
	int pad = columns < shape->columns ? (int)(shape->columns - columns) : 0;

	*at += snprintf(*at, (size_t)(end - *at), "%*s%*s%s%*s", GAP, "", shape->right ? pad : 0,
		"", text, shape->right ? 0 : pad, "");
	if (*at > end)
		*at = (char *)end;
}

/* A line without blanks at its end, cut at the terminal's. */
static void print_line(FILE *file, char *line, unsigned width)
{
	size_t len = strlen(line);

	while (width && text_columns(line) > width && len > 0) {
		do
			line[--len] = '\0';
		while (len > 0 && ((unsigned char)line[len] & 0xc0) == 0x80);
	}
	while (len > 0 && line[len - 1] == ' ')
		line[--len] = '\0';
	fprintf(file, "%s\n", line);
}

static void print_row(FILE *file, const struct row *row, const struct table *table,
	const struct shape *shapes, unsigned width)
{
	char line[2048] = "", *at = line, text[CELL];

	for (size_t c = 0; c < table->column_count; c++)
		if (shapes[c].columns)
			print_cell(&at, line + sizeof(line) - 1,
				row ? cell_text(row, c, text)
				    : heading_text(&table->columns[c], text),
				&shapes[c]);
	print_line(file, line, width);
}

size_t text_table_rows(const struct facts *facts, const struct table *table)
{
	size_t count = 0;

	for (size_t i = 0; i < facts->row_count; i++)
		count += facts->rows[i].table == table;
	return count;
}

void text_table_print(
	FILE *file, const struct facts *facts, const struct table *table, unsigned width)
{
	struct shape *shapes = calloc(table->column_count, sizeof(*shapes));

	if (!shapes)
		return;
	for (size_t c = 0; c < table->column_count; c++)
		shapes[c] = shape_of(facts, table, c);
	fprintf(file, "\n%*s%s\n", INDENT, "", table->label);
	print_row(file, NULL, table, shapes, width);
	for (size_t i = 0; i < facts->row_count; i++)
		if (facts->rows[i].table == table)
			print_row(file, &facts->rows[i], table, shapes, width);
	free(shapes);
}
