#include "drive.h"

static void give_capable(struct drive *drive, bool capable)
{
	uint8_t inquiry[36] = { 0, 0, 6, 2, 31, capable };

	give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
}

static void give_extended(struct drive *drive, uint8_t byte_4, uint8_t byte_7)
{
	uint8_t page[64] = { 0, 0x86, 0, 60, byte_4, 0, 0, byte_7 };

	give_vpd(&drive->capture, 0x86, page, sizeof(page));
}

static void give_format(struct drive *drive, uint16_t length, uint8_t byte_12, uint8_t byte_13)
{
	uint8_t data[32] = { 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, (uint8_t)(length >> 8), (uint8_t)length,
		byte_12, byte_13 };

	give_capacity_16(&drive->capture, data, sizeof(data));
}

static void supported_types_are_a_set(void **state)
{
	static const struct {
		uint8_t spt;
		const char *types; /* NULL: unknown */
	} cases[] = { { 0, "1" }, { 1, "1,2" }, { 2, "2" }, { 3, "1,3" }, { 4, "3" }, { 5, "2,3" },
		{ 6, NULL }, { 7, "1,2,3" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_capable(drive, true);
		give_extended(drive, (uint8_t)(cases[i].spt << 3), 0);
		drive_decode(drive);
		expect_flag(drive, "protection.capable", true);
		if (cases[i].types)
			expect_text(drive, "protection.types", cases[i].types);
		else
			expect_state(drive, "protection.types", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void without_protect_the_rest_means_nothing(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_capable(drive, false);
	give_extended(drive, 0x3f, 0x30);
	give_format(drive, 512, 0, 0);
	drive_decode(drive);
	expect_flag(drive, "protection.capable", false);
	expect_absent(drive, "protection.types");
	expect_absent(drive, "protection.guard_check");
	expect_absent(drive, "protection.interval_supported");
	expect_uint(drive, "protection.type_now", 0);
	drive_free(drive);
}

static void checks_are_flags_of_vpd_page_86h(void **state)
{
	static const struct {
		uint8_t byte_4, byte_7;
		bool guard, application, reference, no_check, interval;
	} cases[] = {
		{ 0x04, 0x00, true, false, false, false, false },
		{ 0x02, 0x20, false, true, false, true, false },
		{ 0x01, 0x10, false, false, true, false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_capable(drive, true);
		give_extended(drive, cases[i].byte_4, cases[i].byte_7);
		drive_decode(drive);
		expect_flag(drive, "protection.guard_check", cases[i].guard);
		expect_flag(drive, "protection.application_check", cases[i].application);
		expect_flag(drive, "protection.reference_check", cases[i].reference);
		expect_flag(drive, "protection.no_check_supported", cases[i].no_check);
		expect_flag(drive, "protection.interval_supported", cases[i].interval);
		drive_free(drive);
	}
}

static void spt_6_means_the_types_of_the_present_block_length(void **state)
{
	static const uint8_t lengths[] = { 0, 0xb4, 0, 16, 0, 0, 2, 0, 0x07, 0x0f, 0, 0, 0, 0, 0x10,
		0, 0x07, 0x03, 0, 0 };
	static const struct {
		uint16_t length;
		const char *types;
	} cases[] = { { 512, "1,2,3" }, { 4096, "1" }, { 520, "1,2,3" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_capable(drive, true);
		give_extended(drive, 6 << 3, 0);
		give_format(drive, cases[i].length, 0, 0);
		give_vpd(&drive->capture, 0xb4, lengths, sizeof(lengths));
		drive_decode(drive);
		expect_text(drive, "protection.types", cases[i].types);
		drive_free(drive);
	}
}

static void the_type_now_is_p_type_and_one_with_prot_en(void **state)
{
	static const struct {
		const char *name;
		uint16_t length;
		uint8_t byte_12, byte_13;
		enum fact_state state;
		uint64_t type, interval, intervals; /* interval 0: absent */
		bool invalid_interval, note;
	} cases[] = {
		{ "none", 512, 0x00, 0x03, FACT_KNOWN, 0, 0, 0, false, false },
		{ "P_TYPE without PROT_EN", 512, 0x04, 0x33, FACT_KNOWN, 0, 0, 0, false, false },
		{ "type 1", 512, 0x01, 0x03, FACT_KNOWN, 1, 512, 1, false, false },
		{ "type 2, 8 intervals", 4096, 0x03, 0x33, FACT_KNOWN, 2, 512, 8, false, false },
		{ "type 3", 4096, 0x05, 0x00, FACT_KNOWN, 3, 4096, 1, false, false },
		{ "reserved", 512, 0x07, 0x00, FACT_INVALID, 0, 512, 1, false, false },
		{ "type 1 with intervals", 512, 0x01, 0x10, FACT_KNOWN, 1, 256, 2, false, true },
		{ "odd interval", 520, 0x03, 0x30, FACT_KNOWN, 2, 0, 8, true, false },
		{ "no block length", 0, 0x03, 0x00, FACT_KNOWN, 2, 0, 1, true, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_format(drive, cases[i].length, cases[i].byte_12, cases[i].byte_13);
		drive_decode(drive);
		expect_state(drive, "protection.type_now", cases[i].state);
		if (cases[i].state == FACT_KNOWN)
			expect_uint(drive, "protection.type_now", cases[i].type);
		if (cases[i].invalid_interval)
			expect_state(drive, "protection.interval_bytes", FACT_INVALID);
		else if (cases[i].interval)
			expect_uint(drive, "protection.interval_bytes", cases[i].interval);
		else
			expect_absent(drive, "protection.interval_bytes");
		if (cases[i].intervals)
			expect_uint(drive, "protection.intervals_per_block", cases[i].intervals);
		assert_int_equal(has_note(drive, "which cannot be"), cases[i].note);
		drive_free(drive);
	}
}

static void the_control_page_tells_who_owns_the_application_tag(void **state)
{
	static const struct {
		uint8_t byte_2, byte_5;
		const char *owner;
		bool zero, page, reject;
	} cases[] = {
		{ 0x00, 0x00, "drive", false, false, false },
		{ 0x08, 0x80, "host", true, false, false },
		{ 0x00, 0x20, "drive", false, true, false },
		{ 0x00, 0x10, "drive", false, false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t data[8 + 12] = { 0, sizeof(data) - 2, 0, 0, 0, 0, 0, 0, 0x0a, 10,
			cases[i].byte_2, 0, 0, cases[i].byte_5 };
		struct drive *drive = drive_new();

		give_capable(drive, true);
		give_mode(&drive->capture, 0, 0x0a, 0, data, sizeof(data));
		drive_decode(drive);
		expect_text(drive, "protection.application_tag_owner", cases[i].owner);
		expect_flag(drive, "protection.zero_disables_check", cases[i].zero);
		expect_flag(drive, "protection.application_tag_mode_page", cases[i].page);
		expect_flag(drive, "protection.rejects_write_without_protection", cases[i].reject);
		drive_free(drive);
	}
}

static void the_hosts_side_stands_next_to_the_drives(void **state)
{
	static const struct {
		const char *capabilities, *guard, *format;
		const char *dif, *dix, *guards; /* NULL: absent */
	} cases[] = {
		{ "0", "0", "none", "none", "none", "none" },
		{ "119", "1", "T10-DIF-TYPE1-CRC", "1,2,3", "T10-DIF-TYPE1-CRC", "crc" },
		{ "119", "3", NULL, "1,2,3", "types 1,2,3", "crc,ip" },
		{ "25", "2", NULL, "1", "types 0,1", "ip" },
		{ "7", NULL, NULL, "1,2,3", "none", NULL },
		{ "many", "9", NULL, NULL, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		capture_host(&drive->capture, "host_prot_capabilities", cases[i].capabilities);
		if (cases[i].guard)
			capture_host(&drive->capture, "host_prot_guard_type", cases[i].guard);
		if (cases[i].format)
			capture_host(&drive->capture, "integrity.format", cases[i].format);
		drive_decode(drive);
		if (cases[i].dif)
			expect_text(drive, "protection.host_dif", cases[i].dif);
		else
			expect_absent(drive, "protection.host_dif");
		if (cases[i].dix)
			expect_text(drive, "protection.host_dix", cases[i].dix);
		else
			expect_absent(drive, "protection.host_dix");
		if (cases[i].guards)
			expect_text(drive, "protection.host_guard", cases[i].guards);
		else
			expect_absent(drive, "protection.host_guard");
		drive_free(drive);
	}
}

static void the_block_layers_profile_is_two_flags(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	capture_host(&drive->capture, "integrity.read_verify", "1");
	capture_host(&drive->capture, "integrity.write_generate", "0");
	drive_decode(drive);
	expect_flag(drive, "protection.host_read_verify", true);
	expect_flag(drive, "protection.host_write_generate", false);
	assert_int_equal(fact_of(drive, "protection.host_read_verify")->source.origin, ORIGIN_HOST);
	drive_free(drive);
}

static void a_short_answer_gives_no_type(void **state)
{
	static const uint8_t data[32] = { 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 2, 0, 0x01, 0x00 };

	(void)state;
	for (size_t len = 0; len < 14; len++) {
		struct drive *drive = drive_new();

		give_capacity_16(&drive->capture, data, len);
		drive_decode(drive);
		expect_absent(drive, "protection.type_now");
		drive_free(drive);
	}
}

static void facts_of_protection_point_to_their_bytes(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_capable(drive, true);
	give_extended(drive, 0x3f, 0x30);
	give_format(drive, 512, 0x05, 0x10);
	drive_decode(drive);
	expect_source(drive, "protection.capable", 5, 1);
	expect_source(drive, "protection.types", 4, 1);
	expect_source(drive, "protection.guard_check", 4, 1);
	expect_source(drive, "protection.no_check_supported", 7, 1);
	expect_source(drive, "protection.type_now", 12, 1);
	expect_source(drive, "protection.interval_bytes", 13, 1);
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(supported_types_are_a_set),
		cmocka_unit_test(without_protect_the_rest_means_nothing),
		cmocka_unit_test(checks_are_flags_of_vpd_page_86h),
		cmocka_unit_test(spt_6_means_the_types_of_the_present_block_length),
		cmocka_unit_test(the_type_now_is_p_type_and_one_with_prot_en),
		cmocka_unit_test(the_control_page_tells_who_owns_the_application_tag),
		cmocka_unit_test(the_hosts_side_stands_next_to_the_drives),
		cmocka_unit_test(the_block_layers_profile_is_two_flags),
		cmocka_unit_test(a_short_answer_gives_no_type),
		cmocka_unit_test(facts_of_protection_point_to_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
