/*
 * A recording run that is killed at any moment loses nothing that it had
 * committed, and damages nothing; two that write at once lose nothing either.
 *
 * ASSAY_KILLS runs are killed: 60, and 500 by make check-history.
 */
#include <signal.h>
#include <sys/wait.h>

#include "history.h"

static void record_number(struct history *history, const char *serial, int64_t number)
{
	struct facts facts;

	give_drive(&facts, serial);
	give_fact(&facts, "endurance.host_written_bytes", value_uint((uint64_t)number * 1000000));
	give_fact(&facts, "temperature.current_celsius", value_int(30 + number % 20));
	give_fact(&facts, "errors.crc_count", value_uint((uint64_t)number / 3));
	record(history, &facts, 1000000 + number, NULL, 0);
	facts_deinit(&facts);
}

/* Records one after the other and says each time which one it was, until it ends. */
static void record_on(const char *file, int64_t number, int said)
{
	struct history *history = open_history(file, HISTORY_WRITE);

	for (;; number++) {
		record_number(history, "S1", number);
		if (write(said, &number, sizeof(number)) != sizeof(number))
			_exit(1);
	}
}

/* Kills a recorder some time after it said so many records, while it opens the file
 * where that is none; gives the last number that it said was written. */
static int64_t kill_one(const char *file, int64_t first, unsigned records, unsigned microseconds)
{
	int64_t number, last = first - 1;
	int ends[2], status;

	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();

	if (child == 0)
		record_on(file, first, ends[1]);
	close(ends[1]);
	while (records-- && read(ends[0], &number, sizeof(number)) == sizeof(number))
		last = number;
	usleep(microseconds);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	while (read(ends[0], &number, sizeof(number)) == sizeof(number))
		last = number;
	close(ends[0]);
	return last;
}

static void killed_runs_lose_nothing_that_was_committed(void **state)
{
	const char *wanted = getenv("ASSAY_KILLS");
	unsigned kills = wanted ? (unsigned)atoi(wanted) : 60;
	int64_t next = 0, committed = 0;
	struct place place;

	(void)state;
	place_make(&place);
	for (unsigned i = 0; i < kills; i++) {
		/* The file is there and has its tables after the first. */
		int64_t last = kill_one(place.file, next, i ? i % 4 : 1, i * 7919 % 4001);
		long long rows = ask_file(place.file, "SELECT count(*) FROM run");

		/* One more may have been committed that it did not come to say. */
		assert_in_range(rows, last + 1, last + 2);
		next = rows;
		committed = last + 1;
		if (i % 25 == 24 && rows)
			assert_true(is_whole(place.file));
	}
	assert_true(is_whole(place.file));
	assert_in_range(committed, kills / 20, INT64_MAX);
	place.history = open_history(place.file, HISTORY_WRITE);
	assert_int_equal(ask_file(place.file, "SELECT max(time) - min(time) + 1 FROM run"), next);
	printf("# %u runs killed, %lld records\n", kills, (long long)next);
	place_remove(&place);
}

static void two_writers_at_once_lose_nothing(void **state)
{
	enum { WRITERS = 2, RECORDS = 150 };
	pid_t child[WRITERS];
	struct place place;
	int status;

	(void)state;
	place_make(&place);
	for (int i = 0; i < WRITERS; i++) {
		child[i] = fork();
		if (child[i] != 0)
			continue;
		struct history *history = open_history(place.file, HISTORY_WRITE);

		for (int64_t number = 0; number < RECORDS; number++)
			record_number(history, i ? "S1" : "S2", number);
		history_close(history);
		_exit(0);
	}
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), 0);
	}
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM run"), WRITERS * RECORDS);
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM drive"), WRITERS);
	assert_true(is_whole(place.file));
	place_remove(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(killed_runs_lose_nothing_that_was_committed),
		cmocka_unit_test(two_writers_at_once_lose_nothing),
	};

	return cmocka_run_group_tests_name("history_crash", tests, NULL, NULL);
}
