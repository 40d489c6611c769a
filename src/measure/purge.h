/* What the ways of purging have in common. */
#ifndef ASSAY_MEASURE_PURGE_H
#define ASSAY_MEASURE_PURGE_H

#include "assay/purge.h"

struct purge {
	struct session session;
	const struct facts *drive;
	const struct purge_options *options;
	struct error *error;
};

enum purge_progress { PURGE_GOES_ON, PURGE_DONE, PURGE_FAILED };

/* Looks again and again until it is done. -1 and the error where it failed or
 * is to be left alone. */
int purge_wait(
	struct purge *purge, enum purge_progress (*look)(struct purge *purge, double *percent));

/* -1, and the error: nothing came back. */
int purge_no_answer(struct purge *purge, const struct outcome *outcome, bool sent);

/* True where the drive says so of itself. */
bool purge_fact(const struct purge *purge, const char *key);

int purge_scsi(struct purge *purge);
int purge_ata(struct purge *purge);

#endif
