/* What a power run says: the keys and tables of the topic "measured_power". */
#include <string.h>

#include "measure/power.h"

static const struct key keys[] = {
	{ "measured_power.idle_a_recovery_us", "Recovery from idle_a", UNIT_MICROSECONDS, AGREE_ANY,
		false },
	{ "measured_power.idle_b_recovery_us", "Recovery from idle_b", UNIT_MICROSECONDS, AGREE_ANY,
		false },
	{ "measured_power.idle_c_recovery_us", "Recovery from idle_c", UNIT_MICROSECONDS, AGREE_ANY,
		false },
	{ "measured_power.standby_y_recovery_us", "Recovery from standby_y", UNIT_MICROSECONDS,
		AGREE_ANY, false },
	{ "measured_power.standby_z_recovery_us", "Recovery from standby_z", UNIT_MICROSECONDS,
		AGREE_ANY, false },
	{ "measured_power.stopped_recovery_us", "Recovery from stopped", UNIT_MICROSECONDS,
		AGREE_ANY, false },
	{ "measured_power.idle_immediate_recovery_us", "Recovery from IDLE IMMEDIATE",
		UNIT_MICROSECONDS, AGREE_ANY, false },
	{ "measured_power.standby_immediate_recovery_us", "Recovery from STANDBY IMMEDIATE",
		UNIT_MICROSECONDS, AGREE_ANY, false },
	{ "measured_power.access_us", "Access when awake, median", UNIT_MICROSECONDS, AGREE_ANY,
		false },
	{ "measured_power.read_bytes", "Size of the reads", UNIT_BYTES, AGREE_ANY, true },
	{ "measured_power.forced_unit_access", "Reads forced to the medium", UNIT_NONE, AGREE_ANY,
		true },
	{ "measured_power.repeat_count", "Tries of each state", UNIT_COUNT, AGREE_ANY, true },
	{ "measured_power.start_stop_count", "Start-stop cycles of this run", UNIT_COUNT, AGREE_ANY,
		false },
	{ "measured_power.load_cycle_count", "Load cycles of this run", UNIT_COUNT, AGREE_ANY,
		false },
	{ "measured_power.idle_milliwatts", "Power awake, at rest", UNIT_MILLIWATTS, AGREE_ANY,
		false },
	{ "measured_power.end", "Ended", UNIT_NONE, AGREE_ANY, false },
	{ "measured_power.restored", "Settings as before", UNIT_NONE, AGREE_ANY, false },
	{ "measured_power.restored_settings", "Restored", UNIT_NONE, AGREE_ANY, false },
};

/* One row a state: medians, and of the recovery the extremes, too. */
static const struct column state_columns[] = {
	{ "state", "State", UNIT_NONE },
	{ "result", "Result", UNIT_NONE },
	{ "count", "n", UNIT_NONE },
	{ "tries", NULL, UNIT_NONE },
	{ "dwell_seconds", "Dwell", UNIT_SECONDS },
	{ "entry_us", "Entry", UNIT_MICROSECONDS },
	{ "visible_us", "Visible", UNIT_MICROSECONDS },
	{ "recovery_us", "Recovery", UNIT_MICROSECONDS },
	{ "minimum_us", "Min", UNIT_MICROSECONDS },
	{ "maximum_us", "Max", UNIT_MICROSECONDS },
	{ "tail_us", "Tail", UNIT_MICROSECONDS },
	{ "claimed_us", "Claimed", UNIT_MICROSECONDS },
	{ "ratio", "Ratio", UNIT_NONE },
	{ "cached_reads", "Cached", UNIT_NONE },
	{ "average_watts", "W", UNIT_NONE },
	{ "reason", "Reason", UNIT_NONE },
};

static const struct column try_columns[] = {
	{ "state", "State", UNIT_NONE },
	{ "try", "Try", UNIT_NONE },
	{ "result", "Result", UNIT_NONE },
	{ "seen", "Says", UNIT_NONE },
	{ "entry_us", "Entry", UNIT_MICROSECONDS },
	{ "visible_us", "Visible", UNIT_MICROSECONDS },
	{ "first_io_us", "First read", UNIT_MICROSECONDS },
	{ "recovery_us", "Recovery", UNIT_MICROSECONDS },
	{ "second_io_us", "Second", UNIT_MICROSECONDS },
	{ "tail_us", "Tail", UNIT_MICROSECONDS },
	{ "tail_reads", "Reads", UNIT_NONE },
	{ "cached_reads", "Cached", UNIT_NONE },
	{ "average_watts", "W", UNIT_NONE },
	{ "maximum_watts", NULL, UNIT_NONE },
	{ "joules", NULL, UNIT_NONE },
	{ "meter_coverage_percent", NULL, UNIT_PERCENT },
	{ "reason", "Reason", UNIT_NONE },
};

/* The first access after a pause, under a setting. */
static const struct column gap_columns[] = {
	{ "setting", "Setting", UNIT_NONE },
	{ "value", "Value", UNIT_NONE },
	{ "result", "Result", UNIT_NONE },
	{ "gap_ms", "Pause", UNIT_MILLISECONDS },
	{ "count", "n", UNIT_NONE },
	{ "minimum_us", "Min", UNIT_MICROSECONDS },
	{ "median_us", "Median", UNIT_MICROSECONDS },
	{ "maximum_us", "Max", UNIT_MICROSECONDS },
	{ "exit_us", "Exit", UNIT_MICROSECONDS },
};

static const struct column level_columns[] = {
	{ "level", "Level", UNIT_NONE },
	{ "limit_milliwatts", "Limit", UNIT_MILLIWATTS },
	{ "result", "Result", UNIT_NONE },
	{ "workload", "Workload", UNIT_NONE },
	{ "point", "Point", UNIT_NONE },
	{ "iops", "IOPS", UNIT_NONE },
	{ "bytes_per_second", "B/s", UNIT_BYTES_PER_SECOND },
	{ "mean_us", "Mean", UNIT_MICROSECONDS },
	{ "p99_us", "p99", UNIT_MICROSECONDS },
	{ "maximum_us", "Max", UNIT_MICROSECONDS },
	{ "seconds", "Time", UNIT_SECONDS },
	{ "average_watts", "W", UNIT_NONE },
	{ "maximum_watts", "Max W", UNIT_NONE },
	{ "joules", NULL, UNIT_NONE },
	{ "iops_per_watt", "IOPS/W", UNIT_NONE },
	{ "mb_per_joule", "MB/J", UNIT_NONE },
	{ "meter_coverage_percent", NULL, UNIT_PERCENT },
	{ "meter_sample_count", NULL, UNIT_NONE },
	{ "meter_gap_count", NULL, UNIT_NONE },
	{ "errors", "Errors", UNIT_NONE },
	{ "reason", "Reason", UNIT_NONE },
};

static const struct column timer_columns[] = {
	{ "state", "State", UNIT_NONE },
	{ "result", "Result", UNIT_NONE },
	{ "timer_ms", "Timer", UNIT_MILLISECONDS },
	{ "observed_ms", "Observed", UNIT_MILLISECONDS },
	{ "seen", "Says", UNIT_NONE },
	{ "disturbed", "Asking restarts it", UNIT_NONE },
	{ "reason", "Reason", UNIT_NONE },
};

const struct table table_power_measured = { "power_measured", "Power states, measured",
	state_columns, ARRAY_LEN(state_columns), false };
const struct table table_power_tries = { "power_tries", "Each try", try_columns,
	ARRAY_LEN(try_columns), true };
const struct table table_power_gaps = { "power_gaps", "First access after a pause", gap_columns,
	ARRAY_LEN(gap_columns), false };
const struct table table_power_levels = { "power_levels", "Work at each power level", level_columns,
	ARRAY_LEN(level_columns), false };
const struct table table_power_timers = { "power_timers", "Timers", timer_columns,
	ARRAY_LEN(timer_columns), false };

static const struct table *const tables[] = { &table_power_measured, &table_power_timers,
	&table_power_levels, &table_power_gaps, &table_power_tries };

void power_fact(struct facts *facts, const char *name, struct value value)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (!strcmp(keys[i].name, name))
			facts_add(
				facts, &keys[i], value, FACT_KNOWN, source_derived("measured"), 0);
}

const struct decoder decoder_measured_power = {
	.name = "measured_power",
	.title = "Power, measured",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
};
