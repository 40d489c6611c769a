/*
 * The walkers, sense data and CDBs alone: no decoder, so that each run is short.
 * The first byte picks one; the rest is what it walks over. What a walker gives
 * lies in what it was given, and it gets on.
 */
#include "fuzz.h"

#include "assay/command.h"
#include "assay/decoder.h"

static void within(struct bytes part, size_t offset, struct bytes whole)
{
	if (offset > whole.len || part.len > whole.len - offset || part.at != whole.at + offset)
		abort();
}

static void log_page(struct bytes data)
{
	struct page page = { .id = { .kind = PAGE_LOG }, .data = data };
	struct log_parameter parameter;
	uint64_t value;

	for (size_t at = 4, before = 0; log_parameter_next(&page, &at, &parameter); before = at) {
		within(parameter.data, parameter.offset, data);
		if (at <= before || at != parameter.offset + parameter.data.len)
			abort();
		log_parameter_uint(&parameter, &value);
		if (!log_parameter_find(&page, parameter.code, &parameter))
			abort();
	}
}

static void mode_pages(struct bytes data)
{
	struct record record = {
		.page = { .kind = PAGE_MODE }, .cdb_len = 10, .data = bytes_cut(data, 1, SIZE_MAX)
	};
	struct page page;

	record.cdb[0] = bytes_u8(data, 0) & 1 ? 0x5a : 0x1a;
	struct bytes descriptors = mode_block_descriptors(&record);

	if (descriptors.len)
		within(descriptors, record.cdb[0] == 0x5a ? 8 : 4, record.data);
	for (size_t at = 0, before = 0; mode_page_next(&record, &at, &page); before = at) {
		within(page.data, page.offset, record.data);
		if (at <= before)
			abort();
	}
}

static void designators(struct bytes data)
{
	struct designator designator;

	for (size_t at = 0, before = 0; designator_next(data, &at, &designator); before = at) {
		within(designator.data, designator.offset, data);
		if (at <= before)
			abort();
	}
}

static void ata_sectors(struct bytes data)
{
	enum { SECTOR = 512 };
	struct page page = { .id = { .kind = PAGE_SMART_DATA }, .data = data };
	struct page thresholds = { .data = bytes_cut(data, SECTOR, SIZE_MAX) };
	struct statistic statistic;
	struct attribute attribute;
	char text[64];

	for (size_t at = 0; at <= data.len; at += 8)
		if (statistic_get(&page, at, &statistic))
			within(statistic.raw, statistic.offset, data);
	for (size_t slot = 0; slot < 32; slot++)
		if (attribute_get(&page, &thresholds, slot, &attribute))
			within(attribute.bytes, attribute.offset, data);
	if (data.len)
		page_checksum(&page, NULL);
	if (bytes_text(data, bytes_u8(data, 0) & 1, text, sizeof(text)) >= sizeof(text))
		abort();
}

/* One record: 0 kind of page  1 page  2 subpage and control  3 opcode of MODE SENSE
 * and the kind that is asked for; then its data. */
static void whole_page(struct bytes data)
{
	enum { KINDS = PAGE_ATA_OTHER + 1 };
	uint8_t more = bytes_u8(data, 2), how = bytes_u8(data, 3);
	struct page_id id = { .kind = (enum page_kind)(bytes_u8(data, 0) % KINDS),
		.page = bytes_u8(data, 1),
		.sub = more >> 2,
		.control = more & 3 };
	struct record record = { .page = id, .data = bytes_cut(data, 4, SIZE_MAX) };
	struct capture capture = { .records = &record, .record_count = 1 };
	size_t length;

	record.cdb[0] = how & 1 ? 0x5a : 0x1a;
	record_header(&record, &length);
	if (how & 2)
		id.sub++;
	if (how & 4)
		id.kind = PAGE_ATA_IDENTIFY;
	if (how & 8)
		id.kind = PAGE_ATA_LOG;
	struct page page = page_get(&capture, NULL, id);

	if (page.data.at)
		within(page.data, page.offset, record.data);
}

static void sense_data(struct bytes data)
{
	struct ata_registers registers;
	struct sense sense;
	char text[256];

	if (sense_read(data, &sense)) {
		if (!*power_state_of_sense(&sense) || sense.progress > UINT16_MAX)
			abort();
		additional_sense_text(sense.asc, sense.ascq, text, sizeof(text));
	}
	if (ata_registers_of_sense(data, &registers) && !*power_state_of_count(registers.count))
		abort();
	if (!*sense_text(data, text, sizeof(text)))
		abort();
}

/* A CDB that is built for a page asks for that page. */
static void command(struct bytes data)
{
	uint8_t cdb[CDB_MAX] = { 0 };
	size_t len = data.len < CDB_MAX ? data.len : CDB_MAX;
	char text[96];

	if (len)
		memcpy(cdb, data.at, len);
	struct page_id id = page_of_cdb(cdb, len);

	if (!*page_name(id, text, sizeof(text)) || !*page_command(id))
		abort();
	for (unsigned shorter = 0; shorter < 2; shorter++) {
		struct cdb built = cdb_of_page(id, 512, shorter);

		if (built.len && !page_same(page_of_cdb(built.bytes, built.len), id))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const walks[])(struct bytes) = { log_page, mode_pages, designators,
		ata_sectors, whole_page, sense_data, command };
	struct bytes input = { data, size };

	if (size)
		walks[data[0] % ARRAY_LEN(walks)](bytes_cut(input, 1, SIZE_MAX));
	return 0;
}
