/* A run of workloads on one target: who it is, may it be, how it went. */
#include "cli/bench.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "assay/decoder.h"

static void override_stream(struct stream *stream, const struct bench_overrides *overrides)
{
	if (overrides->threads)
		stream->threads = overrides->threads;
	if (overrides->depth)
		stream->depth = overrides->depth;
	if (overrides->batch >= 0)
		stream->batch = (unsigned)overrides->batch;
	if (overrides->block_bytes) {
		stream->sizes[0] = (struct size_share) { overrides->block_bytes, 100 };
		stream->size_count = 1;
	}
	if (overrides->align_bytes)
		stream->align_bytes = overrides->align_bytes;
	if (overrides->read_percent >= 0)
		stream->read_percent = overrides->read_percent;
	if (overrides->random_percent >= 0)
		stream->random_percent = overrides->random_percent;
	if (overrides->span_bytes)
		stream->span_bytes = overrides->span_bytes;
	if (overrides->span_percent > 0) {
		stream->span_bytes = 0;
		stream->span_percent = overrides->span_percent;
	}
	if (overrides->has_offset)
		stream->offset_bytes = overrides->offset_bytes;
	if (overrides->rate_iops >= 0)
		stream->rate_iops = overrides->rate_iops;
	stream->poisson |= overrides->poisson;
	if (overrides->compressible_percent >= 0)
		stream->compressible_percent = overrides->compressible_percent;
	if (overrides->dedupe_percent >= 0)
		stream->dedupe_percent = overrides->dedupe_percent;
}

const struct workload *bench_override(const struct workload *workload,
	const struct bench_overrides *overrides, struct arena *arena)
{
	struct workload *copy = arena_copy(arena, workload, sizeof(*workload));

	for (size_t i = 0; i < copy->stream_count; i++)
		override_stream(&copy->streams[i], overrides);
	for (size_t i = 0; i < copy->stage_count; i++)
		if (copy->stages[i].stream.size_count)
			override_stream(&copy->stages[i].stream, overrides);
	/* what is given is not swept */
	if (overrides->threads)
		copy->sweep.thread_count = 0;
	if (overrides->depth)
		copy->sweep.depth_count = 0;
	if (overrides->read_percent >= 0)
		copy->sweep.read_count = 0;
	if (overrides->block_bytes)
		copy->sweep.bytes_count = 0;
	return copy;
}

void time_text(double seconds, char *text, size_t size)
{
	unsigned whole = (unsigned)seconds;

	if (whole >= 172800)
		snprintf(text, size, "%.1f days", seconds / 86400);
	else if (whole >= 3600)
		snprintf(text, size, "%u h %02u min", whole / 3600, whole / 60 % 60);
	else
		snprintf(text, size, "%u min %02u s", whole / 60, whole % 60);
}

void bench_progress(void *context, const struct measure_progress *progress)
{
	char left[32], figures[96] = "";
	const struct engine_second *second = progress->second;

	(void)context;
	time_text(progress->seconds_left, left, sizeof(left));
	if (second)
		snprintf(figures, sizeof(figures),
			"%" PRIu64 " IOPS, %.1f MB/s, mean %.0f us, max %.0f us, ",
			second->count[IO_READ] + second->count[IO_WRITE],
			(double)(second->bytes[IO_READ] + second->bytes[IO_WRITE]) / 1e6,
			second->mean_us, second->max_us);
	progress_line("%s %s %u, point %zu of %zu: %sat most %s left", progress->workload->name,
		progress->phase, progress->round, progress->point + 1,
		progress->point_count ? progress->point_count : 1, figures, left);
}

/* Before anything is written: how much that is, and how long it takes. */
static void announce(const struct target *target, const struct bench_options *options,
	const struct workload *const *workloads, const struct facts *before)
{
	double seconds, rated = 0, used = 0;
	uint64_t fill_bytes;
	char time[32];

	measure_estimate(
		target, workloads, options->name_count, &options->measure, &seconds, &fill_bytes);
	if (options->common.quiet)
		return;
	time_text(seconds, time, sizeof(time));
	fprintf(stderr, "assay bench: %s: at most %s", target->path, time);
	if (options->wanted.write)
		fprintf(stderr, ", and the time of the fills: %.1f GB, %.2f drive writes",
			(double)fill_bytes / 1e9, (double)fill_bytes / (double)target->size_bytes);
	if (options->wanted.write &&
		facts_number(before, "endurance.rated_written_bytes", &rated) && rated > 0)
		fprintf(stderr, " (%.3f %% of the rating)", (double)fill_bytes / rated * 100);
	if (options->wanted.write && facts_number(before, "endurance.used_percent", &used))
		fprintf(stderr, "; %.0f %% of its life is used", used);
	if (options->wanted.write)
		fprintf(stderr, "; each hour at 100 MB/s writes %.2f more",
			360e9 / (double)target->size_bytes);
	fputs("\n", stderr);
}

void ask_drive(const char *path, const struct options *options, struct capture *capture,
	struct facts *facts)
{
	struct error error = { 0 };
	struct stat state;

	facts_init(facts);
	if (stat(path, &state) != 0 || S_ISREG(state.st_mode)) {
		capture_init(capture, path);
		return;
	}
	target_load(path, options, capture, &error);
	decode(capture, facts);
}

void copy_identity(const struct facts *after, struct facts *facts)
{
	static const char *const keys[] = { "identity.vendor", "identity.model", "identity.serial",
		"identity.firmware", "identity.protocol", "capacity.bytes",
		"capacity.physical_block_bytes", "link.now_gbps", "endurance.used_percent",
		"endurance.rated_written_bytes", "power_loss.write_cache_enabled",
		"temperature.current_celsius", "errors.uncorrected_count",
		"errors.reallocated_count" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		const struct fact *fact = facts_find(after, keys[i]);

		if (fact)
			facts_add(facts, fact->key, fact->value, fact->state, fact->source,
				fact->rank);
	}
}

/* What the drive may take, by its own word: a condition, never a measurement. */
static void copy_limit(const struct facts *before, struct facts *measured)
{
	double limit;

	if (facts_number(before, "power.limit_milliwatts", &limit))
		facts_add(measured, decoder_key("bench.power_limit_milliwatts"), value_real(limit),
			FACT_KNOWN, source_derived("the drive's power consumption mode page"), 0);
}

static int print_result(const char *path, struct bench_options *options,
	const struct capture *capture, const struct facts *facts,
	const struct verification *verification, const struct error *error)
{
	struct document document = { .target = path,
		.capture = capture,
		.facts = facts,
		.verdicts = verification->verdicts,
		.verdict_count = verification->count,
		.error = error };

	progress_clear();
	if (options->compat)
		return measure_fio_json(options->common.file, facts) == 0 ? 0 : EXIT_INTERNAL;
	print_document(&options->common, &document, 0, 1);
	return 0;
}

static int status_of(enum measure_end end, const struct facts *facts)
{
	bool steady = true;
	uint64_t wrong = 0, errors = 0;

	facts_flag(facts, "bench.steady_state", &steady);
	facts_uint(facts, "bench.wrong_blocks", &wrong);
	facts_uint(facts, "bench.error_count", &errors);
	if (end == MEASURE_FAILED || wrong)
		return EXIT_FAILING;
	if (end == MEASURE_STOPPED)
		return EXIT_UNKNOWN;
	return errors || !steady || end == MEASURE_LIMIT ? EXIT_WARNING : EXIT_GOOD;
}

static const char *names_of(const struct bench_options *options, struct facts *facts)
{
	const char *names = "";

	for (size_t i = 0; i < options->name_count; i++)
		names = facts_printf(facts, "%s%s%s", names, i ? ", " : "", options->names[i]);
	return names;
}

static void prepare(struct bench_options *options, struct bench_purge *purge)
{
	options->measure.stop = stop_on_signals("");
	options->measure.progress = options->common.quiet ? NULL : bench_progress;
	if (!options->purge)
		return;
	options->measure.purge = bench_purge;
	options->measure.purge_context = purge;
	options->measure.purge_name = purge_name(options->purge);
}

/* Who was measured, and what the run has done to it. */
static void add_drive(const struct bench_options *options, const struct facts *before,
	const struct facts *after, struct facts *measured)
{
	facts_add(measured, decoder_key("bench.workloads"), value_text(names_of(options, measured)),
		FACT_KNOWN, source_derived("measured"), 0);
	copy_identity(after, measured);
	measure_counters(before, after, measured);
	measure_heat(measured, before, after);
}

static int run(struct target *target, struct bench_options *options,
	const struct workload *const *workloads, const struct facts *before)
{
	struct capture capture;
	struct facts facts, measured;
	struct error error = { 0 };
	enum measure_end end = MEASURE_FAILED;
	struct bench_purge purge = { target, options, before };

	announce(target, options, workloads, before);
	prepare(options, &purge);
	facts_init(&measured);
	measure_conditions(target, &measured);
	copy_limit(before, &measured);
	int failed = measure_run(
		target, workloads, options->name_count, &options->measure, &measured, &end, &error);

	ask_drive(target->path, &options->common, &capture, &facts);
	add_drive(options, before, &facts, &measured);
	if (failed)
		complain(target->path, &error);
	struct verification verification;

	verification_init(&verification);
	if (options->judge_heat && !failed)
		bench_judge_heat(&facts, &measured, &verification);
	int status = print_result(
		target->path, options, &capture, &measured, &verification, failed ? &error : NULL);

	if (!status)
		status = failed ? (int)error.status : status_of(end, &measured);
	if (!status && verification.count && verification_status(&verification) != EXIT_UNKNOWN)
		status = verification_status(&verification);
	verification_deinit(&verification);
	facts_deinit(&measured);
	facts_deinit(&facts);
	capture_deinit(&capture);
	return status;
}

/* None of a file; of a device that cannot be asked, the kernel's. */
static struct thermometer *find_thermometer(const struct target *target,
	const struct bench_options *options, const struct capture *capture,
	const struct facts *before)
{
	struct error error = { 0 };

	if (target->regular)
		return NULL;
	return thermometer_open(target, capture, before, transport_open_sg(target->path, &error),
		options->temperature_interval_seconds);
}

/* The meter reads from before the run until behind it. */
static int run_metered(struct target *target, struct bench_options *options,
	const struct workload *const *workloads, const struct facts *before)
{
	struct meter_options wanted = { .interval_seconds = options->meter_interval_seconds };
	struct error error = { 0 };

	if (!options->meter)
		return run(target, options, workloads, before);
	options->measure.meter = meter_open(options->meter, &wanted, &error);
	if (!options->measure.meter) {
		complain(options->meter, &error);
		return (int)error.status;
	}
	meter_wait(options->measure.meter);
	int status = run(target, options, workloads, before);

	meter_close(options->measure.meter);
	return status;
}

static int choose(const struct bench_options *options, struct workloads *workloads,
	const struct workload **chosen, struct error *error)
{
	for (size_t i = 0; i < options->name_count; i++) {
		const struct workload *workload = workload_get(workloads, options->names[i], error);

		if (!workload)
			return -1;
		chosen[i] = bench_override(workload, &options->overrides, workloads->arena);
	}
	return 0;
}

static bool writes(const struct bench_options *options, const struct workload *const *workloads)
{
	struct workload alone;

	for (size_t i = 0; i < options->name_count && workloads[i]; i++) {
		alone = *workloads[i];
		if (options->measure.no_precondition)
			alone.fill_passes = 0;
		if (workload_writes(&alone))
			return true;
	}
	return options->purge != PURGE_NONE;
}

static int open_and_run(
	const char *path, struct bench_options *options, const struct workload *const *workloads)
{
	struct capture capture;
	struct facts before;
	struct target target;
	struct error error = { 0 };
	int status;

	ask_drive(path, &options->common, &capture, &before);
	options->wanted.write = options->measure.engine != ENGINE_NONE &&
		writes(options, workloads);
	options->wanted.serial = facts_text(&before, "identity.serial");
	if (target_open(path, &options->wanted, &target, &error) != 0) {
		complain(path, &error);
		status = (int)error.status;
	} else if (output_open(&options->common) != 0) {
		status = EXIT_INTERNAL;
	} else {
		facts_number(&before, "temperature.limit_celsius", &options->measure.limit_celsius);
		options->measure.thermometer = find_thermometer(
			&target, options, &capture, &before);
		status = run_metered(&target, options, workloads, &before);
		thermometer_close(options->measure.thermometer);
		status = output_close(&options->common, status);
	}
	target_close(&target);
	facts_deinit(&before);
	capture_deinit(&capture);
	return status;
}

int bench_target(const char *path, struct bench_options *options, struct workloads *workloads)
{
	const struct workload *chosen[BENCH_WORKLOADS] = { NULL };
	struct error error = { 0 };

	if (choose(options, workloads, chosen, &error) != 0) {
		complain("bench", &error);
		return (int)error.status;
	}
	return open_and_run(path, options, chosen);
}
