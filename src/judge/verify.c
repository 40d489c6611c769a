/* Goes through the claims of a sheet and the questions beside them. */
#include "judge/verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void verification_init(struct verification *verification)
{
	*verification = (struct verification) { .arena = arena_new() };
}

void verification_deinit(struct verification *verification)
{
	free(verification->verdicts);
	arena_free(verification->arena);
	*verification = (struct verification) { 0 };
}

static const char *copy(struct verifying *verifying, const char *text)
{
	return text ? arena_text(verifying->verification->arena, text) : NULL;
}

const char *keep(struct verifying *verifying, const char *format, ...)
{
	char text[VERIFY_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return copy(verifying, text);
}

void conclude(struct verifying *verifying, const struct opinion *opinion, const char *reason, ...)
{
	struct verification *verification = verifying->verification;
	char text[2 * VERIFY_TEXT];
	va_list args;

	va_start(args, reason);
	vsnprintf(text, sizeof(text), reason, args);
	va_end(args);
	if (opinion->note)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "; %s", opinion->note);
	const char **keys = arena_alloc(verification->arena, sizeof(*keys));
	keys[0] = copy(verifying, opinion->key);
	verification->verdicts = array_grow(
		verification->verdicts, verification->count, sizeof(*verification->verdicts));
	verification->verdicts[verification->count++] = (struct verdict) {
		.id = copy(verifying, opinion->id),
		.state = opinion->state,
		.reason = copy(verifying, text),
		.keys = keys,
		.key_count = opinion->key ? 1 : 0,
		.label = copy(verifying, opinion->label),
		.expected = copy(verifying, opinion->expected),
		.found = copy(verifying, opinion->found),
		.evidence = copy(verifying, opinion->evidence),
		.test = copy(verifying, opinion->test),
	};
}

const char *evidence_of(struct verifying *verifying, const char *key)
{
	const struct fact *fact = facts_find(verifying->facts, key);
	char text[VERIFY_TEXT];

	return fact ? copy(verifying, source_human(&fact->source, text, sizeof(text))) : "";
}

struct opinion opinion_of(struct verifying *verifying, const struct claim_group *group)
{
	char expected[VERIFY_TEXT] = "", claim[VERIFY_TEXT], source[VERIFY_TEXT];
	size_t used = 0;

	for (size_t i = 0; i < group->count && used < sizeof(expected); i++)
		used += (size_t)snprintf(expected + used, sizeof(expected) - used, "%s%s (%s)",
			i ? "; or " : "", claim_human(group->claims[i], claim, sizeof(claim)),
			claim_source_human(group->claims[i], source, sizeof(source)));
	return (struct opinion) { .id = group->id,
		.label = group->claims[0]->key->label,
		.expected = copy(verifying, expected),
		.test = group->claims[0]->key->test };
}

bool group_is_recalled(const struct claim_group *group)
{
	for (size_t i = 0; i < group->count; i++)
		if (!group->claims[i]->source || !group->claims[i]->source->recalled)
			return false;
	return true;
}

static bool in_list(const struct quantity *quantity, double found)
{
	for (size_t i = 0; i < quantity->list_count; i++)
		if (quantity->list[i].value == found)
			return true;
	return quantity->list_count == 0 && quantity->low.value == found;
}

static enum holding grade(double short_by, double tolerance)
{
	if (short_by <= 0)
		return HOLDS;
	return short_by <= tolerance ? HOLDS_NEARLY : HOLDS_NOT;
}

enum holding holds(const struct claim *claim, double found, double tolerance)
{
	const struct quantity *quantity = &claim->quantity;
	double low = quantity->low.value, high = quantity->high.value;
	double scale = low == 0 ? 1 : fabs(low);

	switch (quantity->op) {
	case OPERATOR_UNLIMITED:
		return HOLDS;
	case OPERATOR_AT_LEAST:
		return grade((low - found) / scale, tolerance);
	case OPERATOR_AT_MOST:
		return grade((found - low) / scale, tolerance);
	case OPERATOR_ABOUT:
		return fabs(found - low) / scale <= 0.1 ? HOLDS : HOLDS_NEARLY;
	case OPERATOR_RANGE:
		return grade(fmax(low - found, found - high) / scale, tolerance);
	case OPERATOR_ONE_OF:
		return in_list(quantity, found) ? HOLDS : HOLDS_NOT;
	case OPERATOR_NONE:
	case OPERATOR_EQUAL:
		break;
	}
	return found == low ? HOLDS : grade(fabs(found - low) / scale, tolerance);
}

static enum verdict_state state_of(size_t held, size_t nearly, size_t count, bool recalled)
{
	if (held == count)
		return VERDICT_PASS;
	if (held > 0)
		return VERDICT_CONFLICT;
	if (nearly > 0 || recalled)
		return VERDICT_MARGINAL;
	return VERDICT_FAIL;
}

void judge_group(struct verifying *verifying, const struct claim_group *group,
	struct opinion *opinion,
	enum holding (*test)(struct verifying *verifying, const struct claim *claim))
{
	static const char *const words[] = {
		[VERDICT_PASS] = "as claimed",
		[VERDICT_CONFLICT] = "the sources disagree, and it holds only one of them",
		[VERDICT_MARGINAL] = "within the tolerance of the claim, or nearly",
		[VERDICT_FAIL] = "not as claimed",
	};
	size_t held = 0, nearly = 0;
	bool recalled = group_is_recalled(group);

	for (size_t i = 0; i < group->count; i++) {
		enum holding holding = test(verifying, group->claims[i]);

		held += holding == HOLDS;
		nearly += holding == HOLDS_NEARLY;
	}
	opinion->state = state_of(held, nearly, group->count, recalled);
	if (opinion->state == VERDICT_MARGINAL && nearly == 0)
		conclude(verifying, opinion,
			"not as claimed, but the claim is recalled, not re-read: never a failure");
	else
		conclude(verifying, opinion, "%s", words[opinion->state]);
}

double known_number(const struct verifying *verifying, const char *key)
{
	double value = NAN;

	facts_number(verifying->facts, key, &value);
	return value;
}

void compare_number(struct verifying *verifying, const struct claim_group *group, const char *key,
	enum holding (*test)(struct verifying *verifying, const struct claim *claim),
	const char *note)
{
	struct opinion opinion = opinion_of(verifying, group);
	double found = known_number(verifying, key);
	char text[64];

	if (isnan(found)) {
		not_tested(verifying, group, "the drive does not say");
		return;
	}
	opinion.key = key;
	opinion.found = quantity_human(found, group->claims[0]->key->dimension, text, sizeof(text));
	opinion.evidence = evidence_of(verifying, key);
	opinion.note = note;
	judge_group(verifying, group, &opinion, test);
}

void not_tested(struct verifying *verifying, const struct claim_group *group, const char *reason)
{
	struct opinion opinion = opinion_of(verifying, group);

	opinion.state = VERDICT_NOT_TESTED;
	conclude(verifying, &opinion, "%s%s%s", reason, opinion.test ? ": " : "",
		opinion.test ? opinion.test : "");
}

static void not_verifiable(struct verifying *verifying, const struct claim_group *group)
{
	struct opinion opinion = opinion_of(verifying, group);

	opinion.state = VERDICT_NOT_VERIFIABLE;
	conclude(verifying, &opinion, "no software can tell this from the host");
}

static void verify_group(struct verifying *verifying, const struct claim_group *group)
{
	switch (group->claims[0]->key->proof) {
	case PROOF_STATIC:
		if (!verify_static(verifying, group))
			not_tested(verifying, group, "the drive does not say");
		break;
	case PROOF_MEASURED:
		if (!verify_static(verifying, group))
			verify_measured(verifying, group);
		break;
	case PROOF_ACTIVE:
		if (!verify_static(verifying, group))
			not_tested(verifying, group, "takes an active test");
		break;
	case PROOF_NONE:
		if (!verify_static(verifying, group))
			not_verifiable(verifying, group);
		break;
	}
}

static bool same_conditions(const struct claim *first, const struct claim *second)
{
	return first->kind == second->kind &&
		conditions_same(&first->conditions, &second->conditions);
}

static const struct claim *next_promise(struct verifying *verifying, size_t *index)
{
	const struct claim *claim;

	while ((claim = spec_claim_next(verifying->sheet, verifying->model, index)))
		if (claim_is_promise(claim))
			return claim;
	return NULL;
}

/* Gathers the claims like this one; false where it stood in an earlier group.
 * ordinal: of the key's groups. */
static bool gather(struct verifying *verifying, const struct claim *first,
	struct claim_group *group, size_t *ordinal)
{
	const struct claim *claim;
	bool met = false;

	*group = (struct claim_group) { 0 };
	*ordinal = 1;
	for (size_t i = 0; (claim = next_promise(verifying, &i));) {
		met |= claim == first;
		if (claim->key != first->key)
			continue;
		if (!same_conditions(claim, first)) {
			*ordinal += !met;
			continue;
		}
		if (!met)
			return false;
		if (group->count < GROUP_CLAIMS)
			group->claims[group->count++] = claim;
	}
	return true;
}

static void verify_claims(struct verifying *verifying)
{
	const struct claim *claim;
	struct claim_group group;
	size_t ordinal;

	for (size_t i = 0; (claim = next_promise(verifying, &i));) {
		if (!gather(verifying, claim, &group, &ordinal))
			continue;
		if (ordinal > 1)
			snprintf(group.id, sizeof(group.id), "%s/%zu", claim->key->name, ordinal);
		else
			snprintf(group.id, sizeof(group.id), "%s", claim->key->name);
		verify_group(verifying, &group);
	}
}

static int rank_of(const struct verdict *verdict)
{
	static const int ranks[] = {
		[VERDICT_FAIL] = 0,
		[VERDICT_MARGINAL] = 1,
		[VERDICT_CONFLICT] = 2,
		[VERDICT_PASS] = 3,
		[VERDICT_NO_CLAIM] = 4,
		[VERDICT_NOT_TESTED] = 5,
		[VERDICT_NOT_VERIFIABLE] = 6,
	};

	return ranks[verdict->state];
}

/* Stable: within a state the order of the sheet stays. */
void verdicts_order(struct verification *verification)
{
	for (size_t i = 1; i < verification->count; i++) {
		struct verdict verdict = verification->verdicts[i];
		size_t at = i;

		for (; at > 0 && rank_of(&verification->verdicts[at - 1]) > rank_of(&verdict); at--)
			verification->verdicts[at] = verification->verdicts[at - 1];
		verification->verdicts[at] = verdict;
	}
}

void verify(const struct verify_subject *subject, const struct verify_options *options,
	struct verification *verification)
{
	struct verifying verifying = {
		.subject = subject,
		.options = options,
		.verification = verification,
		.sheet = subject->match ? subject->match->sheet : NULL,
		.model = subject->match ? subject->match->model : NULL,
		.facts = subject->facts,
	};

	note_contradictions(&verifying);
	verify_capacity(&verifying);
	if (verifying.sheet) {
		verify_claims(&verifying);
		verify_part_number(&verifying);
	}
	verify_unclaimed(&verifying);
	verify_genuine(&verifying);
	verify_new(&verifying);
	verdicts_order(verification);
}

int verification_status(const struct verification *verification)
{
	bool marginal = false, passed = false;

	for (size_t i = 0; i < verification->count; i++) {
		enum verdict_state state = verification->verdicts[i].state;

		if (state == VERDICT_FAIL)
			return EXIT_FAILING;
		marginal |= state == VERDICT_MARGINAL || state == VERDICT_CONFLICT;
		passed |= state == VERDICT_PASS;
	}
	if (marginal)
		return EXIT_WARNING;
	return passed ? EXIT_GOOD : EXIT_UNKNOWN;
}
