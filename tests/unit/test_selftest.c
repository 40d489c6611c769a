#include "pages.h"

static void give_smart_bytes(
	struct drive *drive, uint8_t capability, uint8_t status, const uint8_t minutes[5])
{
	uint8_t data[512] = { 16, [362] = 0x82, [363] = status, [364] = 0x2c,
		0x01, [367] = capability };

	memcpy(&data[372], minutes, 5);
	checksum_set(data);
	give_smart_data(&drive->capture, data);
}

static void the_time_of_an_extended_test_may_have_16_bits(void **state)
{
	static const struct {
		uint8_t capability;
		uint8_t minutes[5];
		int extended, conveyance; /* 0: unknown; -1: absent */
	} cases[] = {
		{ 0x7b, { 2, 100, 5, 0, 0 }, 100, 5 },
		{ 0x7b, { 2, 255, 5, 0x2c, 0x01 }, 300, 5 },
		{ 0x7b, { 2, 255, 5, 0, 0 }, 0, 5 },
		{ 0x7b, { 2, 100, 0, 0x2c, 0x01 }, 100, 0 },
		{ 0x5b, { 2, 100, 5, 0, 0 }, 100, -1 },
		{ 0x00, { 2, 100, 5, 0, 0 }, -1, -1 },
	};
	static const char *const keys[] = { "selftest.extended_minutes",
		"selftest.conveyance_minutes" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		const int want[] = { cases[i].extended, cases[i].conveyance };

		give_smart_bytes(drive, cases[i].capability, 0, cases[i].minutes);
		drive_decode(drive);
		for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
			if (want[k] < 0)
				expect_absent(drive, keys[k]);
			else if (want[k] == 0)
				expect_state(drive, keys[k], FACT_UNKNOWN);
			else
				expect_uint(drive, keys[k], (uint64_t)want[k]);
		}
		drive_free(drive);
	}
}

static void smart_data_tell_what_a_drive_can_do_and_does(void **state)
{
	static const uint8_t minutes[5] = { 2, 100, 5 };
	struct drive *drive = drive_new();

	(void)state;
	give_smart_bytes(drive, 0x7b, 0xf3, minutes);
	drive_decode(drive);
	expect_flag(drive, "selftest.supported", true);
	expect_flag(drive, "selftest.conveyance_supported", true);
	expect_flag(drive, "selftest.selective_supported", true);
	expect_uint(drive, "selftest.short_minutes", 2);
	expect_flag(drive, "selftest.in_progress", true);
	expect_uint(drive, "selftest.remaining_percent", 30);
	expect_text(drive, "selftest.offline_collection", "completed");
	expect_flag(drive, "selftest.offline_automatic", true);
	expect_uint(drive, "selftest.offline_seconds", 300);
	expect_absent(drive, "selftest.last_result");
	drive_free(drive);
}

static void each_capability_has_its_own_bit(void **state)
{
	static const char *const keys[] = { "selftest.supported", "selftest.conveyance_supported",
		"selftest.selective_supported" };
	static const uint8_t minutes[5] = { 0 };

	(void)state;
	for (unsigned bit = 0; bit < 8; bit++) {
		struct drive *drive = drive_new();

		give_smart_bytes(drive, (uint8_t)(1 << bit), 0x80, minutes);
		drive_decode(drive);
		for (unsigned i = 0; i < ARRAY_LEN(keys); i++)
			expect_flag(drive, keys[i], bit == 4 + i);
		if (bit == 4)
			expect_state(drive, "selftest.short_minutes", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void off_line_collection_has_a_state_and_may_be_automatic(void **state)
{
	static const struct {
		uint8_t byte;
		const char *word; /* NULL: invalid */
		bool automatic;
	} cases[] = {
		{ 0x00, "never started", false },
		{ 0x82, "completed", true },
		{ 0x03, "in progress", false },
		{ 0x84, "suspended", true },
		{ 0x05, "aborted by host", false },
		{ 0x06, "aborted by an error", false },
		{ 0x01, NULL, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t data[512] = { 16, [362] = cases[i].byte, [363] = 0x80 };
		struct drive *drive = drive_new();

		checksum_set(data);
		give_smart_data(&drive->capture, data);
		drive_decode(drive);
		if (cases[i].word)
			expect_text(drive, "selftest.offline_collection", cases[i].word);
		else
			expect_state(drive, "selftest.offline_collection", FACT_INVALID);
		expect_flag(drive, "selftest.offline_automatic", cases[i].automatic);
		drive_free(drive);
	}
}

static void a_sector_of_one_byte_repeated_is_no_status(void **state)
{
	struct drive *drive = drive_new();
	uint8_t data[512];

	(void)state;
	memset(data, 0xf3, sizeof(data));
	give_smart_data(&drive->capture, data);
	drive_decode(drive);
	expect_absent(drive, "selftest.in_progress");
	drive_free(drive);
}

static void an_execution_status_ends_with_a_result(void **state)
{
	static const struct {
		uint8_t status;
		const char *result; /* NULL: absent */
		int state;
	} cases[] = {
		{ 0x00, NULL, 0 }, /* completed, or never run */
		{ 0x30, "fatal or unknown error, not completed", FACT_KNOWN },
		{ 0x70, "failed: read element", FACT_KNOWN },
		{ 0x13, "aborted by host", FACT_KNOWN },
		{ 0xa0, "", FACT_INVALID },
	};
	static const uint8_t minutes[5] = { 2, 100, 5 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_smart_bytes(drive, 0x7b, cases[i].status, minutes);
		drive_decode(drive);
		if (!cases[i].result)
			expect_absent(drive, "selftest.last_result");
		else
			expect_state(drive, "selftest.last_result", cases[i].state);
		if (cases[i].result && cases[i].state == FACT_KNOWN)
			expect_text(drive, "selftest.last_result", cases[i].result);
		expect_flag(drive, "selftest.in_progress", false);
		assert_int_equal(fact_of(drive, "selftest.in_progress")->source.offset, 363);
		if (cases[i].status == 0x30 || cases[i].status == 0x70)
			expect_flag(drive, "selftest.last_failed", true);
		else
			expect_absent(drive, "selftest.last_failed");
		expect_absent(drive, "selftest.remaining_percent");
		drive_free(drive);
	}
}

static void more_than_90_percent_remaining_is_invalid(void **state)
{
	static const uint8_t minutes[5] = { 0 };
	struct drive *most = drive_new(), *more = drive_new();

	(void)state;
	give_smart_bytes(most, 0x7b, 0xf9, minutes);
	give_smart_bytes(more, 0x7b, 0xfa, minutes);
	drive_decode(most);
	drive_decode(more);
	expect_uint(most, "selftest.remaining_percent", 90);
	expect_state(more, "selftest.remaining_percent", FACT_INVALID);
	drive_free(most);
	drive_free(more);
}

static void a_selective_log_has_spans(void **state)
{
	struct drive *drive = drive_new();
	uint8_t log[512] = { 1 };

	(void)state;
	le_set(log, 2, 100, 8);
	le_set(log, 10, 199, 8);
	le_set(log, 2 + 32, 300, 8);
	le_set(log, 10 + 32, 0x123456789, 8);
	le_set(log, 492, 150, 8);
	le_set(log, 500, 1, 2);
	le_set(log, 508, 15, 2);
	checksum_set(log);
	give_smart_log(&drive->capture, 0x09, log, sizeof(log));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "selective_spans"), 2);
	const struct row *row = row_of(drive, "selective_spans", 1);

	assert_true(cell_is(row, "span", value_uint(3)));
	assert_true(cell_is(row, "first_lba", value_uint(300)));
	assert_true(cell_is(row, "last_lba", value_uint(0x123456789)));
	expect_uint(drive, "selftest.selective_lba", 150);
	expect_uint(drive, "selftest.selective_span", 1);
	expect_uint(drive, "selftest.selective_pending_minutes", 15);
	drive_free(drive);
}

static void request_sense_tells_the_progress(void **state)
{
	static const struct {
		uint16_t progress;
		uint64_t remaining;
	} cases[] = { { 0x0000, 100 }, { 0x8000, 50 }, { 0xffff, 1 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t sense[18] = { 0x70, 0, 0x02, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x04, 0x09,
			0, 0x80, (uint8_t)(cases[i].progress >> 8), (uint8_t)cases[i].progress };
		struct drive *drive = drive_new();

		give(&drive->capture, (const uint8_t[]) { 0x03, 0, 0, 0, 252, 0 }, 6, sense,
			sizeof(sense));
		drive_decode(drive);
		expect_flag(drive, "selftest.in_progress", true);
		expect_uint(drive, "selftest.remaining_percent", cases[i].remaining);
		drive_free(drive);
	}
}

static void the_time_of_an_extended_test_is_in_either_page(void **state)
{
	static const struct {
		uint16_t seconds, minutes;
		uint64_t want; /* 0: unknown */
	} cases[] = {
		{ 6300, 0, 105 },
		{ 6300, 999, 105 },
		{ 0xffff, 1500, 1500 },
		{ 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t mode[] = { 0, 18, 0, 0, 0, 0, 0, 0, 0x0a, 0x0a, 0, 0, 0, 0, 0, 0, 0,
			0, (uint8_t)(cases[i].seconds >> 8), (uint8_t)cases[i].seconds };
		const uint8_t vpd[64] = { 0, 0x86, 0, 60, [10] = (uint8_t)(cases[i].minutes >> 8),
			(uint8_t)cases[i].minutes };
		struct drive *drive = drive_new();

		give_mode(&drive->capture, 0, 0x0a, 0, mode, sizeof(mode));
		give_vpd(&drive->capture, 0x86, vpd, sizeof(vpd));
		drive_decode(drive);
		if (cases[i].want)
			expect_uint(drive, "selftest.extended_minutes", cases[i].want);
		else
			expect_state(drive, "selftest.extended_minutes", FACT_UNKNOWN);
		drive_free(drive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_time_of_an_extended_test_may_have_16_bits),
		cmocka_unit_test(smart_data_tell_what_a_drive_can_do_and_does),
		cmocka_unit_test(each_capability_has_its_own_bit),
		cmocka_unit_test(off_line_collection_has_a_state_and_may_be_automatic),
		cmocka_unit_test(a_sector_of_one_byte_repeated_is_no_status),
		cmocka_unit_test(an_execution_status_ends_with_a_result),
		cmocka_unit_test(more_than_90_percent_remaining_is_invalid),
		cmocka_unit_test(a_selective_log_has_spans),
		cmocka_unit_test(request_sense_tells_the_progress),
		cmocka_unit_test(the_time_of_an_extended_test_is_in_either_page),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
