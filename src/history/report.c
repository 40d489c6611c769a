/* What is known of a drive, from its records. */
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "history/series.h"
#include "history/tables.h"

/* Whose last values are told; the rest is in the tables, or in assay show. */
static const char *const last_values[] = { "identity.vendor", "identity.model", "identity.serial",
	"identity.firmware", "identity.wwn", "identity.protocol", "identity.transport",
	"identity.rotation_rpm", "identity.manufacture_date", "capacity.bytes",
	"usage.power_on_hours", "endurance.used_percent", "endurance.spare_percent",
	"endurance.host_written_bytes", "endurance.host_read_bytes", "endurance.nand_written_bytes",
	"endurance.write_amplification_ratio", "endurance.measured_dwpd",
	"endurance.rated_written_bytes", "endurance.rated_dwpd", "temperature.current_celsius",
	"temperature.highest_celsius", "temperature.limit_celsius" };

static struct value stored_value(
	struct facts *facts, sqlite3_stmt *row, int column, const char *kind)
{
	switch (sqlite3_column_type(row, column)) {
	case SQLITE_INTEGER:
		if (!strcmp(kind, "flag"))
			return value_flag(sqlite3_column_int64(row, column) != 0);
		if (sqlite3_column_int64(row, column) < 0)
			return value_int(sqlite3_column_int64(row, column));
		return value_uint((uint64_t)sqlite3_column_int64(row, column));
	case SQLITE_FLOAT:
		return value_real(sqlite3_column_double(row, column));
	case SQLITE_TEXT:
		/* Counters above 2^63 are written as digits. */
		if (!strcmp(kind, "uint"))
			return value_uint(strtoull(column_text(row, column), NULL, 10));
		return value_text(facts_printf(facts, "%s", column_text(row, column)));
	default:
		return value_null();
	}
}

static int last_value(struct history *history, const struct history_drive *drive, const char *name,
	struct facts *facts, struct error *error)
{
	sqlite3_stmt *found = statement(history, error,
		"SELECT value, kind, time FROM value JOIN key ON key.id = value.key"
		" WHERE drive = ?1 AND name = ?2 AND value IS NOT NULL ORDER BY time DESC LIMIT 1",
		"ds", drive->number, name);
	int row = statement_row(history, found, error);

	if (row <= 0)
		return row;
	struct value value = stored_value(facts, found, 0, column_text(found, 1));
	struct value since = time_value(facts, sqlite3_column_int64(found, 2));

	history_fact(facts, name, value,
		facts_printf(facts, "the last record; the same since %s",
			since.kind == VALUE_TEXT ? since.text : "then"));
	sqlite3_reset(found);
	return 0;
}

/* The database names a drive even where no fact does. */
static void name_drive(const struct history_drive *drive, struct facts *facts)
{
	const struct {
		const char *key, *text;
	} names[] = { { "identity.vendor", drive->vendor }, { "identity.model", drive->model },
		{ "identity.serial", drive->serial } };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (*names[i].text && !facts_find(facts, names[i].key))
			history_fact(facts, names[i].key, value_text(names[i].text),
				"the name of the history");
}

static void report_span(const struct history_drive *drive, struct facts *facts)
{
	static const char formula[] = "the records of the drive";

	history_fact(facts, "history.first_record", time_value(facts, drive->first), formula);
	history_fact(facts, "history.last_record", time_value(facts, drive->last), formula);
	history_fact(facts, "history.record_count", value_uint(drive->runs), formula);
}

int report_states(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error)
{
	sqlite3_stmt *found = statement(history, error,
		"SELECT time, rule, state, reason FROM verdict AS now WHERE drive = ?1 AND"
		" (state <> 'ok' OR EXISTS (SELECT 1 FROM verdict AS before WHERE"
		"  before.drive = now.drive AND before.rule = now.rule AND before.time < now.time))"
		" ORDER BY time, rule = 'health' DESC, rule",
		"d", drive->number);
	int row;

	while ((row = statement_row(history, found, error)) > 0) {
		static const char *const columns[] = { "time", "rule", "state", "reason" };
		struct row *line = facts_row(
			facts, &table_history_states, source_derived("history"));

		row_set(line, "time", time_value(facts, sqlite3_column_int64(found, 0)));
		for (int i = 1; i < (int)ARRAY_LEN(columns); i++)
			row_set(line, columns[i],
				value_text(facts_printf(facts, "%s", column_text(found, i))));
	}
	return row;
}

int history_facts(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error)
{
	for (size_t i = 0; i < ARRAY_LEN(last_values); i++)
		if (last_value(history, drive, last_values[i], facts, error) != 0)
			return -1;
	name_drive(drive, facts);
	return 0;
}

int history_report(struct history *history, const struct history_drive *drive,
	const struct history_ratings *ratings, struct facts *facts, struct error *error)
{
	report_span(drive, facts);
	if (history_report_endurance(history, drive, ratings, facts, error) != 0 ||
		report_days(history, drive, facts, error) != 0 ||
		report_errors(history, drive, facts, error) != 0)
		return -1;
	return report_states(history, drive, facts, error);
}
