#include "test.h"

#include "assay/capture.h"
#include "assay/decoder.h"

enum { ROOM = 16 };

static const struct {
	const char *name;
	struct page_id id;
	uint8_t opcode;
	uint8_t data[ROOM];
	size_t len;
	enum header_state state;
	size_t length;
} cases[] = {
	{ "INQUIRY data count from byte 5", { PAGE_INQUIRY, 0, 0, 0 }, 0x12, { 0, 0, 6, 2, 0x1f },
		5, HEADER_GOOD, 0x24 },
	{ "a VPD page has 16 bits", { PAGE_VPD, 0xb1, 0, 0 }, 0x12, { 0, 0xb1, 1, 0x3c }, 4,
		HEADER_GOOD, 0x140 },
	{ "the serial number's page has 8 bits, and junk before them", { PAGE_VPD, 0x80, 0, 0 },
		0x12, { 0, 0x80, 0x77, 8 }, 4, HEADER_GOOD, 12 },
	{ "another VPD page", { PAGE_VPD, 0x83, 0, 0 }, 0x12, { 0, 0x80, 0, 8 }, 4,
		HEADER_OTHER_PAGE, 4 },
	{ "DS and SPF do not count", { PAGE_LOG, 0x0d, 1, 1 }, 0x4d, { 0xcd, 1, 0, 0x10 }, 4,
		HEADER_GOOD, 0x14 },
	{ "another log page", { PAGE_LOG, 0x0d, 0, 1 }, 0x4d, { 0x0e, 0, 0, 0x10 }, 4,
		HEADER_OTHER_PAGE, 4 },
	{ "a log page that ends in its length", { PAGE_LOG, 0x0d, 0, 1 }, 0x4d, { 0x0d, 0, 0 }, 3,
		HEADER_SHORT, 3 },
	{ "MODE SENSE(6) has 8 bits", { PAGE_MODE, 0x3f, 0, 0 }, 0x1a, { 0x23, 9, 0, 8 }, 4,
		HEADER_GOOD, 0x24 },
	{ "MODE SENSE(10) has 16 bits", { PAGE_MODE, 0x3f, 0, 0 }, 0x5a, { 1, 0x22, 0, 0 }, 4,
		HEADER_GOOD, 0x124 },
	{ "a diagnostic page", { PAGE_DIAGNOSTIC, 2, 0, 0 }, 0x1c, { 2, 0, 0, 6 }, 4, HEADER_GOOD,
		10 },
	{ "operation codes have 32 bits", { PAGE_OPERATION_CODES, 0, 0, 0 }, 0xa3, { 0, 1, 0, 0 },
		4, HEADER_GOOD, 0x10004 },
	{ "security protocols stand behind 8 bytes", { PAGE_SECURITY, 0, 0, 0 }, 0xa2,
		{ 0, 0, 0, 0, 0, 0, 0, 2 }, 8, HEADER_GOOD, 10 },
	{ "level 0 discovery has 32 bits", { PAGE_SECURITY, 1, 1, 0 }, 0xa2, { 0, 0, 0, 0x8c }, 4,
		HEADER_GOOD, 0x90 },
	{ "another security protocol has what it likes", { PAGE_SECURITY, 0xef, 0, 0 }, 0xa2,
		{ 0, 14, 0, 1 }, 4, HEADER_NONE, 4 },
	{ "READ CAPACITY has no length", { PAGE_READ_CAPACITY_16, 0, 0, 0 }, 0x9e, { 0, 0, 0, 0 },
		4, HEADER_NONE, 4 },
	{ "a length of all ones is one", { PAGE_OPERATION_CODES, 0, 0, 0 }, 0xa3,
		{ 0xff, 0xff, 0xff, 0xff }, 4, HEADER_GOOD, 0x100000003 },
};

static void a_header_says_which_page_and_how_long(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct record record = { .cdb = { cases[i].opcode }, .page = cases[i].id };
		size_t length = 0;

		record.data = (struct bytes) { cases[i].data, cases[i].len };
		print_message("%s\n", cases[i].name);
		assert_int_equal(record_header(&record, &length), cases[i].state);
		assert_int_equal(length, cases[i].length);
	}
}

static void an_answer_without_data_is_too_short(void **state)
{
	struct record record = { .page = { PAGE_LOG, 0x0d, 0, 1 } };
	size_t length = 1;

	(void)state;
	assert_int_equal(record_header(&record, &length), HEADER_SHORT);
	assert_int_equal(length, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_header_says_which_page_and_how_long),
		cmocka_unit_test(an_answer_without_data_is_too_short),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
