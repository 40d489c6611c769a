/* What heat did to a run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/measure.h"
#include "measure/throttle.h"
#include "measure/topic.h"

/* Rows of one and the same load, and their seconds. */
struct load {
	size_t row; /* the first one: its names */
	struct throttle_second *seconds;
	size_t count;
	double written_bytes;
};

static bool same_text(const struct row *a, const struct row *b, const char *column)
{
	return !strcmp(row_text(a, column), row_text(b, column));
}

/* The rounds of a fill or of preconditioning are one load; a point that is
 * measured is one by itself. */
static bool is_same_load(const struct row *a, const struct row *b)
{
	if (!same_text(a, b, "workload") || !same_text(a, b, "phase") ||
		!value_same(row_get(a, "point"), row_get(b, "point")))
		return false;
	return strcmp(row_text(a, "phase"), "measure") != 0 ||
		value_same(row_get(a, "round"), row_get(b, "round"));
}

static void take_second(struct load *load, const struct row *row)
{
	struct value disturbed = row_get(row, "disturbed");
	double writes = row_number(row, "write_bytes");

	load->written_bytes += writes > 0 ? writes : 0;
	load->seconds = array_grow(load->seconds, load->count, sizeof(*load->seconds));
	load->seconds[load->count++] = (struct throttle_second) {
		.rate = row_number(row, "read_count") + row_number(row, "write_count"),
		.celsius = row_number(row, "celsius"),
		.steal_percent = row_number(row, "taken_percent"),
		.written_bytes = load->written_bytes,
		.disturbed = disturbed.kind == VALUE_FLAG && disturbed.flag,
	};
}

static void add_slowdown(
	struct facts *facts, const struct load *load, const struct throttle_finding *finding)
{
	const struct row first = facts->rows[load->row];
	struct row *row = facts_row(facts, &table_bench_slowdowns, source_derived("measured"));
	double before = finding->rate_before, after = finding->rate_after;

	row_set(row, "workload", row_get(&first, "workload"));
	row_set(row, "phase", row_get(&first, "phase"));
	row_set(row, "round", row_get(&first, "round"));
	row_set(row, "point", row_get(&first, "point"));
	row_set(row, "second", value_uint(finding->second));
	row_set(row, "cause", value_text(throttle_cause_name(finding->cause)));
	if (before > 0) {
		row_set(row, "loss_percent", value_real((1 - after / before) * 100));
		row_set(row, "iops_before", value_real(before));
		row_set(row, "iops_after", value_real(after));
	}
	if (!isnan(finding->celsius))
		row_set(row, "celsius", value_real(finding->celsius));
	row_set(row, "written_bytes", value_uint((uint64_t)finding->written_bytes));
	row_set(row, "evidence", value_text(facts_printf(facts, "%s", finding->evidence)));
}

/* The first time that heat slowed it down, and the worst. */
struct throttling {
	bool judged, found;
	double celsius, seconds, loss_percent;
};

static void sum_up(struct throttling *throttling, const struct throttle_finding *finding)
{
	double loss = finding->rate_before > 0
		? (1 - finding->rate_after / finding->rate_before) * 100
		: 0;

	if (finding->cause != THROTTLE_THERMAL)
		return;
	if (!throttling->found) {
		throttling->celsius = finding->celsius;
		throttling->seconds = (double)finding->second;
	}
	throttling->loss_percent = fmax(throttling->loss_percent, loss);
	throttling->found = true;
}

static void judge_load(struct facts *facts, const struct load *load, double limit_celsius,
	double counter_change, struct throttling *throttling)
{
	struct throttle_finding findings[THROTTLE_FINDINGS];
	struct throttle_series series = { .seconds = load->seconds,
		.count = load->count,
		.writes = load->written_bytes > 0,
		.limit_celsius = limit_celsius,
		.counter_change = counter_change };
	bool warm = false;
	size_t count = throttle_find(&series, findings);

	for (size_t i = 0; i < load->count; i++)
		warm |= !isnan(load->seconds[i].celsius);
	throttling->judged |= load->count >= THROTTLE_SECONDS_MIN &&
		(warm || !isnan(counter_change));
	for (size_t i = 0; i < count; i++) {
		add_slowdown(facts, load, &findings[i]);
		sum_up(throttling, &findings[i]);
	}
}

/* The last second of a step is mostly less than one. */
static bool is_whole(const struct facts *facts, size_t index)
{
	const struct row *row = &facts->rows[index];
	const struct row *next = index + 1 < facts->row_count ? row + 1 : NULL;

	return next && next->table == &table_bench_series &&
		row_number(next, "second") > row_number(row, "second") &&
		same_text(row, next, "workload") && same_text(row, next, "phase");
}

static void judge_loads(struct facts *facts, double limit_celsius, double counter_change,
	struct throttling *throttling)
{
	const size_t count = facts->row_count;
	struct load load = { .row = count };

	for (size_t i = 0; i < count; i++) {
		if (facts->rows[i].table != &table_bench_series)
			continue;
		if (load.row < count && !is_same_load(&facts->rows[load.row], &facts->rows[i])) {
			judge_load(facts, &load, limit_celsius, counter_change, throttling);
			load.count = 0;
			load.written_bytes = 0;
			load.row = count;
		}
		if (load.row == count)
			load.row = i;
		if (is_whole(facts, i))
			take_second(&load, &facts->rows[i]);
	}
	if (load.row < count)
		judge_load(facts, &load, limit_celsius, counter_change, throttling);
	free(load.seconds);
}

/* ---- Limits, counters, cooling ---- */

/* From one reading to the next, the former holds. */
static void add_over_limit(struct facts *facts, double limit)
{
	const struct row *last = NULL;
	double sum = 0;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != &table_bench_temperature)
			continue;
		if (last && row_number(last, "celsius") >= limit)
			sum += row_number(row, "seconds") - row_number(last, "seconds");
		last = row;
	}
	if (last)
		bench_fact(facts, "bench.over_limit_seconds", value_real(sum));
}

/* How far the drive cooled behind its work, and when half of that was done. */
static void add_cooling(struct facts *facts)
{
	double first = NAN, least = NAN, began = 0, half = NAN;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != &table_bench_temperature ||
			strcmp(row_text(row, "phase"), "cooling") != 0)
			continue;
		if (isnan(first)) {
			first = row_number(row, "celsius");
			began = row_number(row, "seconds");
		}
		least = fmin(least, row_number(row, "celsius"));
	}
	for (size_t i = 0; i < facts->row_count && isnan(half); i++)
		if (facts->rows[i].table == &table_bench_temperature &&
			!strcmp(row_text(&facts->rows[i], "phase"), "cooling") &&
			row_number(&facts->rows[i], "celsius") <= first - (first - least) / 2)
			half = row_number(&facts->rows[i], "seconds") - began;
	if (isnan(first))
		return;
	bench_fact(facts, "bench.cooled_celsius", value_real(first - least));
	if (first - least > 0)
		bench_fact(facts, "bench.cooling_half_seconds", value_real(half));
}

/* How far one of the drive's counters went; NAN: it has none, or it was reset. */
static double change_of(const struct facts *before, const struct facts *after, const char *key)
{
	double first, last;

	if (!facts_number(before, key, &first) || !facts_number(after, key, &last) || last < first)
		return NAN;
	return last - first;
}

static void add_throttling(struct facts *facts, const struct throttling *throttling)
{
	if (!throttling->judged && !throttling->found)
		return;
	bench_fact(facts, "bench.throttled", value_flag(throttling->found));
	if (!throttling->found)
		return;
	if (!isnan(throttling->celsius))
		bench_fact(facts, "bench.throttle_celsius", value_real(throttling->celsius));
	bench_fact(facts, "bench.throttle_seconds", value_real(throttling->seconds));
	bench_fact(facts, "bench.throttle_loss_percent", value_real(throttling->loss_percent));
}

static void add_measurement(struct facts *facts, const char *key, double value)
{
	struct row *row = facts_row(facts, &table_measurements, source_derived("measured"));

	row_set(row, "key", value_text(key));
	row_set(row, "value", value_real(value));
}

/* In the terms of datasheets. */
static void add_claims(struct facts *facts, const struct throttling *throttling)
{
	double highest;

	if (facts_number(facts, "bench.highest_celsius", &highest))
		add_measurement(facts, "temperature.operating_celsius", highest);
	if (throttling->judged || throttling->found)
		add_measurement(facts, "temperature.throttles", throttling->found ? 1 : 0);
	if (throttling->found && !isnan(throttling->celsius))
		add_measurement(facts, "temperature.throttle_celsius", throttling->celsius);
}

void measure_heat(struct facts *measured, const struct facts *before, const struct facts *after)
{
	struct throttling throttling = { 0 };
	double throttles = change_of(before, after, "temperature.throttle_count");
	double minutes = change_of(before, after, "temperature.over_limit_minutes");
	double limit = NAN;

	if (facts_number(after, "temperature.limit_celsius", &limit)) {
		bench_fact(measured, "bench.limit_celsius", value_real(limit));
		add_over_limit(measured, limit);
	}
	if (!isnan(minutes))
		bench_fact(measured, "bench.over_limit_minutes", value_uint((uint64_t)minutes));
	if (!isnan(throttles))
		bench_fact(measured, "bench.throttle_count", value_uint((uint64_t)throttles));
	add_cooling(measured);
	judge_loads(measured, limit, throttles, &throttling);
	add_throttling(measured, &throttling);
	add_claims(measured, &throttling);
}
