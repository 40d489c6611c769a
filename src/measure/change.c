/* Changes of level in a noisy series: medians of windows that lie side by side. */
#include "measure/change.h"

#include <math.h>
#include <stdlib.h>

#include "assay/array.h"
#include "measure/median.h"

/* A short window sees short changes, a long one small ones. */
static const size_t windows[] = { 10, 30 };

/* A change is at least this part of the level, and so many times the noise of the
 * difference of two medians. */
static const double LEAST_CHANGE = 0.12, NOISE_TIMES = 5;

/* From one value to the next, so that a level that changes is no noise. */
static double noise_of(const double *values, size_t count)
{
	static const double DEVIATION_OF_MEDIAN = 1.4826;
	double *steps = malloc(count * sizeof(*steps));

	if (!steps)
		abort();
	for (size_t i = 1; i < count; i++)
		steps[i - 1] = fabs(values[i] - values[i - 1]);
	double noise = count > 1 ? DEVIATION_OF_MEDIAN * median_of(steps, count - 1) / sqrt(2) : 0;

	free(steps);
	return noise;
}

static double part_of(double before, double after)
{
	double high = fmax(before, after);

	return high > 0 ? fabs(after - before) / high : 0;
}

static int by_place(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

/* Takes the largest one, leaves out what is near it, and so on. */
static size_t take_largest(
	struct change *at, size_t count, size_t window, double least, struct change *changes)
{
	size_t taken = 0;

	while (taken < CHANGES_MAX) {
		size_t best = count;

		for (size_t i = 0; i < count; i++)
			if (part_of(at[i].before, at[i].after) >= least &&
				(best == count ||
					part_of(at[i].before, at[i].after) >
						part_of(at[best].before, at[best].after)))
				best = i;
		if (best == count)
			break;
		changes[taken++] = at[best];
		for (size_t i = best > window ? best - window : 0; i < count && i <= best + window;
			i++)
			at[i].after = at[i].before;
	}
	qsort(changes, taken, sizeof(*changes), by_place);
	return taken;
}

/* Medians see a change within half a window of its place: there the levels fit
 * best. */
static void refine(const double *values, struct change *change, size_t window)
{
	size_t from = change->at - window, to = change->at + window, best = change->at;
	double cost = 0, least;

	for (size_t i = from; i < to; i++)
		cost += pow(values[i] - change->after, 2);
	least = INFINITY;
	for (size_t i = from; i < to; i++) {
		if (cost < least) {
			least = cost;
			best = i;
		}
		cost += pow(values[i] - change->before, 2) - pow(values[i] - change->after, 2);
	}
	change->at = best;
}

static size_t find_by_window(
	const double *values, size_t count, size_t window, struct change *changes)
{
	double level = median_of(values, count);
	double noise = level > 0 ? noise_of(values, count) / level : 0;
	double least = fmax(LEAST_CHANGE, NOISE_TIMES * 1.25 * noise * sqrt(2.0 / (double)window));

	if (count < 2 * window)
		return 0;
	size_t places = count - 2 * window + 1;
	struct change *at = calloc(places, sizeof(*at));

	if (!at)
		abort();
	for (size_t i = 0; i < places; i++)
		at[i] = (struct change) { i + window, median_of(values + i, window),
			median_of(values + i + window, window) };
	size_t found = take_largest(at, places, window, least, changes);

	for (size_t i = 0; i < found; i++)
		refine(values, &changes[i], window);
	free(at);
	return found;
}

size_t changes_find(const double *values, size_t count, struct change *changes)
{
	size_t found = 0;

	for (size_t i = 0; !found && i < ARRAY_LEN(windows); i++)
		found = find_by_window(values, count, windows[i], changes);
	return found;
}

static double correlation(const double *values, size_t count, double mean, size_t lag)
{
	double sum = 0;

	for (size_t i = 0; i + lag < count; i++)
		sum += (values[i] - mean) * (values[i + lag] - mean);
	return sum / (double)(count - lag);
}

size_t period_of(const double *values, size_t count, double *depth)
{
	/* of few values, some lag is alike by chance: so many deviations of that */
	static const double LIKENESS = 0.4, DEVIATIONS = 4;
	double likeness = fmax(LIKENESS, DEVIATIONS / sqrt((double)count));
	double mean = 0, best = 0, high = quantile_of(values, count, 0.9);
	size_t period = 0;
	bool apart = false; /* behind the first lag at which nothing is alike */

	*depth = high > 0 ? 1 - quantile_of(values, count, 0.1) / high : 0;
	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	double all = correlation(values, count, mean, 0);

	for (size_t lag = 2; all > 0 && lag <= count / 3; lag++) {
		double like = correlation(values, count, mean, lag) / all;

		apart |= like < 0;
		if (apart && like > best) {
			best = like;
			period = lag;
		}
	}
	return best >= likeness && *depth >= LEAST_CHANGE ? period : 0;
}
