#include "test.h"

#include "fake_ata.h"

static void a_drive_is_asked_for_what_its_directories_list(void **state)
{
	static const uint8_t commands[3][6] = {
		{ 5, 0, 1, 0, 2, 0 },
		{ 3, 0, 2, 0, 1, 0 },
		{ 3, 0, 2, 0, 2, 0 },
	};
	struct run run;
	size_t seen = 0;

	(void)state;
	run_init(&run);
	run_collect(&run);
	fake_expect(&run.fake, drive_commands, ARRAY_LEN(drive_commands));
	assert_int_equal(find(&run, PAGE_ATA_LOG, 0x03, 0)->data.len, 4 * 512);
	for (size_t i = 0; i < run.capture.record_count; i++)
		if (run.capture.records[i].out.at) {
			assert_int_equal(run.capture.records[i].out.len, 512);
			assert_memory_equal(run.capture.records[i].out.at, commands[seen++], 6);
		}
	assert_int_equal(seen, 3);
	capture_deinit(&run.capture);
}

static void a_sleeping_drive_is_left_asleep(void **state)
{
	static const char *const sent[] = { "03", "1200", "120100", "8506200000", "120180",
		"120183" };
	struct run run;

	(void)state;
	run_init(&run);
	add(&run, (struct fake_answer) { .cdb = "8506200000", .sense = STANDBY });
	run_collect(&run);
	fake_expect(&run.fake, sent, ARRAY_LEN(sent));
	capture_deinit(&run.capture);
}

/* Of the pages of log 04h that were asked for at once, none or not all come. */
static void pages_are_read_one_by_one_where_many_at_once_fail(void **state)
{
	static const struct {
		const char *name;
		struct fake_answer first;
		bool others_at_once; /* the other logs */
	} cases[] = {
		{ "refused", { .cdb = "85090e00000003000400", .sense = ABORTED }, true },
		{ "timed out",
			{ .cdb = "85090e00000003000400",
				.delivery = DELIVERY_TIMED_OUT,
				.times = 1 },
			false },
		{ "cut short",
			{ .cdb = "85090e00000003000400", .data = { (const uint8_t *)"x", 1 } },
			true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		static const uint8_t pages[] = { 1, 2, 3, 5, 6, 7 };
		struct run run;

		run_init(&run);
		add(&run, cases[i].first);
		run_collect(&run);
		for (size_t p = 0; p < sizeof(pages); p++) {
			const struct record *record = find(&run, PAGE_ATA_LOG, 0x04, pages[p]);

			if (!record && cases[i].others_at_once)
				fail_msg("%s: no page %u", cases[i].name, pages[p]);
		}
		assert_int_equal(
			count_commands(&run, "85090e00000002000800"), cases[i].others_at_once);
		assert_int_equal(count_commands(&run, ONE("08", "01")), !cases[i].others_at_once);
		capture_deinit(&run.capture);
	}
}

/* Their directory counts the entries of a list that has holes. */
static void what_page_0_lists_is_read_where_the_log_seems_shorter(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	set_word(run.drive.directory, 0x04, 7);
	run_collect(&run);
	fake_expect(&run.fake, drive_commands, ARRAY_LEN(drive_commands));
	capture_deinit(&run.capture);
}

static void of_a_long_ring_the_pages_up_to_the_newest_entry_are_read(void **state)
{
	static const struct {
		unsigned index; /* of the newest entry, four a page */
		const char *cdbs[2];
	} cases[] = {
		{ 85, { "85090e00000010000300060000402f" } }, /* pages 6 to 21 */
		{ 5, { "85090e00000001000300010000402f", "85090e0000000e0003001a0000402f" } },
		{ 0, { "85090e0000000f000300190000402f" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t first[512] = { 0 };
		struct run run;
		size_t others;

		run_init(&run);
		set_word(run.drive.directory, 0x03, 40);
		set_word(first, 1, cases[i].index);
		add_data(&run, ONE("03", "00"), first, sizeof(first));
		run_collect(&run);
		others = 1; /* page 0 */
		for (size_t k = 0; k < 2; k++)
			if (cases[i].cdbs[k])
				others += count_commands(&run, cases[i].cdbs[k]);
		assert_int_equal(others, cases[i].cdbs[1] ? 3 : 2);
		capture_deinit(&run.capture);
	}
}

static void a_short_answer_is_gone_on_from_where_it_ended(void **state)
{
	static const uint8_t two[1024];
	struct run run;

	(void)state;
	run_init(&run);
	add_data(&run, "85090e00000004000300", two, sizeof(two));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "85090e00000004000300"), 1);
	assert_int_equal(count_commands(&run, ONE("03", "00")), 0);
	assert_int_equal(count_commands(&run, ONE("03", "02")), 1);
	assert_int_equal(count_commands(&run, ONE("03", "03")), 1);
	/* and nothing more is asked for at once from then on */
	assert_int_equal(count_commands(&run, ONE("08", "01")), 1);
	capture_deinit(&run.capture);
}

static void one_dead_page_of_a_log_does_not_hide_the_next(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	add(&run, (struct fake_answer) { .cdb = "85090e00000004000300", .sense = ABORTED });
	add(&run, (struct fake_answer) { .cdb = ONE("03", "01"), .sense = ABORTED });
	run_collect(&run);
	assert_false(record_is_good(find(&run, PAGE_ATA_LOG, 0x03, 1)));
	assert_true(record_is_good(find(&run, PAGE_ATA_LOG, 0x03, 2)));
	assert_true(record_is_good(find(&run, PAGE_ATA_LOG, 0x03, 3)));
	capture_deinit(&run.capture);
}

static void feature_bits_gate_what_is_sent(void **state)
{
	static const struct {
		const char *name;
		unsigned word, value;
		const char *cdb; /* that is not sent then */
	} cases[] = {
		{ "no SMART", 82, 0x0000, "85080e00d0" },
		{ "SMART disabled", 85, 0x0000, "85080e00d0" },
		{ "words 82 and 83 not valid", 83, 0x0000, "85062000da" },
		{ "no SCT", 206, 0x0000, ONE("e0", "00") },
		{ "SCT without tables", 206, 0x0009, ONE("e1", "00") },
		{ "no SCT, tables alone", 206, 0x0028, "850b26" },
	};
	struct run run;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		run_init(&run);
		set_word(run.drive.identify, cases[i].word, cases[i].value);
		run_collect(&run);
		if (count_commands(&run, cases[i].cdb))
			fail_msg("%s: sent", cases[i].name);
		capture_deinit(&run.capture);
	}
	/* general purpose logging is said in two places */
	run_init(&run);
	set_word(run.drive.identify, 84, 0x4003);
	set_word(run.drive.identify, 87, 0x4003);
	run_collect(&run);
	assert_int_equal(count_commands(&run, "85090e"), 0);
	/* what it would have had is had from SMART logs */
	assert_int_equal(count_commands(&run, "85080e00d500100002"), 1);
	assert_int_equal(count_commands(&run, "85080e00d500080004"), 1);
	assert_int_equal(count_commands(&run, "85080e00d5000100e0"), 1);
	assert_int_equal(count_commands(&run, "850a26"), 3);
	capture_deinit(&run.capture);
}

static void old_drives_tell_of_their_logs_in_smart_data(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	set_word(run.drive.identify, 84, 0x0000);
	set_word(run.drive.identify, 87, 0x0000);
	run.drive.smart_data[367] = 0x10;
	run.drive.smart_data[370] = 0x01;
	add(&run, (struct fake_answer) { .cdb = "85080e00d500010000", .sense = ABORTED });
	run_collect(&run);
	assert_int_equal(count_commands(&run, "85080e00d500010001"), 1);
	assert_int_equal(count_commands(&run, "85080e00d500010006"), 1);
	assert_int_equal(count_commands(&run, "85080e00d500010009"), 0);
	capture_deinit(&run.capture);
}

static void logs_are_read_by_dma_where_pio_is_refused(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	add(&run, (struct fake_answer) { .cdb = "85090e", .sense = ABORTED });
	add_data(&run, "850d0e00000001000000", run.drive.directory, 512);
	add_data(&run, "850d0e", run.drive.sectors, sizeof(run.drive.sectors));
	run_collect(&run);
	assert_int_equal(count_commands(&run, "85090e"), 1);
	assert_int_equal(count_commands(&run, "850d0e000000040003000000004047"), 1);
	assert_true(record_is_good(find(&run, PAGE_ATA_LOG, 0x03, 0)));
	capture_deinit(&run.capture);
	/* but not where the drive has no such command */
	run_init(&run);
	set_word(run.drive.identify, 119, 0x4000);
	add(&run, (struct fake_answer) { .cdb = "85090e", .sense = ABORTED });
	run_collect(&run);
	assert_int_equal(count_commands(&run, "850d0e"), 0);
	capture_deinit(&run.capture);
}

static void the_vendors_own_log_is_read_of_that_vendor_only(void **state)
{
	static const char seagate[] = "TSX00001";
	struct run run;

	(void)state;
	run_init(&run);
	memcpy(run.drive.identify + 2 * MODEL_WORD, seagate, sizeof(seagate) - 1);
	run_collect(&run);
	assert_int_equal(count_commands(&run, ONE("a6", "00")), 1);
	capture_deinit(&run.capture);
	run_init(&run);
	run_collect(&run);
	assert_int_equal(count_commands(&run, ONE("a6", "00")), 0);
	capture_deinit(&run.capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drive_is_asked_for_what_its_directories_list),
		cmocka_unit_test(a_sleeping_drive_is_left_asleep),
		cmocka_unit_test(pages_are_read_one_by_one_where_many_at_once_fail),
		cmocka_unit_test(what_page_0_lists_is_read_where_the_log_seems_shorter),
		cmocka_unit_test(of_a_long_ring_the_pages_up_to_the_newest_entry_are_read),
		cmocka_unit_test(a_short_answer_is_gone_on_from_where_it_ended),
		cmocka_unit_test(one_dead_page_of_a_log_does_not_hide_the_next),
		cmocka_unit_test(feature_bits_gate_what_is_sent),
		cmocka_unit_test(old_drives_tell_of_their_logs_in_smart_data),
		cmocka_unit_test(logs_are_read_by_dma_where_pio_is_refused),
		cmocka_unit_test(the_vendors_own_log_is_read_of_that_vendor_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
