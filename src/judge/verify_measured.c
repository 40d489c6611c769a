/* Measured claims, out of the results that were brought along. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/verify.h"

/* A run repeats within this part of its value. */
static const double TOLERANCE = 0.05, REACHABLE = 0.94;

static bool agrees(double claimed, double measured)
{
	return claimed <= 0 || measured <= 0 || claimed == measured;
}

static bool is_of(const struct measurement *measurement, const struct claim *claim)
{
	const struct conditions *wanted = &claim->conditions, *had = &measurement->conditions;

	return measurement->key == claim->key &&
		agrees((double)wanted->block_bytes, (double)had->block_bytes) &&
		agrees(wanted->queue_depth, had->queue_depth) &&
		(wanted->read_percent < 0 || had->read_percent < 0 ||
			wanted->read_percent == had->read_percent) &&
		agrees((double)wanted->span_bytes, (double)had->span_bytes) &&
		agrees((double)wanted->format_bytes, (double)had->format_bytes) &&
		(!wanted->state || !had->state || !strcmp(wanted->state, had->state));
}

/* Of power, the workload that takes most tells; a claim must hold for each. */
static bool is_lower_better(const struct claim *claim)
{
	return claim->quantity.op == OPERATOR_AT_MOST &&
		claim->key->dimension != DIMENSION_MILLIWATTS;
}

/* "Up to": of several runs that fit the claim, the best one. */
static const struct measurement *best_of(struct verifying *verifying, const struct claim *claim)
{
	const struct measurements *all = verifying->subject->measurements;
	const struct measurement *best = NULL;

	for (size_t i = 0; all && i < all->count; i++) {
		const struct measurement *one = &all->measurements[i];

		if (is_of(one, claim) &&
			(!best ||
				(is_lower_better(claim) ? one->value < best->value
							: one->value > best->value)))
			best = one;
	}
	return best;
}

/* ---- Several files of results ---- */

/* Of power the largest figure counts, whatever the rest. */
static bool contradict(const struct measurement *one, const struct measurement *other)
{
	double larger = fmax(fabs(one->value), fabs(other->value));

	return one->key == other->key && one->key->proof == PROOF_MEASURED &&
		one->key->dimension != DIMENSION_MILLIWATTS &&
		strcmp(one->file, other->file) != 0 &&
		conditions_same(&one->conditions, &other->conditions) &&
		fabs(one->value - other->value) > TOLERANCE * larger;
}

static const char *value_text_of(struct verifying *verifying, const struct measurement *one)
{
	char text[64];

	return keep(verifying, "%s",
		quantity_human(one->value, one->key->dimension, text, sizeof(text)));
}

void note_contradictions(struct verifying *verifying)
{
	const struct measurements *all = verifying->subject->measurements;

	for (size_t i = 0; all && i < all->count; i++) {
		const struct measurement *one = &all->measurements[i];
		size_t j = i + 1;

		while (j < all->count && !contradict(one, &all->measurements[j]))
			j++;
		if (j == all->count)
			continue;
		const struct measurement *other = &all->measurements[j];

		facts_note(verifying->facts, NULL,
			"the results contradict each other: %s is %s (%s) and %s (%s) under the "
			"same conditions",
			one->key->name, value_text_of(verifying, one), one->where,
			value_text_of(verifying, other), other->where);
	}
}

/* What contradicts the best figure so far that a claim holds by one of the two
 * only; NULL: nothing. */
static const struct measurement *dispute(struct verifying *verifying,
	const struct claim_group *group, const struct measurement *best)
{
	const struct measurements *all = verifying->subject->measurements;

	for (size_t i = 0; i < all->count; i++) {
		const struct measurement *other = &all->measurements[i];

		if (!contradict(best, other))
			continue;
		for (size_t c = 0; c < group->count; c++)
			if (holds(group->claims[c], best->value, TOLERANCE) !=
				holds(group->claims[c], other->value, TOLERANCE))
				return other;
	}
	return NULL;
}

static void conclude_dispute(struct verifying *verifying, struct opinion *opinion,
	const struct measurement *best, const struct measurement *other)
{
	opinion->state = VERDICT_CONFLICT;
	opinion->found = keep(verifying, "%s or %s", value_text_of(verifying, best),
		value_text_of(verifying, other));
	opinion->evidence = keep(verifying, "%s; %s", best->where, other->where);
	conclude(verifying, opinion, "the results contradict each other");
}

/* ---- Claims ---- */

/* The link, or the number of ports, is below what the claim takes. */
static const char *out_of_reach(struct verifying *verifying, const struct claim *claim,
	const struct measurement *measurement)
{
	const struct conditions *had = &measurement->conditions;
	double gbps = had->link_gbps, ports = had->ports > 0 ? had->ports : 1;
	double rate = claim->quantity.low.value;

	if (gbps <= 0)
		facts_number(verifying->facts, "link.now_gbps", &gbps);
	if (claim->key->dimension == DIMENSION_IOPS)
		rate *= (double)claim->conditions.block_bytes;
	else if (claim->key->dimension != DIMENSION_BYTES_PER_SECOND)
		return NULL;
	if (claim->conditions.link_gbps > gbps && gbps > 0)
		return keep(verifying, "takes a link of %g Gbit/s, not %g",
			claim->conditions.link_gbps, gbps);
	if (claim->conditions.ports > ports)
		return keep(
			verifying, "takes %.0f ports, not %.0f", claim->conditions.ports, ports);
	if (gbps > 0 && rate > REACHABLE * link_payload(gbps) * ports)
		return keep(verifying, "%.0f MB/s cannot be reached over %.0f x %g Gbit/s",
			rate / 1e6, ports, gbps);
	return NULL;
}

static enum holding test_measured(struct verifying *verifying, const struct claim *claim)
{
	const struct measurement *best = best_of(verifying, claim);
	enum holding holding = best ? holds(claim, best->value, TOLERANCE) : HOLDS_NOT;

	/* What is printed as typical is no limit. */
	return holding == HOLDS_NOT && claim->kind == CLAIM_TYPICAL ? HOLDS_NEARLY : holding;
}

static const char *unstated(const struct claim *claim)
{
	const struct conditions *at = &claim->conditions;

	if (claim->key->dimension == DIMENSION_MILLIWATTS)
		return NULL;
	if (at->queue_depth <= 0)
		return "the claim states no queue depth, so the best one counts";
	return at->state ? NULL : "the claim states no state of the drive";
}

void verify_measured(struct verifying *verifying, const struct claim_group *group)
{
	const struct claim *claim = group->claims[0];
	const struct measurement *best = best_of(verifying, claim);
	struct opinion opinion = opinion_of(verifying, group);
	char text[64];

	opinion.state = VERDICT_NOT_TESTED;
	if (!best) {
		conclude(verifying, &opinion, "has to be measured%s%s", opinion.test ? ": " : "",
			opinion.test ? opinion.test : "");
		return;
	}
	const char *hindrance = out_of_reach(verifying, claim, best);
	bool held = test_measured(verifying, claim) == HOLDS;
	opinion.found = quantity_human(best->value, claim->key->dimension, text, sizeof(text));
	opinion.evidence = best->where;
	if (hindrance && !held) {
		conclude(verifying, &opinion, "not here: %s", hindrance);
		return;
	}
	if (!held && (claim->kind == CLAIM_FAMILY_MAXIMUM || claim->kind == CLAIM_NOMINAL)) {
		conclude(verifying, &opinion, "the claim is of the family, not of this capacity");
		return;
	}
	const struct measurement *other = dispute(verifying, group, best);
	if (other) {
		conclude_dispute(verifying, &opinion, best, other);
		return;
	}
	opinion.note = unstated(claim);
	judge_group(verifying, group, &opinion, test_measured);
}

void verify_unclaimed(struct verifying *verifying)
{
	const struct measurements *all = verifying->subject->measurements;
	char text[64];

	for (size_t i = 0; all && i < all->count; i++) {
		const struct measurement *one = &all->measurements[i];
		struct opinion opinion = { .id = one->key->name,
			.label = one->key->label,
			.state = VERDICT_NO_CLAIM,
			.evidence = one->where };

		if (one->key->proof != PROOF_MEASURED)
			continue;
		if (verifying->sheet &&
			spec_claim(verifying->sheet, verifying->model, one->key->name))
			continue;
		if (verify_recovery(verifying, one))
			continue;
		opinion.found = quantity_human(one->value, one->key->dimension, text, sizeof(text));
		conclude(verifying, &opinion, "measured, but the datasheet claims nothing");
	}
}
