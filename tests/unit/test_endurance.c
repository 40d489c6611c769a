#include "smart.h"

/* ---- wear of ATA drives ---- */

static void begin_with(struct smart_drive *drive, const char *model, const char *firmware,
	const struct smart_slot *slots, size_t count)
{
	smart_begin(drive, model, firmware, SMART_SOLID);
	smart_decode(drive, slots, count);
}

static void wear_is_told_in_the_direction_of_the_family(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id, value;
		uint64_t raw;
		unsigned want;
	} cases[] = {
		{ "Micron_5200_MTFDDAK960TDD", "D1MU004", 202, 98, 2, 2 },
		{ "CT120BX500SSD1", "M6CR013", 202, 53, 53, 47 },
		{ "P400e-MTFDDAK200MAR", "0144", 202, 87, 13, 13 },
		{ "Samsung SSD 850 EVO 1TB", "EMT02B6Q", 177, 1, 2981, 99 },
		{ "INTEL SSDSC2KG960G8", "XCV10132", 233, 88, 0, 12 },
		{ "INTEL SSDSC2BA800G4R", "G201DL2D", 245, 97, 97, 3 },
		{ "SDLF1CRM-017T-1HST", "ZR03RPA1", 245, 94, 94, 6 },
		{ "SDLF1CRR-019T-1HA1", "ZR06RPA1", 178, 100, 9592, 4 },
		{ "SanDisk SDSSDHP128G", "X211200", 230, 100, 5924, 23 },
		{ "SanDisk SDSSDHP256G", "X2306RL", 230, 100, 8494, 33 },
		{ "KINGSTON SA400S37120G", "SBFKB1E1", 231, 2, 98, 2 },
		{ "KINGSTON SA400S37120G", "SBFK71E0", 231, 100, 85, 15 },
		{ "KINGSTON SUV500MS120G", "003056RI", 231, 10, 90, 90 },
		{ "XA1920LE10063", "SF4400ZU", 173, 96, 319, 4 },
		{ "TOSHIBA THNSN8960PCSE", "8EET6101", 173, 195, 2220508023758, 5 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { cases[i].id, cases[i].value, 0, cases[i].raw,
			0, 0 } };
		struct smart_drive drive;
		uint64_t used = 255;

		begin_with(&drive, cases[i].model, cases[i].firmware, slots, 1);
		if (!facts_uint(&drive.facts, "endurance.used_percent", &used) ||
			used != cases[i].want)
			fail_msg("%s: %u", cases[i].model, (unsigned)used);
		smart_end(&drive);
	}
}

static void wear_of_an_unknown_direction_is_not_told(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id, value;
		uint64_t raw;
		bool offered; /* as unknown */
	} cases[] = {
		/* ids that are the life of other makers' drives */
		{ "Patriot P120", "1", 177, 100, 60, false },
		{ "ORICO", "1", 202, 30, 70, false },
		{ "UNKNOWN SSD", "1", 231, 100, 36, false },
		{ "UNKNOWN SSD", "1", 233, 99, 1, false },
		/* WD Blue: percent used, in an encoding that is not confirmed */
		{ "WDC WDS500G2B0A", "X61190WD", 230, 100, 0x011100010111, false },
		/* VALUE of 255 */
		{ "ST480FP0021-2CA", "0004", 231, 230, 0, false },
		/* a known place that holds nothing */
		{ "KINGSTON SA400S37120G", "SBFKB1E1", 231, 100, 0, true },
		{ "INTEL SSDSC2KG960G8", "XCV10132", 233, 253, 0, true },
		{ "SDLF1CRM-017T-1HST", "ZR03RPA1", 178, 100, 10001, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { cases[i].id, cases[i].value, 0, cases[i].raw,
			0, 0 } };
		struct smart_drive drive;

		begin_with(&drive, cases[i].model, cases[i].firmware, slots, 1);
		const struct fact *fact = facts_find(&drive.facts, "endurance.used_percent");
		if (cases[i].offered ? !fact || fact->state != FACT_UNKNOWN : fact != NULL)
			fail_msg("%s %s", cases[i].model, cases[i].firmware);
		smart_end(&drive);
	}
}

static void a_name_in_a_database_tells_the_direction_where_the_numbers_agree(void **state)
{
	static const struct {
		const char *name;
		uint8_t value;
		uint64_t raw;
		int want; /* -1: unknown */
	} cases[] = {
		{ "SSD_Life_Left", 98, 98, 2 },
		{ "SSD_Life_Left", 98, 2, 2 },
		{ "SSD_Life_Left", 91, 0, 9 },
		{ "SSD_Life_Left", 97, 4294967297, 3 },
		{ "SSD_Life_Left", 100, 96, 4 },
		{ "SSD_Life_Left", 100, 4, -1 },
		{ "SSD_Life_Left", 100, 0, -1 },
		{ "SSD_Life_Left", 99, 2, -1 },
		{ "SSD_Life_Left", 0, 0, 100 },
		{ "SSD_Life_Left", 200, 5, -1 },
		{ "Percent_Lifetime_Used", 94, 6, 6 },
		{ "Percent_Lifetime_Used", 100, 6, 6 },
		{ "Percent_Lifetime_Used", 0, 104, 104 },
		{ "Percent_Lifetime_Used", 50, 6, -1 },
		{ "Percent_Lifetime_Used", 100, 5000, -1 },
	};
	char database[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 231, cases[i].value, 0, cases[i].raw, 0,
			0 } };
		struct smart_drive drive;
		uint64_t used;

		snprintf(database, sizeof(database),
			"{ \"Test\", \"NAMED\", \"\", \"\", \"-v 231,raw48,%s\" },", cases[i].name);
		smart_database(database);
		begin_with(&drive, "NAMED", "1", slots, 1);
		bool known = facts_uint(&drive.facts, "endurance.used_percent", &used);
		if (known != (cases[i].want >= 0) || (known && used != (unsigned)cases[i].want))
			fail_msg("%s %u %llu", cases[i].name, cases[i].value,
				(unsigned long long)cases[i].raw);
		smart_end(&drive);
	}
	smart_no_database();
}

static void the_statistic_of_wear_is_the_better_source_unless_it_rests(void **state)
{
	static const struct {
		const char *model;
		uint8_t id, value;
		uint64_t raw;
		uint8_t statistic;
		int want; /* -1: unknown */
		bool contradict;
	} cases[] = {
		/* beyond the rating; VALUE ends at 1 */
		{ "Samsung SSD 860 EVO 1TB", 177, 1, 2463, 144, 144, false },
		{ "Samsung SSD 860 EVO 1TB", 177, 11, 1338, 93, 93, false },
		{ "CT120BX500SSD1", 202, 53, 53, 90, 90, true },
		/* zero for life, where the attribute counts */
		{ "Micron_M500DC_MTFDDAK120MBB", 202, 78, 22, 0, 22, true },
		{ "Micron_M500DC_MTFDDAK120MBB", 202, 100, 0, 0, 0, false },
		/* 255: or more, or not valid */
		{ "INTEL SSDSC2CW240A3", 233, 99, 0, 255, 1, false },
		{ "UNKNOWN SSD", 233, 99, 0, 255, -1, false },
		{ "UNKNOWN SSD", 233, 99, 0, 12, 12, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { cases[i].id, cases[i].value, 0, cases[i].raw,
			0, 0 } };
		const struct smart_statistic wear[] = { { 8, cases[i].statistic }, { 0 } };
		struct smart_drive drive;

		smart_begin(&drive, cases[i].model, "1", SMART_SOLID);
		smart_statistics(&drive.capture, 7, wear);
		smart_decode(&drive, slots, 1);
		if (cases[i].want >= 0)
			smart_assert_fact(&drive, "endurance.used_percent", cases[i].want);
		else
			smart_assert_state(&drive, "endurance.used_percent", FACT_UNKNOWN);
		assert_int_equal(smart_has_note(&drive.facts, "contradict"), cases[i].contradict);
		smart_end(&drive);
	}
}

static void spare_blocks_are_not_wear(void **state)
{
	static const struct smart_slot slots[] = { { 232, 100, 0, 0, 10, 0 },
		{ 233, 88, 0, 0, 0, 0 } };
	struct smart_drive drive;

	(void)state;
	begin_with(&drive, "INTEL SSDSC2KG960G8", "XCV10132", slots, 2);
	smart_assert_fact(&drive, "endurance.used_percent", 12);
	smart_assert_fact(&drive, "endurance.spare_percent", 100);
	smart_end(&drive);
}

/* ---- SCSI ---- */

static void give_scsi_capacity(struct capture *capture, uint64_t blocks, uint32_t block_bytes)
{
	uint8_t data[32] = { 0 };

	for (size_t i = 0; i < 8; i++)
		data[i] = (uint8_t)((blocks - 1) >> 8 * (7 - i));
	for (size_t i = 0; i < 4; i++)
		data[8 + i] = (uint8_t)(block_bytes >> 8 * (3 - i));
	give_capacity_16(capture, data, sizeof(data));
}

static void begin_scsi(struct smart_drive *drive, const char *vendor, uint8_t type)
{
	uint8_t inquiry[36] = { type, 0, 6, 2, 31 };

	capture_init(&drive->capture, "test");
	facts_init(&drive->facts);
	memset(inquiry + 8, ' ', 28);
	memcpy(inquiry + 8, vendor, strlen(vendor));
	memcpy(inquiry + 16, "MODEL", 5);
	give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
}

static void a_sas_drive_tells_its_wear_in_log_page_11h(void **state)
{
	static const struct {
		uint8_t byte;
		double want;
	} cases[] = { { 0x14, 20 }, { 0, 0 }, { 101, 101 }, { 255, 255 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		/* another parameter stands before it */
		const uint8_t page[] = { 0x11, 0, 0, 16, 0x80, 0, 3, 4, 9, 9, 9, 9, 0, 1, 3, 4, 0,
			0, 0, cases[i].byte };
		struct smart_drive drive;

		begin_scsi(&drive, "HGST", 0);
		give_log(&drive.capture, 0x11, 0, page, sizeof(page));
		decode(&drive.capture, &drive.facts);
		smart_assert_fact(&drive, "endurance.used_percent", cases[i].want);
		smart_end(&drive);
	}
}

static void what_a_sas_drive_received_is_what_the_host_wrote(void **state)
{
	uint8_t page[4 + 0x44] = { 0x19, 0, 0, 0x44, 0, 1, 3, 0x40 };
	struct smart_drive drive;

	(void)state;
	page[4 + 25] = 0x10; /* blocks received: 100000h */
	page[4 + 34] = 0x20; /* blocks transmitted: 2000h */
	begin_scsi(&drive, "VENDOR", 0);
	give_scsi_capacity(&drive.capture, 1000000, 4096);
	give_log(&drive.capture, 0x19, 0, page, sizeof(page));
	decode(&drive.capture, &drive.facts);
	smart_assert_fact(&drive, "endurance.host_written_bytes", 0x100000 * 4096.0);
	smart_assert_fact(&drive, "endurance.host_read_bytes", 0x2000 * 4096.0);
	smart_end(&drive);
	/* without the block length blocks are no bytes */
	begin_scsi(&drive, "VENDOR", 0);
	give_log(&drive.capture, 0x19, 0, page, sizeof(page));
	decode(&drive.capture, &drive.facts);
	smart_assert_state(&drive, "endurance.host_written_bytes", FACT_UNKNOWN);
	smart_end(&drive);
}

static void error_counters_are_the_last_resort_and_contradictions_are_noted(void **state)
{
	static const uint8_t writes[] = { 0x02, 0, 0, 24, 0, 0, 3, 4, 0, 0, 0, 1, 0, 5, 3, 8, 0, 0,
		0, 2, 0x54, 0x0b, 0xe4, 0 };
	uint8_t general[4 + 0x44] = { 0x19, 0, 0, 0x44, 0, 1, 3, 0x40 };
	struct smart_drive drive;

	(void)state;
	begin_scsi(&drive, "VENDOR", 0);
	give_scsi_capacity(&drive.capture, 1000000, 512);
	give_log(&drive.capture, 0x02, 0, writes, sizeof(writes));
	decode(&drive.capture, &drive.facts);
	smart_assert_fact(&drive, "endurance.host_written_bytes", 10000000000.0);
	assert_false(smart_has_note(&drive.facts, "contradict"));
	smart_end(&drive);

	general[4 + 23] = 0x10; /* 10000000000h blocks */
	begin_scsi(&drive, "VENDOR", 0);
	give_scsi_capacity(&drive.capture, 1000000, 512);
	give_log(&drive.capture, 0x02, 0, writes, sizeof(writes));
	give_log(&drive.capture, 0x19, 0, general, sizeof(general));
	decode(&drive.capture, &drive.facts);
	smart_assert_fact(&drive, "endurance.host_written_bytes", 0x1000000000 * 512.0);
	assert_true(smart_has_note(&drive.facts, "contradict"));
	smart_end(&drive);
}

static void log_page_37h_counts_bytes_on_disks_of_hgst_only(void **state)
{
	static const struct {
		const char *vendor;
		uint8_t type;
		uint8_t length;
		bool known;
	} cases[] = {
		{ "HGST", 0, 44, true },
		{ "WDC", 0, 44, true },
		{ "SEAGATE", 0, 44, false },
		{ "HGST", 1, 44, false },
		{ "HGST", 0, 12, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[4 + 48] = { 0x37, 0, 0, (uint8_t)(cases[i].length + 4), 0, 0, 3,
			cases[i].length };
		struct smart_drive drive;

		page[4 + 15] = 7; /* bytes read */
		page[4 + 22] = 1; /* bytes written: 256 */
		begin_scsi(&drive, cases[i].vendor, cases[i].type);
		give_log(&drive.capture, 0x37, 0, page, 8u + cases[i].length);
		decode(&drive.capture, &drive.facts);
		if (cases[i].known) {
			smart_assert_fact(&drive, "endurance.host_written_bytes", 256);
			smart_assert_fact(&drive, "endurance.host_read_bytes", 7);
		} else {
			assert_null(facts_find(&drive.facts, "endurance.host_written_bytes"));
		}
		smart_end(&drive);
	}
}

static void the_rated_workload_is_told_in_bytes_a_year(void **state)
{
	static const struct {
		uint8_t type, units, interval;
		const char *key; /* NULL: none */
		double want;
	} cases[] = {
		{ 1, 4, 0x0e, "endurance.rated_workload_bytes_per_year", 550e12 },
		{ 2, 3, 0x0a, "endurance.rated_writes_bytes_per_year", 550e9 * 365 },
		{ 3, 6, 0x0e, "endurance.rated_writes_bytes_per_year", 550e18 },
		{ 0, 4, 0x0e, NULL, 0 },
		{ 1, 7, 0x0e, NULL, 0 },
		{ 1, 4, 0x0c, NULL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[128] = { 0, 0xb5, 0, 0x7c, 0, cases[i].type, cases[i].units,
			cases[i].interval };
		struct smart_drive drive;

		page[14] = 550 >> 8;
		page[15] = 550 & 255;
		begin_scsi(&drive, "VENDOR", 0);
		give_vpd(&drive.capture, 0xb5, page, sizeof(page));
		decode(&drive.capture, &drive.facts);
		if (!cases[i].key)
			assert_null(facts_find(
				&drive.facts, "endurance.rated_workload_bytes_per_year"));
		else if (cases[i].units == 6) /* 2^64 bytes are 18 EB */
			smart_assert_state(&drive, cases[i].key, FACT_UNKNOWN);
		else
			smart_assert_fact(&drive, cases[i].key, cases[i].want);
		smart_end(&drive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wear_is_told_in_the_direction_of_the_family),
		cmocka_unit_test(wear_of_an_unknown_direction_is_not_told),
		cmocka_unit_test(a_name_in_a_database_tells_the_direction_where_the_numbers_agree),
		cmocka_unit_test(the_statistic_of_wear_is_the_better_source_unless_it_rests),
		cmocka_unit_test(spare_blocks_are_not_wear),
		cmocka_unit_test(a_sas_drive_tells_its_wear_in_log_page_11h),
		cmocka_unit_test(what_a_sas_drive_received_is_what_the_host_wrote),
		cmocka_unit_test(error_counters_are_the_last_resort_and_contradictions_are_noted),
		cmocka_unit_test(log_page_37h_counts_bytes_on_disks_of_hgst_only),
		cmocka_unit_test(the_rated_workload_is_told_in_bytes_a_year),
	};

	return cmocka_run_group_tests(tests, smart_database_begin, smart_database_end);
}
