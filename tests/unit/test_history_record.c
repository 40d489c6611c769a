#include "history.h"

static double before(struct place *place, const char *serial, const char *key, int64_t time)
{
	struct history_before where;
	struct facts facts;
	struct error error;
	struct history_span span;

	give_drive(&facts, serial);
	assert_int_equal(history_before_init(&where, place->history, &facts, time, 0, &error), 0);
	bool found = history_before(&where, key, &span);

	facts_deinit(&facts);
	return found ? span.least : -1;
}

static void what_did_not_change_takes_no_row(void **state)
{
	static const char key[] = "errors.reallocated_count";
	struct place place;

	(void)state;
	place_open(&place);
	for (int64_t hour = 0; hour < 10; hour++)
		record_fact(
			place.history, "S1", 1000 + hour * 3600, key, value_uint(hour < 7 ? 3 : 4));
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM run"), 10);
	assert_int_equal(ask_file(place.file,
				 "SELECT count(*) FROM value JOIN key ON key.id = value.key "
				 "WHERE name = 'errors.reallocated_count'"),
		2);
	place_remove(&place);
}

static void the_value_before_is_that_of_the_last_record(void **state)
{
	static const char key[] = "errors.crc_count";
	struct place place;

	(void)state;
	place_open(&place);
	record_fact(place.history, "S1", 1000, key, value_uint(5));
	record_fact(place.history, "S1", 2000, key, value_uint(5));
	record_fact(place.history, "S1", 3000, key, value_uint(8));
	record_fact(place.history, "S1", 4000, key, value_null());
	record_fact(place.history, "S2", 3000, key, value_uint(70));
	assert_int_equal((int)before(&place, "S1", key, 1000), -1);
	assert_int_equal((int)before(&place, "S1", key, 1001), 5);
	assert_int_equal((int)before(&place, "S1", key, 3000), 5);
	assert_int_equal((int)before(&place, "S1", key, 3001), 8);
	assert_int_equal((int)before(&place, "S1", key, 5000), 8);
	assert_int_equal((int)before(&place, "S2", key, 5000), 70);
	assert_int_equal((int)before(&place, "S3", key, 5000), -1);
	assert_int_equal((int)before(&place, "S1", "errors.pending_count", 5000), -1);
	place_remove(&place);
}

static void a_late_record_leaves_later_times_as_they_were(void **state)
{
	static const char key[] = "errors.crc_count";
	struct place place;

	(void)state;
	place_open(&place);
	record_fact(place.history, "S1", 1000, key, value_uint(5));
	record_fact(place.history, "S1", 3000, key, value_uint(5));
	record_fact(place.history, "S1", 2000, key, value_uint(4));
	assert_int_equal((int)before(&place, "S1", key, 2000), 5);
	assert_int_equal((int)before(&place, "S1", key, 3000), 4);
	assert_int_equal((int)before(&place, "S1", key, 3001), 5);
	place_remove(&place);
}

static void the_same_record_twice_is_one(void **state)
{
	static const char key[] = "errors.crc_count";
	struct place place;

	(void)state;
	place_open(&place);
	for (int i = 0; i < 3; i++) {
		record_fact(place.history, "S1", 1000, key, value_uint(5));
		record_fact(place.history, "S1", 2000, key, value_uint(6));
	}
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM run"), 2);
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM drive"), 1);
	assert_int_equal(
		ask_file(place.file, "SELECT count(*) FROM value WHERE value IN (5, 6)"), 2);
	place_remove(&place);
}

static void counters_keep_all_64_bits(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_fact(place.history, "S1", 1000, "errors.crc_count", value_uint(UINT64_MAX));
	record_fact(place.history, "S1", 2000, "errors.crc_count", value_uint(UINT64_MAX - 1));
	record_fact(place.history, "S1", 3000, "errors.crc_count", value_uint(INT64_MAX));
	assert_int_equal(ask_file(place.file,
				 "SELECT count(*) FROM value WHERE value IN "
				 "('18446744073709551615', '18446744073709551614', "
				 "9223372036854775807)"),
		3);
	place_remove(&place);
}

static void a_drive_is_known_by_its_names_and_not_by_its_node(void **state)
{
	static const struct {
		const char *protocol, *vendor, *model, *serial, *wwn, *want;
	} cases[] = {
		{ "ata", "WDC", "WDC WD20EFRX-68EUZN0", "WD-WCC4M0000000", "",
			"WDC_WD20EFRX_68EUZN0-WD_WCC4M0000000" },
		{ "scsi", "HGST", "HUS726020AL4210", "N4G00000", "0x5000cca000000000",
			"HGST-HUS726020AL4210-N4G00000" },
		{ "scsi", "HGST", "HUS726020AL4210", "", "0x5000cca000000000",
			"wwn-0x5000cca000000000" },
		{ "scsi", "HGST", "HUS726020AL4210", "", "", "" },
	};
	char subject[HISTORY_SUBJECT];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct facts facts;

		facts_init(&facts);
		give_fact(&facts, "identity.protocol", value_text(cases[i].protocol));
		give_fact(&facts, "identity.vendor", value_text(cases[i].vendor));
		give_fact(&facts, "identity.model", value_text(cases[i].model));
		give_fact(&facts, "identity.serial", value_text(cases[i].serial));
		give_fact(&facts, "identity.wwn", value_text(cases[i].wwn));
		assert_int_equal(
			history_subject(&facts, subject, sizeof(subject)), *cases[i].want != '\0');
		assert_string_equal(subject, cases[i].want);
		facts_deinit(&facts);
	}
}

static void a_drive_without_a_name_is_left_out(void **state)
{
	struct place place;
	struct facts facts;

	(void)state;
	place_open(&place);
	give_drive(&facts, "");
	record(place.history, &facts, 1000, NULL, 0);
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM drive"), 0);
	facts_deinit(&facts);
	place_remove(&place);
}

static void a_drive_under_another_name_is_known_by_its_wwn_and_serial(void **state)
{
	struct place place;
	struct facts facts;

	(void)state;
	place_open(&place);
	for (int i = 0; i < 4; i++) {
		give_drive(&facts, i == 3 ? "S2" : "S1");
		give_fact(&facts, "identity.wwn", value_text("0x5000000000000001"));
		if (i)
			facts.facts[0].value = value_text("scsi");
		record(place.history, &facts, 1000 + i, NULL, 0);
		facts_deinit(&facts);
	}
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM drive"), 2);
	place_remove(&place);
}

static void a_state_is_kept_where_it_changes(void **state)
{
	struct verdict verdicts[] = { { .id = "health", .state = VERDICT_OK, .reason = "all well" },
		{ .id = "crc", .state = VERDICT_OK, .reason = "0" } };
	struct place place;
	struct facts facts;

	(void)state;
	place_open(&place);
	give_drive(&facts, "S1");
	for (int i = 0; i < 6; i++) {
		verdicts[0].state = verdicts[1].state = i < 3 ? VERDICT_OK : VERDICT_WARNING;
		record(place.history, &facts, 1000 + i, verdicts, ARRAY_LEN(verdicts));
	}
	assert_int_equal(
		ask_file(place.file, "SELECT count(*) FROM verdict WHERE rule = 'crc'"), 2);
	assert_int_equal(
		ask_file(place.file, "SELECT time FROM verdict WHERE state = 'warning'"), 1003);
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM run WHERE state = 'ok'"), 3);
	facts_deinit(&facts);
	place_remove(&place);
}

static void a_run_is_recorded_whole_or_not_at_all(void **state)
{
	struct history_record records[2];
	struct facts facts[2];
	struct place place;
	struct error error;

	(void)state;
	place_open(&place);
	ask_file(place.file,
		"CREATE TRIGGER second BEFORE INSERT ON drive WHEN new.subject LIKE "
		"'%S2' BEGIN SELECT raise(ABORT, 'no'); END");
	for (size_t i = 0; i < 2; i++) {
		give_drive(&facts[i], i ? "S2" : "S1");
		give_fact(&facts[i], "errors.crc_count", value_uint(1));
		records[i] = (struct history_record) { .time = 1000, .facts = &facts[i] };
	}
	assert_int_equal(history_record(place.history, records, 2, &error), -1);
	assert_int_equal(ask_file(place.file, "SELECT count(*) FROM drive"), 0);
	/* Keys that were numbered in it are numbered anew. */
	assert_int_equal(history_record(place.history, records, 1, &error), 0);
	assert_int_equal(ask_file(place.file,
				 "SELECT count(*) FROM value JOIN key ON key.id = key "
				 "WHERE name = 'errors.crc_count'"),
		1);
	facts_deinit(&facts[0]);
	facts_deinit(&facts[1]);
	place_remove(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_did_not_change_takes_no_row),
		cmocka_unit_test(the_value_before_is_that_of_the_last_record),
		cmocka_unit_test(a_late_record_leaves_later_times_as_they_were),
		cmocka_unit_test(the_same_record_twice_is_one),
		cmocka_unit_test(counters_keep_all_64_bits),
		cmocka_unit_test(a_drive_is_known_by_its_names_and_not_by_its_node),
		cmocka_unit_test(a_drive_without_a_name_is_left_out),
		cmocka_unit_test(a_drive_under_another_name_is_known_by_its_wwn_and_serial),
		cmocka_unit_test(a_state_is_kept_where_it_changes),
		cmocka_unit_test(a_run_is_recorded_whole_or_not_at_all),
	};

	return cmocka_run_group_tests_name("history_record", tests, NULL, NULL);
}
