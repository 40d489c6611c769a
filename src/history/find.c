/* The drives of a history. */
#include <math.h>
#include <string.h>

#include "history/tables.h"

#define COLUMNS                                                                 \
	"SELECT id, subject, vendor, model, serial, wwn, target, first, last,"  \
	" (SELECT coalesce(sum(runs), 0) FROM run WHERE drive = id),"           \
	" (SELECT state FROM run WHERE drive = id ORDER BY time DESC LIMIT 1)," \
	" (SELECT worst FROM run WHERE drive = id"                              \
	"  ORDER BY instr('ok unknown warning failing', worst) DESC LIMIT 1),"  \
	" (SELECT value FROM value JOIN key ON key.id = value.key WHERE"        \
	"  value.drive = drive.id AND name = 'endurance.used_percent' AND"      \
	"  value IS NOT NULL ORDER BY time DESC LIMIT 1) FROM drive "

static struct history_drive drive_of(sqlite3_stmt *row, struct arena *arena)
{
	return (struct history_drive) {
		.number = sqlite3_column_int64(row, 0),
		.subject = arena_text(arena, column_text(row, 1)),
		.vendor = arena_text(arena, column_text(row, 2)),
		.model = arena_text(arena, column_text(row, 3)),
		.serial = arena_text(arena, column_text(row, 4)),
		.wwn = arena_text(arena, column_text(row, 5)),
		.target = arena_text(arena, column_text(row, 6)),
		.first = sqlite3_column_int64(row, 7),
		.last = sqlite3_column_int64(row, 8),
		.runs = (uint64_t)sqlite3_column_int64(row, 9),
		.state = state_of_word(column_text(row, 10)),
		.worst = state_of_word(column_text(row, 11)),
		.used_percent = sqlite3_column_type(row, 12) == SQLITE_NULL
			? NAN
			: sqlite3_column_double(row, 12),
	};
}

/* An array that grows in an arena: what it was before stays behind. */
static void append(struct arena *arena, struct history_drive **drives, size_t *count,
	const struct history_drive *drive)
{
	if ((*count & (*count - 1)) == 0) {
		struct history_drive *more = arena_alloc(
			arena, (*count ? *count * 2 : 1) * sizeof(*more));

		if (*count)
			memcpy(more, *drives, *count * sizeof(*more));
		*drives = more;
	}
	(*drives)[(*count)++] = *drive;
}

static int read_all(struct history *history, sqlite3_stmt *found, struct arena *arena,
	struct history_drive **drives, size_t *count, struct error *error)
{
	int row;

	*drives = NULL;
	*count = 0;
	while ((row = statement_row(history, found, error)) > 0) {
		struct history_drive drive = drive_of(found, arena);

		append(arena, drives, count, &drive);
	}
	return row;
}

int history_drives(struct history *history, const char *name, struct arena *arena,
	struct history_drive **drives, size_t *count, struct error *error)
{
	return read_all(history,
		statement(history, error,
			COLUMNS "WHERE ?1 IS NULL OR ?1 <> '' AND (subject = ?1 COLLATE NOCASE OR"
				" serial = ?1 COLLATE NOCASE OR model = ?1 COLLATE NOCASE OR"
				" wwn = ?1 COLLATE NOCASE OR target = ?1) ORDER BY subject",
			"s", name),
		arena, drives, count, error);
}

int history_drive_of(struct history *history, const struct facts *facts, struct arena *arena,
	struct history_drive **drive, size_t *count, struct error *error)
{
	int64_t number;

	if (drive_number(history, facts, &number, error) != 0)
		return -1;
	return read_all(history, statement(history, error, COLUMNS "WHERE id = ?1", "d", number),
		arena, drive, count, error);
}

void history_list(const struct history_drive *drives, size_t count, struct facts *facts)
{
	for (size_t i = 0; i < count; i++) {
		const struct history_drive *drive = &drives[i];
		struct row *row = facts_row(
			facts, &table_history_drives, source_derived("history"));

		row_set(row, "subject", value_text(drive->subject));
		row_set(row, "vendor", value_text_or_null(drive->vendor));
		row_set(row, "model", value_text_or_null(drive->model));
		row_set(row, "serial", value_text_or_null(drive->serial));
		row_set(row, "wwn", value_text_or_null(drive->wwn));
		row_set(row, "target", value_text_or_null(drive->target));
		row_set(row, "first_record", time_value(facts, drive->first));
		row_set(row, "last_record", time_value(facts, drive->last));
		row_set(row, "record_count", value_uint(drive->runs));
		row_set(row, "used_percent",
			isnan(drive->used_percent) ? value_null()
						   : value_real(drive->used_percent));
		row_set(row, "end_date", value_text_or_null(drive->end_date));
		row_set(row, "state", value_text(state_word(drive->state)));
		row_set(row, "worst_state", value_text(state_word(drive->worst)));
	}
}
