/* Everything that is known of drives, for other programs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "history/tables.h"

/* One table of a drive: rows of time, name, and what there is to say. */
static const struct part {
	const char *name; /* in CSV the kind of its rows, in JSON the member */
	const char *sql;  /* columns: time, name, value, unit, kind of the value */
} parts[] = {
	{ "run",
		"SELECT time, 'state', state, '', 'text' FROM run WHERE drive = ?1"
		" UNION ALL SELECT time, 'worst_state', worst, '', 'text' FROM run WHERE drive = ?1"
		" UNION ALL SELECT time, 'record_count', runs, '', 'uint' FROM run WHERE drive = ?1"
		" ORDER BY time" },
	{ "value",
		"SELECT time, name, value, unit, kind FROM value JOIN key ON key.id = value.key"
		" WHERE drive = ?1 ORDER BY time, name" },
	{ "verdict",
		"SELECT time, rule, state, '', 'text' FROM verdict WHERE drive = ?1"
		" ORDER BY time, rule" },
	{ "minimum",
		"SELECT day * 86400, name, minimum, unit, 'real' FROM day JOIN key ON key.id = "
		"day.key"
		" WHERE drive = ?1 ORDER BY day, name" },
	{ "mean",
		"SELECT day * 86400, name, sum / readings, unit, 'real' FROM day"
		" JOIN key ON key.id = day.key WHERE drive = ?1 ORDER BY day, name" },
	{ "maximum",
		"SELECT day * 86400, name, maximum, unit, 'real' FROM day JOIN key ON key.id = "
		"day.key"
		" WHERE drive = ?1 ORDER BY day, name" },
};
enum { PARTS = ARRAY_LEN(parts) };

struct export
{
	FILE *file;
	enum history_format format;
	const struct history_drive *drive;
	struct facts scratch; /* for texts of times */
};

static void csv_text(FILE *file, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, file);
		return;
	}
	fputc('"', file);
	for (; *text; text++)
		fprintf(file, *text == '"' ? "\"%c" : "%c", *text);
	fputc('"', file);
}

static void json_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(file, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(file, "\\u%04x", c);
		else
			fputc(c, file);
	}
	fputc('"', file);
}

static void put_text(const struct export *export, const char *text)
{
	if (export->format == HISTORY_CSV)
		csv_text(export->file, text);
	else
		json_text(export->file, text);
}

/* The fewest digits that are read as the same number. */
static void put_real(FILE *file, double real)
{
	enum { FEWEST = 15, ENOUGH = 17 };
	char text[40];

	for (int digits = FEWEST; digits <= ENOUGH; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			break;
	}
	fputs(text, file);
}

/* Numbers are bare; so are counters that had to be written as digits. */
static void put_value(const struct export *export, sqlite3_stmt *row)
{
	const char *kind = column_text(row, 4);
	bool is_csv = export->format == HISTORY_CSV;

	switch (sqlite3_column_type(row, 2)) {
	case SQLITE_NULL:
		fputs(is_csv ? "" : "null", export->file);
		break;
	case SQLITE_INTEGER:
		if (!strcmp(kind, "flag"))
			fputs(sqlite3_column_int64(row, 2) ? "true" : "false", export->file);
		else
			fprintf(export->file, "%lld", sqlite3_column_int64(row, 2));
		break;
	case SQLITE_FLOAT:
		if (isfinite(sqlite3_column_double(row, 2)))
			put_real(export->file, sqlite3_column_double(row, 2));
		else
			fputs(is_csv ? "" : "null", export->file);
		break;
	default:
		if (!strcmp(kind, "uint"))
			fputs(column_text(row, 2), export->file);
		else
			put_text(export, column_text(row, 2));
	}
}

static void put_row(struct export *export, const struct part *part, sqlite3_stmt *row)
{
	struct value time = time_value(&export->scratch, sqlite3_column_int64(row, 0));
	const char *text = time.kind == VALUE_TEXT ? time.text : "";
	FILE *file = export->file;

	if (export->format == HISTORY_CSV) {
		csv_text(file, export->drive->subject);
		fprintf(file, ",%s,%s,", text, part->name);
		csv_text(file, column_text(row, 1));
		fputc(',', file);
		put_value(export, row);
		fprintf(file, ",%s\n", column_text(row, 3));
		return;
	}
	fprintf(file, "{ \"time\": \"%s\", \"name\": ", text);
	json_text(file, column_text(row, 1));
	fputs(", \"value\": ", file);
	put_value(export, row);
	fprintf(file, ", \"unit\": \"%s\" }", column_text(row, 3));
}

static int put_part(struct export *export, struct history *history, const struct part *part,
	struct error *error)
{
	sqlite3_stmt *rows = statement(history, error, part->sql, "d", export->drive->number);
	bool is_json = export->format == HISTORY_JSON;
	size_t count = 0;
	int row;

	if (is_json)
		fprintf(export->file, ",\n    \"%s\": [", part->name);
	while ((row = statement_row(history, rows, error)) > 0) {
		if (is_json)
			fputs(count++ ? ",\n      " : "\n      ", export->file);
		put_row(export, part, rows);
	}
	if (is_json)
		fputs(count ? "\n    ]" : "]", export->file);
	return row;
}

static void put_names(const struct export *export)
{
	const struct history_drive *drive = export->drive;
	const struct {
		const char *name, *text;
	} names[] = { { "drive", drive->subject }, { "vendor", drive->vendor },
		{ "model", drive->model }, { "serial", drive->serial }, { "wwn", drive->wwn },
		{ "target", drive->target } };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		fprintf(export->file, "%s    \"%s\": ", i ? ",\n" : "", names[i].name);
		json_text(export->file, names[i].text);
	}
}

static int put_drive(struct export *export, struct history *history, struct error *error)
{
	int result = 0;

	facts_init(&export->scratch);
	if (export->format == HISTORY_JSON)
		put_names(export);
	for (size_t i = 0; result == 0 && i < PARTS; i++)
		result = put_part(export, history, &parts[i], error);
	facts_deinit(&export->scratch);
	return result;
}

int history_export(FILE *file, struct history *history, const struct history_drive *drives,
	size_t count, enum history_format format, struct error *error)
{
	struct export export = { .file = file, .format = format };
	bool is_json = format == HISTORY_JSON;
	int result = 0;

	fputs(is_json ? "{ \"schema\": \"assay-history-1\",\n  \"drives\": ["
		      : "drive,time,kind,name,value,unit\n",
		file);
	for (size_t i = 0; result == 0 && i < count; i++) {
		export.drive = &drives[i];
		if (is_json)
			fputs(i ? ",\n  {\n" : "\n  {\n", file);
		result = put_drive(&export, history, error);
		if (is_json)
			fputs("\n  }", file);
	}
	if (is_json)
		fputs("\n] }\n", file);
	return result;
}
