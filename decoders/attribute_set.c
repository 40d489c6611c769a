#include "attribute_set.h"

#include <string.h>

#include "assay/arena.h"
#include "atasmart.h"
#include "attribute_name.h"

enum { SECTOR = 512, SLOT = 12, FIRST_SLOT = 2 };
enum { FIRMWARE_AT = 2 * 23, MODEL_AT = 2 * 27, ROTATION_AT = 2 * 217 };

/* Meanings that nearly all drives share, under the ids that they share them. */
static const struct {
	struct family_attribute known;
	bool rotating; /* of disks with heads only */
	bool always;   /* also of a drive of which nothing else is known */
} usual[] = {
	{ .known = { .id = 4, .meaning = MEANING_START_STOPS }, .rotating = true },
	{ .known = { .id = 5, .meaning = MEANING_REALLOCATED } },
	{ .known = { .id = 9, .meaning = MEANING_HOURS }, .always = true },
	{ .known = { .id = 12, .meaning = MEANING_POWER_CYCLES }, .always = true },
	{ .known = { .id = 187, .meaning = MEANING_UNCORRECTED } },
	{ .known = { .id = 190, .meaning = MEANING_CASE_TEMPERATURE }, .always = true },
	{ .known = { .id = 193, .meaning = MEANING_LOAD_CYCLES }, .rotating = true },
	{ .known = { .id = 194, .meaning = MEANING_TEMPERATURE }, .always = true },
	{ .known = { .id = 197, .meaning = MEANING_PENDING } },
	{ .known = { .id = 198, .meaning = MEANING_OFFLINE_UNCORRECTED } },
	{ .known = { .id = 199, .meaning = MEANING_CRC } },
};

static void read_identity(const struct capture *capture, struct attribute_set *set)
{
	struct page identify = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	uint16_t rotation = bytes_le16(identify.data, ROTATION_AT);

	bytes_text(bytes_cut(identify.data, MODEL_AT, 40), true, set->model, sizeof(set->model));
	bytes_text(bytes_cut(identify.data, FIRMWARE_AT, 8), true, set->firmware,
		sizeof(set->firmware));
	if (rotation == 1)
		set->medium = MEDIUM_SOLID;
	else if (rotation > 0x400 && rotation < 0xffff)
		set->medium = MEDIUM_ROTATING;
}

static bool is_same(struct bytes a, struct bytes b)
{
	return a.len == b.len && a.len && !memcmp(a.at, b.at, a.len);
}

/* Of real SMART data a part of the ids is outside of ASCII. */
static bool is_text(struct bytes data)
{
	enum { LEAST = 64, PERCENT = 95 };
	size_t printable = 0, used = 0;

	for (size_t i = 0; i < data.len; i++) {
		uint8_t byte = data.at[i];

		used += byte != 0;
		printable += (byte >= ' ' && byte <= '~') || (byte >= '\t' && byte <= '\r');
	}
	return used >= LEAST && printable * 100 >= used * PERCENT;
}

/* Vendor bits of the flags go up to 3300h on known drives; bits 6, 7, 14 and 15
 * are set by none of them, but by most other data. Some drives repeat an id, but
 * not that often. */
static bool has_form(struct bytes data)
{
	enum { FLAGS_NEVER = 0xc0c0, REPEATED = 8 };
	unsigned used = 0, odd = 0, same[256] = { 0 };

	for (size_t i = 0; i < ATTRIBUTES_MAX; i++) {
		struct bytes slot = bytes_cut(data, FIRST_SLOT + i * SLOT, SLOT);
		uint8_t id = bytes_u8(slot, 0);

		if (id == 0)
			continue;
		if (++same[id] == REPEATED)
			return false;
		used++;
		odd += (bytes_le16(slot, 1) & FLAGS_NEVER) != 0;
	}
	return used == 0 || odd * 2 < used;
}

/* What SMART READ DATA returned instead of them; NULL where it is SMART data. */
static const char *not_smart_data(const struct capture *capture, const struct attribute_set *set)
{
	struct bytes data = set->data.data;
	struct page identify = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });

	if (is_same(data, identify.data))
		return "is the IDENTIFY DEVICE data";
	if (is_same(data, set->thresholds.data))
		return "is the thresholds";
	if (is_text(data))
		return "is text";
	return has_form(data) ? NULL : "has not the form of SMART data";
}

/* How the attributes of this drive may be understood. */
struct knowledge {
	const struct attribute_set *set;
	const struct drivedb *drivedb;
	const char *family_text, *drivedb_text;
};

static bool has_id(const struct attribute_set *set, uint8_t id)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->known[i].attribute.id == id)
			return true;
	return false;
}

/* Old disks do not tell their medium, but time their spindle and their seeks. */
static bool has_heads(const struct attribute_set *set)
{
	return set->medium == MEDIUM_ROTATING ||
		(set->medium == MEDIUM_UNKNOWN && has_id(set, 3) &&
			(has_id(set, 7) || has_id(set, 10)));
}

static const struct family_attribute *usual_meaning(const struct attribute_set *set, uint8_t id)
{
	for (size_t i = 0; i < ARRAY_LEN(usual); i++)
		if (usual[i].known.id == id && (set->usual || usual[i].always) &&
			(set->heads || !usual[i].rotating))
			return &usual[i].known;
	return NULL;
}

static void set_meaning(const struct knowledge *with, struct known_attribute *known)
{
	const struct attribute_set *set = with->set;
	uint8_t id = known->attribute.id;
	const struct family_attribute *in_family = family_attribute(set->family, id);
	const struct family_attribute *as_usual = usual_meaning(set, id);
	const struct drivedb_attribute *in_drivedb = &with->drivedb->attributes[id];

	known->preference = ATTRIBUTES_MAX * 2;
	known->known.id = id;
	if (set->family && in_family) {
		known->known = *in_family;
		known->known_by = with->family_text;
		known->preference = (unsigned)(in_family - set->family->attributes);
	} else if (in_drivedb->own && in_drivedb->name.len) {
		known->known = attribute_of_name(id, in_drivedb->name);
		known->known_by = with->drivedb_text;
		known->preference = ATTRIBUTES_MAX;
	} else if (as_usual) {
		known->known = *as_usual;
	}
}

static enum raw_format usual_format(enum meaning meaning)
{
	switch (meaning) {
	case MEANING_TEMPERATURE:
	case MEANING_CASE_TEMPERATURE:
		return RAW_TEMPERATURES;
	case MEANING_HOURS:
		return RAW_24_BYTES;
	case MEANING_NONE:
		return RAW_UNKNOWN;
	default:
		return RAW_48;
	}
}

static void set_format(const struct knowledge *with, struct known_attribute *known)
{
	const struct drivedb_attribute *in_drivedb =
		&with->drivedb->attributes[known->attribute.id];

	if (known->known.format != RAW_UNKNOWN)
		return;
	if (in_drivedb->own || (in_drivedb->format && (with->set->usual || known->known.meaning))) {
		known->known.format = in_drivedb->format;
		memcpy(known->order, in_drivedb->order, sizeof(known->order));
	} else {
		known->known.format = usual_format(known->known.meaning);
	}
}

static void set_name(
	const struct knowledge *with, struct facts *facts, struct known_attribute *known)
{
	const struct drivedb_attribute *in_drivedb =
		&with->drivedb->attributes[known->attribute.id];
	const char *in_family = known->known_by == with->family_text
		? (known->known.name ? known->known.name : family_amount_name(&known->known))
		: NULL;

	if (in_family) {
		known->name = in_family;
		known->named_by = "family";
	} else if (in_drivedb->name.len &&
		(in_drivedb->own || with->set->usual || known->known.meaning)) {
		known->name = facts_printf(facts, "%.*s", (int)in_drivedb->name.len,
			(const char *)in_drivedb->name.at);
		known->named_by = "drivedb";
	}
}

/* Names that are still missing, and what is special about some ids of old disks
 * that the drive database does not know. */
static void ask_atasmart(struct attribute_set *set, bool names, struct arena *arena)
{
	struct attribute asked[ATTRIBUTES_MAX];
	struct atasmart_answer answers[ATTRIBUTES_MAX];
	struct known_attribute *of[ATTRIBUTES_MAX];
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++) {
		struct known_attribute *known = &set->known[i];
		uint8_t id = known->attribute.id;
		bool unnamed = names && !known->name && (set->usual || known->known.meaning);
		bool special = set->heads && !set->drivedb_family &&
			(id == 9 || id == 194 || id == 197 || id == 198);

		if (known->attribute.bytes.len < SLOT || !(unnamed || special))
			continue;
		of[count] = known;
		asked[count++] = known->attribute;
	}
	if (count == 0)
		return;
	atasmart_ask(set->model, set->firmware, asked, count, arena, answers);
	for (size_t i = 0; i < count; i++) {
		if (answers[i].format)
			of[i]->known.format = answers[i].format;
		if (!answers[i].name && !of[i]->known_by)
			of[i]->known.meaning = MEANING_NONE;
		if (answers[i].name && !of[i]->name) {
			of[i]->name = answers[i].name;
			of[i]->named_by = "libatasmart";
		}
	}
}

static void set_knowledge(struct attribute_set *set, struct facts *facts)
{
	struct drivedb drivedb;
	struct knowledge with = { .set = set, .drivedb = &drivedb };

	set->heads = has_heads(set);
	set->family = family_find(set->model, set->firmware);
	drivedb_find(set->model, set->firmware, set->heads ? MEDIUM_ROTATING : set->medium,
		facts->arena, &drivedb);
	set->drivedb_family = drivedb.family;
	set->usual = set->family ? !set->family->strange : drivedb.family || set->heads;
	if (set->family)
		with.family_text = facts_printf(facts, "family table: %s", set->family->name);
	if (drivedb.family)
		with.drivedb_text = facts_printf(facts, "drivedb.h: %s", drivedb.family);
	for (size_t i = 0; i < set->count; i++) {
		set_meaning(&with, &set->known[i]);
		set_format(&with, &set->known[i]);
		set_name(&with, facts, &set->known[i]);
	}
	ask_atasmart(set, false, facts->arena);
}

static void read_slots(struct attribute_set *set)
{
	enum { RAW_AT = 5, RAW_LEN = 6 };

	for (size_t slot = 0; slot < ATTRIBUTES_MAX; slot++) {
		struct known_attribute *known = &set->known[set->count];
		struct attribute *attribute = &known->attribute;

		if (!attribute_get(&set->data, &set->thresholds, slot, attribute))
			continue;
		known->source = source_page(set->data.id, attribute->offset + RAW_AT,
			bytes_cut(attribute->bytes, RAW_AT, RAW_LEN));
		known->source.parameter = attribute->id;
		set->count++;
	}
}

/* False where what came is none. */
static bool is_smart_data(
	const struct capture *capture, const struct attribute_set *set, struct facts *facts)
{
	const char *instead = not_smart_data(capture, set);
	struct source source = source_page(set->data.id, 0, set->data.data);

	if (instead)
		facts_note(facts, &source, "SMART READ DATA: what came %s: no attributes", instead);
	return !instead;
}

static void read_set(const struct capture *capture, struct facts *facts, struct attribute_set *set)
{
	set->data = page_get(capture, facts, (struct page_id) { .kind = PAGE_SMART_DATA });
	set->thresholds = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_SMART_THRESHOLDS });
	if (!set->data.data.at || !is_smart_data(capture, set, facts))
		return;
	if (set->data.data.len == SECTOR)
		page_checksum(&set->data, facts);
	if (set->thresholds.data.len == SECTOR)
		page_checksum(&set->thresholds, facts);
	read_identity(capture, set);
	read_slots(set);
	set_knowledge(set, facts);
}

struct attribute_set *attribute_set_get(const struct capture *capture, struct facts *facts)
{
	if (!facts->attribute_set) {
		facts->attribute_set = arena_alloc(facts->arena, sizeof(*facts->attribute_set));
		read_set(capture, facts, facts->attribute_set);
	}
	return facts->attribute_set;
}

void attribute_set_name(struct attribute_set *set, struct facts *facts)
{
	ask_atasmart(set, true, facts->arena);
}

uint64_t attribute_number(const struct known_attribute *known)
{
	enum raw_format format = known->known.format;

	/* A drive that leaves VALUE and WORST empty has no more than the raw bytes. */
	if ((format != RAW_48 && format != RAW_56 && format != RAW_64) ||
		(format == RAW_64 && !known->attribute.value && !known->attribute.worst))
		return known->attribute.raw;
	return raw_number(&known->attribute, format, known->order);
}

const struct known_attribute *attribute_of_meaning(
	const struct attribute_set *set, enum meaning meaning, const struct known_attribute *after)
{
	const struct known_attribute *best = NULL;

	for (size_t i = 0; i < set->count; i++) {
		const struct known_attribute *known = &set->known[i];
		bool passed = after &&
			(known->preference < after->preference ||
				(known->preference == after->preference && known <= after));

		if (known->known.meaning != meaning || passed)
			continue;
		if (!best || known->preference < best->preference)
			best = known;
	}
	return best;
}
