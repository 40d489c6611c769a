/* What was measured, in the terms of datasheets. */
#include <math.h>
#include <string.h>

#include "assay/array.h"
#include "measure/result.h"
#include "measure/topic.h"

/* Which of a point's figures is which claim's. */
static const struct {
	const char *key, *column;
	double random_percent;
	double read_least, read_most;
} claims[] = {
	{ "performance.random_read_iops", "iops", 100, 100, 100 },
	{ "performance.random_write_iops", "iops", 100, 0, 0 },
	{ "performance.random_mixed_iops", "iops", 100, 1, 99 },
	{ "performance.random_read_bytes_per_second", "read_bytes_per_second", 100, 100, 100 },
	{ "performance.random_write_bytes_per_second", "write_bytes_per_second", 100, 0, 0 },
	{ "performance.sequential_read_bytes_per_second", "read_bytes_per_second", 0, 100, 100 },
	{ "performance.sequential_write_bytes_per_second", "write_bytes_per_second", 0, 0, 0 },
	{ "performance.read_latency_us", "read_mean_us", 100, 100, 100 },
	{ "performance.write_latency_us", "write_mean_us", 100, 0, 0 },
};

/* Of the watts of a point: what datasheets call it. A mix is what they call
 * typical. */
static const struct {
	const char *key, *column;
	double read_least, read_most;
} power_claims[] = {
	{ "power.active_milliwatts", "average_watts", 0, 100 },
	{ "power.read_milliwatts", "average_watts", 100, 100 },
	{ "power.write_milliwatts", "average_watts", 0, 0 },
	{ "power.typical_milliwatts", "average_watts", 1, 99 },
	{ "power.maximum_milliwatts", "maximum_watts", 0, 100 },
};

static bool is_measured(const struct row *row)
{
	return row->table == &table_bench && !strcmp(row_text(row, "phase"), "measure");
}

/* The state in which a workload was measured: NULL where nobody looked. */
static const char *state_of(const struct facts *facts, const char *workload)
{
	const char *state = NULL;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table == &table_bench_steady &&
			!strcmp(row_text(row, "workload"), workload) &&
			row_get(row, "attained").kind == VALUE_FLAG)
			state = row_get(row, "attained").flag ? "steady" : NULL;
	}
	return state;
}

static void add_measurement(struct facts *facts, size_t point, const char *key, double value)
{
	uint64_t block_bytes = 0;
	double limit = 0;
	const char *state = state_of(facts, row_text(&facts->rows[point], "workload"));
	struct row *row = facts_row(facts, &table_measurements, source_derived("measured"));
	const struct row *of = &facts->rows[point];

	row_set(row, "key", value_text(key));
	row_set(row, "value", value_real(value));
	row_set(row, "block_bytes", row_get(of, "block_bytes"));
	row_set(row, "queue_depth",
		value_real(row_number(of, "threads") * row_number(of, "depth")));
	row_set(row, "read_percent", row_get(of, "read_percent"));
	row_set(row, "span_bytes", row_get(of, "span_bytes"));
	if (state)
		row_set(row, "state", value_text(state));
	if (!strncmp(key, "power.", 6) &&
		facts_number(facts, "bench.power_limit_milliwatts", &limit))
		row_set(row, "limit_milliwatts", value_real(limit));
	if (facts_uint(facts, "bench.block_bytes", &block_bytes))
		row_set(row, "logical_block_bytes", value_uint(block_bytes));
}

static void add_measurements(struct facts *facts, size_t point)
{
	for (size_t c = 0; c < ARRAY_LEN(claims); c++) {
		const struct row *row = &facts->rows[point];
		double value = row_number(row, claims[c].column);
		double read = row_number(row, "read_percent");

		if (value > 0 && read >= claims[c].read_least && read <= claims[c].read_most &&
			!(fabs(row_number(row, "random_percent") - claims[c].random_percent) > 0))
			add_measurement(facts, point, claims[c].key, value);
	}
}

static void add_power(struct facts *facts, size_t point)
{
	for (size_t c = 0; c < ARRAY_LEN(power_claims); c++) {
		double watts = row_number(&facts->rows[point], power_claims[c].column);
		double read = row_number(&facts->rows[point], "read_percent");

		if (watts > 0 && read >= power_claims[c].read_least &&
			read <= power_claims[c].read_most)
			add_measurement(facts, point, power_claims[c].key, watts * 1e3);
	}
}

static void add_idle(struct facts *facts)
{
	double milliwatts;

	if (!facts_number(facts, "bench.idle_milliwatts", &milliwatts))
		return;
	struct row *row = facts_row(facts, &table_measurements, source_derived("measured"));

	row_set(row, "key", value_text("power.idle_milliwatts"));
	row_set(row, "value", value_real(milliwatts));
}

/* A figure that datasheets claim, and which rows have it. */
static const struct {
	const char *key, *column;
	double read_percent, random_percent;
	const char *block; /* NULL: any from 128k */
} headlines[] = {
	{ "bench.random_read_iops", "iops", 100, 100, "4k" },
	{ "bench.random_write_iops", "iops", 0, 100, "4k" },
	{ "bench.sequential_read_bytes_per_second", "read_bytes_per_second", 100, 0, NULL },
	{ "bench.sequential_write_bytes_per_second", "write_bytes_per_second", 0, 0, NULL },
};

static bool is_of(const struct row *row, size_t headline)
{
	const char *block = headlines[headline].block;

	if (!is_measured(row) ||
		fabs(row_number(row, "read_percent") - headlines[headline].read_percent) > 0 ||
		fabs(row_number(row, "random_percent") - headlines[headline].random_percent) > 0)
		return false;
	return block ? !strcmp(row_text(row, "block"), block)
		     : row_number(row, "block_bytes") >= 131072;
}

void result_headlines(struct facts *facts)
{
	size_t count = facts->row_count;

	for (size_t i = 0; i < count; i++)
		if (is_measured(&facts->rows[i])) {
			add_measurements(facts, i);
			add_power(facts, i);
		}
	add_idle(facts);
	for (size_t h = 0; h < ARRAY_LEN(headlines); h++) {
		double best = 0;

		for (size_t i = 0; i < facts->row_count; i++)
			if (is_of(&facts->rows[i], h))
				best = fmax(best, row_number(&facts->rows[i], headlines[h].column));
		if (best > 0)
			bench_fact(facts, headlines[h].key, value_real(best));
	}
}
