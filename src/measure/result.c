/* What was measured, as rows. */
#include "measure/result.h"

#include <math.h>
#include <string.h>

#include "measure/topic.h"
#include "measure/watts.h"

static const char *const kind_names[] = { "read", "write", "flush" };

static struct row *add_row(struct facts *facts, const struct table *table, const struct step *step)
{
	struct row *row = facts_row(facts, table, source_derived("measured"));

	row_set(row, "workload", value_text(step->workload->name));
	return row;
}

static void place_row(struct row *row, const struct step *step)
{
	row_set(row, "phase", value_text(step->phase));
	row_set(row, "round", value_uint(step->round));
	row_set(row, "point", value_uint(step->point));
	if (step->stage && row->table == &table_bench)
		row_set(row, "stage", value_text(step->stage));
}

/* "4k", "512", "1m", or "mix". */
static const char *block_text(struct facts *facts, const struct stream *stream)
{
	uint32_t bytes = stream->sizes[0].bytes;

	if (stream->size_count > 1)
		return "mix";
	if (bytes % (1 << 20) == 0)
		return facts_printf(facts, "%um", bytes >> 20);
	if (bytes % 1024 == 0)
		return facts_printf(facts, "%uk", bytes >> 10);
	return facts_printf(facts, "%u", bytes);
}

static unsigned threads_times_depth(const struct step *step)
{
	unsigned sum = 0;

	for (size_t i = 0; i < step->stream_count; i++)
		sum += step->streams[i].threads * step->streams[i].depth;
	return sum;
}

static void set_stream(struct facts *facts, struct row *row, const struct step *step)
{
	const struct stream *stream = &step->streams[0];

	row_set(row, "block", value_text(block_text(facts, stream)));
	row_set(row, "block_bytes", value_real(stream_mean_bytes(stream)));
	row_set(row, "read_percent", value_real(stream->read_percent));
	row_set(row, "random_percent", value_real(stream->random_percent));
	row_set(row, "threads", value_uint(stream->threads));
	row_set(row, "depth", value_uint(stream->depth));
	row_set(row, "span_bytes", value_uint(stream->span_bytes));
}

static struct value percentile(const struct histogram *latency, double percent)
{
	return value_real((double)histogram_percentile_ns(latency, percent) / 1e3);
}

static void set_latency(struct row *row, const struct histogram *latency)
{
	if (!latency->count)
		return;
	row_set(row, "mean_us", value_real(histogram_mean_ns(latency) / 1e3));
	row_set(row, "p50_us", percentile(latency, 50));
	row_set(row, "p99_us", percentile(latency, 99));
	row_set(row, "p999_us", percentile(latency, 99.9));
	row_set(row, "p9999_us", percentile(latency, 99.99));
	row_set(row, "p99999_us", percentile(latency, 99.999));
	row_set(row, "minimum_us", value_real((double)latency->min_ns / 1e3));
	row_set(row, "maximum_us", value_real((double)latency->max_ns / 1e3));
	row_set(row, "deviation_us", value_real(histogram_deviation_ns(latency) / 1e3));
}

static void set_kinds(struct row *row, const struct engine_result *result)
{
	char name[40];

	for (size_t i = 0; i < IO_KINDS; i++) {
		const struct histogram *latency = &result->latency[i];

		snprintf(name, sizeof(name), "%s_count", kind_names[i]);
		row_set(row, name, value_uint(latency->count));
		if (!latency->count)
			continue;
		snprintf(name, sizeof(name), "%s_iops", kind_names[i]);
		row_set(row, name, value_real(engine_result_iops(result, (enum io_kind)i)));
		snprintf(name, sizeof(name), "%s_mean_us", kind_names[i]);
		row_set(row, name, value_real(histogram_mean_ns(latency) / 1e3));
		if (i == IO_FLUSH)
			continue;
		snprintf(name, sizeof(name), "%s_p99_us", kind_names[i]);
		row_set(row, name, percentile(latency, 99));
		snprintf(name, sizeof(name), "%s_maximum_us", kind_names[i]);
		row_set(row, name, value_real((double)latency->max_ns / 1e3));
		snprintf(name, sizeof(name), "%s_deviation_us", kind_names[i]);
		row_set(row, name, value_real(histogram_deviation_ns(latency) / 1e3));
		snprintf(name, sizeof(name), "%s_bytes_per_second", kind_names[i]);
		row_set(row, name, value_real((double)result->bytes[i] / result->seconds));
	}
	row_set(row, "read_bytes", value_uint(result->bytes[IO_READ]));
	row_set(row, "write_bytes", value_uint(result->bytes[IO_WRITE]));
}

/* Of an open loop: without what the host was late by. */
static void set_service(struct row *row, const struct histogram *service)
{
	if (!service->count)
		return;
	row_set(row, "service_mean_us", value_real(histogram_mean_ns(service) / 1e3));
	row_set(row, "service_p99_us", percentile(service, 99));
}

static bool has_rate(const struct step *step)
{
	for (size_t i = 0; i < step->stream_count; i++)
		if (step->streams[i].rate_iops > 0)
			return true;
	return false;
}

/* Little's law: what is outstanding is the rate times the latency. */
static void check_little(struct facts *facts, struct row *row, const struct step *step,
	const struct engine_result *result)
{
	double ns = 0, wanted = threads_times_depth(step);

	for (size_t i = 0; i < IO_KINDS; i++)
		ns += (double)result->latency[i].sum_ns;
	double ratio = ns / 1e9 / result->seconds / wanted;

	row_set(row, "outstanding", value_real(result->outstanding));
	row_set(row, "little_ratio", value_real(ratio));
	if (fabs(ratio - 1) > 0.02 && !has_rate(step) && result->kind != ENGINE_NONE &&
		!strcmp(step->phase, "measure"))
		facts_note(facts, NULL,
			"%s, %s %u, point %zu: IOPS times latency is %.1f, not the %.0f that were "
			"to "
			"be outstanding: the host was the limit, or the time too short",
			step->workload->name, step->phase, step->round, step->point, ratio * wanted,
			wanted);
}

static void add_point(struct facts *facts, const struct step *step,
	const struct engine_result *result, const struct step_evidence *evidence,
	struct step_figures *figures)
{
	struct histogram latency;
	struct row *row = add_row(facts, &table_bench, step);
	double bytes = (double)(result->bytes[IO_READ] + result->bytes[IO_WRITE]);

	engine_result_latency(result, &latency);
	place_row(row, step);
	set_stream(facts, row, step);
	row_set(row, "engine", value_text(engine_name(result->kind)));
	row_set(row, "seconds", value_real(result->seconds));
	row_set(row, "errors", value_uint(result->error_count));
	if (!isnan(evidence->beside->celsius))
		row_set(row, "celsius", value_real(evidence->beside->celsius));
	*figures = (struct step_figures) { .written_bytes = result->written_bytes,
		.error_count = result->error_count };
	if (!(result->seconds > 0) || !latency.count)
		return;
	figures->iops = (double)latency.count / result->seconds;
	figures->bytes_per_second = bytes / result->seconds;
	figures->mean_us = histogram_mean_ns(&latency) / 1e3;
	row_set(row, "iops", value_real(figures->iops));
	row_set(row, "mb_per_second", value_real(figures->bytes_per_second / 1e6));
	row_set(row, "mib_per_second", value_real(figures->bytes_per_second / 1048576));
	row_set(row, "processor_us_per_io",
		value_real((result->user_seconds + result->system_seconds) * 1e6 /
			(double)latency.count));
	set_latency(row, &latency);
	set_service(row, &result->service);
	set_kinds(row, result);
	if (evidence->power.seconds > 0)
		watts_row(row, &evidence->power, figures->iops, figures->bytes_per_second);
	check_little(facts, row, step, result);
}

static void set_beside(struct row *row, struct beside_second beside)
{
	if (!isnan(beside.celsius))
		row_set(row, "celsius", value_real(beside.celsius));
	if (!isnan(beside.taken_percent))
		row_set(row, "taken_percent", value_real(beside.taken_percent));
	row_set(row, "disturbed", value_flag(beside.disturbed));
}

static void add_series(struct facts *facts, const struct step *step,
	const struct engine_result *result, const struct step_evidence *evidence)
{
	const double *watts = evidence->watts;

	for (size_t i = 0; i < result->series_count; i++) {
		const struct engine_second *second = &result->series[i];
		struct row *row = add_row(facts, &table_bench_series, step);

		place_row(row, step);
		row_set(row, "second", value_uint(second->index));
		row_set(row, "read_count", value_uint(second->count[IO_READ]));
		row_set(row, "write_count", value_uint(second->count[IO_WRITE]));
		row_set(row, "flush_count", value_uint(second->count[IO_FLUSH]));
		row_set(row, "read_bytes", value_uint(second->bytes[IO_READ]));
		row_set(row, "write_bytes", value_uint(second->bytes[IO_WRITE]));
		row_set(row, "mean_us", value_real(second->mean_us));
		row_set(row, "p50_us", value_real(second->p50_us));
		row_set(row, "p99_us", value_real(second->p99_us));
		row_set(row, "maximum_us", value_real(second->max_us));
		if (watts && !isnan(watts[i]))
			row_set(row, "watts", value_real(watts[i]));
		set_beside(row, beside_second(evidence->beside, second->index));
	}
}

static void add_histograms(
	struct facts *facts, const struct step *step, const struct engine_result *result)
{
	for (size_t kind = 0; kind < IO_KINDS; kind++)
		for (size_t bin = 0; bin < HISTOGRAM_BINS; bin++) {
			if (!result->latency[kind].bins[bin])
				continue;
			struct row *row = add_row(facts, &table_bench_histogram, step);

			place_row(row, step);
			row_set(row, "kind", value_text(kind_names[kind]));
			row_set(row, "low_ns", value_uint(histogram_low_ns(bin)));
			row_set(row, "high_ns", value_uint(histogram_high_ns(bin)));
			row_set(row, "count", value_uint(result->latency[kind].bins[bin]));
		}
}

static void add_faults(
	struct facts *facts, const struct step *step, const struct engine_result *result)
{
	for (size_t i = 0; i < result->fault_count; i++) {
		const struct engine_fault *fault = &result->faults[i];
		struct row *row = add_row(facts, &table_bench_faults, step);

		row_set(row, "point", value_uint(step->point));
		row_set(row, "kind", value_text(kind_names[fault->kind]));
		row_set(row, "error",
			value_text(fault->os_error
					? facts_printf(facts, "%s", strerror(fault->os_error))
					: "moved less than was asked"));
		row_set(row, "first_offset_bytes", value_uint(fault->first_offset));
		row_set(row, "count", value_uint(fault->count));
	}
}

static void add_findings(
	struct facts *facts, const struct step *step, const struct engine_result *result)
{
	for (size_t i = 0; i < result->finding_count; i++) {
		const struct engine_finding *finding = &result->findings[i];
		struct row *row = add_row(facts, &table_bench_findings, step);
		bool whole = finding->verdict == STAMP_MISDIRECTED ||
			finding->verdict == STAMP_STALE;

		row_set(row, "verdict", value_text(stamp_verdict_name(finding->verdict)));
		row_set(row, "offset_bytes", value_uint(finding->offset));
		row_set(row, "expected_sequence", value_uint(finding->expected_sequence));
		if (!whole)
			continue;
		row_set(row, "found_sequence", value_uint(finding->found_sequence));
		row_set(row, "found_offset_bytes", value_uint(finding->found_offset));
	}
}

void result_add(struct facts *facts, const struct step *step, const struct engine_result *result,
	const struct step_evidence *evidence, struct step_figures *figures)
{
	add_point(facts, step, result, evidence, figures);
	add_faults(facts, step, result);
	add_findings(facts, step, result);
	add_series(facts, step, result, evidence);
	if (!strcmp(step->phase, "measure"))
		add_histograms(facts, step, result);
}

void result_idle(
	struct facts *facts, double seconds, double celsius, const struct meter_figures *power)
{
	struct row *row = facts_row(facts, &table_bench, source_derived("measured"));

	row_set(row, "workload", value_text("idle"));
	row_set(row, "phase", value_text("idle"));
	row_set(row, "round", value_uint(1));
	row_set(row, "point", value_uint(0));
	row_set(row, "seconds", value_real(seconds));
	if (!isnan(celsius))
		row_set(row, "celsius", value_real(celsius));
	if (power->seconds > 0)
		watts_row(row, power, 0, 0);
	if (power->known)
		bench_fact(facts, "bench.idle_milliwatts", value_real(power->average_watts * 1e3));
}
