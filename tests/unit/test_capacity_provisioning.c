/* Log page 0Ch: how much room the drive has to back blocks with. */
#include "pages.h"

/* 512-byte blocks; exponent: of VPD page B2h; -1: no such page. */
static struct drive *drive_of(int exponent)
{
	static const uint8_t capacity[32] = { [7] = 99, [10] = 2, [14] = 0x80 };
	struct drive *drive = drive_new();
	uint8_t page[] = { 0, 0xb2, 0, 4, (uint8_t)exponent, 0xc4, 2, 0 };

	give_capacity_16(&drive->capture, capacity, sizeof(capacity));
	if (exponent >= 0)
		give_vpd(&drive->capture, 0xb2, page, sizeof(page));
	return drive;
}

static void give_resources(struct drive *drive)
{
	struct log_page log;

	log_begin(&log, 0x0c, 0);
	log_add(&log, 0x0001, (const uint8_t[]) { 0, 0, 1, 0, 1, 0, 0, 0 }, 8);
	log_add(&log, 0x0002, (const uint8_t[]) { 0, 0, 3, 0, 1, 0, 0, 0 }, 8);
	log_add(&log, 0x0003, (const uint8_t[]) { 0, 25, 0, 0 }, 4);
	log_give(drive, &log);
}

static void resources_are_counted_in_threshold_sets(void **state)
{
	struct drive *drive = drive_of(11);

	(void)state;
	give_resources(drive);
	drive_decode(drive);
	expect_uint(drive, "capacity.provisioned_available_bytes", UINT64_C(256) * 512 << 11);
	expect_uint(drive, "capacity.provisioned_used_bytes", UINT64_C(768) * 512 << 11);
	expect_uint(drive, "capacity.provisioned_available_percent", 25);
	expect_source(drive, "capacity.provisioned_available_bytes", 8, 4);
	expect_source(drive, "capacity.provisioned_used_bytes", 20, 4);
	expect_source(drive, "capacity.provisioned_available_percent", 32, 2);
	drive_free(drive);
}

static void without_the_size_of_a_set_they_are_unknown(void **state)
{
	static const int exponents[] = { -1, 0, 33, 255 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(exponents); i++) {
		struct drive *drive = drive_of(exponents[i]);

		give_resources(drive);
		drive_decode(drive);
		expect_state(drive, "capacity.provisioned_available_bytes", FACT_UNKNOWN);
		expect_state(drive, "capacity.provisioned_used_bytes", FACT_UNKNOWN);
		expect_uint(drive, "capacity.provisioned_available_percent", 25);
		drive_free(drive);
	}
}

static void a_count_that_is_cut_off_gives_nothing(void **state)
{
	struct drive *drive = drive_of(11);
	struct log_page log;

	(void)state;
	log_begin(&log, 0x0c, 0);
	log_add(&log, 0x0001, (const uint8_t[]) { 0, 0, 1 }, 3);
	log_add(&log, 0x0003, (const uint8_t[]) { 25 }, 1);
	log_give(drive, &log);
	drive_decode(drive);
	expect_absent(drive, "capacity.provisioned_available_bytes");
	expect_absent(drive, "capacity.provisioned_used_bytes");
	expect_absent(drive, "capacity.provisioned_available_percent");
	drive_free(drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(resources_are_counted_in_threshold_sets),
		cmocka_unit_test(without_the_size_of_a_set_they_are_unknown),
		cmocka_unit_test(a_count_that_is_cut_off_gives_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
