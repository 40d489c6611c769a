/*
 * Private to the history: a number over time.
 */
#ifndef ASSAY_HISTORY_SERIES_H
#define ASSAY_HISTORY_SERIES_H

#include "history/database.h"

struct sample {
	int64_t time;
	double value;
};

/* Ordered by time; on the heap. */
struct series {
	struct sample *samples;
	size_t count;
};

void series_free(struct series *series);
/* The known values of a key, where they changed. */
int series_changes(struct history *history, int64_t drive, const char *key, struct series *series,
	struct error *error);
/* The same at every record from the first value on. */
int series_records(struct history *history, int64_t drive, const char *key, struct series *series,
	struct error *error);

/* Makes a counter one that starts at 0 and never falls: what it fell by when it was
 * reset is no use. */
void series_grow(struct series *series);

/* Keeps the steps of a coarse counter, between which it is taken to grow evenly;
 * behind the last one it goes on as before, up to the next step or to `last`. */
void series_smooth(struct series *series, int64_t last);

/* At a time: between samples in between, outside of them the nearest. */
double series_at(const struct series *series, int64_t time);

/* What was added on each of the last whole days of 24 hours before the last sample;
 * on the heap. *count may be 0. */
double *series_days(const struct series *series, size_t *count);

#endif
