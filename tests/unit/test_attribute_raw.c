#include "test.h"

#include <string.h>

#include "../../decoders/attribute_raw.h"

/* An attribute of these twelve bytes. */
static struct attribute attribute_of(const uint8_t bytes[12])
{
	struct attribute attribute = {
		.id = bytes[0], .value = bytes[3], .worst = bytes[4], .bytes = { bytes, 12 }
	};

	for (size_t i = 0; i < 6; i++)
		attribute.raw |= (uint64_t)bytes[5 + i] << 8 * i;
	return attribute;
}

static const char *printed(uint64_t raw, enum raw_format format, char text[64])
{
	uint8_t bytes[12] = { 1, 0, 0, 100, 100 };

	for (size_t i = 0; i < 6; i++)
		bytes[5 + i] = (uint8_t)(raw >> 8 * i);
	struct attribute attribute = attribute_of(bytes);

	return raw_print(&attribute, format, "", text, 64);
}

static void packed_values_read_as_people_say_them(void **state)
{
	static const struct {
		enum raw_format format;
		uint64_t raw;
		const char *want;
	} cases[] = {
		{ RAW_48, 281474976710655, "281474976710655" },
		{ RAW_HEX_48, 0x1a2b, "0x000000001a2b" },
		{ RAW_8, 0x060504030201, "6 5 4 3 2 1" },
		{ RAW_16, 0x000300020001, "3 2 1" },
		{ RAW_16_WORDS, 0x000400000016, "22 (4 0)" },
		{ RAW_16_WORDS, 22, "22" },
		{ RAW_16_AVERAGE, 0x0034004d, "77 (Average 52)" },
		{ RAW_24_BYTES, 57951993765239, "40311 (52 181 0)" },
		{ RAW_24_24, 0x000005000007, "5/7" },
		{ RAW_24_32, 0x0001099c5999, "1/161241497" },
		{ RAW_TEMPERATURES, 240518299684, "36 (Min/Max 2/56)" },
		{ RAW_TEMPERATURES, 111669215238, "6 (Min/Max 1/26)" },
		{ RAW_TEMPERATURES, 0x00ff, "255" },
		{ RAW_TENTHS, 365, "36.5" },
		{ RAW_MINUTES, 28870, "481h+10m+00s" },
		{ RAW_HALF_MINUTES, 351261, "2927h+10m+30s" },
		{ RAW_SECONDS, 3661, "1h+01m+01s" },
		{ RAW_MILLISECONDS_HOURS, 0xe2de00001790, "6032h+00m+58.078s" },
		/* Seagate: errors above 32 bits of operations */
		{ RAW_RATE, 192564600, "0 errors in 192564600" },
		{ RAW_RATE, 343129453, "0 errors in 343129453" },
		{ RAW_RATE, 0x0003000000ff, "3 errors in 255" },
		/* Seagate 188: three counters */
		{ RAW_COUNTERS, 8590065666, "2/2/2" },
		/* Intel 175 and 226 */
		{ RAW_CAPACITOR, 0xffff00020a39, "2617 us, 2 minutes ago, 65535 tests" },
		{ RAW_PERCENT_1024TH, 4450, "4.346 %" },
		{ RAW_PERCENT_1024TH, 0xffff, "not measured yet" },
		{ RAW_UNKNOWN, 5, "" },
	};
	char text[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(printed(cases[i].raw, cases[i].format, text), cases[i].want);
}

static void longer_formats_take_in_value_worst_and_the_last_byte(void **state)
{
	static const uint8_t bytes[12] = { 199, 0x32, 0, 0x5a, 0x0a, 0xeb, 0x8e, 3, 0, 0, 0, 7 };
	struct attribute attribute = attribute_of(bytes);

	(void)state;
	assert_int_equal(raw_number(&attribute, RAW_64, ""), 15282670170);
	assert_int_equal(raw_number(&attribute, RAW_56, ""), UINT64_C(0x07000000038eeb));
	assert_int_equal(raw_number(&attribute, RAW_48, "zz10"), 0x8eeb);
	assert_int_equal(raw_number(&attribute, RAW_48, "rvw"), 0x075a0a);
}

static void a_temperature_is_one_only_in_range(void **state)
{
	static const struct {
		uint64_t raw;
		bool good, range;
		int current, lowest, highest;
	} cases[] = {
		{ 0x001f, true, false, 31, 0, 0 },
		{ 0x003800020024, true, true, 36, 2, 56 },
		{ 0x1a00010006, true, true, 6, 1, 26 },
		/* the lowest is below zero, as a byte or as a word */
		{ 0x002fffff0022, true, true, 34, -1, 47 },
		{ 0x002f00ff0022, true, true, 34, -1, 47 },
		/* the highest before the lowest */
		{ 0x000a00320018, true, true, 24, 10, 50 },
		/* two bytes, and a counter above them */
		{ 0x4e2826250026, true, true, 38, 37, 38 },
		/* the rest is no range around the current one */
		{ 0x001100000026, true, false, 38, 0, 0 },
		{ 0xfff6, true, false, -10, 0, 0 },
		{ 0, false, false, 0, 0, 0 },
		{ 0x0080, false, false, 0, 0, 0 },
		{ 0x00ff, false, false, 0, 0, 0 },
		{ 0xffffffffffff, false, false, 0, 0, 0 },
		{ 0x1234, false, false, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct raw_temperatures t;

		assert_int_equal(raw_temperatures(cases[i].raw, &t), cases[i].good);
		if (!cases[i].good)
			continue;
		assert_int_equal(t.current_celsius, cases[i].current);
		assert_int_equal(t.range, cases[i].range);
		assert_int_equal(t.lowest_celsius, cases[i].lowest);
		assert_int_equal(t.highest_celsius, cases[i].highest);
	}
}

static void hours_come_in_five_units_and_never_longer_than_drives_exist(void **state)
{
	static const struct {
		enum raw_format format;
		uint64_t raw, want;
		bool good;
	} cases[] = {
		{ RAW_48, 5821, 5821, true },
		{ RAW_24_BYTES, 57951993765239, 40311, true },
		{ RAW_MILLISECONDS_HOURS, 0xe2de00001790, 6032, true },
		{ RAW_MINUTES, 28870, 481, true },
		{ RAW_HALF_MINUTES, 351261, 2927, true },
		{ RAW_SECONDS, 3600 * 500, 500, true },
		{ RAW_48, 557429, 0, false },
		{ RAW_48, 0xffffffffffff, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint64_t hours;

		assert_int_equal(raw_hours(cases[i].raw, cases[i].format, &hours), cases[i].good);
		if (cases[i].good)
			assert_int_equal(hours, cases[i].want);
	}
}

static void a_count_with_something_above_it_is_not_one(void **state)
{
	uint64_t count;

	(void)state;
	assert_true(raw_count(4035, RAW_48, &count));
	assert_int_equal(count, 4035);
	assert_false(raw_count(UINT64_C(0x33000000000), RAW_48, &count));
	assert_true(raw_count(UINT64_C(0x000400000016), RAW_16_WORDS, &count));
	assert_int_equal(count, 22);
	assert_false(raw_count(5, RAW_HEX_48, &count));
}

static void formats_have_the_names_of_smartmontools(void **state)
{
	static const struct {
		const char *name;
		enum raw_format format;
	} cases[] = {
		{ "raw48", RAW_48 },
		{ "raw16(avg16)", RAW_16_AVERAGE },
		{ "minutes", RAW_MINUTES },
		{ "min2hour", RAW_MINUTES },
		{ "tempminmax", RAW_TEMPERATURES },
		{ "raw4", RAW_UNKNOWN },
		{ "raw480", RAW_UNKNOWN },
		{ "", RAW_UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_int_equal(raw_format_of((struct bytes) {
					 (const uint8_t *)cases[i].name, strlen(cases[i].name) }),
			cases[i].format);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packed_values_read_as_people_say_them),
		cmocka_unit_test(longer_formats_take_in_value_worst_and_the_last_byte),
		cmocka_unit_test(a_temperature_is_one_only_in_range),
		cmocka_unit_test(hours_come_in_five_units_and_never_longer_than_drives_exist),
		cmocka_unit_test(a_count_with_something_above_it_is_not_one),
		cmocka_unit_test(formats_have_the_names_of_smartmontools),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
