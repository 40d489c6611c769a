/* When a drive is as warm as it gets. */
#include "measure/settle.h"

#include <math.h>
#include <stdlib.h>

#include "assay/arena.h"
#include "measure/topic.h"

/* Its sensor tells whole degrees. */
static const double STILL_CELSIUS = 1;

enum { READINGS_MIN = 3, LOOK_SECONDS = 5 };

void settle_step(struct settle *settle)
{
	settle->count = 0;
	settle->state = SETTLE_NOT_YET;
}

static void keep_second(
	struct settle *settle, const struct engine_second *second, const struct beside *beside)
{
	double written = settle->count ? settle->seconds[settle->count - 1].written_bytes : 0;
	struct beside_second seen = beside_second(beside, second->index);

	settle->seconds = array_grow(settle->seconds, settle->count, sizeof(*settle->seconds));
	settle->seconds[settle->count++] = (struct throttle_second) {
		.rate = (double)(second->count[IO_READ] + second->count[IO_WRITE]),
		.celsius = seen.celsius,
		.steal_percent = seen.taken_percent,
		.written_bytes = written + (double)second->bytes[IO_WRITE],
		.disturbed = seen.disturbed,
	};
}

/* All its readings of the last window are of one degree, and there are some at the
 * window's beginning too. */
static bool is_still(const struct settle *settle)
{
	double least = INFINITY, most = -INFINITY;
	size_t window = (size_t)settle->window_seconds, readings = 0;

	if (settle->count < window)
		return false;
	size_t first = settle->count - window;

	for (size_t i = first; i < settle->count; i++) {
		double celsius = settle->seconds[i].celsius;

		if (isnan(celsius))
			continue;
		readings++;
		least = fmin(least, celsius);
		most = fmax(most, celsius);
	}
	return readings >= READINGS_MIN && most - least <= STILL_CELSIUS;
}

static double celsius_now(const struct settle *settle)
{
	for (size_t i = settle->count; i-- > 0;)
		if (!isnan(settle->seconds[i].celsius))
			return settle->seconds[i].celsius;
	return NAN;
}

static bool is_throttled(struct settle *settle)
{
	struct throttle_finding findings[THROTTLE_FINDINGS];
	struct throttle_series series = { .seconds = settle->seconds,
		.count = settle->count,
		.writes = settle->count && settle->seconds[settle->count - 1].written_bytes > 0,
		.limit_celsius = settle->limit_celsius,
		.counter_change = NAN };
	size_t count = settle->count % LOOK_SECONDS ? 0 : throttle_find(&series, findings);

	for (size_t i = 0; i < count; i++) {
		if (findings[i].cause != THROTTLE_THERMAL)
			continue;
		settle->celsius = findings[i].celsius;
		settle->seconds_until = (double)findings[i].second;
		settle->loss_percent = (1 - findings[i].rate_after / findings[i].rate_before) * 100;
		return true;
	}
	return false;
}

enum settled settle_passed(
	struct settle *settle, const struct engine_second *second, const struct beside *beside)
{
	if (!(settle->window_seconds > 0) || settle->state != SETTLE_NOT_YET)
		return settle->state;
	keep_second(settle, second, beside);
	if (is_throttled(settle)) {
		settle->state = SETTLE_THROTTLED;
	} else if (is_still(settle)) {
		settle->state = SETTLE_WARM;
		settle->celsius = celsius_now(settle);
		settle->seconds_until = (double)settle->count - settle->window_seconds;
	}
	return settle->state;
}

void settle_end(struct settle *settle, struct facts *facts)
{
	bool warm = !isnan(celsius_now(settle));

	free(settle->seconds);
	settle->seconds = NULL;
	if (!(settle->window_seconds > 0))
		return;
	bench_fact(facts, "bench.settled", value_flag(settle->state == SETTLE_WARM));
	if (settle->state == SETTLE_WARM) {
		bench_fact(facts, "bench.settled_celsius", value_real(settle->celsius));
		bench_fact(facts, "bench.settled_seconds", value_real(settle->seconds_until));
	} else if (settle->state == SETTLE_THROTTLED) {
		facts_note(facts, NULL,
			"The load ended because heat slowed the drive down: at %.0f °C, after %.0f "
			"s, "
			"by %.0f %%",
			settle->celsius, settle->seconds_until, settle->loss_percent);
	} else {
		facts_note(facts, NULL,
			warm ? "The load ended before the temperature had settled: it takes longer"
			     : "No temperature was read, so none could settle");
	}
}
