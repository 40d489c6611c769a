/* Day by day, and how counters grew. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "history/series.h"
#include "history/tables.h"

/* Columns that are what a counter grew by, and those that are what a value was. */
static const struct source_column {
	const char *column, *key;
	bool grows;
} columns[] = {
	{ "written_bytes", "endurance.host_written_bytes", true },
	{ "read_bytes", "endurance.host_read_bytes", true },
	{ "nand_written_bytes", "endurance.nand_written_bytes", true },
	{ "used_percent", "endurance.used_percent", false },
	{ "spare_percent", "endurance.spare_percent", false },
};
enum { WRITTEN, READ, NAND, USED, SPARE, COLUMNS };

struct days {
	struct history *history;
	const struct history_drive *drive;
	struct facts *facts;
	struct error *error;
	struct series series[COLUMNS];
	sqlite3_stmt *readings; /* of temperature, by day; at its row of reading_day */
	int64_t reading_day;    /* INT64_MAX: there is no more */
};

static int load(struct days *days)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		if (series_records(days->history, days->drive->number, columns[i].key,
			    &days->series[i], days->error) != 0)
			return -1;
		if (columns[i].grows)
			series_grow(&days->series[i]);
	}
	return 0;
}

static int next_reading(struct days *days)
{
	int row = statement_row(days->history, days->readings, days->error);

	days->reading_day = row > 0 ? sqlite3_column_int64(days->readings, 0) : INT64_MAX;
	return row < 0 ? -1 : 0;
}

static bool covers(const struct series *series, int64_t from, int64_t to)
{
	return series->count && series->samples[0].time < to &&
		series->samples[series->count - 1].time >= from;
}

static double growth(const struct series *series, int64_t from, int64_t to)
{
	if (!covers(series, from, to) || series->count < 2)
		return NAN;
	return series_at(series, to) - series_at(series, from);
}

/* What it was at the end of the day: of steps, the last one. */
static struct value value_at(const struct series *series, int64_t from, int64_t to)
{
	double last = NAN;

	if (!covers(series, from, to))
		return value_null();
	for (size_t i = 0; i < series->count && series->samples[i].time < to; i++)
		last = series->samples[i].value;
	return real_or_null(last);
}

static int set_temperature(struct days *days, struct row *row, int64_t day)
{
	if (days->reading_day != day)
		return 0;
	row_set(row, "temperature_minimum_celsius",
		real_or_null(sqlite3_column_double(days->readings, 1)));
	row_set(row, "temperature_mean_celsius",
		real_or_null(round(10 * sqlite3_column_double(days->readings, 2)) / 10));
	row_set(row, "temperature_maximum_celsius",
		real_or_null(sqlite3_column_double(days->readings, 3)));
	return next_reading(days);
}

static int add_day(struct days *days, int64_t day)
{
	struct row *row = facts_row(days->facts, &table_history_days,
		source_derived("records of the day; what lies between records is shared evenly"));
	int64_t from = day * DAY_SECONDS, to = from + DAY_SECONDS;
	double grown[COLUMNS];

	row_set(row, "day", date_value(days->facts, (double)from));
	for (size_t i = 0; i < COLUMNS; i++) {
		grown[i] = columns[i].grows ? growth(&days->series[i], from, to) : NAN;
		row_set(row, columns[i].column,
			columns[i].grows ? whole_or_null(grown[i])
					 : value_at(&days->series[i], from, to));
	}
	if (grown[WRITTEN] > 0 && !isnan(grown[NAND]))
		row_set(row, "write_amplification_ratio",
			real_or_null(round(1000 * grown[NAND] / grown[WRITTEN]) / 1000));
	return set_temperature(days, row, day);
}

static int add_days(struct days *days)
{
	int64_t last = days->drive->last / DAY_SECONDS;
	int result;

	days->readings = statement(days->history, days->error,
		"SELECT day, minimum, sum / readings, maximum FROM day WHERE drive = ?1 AND"
		" key = (SELECT id FROM key WHERE name = 'temperature.current_celsius')"
		" ORDER BY day",
		"d", days->drive->number);
	result = next_reading(days);
	for (int64_t day = days->drive->first / DAY_SECONDS; result == 0 && day <= last; day++)
		result = add_day(days, day);
	return result;
}

int report_days(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error)
{
	struct days days = { .history = history, .drive = drive, .facts = facts, .error = error };
	int result = load(&days);

	if (result == 0)
		result = add_days(&days);
	if (days.readings)
		sqlite3_reset(days.readings);
	for (size_t i = 0; i < COLUMNS; i++)
		series_free(&days.series[i]);
	return result;
}

/* ---- Counters ---- */

/* What it grew by in the last days; null where the records are younger. */
static struct value grown_in(
	const struct series *series, const struct history_drive *drive, int days)
{
	int64_t from = drive->last - (int64_t)days * DAY_SECONDS;
	const struct sample *last = &series->samples[series->count - 1];
	double before = series->samples[0].value;

	if (drive->first > from)
		return value_null();
	for (size_t i = 0; i < series->count && series->samples[i].time <= from; i++)
		before = series->samples[i].value;
	return value_uint((uint64_t)(last->value - before));
}

static void add_counter(const struct key *key, const struct history_drive *drive, double now,
	const struct series *grown, struct facts *facts)
{
	const struct sample *last = &grown->samples[grown->count - 1];
	struct row *row = facts_row(facts, &table_history_errors, source_derived("history"));
	int64_t last_growth = 0;

	for (size_t i = 1; i < grown->count; i++)
		if (grown->samples[i].value > grown->samples[i - 1].value)
			last_growth = grown->samples[i].time;
	row_set(row, "key", value_text(key->name));
	row_set(row, "label", value_text(key->label));
	row_set(row, "value", whole_or_null(now));
	row_set(row, "growth_7_days", grown_in(grown, drive, 7));
	row_set(row, "growth_30_days", grown_in(grown, drive, 30));
	row_set(row, "growth_365_days", grown_in(grown, drive, 365));
	row_set(row, "growth", whole_or_null(last->value));
	if (last_growth)
		row_set(row, "last_growth", date_value(facts, (double)last_growth));
}

/* Those that people look at, and any other that grew. */
static int report_counter(struct history *history, const struct history_drive *drive,
	const struct key *key, struct facts *facts, struct error *error)
{
	struct series series;
	int result = series_changes(history, drive->number, key->name, &series, error);

	if (result == 0 && series.count) {
		double now = series.samples[series.count - 1].value;

		series_grow(&series);
		if (!key->detail || series.samples[series.count - 1].value > 0)
			add_counter(key, drive, now, &series, facts);
	}
	series_free(&series);
	return result;
}

static bool is_counter_of_trouble(const char *name)
{
	static const char *const others[] = { "power_loss.unsafe_shutdown_count",
		"temperature.throttle_count", "temperature.over_limit_minutes" };
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (!strcmp(name, others[i]))
			return true;
	return !strncmp(name, "errors.", 7) && len > 6 && !strcmp(name + len - 6, "_count");
}

int report_errors(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error)
{
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->key_count; i++) {
			const struct key *key = &decoders[d]->keys[i];

			if (is_counter_of_trouble(key->name) &&
				report_counter(history, drive, key, facts, error) != 0)
				return -1;
		}
	return 0;
}
