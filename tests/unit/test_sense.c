#include "test.h"

#include <string.h>

#include "fake.h"

#include "assay/command.h"

static struct bytes hex(const char *text, uint8_t *buffer)
{
	return (struct bytes) { buffer, fake_bytes(text, buffer, SENSE_MAX) };
}

static const struct {
	const char *sense;
	struct sense want;
} formats[] = {
	{ "700005000000000a00000000240000000000", { .key = 5, .asc = 0x24 } },
	{ "7205240000000000", { .key = 5, .asc = 0x24 } },
	/* deferred */
	{ "710003000000000a000000000c0200000000",
		{ .key = 3, .asc = 0x0c, .ascq = 2, .deferred = true } },
	{ "73030c0200000000", { .key = 3, .asc = 0x0c, .ascq = 2, .deferred = true } },
	/* INFORMATION: 32 and 64 bits */
	{ "f00003000012340a00000000110000000000",
		{ .key = 3, .asc = 0x11, .information_valid = true, .information = 0x1234 } },
	{ "720311000000000c000a80000000000100001234",
		{ .key = 3, .asc = 0x11, .information_valid = true, .information = 0x100001234 } },
	/* progress of a self-test */
	{ "700002000000000a00000000040900804000",
		{ .key = 2, .asc = 4, .ascq = 9, .progress_valid = true, .progress = 0x4000 } },
	{ "72020409000000080206000080400000",
		{ .key = 2, .asc = 4, .ascq = 9, .progress_valid = true, .progress = 0x4000 } },
	/* fixed format that ends before the additional sense code */
	{ "7000040000000000", { .key = 4 } },
};

static void both_formats_give_the_same(void **state)
{
	uint8_t buffer[SENSE_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		struct sense got;

		memset(&got, 0xff, sizeof(got));
		assert_true(sense_read(hex(formats[i].sense, buffer), &got));
		assert_int_equal(got.key, formats[i].want.key);
		assert_int_equal(got.asc, formats[i].want.asc);
		assert_int_equal(got.ascq, formats[i].want.ascq);
		assert_int_equal(got.deferred, formats[i].want.deferred);
		assert_int_equal(got.information_valid, formats[i].want.information_valid);
		assert_true(got.information == formats[i].want.information);
		assert_int_equal(got.progress_valid, formats[i].want.progress_valid);
		assert_int_equal(got.progress, formats[i].want.progress);
	}
}

static void what_is_no_sense_data_is_not_read(void **state)
{
	static const char *const cases[] = {
		"",
		"00",
		"0000000000000000",
		"7f0005000000000a000000002400",
		"0524000000000000",
	};
	struct sense sense;
	char text[64];
	uint8_t buffer[SENSE_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_false(sense_read(hex(cases[i], buffer), &sense));
		assert_string_equal(
			sense_text(hex(cases[i], buffer), text, sizeof(text)), "no sense data");
	}
}

/* Every length that a cut transfer can leave. */
static void a_prefix_of_sense_data_is_read_as_far_as_it_goes(void **state)
{
	static const uint8_t fixed[18] = { 0xf0, 0, 3, 1, 2, 3, 4, 10, 0, 0, 0, 0, 0x11, 4, 0, 0x80,
		1, 2 };
	static const uint8_t descriptor[22] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 1, 2, 3, 4, 5,
		6, 7, 8, 9, 10, 11, 0x50 };

	(void)state;
	for (size_t len = 0; len <= sizeof(descriptor); len++) {
		uint8_t *exact = test_malloc(len ? len : 1);
		struct ata_registers registers;
		struct sense sense;
		char text[80];

		memcpy(exact, len <= sizeof(fixed) ? fixed : descriptor, len);
		sense_read((struct bytes) { exact, len }, &sense);
		sense_text((struct bytes) { exact, len }, text, sizeof(text));
		memcpy(exact, descriptor, len);
		sense_read((struct bytes) { exact, len }, &sense);
		assert_int_equal(ata_registers_of_sense((struct bytes) { exact, len }, &registers),
			len == sizeof(descriptor));
		test_free(exact);
	}
}

static void sense_data_in_words_of_people(void **state)
{
	static const struct {
		const char *sense;
		const char *text;
	} cases[] = {
		{ "700005000000000a000000002400", "Illegal Request, Invalid field in cdb" },
		{ "7200000000000000", "No Sense" },
		{ "710004000000000a000000004400",
			"Hardware Error, Internal target failure (of an earlier command)" },
	};
	char text[128], little[8];
	uint8_t buffer[SENSE_MAX];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
			sense_text(hex(cases[i].sense, buffer), text, sizeof(text)), cases[i].text);
	assert_string_equal(
		sense_text(hex(cases[0].sense, buffer), little, sizeof(little)), "Illegal");
}

static void the_power_state_of_sense_data(void **state)
{
	static const struct {
		uint8_t key, asc, ascq;
		const char *word;
		bool sleeps;
	} cases[] = {
		{ 0, 0x00, 0x00, "active", false },
		{ 0, 0x5e, 0x00, "low_power", true },
		{ 0, 0x5e, 0x01, "idle_a", false },
		{ 0, 0x5e, 0x02, "standby_z", true },
		{ 0, 0x5e, 0x04, "standby_z", true },
		{ 0, 0x5e, 0x06, "idle_b", false },
		{ 0, 0x5e, 0x08, "idle_c", false },
		{ 0, 0x5e, 0x09, "standby_y", true },
		{ 0, 0x5e, 0x0b, "unknown", false },
		{ 0, 0x5e, 0xff, "unknown", false },
		{ 1, 0x5d, 0x10, "active", false },
		{ 2, 0x04, 0x02, "stopped", true },
		{ 2, 0x04, 0x01, "not_ready", false },
		{ 2, 0x3a, 0x00, "unknown", false },
		{ 6, 0x29, 0x00, "unknown", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sense sense = {
			.key = cases[i].key, .asc = cases[i].asc, .ascq = cases[i].ascq
		};

		assert_string_equal(power_state_of_sense(&sense), cases[i].word);
		assert_int_equal(power_state_sleeps(cases[i].word), cases[i].sleeps);
	}
}

static void the_power_state_of_a_count(void **state)
{
	static const struct {
		uint16_t count;
		const char *word;
		bool sleeps;
	} cases[] = {
		{ 0x00, "standby", true },
		{ 0x01, "standby_y", true },
		{ 0x80, "idle", false },
		{ 0x81, "idle_a", false },
		{ 0x83, "idle_c", false },
		{ 0xff, "active", false },
		{ 0x42, "unknown", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_string_equal(power_state_of_count(cases[i].count), cases[i].word);
		assert_int_equal(power_state_sleeps(cases[i].word), cases[i].sleeps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_formats_give_the_same),
		cmocka_unit_test(what_is_no_sense_data_is_not_read),
		cmocka_unit_test(a_prefix_of_sense_data_is_read_as_far_as_it_goes),
		cmocka_unit_test(sense_data_in_words_of_people),
		cmocka_unit_test(the_power_state_of_sense_data),
		cmocka_unit_test(the_power_state_of_a_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
