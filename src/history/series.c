#include "history/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"

void series_free(struct series *series)
{
	free(series->samples);
	*series = (struct series) { 0 };
}

static void append(struct series *series, int64_t time, double value)
{
	series->samples = array_grow(series->samples, series->count, sizeof(*series->samples));
	series->samples[series->count++] = (struct sample) { time, value };
}

int series_changes(struct history *history, int64_t drive, const char *key, struct series *series,
	struct error *error)
{
	sqlite3_stmt *found = statement(history, error,
		"SELECT time, value FROM value WHERE drive = ?1 AND"
		" key = (SELECT id FROM key WHERE name = ?2) AND value IS NOT NULL ORDER BY time",
		"ds", drive, key);
	int row;

	*series = (struct series) { 0 };
	while ((row = statement_row(history, found, error)) > 0)
		append(series, sqlite3_column_int64(found, 0), sqlite3_column_double(found, 1));
	return row;
}

int series_records(struct history *history, int64_t drive, const char *key, struct series *series,
	struct error *error)
{
	struct series changes;
	int row = series_changes(history, drive, key, &changes, error);
	size_t at = 0;

	*series = (struct series) { 0 };
	sqlite3_stmt *runs = row < 0 || !changes.count
		? NULL
		: statement(history, error,
			  "SELECT time FROM run WHERE drive = ?1 AND time >= ?2 ORDER BY time",
			  "dd", drive, changes.samples[0].time);
	if (changes.count && row >= 0)
		row = -1;
	while (runs && (row = statement_row(history, runs, error)) > 0) {
		int64_t time = sqlite3_column_int64(runs, 0);

		while (at + 1 < changes.count && changes.samples[at + 1].time <= time)
			at++;
		append(series, time, changes.samples[at].value);
	}
	series_free(&changes);
	return row;
}

void series_grow(struct series *series)
{
	double sum = 0, before = series->count ? series->samples[0].value : 0;

	for (size_t i = 0; i < series->count; i++) {
		double now = series->samples[i].value;

		sum += fmax(0, now - before);
		before = now;
		series->samples[i].value = sum;
	}
}

void series_smooth(struct series *series, int64_t last)
{
	size_t count = 0;

	/* Nobody knows how long the first value had held already. */
	for (size_t i = 1; i < series->count; i++)
		series->samples[count++] = series->samples[i];
	series->count = count;
	if (count < 2 || series->samples[count - 1].time >= last)
		return;
	const struct sample *a = &series->samples[count - 2], *b = &series->samples[count - 1];
	double step = b->value - a->value;
	double more = step * (double)(last - b->time) / (double)(b->time - a->time);

	append(series, last, b->value + fmin(more, fabs(step)));
}

double series_at(const struct series *series, int64_t time)
{
	size_t low = 0, high = series->count;

	if (!series->count)
		return NAN;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (series->samples[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || low == series->count)
		return series->samples[low ? low - 1 : 0].value;
	const struct sample *a = &series->samples[low - 1], *b = &series->samples[low];

	return a->value +
		(b->value - a->value) * (double)(time - a->time) / (double)(b->time - a->time);
}

double *series_days(const struct series *series, size_t *count)
{
	int64_t first, last;
	double *days;

	*count = 0;
	if (series->count < 2)
		return NULL;
	first = series->samples[0].time;
	last = series->samples[series->count - 1].time;
	*count = (size_t)((last - first) / DAY_SECONDS);
	days = calloc(*count + 1, sizeof(*days));
	if (!days)
		*count = 0;
	for (size_t i = 0; i < *count; i++) {
		int64_t end = last - (int64_t)(*count - 1 - i) * DAY_SECONDS;

		days[i] = series_at(series, end) - series_at(series, end - DAY_SECONDS);
	}
	return days;
}
