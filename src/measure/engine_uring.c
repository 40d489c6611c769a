/* A thread whose accesses go through an io_uring of its own. */
#include <errno.h>
#include <liburing.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "measure/worker.h"

/* Fewer flags for older kernels: 6.1, 6.0, 5.19, any. */
static const unsigned setup_flags[] = {
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN,
	IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN,
	IORING_SETUP_COOP_TASKRUN,
	0,
};

/* A registered buffer may have at most 1 GiB. */
static const size_t REGISTERED_MAX = (size_t)1 << 30;

/* An open loop sleeps until so long before the next access is due, and then
 * looks: as long as sleeps were too long of late, within these. */
static const uint64_t AWAKE_LEAST_NS = 30000, AWAKE_MOST_NS = 300000;

struct slot {
	struct io io;
	uint64_t start_ns, issue_ns; /* the same but in an open loop */
};

struct uring {
	struct io_uring ring;
	struct worker *worker;
	struct slot *slots;
	unsigned *free; /* slots that are free: a stack */
	unsigned free_count;
	bool fixed_buffers, fixed_file, ended;
};

static int setup_ring(struct io_uring *ring, unsigned entries)
{
	int result = -EINVAL;

	for (size_t i = 0; i < ARRAY_LEN(setup_flags); i++) {
		struct io_uring_params params = { .flags = setup_flags[i] };

		result = io_uring_queue_init_params(entries, ring, &params);
		if (result != -EINVAL)
			break;
	}
	return result;
}

int uring_probe(void)
{
	struct io_uring ring;
	int result = setup_ring(&ring, 1);

	if (result == 0)
		io_uring_queue_exit(&ring);
	return result;
}

static int setup(struct uring *uring, struct worker *worker, struct error *error)
{
	struct iovec buffers = { worker->buffers, worker->buffers_bytes };
	int file = worker->engine->job->file;

	uring->worker = worker;
	worker->awake_ns = AWAKE_LEAST_NS;
	uring->slots = calloc(worker->depth, sizeof(*uring->slots));
	uring->free = calloc(worker->depth, sizeof(*uring->free));
	int result = uring->slots && uring->free ? setup_ring(&uring->ring, worker->depth)
						 : -ENOMEM;

	if (result < 0)
		return error_set(error, EXIT_INTERNAL, "io_uring: %s", strerror(-result));
	for (unsigned i = 0; i < worker->depth; i++)
		uring->free[uring->free_count++] = worker->depth - 1 - i;
	io_uring_register_ring_fd(&uring->ring);
	if (file >= 0)
		uring->fixed_file = io_uring_register_files(&uring->ring, &file, 1) == 0;
	if (worker->buffers && worker->buffers_bytes <= REGISTERED_MAX)
		uring->fixed_buffers = io_uring_register_buffers(&uring->ring, &buffers, 1) == 0;
	return 0;
}

static void prepare_access(struct uring *uring, struct io_uring_sqe *sqe, unsigned slot)
{
	struct worker *worker = uring->worker;
	const struct io *io = &uring->slots[slot].io;
	int file = uring->fixed_file ? 0 : worker->engine->job->file;

	if (worker->engine->job->kind == ENGINE_NONE)
		io_uring_prep_nop(sqe);
	else if (io->kind == IO_FLUSH)
		io_uring_prep_fsync(sqe, file, IORING_FSYNC_DATASYNC);
	else if (io->kind == IO_READ && uring->fixed_buffers)
		io_uring_prep_read_fixed(
			sqe, file, worker_read_buffer(worker, slot), io->bytes, io->offset, 0);
	else if (io->kind == IO_READ)
		io_uring_prep_read(
			sqe, file, worker_read_buffer(worker, slot), io->bytes, io->offset);
	else if (uring->fixed_buffers)
		io_uring_prep_write_fixed(
			sqe, file, worker_write_buffer(worker, slot), io->bytes, io->offset, 0);
	else
		io_uring_prep_write(
			sqe, file, worker_write_buffer(worker, slot), io->bytes, io->offset);
	if (uring->fixed_file)
		io_uring_sqe_set_flags(sqe, IOSQE_FIXED_FILE);
	io_uring_sqe_set_data64(sqe, slot);
}

/* Prepares what is free and due. All start when they are submitted, or when
 * they were due. */
static void prepare(struct uring *uring, uint64_t now)
{
	struct worker *worker = uring->worker;
	unsigned before = uring->free_count;

	while (uring->free_count && !uring->ended) {
		unsigned slot = uring->free[uring->free_count - 1];

		if (worker->interval_ns && worker->due_ns > now)
			break;
		if (!worker_next(worker, slot, &uring->slots[slot].io)) {
			uring->ended = true;
			break;
		}
		prepare_access(uring, io_uring_get_sqe(&uring->ring), slot);
		uring->free_count--;
		uring->slots[slot].start_ns = worker->due_ns;
		if (worker->interval_ns)
			worker_next_due(worker);
	}
	if (worker->engine->job->no_latency)
		return;
	now = worker_now_ns();
	for (unsigned i = uring->free_count; i < before; i++) {
		struct slot *slot = &uring->slots[uring->free[i]];

		slot->issue_ns = now;
		if (!worker->interval_ns)
			slot->start_ns = now;
	}
}

static unsigned outstanding(const struct uring *uring)
{
	return uring->worker->depth - uring->free_count;
}

/* Completions of one kind that began together. */
struct group {
	enum io_kind kind;
	uint64_t start_ns, count;
};

static void count_group(struct worker *worker, const struct group *group, uint64_t now)
{
	if (group->count)
		histogram_add_many(
			&worker->tally.latency[group->kind], now - group->start_ns, group->count);
}

/* All that are looked at together end now: those that also began together have
 * one latency. */
static void reap(struct uring *uring, uint64_t now)
{
	struct worker *worker = uring->worker;
	bool nothing = worker->engine->job->kind == ENGINE_NONE;
	bool slow = worker_is_slow(worker, now);
	struct group group = { 0 };
	struct io_uring_cqe *cqe;
	unsigned head, count = 0;
	uint64_t bytes = 0;

	io_uring_for_each_cqe(&uring->ring, head, cqe)
	{
		unsigned slot = (unsigned)cqe->user_data;
		const struct slot *done = &uring->slots[slot];
		int64_t moved = nothing ? (int64_t)done->io.bytes : cqe->res;

		uring->free[uring->free_count++] = slot;
		bytes += done->io.bytes;
		count++;
		worker_served(worker, moved == (int64_t)done->io.bytes, done->issue_ns, now);
		if (slow || moved != (int64_t)done->io.bytes) {
			worker_done_slow(worker, slot, &done->io, moved, now - done->start_ns, now);
			continue;
		}
		worker->tally.bytes[done->io.kind] += done->io.bytes;
		if (done->start_ns != group.start_ns || done->io.kind != group.kind) {
			count_group(worker, &group, now);
			group = (struct group) { done->io.kind, done->start_ns, 0 };
		}
		group.count++;
	}
	count_group(worker, &group, now);
	io_uring_cq_advance(&uring->ring, count);
	if (worker->engine->job->stop_bytes)
		worker_count_bytes(worker, bytes);
}

/* Twice how late the last sleeps ended, the older ones ever less. */
static void learn_lateness(struct worker *worker, uint64_t end_ns)
{
	uint64_t now = worker_now_ns(), late = now > end_ns ? now - end_ns : 0;
	uint64_t awake = (worker->awake_ns * 15 + 2 * late) / 16;

	worker->awake_ns = awake < AWAKE_LEAST_NS ? AWAKE_LEAST_NS
		: awake > AWAKE_MOST_NS           ? AWAKE_MOST_NS
						  : awake;
}

/* Waits for a completion, but no longer than until the next access is nearly due. */
static int wait_until_due(struct uring *uring, uint64_t now)
{
	struct worker *worker = uring->worker;
	unsigned waiting = outstanding(uring);
	uint64_t due = worker->due_ns < worker->engine->deadline_ns ? worker->due_ns
								    : worker->engine->deadline_ns;
	uint64_t sleep = due > now + worker->awake_ns ? due - now - worker->awake_ns : 0;
	struct __kernel_timespec time = { (int64_t)(sleep / SECOND_NS),
		(int64_t)(sleep % SECOND_NS) };
	struct timespec pause = { time.tv_sec, time.tv_nsec };
	struct io_uring_cqe *cqe;
	int result = io_uring_submit_and_wait_timeout(
		&uring->ring, &cqe, waiting ? 1 : 0, &time, NULL);

	if (!waiting && sleep)
		nanosleep(&pause, NULL);
	if (sleep && (!waiting || result == -ETIME))
		learn_lateness(worker, now + sleep);
	return result == -ETIME ? 0 : result;
}

/* Submits, and waits for a batch, or until an access is due. */
static int submit_and_wait(struct uring *uring, uint64_t now)
{
	struct worker *worker = uring->worker;
	unsigned waiting = outstanding(uring),
		 want = waiting < worker->batch ? waiting : worker->batch;

	if (!worker->interval_ns || !uring->free_count || uring->ended)
		return io_uring_submit_and_wait(&uring->ring, want);
	if (worker->due_ns <= now + worker->awake_ns)
		return io_uring_submit_and_get_events(&uring->ring);
	return wait_until_due(uring, now);
}

static void loop(struct uring *uring)
{
	struct worker *worker = uring->worker;
	uint64_t now = worker_now_ns();

	while (!uring->ended || outstanding(uring)) {
		if (!uring->ended && worker_is_over(worker, now))
			uring->ended = true;
		prepare(uring, now);
		if (uring->ended && !outstanding(uring))
			break;
		int result = submit_and_wait(uring, now);

		if (result < 0 && result != -EINTR && result != -EAGAIN && result != -EBUSY) {
			pthread_mutex_lock(&worker->engine->lock);
			result_add_fault(worker->engine->result, IO_READ, 0, -result);
			pthread_mutex_unlock(&worker->engine->lock);
			break;
		}
		uint64_t before = worker->last_ns;

		now = worker_now_ns();
		worker->outstanding_ns += (double)outstanding(uring) * (double)(now - before);
		worker->last_ns = now;
		if (now >= worker->second_end_ns)
			worker_tick(worker, now);
		reap(uring, now);
	}
}

void *worker_run_uring(void *argument)
{
	struct worker *worker = argument;
	struct uring uring = { 0 };
	struct error error;
	int failed = setup(&uring, worker, &error);

	if (worker_ready(worker, failed ? &error : NULL))
		loop(&uring);
	if (!failed)
		io_uring_queue_exit(&uring.ring);
	free(uring.slots);
	free(uring.free);
	worker_end(worker);
	return NULL;
}
