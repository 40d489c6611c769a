/*
 * The history: what drives said at each check, in one SQLite file. A drive is
 * known by its own names, never by its node. The tables are described in
 * assay-history(1), "THE FILE".
 *
 * Times are seconds since 1970, UTC. Functions that return int give 0, or -1
 * with *error, whose text begins with the file's name. Several processes may
 * use one file at once: each waits for the others for some seconds.
 */
#ifndef ASSAY_HISTORY_H
#define ASSAY_HISTORY_H

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/fact.h"
#include "assay/render.h"

#define HISTORY_FILE   "/var/lib/assay/history.db"
#define HISTORY_MEMORY ":memory:" /* in place of a file: forgotten when it is closed */

struct history;

enum history_access {
	HISTORY_READ,  /* of a file that is there; nothing is changed */
	HISTORY_WRITE, /* makes the file where there is none; brings an older schema up to date */
};

/* Opens a file; ":memory:" is a new history that nobody else sees. Statuses: EXIT_NO_SUCH,
 * EXIT_NO_PERMISSION, EXIT_NO_DRIVE_DATA where it is no history, a damaged one, or one of a newer
 * program, EXIT_TIMED_OUT where others keep it locked, EXIT_INTERNAL (the disk is full). */
int history_open(const char *file, enum history_access access, struct history **history,
	struct error *error);
/* history may be NULL. */
void history_close(struct history *history);

/* ---- Drives ---- */

enum { HISTORY_SUBJECT = 192 };

/* The name by which a drive is kept: "MODEL-SERIAL" of an ATA drive,
 * "VENDOR-MODEL-SERIAL" of a SCSI drive, each with "_" for whatever is neither a
 * letter nor a digit (as smartd names its files); "wwn-0x..." where it tells no
 * serial number. False, and "", where it tells neither. */
bool history_subject(const struct facts *facts, char *text, size_t size);

/* ---- Recording ---- */

/* What is known of one drive at one time. Only what changed since the record
 * before takes room. */
struct history_record {
	int64_t time; /* when the drive said it */
	const struct facts *facts;
	const struct verdict *verdicts; /* the first one is the sum; NULL: not judged */
	size_t verdict_count;
	const char *target; /* as the user named it; NULL: not known */
};

/* Adds all records of a run, or none of them. A drive without a name
 * (history_subject()) is left out. A record of a time that is known already
 * replaces what was known then; one of a day that is thinned out (history_thin())
 * counts only where it is the last of that day. */
int history_record(struct history *history, const struct history_record *records, size_t count,
	struct error *error);

/* How long what is kept: every record for full_days, then the last one of each
 * day up to the age of daily_days, then the last one of each week (UTC; daily_days
 * 0: of each day for ever). What a reading was over a day (its lowest, mean and
 * highest) is kept all the while, and so is the worst verdict of what is left out. */
struct history_keep {
	unsigned full_days, daily_days;
};

/* Leaves out what is old. Cheap where nothing has become old since the last time. */
int history_thin(
	struct history *history, const struct history_keep *keep, int64_t now, struct error *error);

/* Where a drive is in its history, for what it was before. */
struct history_before {
	struct history *history;
	int64_t drive;  /* 0: not known there */
	int64_t time;   /* what is looked for is older than this */
	int64_t window; /* in seconds; 0: the last record alone */
};

/* Finds the drive. */
int history_before_init(struct history_before *before, struct history *history,
	const struct facts *facts, int64_t time, int64_t window, struct error *error);
/* What a number was in the records of a while. */
struct history_span {
	double least, most;
	int64_t since; /* of the first of them */
};

/* What a key was from the newest record that is older than the window, or from the
 * first one, up to that time: false where no record has it. A record that does
 * not know the key, of a sleeping drive say, leaves it as it was. */
bool history_before(
	const struct history_before *before, const char *key, struct history_span *span);

/* ---- Reading ---- */

struct history_drive {
	int64_t number;
	const char *subject, *vendor, *model, *serial, *wwn; /* "" where not known */
	const char *target;                                  /* where it was last */
	int64_t first, last;                                 /* records */
	uint64_t runs;                                       /* so many checks */
	enum verdict_state state, worst;                     /* at the last one, and ever */
	double used_percent;                                 /* last; NAN: not known */
	const char *end_date; /* history_list(): when it is used up; NULL: not known */
};

/* The drives of that serial number, model, world wide name, subject, or last
 * target (case is not heeded); NULL: all. Ordered by subject; texts and the array
 * are the arena's. */
int history_drives(struct history *history, const char *name, struct arena *arena,
	struct history_drive **drives, size_t *count, struct error *error);
/* The drive that the facts are of: *count is 0 or 1. */
int history_drive_of(struct history *history, const struct facts *facts, struct arena *arena,
	struct history_drive **drive, size_t *count, struct error *error);

/* What a datasheet promises; 0 and NULL: nothing. */
struct history_ratings {
	double written_bytes;
	double warranty_years;
	bool or_endurance; /* the warranty ends with the rated bytes, too */
	const char *source;
};

/* Adds to the facts what was last known of a drive: its names, size, use and wear. */
int history_facts(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error);

/* Adds to these facts what was measured over time (topic "history"), series as
 * tables, and projections. Everything is as of the last record: no clock is asked. */
int history_report(struct history *history, const struct history_drive *drive,
	const struct history_ratings *ratings, struct facts *facts, struct error *error);

/* Of all that, only what was written, wear, and when rating and warranty run out. */
int history_report_endurance(struct history *history, const struct history_drive *drive,
	const struct history_ratings *ratings, struct facts *facts, struct error *error);

/* Adds a row for each drive. */
void history_list(const struct history_drive *drives, size_t count, struct facts *facts);

/* ---- Out and in ---- */

enum history_format { HISTORY_CSV, HISTORY_JSON };

/* Writes everything that is known of the drives, oldest first, as assay-history(1)
 * says. Trouble with the stream is the caller's to see (ferror()). */
int history_export(FILE *file, struct history *history, const struct history_drive *drives,
	size_t count, enum history_format format, struct error *error);

/* What became of a file. */
struct history_imported {
	char subject[HISTORY_SUBJECT]; /* the drive that its name tells */
	size_t records;                /* lines that were read, new ones or not */
	size_t wrong;                  /* lines that were none */
	size_t first_wrong;            /* the number of the first of them, from 1 */
};

/* Reads an attribute log of smartd(8), MODEL-SERIAL.ata.csv or
 * VENDOR-MODEL-SERIAL.scsi.csv; a file that was read before changes nothing.
 * EXIT_NO_DRIVE_DATA where it is none. */
int history_import(struct history *history, const char *file, struct history_imported *imported,
	struct error *error);

/* ---- Projection ---- */

/* When an amount is used up that so much is taken from day by day. */
struct projection {
	double days;             /* at the rate that was asked for; INFINITY: never */
	double earliest, latest; /* in nine of ten cases it is between these; NAN: too few days
				  * are known */
};

enum { PROJECTION_DAYS = 14, RECENT_DAYS = 90 };

/* The mean of the days that count as recent: the last RECENT_DAYS, or more, up to
 * half of all, where use is so uneven that these do not tell a mean. */
double projection_recent_rate(const double *amounts, size_t count);
/* amounts are those of the last `count` days; rate is an amount a day. */
void project(const double *amounts, size_t count, double remaining, double rate,
	struct projection *projection);

/* ---- Alerts: what was told to whom, kept with the history ---- */

/* A subject is a drive's name (history_subject()), or any other text for what
 * has none; a rule is what was told of it: any text. */
struct history_alert {
	enum verdict_state state;      /* as it is; VERDICT_OK where nothing was noted */
	int64_t since;                 /* when it came to be so */
	enum verdict_state told_state; /* as it was told last; VERDICT_OK: nothing was */
	int64_t told;                  /* when; 0: never */
	unsigned attempts;             /* to tell this state, that failed */
};

int history_alert_get(struct history *history, const char *subject, const char *rule,
	struct history_alert *alert, struct error *error);

/* Notes a state as it is now, and gives the alert as it is then. A new state
 * starts at `now` with no failed attempt. */
int history_alert_note(struct history *history, const char *subject, const char *rule,
	enum verdict_state state, int64_t now, struct history_alert *alert, struct error *error);

/* Takes the task to tell an alert: *claimed is true for one process alone, until
 * it says done or failed, or until lease_seconds are over, should it die. False
 * where another has it, or where the alert is no longer as it was seen. */
int history_alert_claim(struct history *history, const char *subject, const char *rule,
	const struct history_alert *seen, int64_t now, unsigned lease_seconds, bool *claimed,
	struct error *error);
/* It was told as `told`, and counts from now on. */
int history_alert_done(struct history *history, const char *subject, const char *rule,
	enum verdict_state told, int64_t now, struct error *error);
/* It could not be told: it is free again, with one attempt more. */
int history_alert_failed(
	struct history *history, const char *subject, const char *rule, struct error *error);

/* How many of a rule were told since a time, of all subjects, those that are
 * claimed now included. */
int history_alert_count(struct history *history, const char *rule, int64_t since, int64_t now,
	size_t *count, struct error *error);

/* Calls visit for each alert that was ever noted, ordered by subject and rule.
 * visit may call any function above; texts are valid during the call. */
int history_alert_each(struct history *history,
	void (*visit)(void *context, const char *subject, const char *rule,
		const struct history_alert *alert),
	void *context, struct error *error);

#endif
