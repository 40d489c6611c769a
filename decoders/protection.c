/*
 * Protection information (T10 DIF) of the drive and of the host (DIX): SBC-4
 * 4.21, SPC-5 7.7.7 (VPD page 86h) and 7.5.10 (control mode page).
 */
#include "capacity.h"
#include "place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct key keys[] = {
	{ "protection.capable", .label = "Protection information" },
	{ "protection.types", .label = "Protection types" },
	{ "protection.type_now", .label = "Protection type, now" },
	{ "protection.interval_bytes", "Protection interval", .unit = UNIT_BYTES },
	{ "protection.intervals_per_block", "Intervals in a block", .unit = UNIT_COUNT,
		.detail = true },
	{ "protection.guard_check", .label = "Guard is checked" },
	{ "protection.application_check", .label = "Application tag is checked" },
	{ "protection.reference_check", .label = "Reference tag is checked" },
	{ "protection.no_check_supported", .label = "Escape from checks on writes",
		.detail = true },
	{ "protection.interval_supported", .label = "Several intervals in a block",
		.detail = true },
	{ "protection.application_tag_owner", .label = "Application tag belongs to",
		.detail = true },
	{ "protection.application_tag_mode_page", .label = "Application tag mode page",
		.detail = true },
	{ "protection.rejects_write_without_protection",
		.label = "Rejects writes without protection", .detail = true },
	{ "protection.zero_disables_check", .label = "RDPROTECT 0 switches checks off",
		.detail = true },
	{ "protection.host_dix", .label = "Host: DIX" },
	{ "protection.host_dif", .label = "Host: DIF types", .detail = true },
	{ "protection.host_guard", .label = "Host: guards", .detail = true },
	{ "protection.host_read_verify", .label = "Host: verifies reads", .detail = true },
	{ "protection.host_write_generate", .label = "Host: generates on writes", .detail = true },
};

/* SPC-5 6.7.2 */
static const struct field inquiry_fields[] = {
	{ "protection.capable", .at = 5, .width = 1, .bits = 1, .format = FORMAT_FLAG },
};

static const struct layout layouts[] = {
	{ { PAGE_INQUIRY, 0, 0, 0 }, 0, inquiry_fields, ARRAY_LEN(inquiry_fields) },
};

/* What follows means something only where INQUIRY says PROTECT. */
static const struct field extended_inquiry[] = {
	{ "protection.guard_check", .at = 4, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
	{ "protection.application_check", .at = 4, .width = 1, .low_bit = 1, .bits = 1,
		.format = FORMAT_FLAG },
	{ "protection.reference_check", .at = 4, .width = 1, .bits = 1, .format = FORMAT_FLAG },
	{ "protection.no_check_supported", .at = 7, .width = 1, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG },
	{ "protection.interval_supported", .at = 7, .width = 1, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG },
};

/* ATO: the tag is the application client's, else the device server may change it. */
static const struct word owners[] = {
	{ 0, "drive" },
	{ 1, "host" },
	{ 0 },
};
static const struct field control_page[] = {
	{ "protection.zero_disables_check", .at = 2, .width = 1, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG },
	{ "protection.application_tag_owner", .at = 5, .width = 1, .low_bit = 7, .bits = 1,
		.format = FORMAT_ENUM, .words = owners },
	{ "protection.application_tag_mode_page", .at = 5, .width = 1, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG },
	{ "protection.rejects_write_without_protection", .at = 5, .width = 1, .low_bit = 4,
		.bits = 1, .format = FORMAT_FLAG },
};

static const struct layout protected_layouts[] = {
	{ { PAGE_VPD, 0x86, 0, 0 }, 0, extended_inquiry, ARRAY_LEN(extended_inquiry) },
	{ { PAGE_MODE, 0x0a, 0, 0 }, 0, control_page, ARRAY_LEN(control_page) },
};

/* "1,3": the numbers of the bits that are set, where bit 0 is `first`; or "none". */
static const char *list_of(unsigned bits, unsigned first, unsigned count, struct facts *facts)
{
	char text[32] = "";

	for (unsigned i = 0; i < count; i++) {
		size_t len = strlen(text);

		if (bits >> i & 1)
			snprintf(text + len, sizeof(text) - len, "%s%u", len ? "," : "", first + i);
	}
	return *text ? facts_printf(facts, "%s", text) : "none";
}

/* The types for the block length that the drive has now, else for any. */
static unsigned types_of_lengths(const struct capture *capture, const struct facts *facts)
{
	struct page page = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_VPD, .page = 0xb4 });
	struct block_length length;
	unsigned any = 0;
	uint64_t now = 0;
	size_t offset = 4;

	facts_uint(facts, "capacity.logical_block_bytes", &now);
	while (block_length_next(&page, &offset, &length)) {
		unsigned types = (unsigned)length.types[1] | (unsigned)length.types[2] << 1 |
			(unsigned)length.types[3] << 2;

		if (length.bytes == now)
			return types;
		any |= types;
	}
	return any;
}

/* SPT is a set of types; 6 refers to VPD page B4h. */
static void add_types(const struct capture *capture, struct facts *facts)
{
	enum { IN_LENGTHS = 6 };
	static const uint8_t sets[] = { 1, 3, 2, 5, 4, 6, 0, 7 }; /* bit 0 is type 1 */
	struct page page = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_VPD, .page = 0x86 });
	unsigned spt = bytes_u8(page.data, 4) >> 3 & 7, types = sets[spt];

	if (page.data.len <= 4)
		return;
	if (spt == IN_LENGTHS)
		types = types_of_lengths(capture, facts);
	struct fact *fact = place_fact(facts, "protection.types",
		value_text(list_of(types, 1, 3, facts)), state_of(types, true),
		(struct place) { &page, 4, 1, 0 });

	if (spt == IN_LENGTHS)
		fact->source.text = "types of VPD page B4h";
}

static void add_protected(const struct capture *capture, struct facts *facts)
{
	bool capable;

	if (!facts_flag(facts, "protection.capable", &capable) || !capable)
		return;
	for (size_t i = 0; i < ARRAY_LEN(protected_layouts); i++) {
		const struct layout *layout = &protected_layouts[i];
		struct page page = page_get(capture, facts, layout->page);

		fields_decode(&page, layout->fields, layout->field_count, facts);
	}
	add_types(capture, facts);
}

/* SBC-4 4.21.2: an interval is a whole and even number of bytes. */
static void add_interval(const struct page *page, struct facts *facts)
{
	unsigned exponent = bytes_u8(page->data, 13) >> 4;
	uint64_t block_bytes = bytes_be32(page->data, 8);
	uint64_t interval = block_bytes >> exponent;
	bool valid = interval && interval % 2 == 0 && interval << exponent == block_bytes;
	struct place place = { page, 13, 1, 0 };

	place_fact(facts, "protection.intervals_per_block", value_uint(1u << exponent), FACT_KNOWN,
		place);
	struct fact *fact = place_fact(facts, "protection.interval_bytes", value_uint(interval),
		state_of(valid, false), place);

	fact->source.text = "logical block length / 2^P_I_EXPONENT";
}

/* SBC-4 5.16.2: P_TYPE is the type less one, and means nothing without PROT_EN. */
static void add_type_now(const struct capture *capture, struct facts *facts)
{
	enum { PROT_EN = 1, TYPE_MAX = 3 };
	struct page page = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_READ_CAPACITY_16 });
	unsigned flags = bytes_u8(page.data, 12), type = flags & PROT_EN ? (flags >> 1 & 7) + 1 : 0;
	struct place place = { &page, 12, 1, 0 };

	if (page.data.len < 14)
		return;
	place_fact(facts, "protection.type_now", value_uint(type),
		state_of(type <= TYPE_MAX, false), place);
	if (!type)
		return;
	add_interval(&page, facts);
	if (type == 1 && bytes_u8(page.data, 13) >> 4) {
		struct source source = place_source(place);

		facts_note(facts, &source,
			"protection type 1 with several intervals in a block, which cannot be");
	}
}

/* ---- The host: Linux' block layer and SCSI adapter ---- */

/* include/scsi/scsi_host.h of Linux: DIF types 1 to 3 in bits 0 to 2, DIX types
 * 0 to 3 in bits 3 to 6. */
static void add_adapter(const struct capture *capture, struct facts *facts)
{
	static const char name[] = "host_prot_capabilities";
	const char *text = capture_host_value(capture, name);
	char *end = NULL;
	unsigned long bits = text ? strtoul(text, &end, 0) : 0;

	if (!text || end == text)
		return;
	facts_add(facts, decoder_key("protection.host_dif"),
		value_text(list_of((unsigned)bits & 7, 1, 3, facts)), FACT_KNOWN, source_host(name),
		0);
	unsigned dix = (unsigned)bits >> 3 & 15;
	const char *types = list_of(dix, 0, 4, facts);

	facts_add(facts, decoder_key("protection.host_dix"),
		value_text(dix ? facts_printf(facts, "types %s", types) : types), FACT_KNOWN,
		source_host(name), 1);
}

static void add_guards(const struct capture *capture, struct facts *facts)
{
	static const char name[] = "host_prot_guard_type";
	static const char *const guards[] = { "none", "crc", "ip", "crc,ip" };
	const char *text = capture_host_value(capture, name);
	unsigned long bits = text ? strtoul(text, NULL, 0) : ARRAY_LEN(guards);

	if (bits < ARRAY_LEN(guards))
		facts_add(facts, decoder_key("protection.host_guard"), value_text(guards[bits]),
			FACT_KNOWN, source_host(name), 0);
}

/* The block layer's profile of this drive: what it does, where the adapter only can. */
static void add_profile(const struct capture *capture, struct facts *facts)
{
	static const struct {
		const char *host, *key;
	} flags[] = {
		{ "integrity.read_verify", "protection.host_read_verify" },
		{ "integrity.write_generate", "protection.host_write_generate" },
	};
	const char *format = capture_host_value(capture, "integrity.format");

	if (format)
		facts_add(facts, decoder_key("protection.host_dix"), value_text(format), FACT_KNOWN,
			source_host("integrity.format"), 0);
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		const char *text = capture_host_value(capture, flags[i].host);

		if (text)
			facts_add(facts, decoder_key(flags[i].key), value_flag(strcmp(text, "0")),
				FACT_KNOWN, source_host(flags[i].host), 0);
	}
}

static void extra(const struct capture *capture, struct facts *facts)
{
	add_protected(capture, facts);
	add_type_now(capture, facts);
	add_adapter(capture, facts);
	add_guards(capture, facts);
	add_profile(capture, facts);
}

const struct decoder decoder_protection = {
	.name = "protection",
	.title = "Protection information",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.extra = extra,
};
