/*
 * What tells that a drive shows less than it has: native addresses (ATA HPA,
 * Accessible Max Address) and mode parameter block descriptors (SBC-4 6.5.2).
 */
#include "assay/command.h"

#include "capacity.h"
#include "place.h"

/* The commands whose registers hold the last native address. */
static const struct native {
	uint8_t command;
	uint16_t feature;
	bool extended; /* 48 bits; else 28, the upper 4 in Device */
} natives[] = {
	{ 0x78, 0x0000, true },  /* GET NATIVE MAX ADDRESS EXT */
	{ 0x27, 0x0000, true },  /* READ NATIVE MAX ADDRESS EXT */
	{ 0xf8, 0x0000, false }, /* READ NATIVE MAX ADDRESS */
};

static void add_native(
	const struct record *record, bool extended, uint8_t rank, struct facts *facts)
{
	enum { ERROR_OR_FAULT = 0x21, SATURATED = 0xfffffff };
	struct ata_registers registers;

	if (!record || !record_is_good(record) ||
		!ata_registers_of_sense(record->sense, &registers) ||
		(registers.status & ERROR_OR_FAULT) || registers.upper_lost)
		return;
	uint64_t last = registers.lba;

	if (!extended)
		last = (last & 0xffffff) | (uint64_t)(registers.device & 15) << 24;
	if (!last || (!extended && last == SATURATED))
		return;
	facts_add(facts, decoder_key("capacity.native_block_count"), value_uint(last + 1),
		FACT_KNOWN, source_page(record->page, 0, record->sense), rank);
}

/* A mode parameter block descriptor that tells a number of blocks. */
struct descriptor {
	struct bytes raw;
	uint64_t blocks, block_bytes;
	size_t offset;
};

static bool descriptor_read(const struct record *record, struct descriptor *descriptor)
{
	enum { SHORT_LEN = 8, LONG_LEN = 16, TOO_LARGE = 0xffffffff };
	struct bytes list = mode_block_descriptors(record);
	bool ten = record->cdb[0] == 0x5a;
	bool long_lba = ten && (bytes_u8(record->data, 4) & 1);
	size_t len = long_lba ? LONG_LEN : SHORT_LEN;

	*descriptor = (struct descriptor) { .raw = bytes_cut(list, 0, len), .offset = ten ? 8 : 4 };
	if (descriptor->raw.len < len)
		return false;
	descriptor->blocks = long_lba ? bytes_be64(list, 0) : bytes_be32(list, 0);
	descriptor->block_bytes = long_lba ? bytes_be32(list, 12) : bytes_be32(list, 4) & 0xffffff;
	return descriptor->blocks && (long_lba || descriptor->blocks != TOO_LARGE);
}

/* The descriptor of that page control, of the first answer that has one. */
static const struct record *descriptor_find(
	const struct capture *capture, uint8_t control, struct descriptor *descriptor)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (record->page.kind == PAGE_MODE && record->page.control == control &&
			descriptor_read(record, descriptor))
			return record;
	}
	return NULL;
}

static void add_descriptors(const struct capture *capture, struct facts *facts)
{
	static const struct {
		uint8_t control;
		const char *key;
	} controls[] = {
		{ 0, "capacity.mode_block_count" },
		{ 2, "capacity.default_block_count" },
		{ 3, "capacity.saved_block_count" },
	};
	struct descriptor descriptor;
	uint64_t block_bytes;

	for (size_t i = 0; i < ARRAY_LEN(controls); i++) {
		const struct record *record = descriptor_find(
			capture, controls[i].control, &descriptor);

		if (!record || !facts_uint(facts, "capacity.logical_block_bytes", &block_bytes) ||
			block_bytes != descriptor.block_bytes)
			continue;
		facts_add(facts, decoder_key(controls[i].key), value_uint(descriptor.blocks),
			FACT_KNOWN, source_page(record->page, descriptor.offset, descriptor.raw),
			0);
	}
}

void clipping_decode(const struct capture *capture, struct facts *facts)
{
	static const char *const more[] = { "capacity.native_block_count",
		"capacity.mode_block_count", "capacity.default_block_count",
		"capacity.saved_block_count" };
	uint64_t accessible, blocks, most = 0;
	const char *which = NULL;

	for (size_t i = 0; i < ARRAY_LEN(natives); i++)
		add_native(capture_find(capture,
				   (struct page_id) { .kind = PAGE_ATA_OTHER,
					   .page = natives[i].command,
					   .sub = natives[i].feature }),
			natives[i].extended, (uint8_t)i, facts);
	add_descriptors(capture, facts);
	for (size_t i = 0; i < ARRAY_LEN(more); i++)
		if (facts_uint(facts, more[i], &blocks) && blocks > most) {
			most = blocks;
			which = more[i];
		}
	if (which && facts_uint(facts, "capacity.block_count", &accessible))
		facts_add(facts, decoder_key("capacity.clipped"), value_flag(most > accessible),
			FACT_KNOWN,
			source_derived(facts_printf(facts, "%s > capacity.block_count", which)), 0);
}
