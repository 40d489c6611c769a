/* The tables, and how an older file gets them. assay-history(1) describes them. */
#include "history/database.h"

#include <string.h>
#include <time.h>

#include "assay/clock.h"
#include "assay/decoder.h"

/* "assy": tells the file from other programs' (PRAGMA application_id). */
enum { APPLICATION_ID = 0x61737379 };

/* Step i takes a file of schema version i to i + 1. A step that has been
 * released never changes. */
static const char *const steps[] = {
	"CREATE TABLE drive ("
	"  id INTEGER PRIMARY KEY,"
	"  subject TEXT NOT NULL UNIQUE,"
	"  vendor TEXT NOT NULL, model TEXT NOT NULL, serial TEXT NOT NULL, wwn TEXT NOT NULL,"
	"  protocol TEXT NOT NULL, target TEXT NOT NULL,"
	"  first INTEGER NOT NULL, last INTEGER NOT NULL) STRICT;"
	"CREATE INDEX drive_wwn ON drive (wwn);"
	"CREATE TABLE key ("
	"  id INTEGER PRIMARY KEY,"
	"  name TEXT NOT NULL UNIQUE, unit TEXT NOT NULL, kind TEXT NOT NULL) STRICT;"
	"CREATE TABLE run ("
	"  drive INTEGER NOT NULL REFERENCES drive, time INTEGER NOT NULL,"
	"  state TEXT NOT NULL,"
	"  PRIMARY KEY (drive, time)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE value ("
	"  drive INTEGER NOT NULL REFERENCES drive, key INTEGER NOT NULL REFERENCES key,"
	"  time INTEGER NOT NULL, value ANY,"
	"  PRIMARY KEY (drive, key, time)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE verdict ("
	"  drive INTEGER NOT NULL REFERENCES drive, rule TEXT NOT NULL, time INTEGER NOT NULL,"
	"  state TEXT NOT NULL, reason TEXT NOT NULL,"
	"  PRIMARY KEY (drive, rule, time)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE alert ("
	"  subject TEXT NOT NULL, rule TEXT NOT NULL,"
	"  state TEXT NOT NULL, since INTEGER NOT NULL,"
	"  told_state TEXT NOT NULL, told INTEGER NOT NULL,"
	"  attempts INTEGER NOT NULL, claimed_until INTEGER NOT NULL,"
	"  PRIMARY KEY (subject, rule)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE told ("
	"  id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"
	"  subject TEXT NOT NULL, rule TEXT NOT NULL, state TEXT NOT NULL) STRICT;"
	"CREATE INDEX told_time ON told (time);",
	/* Down-sampling: a run that stands for several, and readings summed up by day. */
	"ALTER TABLE run ADD COLUMN worst TEXT NOT NULL DEFAULT '';"
	"ALTER TABLE run ADD COLUMN runs INTEGER NOT NULL DEFAULT 1;"
	"UPDATE run SET worst = state;"
	"ALTER TABLE drive ADD COLUMN daily_until INTEGER NOT NULL DEFAULT 0;"
	"ALTER TABLE drive ADD COLUMN weekly_until INTEGER NOT NULL DEFAULT 0;"
	"CREATE TABLE day ("
	"  drive INTEGER NOT NULL REFERENCES drive, key INTEGER NOT NULL REFERENCES key,"
	"  day INTEGER NOT NULL, readings INTEGER NOT NULL,"
	"  sum REAL NOT NULL, minimum REAL NOT NULL, maximum REAL NOT NULL,"
	"  PRIMARY KEY (drive, key, day)) STRICT, WITHOUT ROWID;"
	"INSERT INTO day SELECT drive, key, time / 86400, count(*), sum(held), min(held), max(held)"
	"  FROM (SELECT run.drive, key.id AS key, run.time, (SELECT value FROM value"
	"    WHERE drive = run.drive AND key = key.id AND time <= run.time"
	"    ORDER BY time DESC LIMIT 1) AS held"
	"  FROM run, key WHERE key.name = 'temperature.current_celsius')"
	"  WHERE held IS NOT NULL GROUP BY 1, 2, 3;",
};

static const char *const states[] = {
	[VERDICT_OK] = "ok",
	[VERDICT_WARNING] = "warning",
	[VERDICT_FAILING] = "failing",
	[VERDICT_UNKNOWN] = "unknown",
};

const char *state_word(enum verdict_state state)
{
	return (size_t)state < ARRAY_LEN(states) ? states[state] : states[VERDICT_UNKNOWN];
}

enum verdict_state state_of_word(const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(states); i++)
		if (!strcmp(states[i], word))
			return (enum verdict_state)i;
	return VERDICT_UNKNOWN;
}

static int pragma(struct history *history, const char *sql, int64_t *value, struct error *error)
{
	sqlite3_stmt *asked = statement(history, error, sql, "");
	int row = statement_row(history, asked, error);

	*value = row > 0 ? sqlite3_column_int64(asked, 0) : 0;
	if (row > 0)
		sqlite3_reset(asked);
	return row < 0 ? -1 : 0;
}

/* Gives the schema version; fails where the file is another program's. */
static int version_of(struct history *history, int64_t *version, struct error *error)
{
	int64_t tables, application;

	if (pragma(history, "SELECT count(*) FROM sqlite_schema", &tables, error) != 0 ||
		pragma(history, "PRAGMA application_id", &application, error) != 0 ||
		pragma(history, "PRAGMA user_version", version, error) != 0)
		return -1;
	if (tables && application != APPLICATION_ID)
		return error_set(error, EXIT_NO_DRIVE_DATA,
			"%s: not a history: a database of another program", history->file);
	if (*version < 0 || *version > (int64_t)ARRAY_LEN(steps))
		return error_set(error, EXIT_NO_DRIVE_DATA,
			"%s: written by a newer assay (schema %lld, this one knows %zu)",
			history->file, (long long)*version, ARRAY_LEN(steps));
	return 0;
}

static int step(struct history *history, int64_t version, struct error *error)
{
	char sql[64];

	if (database_execute(history, steps[version], error) != 0)
		return -1;
	snprintf(sql, sizeof(sql), "PRAGMA user_version = %lld", (long long)version + 1);
	return database_execute(history, sql, error);
}

/* The version is read again: another process may have been faster. */
static int migrate(struct history *history, struct error *error)
{
	int64_t version;
	char sql[64];

	if (database_begin(history, error) != 0)
		return -1;
	int result = version_of(history, &version, error);

	if (result == 0 && version == 0) {
		snprintf(sql, sizeof(sql), "PRAGMA application_id = %d", APPLICATION_ID);
		result = database_execute(history, sql, error);
	}
	for (; result == 0 && version < (int64_t)ARRAY_LEN(steps); version++)
		result = step(history, version, error);
	return database_end(history, result, error);
}

/* A file becomes one with a log when it is new. SQLite does not wait for another that
 * does the same, for fear of waiting for each other: so it is asked again. */
static int use_log(struct history *history, struct error *error)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	int64_t end_ms = clock_ms() + BUSY_MS;
	int result;

	do {
		result = sqlite3_exec(
			history->database, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);
	} while ((result & 0xff) == SQLITE_BUSY && clock_ms() < end_ms && !nanosleep(&pause, NULL));
	return result == SQLITE_OK ? 0 : database_failed(history, result, error);
}

int schema_prepare(struct history *history, enum history_access access, struct error *error)
{
	int64_t version;

	if (version_of(history, &version, error) != 0)
		return -1;
	if (access == HISTORY_WRITE) {
		if (use_log(history, error) != 0 ||
			database_execute(history,
				"PRAGMA synchronous = FULL;"
				"PRAGMA journal_size_limit = 1048576; PRAGMA foreign_keys = ON",
				error) != 0)
			return -1;
		return version < (int64_t)ARRAY_LEN(steps) ? migrate(history, error) : 0;
	}
	if (version < (int64_t)ARRAY_LEN(steps))
		return error_set(error, EXIT_NO_PERMISSION,
			version ? "%s: of an older assay (schema %lld), and may not be brought up "
				  "to date"
				: "%s: an empty history",
			history->file, (long long)version);
	return 0;
}
