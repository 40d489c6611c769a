#include "drive.h"

enum { ABSENT = -1, UNKNOWN = -2 };

static void expect_answer(const struct drive *drive, const char *key, int answer)
{
	if (answer == ABSENT)
		expect_absent(drive, key);
	else if (answer == UNKNOWN)
		expect_state(drive, key, FACT_UNKNOWN);
	else
		expect_flag(drive, key, answer);
}

static void give_caches(struct drive *drive, bool nonvolatile, bool is_volatile)
{
	uint8_t page[64] = { 0, 0x86, 0, 60, 0, 0, (uint8_t)(nonvolatile << 1 | is_volatile) };

	give_vpd(&drive->capture, 0x86, page, sizeof(page));
}

static void give_caching(struct drive *drive, uint8_t control, bool enabled, bool nv_dis)
{
	uint8_t data[8 + 20] = { 0, sizeof(data) - 2, 0, 0x10, 0, 0, 0, 0, 0x88, 18,
		(uint8_t)(enabled << 2), [20] = nv_dis };

	give_mode(&drive->capture, control, 0x08, 0, data, sizeof(data));
}

/* Log page 17h: remaining, and 1440 minutes at most. */
static void give_times(struct drive *drive, uint32_t minutes)
{
	uint8_t page[] = { 0x17, 0, 0, 16, 0, 0, 3, 4, 0, (uint8_t)(minutes >> 16),
		(uint8_t)(minutes >> 8), (uint8_t)minutes, 0, 1, 3, 4, 0, 0, 0x05, 0xa0 };

	give_log(&drive->capture, 0x17, 0, page, sizeof(page));
}

static void an_scsi_drive_is_at_risk_by_an_enabled_volatile_cache(void **state)
{
	static const struct {
		const char *evidence;
		bool v_sup, nv_sup, wce, nv_dis;
		int nonvolatile, at_risk;
	} cases[] = {
		{ "V_SUP=1 WCE=1 NV_SUP=0 NV_DIS=0", 1, 0, 1, 0, 0, 1 },
		{ "V_SUP=1 WCE=0 NV_SUP=0 NV_DIS=0", 1, 0, 0, 0, 0, 0 },
		{ "V_SUP=1 WCE=1 NV_SUP=1 NV_DIS=0", 1, 1, 1, 0, 1, 0 },
		{ "V_SUP=1 WCE=1 NV_SUP=1 NV_DIS=1", 1, 1, 1, 1, 0, 1 },
		{ "V_SUP=0 WCE=1 NV_SUP=1 NV_DIS=0", 0, 1, 1, 0, 1, 0 },
		{ "V_SUP=0 WCE=0 NV_SUP=0 NV_DIS=0", 0, 0, 0, 0, 0, 0 },
		/* V_SUP 0 is "may or may not", and a cache that is on is somewhere. */
		{ "V_SUP=0 WCE=1 NV_SUP=0 NV_DIS=0", 0, 0, 1, 0, 0, UNKNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_caches(drive, cases[i].nv_sup, cases[i].v_sup);
		give_caching(drive, 0, cases[i].wce, cases[i].nv_dis);
		drive_decode(drive);
		expect_flag(drive, "power_loss.volatile_cache", cases[i].v_sup);
		expect_flag(drive, "power_loss.write_cache_enabled", cases[i].wce);
		expect_flag(drive, "power_loss.nonvolatile_cache", cases[i].nonvolatile);
		expect_answer(drive, "power_loss.at_risk", cases[i].at_risk);
		assert_string_equal(
			fact_of(drive, "power_loss.at_risk")->source.text, cases[i].evidence);
		drive_free(drive);
	}
}

static void half_of_the_evidence_is_not_enough(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_caching(drive, 0, true, false);
	drive_decode(drive);
	expect_answer(drive, "power_loss.at_risk", UNKNOWN);
	expect_absent(drive, "power_loss.nonvolatile_cache");
	drive_free(drive);

	drive = drive_new();
	give_caches(drive, true, true);
	drive_decode(drive);
	expect_answer(drive, "power_loss.nonvolatile_cache", UNKNOWN);
	expect_answer(drive, "power_loss.at_risk", UNKNOWN);
	drive_free(drive);

	drive = drive_new();
	drive_decode(drive);
	expect_absent(drive, "power_loss.at_risk");
	drive_free(drive);
}

static void log_page_17h_outweighs_the_flags(void **state)
{
	static const struct {
		uint32_t minutes;
		bool nv_sup;
		enum fact_state state;
		const char *note;
		int at_risk;
	} cases[] = {
		{ 0x000000, true, FACT_KNOWN, "the cache is volatile", 1 },
		{ 0x000001, true, FACT_UNKNOWN, NULL, 0 },
		{ 0x000001, false, FACT_UNKNOWN, NULL, 1 },
		{ 0x0005a0, false, FACT_KNOWN, NULL, 0 },
		{ 0xffffff, false, FACT_UNKNOWN, "without limit", 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_caches(drive, cases[i].nv_sup, true);
		give_caching(drive, 0, true, false);
		give_times(drive, cases[i].minutes);
		drive_decode(drive);
		const struct fact *fact = fact_of(
			drive, "power_loss.remaining_nonvolatile_minutes");
		assert_int_equal(fact->state, cases[i].state);
		if (cases[i].note)
			assert_string_equal(fact->note, cases[i].note);
		else
			assert_null(fact->note);
		if (cases[i].state == FACT_KNOWN)
			assert_int_equal(fact->value.uint, cases[i].minutes);
		expect_uint(drive, "power_loss.maximum_nonvolatile_minutes", 1440);
		expect_flag(drive, "power_loss.at_risk", cases[i].at_risk);
		drive_free(drive);
	}
}

static void an_ata_drive_is_at_risk_by_an_enabled_volatile_write_cache(void **state)
{
	static const struct {
		const char *name;
		unsigned word_69, word_82, word_85, word_87, word_217;
		int enabled, at_risk;
		bool note;
	} cases[] = {
		{ "hard disk", 0, 0x746b, 0x7469, 0x6163, 7200, 1, 1, false },
		{ "SSD", 0, 0x746b, 0x7469, 0x6163, 1, 1, 1, true },
		{ "switched off", 0, 0x746b, 0x7449, 0x6163, 1, 0, 0, false },
		{ "all write cache non-volatile", 4, 0x746b, 0x7469, 0x6163, 1, 1, 0, false },
		{ "none", 0, 0x744b, 0x7469, 0x6163, 1, ABSENT, 0, false },
		{ "word 87 not signed", 0, 0x746b, 0x7469, 0x2163, 1, ABSENT, UNKNOWN, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 69, cases[i].word_69);
		word_set(identify, 82, cases[i].word_82);
		word_set(identify, 85, cases[i].word_85);
		word_set(identify, 87, cases[i].word_87);
		word_set(identify, 217, cases[i].word_217);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_answer(drive, "power_loss.write_cache_enabled", cases[i].enabled);
		expect_answer(drive, "power_loss.at_risk", cases[i].at_risk);
		assert_int_equal(fact_of(drive, "power_loss.at_risk")->note != NULL, cases[i].note);
		drive_free(drive);
	}
}

/* SMART READ DATA of one attribute, and its threshold. */
static void give_attribute(struct drive *drive, uint8_t id, uint8_t value, uint8_t threshold)
{
	uint8_t data[512] = { 16, 0, id, 0x33, 0, value, value, 0x39, 0x0a, 2, 0, 0xff, 0xff };
	uint8_t thresholds[512] = { 16, 0, id, threshold };

	data[511] = (uint8_t)-bytes_sum((struct bytes) { data, 512 });
	thresholds[511] = (uint8_t)-bytes_sum((struct bytes) { thresholds, 512 });
	give_smart_data(&drive->capture, data);
	give_smart_thresholds(&drive->capture, thresholds);
}

static void capacitors_that_pass_their_test_protect_the_cache(void **state)
{
	static const struct {
		uint8_t value;
		const char *test;
		bool at_risk;
	} cases[] = { { 100, "passed", false }, { 1, "failed", true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		text_set(identify, 27, 40, "INTEL SSDSC2BA400G3");
		text_set(identify, 23, 8, "5DV10270");
		word_set(identify, 69, 0);
		give_identify(&drive->capture, identify);
		give_attribute(drive, 175, cases[i].value, 10);
		drive_decode(drive);
		expect_text(drive, "power_loss.capacitor_test", cases[i].test);
		expect_flag(drive, "power_loss.at_risk", cases[i].at_risk);
		drive_free(drive);
	}
}

static void saved_and_default_settings_are_told_apart(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_caching(drive, 0, false, false);
	give_caching(drive, 1, true, false);
	give_caching(drive, 2, true, false);
	give_caching(drive, 3, false, false);
	drive_decode(drive);
	expect_flag(drive, "power_loss.write_cache_enabled", false);
	expect_flag(drive, "power_loss.write_cache_changeable", true);
	expect_flag(drive, "power_loss.write_cache_default", true);
	expect_flag(drive, "power_loss.write_cache_saved", false);
	expect_flag(drive, "power_loss.fua_supported", true);
	drive_free(drive);
}

static void forced_unit_access_stands_in_another_byte_of_mode_sense_6(void **state)
{
	static const uint8_t cdb[6] = { 0x1a, 0, 0x08, 0, 0xff };
	uint8_t data[4 + 20] = { sizeof(data) - 1, 0, 0x10, 0, 0x08, 18 };
	struct drive *drive = drive_new();

	(void)state;
	give(&drive->capture, cdb, sizeof(cdb), data, sizeof(data));
	drive_decode(drive);
	expect_flag(drive, "power_loss.fua_supported", true);
	drive_free(drive);

	drive = drive_new();
	data[2] = 0x80;
	data[3] = 0;
	give(&drive->capture, cdb, sizeof(cdb), data, sizeof(data));
	drive_decode(drive);
	expect_flag(drive, "power_loss.fua_supported", false);
	drive_free(drive);
}

static void a_sat_layer_that_disagrees_on_the_write_cache_is_noted(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	give_caching(drive, 0, false, false);
	drive_decode(drive);
	expect_flag(drive, "power_loss.write_cache_enabled", true);
	assert_true(has_note(drive, "write_cache_enabled: sources contradict"));
	expect_flag(drive, "power_loss.flush_supported", true);
	drive_free(drive);
}

static void every_prefix_of_log_page_17h_is_survived(void **state)
{
	static const uint8_t page[] = { 0x17, 0, 0, 8, 0, 0, 3, 4, 0, 0, 0x05, 0xa0 };

	(void)state;
	for (size_t len = 0; len <= sizeof(page); len++) {
		struct drive *drive = drive_new();

		give_log(&drive->capture, 0x17, 0, page, len);
		drive_decode(drive);
		if (len < sizeof(page))
			expect_absent(drive, "power_loss.remaining_nonvolatile_minutes");
		else
			expect_uint(drive, "power_loss.remaining_nonvolatile_minutes", 1440);
		drive_free(drive);
	}
}

static void facts_of_the_caches_point_to_their_bytes(void **state)
{
	static const struct bit bits[] = {
		{ "power_loss.nonvolatile_cache", 2 * 69, 2, 2, true },
		{ "power_loss.flush_supported", 2 * 83, 2, 12, true },
		{ "power_loss.fua_supported", 2 * 84, 2, 6, true },
		{ "power_loss.write_cache_enabled", 2 * 85, 2, 5, true },
	};
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	expect_bits(bits, ARRAY_LEN(bits), identify, sizeof(identify), give_identify_to);
	give_caches(drive, true, true);
	give_caching(drive, 0, true, false);
	give_times(drive, 5);
	drive_decode(drive);
	expect_source(drive, "power_loss.volatile_cache", 6, 1);
	expect_source(drive, "power_loss.nonvolatile_cache", 6, 1);
	expect_source(drive, "power_loss.write_cache_enabled", 8 + 2, 1);
	expect_source(drive, "power_loss.fua_supported", 3, 1);
	expect_source(drive, "power_loss.remaining_nonvolatile_minutes", 4 + 5, 3);
	assert_int_equal(
		fact_of(drive, "power_loss.maximum_nonvolatile_minutes")->source.parameter, 1);
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_scsi_drive_is_at_risk_by_an_enabled_volatile_cache),
		cmocka_unit_test(half_of_the_evidence_is_not_enough),
		cmocka_unit_test(log_page_17h_outweighs_the_flags),
		cmocka_unit_test(an_ata_drive_is_at_risk_by_an_enabled_volatile_write_cache),
		cmocka_unit_test(capacitors_that_pass_their_test_protect_the_cache),
		cmocka_unit_test(saved_and_default_settings_are_told_apart),
		cmocka_unit_test(forced_unit_access_stands_in_another_byte_of_mode_sense_6),
		cmocka_unit_test(a_sat_layer_that_disagrees_on_the_write_cache_is_noted),
		cmocka_unit_test(every_prefix_of_log_page_17h_is_survived),
		cmocka_unit_test(facts_of_the_caches_point_to_their_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
