/* page_get(): the one place that cuts a page to what its header says. */
#include "fact/walk.h"

static void note(struct facts *facts, const struct page *page, const char *text)
{
	char name[80];
	struct source source = source_page(page->id, 0, bytes_cut(page->data, 0, 4));

	if (facts)
		facts_note(facts, &source, "%s: %s", page_name(page->id, name, sizeof(name)), text);
}

/* False where the answer cannot be told to be that page. */
static bool cut_to_length(struct facts *facts, const struct record *record, struct page *page)
{
	size_t whole;

	switch (record_header(record, &whole)) {
	case HEADER_SHORT:
		note(facts, page, "too short for its header");
		return false;
	case HEADER_OTHER_PAGE:
		note(facts, page, "answered with another page");
		return false;
	case HEADER_GOOD:
	case HEADER_NONE:
		break;
	}
	if (page->data.len < whole)
		note(facts, page, "shorter than its length field says");
	page->data = bytes_cut(page->data, 0, whole);
	return true;
}

/* SMART data of nothing but zeros or ones are a bridge's, not the drive's: their checksum may
 * even be right. */
static bool is_blank(const struct page *page)
{
	if (page->id.kind != PAGE_SMART_DATA && page->id.kind != PAGE_SMART_THRESHOLDS)
		return false;
	return bytes_all(page->data, 0) || bytes_all(page->data, 0xff);
}

static struct page page_of_record(
	const struct record *record, struct facts *facts, struct page_id id)
{
	struct page page = { .id = id, .data = record->data };
	bool good = page.data.at != NULL;

	if (good && is_blank(&page)) {
		note(facts, &page, "holds nothing");
		good = false;
	}
	good = good && cut_to_length(facts, record, &page);
	return good ? page : (struct page) { .id = id };
}

struct page page_get(const struct capture *capture, struct facts *facts, struct page_id id)
{
	struct page page = { .id = id };

	if (id.kind == PAGE_MODE)
		return mode_page_get(capture, id, &page) ? page : (struct page) { .id = id };
	if (id.kind == PAGE_ATA_IDENTIFY)
		return identify_get(capture);
	if (id.kind == PAGE_ATA_LOG)
		return page_ata_log(capture, id.page, id.sub);
	const struct record *record = capture_find(capture, id);

	return record && record_is_good(record) ? page_of_record(record, facts, id) : page;
}
