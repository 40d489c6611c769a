/* The walkers of ATA structures: short sectors, two routes, slots out of place. */
#include "pages.h"

static void a_page_of_an_ata_log_is_a_whole_sector_by_the_better_route(void **state)
{
	static uint8_t pages[3 * 512];
	struct drive *drive = drive_new();

	(void)state;
	for (size_t i = 0; i < 3; i++)
		pages[i * 512] = (uint8_t)(0x10 + i);
	give_smart_log(&drive->capture, 0x04, pages, 2 * 512);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 1).data.at[0], 0x11);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 1).offset, 512);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 1).id.kind, PAGE_SMART_LOG);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 1).id.sub, 1);
	assert_null(page_ata_log(&drive->capture, 0x04, 2).data.at);
	assert_null(page_ata_log(&drive->capture, 0x05, 0).data.at);
	pages[0] = 0x20;
	give_ata_log(&drive->capture, 0x04, 1, pages, 512 + 511);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 0).data.at[0], 0x10);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 1).data.at[0], 0x20);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 1).data.len, 512);
	assert_null(page_ata_log(&drive->capture, 0x04, 2).data.at);
	drive_free(drive);
}

static void every_prefix_of_an_ata_log_but_the_whole_is_none(void **state)
{
	static const uint8_t sector[512] = { 1 };

	(void)state;
	for (size_t len = 0; len <= 512; len += len < 500 ? 100 : 4) {
		struct drive *drive = drive_new();
		uint8_t *copy = exact_copy(sector, len);

		give_ata_log(&drive->capture, 0x04, 1, copy, len);
		assert_int_equal(
			page_ata_log(&drive->capture, 0x04, 1).data.at != NULL, len == 512);
		free(copy);
		drive_free(drive);
	}
}

static void identify_data_are_those_of_the_drive_or_of_vpd_page_89h(void **state)
{
	static uint8_t copy[572] = { 0, 0x89, 0x02, 0x38, [60] = 0x7a };
	static const uint8_t identify[512] = { 0x40 };
	static const struct page_id id = { .kind = PAGE_ATA_IDENTIFY };
	struct drive *drive = drive_new(), *short_copy = drive_new();

	(void)state;
	give_vpd(&short_copy->capture, 0x89, copy, sizeof(copy) - 1);
	assert_null(page_get(&short_copy->capture, NULL, id).data.at);
	give_vpd(&drive->capture, 0x89, copy, sizeof(copy));
	struct page page = page_get(&drive->capture, NULL, id);

	assert_int_equal(page.data.at[0], 0x7a);
	assert_int_equal(page.id.kind, PAGE_VPD);
	assert_int_equal(page.offset, 60);
	give_identify(&drive->capture, identify);
	page = page_get(&drive->capture, NULL, id);
	assert_int_equal(page.data.at[0], 0x40);
	assert_int_equal(page.id.kind, PAGE_ATA_IDENTIFY);
	assert_int_equal(page.offset, 0);
	drive_free(drive);
	drive_free(short_copy);
}

static void give_refused_identify(struct drive *drive)
{
	static const uint8_t sense[18] = { 0x70, 0, 5, [7] = 10, [12] = 0x20 };

	give_registers(drive, 0xec, sense, sizeof(sense));
}

/* Page 89h of an array of another maker: VENDOR of INQUIRY data tells. */
static void a_copy_of_a_drive_that_takes_no_ata_commands_is_ignored(void **state)
{
	static const struct page_id id = { .kind = PAGE_ATA_IDENTIFY };
	static const uint8_t copy[572] = { 0, 0x89, 0x02, 0x38, [60] = 0x7a };
	static const struct {
		const char *vendor;
		bool refused, given;
	} cases[] = {
		{ "ATA     ", true, true },
		{ "SEAGATE ", true, false },
		{ "SEAGATE ", false, true },
		{ "ATA     ", false, true },
		{ NULL, true, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t inquiry[36] = { 0, 0, 6, 2, 31 };

		if (cases[i].vendor) {
			memcpy(inquiry + 8, cases[i].vendor, 8);
			give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
		}
		if (cases[i].refused)
			give_refused_identify(drive);
		give_vpd(&drive->capture, 0x89, copy, sizeof(copy));
		assert_int_equal(
			page_get(&drive->capture, NULL, id).data.at != NULL, cases[i].given);
		drive_free(drive);
	}
}

static void a_copy_of_a_drive_that_takes_some_ata_command_counts(void **state)
{
	static const struct page_id id = { .kind = PAGE_ATA_IDENTIFY };
	static const uint8_t copy[572] = { 0, 0x89, 0x02, 0x38, [60] = 0x7a };
	static const uint8_t inquiry[36] = { 0, 0, 6, 2, 31, [8] = 'X' };
	static const uint8_t sector[512] = { 1 };
	struct drive *drive = drive_new();

	(void)state;
	give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
	give_refused_identify(drive);
	give_smart_data(&drive->capture, sector);
	give_vpd(&drive->capture, 0x89, copy, sizeof(copy));
	assert_non_null(page_get(&drive->capture, NULL, id).data.at);
	drive_free(drive);
}

static void a_copy_of_nothing_but_zeros_is_none(void **state)
{
	static const struct page_id id = { .kind = PAGE_ATA_IDENTIFY };
	static const uint8_t copy[572] = { 0, 0x89, 0x02, 0x38 };
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x89, copy, sizeof(copy));
	assert_null(page_get(&drive->capture, NULL, id).data.at);
	drive_free(drive);
}

/* Both have a checksum that is right or looks so. */
static void smart_data_of_one_byte_hold_nothing(void **state)
{
	static const enum page_kind kinds[] = { PAGE_SMART_DATA, PAGE_SMART_THRESHOLDS };
	static const struct {
		uint8_t fill, last;
		bool given;
	} cases[] = {
		{ 0x00, 0x00, false },
		{ 0xff, 0xff, false },
		{ 0x00, 0x01, true },
		{ 0xff, 0xfe, true },
	};
	uint8_t sector[512];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		memset(sector, cases[i].fill, sizeof(sector));
		sector[511] = cases[i].last;
		give_smart_data(&drive->capture, sector);
		give_smart_thresholds(&drive->capture, sector);
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
			struct page page = page_get(&drive->capture, &drive->facts,
				(struct page_id) { .kind = kinds[k] });

			assert_int_equal(page.data.at != NULL, cases[i].given);
		}
		assert_int_equal(drive->facts.note_count, cases[i].given ? 0 : 2);
		drive_free(drive);
	}
}

/* All ones are what an erased medium reads as; a page of zeros is a log with nothing in it. */
static void a_log_page_of_all_ones_is_none(void **state)
{
	uint8_t pages[2 * 512];
	struct drive *drive = drive_new();

	(void)state;
	memset(pages, 0xff, 512);
	memset(pages + 512, 0, 512);
	give_ata_log(&drive->capture, 0x04, 0, pages, sizeof(pages));
	assert_null(page_ata_log(&drive->capture, 0x04, 0).data.at);
	assert_non_null(page_ata_log(&drive->capture, 0x04, 1).data.at);
	/* the other route may have it */
	pages[0] = 0x01;
	give_smart_log(&drive->capture, 0x04, pages, 512);
	assert_int_equal(page_ata_log(&drive->capture, 0x04, 0).data.at[0], 0x01);
	drive_free(drive);
}

static void a_statistic_is_8_bytes_that_are_supported(void **state)
{
	uint8_t data[512] = { 0 };
	struct page page = { .data = { data, sizeof(data) }, .offset = 1024 };
	struct statistic statistic;

	(void)state;
	statistic_set(data, 8, 0x11223344556677, 0xc0);
	statistic_set(data, 16, 1, 0x80);
	statistic_set(data, 24, 1, 0x7f);
	statistic_set(data, 504, 5, 0xc0);
	assert_true(statistic_get(&page, 8, &statistic));
	assert_true(statistic.value == 0x11223344556677);
	assert_true(statistic.valid);
	assert_int_equal(statistic.offset, 1032);
	assert_int_equal(statistic.raw.len, 8);
	assert_true(statistic_get(&page, 16, &statistic));
	assert_false(statistic.valid);
	assert_false(statistic_get(&page, 24, &statistic));
	assert_true(statistic_get(&page, 504, &statistic));
	assert_false(statistic_get(&page, 505, &statistic));
	assert_false(statistic_get(&page, 512, &statistic));
	assert_false(statistic_get(&page, SIZE_MAX, &statistic));
}

static void an_attribute_has_the_threshold_of_its_slot_else_of_its_id(void **state)
{
	static const struct {
		size_t slot;
		uint8_t id; /* 0: no attribute */
		int threshold;
	} cases[] = { { 0, 5, 36 }, { 1, 9, 11 }, { 2, 0, 0 }, { 3, 5, 97 }, { 4, 77, -1 },
		{ 30, 0, 0 }, { SIZE_MAX / 12, 0, 0 } };
	static const uint8_t ids[] = { 5, 9, 0, 5, 77 };
	static const uint8_t threshold_ids[] = { 5, 1, 9, 5, 0 }, values[] = { 36, 10, 11, 97, 12 };
	uint8_t data[512] = { 0 }, limits[512] = { 0 };
	struct page page = { .data = { data, sizeof(data) } };
	struct page thresholds = { .data = { limits, sizeof(limits) } };
	struct attribute attribute;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		const uint8_t entry[12] = { ids[i], 0x33, 0x01, 100, 99, 1, 2, 3, 4, 5, 6, 7 };

		memcpy(&data[2 + 12 * i], entry, 12);
		limits[2 + 12 * i] = threshold_ids[i];
		limits[3 + 12 * i] = values[i];
	}
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		bool there = attribute_get(&page, &thresholds, cases[i].slot, &attribute);

		assert_int_equal(there, cases[i].id != 0);
		if (!there)
			continue;
		assert_int_equal(attribute.id, cases[i].id);
		assert_int_equal(attribute.threshold, cases[i].threshold);
		assert_int_equal(attribute.flags, 0x0133);
		assert_int_equal(attribute.value, 100);
		assert_int_equal(attribute.worst, 99);
		assert_true(attribute.raw == 0x060504030201);
		assert_int_equal(attribute.offset, 2 + 12 * cases[i].slot);
	}
	thresholds.data = (struct bytes) { 0 };
	assert_true(attribute_get(&page, &thresholds, 0, &attribute));
	assert_int_equal(attribute.threshold, -1);
	page.data.len = 13;
	assert_false(attribute_get(&page, &thresholds, 0, &attribute));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_page_of_an_ata_log_is_a_whole_sector_by_the_better_route),
		cmocka_unit_test(every_prefix_of_an_ata_log_but_the_whole_is_none),
		cmocka_unit_test(identify_data_are_those_of_the_drive_or_of_vpd_page_89h),
		cmocka_unit_test(a_copy_of_a_drive_that_takes_no_ata_commands_is_ignored),
		cmocka_unit_test(a_copy_of_a_drive_that_takes_some_ata_command_counts),
		cmocka_unit_test(a_copy_of_nothing_but_zeros_is_none),
		cmocka_unit_test(smart_data_of_one_byte_hold_nothing),
		cmocka_unit_test(a_log_page_of_all_ones_is_none),
		cmocka_unit_test(a_statistic_is_8_bytes_that_are_supported),
		cmocka_unit_test(an_attribute_has_the_threshold_of_its_slot_else_of_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
