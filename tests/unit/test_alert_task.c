#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "alert/task.h"
#include "assay/alert.h"

extern char **environ;

/* Runs a shell's text, as the one program that takes any. */
static int run_shell(const char *text, const char *input, unsigned timeout_ms, struct error *error)
{
	char shell[] = "/bin/sh", option[] = "-c", script[512];
	char *arguments[] = { shell, option, script, NULL };
	struct task task = { .arguments = arguments,
		.environment = environ,
		.input = input,
		.input_len = strlen(input),
		.timeout_ms = timeout_ms };

	snprintf(script, sizeof(script), "%s", text);
	return task_run(&task, error);
}

static double now(void)
{
	struct timespec at;

	clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

static void a_program_is_judged_by_its_exit_status(void **state)
{
	struct error error;

	(void)state;
	assert_int_equal(run_shell("exit 0", "", 10000, &error), 0);
	assert_int_equal(run_shell("exit 3", "", 10000, &error), -1);
	assert_string_equal(error.text, "/bin/sh: exit status 3");
	assert_int_equal(run_shell("kill -11 $$", "", 10000, &error), -1);
	assert_non_null(strstr(error.text, "ended by signal 11"));
}

static void a_program_that_is_not_there_is_told(void **state)
{
	char name[] = "/nowhere/it-is";
	char *arguments[] = { name, NULL };
	struct task task = {
		.arguments = arguments, .environment = environ, .input = "", .timeout_ms = 1000
	};
	struct error error;

	(void)state;
	assert_int_equal(task_run(&task, &error), -1);
	assert_int_equal(error.status, EXIT_NO_SUCH);
	assert_string_equal(error.text, "/nowhere/it-is: No such file or directory");
}

static void all_input_arrives(void **state)
{
	enum { LEN = 1 << 20 };
	char *input = malloc(LEN + 1);
	struct error error;

	(void)state;
	memset(input, 'x', LEN);
	input[LEN] = '\0';
	assert_int_equal(run_shell("test $(wc -c) = 1048576", input, 20000, &error), 0);
	free(input);
}

static void a_program_need_not_read_its_input(void **state)
{
	enum { LEN = 1 << 20 };
	char *input = malloc(LEN + 1);
	struct error error;

	(void)state;
	memset(input, 'x', LEN);
	input[LEN] = '\0';
	assert_int_equal(run_shell("exit 0", input, 20000, &error), 0);
	assert_int_equal(run_shell("exec <&-; sleep 0.2", input, 20000, &error), 0);
	free(input);
}

/* What the program has started is ended, too: the file would be there. */
static void a_program_that_hangs_is_ended_with_what_it_started(void **state)
{
	char folder[] = "/tmp/assay-task-XXXXXX", script[256], path[64];
	struct error error;
	double began = now();

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/late", folder);
	snprintf(script, sizeof(script), "(sleep 2; touch %s) & sleep 60; true", path);
	assert_int_equal(run_shell(script, "", 300, &error), -1);
	assert_int_equal(error.status, EXIT_TIMED_OUT);
	assert_string_equal(error.text, "/bin/sh: ended at its time limit of 0.3 s");
	assert_true(now() - began < 2);
	sleep(3);
	assert_int_not_equal(access(path, F_OK), 0);
	rmdir(folder);
}

static void a_program_that_ignores_the_request_to_end_is_killed(void **state)
{
	struct error error;
	double began = now();

	(void)state;
	assert_int_equal(
		run_shell("trap '' TERM; while :; do sleep 0.1; done", "", 200, &error), -1);
	assert_int_equal(error.status, EXIT_TIMED_OUT);
	assert_true(now() - began < 10);
}

static void a_command_is_split_as_no_shell_does(void **state)
{
	static const struct {
		const char *command;
		const char *words[5];
	} cases[] = {
		{ "/bin/true", { "/bin/true" } },
		{ "  a  b\tc ", { "a", "b", "c" } },
		{ "a 'b c' \"d  e\"", { "a", "b c", "d  e" } },
		{ "a b\\ c", { "a", "b c" } },
		{ "a 'b\\c' \"d\\\"e\"", { "a", "b\\c", "d\"e" } },
		{ "a '' b", { "a", "", "b" } },
		{ "a --x='y z'w", { "a", "--x=y zw" } },
		{ "a $HOME `b` *; | >c", { "a", "$HOME", "`b`", "*;", "|" } },
		{ "a\\", { "a\\" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error error;
		char **words = alert_split(cases[i].command, &error);

		assert_non_null(words);
		for (size_t w = 0; w < ARRAY_LEN(cases[i].words) && cases[i].words[w]; w++)
			assert_string_equal(words[w], cases[i].words[w]);
		free(words);
	}
}

static void what_is_no_command_is_refused(void **state)
{
	static const char *const cases[] = { "", "   ", "a 'b", "a \"b" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error error;

		assert_null(alert_split(cases[i], &error));
		assert_int_equal(error.status, EXIT_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_is_judged_by_its_exit_status),
		cmocka_unit_test(a_program_that_is_not_there_is_told),
		cmocka_unit_test(all_input_arrives),
		cmocka_unit_test(a_program_need_not_read_its_input),
		cmocka_unit_test(a_program_that_hangs_is_ended_with_what_it_started),
		cmocka_unit_test(a_program_that_ignores_the_request_to_end_is_killed),
		cmocka_unit_test(a_command_is_split_as_no_shell_does),
		cmocka_unit_test(what_is_no_command_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
