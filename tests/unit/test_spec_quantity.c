#include "test.h"

#include <math.h>
#include <string.h>

#include "assay/quantity.h"

static const struct {
	const char *text;
	enum dimension dimension;
	enum operator op;
	double low, high;
	uint64_t exact; /* of low; UINT64_MAX: it has none */
} good[] = {
	{ "450 MB/s", DIMENSION_BYTES_PER_SECOND, OPERATOR_NONE, 450e6, 450e6, 450000000 },
	{ "480 MiB/s", DIMENSION_BYTES_PER_SECOND, OPERATOR_NONE, 503316480, 503316480, 503316480 },
	{ "14.6 PB", DIMENSION_BYTES, OPERATOR_NONE, 14.6e15, 14.6e15, 14600000000000000 },
	{ "0.1 GB", DIMENSION_BYTES, OPERATOR_NONE, 1e8, 1e8, 100000000 },
	{ "9007199254740993 bytes", DIMENSION_BYTES, OPERATOR_NONE, 9007199254740992.0,
		9007199254740992.0, 9007199254740993 },
	{ "0.3 B", DIMENSION_BYTES, OPERATOR_NONE, 0.3, 0.3, UINT64_MAX },
	{ "2,000,000 hours", DIMENSION_HOURS, OPERATOR_NONE, 2e6, 2e6, 2000000 },
	{ "2万小时", DIMENSION_HOURS, OPERATOR_NONE, 20000, 20000, 20000 },
	{ "5 years", DIMENSION_HOURS, OPERATOR_NONE, 43800, 43800, 43800 },
	{ "0..70 C", DIMENSION_CELSIUS, OPERATOR_RANGE, 0, 70, UINT64_MAX },
	{ "-40..85 °C", DIMENSION_CELSIUS, OPERATOR_RANGE, -40, 85, UINT64_MAX },
	{ "1.5..2 TB", DIMENSION_BYTES, OPERATOR_RANGE, 1.5e12, 2e12, 1500000000000 },
	{ "<= 5.2 W", DIMENSION_MILLIWATTS, OPERATOR_AT_MOST, 5200, 5200, UINT64_MAX },
	{ "9, 11 W", DIMENSION_MILLIWATTS, OPERATOR_ONE_OF, 9000, 11000, UINT64_MAX },
	{ "512, 520, 4096 bytes", DIMENSION_BYTES, OPERATOR_ONE_OF, 512, 4096, 512 },
	{ "> 3 DWPD", DIMENSION_DWPD, OPERATOR_AT_LEAST, 3, 3, UINT64_MAX },
	{ "unlimited", DIMENSION_DWPD, OPERATOR_UNLIMITED, INFINITY, INFINITY, UINT64_MAX },
	{ "1e-17", DIMENSION_PROBABILITY, OPERATOR_NONE, 1e-17, 1e-17, UINT64_MAX },
	{ "1 per 1e17 bits", DIMENSION_PROBABILITY, OPERATOR_NONE, 1e-17, 1e-17, UINT64_MAX },
	{ "1E10-17", DIMENSION_PROBABILITY, OPERATOR_NONE, 1e-17, 1e-17, UINT64_MAX },
	{ "-200..10000 ft", DIMENSION_METRES, OPERATOR_RANGE, -60.96, 3048, UINT64_MAX },
	{ "2", DIMENSION_COUNT, OPERATOR_NONE, 2, 2, 2 },
};

static bool near(double a, double b)
{
	return a == b || fabs(a - b) <= fabs(b) * 1e-12;
}

static void a_quantity_is_read_with_its_unit_and_without_loss(void **state)
{
	struct quantity_room room;
	struct quantity quantity;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		const char *wrong = quantity_read(
			good[i].text, good[i].dimension, &quantity, &room);

		if (wrong)
			fail_msg("%s: %s", good[i].text, wrong);
		if (quantity.op != good[i].op)
			fail_msg("%s: operator %d", good[i].text, quantity.op);
		if (!near(quantity.low.value, good[i].low) ||
			!near(quantity.high.value, good[i].high))
			fail_msg("%s: %g to %g", good[i].text, quantity.low.value,
				quantity.high.value);
		if (quantity.low.is_exact != (good[i].exact != UINT64_MAX) ||
			(quantity.low.is_exact && quantity.low.exact != good[i].exact))
			fail_msg("%s: exact %d %llu", good[i].text, quantity.low.is_exact,
				(unsigned long long)quantity.low.exact);
	}
}

static const struct {
	const char *text;
	enum dimension dimension;
	const char *expected;
} bad[] = {
	{ "450 MB", DIMENSION_BYTES_PER_SECOND, "expected a unit of B/s kB/s MB/s" },
	{ "450", DIMENSION_BYTES_PER_SECOND, "expected a unit" },
	{ "fast", DIMENSION_IOPS, "expected a number" },
	{ "5 W now", DIMENSION_MILLIWATTS, "expected a unit" },
	{ "5 MW", DIMENSION_MILLIWATTS, "expected a unit of W mW" },
	{ "", DIMENSION_HOURS, "expected a number" },
	{ "1..2..3 C", DIMENSION_CELSIUS, "expected a unit" },
	{ "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", DIMENSION_COUNT, "at most 16" },
	{ "1 per nothing", DIMENSION_PROBABILITY, "a number of bits" },
	{ "unlimited, nearly", DIMENSION_BYTES, "nothing after" },
};

static void what_is_no_quantity_is_told_by_what_was_expected(void **state)
{
	struct quantity_room room;
	struct quantity quantity;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const char *wrong = quantity_read(bad[i].text, bad[i].dimension, &quantity, &room);

		if (!wrong || !strstr(wrong, bad[i].expected))
			fail_msg("%s: %s", bad[i].text, wrong ? wrong : "was read");
	}
}

static void a_notation_that_was_repaired_is_suspicious(void **state)
{
	struct quantity_room room;
	struct quantity quantity;
	(void)state;

	assert_null(quantity_read("1E10-17", DIMENSION_PROBABILITY, &quantity, &room));
	assert_true(quantity.suspicious);
	assert_null(quantity_read("2万小时", DIMENSION_HOURS, &quantity, &room));
	assert_true(quantity.suspicious);
	assert_null(quantity_read("1e-17", DIMENSION_PROBABILITY, &quantity, &room));
	assert_false(quantity.suspicious);
}

static void a_value_is_told_in_the_unit_that_people_use(void **state)
{
	static const struct {
		double value;
		enum dimension dimension;
		const char *text;
	} cases[] = {
		{ 433.9e6, DIMENSION_BYTES_PER_SECOND, "433.9 MB/s" },
		{ 14.6e15, DIMENSION_BYTES, "14.6 PB" },
		{ 512, DIMENSION_BYTES, "512 bytes" },
		{ 5200, DIMENSION_MILLIWATTS, "5.2 W" },
		{ 55, DIMENSION_MICROSECONDS, "55 us" },
		{ 4160, DIMENSION_MICROSECONDS, "4.16 ms" },
		{ 149697, DIMENSION_IOPS, "149697 IOPS" },
		{ 550e12, DIMENSION_BYTES_PER_YEAR, "550 TB/year" },
		{ 1, DIMENSION_FLAG, "yes" },
	};
	char text[64];
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(
			quantity_human(cases[i].value, cases[i].dimension, text, sizeof(text)),
			cases[i].text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_quantity_is_read_with_its_unit_and_without_loss),
		cmocka_unit_test(what_is_no_quantity_is_told_by_what_was_expected),
		cmocka_unit_test(a_notation_that_was_repaired_is_suspicious),
		cmocka_unit_test(a_value_is_told_in_the_unit_that_people_use),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
