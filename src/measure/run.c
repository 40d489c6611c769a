/* A plan, run step by step. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/clock.h"
#include "measure/run.h"
#include "measure/topic.h"

enum { ERRORS_MAX = 64, LIMIT = 2, SETTLED = 3 };

bool run_is_over(const struct run *run)
{
	return run->gone || run->error_count >= ERRORS_MAX ||
		(run->options->stop && *run->options->stop);
}

static void reach_limit(struct run *run, const char *what)
{
	if (!run->options->stop || *run->options->stop)
		return;
	*run->options->stop = LIMIT;
	facts_note(run->facts, NULL, "The run was ended by its limit of %s", what);
}

void run_read_temperature(struct run *run, long second)
{
	const struct beside_place place = {
		.workload = run->progress.workload ? run->progress.workload->name : "",
		.phase = run->progress.phase ? run->progress.phase : "",
		.round = run->progress.round,
		.point = run->progress.point,
	};
	const struct beside *beside = &run->beside;

	if (beside_read(&run->beside, &place, second, run->facts) &&
		run->options->stop_celsius > 0 && beside->celsius >= run->options->stop_celsius)
		reach_limit(run, "temperature");
}

static void show(struct run *run, const struct engine_second *second)
{
	double left = run->seconds_at_most - (clock_seconds() - run->began);

	run->progress.second = second;
	run->progress.seconds_left = left > 0 ? left : 0;
	if (run->options->progress)
		run->options->progress(run->options->context, &run->progress);
}

static void each_second(void *context, const struct engine_second *second)
{
	struct run *run = context;
	double limit = run->options->stop_drive_writes * (double)run->target->size_bytes;

	run->step_written_bytes += second->bytes[IO_WRITE];
	if (limit > 0 && (double)(run->written_bytes + run->step_written_bytes) >= limit)
		reach_limit(run, "drive writes");
	beside_passed(&run->beside, second->index);
	run_read_temperature(run, (long)second->index + 1);
	if (settle_passed(&run->settle, second, &run->beside) != SETTLE_NOT_YET &&
		run->options->stop && !*run->options->stop)
		*run->options->stop = SETTLED;
	show(run, second);
}

static int fit_all(struct run *run, struct stream *streams, size_t count)
{
	bool rounded = false;

	for (size_t i = 0; i < count; i++)
		if (stream_fit(&streams[i], run->target->size_bytes, run->target->block_bytes,
			    &rounded, run->error))
			return -1;
	if (rounded)
		facts_note(run->facts, NULL,
			"Accesses smaller than the logical block of %u bytes were rounded up to it",
			run->target->block_bytes);
	return 0;
}

static void tell_engine(struct run *run, const struct engine_result *result)
{
	if (run->engine_told && result->kind != run->engine && !run->engines_told) {
		facts_note(run->facts, NULL, "Some points had the engine %s%s%s",
			engine_name(result->kind), *result->why ? ": " : "", result->why);
		run->engines_told = true;
	}
	if (run->engine_told)
		return;
	run->engine_told = true;
	run->engine = result->kind;
	bench_fact(run->facts, "bench.engine", value_text(engine_name(result->kind)));
	if (*result->why)
		bench_fact(run->facts, "bench.engine_note", value_text(result->why));
}

static void sum_up(
	struct run *run, const struct engine_result *result, const struct step_figures *figures)
{
	run->written_bytes += figures->written_bytes;
	run->error_count += figures->error_count;
	run->step_written_bytes = 0;
	if (!result)
		return;
	run->gone |= result->gone;
	run->verified += result->verified_blocks;
	for (size_t i = STAMP_CORRUPT; i < STAMP_VERDICTS; i++)
		run->wrong += result->verdicts[i];
}

/* What every job of a run has in common. */
static void complete_job(struct run *run, const struct step *step, struct engine_job *job)
{
	job->streams = step->streams;
	job->stream_count = step->stream_count;
	job->file = run->options->engine == ENGINE_NONE ? -1 : run->target->file;
	job->kind = run->options->engine;
	job->seed = run->options->seed + (uint64_t)step->round * 1000003 + step->point;
	job->run = run->run_id;
	job->errors_max = ERRORS_MAX - run->error_count;
	job->no_latency = run->options->no_latency;
	job->stop = run->options->stop;
	job->progress = each_second;
	job->context = run;
}

/* A step that was ended early is done again when the run goes on. */
static void keep_step(
	struct run *run, const char *name, size_t first_row, const struct step_figures *figures)
{
	int failed = run_is_over(run)
		? 0
		: state_keep(run->state, name, run->facts, first_row, figures);

	if (failed)
		facts_note(run->facts, NULL,
			"The state file could not be written (%s): the run cannot be resumed",
			strerror(-failed));
}

/* The meter's figures of the totals' time, and of each second. */
static void read_meter(struct run *run, const struct engine_result *result,
	struct step_evidence *evidence, double *watts)
{
	struct meter *meter = run->options->meter;
	const int64_t second_ns = 1000000000;
	int64_t end = result->scored_ns + (int64_t)(result->seconds * 1e9);

	if (!meter)
		return;
	meter_window(meter, result->scored_ns, end, &evidence->power);
	watts_sum(&run->watts, &evidence->power);
	for (size_t i = 0; watts && i < result->series_count; i++) {
		int64_t from = result->began_ns + (int64_t)result->series[i].index * second_ns;
		int64_t to = from + second_ns < end ? from + second_ns : end;

		watts[i] = meter_mean_watts(meter, from, to);
	}
	evidence->watts = watts;
	meter_forget(meter, end);
}

static void add_result(struct run *run, const struct step *step, const struct engine_result *result,
	struct step_figures *figures)
{
	struct step_evidence evidence = { .beside = &run->beside };
	double *watts = calloc(result->series_count + 1, sizeof(*watts));

	read_meter(run, result, &evidence, watts);
	result_add(run->facts, step, result, &evidence, figures);
	free(watts);
}

static int issue_step(struct run *run, const char *name, const struct step *step,
	struct engine_job *job, struct step_figures *figures)
{
	struct engine_result result;
	size_t first_row = run->facts->row_count;

	complete_job(run, step, job);
	show(run, NULL);
	beside_step(&run->beside);
	settle_step(&run->settle);
	int failed = engine_run(job, &result, run->error);

	if (!failed) {
		tell_engine(run, &result);
		add_result(run, step, &result, figures);
		sum_up(run, &result, figures);
		keep_step(run, name, first_row, figures);
	}
	engine_result_deinit(&result);
	return failed;
}

int run_step(struct run *run, struct step *step, struct stream *streams, struct engine_job job,
	struct step_figures *figures)
{
	char name[160];

	*figures = (struct step_figures) { 0 };
	snprintf(name, sizeof(name), "%s/%s/%u/%zu", step->workload->name, step->phase, step->round,
		step->point);
	run->progress.workload = step->workload;
	run->progress.phase = step->phase;
	run->progress.round = step->round;
	run->progress.point = step->point;
	run->was_kept = state_take(run->state, name, run->facts, figures);
	if (run->was_kept) {
		sum_up(run, NULL, figures);
		return 0;
	}
	if (fit_all(run, streams, step->stream_count))
		return -1;
	step->streams = streams;
	return issue_step(run, name, step, &job, figures);
}

static void closing_facts(struct run *run, enum measure_end end)
{
	static const char *const ends[] = { "complete", "stopped", "at a limit", "failed" };
	struct facts *facts = run->facts;

	bench_fact(facts, "bench.end", value_text(ends[end]));
	bench_fact(facts, "bench.duration_seconds", value_real(clock_seconds() - run->began));
	bench_fact(facts, "bench.written_bytes", value_uint(run->written_bytes));
	if (run->written_bytes)
		bench_fact(facts, "bench.drive_writes_ratio",
			value_real((double)run->written_bytes / (double)run->target->size_bytes));
	bench_fact(facts, "bench.error_count", value_uint(run->error_count));
	if (run->options->verify) {
		bench_fact(facts, "bench.verified_blocks", value_uint(run->verified));
		bench_fact(facts, "bench.wrong_blocks", value_uint(run->wrong));
	}
	if (run->steady_wanted) {
		bench_fact(facts, "bench.steady_state", value_flag(run->steady));
		bench_fact(facts, "bench.steady_round_count", value_uint(run->steady_rounds));
	}
	if (!isnan(run->beside.highest)) {
		bench_fact(facts, "bench.lowest_celsius", value_real(run->beside.lowest));
		bench_fact(facts, "bench.highest_celsius", value_real(run->beside.highest));
	}
	if (run->options->thermometer)
		bench_fact(facts, "bench.thermometer",
			value_text(facts_printf(facts, "%s",
				thermometer_about(run->options->thermometer)->source)));
	if (run->options->meter)
		watts_facts(facts, run->options->meter, &run->watts);
	result_headlines(facts);
}

static int run_workload(struct run *run, const struct workload *workload)
{
	int failed = phase_fill(run, workload);

	if (!failed && workload->condition && !run->options->no_precondition && !run_is_over(run))
		failed = phase_condition(run, workload);
	if (!failed && !run_is_over(run))
		failed = phase_measure(run, workload);
	return failed;
}

static void plan_text(const struct run *run, const struct workload *const *workloads, size_t count,
	char **text, size_t *size)
{
	FILE *file = open_memstream(text, size);

	if (!file)
		return;
	fprintf(file, "%s %" PRIu64 " %g %u %d %d %s", run->target->path, run->target->size_bytes,
		run->options->time_seconds, run->options->rounds_max, run->options->no_precondition,
		run->options->engine, run->options->purge ? run->options->purge_name : "");
	for (size_t i = 0; i < count; i++)
		workload_print(file, workloads[i]);
	fclose(file);
}

static int open_state(struct run *run, const struct workload *const *workloads, size_t count)
{
	char *plan = NULL;
	size_t size = 0;

	if (!run->options->state_file)
		return 0;
	plan_text(run, workloads, count, &plan, &size);
	run->state = plan ? state_open(run->options->state_file, plan, run->error) : NULL;
	free(plan);
	return run->state ? 0 : -1;
}

static enum measure_end end_of(const struct run *run, int failed)
{
	if (failed || run->gone || run->error_count >= ERRORS_MAX)
		return MEASURE_FAILED;
	if (run->options->stop && *run->options->stop)
		return *run->options->stop == LIMIT ? MEASURE_LIMIT : MEASURE_STOPPED;
	return MEASURE_COMPLETE;
}

/* A step of its own, so that a run that goes on keeps what was written since. */
static int purge_once(struct run *run)
{
	struct step_figures figures = { 0 };
	double began = clock_seconds();

	if (!run->options->purge)
		return 0;
	bench_fact(run->facts, "bench.purge", value_text(run->options->purge_name));
	if (state_take(run->state, "purge", run->facts, &figures))
		return 0;
	if (run->options->purge(run->options->purge_context, run->error))
		return -1;
	bench_fact(run->facts, "bench.purge_seconds", value_real(clock_seconds() - began));
	keep_step(run, "purge", run->facts->row_count, &figures);
	return 0;
}

int measure_run(struct target *target, const struct workload *const *workloads, size_t count,
	const struct measure_options *options, struct facts *facts, enum measure_end *end,
	struct error *error)
{
	struct run run = { .target = target,
		.options = options,
		.facts = facts,
		.error = error,
		.began = clock_seconds() };
	struct host_ticks before, after;
	uint64_t fill_bytes;
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	run.run_id = ((uint64_t)now.tv_sec << 30) + (uint64_t)now.tv_nsec;
	beside_begin(&run.beside, target, options->thermometer);
	run.settle = (struct settle) { .window_seconds = options->settle_seconds,
		.limit_celsius = options->limit_celsius > 0 ? options->limit_celsius
							    : (double)NAN };
	host_ticks_read(&before);
	measure_estimate(target, workloads, count, options, &run.seconds_at_most, &fill_bytes);
	bench_fact(facts, "bench.seed", value_uint(options->seed));
	int failed = open_state(&run, workloads, count);

	if (!failed)
		failed = purge_once(&run);
	if (!failed)
		run_read_temperature(&run, -1);
	if (!failed)
		failed = phase_new_file(&run, workloads[0]);
	if (!failed && !run_is_over(&run))
		phase_idle(&run);
	for (size_t i = 0; !failed && i < count && !run_is_over(&run); i++)
		failed = run_workload(&run, workloads[i]);
	/* what is settled is at its end, not stopped */
	if (options->stop && *options->stop == SETTLED)
		*options->stop = 0;
	if (!failed && !run_is_over(&run))
		phase_cooling(&run);
	host_ticks_read(&after);
	if (after.all > before.all)
		bench_fact(facts, "bench.steal_percent",
			value_real(host_steal_percent(&before, &after)));
	*end = end_of(&run, failed);
	closing_facts(&run, *end);
	settle_end(&run.settle, facts);
	beside_end(&run.beside);
	state_close(run.state);
	return failed;
}
