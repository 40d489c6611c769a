/* What is seen beside a step. */
#include "measure/beside.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "assay/clock.h"
#include "assay/measure.h"
#include "measure/run.h"
#include "measure/topic.h"

/* The kernel's hwmon asks a drive of SATA, which holds it up. */
static const double HWMON_SECONDS = 10;

static const struct beside_second nothing = { .celsius = NAN, .taken_percent = NAN };

void beside_begin(
	struct beside *beside, const struct target *target, struct thermometer *thermometer)
{
	*beside = (struct beside) { .target = target,
		.thermometer = thermometer,
		.began = clock_seconds(),
		.celsius = NAN,
		.lowest = NAN,
		.highest = NAN,
		.read_at = -INFINITY };
	host_ticks_read(&beside->ticks);
}

void beside_end(struct beside *beside)
{
	free(beside->seconds);
	beside->seconds = NULL;
	beside->count = 0;
}

static struct beside_second *second_of(struct beside *beside, size_t second)
{
	while (beside->count <= second) {
		beside->seconds = array_grow(
			beside->seconds, beside->count, sizeof(*beside->seconds));
		beside->seconds[beside->count++] = nothing;
	}
	return &beside->seconds[second];
}

static void add_row(struct beside *beside, const struct beside_place *place, long second,
	bool disturbs, struct facts *facts)
{
	struct row *row = facts_row(facts, &table_bench_temperature, source_derived("measured"));

	row_set(row, "seconds", value_real(beside->read_at - beside->began));
	row_set(row, "workload", value_text(place->workload));
	row_set(row, "phase", value_text(place->phase));
	row_set(row, "round", value_uint(place->round));
	row_set(row, "point", value_uint(place->point));
	if (second >= 0)
		row_set(row, "second", value_uint((uint64_t)second));
	row_set(row, "celsius", value_real(beside->celsius));
	row_set(row, "disturbed", value_flag(disturbs && second >= 0));
}

bool beside_read(
	struct beside *beside, const struct beside_place *place, long second, struct facts *facts)
{
	const struct thermometer_about *about = beside->thermometer
		? thermometer_about(beside->thermometer)
		: NULL;
	double now = clock_seconds(), celsius;

	if (now - beside->read_at < (about ? about->interval_seconds : HWMON_SECONDS) - 0.05)
		return false;
	beside->read_at = now;
	bool there = beside->thermometer ? thermometer_read(beside->thermometer, &celsius)
					 : target_temperature(beside->target, &celsius);
	bool disturbs = about ? about->disturbs : there;

	if (second >= 0 && disturbs)
		second_of(beside, (size_t)second)->disturbed = true;
	if (!there)
		return false;
	beside->celsius = celsius;
	beside->highest = fmax(beside->highest, celsius);
	beside->lowest = fmin(beside->lowest, celsius);
	if (second >= 0)
		second_of(beside, (size_t)second)->celsius = celsius;
	add_row(beside, place, second, disturbs, facts);
	return true;
}

void beside_step(struct beside *beside)
{
	beside->count = 0;
	host_ticks_read(&beside->ticks);
}

void beside_passed(struct beside *beside, size_t second)
{
	struct host_ticks now;
	size_t first = second;

	host_ticks_read(&now);
	second_of(beside, second);
	/* seconds that nobody looked at have the mean of all since */
	while (first > 0 && isnan(beside->seconds[first - 1].taken_percent))
		first--;
	for (size_t i = first; i <= second; i++)
		beside->seconds[i].taken_percent = host_taken_percent(&beside->ticks, &now);
	beside->ticks = now;
}

struct beside_second beside_second(const struct beside *beside, size_t second)
{
	return second < beside->count ? beside->seconds[second] : nothing;
}
