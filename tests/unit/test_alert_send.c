/* How an alert is told. */
#include "alert_scene.h"

static void a_command_gets_the_environment_and_the_document(void **state)
{
	static const char *const lines[] = { "\nASSAY_MODEL=Model 1-A\n", "\nASSAY_SERIAL=S1\n",
		"\nASSAY_DEVICE=/dev/sda\n", "\nASSAY_STATE=failing\n", "\nASSAY_FORMER_STATE=ok\n",
		"\nASSAY_REASON=the sum\n", "\nASSAY_SINCE=1970-01-01T00:16:40Z\n",
		"/dev/sda FAILING, Model 1-A S1: the sum\n" };
	struct scene scene;
	char env[8192];

	(void)state;
	scene_set(&scene);
	setenv("ASSAY_WWN", "of another drive", 1);
	find(&scene, VERDICT_FAILING, 1000);
	unsetenv("ASSAY_WWN");
	snprintf(env, sizeof(env), "\n%s", written(&scene, "env"));
	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		assert_non_null(strstr(env, lines[i]));
	assert_non_null(strstr(env, "\nASSAY_WWN=\n"));
	assert_non_null(strstr(env, "\nPATH="));
	assert_non_null(strstr(written(&scene, "stdin"), "\"assay-document-1\""));
	assert_non_null(strstr(written(&scene, "stdin"), "\"wear-used\""));
	scene_clear(&scene);
}

static void mail_has_headers_and_says_what_to_do(void **state)
{
	struct scene scene;
	char sendmail[160], script[512];

	(void)state;
	scene_set(&scene);
	snprintf(sendmail, sizeof(sendmail), "%s/sendmail", scene.place.folder);
	snprintf(script, sizeof(script), "#!/bin/sh\necho \"$*\" >%s/arguments\ncat >%s/mail\n",
		scene.place.folder, scene.place.folder);
	write_script(sendmail, script);
	scene.settings.command = NULL;
	scene.settings.mail = "root@localhost";
	scene.settings.sendmail = sendmail;
	facts_deinit(&scene.facts);
	give_drive(&scene.facts, "S1\nBcc: x@y");
	find(&scene, VERDICT_FAILING, 1000);
	assert_string_equal(written(&scene, "arguments"), "-t -i\n");
	const char *mail = written(&scene, "mail");

	assert_memory_equal(mail, "To: root@localhost\nSubject: ", 28);
	assert_non_null(strstr(mail, ": /dev/sda FAILING, Model 1-A S1?Bcc: x@y: the sum\n"));
	assert_null(strstr(mail, "\nBcc"));
	assert_non_null(strstr(mail, "\nAuto-Submitted: auto-generated\n"));
	assert_non_null(strstr(mail, "\n\nHost "));
	assert_non_null(strstr(mail, "\nFAILING wear-used (new)\n  Rated life used: 93 %\n"));
	scene_clear(&scene);
}

/* The mail is out: the command's failure must not send it again. */
static void one_way_that_fails_does_not_repeat_the_other(void **state)
{
	struct scene scene;
	char sendmail[160], script[512];

	(void)state;
	scene_set(&scene);
	snprintf(sendmail, sizeof(sendmail), "%s/sendmail", scene.place.folder);
	snprintf(script, sizeof(script), "#!/bin/sh\ncat >/dev/null\necho x >>%s/mails\n",
		scene.place.folder);
	write_script(sendmail, script);
	scene.settings.mail = "root@localhost";
	scene.settings.sendmail = sendmail;
	set_broken(&scene, true);
	find(&scene, VERDICT_FAILING, 1000);
	find(&scene, VERDICT_FAILING, 1000 + HOUR);
	set_broken(&scene, false);
	find(&scene, VERDICT_FAILING, 1000 + 2 * HOUR);
	assert_string_equal(written(&scene, "mails"), "x\n");
	assert_string_equal(content(scene.told), "change ok failing /dev/sda\n");
	scene_clear(&scene);
}

static void a_test_alert_is_sent_whatever_was_told(void **state)
{
	struct render_options render = { .command = "check", .version = "0" };
	struct scene scene;
	struct error error;

	(void)state;
	scene_set(&scene);
	assert_int_equal(alerts_test(&scene.settings, 1000, &render, &error), 0);
	assert_int_equal(alerts_test(&scene.settings, 1000, &render, &error), 0);
	assert_string_equal(content(scene.told), "test ok ok test\ntest ok ok test\n");
	set_broken(&scene, true);
	assert_int_equal(alerts_test(&scene.settings, 1000, &render, &error), -1);
	scene.settings.command = NULL;
	assert_int_equal(alerts_test(&scene.settings, 1000, &render, &error), -1);
	assert_int_equal(error.status, EXIT_USAGE);
	scene_clear(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_gets_the_environment_and_the_document),
		cmocka_unit_test(mail_has_headers_and_says_what_to_do),
		cmocka_unit_test(one_way_that_fails_does_not_repeat_the_other),
		cmocka_unit_test(a_test_alert_is_sent_whatever_was_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
