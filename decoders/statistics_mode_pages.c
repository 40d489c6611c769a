/* All mode pages as they are, with their bytes that can be changed: SPC-5 7.5. */
#include "hex.h"
#include "statistics.h"

static const struct column columns[] = {
	{ "page", NULL, UNIT_NONE },
	{ "subpage", NULL, UNIT_NONE },
	{ "number", "Page", UNIT_NONE },
	{ "name", "Name", UNIT_NONE },
	{ "current", "Current", UNIT_NONE },
	{ "changeable", "Changeable", UNIT_NONE },
	{ "default", "Default", UNIT_NONE },
	{ "saved", "Saved", UNIT_NONE },
};
const struct table table_mode_pages = {
	.name = "mode_pages",
	.label = "Mode pages",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
	.detail = true,
};

static const struct {
	uint8_t page;
	uint16_t sub;
	const char *name;
} names[] = {
	{ 0x01, 0x00, "Read-write error recovery" },
	{ 0x02, 0x00, "Disconnect-reconnect" },
	{ 0x03, 0x00, "Format device" },
	{ 0x04, 0x00, "Rigid disk geometry" },
	{ 0x07, 0x00, "Verify error recovery" },
	{ 0x08, 0x00, "Caching" },
	{ 0x0a, 0x00, "Control" },
	{ 0x0a, 0x01, "Control extension" },
	{ 0x0a, 0x02, "Application tag" },
	{ 0x0a, 0x03, "Command duration limit A" },
	{ 0x0a, 0x04, "Command duration limit B" },
	{ 0x0a, 0x05, "I/O advice hints grouping" },
	{ 0x0a, 0x06, "Background operation control" },
	{ 0x0a, 0x07, "Command duration limit T2A" },
	{ 0x0a, 0x08, "Command duration limit T2B" },
	{ 0x0a, 0xf1, "SATA control" },
	{ 0x18, 0x00, "Protocol specific logical unit" },
	{ 0x19, 0x00, "Protocol specific port" },
	{ 0x19, 0x01, "Phy control and discover" },
	{ 0x19, 0x02, "Shared port control" },
	{ 0x19, 0x03, "Enhanced phy control" },
	{ 0x1a, 0x00, "Power condition" },
	{ 0x1a, 0x01, "Power consumption" },
	{ 0x1a, 0xf1, "ATA power condition" },
	{ 0x1c, 0x00, "Informational exceptions control" },
	{ 0x1c, 0x01, "Background control" },
	{ 0x1c, 0x02, "Logical block provisioning" },
};

static const char *name_of(uint8_t page, uint16_t sub)
{
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i].page == page && names[i].sub == sub)
			return names[i].name;
	if (page == 0x00 || (page >= 0x20 && page <= 0x3e) || (sub >= 0xe0 && sub <= 0xfe))
		return "Vendor specific";
	return "Unknown";
}

static bool is_listed(const struct facts *facts, const struct page *page)
{
	for (size_t i = 0; i < facts->row_count; i++)
		if (facts->rows[i].table == &table_mode_pages &&
			row_get(&facts->rows[i], "page").uint == page->id.page &&
			row_get(&facts->rows[i], "subpage").uint == page->id.sub)
			return true;
	return false;
}

static void add_page(const struct capture *capture, const struct page *page, struct facts *facts)
{
	static const char *const controls[] = { "current", "changeable", "default", "saved" };
	enum { MOST = 1024 };
	struct row *row = facts_row(
		facts, &table_mode_pages, source_page(page->id, page->offset, page->data));
	struct page_id id = page->id;

	row_set(row, "page", value_uint(id.page));
	row_set(row, "subpage", value_uint(id.sub));
	row_set(row, "number",
		value_text(facts_printf(facts, id.sub ? "%02Xh/%02Xh" : "%02Xh", id.page, id.sub)));
	row_set(row, "name", value_text(name_of(id.page, id.sub)));
	for (size_t i = 0; i < ARRAY_LEN(controls); i++) {
		id.control = (uint8_t)i;
		row_set(row, controls[i], hex_value(facts, page_get(capture, NULL, id).data, MOST));
	}
}

void mode_pages_decode(const struct capture *capture, struct facts *facts)
{
	struct page page;

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (record->page.kind != PAGE_MODE)
			continue;
		for (size_t at = 0; mode_page_next(record, &at, &page);)
			if (!is_listed(facts, &page))
				add_page(capture, &page, facts);
	}
}
