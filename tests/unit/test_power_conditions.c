#include "drive.h"

/* VPD page 8Ah: all but idle_c and standby_y; stopped 15 s, standby_z 8 s, idle_a
 * not specified, idle_b too long. */
static const uint8_t vpd_8a[18] = { 0, 0x8a, 0, 14, 0x01, 0x03, 0x3a, 0x98, 0x1f, 0x40, 0x11, 0x11,
	0x00, 0x00, 0xff, 0xff, 0x22, 0x22 };

static void recovery_times_are_milliseconds_and_0_is_not_specified(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x8a, vpd_8a, sizeof(vpd_8a));
	drive_decode(drive);
	expect_uint(drive, "power.stopped_recovery_us", 15000000);
	expect_uint(drive, "power.standby_z_recovery_us", 8000000);
	expect_state(drive, "power.idle_a_recovery_us", FACT_UNKNOWN);
	expect_state(drive, "power.idle_b_recovery_us", FACT_UNKNOWN);
	assert_string_equal(fact_of(drive, "power.idle_b_recovery_us")->note, "more than 65.534 s");
	expect_absent(drive, "power.idle_c_recovery_us");
	expect_absent(drive, "power.standby_y_recovery_us");
	assert_int_equal(fact_of(drive, "power.standby_z_recovery_us")->source.offset, 8);
	drive_free(drive);
}

static void recovery_times_stand_where_the_standard_puts_them(void **state)
{
	static const uint8_t page[18] = { 0, 0x8a, 0, 14, 0x03, 0x07, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5,
		0, 6 };
	static const struct {
		const char *key;
		uint64_t us;
	} wanted[] = {
		{ "power.stopped_recovery_us", 1000 },
		{ "power.standby_z_recovery_us", 2000 },
		{ "power.standby_y_recovery_us", 3000 },
		{ "power.idle_a_recovery_us", 4000 },
		{ "power.idle_b_recovery_us", 5000 },
		{ "power.idle_c_recovery_us", 6000 },
	};
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x8a, page, sizeof(page));
	drive_decode(drive);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		expect_uint(drive, wanted[i].key, wanted[i].us);
	drive_free(drive);
}

/* MODE SENSE(10) of page 1Ah with the timers 1 to 5 (x 100 ms x factor). */
static void give_mode_1a(struct drive *drive, uint8_t control, uint8_t len, uint8_t factor)
{
	uint8_t data[8 + 40] = { 0, (uint8_t)(6 + 2 + len), 0, 0, 0, 0, 0, 0, 0x9a, len, 0x41,
		0x0b };

	for (uint8_t timer = 0; timer < 5; timer++)
		data[8 + 4 + 4 * timer + 3] = (uint8_t)(factor * (timer + 1));
	give_mode(&drive->capture, control, 0x1a, 0, data, 8 + 2 + (size_t)len);
}

static const struct row *state_row(const struct drive *drive, const char *name)
{
	for (size_t i = 0; i < row_count(drive, "power_states"); i++)
		if (cell_is(row_of(drive, "power_states", i), "name", value_text(name)))
			return row_of(drive, "power_states", i);
	fail_msg("no row of %s", name);
	return NULL;
}

static void power_conditions_are_joined_from_three_pages(void **state)
{
	static const uint8_t log[] = { 0x1a, 0, 0, 24, 0, 1, 3, 4, 0, 0, 0, 9, 0, 3, 3, 4, 0, 0, 1,
		0, 0, 8, 3, 4, 0, 0, 0, 7 };
	static const struct {
		const char *name;
		bool enabled;
		uint64_t timer;
	} wanted[] = {
		{ "idle_a", true, 100 },
		{ "standby_z", true, 200 },
		{ "idle_b", false, 300 },
		{ "idle_c", true, 400 },
		{ "standby_y", true, 500 },
	};
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x8a, vpd_8a, sizeof(vpd_8a));
	give_log(&drive->capture, 0x1a, 0, log, sizeof(log));
	give_mode_1a(drive, 0, 0x26, 1);
	give_mode_1a(drive, 1, 0x26, 0);
	give_mode_1a(drive, 2, 0x26, 2);
	give_mode_1a(drive, 3, 0x26, 3);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "power_states"), 6);
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct row *row = state_row(drive, wanted[i].name);

		assert_true(cell_is(row, "enabled", value_flag(wanted[i].enabled)));
		assert_true(cell_is(row, "timer_ms", value_uint(wanted[i].timer)));
		assert_true(cell_is(row, "default_timer_ms", value_uint(2 * wanted[i].timer)));
		assert_true(cell_is(row, "saved_timer_ms", value_uint(3 * wanted[i].timer)));
		assert_true(cell_is(row, "changeable", value_flag(false)));
		assert_true(cell_is(row, "saveable", value_flag(true)));
		assert_true(cell_is(row, "maximum_timer_ms", value_null()));
	}
	const struct row *row = state_row(drive, "standby_z");
	assert_true(cell_is(row, "supported", value_flag(true)));
	assert_true(cell_is(row, "recovery_ms", value_uint(8000)));
	assert_true(cell_is(row, "transitions", value_uint(7)));
	row = state_row(drive, "idle_b");
	assert_true(cell_is(row, "recovery_ms", value_null()));
	assert_true(cell_is(row, "transitions", value_uint(256)));
	row = state_row(drive, "idle_c");
	assert_true(cell_is(row, "supported", value_flag(false)));
	assert_true(cell_is(row, "transitions", value_null()));
	assert_true(cell_is(state_row(drive, "active"), "transitions", value_uint(9)));
	expect_text(drive, "power.background_precedence", "background functions");
	drive_free(drive);
}

static void the_old_mode_page_has_idle_and_standby_alone(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_mode_1a(drive, 0, 0x0a, 1);
	drive_decode(drive);
	assert_true(cell_is(state_row(drive, "idle_a"), "timer_ms", value_uint(100)));
	assert_true(cell_is(state_row(drive, "standby_z"), "timer_ms", value_uint(200)));
	assert_true(cell_is(state_row(drive, "idle_b"), "timer_ms", value_null()));
	assert_true(cell_is(state_row(drive, "idle_c"), "enabled", value_null()));
	assert_true(cell_is(state_row(drive, "standby_y"), "enabled", value_null()));
	expect_absent(drive, "power.background_precedence");
	drive_free(drive);
}

/* Two pages of log 08h; each descriptor has its number in all its fields. */
static void power_conditions_log(uint8_t log[1024])
{
	static const uint16_t at[] = { 0, 64, 128, 512 + 384, 512 + 448 };

	memset(log, 0, 1024);
	for (uint8_t i = 0; i < ARRAY_LEN(at); i++) {
		uint8_t *descriptor = &log[at[i]];

		descriptor[1] = 0xf4;
		for (size_t field = 4; field < 32; field += 4)
			descriptor[field] = (uint8_t)(10 * (i + 1u) + field / 4);
	}
	log[128 + 1] = 0;
	log[512 + 384 + 16] = 0;
}

static void ata_log_08h_has_timers_in_units_of_100_ms(void **state)
{
	uint8_t log[1024];
	struct drive *drive = drive_new();

	(void)state;
	power_conditions_log(log);
	give_ata_log(&drive->capture, 0x08, 0, log, sizeof(log));
	give_vpd(&drive->capture, 0x8a, vpd_8a, sizeof(vpd_8a));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "power_states"), 5);
	const struct row *row = state_row(drive, "idle_b");
	assert_true(cell_is(row, "supported", value_flag(true)));
	assert_true(cell_is(row, "enabled", value_flag(true)));
	assert_true(cell_is(row, "changeable", value_flag(true)));
	assert_true(cell_is(row, "saveable", value_flag(true)));
	assert_true(cell_is(row, "default_timer_ms", value_uint(2100)));
	assert_true(cell_is(row, "saved_timer_ms", value_uint(2200)));
	assert_true(cell_is(row, "timer_ms", value_uint(2300)));
	assert_true(cell_is(row, "recovery_ms", value_uint(2400)));
	assert_true(cell_is(row, "minimum_timer_ms", value_uint(2500)));
	assert_true(cell_is(row, "maximum_timer_ms", value_uint(2600)));
	assert_true(cell_is(row, "transitions", value_uint(27)));
	assert_true(cell_is(state_row(drive, "idle_c"), "timer_ms", value_null()));
	assert_true(cell_is(state_row(drive, "idle_c"), "supported", value_flag(false)));
	expect_uint(drive, "power.idle_a_recovery_us", 1400000);
	expect_uint(drive, "power.standby_z_recovery_us", 5400000);
	expect_state(drive, "power.standby_y_recovery_us", FACT_UNKNOWN);
	expect_absent(drive, "power.idle_c_recovery_us");
	drive_free(drive);
}

static void one_page_of_log_08h_gives_its_own_conditions(void **state)
{
	uint8_t log[1024];
	struct drive *drive = drive_new();

	(void)state;
	power_conditions_log(log);
	give_ata_log(&drive->capture, 0x08, 1, &log[512], 512);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "power_states"), 2);
	expect_uint(drive, "power.standby_z_recovery_us", 5400000);
	drive_free(drive);
}

static void each_condition_has_its_own_bits(void **state)
{
	static const struct {
		const char *name;
		uint8_t vpd_at, vpd, mode_at, mode, parameter;
	} cases[] = {
		{ "idle_a", 5, 1, 3, 2, 2 },
		{ "idle_b", 5, 2, 3, 4, 3 },
		{ "idle_c", 5, 4, 3, 8, 4 },
		{ "standby_y", 4, 2, 2, 1, 9 },
		{ "standby_z", 4, 1, 3, 1, 8 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t vpd[18] = { 0, 0x8a, 0, 14 }, mode[8 + 40] = { 0, 46, [8] = 0x1a, 38 };
		uint8_t log[] = { 0x1a, 0, 0, 8, 0, cases[i].parameter, 3, 4, 0, 0, 0, 5 };
		struct drive *drive = drive_new();

		vpd[cases[i].vpd_at] = cases[i].vpd;
		mode[8 + cases[i].mode_at] = cases[i].mode;
		give_vpd(&drive->capture, 0x8a, vpd, sizeof(vpd));
		give_mode(&drive->capture, 0, 0x1a, 0, mode, sizeof(mode));
		give_log(&drive->capture, 0x1a, 0, log, sizeof(log));
		drive_decode(drive);
		for (size_t j = 0; j < ARRAY_LEN(cases); j++) {
			const struct row *row = state_row(drive, cases[j].name);

			assert_true(cell_is(row, "supported", value_flag(i == j)));
			assert_true(cell_is(row, "enabled", value_flag(i == j)));
			assert_true(cell_is(row, "saveable", value_flag(false)));
			assert_true(
				cell_is(row, "transitions", i == j ? value_uint(5) : value_null()));
		}
		drive_free(drive);
	}
}

static void each_flag_of_log_08h_is_a_bit_of_its_own(void **state)
{
	static const struct {
		uint8_t flags;
		bool enabled, changeable, saveable;
	} cases[] = {
		{ 0x80, false, false, false },
		{ 0x84, true, false, false },
		{ 0xa0, false, true, false },
		{ 0xc0, false, false, true },
		{ 0x9b, false, false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t log[512] = { [1] = cases[i].flags, [16] = 1 };
		struct drive *drive = drive_new();

		give_ata_log(&drive->capture, 0x08, 0, log, sizeof(log));
		drive_decode(drive);
		const struct row *row = state_row(drive, "idle_a");

		assert_true(cell_is(row, "enabled", value_flag(cases[i].enabled)));
		assert_true(cell_is(row, "changeable", value_flag(cases[i].changeable)));
		assert_true(cell_is(row, "saveable", value_flag(cases[i].saveable)));
		expect_source(drive, "power.idle_a_recovery_us", 16, 4);
		assert_true(cell_is(state_row(drive, "idle_b"), "supported", value_flag(false)));
		drive_free(drive);
	}
}

static void every_prefix_of_the_power_pages_is_survived(void **state)
{
	(void)state;
	for (size_t len = 0; len <= sizeof(vpd_8a); len++) {
		struct drive *drive = drive_new();

		give_vpd(&drive->capture, 0x8a, vpd_8a, len);
		give_vpd(&drive->capture, 0x8d, vpd_8a, len);
		drive_decode(drive);
		if (len < 10)
			expect_absent(drive, "power.standby_z_recovery_us");
		else
			expect_uint(drive, "power.standby_z_recovery_us", 8000000);
		drive_free(drive);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(recovery_times_are_milliseconds_and_0_is_not_specified),
		cmocka_unit_test(recovery_times_stand_where_the_standard_puts_them),
		cmocka_unit_test(power_conditions_are_joined_from_three_pages),
		cmocka_unit_test(the_old_mode_page_has_idle_and_standby_alone),
		cmocka_unit_test(ata_log_08h_has_timers_in_units_of_100_ms),
		cmocka_unit_test(one_page_of_log_08h_gives_its_own_conditions),
		cmocka_unit_test(each_condition_has_its_own_bits),
		cmocka_unit_test(each_flag_of_log_08h_is_a_bit_of_its_own),
		cmocka_unit_test(every_prefix_of_the_power_pages_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
