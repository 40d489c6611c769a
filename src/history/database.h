/*
 * The open file: statements by name, transactions, errors in words. Only this
 * folder knows SQLite.
 */
#ifndef ASSAY_HISTORY_DATABASE_H
#define ASSAY_HISTORY_DATABASE_H

#include <sqlite3.h>

#include "assay/history.h"

enum { BUSY_MS = 10000 }; /* how long others that write are waited for */

/* A statement that was prepared; it lives as long as the file is open. */
struct prepared {
	const char *sql; /* a literal */
	sqlite3_stmt *statement;
};

/* A row of the table of keys. */
struct known_key {
	char *name;
	int64_t number;
};

struct history {
	sqlite3 *database;
	char *file;
	struct prepared *statements;
	size_t statement_count;
	struct known_key *keys; /* ordered by name */
	size_t key_count;
};

/* Fills *error with the file's name and what SQLite says of it; returns -1. */
int database_failed(struct history *history, int result, struct error *error);

/* A prepared statement, reset and with parameters 1, 2, ... bound: d int64_t, f
 * double, s text (NULL: null; must stay until the next use), v struct value. The
 * SQL text is a literal: statements are told apart by its address. NULL and
 * *error where it cannot be had. */
sqlite3_stmt *statement(
	struct history *history, struct error *error, const char *sql, const char *kinds, ...);

/* Steps a statement that gives no row. */
int statement_run(struct history *history, sqlite3_stmt *statement, struct error *error);
/* Steps to the next row: 1 there is one, 0 the end, -1 and *error. */
int statement_row(struct history *history, sqlite3_stmt *statement, struct error *error);

/* A text of the current row, "" for null. */
const char *column_text(sqlite3_stmt *statement, int column);

/* Statements without parameters, one or more. */
int database_execute(struct history *history, const char *sql, struct error *error);

/* A transaction that may write. end commits where result is 0, else rolls back;
 * returns result, or -1 and *error where the commit failed. */
int database_begin(struct history *history, struct error *error);
int database_end(struct history *history, int result, struct error *error);

/* Makes the tables, or brings them up to date (schema.c). */
int schema_prepare(struct history *history, enum history_access access, struct error *error);

/* The four words of states of health, as they stand in the file. */
const char *state_word(enum verdict_state state);
enum verdict_state state_of_word(const char *word);

enum { DAY_SECONDS = 86400, WEEK_SECONDS = 7 * DAY_SECONDS };

/* How far a drive is thinned out (thin.c): before these times one record of each
 * day is left, and one of each week. */
struct thinned {
	int64_t daily_until, weekly_until;
};
int thinned_read(
	struct history *history, int64_t drive, struct thinned *thinned, struct error *error);
/* The period that a time is in: {time, time + 1} where nothing is thinned out. */
struct period {
	int64_t from, to;
};
struct period thinned_period(const struct thinned *thinned, int64_t time);
/* Leaves one record in each period of that many seconds, from and to being ends
 * of such. */
int thin_drive(struct history *history, int64_t drive, struct period span, int64_t seconds,
	struct error *error);

/* The number of a key; a new one gets one, but not for VALUE_NULL: 0 then. */
int key_number(struct history *history, const char *name, enum unit unit, enum value_kind kind,
	int64_t *number, struct error *error);
/* Forgets the numbers, after a transaction that did not happen. */
void keys_forget(struct history *history);
/* The number of a drive, or 0 where the file does not know it. */
int drive_number(
	struct history *history, const struct facts *facts, int64_t *number, struct error *error);
/* The same, and a new one gets a number; its names and times are kept. */
int drive_keep(struct history *history, const struct history_record *record, int64_t *number,
	struct error *error);

#endif
