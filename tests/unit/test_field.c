/* From bytes to a fact: src/fact/field.c. The key is one that exists. */
#include "drive.h"

static const char key[] = "usage.accounting_date";

static const struct word words[] = { { 1, "one" }, { 3, "three" }, { 0 } };
static const struct condition first_is_7[] = { { 0, 1, 0x0f, 0x07 }, { 0 } };
static const struct condition both[] = { { 0, 1, 0xff, 0x07 }, { 1, 1, 0x80, 0x80 }, { 0 } };
static const struct condition beyond[] = { { 7, 2, 0xff, 0x00 }, { 0 } };

static const struct page_id scsi = { PAGE_VPD, 0xb1, 0, 0 };
static const struct page_id ata = { PAGE_ATA_IDENTIFY, 0, 0, 0 };

struct field_case {
	struct field field;
	uint8_t data[8];
	int state; /* -1: no fact */
	struct value value;
};

static void expect_cases(const struct field_case *cases, size_t count, struct page_id id)
{
	for (size_t i = 0; i < count; i++) {
		struct field field = cases[i].field;
		struct facts facts;

		facts_init(&facts);
		field.key = key;
		field_decode(&field, id, (struct bytes) { cases[i].data, 8 }, 100, 5, &facts);
		assert_int_equal(facts.fact_count, cases[i].state >= 0);
		if (facts.fact_count) {
			const struct fact *fact = &facts.facts[0];

			if (fact->state != (enum fact_state)cases[i].state ||
				!value_same(fact->value, cases[i].value) ||
				fact->value.kind != cases[i].value.kind)
				fail_msg("case %d", (int)i);
			assert_int_equal(fact->source.offset, 100 + field.at);
			assert_int_equal(fact->source.parameter, 5);
			assert_int_equal(fact->rank, field.rank);
		}
		facts_deinit(&facts);
	}
}

static void numbers_have_width_bits_sign_and_scale(void **state)
{
	static const struct field_case cases[] = {
		{ { .at = 1, .width = 2 }, { 0, 0x12, 0x34 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 0x1234 } } },
		{ { .at = 0, .width = 0 }, { 0, 0, 0, 0, 0, 0, 1, 2 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 0x0102 } } },
		{ { .at = 0, .width = 1, .low_bit = 3, .bits = 3 }, { 0x28 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 5 } } },
		{ { .at = 0, .width = 1, .low_bit = 4 }, { 0xa5 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 10 } } },
		{ { .at = 0, .width = 1, .format = FORMAT_SINT }, { 0xfe }, FACT_KNOWN,
			{ VALUE_INT, { .sint = -2 } } },
		{ { .at = 0, .width = 2, .format = FORMAT_SINT }, { 0x7f, 0xff }, FACT_KNOWN,
			{ VALUE_INT, { .sint = 32767 } } },
		{ { .at = 0, .width = 1, .format = FORMAT_SINT, .multiply = 10 }, { 0xff },
			FACT_KNOWN, { VALUE_INT, { .sint = -10 } } },
		{ { .at = 0, .width = 1, .multiply = 512 }, { 3 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 1536 } } },
		{ { .at = 0, .width = 8, .multiply = 512 }, { 0xff }, FACT_INVALID,
			{ VALUE_NULL, { 0 } } }, /* more than 64 bits */
		{ { .at = 0, .width = 2, .divide = 100 }, { 0x27, 0x10 }, FACT_KNOWN,
			{ VALUE_REAL, { .real = 100 } } },
		{ { .at = 0, .width = 2, .multiply = 100, .divide = 65536 }, { 0x80 }, FACT_KNOWN,
			{ VALUE_REAL, { .real = 50 } } },
		{ { .at = 0, .width = 1, .format = FORMAT_WHOLE, .divide = 60 }, { 119 },
			FACT_KNOWN, { VALUE_UINT, { .uint = 1 } } },
		{ { .at = 6, .width = 2, .rank = 3 }, { 0 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 0 } } },
	};

	(void)state;
	expect_cases(cases, ARRAY_LEN(cases), scsi);
}

static void flags_words_and_texts_are_what_they_say(void **state)
{
	static const struct field_case cases[] = {
		{ { .at = 0, .width = 1, .low_bit = 2, .bits = 1, .format = FORMAT_FLAG }, { 0x04 },
			FACT_KNOWN, { VALUE_FLAG, { .flag = true } } },
		{ { .at = 0, .width = 1, .low_bit = 2, .bits = 1, .format = FORMAT_FLAG }, { 0xfb },
			FACT_KNOWN, { VALUE_FLAG, { .flag = false } } },
		{ { .at = 0, .width = 1, .low_bit = 2, .bits = 1, .format = FORMAT_FLAG_NOT },
			{ 0x04 }, FACT_KNOWN, { VALUE_FLAG, { .flag = false } } },
		{ { .at = 0, .width = 1, .format = FORMAT_ENUM, .words = words }, { 3 }, FACT_KNOWN,
			{ VALUE_TEXT, { .text = "three" } } },
		{ { .at = 0, .width = 1, .format = FORMAT_ENUM, .words = words }, { 2 },
			FACT_INVALID, { VALUE_NULL, { 0 } } },
		{ { .at = 1, .width = 5, .format = FORMAT_TEXT }, { 'x', ' ', 'a', 'b', ' ', ' ' },
			FACT_KNOWN, { VALUE_TEXT, { .text = "ab" } } },
		{ { .at = 0, .width = 4, .format = FORMAT_ATA_TEXT }, { 'b', 'a', 'd', 'c' },
			FACT_KNOWN, { VALUE_TEXT, { .text = "abcd" } } },
		{ { .at = 0, .width = 4, .format = FORMAT_TEXT }, { ' ', 0, ' ', ' ' },
			FACT_UNKNOWN, { VALUE_NULL, { 0 } } },
	};

	(void)state;
	expect_cases(cases, ARRAY_LEN(cases), scsi);
}

static void the_values_for_not_known_are_those_of_the_field(void **state)
{
	static const struct field_case cases[] = {
		{ { .at = 0, .width = 1, .unknown = UNKNOWN_ZERO }, { 0 }, FACT_UNKNOWN,
			{ VALUE_NULL, { 0 } } },
		{ { .at = 0, .width = 1 }, { 0 }, FACT_KNOWN, { VALUE_UINT, { 0 } } },
		{ { .at = 0, .width = 2, .unknown = UNKNOWN_ONES }, { 0xff, 0xff }, FACT_UNKNOWN,
			{ VALUE_NULL, { 0 } } },
		{ { .at = 0, .width = 2, .unknown = UNKNOWN_ONES }, { 0x00, 0xff }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 255 } } },
		{ { .at = 0, .width = 1, .low_bit = 0, .bits = 4, .unknown = UNKNOWN_ONES },
			{ 0x0f }, FACT_UNKNOWN, { VALUE_NULL, { 0 } } },
		{ { .at = 0, .width = 0, .unknown = UNKNOWN_ONES },
			{ 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, FACT_UNKNOWN,
			{ VALUE_NULL, { 0 } } },
		{ { .at = 0, .width = 1, .format = FORMAT_SINT, .unknown = UNKNOWN_SIGN }, { 0x80 },
			FACT_UNKNOWN, { VALUE_NULL, { 0 } } },
		{ { .at = 0, .width = 1, .format = FORMAT_SINT, .unknown = UNKNOWN_SIGN }, { 0x81 },
			FACT_KNOWN, { VALUE_INT, { .sint = -127 } } },
	};

	(void)state;
	expect_cases(cases, ARRAY_LEN(cases), scsi);
}

static void a_field_whose_conditions_fail_or_that_is_cut_off_gives_no_fact(void **state)
{
	static const struct field_case cases[] = {
		{ { .at = 4, .width = 1, .when = first_is_7 }, { 0x17, 0, 0, 0, 9 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 9 } } },
		{ { .at = 4, .width = 1, .when = first_is_7 }, { 0x18 }, -1, { 0 } },
		{ { .at = 4, .width = 1, .when = both }, { 0x07, 0x80 }, FACT_KNOWN,
			{ VALUE_UINT, { 0 } } },
		{ { .at = 4, .width = 1, .when = both }, { 0x07, 0x7f }, -1, { 0 } },
		{ { .at = 4, .width = 1, .when = beyond }, { 0 }, -1, { 0 } },
		{ { .at = 7, .width = 2 }, { 0 }, -1, { 0 } },
		{ { .at = 8, .width = 1 }, { 0 }, -1, { 0 } },
		{ { .at = 8, .width = 0 }, { 0 }, -1, { 0 } },
		{ { .at = 0xffff, .width = 4 }, { 0 }, -1, { 0 } },
	};

	(void)state;
	expect_cases(cases, ARRAY_LEN(cases), scsi);
}

static void ata_pages_are_little_endian_and_so_is_their_copy(void **state)
{
	static const struct field_case cases[] = {
		{ { .at = 1, .width = 3 }, { 0, 0x12, 0x34, 0x56 }, FACT_KNOWN,
			{ VALUE_UINT, { .uint = 0x563412 } } },
		{ { .at = 0, .width = 5, .low_bit = 36, .bits = 4 }, { 0, 0, 0, 0, 0x8f },
			FACT_KNOWN, { VALUE_UINT, { .uint = 8 } } },
	};

	(void)state;
	expect_cases(cases, ARRAY_LEN(cases), ata);
	expect_cases(cases, ARRAY_LEN(cases), (struct page_id) { PAGE_VPD, 0x89, 0, 0 });
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_have_width_bits_sign_and_scale),
		cmocka_unit_test(flags_words_and_texts_are_what_they_say),
		cmocka_unit_test(the_values_for_not_known_are_those_of_the_field),
		cmocka_unit_test(a_field_whose_conditions_fail_or_that_is_cut_off_gives_no_fact),
		cmocka_unit_test(ata_pages_are_little_endian_and_so_is_their_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
