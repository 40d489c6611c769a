/* Wear and spare blocks of an ATA drive. ACS-4 9.5.10; attributes by family. */
#include "endurance.h"

#include "attribute_facts.h"

/* VALUE and the raw value of "life left": which of them it is, they must tell. By
 * convention VALUE falls from 100; a raw value that adds up to 100 with it is
 * what is used, and a raw value beside a VALUE that stays at 100 is it. */
static bool named_left(const struct attribute *attribute, unsigned *left)
{
	enum { ALL = 100 };
	unsigned value = attribute->value;

	if (value > ALL)
		return false;
	if (attribute->raw > ALL || attribute->raw == value || attribute->raw == 0 ||
		attribute->raw + value == ALL) {
		*left = value;
		return !(value == ALL && attribute->raw == 0);
	}
	*left = (unsigned)attribute->raw;
	return value == ALL && *left >= ALL / 2;
}

static bool named_used(const struct attribute *attribute, unsigned *used)
{
	enum { ALL = 100, MOST = 254 };
	unsigned value = attribute->value;

	*used = (unsigned)attribute->raw;
	return attribute->raw <= MOST &&
		(value == ALL || attribute->raw + value == ALL || attribute->raw == value ||
			(value <= 1 && attribute->raw >= ALL - 1));
}

/* The used percentage: false where it cannot be told. */
static bool used_percent(const struct known_attribute *known, unsigned *used)
{
	const struct attribute *attribute = &known->attribute;
	uint64_t raw = attribute->raw;
	unsigned left = attribute->value;

	switch (known->known.encoding) {
	case ENCODING_RAW:
		*used = (unsigned)raw;
		return raw < 255;
	case ENCODING_VALUE_LEFT_OF_200:
		*used = 200 - left;
		return left <= 200;
	case ENCODING_RAW_LEFT:
		*used = 100 - (unsigned)raw;
		return raw >= 1 && raw <= 100;
	case ENCODING_RAW_LEFT_100TH:
		*used = (unsigned)(10000 - raw + 50) / 100;
		return raw <= 10000;
	case ENCODING_RAW_USED_256TH:
		*used = (unsigned)(raw & 0xffff) / 256;
		return true;
	case ENCODING_NAMED_USED:
		return named_used(attribute, used);
	case ENCODING_NAMED_LEFT:
		if (!named_left(attribute, &left))
			return false;
		break;
	default:
		break;
	}
	*used = 100 - left;
	return left <= 100;
}

static struct source used_source(const struct known_attribute *known)
{
	struct source source = attribute_source(known);
	bool raw = known->known.encoding == ENCODING_RAW ||
		known->known.encoding == ENCODING_RAW_LEFT ||
		known->known.encoding == ENCODING_RAW_LEFT_100TH ||
		known->known.encoding == ENCODING_RAW_USED_256TH;

	if (!raw) { /* VALUE and WORST stand before the raw bytes */
		enum { VALUE_AT = 3, VALUE_TO_RAW = 2, VALUE_AND_RAW = 8 };

		source.offset -= VALUE_TO_RAW;
		source.raw = bytes_cut(known->attribute.bytes, VALUE_AT, VALUE_AND_RAW);
	}
	return source;
}

/* The best attribute that tells: NULL where none does. */
static const struct known_attribute *used_attribute(const struct attribute_set *set, unsigned *used)
{
	const struct known_attribute *known = NULL;

	while ((known = attribute_of_meaning(set, MEANING_USED, known)))
		if (used_percent(known, used))
			return known;
	return NULL;
}

static void add_statistic(const struct capture *capture, bool attribute_counts, struct facts *facts)
{
	enum { LOG_STATISTICS = 4, SOLID_STATE = 7, USED_AT = 8, NOT_VALID = 255 };
	struct page page = page_ata_log(capture, LOG_STATISTICS, SOLID_STATE);
	struct statistic statistic;

	if (!statistic_get(&page, USED_AT, &statistic))
		return;
	uint8_t used = statistic.value & 0xff;
	bool known = statistic.valid && used != NOT_VALID;
	bool rests = known && used == 0 && attribute_counts;
	struct fact *fact = facts_add(facts, decoder_key("endurance.used_percent"),
		value_uint(used), known ? FACT_KNOWN : FACT_UNKNOWN,
		source_page(page.id, statistic.offset, statistic.raw),
		rests ? RANK_DOUBTFUL : RANK_STANDARD);

	if (statistic.valid && !known)
		fact->note = "255: 255 % or more, or not valid";
	else if (rests)
		fact->note = "0, where the attribute counts";
}

/* VALUE ends at 0 or 1, so that 99 and 100 are "or more". */
static void note_contradiction(struct facts *facts)
{
	enum { APART = 5, END = 99 };
	const char *key = "endurance.used_percent";
	const struct fact *best = facts_find(facts, key);

	for (size_t i = 0; best && best->state == FACT_KNOWN && i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];

		if (fact->key != best->key || fact->state != FACT_KNOWN ||
			(fact->value.uint >= END && best->value.uint >= END))
			continue;
		if (fact->value.uint > best->value.uint + APART ||
			best->value.uint > fact->value.uint + APART)
			facts_note(facts, &fact->source, "%s: sources contradict each other", key);
	}
}

static void add_spare(const struct attribute_set *set, struct facts *facts)
{
	const struct known_attribute *known = attribute_of_meaning(set, MEANING_SPARE, NULL);
	bool good = known && known->attribute.value <= 100;

	if (known)
		facts_add(facts, decoder_key("endurance.spare_percent"),
			value_uint(good ? known->attribute.value : 0),
			good ? FACT_KNOWN : FACT_INVALID, used_source(known), RANK_ATTRIBUTES);
}

void wear_decode(
	const struct capture *capture, const struct attribute_set *set, struct facts *facts)
{
	unsigned used = 0;
	const struct known_attribute *known = used_attribute(set, &used);
	const struct known_attribute *any = attribute_of_meaning(set, MEANING_USED, NULL);

	add_statistic(capture, known && used > 0, facts);
	if (known)
		facts_add(facts, decoder_key("endurance.used_percent"), value_uint(used),
			FACT_KNOWN, used_source(known), RANK_ATTRIBUTES);
	else if (any)
		facts_add(facts, decoder_key("endurance.used_percent"), value_null(), FACT_UNKNOWN,
			used_source(any), RANK_ATTRIBUTES);
	note_contradiction(facts);
	add_spare(set, facts);
}
