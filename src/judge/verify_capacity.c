/* How large it is, against the sheet, the rules and the part number. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "judge/verify.h"

/* Genuine drives stray by less from what a formula gives. */
static const double FORMULA_TOLERANCE = 0.001, NOMINAL_TOLERANCE = 0.005;

static bool is_size(const struct spec_model *model, uint64_t bytes)
{
	for (size_t i = 0; i < model->size_count; i++)
		if (model->sizes[i] == bytes)
			return true;
	return false;
}

/* The GB of which a rule gives exactly this size; 0: of none. */
static unsigned nominal_of(uint64_t bytes)
{
	double guess = ((double)bytes / 512 - 97696368) / 1953504 + 50;
	unsigned gigabytes = guess > 0 && guess < 1e6 ? (unsigned)lround(guess) : 0;
	unsigned terabytes = (unsigned)(bytes / 1000000000000);

	if (capacity_rule(bytes, gigabytes))
		return gigabytes;
	return capacity_rule(bytes, terabytes * 1000.0) ? terabytes * 1000 : 0;
}

static void by_rule(struct verifying *verifying, struct opinion *opinion, uint64_t bytes)
{
	unsigned gigabytes = nominal_of(bytes);

	opinion->state = gigabytes ? VERDICT_PASS : VERDICT_NOT_TESTED;
	opinion->expected = gigabytes ? keep(verifying, "%u GB", gigabytes) : NULL;
	if (gigabytes)
		conclude(verifying, opinion, "exactly what %s gives for %u GB",
			capacity_rule(bytes, gigabytes), gigabytes);
	else
		conclude(verifying, opinion, "no rule gives this size, and no datasheet tells it");
}

static void clipped(struct verifying *verifying, struct opinion *opinion, uint64_t bytes)
{
	uint64_t native = 0, block = 512;

	facts_uint(verifying->facts, "capacity.native_block_count", &native);
	facts_uint(verifying->facts, "capacity.logical_block_bytes", &block);
	opinion->state = VERDICT_FAIL;
	opinion->key = "capacity.clipped";
	if (native * block > bytes)
		conclude(verifying, opinion,
			"%llu bytes are hidden: a host protected area, or a clipped capacity",
			(unsigned long long)(native * block - bytes));
	else
		conclude(verifying, opinion, "capacity is hidden: clipped by a setting");
}

static const char *expected_size(struct verifying *verifying, const struct spec_model *model)
{
	return keep(verifying, "%s, %llu bytes (%s)",
		model->capacity_printed ? model->capacity_printed : "exactly",
		(unsigned long long)model->sizes[0],
		model->sizes_seen ? "seen on real drives, or printed"
				  : capacity_rule(model->sizes[0], model->capacity.value / 1e9));
}

static void by_model(struct verifying *verifying, struct opinion *opinion,
	const struct spec_model *model, uint64_t bytes)
{
	double part = ((double)bytes - (double)model->sizes[0]) / (double)model->sizes[0];
	long long sectors = ((long long)bytes - (long long)model->sizes[0]) / 512;
	bool is_close = fabs(part) <= FORMULA_TOLERANCE;

	opinion->expected = expected_size(verifying, model);
	if (is_size(model, bytes)) {
		opinion->state = VERDICT_PASS;
		conclude(verifying, opinion, "exactly so");
		return;
	}
	opinion->state = VERDICT_FAIL;
	if (part > 0 ? is_close : (is_close && !model->sizes_seen))
		opinion->state = VERDICT_MARGINAL;
	conclude(verifying, opinion, "%lld sectors of 512 bytes too %s (%.2f %%)%s",
		sectors < 0 ? -sectors : sectors, sectors < 0 ? "few" : "many", part * 100,
		is_close ? "" : ": relabelled, or over-provisioned");
}

/* Several models are named so, and none has this size. */
static void by_family(struct verifying *verifying, struct opinion *opinion)
{
	opinion->state = VERDICT_NOT_TESTED;
	conclude(verifying, opinion, "several models of %s are named so, none of this size",
		verifying->sheet->family);
}

void verify_capacity(struct verifying *verifying)
{
	struct opinion opinion = { .id = "capacity.bytes",
		.label = "Capacity",
		.key = "capacity.bytes",
		.state = VERDICT_NOT_TESTED };
	const struct spec_model *model = verifying->model;
	uint64_t bytes, block = 512;
	bool is_clipped = false;

	if (!facts_uint(verifying->facts, "capacity.bytes", &bytes)) {
		conclude(verifying, &opinion, "the drive does not say");
		return;
	}
	facts_uint(verifying->facts, "capacity.logical_block_bytes", &block);
	facts_flag(verifying->facts, "capacity.clipped", &is_clipped);
	opinion.found = keep(verifying, "%llu bytes", (unsigned long long)bytes);
	opinion.evidence = evidence_of(verifying, "capacity.bytes");
	if (model && model->size_count)
		opinion.expected = expected_size(verifying, model);
	if (block != 512 && block != 4096)
		conclude(verifying, &opinion, "formatted with blocks of %llu bytes: no rule",
			(unsigned long long)block);
	else if (is_clipped && !(model && is_size(model, bytes)))
		clipped(verifying, &opinion, bytes);
	else if (model && model->size_count)
		by_model(verifying, &opinion, model, bytes);
	else if (verifying->sheet && !model)
		by_family(verifying, &opinion);
	else
		by_rule(verifying, &opinion, bytes);
}

static void part_capacity(struct verifying *verifying, const struct part_digits *digits)
{
	double decoded = digits->claim->quantity.low.value, found = 0;
	const struct spec_model *model = verifying->model;
	struct opinion opinion = { .id = "part_number.capacity.bytes",
		.label = "Capacity by part number",
		.key = "identity.model",
		.found = facts_text(verifying->facts, "identity.model"),
		.evidence = evidence_of(verifying, "identity.model") };
	char text[64];

	opinion.expected = keep(verifying, "%s (%s)", digits->meaning,
		digits->claim->source ? digits->claim->source->title : "part number");
	if (model && model->capacity.value > 0)
		found = model->capacity.value;
	else
		facts_number(verifying->facts, "capacity.bytes", &found);
	if (found == 0)
		return;
	opinion.state = fabs(found / decoded - 1) <= NOMINAL_TOLERANCE ? VERDICT_PASS
								       : VERDICT_FAIL;
	quantity_human(found, DIMENSION_BYTES, text, sizeof(text));
	if (opinion.state == VERDICT_PASS)
		conclude(verifying, &opinion, "its digits say the same");
	else
		conclude(verifying, &opinion, "its digits say %s, but it is a drive of %s",
			digits->meaning, text);
}

static void part_digits(void *context, const struct part_digits *digits)
{
	struct verifying *verifying = context;
	struct claim_group group = { .count = 1 };

	if (!digits->claim)
		return;
	const char *key = digits->claim->key->name;
	if (!strcmp(key, "capacity.bytes")) {
		part_capacity(verifying, digits);
		return;
	}
	if (strcmp(key, "security.encryption") != 0 &&
		spec_claim(verifying->sheet, verifying->model, key))
		return;
	group.claims[0] = digits->claim;
	snprintf(group.id, sizeof(group.id), "part_number.%s", key);
	verify_static(verifying, &group);
}

void verify_part_number(struct verifying *verifying)
{
	spec_decode(verifying->subject->library, facts_text(verifying->facts, "identity.model"),
		part_digits, verifying);
}
