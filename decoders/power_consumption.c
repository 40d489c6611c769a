/* Power consumption: SPC-5 7.7.12 (VPD page 8Dh) and 7.5.14 (mode page 1Ah/01h). */
#include "power.h"
#include "place.h"

enum { DESCRIPTOR_LEN = 4, PAGE_HEADER = 4 };

static const struct column columns[] = {
	{ "id", .label = "Identifier" },
	{ "milliwatts", "At most", UNIT_MILLIWATTS },
};

const struct table table_power_consumption = {
	.name = "power_consumption",
	.label = "Power limits to choose from",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

/* The limit of a descriptor; null where its unit is reserved. */
static struct value milliwatts_of(struct bytes descriptor)
{
	enum { MICROWATTS = 5 };
	static const uint64_t factors[] = { UINT64_C(1000000000000), 1000000000, 1000000, 1000, 1 };
	unsigned unit = bytes_u8(descriptor, 1) & 7;
	uint64_t value = bytes_be16(descriptor, 2);

	if (unit < ARRAY_LEN(factors))
		return value_uint(value * factors[unit]);
	return unit == MICROWATTS ? value_real((double)value / 1000) : value_null();
}

static bool descriptor_next(const struct page *page, size_t *offset, struct bytes *descriptor)
{
	*descriptor = bytes_cut(page->data, *offset, DESCRIPTOR_LEN);
	*offset += DESCRIPTOR_LEN;
	return descriptor->len == DESCRIPTOR_LEN;
}

/* The limit that mode page 1Ah/01h chose, where it chose one by its identifier. */
static void add_limit(const struct capture *capture, const struct page *vpd, struct facts *facts)
{
	enum { LEVEL_AT = 6, ID_AT = 7, BY_IDENTIFIER = 0 };
	static const struct page_id id = { PAGE_MODE, 0x1a, 1, 0 };
	struct page mode = page_get(capture, facts, id);
	size_t offset = PAGE_HEADER;
	struct bytes descriptor;

	if (mode.data.len <= ID_AT || (bytes_u8(mode.data, LEVEL_AT) & 7) != BY_IDENTIFIER)
		return;
	while (descriptor_next(vpd, &offset, &descriptor)) {
		struct value limit = milliwatts_of(descriptor);

		if (bytes_u8(descriptor, 0) != bytes_u8(mode.data, ID_AT))
			continue;
		struct fact *fact = place_fact(facts, "power.limit_milliwatts", limit,
			state_of(limit.kind != VALUE_NULL, false),
			(struct place) { vpd, offset - DESCRIPTOR_LEN, DESCRIPTOR_LEN, 0 });

		fact->source.text = "chosen by mode page 1Ah/01h";
		return;
	}
}

void power_consumption_decode(const struct capture *capture, struct facts *facts)
{
	static const struct page_id id = { .kind = PAGE_VPD, .page = 0x8d };
	struct page page = page_get(capture, facts, id);
	size_t offset = PAGE_HEADER;
	struct bytes descriptor;

	while (descriptor_next(&page, &offset, &descriptor)) {
		struct row *row = facts_row(facts, &table_power_consumption,
			source_page(page.id, offset - DESCRIPTOR_LEN, descriptor));

		row_set(row, "id", value_uint(bytes_u8(descriptor, 0)));
		row_set(row, "milliwatts", milliwatts_of(descriptor));
	}
	add_limit(capture, &page, facts);
}
