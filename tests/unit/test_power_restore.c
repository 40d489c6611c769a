/* What a power run changes is as before afterwards, or stays in the journal. */
#include "power_trial.h"

#include "measure/power.h"

static const uint8_t timers_page[40] = { 0x9a, 38, 0, 0x06, 0, 0, 0, 20, 0, 0, 0x17, 0x70 };
static const uint8_t level_page[16] = { 0xda, 1, 0, 12, 0, 0, 2, 0 };

static void give_pages(struct fake_run *run)
{
	memcpy(run->drive.page[0], timers_page, sizeof(timers_page));
	memcpy(run->drive.page[1], level_page, sizeof(level_page));
	run->drive.page_len[0] = sizeof(timers_page);
	run->drive.page_len[1] = sizeof(level_page);
}

static bool is_restored(const struct fake_run *run)
{
	bool restored = false;

	return facts_flag(&run->facts, "measured_power.restored", &restored) && restored;
}

static void expect_as_before(const struct fake_run *run)
{
	assert_memory_equal(run->drive.page[0], timers_page, sizeof(timers_page));
	assert_memory_equal(run->drive.page[1], level_page, sizeof(level_page));
	assert_int_equal(run->drive.state, F_ACTIVE);
	assert_false(run->drive.journal_missing);
	assert_int_not_equal(access(run->journal, F_OK), 0);
}

static void timers_are_as_before_at_the_end(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	give_pages(run);
	run->options.parts = POWER_STATES | POWER_TIMERS;
	assert_int_equal(fake_run_go(run), 0);
	assert_true(run->drive.select_count >= 4);
	assert_true(is_restored(run));
	expect_as_before(run);
	fake_run_free(run);
}

/* Of a run of the timers on a drive with a page of this length: SPC-3's has 12
 * bytes, SPC-4's 40. stated: what its PAGE LENGTH says. */
static void try_length(size_t len, size_t stated)
{
	static const struct {
		const char *state;
		size_t end; /* of its timer in the page */
	} timers[] = { { "idle_a", 8 }, { "standby_z", 12 }, { "idle_b", 16 } };
	struct fake_run *run = fake_run_new(false);

	give_pages(run);
	run->drive.page_len[0] = len;
	run->drive.page[0][1] = (uint8_t)(stated - 2);
	run->options.parts = POWER_TIMERS;
	assert_int_equal(fake_run_go(run), 0);
	for (size_t i = 0; i < ARRAY_LEN(timers); i++) {
		const struct row *row = row_of(run, "power_timers", "state", timers[i].state);
		bool has = len == stated && len >= timers[i].end;

		assert_non_null(row);
		if (!strcmp(row_get(row, "result").text, "refused") == has)
			fail_msg("%zu of %zu bytes, %s: %s", len, stated, timers[i].state,
				row_get(row, "result").text);
	}
	assert_int_equal(run->drive.selected_len, len == stated && len >= 8 ? len : 0);
	run->drive.page[0][1] = timers_page[1];
	expect_as_before(run);
	fake_run_free(run);
}

static void a_page_of_any_length_has_the_timers_that_it_holds_and_is_as_before(void **state)
{
	(void)state;
	for (size_t len = 2; len <= sizeof(timers_page); len++)
		try_length(len, len);
}

static void a_page_that_ends_before_its_stated_length_is_left_alone(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(timers_page); len++)
		try_length(len, sizeof(timers_page));
}

static void a_byte_beyond_the_end_of_a_mode_page_is_neither_read_nor_put(void **state)
{
	(void)state;
	for (size_t len = 2; len <= sizeof(level_page); len++) {
		char value[SETTING_VALUE] = "", *end = value;

		for (size_t i = 0; i < len; i++)
			end += sprintf(end, "%02x", level_page[i]);
		mode_byte_put(value, 7, 0xab);
		assert_int_equal(strlen(value), 2 * len);
		assert_int_equal(mode_byte(value, 7), len > 7 ? 0xab : 0);
	}
}

static void a_signal_ends_the_run_and_all_is_restored(void **state)
{
	static const enum fake_state at[] = { F_IDLE_A, F_STANDBY_Z, F_STOPPED };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		struct fake_run *run = fake_run_new(false);

		give_pages(run);
		run->options.parts = POWER_TIMERS | POWER_STATES;
		run->drive.stop_at = at[i];
		assert_int_equal(fake_run_go(run), 0);
		assert_int_equal(run->end, POWER_STOPPED);
		assert_true(is_restored(run));
		expect_as_before(run);
		fake_run_free(run);
	}
}

/* The drive falls silent after so many commands; all of them are tried. */
static void a_silent_drive_is_said_and_restored_later(void **state)
{
	size_t changed = 0;

	(void)state;
	for (size_t after = 1; after < 700; after += 13) {
		struct fake_run *run = fake_run_new(false);
		size_t count = 0;

		give_pages(run);
		run->options.parts = POWER_TIMERS | POWER_STATES;
		run->options.repeat = 1;
		run->drive.silent_after = after;
		assert_int_equal(fake_run_go(run), 0);
		if (run->end == POWER_SILENT) {
			assert_false(is_restored(run));
			assert_int_equal(access(run->journal, F_OK), 0);
			assert_true(run->facts.note_count > 0);
			assert_int_equal(fake_run_go(run), -1);
			run->drive.silent = false;
			run->drive.silent_after = 0;
			changed += memcmp(run->drive.page[0], timers_page, 40) != 0;
			assert_int_equal(
				power_restore(&run->subject, &run->options, &count, &run->error),
				0);
			assert_true(count >= 1);
		}
		expect_as_before(run);
		fake_run_free(run);
	}
	assert_true(changed > 0); /* else nothing was restored */
}

static void errors_of_the_medium_end_no_restoring(void **state)
{
	(void)state;
	for (size_t after = 1; after < 200; after += 11) {
		struct fake_run *run = fake_run_new(false);

		give_pages(run);
		run->options.parts = POWER_TIMERS | POWER_STATES;
		run->drive.bad_after = after;
		assert_int_equal(fake_run_go(run), 0);
		assert_int_equal(run->end, POWER_COMPLETE);
		assert_true(is_restored(run));
		expect_as_before(run);
		fake_run_free(run);
	}
}

static void a_journal_of_another_drive_is_refused(void **state)
{
	struct fake_run *run = fake_run_new(false);
	size_t count;

	(void)state;
	run->drive.silent_after = 50;
	fake_run_go(run);
	run->drive.silent = false;
	run->drive.silent_after = 0;
	facts_deinit(&run->before);
	facts_init(&run->before);
	say(run, "identity.serial", value_text("OTHER"));
	assert_int_equal(power_restore(&run->subject, &run->options, &count, &run->error), -1);
	assert_non_null(strstr(run->error.text, "TEST1"));
	assert_int_equal(access(run->journal, F_OK), 0);
	fake_run_free(run);
}

static void nothing_is_touched_without_a_journal(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	give_pages(run);
	run->options.journal = "/proc/no-such-folder/journal";
	assert_int_equal(fake_run_go(run), -1);
	assert_int_equal(run->drive.command_count, 0);
	fake_run_free(run);
}

static void what_is_no_journal_is_refused(void **state)
{
	static const char *const texts[] = { "", "{", "{\"schema\": \"assay-power-journal-1\"}",
		"{\"schema\": \"assay-power-journal-1\", \"settings\": [{\"kind\": \"none\"}]}",
		"{\"schema\": \"other\", \"settings\": []}" };
	struct fake_run *run = fake_run_new(false);
	size_t count;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		FILE *file = fopen(run->journal, "w");

		assert_non_null(file);
		fputs(texts[i], file);
		fclose(file);
		assert_int_equal(
			power_restore(&run->subject, &run->options, &count, &run->error), -1);
		assert_int_equal(run->error.status, EXIT_NO_DRIVE_DATA);
	}
	assert_int_equal(run->drive.command_count, 0);
	fake_run_free(run);
}

static void extended_power_conditions_and_apm_are_as_before(void **state)
{
	struct fake_run *run = fake_run_new(true);
	uint8_t *words = run->drive.identify;

	(void)state;
	say(run, "power.epc_supported", value_flag(true));
	say(run, "power.epc_enabled", value_flag(false));
	say(run, "power.apm_supported", value_flag(true));
	say(run, "power.apm_enabled", value_flag(true));
	words[2 * 86] = 0x08;
	words[2 * 91] = 0x80;
	assert_int_equal(fake_run_go(run), 0);
	assert_string_equal(result_of(run, "idle_a"), "measured");
	assert_true(is_restored(run));
	assert_int_equal(words[2 * 120] & 0x80, 0);
	assert_int_equal(words[2 * 86] & 0x08, 0x08);
	assert_int_equal(words[2 * 91], 0x80);
	assert_false(run->drive.journal_missing);
	fake_run_free(run);
}

static void timers_of_extended_power_conditions_are_as_before(void **state)
{
	struct fake_run *run = fake_run_new(true);
	uint8_t before[1024];

	(void)state;
	say(run, "power.epc_supported", value_flag(true));
	say(run, "power.epc_enabled", value_flag(true));
	run->drive.identify[2 * 120] = 0x80;
	run->drive.log08[1] = 0xa4;
	run->drive.log08[12] = 20;
	run->drive.log08[961] = 0xa4;
	run->drive.log08[972] = 0x70;
	run->drive.log08[973] = 0x17;
	memcpy(before, run->drive.log08, sizeof(before));
	run->options.parts = POWER_TIMERS;
	assert_int_equal(fake_run_go(run), 0);
	assert_true(is_restored(run));
	assert_memory_equal(run->drive.log08, before, sizeof(before));
	fake_run_free(run);
}

static void a_timer_whose_descriptor_is_cut_off_is_left_alone(void **state)
{
	static const struct {
		const char *state;
		size_t end; /* of its descriptor in the log */
	} timers[] = { { "idle_a", 64 }, { "idle_b", 128 }, { "standby_z", 1024 } };

	(void)state;
	for (size_t len = 0; len <= 1024; len += 32) {
		struct fake_run *run = fake_run_new(true);

		say(run, "power.epc_supported", value_flag(true));
		say(run, "power.epc_enabled", value_flag(true));
		run->drive.log08_len = len;
		run->options.parts = POWER_TIMERS;
		assert_int_equal(fake_run_go(run), 0);
		for (size_t i = 0; i < ARRAY_LEN(timers); i++) {
			const struct row *row = row_of(
				run, "power_timers", "state", timers[i].state);

			assert_non_null(row);
			assert_int_equal(!strcmp(row_get(row, "result").text, "refused"),
				len < timers[i].end);
		}
		assert_true(is_restored(run));
		fake_run_free(run);
	}
}

static void levels_of_apm_are_tried_and_the_first_is_back(void **state)
{
	struct fake_run *run = fake_run_new(true);
	uint8_t *words = run->drive.identify;

	(void)state;
	say(run, "power.apm_supported", value_flag(true));
	words[2 * 86] = 0x08;
	words[2 * 91] = 0x60;
	run->options.parts = POWER_APM;
	run->options.gap_seconds[0] = 0.001;
	run->options.gap_seconds[1] = 0.5;
	run->options.gap_count = 2;
	assert_int_equal(fake_run_go(run), 0);
	for (size_t i = 0; i < 4; i++) {
		static const char *const levels[] = { "1", "128", "254", "off" };
		const struct row *row = row_of(run, "power_gaps", "value", levels[i]);

		assert_non_null(row);
		assert_string_equal(row_get(row, "result").text, "measured");
	}
	assert_int_equal(words[2 * 91], 0x60);
	assert_int_equal(words[2 * 86] & 0x08, 0x08);
	assert_true(is_restored(run));
	fake_run_free(run);
}

static struct fake_run *asleep(void)
{
	static const char sleep[] = "sleep";
	struct fake_run *run = fake_run_new(true);

	say(run, "power.apm_supported", value_flag(true));
	say(run, "power.apm_enabled", value_flag(true));
	run->drive.identify[2 * 86] = 0x08;
	run->drive.identify[2 * 91] = 0x60;
	run->options.with_sleep = true;
	run->options.states[0] = sleep;
	run->options.state_count = 1;
	return run;
}

static void a_signal_in_sleep_wakes_the_drive_and_restores_what_the_reset_changed(void **state)
{
	struct fake_run *run = asleep();

	(void)state;
	run->drive.transport.reset = fake_reset;
	run->drive.stop_at = F_STOPPED;
	assert_int_equal(fake_run_go(run), 0);
	assert_int_equal(run->end, POWER_STOPPED);
	assert_true(is_restored(run));
	assert_false(run->drive.asleep);
	assert_int_equal(run->drive.resets, 1);
	assert_int_equal(run->drive.identify[2 * 91], 0x60);
	assert_non_null(strstr(facts_text(&run->facts, "measured_power.restored_settings"),
		"SLEEP: ended, APM level: 96"));
	fake_run_free(run);
}

static void what_stays_asleep_is_said_and_woken_later(void **state)
{
	struct fake_run *run = asleep();
	size_t count = 0;

	(void)state;
	assert_int_equal(fake_run_go(run), 0);
	assert_int_equal(run->end, POWER_SILENT);
	assert_string_equal(result_of(run, "sleep"), "failed");
	assert_false(is_restored(run));
	run->drive.transport.reset = fake_reset;
	assert_int_equal(power_restore(&run->subject, &run->options, &count, &run->error), 0);
	assert_int_equal(count, 3);
	assert_false(run->drive.asleep);
	assert_int_equal(run->drive.identify[2 * 91], 0x60);
	fake_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(timers_are_as_before_at_the_end),
		cmocka_unit_test(
			a_page_of_any_length_has_the_timers_that_it_holds_and_is_as_before),
		cmocka_unit_test(a_page_that_ends_before_its_stated_length_is_left_alone),
		cmocka_unit_test(a_byte_beyond_the_end_of_a_mode_page_is_neither_read_nor_put),
		cmocka_unit_test(a_signal_ends_the_run_and_all_is_restored),
		cmocka_unit_test(a_silent_drive_is_said_and_restored_later),
		cmocka_unit_test(errors_of_the_medium_end_no_restoring),
		cmocka_unit_test(a_journal_of_another_drive_is_refused),
		cmocka_unit_test(nothing_is_touched_without_a_journal),
		cmocka_unit_test(what_is_no_journal_is_refused),
		cmocka_unit_test(extended_power_conditions_and_apm_are_as_before),
		cmocka_unit_test(timers_of_extended_power_conditions_are_as_before),
		cmocka_unit_test(a_timer_whose_descriptor_is_cut_off_is_left_alone),
		cmocka_unit_test(levels_of_apm_are_tried_and_the_first_is_back),
		cmocka_unit_test(
			a_signal_in_sleep_wakes_the_drive_and_restores_what_the_reset_changed),
		cmocka_unit_test(what_stays_asleep_is_said_and_woken_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
