#include "test.h"

#include "fake_disk.h"

static void a_unit_attention_does_not_hide_the_power_state(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "03", .text = ATTENTION, .times = 1 },
		{ .cdb = "03", .text = STANDBY },
	};
	struct run run;
	const struct record *record;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "03"), 2);
	assert_int_equal(count_commands(&run, "4d"), 0);
	record = find(&run, PAGE_REQUEST_SENSE, 0, 0, 0);
	assert_int_equal(bytes_u8(record->data, 12), 0x5e);
	capture_deinit(&run.capture);
}

static void of_several_tries_the_last_is_found_and_all_are_kept(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "4d004d00", .sense = ATTENTION, .times = 2 },
		{ .cdb = "4d006f00", .sense = DEFERRED, .times = 1 },
		{ .cdb = "00", .sense = ATTENTION, .times = 1 },
		{ .cdb = "00", .sense = STOPPED },
	};
	const struct record *record;
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(run.fake.count, ARRAY_LEN(disk_commands) + 4);
	assert_int_equal(count_commands(&run, "4d004d00"), 3);
	assert_true(record_is_good(find(&run, PAGE_LOG, 0x0d, 0, 1)));
	/* of two that are not good the last, too */
	record = find(&run, PAGE_TEST_UNIT_READY, 0, 0, 0);
	assert_int_equal(bytes_u8(record->sense, 12), 0x04);
	assert_int_equal(run.capture.note_count, 1); /* of the deferred error */
	capture_deinit(&run.capture);
}

static void a_page_that_is_longer_is_read_whole(void **state)
{
	static uint8_t page[6000] = { 0x0d, 0, 0x17, 0x6c };
	struct fake_answer first[] = {
		{ .cdb = "4d004d00", .data = { page, sizeof(page) } },
	};
	const struct record *record;
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "4d004d00000000100000"), 1);
	assert_int_equal(count_commands(&run, "4d004d00000000177000"), 1);
	record = find(&run, PAGE_LOG, 0x0d, 0, 1);
	assert_int_equal(record->data.len, sizeof(page));
	capture_deinit(&run.capture);
}

static void another_page_in_its_place_is_not_read_again(void **state)
{
	static uint8_t page[6000] = { 0x02, 0, 0x17, 0x6c };
	struct fake_answer first[] = {
		{ .cdb = "4d004d00", .data = { page, sizeof(page) } },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "4d004d00"), 1);
	capture_deinit(&run.capture);
}

static void lists_that_repeat_or_make_up_pages_cost_little(void **state)
{
	static uint8_t list[65535] = { 0x40, 0xff, 0xff, 0xf8 };
	struct fake_answer first[] = {
		{ .cdb = "4d004000", .text = "0000000a0d0d0d0d0f30373e3132" },
		{ .cdb = "4d0040ff", .data = { list, sizeof(list) } },
	};
	struct run run;

	(void)state;
	for (size_t i = 4; i + 1 < sizeof(list); i += 2) {
		list[i] = (uint8_t)(i / 512);
		list[i + 1] = (uint8_t)(i / 2);
	}
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "4d004d00"), 1);
	assert_int_equal(count_commands(&run, "4d004f"), 0); /* 0Fh is the hosts' */
	assert_int_equal(count_commands(&run, "4d007000"), 1);
	assert_int_equal(count_commands(&run, "4d007100"), 0); /* of a vendor, unknown */
	assert_true(count_commands(&run, "4d") <= 96 + 3);
	capture_deinit(&run.capture);
}

static void a_list_of_pages_is_not_taken_for_one_of_subpages(void **state)
{
	static const struct {
		const char *list;
		const char *cdb; /* that is not sent */
	} cases[] = {
		{ "000000030d2f00", "4d004d2f" },   /* the drive ignored the subpage code */
		{ "40ff00040dff2f00", "4d004dff" }, /* that is again a list */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fake_answer first = { .cdb = "4d0040ff", .text = cases[i].list };
		struct run run;

		run_init(&run, &first, 1);
		run_collect(&run);
		assert_int_equal(count_commands(&run, cases[i].cdb), 0);
		assert_int_equal(count_commands(&run, "4d006f00"), 1);
		capture_deinit(&run.capture);
	}
}

static void one_dead_page_does_not_end_the_run(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "4d004d00", .delivery = DELIVERY_TIMED_OUT },
		{ .cdb = "5a003f", .delivery = DELIVERY_FAILED, .os_error = 5 },
		{ .cdb = "120183", .sense = NO_FIELD },
	};
	const struct record *record;
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(run.result, 0);
	record = find(&run, PAGE_LOG, 0x0d, 0, 1);
	assert_int_equal(record->delivery, DELIVERY_TIMED_OUT);
	assert_null(record->data.at);
	assert_true(record_is_good(find(&run, PAGE_LOG, 0x2f, 0, 1)));
	assert_true(record_is_good(find(&run, PAGE_DEFECTS, 0, 0, 1)));
	assert_int_equal(run.capture.note_count, 1); /* of the time-out */
	capture_deinit(&run.capture);
}

static void a_drive_that_dies_on_the_way_leaves_what_it_said(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "00", .times = 1 },
		{ .cdb = "00", .delivery = DELIVERY_TIMED_OUT },
		{ .cdb = "4d", .delivery = DELIVERY_TIMED_OUT },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(run.result, 0);
	assert_int_equal(count_commands(&run, "4d"), 1);
	assert_int_equal(count_commands(&run, "00"), 2);
	assert_int_equal(count_commands(&run, "5a"), 0);
	assert_true(record_is_good(find(&run, PAGE_READ_CAPACITY_16, 0, 0, 0)));
	assert_int_equal(run.capture.note_count, 3);
	capture_deinit(&run.capture);
}

static void a_drive_without_identity_is_an_error(void **state)
{
	static const struct {
		struct fake_answer first;
		enum exit_status status;
		size_t most; /* commands */
	} cases[] = {
		{ { .cdb = "", .delivery = DELIVERY_TIMED_OUT }, EXIT_TIMED_OUT, 2 },
		{ { .cdb = "", .delivery = DELIVERY_GONE, .os_error = 6 }, EXIT_NO_SUCH, 1 },
		{ { .cdb = "1200", .sense = NO_FIELD }, EXIT_UNKNOWN, 2 },
		{ { .cdb = "1200", .text = "7f00060200" }, EXIT_NO_SUCH, 2 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run run;

		run_init(&run, &cases[i].first, 1);
		run_collect(&run);
		assert_int_equal(run.result, -1);
		assert_int_equal(run.error.status, cases[i].status);
		assert_int_equal(run.fake.count, cases[i].most);
		capture_deinit(&run.capture);
	}
}

static void what_is_not_permitted_is_noted(void **state)
{
	static const struct fake_answer first[] = {
		{ .cdb = "a30c", .delivery = DELIVERY_FAILED, .os_error = 1 },
	};
	struct run run;

	(void)state;
	run_init(&run, first, ARRAY_LEN(first));
	run_collect(&run);
	assert_int_equal(run.capture.note_count, 1);
	assert_non_null(strstr(run.capture.notes[0], "permitted"));
	capture_deinit(&run.capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_unit_attention_does_not_hide_the_power_state),
		cmocka_unit_test(of_several_tries_the_last_is_found_and_all_are_kept),
		cmocka_unit_test(a_page_that_is_longer_is_read_whole),
		cmocka_unit_test(another_page_in_its_place_is_not_read_again),
		cmocka_unit_test(lists_that_repeat_or_make_up_pages_cost_little),
		cmocka_unit_test(a_list_of_pages_is_not_taken_for_one_of_subpages),
		cmocka_unit_test(one_dead_page_does_not_end_the_run),
		cmocka_unit_test(a_drive_that_dies_on_the_way_leaves_what_it_said),
		cmocka_unit_test(a_drive_without_identity_is_an_error),
		cmocka_unit_test(what_is_not_permitted_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
