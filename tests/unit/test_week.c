#include "drive.h"

static void a_manufacture_date_needs_digits(void **state)
{
	static const struct {
		const char *date;
		enum fact_state state;
		const char *text;
	} cases[] = {
		{ "201345", FACT_KNOWN, "2013-W45" },
		{ "201353", FACT_KNOWN, "2013-W53" },
		{ "201401", FACT_KNOWN, "2014-W01" },
		{ "201354", FACT_INVALID, NULL },
		{ "201300", FACT_INVALID, NULL },
		{ "2013W4", FACT_INVALID, NULL },
		{ "      ", FACT_UNKNOWN, NULL },
		{ "000000", FACT_UNKNOWN, NULL },
		{ "\xff\xff\xff\xff\xff\xff", FACT_UNKNOWN, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[] = { 0x0e, 0, 0, 20, 0, 1, 0x01, 6, 0, 0, 0, 0, 0, 0, 0, 2, 0x01, 6,
			'2', '0', '1', '4', '0', '1' };
		struct drive *drive = drive_new();

		memcpy(&page[8], cases[i].date, 6);
		give_log(&drive->capture, 0x0e, 0, page, sizeof(page));
		drive_decode(drive);
		expect_state(drive, "identity.manufacture_date", cases[i].state);
		if (cases[i].text)
			expect_text(drive, "identity.manufacture_date", cases[i].text);
		drive_free(drive);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_manufacture_date_needs_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
