/* What a meter said of a run, as rows and facts. */
#include <math.h>

#include "measure/topic.h"
#include "measure/watts.h"

void watts_sum(struct watts_total *total, const struct meter_figures *figures)
{
	total->seconds += figures->seconds;
	total->covered_seconds += figures->covered_seconds;
	total->gap_count += figures->gap_count;
	total->longest_gap_seconds = fmax(total->longest_gap_seconds, figures->longest_gap_seconds);
	if (!figures->known)
		return;
	total->maximum_watts = total->known ? fmax(total->maximum_watts, figures->maximum_watts)
					    : figures->maximum_watts;
	total->known = true;
}

void watts_row(
	struct row *row, const struct meter_figures *figures, double iops, double bytes_per_second)
{
	row_set(row, "meter_coverage_percent", value_real(figures->coverage_percent));
	row_set(row, "meter_sample_count", value_uint(figures->sample_count));
	row_set(row, "meter_gap_count", value_uint(figures->gap_count));
	if (!figures->known)
		return;
	row_set(row, "average_watts", value_real(figures->average_watts));
	row_set(row, "maximum_watts", value_real(figures->maximum_watts));
	row_set(row, "joules", value_real(figures->joules));
	if (iops > 0 && figures->average_watts > 0)
		row_set(row, "iops_per_watt", value_real(iops / figures->average_watts));
	if (bytes_per_second > 0 && figures->average_watts > 0)
		row_set(row, "mb_per_joule",
			value_real(bytes_per_second / 1e6 / figures->average_watts));
}

static void add_quality(
	struct facts *facts, const struct meter_state *state, const struct watts_total *total)
{
	bench_fact(facts, "bench.meter_interval_seconds", value_real(state->interval_seconds));
	if (!isnan(state->readings_per_second))
		bench_fact(facts, "bench.meter_readings_per_second",
			value_real(state->readings_per_second));
	if (!isnan(state->resolution_watts))
		bench_fact(facts, "bench.meter_resolution_milliwatts",
			value_real(state->resolution_watts * 1e3));
	if (total->seconds > 0)
		bench_fact(facts, "bench.meter_coverage_percent",
			value_real(total->covered_seconds / total->seconds * 100));
	bench_fact(facts, "bench.meter_gap_count", value_uint(total->gap_count));
	if (total->gap_count)
		bench_fact(facts, "bench.meter_longest_gap_seconds",
			value_real(total->longest_gap_seconds));
	if (state->bad_count)
		bench_fact(facts, "bench.meter_bad_reading_count", value_uint(state->bad_count));
}

void watts_facts(struct facts *facts, struct meter *meter, const struct watts_total *total)
{
	struct meter_state state;

	meter_state(meter, &state);
	bench_fact(
		facts, "bench.meter_source", value_text(facts_printf(facts, "%s", state.source)));
	bench_fact(facts, "bench.meter_alive", value_flag(!state.dead));
	add_quality(facts, &state, total);
	if (total->known)
		bench_fact(
			facts, "bench.maximum_milliwatts", value_real(total->maximum_watts * 1e3));
	if (state.given)
		facts_note(facts, NULL, "Power was given as %s, not measured", state.source);
	if (state.dead)
		facts_note(facts, NULL, "The meter %s is dead: %s", state.source, state.why);
	if (total->gap_count)
		facts_note(facts, NULL,
			"The meter gave nothing for more than %.1f s, %zu times, at most for %.1f "
			"s: "
			"that time counts as not covered",
			state.gap_seconds, total->gap_count, total->longest_gap_seconds);
}
