#include "assay/engine.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "measure/worker.h"

enum { WORKERS_MAX = 4096, SYNC_THREADS_MAX = 1024, STACK_BYTES = 256 << 10 };
static const uint64_t BUFFERS_MAX = UINT64_C(16) << 30;

const char *engine_name(enum engine_kind kind)
{
	static const char *const names[] = { "auto", "uring", "sync", "none" };

	return names[kind];
}

/* Which engine it is to be, and why it is not io_uring. */
static int choose(const struct engine_job *job, struct engine_result *result, struct error *error)
{
	int refused = job->kind == ENGINE_SYNC ? 0 : uring_probe();

	result->kind = job->kind == ENGINE_AUTO ? ENGINE_URING : job->kind;
	if (!refused && job->kind == ENGINE_AUTO && uring_hands_on(job)) {
		result->kind = ENGINE_SYNC;
		snprintf(result->why, sizeof(result->why),
			"io_uring hands accesses of this target to other threads, which takes "
			"longer with one outstanding");
	}
	if (!refused)
		return 0;
	snprintf(result->why, sizeof(result->why), "io_uring is refused: %s", strerror(-refused));
	if (job->kind != ENGINE_AUTO)
		return error_set(error, error_status_of(-refused), "%s", result->why);
	result->kind = ENGINE_SYNC;
	return 0;
}

/* A stream's threads: where each does one access at a time, as many as its
 * accesses. */
static unsigned threads_of(const struct engine *engine, const struct stream *stream)
{
	return engine->result->kind == ENGINE_SYNC ? stream->threads * stream->depth
						   : stream->threads;
}

static uint64_t share_of(uint64_t whole, unsigned parts, unsigned part)
{
	return parts ? whole / parts + (part < whole % parts) : whole;
}

static void init_worker(struct engine *engine, struct worker *worker, const struct stream *stream,
	unsigned thread, unsigned index, unsigned count)
{
	const struct engine_job *job = engine->job;
	bool sync = engine->result->kind == ENGINE_SYNC;
	struct stream alone = *stream;

	*worker = (struct worker) {
		.engine = engine,
		.index = index,
		.stream = stream,
		.depth = sync ? 1 : stream->depth,
		.batch = sync ? 1 : stream->batch,
		.only_reads = engine->result->kind == ENGINE_NONE && stream->read_percent >= 100,
		.ios_left = job->stop_ios ? share_of(job->stop_ios, count, index) : UINT64_MAX,
	};
	alone.threads = threads_of(engine, stream);
	generator_init(&worker->generator, &alone, thread, job->seed + index / alone.threads);
	if (stream->rate_iops > 0) {
		worker->interval_ns = (uint64_t)llround(
			(double)alone.threads / stream->rate_iops * 1e9);
		worker->service = malloc(sizeof(*worker->service));
		if (worker->service)
			histogram_init(worker->service);
	}
	random_seed(&worker->arrivals, ~(job->seed + index));
	tally_init(&worker->tally);
}

static unsigned count_workers(const struct engine *engine)
{
	unsigned count = 0;

	for (size_t i = 0; i < engine->job->stream_count; i++)
		count += threads_of(engine, &engine->job->streams[i]);
	return count;
}

static int check_limits(const struct engine *engine, unsigned count, struct error *error)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < engine->job->stream_count; i++) {
		const struct stream *stream = &engine->job->streams[i];

		bytes += (uint64_t)stream->threads * stream->depth * stream_largest_bytes(stream);
	}
	if (engine->result->kind != ENGINE_NONE && bytes > BUFFERS_MAX)
		return error_set(error, EXIT_USAGE,
			"the outstanding accesses want %llu GiB of buffers, more than 16",
			(unsigned long long)(bytes >> 30));
	if (count > (engine->result->kind == ENGINE_SYNC ? SYNC_THREADS_MAX : WORKERS_MAX))
		return error_set(error, EXIT_USAGE,
			"the %s engine wants %u threads for this, more than it may have",
			engine_name(engine->result->kind), count);
	return 0;
}

static struct worker *make_workers(struct engine *engine, unsigned count, struct error *error)
{
	struct worker *workers = calloc(count ? count : 1, sizeof(*workers));
	unsigned index = 0;
	int failed = workers ? 0 : -1;

	for (size_t i = 0; workers && i < engine->job->stream_count; i++) {
		const struct stream *stream = &engine->job->streams[i];

		for (unsigned t = 0; t < threads_of(engine, stream); t++, index++) {
			init_worker(engine, &workers[index], stream, t, index, count);
			if (engine->result->kind != ENGINE_NONE)
				failed |= worker_buffers_init(&workers[index]);
		}
	}
	if (failed)
		error_set(error, EXIT_INTERNAL, "no memory for the buffers");
	return workers;
}

/* Starts the threads; returns how many there are. */
static unsigned start(struct engine *engine, struct worker *workers, unsigned count)
{
	void *(*body)(void *) = engine->result->kind == ENGINE_SYNC ? worker_run_sync
								    : worker_run_uring;
	pthread_attr_t attributes;
	sigset_t all, old;
	unsigned started = 0;

	/* Signals are for the caller's thread. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	while (started < count) {
		int failed = pthread_create(
			&workers[started].thread, &attributes, body, &workers[started]);

		if (failed) {
			engine->failed = true;
			error_set(&engine->error, EXIT_INTERNAL, "no thread: %s", strerror(failed));
			break;
		}
		started++;
	}
	pthread_attr_destroy(&attributes);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return started;
}

static void let_go(struct engine *engine, unsigned started)
{
	pthread_mutex_lock(&engine->lock);
	while (engine->ready < started)
		pthread_cond_wait(&engine->changed, &engine->lock);
	engine->running = started;
	engine->start_ns = worker_now_ns();
	if (engine->job->seconds > 0)
		engine->deadline_ns = engine->start_ns +
			(uint64_t)(engine->job->seconds * (double)SECOND_NS);
	engine->go = true;
	pthread_cond_broadcast(&engine->changed);
	pthread_mutex_unlock(&engine->lock);
}

static void show_progress(struct engine *engine, size_t *shown)
{
	struct engine_second second;
	bool fresh = false;

	pthread_mutex_lock(&engine->recorder.lock);
	if (engine->recorder.series_count > *shown) {
		*shown = engine->recorder.series_count;
		second = engine->recorder.series[*shown - 1];
		fresh = true;
	}
	pthread_mutex_unlock(&engine->recorder.lock);
	if (fresh && engine->job->progress)
		engine->job->progress(engine->job->context, &second);
}

/* Waits for the threads; they see the stop flag themselves. */
static void wait_for_end(struct engine *engine)
{
	enum { LOOK_NS = 200000000 };
	struct timespec until;
	size_t shown = 0;

	pthread_mutex_lock(&engine->lock);
	while (engine->running) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += LOOK_NS;
		until.tv_sec += until.tv_nsec / (long)SECOND_NS;
		until.tv_nsec %= (long)SECOND_NS;
		pthread_cond_timedwait(&engine->changed, &engine->lock, &until);
		pthread_mutex_unlock(&engine->lock);
		show_progress(engine, &shown);
		pthread_mutex_lock(&engine->lock);
	}
	pthread_mutex_unlock(&engine->lock);
}

static double seconds_of(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* The time that the totals are of. */
static double measured_seconds(const struct engine *engine, uint64_t last_ns)
{
	/* A thread that the deadline ends looks at the clock behind it. */
	uint64_t end = last_ns < engine->deadline_ns ? last_ns : engine->deadline_ns;
	double seconds = (double)(end - engine->start_ns) / (double)SECOND_NS;

	return seconds - (double)engine->recorder.score_from;
}

static void collect_result(struct engine *engine, const struct worker *workers, unsigned count,
	const struct rusage *before, const struct rusage *after)
{
	struct engine_result *result = engine->result;
	uint64_t last_ns = engine->start_ns;
	double outstanding_ns = 0;

	histogram_init(&result->service);
	for (unsigned i = 0; i < count; i++) {
		if (workers[i].last_ns > last_ns)
			last_ns = workers[i].last_ns;
		outstanding_ns += workers[i].outstanding_ns;
		result->written_bytes += workers[i].written_bytes;
		if (workers[i].service)
			histogram_merge(&result->service, workers[i].service);
	}
	recorder_finish(&engine->recorder);
	memcpy(result->latency, engine->recorder.total.latency, sizeof(result->latency));
	memcpy(result->bytes, engine->recorder.total.bytes, sizeof(result->bytes));
	result->series = engine->recorder.series;
	result->series_count = engine->recorder.series_count;
	result->stopped = engine->job->stop && *engine->job->stop;
	result->seconds = measured_seconds(engine, last_ns);
	result->began_ns = (int64_t)engine->start_ns;
	result->scored_ns = (int64_t)(engine->start_ns + engine->recorder.score_from * SECOND_NS);
	if (last_ns > engine->start_ns)
		result->outstanding = outstanding_ns / (double)(last_ns - engine->start_ns);
	result->user_seconds = seconds_of(after->ru_utime) - seconds_of(before->ru_utime);
	result->system_seconds = seconds_of(after->ru_stime) - seconds_of(before->ru_stime);
}

static int run(struct engine *engine, struct worker *workers, unsigned count, struct error *error)
{
	struct rusage before, after;
	unsigned started = start(engine, workers, count);

	getrusage(RUSAGE_SELF, &before);
	let_go(engine, started);
	wait_for_end(engine);
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	getrusage(RUSAGE_SELF, &after);
	collect_result(engine, workers, count, &before, &after);
	if (engine->failed) {
		*error = engine->error;
		return -1;
	}
	return 0;
}

static void engine_init(
	struct engine *engine, const struct engine_job *job, struct engine_result *result)
{
	pthread_condattr_t attributes;

	*engine = (struct engine) { .job = job, .result = result, .deadline_ns = UINT64_MAX };
	pthread_mutex_init(&engine->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&engine->changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

int engine_run(const struct engine_job *job, struct engine_result *result, struct error *error)
{
	struct engine engine;
	struct worker *workers = NULL;

	memset(result, 0, sizeof(*result));
	engine_init(&engine, job, result);
	int failed = choose(job, result, error);
	unsigned count = failed ? 0 : count_workers(&engine);

	failed = failed || check_limits(&engine, count, error) ||
		(job->verify && verify_map_init(&engine.map, job, error));
	recorder_init(&engine.recorder, count ? count : 1,
		job->score_seconds > 0 && job->seconds > job->score_seconds
			? (uint64_t)(job->seconds - job->score_seconds)
			: 0);
	prctl(PR_SET_TIMERSLACK, 1);
	if (!failed) {
		error->text[0] = '\0';
		workers = make_workers(&engine, count, error);
		failed = !workers || *error->text || run(&engine, workers, count, error) != 0;
	}
	if (!failed && job->verify && !result->gone)
		verify_all(&engine.map, job->file, job->stop, result);
	for (unsigned i = 0; workers && i < count; i++)
		worker_buffers_deinit(&workers[i]);
	free(workers);
	verify_map_deinit(&engine.map);
	recorder_deinit(&engine.recorder);
	pthread_cond_destroy(&engine.changed);
	pthread_mutex_destroy(&engine.lock);
	return failed ? -1 : 0;
}

void engine_result_deinit(struct engine_result *result)
{
	free(result->series);
	result->series = NULL;
	result->series_count = 0;
}

void engine_result_latency(const struct engine_result *result, struct histogram *latency)
{
	*latency = result->latency[IO_READ];
	histogram_merge(latency, &result->latency[IO_WRITE]);
}

double engine_result_iops(const struct engine_result *result, enum io_kind kind)
{
	return result->seconds > 0 ? (double)result->latency[kind].count / result->seconds : 0;
}
