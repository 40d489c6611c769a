/* Whether io_uring is of use for accesses that go one by one. */
#include <liburing.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "measure/worker.h"

/* A driver that cannot wait gets its accesses from threads of the kernel: two
 * switches for each, where a plain read has none or one. So many accesses tell,
 * or as many as there are in the longest time that nobody feels. */
enum { ACCESSES = 64, ACCESSES_LEAST = 8, BYTES_MAX = 65536 };
static const uint64_t ENOUGH_NS = 5000000, LONGEST_NS = 50000000;
static const double SWITCHES = 1.5;

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return usage.ru_nvcsw;
}

static bool read_once(
	struct io_uring *ring, int file, void *buffer, unsigned bytes, uint64_t offset)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);
	struct io_uring_cqe *cqe;

	io_uring_prep_read(sqe, file, buffer, bytes, offset);
	if (io_uring_submit_and_wait(ring, 1) < 0 || io_uring_peek_cqe(ring, &cqe) != 0)
		return false;
	bool good = cqe->res == (int)bytes;

	io_uring_cqe_seen(ring, cqe);
	return good;
}

/* Reads all over the span, never writes. */
static double switches_of_a_read(
	struct io_uring *ring, int file, const struct stream *stream, void *buffer, unsigned bytes)
{
	uint64_t began = worker_now_ns(), took = 0,
		 step = stream->span_bytes / ACCESSES / bytes * bytes;
	long before = switches();
	unsigned count = 0;

	while (count < ACCESSES && took < LONGEST_NS &&
		(took < ENOUGH_NS || count < ACCESSES_LEAST)) {
		if (!read_once(ring, file, buffer, bytes, stream->offset_bytes + count * step))
			return 0;
		count++;
		took = worker_now_ns() - began;
	}
	return (double)(switches() - before) / count;
}

static bool is_one_by_one(const struct engine_job *job)
{
	for (size_t i = 0; i < job->stream_count; i++)
		if (job->streams[i].depth != 1)
			return false;
	return job->file >= 0;
}

bool uring_hands_on(const struct engine_job *job)
{
	const struct stream *stream = &job->streams[0];
	unsigned bytes = stream_smallest_bytes(stream);
	double found = 0;
	struct io_uring ring;
	void *buffer = NULL;

	if (!is_one_by_one(job) || bytes > BYTES_MAX || stream->span_bytes < bytes)
		return false;
	if (posix_memalign(&buffer, 4096, BYTES_MAX) != 0)
		return false;
	if (io_uring_queue_init(1, &ring, 0) == 0) {
		found = switches_of_a_read(&ring, job->file, stream, buffer, bytes);
		io_uring_queue_exit(&ring);
	}
	free(buffer);
	return found > SWITCHES;
}
