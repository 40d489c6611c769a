#include "history.h"

#include <cjson/cJSON.h>

enum { HOUR = 3600, START = 1767225600 }; /* 2026-01-01T00:00:00Z */

/* Two checks of a drive: what it tells, what it does not, and one verdict. */
static void record_two_checks(struct history *history)
{
	static const struct verdict verdicts[] = {
		{ .id = "health", .state = VERDICT_WARNING, .reason = "a, \"b\"" },
		{ .id = "crc", .state = VERDICT_WARNING, .reason = "many" },
	};

	for (int check = 0; check < 2; check++) {
		struct facts facts;

		give_drive(&facts, "S,\"1");
		give_fact(&facts, "temperature.current_celsius", value_int(check ? -4 : 31));
		give_fact(&facts, "endurance.host_written_bytes",
			value_uint(check ? UINT64_MAX : 9007199254740993u));
		give_fact(&facts, "endurance.used_percent", check ? value_null() : value_real(1.5));
		give_fact(&facts, "power_loss.at_risk", value_flag(!check));
		record(history, &facts, START + check * HOUR, verdicts, check ? 2 : 1);
		facts_deinit(&facts);
	}
}

/* To be freed. */
static char *exported(struct place *place, enum history_format format)
{
	struct arena *arena = arena_new();
	struct history_drive *drives;
	struct error error;
	char *text = NULL;
	size_t count, len;
	FILE *file = open_memstream(&text, &len);

	assert_int_equal(history_drives(place->history, NULL, arena, &drives, &count, &error), 0);
	assert_int_equal(history_export(file, place->history, drives, count, format, &error), 0);
	fclose(file);
	arena_free(arena);
	return text;
}

static void csv_has_every_value_exactly_and_nothing_for_what_is_not_known(void **state)
{
	static const char *const lines[] = {
		"drive,time,kind,name,value,unit\n",
		",2026-01-01T00:00:00Z,run,state,warning,\n",
		",2026-01-01T01:00:00Z,run,record_count,1,\n",
		",2026-01-01T00:00:00Z,value,endurance.host_written_bytes,9007199254740993,bytes\n",
		",2026-01-01T01:00:00Z,value,endurance.host_written_bytes,18446744073709551615,"
		"bytes\n",
		",2026-01-01T00:00:00Z,value,endurance.used_percent,1.5,percent\n",
		",2026-01-01T01:00:00Z,value,endurance.used_percent,,percent\n",
		",2026-01-01T00:00:00Z,value,power_loss.at_risk,true,\n",
		",2026-01-01T01:00:00Z,value,power_loss.at_risk,false,\n",
		",2026-01-01T01:00:00Z,value,temperature.current_celsius,-4,celsius\n",
		",2026-01-01T01:00:00Z,verdict,crc,warning,\n",
		",2026-01-01T00:00:00Z,minimum,temperature.current_celsius,-4,celsius\n",
		",2026-01-01T00:00:00Z,mean,temperature.current_celsius,13.5,celsius\n",
		",2026-01-01T00:00:00Z,maximum,temperature.current_celsius,31,celsius\n",
	};
	struct place place;

	(void)state;
	place_open(&place);
	record_two_checks(place.history);
	char *text = exported(&place, HISTORY_CSV);

	for (size_t i = 0; i < ARRAY_LEN(lines); i++)
		if (!strstr(text, lines[i]))
			fail_msg("no line %s in\n%s", lines[i], text);
	free(text);
	place_remove(&place);
}

static void words_with_commas_and_quotes_are_quoted_in_csv(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_fact(place.history, "S1", START, "identity.firmware", value_text("a,\"b\"\nc"));
	char *text = exported(&place, HISTORY_CSV);

	assert_non_null(strstr(text, ",identity.firmware,\"a,\"\"b\"\"\nc\",\n"));
	free(text);
	place_remove(&place);
}

static void a_number_is_read_back_as_what_was_recorded(void **state)
{
	static const double numbers[] = { 0.1 + 0.2, 1.0 / 3, 97.3, 1e-7, 5e17 };
	const char *found;
	struct place place;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		place_open(&place);
		record_fact(place.history, "S1", START, "endurance.used_percent",
			value_real(numbers[i]));
		char *text = exported(&place, HISTORY_CSV);

		found = strstr(text, ",value,endurance.used_percent,");
		assert_non_null(found);
		found += strlen(",value,endurance.used_percent,");
		assert_true(strtod(found, NULL) == numbers[i]);
		free(text);
		place_remove(&place);
	}
}

static const cJSON *value_at(const cJSON *rows, const char *time, const char *name)
{
	const cJSON *row;

	cJSON_ArrayForEach(row, rows)
	{
		if (!strcmp(cJSON_GetObjectItem(row, "time")->valuestring, time) &&
			!strcmp(cJSON_GetObjectItem(row, "name")->valuestring, name))
			return cJSON_GetObjectItem(row, "value");
	}
	return NULL;
}

static void json_has_the_same_rows(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	record_two_checks(place.history);
	char *text = exported(&place, HISTORY_JSON);
	cJSON *json = cJSON_Parse(text);

	assert_non_null(json);
	assert_string_equal(cJSON_GetObjectItem(json, "schema")->valuestring, "assay-history-1");
	const cJSON *drive = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "drives"), 0);
	const cJSON *values = cJSON_GetObjectItem(drive, "value");

	assert_string_equal(cJSON_GetObjectItem(drive, "serial")->valuestring, "S,\"1");
	assert_true(
		cJSON_IsNull(value_at(values, "2026-01-01T01:00:00Z", "endurance.used_percent")));
	assert_true(cJSON_IsTrue(value_at(values, "2026-01-01T00:00:00Z", "power_loss.at_risk")));
	/* A counter keeps all of its digits in the text, whatever a reader does with them. */
	assert_non_null(strstr(text, "\"value\": 18446744073709551615,"));
	assert_non_null(strstr(text, "\"value\": 9007199254740993,"));
	assert_string_equal(
		value_at(cJSON_GetObjectItem(drive, "verdict"), "2026-01-01T01:00:00Z", "crc")
			->valuestring,
		"warning");
	cJSON_Delete(json);
	free(text);
	place_remove(&place);
}

static void no_drive_gives_an_empty_export(void **state)
{
	struct place place;

	(void)state;
	place_open(&place);
	char *csv = exported(&place, HISTORY_CSV), *text = exported(&place, HISTORY_JSON);
	cJSON *json = cJSON_Parse(text);

	assert_string_equal(csv, "drive,time,kind,name,value,unit\n");
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "drives")), 0);
	cJSON_Delete(json);
	free(csv);
	free(text);
	place_remove(&place);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_has_every_value_exactly_and_nothing_for_what_is_not_known),
		cmocka_unit_test(words_with_commas_and_quotes_are_quoted_in_csv),
		cmocka_unit_test(a_number_is_read_back_as_what_was_recorded),
		cmocka_unit_test(json_has_the_same_rows),
		cmocka_unit_test(no_drive_gives_an_empty_export),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
