/* Power levels, temperatures and throttling: what the drive says, and what was
 * measured. */
#include <math.h>
#include <string.h>

#include "judge/verify.h"

/* A run repeats within this part of its value. */
static const double TOLERANCE = 0.05;

/* The measurement of a key that stands out: the highest, or the lowest. */
static const struct measurement *measured(struct verifying *verifying, const char *key, bool lowest)
{
	const struct measurements *all = verifying->subject->measurements;
	const struct measurement *best = NULL;

	for (size_t i = 0; all && i < all->count; i++) {
		const struct measurement *one = &all->measurements[i];

		if (!strcmp(one->key->name, key) &&
			(!best || (lowest ? one->value < best->value : one->value > best->value)))
			best = one;
	}
	return best;
}

/* ---- Power levels ---- */

/* What the drive took at most while it was set to a level; NULL: not measured. */
static const struct measurement *at_level(struct verifying *verifying, double milliwatts)
{
	const struct measurements *all = verifying->subject->measurements;
	const struct measurement *most = NULL;

	for (size_t i = 0; all && i < all->count; i++) {
		const struct measurement *one = &all->measurements[i];

		if (!strcmp(one->key->name, "power.active_milliwatts") &&
			fabs(one->conditions.milliwatts - milliwatts) < 1 &&
			(!most || one->value > most->value))
			most = one;
	}
	return most;
}

/* Of a list of levels: how many were measured; the one that takes more than it is
 * set to, where there is one. */
static size_t count_levels(struct verifying *verifying, const struct quantity *quantity,
	double *over_level, const struct measurement **over, const char **text)
{
	size_t count = 0;

	*text = "";
	for (size_t i = 0; i < quantity->list_count; i++) {
		double level = quantity->list[i].value;
		const struct measurement *most = at_level(verifying, level);

		if (!most)
			continue;
		count++;
		*text = keep(verifying, "%s%s%.1f W at the level of %g W", *text,
			**text ? ", " : "", most->value / 1e3, level / 1e3);
		if (most->value <= level * (1 + TOLERANCE))
			continue;
		*over = most;
		*over_level = level;
	}
	return count;
}

static enum holding test_limit(struct verifying *verifying, const struct claim *claim)
{
	return holds(claim, known_number(verifying, "power.limit_milliwatts"), 0);
}

void verify_selectable(struct verifying *verifying, const struct claim_group *group)
{
	const struct quantity *quantity = &group->claims[0]->quantity;
	struct opinion opinion = opinion_of(verifying, group);
	const struct measurement *over = NULL;
	double over_level = 0;
	size_t count = count_levels(verifying, quantity, &over_level, &over, &opinion.found);

	if (over) {
		opinion.state = VERDICT_FAIL;
		opinion.evidence = over->where;
		conclude(verifying, &opinion, "takes %.1f W on average while it is set to %g W",
			over->value / 1e3, over_level / 1e3);
	} else if (count && count == quantity->list_count) {
		opinion.state = VERDICT_PASS;
		conclude(verifying, &opinion, "takes no more than each level that it was set to");
	} else {
		/* not measured at each: the one that is set must be one of them */
		compare_number(verifying, group, "power.limit_milliwatts", test_limit,
			count ? keep(verifying, "measured: %s", opinion.found) : NULL);
	}
}

/* ---- Temperature ---- */

/* One reading proves no range. Ambient air is cooler than the sensor inside. */
static void verify_temperature_now(struct verifying *verifying, const struct claim_group *group)
{
	static const char key[] = "temperature.current_celsius";
	const struct claim *claim = group->claims[0];
	const char *reference = claim->conditions.reference;
	struct opinion opinion = opinion_of(verifying, group);
	double now = known_number(verifying, key),
	       limit = known_number(verifying, "temperature.limit_celsius");
	bool inside = !reference || !strcmp(reference, "internal");

	opinion.state = VERDICT_NOT_VERIFIABLE;
	if (isnan(now)) {
		conclude(verifying, &opinion, "one reading proves no range");
		return;
	}
	opinion.key = key;
	opinion.found = isnan(limit)
		? keep(verifying, "%.0f °C now", now)
		: keep(verifying, "%.0f °C now; the drive's own limit is %.0f °C", now, limit);
	opinion.evidence = evidence_of(verifying, key);
	if (inside && now > claim->quantity.high.value) {
		opinion.state = VERDICT_MARGINAL;
		conclude(verifying, &opinion, "the drive is used above its rating");
	} else {
		conclude(verifying, &opinion, "one reading proves no range%s",
			inside ? "" : ", and the sensor is inside");
	}
}

/* What it did when it was hot: under a load it worked up to a temperature, or
 * slowed down within the range for which it is rated. */
void verify_temperature(struct verifying *verifying, const struct claim_group *group)
{
	const struct claim *claim = group->claims[0];
	const char *reference = claim->conditions.reference;
	bool inside = !reference || !strcmp(reference, "internal");
	const struct measurement *slow = measured(verifying, "temperature.throttle_celsius", true);
	const struct measurement *hot = measured(verifying, "temperature.operating_celsius", false);
	const struct measurement *seen = slow ? slow : hot;
	struct opinion opinion = opinion_of(verifying, group);

	if (!inside || !seen) {
		verify_temperature_now(verifying, group);
		return;
	}
	opinion.state = VERDICT_NOT_VERIFIABLE;
	opinion.evidence = seen->where;
	if (slow && slow->value < claim->quantity.high.value) {
		opinion.state = VERDICT_MARGINAL;
		opinion.found = keep(verifying, "slowed down at %.0f °C", slow->value);
		conclude(verifying, &opinion, "heat slows it down within its rated range");
	} else if (hot && hot->value >= claim->quantity.high.value) {
		opinion.state = VERDICT_PASS;
		opinion.found = keep(verifying, "worked at %.0f °C", hot->value);
		conclude(verifying, &opinion, "worked up to the upper end of its rated range");
	} else {
		opinion.found = keep(
			verifying, "worked at up to %.0f °C", (hot ? hot : seen)->value);
		conclude(verifying, &opinion, "the end of the range was not reached");
	}
}

void verify_throttles(struct verifying *verifying, const struct claim_group *group)
{
	const struct measurement *one = measured(verifying, "temperature.throttles", false);
	const struct measurement *slow = measured(verifying, "temperature.throttle_celsius", true);
	const struct measurement *hot = measured(verifying, "temperature.operating_celsius", false);
	bool claimed = group->claims[0]->quantity.low.value != 0;
	struct opinion opinion = opinion_of(verifying, group);

	if (!one) {
		not_tested(verifying, group, "takes an active test");
		return;
	}
	opinion.evidence = one->where;
	if (one->value > 0) {
		opinion.state = claimed ? VERDICT_PASS : VERDICT_FAIL;
		opinion.found = slow ? keep(verifying, "slowed down at %.0f °C", slow->value)
				     : "slowed down by heat";
		conclude(verifying, &opinion, "%s", claimed ? "as claimed" : "not as claimed");
		return;
	}
	opinion.state = VERDICT_NOT_TESTED;
	opinion.found = hot ? keep(verifying, "no slowdown at up to %.0f °C", hot->value)
			    : "no slowdown by heat";
	conclude(verifying, &opinion, "it did not get hot enough to tell");
}
