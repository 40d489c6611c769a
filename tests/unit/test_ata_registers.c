#include "test.h"

#include "fake.h"

#include "assay/command.h"

static struct bytes hex(const char *text, uint8_t *buffer)
{
	return (struct bytes) { buffer, fake_bytes(text, buffer, SENSE_MAX) };
}

static const struct {
	const char *sense;
	struct ata_registers want;
} answers[] = {
	/* SMART RETURN STATUS: passed */
	{ "7201001d0000000e090c000000000000004f00c20050", { .status = 0x50, .lba = 0xc24f00 } },
	/* the same in fixed format */
	{ "700001005000000a00004fc2001d", { .status = 0x50, .lba = 0xc24f00 } },
	/* CHECK POWER MODE in fixed format: active; VALID is set as well */
	{ "f00001005000ff0a00000000001d", { .status = 0x50, .count = 0xff } },
	/* standby, by a device register of 40h and EXTEND */
	{ "f00001005040000a80000000001d", { .status = 0x50, .device = 0x40 } },
	/* upper halves that did not fit */
	{ "700001045100010ae0020304001d",
		{ .error = 4, .status = 0x51, .count = 1, .lba = 0x040302, .upper_lost = true } },
	/* 48 bits: high and low bytes alternate */
	{ "720b00000000000e090c01041234a4a1a5a2a6a34051",
		{ .error = 4,
			.status = 0x51,
			.device = 0x40,
			.count = 0x1234,
			.lba = 0xa6a5a4a3a2a1,
			.extend = true } },
	/* without EXTEND the upper halves mean nothing */
	{ "7201001d0000000e090c00001234a4a1a5a2a6a30050",
		{ .status = 0x50, .count = 0x34, .lba = 0xa3a2a1 } },
	/* behind another descriptor */
	{ "7201001d0000001a000a80000000000000000000090c000000800000000000000050",
		{ .status = 0x50, .count = 0x80 } },
};

static void registers_are_found_in_both_formats(void **state)
{
	uint8_t buffer[SENSE_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		const struct ata_registers *want = &answers[i].want;
		struct ata_registers got;

		assert_true(ata_registers_of_sense(hex(answers[i].sense, buffer), &got));
		assert_int_equal(got.error, want->error);
		assert_int_equal(got.status, want->status);
		assert_int_equal(got.device, want->device);
		assert_int_equal(got.count, want->count);
		assert_true(got.lba == want->lba);
		assert_int_equal(got.upper_lost, want->upper_lost);
		assert_int_equal(got.extend, want->extend);
	}
}

static void sense_data_without_registers_give_none(void **state)
{
	static const char *const cases[] = {
		"",
		/* another code: the same bytes are INFORMATION there */
		"f00005005000ff0a000000002400",
		/* too short for the code */
		"f00001005000ff0a0000000000",
		/* no descriptors */
		"7201001d00000000",
		/* one that is cut */
		"7201001d0000000e090c000000ff",
		/* its length does not count it */
		"7201001d00000002090c000000000000004f00c20050",
		/* of an earlier command */
		"7301001d0000000e090c000000000000004f00c20050",
	};
	struct ata_registers registers;
	uint8_t buffer[SENSE_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_false(ata_registers_of_sense(hex(cases[i], buffer), &registers));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(registers_are_found_in_both_formats),
		cmocka_unit_test(sense_data_without_registers_give_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
