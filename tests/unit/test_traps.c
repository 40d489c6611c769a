/* Health that other programs have got wrong: alarms of nothing, and good words for bad drives. */
#include "smart.h"

#include "assay/health.h"

#define DISK    "ST4000DM000-1F2168", SMART_ROTATING
#define SAMSUNG "SAMSUNG MZ7WD480HAGM-00003", SMART_SOLID

static enum verdict_state judged(struct smart_drive *drive, const char **reason)
{
	struct health health;
	static char text[400];

	health_judge(&drive->facts, NULL, &health);
	enum verdict_state state = health_state(&health);

	snprintf(text, sizeof(text), "%s", health.verdicts[0].reason);
	*reason = text;
	health_deinit(&health);
	return state;
}

enum { MOST_SLOTS = 4 };

static const struct {
	const char *trap, *model;
	uint16_t rotation;
	struct smart_slot slots[MOST_SLOTS];
	enum verdict_state state;
} attributes[] = {
	{ "wear at its end without a threshold is not good", SAMSUNG,
		{ { 177, 1, 0, 2981, 0, 0 }, { 194, 70, 0, 30, 0, 0 } }, VERDICT_WARNING },
	{ "wear that is new is good", SAMSUNG,
		{ { 177, 99, 0, 12, 0, 0 }, { 194, 70, 0, 30, 0, 0 } }, VERDICT_OK },
	{ "life left of 98 % is no wear of 98 %", "Crucial_CT250MX200SSD1", SMART_SOLID,
		{ { 202, 98, 0, 2, 1, 0 }, { 194, 70, 0, 30, 0, 0 } }, VERDICT_OK },
	{ "a raw value that repeats VALUE is no count", "TOSHIBA THNSNK256GVN8", SMART_SOLID,
		{ { 5, 100, 100, 100, 10, 0 }, { 194, 61, 0, 39, 0, 0 } }, VERDICT_OK },
	{ "a raw value that is a count is one", "TOSHIBA KHK61RSE960G", SMART_SOLID,
		{ { 5, 100, 100, 100, 10, 0 }, { 194, 61, 0, 39, 0, 0 } }, VERDICT_WARNING },
	{ "life left of an unknown model is not judged", "KINGSTON SA400S37240G", SMART_SOLID,
		{ { 231, 0, 0, 0, 0, 0 }, { 194, 30, 0, 30, 0, 0 } }, VERDICT_OK },
	{ "operations in the lower half of an error rate are no errors", DISK,
		{ { 1, 118, 0, 192564600, 6, 0 }, { 7, 84, 0, 343129453, 30, 0 },
			{ 194, 30, 0, 30, 0, 0 } },
		VERDICT_OK },
	{ "three counters in one are no billions of time-outs", DISK,
		{ { 188, 100, 0, 8590065666, 0, 0 }, { 194, 30, 0, 30, 0, 0 } }, VERDICT_OK },
	{ "a temperature with its extremes is no 240 billion degrees", DISK,
		{ { 194, 36, 0, 240518299684, 0, 0 } }, VERDICT_OK },
	{ "an inverted temperature below its threshold once is a note", DISK,
		{ { 190, 56, 39, 44, 45, 0 }, { 194, 44, 0, 44, 0, 0 } }, VERDICT_OK },
	{ "a count of no errors is no error", DISK,
		{ { 5, 100, 0, 0, 10, 0 }, { 187, 100, 0, 0, 0, 0 }, { 197, 100, 0, 0, 0, 0 } },
		VERDICT_OK },
	{ "one unreadable sector is worth a look", DISK,
		{ { 5, 100, 0, 0, 10, 0 }, { 197, 100, 0, 1, 0, 0 } }, VERDICT_WARNING },
};

static void attributes_that_others_misread_are_judged_right(void **state)
{
	(void)state;
	smart_no_database();
	for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
		struct smart_drive drive;
		const char *reason;
		size_t count = 0;

		while (count < MOST_SLOTS && attributes[i].slots[count].id)
			count++;
		smart_begin(&drive, attributes[i].model, "1", attributes[i].rotation);
		smart_decode(&drive, attributes[i].slots, count);
		enum verdict_state found = judged(&drive, &reason);

		if (found != attributes[i].state)
			fail_msg("%s: %d, %s", attributes[i].trap, (int)found, reason);
		smart_end(&drive);
	}
}

/* One log page of a SAS drive. */
static const struct {
	const char *trap;
	uint8_t page[16];
	size_t len;
	enum verdict_state state;
} pages[] = {
	{ "used 20 % is good", { 0x11, 0, 0, 8, 0, 1, 3, 4, 0, 0, 0, 20 }, 12, VERDICT_OK },
	{ "used 100 % is consumed, not failing", { 0x11, 0, 0, 8, 0, 1, 3, 4, 0, 0, 0, 100 }, 12,
		VERDICT_WARNING },
	{ "used 104 % is consumed, not failing", { 0x11, 0, 0, 8, 0, 1, 3, 4, 0, 0, 0, 104 }, 12,
		VERDICT_WARNING },
	{ "no exception is good", { 0x2f, 0, 0, 8, 0, 0, 3, 4, 0x00, 0x00, 30, 0 }, 12,
		VERDICT_OK },
	{ "a warning (0Bh) is no failure", { 0x2f, 0, 0, 8, 0, 0, 3, 4, 0x0b, 0x01, 30, 0 }, 12,
		VERDICT_WARNING },
	{ "a predicted failure (5Dh) is one", { 0x2f, 0, 0, 8, 0, 0, 3, 4, 0x5d, 0x10, 30, 0 }, 12,
		VERDICT_FAILING },
	{ "a test of the prediction (5Dh/FFh) is none",
		{ 0x2f, 0, 0, 8, 0, 0, 3, 4, 0x5d, 0xff, 30, 0 }, 12, VERDICT_OK },
};

static void log_pages_that_others_misread_are_judged_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		struct smart_drive drive;
		const char *reason;

		capture_init(&drive.capture, "test");
		facts_init(&drive.facts);
		give_log(&drive.capture, pages[i].page[0], 0, pages[i].page, pages[i].len);
		decode(&drive.capture, &drive.facts);
		enum verdict_state found = judged(&drive, &reason);

		if (found != pages[i].state)
			fail_msg("%s: %d, %s", pages[i].trap, (int)found, reason);
		smart_end(&drive);
	}
}

static void a_drive_that_only_says_who_it_is_is_not_called_good(void **state)
{
	struct smart_drive drive;
	const char *reason;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "SOME DISK", "1", SMART_ROTATING);
	decode(&drive.capture, &drive.facts);
	assert_int_equal(judged(&drive, &reason), VERDICT_UNKNOWN);
	smart_end(&drive);
}

static void a_statistic_of_all_ones_is_no_count(void **state)
{
	static const struct smart_statistic errors[] = { { 8, 0xffffffff }, { 0 } };
	static const struct smart_slot slots[] = { { 194, 30, 0, 30, 0, 0 } };
	struct smart_drive drive;
	const char *reason;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "SOME DISK", "1", SMART_ROTATING);
	smart_statistics(&drive.capture, 4, errors);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	assert_int_equal(judged(&drive, &reason), VERDICT_OK);
	smart_end(&drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(attributes_that_others_misread_are_judged_right),
		cmocka_unit_test(log_pages_that_others_misread_are_judged_right),
		cmocka_unit_test(a_drive_that_only_says_who_it_is_is_not_called_good),
		cmocka_unit_test(a_statistic_of_all_ones_is_no_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
