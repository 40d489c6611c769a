/* What is told of a drive's records, and of logs that are read in. */
#include "history.h"

#include <math.h>

enum { HOUR = 3600, DAYS = 400 };

static const int64_t start = 1767225600; /* 2026-01-01 */

struct told {
	struct place place;
	struct arena *arena;
	struct history_drive *drives;
	size_t count;
	struct facts facts;
};

/* 0.5 TB a day on 1 TB, 1.2 to flash for each byte, one error on day 390. */
static void record_days(struct history *history)
{
	for (int64_t half = 0; half <= 2 * DAYS; half++) {
		struct facts facts;

		give_drive(&facts, "S1");
		give_fact(&facts, "capacity.bytes", value_uint(1000000000000));
		give_fact(&facts, "usage.power_on_hours", value_uint(10000 + 12 * (uint64_t)half));
		give_fact(&facts, "endurance.host_written_bytes",
			value_uint(250000000000 * (uint64_t)half));
		give_fact(&facts, "endurance.nand_written_bytes",
			value_uint(300000000000 * (uint64_t)half));
		give_fact(&facts, "temperature.current_celsius", value_int(half % 2 ? 40 : 30));
		give_fact(&facts, "errors.uncorrected_count", value_uint(half >= 780));
		record(history, &facts, start + 12 * HOUR * half, NULL, 0);
		facts_deinit(&facts);
	}
}

static void tell(struct told *told, const struct history_ratings *ratings)
{
	struct error error;

	place_open(&told->place);
	record_days(told->place.history);
	told->arena = arena_new();
	facts_init(&told->facts);
	assert_int_equal(history_drives(told->place.history, "s1", told->arena, &told->drives,
				 &told->count, &error),
		0);
	assert_int_equal(told->count, 1);
	assert_int_equal(history_facts(told->place.history, told->drives, &told->facts, &error), 0);
	assert_int_equal(
		history_report(told->place.history, told->drives, ratings, &told->facts, &error),
		0);
}

static void untell(struct told *told)
{
	facts_deinit(&told->facts);
	arena_free(told->arena);
	place_remove(&told->place);
}

static void expect_near(const struct facts *facts, const char *key, double want, double within)
{
	double value = -1e300;

	assert_true(facts_number(facts, key, &value));
	if (value < want - within || value > want + within)
		fail_msg("%s is %f and not %f", key, value, want);
}

static const struct row *row_of(
	const struct facts *facts, const char *table, const char *column, const char *text)
{
	for (size_t i = 0; i < facts->row_count; i++)
		if (!strcmp(facts->rows[i].table->name, table) &&
			row_get(&facts->rows[i], column).kind == VALUE_TEXT &&
			!strcmp(row_get(&facts->rows[i], column).text, text))
			return &facts->rows[i];
	fail_msg("%s has no %s", table, text);
	return NULL;
}

static void rates_are_those_of_the_last_days(void **state)
{
	struct history_ratings none = { 0 };
	struct told told;

	(void)state;
	tell(&told, &none);
	expect_near(&told.facts, "history.measured_7_days_dwpd", 0.5, 1e-9);
	expect_near(&told.facts, "history.measured_30_days_dwpd", 0.5, 1e-9);
	expect_near(&told.facts, "history.measured_365_days_dwpd", 0.5, 1e-9);
	expect_near(&told.facts, "history.recent_written_bytes", 5e11, 1);
	expect_near(&told.facts, "history.write_amplification_ratio", 1.2, 1e-9);
	assert_null(facts_find(&told.facts, "endurance.days_left"));
	untell(&told);
}

static void days_have_their_temperatures_and_what_was_written(void **state)
{
	struct history_ratings none = { 0 };
	const struct row *row;
	struct told told;
	double value;

	(void)state;
	tell(&told, &none);
	row = row_of(&told.facts, "history_days", "day", "2026-02-01");
	assert_true(value_number(row_get(row, "temperature_mean_celsius"), &value));
	assert_true(value > 34.9 && value < 35.1);
	assert_int_equal(row_get(row, "written_bytes").uint, 500000000000);
	assert_true(value_number(row_get(row, "write_amplification_ratio"), &value));
	assert_true(value > 1.19 && value < 1.21);
	untell(&told);
}

static void counters_tell_how_they_grew(void **state)
{
	struct history_ratings none = { 0 };
	const struct row *row;
	struct told told;

	(void)state;
	tell(&told, &none);
	row = row_of(&told.facts, "history_errors", "key", "errors.uncorrected_count");
	assert_int_equal(row_get(row, "value").uint, 1);
	assert_int_equal(row_get(row, "growth_7_days").uint, 0);
	assert_int_equal(row_get(row, "growth_30_days").uint, 1);
	assert_int_equal(row_get(row, "growth_365_days").uint, 1);
	assert_string_equal(row_get(row, "last_growth").text, "2027-01-26");
	untell(&told);
}

/* 300 TB are rated, 200 written: at half a TB a day 200 days are left. */
static void the_rating_runs_out_at_the_recent_rate(void **state)
{
	struct history_ratings ratings = {
		.written_bytes = 3e14, .warranty_years = 5, .or_endurance = true
	};
	const struct row *row;
	struct told told;

	(void)state;
	tell(&told, &ratings);
	expect_near(&told.facts, "endurance.days_left", 200, 0.5);
	assert_string_equal(facts_text(&told.facts, "history.end_date"), "2027-08-24");
	row = row_of(&told.facts, "history_projections", "rate", "recent");
	assert_in_range(row_get(row, "earliest_days").uint, 100, 199);
	assert_in_range(row_get(row, "latest_days").uint, 201, 400);
	assert_string_equal(facts_text(&told.facts, "history.warranty_end_cause"), "endurance");
	assert_string_equal(facts_text(&told.facts, "history.warranty_end_date"), "2027-08-24");
	untell(&told);
}

static void the_list_has_the_wear_that_is_known(void **state)
{
	struct arena *arena = arena_new();
	struct history_drive *drives;
	struct place place;
	struct error error;
	size_t count;

	(void)state;
	place_open(&place);
	record_fact(place.history, "S1", 1000, "endurance.used_percent", value_uint(7));
	record_fact(place.history, "S1", 2000, "endurance.used_percent", value_uint(9));
	record_fact(place.history, "S1", 3000, "endurance.used_percent", value_null());
	record_fact(place.history, "S2", 1000, "errors.crc_count", value_uint(0));
	assert_int_equal(history_drives(place.history, NULL, arena, &drives, &count, &error), 0);
	assert_int_equal(count, 2);
	assert_true(drives[0].used_percent == 9);
	assert_true(isnan(drives[1].used_percent));
	assert_int_equal(history_drives(place.history, "", arena, &drives, &count, &error), 0);
	assert_int_equal(count, 0);
	arena_free(arena);
	place_remove(&place);
}

static void a_log_of_smartd_is_read_once(void **state)
{
	static const char line[] = "2023-06-14 06:16:14;\t5;100;2;\t9;70;22359;\t194;91;59;\n"
				   "2023-06-14 06:46:14;\t5;100;3;\t9;70;22360;\t194;93;57;\n"
				   "2023-06-14 07:1";
	struct history_imported imported;
	struct place place;
	struct error error;
	char path[160];
	FILE *file;

	(void)state;
	place_open(&place);
	snprintf(path, sizeof(path), "%s/attrlog.Model_1_A-S1.ata.csv", place.folder);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(line, file);
	fclose(file);
	for (int i = 0; i < 2; i++) {
		if (history_import(place.history, path, &imported, &error) != 0)
			fail_msg("%s", error.text);
		assert_string_equal(imported.subject, "Model_1_A-S1");
		assert_int_equal(imported.records, 2);
		assert_int_equal(imported.wrong, 1);
		assert_int_equal(imported.first_wrong, 3);
		assert_int_equal(ask_file(place.file, "SELECT count(*) FROM run"), 2);
		assert_int_equal(ask_file(place.file, "SELECT sum(readings) FROM day"), 2);
		assert_int_equal(ask_file(place.file,
					 "SELECT sum(value) FROM value JOIN key ON key.id = key"
					 " WHERE name = 'ata_attributes.5.raw'"),
			5);
		/* What no attribute tells is not made up. */
		assert_int_equal(ask_file(place.file,
					 "SELECT count(*) FROM key WHERE name LIKE "
					 "'selftest%' OR name LIKE 'capacity%'"),
			0);
	}
	place_remove(&place);
}

static void a_file_of_another_name_is_no_log(void **state)
{
	struct history_imported imported;
	struct place place;
	struct error error;

	(void)state;
	place_open(&place);
	assert_int_equal(history_import(place.history, place.file, &imported, &error), -1);
	assert_int_equal(error.status, EXIT_NO_DRIVE_DATA);
	assert_non_null(strstr(error.text, place.file));
	assert_int_equal(history_import(place.history, "/nothing.ata.csv", &imported, &error), -1);
	assert_int_equal(error.status, EXIT_NO_SUCH);
	place_remove(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_those_of_the_last_days),
		cmocka_unit_test(days_have_their_temperatures_and_what_was_written),
		cmocka_unit_test(counters_tell_how_they_grew),
		cmocka_unit_test(the_rating_runs_out_at_the_recent_rate),
		cmocka_unit_test(the_list_has_the_wear_that_is_known),
		cmocka_unit_test(a_log_of_smartd_is_read_once),
		cmocka_unit_test(a_file_of_another_name_is_no_log),
	};

	return cmocka_run_group_tests_name("history_report", tests, NULL, NULL);
}
