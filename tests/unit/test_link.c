#include "drive.h"

static void sata_rates_come_from_words_76_and_77(void **state)
{
	static const struct {
		const char *name;
		unsigned word_76, word_77;
		double max, now; /* 0: unknown; -1: absent */
	} cases[] = {
		{ "6 Gbit/s", 0x000e, 0x0006, 6, 6 },
		{ "slower than it can", 0x000e, 0x0004, 6, 3 },
		{ "an old drive", 0x0006, 0x0000, 3, 0 },
		{ "generation 1", 0x0002, 0x0002, 1.5, 1.5 },
		{ "no rate told", 0x0100, 0x0002, 0, 1.5 },
		{ "reserved generation", 0x000e, 0x000e, 6, -2 },
		{ "parallel", 0x0000, 0x0006, -1, -1 },
		{ "all ones", 0xffff, 0x0006, -1, -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 76, cases[i].word_76);
		word_set(identify, 77, cases[i].word_77);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].max < 0)
			expect_absent(drive, "link.max_gbps");
		else if (cases[i].max > 0)
			expect_real(drive, "link.max_gbps", cases[i].max);
		else
			expect_state(drive, "link.max_gbps", FACT_UNKNOWN);
		if (cases[i].now > 0)
			expect_real(drive, "link.now_gbps", cases[i].now);
		else if (cases[i].max < 0)
			expect_absent(drive, "link.now_gbps");
		else
			expect_state(drive, "link.now_gbps",
				cases[i].now < 0 ? FACT_INVALID : FACT_UNKNOWN);
		assert_int_equal(has_note(drive, "the drive can do"),
			cases[i].now > 0 && cases[i].max > 0 && cases[i].now < cases[i].max);
		drive_free(drive);
	}
}

static void sata_features_are_flags(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_flag(drive, "link.queuing", true);
	expect_uint(drive, "link.queue_depth_count", 32);
	expect_flag(drive, "link.host_power_management", true);
	expect_flag(drive, "link.phy_events_supported", true);
	expect_flag(drive, "link.ncq_priority", true);
	expect_flag(drive, "link.device_power_management", true);
	expect_flag(drive, "link.device_power_management_enabled", true);
	expect_flag(drive, "link.settings_preserved", true);
	expect_flag(drive, "link.ncq_autosense", false);
	expect_flag(drive, "link.devsleep", true);
	expect_flag(drive, "link.devsleep_enabled", false);
	expect_flag(drive, "link.power_disable", false);
	drive_free(drive);
}

static void a_queue_depth_needs_ncq(void **state)
{
	static const struct {
		unsigned word_75, word_76;
		uint64_t depth; /* 0: unknown; UINT64_MAX: absent */
	} cases[] = {
		{ 31, 0x010e, 32 },
		{ 0x0001, 0x010e, 2 },
		{ 31, 0x000e, UINT64_MAX },
		{ 0, 0x010e, 0 },
		{ 0xffff, 0x010e, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 75, cases[i].word_75);
		word_set(identify, 76, cases[i].word_76);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].depth == UINT64_MAX)
			expect_absent(drive, "link.queue_depth_count");
		else if (cases[i].depth)
			expect_uint(drive, "link.queue_depth_count", cases[i].depth);
		else
			expect_state(drive, "link.queue_depth_count", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void the_host_sees_the_drives_link_unless_there_is_a_bridge(void **state)
{
	static const struct {
		const char *transport, *gbps;
		bool contradiction;
		double host; /* 0: absent */
	} cases[] = {
		{ "sata", "6.0", false, 0 },
		{ "sata", "3.0", true, 0 },
		{ "usb", "5", false, 5 },
		{ "sata", "fast", false, 0 },
		{ "usb", "-1", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		give_identify(&drive->capture, identify);
		capture_host(&drive->capture, "transport", cases[i].transport);
		capture_host(&drive->capture, "link_gbps", cases[i].gbps);
		drive_decode(drive);
		expect_real(drive, "link.now_gbps", 6);
		assert_int_equal(has_note(drive, "link.now_gbps: sources contradict"),
			cases[i].contradiction);
		if (cases[i].host > 0)
			expect_real(drive, "link.host_gbps", cases[i].host);
		else
			expect_absent(drive, "link.host_gbps");
		drive_free(drive);
	}
}

static void the_identify_log_tells_the_rate_too(void **state)
{
	static const uint8_t page[512] = { 1, 0, 8, 0, 0, 0, 0, 0x80, [16] = 2, [23] = 0x80 };
	struct drive *drive = drive_new();

	(void)state;
	give_ata_log(&drive->capture, 0x30, 8, page, sizeof(page));
	drive_decode(drive);
	expect_real(drive, "link.now_gbps", 3);
	drive_free(drive);
}

enum { PHY = 48, PORT = 8 + PHY, PHY_PAGE = 4 + 2 * PORT };

/* Log page 18h of two ports with a phy each, the second not attached. */
static void phys_page(uint8_t page[PHY_PAGE])
{
	static const uint8_t phy[PHY] = { 0, 0, 0, 44, 0x20, 0x0a, 0, 8, 0x50, 0, 0xc5, 0, 1, 2, 3,
		5, 0x50, 3, 4, 0x80, 0, 0, 0, 1, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0,
		0, 0, 3, 0, 0, 1, 0 };

	memset(page, 0, PHY_PAGE);
	page[0] = 0x18;
	page[3] = PHY_PAGE - 4;
	for (unsigned port = 0; port < 2; port++) {
		uint8_t *at = &page[4 + port * PORT];

		at[1] = (uint8_t)(port + 1);
		at[3] = PORT - 4;
		at[4] = 6;
		at[7] = 1;
		memcpy(&at[8], phy, PHY);
		at[8 + 1] = (uint8_t)port;
	}
	page[4 + PORT + 8 + 4] = 0;
	page[4 + PORT + 8 + 5] = 0;
	memset(&page[4 + PORT + 8 + 16], 0, 8);
}

static void sas_phys_are_rows_of_their_ports(void **state)
{
	uint8_t page[PHY_PAGE];
	struct drive *drive = drive_new();

	(void)state;
	phys_page(page);
	give_log(&drive->capture, 0x18, 0, page, sizeof(page));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "phys"), 2);
	const struct row *row = row_of(drive, "phys", 0);
	assert_true(cell_is(row, "port", value_uint(1)));
	assert_true(cell_is(row, "phy", value_uint(0)));
	assert_true(cell_is(row, "state", value_text("linked")));
	assert_true(cell_is(row, "now_gbps", value_real(6)));
	assert_true(cell_is(row, "attached", value_text("expander")));
	assert_true(cell_is(row, "sas_address", value_text("0x5000c50001020305")));
	assert_true(cell_is(row, "attached_sas_address", value_text("0x5003048000000001")));
	assert_true(cell_is(row, "attached_phy", value_uint(7)));
	assert_true(cell_is(row, "invalid_dwords", value_uint(1)));
	assert_true(cell_is(row, "running_disparity_errors", value_uint(2)));
	assert_true(cell_is(row, "loss_of_dword_sync", value_uint(3)));
	assert_true(cell_is(row, "phy_reset_problems", value_uint(256)));
	row = row_of(drive, "phys", 1);
	assert_true(cell_is(row, "port", value_uint(2)));
	assert_true(cell_is(row, "phy", value_uint(1)));
	assert_true(cell_is(row, "now_gbps", value_null()));
	assert_true(cell_is(row, "attached", value_text("none")));
	assert_true(cell_is(row, "attached_sas_address", value_null()));
	expect_real(drive, "link.now_gbps", 6);
	expect_uint(drive, "link.port_count", 2);
	expect_absent(drive, "link.max_gbps");
	drive_free(drive);
}

static void a_descriptor_of_length_0_has_48_bytes_and_a_longer_one_more(void **state)
{
	static const struct {
		uint8_t length;
		size_t step;
	} cases[] = { { 0, 48 }, { 44, 48 }, { 60, 64 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[4 + 8 + 2 * 64] = { 0x18, 0, 0, sizeof(page) - 4, 0, 1, 3,
			sizeof(page) - 8, 6, 0, 0, 2 };
		struct drive *drive = drive_new();

		for (unsigned phy = 0; phy < 2; phy++) {
			uint8_t *at = &page[12 + phy * cases[i].step];

			at[1] = (uint8_t)(10 + phy);
			at[3] = cases[i].length;
			at[5] = 0x0b;
			at[35] = (uint8_t)(phy + 1);
		}
		give_log(&drive->capture, 0x18, 0, page, sizeof(page));
		drive_decode(drive);
		assert_int_equal(row_count(drive, "phys"), 2);
		assert_true(cell_is(row_of(drive, "phys", 1), "phy", value_uint(11)));
		assert_true(cell_is(row_of(drive, "phys", 1), "now_gbps", value_real(12)));
		assert_true(cell_is(row_of(drive, "phys", 1), "invalid_dwords", value_uint(2)));
		drive_free(drive);
	}
}

static void the_mode_page_tells_what_a_phy_could_do(void **state)
{
	uint8_t page[PHY_PAGE],
		mode[8 + 8 + 2 * PHY] = { 0, sizeof(mode) - 2, 0, 0, 0, 0, 0, 0, 0x59, 1, 0,
			4 + 2 * PHY, 0, 6, 0, 2 };
	struct drive *drive = drive_new();

	(void)state;
	phys_page(page);
	for (unsigned phy = 0; phy < 2; phy++) {
		uint8_t *at = &mode[16 + phy * PHY];

		at[1] = (uint8_t)phy;
		at[32] = 0x88;
		at[33] = 0xab;
	}
	give_log(&drive->capture, 0x18, 0, page, sizeof(page));
	give_mode(&drive->capture, 0, 0x19, 1, mode, sizeof(mode));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "phys"), 2);
	assert_true(cell_is(row_of(drive, "phys", 0), "max_gbps", value_real(12)));
	expect_real(drive, "link.max_gbps", 12);
	assert_true(has_note(drive, "phy 0: linked at 6 Gbit/s, can do 12"));
	assert_false(has_note(drive, "phy 1"));
	drive_free(drive);
}

static void the_mode_page_alone_gives_rows(void **state)
{
	static const uint8_t mode[8 + 8 + PHY] = { 0, sizeof(mode) - 2, 0, 0, 0, 0, 0, 0, 0x59, 1,
		0, 4 + PHY, 0, 6, 0, 1, [16 + 1] = 3, [16 + 5] = 0x0a, [16 + 33] = 0xaa };
	struct drive *drive = drive_new();

	(void)state;
	give_mode(&drive->capture, 0, 0x19, 1, mode, sizeof(mode));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "phys"), 1);
	assert_true(cell_is(row_of(drive, "phys", 0), "port", value_null()));
	assert_true(cell_is(row_of(drive, "phys", 0), "phy", value_uint(3)));
	expect_real(drive, "link.now_gbps", 6);
	expect_real(drive, "link.max_gbps", 6);
	assert_false(has_note(drive, "linked at"));
	drive_free(drive);
}

static void phys_that_are_cut_off_are_left_out(void **state)
{
	uint8_t page[PHY_PAGE];

	(void)state;
	phys_page(page);
	for (size_t len = 0; len <= sizeof(page); len++) {
		struct drive *drive = drive_new();

		give_log(&drive->capture, 0x18, 0, page, len);
		drive_decode(drive);
		assert_int_equal(row_count(drive, "phys"),
			len < 4 + PORT           ? 0
				: len < PHY_PAGE ? 1
						 : 2);
		drive_free(drive);
	}
}

static void ports_are_counted_by_their_descriptors(void **state)
{
	static const uint8_t page[] = { 0, 0x88, 0, 48,
		/* port 1: a transport id of 8 bytes, a designator */
		0, 0, 0, 1, 0, 0, 0, 8, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 0x61, 0x93, 0, 8, 0x50,
		0, 0, 0, 0, 0, 0, 1,
		/* port 2: nothing */
		0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0,
		/* not a whole one */
		0, 0, 0, 3 };
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x88, page, sizeof(page));
	drive_decode(drive);
	expect_uint(drive, "link.port_count", 2);
	drive_free(drive);
}

static void inquiry_tells_of_ports_and_queues(void **state)
{
	static const uint8_t inquiry[36] = { 0, 0, 6, 2, 31, 0x30, 0x10, 0x02 };
	struct drive *drive = drive_new();

	(void)state;
	give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
	drive_decode(drive);
	expect_flag(drive, "link.multiport", true);
	expect_flag(drive, "link.queuing", true);
	expect_text(drive, "link.asymmetric_access", "implicit and explicit");
	drive_free(drive);
}

static void phy_events_have_the_width_that_their_id_says(void **state)
{
	static const uint8_t head[] = { 0, 0, 0, 0,
		/* 001h, one word; 00Bh, two; 8D00h of the vendor, three; 00Eh, four */
		0x01, 0x10, 0xff, 0xff, 0x0b, 0x20, 1, 2, 3, 4, 0x00, 0xbd, 1, 0, 0, 0, 0, 1, 0x0e,
		0x40, 1, 0, 0, 0, 0, 0, 0, 0x80, 0, 0 };
	static const struct {
		uint64_t id, value, bits;
		const char *name; /* NULL: none */
	} wanted[] = {
		{ 0x001, 0xffff, 16, "command failed with interface CRC error" },
		{ 0x00b, 0x04030201, 32, "CRC error in host-to-device FIS" },
		{ 0x8d00, 0x010000000001, 48, "vendor specific" },
		{ 0x00e, UINT64_C(0x8000000000000001), 64, NULL },
	};
	uint8_t page[512] = { 0 };
	struct drive *drive = drive_new();

	(void)state;
	memcpy(page, head, sizeof(head));
	page[511] = (uint8_t)-bytes_sum((struct bytes) { page, 512 });
	give_ata_log(&drive->capture, 0x11, 0, page, sizeof(page));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "phy_event_counters"), ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct row *row = row_of(drive, "phy_event_counters", i);

		assert_true(cell_is(row, "id", value_uint(wanted[i].id)));
		assert_true(cell_is(row, "value", value_uint(wanted[i].value)));
		assert_true(cell_is(row, "bits", value_uint(wanted[i].bits)));
		assert_true(cell_is(
			row, "name", wanted[i].name ? value_text(wanted[i].name) : value_null()));
	}
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void phy_events_end_before_the_checksum(void **state)
{
	static const struct {
		uint8_t id_low, id_high; /* of each counter in the page */
		size_t rows;
		const char *note;
	} cases[] = {
		{ 0x01, 0x10, 126, "wrong checksum" },
		{ 0xff, 0xff, 0, "a counter of 14 bytes" },
		{ 0x01, 0x00, 0, "a counter of 0 bytes" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[512];
		struct drive *drive = drive_new();

		for (size_t at = 0; at < sizeof(page); at += 2) {
			page[at] = cases[i].id_low;
			page[at + 1] = cases[i].id_high;
		}
		page[0] = 0x55;
		give_ata_log(&drive->capture, 0x11, 0, page, sizeof(page));
		drive_decode(drive);
		assert_true(has_note(drive, cases[i].note));
		assert_in_range(
			row_count(drive, "phy_event_counters"), cases[i].rows, cases[i].rows);
		drive_free(drive);
	}
}

static void each_sata_feature_is_a_bit_of_its_own(void **state)
{
	static const struct bit bits[] = {
		{ "link.queuing", 2 * 76, 2, 8, true },
		{ "link.host_power_management", 2 * 76, 2, 9, true },
		{ "link.phy_events_supported", 2 * 76, 2, 10, true },
		{ "link.ncq_priority", 2 * 76, 2, 12, true },
		{ "link.device_power_management", 2 * 78, 2, 3, true },
		{ "link.settings_preserved", 2 * 78, 2, 6, true },
		{ "link.ncq_autosense", 2 * 78, 2, 7, true },
		{ "link.devsleep", 2 * 78, 2, 8, true },
		{ "link.power_disable", 2 * 78, 2, 12, true },
		{ "link.device_power_management_enabled", 2 * 79, 2, 3, true },
		{ "link.devsleep_enabled", 2 * 79, 2, 8, true },
	};
	uint8_t identify[512];

	(void)state;
	identify_ssd(identify);
	expect_bits(bits, ARRAY_LEN(bits), identify, sizeof(identify), give_identify_to);
}

static void facts_of_the_link_point_to_their_words(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_source(drive, "link.queue_depth_count", 2 * 75, 2);
	expect_source(drive, "link.max_gbps", 2 * 76, 2);
	expect_source(drive, "link.now_gbps", 2 * 77, 2);
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(sata_rates_come_from_words_76_and_77),
		cmocka_unit_test(sata_features_are_flags),
		cmocka_unit_test(a_queue_depth_needs_ncq),
		cmocka_unit_test(the_host_sees_the_drives_link_unless_there_is_a_bridge),
		cmocka_unit_test(the_identify_log_tells_the_rate_too),
		cmocka_unit_test(sas_phys_are_rows_of_their_ports),
		cmocka_unit_test(a_descriptor_of_length_0_has_48_bytes_and_a_longer_one_more),
		cmocka_unit_test(the_mode_page_tells_what_a_phy_could_do),
		cmocka_unit_test(the_mode_page_alone_gives_rows),
		cmocka_unit_test(phys_that_are_cut_off_are_left_out),
		cmocka_unit_test(ports_are_counted_by_their_descriptors),
		cmocka_unit_test(inquiry_tells_of_ports_and_queues),
		cmocka_unit_test(phy_events_have_the_width_that_their_id_says),
		cmocka_unit_test(phy_events_end_before_the_checksum),
		cmocka_unit_test(each_sata_feature_is_a_bit_of_its_own),
		cmocka_unit_test(facts_of_the_link_point_to_their_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
