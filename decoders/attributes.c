/*
 * SMART attributes as a table: SMART READ DATA and SMART READ ATTRIBUTE
 * THRESHOLDS (ATA/ATAPI-5 8.41.5 and 8.41.6; later standards leave the bytes to
 * the vendor). What they tell of other topics is in attribute_facts.c.
 */
#include "attribute_set.h"

#include <string.h>

static const struct column columns[] = {
	{ "id", "ID", UNIT_NONE },
	{ "name", "Name", UNIT_NONE },
	{ "value", "Value", UNIT_NONE },
	{ "worst", "Worst", UNIT_NONE },
	{ "threshold", "Threshold", UNIT_NONE },
	{ "raw", "Raw", UNIT_NONE },
	{ "raw_text", "Meaning of raw", UNIT_NONE },
	{ "flags", NULL, UNIT_NONE },
	{ "prefailure", NULL, UNIT_NONE },
	{ "is_temperature", NULL, UNIT_NONE },
	{ "failing", "Failing", UNIT_NONE },
	{ "named_by", NULL, UNIT_NONE },
	{ "known_by", NULL, UNIT_NONE },
};

static const struct table table_ata_attributes = {
	.name = "ata_attributes",
	.label = "SMART attributes",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

/* A threshold of 0 always passes; FDh and FEh are reserved, FFh always fails,
 * which is for tests of the host. */
static const char *failing(const struct attribute *attribute)
{
	if (attribute->threshold <= 0 || attribute->threshold >= 0xfd)
		return NULL;
	if (attribute->value <= attribute->threshold)
		return "now";
	return attribute->worst <= attribute->threshold ? "past" : NULL;
}

static const char *raw_text(const struct known_attribute *known, struct facts *facts)
{
	char text[96];

	raw_print(&known->attribute, known->known.format, known->order, text, sizeof(text));
	return facts_printf(facts, "%s", text);
}

/* By its name, or by an id that has no other meaning. */
static bool is_temperature(const struct known_attribute *known)
{
	return known->attribute.id == 190 || known->attribute.id == 194 ||
		(known->name && strcasestr(known->name, "temperature"));
}

static void add_row(const struct known_attribute *known, struct facts *facts)
{
	enum { PREFAILURE = 1 };
	const struct attribute *attribute = &known->attribute;
	const char *text = raw_text(known, facts);
	struct row *row = facts_row(facts, &table_ata_attributes, known->source);

	row_set(row, "id", value_uint(attribute->id));
	row_set(row, "name", value_text_or_null(known->name));
	row_set(row, "value", value_uint(attribute->value));
	row_set(row, "worst", value_uint(attribute->worst));
	if (attribute->threshold >= 0)
		row_set(row, "threshold", value_uint((uint64_t)attribute->threshold));
	row_set(row, "raw", value_uint(attribute->raw));
	row_set(row, "raw_text", value_text_or_null(text));
	row_set(row, "flags", value_uint(attribute->flags));
	row_set(row, "prefailure", value_flag(attribute->flags & PREFAILURE));
	row_set(row, "is_temperature", value_flag(is_temperature(known)));
	row_set(row, "failing", value_text_or_null(failing(attribute)));
	row_set(row, "named_by", value_text_or_null(known->named_by));
	row_set(row, "known_by", value_text_or_null(known->known_by));
}

static void extra(const struct capture *capture, struct facts *facts)
{
	struct attribute_set *set = attribute_set_get(capture, facts);

	attribute_set_name(set, facts);
	for (size_t i = 0; i < set->count; i++)
		add_row(&set->known[i], facts);
}

static const struct table *const tables[] = { &table_ata_attributes };

const struct decoder decoder_attributes = {
	.name = "attributes",
	.title = "Attributes",
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = extra,
};
