#include "test.h"

#include <regex.h>
#include <string.h>

#include "../../decoders/attribute_name.h"

/* Models as drives give them, and what an id counts there. */
static void families_tell_meanings_and_units(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id;
		enum meaning meaning;
		uint64_t unit_bytes;
	} cases[] = {
		{ "INTEL SSDSC2KG960G8", "XCV10132", 241, MEANING_HOST_WRITTEN, UNIT_32_MIB },
		{ "INTEL SSDSC2KG960G8", "XCV10132", 233, MEANING_USED, 0 },
		{ "INTEL SSDSC2BA200G4R", "G201DL2B", 233, MEANING_HOST_WRITTEN, UNIT_32_MIB },
		{ "INTEL SSDSC2BA200G4R", "G201DL2B", 245, MEANING_USED, 0 },
		{ "INTEL SSDSC2CW240A3", "400i", 249, MEANING_NAND_WRITTEN, UNIT_GIB },
		{ "SAMSUNG MZ7LM480HMHQ-00005", "GXT5204Q", 241, MEANING_HOST_WRITTEN,
			UNIT_SECTOR },
		{ "MZ7LH960HAJR0D3", "HG58", 251, MEANING_NAND_WRITTEN, UNIT_SECTOR },
		{ "Samsung SSD 860 EVO 1TB", "RVT04B6Q", 177, MEANING_USED, 0 },
		{ "Micron_5200_MTFDDAK960TDD", "D1MU004", 246, MEANING_HOST_WRITTEN, UNIT_SECTOR },
		{ "Micron_5200_MTFDDAK960TDD", "D1MU004", 248, MEANING_BACKGROUND_PAGES,
			UNIT_16_KIB },
		{ "Micron_M500DC_MTFDDAK120MBB", "0144", 202, MEANING_USED, 0 },
		{ "CT1000MX500SSD1", "M3CR023", 197, MEANING_NONE, 0 },
		{ "SDLF1CRM-017T-1HST", "ZR03RPA1", 241, MEANING_HOST_WRITTEN, UNIT_GB },
		{ "SDLFODAR-480G-1HAW", "ZR03RPA1", 241, MEANING_HOST_WRITTEN, 0 },
		{ "SanDisk SDSSDHP128G", "X2316RL", 241, MEANING_HOST_WRITTEN, UNIT_GIB },
		{ "SanDisk SDSSDHP128G", "X211200", 241, MEANING_HOST_WRITTEN, UNIT_SECTOR },
		{ "KINGSTON SEDC500M960G", "SCEKJ2.3", 231, MEANING_USED, 0 },
		{ "minisforum", "SBFMBB.3", 241, MEANING_HOST_WRITTEN, UNIT_GIB },
		{ "XA1920LE10063", "SF4400ZU", 241, MEANING_HOST_WRITTEN, UNIT_GIB },
		{ "TOSHIBA THNSN8960PCSE", "8EET6101", 241, MEANING_HOST_WRITTEN, UNIT_32_MIB },
		{ "ST8000NM0055-1RM112", "SN02", 241, MEANING_HOST_WRITTEN, UNIT_SECTOR },
		{ "TOSHIBA MK2576GSX", "GS001A", 9, MEANING_HOURS, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct family_attribute *attribute = family_attribute(
			family_find(cases[i].model, cases[i].firmware), cases[i].id);

		if (!attribute)
			fail_msg("%s: %u", cases[i].model, cases[i].id);
		assert_int_equal(attribute->meaning, cases[i].meaning);
		assert_int_equal(attribute->unit_bytes, cases[i].unit_bytes);
	}
}

static void what_is_not_confirmed_is_in_no_family(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id;
	} cases[] = {
		/* another map under a name of the same maker */
		{ "SSDSC2BA400G3I       00AJ162 00AJ165IBM", "5DV1", 241 },
		{ "Samsung SSD 850 PRO 128GB X", "EB6Q", 251 },
		{ "ST91000640NS", "AA65", 241 },
		{ "ST3500418AS", "CC38", 241 },
		{ "SK hynix SC311 SATA 256GB", "70000P10", 241 },
		{ "WD Blue SA510 2.5 250GB", "52046100", 241 },
		{ "INTENSO SSD", "W0718B0", 241 },
		{ "", "", 241 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_null(family_attribute(
			family_find(cases[i].model, cases[i].firmware), cases[i].id));
}

static bool is_well_formed(const char *pattern)
{
	regex_t regex;

	if (!pattern)
		return true;
	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB) != 0)
		return false;
	regfree(&regex);
	return true;
}

static void every_row_of_the_table_can_be_used(void **state)
{
	(void)state;
	assert_true(family_count > 20);
	for (size_t i = 0; i < family_count; i++) {
		const struct family *family = &families[i];
		bool seen[256] = { false };

		assert_non_null(family->name);
		assert_true(family->model || family->firmware);
		assert_true(is_well_formed(family->model) && is_well_formed(family->firmware));
		assert_true(family->attribute_count > 0 || family->strange);
		for (size_t a = 0; a < family->attribute_count; a++) {
			const struct family_attribute *attribute = &family->attributes[a];

			assert_true(attribute->id != 0 && !seen[attribute->id]);
			seen[attribute->id] = true;
			if (attribute->meaning == MEANING_NAND_WRITTEN ||
				attribute->meaning == MEANING_HOST_PAGES)
				assert_true(attribute->unit_bytes > 0);
		}
	}
}

static struct family_attribute named(uint8_t id, const char *name)
{
	return attribute_of_name(id, (struct bytes) { (const uint8_t *)name, strlen(name) });
}

static void names_of_a_database_tell_units(void **state)
{
	static const struct {
		uint8_t id;
		const char *name;
		enum meaning meaning;
		uint64_t unit_bytes;
	} cases[] = {
		{ 241, "Host_Writes_32MiB", MEANING_HOST_WRITTEN, UNIT_32_MIB },
		{ 242, "Host_Reads_32MiB", MEANING_HOST_READ, UNIT_32_MIB },
		{ 242, "Host_Reades_GiB", MEANING_HOST_READ, UNIT_GIB },
		{ 241, "Lifetime_Writes_GiB", MEANING_HOST_WRITTEN, UNIT_GIB },
		{ 246, "Total_LBAs_Written", MEANING_HOST_WRITTEN, UNIT_SECTOR },
		{ 175, "Host_Writes_MiB", MEANING_HOST_WRITTEN, UNIT_MIB },
		{ 199, "Write_Sectors_Tot_Ct", MEANING_HOST_WRITTEN, UNIT_SECTOR },
		{ 249, "NAND_Writes_1GiB", MEANING_NAND_WRITTEN, UNIT_GIB },
		{ 233, "Flash_Writes_GiB", MEANING_NAND_WRITTEN, UNIT_GIB },
		{ 233, "Total_NAND_Writes_GiB", MEANING_NAND_WRITTEN, UNIT_GIB },
		/* 10^9 or 2^30 bytes: both exist */
		{ 241, "Total_Writes_GB", MEANING_NONE, 0 },
		{ 241, "Lifetime_Wts_Frm_Hst_GB", MEANING_NONE, 0 },
		/* a part of it, no unit, or no amount of data */
		{ 245, "TLC_Writes_32MiB", MEANING_NONE, 0 },
		{ 241, "Total_LBAs_Written_Low", MEANING_NONE, 0 },
		{ 232, "Lifetime_Writes", MEANING_NONE, 0 },
		{ 206, "Write_Error_Rate", MEANING_NONE, 0 },
		{ 201, "Write_Commands_Tot_Ct", MEANING_NONE, 0 },
		{ 234, "Nand_Sectors_Read", MEANING_NONE, 0 },
		{ 227, "Workld_Host_Reads_Perc", MEANING_NONE, 0 },
		{ 230, "Perc_Write/Erase_Count", MEANING_NONE, 0 },
		{ 241, "", MEANING_NONE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct family_attribute attribute = named(cases[i].id, cases[i].name);

		if (attribute.meaning != cases[i].meaning ||
			attribute.unit_bytes != cases[i].unit_bytes)
			fail_msg("%s", cases[i].name);
	}
}

static void names_of_a_database_tell_the_direction_of_life(void **state)
{
	static const struct {
		const char *name;
		enum meaning meaning;
		enum encoding encoding;
	} cases[] = {
		{ "SSD_Life_Left", MEANING_USED, ENCODING_NAMED_LEFT },
		{ "Percent_Lifetime_Remain", MEANING_USED, ENCODING_NAMED_LEFT },
		{ "Drive_Life_Remaining%", MEANING_USED, ENCODING_NAMED_LEFT },
		{ "SSD_LifeLeft(0.01%)", MEANING_USED, ENCODING_RAW_LEFT_100TH },
		{ "Percent_Lifetime_Used", MEANING_USED, ENCODING_NAMED_USED },
		{ "Perc_Rated_Life_Used", MEANING_USED, ENCODING_NAMED_USED },
		{ "DriveLife_Used%", MEANING_USED, ENCODING_NAMED_USED },
		{ "Spare_Blocks_Remaining", MEANING_NONE, ENCODING_RAW },
		{ "Used_Rsvd_Blk_Cnt_Tot", MEANING_NONE, ENCODING_RAW },
		{ "Lifetime_UECC_Ct", MEANING_NONE, ENCODING_RAW },
		{ "Media_Wearout_Indicator", MEANING_NONE, ENCODING_RAW },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct family_attribute attribute = named(231, cases[i].name);

		if (attribute.meaning != cases[i].meaning ||
			attribute.encoding != cases[i].encoding)
			fail_msg("%s", cases[i].name);
	}
}

static void an_id_counts_as_usual_only_under_a_name_that_says_so(void **state)
{
	static const struct {
		uint8_t id;
		const char *name;
		enum meaning meaning;
	} cases[] = {
		{ 5, "Reallocated_Sector_Ct", MEANING_REALLOCATED },
		{ 5, "Retired_Block_Count", MEANING_REALLOCATED },
		{ 5, "New_Bad_Blk_Cnt", MEANING_NONE },
		{ 197, "Pending_Sector_Count", MEANING_PENDING },
		{ 197, "Read_Failure_Blk_Ct", MEANING_NONE },
		{ 199, "SATA_CRC_Error", MEANING_CRC },
		{ 210, "SATA_CRC_Error", MEANING_NONE },
		{ 174, "Unexpect_Power_Loss_Ct", MEANING_UNSAFE_SHUTDOWNS },
		{ 192, "Unsafe_Shutdown_Count", MEANING_UNSAFE_SHUTDOWNS },
		{ 192, "Power-Off_Retract_Count", MEANING_NONE },
		{ 201, "Power_Loss_Cap_Test", MEANING_CAPACITOR },
		{ 190, "Drive_Temp_Warning", MEANING_NONE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (named(cases[i].id, cases[i].name).meaning != cases[i].meaning)
			fail_msg("%u %s", cases[i].id, cases[i].name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(families_tell_meanings_and_units),
		cmocka_unit_test(what_is_not_confirmed_is_in_no_family),
		cmocka_unit_test(every_row_of_the_table_can_be_used),
		cmocka_unit_test(names_of_a_database_tell_units),
		cmocka_unit_test(names_of_a_database_tell_the_direction_of_life),
		cmocka_unit_test(an_id_counts_as_usual_only_under_a_name_that_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
