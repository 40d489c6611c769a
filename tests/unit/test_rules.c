#include "judged.h"

#include <stdlib.h>

#include "assay/decoder.h"

/* The numeric rules: a value that is still good, the limit, one beyond it. */
static const struct {
	const char *id, *key;
	double good, limit, beyond;
	double rpm; /* of the drive */
	int broken;
} numeric[] = {
	{ "wear-used", "endurance.used_percent", 89, 90, 100, 0, VERDICT_WARNING },
	{ "wear-rated", "endurance.rated_used_percent", 89.9, 90, 104, 0, VERDICT_WARNING },
	{ "spare-gone", "endurance.spare_percent", 6, 5, 0, 0, VERDICT_FAILING },
	{ "spare-low", "endurance.spare_percent", 21, 20, 6, 0, VERDICT_WARNING },
	{ "uncorrected", "errors.uncorrected_count", 0, 1, 2, 7200, VERDICT_WARNING },
	{ "pending", "errors.pending_count", 0, 1, 8, 7200, VERDICT_WARNING },
	{ "reallocated", "errors.reallocated_count", 9, 10, 11, 7200, VERDICT_WARNING },
	{ "reallocated", "errors.reallocated_count", 99, 100, 101, 0, VERDICT_WARNING },
	{ "grown-defects", "errors.grown_defect_count", 9, 10, 30, 10500, VERDICT_WARNING },
	{ "grown-defects", "errors.grown_defect_count", 99, 100, 300, 0, VERDICT_WARNING },
	{ "crc", "errors.crc_count", 99, 100, 101, 7200, VERDICT_WARNING },
	{ "background-scan", "errors.background_scan_unresolved_count", 0, 1, 2, 7200,
		VERDICT_WARNING },
	{ "selftest-failed-past", "selftest.failed_count", 0, 1, 2, 7200, VERDICT_WARNING },
	{ "selftest-old", "selftest.since_passed_hours", 8759, 8760, 8761, 7200, NOTED },
	{ "temperature-limit", "temperature.current_celsius", 59, 60, 61, 7200, VERDICT_WARNING },
	{ "temperature-limit", "temperature.current_celsius", 69, 70, 71, 0, VERDICT_WARNING },
	{ "temperature-critical", "temperature.current_celsius", 84, 85, 86, 7200,
		VERDICT_FAILING },
	{ "temperature-critical", "temperature.current_celsius", 94, 95, 96, 0, VERDICT_FAILING },
};

/* The rules of growth: how much is still good, and how much is not. */
static const struct {
	const char *id, *key;
	double good, broken, rpm;
	int state;
} growth[] = {
	{ "uncorrected-growth", "errors.uncorrected_count", 0, 1, 7200, VERDICT_FAILING },
	{ "pending-growth", "errors.pending_count", 9, 10, 7200, VERDICT_FAILING },
	{ "reallocated-growth", "errors.reallocated_count", 0, 1, 7200, VERDICT_WARNING },
	{ "reallocated-growth", "errors.reallocated_count", 9, 10, 0, VERDICT_WARNING },
	{ "grown-defects-growth", "errors.grown_defect_count", 0, 1, 7200, VERDICT_WARNING },
	{ "grown-defects-growth", "errors.grown_defect_count", 9, 10, 0, VERDICT_WARNING },
	{ "crc-growth", "errors.crc_count", 0, 1, 7200, VERDICT_WARNING },
	{ "non-medium-growth", "errors.non_medium_count", 99, 100, 7200, VERDICT_WARNING },
	{ "over-temperature-growth", "temperature.over_limit_minutes", 0, 1, 0, VERDICT_WARNING },
	{ "throttle-growth", "temperature.throttle_count", 0, 1, 0, VERDICT_WARNING },
	{ "unsafe-shutdown-growth", "power_loss.unsafe_shutdown_count", 0, 1, 0, VERDICT_WARNING },
	{ "background-scan-growth", "errors.background_scan_error_count", 0, 1, 7200,
		VERDICT_WARNING },
	{ "selftest-failed-growth", "selftest.failed_count", 0, 1, 7200, VERDICT_FAILING },
	{ "link-retraining-growth", "link.retrain_count", 9, 10, 7200, VERDICT_WARNING },
	{ "power-cycle-growth", "usage.power_cycle_count", 9, 10, 0, VERDICT_WARNING },
};

/* The rules of words and flags. */
static const struct {
	const char *id, *key;
	struct value good, broken;
	int state;
} worded[] = {
	{ "self-assessment", "health.self_assessment", { .kind = VALUE_TEXT, .text = "passed" },
		{ .kind = VALUE_TEXT, .text = "failed" }, VERDICT_FAILING },
	{ "power-loss-circuit", "power_loss.capacitor_test",
		{ .kind = VALUE_TEXT, .text = "passed" }, { .kind = VALUE_TEXT, .text = "failed" },
		VERDICT_FAILING },
	{ "selftest-failed", "selftest.last_failed", { .kind = VALUE_FLAG, .flag = false },
		{ .kind = VALUE_FLAG, .flag = true }, VERDICT_FAILING },
	{ "cache-at-risk", "power_loss.at_risk", { .kind = VALUE_FLAG, .flag = false },
		{ .kind = VALUE_FLAG, .flag = true }, NOTED },
};

/* Rules that hold where there is such a fact at all. */
static const struct {
	const char *id, *key;
	int state;
} known[] = {
	{ "warning", "health.warning", VERDICT_WARNING },
};

/* Rules that compare a number with that of another key. */
static const struct {
	const char *id, *key, *limit_key;
	int state;
} compared[] = {
	{ "link-slow", "link.now_gbps", "link.max_gbps", NOTED },
};

/* Rules of what fell since the records before, 100. */
static const struct {
	const char *id, *key;
	int state;
} fallen[] = {
	{ "link-downgraded", "link.now_gbps", VERDICT_WARNING },
};

/* Rules over the rows of a table: a row that counts, and some that do not. */
static const struct {
	const char *id;
	const char *failing;
	bool prefailure, temperature;
	int state;
} rows[] = {
	{ "attribute-failing", "now", true, false, VERDICT_FAILING },
	{ "attribute-failing", "now", true, true, VERDICT_FAILING },
	{ "attribute-failing", "now", false, false, VERDICT_OK },
	{ "attribute-failing", "past", true, false, VERDICT_OK },
	{ "attribute-failing", NULL, true, false, VERDICT_OK },
	{ "attribute-old", "now", false, false, VERDICT_WARNING },
	{ "attribute-old", "now", true, false, VERDICT_OK }, /* attribute-failing tells it */
	{ "attribute-old", "past", false, false, VERDICT_OK },
	{ "attribute-old", NULL, false, false, VERDICT_OK },
	{ "attribute-failed", "past", true, false, VERDICT_WARNING },
	{ "attribute-failed", "past", false, false, VERDICT_WARNING },
	{ "attribute-failed", "past", false, true, VERDICT_OK },
	{ "attribute-failed", "now", true, false, VERDICT_OK },
	{ "attribute-failed", NULL, true, false, VERDICT_OK },
};

/* Rules of sources that contradict each other. */
static const struct {
	const char *id, *key;
	int state;
} disagreeing[] = {
	{ "contradiction-hours", "usage.power_on_hours", VERDICT_WARNING },
	{ "contradiction-spare", "endurance.spare_percent", VERDICT_WARNING },
	{ "contradiction-cache", "power_loss.write_cache_enabled", VERDICT_WARNING },
	{ "contradiction-link", "link.max_gbps", VERDICT_WARNING },
};

static void a_number_below_at_and_beyond_its_limit(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(numeric); i++) {
		const char *id = numeric[i].id, *key = numeric[i].key;
		double rpm = numeric[i].rpm;

		assert_int_equal(
			judged(id, key, value_real(numeric[i].good), FACT_KNOWN, rpm, NULL),
			VERDICT_OK);
		assert_int_equal(
			judged(id, key, value_real(numeric[i].limit), FACT_KNOWN, rpm, NULL),
			numeric[i].broken);
		assert_int_equal(
			judged(id, key, value_real(numeric[i].beyond), FACT_KNOWN, rpm, NULL),
			numeric[i].broken);
		assert_int_equal(judged(id, key, value_null(), FACT_UNKNOWN, rpm, NULL), -1);
		assert_int_equal(judged(id, "other.key", value_real(1), FACT_KNOWN, rpm, NULL), -1);
	}
}

static bool was_100(void *context, const char *key, struct rule_before *before)
{
	(void)context;
	(void)key;
	*before = (struct rule_before) { 100, 100, 3600 };
	return true;
}

static void growth_is_judged_only_where_there_were_records(void **state)
{
	struct health_settings settings = { .before = was_100 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(growth); i++) {
		const char *id = growth[i].id, *key = growth[i].key;
		double rpm = growth[i].rpm;

		assert_int_equal(judged(id, key, value_real(100 + growth[i].good), FACT_KNOWN, rpm,
					 &settings),
			VERDICT_OK);
		assert_int_equal(judged(id, key, value_real(100 + growth[i].broken), FACT_KNOWN,
					 rpm, &settings),
			growth[i].state);
		assert_int_equal(
			judged(id, key, value_real(50), FACT_KNOWN, rpm, &settings), VERDICT_OK);
		assert_int_equal(judged(id, key, value_real(500), FACT_KNOWN, rpm, NULL), -1);
		assert_int_equal(judged(id, key, value_null(), FACT_UNKNOWN, rpm, &settings), -1);
	}
}

static void words_and_flags_decide_and_unknown_ones_do_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(worded); i++) {
		const char *id = worded[i].id, *key = worded[i].key;

		assert_int_equal(judged(id, key, worded[i].good, FACT_KNOWN, 0, NULL), VERDICT_OK);
		assert_int_equal(
			judged(id, key, worded[i].broken, FACT_KNOWN, 0, NULL), worded[i].state);
		assert_int_equal(judged(id, key, value_null(), FACT_UNKNOWN, 0, NULL), -1);
	}
	assert_int_equal(judged("self-assessment", "health.self_assessment", value_text("unknown"),
				 FACT_KNOWN, 0, NULL),
		-1);
}

/* Two facts, each added where its key is not NULL. */
static int judged_two(const char *id, const struct key *first, struct value value,
	const struct key *second, struct value other, const struct health_settings *settings)
{
	struct facts facts;
	struct health health;

	facts_init(&facts);
	if (first)
		facts_add(&facts, first, value,
			value.kind == VALUE_NULL ? FACT_UNKNOWN : FACT_KNOWN, source_derived("t"),
			0);
	if (second)
		facts_add(&facts, second, other,
			other.kind == VALUE_NULL ? FACT_UNKNOWN : FACT_KNOWN, source_derived("t"),
			1);
	health_judge(&facts, settings, &health);
	const struct verdict *verdict = verdict_of(&health, id);
	int result = outcome(verdict);

	health_deinit(&health);
	facts_deinit(&facts);
	return result;
}

static void what_must_not_be_known_is_told_where_it_is(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		const char *id = known[i].id, *key = known[i].key;

		assert_int_equal(
			judged(id, key, value_text("x"), FACT_KNOWN, 0, NULL), known[i].state);
		assert_int_equal(judged(id, key, value_null(), FACT_UNKNOWN, 0, NULL), -1);
		assert_int_equal(judged(id, "other.key", value_text("x"), FACT_KNOWN, 0, NULL), -1);
	}
}

static void a_number_is_compared_with_that_of_another_key(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(compared); i++) {
		struct key key = key_of(compared[i].key), limit = key_of(compared[i].limit_key);
		const char *id = compared[i].id;

		assert_int_equal(judged_two(id, &key, value_real(3), &limit, value_real(6), NULL),
			compared[i].state);
		assert_int_equal(judged_two(id, &key, value_real(6), &limit, value_real(6), NULL),
			VERDICT_OK);
		assert_int_equal(judged_two(id, &key, value_real(12), &limit, value_real(6), NULL),
			VERDICT_OK);
		assert_int_equal(
			judged_two(id, &key, value_null(), &limit, value_real(6), NULL), -1);
		assert_int_equal(
			judged_two(id, &key, value_real(3), &limit, value_null(), NULL), -1);
		assert_int_equal(judged_two(id, &key, value_real(3), NULL, value_null(), NULL), -1);
		assert_int_equal(
			judged_two(id, NULL, value_null(), &limit, value_real(6), NULL), -1);
	}
}

static void what_fell_is_told(void **state)
{
	struct health_settings settings = { .before = was_100 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(fallen); i++) {
		const char *id = fallen[i].id, *key = fallen[i].key;

		assert_int_equal(
			judged(id, key, value_real(99), FACT_KNOWN, 0, &settings), fallen[i].state);
		assert_int_equal(
			judged(id, key, value_real(100), FACT_KNOWN, 0, &settings), VERDICT_OK);
		assert_int_equal(
			judged(id, key, value_real(101), FACT_KNOWN, 0, &settings), VERDICT_OK);
		assert_int_equal(judged(id, key, value_null(), FACT_UNKNOWN, 0, &settings), -1);
		assert_int_equal(judged(id, key, value_real(99), FACT_KNOWN, 0, NULL), -1);
		assert_int_equal(
			judged(id, "other.key", value_real(99), FACT_KNOWN, 0, &settings), -1);
	}
}

static void sources_that_contradict_each_other_are_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(disagreeing); i++) {
		struct key key = key_of(disagreeing[i].key), other = key_of("identity.serial");
		const char *id = disagreeing[i].id;

		key.agreement = other.agreement = AGREE_EXACT;
		assert_int_equal(
			judged_two(id, &key, value_flag(true), &key, value_flag(false), NULL),
			disagreeing[i].state);
		assert_int_equal(
			judged_two(id, &key, value_flag(true), &key, value_flag(true), NULL), -1);
		assert_int_equal(
			judged_two(id, &key, value_flag(true), &key, value_null(), NULL), -1);
		assert_int_equal(
			judged_two(id, &key, value_flag(true), NULL, value_null(), NULL), -1);
		/* a counter that is not kept */
		assert_int_equal(
			judged_two(id, &key, value_uint(700), &key, value_uint(0), NULL), -1);
		assert_int_equal(judged_two(id, &key, value_uint(700), &key, value_uint(9), NULL),
			disagreeing[i].state);
		/* of another key */
		assert_int_equal(
			judged_two(id, &other, value_text("A"), &other, value_text("B"), NULL), -1);
	}
}

static void every_rule_is_tested(void **state)
{
	(void)state;
	for (const struct rule *rule = rules; rule->id; rule++) {
		bool tested = false;

		for (size_t i = 0; i < ARRAY_LEN(numeric); i++)
			tested |= !strcmp(numeric[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(growth); i++)
			tested |= !strcmp(growth[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(worded); i++)
			tested |= !strcmp(worded[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			tested |= !strcmp(rows[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(known); i++)
			tested |= !strcmp(known[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(compared); i++)
			tested |= !strcmp(compared[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(fallen); i++)
			tested |= !strcmp(fallen[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(disagreeing); i++)
			tested |= !strcmp(disagreeing[i].id, rule->id);
		if (!tested)
			fail_msg("no test of rule %s", rule->id);
		assert_ptr_equal(rule_find(rule->id), rule);
		assert_non_null(rule->why);
		assert_non_null(rule->action);
	}
	assert_null(rule_find("no-such-rule"));
}

static void every_rule_looks_at_something_that_exists(void **state)
{
	(void)state;
	for (const struct rule *rule = rules; rule->id; rule++) {
		bool table = false;

		for (size_t d = 0; decoders[d]; d++)
			for (size_t i = 0; i < decoders[d]->table_count; i++)
				table |= !strcmp(decoders[d]->tables[i]->name, rule->key);
		if (!table && !decoder_key(rule->key))
			fail_msg("rule %s looks at %s", rule->id, rule->key);
		if (rule->limit_key)
			assert_non_null(decoder_key(rule->limit_key));
		if (rule->rated_key)
			assert_non_null(decoder_key(rule->rated_key));
	}
}

static bool is_accepted(void *context, const struct rule *rule, double value)
{
	(void)value;
	return !strcmp(rule->id, context);
}

/* Rules that look at the same thing as a graver one, and what breaks both. */
static void what_a_graver_rule_tells_is_told_once(void **state)
{
	static const struct {
		const char *id, *graver, *key;
		double both, this;
	} cases[] = {
		{ "spare-low", "spare-gone", "endurance.spare_percent", 5, 6 },
		{ "temperature-limit", "temperature-critical", "temperature.current_celsius", 95,
			94 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *accepted = strdup(cases[i].graver);
		struct health_settings settings = { .silent = is_accepted, .context = accepted };
		const char *id = cases[i].id, *graver = cases[i].graver, *key = cases[i].key;
		struct value both = value_real(cases[i].both), this = value_real(cases[i].this);

		assert_int_equal(judged(graver, key, both, FACT_KNOWN, 0, NULL), VERDICT_FAILING);
		assert_int_equal(judged(id, key, both, FACT_KNOWN, 0, NULL), NOTED);
		assert_int_equal(judged(id, key, this, FACT_KNOWN, 0, NULL), VERDICT_WARNING);
		/* who accepts the graver one has not accepted this */
		assert_int_equal(judged(id, key, both, FACT_KNOWN, 0, &settings), VERDICT_WARNING);
		free(accepted);
	}
}

static void one_self_test_that_failed_is_one_reason(void **state)
{
	struct key last = key_of("selftest.last_failed"), count = key_of("selftest.failed_count");

	(void)state;
	assert_int_equal(judged_two("selftest-failed-past", &last, value_flag(true), &count,
				 value_uint(1), NULL),
		NOTED);
	assert_int_equal(judged_two("selftest-failed-past", &last, value_flag(false), &count,
				 value_uint(1), NULL),
		VERDICT_WARNING);
	assert_int_equal(judged_two("selftest-failed-past", &last, value_null(), &count,
				 value_uint(1), NULL),
		VERDICT_WARNING);
}

static void a_graver_rule_comes_first_and_weighs_more(void **state)
{
	(void)state;
	for (const struct rule *rule = rules; rule->id; rule++) {
		if (!rule->graver)
			continue;
		const struct rule *graver = rule_find(rule->graver);

		assert_non_null(graver);
		assert_true(graver < rule);
		assert_true(graver->state > rule->state);
	}
}

/* A drive's attribute table with so many rows that are failing as told; of the name, or NULL. */
static int judged_rows(const char *id, size_t count, const char *name, const char *failing,
	bool prefailure, bool temperature)
{
	static const struct column columns[] = { { "id", "ID", UNIT_NONE },
		{ "name", "Name", UNIT_NONE }, { "failing", "Failing", UNIT_NONE },
		{ "prefailure", NULL, UNIT_NONE }, { "is_temperature", NULL, UNIT_NONE } };
	static const struct table table = { .name = "ata_attributes",
		.label = "A",
		.columns = columns,
		.column_count = ARRAY_LEN(columns) };
	struct facts facts;
	struct health health;

	facts_init(&facts);
	for (size_t i = 0; i < count; i++) {
		struct row *row = facts_row(&facts, &table, source_derived("t"));

		row_set(row, "id", value_uint(184));
		row_set(row, "name", name ? value_text(name) : value_null());
		row_set(row, "failing", failing ? value_text(failing) : value_null());
		row_set(row, "prefailure", value_flag(prefailure));
		row_set(row, "is_temperature", value_flag(temperature));
	}
	health_judge(&facts, NULL, &health);
	const struct verdict *verdict = verdict_of(&health, id);
	int result = outcome(verdict);

	if (result > VERDICT_OK)
		assert_string_equal(verdict->reason,
			!name               ? "attribute 184"
				: count > 1 ? "Some_Attribute, Some_Attribute"
					    : "Some_Attribute");
	health_deinit(&health);
	facts_deinit(&facts);
	return result;
}

static void failing_now_and_in_the_past_are_kept_apart(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *names[] = { "Some_Attribute", "Some_Attribute", NULL };
		const size_t counts[] = { 1, 2, 1 };

		for (size_t n = 0; n < ARRAY_LEN(counts); n++)
			assert_int_equal(
				judged_rows(rows[i].id, counts[n], names[n], rows[i].failing,
					rows[i].prefailure, rows[i].temperature),
				rows[i].state);
		assert_int_equal(judged_rows(rows[i].id, 0, NULL, NULL, true, false), -1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_below_at_and_beyond_its_limit),
		cmocka_unit_test(growth_is_judged_only_where_there_were_records),
		cmocka_unit_test(words_and_flags_decide_and_unknown_ones_do_not),
		cmocka_unit_test(what_must_not_be_known_is_told_where_it_is),
		cmocka_unit_test(a_number_is_compared_with_that_of_another_key),
		cmocka_unit_test(what_fell_is_told),
		cmocka_unit_test(sources_that_contradict_each_other_are_told),
		cmocka_unit_test(every_rule_is_tested),
		cmocka_unit_test(every_rule_looks_at_something_that_exists),
		cmocka_unit_test(failing_now_and_in_the_past_are_kept_apart),
		cmocka_unit_test(what_a_graver_rule_tells_is_told_once),
		cmocka_unit_test(one_self_test_that_failed_is_one_reason),
		cmocka_unit_test(a_graver_rule_comes_first_and_weighs_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
