#include "test.h"

#include "fake_disk.h"

static void a_drive_is_asked_for_what_it_lists_and_nothing_else(void **state)
{
	struct run run;

	(void)state;
	run_init(&run, NULL, 0);
	run_collect(&run);
	assert_int_equal(run.result, 0);
	fake_expect(&run.fake, disk_commands, ARRAY_LEN(disk_commands));
	assert_int_equal(run.capture.note_count, 0);
	assert_int_equal(find(&run, PAGE_LOG, 0x0d, 0, 1)->data.len, 10);
	/* what is refused is an answer */
	assert_false(record_is_good(find(&run, PAGE_MODE, 0x3f, 0xff, 3)));
	assert_int_equal(find(&run, PAGE_MODE, 0x3f, 0xff, 3)->sense.len, 14);
	assert_null(find(&run, PAGE_MODE, 0x3f, 0xff, 3)->data.at);
	capture_deinit(&run.capture);
}

static void a_replayed_capture_gives_the_same_capture(void **state)
{
	struct transport *replay;
	struct capture again;
	struct run run;

	(void)state;
	run_init(&run, NULL, 0);
	run_collect(&run);
	replay = transport_open_replay(&run.capture);
	capture_init(&again, "again");
	assert_int_equal(collect(replay, &run.options, &again, &run.error), 0);
	assert_int_equal(again.record_count, run.capture.record_count);
	for (size_t i = 0; i < again.record_count; i++) {
		const struct record *a = &again.records[i], *b = &run.capture.records[i];

		assert_memory_equal(a->cdb, b->cdb, CDB_MAX);
		assert_int_equal(a->data.len, b->data.len);
		assert_int_equal(a->sense.len, b->sense.len);
	}
	replay->close(replay);
	capture_deinit(&again);
	capture_deinit(&run.capture);
}

static void what_is_not_in_the_list_of_operation_codes_is_not_sent(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "a30c", .text = "00000020" CODE("00") CODE("12") CODE("5a") CODE("37") },
		{ .cdb = "37", .text = "000d0000" },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "9e"), 0);
	assert_int_equal(count_commands(&run, "25"), 0);
	assert_int_equal(count_commands(&run, "4d"), 0);
	assert_int_equal(count_commands(&run, "a2"), 0);
	assert_int_equal(count_commands(&run, "b7"), 0);
	assert_int_equal(count_commands(&run, "37000d00000000000400"), 1);
	assert_int_equal(count_commands(&run, "5a"), 4);
	capture_deinit(&run.capture);
}

static void a_list_that_lacks_inquiry_is_not_heeded(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "a30c", .text = "00000008" CODE("00") },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	fake_expect(&run.fake, disk_commands, ARRAY_LEN(disk_commands));
	assert_int_equal(run.capture.note_count, 1);
	capture_deinit(&run.capture);
}

static void the_shorter_command_is_taken_where_the_longer_is_unknown(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "a30c", .sense = UNKNOWN },
		{ .cdb = "9e10", .sense = UNKNOWN },
		{ .cdb = "25", .text = "000fffff00000200" },
		{ .cdb = "5a", .sense = UNKNOWN },
		{ .cdb = "1a00ff", .sense = NO_SAVED },
		{ .cdb = "1a00", .text = "0500000881" },
		{ .cdb = "b7", .sense = UNKNOWN },
		{ .cdb = "37", .text = "000d0008" },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "9e10"), 1);
	assert_int_equal(count_commands(&run, "25"), 1);
	assert_int_equal(count_commands(&run, "5a"), 1); /* not for each control again */
	assert_int_equal(count_commands(&run, "1a00"), 4);
	assert_int_equal(count_commands(&run, "37000d00000000000400"), 1);
	assert_true(record_is_good(find(&run, PAGE_MODE, 0x3f, 0xff, 0)));
	assert_true(record_is_good(find(&run, PAGE_DEFECTS, 0, 0, 1)));
	capture_deinit(&run.capture);
}

static void mode_pages_without_subpages_where_there_are_none(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "5a003fff", .sense = NO_FIELD },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "5a003fff"), 1);
	assert_int_equal(count_commands(&run, "5a003f00"), 1);
	assert_int_equal(count_commands(&run, "5a007f00"), 1);
	assert_int_equal(count_commands(&run, "5a00ff00"), 1);
	capture_deinit(&run.capture);
}

static void a_sleeping_drive_gets_only_what_does_not_wake_it(void **state)
{
	static const char *const states[] = { STANDBY, STOPPED };
	static const char *const sent[] = { "03", "1200", "120100", "120180", "120183", "120186" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(states); i++) {
		struct fake_answer first[] = { { .cdb = "03", .text = states[i] } };
		struct run run;

		run_init(&run, first, ARRAY_LEN(first));
		run_collect(&run);
		assert_int_equal(run.result, 0);
		fake_expect(&run.fake, sent, ARRAY_LEN(sent));
		assert_int_equal(run.capture.note_count, 1);
		capture_deinit(&run.capture);
	}
}

static void it_is_read_whole_where_it_may_be_woken(void **state)
{
	static const struct fake_answer first[] = { { .cdb = "03", .text = STANDBY } };
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run.options.wake = true;
	run_collect(&run);
	fake_expect(&run.fake, disk_commands, ARRAY_LEN(disk_commands));
	/* and it gets the time that it needs to spin up */
	assert_int_equal(run.fake.timeouts_ms[11], 60000);
	capture_deinit(&run.capture);
}

static void what_is_no_disk_is_only_identified(void **state)
{
	static const struct {
		const char *inquiry;
		const char *more; /* a command of its own; NULL: none */
	} cases[] = {
		{ "01800602", NULL },     /* tape */
		{ "05800602", NULL },     /* optical */
		{ "08800602", NULL },     /* changer */
		{ "0d000602", "1c0100" }, /* enclosure */
	};
	static const char *const sent[] = { "03", "1200", "120100", "120180", "120183", "00" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *expected[ARRAY_LEN(sent) + 1];
		struct fake_answer first = { .cdb = "1200", .text = cases[i].inquiry };
		struct run run;

		memcpy(expected, sent, sizeof(sent));
		expected[ARRAY_LEN(sent)] = cases[i].more;
		run_init(&run, &first, 1);
		capture_host(&run.capture, "transport", "usb");
		run_collect(&run);
		fake_expect(&run.fake, expected, ARRAY_LEN(sent) + (cases[i].more ? 1 : 0));
		capture_deinit(&run.capture);
	}
}

static void old_drives_are_not_asked_what_came_later(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "1200", .text = "000003021f000000" }, /* SPC */
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "a3"), 0);
	assert_int_equal(count_commands(&run, "a2"), 0);
	assert_int_equal(count_commands(&run, "4d0040ff"), 0);
	assert_int_equal(count_commands(&run, "5a003f00"), 1);
	assert_int_equal(count_commands(&run, "5a003fff"), 0);
	assert_int_equal(count_commands(&run, "4d004d00"), 1);
	capture_deinit(&run.capture);
}

struct progress {
	size_t calls, last;
};

static void take_progress(void *context, size_t command_count, struct page_id page)
{
	struct progress *progress = context;

	assert_true(page.kind != PAGE_NONE);
	progress->calls++;
	progress->last = command_count;
}

static void progress_is_told_before_each_command(void **state)
{
	struct progress progress = { 0 };
	struct run run;

	(void)state;
	run_init(&run, NULL, 0);
	run.options.progress = take_progress;
	run.options.context = &progress;
	run_collect(&run);
	assert_int_equal(progress.calls, ARRAY_LEN(disk_commands));
	assert_int_equal(progress.last, ARRAY_LEN(disk_commands) - 1);
	capture_deinit(&run.capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drive_is_asked_for_what_it_lists_and_nothing_else),
		cmocka_unit_test(a_replayed_capture_gives_the_same_capture),
		cmocka_unit_test(what_is_not_in_the_list_of_operation_codes_is_not_sent),
		cmocka_unit_test(a_list_that_lacks_inquiry_is_not_heeded),
		cmocka_unit_test(the_shorter_command_is_taken_where_the_longer_is_unknown),
		cmocka_unit_test(mode_pages_without_subpages_where_there_are_none),
		cmocka_unit_test(a_sleeping_drive_gets_only_what_does_not_wake_it),
		cmocka_unit_test(it_is_read_whole_where_it_may_be_woken),
		cmocka_unit_test(what_is_no_disk_is_only_identified),
		cmocka_unit_test(old_drives_are_not_asked_what_came_later),
		cmocka_unit_test(progress_is_told_before_each_command),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
