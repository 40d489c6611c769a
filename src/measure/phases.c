/* What a workload is made of: fills, preconditioning, rounds of points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/clock.h"
#include "measure/run.h"
#include "measure/topic.h"

enum { FILL_DEPTH = 8 };

static struct stream fill_stream(const struct stream *like, uint32_t bytes)
{
	struct stream stream = *like;

	stream.read_percent = stream.random_percent = 0;
	stream.sizes[0] = (struct size_share) { bytes, 100 };
	stream.size_count = 1;
	stream.zone_count = 0;
	stream.zipf = stream.rate_iops = 0;
	stream.align_bytes = stream.batch = stream.flush_every = 0;
	stream.once = true;
	stream.threads = 1;
	stream.depth = FILL_DEPTH;
	return stream;
}

/* Writes the span once; what is less than an access at its end, in blocks. */
static int fill_once(struct run *run, const struct workload *workload, unsigned round,
	const struct stream *like, uint32_t bytes)
{
	struct step step = {
		.workload = workload, .phase = "fill", .round = round, .stream_count = 1
	};
	struct stream stream = fill_stream(like, bytes), tail;
	struct step_figures figures;
	bool rounded = false;

	/* without the whole span known the tail is not */
	tail = fill_stream(like, run->target->block_bytes);
	if (stream_fit(
		    &tail, run->target->size_bytes, run->target->block_bytes, &rounded, run->error))
		return -1;
	uint64_t rest = tail.span_bytes % bytes;

	if (tail.span_bytes >= bytes &&
		run_step(run, &step, &stream, (struct engine_job) { 0 }, &figures))
		return -1;
	if (!rest || run_is_over(run))
		return 0;
	tail.offset_bytes += tail.span_bytes - rest;
	tail.span_bytes = rest;
	step.point = 1;
	return run_step(run, &step, &tail, (struct engine_job) { 0 }, &figures);
}

int phase_fill(struct run *run, const struct workload *workload)
{
	unsigned passes = (unsigned)ceil(workload->fill_passes);
	int failed = 0;

	if (run->options->no_precondition)
		return 0;
	for (unsigned pass = 1; !failed && pass <= passes && !run_is_over(run); pass++)
		failed = fill_once(
			run, workload, pass, &workload->streams[0], workload->fill_bytes);
	return failed;
}

static double metric_of(const struct steady_wanted *wanted, const struct step_figures *figures)
{
	switch (wanted->metric) {
	case STEADY_BYTES_PER_SECOND:
		return figures->bytes_per_second;
	case STEADY_MEAN_LATENCY:
		return figures->mean_us;
	default:
		return figures->iops;
	}
}

/* Judges the rounds until now and keeps it as a row. */
static bool judge(struct run *run, const struct workload *workload, const char *phase, size_t point,
	const double *values, size_t count)
{
	struct steady_state state = steady_state_of(&workload->steady, values, count);
	struct row *row = facts_row(run->facts, &table_bench_steady, source_derived("measured"));

	row_set(row, "workload", value_text(workload->name));
	row_set(row, "phase", value_text(phase));
	row_set(row, "round", value_uint(count));
	row_set(row, "point", value_uint(point));
	row_set(row, "value", value_real(values[count - 1]));
	if (state.enough) {
		row_set(row, "average", value_real(state.average));
		row_set(row, "range_percent", value_real(state.range_percent));
		row_set(row, "slope_percent", value_real(state.slope_percent));
		row_set(row, "attained", value_flag(state.attained));
	}
	return state.attained;
}

static void tell_steady(
	struct run *run, const struct workload *workload, bool attained, size_t rounds)
{
	if (run_is_over(run) && !attained)
		return;
	run->steady = attained && (run->steady || !run->steady_wanted);
	run->steady_wanted = true;
	run->steady_rounds = (unsigned)rounds;
	if (!attained)
		facts_note(run->facts, NULL, "%s: no steady state within %zu rounds",
			workload->name, rounds);
}

/* The times of a stage, or of any other point, as the options have them. */
struct times {
	double access_seconds, idle_seconds;
	unsigned repeat;
};

static struct times times_of(
	const struct measure_options *options, const struct workload *workload, size_t point)
{
	static const struct stage no_stage = { .repeat = 1 };
	const struct stage *stage = workload->stage_count ? &workload->stages[point] : &no_stage;
	struct times times = { stage->time_seconds > 0 ? stage->time_seconds
						       : workload->time_seconds,
		stage->idle_seconds, stage->repeat };

	/* a shorter run is idle for as much shorter a time */
	if (options->time_seconds > 0) {
		times.idle_seconds *= options->time_seconds / times.access_seconds;
		times.access_seconds = options->time_seconds;
	}
	if (options->rounds_max && options->rounds_max < times.repeat)
		times.repeat = options->rounds_max;
	return times;
}

/* The workload itself, until it is steady. */
int phase_condition(struct run *run, const struct workload *workload)
{
	double seconds = run->options->time_seconds > 0 ? run->options->time_seconds
							: workload->condition_seconds;
	size_t most = (size_t)fmax(workload->condition_seconds_max / seconds, 1), round = 0;
	double *values = calloc(most, sizeof(*values));
	bool attained = false;
	int failed = values ? 0 : -1;

	if (run->options->rounds_max && most > run->options->rounds_max)
		most = run->options->rounds_max;
	while (!failed && !attained && round < most && !run_is_over(run)) {
		struct stream stream = workload->streams[0];
		struct step step = { .workload = workload,
			.phase = "condition",
			.round = (unsigned)round + 1,
			.stream_count = 1 };
		struct step_figures figures;

		round++;
		failed = run_step(
			run, &step, &stream, (struct engine_job) { .seconds = seconds }, &figures);
		values[round - 1] = metric_of(&workload->steady, &figures);
		attained = !failed && !run_is_over(run) &&
			judge(run, workload, "condition", 0, values, round);
	}
	if (!failed)
		tell_steady(run, workload, attained, round);
	free(values);
	return failed;
}

/* Nothing is asked of the drive but its temperature. */
static void rest(struct run *run, const char *phase, double seconds)
{
	double until = clock_seconds() + seconds;
	struct timespec pause = { 0, 100000000 };

	run->progress.phase = phase;
	while (clock_seconds() < until && !run_is_over(run)) {
		run_read_temperature(run, -1);
		nanosleep(&pause, NULL);
	}
}

static void cool_down(struct run *run, const struct workload *workload)
{
	rest(run, "cool-down",
		run->options->cooldown_seconds >= 0 ? run->options->cooldown_seconds
						    : workload->cooldown_seconds);
}

/* The bytes after which a point has written what it may. */
static uint64_t stop_bytes_of(
	const struct run *run, const struct workload *workload, const struct stream *stream)
{
	double share = stream_write_share(stream);

	if (run->options->stop_bytes)
		return run->options->stop_bytes;
	if (!(workload->stop_drive_writes > 0) || !(share > 0))
		return workload->stop_bytes;
	return (uint64_t)(workload->stop_drive_writes * (double)run->target->size_bytes / share);
}

static int point(struct run *run, const struct workload *workload, unsigned round, size_t index,
	struct step_figures *figures)
{
	struct stream streams[WORKLOAD_STREAMS];
	struct step step = { .workload = workload,
		.phase = "measure",
		.round = round,
		.point = index,
		.stage = workload->stage_count ? workload->stages[index].name : NULL,
		.stream_count = workload->stream_count };

	workload_point(workload, index, streams);
	return run_step(run, &step, streams,
		(struct engine_job) {
			.seconds = run->options->stop_ios && !(run->options->time_seconds > 0)
				? 0
				: times_of(run->options, workload, index).access_seconds,
			.score_seconds = workload->score_seconds,
			.stop_ios = run->options->stop_ios,
			.stop_bytes = stop_bytes_of(run, workload, &streams[0]),
			.verify = run->options->verify,
		},
		figures);
}

static bool is_tracked(const struct workload *workload, const struct tracked *tracked, size_t index)
{
	struct stream streams[WORKLOAD_STREAMS];

	workload_point(workload, index, streams);
	return (tracked->read_percent < 0 ||
		       fabs(tracked->read_percent - streams->read_percent) < 1e-9) &&
		(!tracked->bytes || tracked->bytes == streams->sizes[0].bytes);
}

/* The points on which the rounds are judged; at least the first. */
static size_t tracked_points(const struct workload *workload, size_t *points)
{
	size_t count = 0;

	for (size_t t = 0; t < workload->tracked_count; t++)
		for (size_t i = 0; i < workload_point_count(workload); i++)
			if (is_tracked(workload, &workload->tracked[t], i)) {
				points[count++] = i;
				break;
			}
	if (!count)
		points[count++] = 0;
	return count;
}

static int all_points(
	struct run *run, const struct workload *workload, unsigned round, double *values)
{
	size_t count = workload_point_count(workload);
	int failed = 0;

	run->progress.point_count = count;
	for (size_t i = 0; !failed && i < count && !run_is_over(run); i++) {
		struct step_figures figures;

		if ((i || round > 1) && !run->was_kept)
			cool_down(run, workload);
		failed = point(run, workload, round, i, &figures);
		values[i] = metric_of(&workload->steady, &figures);
	}
	return failed;
}

/* One after the other, each so often, with a time of rest behind each. */
static int all_stages(struct run *run, const struct workload *workload)
{
	struct step_figures figures;
	int failed = 0;

	run->progress.point_count = workload->stage_count;
	for (size_t i = 0; !failed && i < workload->stage_count && !run_is_over(run); i++) {
		struct times times = times_of(run->options, workload, i);

		for (unsigned n = 1; !failed && n <= times.repeat && !run_is_over(run); n++) {
			failed = point(run, workload, n, i, &figures);
			if (!run->was_kept)
				rest(run, "idle", times.idle_seconds);
		}
	}
	return failed;
}

static int all_rounds(struct run *run, const struct workload *workload)
{
	unsigned most = !workload->rounds  ? 1
		: run->options->rounds_max ? run->options->rounds_max
					   : workload->steady.rounds_max;
	size_t count = workload_point_count(workload), points[4];
	size_t tracked = tracked_points(workload, points);
	double *values = calloc(count, sizeof(*values));
	double *series = calloc((size_t)most * tracked, sizeof(*series));
	bool attained = false;
	int failed = values && series ? 0 : -1;
	unsigned round = 0;

	while (!failed && !attained && round < most && !run_is_over(run)) {
		failed = all_points(run, workload, ++round, values);
		attained = workload->rounds && !run_is_over(run);
		for (size_t t = 0; !failed && workload->rounds && t < tracked; t++) {
			series[t * most + round - 1] = values[points[t]];
			attained &= judge(
				run, workload, "measure", points[t], series + t * most, round);
		}
	}
	if (!failed && workload->rounds)
		tell_steady(run, workload, attained, round);
	free(series);
	free(values);
	return failed;
}

int phase_measure(struct run *run, const struct workload *workload)
{
	return workload->stage_count ? all_stages(run, workload) : all_rounds(run, workload);
}

void phase_idle(struct run *run)
{
	struct meter *meter = run->options->meter;
	struct meter_figures figures = { 0 };
	int64_t began = clock_ns();

	if (!(run->options->idle_seconds > 0))
		return;
	rest(run, "idle", run->options->idle_seconds);
	double seconds = (double)(clock_ns() - began) / 1e9;

	if (meter)
		meter_window(meter, began, clock_ns(), &figures);
	watts_sum(&run->watts, &figures);
	result_idle(run->facts, seconds, run->beside.celsius, &figures);
}

void phase_cooling(struct run *run)
{
	if (run->options->cooling_seconds > 0)
		rest(run, "cooling", run->options->cooling_seconds);
}

/* A file that was just made has nothing that could be read. */
int phase_new_file(struct run *run, const struct workload *workload)
{
	static const struct stream whole = { .name = "" };
	uint32_t bytes = run->target->size_bytes >= 1 << 20 ? 1 << 20 : run->target->block_bytes;

	if (!run->target->created || run->options->engine == ENGINE_NONE)
		return 0;
	int failed = fill_once(run, workload, 0, &whole, bytes);

	run->written_bytes = 0;
	return failed;
}

void measure_estimate(const struct target *target, const struct workload *const *workloads,
	size_t count, const struct measure_options *options, double *seconds, uint64_t *fill_bytes)
{
	*seconds = 0;
	*fill_bytes = 0;
	for (size_t i = 0; i < count; i++) {
		const struct workload *workload = workloads[i];
		double rounds = !workload->rounds ? 1
			: options->rounds_max     ? options->rounds_max
						  : workload->steady.rounds_max;
		double pause = options->cooldown_seconds >= 0 ? options->cooldown_seconds
							      : workload->cooldown_seconds;

		for (size_t p = 0; p < workload_point_count(workload); p++) {
			struct times times = times_of(options, workload, p);

			*seconds += rounds * times.repeat *
				(times.access_seconds + times.idle_seconds +
					(workload->stage_count ? 0 : pause));
		}
		if (options->no_precondition)
			continue;
		*seconds += workload->condition ? options->rounds_max && options->time_seconds > 0
				? options->rounds_max * options->time_seconds
				: workload->condition_seconds_max
						: 0;
		*fill_bytes += (uint64_t)(ceil(workload->fill_passes) * (double)target->size_bytes);
	}
}
