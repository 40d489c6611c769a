#include "test.h"

#include <string.h>

#include "assay/bytes.h"

static void a_load_that_does_not_fit_fails_and_leaves_the_value(void **state)
{
	static const struct {
		size_t len, offset, width;
		bool fits;
	} cases[] = {
		{ 4, 0, 4, true },
		{ 4, 1, 4, false },
		{ 4, 4, 1, false },
		{ 4, 3, 1, true },
		{ 4, SIZE_MAX, 1, false },
		{ 4, 0, 0, false },
		{ 16, 0, 9, false },
		{ 16, 8, 8, true },
	};
	static const uint8_t data[16] = { 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct bytes bytes = { data, cases[i].len };
		uint64_t value = 42;

		assert_int_equal(
			bytes_be(bytes, cases[i].offset, cases[i].width, &value), cases[i].fits);
		if (!cases[i].fits)
			assert_int_equal(value, 42);
	}
}

static void big_and_little_endian_differ_in_order_only(void **state)
{
	static const uint8_t data[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	struct bytes bytes = { data, sizeof(data) };

	(void)state;
	assert_int_equal(bytes_be16(bytes, 0), 0x0102);
	assert_int_equal(bytes_le16(bytes, 0), 0x0201);
	assert_int_equal(bytes_be32(bytes, 1), 0x02030405);
	assert_int_equal(bytes_le32(bytes, 1), 0x05040302);
	assert_true(bytes_be64(bytes, 0) == UINT64_C(0x0102030405060708));
	assert_true(bytes_le64(bytes, 0) == UINT64_C(0x0807060504030201));
	assert_true(bytes_le48(bytes, 2) == UINT64_C(0x080706050403));
}

static void nothing_is_not_the_same_as_no_bytes(void **state)
{
	struct bytes nothing = { 0 };
	struct bytes empty = bytes_cut((struct bytes) { (const uint8_t *)"x", 1 }, 1, 5);

	(void)state;
	assert_null(bytes_cut(nothing, 0, 1).at);
	assert_non_null(empty.at);
	assert_int_equal(empty.len, 0);
	assert_false(bytes_all(empty, 0));
}

static void texts_are_trimmed_swapped_and_printable(void **state)
{
	static const struct {
		const char *in;
		size_t len;
		bool swapped;
		const char *want;
	} cases[] = {
		{ "  HGST  ", 8, false, "HGST" },
		{ "ahBC", 4, true, "haCB" },
		{ "\0\0AB", 4, false, "AB" },
		{ "A\x01\xff", 3, false, "A??" },
		{ "    ", 4, false, "" },
		{ "abc", 3, true, "bac" },
	};
	char text[16];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bytes_text((struct bytes) { (const uint8_t *)cases[i].in, cases[i].len },
			cases[i].swapped, text, sizeof(text));
		assert_string_equal(text, cases[i].want);
	}
	assert_int_equal(
		bytes_text((struct bytes) { (const uint8_t *)"abcdef", 6 }, false, text, 4), 3);
	assert_string_equal(text, "abc");
}

static void what_is_stored_is_what_is_loaded_and_no_more(void **state)
{
	const uint64_t value = UINT64_C(0x1122334455667788);

	(void)state;
	for (size_t width = 1; width <= 8; width++) {
		uint8_t data[10];
		uint64_t loaded = 0;

		memset(data, 0xee, sizeof(data));
		bytes_put_be(data + 1, width, value);
		assert_true(bytes_be((struct bytes) { data, sizeof(data) }, 1, width, &loaded));
		assert_true(loaded == (value & UINT64_MAX >> 8 * (8 - width)));
		assert_int_equal(data[0], 0xee);
		assert_int_equal(data[width + 1], 0xee);
	}
}

static void an_ata_string_comes_back_as_it_was_written(void **state)
{
	uint8_t data[10];
	char text[16];

	(void)state;
	data[8] = data[9] = 0xee;
	bytes_put_ata_text(data, 8, "SDLFN");
	assert_memory_equal(data, "DSFL N  \xee\xee", 10);
	bytes_text((struct bytes) { data, 8 }, true, text, sizeof(text));
	assert_string_equal(text, "SDLFN");
	bytes_put_ata_text(data, 8, "too long for it");
	assert_memory_equal(data, "ot oolgn\xee\xee", 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_load_that_does_not_fit_fails_and_leaves_the_value),
		cmocka_unit_test(big_and_little_endian_differ_in_order_only),
		cmocka_unit_test(nothing_is_not_the_same_as_no_bytes),
		cmocka_unit_test(texts_are_trimmed_swapped_and_printable),
		cmocka_unit_test(what_is_stored_is_what_is_loaded_and_no_more),
		cmocka_unit_test(an_ata_string_comes_back_as_it_was_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
