/* Active power levels: each selected, and a workload run on it. */
#include <string.h>

#include "assay/engine.h"
#include "assay/measure.h"
#include "measure/power.h"
#include "measure/watts.h"
#include "measure/topic.h"

/* Mode page 1Ah/01h (SPC-5 7.5.14). */
static const char level_page[] = "1a/01";
enum { LEVEL_AT = 6, ID_AT = 7, LEVEL_MASK = 0x07 };

struct level {
	unsigned level, id; /* level 0: by identifier */
	char name[32];
	struct value milliwatts;
};

enum { LEVELS = 16 };

/* The identifiers of VPD page 8Dh. */
static size_t levels_by_identifier(const struct facts *facts, struct level *levels)
{
	size_t count = 0;
	double id;

	for (size_t i = 0; i < facts->row_count && count < LEVELS; i++) {
		const struct row *row = &facts->rows[i];

		if (strcmp(row->table->name, "power_consumption") != 0 ||
			!value_number(row_get(row, "id"), &id))
			continue;
		struct level *level = &levels[count++];

		*level = (struct level) { .id = (unsigned)id,
			.milliwatts = row_get(row, "milliwatts") };
		snprintf(level->name, sizeof(level->name), "identifier %u", level->id);
	}
	return count;
}

/* The three levels without a figure, where there are no identifiers. */
static size_t levels_by_name(struct level *levels)
{
	static const char *const names[] = { "highest", "intermediate", "lowest" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		levels[i] = (struct level) { .level = (unsigned)i + 1 };
		snprintf(levels[i].name, sizeof(levels[i].name), "%s", names[i]);
	}
	return ARRAY_LEN(names);
}

static struct row *level_row(struct power *power, const struct level *level, const char *result)
{
	struct row *row = facts_row(power->facts, &table_power_levels, source_derived("measured"));

	row_set(row, "level", value_text(facts_printf(power->facts, "%s", level->name)));
	row_set(row, "limit_milliwatts", level->milliwatts);
	row_set(row, "result", value_text(result));
	return row;
}

/* What the drive took while it worked at a level. */
static void add_watts(struct power *power, struct row *row, const struct level *level,
	const struct engine_result *result, double iops, double bytes_per_second)
{
	struct meter_figures drawn;
	double limit = 0;

	if (!power->options->meter)
		return;
	meter_window(power->options->meter, result->scored_ns,
		result->scored_ns + (int64_t)(result->seconds * 1e9), &drawn);
	watts_sum(&power->watts, &drawn);
	watts_row(row, &drawn, iops, bytes_per_second);
	if (!drawn.known || !value_number(level->milliwatts, &limit))
		return;
	struct row *measured = facts_row(
		power->facts, &table_measurements, source_derived("measured"));

	row_set(measured, "key", value_text("power.active_milliwatts"));
	row_set(measured, "value", value_real(drawn.average_watts * 1e3));
	row_set(measured, "limit_milliwatts", value_real(limit));
}

static void add_result(struct power *power, const struct level *level,
	const struct workload *workload, size_t point, const struct engine_result *result)
{
	struct row *row = level_row(power, level, result->gone ? "failed" : "measured");
	double bytes = (double)(result->bytes[IO_READ] + result->bytes[IO_WRITE]);
	struct histogram latency;

	engine_result_latency(result, &latency);
	row_set(row, "workload", value_text(facts_printf(power->facts, "%s", workload->name)));
	row_set(row, "point", value_uint(point));
	row_set(row, "seconds", value_real(result->seconds));
	row_set(row, "errors", value_uint(result->error_count));
	if (!(result->seconds > 0) || !latency.count)
		return;
	row_set(row, "iops", value_real((double)latency.count / result->seconds));
	row_set(row, "bytes_per_second", value_uint((uint64_t)(bytes / result->seconds + 0.5)));
	row_set(row, "mean_us", value_real(histogram_mean_ns(&latency) / 1e3));
	row_set(row, "p99_us", value_real((double)histogram_percentile_ns(&latency, 99) / 1e3));
	row_set(row, "maximum_us", value_real((double)latency.max_ns / 1e3));
	add_watts(power, row, level, result, (double)latency.count / result->seconds,
		bytes / result->seconds);
}

static bool run_point(struct power *power, const struct level *level, const struct target *target,
	const struct workload *workload, size_t point)
{
	struct stream streams[WORKLOAD_STREAMS];
	struct engine_result result;
	struct error error = { 0 };
	bool rounded = false;

	workload_point(workload, point, streams);
	for (size_t i = 0; i < workload->stream_count; i++)
		if (stream_fit(&streams[i], target->size_bytes, target->block_bytes, &rounded,
			    &error) != 0)
			return false;
	struct engine_job job = { .streams = streams,
		.stream_count = workload->stream_count,
		.file = target->file,
		.seconds = power->options->level_seconds,
		.seed = 1 + point,
		.errors_max = 16,
		.stop = power->options->stop };
	int failed = engine_run(&job, &result, &error);

	if (!failed)
		add_result(power, level, workload, point, &result);
	else
		facts_note(power->facts, NULL, "No workload at %s: %s", level->name, error.text);
	engine_result_deinit(&result);
	return !failed;
}

static bool select_level(struct power *power, const struct level *level)
{
	char value[SETTING_VALUE], now[SETTING_VALUE];

	if (!setting_read(power, SETTING_MODE_PAGE, level_page, value) ||
		strlen(value) < (size_t)2 * (ID_AT + 1))
		return false;
	mode_byte_put(value, LEVEL_AT, level->level);
	mode_byte_put(value, ID_AT, level->id);
	return setting_change(power, SETTING_MODE_PAGE, level_page, value) &&
		setting_read(power, SETTING_MODE_PAGE, level_page, now) && !strcmp(now, value);
}

static void run_level(struct power *power, const struct level *level, const struct target *target,
	const struct workload *workload)
{
	power_tell(power, "power level %s", level->name);
	if (!select_level(power, level)) {
		if (!power_is_over(power))
			level_row(power, level, "refused");
		return;
	}
	for (size_t i = 0; i < workload_point_count(workload) && !power_is_over(power); i++)
		if (!run_point(power, level, target, workload, i))
			return;
}

static const struct workload random_reads = {
	.name = "4k random reads, depth 32",
	.streams = { { .name = "",
		.read_percent = 100,
		.random_percent = 100,
		.sizes = { { 4096, 100 } },
		.size_count = 1,
		.span_percent = 100,
		.threads = 1,
		.depth = 32 } },
	.stream_count = 1,
};

void power_run_levels(struct power *power)
{
	const struct workload *workload = power->options->workload ? power->options->workload
								   : &random_reads;
	struct target_wanted wanted = { .write = workload_writes(workload),
		.serial = power->settings.serial,
		.destroy = power->options->destroy,
		.force = power->options->force };
	struct level levels[LEVELS];
	struct error error = { 0 };
	struct target target;
	char now[SETTING_VALUE];

	if (power->ata || !setting_read(power, SETTING_MODE_PAGE, level_page, now)) {
		if (!power_is_over(power))
			facts_note(power->facts, NULL,
				"Power levels are not measured: it has none (mode page 1Ah/01h)");
		return;
	}
	if (target_open(power->subject->node, &wanted, &target, &error) != 0) {
		facts_note(power->facts, NULL, "Power levels are not measured: %s", error.text);
		return;
	}
	size_t count = levels_by_identifier(power->subject->facts, levels);

	if (!count)
		count = levels_by_name(levels);
	for (size_t i = 0; i < count && !power_is_over(power); i++)
		if (setting_keep(power, SETTING_MODE_PAGE, level_page))
			run_level(power, &levels[i], &target, workload);
	setting_restore(power, SETTING_MODE_PAGE, level_page);
	target_close(&target);
}
