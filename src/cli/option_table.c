#include "cli/option_table.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/measure.h"
#include "cli/cli.h"

/* Options without a letter are known by numbers from FIRST on. */
enum { ROWS_MAX = 80, FIRST = 1000, NAME_COLUMN_MAX = 32 };

/* The rows of all tables that count, in their order. */
struct reading {
	const struct subcommand *subcommand;
	const struct option_row *rows[ROWS_MAX];
	size_t count;
	void *options;
};

static bool is_taken(const struct reading *reading, const struct option_row *row)
{
	for (size_t i = 0; i < reading->count; i++)
		if (!strcmp(reading->rows[i]->name, row->name) ||
			(row->letter && reading->rows[i]->letter == row->letter))
			return true;
	return false;
}

static bool is_help(const struct option_row *row)
{
	return row->kind == OPTION_OWN && !row->take;
}

static void add_table(struct reading *reading, const struct option_table *table)
{
	for (size_t i = 0; i < table->count && reading->count < ROWS_MAX; i++) {
		const struct option_row *row = &table->rows[i];

		if (table->accepted && !is_help(row) && !strchr(table->accepted, row->letter))
			continue;
		if (!is_taken(reading, row))
			reading->rows[reading->count++] = row;
	}
}

static size_t name_text(const struct option_row *row, char *text, size_t size)
{
	char letter[8] = "    ";

	if (row->letter)
		snprintf(letter, sizeof(letter), "-%c, ", row->letter);
	return (size_t)snprintf(text, size, "%s--%s%s%s", letter, row->name,
		row->argument ? " " : "", row->argument ? row->argument : "");
}

static void help(const struct reading *reading)
{
	const struct subcommand *subcommand = reading->subcommand;
	size_t width = 0;
	char text[64];

	for (size_t i = 0; i < reading->count; i++) {
		size_t len = name_text(reading->rows[i], text, sizeof(text));

		if (len > width && len <= NAME_COLUMN_MAX)
			width = len;
	}
	printf("usage: assay %s [OPTION...] %s\n\n%s.\n\n", subcommand->name, subcommand->arguments,
		subcommand->about);
	for (size_t i = 0; i < reading->count; i++) {
		name_text(reading->rows[i], text, sizeof(text));
		printf("  %-*s %s\n", (int)width, text, reading->rows[i]->about);
	}
}

int option_wrong(const struct subcommand *subcommand, const char *name, const char *text,
	const char *expected)
{
	fprintf(stderr, "assay %s: --%s '%s': expected %s; --help tells more\n", subcommand->name,
		name, text, expected);
	return EXIT_USAGE;
}

static int wrong(const struct reading *reading, const struct option_row *row, const char *expected)
{
	return option_wrong(reading->subcommand, row->name, optarg, expected);
}

/* A number within the row's limits; else a message, and the exit status. */
static int read_number(const struct reading *reading, const struct option_row *row, double *number)
{
	bool whole = row->kind == OPTION_UNSIGNED || row->kind == OPTION_INT;
	char expected[80], *end;

	*number = strtod(optarg, &end);
	if (end != optarg && !*end && *number >= row->least && *number <= row->most &&
		(!whole || floor(*number) >= *number))
		return -1;
	snprintf(expected, sizeof(expected), "a %s from %g to %g",
		whole ? "whole number" : "number", row->least, row->most);
	return wrong(reading, row, expected);
}

static int read_bytes(const struct reading *reading, const struct option_row *row, uint64_t *bytes)
{
	if (bytes_parse(optarg, bytes))
		return -1;
	return wrong(reading, row, "bytes: 4096, 4k, 128KiB, 8GB");
}

static int read_bytes32(
	const struct reading *reading, const struct option_row *row, uint32_t *value)
{
	uint64_t bytes = 0;
	char expected[80];
	int status = read_bytes(reading, row, &bytes);

	if (status >= 0)
		return status;
	*value = (uint32_t)bytes;
	if ((double)bytes >= row->least && (double)bytes <= row->most)
		return -1;
	snprintf(expected, sizeof(expected), "%.0f to %.0f bytes", row->least, row->most);
	return wrong(reading, row, expected);
}

static int read_count(const struct reading *reading, const struct option_row *row, uint64_t *count)
{
	char *end;

	*count = strtoull(optarg, &end, 10);
	if (end != optarg && !*end && *optarg != '-')
		return -1;
	return wrong(reading, row, "a whole number");
}

static int take_number(const struct reading *reading, const struct option_row *row, void *at)
{
	double number = 0;
	int status = read_number(reading, row, &number);

	if (row->kind == OPTION_REAL)
		*(double *)at = number;
	else if (row->kind == OPTION_INT)
		*(int *)at = (int)number;
	else if (row->kind == OPTION_UNSIGNED)
		*(unsigned *)at = (unsigned)number;
	else
		*(unsigned *)at = (unsigned)(number * 1000 + 0.5);
	return status;
}

static int take_own(const struct reading *reading, const struct option_row *row)
{
	if (row->take)
		return row->take(reading->options, row->argument ? optarg : NULL);
	help(reading);
	return EXIT_GOOD;
}

static int take(const struct reading *reading, const struct option_row *row)
{
	void *at = (char *)reading->options + row->offset;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		return -1;
	case OPTION_TEXT:
		*(const char **)at = optarg;
		return -1;
	case OPTION_BYTES32:
		return read_bytes32(reading, row, at);
	case OPTION_BYTES64:
		return read_bytes(reading, row, at);
	case OPTION_COUNT64:
		return read_count(reading, row, at);
	case OPTION_OWN:
		return take_own(reading, row);
	default:
		return take_number(reading, row, at);
	}
}

static const struct option_row *row_of(const struct reading *reading, int value)
{
	for (size_t i = 0; i < reading->count; i++)
		if (reading->rows[i]->letter && reading->rows[i]->letter == value)
			return reading->rows[i];
	return reading->rows[value - FIRST];
}

int option_tables_read(int argc, char **argv, const struct subcommand *subcommand,
	const struct option_table *tables, size_t table_count, void *options)
{
	struct reading reading = { .subcommand = subcommand, .options = options };
	struct option longs[ROWS_MAX + 1] = { 0 };
	char shorts[2 * ROWS_MAX + 1], *at = shorts;
	int value, status = -1;

	for (size_t i = 0; i < table_count; i++)
		add_table(&reading, &tables[i]);
	for (size_t i = 0; i < reading.count; i++) {
		const struct option_row *row = reading.rows[i];

		longs[i] = (struct option) { row->name,
			row->argument ? required_argument : no_argument, NULL,
			row->letter ? row->letter : FIRST + (int)i };
		if (!row->letter)
			continue;
		*at++ = row->letter;
		if (row->argument)
			*at++ = ':';
	}
	*at = '\0';
	optind = 0;
	while (status < 0 && (value = getopt_long(argc, argv, shorts, longs, NULL)) != -1)
		status = value == '?' ? EXIT_USAGE : take(&reading, row_of(&reading, value));
	return status;
}
