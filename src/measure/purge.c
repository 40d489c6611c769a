/* Purging: which way, and how long it takes. */
#include "measure/purge.h"

#include <limits.h>
#include <string.h>
#include <time.h>

enum { POLL_MS = 1000, LOOK_MS = 50 };

static const char *const names[PURGE_METHODS] = {
	[PURGE_NONE] = "none",
	[PURGE_DISCARD] = "discard",
	[PURGE_SANITIZE_BLOCK] = "sanitize-block",
	[PURGE_SANITIZE_CRYPTO] = "sanitize-crypto",
	[PURGE_SANITIZE_OVERWRITE] = "sanitize-overwrite",
	[PURGE_SECURITY_ERASE] = "security-erase",
	[PURGE_SECURITY_ERASE_ENHANCED] = "security-erase-enhanced",
	[PURGE_FORMAT] = "format",
};

const char *purge_name(enum purge_method method)
{
	return names[method];
}

enum purge_method purge_of_name(const char *name)
{
	enum purge_method method = PURGE_DISCARD;

	while (method < PURGE_METHODS && strcmp(names[method], name) != 0)
		method++;
	return method;
}

bool purge_fact(const struct purge *purge, const char *key)
{
	bool flag = false;

	return facts_flag(purge->drive, key, &flag) && flag;
}

int purge_no_answer(struct purge *purge, const struct outcome *outcome, bool sent)
{
	bool late = !sent || outcome->delivery == DELIVERY_TIMED_OUT;

	return error_set(purge->error, late ? EXIT_TIMED_OUT : EXIT_NO_SUCH,
		late ? "%s: the drive does not answer" : "%s: the drive is gone",
		purge_name(purge->options->method));
}

static bool is_stopped(const struct purge *purge)
{
	return purge->options->stop && *purge->options->stop;
}

static void pause_a_while(const struct purge *purge)
{
	struct timespec pause = { 0, LOOK_MS * 1000000L };
	unsigned left = purge->options->poll_ms ? purge->options->poll_ms : POLL_MS;

	for (; left && !is_stopped(purge); left = left > LOOK_MS ? left - LOOK_MS : 0)
		nanosleep(&pause, NULL);
}

int purge_wait(
	struct purge *purge, enum purge_progress (*look)(struct purge *purge, double *percent))
{
	for (;;) {
		double percent = -1;
		enum purge_progress progress = look(purge, &percent);

		if (progress != PURGE_GOES_ON)
			return progress == PURGE_DONE ? 0 : -1;
		if (purge->options->progress)
			purge->options->progress(purge->options->context, percent);
		if (is_stopped(purge))
			return error_set(purge->error, EXIT_UNKNOWN,
				"%s was left alone: the drive goes on with it by itself",
				purge_name(purge->options->method));
		pause_a_while(purge);
	}
}

int purge_drive(struct transport *transport, const struct facts *drive,
	const struct purge_options *options, struct error *error)
{
	struct command_limits limits = { .deadline_ms = UINT_MAX };
	struct purge purge = { .drive = drive, .options = options, .error = error };

	session_init(&purge.session, transport, &limits);
	if (!strcmp(facts_text(drive, "identity.protocol"), "ata"))
		return purge_ata(&purge);
	return purge_scsi(&purge);
}
