/* What is old is left out: of each day, later of each week, the last record stays. */
#include "history/database.h"

#include <stdlib.h>

#include "assay/arena.h"
#include "assay/array.h"

int thinned_read(
	struct history *history, int64_t drive, struct thinned *thinned, struct error *error)
{
	sqlite3_stmt *found = statement(history, error,
		"SELECT daily_until, weekly_until FROM drive WHERE id = ?1", "d", drive);
	int row = statement_row(history, found, error);

	*thinned = (struct thinned) { 0 };
	if (row > 0) {
		thinned->daily_until = sqlite3_column_int64(found, 0);
		thinned->weekly_until = sqlite3_column_int64(found, 1);
		sqlite3_reset(found);
	}
	return row < 0 ? -1 : 0;
}

struct period thinned_period(const struct thinned *thinned, int64_t time)
{
	int64_t seconds = time < thinned->weekly_until ? WEEK_SECONDS
		: time < thinned->daily_until          ? DAY_SECONDS
						       : 1;

	return (struct period) { time / seconds * seconds, (time / seconds + 1) * seconds };
}

/* The last record stands for all of its period, and has the worst of their verdicts. */
static const char sum_up[] =
	"UPDATE run SET"
	" runs = (SELECT sum(runs) FROM run AS other WHERE other.drive = run.drive AND"
	"  other.time >= run.time / ?4 * ?4 AND other.time < (run.time / ?4 + 1) * ?4),"
	" worst = (SELECT worst FROM run AS other WHERE other.drive = run.drive AND"
	"  other.time >= run.time / ?4 * ?4 AND other.time < (run.time / ?4 + 1) * ?4"
	"  ORDER BY instr('ok unknown warning failing', worst) DESC LIMIT 1)"
	" WHERE drive = ?1 AND time >= ?2 AND time < ?3 AND NOT EXISTS (SELECT 1 FROM run AS later"
	"  WHERE later.drive = run.drive AND later.time > run.time AND"
	"  later.time < (run.time / ?4 + 1) * ?4) AND EXISTS (SELECT 1 FROM run AS earlier"
	"  WHERE earlier.drive = run.drive AND earlier.time < run.time AND"
	"  earlier.time >= run.time / ?4 * ?4)";

static const char *const thinning[] = {
	sum_up,
	"DELETE FROM run WHERE drive = ?1 AND time >= ?2 AND time < ?3 AND EXISTS"
	" (SELECT 1 FROM run AS later WHERE later.drive = run.drive AND later.time > run.time"
	"  AND later.time < (run.time / ?4 + 1) * ?4)",
	"DELETE FROM value WHERE drive = ?1 AND key IN (SELECT id FROM key)"
	" AND time >= ?2 AND time < ?3 AND EXISTS"
	" (SELECT 1 FROM value AS later WHERE later.drive = value.drive AND later.key = value.key"
	"  AND later.time > value.time AND later.time < (value.time / ?4 + 1) * ?4)",
	"DELETE FROM verdict WHERE drive = ?1 AND time >= ?2 AND time < ?3 AND EXISTS"
	" (SELECT 1 FROM verdict AS later WHERE later.drive = verdict.drive AND"
	"  later.rule = verdict.rule AND later.time > verdict.time AND"
	"  later.time < (verdict.time / ?4 + 1) * ?4)",
};

int thin_drive(struct history *history, int64_t drive, struct period span, int64_t seconds,
	struct error *error)
{
	int result = 0;

	for (size_t i = 0; seconds > 1 && result == 0 && i < ARRAY_LEN(thinning); i++)
		result = statement_run(history,
			statement(history, error, thinning[i], "dddd", drive, span.from, span.to,
				seconds),
			error);
	return result;
}

static int64_t end_of_day(int64_t now, unsigned days, int64_t seconds)
{
	return (now - (int64_t)days * DAY_SECONDS) / seconds * seconds;
}

static int thin(struct history *history, int64_t drive, const struct thinned *done,
	const struct thinned *wanted, struct error *error)
{
	if (wanted->daily_until > done->daily_until &&
		thin_drive(history, drive,
			(struct period) { done->daily_until, wanted->daily_until }, DAY_SECONDS,
			error) != 0)
		return -1;
	if (wanted->weekly_until > done->weekly_until &&
		thin_drive(history, drive,
			(struct period) { done->weekly_until, wanted->weekly_until }, WEEK_SECONDS,
			error) != 0)
		return -1;
	return statement_run(history,
		statement(history, error,
			"UPDATE drive SET daily_until = max(daily_until, ?2),"
			" weekly_until = max(weekly_until, ?3) WHERE id = ?1",
			"ddd", drive, wanted->daily_until, wanted->weekly_until),
		error);
}

/* The drives that are behind. */
static int drives_behind(struct history *history, const struct thinned *wanted, int64_t **drives,
	size_t *count, struct error *error)
{
	sqlite3_stmt *behind = statement(history, error,
		"SELECT id FROM drive WHERE daily_until < ?1 OR weekly_until < ?2", "dd",
		wanted->daily_until, wanted->weekly_until);
	int row;

	*drives = NULL;
	*count = 0;
	while ((row = statement_row(history, behind, error)) > 0) {
		*drives = array_grow(*drives, *count, sizeof(**drives));
		(*drives)[(*count)++] = sqlite3_column_int64(behind, 0);
	}
	return row;
}

static int thin_all(struct history *history, const struct thinned *wanted, struct error *error)
{
	struct thinned done;
	int64_t *drives;
	size_t count;
	int result = drives_behind(history, wanted, &drives, &count, error);

	for (size_t i = 0; result == 0 && i < count; i++) {
		result = thinned_read(history, drives[i], &done, error);
		if (result == 0)
			result = thin(history, drives[i], &done, wanted, error);
	}
	free(drives);
	return result;
}

int history_thin(
	struct history *history, const struct history_keep *keep, int64_t now, struct error *error)
{
	enum { TOLD_DAYS = 366 };
	struct thinned wanted = { .daily_until = end_of_day(now, keep->full_days, DAY_SECONDS) };
	int64_t *drives;
	size_t count;

	if (keep->daily_days)
		wanted.weekly_until = end_of_day(now,
			keep->daily_days > keep->full_days ? keep->daily_days : keep->full_days,
			WEEK_SECONDS);
	/* Mostly there is nothing to do, and nobody is locked out for that. */
	int result = drives_behind(history, &wanted, &drives, &count, error);

	free(drives);
	if (result != 0 || count == 0)
		return result;
	if (database_begin(history, error) != 0)
		return -1;
	result = thin_all(history, &wanted, error);
	if (result == 0)
		result = statement_run(history,
			statement(history, error, "DELETE FROM told WHERE time < ?1", "d",
				end_of_day(now, TOLD_DAYS, DAY_SECONDS)),
			error);
	return database_end(history, result, error);
}
