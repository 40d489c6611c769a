#include "history.h"

#include "assay/health.h"

enum { HOUR = 3600, DAY = 24 * HOUR };

static const char key[] = "errors.crc_count";

static bool span_of(struct place *place, int64_t time, int64_t window, struct history_span *span)
{
	struct history_before where;
	struct facts facts;
	struct error error;

	give_drive(&facts, "S1");
	assert_int_equal(
		history_before_init(&where, place->history, &facts, time, window, &error), 0);
	bool found = history_before(&where, key, span);

	facts_deinit(&facts);
	return found;
}

/* A counter at some times, and what is known of it in a window before `now`. */
struct span_row {
	const char *what;
	struct {
		int64_t time;
		int value; /* -1: the drive did not tell it */
	} records[6];
	int64_t now, window;
	int least, most; /* -1: nothing is known */
	int64_t since;
};

static const struct span_row rows[] = {
	{ "no record", { { 0, 0 } }, 100 * HOUR, DAY, -1, -1, 0 },
	{ "only records of later", { { 200 * HOUR, 5 } }, 100 * HOUR, DAY, -1, -1, 0 },
	{ "one record, younger than the window", { { 99 * HOUR, 5 } }, 100 * HOUR, DAY, 5, 5,
		99 * HOUR },
	{ "the newest record that is older than the window counts, and none before it",
		{ { 10 * HOUR, 1 }, { 50 * HOUR, 2 }, { 70 * HOUR, 3 }, { 90 * HOUR, 7 } },
		100 * HOUR, DAY, 3, 7, 70 * HOUR },
	{ "a record as old as the window is old enough",
		{ { 70 * HOUR, 2 }, { 76 * HOUR, 3 }, { 99 * HOUR, 7 } }, 100 * HOUR, DAY, 3, 7,
		76 * HOUR },
	{ "after weeks without a record it is the last one", { { 10 * HOUR, 1 }, { 20 * HOUR, 4 } },
		600 * HOUR, DAY, 4, 4, 20 * HOUR },
	{ "what did not change has no row, and holds",
		{ { 10 * HOUR, 4 }, { 50 * HOUR, 4 }, { 75 * HOUR, 4 }, { 90 * HOUR, 6 } },
		100 * HOUR, DAY, 4, 6, 75 * HOUR },
	{ "a counter that was set back", { { 70 * HOUR, 900 }, { 90 * HOUR, 0 }, { 95 * HOUR, 2 } },
		100 * HOUR, DAY, 0, 900, 70 * HOUR },
	{ "a drive that slept told nothing, and nothing changed",
		{ { 60 * HOUR, 8 }, { 75 * HOUR, -1 }, { 90 * HOUR, -1 } }, 100 * HOUR, DAY, 8, 8,
		75 * HOUR },
	{ "known only since some records later",
		{ { 60 * HOUR, -1 }, { 90 * HOUR, 8 }, { 95 * HOUR, 9 } }, 100 * HOUR, DAY, 8, 9,
		90 * HOUR },
	{ "without a window it is the last record",
		{ { 60 * HOUR, 1 }, { 90 * HOUR, 8 }, { 95 * HOUR, 9 } }, 100 * HOUR, 0, 9, 9,
		95 * HOUR },
	{ "the very record that is looked at is not before it",
		{ { 60 * HOUR, 1 }, { 100 * HOUR, 9 } }, 100 * HOUR, 0, 1, 1, 60 * HOUR },
};

static void test_row(const struct span_row *row)
{
	struct history_span span = { -1, -1, 0 };
	struct place place;

	place_open(&place);
	for (size_t i = 0; i < ARRAY_LEN(row->records) && row->records[i].time; i++)
		record_fact(place.history, "S1", row->records[i].time, key,
			row->records[i].value < 0 ? value_null()
						  : value_uint((uint64_t)row->records[i].value));
	bool found = span_of(&place, row->now, row->window, &span);

	if (found != (row->least >= 0) || (int)span.least != row->least ||
		(int)span.most != row->most || span.since != row->since)
		fail_msg("%s: %g to %g since hour %g", row->what, span.least, span.most,
			(double)span.since / HOUR);
	place_remove(&place);
}

static void what_a_number_was_in_the_window(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		test_row(&rows[i]);
}

/* One run of check: judged by what was before, then recorded. */
struct run {
	struct place *place;
	struct history_before before;
};

static bool before(void *context, const char *name, struct rule_before *value)
{
	const struct run *run = context;
	struct history_span span;

	if (!history_before(&run->before, name, &span))
		return false;
	*value = (struct rule_before) { span.least, span.most,
		(double)(run->before.time - span.since) };
	return true;
}

static enum verdict_state run_at(struct place *place, int64_t time, unsigned crc, char *reason)
{
	struct run run = { .place = place };
	struct health_settings settings = { .before = before, .context = &run };
	enum verdict_state state = VERDICT_UNKNOWN;
	struct health health;
	struct facts facts;
	struct error error;

	give_drive(&facts, "S1");
	give_fact(&facts, key, value_uint(crc));
	assert_int_equal(
		history_before_init(&run.before, place->history, &facts, time, DAY, &error), 0);
	health_judge(&facts, &settings, &health);
	for (size_t i = 0; i < health.count; i++)
		if (!strcmp(health.verdicts[i].id, "crc-growth")) {
			state = health.verdicts[i].state;
			strcpy(reason, health.verdicts[i].reason);
		}
	record(place->history, &facts, time, health.verdicts, health.count);
	health_deinit(&health);
	facts_deinit(&facts);
	return state;
}

/* Three weeks, hour by hour: errors in one night, a set-back, a few more. */
static void growth_is_told_for_a_day_and_then_no_more(void **state)
{
	struct place place;
	char reason[400];
	int changes = 0;
	enum verdict_state last = VERDICT_OK;

	(void)state;
	place_open(&place);
	for (int hour = 1; hour <= 504; hour++) {
		unsigned crc = hour < 100 ? 3
			: hour < 103      ? 5
			: hour < 300      ? 9
			: hour < 400      ? 0
					  : 1;
		enum verdict_state now = run_at(&place, hour * HOUR, crc, reason);
		bool grown = (hour >= 100 && hour < 103 + 24) || (hour >= 400 && hour < 424);

		if (hour > 1 && now != (grown ? VERDICT_WARNING : VERDICT_OK))
			fail_msg("hour %d: %s", hour, reason);
		changes += hour > 2 && now != last;
		last = now;
		if (hour == 110)
			assert_string_equal(reason, "Interface CRC errors: 9, +6 in the last 24 h");
	}
	assert_int_equal(changes, 4);
	place_remove(&place);
}

static void how_long_it_took_is_told(void **state)
{
	static const struct {
		int64_t first, now;
		const char *reason;
	} times[] = {
		{ 100, 130, "Interface CRC errors: 8, +5 in the last 30 s" },
		{ 100, 100 + HOUR, "Interface CRC errors: 8, +5 in the last 60 min" },
		{ 100, 100 + 7 * HOUR, "Interface CRC errors: 8, +5 in the last 7 h" },
		{ 100, 100 + 23 * DAY, "Interface CRC errors: 8, +5 in the last 552 h (23 days)" },
	};
	struct place place;
	char reason[400];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(times); i++) {
		place_open(&place);
		run_at(&place, times[i].first, 3, reason);
		assert_int_equal(run_at(&place, times[i].now, 8, reason), VERDICT_WARNING);
		assert_string_equal(reason, times[i].reason);
		place_remove(&place);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_number_was_in_the_window),
		cmocka_unit_test(growth_is_told_for_a_day_and_then_no_more),
		cmocka_unit_test(how_long_it_took_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
