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
		cmocka_unit_test(a_statistic_is_8_bytes_that_are_supported),
		cmocka_unit_test(an_attribute_has_the_threshold_of_its_slot_else_of_its_id),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
