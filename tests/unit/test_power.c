#include "drive.h"

static void apm_epc_and_puis_follow_their_validity(void **state)
{
	static const struct {
		const char *name;
		unsigned word, value; /* changed in the data of an SSD */
		const char *absent;   /* NULL: none */
	} cases[] = {
		{ "as it is", 0, 0x0040, NULL },
		{ "word 83 not signed", 83, 0x3d09, "power.apm_supported" },
		{ "word 86 without bit 15", 86, 0x3c09, "power.epc_supported" },
		{ "word 119 not signed", 119, 0x009e, "power.epc_supported" },
		{ "word 120 not signed", 120, 0x009c, "power.epc_enabled" },
		{ "EPC not supported", 119, 0x401e, "power.epc_enabled" },
		{ "APM off", 86, 0xbc01, "power.apm_level" },
		{ "APM not supported", 83, 0x7d01, "power.apm_enabled" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, cases[i].word, cases[i].value);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].absent) {
			expect_absent(drive, cases[i].absent);
		} else {
			expect_flag(drive, "power.apm_supported", true);
			expect_flag(drive, "power.apm_enabled", true);
			expect_uint(drive, "power.apm_level", 0xfe);
			expect_flag(drive, "power.epc_supported", true);
			expect_flag(drive, "power.epc_enabled", true);
			expect_flag(drive, "power.puis_supported", false);
			expect_absent(drive, "power.puis_enabled");
			expect_flag(drive, "power.standard_standby_timers", true);
			expect_flag(drive, "power.vendor_minimum_standby_timer", false);
		}
		drive_free(drive);
	}
}

static void a_reserved_apm_level_is_invalid(void **state)
{
	static const unsigned words[] = { 0x4000, 0x40ff };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 91, words[i]);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_state(drive, "power.apm_level", FACT_INVALID);
		drive_free(drive);
	}
}

static void power_limits_are_rows_and_the_chosen_one_a_fact(void **state)
{
	static const uint8_t vpd[] = { 0, 0x8d, 0, 24, 1, 3, 0, 9, 2, 4, 0x2a, 0xf8, 3, 5, 0x01,
		0xf4, 4, 6, 0, 1, 5, 2, 0, 1, 6, 0, 0xff, 0xff };
	static const struct {
		uint8_t id;
		double milliwatts; /* 0: null */
	} rows[] = { { 1, 9000 }, { 2, 11000 }, { 3, 0.5 }, { 4, 0 }, { 5, 1e6 }, { 6, 65535e12 } };
	uint8_t mode[8 + 16] = { 0, sizeof(mode) - 2, 0, 0, 0, 0, 0, 0, 0x5a, 1, 0, 12, 0, 0, 0,
		2 };
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x8d, vpd, sizeof(vpd));
	give_mode(&drive->capture, 0, 0x1a, 1, mode, sizeof(mode));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "power_consumption"), ARRAY_LEN(rows));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct row *row = row_of(drive, "power_consumption", i);

		assert_true(cell_is(row, "id", value_uint(rows[i].id)));
		assert_true(cell_is(row, "milliwatts",
			rows[i].milliwatts > 0 ? value_real(rows[i].milliwatts) : value_null()));
	}
	expect_uint(drive, "power.limit_milliwatts", 11000);
	expect_text(drive, "power.active_level", "by identifier");
	drive_free(drive);

	drive = drive_new();
	mode[8 + 6] = 3;
	give_vpd(&drive->capture, 0x8d, vpd, sizeof(vpd));
	give_mode(&drive->capture, 0, 0x1a, 1, mode, sizeof(mode));
	drive_decode(drive);
	expect_text(drive, "power.active_level", "lowest");
	expect_absent(drive, "power.limit_milliwatts");
	drive_free(drive);
}

static void each_power_feature_is_a_bit_of_its_own(void **state)
{
	static const struct bit supported[] = {
		{ "power.standard_standby_timers", 2 * 49, 2, 13, true },
		{ "power.vendor_minimum_standby_timer", 2 * 50, 2, 0, true },
		{ "power.apm_supported", 2 * 83, 2, 3, true },
		{ "power.puis_supported", 2 * 83, 2, 5, true },
		{ "power.epc_supported", 2 * 119, 2, 7, true },
	};
	static const struct bit enabled[] = {
		{ "power.puis_spin_up_needed", 2 * 83, 2, 6, true },
		{ "power.apm_enabled", 2 * 86, 2, 3, true },
		{ "power.puis_enabled", 2 * 86, 2, 5, true },
		{ "power.epc_enabled", 2 * 120, 2, 7, true },
	};
	uint8_t identify[512];

	(void)state;
	identify_ssd(identify);
	expect_bits(supported, ARRAY_LEN(supported), identify, sizeof(identify), give_identify_to);
	word_set(identify, 83, 0x7d29);
	expect_bits(enabled, ARRAY_LEN(enabled), identify, sizeof(identify), give_identify_to);
}

static void give_settings(struct drive *drive, const uint8_t *data, size_t len)
{
	give_ata_log(&drive->capture, 0x30, 4, data, len);
}

static void the_settings_page_of_the_identify_log_tells_what_is_enabled(void **state)
{
	static const struct bit bits[] = {
		{ "power.apm_enabled", 8, 8, 2, true },
		{ "power.puis_enabled", 8, 8, 3, true },
		{ "power.epc_enabled", 8, 8, 15, true },
		{ "power_loss.write_cache_enabled", 8, 8, 13, true },
	};
	static const uint8_t page[512] = { 1, 0, 4, 0, 0, 0, 0, 0x80, [15] = 0x80 };

	(void)state;
	expect_bits(bits, ARRAY_LEN(bits), page, sizeof(page), give_settings);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(apm_epc_and_puis_follow_their_validity),
		cmocka_unit_test(a_reserved_apm_level_is_invalid),
		cmocka_unit_test(power_limits_are_rows_and_the_chosen_one_a_fact),
		cmocka_unit_test(each_power_feature_is_a_bit_of_its_own),
		cmocka_unit_test(the_settings_page_of_the_identify_log_tells_what_is_enabled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
