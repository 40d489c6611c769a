/* Mode pages, cut out of MODE SENSE answers: SPC-5 7.5. */
#include "fact/walk.h"

enum { ALL_PAGES = 0x3f, ALL_SUBPAGES = 0xff };

/* Where the first mode page begins, and where the data end, as the header says. */
static bool mode_span(const struct record *record, size_t *start, size_t *end)
{
	bool ten = record->cdb[0] == 0x5a;
	size_t header = ten ? 8 : 4;
	uint64_t descriptors;

	if (record_header(record, end) != HEADER_GOOD ||
		!bytes_be(record->data, ten ? 6 : 3, ten ? 2 : 1, &descriptors))
		return false;
	*start = header + descriptors;
	if (*end > record->data.len)
		*end = record->data.len;
	return *start <= *end;
}

static bool mode_next(struct bytes data, size_t *offset, struct page *page)
{
	uint64_t first, sub = 0, length;

	if (!bytes_be(data, *offset, 1, &first))
		return false;
	bool long_form = first & 0x40; /* SPF */
	if (long_form && !bytes_be(data, *offset + 1, 1, &sub))
		return false;
	if (!bytes_be(data, *offset + (long_form ? 2 : 1), long_form ? 2 : 1, &length))
		return false;
	size_t total = length + (long_form ? 4 : 2);

	page->id =
		(struct page_id) { .kind = PAGE_MODE, .page = first & 0x3f, .sub = (uint16_t)sub };
	page->data = bytes_cut(data, *offset, total);
	page->offset = *offset;
	*offset += total;
	return page->data.len == total;
}

bool mode_page_next(const struct record *record, size_t *offset, struct page *page)
{
	size_t start, end;

	if (!record_is_good(record) || !mode_span(record, &start, &end))
		return false;
	if (*offset < start)
		*offset = start;
	if (!mode_next(bytes_cut(record->data, 0, end), offset, page))
		return false;
	page->id.control = record->page.control;
	return true;
}

struct bytes mode_block_descriptors(const struct record *record)
{
	size_t start, end, header = record->cdb[0] == 0x5a ? 8 : 4;

	if (!record_is_good(record) || !mode_span(record, &start, &end))
		return (struct bytes) { 0 };
	return bytes_cut(record->data, header, start - header);
}

static bool mode_in_record(const struct record *record, struct page_id id, struct page *page)
{
	size_t offset = 0;

	while (mode_page_next(record, &offset, page))
		if (page_same(page->id, id))
			return true;
	return false;
}

bool mode_page_get(const struct capture *capture, struct page_id id, struct page *page)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];
		struct page_id asked = record->page;
		bool all = asked.page == ALL_PAGES && (id.sub == 0 || asked.sub == ALL_SUBPAGES);
		bool this = asked.page == id.page &&
			(asked.sub == id.sub || asked.sub == ALL_SUBPAGES);

		if (asked.kind == PAGE_MODE && asked.control == id.control && (all || this) &&
			mode_in_record(record, id, page))
			return true;
	}
	return false;
}
