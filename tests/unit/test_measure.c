/* Runs of workloads on files: phases, rounds, limits, state files. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/measure.h"
#include "measure/topic.h"

enum { FILE_BYTES = 4 << 20 };

static char path[64], state_path[64];
static volatile sig_atomic_t stop;
static struct workloads library;
static struct target target;
static struct facts facts;
static struct error error;
static enum measure_end end;

static const char *const two_points =
	"{\"schema\":\"assay-workload-1\",\"name\":\"two\",\"streams\":[{\"read_percent\":50,"
	"\"block_bytes\":4096,\"depth\":4}],\"sweep\":{\"depth\":[1,4]},"
	"\"precondition\":{\"fill_passes\":1,\"fill_bytes\":\"128k\"},\"time_seconds\":0.1}";
static const char *const in_rounds =
	"{\"schema\":\"assay-workload-1\",\"name\":\"rounds\",\"streams\":[{\"read_percent\":0,"
	"\"block_bytes\":4096,\"depth\":4}],\"time_seconds\":0.05,\"steady_state\":"
	"{\"rule\":\"pts\",\"rounds\":true,\"rounds_max\":6,\"range_percent\":%d,"
	"\"slope_percent\":%d}}";

static void open_target(uint64_t bytes)
{
	struct target_wanted wanted = { .write = true, .file_bytes = bytes };

	if (target_open(path, &wanted, &target, &error) != 0)
		fail_msg("%s", error.text);
	target.created = false; /* what fills a new file is not what is tested here */
}

static int set_up(void **state)
{
	(void)state;
	snprintf(path, sizeof(path), "/tmp/assay-measure-%d", getpid());
	snprintf(state_path, sizeof(state_path), "/tmp/assay-measure-%d.state", getpid());
	unlink(path);
	unlink(state_path);
	stop = 0;
	workloads_init(&library);
	facts_init(&facts);
	open_target(FILE_BYTES);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	target_close(&target);
	facts_deinit(&facts);
	workloads_deinit(&library);
	unlink(path);
	unlink(state_path);
	return 0;
}

static const struct workload *of(const char *text)
{
	struct workload *workload = workload_load_text(
		&library, "test", text, strlen(text), &error);

	if (!workload)
		fail_msg("%s", error.text);
	return workload;
}

static int run(const struct workload *workload, struct measure_options options)
{
	options.cooldown_seconds = -1;
	options.seed = 1;
	options.stop = &stop;
	return measure_run(&target, &workload, 1, &options, &facts, &end, &error);
}

static size_t count_rows(const struct table *table, const char *phase)
{
	size_t count = 0;

	for (size_t i = 0; i < facts.row_count; i++)
		count += facts.rows[i].table == table &&
			(!phase || !strcmp(row_get(&facts.rows[i], "phase").text, phase));
	return count;
}

static uint64_t fact_uint(const char *name)
{
	uint64_t value = UINT64_MAX;

	facts_uint(&facts, name, &value);
	return value;
}

static void a_run_fills_and_measures_each_point(void **state)
{
	(void)state;
	assert_int_equal(run(of(two_points), (struct measure_options) { 0 }), 0);
	assert_int_equal(end, MEASURE_COMPLETE);
	assert_int_equal(count_rows(&table_bench, "fill"), 1);
	assert_int_equal(count_rows(&table_bench, "measure"), 2);
	assert_true(fact_uint("bench.written_bytes") > FILE_BYTES);
	assert_int_equal(fact_uint("bench.error_count"), 0);
	assert_true(count_rows(&table_bench_histogram, NULL) > 10);
}

static void the_fill_reaches_the_last_block(void **state)
{
	char block[512], zero[512] = { 0 };

	(void)state;
	target_close(&target);
	unlink(path);
	open_target(FILE_BYTES + 5 * 512);
	assert_int_equal(run(of(two_points), (struct measure_options) { .time_seconds = 0.01 }), 0);
	int file = open(path, O_RDONLY | O_CLOEXEC);

	for (off_t at = 0; at < FILE_BYTES + 5 * 512; at += 512) {
		assert_int_equal(pread(file, block, 512, at), 512);
		assert_memory_not_equal(block, zero, 512);
	}
	close(file);
}

static void series_and_latencies_add_up_to_the_point(void **state)
{
	uint64_t series = 0, latencies = 0, points = 0;

	(void)state;
	assert_int_equal(run(of(two_points), (struct measure_options) { .time_seconds = 1.2 }), 0);
	for (size_t i = 0; i < facts.row_count; i++) {
		const struct row *row = &facts.rows[i];

		if ((row->table != &table_bench && row->table != &table_bench_series &&
			    row->table != &table_bench_histogram) ||
			strcmp(row_get(row, "phase").text, "measure") != 0)
			continue;
		if (row->table == &table_bench)
			points += row_get(row, "read_count").uint +
				row_get(row, "write_count").uint;
		if (row->table == &table_bench_series)
			series += row_get(row, "read_count").uint +
				row_get(row, "write_count").uint;
		if (row->table == &table_bench_histogram)
			latencies += row_get(row, "count").uint;
	}
	assert_true(points > 0);
	assert_int_equal(series, points);
	assert_int_equal(latencies, points);
}

static void rounds_end_when_they_are_steady(void **state)
{
	char text[512];
	bool steady = false;

	(void)state;
	snprintf(text, sizeof(text), in_rounds, 1000, 1000);
	assert_int_equal(run(of(text), (struct measure_options) { 0 }), 0);
	assert_true(facts_flag(&facts, "bench.steady_state", &steady) && steady);
	assert_int_equal(fact_uint("bench.steady_round_count"), 5);
	assert_int_equal(count_rows(&table_bench, "measure"), 5);
}

static void a_drive_that_never_settles_is_reported_so(void **state)
{
	char text[512];
	bool steady = true;

	(void)state;
	snprintf(text, sizeof(text), in_rounds, 0, 0);
	assert_int_equal(run(of(text), (struct measure_options) { 0 }), 0);
	assert_int_equal(end, MEASURE_COMPLETE);
	assert_true(facts_flag(&facts, "bench.steady_state", &steady));
	assert_false(steady);
	assert_int_equal(count_rows(&table_bench, "measure"), 6);
	assert_int_equal(facts.note_count > 0, true);
	assert_non_null(strstr(facts.notes[facts.note_count - 1].text, "no steady state"));
}

/* Stops at the second point. */
static void stop_there(void *context, const struct measure_progress *progress)
{
	(void)context;
	if (!strcmp(progress->phase, "measure") && progress->point == 1 && !progress->second)
		stop = 1;
}

static void a_run_goes_on_where_it_was_ended(void **state)
{
	const struct workload *workload = of(two_points);
	struct measure_options options = { .state_file = state_path, .progress = stop_there };

	(void)state;
	assert_int_equal(run(workload, options), 0);
	assert_int_equal(end, MEASURE_STOPPED);
	double first = 0, again = 0;

	for (size_t i = 0; i < facts.row_count; i++)
		if (facts.rows[i].table == &table_bench &&
			!strcmp(row_get(&facts.rows[i], "phase").text, "measure") &&
			row_get(&facts.rows[i], "point").uint == 0)
			value_number(row_get(&facts.rows[i], "mean_us"), &first);
	facts_deinit(&facts);
	facts_init(&facts);
	stop = 0;
	options.progress = NULL;
	assert_int_equal(run(workload, options), 0);
	assert_int_equal(end, MEASURE_COMPLETE);
	assert_int_equal(count_rows(&table_bench, "fill"), 1);
	assert_int_equal(count_rows(&table_bench, "measure"), 2);
	for (size_t i = 0; i < facts.row_count; i++)
		if (facts.rows[i].table == &table_bench &&
			!strcmp(row_get(&facts.rows[i], "phase").text, "measure") &&
			row_get(&facts.rows[i], "point").uint == 0)
			value_number(row_get(&facts.rows[i], "mean_us"), &again);
	assert_true(first > 0 && first <= again && first >= again);
}

static int count_purge(void *context, struct error *failure)
{
	(void)failure;
	return ++*(int *)context < 0;
}

static int fail_purge(void *context, struct error *failure)
{
	(void)context;
	return error_set(failure, EXIT_FAILING, "it did not work");
}

static void a_run_that_goes_on_is_not_purged_again(void **state)
{
	int purges = 0;
	const struct workload *workload = of(two_points);
	struct measure_options options = { .state_file = state_path,
		.progress = stop_there,
		.purge = count_purge,
		.purge_context = &purges,
		.purge_name = "discard" };

	(void)state;
	assert_int_equal(run(workload, options), 0);
	assert_int_equal(end, MEASURE_STOPPED);
	assert_int_equal(purges, 1);
	stop = 0;
	options.progress = NULL;
	assert_int_equal(run(workload, options), 0);
	assert_int_equal(end, MEASURE_COMPLETE);
	assert_int_equal(purges, 1);
	assert_string_equal(facts_text(&facts, "bench.purge"), "discard");
	/* without a state file there is nothing to go on with */
	options.state_file = NULL;
	options.time_seconds = 0.01;
	assert_int_equal(run(workload, options), 0);
	assert_int_equal(purges, 2);
}

static void a_purge_that_fails_ends_the_run_before_it_begins(void **state)
{
	struct measure_options options = { .purge = fail_purge, .purge_name = "discard" };

	(void)state;
	assert_int_equal(run(of(two_points), options), -1);
	assert_int_equal(end, MEASURE_FAILED);
	assert_string_equal(error.text, "it did not work");
	assert_int_equal(count_rows(&table_bench, NULL), 0);
}

static void a_state_of_another_run_is_refused(void **state)
{
	struct measure_options options = { .state_file = state_path, .time_seconds = 0.01 };

	(void)state;
	assert_int_equal(run(of(two_points), options), 0);
	options.time_seconds = 0.02;
	assert_int_equal(run(of(two_points), options), -1);
	assert_non_null(strstr(error.text, "another run"));
	FILE *file = fopen(state_path, "w");

	fputs("something else\n", file);
	fclose(file);
	assert_int_equal(run(of(two_points), options), -1);
	assert_non_null(strstr(error.text, "no state of a run"));
	struct stat status;

	assert_int_equal(stat(state_path, &status), 0);
	assert_int_equal(status.st_size, strlen("something else\n"));
}

static void a_cut_last_line_of_the_state_is_done_again(void **state)
{
	struct measure_options options = { .state_file = state_path, .time_seconds = 0.01 };
	struct stat status;

	(void)state;
	assert_int_equal(run(of(two_points), options), 0);
	assert_int_equal(stat(state_path, &status), 0);
	assert_int_equal(truncate(state_path, status.st_size - 3), 0);
	facts_deinit(&facts);
	facts_init(&facts);
	assert_int_equal(run(of(two_points), options), 0);
	assert_int_equal(count_rows(&table_bench, "measure"), 2);
}

/* The length of the state's first line. */
static rlim_t plan_bytes(void)
{
	FILE *file = fopen(state_path, "re");
	rlim_t bytes = 1;

	assert_non_null(file);
	for (int c; (c = getc(file)) != EOF && c != '\n';)
		bytes++;
	fclose(file);
	return bytes;
}

static void a_full_state_file_is_said_and_the_result_kept(void **state)
{
	struct measure_options options = { .state_file = state_path, .time_seconds = 0.01 };
	struct rlimit old, small;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	/* the target is not made larger, but writes behind the limit fail: read only */
	struct workload *workload = (struct workload *)of(two_points);

	workload->fill_passes = 0;
	workload->streams[0].read_percent = 100;
	/* there is room for the plan, but for no step */
	assert_int_equal(run(workload, options), 0);
	small = (struct rlimit) { plan_bytes() + 20, old.rlim_max };
	unlink(state_path);
	facts_deinit(&facts);
	facts_init(&facts);
	setrlimit(RLIMIT_FSIZE, &small);
	int failed = run(workload, options);

	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(failed, 0);
	assert_int_equal(end, MEASURE_COMPLETE);
	assert_int_equal(count_rows(&table_bench, "measure"), 2);
	bool said = false;

	for (size_t i = 0; i < facts.note_count; i++)
		said |= strstr(facts.notes[i].text, "state file could not be written") != NULL;
	assert_true(said);
}

static void drive_writes_are_a_limit(void **state)
{
	char text[512];

	(void)state;
	snprintf(text, sizeof(text), in_rounds, 0, 0);
	assert_int_equal(
		run(of(text),
			(struct measure_options) { .stop_drive_writes = 1, .time_seconds = 1.1 }),
		0);
	assert_int_equal(end, MEASURE_LIMIT);
	assert_true(fact_uint("bench.written_bytes") >= FILE_BYTES);
}

static void errors_end_a_run_with_what_was_measured(void **state)
{
	(void)state;
	/* the target shrinks below its span: reads become short */
	assert_int_equal(truncate(path, 4096), 0);
	struct workload *workload = (struct workload *)of(two_points);

	workload->fill_passes = 0;
	workload->streams[0].read_percent = 100;
	assert_int_equal(run(workload, (struct measure_options) { .time_seconds = 30 }), 0);
	assert_int_equal(end, MEASURE_FAILED);
	assert_true(fact_uint("bench.error_count") >= 64);
	assert_int_equal(count_rows(&table_bench_faults, NULL), 1);
	assert_string_equal(facts_text(&facts, "bench.end"), "failed");
}

static void an_existing_file_is_not_written_without_its_name(void **state)
{
	struct target_wanted wanted = { .write = true };
	struct target again;

	(void)state;
	assert_int_equal(target_open(path, &wanted, &again, &error), -1);
	assert_non_null(strstr(error.text, "--destroy-data"));
	wanted.destroy = "something";
	assert_int_equal(target_open(path, &wanted, &again, &error), -1);
	wanted.destroy = strrchr(path, '/') + 1;
	assert_int_equal(target_open(path, &wanted, &again, &error), 0);
	target_close(&again);
	wanted = (struct target_wanted) { 0 };
	assert_int_equal(target_open(path, &wanted, &again, &error), 0);
	assert_int_equal(again.size_bytes, FILE_BYTES);
	/* it cannot even be written by mistake */
	assert_int_equal(pwrite(again.file, "x", 1, 0), -1);
	target_close(&again);
	assert_int_equal(target_open("/tmp/assay-no-such-file", &wanted, &again, &error), -1);
	assert_int_equal(error.status, EXIT_NO_SUCH);
	assert_int_equal(target_open("/dev/null", &wanted, &again, &error), -1);
	assert_int_equal(target_open("/tmp", &wanted, &again, &error), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_run_fills_and_measures_each_point, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_fill_reaches_the_last_block, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			series_and_latencies_add_up_to_the_point, set_up, tear_down),
		cmocka_unit_test_setup_teardown(rounds_end_when_they_are_steady, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_drive_that_never_settles_is_reported_so, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_run_goes_on_where_it_was_ended, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_run_that_goes_on_is_not_purged_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_purge_that_fails_ends_the_run_before_it_begins, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_state_of_another_run_is_refused, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_cut_last_line_of_the_state_is_done_again, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_full_state_file_is_said_and_the_result_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(drive_writes_are_a_limit, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			errors_end_a_run_with_what_was_measured, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			an_existing_file_is_not_written_without_its_name, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
