/* What a measurement says: the keys and tables of the topic "bench". */
#include "assay/decoder.h"
#include "measure/topic.h"

static const struct key keys[] = {
	{ "bench.workloads", "Workloads", UNIT_NONE, AGREE_ANY, false },
	{ "bench.end", "Ended", UNIT_NONE, AGREE_ANY, false },
	{ "bench.purge", "Emptied before by", UNIT_NONE, AGREE_ANY, false },
	{ "bench.purge_seconds", "Emptying took", UNIT_SECONDS, AGREE_ANY, false },
	{ "bench.random_read_iops", "Random read, 4k", UNIT_IOPS, AGREE_ANY, false },
	{ "bench.random_write_iops", "Random write, 4k", UNIT_IOPS, AGREE_ANY, false },
	{ "bench.sequential_read_bytes_per_second", "Sequential read", UNIT_BYTES_PER_SECOND,
		AGREE_ANY, false },
	{ "bench.sequential_write_bytes_per_second", "Sequential write", UNIT_BYTES_PER_SECOND,
		AGREE_ANY, false },
	{ "bench.steady_state", "Steady state", UNIT_NONE, AGREE_ANY, false },
	{ "bench.steady_round_count", "Rounds until steady", UNIT_COUNT, AGREE_ANY, false },
	{ "bench.verified_blocks", "Blocks verified", UNIT_BLOCKS, AGREE_ANY, false },
	{ "bench.wrong_blocks", "Blocks that were wrong", UNIT_BLOCKS, AGREE_ANY, false },
	{ "bench.error_count", "Errors", UNIT_COUNT, AGREE_ANY, false },
	{ "bench.written_bytes", "Written by this run", UNIT_BYTES, AGREE_ANY, false },
	{ "bench.drive_writes_ratio", "Drive writes of this run", UNIT_RATIO, AGREE_ANY, false },
	{ "bench.duration_seconds", "Duration", UNIT_SECONDS, AGREE_ANY, false },
	{ "bench.host_written_bytes", "Written, by the drive's counter", UNIT_BYTES, AGREE_ANY,
		false },
	{ "bench.nand_written_bytes", "Written to flash, by the drive's counter", UNIT_BYTES,
		AGREE_ANY, false },
	{ "bench.write_amplification_ratio", "Write amplification", UNIT_RATIO, AGREE_ANY, false },
	{ "bench.used_change_percent", "Wear of this run", UNIT_PERCENT, AGREE_ANY, false },
	{ "bench.uncorrected_change_count", "Uncorrected errors, by the drive's counter",
		UNIT_COUNT, AGREE_ANY, false },
	{ "bench.reallocated_change_count", "Reallocated sectors, by the drive's counter",
		UNIT_COUNT, AGREE_ANY, false },
	{ "bench.crc_change_count", "Interface CRC errors, by the drive's counter", UNIT_COUNT,
		AGREE_ANY, false },
	{ "bench.lowest_celsius", "Lowest temperature", UNIT_CELSIUS, AGREE_ANY, false },
	{ "bench.highest_celsius", "Highest temperature", UNIT_CELSIUS, AGREE_ANY, false },
	{ "bench.limit_celsius", "Temperature limit, by the drive's word", UNIT_CELSIUS, AGREE_ANY,
		false },
	{ "bench.over_limit_seconds", "Time at or over that limit", UNIT_SECONDS, AGREE_ANY,
		false },
	{ "bench.over_limit_minutes", "Time over the limit, by the drive's counter", UNIT_MINUTES,
		AGREE_ANY, false },
	{ "bench.throttle_count", "Thermal throttling, by the drive's counter", UNIT_COUNT,
		AGREE_ANY, false },
	{ "bench.throttled", "Slowed down by heat", UNIT_NONE, AGREE_ANY, false },
	{ "bench.throttle_celsius", "Slowed down at", UNIT_CELSIUS, AGREE_ANY, false },
	{ "bench.throttle_seconds", "Slowed down after", UNIT_SECONDS, AGREE_ANY, false },
	{ "bench.throttle_loss_percent", "Slowed down by", UNIT_PERCENT, AGREE_ANY, false },
	{ "bench.settled", "Temperature settled", UNIT_NONE, AGREE_ANY, false },
	{ "bench.settled_celsius", "Settled at", UNIT_CELSIUS, AGREE_ANY, false },
	{ "bench.settled_seconds", "Settled after", UNIT_SECONDS, AGREE_ANY, false },
	{ "bench.cooled_celsius", "Cooled down by", UNIT_CELSIUS, AGREE_ANY, false },
	{ "bench.cooling_half_seconds", "Half of that within", UNIT_SECONDS, AGREE_ANY, false },
	{ "bench.thermometer", "Thermometer", UNIT_NONE, AGREE_ANY, true },
	{ "bench.idle_milliwatts", "Power, idle", UNIT_MILLIWATTS, AGREE_ANY, false },
	{ "bench.maximum_milliwatts", "Power, highest", UNIT_MILLIWATTS, AGREE_ANY, false },
	{ "bench.power_limit_milliwatts", "Power limit while measuring, by the drive's word",
		UNIT_MILLIWATTS, AGREE_ANY, false },
	{ "bench.meter_source", "Power meter", UNIT_NONE, AGREE_ANY, false },
	{ "bench.meter_alive", "Meter reads to the end", UNIT_NONE, AGREE_ANY, false },
	{ "bench.meter_coverage_percent", "Time that the meter covers", UNIT_PERCENT, AGREE_ANY,
		false },
	{ "bench.meter_interval_seconds", "Interval of the meter", UNIT_SECONDS, AGREE_ANY, true },
	{ "bench.meter_readings_per_second", "Readings per second", UNIT_NONE, AGREE_ANY, false },
	{ "bench.meter_resolution_milliwatts", "Least step between readings", UNIT_MILLIWATTS,
		AGREE_ANY, false },
	{ "bench.meter_gap_count", "Gaps between readings", UNIT_COUNT, AGREE_ANY, true },
	{ "bench.meter_longest_gap_seconds", "Longest gap between readings", UNIT_SECONDS,
		AGREE_ANY, false },
	{ "bench.meter_bad_reading_count", "What the meter said and is no reading", UNIT_COUNT,
		AGREE_ANY, false },
	{ "bench.engine", "Engine", UNIT_NONE, AGREE_ANY, false },
	{ "bench.engine_note", "Engine, note", UNIT_NONE, AGREE_ANY, false },
	{ "bench.seed", "Seed of the accesses", UNIT_NONE, AGREE_ANY, true },
	{ "bench.target_bytes", "Size of the target", UNIT_BYTES, AGREE_ANY, false },
	{ "bench.block_bytes", "Logical block", UNIT_BYTES, AGREE_ANY, true },
	{ "bench.direct", "Past the page cache", UNIT_NONE, AGREE_ANY, true },
	{ "bench.kernel", "Kernel", UNIT_NONE, AGREE_ANY, true },
	{ "bench.scheduler", "I/O scheduler", UNIT_NONE, AGREE_ANY, true },
	{ "bench.write_cache", "Write cache, as the kernel sees it", UNIT_NONE, AGREE_ANY, true },
	{ "bench.queue_request_count", "Requests of the kernel's queue", UNIT_COUNT, AGREE_ANY,
		true },
	{ "bench.maximum_request_bytes", "Largest request of the kernel", UNIT_BYTES, AGREE_ANY,
		true },
	{ "bench.processor_count", "Processors", UNIT_COUNT, AGREE_ANY, true },
	{ "bench.load_average", "Load average before", UNIT_NONE, AGREE_ANY, true },
	{ "bench.steal_percent", "Stolen processor time", UNIT_PERCENT, AGREE_ANY, true },
};

/* One row a point and round. */
static const struct column point_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "phase", "Phase", UNIT_NONE },
	{ "round", "Round", UNIT_NONE },
	{ "point", NULL, UNIT_NONE },
	{ "stage", "Stage", UNIT_NONE },
	{ "block", "Block", UNIT_NONE },
	{ "block_bytes", NULL, UNIT_BYTES },
	{ "read_percent", "Read", UNIT_PERCENT },
	{ "random_percent", "Random", UNIT_PERCENT },
	{ "threads", "T", UNIT_NONE },
	{ "depth", "Q", UNIT_NONE },
	{ "engine", NULL, UNIT_NONE },
	{ "iops", "IOPS", UNIT_NONE },
	{ "mb_per_second", "MB/s", UNIT_NONE },
	{ "mib_per_second", "MiB/s", UNIT_NONE },
	{ "mean_us", "Mean", UNIT_MICROSECONDS },
	{ "p50_us", NULL, UNIT_MICROSECONDS },
	{ "p99_us", "p99", UNIT_MICROSECONDS },
	{ "p999_us", NULL, UNIT_MICROSECONDS },
	{ "p9999_us", "p99.99", UNIT_MICROSECONDS },
	{ "p99999_us", NULL, UNIT_MICROSECONDS },
	{ "maximum_us", "Max", UNIT_MICROSECONDS },
	{ "deviation_us", "Stdev", UNIT_MICROSECONDS },
	{ "minimum_us", NULL, UNIT_MICROSECONDS },
	{ "service_mean_us", NULL, UNIT_MICROSECONDS },
	{ "service_p99_us", NULL, UNIT_MICROSECONDS },
	{ "read_iops", NULL, UNIT_NONE },
	{ "read_bytes_per_second", NULL, UNIT_NONE },
	{ "read_mean_us", NULL, UNIT_MICROSECONDS },
	{ "read_p99_us", NULL, UNIT_MICROSECONDS },
	{ "read_maximum_us", NULL, UNIT_MICROSECONDS },
	{ "read_deviation_us", NULL, UNIT_MICROSECONDS },
	{ "write_iops", NULL, UNIT_NONE },
	{ "write_bytes_per_second", NULL, UNIT_NONE },
	{ "write_mean_us", NULL, UNIT_MICROSECONDS },
	{ "write_p99_us", NULL, UNIT_MICROSECONDS },
	{ "write_maximum_us", NULL, UNIT_MICROSECONDS },
	{ "write_deviation_us", NULL, UNIT_MICROSECONDS },
	{ "flush_iops", NULL, UNIT_NONE },
	{ "flush_mean_us", NULL, UNIT_MICROSECONDS },
	{ "read_count", NULL, UNIT_NONE },
	{ "write_count", NULL, UNIT_NONE },
	{ "flush_count", NULL, UNIT_NONE },
	{ "read_bytes", NULL, UNIT_BYTES },
	{ "write_bytes", NULL, UNIT_BYTES },
	{ "span_bytes", NULL, UNIT_BYTES },
	{ "seconds", "Time", UNIT_SECONDS },
	{ "outstanding", NULL, UNIT_NONE },
	{ "little_ratio", NULL, UNIT_NONE },
	{ "processor_us_per_io", NULL, UNIT_MICROSECONDS },
	{ "celsius", "Temp.", UNIT_CELSIUS },
	{ "average_watts", "W", UNIT_NONE },
	{ "maximum_watts", "Max W", UNIT_NONE },
	{ "joules", NULL, UNIT_NONE },
	{ "iops_per_watt", "IOPS/W", UNIT_NONE },
	{ "mb_per_joule", "MB/J", UNIT_NONE },
	{ "meter_coverage_percent", NULL, UNIT_PERCENT },
	{ "meter_sample_count", NULL, UNIT_NONE },
	{ "meter_gap_count", NULL, UNIT_NONE },
	{ "errors", "Errors", UNIT_NONE },
};

static const struct column series_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "phase", "Phase", UNIT_NONE },
	{ "round", "Round", UNIT_NONE },
	{ "point", "Point", UNIT_NONE },
	{ "second", "Second", UNIT_NONE },
	{ "read_count", "Reads", UNIT_NONE },
	{ "write_count", "Writes", UNIT_NONE },
	{ "flush_count", NULL, UNIT_NONE },
	{ "read_bytes", NULL, UNIT_BYTES },
	{ "write_bytes", NULL, UNIT_BYTES },
	{ "mean_us", "Mean", UNIT_MICROSECONDS },
	{ "p50_us", "p50", UNIT_MICROSECONDS },
	{ "p99_us", "p99", UNIT_MICROSECONDS },
	{ "maximum_us", "Max", UNIT_MICROSECONDS },
	{ "watts", NULL, UNIT_NONE },
	{ "celsius", "Temp.", UNIT_CELSIUS },
	{ "disturbed", NULL, UNIT_NONE },
	{ "taken_percent", NULL, UNIT_PERCENT },
};

/* One row a reading, between steps too: how it warms up and cools down. */
static const struct column temperature_columns[] = {
	{ "seconds", "At", UNIT_SECONDS },
	{ "workload", "Workload", UNIT_NONE },
	{ "phase", "Phase", UNIT_NONE },
	{ "round", "Round", UNIT_NONE },
	{ "point", "Point", UNIT_NONE },
	{ "second", "Second", UNIT_NONE },
	{ "celsius", "Temp.", UNIT_CELSIUS },
	{ "disturbed", NULL, UNIT_NONE },
};

static const struct column slowdown_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "phase", "Phase", UNIT_NONE },
	{ "round", "Round", UNIT_NONE },
	{ "point", "Point", UNIT_NONE },
	{ "second", "Second", UNIT_NONE },
	{ "cause", "Cause", UNIT_NONE },
	{ "loss_percent", "Loss", UNIT_PERCENT },
	{ "iops_before", NULL, UNIT_NONE },
	{ "iops_after", NULL, UNIT_NONE },
	{ "celsius", "Temp.", UNIT_CELSIUS },
	{ "written_bytes", NULL, UNIT_BYTES },
	{ "evidence", "Evidence", UNIT_NONE },
};

static const struct column histogram_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "phase", "Phase", UNIT_NONE },
	{ "round", "Round", UNIT_NONE },
	{ "point", "Point", UNIT_NONE },
	{ "kind", "Kind", UNIT_NONE },
	{ "low_ns", "From ns", UNIT_NONE },
	{ "high_ns", "Below ns", UNIT_NONE },
	{ "count", "Count", UNIT_NONE },
};

static const struct column steady_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "phase", "Phase", UNIT_NONE },
	{ "round", "Round", UNIT_NONE },
	{ "point", NULL, UNIT_NONE },
	{ "value", "Value", UNIT_NONE },
	{ "average", "Average", UNIT_NONE },
	{ "range_percent", "Range", UNIT_PERCENT },
	{ "slope_percent", "Slope", UNIT_PERCENT },
	{ "attained", "Steady", UNIT_NONE },
};

/* What `verify --results` holds against a datasheet: the key is the claim's. */
static const struct column measurement_columns[] = {
	{ "key", "Claim", UNIT_NONE },
	{ "value", "Value", UNIT_NONE },
	{ "block_bytes", "Block", UNIT_BYTES },
	{ "queue_depth", "Outstanding", UNIT_NONE },
	{ "read_percent", "Read", UNIT_PERCENT },
	{ "span_bytes", "Span", UNIT_BYTES },
	{ "state", "State", UNIT_NONE },
	{ "limit_milliwatts", NULL, UNIT_MILLIWATTS },
	{ "logical_block_bytes", NULL, UNIT_BYTES },
};

static const struct column fault_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "point", "Point", UNIT_NONE },
	{ "kind", "Kind", UNIT_NONE },
	{ "error", "Error", UNIT_NONE },
	{ "first_offset_bytes", "First at", UNIT_BYTES },
	{ "count", "Count", UNIT_NONE },
};

static const struct column finding_columns[] = {
	{ "workload", "Workload", UNIT_NONE },
	{ "verdict", "Block is", UNIT_NONE },
	{ "offset_bytes", "At", UNIT_BYTES },
	{ "expected_sequence", "Version wanted", UNIT_NONE },
	{ "found_sequence", "found", UNIT_NONE },
	{ "found_offset_bytes", "written for", UNIT_BYTES },
};

const struct table table_bench = { "bench", "Points", point_columns, ARRAY_LEN(point_columns),
	false };
const struct table table_bench_steady = { "bench_steady", "Steady state, round by round",
	steady_columns, ARRAY_LEN(steady_columns), false };
const struct table table_bench_temperature = { "bench_temperature", "Temperatures",
	temperature_columns, ARRAY_LEN(temperature_columns), true };
const struct table table_bench_slowdowns = { "bench_slowdowns", "Slowdowns", slowdown_columns,
	ARRAY_LEN(slowdown_columns), false };
const struct table table_measurements = { "measurements", "As datasheets claim it",
	measurement_columns, ARRAY_LEN(measurement_columns), true };
const struct table table_bench_faults = { "bench_faults", "Errors", fault_columns,
	ARRAY_LEN(fault_columns), false };
const struct table table_bench_findings = { "bench_findings", "Wrong blocks", finding_columns,
	ARRAY_LEN(finding_columns), false };
const struct table table_bench_series = { "bench_series", "Seconds", series_columns,
	ARRAY_LEN(series_columns), true };
const struct table table_bench_histogram = { "bench_histogram", "Latencies", histogram_columns,
	ARRAY_LEN(histogram_columns), true };

/* The latencies' bins come last: only JSON has them. */
const struct table *const bench_tables[] = {
	&table_bench,
	&table_bench_steady,
	&table_bench_slowdowns,
	&table_bench_faults,
	&table_bench_findings,
	&table_measurements,
	&table_bench_temperature,
	&table_bench_series,
	&table_bench_histogram,
	NULL,
};

void bench_fact(struct facts *facts, const char *name, struct value value)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (!strcmp(keys[i].name, name))
			facts_add(
				facts, &keys[i], value, FACT_KNOWN, source_derived("measured"), 0);
}

const struct decoder decoder_bench = {
	.name = "bench",
	.title = "Measured",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.tables = bench_tables,
	.table_count = ARRAY_LEN(bench_tables) - 2,
};
