#include "test.h"

#include <string.h>

#include "assay/decoder.h"
#include "assay/health.h"

/* The numeric rules: a value that is still good, the limit, one beyond it. */
static const struct {
	const char *id, *key;
	double good, limit, beyond;
	double rpm; /* of the drive */
	enum verdict_state broken;
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
	enum verdict_state state;
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
	{ "power-cycle-growth", "usage.power_cycle_count", 9, 10, 0, VERDICT_WARNING },
};

/* The rules of words and flags. */
static const struct {
	const char *id, *key;
	struct value good, broken;
	enum verdict_state state;
} worded[] = {
	{ "self-assessment", "health.self_assessment", { .kind = VALUE_TEXT, .text = "passed" },
		{ .kind = VALUE_TEXT, .text = "failed" }, VERDICT_FAILING },
	{ "power-loss-circuit", "power_loss.capacitor_test",
		{ .kind = VALUE_TEXT, .text = "passed" }, { .kind = VALUE_TEXT, .text = "failed" },
		VERDICT_FAILING },
	{ "selftest-failed", "selftest.last_failed", { .kind = VALUE_FLAG, .flag = false },
		{ .kind = VALUE_FLAG, .flag = true }, VERDICT_FAILING },
	{ "cache-at-risk", "power_loss.at_risk", { .kind = VALUE_FLAG, .flag = false },
		{ .kind = VALUE_FLAG, .flag = true }, VERDICT_OK },
};

static const struct key rpm_key = { "identity.rotation_rpm", "Rotation rate", UNIT_RPM, AGREE_ANY,
	false };

static struct key key_of(const char *name)
{
	return (struct key) { .name = name, .label = name };
}

static const struct verdict *verdict_of(const struct health *health, const char *id)
{
	for (size_t i = 0; i < health->count; i++)
		if (!strcmp(health->verdicts[i].id, id))
			return &health->verdicts[i];
	return NULL;
}

/* The state that a rule gives to one value; -1 where it gives none. */
static int judged(const char *id, const char *name, struct value value, enum fact_state state,
	double rpm, const struct health_settings *settings)
{
	struct key key = key_of(name);
	struct facts facts;
	struct health health;

	facts_init(&facts);
	facts_add(&facts, &rpm_key, value_uint((uint64_t)rpm), FACT_KNOWN, source_derived("t"), 0);
	facts_add(&facts, &key, value, state, source_derived("t"), 0);
	health_judge(&facts, settings, &health);
	const struct verdict *verdict = verdict_of(&health, id);
	int result = verdict ? (int)verdict->state : -1;

	health_deinit(&health);
	facts_deinit(&facts);
	return result;
}

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

static bool was_100(void *context, const char *key, double *value)
{
	(void)context;
	(void)key;
	*value = 100;
	return true;
}

static void growth_is_judged_only_where_there_was_a_record(void **state)
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

static void every_rule_is_tested(void **state)
{
	static const char *const elsewhere[] = { "attribute-failing", "attribute-old",
		"attribute-failed", "warning", "link-slow" };

	(void)state;
	for (const struct rule *rule = rules; rule->id; rule++) {
		bool tested = false;

		for (size_t i = 0; i < ARRAY_LEN(numeric); i++)
			tested |= !strcmp(numeric[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(growth); i++)
			tested |= !strcmp(growth[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(worded); i++)
			tested |= !strcmp(worded[i].id, rule->id);
		for (size_t i = 0; i < ARRAY_LEN(elsewhere); i++)
			tested |= !strcmp(elsewhere[i], rule->id);
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
	}
}

/* A drive's attribute table with one row that is failing as told. */
static int judged_row(const char *id, const char *failing, bool prefailure, bool temperature)
{
	static const struct column columns[] = { { "name", "Name", UNIT_NONE },
		{ "failing", "Failing", UNIT_NONE }, { "prefailure", NULL, UNIT_NONE },
		{ "is_temperature", NULL, UNIT_NONE } };
	static const struct table table = { .name = "ata_attributes",
		.label = "A",
		.columns = columns,
		.column_count = ARRAY_LEN(columns) };
	struct facts facts;
	struct health health;

	facts_init(&facts);
	struct row *row = facts_row(&facts, &table, source_derived("t"));

	row_set(row, "name", value_text("Some_Attribute"));
	row_set(row, "failing", failing ? value_text(failing) : value_null());
	row_set(row, "prefailure", value_flag(prefailure));
	row_set(row, "is_temperature", value_flag(temperature));
	health_judge(&facts, NULL, &health);
	const struct verdict *verdict = verdict_of(&health, id);
	int result = verdict ? (int)verdict->state : -1;

	if (result > VERDICT_OK)
		assert_string_equal(verdict->reason, "Some_Attribute");
	health_deinit(&health);
	facts_deinit(&facts);
	return result;
}

static void failing_now_and_in_the_past_are_kept_apart(void **state)
{
	(void)state;
	assert_int_equal(judged_row("attribute-failing", "now", true, false), VERDICT_FAILING);
	assert_int_equal(judged_row("attribute-failing", "now", false, false), VERDICT_OK);
	assert_int_equal(judged_row("attribute-old", "now", false, false), VERDICT_WARNING);
	assert_int_equal(judged_row("attribute-failing", "past", true, false), VERDICT_OK);
	assert_int_equal(judged_row("attribute-failed", "past", true, false), VERDICT_WARNING);
	assert_int_equal(judged_row("attribute-failed", "past", false, true), VERDICT_OK);
	assert_int_equal(judged_row("attribute-failed", NULL, true, false), VERDICT_OK);
}

static void the_drive_s_own_limit_comes_before_the_default(void **state)
{
	struct key current = key_of("temperature.current_celsius");
	struct key limit = key_of("temperature.limit_celsius");
	struct facts facts;
	struct health health;

	(void)state;
	facts_init(&facts);
	facts_add(&facts, &current, value_int(72), FACT_KNOWN, source_derived("t"), 0);
	facts_add(&facts, &limit, value_int(75), FACT_KNOWN, source_derived("t"), 0);
	health_judge(&facts, NULL, &health);
	assert_int_equal(verdict_of(&health, "temperature-limit")->state, VERDICT_OK);
	assert_int_equal(verdict_of(&health, "temperature-limit")->key_count, 2);
	health_deinit(&health);
	facts_deinit(&facts);
}

static bool five(void *context, const struct rule *rule, struct rule_limit *limit)
{
	(void)context;
	*limit = (struct rule_limit) { .value = 5 };
	return !strcmp(rule->id, "wear-used");
}

static bool accepted(void *context, const struct rule *rule, double value)
{
	(void)context;
	return !strcmp(rule->id, "uncorrected") && value <= 3;
}

static void an_administrator_s_limits_and_silences_count(void **state)
{
	struct health_settings settings = { .limit = five, .silent = accepted };

	(void)state;
	assert_int_equal(judged("wear-used", "endurance.used_percent", value_uint(5), FACT_KNOWN, 0,
				 &settings),
		VERDICT_WARNING);
	assert_int_equal(judged("uncorrected", "errors.uncorrected_count", value_uint(3),
				 FACT_KNOWN, 0, &settings),
		VERDICT_OK);
	assert_int_equal(judged("uncorrected", "errors.uncorrected_count", value_uint(4),
				 FACT_KNOWN, 0, &settings),
		VERDICT_WARNING);
}

static void nothing_judged_is_unknown_and_not_ok(void **state)
{
	struct facts facts;
	struct health health;

	(void)state;
	facts_init(&facts);
	facts_add(&facts, &rpm_key, value_uint(0), FACT_KNOWN, source_derived("t"), 0);
	health_judge(&facts, NULL, &health);
	assert_int_equal(health_state(&health), VERDICT_UNKNOWN);
	assert_int_equal(health_status(&health), EXIT_UNKNOWN);
	health_deinit(&health);
	facts_deinit(&facts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_below_at_and_beyond_its_limit),
		cmocka_unit_test(growth_is_judged_only_where_there_was_a_record),
		cmocka_unit_test(words_and_flags_decide_and_unknown_ones_do_not),
		cmocka_unit_test(every_rule_is_tested),
		cmocka_unit_test(every_rule_looks_at_something_that_exists),
		cmocka_unit_test(failing_now_and_in_the_past_are_kept_apart),
		cmocka_unit_test(the_drive_s_own_limit_comes_before_the_default),
		cmocka_unit_test(an_administrator_s_limits_and_silences_count),
		cmocka_unit_test(nothing_judged_is_unknown_and_not_ok),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
