#include "smart.h"

/* Gives one attribute to a drive of that model and decodes. */
static void begin_with(struct smart_drive *drive, const char *model, const char *firmware,
	const struct smart_slot *slots, size_t count)
{
	smart_begin(drive, model, firmware, SMART_SOLID);
	smart_decode(drive, slots, count);
}

static const struct fact *fact_of(const struct smart_drive *drive, const char *key, size_t n)
{
	for (size_t i = 0; i < drive->facts.fact_count; i++)
		if (!strcmp(drive->facts.facts[i].key->name, key) && n-- == 0)
			return &drive->facts.facts[i];
	return NULL;
}

/* ---- what was written ---- */

static void the_unit_of_what_was_written_follows_from_the_model(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id;
		uint64_t raw, want;
	} cases[] = {
		{ "Samsung SSD 850 EVO 1TB", "EMT02B6Q", 241, 23996625190, 12286272097280 },
		{ "TOSHIBA THNSN81Q92CSE", "8EET6101", 241, 8240889, 276518349570048 },
		{ "INTEL SSDSC2KG960G8", "XCV10132", 241, 85240, 2860179783680 },
		{ "INTEL SSDSC2BA200G4R", "G201DL2B", 233, 2601810, 87302256721920 },
		{ "KINGSTON SEDC500M960G", "SCEKJ2.3", 241, 7472, 8022998908928 },
		{ "SDLF1CRM-017T-1HST", "ZR03RPA1", 241, 97280, 97280000000000 },
		{ "SanDisk SDSSDHP128G", "X2316RL", 241, 2105, 2260226539520 },
		{ "SanDisk SDSSDHP128G", "X211200", 241, 77478553988, 39669019641856 },
		{ "XA1920LE10063", "SF4400ZU", 241, 217324, 233349868158976 },
		{ "Micron_5300_MTFDDAK960TDS", "D3MU001", 246, 861366704882, 441019752899584 },
		{ "GOODRAM", "SBFM10.6", 241, 20352, 21852793602048 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { cases[i].id, 100, 0, cases[i].raw, 0, 0 } };
		struct smart_drive drive;
		uint64_t bytes = 0;

		begin_with(&drive, cases[i].model, cases[i].firmware, slots, 1);
		if (!facts_uint(&drive.facts, "endurance.host_written_bytes", &bytes) ||
			bytes != cases[i].want)
			fail_msg("%s: %llu", cases[i].model, (unsigned long long)bytes);
		smart_end(&drive);
	}
}

static void a_counter_of_an_unknown_model_is_unknown_and_never_guessed(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint16_t rotation;
		uint8_t id;
		const char *key;
	} cases[] = {
		{ "UNKNOWN SSD", "1", SMART_SOLID, 241, "endurance.host_written_bytes" },
		{ "UNKNOWN DISK", "1", SMART_ROTATING, 242, "endurance.host_read_bytes" },
		{ "SDLFODAR-480G-1HAW", "ZR", SMART_SOLID, 241, "endurance.host_written_bytes" },
		{ "ST3500418AS", "CC38", SMART_ROTATING, 241, "endurance.host_written_bytes" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { cases[i].id, 100, 0, 329, 0, 0 } };
		struct smart_drive drive;

		smart_begin(&drive, cases[i].model, cases[i].firmware, cases[i].rotation);
		smart_decode(&drive, slots, 1);
		const struct fact *fact = fact_of(&drive, cases[i].key, 0);
		assert_non_null(fact);
		assert_int_equal(fact->state, FACT_UNKNOWN);
		assert_non_null(fact->note);
		assert_int_equal(fact->source.raw.len, 6);
		smart_end(&drive);
	}
}

static void the_name_in_a_database_tells_the_unit(void **state)
{
	static const struct {
		const char *preset;
		uint64_t raw, want; /* 0: unknown */
	} cases[] = {
		{ "-v 241,raw48,Host_Writes_32MiB", 329, UINT64_C(329) << 25 },
		{ "-v 241,raw48,Total_Writes_GiB", 10, UINT64_C(10) << 30 },
		{ "-v 241,raw48,Total_LBAs_Written", 1000, 512000 },
		{ "-v 241,raw48,Total_Writes_GB", 10, 0 },
		{ "-v 241,raw48,Whatever", 10, 0 },
		/* 2^34 drive writes */
		{ "-v 241,raw48,Total_Writes_GiB", 34745645560, 0 },
	};
	char database[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 241, 100, 0, cases[i].raw, 0, 0 } };
		struct smart_drive drive;
		uint64_t bytes = 0;

		snprintf(database, sizeof(database), "{ \"Test\", \"NAMED\", \"\", \"\", \"%s\" },",
			cases[i].preset);
		smart_database(database);
		begin_with(&drive, "NAMED", "1", slots, 1);
		assert_int_equal(facts_uint(&drive.facts, "endurance.host_written_bytes", &bytes),
			cases[i].want != 0);
		assert_true(bytes == cases[i].want);
		smart_end(&drive);
	}
	smart_no_database();
}

static void device_statistics_count_logical_sectors_whatever_the_physical_ones_are(void **state)
{
	static const struct smart_statistic general[] = { { 24, 23996625190 }, { 40, 1000 },
		{ 0 } };
	static const struct smart_statistic ones[] = { { 24, 0xffffffffffff }, { 0 } };
	struct smart_drive drive;

	(void)state;
	smart_begin(&drive, "ANY", "1", SMART_SOLID);
	smart_statistics(&drive.capture, 1, general);
	decode(&drive.capture, &drive.facts);
	smart_assert_fact(&drive, "endurance.host_written_bytes", 12286272097280.0);
	smart_assert_fact(&drive, "endurance.host_read_bytes", 512000);
	smart_end(&drive);

	smart_begin(&drive, "ANY", "1", SMART_SOLID);
	smart_statistics(&drive.capture, 1, ones);
	decode(&drive.capture, &drive.facts);
	smart_assert_state(&drive, "endurance.host_written_bytes", FACT_UNKNOWN);
	smart_end(&drive);
}

static void statistics_without_an_identity_have_no_block_size(void **state)
{
	static const struct smart_statistic general[] = { { 24, 1000 }, { 0 } };
	struct smart_drive drive;

	(void)state;
	capture_init(&drive.capture, "test");
	facts_init(&drive.facts);
	smart_statistics(&drive.capture, 1, general);
	decode(&drive.capture, &drive.facts);
	smart_assert_state(&drive, "endurance.host_written_bytes", FACT_UNKNOWN);
	smart_end(&drive);
}

/* Real drives: what the statistic holds is the attribute modulo 2^32. */
static void a_statistic_of_32_bits_gives_way_to_the_attribute(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id;
		uint64_t raw, statistic, want;
	} cases[] = {
		{ "CT1000MX500SSD1", "M3CR023", 246, 54824384051, 3284776499, 28070084634112 },
		{ "ADATA SP550", "P0705AB", 241, 67840, 151048228, 2276332666880 },
		{ "WDC WDS240G1G0B-00RC30", "Z3311000", 241, 3750, 3570264199, 4026531840000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { cases[i].id, 100, 0, cases[i].raw, 0, 0 } };
		const struct smart_statistic general[] = { { 24, cases[i].statistic }, { 40, 1000 },
			{ 0 } };
		struct smart_drive drive;

		smart_begin(&drive, cases[i].model, cases[i].firmware, SMART_SOLID);
		smart_statistics(&drive.capture, 1, general);
		smart_decode(&drive, slots, 1);
		smart_assert_fact(&drive, "endurance.host_written_bytes", (double)cases[i].want);
		assert_true(smart_has_note(&drive.facts, "contradict"));
		/* side by side */
		const struct fact *statistic = fact_of(&drive, "endurance.host_written_bytes", 0);
		assert_true(statistic->value.uint == cases[i].statistic * 512);
		assert_non_null(strstr(statistic->note, "32 bits"));
		/* nothing confirms the other direction */
		smart_assert_state(&drive, "endurance.host_read_bytes", FACT_UNKNOWN);
		smart_end(&drive);
	}
}

static void two_wrapped_counters_tell_the_unit_of_an_unknown_model(void **state)
{
	static const struct {
		uint64_t written, written_statistic, read, read_statistic;
		uint64_t want; /* 0: the statistic is believed */
	} cases[] = {
		/* 32 MiB */
		{ 421766, 1871063273, 489448, 2011711847, 14152118566912 },
		/* GiB */
		{ 8773, 1219168833, 7109, 2025547279, 9419937021952 },
		/* only one direction fits: chance */
		{ 421766, 1871063273, 489448, 1, 0 },
		/* no unit fits */
		{ 421766, 2371063273, 489448, 2011711847, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 241, 100, 0, cases[i].written, 0, 0 },
			{ 242, 100, 0, cases[i].read, 0, 0 } };
		const struct smart_statistic general[] = { { 24, cases[i].written_statistic },
			{ 40, cases[i].read_statistic }, { 0 } };
		struct smart_drive drive;

		smart_begin(&drive, "UNKNOWN SSD", "1", SMART_SOLID);
		smart_statistics(&drive.capture, 1, general);
		smart_decode(&drive, slots, 2);
		smart_assert_fact(&drive, "endurance.host_written_bytes",
			cases[i].want ? (double)cases[i].want
				      : (double)cases[i].written_statistic * 512);
		assert_int_equal(fact_of(&drive, "endurance.host_written_bytes", 1) != NULL,
			cases[i].want != 0);
		smart_end(&drive);
	}
}

static void sources_that_differ_by_a_step_of_the_counter_do_not_contradict(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint64_t raw, statistic;
		bool contradict;
	} cases[] = {
		{ "WDC WDS240G2G0B-00EPW0", "UJ450000", 6, 13657133, false },
		{ "SDLF1CRR019T-1HHS", "ZR09RPA1", 704, 1467353561, false },
		{ "XA240ME10003", "SF441121", 1212, 2543114856, false },
		{ "XA240ME10003", "SF441121", 2424, 2543114856, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 241, 100, 0, cases[i].raw, 0, 0 } };
		const struct smart_statistic general[] = { { 24, cases[i].statistic }, { 0 } };
		struct smart_drive drive;

		smart_begin(&drive, cases[i].model, cases[i].firmware, SMART_SOLID);
		smart_statistics(&drive.capture, 1, general);
		smart_decode(&drive, slots, 1);
		assert_int_equal(smart_has_note(&drive.facts, "contradict"), cases[i].contradict);
		/* the statistic stays the better one */
		smart_assert_fact(
			&drive, "endurance.host_written_bytes", (double)cases[i].statistic * 512);
		smart_end(&drive);
	}
}

/* ---- flash ---- */

static void write_amplification_is_flash_by_host(void **state)
{
	static const struct smart_slot samsung[] = { { 241, 99, 0, 1000000000, 0, 0 },
		{ 251, 100, 0, 1600000000, 0, 0 } };
	static const struct smart_slot micron[] = { { 246, 100, 0, 3200000000, 0, 0 },
		{ 247, 100, 0, 100000000, 0, 0 }, { 248, 100, 0, 50000000, 0, 0 } };
	static const struct smart_slot resting[] = { { 241, 99, 0, 356378500194, 0, 0 },
		{ 251, 100, 0, 0, 0, 0 } };
	struct smart_drive drive;

	(void)state;
	begin_with(&drive, "SAMSUNG MZ7LM480HMHQ-00005", "GXT5204Q", samsung, 2);
	smart_assert_fact(&drive, "endurance.nand_written_bytes", 819200000000.0);
	smart_assert_fact(&drive, "endurance.write_amplification_ratio", 1.6);
	smart_end(&drive);
	begin_with(&drive, "Micron_5200_MTFDDAK960TDD", "D1MU004", micron, 3);
	smart_assert_fact(&drive, "endurance.nand_written_bytes", 150000000 * 16384.0);
	smart_assert_fact(&drive, "endurance.write_amplification_ratio", 1.5);
	smart_end(&drive);
	begin_with(&drive, "SAMSUNG MZ7KM480HMHQ-000MV", "GXM50M3Q", resting, 2);
	smart_assert_state(&drive, "endurance.nand_written_bytes", FACT_UNKNOWN);
	assert_null(facts_find(&drive.facts, "endurance.write_amplification_ratio"));
	smart_end(&drive);
}

static void drive_writes_per_day_need_hours_and_capacity(void **state)
{
	/* 480,103,981,056 bytes, 240 hours: 10 days */
	static const struct smart_slot slots[] = { { 9, 100, 0, 240, 0, 0 },
		{ 241, 99, 0, 937703088 * UINT64_C(5), 0, 0 } };
	static const struct smart_slot new[] = { { 9, 100, 0, 0, 0, 0 },
		{ 241, 99, 0, 1000, 0, 0 } };
	struct smart_drive drive;

	(void)state;
	begin_with(&drive, "Samsung SSD 860 EVO 500GB", "RVT03B6Q", slots, 2);
	smart_assert_fact(&drive, "endurance.measured_dwpd", 0.5);
	assert_non_null(
		strstr(facts_find(&drive.facts, "endurance.measured_dwpd")->source.text, "/ 24"));
	smart_end(&drive);
	begin_with(&drive, "Samsung SSD 860 EVO 500GB", "RVT03B6Q", new, 2);
	assert_null(facts_find(&drive.facts, "endurance.measured_dwpd"));
	smart_end(&drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_unit_of_what_was_written_follows_from_the_model),
		cmocka_unit_test(a_counter_of_an_unknown_model_is_unknown_and_never_guessed),
		cmocka_unit_test(the_name_in_a_database_tells_the_unit),
		cmocka_unit_test(
			device_statistics_count_logical_sectors_whatever_the_physical_ones_are),
		cmocka_unit_test(statistics_without_an_identity_have_no_block_size),
		cmocka_unit_test(a_statistic_of_32_bits_gives_way_to_the_attribute),
		cmocka_unit_test(two_wrapped_counters_tell_the_unit_of_an_unknown_model),
		cmocka_unit_test(sources_that_differ_by_a_step_of_the_counter_do_not_contradict),
		cmocka_unit_test(write_amplification_is_flash_by_host),
		cmocka_unit_test(drive_writes_per_day_need_hours_and_capacity),
	};

	return cmocka_run_group_tests(tests, smart_database_begin, smart_database_end);
}
