/* Supported block lengths and protection types: SBC-4 6.6.9, VPD page B4h. */
#include "capacity.h"

enum { DESCRIPTOR_LEN = 8, PAGE_HEADER = 4 };

static const struct column columns[] = {
	{ "bytes", "Block length", UNIT_BYTES },
	{ "type_0", .label = "Type 0" },
	{ "type_1", .label = "Type 1" },
	{ "type_2", .label = "Type 2" },
	{ "type_3", .label = "Type 3" },
	{ "interval_exponent", .label = "Intervals" },
	{ "guard_check", .label = "Guard" },
	{ "application_check", .label = "Application" },
	{ "reference_check", .label = "Reference" },
	{ "no_check", .label = NULL },
};

const struct table table_block_lengths = {
	.name = "block_lengths",
	.label = "Supported block lengths",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

bool block_length_next(const struct page *page, size_t *offset, struct block_length *length)
{
	struct bytes raw = bytes_cut(page->data, *offset, DESCRIPTOR_LEN);

	if (raw.len < DESCRIPTOR_LEN)
		return false;
	unsigned checks = bytes_u8(raw, 4), types = bytes_u8(raw, 5);

	*length = (struct block_length) {
		.bytes = bytes_be32(raw, 0),
		.types = { types & 1, types & 2, types & 4, types & 8 },
		.interval = checks & 0x40,
		.no_check = checks & 8,
		.guard_check = checks & 4,
		.application_check = checks & 2,
		.reference_check = checks & 1,
		.offset = *offset,
	};
	*offset += DESCRIPTOR_LEN;
	return true;
}

void block_lengths_decode(const struct capture *capture, struct facts *facts)
{
	static const struct page_id id = { .kind = PAGE_VPD, .page = 0xb4 };
	struct page page = page_get(capture, facts, id);
	struct block_length length;
	size_t offset = PAGE_HEADER;

	while (block_length_next(&page, &offset, &length)) {
		struct row *row = facts_row(facts, &table_block_lengths,
			source_page(page.id, length.offset,
				bytes_cut(page.data, length.offset, DESCRIPTOR_LEN)));

		row_set(row, "bytes", value_uint(length.bytes));
		for (size_t type = 0; type < ARRAY_LEN(length.types); type++)
			row->cells[1 + type] = value_flag(length.types[type]);
		row_set(row, "interval_exponent", value_flag(length.interval));
		row_set(row, "guard_check", value_flag(length.guard_check));
		row_set(row, "application_check", value_flag(length.application_check));
		row_set(row, "reference_check", value_flag(length.reference_check));
		row_set(row, "no_check", value_flag(length.no_check));
	}
}
