/* What the drive itself counted while it was measured. */
#include "assay/decoder.h"
#include "assay/measure.h"

static const struct {
	const char *key, *change;
} counters[] = {
	{ "endurance.host_written_bytes", "bench.host_written_bytes" },
	{ "endurance.nand_written_bytes", "bench.nand_written_bytes" },
	{ "endurance.used_percent", "bench.used_change_percent" },
	{ "errors.uncorrected_count", "bench.uncorrected_change_count" },
	{ "errors.reallocated_count", "bench.reallocated_change_count" },
	{ "errors.crc_count", "bench.crc_change_count" },
};

static void add_change(struct facts *facts, const char *name, double change)
{
	const struct key *key = decoder_key(name);
	struct value value = key->unit == UNIT_BYTES || key->unit == UNIT_COUNT
		? value_uint((uint64_t)change)
		: value_real(change);

	facts_add(facts, key, value, FACT_KNOWN,
		source_derived("the drive's own counter, after less before"), 0);
}

void measure_counters(const struct facts *before, const struct facts *after, struct facts *facts)
{
	double changes[ARRAY_LEN(counters)] = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(counters); i++) {
		double first, last;

		if (!facts_number(before, counters[i].key, &first) ||
			!facts_number(after, counters[i].key, &last) || last < first)
			continue;
		changes[i] = last - first;
		add_change(facts, counters[i].change, changes[i]);
	}
	if (changes[0] > 0 && changes[1] > 0)
		facts_add(facts, decoder_key("bench.write_amplification_ratio"),
			value_real(changes[1] / changes[0]), FACT_KNOWN,
			source_derived("written to flash / written by the host, of this run"), 0);
}
