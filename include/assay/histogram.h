/*
 * Latencies in log-linear bins: exact below 128 ns, then 64 bins to each
 * doubling up to 2^40 ns (1,100 s), so that a bin is at most 1.6 % wide. Count,
 * sum, squares, minimum and maximum are exact.
 */
#ifndef ASSAY_HISTOGRAM_H
#define ASSAY_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HISTOGRAM_BINS_PER_DOUBLING = 64, HISTOGRAM_EXACT_NS = 128, HISTOGRAM_BINS = 2240 };

struct histogram {
	uint64_t count;
	uint64_t min_ns, max_ns; /* max_ns 0 and min_ns UINT64_MAX while count is 0 */
	uint64_t sum_ns;
	unsigned __int128 squares;
	uint64_t bins[HISTOGRAM_BINS]; /* the last one holds all that is longer, too */
};

/* Makes an empty one. */
void histogram_init(struct histogram *histogram);

/* The bin of a latency. */
static inline size_t histogram_bin(uint64_t ns)
{
	unsigned shift;

	if (ns < HISTOGRAM_EXACT_NS)
		return (size_t)ns;
	shift = 57u - (unsigned)__builtin_clzll(ns);
	size_t bin = ((size_t)shift << 6) + (size_t)(ns >> shift);

	return bin < HISTOGRAM_BINS ? bin : HISTOGRAM_BINS - 1;
}

/* Adds so many of the same. */
static inline void histogram_add_many(struct histogram *histogram, uint64_t ns, uint64_t count)
{
	histogram->count += count;
	histogram->sum_ns += ns * count;
	histogram->squares += (unsigned __int128)ns * ns * count;
	if (ns < histogram->min_ns)
		histogram->min_ns = ns;
	if (ns > histogram->max_ns)
		histogram->max_ns = ns;
	histogram->bins[histogram_bin(ns)] += count;
}

static inline void histogram_add(struct histogram *histogram, uint64_t ns)
{
	histogram_add_many(histogram, ns, 1);
}

/* The lowest value of a bin, and of the one behind it. */
uint64_t histogram_low_ns(size_t bin);
static inline uint64_t histogram_high_ns(size_t bin)
{
	return histogram_low_ns(bin + 1);
}

/* Adds all of another. */
void histogram_merge(struct histogram *histogram, const struct histogram *other);

/* The value that percent of all do not exceed: the upper edge of its bin, but
 * never above the maximum, never below the minimum. 0 where there is none. */
uint64_t histogram_percentile_ns(const struct histogram *histogram, double percent);

/* 0 where there is none; so is the next one. */
double histogram_mean_ns(const struct histogram *histogram);
/* Of the population. */
double histogram_deviation_ns(const struct histogram *histogram);

#endif
