#include "judged.h"

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

static void the_datasheet_s_limit_comes_after_the_drive_s_own(void **state)
{
	static const struct {
		int own, rated, now; /* 0: not known */
		enum verdict_state state;
	} cases[] = {
		{ 0, 55, 54, VERDICT_OK },
		{ 0, 55, 55, VERDICT_WARNING },
		{ 65, 55, 60, VERDICT_OK },
		{ 50, 55, 52, VERDICT_WARNING },
		{ 0, 0, 59, VERDICT_OK },
		{ 0, 0, 60, VERDICT_WARNING },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct key current = key_of("temperature.current_celsius");
		struct key own = key_of("temperature.limit_celsius");
		struct key rated = key_of("temperature.rated_limit_celsius");
		struct source source = source_derived("t");
		struct facts facts;
		struct health health;

		facts_init(&facts);
		facts_add(&facts, &current, value_int(cases[i].now), FACT_KNOWN, source, 0);
		facts_add(&facts, &own, value_int(cases[i].own),
			cases[i].own ? FACT_KNOWN : FACT_UNKNOWN, source, 0);
		if (cases[i].rated)
			facts_add(&facts, &rated, value_int(cases[i].rated), FACT_KNOWN, source, 0);
		health_judge(&facts, NULL, &health);
		if (verdict_of(&health, "temperature-limit")->state != cases[i].state)
			fail_msg("case %zu", i);
		health_deinit(&health);
		facts_deinit(&facts);
	}
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
		cmocka_unit_test(the_drive_s_own_limit_comes_before_the_default),
		cmocka_unit_test(the_datasheet_s_limit_comes_after_the_drive_s_own),
		cmocka_unit_test(an_administrator_s_limits_and_silences_count),
		cmocka_unit_test(nothing_judged_is_unknown_and_not_ok),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
