/* SATA Phy event counters: SATA 3.2 13.7, GPL log 11h. */
#include "link.h"
#include "place.h"

enum { FIRST = 4, CHECKSUM = 511 };
enum { VENDOR = 0x8000, WORDS = 0x7000, NUMBER = 0x0fff };

static const struct column columns[] = {
	{ "id", .label = "Id" },
	{ "name", .label = "Event" },
	{ "value", "Count", UNIT_COUNT },
	{ "bits", .label = NULL },
};

const struct table table_phy_event_counters = {
	.name = "phy_event_counters",
	.label = "SATA phy event counters",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

static const char *const names[] = {
	[0x01] = "command failed with interface CRC error",
	[0x02] = "R_ERR for data FIS",
	[0x03] = "R_ERR for device-to-host data FIS",
	[0x04] = "R_ERR for host-to-device data FIS",
	[0x05] = "R_ERR for non-data FIS",
	[0x06] = "R_ERR for device-to-host non-data FIS",
	[0x07] = "R_ERR for host-to-device non-data FIS",
	[0x08] = "device-to-host non-data FIS retries",
	[0x09] = "transition from PhyRdy to PhyNRdy",
	[0x0a] = "device-to-host register FIS after COMRESET",
	[0x0b] = "CRC error in host-to-device FIS",
	[0x0d] = "other error in host-to-device FIS",
	[0x0f] = "R_ERR for host-to-device data FIS, CRC",
	[0x10] = "R_ERR for host-to-device data FIS, not CRC",
	[0x12] = "R_ERR for host-to-device non-data FIS, CRC",
	[0x13] = "R_ERR for host-to-device non-data FIS, not CRC",
};

static struct value name_of(unsigned id)
{
	if (id & VENDOR)
		return value_text("vendor specific");
	return id < ARRAY_LEN(names) && names[id] ? value_text(names[id]) : value_null();
}

/* Adds the counter at *offset and steps over it; false at the end of the list. */
static bool next_counter(const struct page *page, size_t *offset, struct facts *facts)
{
	unsigned raw = bytes_le16(page->data, *offset);
	size_t width = (raw & WORDS) >> 12 << 1;
	uint64_t value;

	if (!raw || *offset + 2 + width > CHECKSUM)
		return false;
	struct source source = source_page(
		page->id, page->offset + *offset, bytes_cut(page->data, *offset, 2 + width));

	if (!width || !bytes_le(page->data, *offset + 2, width, &value)) {
		facts_note(facts, &source, "ATA log 11h: a counter of %zu bytes", width);
		return false;
	}
	struct row *row = facts_row(facts, &table_phy_event_counters, source);

	row_set(row, "id", value_uint(raw & (VENDOR | NUMBER)));
	row_set(row, "name", name_of(raw & (VENDOR | NUMBER)));
	row_set(row, "value", value_uint(value));
	row_set(row, "bits", value_uint(8 * width));
	*offset += 2 + width;
	return true;
}

void phy_events_decode(const struct capture *capture, struct facts *facts)
{
	struct page page = page_ata_log(capture, 0x11, 0);
	struct source source = source_page(
		page.id, page.offset + CHECKSUM, bytes_cut(page.data, CHECKSUM, 1));
	size_t offset = FIRST;

	if (!page.data.at)
		return;
	while (next_counter(&page, &offset, facts))
		;
	if (bytes_sum(page.data))
		facts_note(facts, &source, "ATA log 11h: wrong checksum");
}
