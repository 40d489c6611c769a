/* What is known of a drive at one time becomes rows; what did not change, none. */
#include "history/database.h"

#include <string.h>

#include "assay/array.h"

struct recording {
	struct history *history;
	const struct history_record *record;
	int64_t drive;
	int64_t next; /* the time of the record behind this one; 0: it is the last */
	bool is_new;  /* nothing is known of that time */
	struct error *error;
};

static bool is_worth_it(const struct fact *fact)
{
	return fact->state != FACT_KNOWN || fact->value.kind != VALUE_NULL;
}

/* A record that comes late must not change what is known of later times: where
 * it says something else than the value that held on, that is written down for
 * the next time. */
static int keep_later(const struct recording *recording, int64_t key)
{
	return statement_run(recording->history,
		statement(recording->history, recording->error,
			"INSERT OR IGNORE INTO value SELECT ?1, ?2, ?4, value FROM value"
			" WHERE drive = ?1 AND key = ?2 AND time < ?3 ORDER BY time DESC LIMIT 1",
			"dddd", recording->drive, key, recording->record->time, recording->next),
		recording->error);
}

static int record_value(
	const struct recording *recording, const char *name, enum unit unit, struct value value)
{
	int64_t key;

	if (key_number(recording->history, name, unit, value.kind, &key, recording->error) != 0)
		return -1;
	if (!key)
		return 0;
	int result = statement_run(recording->history,
		statement(recording->history, recording->error,
			"INSERT OR REPLACE INTO value SELECT ?1, ?2, ?3, ?4 WHERE ?4 IS NOT"
			" (SELECT value FROM value WHERE drive = ?1 AND key = ?2 AND time <= ?3"
			" ORDER BY time DESC LIMIT 1)",
			"dddv", recording->drive, key, recording->record->time, value),
		recording->error);

	if (result == 0 && recording->next && sqlite3_changes(recording->history->database))
		result = keep_later(recording, key);
	return result;
}

/* Readings go up and down between the records that are kept: their lowest, mean
 * and highest of each day are kept beside them. */
static int record_reading(const struct recording *recording, const struct fact *fact)
{
	static const char *const readings[] = { "temperature.current_celsius" };
	double reading;
	int64_t key;

	for (size_t i = 0; i < ARRAY_LEN(readings); i++) {
		if (strcmp(fact->key->name, readings[i]) != 0 ||
			!value_number(fact->value, &reading))
			continue;
		if (key_number(recording->history, readings[i], fact->key->unit, fact->value.kind,
			    &key, recording->error) != 0)
			return -1;
		return statement_run(recording->history,
			statement(recording->history, recording->error,
				"INSERT INTO day VALUES (?1, ?2, ?3, 1, ?4, ?4, ?4) ON CONFLICT DO "
				"UPDATE"
				" SET readings = readings + 1, sum = sum + ?4,"
				" minimum = min(minimum, ?4), maximum = max(maximum, ?4)",
				"dddf", recording->drive, key,
				recording->record->time / DAY_SECONDS, reading),
			recording->error);
	}
	return 0;
}

static int record_facts(const struct recording *recording)
{
	const struct facts *facts = recording->record->facts;
	int result = 0;

	for (size_t i = 0; result == 0 && i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];

		if (!is_worth_it(fact) || facts_find(facts, fact->key->name) != fact)
			continue;
		result = record_value(recording, fact->key->name, fact->key->unit, fact->value);
		if (result == 0 && recording->is_new)
			result = record_reading(recording, fact);
	}
	return result;
}

/* Attributes whose meaning is not known are no facts, but a history all the same. */
static int record_attribute(const struct recording *recording, const struct row *row)
{
	static const char *const columns[] = { "value", "raw" };
	struct value id = row_get(row, "id");
	char name[48];
	int result = 0;

	for (size_t c = 0; result == 0 && c < ARRAY_LEN(columns); c++) {
		snprintf(name, sizeof(name), "ata_attributes.%llu.%s", (unsigned long long)id.uint,
			columns[c]);
		result = record_value(recording, name, UNIT_NONE, row_get(row, columns[c]));
	}
	return result;
}

static int record_attributes(const struct recording *recording)
{
	const struct facts *facts = recording->record->facts;
	int result = 0;

	for (size_t i = 0; result == 0 && i < facts->row_count; i++)
		if (!strcmp(facts->rows[i].table->name, "ata_attributes"))
			result = record_attribute(recording, &facts->rows[i]);
	return result;
}

static int record_verdicts(const struct recording *recording)
{
	const struct history_record *record = recording->record;
	int result = 0;

	for (size_t i = 0; result == 0 && i < record->verdict_count; i++) {
		const struct verdict *verdict = &record->verdicts[i];

		result = statement_run(recording->history,
			statement(recording->history, recording->error,
				"INSERT OR REPLACE INTO verdict SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?4 "
				"IS NOT"
				" (SELECT state FROM verdict WHERE drive = ?1 AND rule = ?2 AND"
				" time <= ?3 ORDER BY time DESC LIMIT 1)",
				"dsdss", recording->drive, verdict->id, record->time,
				state_word(verdict->state), verdict->reason ? verdict->reason : ""),
			recording->error);
	}
	return result;
}

/* A record without a verdict leaves that of the same time as it is. */
static int record_run(const struct recording *recording)
{
	const struct history_record *record = recording->record;
	enum verdict_state state = record->verdict_count ? record->verdicts[0].state
							 : VERDICT_UNKNOWN;

	return statement_run(recording->history,
		statement(recording->history, recording->error,
			"INSERT INTO run (drive, time, state, worst) VALUES (?1, ?2, ?3, ?3)"
			" ON CONFLICT DO UPDATE SET state = ?3, worst = ?3 WHERE ?4",
			"ddsd", recording->drive, record->time, state_word(state),
			(int64_t)(record->verdict_count > 0)),
		recording->error);
}

/* The records around it: what is known of this very time, or of a later one of the
 * same period where the period is thinned out, is not new. */
static int look_around(
	struct recording *recording, const struct thinned *thinned, bool *is_thinned_out)
{
	int64_t time = recording->record->time;
	struct period period = thinned_period(thinned, time);
	sqlite3_stmt *found = statement(recording->history, recording->error,
		"SELECT (SELECT min(time) FROM run WHERE drive = ?1 AND time > ?2),"
		" EXISTS (SELECT 1 FROM run WHERE drive = ?1 AND time = ?2),"
		" EXISTS (SELECT 1 FROM run WHERE drive = ?1 AND time > ?2 AND time < ?3)",
		"ddd", recording->drive, time, period.to);

	if (statement_row(recording->history, found, recording->error) <= 0)
		return -1;
	recording->next = sqlite3_column_int64(found, 0);
	recording->is_new = !sqlite3_column_int(found, 1);
	*is_thinned_out = sqlite3_column_int(found, 2);
	sqlite3_reset(found);
	return 0;
}

static int record_one(
	struct history *history, const struct history_record *record, struct error *error)
{
	struct recording recording = { .history = history, .record = record, .error = error };
	char subject[HISTORY_SUBJECT];
	struct thinned thinned;
	bool is_thinned_out;

	if (!history_subject(record->facts, subject, sizeof(subject)))
		return 0;
	if (drive_keep(history, record, &recording.drive, error) != 0 ||
		thinned_read(history, recording.drive, &thinned, error) != 0 ||
		look_around(&recording, &thinned, &is_thinned_out) != 0)
		return -1;
	if (is_thinned_out)
		return 0;
	if (record_run(&recording) != 0 || record_facts(&recording) != 0 ||
		record_attributes(&recording) != 0 || record_verdicts(&recording) != 0)
		return -1;
	struct period period = thinned_period(&thinned, record->time);

	return thin_drive(history, recording.drive, period, period.to - period.from, error);
}

int history_record(struct history *history, const struct history_record *records, size_t count,
	struct error *error)
{
	int result = database_begin(history, error);

	if (result != 0)
		return result;
	for (size_t i = 0; result == 0 && i < count; i++)
		result = record_one(history, &records[i], error);
	result = database_end(history, result, error);
	/* A number that was given in it may be another key's from now on. */
	if (result != 0)
		keys_forget(history);
	return result;
}

int history_before_init(struct history_before *before, struct history *history,
	const struct facts *facts, int64_t time, int64_t window, struct error *error)
{
	*before = (struct history_before) { .history = history, .time = time, .window = window };
	return drive_number(history, facts, &before->drive, error);
}

/* ?3 is now, ?4 how long ago the window began. Only changes have rows, so what
 * held when it began is the last one until then. */
static const char what_was[] =
	"WITH known AS (SELECT time, value FROM value WHERE drive = ?1 AND"
	"  key = (SELECT id FROM key WHERE name = ?2) AND time < ?3 AND value IS NOT NULL),"
	" begin (time) AS (SELECT coalesce("
	"  (SELECT max(time) FROM run WHERE drive = ?1 AND time <= ?3 - ?4 AND time < ?3),"
	"  (SELECT min(time) FROM run WHERE drive = ?1))),"
	" first (time) AS (SELECT coalesce("
	"  (SELECT max(time) FROM known WHERE time <= (SELECT time FROM begin)),"
	"  (SELECT min(time) FROM known)))"
	" SELECT min(value), max(value), max((SELECT time FROM begin), min(time))"
	" FROM known WHERE time >= (SELECT time FROM first)";

bool history_before(const struct history_before *before, const char *key, struct history_span *span)
{
	struct error error;

	if (!before->history || !before->drive)
		return false;
	sqlite3_stmt *found = statement(before->history, &error, what_was, "dsdd", before->drive,
		key, before->time, before->window);
	if (statement_row(before->history, found, &error) <= 0)
		return false;
	bool is_number = sqlite3_column_type(found, 0) != SQLITE_NULL;

	if (is_number)
		*span = (struct history_span) { sqlite3_column_double(found, 0),
			sqlite3_column_double(found, 1), sqlite3_column_int64(found, 2) };
	sqlite3_reset(found);
	return is_number;
}
