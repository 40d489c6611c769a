/* What a datasheet rates a drive for, as facts. */
#include <math.h>
#include <string.h>

#include "assay/decoder.h"
#include "judge/verify.h"

void add_rated(struct facts *facts, const char *name, struct value value, const struct claim *claim,
	const char *formula)
{
	const struct key *key = decoder_key(name);
	struct source source = source_derived(formula);
	char text[VERIFY_TEXT];

	if (!key)
		return;
	if (claim) {
		source.origin = ORIGIN_KNOWLEDGE;
		source.text = facts_printf(
			facts, "datasheet: %s", claim_source_human(claim, text, sizeof(text)));
	}
	facts_add(facts, key, value, FACT_KNOWN, source, 0);
}

bool written_so_far(const struct facts *facts, double *written, double *days)
{
	double hours;

	if (!facts_number(facts, "endurance.host_written_bytes", written) ||
		!facts_number(facts, "usage.power_on_hours", &hours))
		return false;
	*days = hours / 24;
	return hours > 0;
}

void add_rated_writes(struct facts *facts, const struct claim *claim)
{
	const struct number *rated = &claim->quantity.low;
	double written, days;

	if (!isfinite(rated->value))
		return;
	add_rated(facts, "endurance.rated_written_bytes",
		rated->is_exact ? value_uint(rated->exact) : value_real(rated->value), claim, NULL);
	if (!written_so_far(facts, &written, &days))
		return;
	add_rated(facts, "endurance.rated_used_percent", value_real(written / rated->value * 100),
		NULL, "written by the host / rated for writes of");
	if (written > 0 && rated->value > written)
		add_rated(facts, "endurance.days_left",
			value_uint((uint64_t)((rated->value - written) / (written / days))), NULL,
			"(rated - written) / (written / days powered on)");
}

bool claim_is_of_other_capacity(const struct claim *claim)
{
	return claim->kind == CLAIM_FAMILY_MAXIMUM || claim->kind == CLAIM_NOMINAL;
}

/* What was re-read in its source, and is a promise for this very drive. */
static bool can_alarm(const struct claim *claim)
{
	return claim_is_promise(claim) && !(claim->source && claim->source->recalled) &&
		!claim_is_of_other_capacity(claim);
}

static double most_of(const struct claim *claim)
{
	return claim->quantity.op == OPERATOR_RANGE ? claim->quantity.high.value
						    : claim->quantity.low.value;
}

/* Of several claims of a key the one that promises most: an alarm must be sure. */
static const struct claim *most_lenient(const struct spec_match *match, const char *key)
{
	const struct claim *best = NULL, *claim;
	size_t index = 0;

	while ((claim = spec_claim_next(match->sheet, match->model, &index)))
		if (!strcmp(claim->key->name, key) && can_alarm(claim) &&
			isfinite(most_of(claim)) && (!best || most_of(claim) > most_of(best)))
			best = claim;
	return best;
}

void rate(struct facts *facts, const struct spec_match *match)
{
	const struct claim *writes = most_lenient(match, "endurance.rated_written_bytes");
	const struct claim *heat = most_lenient(match, "temperature.operating_celsius");

	if (writes && writes->quantity.op != OPERATOR_UNLIMITED && most_of(writes) > 0)
		add_rated_writes(facts, writes);
	/* The air may be cooler than the drive by any amount. */
	if (heat && heat->quantity.op == OPERATOR_RANGE &&
		!(heat->conditions.reference && !strcmp(heat->conditions.reference, "ambient")))
		add_rated(facts, "temperature.rated_limit_celsius", value_real(most_of(heat)), heat,
			NULL);
}
