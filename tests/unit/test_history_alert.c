#include <sys/wait.h>
#include <unistd.h>

#include "history.h"

static const char drive[] = "Model-S1", rule[] = "crc";

static struct history_alert noted(struct place *place, enum verdict_state is, int64_t now)
{
	struct history_alert alert;
	struct error error;

	if (history_alert_note(place->history, drive, rule, is, now, &alert, &error) != 0)
		fail_msg("%s", error.text);
	return alert;
}

static bool claim(struct place *place, const struct history_alert *seen, int64_t now)
{
	struct error error;
	bool claimed;

	if (history_alert_claim(place->history, drive, rule, seen, now, 60, &claimed, &error) != 0)
		fail_msg("%s", error.text);
	return claimed;
}

static void done(struct place *place, enum verdict_state told, int64_t now)
{
	struct error error;

	assert_int_equal(history_alert_done(place->history, drive, rule, told, now, &error), 0);
}

static void what_was_never_noted_is_well(void **state)
{
	struct history_alert alert;
	struct place place;
	struct error error;

	(void)state;
	place_open(&place);
	assert_int_equal(history_alert_get(place.history, drive, rule, &alert, &error), 0);
	assert_int_equal(alert.state, VERDICT_OK);
	assert_int_equal(alert.told_state, VERDICT_OK);
	assert_int_equal(alert.told, 0);
	place_remove(&place);
}

static void a_state_lasts_from_when_it_came(void **state)
{
	struct history_alert alert;
	struct place place;

	(void)state;
	place_open(&place);
	noted(&place, VERDICT_OK, 100);
	noted(&place, VERDICT_WARNING, 200);
	alert = noted(&place, VERDICT_WARNING, 300);
	assert_int_equal(alert.state, VERDICT_WARNING);
	assert_int_equal(alert.since, 200);
	assert_int_equal(alert.told_state, VERDICT_OK);
	place_remove(&place);
}

static void an_alert_is_claimed_by_one_alone(void **state)
{
	struct history_alert seen, later;
	struct place place;

	(void)state;
	place_open(&place);
	seen = noted(&place, VERDICT_FAILING, 100);
	assert_true(claim(&place, &seen, 100));
	assert_false(claim(&place, &seen, 100));
	assert_false(claim(&place, &seen, 159));
	done(&place, VERDICT_FAILING, 160);
	/* Who saw it before it was told does not tell it again. */
	assert_false(claim(&place, &seen, 1000));
	later = noted(&place, VERDICT_FAILING, 1000);
	assert_int_equal(later.told_state, VERDICT_FAILING);
	assert_int_equal(later.told, 160);
	assert_int_equal(later.since, 100);
	assert_true(claim(&place, &later, 1000));
	place_remove(&place);
}

static void the_claim_of_one_that_died_ends(void **state)
{
	struct history_alert seen;
	struct place place;

	(void)state;
	place_open(&place);
	seen = noted(&place, VERDICT_FAILING, 100);
	assert_true(claim(&place, &seen, 100));
	place_reopen(&place);
	assert_true(claim(&place, &seen, 160));
	place_remove(&place);
}

static void what_failed_is_free_for_the_next_run(void **state)
{
	struct history_alert alert;
	struct place place;
	struct error error;

	(void)state;
	place_open(&place);
	for (unsigned i = 0; i < 3; i++) {
		alert = noted(&place, VERDICT_FAILING, 100 + i);
		assert_int_equal(alert.attempts, i);
		assert_true(claim(&place, &alert, 100 + i));
		assert_int_equal(history_alert_failed(place.history, drive, rule, &error), 0);
	}
	done(&place, VERDICT_FAILING, 200);
	assert_int_equal(noted(&place, VERDICT_FAILING, 201).attempts, 0);
	place_remove(&place);
}

static void told_alerts_are_counted_for_the_rate_limit(void **state)
{
	struct history_alert seen;
	struct place place;
	struct error error;
	size_t count;

	(void)state;
	place_open(&place);
	for (int64_t i = 1; i <= 5; i++) {
		seen = noted(&place, i % 2 ? VERDICT_FAILING : VERDICT_OK, 100 * i);
		assert_true(claim(&place, &seen, 100 * i));
		done(&place, seen.state, 100 * i);
	}
	assert_int_equal(history_alert_count(place.history, rule, 300, 600, &count, &error), 0);
	assert_int_equal(count, 3);
	seen = noted(&place, VERDICT_WARNING, 600);
	assert_true(claim(&place, &seen, 600));
	assert_int_equal(history_alert_count(place.history, rule, 300, 600, &count, &error), 0);
	assert_int_equal(count, 4);
	place_remove(&place);
}

static void put(
	void *context, const char *subject, const char *name, const struct history_alert *alert)
{
	char *text = context;

	snprintf(text + strlen(text), 200 - strlen(text), "%s %s %d;", subject, name,
		(int)alert->state);
}

static void all_alerts_are_visited_in_order(void **state)
{
	struct history_alert alert;
	char text[200] = "";
	struct place place;
	struct error error;

	(void)state;
	place_open(&place);
	assert_int_equal(
		history_alert_note(place.history, "b", "x", VERDICT_OK, 1, &alert, &error), 0);
	assert_int_equal(
		history_alert_note(place.history, "a", "y", VERDICT_FAILING, 1, &alert, &error), 0);
	assert_int_equal(
		history_alert_note(place.history, "a", "x", VERDICT_WARNING, 1, &alert, &error), 0);
	assert_int_equal(history_alert_each(place.history, put, text, &error), 0);
	assert_string_equal(text, "a x 1;a y 2;b x 0;");
	place_remove(&place);
}

/* In a process of its own: 1 where it got the task. */
static int contend(const char *file, int gate)
{
	struct place place = { .history = open_history(file, HISTORY_WRITE) };
	struct history_alert seen = noted(&place, VERDICT_FAILING, 100);
	char byte;

	if (read(gate, &byte, 1) != 0)
		return 2;
	return claim(&place, &seen, 100);
}

static void of_two_runs_at_once_one_tells(void **state)
{
	enum { RUNS = 4 };
	pid_t child[RUNS];
	struct place place;
	int gate[2], sum = 0, status;

	(void)state;
	place_open(&place);
	assert_int_equal(pipe(gate), 0);
	for (int i = 0; i < RUNS; i++) {
		child[i] = fork();
		if (child[i] == 0) {
			close(gate[1]);
			_exit(contend(place.file, gate[0]));
		}
	}
	close(gate[0]);
	close(gate[1]);
	for (int i = 0; i < RUNS; i++) {
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_true(WIFEXITED(status));
		sum += WEXITSTATUS(status);
	}
	assert_int_equal(sum, 1);
	place_remove(&place);
}

static void a_history_in_memory_leaves_no_file(void **state)
{
	struct place place = { 0 };
	struct error error;

	(void)state;
	unlink(HISTORY_MEMORY); /* of an earlier run */
	assert_int_equal(history_open(HISTORY_MEMORY, HISTORY_WRITE, &place.history, &error), 0);
	noted(&place, VERDICT_FAILING, 100);
	history_close(place.history);
	assert_int_not_equal(access(HISTORY_MEMORY, F_OK), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_never_noted_is_well),
		cmocka_unit_test(a_state_lasts_from_when_it_came),
		cmocka_unit_test(an_alert_is_claimed_by_one_alone),
		cmocka_unit_test(the_claim_of_one_that_died_ends),
		cmocka_unit_test(what_failed_is_free_for_the_next_run),
		cmocka_unit_test(told_alerts_are_counted_for_the_rate_limit),
		cmocka_unit_test(all_alerts_are_visited_in_order),
		cmocka_unit_test(of_two_runs_at_once_one_tells),
		cmocka_unit_test(a_history_in_memory_leaves_no_file),
	};

	return cmocka_run_group_tests_name("history_alert", tests, NULL, NULL);
}
