/*
 * Bytes written and read by an ATA drive.
 *
 * The device statistics count logical sectors (ACS-4 9.5.4). Attributes count in
 * units of the vendor; where a table does not know the unit, the ratio to the
 * statistics does. Firmware from several makers keeps only the low 32 bits of the
 * statistics: then the two agree modulo 2^32.
 */
#include "endurance.h"

#include "attribute_facts.h"

enum { WRITTEN, READ, DIRECTIONS };

static const struct {
	const char *key;
	enum meaning meaning;
	size_t statistic_at;
	uint8_t usual_id; /* under which most drives count it, in whatever unit */
} directions[DIRECTIONS] = {
	[WRITTEN] = { "endurance.host_written_bytes", MEANING_HOST_WRITTEN, 24, 241 },
	[READ] = { "endurance.host_read_bytes", MEANING_HOST_READ, 40, 242 },
};

/* One direction as both sources give it. */
struct amount {
	struct statistic statistic;
	bool offered, valid;                     /* the statistic */
	uint64_t sectors;                        /* of it */
	const struct known_attribute *attribute; /* NULL: none */
	uint64_t raw, unit_bytes;                /* of the attribute; 0: unit not known */
	bool unit_by_ratio;
	bool wrapped; /* the statistic lacks its upper bits */
	bool unsure;  /* it may lack them, as that of the other direction does */
};

static const uint64_t ONES_48 = 0xffffffffffff, LOW_32 = UINT64_C(1) << 32;

static const struct known_attribute *attribute_of_id(const struct attribute_set *set, uint8_t id)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->known[i].attribute.id == id)
			return &set->known[i];
	return NULL;
}

static void read_amount(const struct page *general, const struct attribute_set *set,
	size_t direction, struct amount *amount)
{
	*amount = (struct amount) { 0 };
	amount->offered = statistic_get(
		general, directions[direction].statistic_at, &amount->statistic);
	amount->sectors = amount->statistic.value & ONES_48;
	amount->valid = amount->offered && amount->statistic.valid && amount->sectors != ONES_48;
	amount->attribute = attribute_of_meaning(set, directions[direction].meaning, NULL);
	if (!amount->attribute) {
		amount->attribute = attribute_of_id(set, directions[direction].usual_id);
		if (amount->attribute && amount->attribute->known.meaning != MEANING_NONE)
			amount->attribute = NULL;
	}
	if (amount->attribute) {
		amount->raw = attribute_number(amount->attribute);
		amount->unit_bytes = amount->attribute->known.unit_bytes;
	}
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

/* The distance on a counter of 32 bits. */
static uint64_t distance_32(uint64_t a, uint64_t b)
{
	uint64_t apart = distance(a % LOW_32, b % LOW_32);

	return apart < LOW_32 / 2 ? apart : LOW_32 - apart;
}

/* How far the two may be apart, since they are read one after the other and
 * attributes lag behind. */
struct lag {
	unsigned units;
	uint64_t sectors;
};

/* Whether the statistic is the low 32 bits of what the attribute counts. */
static bool is_wrapped(const struct amount *amount, uint64_t unit_bytes, uint64_t sector_bytes,
	const struct lag *lag)
{
	uint64_t sectors, most = lag->units * (unit_bytes / sector_bytes + 1);

	if (!amount->valid || !amount->attribute || amount->sectors >= LOW_32 ||
		__builtin_mul_overflow(amount->raw, unit_bytes, &sectors))
		return false;
	sectors /= sector_bytes;
	return sectors >= LOW_32 &&
		distance_32(sectors, amount->sectors) <=
		(most > lag->sectors ? most : lag->sectors);
}

/* One drive in a hundred fits one of the units by chance: both directions must. */
static void find_unit(struct amount amounts[DIRECTIONS], uint64_t sector_bytes)
{
	static const uint64_t units[] = { UNIT_SECTOR, UNIT_16_KIB, UNIT_MIB, UNIT_32_MIB,
		UNIT_64_MIB, UNIT_GB, UNIT_GIB };
	static const struct lag lag = { .units = 2, .sectors = 1 << 16 };

	if (amounts[WRITTEN].unit_bytes || amounts[READ].unit_bytes)
		return;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (!is_wrapped(&amounts[WRITTEN], units[i], sector_bytes, &lag) ||
			!is_wrapped(&amounts[READ], units[i], sector_bytes, &lag))
			continue;
		for (size_t d = 0; d < DIRECTIONS; d++) {
			amounts[d].unit_bytes = units[i];
			amounts[d].unit_by_ratio = true;
		}
		return;
	}
}

/* More than any link could have carried, or any flash could have borne: the unit
 * is not what the table says. */
static bool is_possible(const struct facts *facts, uint64_t bytes)
{
	static const double LINK_BYTES_PER_HOUR = 600e6 * 3600, DRIVE_WRITES = 100000;
	double hours, capacity;

	if (facts_number(facts, "usage.power_on_hours", &hours) && hours > 0 &&
		(double)bytes > (hours + 1) * LINK_BYTES_PER_HOUR)
		return false;
	return !facts_number(facts, "capacity.bytes", &capacity) || capacity <= 0 ||
		(double)bytes <= capacity * DRIVE_WRITES;
}

static void add_statistic(const struct page *general, const struct amount *amount, size_t direction,
	uint64_t sector_bytes, struct facts *facts)
{
	const struct key *key = decoder_key(directions[direction].key);
	struct source source = source_page(
		general->id, amount->statistic.offset, amount->statistic.raw);
	bool empty = amount->sectors == 0 && amount->unit_bytes && amount->raw;
	uint64_t bytes = 0;
	bool known = amount->valid && sector_bytes && !amount->unsure &&
		!__builtin_mul_overflow(amount->sectors, sector_bytes, &bytes);
	uint8_t rank = amount->wrapped || empty ? RANK_DOUBTFUL : RANK_STANDARD;

	if (!amount->offered)
		return;
	source.text = "logical sectors x logical block size";
	struct fact *fact = facts_add(
		facts, key, value_uint(bytes), known ? FACT_KNOWN : FACT_UNKNOWN, source, rank);
	if (amount->wrapped)
		fact->note = "holds only the low 32 bits of what the attribute counts";
	else if (empty)
		fact->note = "zero, where the attribute counts";
	else if (amount->unsure)
		fact->note = "may hold only the low 32 bits, as the other direction does";
	else if (amount->valid && !sector_bytes)
		fact->note = "the logical block size is not known";
}

static void add_attribute(const struct amount *amount, size_t direction, struct facts *facts)
{
	const struct key *key = decoder_key(directions[direction].key);
	uint64_t bytes = 0;
	bool fits = !__builtin_mul_overflow(amount->raw, amount->unit_bytes, &bytes);
	bool possible = fits && is_possible(facts, bytes);

	if (!amount->attribute || (!amount->unit_bytes && amount->valid))
		return;
	struct source source = attribute_source(amount->attribute);
	if (amount->unit_by_ratio)
		source.text = "unit from the ratio to the device statistics";
	struct fact *fact = facts_add(facts, key, value_uint(bytes),
		amount->unit_bytes && possible ? FACT_KNOWN : FACT_UNKNOWN, source,
		RANK_ATTRIBUTES);
	if (!amount->unit_bytes)
		fact->note = "the unit of this counter is not known for this model";
	else if (!possible)
		fact->note = "more than the drive can have moved: the unit is another one";
}

/* What was written to flash, and the attribute that says so: NULL where none does. */
static const struct known_attribute *flash_attribute(
	const struct attribute_set *set, uint64_t *units)
{
	const struct known_attribute *all = attribute_of_meaning(set, MEANING_NAND_WRITTEN, NULL);
	const struct known_attribute *host = attribute_of_meaning(set, MEANING_HOST_PAGES, NULL);
	const struct known_attribute *own = attribute_of_meaning(
		set, MEANING_BACKGROUND_PAGES, NULL);

	if (all) {
		*units = attribute_number(all);
		return all;
	}
	if (!host || !own)
		return NULL;
	*units = attribute_number(host) + attribute_number(own);
	return host;
}

static void add_flash(const struct attribute_set *set, struct facts *facts)
{
	enum { WHOLE = 100 }; /* less than a hundredth of the host's is a counter that rests */
	uint64_t units = 0, bytes = 0, host = 0;
	const struct known_attribute *from = flash_attribute(set, &units);

	if (!from)
		return;
	facts_uint(facts, "endurance.host_written_bytes", &host);
	bool fits = !__builtin_mul_overflow(units, from->known.unit_bytes, &bytes);
	bool rests = bytes < host / WHOLE;
	bool good = fits && !rests && is_possible(facts, bytes);
	struct fact *fact = facts_add(facts, decoder_key("endurance.nand_written_bytes"),
		value_uint(bytes), good ? FACT_KNOWN : FACT_UNKNOWN, attribute_source(from),
		RANK_ATTRIBUTES);
	if (from->known.meaning == MEANING_HOST_PAGES)
		fact->note = "pages programmed for the host and in background x 16384 bytes";
	if (rests)
		fact->note = "next to nothing, where the host has written";
}

/* Firmware that keeps 32 bits of one direction keeps 32 bits of both. */
static void find_wraps(struct amount amounts[DIRECTIONS], uint64_t sector_bytes)
{
	static const struct lag lag = { .units = 64, .sectors = 1 << 21 };
	bool any = false;

	for (size_t d = 0; d < DIRECTIONS; d++) {
		amounts[d].wrapped = amounts[d].unit_bytes &&
			is_wrapped(&amounts[d], amounts[d].unit_bytes, sector_bytes, &lag);
		any |= amounts[d].wrapped;
	}
	for (size_t d = 0; d < DIRECTIONS; d++)
		amounts[d].unsure = any && !amounts[d].wrapped && !amounts[d].unit_bytes &&
			amounts[d].sectors < LOW_32;
}

void written_note_contradiction(struct facts *facts, const char *key, uint64_t tolerance_bytes)
{
	enum { PART = 20 };
	const struct fact *best = facts_find(facts, key);

	for (size_t i = 0; best && best->state == FACT_KNOWN && i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];

		if (fact->key != best->key || fact->state != FACT_KNOWN)
			continue;
		uint64_t apart = distance(fact->value.uint, best->value.uint);
		if (apart > tolerance_bytes &&
			apart > (fact->value.uint + best->value.uint) / 2 / PART)
			facts_note(facts, &fact->source, "%s: sources contradict each other", key);
	}
}

/* How far an attribute may lag behind: by a unit or two, but CloudSpeed counts
 * gigabytes by 64. */
static uint64_t lag_bytes(const struct amount *amount)
{
	return amount->unit_bytes * (amount->unit_bytes == UNIT_GB ? 64 : 2);
}

void written_decode(
	const struct capture *capture, const struct attribute_set *set, struct facts *facts)
{
	enum { LOG_STATISTICS = 4, GENERAL = 1 };
	struct page general = page_ata_log(capture, LOG_STATISTICS, GENERAL);
	struct amount amounts[DIRECTIONS];
	uint64_t sector_bytes = 0;

	facts_uint(facts, "capacity.logical_block_bytes", &sector_bytes);
	for (size_t d = 0; d < DIRECTIONS; d++)
		read_amount(&general, set, d, &amounts[d]);
	if (sector_bytes) {
		find_unit(amounts, sector_bytes);
		find_wraps(amounts, sector_bytes);
	}
	for (size_t d = 0; d < DIRECTIONS; d++) {
		add_statistic(&general, &amounts[d], d, sector_bytes, facts);
		add_attribute(&amounts[d], d, facts);
		written_note_contradiction(facts, directions[d].key, lag_bytes(&amounts[d]));
	}
	add_flash(set, facts);
}
