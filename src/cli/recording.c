#include "cli/recording.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/arena.h"

static void tell(const struct error *error)
{
	fprintf(stderr, "assay: %s\n", error->text);
}

/* The default place is made where it is missing; any other one is the user's. */
static void make_folder(const char *file)
{
	char folder[] = HISTORY_FILE;

	if (strcmp(file, HISTORY_FILE) != 0)
		return;
	*strrchr(folder, '/') = '\0';
	mkdir(folder, 0755);
}

void recording_open(struct recording *recording, const struct options *options,
	const struct config *config, int64_t now)
{
	const char *file = options->database ? options->database : config->history.database;
	struct error error;

	*recording = (struct recording) { .records = options->record,
		.now = now,
		.growth_seconds = (int64_t)config->check.growth_hours * 3600,
		.keep = { config->history.full_days, config->history.daily_days } };
	if (!options->record && !options->database)
		return;
	/* A limit of file sizes is to be an error like a full disk, not the end. */
	signal(SIGXFSZ, SIG_IGN);
	if (options->record)
		make_folder(file);
	if (history_open(file, options->record ? HISTORY_WRITE : HISTORY_READ, &recording->history,
		    &error) != 0)
		tell(&error);
}

static int64_t time_of(const struct recording *recording, const struct loaded *loaded)
{
	return target_is_device(loaded->target) ? recording->now : loaded_time(loaded);
}

struct history_before recording_before(
	struct recording *recording, const struct loaded *loaded, const struct facts *facts)
{
	struct history_before before = { .history = NULL };
	int64_t time = time_of(recording, loaded);
	struct error error;

	if (recording->history &&
		history_before_init(&before, recording->history, facts,
			time ? time : recording->now, recording->growth_seconds, &error) != 0)
		tell(&error);
	return before;
}

void recording_add(struct recording *recording, const struct loaded *loaded,
	const struct facts *facts, const struct health *health)
{
	int64_t time = time_of(recording, loaded);
	char subject[HISTORY_SUBJECT];
	const char *missing = NULL;

	if (!recording->history || !recording->records)
		return;
	if (!history_subject(facts, subject, sizeof(subject)))
		missing = "it tells neither a serial number nor a world wide name";
	else if (!time)
		missing = "it does not tell when it was read";
	if (missing) {
		fprintf(stderr, "assay: %s: not recorded: %s\n", loaded->target, missing);
		return;
	}
	recording->rows = array_grow(recording->rows, recording->count, sizeof(*recording->rows));
	recording->rows[recording->count++] = (struct history_record) { .time = time,
		.facts = facts,
		.verdicts = health->verdicts,
		.verdict_count = health->count,
		.target = loaded->target };
}

void recording_close(struct recording *recording)
{
	struct error error;

	if (recording->count &&
		(history_record(recording->history, recording->rows, recording->count, &error) !=
				0 ||
			history_thin(
				recording->history, &recording->keep, recording->now, &error) != 0))
		tell(&error);
	history_close(recording->history);
	free(recording->rows);
	*recording = (struct recording) { 0 };
}
