/* Verdicts over a power run: measured against what the drive itself claims. */
#include <string.h>

#include "assay/decoder.h"
#include "assay/verify.h"
#include "test.h"

static const struct table *table_of(const char *name)
{
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->table_count; i++)
			if (!strcmp(decoders[d]->tables[i]->name, name))
				return decoders[d]->tables[i];
	fail_msg("no table %s", name);
	return NULL;
}

static const struct {
	const char *result;
	double claimed_ms, median_ms, most_ms; /* negative: not there */
	enum verdict_state want;
} recoveries[] = {
	{ "measured", 200, 190, 195, VERDICT_PASS },
	{ "measured", 200, 900, 910, VERDICT_FAIL },
	{ "measured", 200, 209, 210, VERDICT_PASS },
	{ "measured", 200, 211, 211, VERDICT_FAIL },
	{ "measured", 200, 190, 400, VERDICT_MARGINAL },
	{ "measured", 8000, 8399, 8400, VERDICT_PASS },
	{ "measured", 8000, 8401, 8401, VERDICT_FAIL },
	{ "measured", -1, 900, 910, VERDICT_NO_CLAIM },
	{ "refused", 200, -1, -1, VERDICT_FAIL },
	{ "refused", -1, -1, -1, VERDICT_NO_CLAIM },
	{ "not entered", 200, -1, -1, VERDICT_FAIL },
	{ "answers asleep", 200, -1, -1, VERDICT_MARGINAL },
	{ "left early", 200, -1, -1, VERDICT_MARGINAL },
	{ "failed", -1, -1, -1, VERDICT_FAIL },
	{ "stopped", 200, -1, -1, VERDICT_NOT_TESTED },
};

static void recovery_is_held_against_the_claim(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(recoveries); i++) {
		struct verification verification;
		struct facts facts;

		facts_init(&facts);
		verification_init(&verification);
		struct row *row = facts_row(
			&facts, table_of("power_measured"), source_derived("test"));

		row_set(row, "state", value_text("idle_b"));
		row_set(row, "result", value_text(recoveries[i].result));
		row_set(row, "count", value_uint(3));
		if (recoveries[i].claimed_ms > 0)
			row_set(row, "claimed_us", value_real(recoveries[i].claimed_ms * 1000));
		if (recoveries[i].median_ms > 0) {
			row_set(row, "recovery_us", value_real(recoveries[i].median_ms * 1000));
			row_set(row, "minimum_us", value_real(recoveries[i].median_ms * 1000));
			row_set(row, "maximum_us", value_real(recoveries[i].most_ms * 1000));
		}
		verify_power(&facts, &verification);
		assert_int_equal(verification.count, 1);
		assert_string_equal(verification.verdicts[0].id, "recovery.idle_b");
		if (verification.verdicts[0].state != recoveries[i].want)
			fail_msg("case %zu: state %d: %s", i, (int)verification.verdicts[0].state,
				verification.verdicts[0].reason);
		verification_deinit(&verification);
		facts_deinit(&facts);
	}
}

static void a_timer_is_kept_within_a_second(void **state)
{
	static const struct {
		const char *result;
		double observed_ms;
		enum verdict_state want;
	} cases[] = {
		{ "went to sleep", 5100, VERDICT_PASS },
		{ "went to sleep", 5900, VERDICT_PASS },
		{ "went to sleep", 6200, VERDICT_MARGINAL },
		{ "went to sleep", 3000, VERDICT_MARGINAL },
		{ "went to sleep", -1, VERDICT_MARGINAL },
		{ "never", -1, VERDICT_FAIL },
		{ "refused", -1, VERDICT_NOT_TESTED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct verification verification;
		struct facts facts;

		facts_init(&facts);
		verification_init(&verification);
		struct row *row = facts_row(
			&facts, table_of("power_timers"), source_derived("test"));

		row_set(row, "state", value_text("idle_a"));
		row_set(row, "result", value_text(cases[i].result));
		row_set(row, "timer_ms", value_uint(5000));
		if (cases[i].observed_ms > 0)
			row_set(row, "observed_ms", value_real(cases[i].observed_ms));
		verify_power(&facts, &verification);
		assert_int_equal(verification.count, 1);
		assert_int_equal(verification.verdicts[0].state, cases[i].want);
		verification_deinit(&verification);
		facts_deinit(&facts);
	}
}

/* Two workloads at a level: the one that takes most counts. */
static void a_level_is_held_against_what_was_taken_at_it(void **state)
{
	static const struct {
		const char *result;
		double limit_milliwatts, watts[2]; /* negative: not there */
		int want;                          /* -1: no verdict */
	} cases[] = {
		{ "measured", 9000, { 8.5, 8.9 }, VERDICT_PASS },
		{ "measured", 9000, { 8.5, 9.4 }, VERDICT_PASS },
		{ "measured", 9000, { 9.5, 8.5 }, VERDICT_FAIL },
		{ "measured", 9000, { 8.5, 13 }, VERDICT_FAIL },
		{ "measured", 9000, { -1, 13 }, VERDICT_FAIL },
		{ "measured", 9000, { -1, -1 }, -1 },
		{ "measured", -1, { 8.5, 13 }, -1 },
		{ "refused", 9000, { -1, -1 }, VERDICT_FAIL },
		{ "refused", -1, { -1, -1 }, -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct verification verification;
		struct facts facts;

		facts_init(&facts);
		verification_init(&verification);
		for (size_t k = 0; k < 2; k++) {
			struct row *row = facts_row(
				&facts, table_of("power_levels"), source_derived("test"));

			row_set(row, "level", value_text("identifier 1"));
			row_set(row, "result", value_text(cases[i].result));
			if (cases[i].limit_milliwatts > 0)
				row_set(row, "limit_milliwatts",
					value_real(cases[i].limit_milliwatts));
			if (cases[i].watts[k] > 0)
				row_set(row, "average_watts", value_real(cases[i].watts[k]));
		}
		verify_power(&facts, &verification);
		assert_int_equal(verification.count, cases[i].want >= 0);
		if (cases[i].want >= 0) {
			assert_string_equal(verification.verdicts[0].id, "level.1");
			assert_int_equal(verification.verdicts[0].state, cases[i].want);
		}
		verification_deinit(&verification);
		facts_deinit(&facts);
	}
}

static void what_was_not_restored_fails(void **state)
{
	struct verification verification;
	struct facts facts;

	(void)state;
	facts_init(&facts);
	verification_init(&verification);
	facts_add(&facts, decoder_key("measured_power.restored"), value_flag(false), FACT_KNOWN,
		source_derived("test"), 0);
	verify_power(&facts, &verification);
	assert_int_equal(verification.count, 1);
	assert_int_equal(verification_status(&verification), EXIT_FAILING);
	verification_deinit(&verification);
	facts_deinit(&facts);
}

/* A result file of 900 ms for a drive that says 200 ms, without any datasheet. */
static void results_are_held_against_the_drives_own_claim(void **state)
{
	static const char json[] =
		"{\"facts\": {}, \"tables\": {\"measurements\": ["
		"{\"key\": \"performance.idle_a_recovery_us\", \"value\": 900000},"
		"{\"key\": \"performance.idle_b_recovery_us\", \"value\": 195000},"
		"{\"key\": \"performance.stopped_recovery_us\", \"value\": 195000}]}}";
	static const enum verdict_state want[] = { VERDICT_FAIL, VERDICT_PASS, VERDICT_NO_CLAIM };
	struct measurements measurements;
	struct verification verification;
	struct facts facts;
	struct error error;
	size_t found = 0;

	(void)state;
	facts_init(&facts);
	verification_init(&verification);
	measurements_init(&measurements);
	assert_int_equal(
		measurements_read_text("result", json, sizeof(json) - 1, &measurements, &error), 0);
	facts_add(&facts, decoder_key("power.idle_a_recovery_us"), value_uint(200000), FACT_KNOWN,
		source_derived("test"), 0);
	facts_add(&facts, decoder_key("power.idle_b_recovery_us"), value_uint(200000), FACT_KNOWN,
		source_derived("test"), 0);
	struct verify_subject subject = { .facts = &facts, .measurements = &measurements };

	verify(&subject, &(struct verify_options) { .now = 0 }, &verification);
	for (size_t i = 0; i < verification.count; i++)
		if (!strncmp(verification.verdicts[i].id, "performance.", 12))
			assert_int_equal(verification.verdicts[i].state, want[found++]);
	assert_int_equal(found, 3);
	measurements_deinit(&measurements);
	verification_deinit(&verification);
	facts_deinit(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(recovery_is_held_against_the_claim),
		cmocka_unit_test(a_timer_is_kept_within_a_second),
		cmocka_unit_test(a_level_is_held_against_what_was_taken_at_it),
		cmocka_unit_test(what_was_not_restored_fails),
		cmocka_unit_test(results_are_held_against_the_drives_own_claim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
