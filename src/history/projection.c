/*
 * When will it be used up? The date at a rate is a division; how far it may be
 * off is learnt from the drive's own days in two ways, of which the wider one
 * counts.
 *
 * Chance: days to come are drawn in blocks from days that were, and these from
 * resampled ones, since the past is a sample itself. That is wide where writes come
 * in bursts.
 *
 * Change: at many days of the past the same question is asked, and the answer,
 * known by now, tells how wrong the rate would have been. That is wide where the
 * rate changes. A record that is short has seen few changes: to its error is
 * added one that fades as the record grows.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/history.h"

enum {
	PATHS = 600,
	BLOCK_DAYS = 7,
	BATCH_DAYS = 15, /* a mean is judged by those of batches */
	BLOCKS_MAX = 800,
	DAYS_MAX = 40000,
	SPANS = 3,
};

/* Chosen so that nine of ten dates lie in the range with drives of many habits
 * (tests/unit/test_history_projection.c). */
static const double TAIL = 0.025, UNEVEN = 0.2, DEVIATIONS = 1.9, GROWTH_MAX = 0.7,
		    SHORT_ERROR = 0.6, SHORT_DAYS = 60, SHORT_POWER = 0.7;
static const double spans[SPANS] = { 0.15, 0.3, 0.5 }; /* of all days */

/* Sums up to each day: the amount of days a to b is sums[b] - sums[a]. */
struct days {
	const double *amounts;
	double *sums;
	size_t count;
};

static double mean(const struct days *days, size_t from, size_t to)
{
	return (days->sums[to] - days->sums[from]) / (double)(to - from);
}

static bool days_init(struct days *days, const double *amounts, size_t count)
{
	*days = (struct days) { .amounts = amounts, .count = count };
	days->sums = calloc(count + 1, sizeof(*days->sums));
	for (size_t i = 0; days->sums && i < count; i++)
		days->sums[i + 1] = days->sums[i] + amounts[i];
	return days->sums;
}

/* The standard error of the mean of the last days, as a part of it. */
static double mean_error(const struct days *days, size_t width)
{
	size_t batches = width / BATCH_DAYS, from = days->count - width;
	double whole = mean(days, from, days->count), squares = 0;

	for (size_t i = 0; i < batches; i++) {
		size_t at = from + i * BATCH_DAYS;

		squares += pow(mean(days, at, at + BATCH_DAYS) - whole, 2);
	}
	if (!(whole > 0) || batches < 2)
		return INFINITY;
	return sqrt(squares / (double)(batches * (batches - 1))) / whole;
}

static size_t recent_width(const struct days *days)
{
	size_t width = RECENT_DAYS;

	while (width < days->count / 2 && mean_error(days, width) > UNEVEN)
		width += BATCH_DAYS;
	return width < days->count ? width : days->count;
}

double projection_recent_rate(const double *amounts, size_t count)
{
	struct days days;
	double rate = NAN;

	if (!count || !days_init(&days, amounts, count))
		return rate;
	rate = mean(&days, count - recent_width(&days), count);
	free(days.sums);
	return rate;
}

/* ---- Chance ---- */

/* xorshift64*: the same history gives the same range. */
static double uniform(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)(*state * 2685821657736338717u >> 11) / 9007199254740992.0;
}

/* From low to high, each magnitude as likely as another. */
static size_t any_length(double low, double high, uint64_t *random)
{
	return (size_t)(high > low ? low * exp(uniform(random) * log(high / low)) : high);
}

/* The amount of a block that starts anywhere in the last `width` days; behind the
 * last day comes the first. */
static double any_block(const struct days *days, size_t width, size_t length, uint64_t *random)
{
	size_t from = days->count - width + (size_t)(uniform(random) * (double)width);
	size_t to = from + length, first = days->count - width;

	if (to <= days->count)
		return days->sums[to] - days->sums[from];
	return days->sums[days->count] - days->sums[from] + days->sums[first + to - days->count] -
		days->sums[first];
}

static double walk(
	const double *blocks, size_t count, size_t length, double remaining, uint64_t *random)
{
	double days = 0;

	while (days < DAYS_MAX) {
		double block = blocks[(size_t)(uniform(random) * (double)count)];

		if (block >= remaining && block > 0)
			return days + (double)length * remaining / block;
		remaining -= block;
		days += (double)length;
	}
	return INFINITY;
}

static double path(const struct days *days, size_t recent, double remaining, uint64_t *random)
{
	double blocks[BLOCKS_MAX] = { 0 };
	size_t width = any_length((double)recent / 2, (double)days->count, random);
	size_t length = any_length(BLOCK_DAYS, (double)width / 3, random);
	size_t count;

	length = length ? length : 1;
	count = width / length;
	count = count < 2 ? 2 : count > BLOCKS_MAX ? BLOCKS_MAX : count;
	for (size_t i = 0; i < count; i++)
		blocks[i] = any_block(days, width, length, random);
	return walk(blocks, count, length, remaining, random);
}

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void range_by_chance(
	const struct days *days, size_t recent, double remaining, struct projection *projection)
{
	uint64_t random = 88172645463325252u;
	double dates[PATHS];

	for (size_t i = 0; i < PATHS; i++)
		dates[i] = path(days, recent, remaining, &random);
	qsort(dates, PATHS, sizeof(*dates), compare);
	projection->earliest = dates[(size_t)(TAIL * PATHS)];
	projection->latest = dates[PATHS - 1 - (size_t)(TAIL * PATHS)];
}

/* ---- Change ---- */

/* How wrong the mean of `width` days was about the next `span`, as the root mean
 * square of its logarithm; larger where there were few spans to ask. */
static double past_error(const struct days *days, size_t width, size_t span)
{
	size_t step = span / 8 ? span / 8 : 1, asked = 0;
	double least = days->sums[days->count] / (double)days->count * 0.02, squares = 0;
	double independent = 1 + (double)(days->count - width - span) / (double)span;

	for (size_t now = width; now + span <= days->count; now += step, asked++)
		squares += pow(log((mean(days, now, now + span) + least) /
				       (mean(days, now - width, now) + least)),
			2);
	return sqrt(squares / (double)asked) * (1 + 1 / independent);
}

/* Between spans that were asked it is in between; beyond the longest it grows on
 * as it grew so far. */
static double error_at(double horizon, const double *lengths, const double *errors, size_t count)
{
	size_t last = count - 1, i = 0;

	if (horizon <= lengths[0])
		return errors[0];
	if (horizon < lengths[last]) {
		while (i + 1 < last && horizon > lengths[i + 1])
			i++;
		return errors[i] +
			(errors[i + 1] - errors[i]) * (horizon - lengths[i]) /
			(lengths[i + 1] - lengths[i]);
	}
	if (!last || !(errors[0] > 0))
		return errors[last];
	double growth = log(errors[last] / errors[0]) / log(lengths[last] / lengths[0]);
	double error = fmax(errors[last], (errors[last] + errors[last - 1]) / 2);

	return growth > 0.1 ? error * pow(horizon / lengths[last], fmin(growth, GROWTH_MAX))
			    : error;
}

static double change_error(const struct days *days, size_t recent, double horizon)
{
	size_t width = recent < days->count / 3 ? recent : days->count / 3, count = 0;
	double lengths[SPANS] = { 0 }, errors[SPANS] = { 0 }, error = 0, all = (double)days->count;

	for (size_t i = 0; i < SPANS; i++) {
		size_t span = (size_t)fmax(spans[i] * all, BLOCK_DAYS);

		if (span + width > days->count || (count && (double)span <= lengths[count - 1]))
			continue;
		lengths[count] = (double)span;
		errors[count++] = past_error(days, width, span);
	}
	if (count)
		error = error_at(horizon, lengths, errors, count);
	return hypot(error,
		SHORT_ERROR * pow(SHORT_DAYS / all, SHORT_POWER) * fmin(1, sqrt(horizon / all)));
}

void project(const double *amounts, size_t count, double remaining, double rate,
	struct projection *projection)
{
	struct days days;

	*projection = (struct projection) { INFINITY, NAN, NAN };
	if (remaining <= 0)
		*projection = (struct projection) { 0, 0, 0 };
	if (remaining <= 0 || !(rate > 0))
		return;
	projection->days = remaining / rate;
	if (count < PROJECTION_DAYS || !days_init(&days, amounts, count))
		return;
	size_t recent = recent_width(&days);
	double factor = exp(DEVIATIONS * change_error(&days, recent, projection->days));

	if (days.sums[count] > 0) {
		range_by_chance(&days, recent, remaining, projection);
		projection->earliest = fmin(projection->earliest, projection->days / factor);
		projection->latest = fmax(projection->latest, projection->days * factor);
	}
	free(days.sums);
}
