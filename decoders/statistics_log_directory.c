/* ACS-4 9.2 and table "log address definition": which logs an ATA drive has. */
#include "statistics.h"

static const struct column columns[] = {
	{ "log", NULL, UNIT_NONE },
	{ "address", "Log", UNIT_NONE },
	{ "name", "Name", UNIT_NONE },
	{ "gpl_pages", "Pages, GPL", UNIT_COUNT }, /* of 512 bytes */
	{ "smart_pages", "Pages, SMART", UNIT_COUNT },
};
const struct table table_log_directory = {
	.name = "log_directory",
	.label = "Log directory",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
	.detail = true,
};

static const char *const names[] = {
	[0x01] = "Summary SMART error log",
	[0x02] = "Comprehensive SMART error log",
	[0x03] = "Extended comprehensive SMART error log",
	[0x04] = "Device statistics",
	[0x06] = "SMART self-test log",
	[0x07] = "Extended SMART self-test log",
	[0x08] = "Power conditions",
	[0x09] = "Selective self-test log",
	[0x0a] = "Device statistics notification",
	[0x0c] = "Pending defects",
	[0x0d] = "LPS misalignment",
	[0x0f] = "Sense data for successful NCQ commands",
	[0x10] = "NCQ command error",
	[0x11] = "SATA Phy event counters",
	[0x12] = "SATA NCQ non-data",
	[0x13] = "SATA NCQ send and receive",
	[0x14] = "Hybrid information",
	[0x15] = "Rebuild assist",
	[0x16] = "Out of band management control",
	[0x18] = "Command duration limits",
	[0x19] = "LBA status",
	[0x20] = "Streaming performance",
	[0x21] = "Write stream errors",
	[0x22] = "Read stream errors",
	[0x23] = "Delayed sectors",
	[0x24] = "Current device internal status",
	[0x25] = "Saved device internal status",
	[0x2f] = "Sector configuration",
	[0x30] = "IDENTIFY DEVICE data",
	[0x42] = "Mutate configurations",
	[0x47] = "Concurrent positioning ranges",
	[0x53] = "Sense data",
	[0x59] = "Power consumption control",
	[0x61] = "Capacity and model number mapping",
};

static const char *name_of(unsigned log)
{
	if (log < ARRAY_LEN(names) && names[log])
		return names[log];
	if (log >= 0x80 && log <= 0x9f)
		return "Host specific";
	if (log >= 0xa0 && log <= 0xdf)
		return "Device vendor specific";
	if (log == 0xe0)
		return "SCT command and status";
	return log == 0xe1 ? "SCT data transfer" : "Reserved";
}

/* One record of page 0 by that very route. */
static struct page directory(const struct capture *capture, enum page_kind route)
{
	struct page page = { .id = { .kind = route } };
	const struct record *record = capture_find(capture, page.id);

	if (record && record_is_good(record) && record->data.len >= 512)
		page.data = bytes_cut(record->data, 0, 512);
	return page;
}

void log_directory_decode(const struct capture *capture, struct facts *facts)
{
	struct page general = directory(capture, PAGE_ATA_LOG);
	struct page smart = directory(capture, PAGE_SMART_LOG);

	for (unsigned log = 1; log <= 0xff; log++) {
		size_t at = (size_t)log * 2;
		unsigned general_pages = bytes_le16(general.data, at);
		unsigned smart_pages = bytes_u8(smart.data, at);
		const struct page *from = general_pages ? &general : &smart;

		if (!general_pages && !smart_pages)
			continue;
		struct row *row = facts_row(facts, &table_log_directory,
			source_page(from->id, at, bytes_cut(from->data, at, 2)));

		row_set(row, "log", value_uint(log));
		row_set(row, "address", value_text(facts_printf(facts, "%02Xh", log)));
		row_set(row, "name", value_text(name_of(log)));
		if (general.data.at)
			row_set(row, "gpl_pages", value_uint(general_pages));
		if (smart.data.at)
			row_set(row, "smart_pages", value_uint(smart_pages));
	}
}
