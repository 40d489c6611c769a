/* A thread of the engine, and what all of them share. */
#ifndef ASSAY_MEASURE_WORKER_H
#define ASSAY_MEASURE_WORKER_H

#include <pthread.h>
#include <stdatomic.h>

#include "assay/clock.h"
#include "assay/engine.h"
#include "measure/generator.h"
#include "measure/verify_map.h"

static const uint64_t SECOND_NS = 1000000000;

static inline uint64_t worker_now_ns(void)
{
	return (uint64_t)clock_ns();
}

/* Latencies and bytes of one second, or of several. */
struct tally {
	struct histogram latency[IO_KINDS];
	uint64_t bytes[IO_KINDS];
};

void tally_init(struct tally *tally);
void tally_merge(struct tally *tally, const struct tally *other);

/* Collects the seconds of all threads (recorder.c). */
struct recorder {
	pthread_mutex_t lock;
	unsigned workers;
	uint64_t *reached;   /* the second in which each thread is */
	struct tally **open; /* by second; NULL: nothing yet, or closed */
	size_t open_count;
	struct engine_second *series; /* the closed ones */
	size_t series_count;
	uint64_t score_from; /* the first second of the total */
	struct tally total;
};

void recorder_init(struct recorder *recorder, unsigned workers, uint64_t score_from);
void recorder_deinit(struct recorder *recorder);
/* Adds a thread's second; the thread goes on with second `next`. */
void recorder_add(struct recorder *recorder, unsigned worker, uint64_t second,
	const struct tally *tally, uint64_t next);
/* Closes what is open. */
void recorder_finish(struct recorder *recorder);

struct engine {
	const struct engine_job *job;
	struct engine_result *result; /* faults: under the lock */
	pthread_mutex_t lock;
	pthread_cond_t changed;  /* ready, go or running */
	unsigned ready, running; /* threads that are set up; that have not ended */
	bool go;
	struct recorder recorder;
	struct verify_map map;
	uint64_t start_ns, deadline_ns;
	_Atomic uint64_t moved_bytes;
	_Atomic bool stop;  /* all threads end */
	struct error error; /* why a thread could not begin; under the lock */
	bool failed;
};

struct worker {
	struct engine *engine;
	pthread_t thread;
	unsigned index; /* of all */
	const struct stream *stream;
	unsigned depth, batch;
	struct generator generator;
	uint64_t second, second_end_ns; /* the one that is counted now */
	struct tally tally;             /* of it */
	uint64_t ios_left;
	uint64_t interval_ns, due_ns; /* open loop; 0: none */
	uint64_t awake_ns;            /* before due: the end of a sleep, as sleeps last too long */
	struct random arrivals;
	struct histogram *service; /* of an open loop: latencies from when each was issued */
	double outstanding_ns;     /* integral of what is outstanding */
	uint64_t last_ns;          /* of the integral; at the end the last completion */
	uint64_t written_bytes;    /* all */
	uint8_t *buffers;          /* depth times reads' and writes' */
	size_t buffers_bytes, read_bytes, write_bytes; /* all; of a slot */
	uint32_t *checks;                              /* of the writes' patterns */
	bool stamped;
	bool only_reads;      /* nothing is to be made ready */
	uint32_t *versions;   /* of verify: what each slot's read should find */
	size_t slot_versions; /* of a slot */
};

/* Where a slot's data are. */
static inline uint8_t *worker_read_buffer(const struct worker *worker, unsigned slot)
{
	return worker->buffers + slot * (worker->read_bytes + worker->write_bytes);
}

static inline uint8_t *worker_write_buffer(const struct worker *worker, unsigned slot)
{
	return worker_read_buffer(worker, slot) + worker->read_bytes;
}

/* Buffers and patterns; -1 where there is no memory for them. */
int worker_buffers_init(struct worker *worker);
void worker_buffers_deinit(struct worker *worker);

/* Tells that the thread is set up, or why not, and waits for the start. False: end. */
bool worker_ready(struct worker *worker, const struct error *error);

/* The next access, with its data made ready. */
bool worker_choose(struct worker *worker, unsigned slot, struct io *io);

/* False: there is none any more. */
static inline bool worker_next(struct worker *worker, unsigned slot, struct io *io)
{
	if (!worker->ios_left)
		return false;
	bool there = worker->only_reads ? generator_next(&worker->generator, io)
					: worker_choose(worker, slot, io);

	worker->ios_left -= there;
	return there;
}

/* The next access of an open loop is due an interval later. */
void worker_next_due(struct worker *worker);

/* Counts a completed access: res is what was moved, or -errno. */
void worker_done_slow(struct worker *worker, unsigned slot, const struct io *io, int64_t res,
	uint64_t latency_ns, uint64_t now_ns);

/* Ends the second where the time is over. */
void worker_tick(struct worker *worker, uint64_t now_ns);

/* Whether completions at this time are to be looked at one by one. */
static inline bool worker_is_slow(const struct worker *worker, uint64_t now_ns)
{
	const struct engine *engine = worker->engine;

	return engine->job->verify || engine->job->no_latency || now_ns > engine->deadline_ns;
}

/* The part of done that most take: all in one place, so that it is fast. */
static inline void worker_done(struct worker *worker, bool slow, unsigned slot, const struct io *io,
	int64_t res, uint64_t latency_ns, uint64_t now_ns)
{
	if (res != (int64_t)io->bytes || slow) {
		worker_done_slow(worker, slot, io, res, latency_ns, now_ns);
		return;
	}
	worker->tally.bytes[io->kind] += io->bytes;
	histogram_add(&worker->tally.latency[io->kind], latency_ns);
}

/* Of an open loop: how long an access took since the kernel got it. */
static inline void worker_served(
	struct worker *worker, bool good, uint64_t issued_ns, uint64_t now_ns)
{
	if (worker->service && good && now_ns <= worker->engine->deadline_ns)
		histogram_add(worker->service, now_ns - issued_ns);
}

/* Whether no more is to be begun. */
static inline bool worker_is_over(const struct worker *worker, uint64_t now_ns)
{
	const struct engine *engine = worker->engine;

	return now_ns >= engine->deadline_ns ||
		atomic_load_explicit(&engine->stop, memory_order_relaxed) ||
		(engine->job->stop && *engine->job->stop);
}

/* Adds to the bytes of all threads, and ends all where they are enough. */
void worker_count_bytes(struct worker *worker, uint64_t bytes);

/* Gives the last second; the thread ends. */
void worker_end(struct worker *worker);

/* The bodies of the threads. */
void *worker_run_uring(void *worker);
void *worker_run_sync(void *worker);

/* Whether the kernel grants an io_uring: 0, or -errno. */
int uring_probe(void);
/* Whether it would hand the accesses of a job, which go one by one, to threads of
 * the kernel: reads of the target tell, in a few milliseconds. */
bool uring_hands_on(const struct engine_job *job);

#endif
