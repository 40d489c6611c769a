/* The file itself: migrations, and files that are none. */
#include "history.h"

#include <fcntl.h>
#include <sys/wait.h>

static void put_file(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

static void make_version_1(const char *path)
{
	char *sql = calloc(1, 16384);
	FILE *file = fopen("tests/history/schema-1.sql", "r");
	sqlite3 *database;

	assert_non_null(file);
	assert_in_range(fread(sql, 1, 16383, file), 1000, 16382);
	fclose(file);
	assert_int_equal(sqlite3_open(path, &database), SQLITE_OK);
	assert_int_equal(sqlite3_exec(database, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(database);
	free(sql);
}

static void an_older_schema_is_brought_up_to_date(void **state)
{
	static const struct {
		const char *sql;
		long long want;
	} cases[] = {
		{ "PRAGMA user_version", 2 },
		{ "SELECT count(*) FROM run WHERE worst = state AND runs = 1", 5 },
		{ "SELECT count(*) FROM value", 9 },
		{ "SELECT count(*) FROM alert WHERE told = 1767232801", 1 },
		{ "SELECT count(*) FROM day", 2 },
		/* 31, 33, and 33 that held on */
		{ "SELECT readings * 1000 + sum FROM day WHERE day = 20454", 3097 },
		{ "SELECT minimum * 1000 + maximum FROM day WHERE day = 20454", 31033 },
		{ "SELECT minimum * 1000 + maximum FROM day WHERE day = 20455", 29030 },
	};
	struct place place;

	(void)state;
	place_make(&place);
	make_version_1(place.file);
	place.history = open_history(place.file, HISTORY_WRITE);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		long long got = ask_file(place.file, cases[i].sql);

		if (got != cases[i].want)
			fail_msg("%s: %lld and not %lld", cases[i].sql, got, cases[i].want);
	}
	record_fact(place.history, "S1", 1767319200, "errors.crc_count", value_uint(1));
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM run"), 6);
	assert_true(is_whole(place.file));
	place_remove(&place);
}

static void an_older_schema_is_brought_up_to_date_for_readers_too(void **state)
{
	struct place place;

	(void)state;
	place_make(&place);
	make_version_1(place.file);
	place.history = open_history(place.file, HISTORY_READ);
	assert_int_equal(ask_file(place.file, "PRAGMA user_version"), 2);
	place_remove(&place);
}

/* Expects that the file is refused, for reading and for writing. */
static void refused(const char *file, enum exit_status status, const char *words)
{
	static const enum history_access ways[] = { HISTORY_READ, HISTORY_WRITE };
	struct history *history;
	struct error error;

	for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
		assert_int_equal(history_open(file, ways[i], &history, &error), -1);
		assert_null(history);
		assert_int_equal(error.status, status);
		if (strncmp(error.text, file, strlen(file)) != 0 || !strstr(error.text, words))
			fail_msg("%s", error.text);
	}
}

static void a_newer_schema_is_refused(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	ask_file(place.file, "PRAGMA user_version = 99");
	refused(place.file, EXIT_NO_DRIVE_DATA, "newer assay (schema 99");
	assert_int_equal(ask_file(place.file, "PRAGMA user_version"), 99);
	place_remove(&place);
}

static void what_is_no_history_is_refused(void **state)
{
	static const char text[] = "id;value;raw\n1;2;3\n and so on, a file of text that is long "
				   "enough to have a header of a hundred bytes, were it one\n";
	struct place place;

	(void)state;
	place_make(&place);
	put_file(place.file, text, sizeof(text));
	refused(place.file, EXIT_NO_DRIVE_DATA, "not a history");
	unlink(place.file);
	ask_file(place.file, "CREATE TABLE drive (a, b)");
	refused(place.file, EXIT_NO_DRIVE_DATA, "another program");
	refused(place.folder, EXIT_NO_DRIVE_DATA, "not a file");
	place_remove(&place);
}

static void a_file_that_is_not_there_is_made_only_for_writing(void **state)
{
	struct history *history;
	struct place place;
	struct error error;
	char path[160];

	(void)state;
	place_make(&place);
	assert_int_equal(history_open(place.file, HISTORY_READ, &history, &error), -1);
	assert_int_equal(error.status, EXIT_NO_SUCH);
	assert_int_equal(access(place.file, F_OK), -1);
	snprintf(path, sizeof(path), "%s/no/folder.db", place.folder);
	assert_int_equal(history_open(path, HISTORY_WRITE, &history, &error), -1);
	assert_int_equal(error.status, EXIT_NO_SUCH);
	assert_non_null(strstr(error.text, path));
	place_remove(&place);
}

/* Overwrites all pages but the first with noise. */
static void damage(const char *path)
{
	enum { PAGE = 4096 };
	unsigned char noise[PAGE];
	int file = open(path, O_RDWR);
	struct stat facts;

	assert_in_range(file, 0, 1 << 20);
	assert_int_equal(fstat(file, &facts), 0);
	assert_in_range(facts.st_size, 3 * PAGE, 1 << 30);
	for (size_t i = 0; i < PAGE; i++)
		noise[i] = (unsigned char)(i * 193 + 7);
	for (off_t at = PAGE; at < facts.st_size; at += PAGE)
		assert_int_equal(pwrite(file, noise, PAGE, at), PAGE);
	close(file);
}

static void a_damaged_file_is_told_and_not_touched(void **state)
{
	struct history_record one = { .time = 5000 };
	struct history *history = NULL;
	struct place place;
	struct facts facts;
	struct error error;

	(void)state;
	place_open(&place);
	for (int i = 0; i < 50; i++)
		record_fact(
			place.history, "S1", 1000 + i, "errors.crc_count", value_uint((uint64_t)i));
	history_close(place.history);
	place.history = NULL;
	ask_file(place.file, "PRAGMA wal_checkpoint(TRUNCATE)");
	damage(place.file);
	give_drive(&facts, "S1");
	one.facts = &facts;
	int result = history_open(place.file, HISTORY_WRITE, &history, &error);
	if (result == 0)
		result = history_record(history, &one, 1, &error);
	assert_int_equal(result, -1);
	assert_int_equal(error.status, EXIT_NO_DRIVE_DATA);
	assert_non_null(strstr(error.text, place.file));
	assert_non_null(strstr(error.text, "damaged"));
	history_close(history);
	facts_deinit(&facts);
	place_remove(&place);
}

/* In a process that is nobody: 0 where all is as it should be. */
static int read_as_nobody(const char *file, bool is_older)
{
	struct history *history;
	struct error error;

	if (setgid(65534) != 0 || setuid(65534) != 0)
		return 1;
	if (history_open(file, HISTORY_WRITE, &history, &error) != -1 ||
		error.status != EXIT_NO_PERMISSION || !strstr(error.text, file))
		return 2;
	if (is_older)
		return history_open(file, HISTORY_READ, &history, &error) == -1 &&
				strstr(error.text, "older")
			? 0
			: 5;
	if (history_open(file, HISTORY_READ, &history, &error) != 0)
		return 3;
	history_close(history);
	return 0;
}

static void as_nobody(const char *file, bool is_older)
{
	int status;
	pid_t child = fork();

	if (child == 0)
		_exit(read_as_nobody(file, is_older));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void who_may_only_read_reads(void **state)
{
	struct place place;

	(void)state;
	if (getuid() != 0)
		skip();
	place_open(&place);
	chmod(place.folder, 0755);
	record_fact(place.history, "S1", 1000, "errors.crc_count", value_uint(1));
	as_nobody(place.file, false); /* while a writer has it open */
	history_close(place.history);
	place.history = NULL;
	as_nobody(place.file, false);
	/* Without the log's files, as after a copy. */
	ask_file(place.file, "PRAGMA wal_checkpoint(TRUNCATE)");
	as_nobody(place.file, false);
	unlink(place.file);
	make_version_1(place.file);
	as_nobody(place.file, true);
	place_remove(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_older_schema_is_brought_up_to_date),
		cmocka_unit_test(an_older_schema_is_brought_up_to_date_for_readers_too),
		cmocka_unit_test(a_newer_schema_is_refused),
		cmocka_unit_test(what_is_no_history_is_refused),
		cmocka_unit_test(a_file_that_is_not_there_is_made_only_for_writing),
		cmocka_unit_test(a_damaged_file_is_told_and_not_touched),
		cmocka_unit_test(who_may_only_read_reads),
	};

	return cmocka_run_group_tests_name("history_file", tests, NULL, NULL);
}
