/*
 * Size, block sizes and what becomes of trimmed blocks: SBC-4 (READ CAPACITY,
 * VPD pages B0h, B1h, B2h, B4h, B6h), ACS-4 7.12 (IDENTIFY DEVICE).
 */
#include "capacity.h"
#include "place.h"

static const struct key keys[] = {
	{ "capacity.bytes", "Capacity", UNIT_BYTES, .agreement = AGREE_EXACT },
	{ "capacity.block_count", "Logical blocks", UNIT_BLOCKS, .agreement = AGREE_EXACT,
		.detail = true },
	{ "capacity.logical_block_bytes", "Logical block", UNIT_BYTES, .agreement = AGREE_EXACT },
	{ "capacity.physical_block_bytes", "Physical block", UNIT_BYTES, .agreement = AGREE_EXACT },
	{ "capacity.sector_format", .label = "Sector format" },
	{ "capacity.lowest_aligned_block", "Lowest aligned logical block", UNIT_BLOCKS,
		.agreement = AGREE_EXACT, .detail = true },
	{ "capacity.clipped", .label = "Capacity is clipped" },
	{ "capacity.native_block_count", "Logical blocks, native", UNIT_BLOCKS, .detail = true },
	{ "capacity.mode_block_count", "Logical blocks, mode parameters", UNIT_BLOCKS,
		.detail = true },
	{ "capacity.default_block_count", "Logical blocks, default", UNIT_BLOCKS, .detail = true },
	{ "capacity.saved_block_count", "Logical blocks, saved", UNIT_BLOCKS, .detail = true },
	{ "capacity.hpa_supported", .label = "Host protected area", .detail = true },
	{ "capacity.accessible_max_supported", .label = "Accessible max address configuration",
		.detail = true },
	{ "capacity.provisioning", .label = "Provisioning" },
	{ "capacity.provisioning_managed", .label = "Provisioning management", .detail = true },
	{ "capacity.provisioned_used_bytes", "Backed by the drive", UNIT_BYTES, .detail = true },
	{ "capacity.provisioned_available_bytes", "Room to be backed", .unit = UNIT_BYTES },
	{ "capacity.provisioned_available_percent", "Room left", .unit = UNIT_PERCENT },
	{ "capacity.trim_supported", .label = "TRIM, UNMAP" },
	{ "capacity.trim_deterministic", .label = "Trimmed blocks read always the same",
		.detail = true },
	{ "capacity.trim_reads_zero", .label = "Trimmed blocks read as zeros" },
	{ "capacity.write_same_unmap", .label = "UNMAP by WRITE SAME(16)", .detail = true },
	{ "capacity.anchor_supported", .label = "Anchored blocks", .detail = true },
	{ "capacity.zoned", .label = "Zoned" },
	{ "capacity.max_open_zone_count", "Open zones, at most", UNIT_COUNT, .detail = true },
	{ "capacity.optimal_granularity_blocks", "Transfer granularity, optimal", UNIT_BLOCKS,
		.detail = true },
	{ "capacity.max_transfer_blocks", "Transfer, at most", UNIT_BLOCKS, .detail = true },
	{ "capacity.optimal_transfer_blocks", "Transfer, optimal", UNIT_BLOCKS, .detail = true },
	{ "capacity.max_unmap_blocks", "UNMAP, at most", UNIT_BLOCKS, .detail = true },
	{ "capacity.max_unmap_descriptor_count", "UNMAP descriptors, at most", UNIT_COUNT,
		.detail = true },
	{ "capacity.unmap_granularity_blocks", "UNMAP granularity, optimal", UNIT_BLOCKS,
		.detail = true },
	{ "capacity.unmap_alignment_blocks", "UNMAP alignment", UNIT_BLOCKS, .detail = true },
	{ "capacity.max_trim_list_bytes", "TRIM list, at most", UNIT_BYTES, .detail = true },
	{ "capacity.max_write_same_blocks", "WRITE SAME, at most", UNIT_BLOCKS, .detail = true },
	{ "capacity.max_atomic_blocks", "Atomic write, at most", UNIT_BLOCKS, .detail = true },
	{ "capacity.atomic_alignment_blocks", "Atomic write alignment", UNIT_BLOCKS,
		.detail = true },
	{ "capacity.atomic_granularity_blocks", "Atomic write granularity", UNIT_BLOCKS,
		.detail = true },
	{ "capacity.max_bounded_atomic_blocks", "Atomic write with boundary, at most", UNIT_BLOCKS,
		.detail = true },
	{ "capacity.max_atomic_boundary_blocks", "Atomic boundary, at most", UNIT_BLOCKS,
		.detail = true },
};

/* SBC-4 6.6.4 */
static const struct condition alignment_valid[] = { { 32, 1, 0x80, 0x80 }, { 0 } };
static const struct field block_limits[] = {
	{ "capacity.optimal_granularity_blocks", .at = 6, .width = 2, .unknown = UNKNOWN_ZERO },
	{ "capacity.max_transfer_blocks", .at = 8, .width = 4, .unknown = UNKNOWN_ZERO },
	{ "capacity.optimal_transfer_blocks", .at = 12, .width = 4,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "capacity.max_unmap_blocks", .at = 20, .width = 4, .unknown = UNKNOWN_ONES },
	{ "capacity.max_unmap_descriptor_count", .at = 24, .width = 4, .unknown = UNKNOWN_ONES },
	{ "capacity.unmap_granularity_blocks", .at = 28, .width = 4, .unknown = UNKNOWN_ZERO },
	{ "capacity.unmap_alignment_blocks", .at = 32, .width = 4, .bits = 31,
		.when = alignment_valid },
	{ "capacity.max_write_same_blocks", .at = 36, .width = 8, .unknown = UNKNOWN_ZERO },
	{ "capacity.max_atomic_blocks", .at = 44, .width = 4 },
	{ "capacity.atomic_alignment_blocks", .at = 48, .width = 4 },
	{ "capacity.atomic_granularity_blocks", .at = 52, .width = 4 },
	{ "capacity.max_bounded_atomic_blocks", .at = 56, .width = 4 },
	{ "capacity.max_atomic_boundary_blocks", .at = 60, .width = 4 },
};

/* SBC-4 6.6.2; 0 is "not reported" and stays out. */
static const struct word zone_models[] = {
	{ 1, "host-aware" },
	{ 2, "device-managed" },
	{ 0 },
};
static const struct condition scsi_host_aware[] = { { 8, 1, 0x30, 0x10 }, { 0 } };
static const struct condition scsi_device_managed[] = { { 8, 1, 0x30, 0x20 }, { 0 } };
static const struct field characteristics[] = {
	{ "capacity.zoned", .at = 8, .width = 1, .low_bit = 4, .bits = 2, .format = FORMAT_ENUM,
		.words = zone_models, .rank = 1, .when = scsi_host_aware },
	{ "capacity.zoned", .at = 8, .width = 1, .low_bit = 4, .bits = 2, .format = FORMAT_ENUM,
		.words = zone_models, .rank = 1, .when = scsi_device_managed },
};

/* SPC-5 6.7.2 */
static const struct word zoned_types[] = { { 0x14, "host-managed" }, { 0 } };
static const struct condition host_managed[] = { { 0, 1, 0x1f, 0x14 }, { 0 } };
static const struct field inquiry_fields[] = {
	{ "capacity.zoned", .at = 0, .width = 1, .bits = 5, .format = FORMAT_ENUM,
		.words = zoned_types, .when = host_managed },
};

/* SBC-4 6.6.6. LBPRZ was one bit in SBC-3: xx1b means zeros. */
static const struct condition zeros[] = { { 5, 1, 0x04, 0x04 }, { 0 } };
static const struct condition pattern[] = { { 5, 1, 0x1c, 0x08 }, { 0 } };
static const struct condition unspecified[] = { { 5, 1, 0x9c, 0x80 }, { 0 } };
static const struct field provisioning_fields[] = {
	{ "capacity.trim_supported", .at = 5, .width = 1, .low_bit = 7, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1 },
	{ "capacity.write_same_unmap", .at = 5, .width = 1, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG },
	{ "capacity.trim_reads_zero", .at = 5, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1, .when = zeros },
	{ "capacity.trim_reads_zero", .at = 5, .width = 1, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG_NOT, .rank = 1, .when = pattern },
	{ "capacity.trim_reads_zero", .at = 5, .width = 1, .low_bit = 2, .bits = 3,
		.unknown = UNKNOWN_ZERO, .rank = 1, .when = unspecified },
	{ "capacity.anchor_supported", .at = 5, .width = 1, .low_bit = 1, .bits = 1,
		.format = FORMAT_FLAG },
};

/* ZBC-2 6.5.2 */
static const struct field zoned_fields[] = {
	{ "capacity.max_open_zone_count", .at = 16, .width = 4, .unknown = UNKNOWN_ONES },
};

/* SBC-4 5.16.2: LBPRZ means something only with LBPME. */
static const struct condition managed[] = { { 14, 1, 0x80, 0x80 }, { 0 } };
static const struct field capacity_16[] = {
	{ "capacity.provisioning_managed", .at = 14, .width = 1, .low_bit = 7, .bits = 1,
		.format = FORMAT_FLAG },
	{ "capacity.trim_reads_zero", .at = 14, .width = 1, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG, .rank = 2, .when = managed },
	{ "capacity.lowest_aligned_block", .at = 14, .width = 2, .bits = 14, .rank = 1 },
};

/* ACS-4 7.12.7 */
static const struct condition features_valid[] = { IDENTIFY_SIGNED(83), { 0 } };
static const struct condition features_119_valid[] = { IDENTIFY_SIGNED(83),
	{ 2 * 86, 2, 0x8000, 0x8000 }, IDENTIFY_SIGNED(119), { 0 } };
static const struct condition trim[] = { { 2 * 169, 2, 1, 1 }, { 0 } };
static const struct condition deterministic_trim[] = { { 2 * 169, 2, 1, 1 },
	{ 2 * 69, 2, 0x4000, 0x4000 }, { 0 } };
static const struct condition ata_host_aware[] = { { 2 * 69, 2, 3, 1 }, { 0 } };
static const struct condition ata_device_managed[] = { { 2 * 69, 2, 3, 2 }, { 0 } };
static const struct field identify_fields[] = {
	{ "capacity.zoned", .at = 2 * 69, .width = 2, .bits = 2, .format = FORMAT_ENUM,
		.words = zone_models, .when = ata_host_aware },
	{ "capacity.zoned", .at = 2 * 69, .width = 2, .bits = 2, .format = FORMAT_ENUM,
		.words = zone_models, .when = ata_device_managed },
	{ "capacity.trim_deterministic", .at = 2 * 69, .width = 2, .low_bit = 14, .bits = 1,
		.format = FORMAT_FLAG, .when = trim },
	{ "capacity.trim_reads_zero", .at = 2 * 69, .width = 2, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG, .when = deterministic_trim },
	{ "capacity.hpa_supported", .at = 2 * 82, .width = 2, .low_bit = 10, .bits = 1,
		.format = FORMAT_FLAG, .when = features_valid },
	{ "capacity.max_trim_list_bytes", .at = 2 * 105, .width = 2, .multiply = 512,
		.unknown = UNKNOWN_ZERO, .when = trim },
	{ "capacity.accessible_max_supported", .at = 2 * 119, .width = 2, .low_bit = 8, .bits = 1,
		.format = FORMAT_FLAG, .when = features_119_valid },
	{ "capacity.trim_supported", .at = 2 * 169, .width = 2, .bits = 1, .format = FORMAT_FLAG },
};

/* ACS-4 9.11.4: sizes in words */
static const struct condition sector_size_valid[] = {
	{ 16, 8, UINT64_C(1) << 63 | UINT64_C(1) << 61, UINT64_C(1) << 63 | UINT64_C(1) << 61 },
	{ 0 }
};
static const struct field capacity_log[] = {
	{ "capacity.block_count", .at = 8, .width = 8, .bits = 48, .unknown = UNKNOWN_ZERO,
		.rank = 3 },
	{ "capacity.logical_block_bytes", .at = 24, .width = 4, .multiply = 2,
		.unknown = UNKNOWN_ZERO, .rank = 3, .when = sector_size_valid },
};

/* SBC-4 6.4.5.4 */
static const struct field provisioned_percent[] = {
	{ "capacity.provisioned_available_percent", .at = 4, .width = 2, .unknown = UNKNOWN_ONES },
};

static const struct layout layouts[] = {
	{ { PAGE_INQUIRY, 0, 0, 0 }, 0, inquiry_fields, ARRAY_LEN(inquiry_fields) },
	{ { PAGE_READ_CAPACITY_16, 0, 0, 0 }, 0, capacity_16, ARRAY_LEN(capacity_16) },
	{ { PAGE_VPD, 0xb0, 0, 0 }, 0, block_limits, ARRAY_LEN(block_limits) },
	{ { PAGE_VPD, 0xb1, 0, 0 }, 0, characteristics, ARRAY_LEN(characteristics) },
	{ { PAGE_VPD, 0xb2, 0, 0 }, 0, provisioning_fields, ARRAY_LEN(provisioning_fields) },
	{ { PAGE_VPD, 0xb6, 0, 0 }, 0, zoned_fields, ARRAY_LEN(zoned_fields) },
	{ { PAGE_LOG, 0x0c, 0, 1 }, 0x0003, provisioned_percent, ARRAY_LEN(provisioned_percent) },
	{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 0, identify_fields, ARRAY_LEN(identify_fields) },
	{ { PAGE_ATA_LOG, 0x30, 2, 0 }, 0, capacity_log, ARRAY_LEN(capacity_log) },
};

/* The sizes that one response tells. */
struct sizes {
	const struct page *page;
	struct place blocks_place, length_place, exponent_place;
	uint64_t blocks, block_bytes;
	unsigned exponent; /* 2^n logical blocks in a physical one */
	bool blocks_known;
};

static void add_sizes(const struct sizes *sizes, struct facts *facts)
{
	uint64_t bytes;
	bool overflow = __builtin_mul_overflow(sizes->blocks, sizes->block_bytes, &bytes);

	place_fact(facts, "capacity.block_count", value_uint(sizes->blocks),
		state_of(sizes->blocks_known, true), sizes->blocks_place);
	place_fact(facts, "capacity.logical_block_bytes", value_uint(sizes->block_bytes),
		state_of(sizes->block_bytes, true), sizes->length_place);
	if (sizes->block_bytes && sizes->exponent_place.page)
		place_fact(facts, "capacity.physical_block_bytes",
			value_uint(sizes->block_bytes << sizes->exponent), FACT_KNOWN,
			sizes->exponent_place);
	struct fact *fact = place_fact(facts, "capacity.bytes", value_uint(bytes),
		state_of(sizes->blocks_known && sizes->block_bytes && !overflow,
			!sizes->blocks_known || !sizes->block_bytes),
		sizes->blocks_place);

	fact->source.text = "logical blocks x logical block length";
}

/* READ CAPACITY of a host managed zoned drive may stop at its conventional zones. */
static bool is_whole_medium(const struct capture *capture, const struct page *page)
{
	enum { HOST_MANAGED = 0x14, BASIS = 0x30 };
	struct page inquiry = page_get(capture, NULL, (struct page_id) { .kind = PAGE_INQUIRY });

	return (bytes_u8(inquiry.data, 0) & 0x1f) != HOST_MANAGED ||
		(bytes_u8(page->data, 12) & BASIS);
}

static void add_read_capacity_16(const struct capture *capture, struct facts *facts)
{
	struct page page = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_READ_CAPACITY_16 });
	struct sizes sizes = {
		.page = &page,
		.blocks_place = { &page, 0, 8, 1 },
		.length_place = { &page, 8, 4, 1 },
		.exponent_place = { &page, 13, 1, 1 },
	};
	uint64_t last;

	if (!bytes_be(page.data, 0, 8, &last) || !bytes_be(page.data, 8, 4, &sizes.block_bytes))
		return;
	sizes.blocks_known = last != UINT64_MAX && is_whole_medium(capture, &page);
	sizes.blocks = last + 1;
	sizes.exponent = bytes_u8(page.data, 13) & 15;
	if (page.data.len < 14)
		sizes.exponent_place.page = NULL;
	add_sizes(&sizes, facts);
}

/* All ones mean "ask READ CAPACITY(16)". */
static void add_read_capacity_10(const struct capture *capture, struct facts *facts)
{
	enum { TOO_LARGE = 0xffffffff };
	struct page page = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_READ_CAPACITY_10 });
	struct sizes sizes = {
		.page = &page,
		.blocks_place = { &page, 0, 4, 2 },
		.length_place = { &page, 4, 4, 2 },
		.blocks_known = true,
	};
	uint64_t last;

	if (!bytes_be(page.data, 0, 4, &last) || !bytes_be(page.data, 4, 4, &sizes.block_bytes) ||
		last == TOO_LARGE)
		return;
	sizes.blocks = last + 1;
	add_sizes(&sizes, facts);
}

static bool identify_has(const struct page *identify, unsigned word, uint16_t mask, uint16_t equals)
{
	return (word_value(identify, word) & mask) == equals;
}

/* ACS-4 7.12.7: of three counts the widest that is there. */
static void identify_blocks(const struct page *identify, struct sizes *sizes)
{
	enum { WORD_28 = 60, WORD_48 = 100, WORD_EXTENDED = 230, RANK = 0 };
	uint64_t extended = bytes_le64(identify->data, word_at(WORD_EXTENDED));
	uint64_t wide = bytes_le48(identify->data, word_at(WORD_48));

	if (identify_has(identify, 69, 1 << 3, 1 << 3) && extended) {
		sizes->blocks = extended;
		sizes->blocks_place = (struct place) { identify, word_at(WORD_EXTENDED), 8, RANK };
	} else if (identify_has(identify, 83, 0xc400, 0x4400) && wide) {
		sizes->blocks = wide;
		sizes->blocks_place = (struct place) { identify, word_at(WORD_48), 8, RANK };
	} else {
		sizes->blocks = bytes_le32(identify->data, word_at(WORD_28));
		sizes->blocks_place = (struct place) { identify, word_at(WORD_28), 4, RANK };
	}
	sizes->blocks_known = sizes->blocks != 0;
}

/* Word 106 says whether blocks are longer than 256 words, words 117-118 how long. */
static void identify_block_sizes(const struct page *identify, struct sizes *sizes)
{
	enum { WORD_SIZES = 106, WORD_LENGTH = 117, PLAIN = 512 };
	bool longer = identify_has(identify, WORD_SIZES, 0xd000, 0x5000);
	bool several = identify_has(identify, WORD_SIZES, 0xe000, 0x6000);

	sizes->length_place = (struct place) { identify, word_at(WORD_SIZES), 2, 0 };
	sizes->exponent_place = sizes->length_place;
	sizes->block_bytes = PLAIN;
	if (longer) {
		sizes->length_place = (struct place) { identify, word_at(WORD_LENGTH), 4, 0 };
		sizes->block_bytes = 2 * (uint64_t)bytes_le32(identify->data, word_at(WORD_LENGTH));
	}
	if (several)
		sizes->exponent = word_value(identify, WORD_SIZES) & 15;
}

/* Word 209 has the place of block 0 in its physical block; SCSI asks for the
 * first block that begins one. */
static void add_identify_alignment(const struct sizes *sizes, struct facts *facts)
{
	enum { WORD = 209 };
	const struct page *identify = sizes->page;
	unsigned raw = word_value(identify, WORD);
	unsigned blocks = 1u << sizes->exponent, offset = raw & 0x3fff;

	if (raw >> 14 == 1 && identify_has(identify, 106, 0xe000, 0x6000))
		place_fact(facts, "capacity.lowest_aligned_block",
			value_uint((blocks - offset) % blocks), state_of(offset < blocks, false),
			(struct place) { identify, word_at(WORD), 2, 0 });
}

static void add_identify(const struct capture *capture, struct facts *facts)
{
	struct page page = page_get(capture, facts, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	struct sizes sizes = { .page = &page };

	if (!page.data.at)
		return;
	identify_blocks(&page, &sizes);
	identify_block_sizes(&page, &sizes);
	add_sizes(&sizes, facts);
	add_identify_alignment(&sizes, facts);
}

/* Block lengths that are no power of two carry bytes of an array controller. */
static void add_sector_format(struct facts *facts)
{
	uint64_t logical, physical;
	const char *format = NULL;

	if (!facts_uint(facts, "capacity.logical_block_bytes", &logical))
		return;
	bool told = facts_uint(facts, "capacity.physical_block_bytes", &physical);

	if (logical == 4096)
		format = "4Kn";
	else if (logical == 512 && told)
		format = physical > 512 ? "512e" : "512n";
	else if (logical & (logical - 1))
		format = facts_printf(facts, "fat, %llu bytes", (unsigned long long)logical);
	if (format)
		facts_add(facts, decoder_key("capacity.sector_format"), value_text(format),
			FACT_KNOWN,
			source_derived("capacity.logical_block_bytes and .physical_block_bytes"),
			0);
}

static void extra(const struct capture *capture, struct facts *facts)
{
	add_identify(capture, facts);
	add_read_capacity_16(capture, facts);
	add_read_capacity_10(capture, facts);
	provisioning_decode(capture, facts);
	add_sector_format(facts);
	clipping_decode(capture, facts);
	block_lengths_decode(capture, facts);
}

static const struct table *const tables[] = { &table_block_lengths };

const struct decoder decoder_capacity = {
	.name = "capacity",
	.title = "Capacity",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = extra,
};
