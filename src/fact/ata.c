/* ATA structures: ACS-4 9 (logs), the SMART attributes of ATA/ATAPI-4 to -7. */
#include "fact/walk.h"

#include <string.h>

enum { SECTOR = 512 };
enum { ATTRIBUTE_LEN = 12, ATTRIBUTE_SLOTS = 30, ATTRIBUTES_AT = 2 };
enum { STATISTIC_SUPPORTED = 0x80, STATISTIC_VALID = 0x40 };

static bool in_record(const struct record *record, enum page_kind kind, uint8_t log,
	uint16_t number, struct page *page)
{
	if (record->page.kind != kind || record->page.page != log || record->page.sub > number)
		return false;
	size_t offset = (size_t)(number - record->page.sub) * SECTOR;
	struct bytes data = bytes_cut(record->data, offset, SECTOR);

	/* All ones are what an erased or absent medium reads as: no log begins so. */
	if (data.len < SECTOR || !record_is_good(record) || bytes_all(data, 0xff))
		return false;
	*page = (struct page) { .id = record->page, .data = data, .offset = offset };
	page->id.sub = number;
	return true;
}

/* ACS-4 9.11: but for the copy of IDENTIFY, pages of that log have their number in byte 2. A
 * bridge that answers with another page is not believed. */
static bool answers_for_another(const struct page *page, uint8_t log, uint16_t number)
{
	return log == 0x30 && number > 1 && bytes_u8(page->data, 2) != number;
}

struct page page_ata_log(const struct capture *capture, uint8_t log, uint16_t number)
{
	static const enum page_kind routes[] = { PAGE_ATA_LOG, PAGE_SMART_LOG };
	struct page page = { 0 };

	for (size_t r = 0; r < ARRAY_LEN(routes); r++)
		for (size_t i = 0; i < capture->record_count; i++) {
			if (!in_record(&capture->records[i], routes[r], log, number, &page))
				continue;
			if (answers_for_another(&page, log, number))
				page = (struct page) { 0 };
			return page;
		}
	return page;
}

bool page_checksum(const struct page *page, struct facts *facts)
{
	size_t at = page->data.len - 1;
	char name[80];

	if (bytes_sum(page->data) == 0)
		return true;
	struct source source = source_page(
		page->id, page->offset + at, bytes_cut(page->data, at, 1));

	if (facts)
		facts_note(facts, &source, "%s: wrong checksum",
			page_name(page->id, name, sizeof(name)));
	return false;
}

static bool ata_is_refused(const struct capture *capture)
{
	bool refused = false;

	for (size_t i = 0; i < capture->record_count; i++) {
		if (!page_is_ata(capture->records[i].page))
			continue;
		if (record_is_good(&capture->records[i]))
			return false;
		refused = true;
	}
	return refused;
}

/* SAT-4 has every translator call itself ATA in INQUIRY: who does not, and refuses all ATA
 * commands, has a copy of some other drive's data. */
static bool copy_is_foreign(const struct capture *capture)
{
	const struct record *inquiry = capture_find(
		capture, (struct page_id) { .kind = PAGE_INQUIRY });
	char vendor[9];

	if (!inquiry || !record_is_good(inquiry) || !ata_is_refused(capture))
		return false;
	bytes_text(bytes_cut(inquiry->data, 8, 8), false, vendor, sizeof(vendor));
	return strcmp(vendor, "ATA") != 0;
}

struct page identify_get(const struct capture *capture)
{
	enum { VPD_COPY_AT = 60 };
	static const struct page_id ata = { .kind = PAGE_ATA_IDENTIFY };
	static const struct page_id vpd = { .kind = PAGE_VPD, .page = 0x89 };
	const struct record *record = capture_find(capture, ata);

	if (record && record_is_good(record) && record->data.len >= SECTOR)
		return (struct page) { .id = ata, .data = bytes_cut(record->data, 0, SECTOR) };
	if (copy_is_foreign(capture))
		return (struct page) { 0 };
	record = capture_find(capture, vpd);
	if (!record || !record_is_good(record) || bytes_u8(record->data, 1) != vpd.page)
		return (struct page) { 0 };
	struct bytes copy = bytes_cut(record->data, VPD_COPY_AT, SECTOR);

	if (copy.len < SECTOR || bytes_all(copy, 0))
		return (struct page) { 0 };
	return (struct page) { .id = vpd, .data = copy, .offset = VPD_COPY_AT };
}

bool statistic_get(const struct page *page, size_t at, struct statistic *statistic)
{
	struct bytes raw = bytes_cut(page->data, at, 8);

	if (raw.len < 8 || !(bytes_u8(raw, 7) & STATISTIC_SUPPORTED))
		return false;
	*statistic = (struct statistic) {
		.value = bytes_le64(raw, 0) & 0xffffffffffffff,
		.flags = bytes_u8(raw, 7),
		.valid = bytes_u8(raw, 7) & STATISTIC_VALID,
		.offset = page->offset + at,
		.raw = raw,
	};
	return true;
}

static struct bytes slot_of(const struct page *page, size_t slot)
{
	return bytes_cut(page->data, ATTRIBUTES_AT + slot * ATTRIBUTE_LEN, ATTRIBUTE_LEN);
}

/* Of the same slot where the ids are equal, since some drives repeat an id;
 * else of the first slot with that id. */
static int threshold_of(const struct page *thresholds, size_t slot, uint8_t id)
{
	struct bytes entry = slot_of(thresholds, slot);

	if (entry.len == ATTRIBUTE_LEN && bytes_u8(entry, 0) == id)
		return bytes_u8(entry, 1);
	for (size_t i = 0; i < ATTRIBUTE_SLOTS; i++) {
		entry = slot_of(thresholds, i);
		if (entry.len == ATTRIBUTE_LEN && bytes_u8(entry, 0) == id)
			return bytes_u8(entry, 1);
	}
	return -1;
}

bool attribute_get(const struct page *data, const struct page *thresholds, size_t slot,
	struct attribute *attribute)
{
	struct bytes entry = slot_of(data, slot);

	if (slot >= ATTRIBUTE_SLOTS || entry.len < ATTRIBUTE_LEN || bytes_u8(entry, 0) == 0)
		return false;
	*attribute = (struct attribute) {
		.id = bytes_u8(entry, 0),
		.flags = bytes_le16(entry, 1),
		.value = bytes_u8(entry, 3),
		.worst = bytes_u8(entry, 4),
		.raw = bytes_le48(entry, 5),
		.threshold = threshold_of(thresholds, slot, bytes_u8(entry, 0)),
		.bytes = entry,
		.offset = data->offset + ATTRIBUTES_AT + slot * ATTRIBUTE_LEN,
	};
	return true;
}
