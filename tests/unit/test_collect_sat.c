#include "test.h"

#include "fake_ata.h"

static void a_count_without_a_status_is_no_power_state(void **state)
{
	static const char *const senses[] = { NOTHING, NULL, NO_FIELD };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(senses); i++) {
		struct run run;

		run_init(&run);
		add(&run, (struct fake_answer) { .cdb = "8506200000", .sense = senses[i] });
		run_collect(&run);
		fake_expect(&run.fake, drive_commands, ARRAY_LEN(drive_commands));
		capture_deinit(&run.capture);
	}
}

static void the_12_byte_command_is_taken_where_the_16_byte_one_is_unknown(void **state)
{
	static const char *const sent[] = {
		"03",
		"1200",
		"120100",
		"85",
		"a10620000000000000e5",
		"120180",
		"120183",
		"00",
		"a1080e000100000000ec",
		"9e10",
		"5a0008",
		/* no 48-bit command: SMART logs only */
		"a10620da00004fc200b0",
		"a1080ed001004fc200b0",
		"a1080ed101014fc200b0",
		"a1080ed501004fc200b0",
		"a1080ed501014fc200b0",
		"a1080ed501064fc200b0",
		"a1080ed501094fc200b0",
		"a1080ed510024fc200b0",
		"a1080ed508044fc200b0",
		"a1080ed501e04fc200b0",
		"a10a26d601e04fc200b0",
		"a1080ed501e14fc200b0",
		"a10a26d601e04fc200b0",
		"a10a26d601e04fc200b0",
	};
	struct run run;

	(void)state;
	run_init(&run);
	add(&run, (struct fake_answer) { .cdb = "85", .sense = UNKNOWN });
	add(&run, (struct fake_answer) { .cdb = "a106200000", .sense = ACTIVE });
	add(&run, (struct fake_answer) { .cdb = "a10620da", .sense = PASSED });
	add(&run, (struct fake_answer) { .cdb = "a10a26", .sense = REGISTERS });
	add_data(&run, "a1080e000100000000ec", run.drive.identify, 512);
	add_data(&run, "a1080ed50100", run.drive.smart_directory, 512);
	add_data(&run, "a1080e", run.drive.sectors, sizeof(run.drive.sectors));
	run_collect(&run);
	fake_expect(&run.fake, sent, ARRAY_LEN(sent));
	capture_deinit(&run.capture);
}

static void a_usb_stick_gets_two_ata_commands_and_then_no_more(void **state)
{
	static const char *const sent[] = { "03", "1200000024", "120100", "85", "a1", "120180",
		"120183", "00", "9e10", "5a003f0000000000c000" };
	struct run run;

	(void)state;
	run_init(&run);
	capture_host(&run.capture, "transport", "usb");
	add(&run,
		(struct fake_answer) { .cdb = "1200",
			.text = "000006021f000000"
				"5553422020202020" });
	add(&run, (struct fake_answer) { .cdb = "85", .sense = UNKNOWN });
	add(&run, (struct fake_answer) { .cdb = "a1", .sense = UNKNOWN });
	add(&run, (struct fake_answer) { .cdb = "5a003f", .text = "0006" });
	run_collect(&run);
	fake_expect(&run.fake, sent, ARRAY_LEN(sent));
	capture_deinit(&run.capture);
}

static void a_disk_behind_a_usb_bridge_is_read_as_what_it_is(void **state)
{
	struct run run;

	(void)state;
	run_init(&run);
	capture_host(&run.capture, "transport", "usb");
	add(&run,
		(struct fake_answer) { .cdb = "1200",
			.text = "000006021f000000"
				"4272696467652020" });
	run_collect(&run);
	assert_int_equal(count_commands(&run, "85080e0000000100000000000000ec"), 1);
	assert_int_equal(count_commands(&run, "85080e00d0"), 1);
	assert_int_equal(count_commands(&run, "5a"), 0);
	capture_deinit(&run.capture);
}

static void nothing_of_ata_is_sent_to_what_is_no_disk(void **state)
{
	static const struct {
		const char *inquiry, *link;
	} cases[] = {
		{ "018006021f0000004154412020202020", "sata" }, /* tape */
		{ "058006021f0000004154412020202020", "sata" }, /* optical */
		{ "058006021f0000004154412020202020", "usb" },
		{ "078006021f0000004154412020202020", "usb" },
		{ "088006021f0000004154412020202020", "usb" },
		{ "0d0006021f0000004154412020202020", "sas" }, /* enclosure */
		{ "0e0006021f0000004154412020202020", "sas" }, /* RBC: only behind USB */
		{ "000006021f0000004558414d504c4520", "sas" }, /* a SCSI disk */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run run;

		run_init(&run);
		capture_host(&run.capture, "transport", cases[i].link);
		add(&run, (struct fake_answer) { .cdb = "1200", .text = cases[i].inquiry });
		run_collect(&run);
		assert_int_equal(count_commands(&run, "85"), 0);
		assert_int_equal(count_commands(&run, "a1"), 0);
		capture_deinit(&run.capture);
	}
}

static void a_zoned_disk_and_one_of_vpd_page_89h_are_ata(void **state)
{
	static const struct {
		const char *inquiry, *pages;
	} cases[] = {
		{ "140006021f0000004154412020202020", "0000000100" },
		{ "000006021f0000004558414d504c4520", "000000020089" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run run;

		run_init(&run);
		add(&run, (struct fake_answer) { .cdb = "1200", .text = cases[i].inquiry });
		add(&run, (struct fake_answer) { .cdb = "120100", .text = cases[i].pages });
		run_collect(&run);
		assert_int_equal(count_commands(&run, "85080e00d0"), 1);
		capture_deinit(&run.capture);
	}
}

static void vpd_page_89h_stands_in_for_identify_device(void **state)
{
	static const struct {
		const char *sense;
		bool more; /* ATA commands after it */
	} cases[] = {
		{ ABORTED, true },
		{ NO_FIELD,
			false }, /* the translator's own answer: it would refuse the others, too */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t vpd[572] = { 0x00, 0x89, 0x02, 0x38, [56] = 0xec };
		struct run run;

		run_init(&run);
		memcpy(vpd + 60, run.drive.identify, 512);
		add(&run, (struct fake_answer) { .cdb = "120100", .text = "000000020089" });
		add_data(&run, "120189", vpd, sizeof(vpd));
		add(&run,
			(struct fake_answer) {
				.cdb = "85080e0000000100000000000000ec", .sense = cases[i].sense });
		run_collect(&run);
		assert_int_equal(count_commands(&run, "85080e00d0"), cases[i].more);
		assert_int_equal(count_commands(&run, "9e10"), 1);
		assert_int_equal(count_commands(&run, "4d"), 0);
		capture_deinit(&run.capture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_count_without_a_status_is_no_power_state),
		cmocka_unit_test(the_12_byte_command_is_taken_where_the_16_byte_one_is_unknown),
		cmocka_unit_test(a_usb_stick_gets_two_ata_commands_and_then_no_more),
		cmocka_unit_test(a_disk_behind_a_usb_bridge_is_read_as_what_it_is),
		cmocka_unit_test(nothing_of_ata_is_sent_to_what_is_no_disk),
		cmocka_unit_test(a_zoned_disk_and_one_of_vpd_page_89h_are_ata),
		cmocka_unit_test(vpd_page_89h_stands_in_for_identify_device),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
