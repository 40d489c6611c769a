#include "history/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/arena.h"
#include "assay/array.h"

static const struct {
	int result;
	enum exit_status status;
	const char *text; /* NULL: SQLite's own */
} failures[] = {
	{ SQLITE_NOTADB, EXIT_NO_DRIVE_DATA, "not a history: no SQLite database" },
	{ SQLITE_CORRUPT, EXIT_NO_DRIVE_DATA, "the history is damaged" },
	{ SQLITE_FULL, EXIT_INTERNAL, "the disk is full" },
	{ SQLITE_READONLY, EXIT_NO_PERMISSION, "it may only be read" },
	{ SQLITE_PERM, EXIT_NO_PERMISSION, "no permission" },
	{ SQLITE_AUTH, EXIT_NO_PERMISSION, "no permission" },
	{ SQLITE_CANTOPEN, EXIT_NO_PERMISSION, "it cannot be opened" },
	{ SQLITE_BUSY, EXIT_TIMED_OUT, "other programs keep it locked" },
	{ SQLITE_LOCKED, EXIT_TIMED_OUT, "other programs keep it locked" },
};

int database_failed(struct history *history, int result, struct error *error)
{
	int cause = history->database ? sqlite3_system_errno(history->database) : 0;
	const char *text = history->database ? sqlite3_errmsg(history->database)
					     : sqlite3_errstr(result);

	/* A write that the kernel cuts short is an I/O error to SQLite. */
	if ((result & 0xff) == SQLITE_IOERR &&
		(cause == ENOSPC || cause == EFBIG || cause == EDQUOT))
		result = SQLITE_FULL;
	for (size_t i = 0; i < ARRAY_LEN(failures); i++)
		if (failures[i].result == (result & 0xff))
			return error_set(error, failures[i].status, "%s: %s (%s)", history->file,
				failures[i].text, text);
	return error_set(error, EXIT_INTERNAL, "%s: %s", history->file, text);
}

/* ---- Statements ---- */

static int bind_value(sqlite3_stmt *statement, int at, struct value value)
{
	char digits[24];

	switch (value.kind) {
	case VALUE_FLAG:
		return sqlite3_bind_int64(statement, at, value.flag);
	case VALUE_INT:
		return sqlite3_bind_int64(statement, at, value.sint);
	case VALUE_UINT:
		if (value.uint <= INT64_MAX)
			return sqlite3_bind_int64(statement, at, (int64_t)value.uint);
		snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value.uint);
		return sqlite3_bind_text(statement, at, digits, -1, SQLITE_TRANSIENT);
	case VALUE_REAL:
		return sqlite3_bind_double(statement, at, value.real);
	case VALUE_TEXT:
		return sqlite3_bind_text(statement, at, value.text, -1, SQLITE_STATIC);
	default:
		return sqlite3_bind_null(statement, at);
	}
}

static int bind(sqlite3_stmt *statement, const char *kinds, va_list args)
{
	int result = SQLITE_OK;

	for (int at = 1; result == SQLITE_OK && kinds[at - 1]; at++) {
		switch (kinds[at - 1]) {
		case 'd':
			result = sqlite3_bind_int64(statement, at, va_arg(args, int64_t));
			break;
		case 'f':
			result = sqlite3_bind_double(statement, at, va_arg(args, double));
			break;
		case 's':
			result = sqlite3_bind_text(
				statement, at, va_arg(args, const char *), -1, SQLITE_STATIC);
			break;
		default:
			result = bind_value(statement, at, va_arg(args, struct value));
			break;
		}
	}
	return result;
}

static sqlite3_stmt *prepared(struct history *history, const char *sql, int *result)
{
	sqlite3_stmt *new = NULL;

	for (size_t i = 0; i < history->statement_count; i++)
		if (history->statements[i].sql == sql)
			return history->statements[i].statement;
	*result = sqlite3_prepare_v3(
		history->database, sql, -1, SQLITE_PREPARE_PERSISTENT, &new, NULL);
	if (*result != SQLITE_OK)
		return NULL;
	history->statements = array_grow(
		history->statements, history->statement_count, sizeof(*history->statements));
	history->statements[history->statement_count++] = (struct prepared) { sql, new };
	return new;
}

sqlite3_stmt *statement(
	struct history *history, struct error *error, const char *sql, const char *kinds, ...)
{
	int result = SQLITE_OK;
	sqlite3_stmt *found = prepared(history, sql, &result);
	va_list args;

	if (found) {
		sqlite3_reset(found);
		va_start(args, kinds);
		result = bind(found, kinds, args);
		va_end(args);
	}
	if (result == SQLITE_OK)
		return found;
	database_failed(history, result, error);
	return NULL;
}

int statement_row(struct history *history, sqlite3_stmt *statement, struct error *error)
{
	if (!statement)
		return -1;
	int result = sqlite3_step(statement);

	if (result == SQLITE_ROW)
		return 1;
	if (result != SQLITE_DONE)
		database_failed(history, result, error);
	sqlite3_reset(statement);
	return result == SQLITE_DONE ? 0 : -1;
}

int statement_run(struct history *history, sqlite3_stmt *statement, struct error *error)
{
	int row = statement_row(history, statement, error);

	if (row > 0)
		sqlite3_reset(statement);
	return row < 0 ? -1 : 0;
}

const char *column_text(sqlite3_stmt *statement, int column)
{
	const unsigned char *text = sqlite3_column_text(statement, column);

	return text ? (const char *)text : "";
}

int database_execute(struct history *history, const char *sql, struct error *error)
{
	int result = sqlite3_exec(history->database, sql, NULL, NULL, NULL);

	return result == SQLITE_OK ? 0 : database_failed(history, result, error);
}

int database_begin(struct history *history, struct error *error)
{
	/* IMMEDIATE: who waits, waits here, and nothing is half done. */
	return database_execute(history, "BEGIN IMMEDIATE", error);
}

int database_end(struct history *history, int result, struct error *error)
{
	if (result == 0)
		result = database_execute(history, "COMMIT", error);
	if (result != 0)
		sqlite3_exec(history->database, "ROLLBACK", NULL, NULL, NULL);
	return result;
}

/* ---- Opening ---- */

static int open_file(struct history *history, const char *name, int flags, struct error *error)
{
	int result = sqlite3_open_v2(name, &history->database, flags | SQLITE_OPEN_NOMUTEX, NULL);

	if (result != SQLITE_OK)
		return database_failed(history, result, error);
	sqlite3_extended_result_codes(history->database, 1);
	sqlite3_busy_timeout(history->database, BUSY_MS);
	return 0;
}

/* Where nobody may write beside the file, and no log waits there to be read with
 * it, the file alone is all there is. */
static int open_alone(struct history *history, struct error *error)
{
	char *log = sqlite3_mprintf("%s-wal", history->file), *name;
	struct stat state;
	bool has_log = log && stat(log, &state) == 0 && state.st_size > 0;
	int result = -1;

	sqlite3_free(log);
	if (has_log || access(history->file, R_OK) != 0)
		return -1;
	sqlite3_close(history->database);
	history->database = NULL;
	name = sqlite3_mprintf("file:%w?immutable=1", history->file);
	if (name && !strpbrk(history->file, "?#%"))
		result = open_file(history, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, error);
	sqlite3_free(name);
	return result;
}

/* WAL: readers never wait for a writer. FULL: what was committed stays, even
 * when the power goes. The log's file stays, so that those who may only read
 * can still open it. */
static int prepare_writing(struct history *history, struct error *error)
{
	int on = 1;

	if (schema_prepare(history, HISTORY_WRITE, error) != 0)
		return -1;
	sqlite3_file_control(history->database, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	return 0;
}

/* An older schema is brought up to date first, where that may be. */
static void update(const char *file)
{
	struct history *history;
	struct error error;

	if (access(file, W_OK) == 0 && history_open(file, HISTORY_WRITE, &history, &error) == 0)
		history_close(history);
}

static int prepare_reading(struct history *history, struct error *error)
{
	struct error again;

	if (schema_prepare(history, HISTORY_READ, error) == 0)
		return 0;
	if (error->status != EXIT_NO_PERMISSION)
		return -1;
	update(history->file);
	if (schema_prepare(history, HISTORY_READ, error) == 0)
		return 0;
	if (open_alone(history, &again) != 0)
		return -1;
	return schema_prepare(history, HISTORY_READ, error);
}

static int check_file(const char *file, enum history_access access_wanted, struct error *error)
{
	struct stat state;

	if (!strcmp(file, HISTORY_MEMORY))
		return 0;
	if (stat(file, &state) != 0) {
		/* The kernel's reason is better than what SQLite makes of it. */
		int made = errno == ENOENT && access_wanted == HISTORY_WRITE
			? open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644)
			: -1;

		if (made >= 0)
			return close(made);
		return error_set(error, error_status_of(errno), "%s: %s", file, strerror(errno));
	}
	if (!S_ISREG(state.st_mode))
		return error_set(error, EXIT_NO_DRIVE_DATA, "%s: not a file", file);
	if (access(file, access_wanted == HISTORY_WRITE ? R_OK | W_OK : R_OK) != 0)
		return error_set(error, error_status_of(errno), "%s: %s", file, strerror(errno));
	return 0;
}

int history_open(const char *file, enum history_access access_wanted, struct history **history,
	struct error *error)
{
	struct history *new;
	int flags = access_wanted == HISTORY_WRITE ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
						   : SQLITE_OPEN_READONLY;

	*history = NULL;
	if (check_file(file, access_wanted, error) != 0)
		return -1;
	new = array_grow(NULL, 0, sizeof(*new));
	new->file = strdup(file);
	int result = new->file ? open_file(new, file, flags, error)
			       : error_set(error, EXIT_INTERNAL, "%s: out of memory", file);
	if (result == 0)
		result = access_wanted == HISTORY_WRITE ? prepare_writing(new, error)
							: prepare_reading(new, error);
	if (result != 0) {
		history_close(new);
		return -1;
	}
	*history = new;
	return 0;
}

void history_close(struct history *history)
{
	if (!history)
		return;
	for (size_t i = 0; i < history->statement_count; i++)
		sqlite3_finalize(history->statements[i].statement);
	sqlite3_close(history->database);
	keys_forget(history);
	free(history->statements);
	free(history->file);
	free(history);
}
