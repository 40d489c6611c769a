#include "drive.h"

static const uint8_t hundred_blocks[32] = { [7] = 99, [10] = 2 };

static void a_mode_block_descriptor_shows_that_a_drive_is_clipped(void **state)
{
	static const struct {
		const char *name;
		uint8_t descriptor[16];
		bool long_lba;
		int clipped; /* -1: absent */
	} cases[] = {
		{ "the same", { 0, 0, 0, 100, 0, 0, 2, 0 }, false, 0 },
		{ "more", { 0, 0, 0, 200, 0, 0, 2, 0 }, false, 1 },
		{ "not told", { 0, 0, 0, 0, 0, 0, 2, 0 }, false, -1 },
		{ "too large", { 0xff, 0xff, 0xff, 0xff, 0, 0, 2, 0 }, false, -1 },
		{ "of other blocks", { 0, 0, 0, 200, 0, 0, 16, 0 }, false, -1 },
		{ "long", { 0, 0, 0, 0, 0, 0, 0, 101, 0, 0, 0, 0, 0, 0, 2, 0 }, true, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t len = cases[i].long_lba ? 16 : 8;
		uint8_t data[8 + 16 + 2] = { 0, (uint8_t)(6 + len + 2), 0, 0, cases[i].long_lba, 0,
			0, (uint8_t)len };
		struct drive *drive = drive_new();

		memcpy(&data[8], cases[i].descriptor, len);
		data[8 + len] = 0x3e;
		give_capacity_16(&drive->capture, hundred_blocks, sizeof(hundred_blocks));
		give_mode(&drive->capture, 2, 0x3f, 0, data, 8 + len + 2);
		drive_decode(drive);
		if (cases[i].clipped < 0)
			expect_absent(drive, "capacity.clipped");
		else
			expect_flag(drive, "capacity.clipped", cases[i].clipped);
		drive_free(drive);
	}
}

static void a_native_address_beyond_the_last_block_shows_a_protected_area(void **state)
{
	/* Registers of READ NATIVE MAX ADDRESS EXT: LBA 1DCF44AFh or 1DCF54AFh. */
	static const uint8_t equal[] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 1, 0, 0, 0, 0x1d,
		0xaf, 0, 0x44, 0, 0xcf, 0x40, 0x50 };
	static const uint8_t more[] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 1, 0, 0, 0, 0x1d,
		0xaf, 0, 0x54, 0, 0xcf, 0x40, 0x50 };
	static const uint8_t failed[] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 1, 4, 0, 0, 0x1d,
		0xaf, 0, 0x54, 0, 0xcf, 0x40, 0x51 };
	static const struct {
		const uint8_t *sense;
		int clipped;
	} cases[] = { { equal, 0 }, { more, 1 }, { failed, -1 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		give_identify(&drive->capture, identify);
		give_registers(drive, 0x27, cases[i].sense, sizeof(equal));
		drive_decode(drive);
		if (cases[i].clipped < 0)
			expect_absent(drive, "capacity.clipped");
		else
			expect_flag(drive, "capacity.clipped", cases[i].clipped);
		drive_free(drive);
	}
}

/* READ NATIVE MAX ADDRESS has the upper four of its 28 bits in Device. */
static void an_address_of_28_bits_may_be_saturated(void **state)
{
	static const struct {
		uint8_t device, byte;
		uint64_t blocks; /* 0: absent */
	} cases[] = { { 0x45, 0x12, 0x5121213 }, { 0x4f, 0xff, 0 }, { 0x40, 0x00, 0 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t byte = cases[i].byte;
		uint8_t sense[] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0, 0, byte, 0,
			byte, 0, byte, cases[i].device, 0x50 };
		struct drive *drive = drive_new();

		give_registers(drive, 0xf8, sense, sizeof(sense));
		drive_decode(drive);
		if (cases[i].blocks)
			expect_uint(drive, "capacity.native_block_count", cases[i].blocks);
		else
			expect_absent(drive, "capacity.native_block_count");
		expect_absent(drive, "capacity.clipped");
		drive_free(drive);
	}
}

static void each_page_control_has_a_key(void **state)
{
	static const char *const keys[] = { "capacity.mode_block_count", NULL,
		"capacity.default_block_count", "capacity.saved_block_count" };
	struct drive *drive = drive_new();

	(void)state;
	give_capacity_16(&drive->capture, hundred_blocks, sizeof(hundred_blocks));
	for (uint8_t control = 0; control < 4; control++) {
		uint8_t data[16] = { 0, 14, 0, 0, 0, 0, 0, 8, 0, 0, 0, control, 0, 0, 2, 0 };

		data[11] = (uint8_t)(control + 1);
		give_mode(&drive->capture, control, 0x3f, 0, data, sizeof(data));
	}
	drive_decode(drive);
	for (uint8_t control = 0; control < 4; control++)
		if (keys[control]) {
			expect_uint(drive, keys[control], control + 1u);
			expect_source(drive, keys[control], 8, 8);
		}
	expect_flag(drive, "capacity.clipped", false);
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mode_block_descriptor_shows_that_a_drive_is_clipped),
		cmocka_unit_test(a_native_address_beyond_the_last_block_shows_a_protected_area),
		cmocka_unit_test(an_address_of_28_bits_may_be_saturated),
		cmocka_unit_test(each_page_control_has_a_key),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
