#include "measure/worker.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "measure/stamp.h"

/* A huge page, below which asking for one is of no use. */
enum { HUGE_BYTES = 2 << 20, PAGE_BYTES = 4096 };

static size_t whole_pages(size_t bytes)
{
	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static void fill_patterns(struct worker *worker)
{
	struct random random;
	size_t blocks = worker->write_bytes / STAMP_BLOCK_BYTES;

	random_seed(&random, worker->engine->job->run + worker->index);
	for (unsigned slot = 0; slot < worker->depth; slot++) {
		uint8_t *data = worker_write_buffer(worker, slot);

		pattern_fill(data, worker->write_bytes, worker->stream, &random);
		pattern_checks(data, worker->write_bytes, worker->checks + slot * blocks);
	}
}

int worker_buffers_init(struct worker *worker)
{
	const struct stream *stream = worker->stream;
	size_t largest = whole_pages(stream_largest_bytes(stream));

	worker->read_bytes = stream->read_percent > 0 ? largest : 0;
	worker->write_bytes = stream->read_percent < 100 ? largest : 0;
	worker->buffers_bytes = worker->depth * (worker->read_bytes + worker->write_bytes);
	worker->stamped = !stream->repeating && !(stream->dedupe_percent > 0);
	worker->buffers = mmap(NULL, worker->buffers_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (worker->buffers == MAP_FAILED) {
		worker->buffers = NULL;
		return -1;
	}
	if (worker->buffers_bytes >= HUGE_BYTES)
		madvise(worker->buffers, worker->buffers_bytes, MADV_HUGEPAGE);
	worker->checks = calloc(worker->depth * worker->write_bytes / STAMP_BLOCK_BYTES + 1,
		sizeof(*worker->checks));
	if (worker->engine->job->verify)
		worker->slot_versions = worker->read_bytes / worker->engine->map.granule;
	worker->versions = calloc(
		worker->depth * worker->slot_versions + 1, sizeof(*worker->versions));
	if (!worker->checks || !worker->versions)
		return -1;
	if (worker->write_bytes)
		fill_patterns(worker);
	worker->only_reads = !worker->write_bytes && !worker->slot_versions;
	return 0;
}

void worker_buffers_deinit(struct worker *worker)
{
	if (worker->buffers)
		munmap(worker->buffers, worker->buffers_bytes);
	free(worker->service);
	free(worker->checks);
	free(worker->versions);
	worker->buffers = NULL;
	worker->checks = worker->versions = NULL;
}

bool worker_ready(struct worker *worker, const struct error *error)
{
	struct engine *engine = worker->engine;

	pthread_mutex_lock(&engine->lock);
	if (error) {
		engine->error = *error;
		engine->failed = true;
	}
	engine->ready++;
	pthread_cond_broadcast(&engine->changed);
	while (!engine->go)
		pthread_cond_wait(&engine->changed, &engine->lock);
	pthread_mutex_unlock(&engine->lock);
	worker->second_end_ns = engine->start_ns + SECOND_NS;
	worker->last_ns = engine->start_ns;
	worker->due_ns = engine->start_ns;
	return !engine->failed;
}

static bool make_ready(struct worker *worker, unsigned slot, const struct io *io)
{
	struct engine *engine = worker->engine;
	size_t blocks = worker->write_bytes / STAMP_BLOCK_BYTES;
	uint32_t *checks = worker->checks + slot * blocks;
	uint8_t *data = worker_write_buffer(worker, slot);

	if (engine->job->verify)
		return verify_begin_write(&engine->map, io->offset, data, io->bytes, checks);
	if (worker->stamped) {
		struct stamp stamp = { io->offset, worker->written_bytes / STAMP_BLOCK_BYTES + 1,
			engine->job->run };

		stamp_write(data, io->bytes, &stamp, checks);
	}
	return true;
}

bool worker_choose(struct worker *worker, unsigned slot, struct io *io)
{
	enum { TRIES = 1000 };

	for (int tries = 0; tries < TRIES; tries++) {
		if (!generator_next(&worker->generator, io))
			return false;
		if (io->kind == IO_WRITE && worker->buffers && !make_ready(worker, slot, io))
			continue;
		if (io->kind == IO_READ && worker->slot_versions)
			verify_begin_read(&worker->engine->map, io->offset, io->bytes,
				worker->versions + slot * worker->slot_versions);
		worker->written_bytes += io->kind == IO_WRITE ? io->bytes : 0;
		return true;
	}
	return false;
}

static bool is_gone(int os_error)
{
	return os_error == ENODEV || os_error == ENXIO || os_error == ENOMEDIUM ||
		os_error == EBADF;
}

static void add_fault(struct worker *worker, const struct io *io, int64_t res)
{
	struct engine *engine = worker->engine;
	int os_error = res < 0 ? (int)-res : 0;

	pthread_mutex_lock(&engine->lock);
	result_add_fault(engine->result, io->kind, io->offset, os_error);
	engine->result->gone |= is_gone(os_error);
	if (engine->result->gone || engine->result->error_count >= engine->job->errors_max)
		engine->stop = true;
	pthread_mutex_unlock(&engine->lock);
}

static void verify_done(struct worker *worker, unsigned slot, const struct io *io, bool good)
{
	struct engine *engine = worker->engine;

	if (io->kind == IO_WRITE)
		verify_end_write(&engine->map, io->offset, io->bytes, good);
	if (io->kind != IO_READ || !good)
		return;
	pthread_mutex_lock(&engine->lock);
	verify_end_read(&engine->map, io->offset, worker_read_buffer(worker, slot), io->bytes,
		worker->versions + slot * worker->slot_versions, engine->result);
	pthread_mutex_unlock(&engine->lock);
}

void worker_done_slow(struct worker *worker, unsigned slot, const struct io *io, int64_t res,
	uint64_t latency_ns, uint64_t now_ns)
{
	bool good = res == (int64_t)io->bytes;

	if (worker->engine->job->verify)
		verify_done(worker, slot, io, good);
	if (!good)
		add_fault(worker, io, res);
	if (!good || now_ns > worker->engine->deadline_ns)
		return;
	worker->tally.bytes[io->kind] += io->bytes;
	if (worker->engine->job->no_latency)
		worker->tally.latency[io->kind].count++;
	else
		histogram_add(&worker->tally.latency[io->kind], latency_ns);
}

void worker_next_due(struct worker *worker)
{
	double intervals = worker->stream->poisson ? -log(random_unit(&worker->arrivals)) : 1;

	worker->due_ns += (uint64_t)(intervals * (double)worker->interval_ns);
}

void worker_tick(struct worker *worker, uint64_t now_ns)
{
	uint64_t next = (now_ns - worker->engine->start_ns) / SECOND_NS;

	recorder_add(
		&worker->engine->recorder, worker->index, worker->second, &worker->tally, next);
	tally_init(&worker->tally);
	worker->second = next;
	worker->second_end_ns = worker->engine->start_ns + (next + 1) * SECOND_NS;
}

void worker_count_bytes(struct worker *worker, uint64_t bytes)
{
	struct engine *engine = worker->engine;

	if (atomic_fetch_add(&engine->moved_bytes, bytes) + bytes >= engine->job->stop_bytes)
		engine->stop = true;
}

void worker_end(struct worker *worker)
{
	struct engine *engine = worker->engine;

	recorder_add(&engine->recorder, worker->index, worker->second, &worker->tally, UINT64_MAX);
	pthread_mutex_lock(&engine->lock);
	engine->running--;
	pthread_cond_broadcast(&engine->changed);
	pthread_mutex_unlock(&engine->lock);
}
