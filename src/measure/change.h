/* Where a noisy series changes its level, and whether it repeats itself. */
#ifndef ASSAY_MEASURE_CHANGE_H
#define ASSAY_MEASURE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

/* A level that changes: behind `at` values. */
struct change {
	size_t at;
	double before, after; /* medians */
};

enum { CHANGES_MAX = 64 };

/* Rises and falls that stand out of the noise, in their order; at most
 * CHANGES_MAX, the largest ones. Returns how many. */
size_t changes_find(const double *values, size_t count, struct change *changes);

/* What it repeats itself after, 0: it does not. depth: how far the low values are
 * below the high ones, as a part of the high. */
size_t period_of(const double *values, size_t count, double *depth);

#endif
