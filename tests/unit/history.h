/*
 * A history in a folder of its own, and drives to record.
 */
#ifndef ASSAY_TEST_HISTORY_H
#define ASSAY_TEST_HISTORY_H

#include <dirent.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/decoder.h"
#include "assay/history.h"
#include "test.h"

struct place {
	char folder[64], file[96];
	struct history *history;
};

static inline struct history *open_history(const char *file, enum history_access access_wanted)
{
	struct history *history;
	struct error error;

	if (history_open(file, access_wanted, &history, &error) != 0)
		fail_msg("%s", error.text);
	return history;
}

static inline void place_make(struct place *place)
{
	strcpy(place->folder, "/tmp/assay-history-XXXXXX");
	assert_non_null(mkdtemp(place->folder));
	snprintf(place->file, sizeof(place->file), "%s/history.db", place->folder);
	place->history = NULL;
}

static inline void place_open(struct place *place)
{
	place_make(place);
	place->history = open_history(place->file, HISTORY_WRITE);
}

static inline void place_reopen(struct place *place)
{
	history_close(place->history);
	place->history = open_history(place->file, HISTORY_WRITE);
}

static inline void place_remove(struct place *place)
{
	char path[512];
	DIR *folder;

	history_close(place->history);
	folder = opendir(place->folder);
	assert_non_null(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		snprintf(path, sizeof(path), "%s/%s", place->folder, entry->d_name);
		unlink(path);
	}
	closedir(folder);
	rmdir(place->folder);
}

static inline void give_fact(struct facts *facts, const char *key, struct value value)
{
	assert_non_null(decoder_key(key));
	facts_add(facts, decoder_key(key), value,
		value.kind == VALUE_NULL ? FACT_UNKNOWN : FACT_KNOWN, source_derived(NULL), 0);
}

/* An ATA drive of that serial number, and nothing else. */
static inline void give_drive(struct facts *facts, const char *serial)
{
	facts_init(facts);
	give_fact(facts, "identity.protocol", value_text("ata"));
	give_fact(facts, "identity.model", value_text("Model 1-A"));
	give_fact(facts, "identity.serial", value_text(serial));
}

static inline void record(struct history *history, const struct facts *facts, int64_t time,
	const struct verdict *verdicts, size_t count)
{
	struct history_record one = {
		.time = time, .facts = facts, .verdicts = verdicts, .verdict_count = count
	};
	struct error error;

	if (history_record(history, &one, 1, &error) != 0)
		fail_msg("%s", error.text);
}

/* Records one drive with one fact. */
static inline void record_fact(struct history *history, const char *serial, int64_t time,
	const char *key, struct value value)
{
	struct facts facts;

	give_drive(&facts, serial);
	give_fact(&facts, key, value);
	record(history, &facts, time, NULL, 0);
	facts_deinit(&facts);
}

/* The first column of the first row, by a connection of the test's own. */
static inline long long ask_file(const char *file, const char *sql)
{
	sqlite3 *database;
	sqlite3_stmt *statement;
	long long value = -1;

	assert_int_equal(sqlite3_open(file, &database), SQLITE_OK);
	sqlite3_busy_timeout(database, 10000);
	if (sqlite3_prepare_v2(database, sql, -1, &statement, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(database));
	if (sqlite3_step(statement) == SQLITE_ROW)
		value = sqlite3_column_int64(statement, 0);
	sqlite3_finalize(statement);
	sqlite3_close(database);
	return value;
}

static inline bool is_whole(const char *file)
{
	return ask_file(file, "SELECT integrity_check = 'ok' FROM pragma_integrity_check") == 1;
}

#endif
