/* Power states of a drive whose time is known: each is entered, proved and left. */
#include "power_trial.h"

static void recovery_times_are_those_of_the_drive(void **state)
{
	static const struct {
		const char *name;
		double recovery_us;
	} states[] = { { "idle_a", 5000 }, { "idle_b", 300000 }, { "standby_z", 8000000 },
		{ "stopped", 2000000 } };
	struct fake_run *run = fake_run_new(false);

	(void)state;
	assert_int_equal(fake_run_go(run), 0);
	assert_int_equal(run->end, POWER_COMPLETE);
	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		assert_string_equal(result_of(run, states[i].name), "measured");
		assert_int_equal((int)cell(run, states[i].name, "count"), 3);
		assert_float_equal(
			cell(run, states[i].name, "recovery_us"), states[i].recovery_us, 1100);
		assert_float_equal(cell(run, states[i].name, "entry_us"), 1000, 50);
		assert_true(cell(run, states[i].name, "visible_us") >= 1000);
		assert_int_equal((int)cell(run, states[i].name, "tail_us"), 0);
	}
	assert_float_equal(cell(run, "idle_b", "ratio"), 1.5, 0.01);
	assert_int_equal(run->drive.state, F_ACTIVE);
	assert_true(run->drive.timers_run);
	assert_false(run->drive.journal_missing);
	fake_run_free(run);
}

static void no_address_is_read_twice(void **state)
{
	struct fake_run *run = fake_run_new(false);
	const struct fake_drive *drive = &run->drive;

	(void)state;
	fake_run_go(run);
	assert_true(drive->read_count > 200 && drive->read_count < ARRAY_LEN(drive->lbas));
	for (size_t i = 0; i < drive->read_count; i++) {
		assert_true(drive->lbas[i] + 8 <= (UINT64_C(1) << 40) / 512);
		for (size_t j = 0; j < i; j++)
			assert_true(drive->lbas[i] != drive->lbas[j]);
	}
	fake_run_free(run);
}

static void the_tail_lasts_until_reads_are_as_fast_as_before(void **state)
{
	struct fake_run *run = fake_run_new(false);
	double reads = 0;

	(void)state;
	run->drive.tail = 20;
	fake_run_go(run);
	assert_float_equal(cell(run, "idle_b", "recovery_us"), 300000, 1100);
	assert_float_equal(cell(run, "idle_b", "tail_us"), 20 * 50110, 100);
	value_number(row_get(row_of(run, "power_tries", "state", "idle_b"), "tail_reads"), &reads);
	assert_int_equal((int)reads, 20);
	fake_run_free(run);
}

static void what_a_cache_answers_is_no_recovery(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	run->drive.cached = 2;
	fake_run_go(run);
	assert_float_equal(cell(run, "idle_b", "recovery_us"), 300000, 1100);
	assert_int_equal((int)cell(run, "idle_b", "cached_reads"), 6);
	fake_run_free(run);
}

static void a_drive_that_reads_on_and_on_in_its_sleep_has_no_recovery_time(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	run->drive.cached = 1000;
	fake_run_go(run);
	assert_string_equal(result_of(run, "idle_a"), "answers asleep");
	assert_null(facts_find(&run->facts, "measured_power.idle_a_recovery_us"));
	assert_true(cell(run, "idle_a", "recovery_us") < 0);
	fake_run_free(run);
}

static void a_state_that_is_refused_is_tried_once(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	run->drive.refused[F_IDLE_B] = true;
	fake_run_go(run);
	assert_string_equal(result_of(run, "idle_b"), "refused");
	assert_int_equal((int)cell(run, "idle_b", "tries"), 1);
	assert_string_equal(result_of(run, "standby_z"), "measured");
	fake_run_free(run);
}

static void a_state_that_is_never_seen_is_not_entered(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	run->drive.ignored[F_STANDBY_Z] = true;
	fake_run_go(run);
	assert_string_equal(result_of(run, "standby_z"), "not entered");
	assert_null(facts_find(&run->facts, "measured_power.standby_z_recovery_us"));
	fake_run_free(run);
}

static void a_state_that_ends_by_itself_is_not_measured(void **state)
{
	struct fake_run *run = fake_run_new(false);

	(void)state;
	run->drive.wakes_alone = true;
	fake_run_go(run);
	assert_string_equal(result_of(run, "idle_a"), "left early");
	fake_run_free(run);
}

static void a_drive_that_refuses_fua_is_read_without(void **state)
{
	struct fake_run *run = fake_run_new(false);
	bool fua = true;

	(void)state;
	run->drive.fua_refused = true;
	fake_run_go(run);
	assert_string_equal(result_of(run, "idle_a"), "measured");
	assert_true(facts_flag(&run->facts, "measured_power.forced_unit_access", &fua) && !fua);
	fake_run_free(run);
}

static void a_bridge_that_answers_for_the_drive_is_not_believed(void **state)
{
	struct fake_run *run = fake_run_new(true);

	(void)state;
	run->drive.echoes = true;
	assert_int_equal(fake_run_go(run), 0);
	assert_string_equal(result_of(run, "standby_immediate"), "no row");
	assert_int_equal(run->facts.note_count, 1);
	assert_non_null(strstr(run->facts.notes[0].text, "cannot be trusted"));
	fake_run_free(run);
}

static void only_the_states_that_are_named_are_entered(void **state)
{
	struct fake_run *run = fake_run_new(false);
	struct power_estimate estimate;

	(void)state;
	run->options.states[0] = "standby_z";
	run->options.state_count = 1;
	power_estimate(&run->subject, &run->options, &estimate);
	assert_int_equal(estimate.state_count, 1);
	assert_int_equal(estimate.cycle_count, 3);
	assert_true(estimate.seconds > 24 && estimate.seconds < 30);
	fake_run_go(run);
	assert_string_equal(result_of(run, "idle_a"), "no row");
	assert_string_equal(result_of(run, "standby_z"), "measured");
	fake_run_free(run);
}

static void a_drive_that_lists_its_commands_without_it_is_not_stopped(void **state)
{
	struct fake_run *run = fake_run_new(false);
	const uint8_t codes[] = { 0, 0, 0, 16, 0x00, 0, 0, 0, 0, 0, 0, 6, 0x12, 0, 0, 0, 0, 0, 0,
		6 };
	struct power_estimate estimate;

	(void)state;
	capture_add(&run->capture,
		&(struct record) { .cdb = { 0xa3, 0x0c },
			.cdb_len = 12,
			.data = { codes, sizeof(codes) },
			.duration_us = -1 });
	power_estimate(&run->subject, &run->options, &estimate);
	assert_int_equal(estimate.state_count, 0);
	fake_run_free(run);
}

static void an_ata_drive_is_told_by_extended_power_conditions(void **state)
{
	struct fake_run *run = fake_run_new(true);

	(void)state;
	say(run, "power.epc_supported", value_flag(true));
	say(run, "power.epc_enabled", value_flag(true));
	run->drive.identify[2 * 120] = 0x80;
	assert_int_equal(fake_run_go(run), 0);
	assert_float_equal(cell(run, "idle_b", "recovery_us"), 300000, 1100);
	assert_float_equal(cell(run, "standby_z", "recovery_us"), 8000000, 1100);
	assert_string_equal(result_of(run, "standby_immediate"), "measured");
	assert_string_equal(result_of(run, "idle_immediate"), "measured");
	assert_string_equal(result_of(run, "sleep"), "no row");
	assert_string_equal(result_of(run, "stopped"), "no row");
	fake_run_free(run);
}

static void a_timer_is_observed(void **state)
{
	struct fake_run *run = fake_run_new(false);
	const uint8_t page[40] = { 0x9a, 38, 0, 0x06, 0, 0, 0x17, 0x70 };
	double observed_ms = 0;

	(void)state;
	memcpy(run->drive.page[0], page, sizeof(page));
	run->drive.page_len[0] = sizeof(page);
	run->options.parts = POWER_TIMERS;
	fake_run_go(run);
	const struct row *row = row_of(run, "power_timers", "state", "idle_a");

	assert_non_null(row);
	assert_string_equal(row_get(row, "result").text, "went to sleep");
	assert_true(value_number(row_get(row, "observed_ms"), &observed_ms));
	assert_true(observed_ms >= 1000 && observed_ms < 1110);
	/* this drive knows no timer of standby_z */
	assert_string_equal(
		row_get(row_of(run, "power_timers", "state", "standby_z"), "result").text, "never");
	assert_memory_equal(run->drive.page[0], page, sizeof(page));
	fake_run_free(run);
}

static struct fake_run *with_sleep(void)
{
	static const char *const sleep[] = { "sleep" };
	struct fake_run *run = fake_run_new(true);

	run->options.with_sleep = true;
	run->options.states[0] = sleep[0];
	run->options.state_count = 1;
	return run;
}

static const char *reason_of(const struct fake_run *run)
{
	const struct row *row = row_of(run, "power_tries", "state", "sleep");

	return row ? row_get(row, "reason").text : "no row";
}

static void sleep_is_entered_once_and_a_reset_that_was_asked_for_ends_it(void **state)
{
	struct fake_run *run = with_sleep();

	(void)state;
	run->drive.transport.reset = fake_reset;
	assert_int_equal(fake_run_go(run), 0);
	assert_int_equal(run->end, POWER_COMPLETE);
	assert_string_equal(result_of(run, "sleep"), "left by a reset");
	assert_non_null(strstr(reason_of(run), "asked to reset it"));
	assert_int_equal(run->drive.sleeps, 1);
	assert_int_equal(run->drive.resets, 1);
	assert_int_equal(run->drive.state, F_ACTIVE);
	fake_run_free(run);
}

static void a_host_that_resets_by_itself_is_not_asked_to(void **state)
{
	struct fake_run *run = with_sleep();

	(void)state;
	run->drive.transport.reset = fake_reset;
	run->drive.reset_after = 1;
	assert_int_equal(fake_run_go(run), 0);
	assert_string_equal(result_of(run, "sleep"), "left by a reset");
	assert_non_null(strstr(reason_of(run), "after a command had timed out"));
	assert_int_equal(run->drive.resets, 0);
	fake_run_free(run);
}

static struct fake_run *with_standby_timer(const char *after)
{
	struct fake_run *run = fake_run_new(true);

	say(run, "power.standard_standby_timers", value_flag(true));
	run->options.parts = POWER_TIMERS;
	run->options.standby_timer = after;
	return run;
}

static void the_timer_of_standby_is_observed_and_set_to_what_is_wanted(void **state)
{
	struct fake_run *run = with_standby_timer("600");
	double observed_ms = 0;

	(void)state;
	assert_int_equal(fake_run_go(run), 0);
	const struct row *row = row_of(run, "power_timers", "state", "standby");

	assert_non_null(row);
	assert_string_equal(row_get(row, "result").text, "went to sleep");
	assert_true(value_number(row_get(row, "observed_ms"), &observed_ms));
	assert_true(observed_ms >= 5000 && observed_ms < 5300);
	assert_int_equal(run->drive.standby_timer_us, 600000000);
	assert_false(run->drive.journal_missing);
	fake_run_free(run);
}

static void the_timer_of_standby_is_left_alone_where_nobody_says_what_it_was(void **state)
{
	struct fake_run *run = with_standby_timer(NULL);

	(void)state;
	run->drive.standby_timer_us = 1200000000;
	assert_int_equal(fake_run_go(run), 0);
	assert_null(row_of(run, "power_timers", "state", "standby"));
	assert_int_equal(run->drive.standby_timer_us, 1200000000);
	assert_true(run->facts.note_count > 0);
	fake_run_free(run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recovery_times_are_those_of_the_drive),
		cmocka_unit_test(no_address_is_read_twice),
		cmocka_unit_test(the_tail_lasts_until_reads_are_as_fast_as_before),
		cmocka_unit_test(what_a_cache_answers_is_no_recovery),
		cmocka_unit_test(a_drive_that_reads_on_and_on_in_its_sleep_has_no_recovery_time),
		cmocka_unit_test(a_state_that_is_refused_is_tried_once),
		cmocka_unit_test(a_state_that_is_never_seen_is_not_entered),
		cmocka_unit_test(a_state_that_ends_by_itself_is_not_measured),
		cmocka_unit_test(a_drive_that_refuses_fua_is_read_without),
		cmocka_unit_test(a_bridge_that_answers_for_the_drive_is_not_believed),
		cmocka_unit_test(only_the_states_that_are_named_are_entered),
		cmocka_unit_test(a_drive_that_lists_its_commands_without_it_is_not_stopped),
		cmocka_unit_test(an_ata_drive_is_told_by_extended_power_conditions),
		cmocka_unit_test(a_timer_is_observed),
		cmocka_unit_test(sleep_is_entered_once_and_a_reset_that_was_asked_for_ends_it),
		cmocka_unit_test(a_host_that_resets_by_itself_is_not_asked_to),
		cmocka_unit_test(the_timer_of_standby_is_observed_and_set_to_what_is_wanted),
		cmocka_unit_test(the_timer_of_standby_is_left_alone_where_nobody_says_what_it_was),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
