/* Why a drive slowed down. */
#include "measure/throttle.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "assay/array.h"
#include "measure/change.h"
#include "measure/median.h"

enum {
	RAMP_SECONDS = 3,     /* at the beginning, a load is not yet what it is */
	HOST_SECONDS_MIN = 5, /* that the host was busy */
	NEAR_BEFORE = 15,     /* around a change, a temperature is looked for */
	NEAR_BEHIND = 5,
	PAST_NEAREST = 45, /* and before it, what it rose from */
	PAST_FARTHEST = 240,
	RELEASE_SECONDS = 120, /* after that, a drive that is cool again is fast again */
	STAY_SECONDS = 30,
	RECURRENCES = 3,
};

static const double STEAL_PERCENT = 10, HOST_LOSS = 0.1, RISE_CELSIUS = 0.7, NEAR_LIMIT_CELSIUS = 5,
		    COOLED_CELSIUS = 10, RELEASE_CELSIUS = 1.5, SAME_CELSIUS = 4,
		    COOLER_CELSIUS = 6, ALIKE = 0.6, RECOVERED = 0.93;

/* What is left of a series for looking at its rate. */
struct kept {
	const struct throttle_series *series;
	double *rates;
	size_t *seconds; /* of each rate */
	size_t count;
	struct change changes[CHANGES_MAX];
	size_t change_count;
	size_t period;
	double depth;
	struct throttle_finding *findings;
	size_t finding_count;
};

const char *throttle_cause_name(enum throttle_cause cause)
{
	static const char *const names[] = {
		[THROTTLE_THERMAL] = "thermal",
		[THROTTLE_CACHE] = "cache exhausted",
		[THROTTLE_COLLECTION] = "garbage collection",
		[THROTTLE_HOST] = "host load",
		[THROTTLE_UNKNOWN] = "unknown",
	};

	return names[cause];
}

static bool is_host_busy(const struct throttle_second *second)
{
	return second->steal_percent >= STEAL_PERCENT;
}

enum which { LOWEST, MEDIAN, HIGHEST };

/* The temperatures of some seconds; NAN where there are none. */
static double celsius_of(
	const struct throttle_series *series, size_t from, size_t to, enum which which)
{
	double found[PAST_FARTHEST + RELEASE_SECONDS], least = INFINITY, most = -INFINITY;
	size_t count = 0;

	for (size_t i = from; i < to && i < series->count; i++) {
		double celsius = series->seconds[i].celsius;

		if (isnan(celsius) || count == ARRAY_LEN(found))
			continue;
		found[count++] = celsius;
		most = fmax(most, celsius);
		least = fmin(least, celsius);
	}
	if (!count || which == MEDIAN)
		return median_of(found, count);
	return which == HIGHEST ? most : least;
}

static double celsius_at(const struct throttle_series *series, size_t second)
{
	return celsius_of(series, second > NEAR_BEFORE ? second - NEAR_BEFORE : 0,
		second + NEAR_BEHIND, HIGHEST);
}

/* Before the change: its first temperature where there is no long past. */
static double celsius_before(const struct throttle_series *series, size_t second)
{
	double celsius = second > PAST_NEAREST
		? celsius_of(series, second > PAST_FARTHEST ? second - PAST_FARTHEST : 0,
			  second - PAST_NEAREST, MEDIAN)
		: NAN;

	for (size_t i = 0; isnan(celsius) && i + 10 <= second; i++)
		celsius = series->seconds[i].celsius;
	return celsius;
}

static struct throttle_finding *add_finding(
	struct kept *kept, enum throttle_cause cause, size_t second, double before, double after)
{
	struct throttle_finding *finding = &kept->findings[kept->finding_count];

	if (kept->finding_count == THROTTLE_FINDINGS)
		return NULL;
	kept->finding_count++;
	*finding = (struct throttle_finding) { .cause = cause,
		.second = second,
		.rate_before = before,
		.rate_after = after,
		.celsius = celsius_at(kept->series, second),
		.written_bytes = kept->series->seconds[second].written_bytes };
	return finding;
}

/* ---- The host ---- */

/* Seconds in which the host had no time, if less was done in them; they say
 * nothing about the drive then. */
static bool find_host(struct kept *kept)
{
	const struct throttle_series *series = kept->series;
	double *rates = malloc(2 * series->count * sizeof(*rates)), *free_rates;
	size_t busy = 0, idle = 0, first = series->count;

	if (!rates)
		abort();
	free_rates = rates + series->count;
	for (size_t i = RAMP_SECONDS; i < series->count; i++) {
		if (!is_host_busy(&series->seconds[i])) {
			free_rates[idle++] = series->seconds[i].rate;
			continue;
		}
		first = first < i ? first : i;
		rates[busy++] = series->seconds[i].rate;
	}
	double slow = median_of(rates, busy), fast = median_of(free_rates, idle);
	bool found = busy >= HOST_SECONDS_MIN && idle >= HOST_SECONDS_MIN &&
		slow < (1 - HOST_LOSS) * fast;

	free(rates);
	if (!found)
		return false;
	struct throttle_finding *finding = add_finding(kept, THROTTLE_HOST, first, fast, slow);

	if (finding)
		snprintf(finding->evidence, sizeof(finding->evidence),
			"in %zu seconds in which at least %.0f %% of the processors' time was "
			"stolen or taken by others, the rate was %.0f %% of that in the other %zu",
			busy, STEAL_PERCENT, slow / fast * 100, idle);
	return true;
}

/* ---- The drive ---- */

/* The rate never comes near the one before the change any more, as far as was
 * looked, and long enough. */
static bool stays_low(const struct kept *kept, const struct change *change)
{
	if (change->at + STAY_SECONDS > kept->count)
		return false;
	for (size_t i = change->at + 10; i + 10 <= kept->count; i += 5)
		if (median_of(kept->rates + i, 10) >= RECOVERED * change->before)
			return false;
	return true;
}

/* Slow still, though it has cooled down since: not the temperature then. */
static bool stays_slow_when_cool(const struct kept *kept, const struct change *change)
{
	const struct throttle_series *series = kept->series;
	size_t second = kept->seconds[change->at];
	double hot = celsius_at(series, second);

	for (size_t i = change->at; i + 10 < kept->count; i += 10) {
		size_t at = kept->seconds[i];

		if (at < second + RELEASE_SECONDS)
			continue;
		double celsius = celsius_of(series, at - 20, at, MEDIAN);

		if (celsius <= hot - COOLED_CELSIUS &&
			median_of(kept->rates + i, 10) < RECOVERED * change->before)
			return true;
	}
	return false;
}

/* Fast again, though as hot as before: it was not the temperature. */
static bool recovers_while_hot(const struct kept *kept, const struct change *change)
{
	enum { SOON = 5 };
	const struct throttle_series *series = kept->series;
	double hot = celsius_at(series, kept->seconds[change->at]);

	for (size_t i = change->at + SOON; i + SOON <= kept->count; i += 2) {
		size_t at = kept->seconds[i];

		if (median_of(kept->rates + i, SOON) < RECOVERED * change->before)
			continue;
		return celsius_of(series, at > NEAR_BEFORE ? at - NEAR_BEFORE : 0,
			       at + SOON + NEAR_BEHIND, LOWEST) > hot - RELEASE_CELSIUS;
	}
	return false;
}

static double depth_of(const struct change *change)
{
	return 1 - change->after / change->before;
}

/* It fell as deeply when it was much cooler, and came back: what falls then is
 * not of heat. */
static bool fell_when_cooler(const struct kept *kept, const struct change *change)
{
	double celsius = celsius_at(kept->series, kept->seconds[change->at]);

	for (const struct change *earlier = kept->changes; earlier < change; earlier++)
		if (depth_of(earlier) >= ALIKE * depth_of(change) &&
			celsius_at(kept->series, kept->seconds[earlier->at]) <=
				celsius - COOLER_CELSIUS &&
			!stays_low(kept, earlier))
			return true;
	return false;
}

static bool is_thermal(const struct kept *kept, const struct change *change)
{
	const struct throttle_series *series = kept->series;
	size_t second = kept->seconds[change->at];
	double celsius = celsius_at(series, second), past = celsius_before(series, second);
	double hot = isnan(series->limit_celsius) ? THROTTLE_HOT_CELSIUS
						  : series->limit_celsius - NEAR_LIMIT_CELSIUS;

	if (series->counter_change > 0)
		return true;
	return celsius >= hot && celsius - past >= RISE_CELSIUS &&
		!stays_slow_when_cool(kept, change) && !recovers_while_hot(kept, change) &&
		!fell_when_cooler(kept, change);
}

/* How the drive's own words stand to it: its limit and its counter. */
static void say_thermal(const struct kept *kept, struct throttle_finding *finding)
{
	const struct throttle_series *series = kept->series;
	double past = celsius_before(series, finding->second);
	char *at = finding->evidence, *end = at + sizeof(finding->evidence);

	if (!isnan(finding->celsius))
		at += snprintf(at, (size_t)(end - at), "at %.0f °C, ", finding->celsius);
	if (past < finding->celsius)
		at += snprintf(at, (size_t)(end - at), "to which it rose from %.0f °C, ", past);
	if (!isnan(series->limit_celsius))
		at += snprintf(at, (size_t)(end - at), "with a limit of its own of %.0f °C, ",
			series->limit_celsius);
	if (series->counter_change > 0)
		at += snprintf(at, (size_t)(end - at), "its throttle counter rose by %.0f, ",
			series->counter_change);
	if (finding->rate_before > 0)
		snprintf(at, (size_t)(end - at), "the rate fell to %.0f %%",
			finding->rate_after / finding->rate_before * 100);
	else
		snprintf(at, (size_t)(end - at), "the rate fell by nothing that stands out");
}

static void say_other(const struct kept *kept, struct throttle_finding *finding)
{
	char warmth[64] = "its temperature is not known";

	if (!isnan(finding->celsius))
		snprintf(warmth, sizeof(warmth),
			"at %.0f °C it was not hot, or no hotter than before", finding->celsius);
	if (finding->cause == THROTTLE_COLLECTION && kept->period)
		snprintf(finding->evidence, sizeof(finding->evidence),
			"again and again, every %zu s, the rate falls to %.0f %%; %s", kept->period,
			finding->rate_after / finding->rate_before * 100, warmth);
	else if (finding->cause == THROTTLE_COLLECTION)
		snprintf(finding->evidence, sizeof(finding->evidence),
			"several times the rate falls and comes back; %s", warmth);
	else
		snprintf(finding->evidence, sizeof(finding->evidence),
			"behind %.1f GB written the rate fell to %.0f %%%s; %s",
			finding->written_bytes / 1e9,
			finding->rate_after / finding->rate_before * 100,
			finding->cause == THROTTLE_CACHE ? " and stayed low"
							 : ", for no reason that was seen",
			warmth);
}

static void add_change(struct kept *kept, enum throttle_cause cause, const struct change *change)
{
	struct throttle_finding *finding = add_finding(
		kept, cause, kept->seconds[change->at], change->before, change->after);

	if (finding && cause == THROTTLE_THERMAL)
		say_thermal(kept, finding);
	else if (finding)
		say_other(kept, finding);
}

/* A period is a fact of the whole series, not of one change. */
static void add_period(struct kept *kept)
{
	double high = 0;
	size_t at = 0;

	for (size_t i = 0; i < kept->count; i++)
		if (kept->rates[i] > high) {
			high = kept->rates[i];
			at = i;
		}
	struct change change = { at, high, (1 - kept->depth) * high };

	add_change(kept, kept->series->writes ? THROTTLE_COLLECTION : THROTTLE_UNKNOWN, &change);
}

/* Falls that are not of heat: what they are together. */
static void explain_others(struct kept *kept, const struct change *const *others, size_t count)
{
	size_t recovered = 0;

	for (size_t i = 0; i < count; i++)
		recovered += !stays_low(kept, others[i]);
	if (kept->period && (recovered || !count)) {
		add_period(kept);
		return;
	}
	if (kept->series->writes && recovered >= RECURRENCES) {
		add_change(kept, THROTTLE_COLLECTION, others[0]);
		return;
	}
	for (size_t i = 0; i < count; i++)
		add_change(kept,
			kept->series->writes && stays_low(kept, others[i]) ? THROTTLE_CACHE
									   : THROTTLE_UNKNOWN,
			others[i]);
}

/* The lowest temperature at which heat has slowed it down; NAN: never. */
static double throttling_celsius(const struct kept *kept)
{
	double lowest = NAN;

	for (size_t i = 0; i < kept->change_count; i++) {
		const struct change *change = &kept->changes[i];

		if (change->after < change->before && is_thermal(kept, change))
			lowest = fmin(lowest, celsius_at(kept->series, kept->seconds[change->at]));
	}
	return lowest;
}

static void find_drive(struct kept *kept)
{
	const struct change *others[CHANGES_MAX];
	size_t other_count = 0, thermal_count = 0;

	kept->change_count = changes_find(kept->rates, kept->count, kept->changes);
	kept->period = period_of(kept->rates, kept->count, &kept->depth);
	double hot = throttling_celsius(kept);

	for (size_t i = 0; i < kept->change_count; i++) {
		const struct change *change = &kept->changes[i];
		double celsius = celsius_at(kept->series, kept->seconds[change->at]);

		if (change->after >= change->before)
			continue;
		/* where heat slows it down once, it does so at that heat each time */
		if (is_thermal(kept, change) || celsius >= hot - SAME_CELSIUS) {
			thermal_count++;
			add_change(kept, THROTTLE_THERMAL, change);
		} else {
			others[other_count++] = change;
		}
	}
	if (!thermal_count && kept->series->counter_change > 0)
		add_change(kept, THROTTLE_THERMAL, &(struct change) { kept->count - 1, 0, 0 });
	else if (!thermal_count || other_count)
		explain_others(kept, others, other_count);
}

/* A host that becomes busy or free does so in the midst of a second, which then
 * may seem to be free. */
static bool is_host_near(const struct throttle_series *series, size_t second)
{
	return is_host_busy(&series->seconds[second]) ||
		(second > 0 && is_host_busy(&series->seconds[second - 1])) ||
		(second + 1 < series->count && is_host_busy(&series->seconds[second + 1]));
}

static void keep(struct kept *kept, bool without_host)
{
	const struct throttle_series *series = kept->series;

	kept->count = 0;
	for (size_t i = RAMP_SECONDS; i < series->count; i++) {
		const struct throttle_second *second = &series->seconds[i];

		if (isnan(second->rate) || second->disturbed ||
			(without_host && is_host_near(series, i)))
			continue;
		kept->seconds[kept->count] = i;
		kept->rates[kept->count++] = second->rate;
	}
}

static int by_second(const void *a, const void *b)
{
	const struct throttle_finding *x = a, *y = b;

	return (x->second > y->second) - (x->second < y->second);
}

size_t throttle_find(const struct throttle_series *series, struct throttle_finding *findings)
{
	struct kept kept = { .series = series, .findings = findings };

	if (series->count < THROTTLE_SECONDS_MIN)
		return 0;
	kept.rates = malloc(series->count * sizeof(*kept.rates));
	kept.seconds = malloc(series->count * sizeof(*kept.seconds));
	if (!kept.rates || !kept.seconds)
		abort();
	keep(&kept, find_host(&kept));
	if (kept.count)
		find_drive(&kept);
	free(kept.rates);
	free(kept.seconds);
	qsort(findings, kept.finding_count, sizeof(*findings), by_second);
	return kept.finding_count;
}
