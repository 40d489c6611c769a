/*
 * The history of a run of check. Whatever becomes of it, the verdicts are told:
 * trouble with the history is a message.
 */
#ifndef ASSAY_CLI_RECORDING_H
#define ASSAY_CLI_RECORDING_H

#include "assay/config.h"
#include "assay/health.h"
#include "assay/history.h"
#include "cli/cli.h"

struct recording {
	struct history *history; /* NULL: there is none */
	bool records;            /* --record: else it is only read */
	struct history_keep keep;
	int64_t now, growth_seconds;
	struct history_record *rows;
	size_t count;
};

/* Opens what the options and the configuration ask for. */
void recording_open(struct recording *recording, const struct options *options,
	const struct config *config, int64_t now);

/* What was known of a drive before, for rules of growth. */
struct history_before recording_before(
	struct recording *recording, const struct loaded *loaded, const struct facts *facts);

/* Remembers a drive that was judged; all it points to must stay until the end. */
void recording_add(struct recording *recording, const struct loaded *loaded,
	const struct facts *facts, const struct health *health);

/* Writes all of the run down at once, leaves out what is old, and closes. */
void recording_close(struct recording *recording);

#endif
