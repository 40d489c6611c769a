#include "attribute_facts.h"

#include <stdlib.h>

enum { RANK_ATTRIBUTE = 2, RANK_SECOND = 3 };
enum { LAG = 2 }; /* one of two counts may be written a little later */

struct source attribute_source(const struct known_attribute *known)
{
	struct source source = known->source;

	source.text = known->known_by;
	return source;
}

static struct fact *add(struct facts *facts, const char *name, struct value value,
	enum fact_state state, const struct known_attribute *known, uint8_t rank)
{
	const struct key *key = decoder_key(name);

	return key ? facts_add(facts, key, value, state, attribute_source(known), rank) : NULL;
}

static const struct {
	const char *key;
	enum meaning meaning;
	uint8_t rank;
} counts[] = {
	{ "usage.power_cycle_count", MEANING_POWER_CYCLES, RANK_ATTRIBUTE },
	{ "usage.start_stop_count", MEANING_START_STOPS, RANK_ATTRIBUTE },
	{ "usage.load_cycle_count", MEANING_LOAD_CYCLES, RANK_ATTRIBUTE },
	{ "temperature.throttle_count", MEANING_THROTTLES, RANK_ATTRIBUTE },
	{ "errors.reallocated_count", MEANING_REALLOCATED, RANK_ATTRIBUTE },
	{ "errors.pending_count", MEANING_PENDING, RANK_ATTRIBUTE },
	{ "errors.uncorrected_count", MEANING_UNCORRECTED, RANK_ATTRIBUTE },
	{ "errors.uncorrected_count", MEANING_OFFLINE_UNCORRECTED, RANK_SECOND },
	{ "errors.crc_count", MEANING_CRC, RANK_ATTRIBUTE },
	{ "power_loss.unsafe_shutdown_count", MEANING_UNSAFE_SHUTDOWNS, RANK_ATTRIBUTE },
};

/* A statistic of the same meaning counts after the attribute where it is not within these. */
static void doubt_statistic(
	const char *key, uint64_t least, uint64_t most, const char *why, struct facts *facts)
{
	for (size_t i = 0; i < facts->fact_count; i++) {
		struct fact *fact = &facts->facts[i];

		if (fact->key != decoder_key(key) || fact->value.kind != VALUE_UINT ||
			fact->source.page.kind != PAGE_ATA_LOG ||
			(fact->value.uint >= least && fact->value.uint <= most))
			continue;
		fact->rank = RANK_SECOND;
		fact->note = why;
	}
}

static void add_count(
	const struct known_attribute *known, const char *key, uint8_t rank, struct facts *facts)
{
	uint64_t raw = attribute_number(known), count;
	bool good;

	if (known->known.encoding == ENCODING_ABOVE_BYTE)
		good = raw_count(raw >> 8, RAW_48, &count);
	else
		good = raw_count(raw, known->known.format, &count);
	add(facts, key, value_uint(good ? count : 0), good ? FACT_KNOWN : FACT_UNKNOWN, known,
		rank);
	/* The statistic of some drives counts something else: of CloudSpeed's second generation
	 * it is 52, 65, 78 or 652, mostly, where the attribute is 0. */
	if (good && known->known.meaning == MEANING_UNCORRECTED)
		doubt_statistic(key, count > LAG ? count - LAG : 0, count + LAG,
			"the attribute counts otherwise: what this counts is not known", facts);
}

/* VALUE of Toshiba's disks falls by one each 400 hours, which tells whether the
 * raw value counts hours or minutes: it is not the same in all firmware. */
static bool toshiba_hours(const struct attribute *attribute, uint64_t *hours)
{
	enum { HOURS_A_POINT = 400, FLOOR = 1 };
	static const enum raw_format units[] = { RAW_48, RAW_MINUTES };

	for (size_t i = 0; i < ARRAY_LEN(units) && attribute->value > FLOOR; i++) {
		if (!raw_hours(attribute->raw, units[i], hours))
			continue;
		int64_t points = 100 - (int64_t)(*hours / HOURS_A_POINT);

		if (llabs(points - attribute->value) <= 1)
			return true;
	}
	return false;
}

static void add_hours(const struct known_attribute *known, struct facts *facts)
{
	uint64_t hours;
	bool good = known->known.encoding == ENCODING_TOSHIBA
		? toshiba_hours(&known->attribute, &hours)
		: raw_hours(attribute_number(known), known->known.format, &hours);
	struct fact *fact = add(facts, "usage.power_on_hours", value_uint(good ? hours : 0),
		good ? FACT_KNOWN : FACT_UNKNOWN, known, RANK_ATTRIBUTE);

	if (fact && !good)
		fact->note = "the raw value is no plausible number of hours";
	else if (fact && hours > 1)
		doubt_statistic("usage.power_on_hours", 1, UINT64_MAX,
			"zero, where the attribute counts", facts);
}

static bool read_temperatures(const struct known_attribute *known, struct raw_temperatures *t)
{
	enum { TENTHS = 10, WORD = 0xffff };
	uint64_t raw = known->attribute.raw;

	if (known->known.format == RAW_TENTHS)
		return raw_temperatures((raw & WORD) / TENTHS, t);
	return (known->known.format == RAW_TEMPERATURES || raw <= INT8_MAX) &&
		raw_temperatures(raw, t);
}

static void add_temperatures(const struct known_attribute *known, struct facts *facts)
{
	bool first = known->known.meaning == MEANING_TEMPERATURE;
	struct raw_temperatures t;
	bool good = read_temperatures(known, &t);

	add(facts, "temperature.current_celsius", value_int(good ? t.current_celsius : 0),
		good ? FACT_KNOWN : FACT_UNKNOWN, known, first ? RANK_ATTRIBUTE : RANK_SECOND);
	/* Three equal ones are of a drive without a sensor. */
	if (!good || !first || !t.range || t.lowest_celsius == t.highest_celsius)
		return;
	add(facts, "temperature.lowest_celsius", value_int(t.lowest_celsius), FACT_KNOWN, known,
		RANK_ATTRIBUTE);
	add(facts, "temperature.highest_celsius", value_int(t.highest_celsius), FACT_KNOWN, known,
		RANK_ATTRIBUTE);
}

static void add_capacitor(const struct known_attribute *known, struct facts *facts)
{
	const struct attribute *attribute = &known->attribute;
	const char *result = NULL;

	if (known->known.encoding == ENCODING_RAW_0_GOOD)
		result = attribute->raw == 0 ? "passed" : NULL;
	else if (attribute->value <= 1 || attribute->value <= attribute->threshold)
		result = "failed";
	else if (attribute->value == 100)
		result = "passed";
	add(facts, "power_loss.capacitor_test", value_text(result ? result : ""),
		result ? FACT_KNOWN : FACT_UNKNOWN, known, RANK_ATTRIBUTE);
}

void attribute_facts_add(const struct attribute_set *set, struct facts *facts)
{
	const struct known_attribute *known;

	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		known = attribute_of_meaning(set, counts[i].meaning, NULL);
		if (known)
			add_count(known, counts[i].key, counts[i].rank, facts);
	}
	known = attribute_of_meaning(set, MEANING_HOURS, NULL);
	if (known)
		add_hours(known, facts);
	known = attribute_of_meaning(set, MEANING_TEMPERATURE, NULL);
	if (known)
		add_temperatures(known, facts);
	known = attribute_of_meaning(set, MEANING_CASE_TEMPERATURE, NULL);
	if (known)
		add_temperatures(known, facts);
	known = attribute_of_meaning(set, MEANING_CAPACITOR, NULL);
	if (known)
		add_capacitor(known, facts);
}
