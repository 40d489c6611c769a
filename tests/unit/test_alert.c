/* When an alert is told. */
#include "alert_scene.h"

#include <sys/wait.h>

/* A run that could not read it, or found it asleep. */
static void find_silent(struct scene *scene, bool named, struct error *why, int64_t now)
{
	struct verdict unknown = {
		.id = "health", .state = VERDICT_UNKNOWN, .reason = "nothing could be judged"
	};
	struct document document = { .target = "/dev/sda",
		.facts = named ? &scene->facts : NULL,
		.verdicts = &unknown,
		.verdict_count = 1,
		.error = why };
	document.asleep = !why;
	struct render_options render = { .command = "check", .version = "0" };
	struct error error;

	if (alerts_tell(scene->place.history, &scene->settings, &document, 1, now, &render,
		    &scene->outcome, &error) != 0)
		fail_msg("%s", error.text);
}

static void a_drive_that_is_well_is_not_told(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find(&scene, VERDICT_OK, 1000);
	find(&scene, VERDICT_OK, 1000 + 48 * HOUR);
	assert_string_equal(content(scene.told), "");
	scene_clear(&scene);
}

static void a_change_is_told_once(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find(&scene, VERDICT_WARNING, 1000);
	assert_int_equal(scene.outcome.told, 1);
	find(&scene, VERDICT_WARNING, 1000 + HOUR);
	assert_int_equal(scene.outcome.told, 0);
	find(&scene, VERDICT_FAILING, 1000 + 2 * HOUR);
	find(&scene, VERDICT_FAILING, 1000 + 3 * HOUR);
	assert_string_equal(content(scene.told),
		"change ok warning /dev/sda\nchange warning failing /dev/sda\n");
	scene_clear(&scene);
}

static void another_broken_rule_is_told_though_the_sum_is_the_same(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find_both(&scene, VERDICT_WARNING, VERDICT_OK, 1000);
	find_both(&scene, VERDICT_WARNING, VERDICT_WARNING, 1000 + HOUR);
	find_both(&scene, VERDICT_WARNING, VERDICT_WARNING, 1000 + 2 * HOUR);
	assert_string_equal(content(scene.told),
		"change ok warning /dev/sda\nchange warning warning /dev/sda\n");
	/* it goes and comes back: news again */
	find_both(&scene, VERDICT_WARNING, VERDICT_OK, 1000 + 3 * HOUR);
	find_both(&scene, VERDICT_WARNING, VERDICT_OK, 1000 + 4 * HOUR);
	assert_int_equal(scene.outcome.told, 0);
	find_both(&scene, VERDICT_WARNING, VERDICT_WARNING, 1000 + 5 * HOUR);
	assert_int_equal(scene.outcome.told, 1);
	scene_clear(&scene);
}

static void what_lasts_is_told_again_by_the_interval(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	for (int64_t hour = 0; hour <= 49; hour++)
		find(&scene, VERDICT_FAILING, 1000 + hour * HOUR);
	assert_string_equal(content(scene.told),
		"change ok failing /dev/sda\nreminder failing failing /dev/sda\n"
		"reminder failing failing /dev/sda\n");
	scene.settings.interval = 0;
	find(&scene, VERDICT_FAILING, 1000 + 1000 * HOUR);
	assert_int_equal(scene.outcome.told, 0);
	scene_clear(&scene);
}

static void a_recovery_is_told_when_it_has_lasted(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find(&scene, VERDICT_FAILING, 1000);
	find(&scene, VERDICT_OK, 1000 + HOUR);
	assert_int_equal(scene.outcome.told, 0);
	find(&scene, VERDICT_OK, 1000 + 2 * HOUR);
	find(&scene, VERDICT_OK, 1000 + 3 * HOUR);
	assert_string_equal(
		content(scene.told), "change ok failing /dev/sda\nrecovery failing ok /dev/sda\n");
	/* and what comes back is a change again */
	find(&scene, VERDICT_FAILING, 1000 + 4 * HOUR);
	assert_int_equal(scene.outcome.told, 1);
	scene_clear(&scene);
}

static void what_comes_and_goes_is_told_once(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	scene.settings.settle = 2 * HOUR;
	for (int64_t hour = 0; hour < 20; hour++)
		find(&scene, hour % 2 ? VERDICT_OK : VERDICT_WARNING, 1000 + hour * HOUR);
	assert_string_equal(content(scene.told), "change ok warning /dev/sda\n");
	scene_clear(&scene);
}

static void a_command_that_fails_is_called_again_at_the_next_run(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	set_broken(&scene, true);
	for (int64_t hour = 0; hour < 3; hour++) {
		find(&scene, VERDICT_FAILING, 1000 + hour * HOUR);
		assert_int_equal(scene.outcome.failed, 1);
		assert_non_null(strstr(scene.outcome.error.text, "exit status 1"));
	}
	set_broken(&scene, false);
	find(&scene, VERDICT_FAILING, 1000 + 3 * HOUR);
	find(&scene, VERDICT_FAILING, 1000 + 4 * HOUR);
	assert_string_equal(content(scene.told), "change ok failing /dev/sda\n");
	scene_clear(&scene);
}

static void what_was_over_before_it_could_be_told_is_told(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	set_broken(&scene, true);
	find(&scene, VERDICT_FAILING, 1000);
	find(&scene, VERDICT_OK, 1000 + HOUR);
	find(&scene, VERDICT_OK, 1000 + 2 * HOUR);
	set_broken(&scene, false);
	find(&scene, VERDICT_OK, 1000 + 3 * HOUR);
	assert_string_equal(content(scene.told), "change ok failing /dev/sda\n");
	assert_non_null(strstr(written(&scene, "env"),
		"ASSAY_REASON=failing since 1970-01-01T00:16:40Z, which could not be told then; "
		"now: the sum\n"));
	find(&scene, VERDICT_OK, 1000 + 4 * HOUR);
	find(&scene, VERDICT_OK, 1000 + 5 * HOUR);
	assert_string_equal(
		content(scene.told), "change ok failing /dev/sda\nrecovery failing ok /dev/sda\n");
	find(&scene, VERDICT_FAILING, 1000 + 6 * HOUR);
	assert_int_equal(scene.outcome.told, 1);
	scene_clear(&scene);
}

static void a_rule_that_was_over_before_it_could_be_told_is_told(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find_both(&scene, VERDICT_WARNING, VERDICT_OK, 1000);
	set_broken(&scene, true);
	find_both(&scene, VERDICT_WARNING, VERDICT_WARNING, 1000 + HOUR);
	set_broken(&scene, false);
	find_both(&scene, VERDICT_WARNING, VERDICT_OK, 1000 + 2 * HOUR);
	assert_int_equal(scene.outcome.told, 1);
	find_both(&scene, VERDICT_WARNING, VERDICT_OK, 1000 + 3 * HOUR);
	assert_int_equal(scene.outcome.told, 0);
	scene_clear(&scene);
}

static void more_than_the_limit_waits_for_the_next_hour(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	scene.settings.most_per_hour = 2;
	for (unsigned i = 0; i < 4; i++) {
		facts_deinit(&scene.facts);
		give_drive(&scene.facts, (const char *[]) { "S1", "S2", "S3", "S4" }[i]);
		find(&scene, VERDICT_FAILING, 1000);
		assert_int_equal(scene.outcome.told, i < 2);
		assert_int_equal(scene.outcome.waiting, i >= 2);
	}
	find(&scene, VERDICT_FAILING, 1000 + HOUR + 1);
	assert_int_equal(scene.outcome.told, 1);
	scene_clear(&scene);
}

static void of_two_runs_at_once_one_tells(void **state)
{
	enum { RUNS = 6 };
	struct scene scene;
	pid_t children[RUNS];

	(void)state;
	scene_set(&scene);
	for (int i = 0; i < RUNS; i++) {
		children[i] = fork();
		if (children[i])
			continue;
		scene.place.history = open_history(scene.place.file, HISTORY_WRITE);
		find(&scene, VERDICT_FAILING, 1000);
		history_close(scene.place.history);
		_exit(0);
	}
	for (int i = 0; i < RUNS; i++) {
		int status;

		waitpid(children[i], &status, 0);
		assert_int_equal(status, 0);
	}
	assert_string_equal(content(scene.told), "change ok failing /dev/sda\n");
	scene_clear(&scene);
}

static void a_sleeping_drive_has_not_recovered(void **state)
{
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find(&scene, VERDICT_FAILING, 1000);
	for (int64_t hour = 1; hour < 5; hour++)
		find_silent(&scene, true, NULL, 1000 + hour * HOUR);
	scene.asleep = true; /* and a part of it is less */
	for (int64_t hour = 5; hour < 8; hour++)
		find(&scene, VERDICT_WARNING, 1000 + hour * HOUR);
	find(&scene, VERDICT_OK, 1000 + 8 * HOUR);
	scene.asleep = false;
	find(&scene, VERDICT_FAILING, 1000 + 9 * HOUR);
	assert_string_equal(content(scene.told), "change ok failing /dev/sda\n");
	scene_clear(&scene);
}

static void a_drive_that_cannot_be_read_is_told_and_its_return(void **state)
{
	struct error gone = { EXIT_TIMED_OUT, "no answer" };
	struct scene scene;

	(void)state;
	for (int named = 0; named < 2; named++) {
		scene_set(&scene);
		find(&scene, VERDICT_OK, 1000);
		find_silent(&scene, named, &gone, 1000 + HOUR);
		assert_non_null(strstr(written(&scene, "env"), "ASSAY_REASON=no answer\n"));
		find_silent(&scene, named, &gone, 1000 + 2 * HOUR);
		find(&scene, VERDICT_OK, 1000 + 3 * HOUR);
		find(&scene, VERDICT_OK, 1000 + 4 * HOUR);
		find(&scene, VERDICT_OK, 1000 + 5 * HOUR);
		assert_string_equal(content(scene.told),
			"change ok unknown /dev/sda\nrecovery unknown ok /dev/sda\n");
		scene_clear(&scene);
	}
}

static void who_may_not_look_has_nothing_to_tell(void **state)
{
	struct error denied = { EXIT_NO_PERMISSION, "Permission denied" };
	struct scene scene;

	(void)state;
	scene_set(&scene);
	find_silent(&scene, false, &denied, 1000);
	assert_string_equal(content(scene.told), "");
	scene_clear(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drive_that_is_well_is_not_told),
		cmocka_unit_test(a_change_is_told_once),
		cmocka_unit_test(another_broken_rule_is_told_though_the_sum_is_the_same),
		cmocka_unit_test(what_lasts_is_told_again_by_the_interval),
		cmocka_unit_test(a_recovery_is_told_when_it_has_lasted),
		cmocka_unit_test(what_comes_and_goes_is_told_once),
		cmocka_unit_test(a_command_that_fails_is_called_again_at_the_next_run),
		cmocka_unit_test(what_was_over_before_it_could_be_told_is_told),
		cmocka_unit_test(a_rule_that_was_over_before_it_could_be_told_is_told),
		cmocka_unit_test(more_than_the_limit_waits_for_the_next_hour),
		cmocka_unit_test(of_two_runs_at_once_one_tells),
		cmocka_unit_test(a_sleeping_drive_has_not_recovered),
		cmocka_unit_test(a_drive_that_cannot_be_read_is_told_and_its_return),
		cmocka_unit_test(who_may_not_look_has_nothing_to_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
