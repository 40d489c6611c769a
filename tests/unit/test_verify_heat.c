/* What a run has just measured, against what the datasheet says of power and heat. */
#include "test.h"

#include "trial.h"

#include "measure/topic.h"

#define ECO       "sandisk-cloudspeed-eco-960gb-healthy"
#define LIGHTNING "sandisk-lightning-lb406s-healthy"
#define ULTRASTAR "hgst-ultrastar-ssd800mm-800gb-healthy"

/* Rows of its measurements: a key, a value, and the power level that was set. */
struct found {
	const char *key;
	double value, limit_milliwatts;
};

static const struct {
	const char *drive, *id;
	struct found found[4];
	enum verdict_state state;
} cases[] = {
	{ ECO, "power.idle_milliwatts", { { "power.idle_milliwatts", 2150, 0 } }, VERDICT_PASS },
	{ ECO, "power.idle_milliwatts", { { "power.idle_milliwatts", 2250, 0 } },
		VERDICT_MARGINAL },
	{ ECO, "power.idle_milliwatts", { { "power.idle_milliwatts", 2800, 0 } }, VERDICT_FAIL },
	/* of several, the one that takes most */
	{ ECO, "power.idle_milliwatts",
		{ { "power.idle_milliwatts", 1500, 0 }, { "power.idle_milliwatts", 2800, 0 } },
		VERDICT_FAIL },
	{ LIGHTNING, "power.typical_milliwatts", { { "power.typical_milliwatts", 6100, 0 } },
		VERDICT_PASS },
	{ LIGHTNING, "power.typical_milliwatts", { { "power.typical_milliwatts", 9000, 0 } },
		VERDICT_MARGINAL },
	{ ULTRASTAR, "power.selectable_milliwatts",
		{ { "power.active_milliwatts", 8800, 9000 },
			{ "power.active_milliwatts", 10900, 11000 } },
		VERDICT_PASS },
	{ ULTRASTAR, "power.selectable_milliwatts",
		{ { "power.active_milliwatts", 9900, 9000 },
			{ "power.active_milliwatts", 10900, 11000 } },
		VERDICT_FAIL },
	/* one level alone: what the drive says of itself counts */
	{ ULTRASTAR, "power.selectable_milliwatts", { { "power.active_milliwatts", 10900, 11000 } },
		VERDICT_PASS },
	{ ECO, "temperature.throttles",
		{ { "temperature.throttles", 1, 0 }, { "temperature.throttle_celsius", 74, 0 } },
		VERDICT_PASS },
	{ ECO, "temperature.throttles", { { "temperature.throttles", 0, 0 } }, VERDICT_NOT_TESTED },
	{ ECO, "temperature.operating_celsius", { { "temperature.throttle_celsius", 62, 0 } },
		VERDICT_MARGINAL },
	{ ECO, "temperature.operating_celsius", { { "temperature.operating_celsius", 70, 0 } },
		VERDICT_PASS },
	{ ECO, "temperature.operating_celsius", { { "temperature.operating_celsius", 55, 0 } },
		VERDICT_NOT_VERIFIABLE },
	/* ambient: the sensor is inside */
	{ ULTRASTAR, "temperature.operating_celsius", { { "temperature.throttle_celsius", 55, 0 } },
		VERDICT_NOT_VERIFIABLE },
	{ ULTRASTAR, "temperature.throttle_celsius", { { "temperature.throttle_celsius", 71, 0 } },
		VERDICT_NO_CLAIM },
};

static void add_found(struct facts *facts, const struct found *found)
{
	struct row *row = facts_row(facts, &table_measurements, source_derived("test"));

	row_set(row, "key", value_text(found->key));
	row_set(row, "value", value_real(found->value));
	if (found->limit_milliwatts > 0)
		row_set(row, "limit_milliwatts", value_real(found->limit_milliwatts));
}

static void claims_of_power_and_heat_are_judged_by_what_was_measured(void **state)
{
	struct trial trial;
	struct facts measured;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		trial_init(&trial, cases[i].drive);
		facts_init(&measured);
		for (size_t k = 0; k < ARRAY_LEN(cases[i].found) && cases[i].found[k].key; k++)
			add_found(&measured, &cases[i].found[k]);
		measurements_take(&measured, &trial.measurements);
		trial_verify(&trial);
		const struct verdict *verdict = verdict_of(&trial, cases[i].id);

		if (verdict->state != cases[i].state)
			fail_msg("case %zu, %s: %d, not %d: %s", i, cases[i].id, verdict->state,
				cases[i].state, verdict->reason);
		facts_deinit(&measured);
		trial_deinit(&trial);
	}
}

static void what_is_no_claim_is_not_taken(void **state)
{
	static const struct found strange[] = { { "no.such_key", 1, 0 },
		{ "capacity.bytes", 1, 0 } };
	struct measurements measurements;
	struct facts measured;

	(void)state;
	facts_init(&measured);
	measurements_init(&measurements);
	for (size_t i = 0; i < ARRAY_LEN(strange); i++)
		add_found(&measured, &strange[i]);
	measurements_take(&measured, &measurements);
	assert_int_equal(measurements.count, 0);
	measurements_deinit(&measurements);
	facts_deinit(&measured);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(claims_of_power_and_heat_are_judged_by_what_was_measured),
		cmocka_unit_test(what_is_no_claim_is_not_taken),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
