/* The engine on files: what it counts, what it writes, how it ends. */
#include "test.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/engine.h"
#include "measure/worker.h"

enum { FILE_BYTES = 4 << 20 };

static char path[] = "/tmp/assay-engine-XXXXXX";
static volatile sig_atomic_t stop;

static int make_file(void **state)
{
	(void)state;
	stop = 0;
	strcpy(path + sizeof(path) - 7, "XXXXXX");
	int file = mkstemp(path);

	*state = NULL;
	if (file < 0 || ftruncate(file, FILE_BYTES) != 0)
		return -1;
	close(file);
	return 0;
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

static struct stream stream_of(double read_percent, unsigned threads, unsigned depth)
{
	return (struct stream) { .name = "",
		.read_percent = read_percent,
		.random_percent = 100,
		.sizes = { { 4096, 100 } },
		.size_count = 1,
		.threads = threads,
		.depth = depth };
}

/* Runs a stream on the file with the engine `kind`, by `set` as the caller wants. */
static void run(struct stream *stream, enum engine_kind kind, struct engine_job job,
	struct engine_result *result)
{
	struct error error = { 0 };
	bool rounded = false;

	assert_int_equal(stream_fit(stream, FILE_BYTES, 512, &rounded, &error), 0);
	job.streams = stream;
	job.stream_count = 1;
	job.kind = kind;
	job.errors_max = 64;
	job.run = 4711;
	job.stop = &stop;
	if (!job.file)
		job.file = open(path, O_RDWR | O_CLOEXEC);
	if (engine_run(&job, result, &error) != 0)
		fail_msg("%s", error.text);
	if (job.file >= 0)
		close(job.file);
}

static const enum engine_kind kinds[] = { ENGINE_AUTO, ENGINE_SYNC };

static void the_sum_of_the_series_is_the_total(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stream stream = stream_of(70, 2, 4);
		struct engine_result result;
		uint64_t count[IO_KINDS] = { 0 }, bytes[IO_KINDS] = { 0 };

		run(&stream, kinds[i], (struct engine_job) { .seconds = 1.3 }, &result);
		for (size_t s = 0; s < result.series_count; s++)
			for (size_t k = 0; k < IO_KINDS; k++) {
				count[k] += result.series[s].count[k];
				bytes[k] += result.series[s].bytes[k];
			}
		assert_int_equal(result.series_count, 2);
		for (size_t k = 0; k < IO_KINDS; k++) {
			assert_int_equal(count[k], result.latency[k].count);
			assert_int_equal(bytes[k], result.bytes[k]);
			assert_int_equal(bytes[k], count[k] * 4096);
		}
		assert_true(count[IO_READ] > 0 && count[IO_WRITE] > 0);
		assert_true(result.seconds > 1.29 && result.seconds < 1.31);
		assert_int_equal(result.error_count, 0);
		engine_result_deinit(&result);
	}
}

static void a_number_of_accesses_is_made_exactly(void **state)
{
	static const uint64_t wanted[] = { 1, 7, 1000, 12345 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
		for (size_t n = 0; n < ARRAY_LEN(wanted); n++) {
			struct stream stream = stream_of(50, 3, 5);
			struct engine_result result;

			run(&stream, kinds[i], (struct engine_job) { .stop_ios = wanted[n] },
				&result);
			assert_int_equal(
				result.latency[IO_READ].count + result.latency[IO_WRITE].count,
				wanted[n]);
			engine_result_deinit(&result);
		}
}

static void once_ends_by_itself_and_writes_the_whole_span_and_nothing_else(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stream stream = stream_of(0, 2, 4);
		struct engine_result result;
		char block[512], zero[512] = { 0 };
		int file = open(path, O_RDONLY | O_CLOEXEC);

		stream.once = true;
		stream.offset_bytes = 1 << 20;
		stream.span_bytes = 1 << 20;
		run(&stream, kinds[i], (struct engine_job) { 0 }, &result);
		assert_int_equal(result.latency[IO_WRITE].count, 256);
		assert_int_equal(result.written_bytes, 1 << 20);
		for (off_t at = 0; at < FILE_BYTES; at += 512) {
			bool inside = at >= 1 << 20 && at < 2 << 20;

			assert_int_equal(pread(file, block, 512, at), 512);
			assert_int_equal(memcmp(block, zero, 512) != 0, inside);
		}
		close(file);
		engine_result_deinit(&result);
	}
}

static void a_byte_limit_ends_it(void **state)
{
	struct stream stream = stream_of(100, 2, 4);
	struct engine_result result;

	(void)state;
	run(&stream, ENGINE_AUTO, (struct engine_job) { .seconds = 60, .stop_bytes = 8 << 20 },
		&result);
	/* what is outstanding then is still completed */
	assert_in_range(result.bytes[IO_READ], 8 << 20, (8 << 20) + 3 * 8 * 4096);
	assert_true(result.seconds < 30);
	engine_result_deinit(&result);
}

static void a_stop_flag_ends_it_with_what_was_measured(void **state)
{
	struct stream stream = stream_of(100, 1, 4);
	struct engine_result result;

	(void)state;
	stop = 1;
	run(&stream, ENGINE_AUTO, (struct engine_job) { .seconds = 60 }, &result);
	assert_true(result.stopped);
	assert_true(result.seconds < 10);
	engine_result_deinit(&result);
}

static void a_rate_is_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stream stream = stream_of(100, 2, 4);
		struct engine_result result;

		stream.rate_iops = 500;
		run(&stream, kinds[i], (struct engine_job) { .seconds = 1 }, &result);
		assert_in_range(result.latency[IO_READ].count, 440, 510);
		engine_result_deinit(&result);
	}
}

/* Far more is wanted than can be done one after the other. */
static void latency_counts_from_when_an_access_was_due(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stream stream = stream_of(100, 1, 1);
		struct engine_result result;

		stream.rate_iops = 1e8;
		run(&stream, kinds[i], (struct engine_job) { .seconds = 0.3 }, &result);
		const struct histogram *latency = &result.latency[IO_READ];

		assert_int_equal(result.service.count, latency->count);
		assert_true(histogram_percentile_ns(latency, 50) > 50000000);
		assert_true(histogram_mean_ns(&result.service) * 10 < histogram_mean_ns(latency));
		engine_result_deinit(&result);
	}
}

static void poisson_arrivals_are_random_and_even_ones_are_not(void **state)
{
	enum { COUNT = 200000, INTERVAL_NS = 10000 };

	(void)state;
	for (int poisson = 0; poisson < 2; poisson++) {
		struct stream stream = { .poisson = poisson };
		struct worker worker = { .stream = &stream, .interval_ns = INTERVAL_NS };
		double squares = 0;

		random_seed(&worker.arrivals, 1);
		for (int i = 0; i < COUNT; i++) {
			uint64_t before = worker.due_ns;

			worker_next_due(&worker);
			squares += pow((double)(worker.due_ns - before) - INTERVAL_NS, 2);
		}
		assert_true(fabs((double)worker.due_ns / COUNT / INTERVAL_NS - 1) < 0.01);
		/* the deviation of exponential intervals is their mean */
		assert_true(fabs(sqrt(squares / COUNT) / INTERVAL_NS - poisson) < 0.02);
	}
}

/* One thread alone holds 16; where others use the machine, less than both can. */
static void what_is_outstanding_is_threads_times_depth(void **state)
{
	struct stream stream = stream_of(100, 2, 16);
	double most = 0;

	(void)state;
	for (int i = 0; i < 20 && most <= 28; i++) {
		struct engine_result result;

		run(&stream, ENGINE_NONE, (struct engine_job) { .seconds = 0.5, .file = -1 },
			&result);
		assert_true(result.outstanding < 32.01);
		most = result.outstanding > most ? result.outstanding : most;
		engine_result_deinit(&result);
	}
	assert_true(most > 28);
}

static void errors_are_counted_by_kind_and_end_it(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stream stream = stream_of(0, 1, 4);
		struct engine_result result;

		/* a file that cannot be written */
		run(&stream, kinds[i],
			(struct engine_job) { .seconds = 20, .file = open(path, O_RDONLY) },
			&result);
		assert_true(result.error_count > 0);
		assert_int_equal(result.faults[0].kind, IO_WRITE);
		assert_int_equal(result.faults[0].os_error, EBADF);
		assert_true(result.gone && result.seconds < 10);
		assert_int_equal(result.latency[IO_WRITE].count, 0);
		engine_result_deinit(&result);
	}
}

static void a_read_behind_the_end_is_short(void **state)
{
	struct stream stream = stream_of(100, 1, 4);
	struct engine_result result;

	(void)state;
	assert_int_equal(truncate(path, FILE_BYTES / 2), 0);
	run(&stream, ENGINE_AUTO, (struct engine_job) { .seconds = 20 }, &result);
	assert_int_equal(result.faults[0].os_error, 0);
	assert_int_equal(result.error_count >= 64, true);
	engine_result_deinit(&result);
}

static void what_was_written_is_verified(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct stream stream = stream_of(50, 3, 8);
		struct engine_result result;

		run(&stream, kinds[i],
			(struct engine_job) { .stop_ios = 20000, .seed = 5, .verify = true },
			&result);
		assert_true(result.verdicts[STAMP_GOOD] > FILE_BYTES / 512);
		assert_int_equal(result.verified_blocks, result.verdicts[STAMP_GOOD]);
		assert_int_equal(result.finding_count, 0);
		engine_result_deinit(&result);
	}
}

/* Damages the file between the writes and the end: from the progress call. */
struct damage {
	enum stamp_verdict verdict;
	size_t from, to;
	bool done;
};

static void do_damage(void *context, const struct engine_second *second)
{
	struct damage *damage = context;
	int file = open(path, O_RDWR | O_CLOEXEC);
	char block[512];

	(void)second;
	if (damage->done) {
		close(file);
		return;
	}
	assert_int_equal(pread(file, block, 512, (off_t)damage->from), 512);
	if (damage->verdict == STAMP_CORRUPT)
		block[300] ^= 4;
	if (damage->verdict == STAMP_LOST)
		memset(block, 0, 512);
	assert_int_equal(pwrite(file, block, 512, (off_t)damage->to), 512);
	close(file);
	damage->done = true;
}

static void damage_is_named_as_what_it_is(void **state)
{
	static const struct damage damages[] = {
		{ STAMP_CORRUPT, 4096, 4096, false },
		{ STAMP_LOST, 8192, 8192, false },
		{ STAMP_MISDIRECTED, 4096, 12288, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(damages); i++) {
		struct damage damage = damages[i];
		struct stream stream = stream_of(0, 1, 4);
		struct engine_result result;

		/* the span is written within the first second; then it is slow */
		stream.once = true;
		stream.random_percent = 0;
		stream.span_bytes = 16 * 4096;
		stream.rate_iops = 6;
		run(&stream, ENGINE_AUTO,
			(struct engine_job) {
				.verify = true, .progress = do_damage, .context = &damage },
			&result);
		assert_true(damage.done);
		assert_int_equal(result.verdicts[damage.verdict], 1);
		assert_int_equal(result.finding_count, 1);
		assert_int_equal(result.findings[0].verdict, damage.verdict);
		assert_int_equal(result.findings[0].offset, damage.to);
		engine_result_deinit(&result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			the_sum_of_the_series_is_the_total, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			a_number_of_accesses_is_made_exactly, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			once_ends_by_itself_and_writes_the_whole_span_and_nothing_else, make_file,
			remove_file),
		cmocka_unit_test_setup_teardown(a_byte_limit_ends_it, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			a_stop_flag_ends_it_with_what_was_measured, make_file, remove_file),
		cmocka_unit_test_setup_teardown(a_rate_is_kept, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			latency_counts_from_when_an_access_was_due, make_file, remove_file),
		cmocka_unit_test(poisson_arrivals_are_random_and_even_ones_are_not),
		cmocka_unit_test_setup_teardown(
			what_is_outstanding_is_threads_times_depth, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			errors_are_counted_by_kind_and_end_it, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			a_read_behind_the_end_is_short, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			what_was_written_is_verified, make_file, remove_file),
		cmocka_unit_test_setup_teardown(
			damage_is_named_as_what_it_is, make_file, remove_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
