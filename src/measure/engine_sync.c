/* A thread that waits for each access: where io_uring cannot be had. */
#include <errno.h>
#include <unistd.h>

#include "measure/worker.h"

static int64_t access_once(struct worker *worker, const struct io *io)
{
	int file = worker->engine->job->file;
	ssize_t result;

	switch (io->kind) {
	case IO_READ:
		result = pread(file, worker_read_buffer(worker, 0), io->bytes, (off_t)io->offset);
		break;
	case IO_WRITE:
		result = pwrite(file, worker_write_buffer(worker, 0), io->bytes, (off_t)io->offset);
		break;
	default:
		result = fdatasync(file);
	}
	return result < 0 ? -errno : result;
}

/* Sleeps until an access of an open loop is due; returns when it begins. */
static uint64_t begin(struct worker *worker, uint64_t now)
{
	uint64_t due = worker->due_ns;
	struct timespec until = { (time_t)(due / SECOND_NS), (long)(due % SECOND_NS) };

	if (!worker->interval_ns)
		return now;
	if (due > now)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
	worker_next_due(worker);
	return due;
}

static void loop(struct worker *worker)
{
	struct engine *engine = worker->engine;
	uint64_t now = worker_now_ns();
	struct io io;

	while (!worker_is_over(worker, now) && worker->due_ns < engine->deadline_ns &&
		worker_next(worker, 0, &io)) {
		uint64_t start = begin(worker, now), issued = worker_now_ns();
		int64_t result = access_once(worker, &io);

		now = worker_now_ns();
		worker->outstanding_ns += (double)(now - issued);
		worker->last_ns = now;
		if (now >= worker->second_end_ns)
			worker_tick(worker, now);
		worker_done(worker, worker_is_slow(worker, now), 0, &io, result, now - start, now);
		worker_served(worker, result == (int64_t)io.bytes, issued, now);
		if (engine->job->stop_bytes)
			worker_count_bytes(worker, io.bytes);
	}
}

void *worker_run_sync(void *argument)
{
	struct worker *worker = argument;

	if (worker_ready(worker, NULL))
		loop(worker);
	worker_end(worker);
	return NULL;
}
