/* The floor below any engine on io_uring: a loop that submits operations which do nothing, and
 * reaps them, with no address, no time and no record of them. Prints accesses and seconds of
 * processor time.
 *
 * usage: nop_loop DEPTH BATCH SECONDS */
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double clock_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double processor_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
		(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static unsigned reap(struct io_uring *ring)
{
	struct io_uring_cqe *cqe;
	unsigned head, count = 0;

	io_uring_for_each_cqe(ring, head, cqe) count++;
	io_uring_cq_advance(ring, count);
	return count;
}

int main(int argc, char **argv)
{
	struct io_uring_params params = { .flags = IORING_SETUP_SINGLE_ISSUER |
			IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_COOP_TASKRUN };
	unsigned depth = argc == 4 ? (unsigned)atoi(argv[1]) : 0, outstanding = 0;
	unsigned long long count = 0;
	struct io_uring ring;

	if (!depth || io_uring_queue_init_params(depth, &ring, &params) < 0)
		return 1;
	io_uring_register_ring_fd(&ring);
	double before = processor_seconds(), end = clock_seconds() + atof(argv[3]);

	while (clock_seconds() < end) {
		for (; outstanding < depth; outstanding++)
			io_uring_prep_nop(io_uring_get_sqe(&ring));
		if (io_uring_submit_and_wait(&ring, (unsigned)atoi(argv[2])) < 0)
			return 1;
		unsigned done = reap(&ring);

		outstanding -= done;
		count += done;
	}
	printf("%llu %.6f\n", count, processor_seconds() - before);
	io_uring_queue_exit(&ring);
	return 0;
}
