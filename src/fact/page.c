/* page_get(): the one place that checks a page's header and cuts it to length. */
#include "fact/walk.h"

/* The header of a page: where its length field is, what it must repeat. */
struct header {
	uint8_t length_at, length_width;
	uint8_t before; /* bytes that the length does not count */
	int8_t code_at; /* byte that repeats the page code; -1: none */
	uint8_t code_mask;
};

static const struct header *header_of(struct page_id id)
{
	static const struct header inquiry = { 4, 1, 5, -1, 0 };
	static const struct header vpd = { 2, 2, 4, 1, 0xff };
	/* Pages 00h and 80h began with an 8-bit length; byte 2 may hold junk. */
	static const struct header short_vpd = { 3, 1, 4, 1, 0xff };
	static const struct header log = { 2, 2, 4, 0, 0x3f };
	static const struct header diagnostic = { 2, 2, 4, 0, 0xff };
	static const struct header codes = { 0, 4, 4, -1, 0 };

	switch (id.kind) {
	case PAGE_INQUIRY:
		return &inquiry;
	case PAGE_VPD:
		return id.page == 0x00 || id.page == 0x80 ? &short_vpd : &vpd;
	case PAGE_LOG:
		return &log;
	case PAGE_DIAGNOSTIC:
		return &diagnostic;
	case PAGE_OPERATION_CODES:
		return &codes;
	default:
		return NULL;
	}
}

static void note(struct facts *facts, const struct page *page, const char *text)
{
	char name[80];
	struct source source = source_page(page->id, 0, bytes_cut(page->data, 0, 4));

	if (facts)
		facts_note(facts, &source, "%s: %s", page_name(page->id, name, sizeof(name)), text);
}

/* False where the answer is that of another page. */
static bool cut_to_length(struct facts *facts, const struct header *header, struct page *page)
{
	uint64_t length;

	if (!bytes_be(page->data, header->length_at, header->length_width, &length)) {
		note(facts, page, "too short for its header");
		return false;
	}
	if (header->code_at >= 0 &&
		(bytes_u8(page->data, (size_t)header->code_at) & header->code_mask) !=
			page->id.page) {
		note(facts, page, "answered with another page");
		return false;
	}
	size_t whole = (size_t)length + header->before;
	if (page->data.len < whole)
		note(facts, page, "shorter than its length field says");
	page->data = bytes_cut(page->data, 0, whole);
	return true;
}

static struct page find_page(const struct capture *capture, struct page_id id)
{
	struct page page = { .id = id };

	if (id.kind == PAGE_MODE)
		return mode_page_get(capture, id, &page) ? page : (struct page) { .id = id };
	if (id.kind == PAGE_ATA_IDENTIFY)
		return identify_get(capture);
	if (id.kind == PAGE_ATA_LOG)
		return page_ata_log(capture, id.page, id.sub);
	const struct record *record = capture_find(capture, id);

	if (record && record_is_good(record))
		page.data = record->data;
	return page;
}

/* SMART data of nothing but zeros or ones are a bridge's, not the drive's: their checksum may
 * even be right. */
static bool is_blank(const struct page *page)
{
	if (page->id.kind != PAGE_SMART_DATA && page->id.kind != PAGE_SMART_THRESHOLDS)
		return false;
	return bytes_all(page->data, 0) || bytes_all(page->data, 0xff);
}

struct page page_get(const struct capture *capture, struct facts *facts, struct page_id id)
{
	struct page page = find_page(capture, id);
	const struct header *header = header_of(id);

	if (page.data.at && is_blank(&page)) {
		note(facts, &page, "holds nothing");
		page.data = (struct bytes) { 0 };
	}
	if (page.data.at && header && !cut_to_length(facts, header, &page))
		page.data = (struct bytes) { 0 };
	return page;
}
