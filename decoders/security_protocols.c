/*
 * SECURITY PROTOCOL IN: SPC-5 7.7 (protocol 00h), TCG Storage Architecture Core
 * 3.3.6 (protocol 01h, level 0 discovery).
 */
#include "security.h"
#include "place.h"

#include <stdio.h>
#include <string.h>

static const struct page_id protocol_list = { .kind = PAGE_SECURITY, .page = 0x00, .sub = 0x0000 };
static const struct page_id compliance = { .kind = PAGE_SECURITY, .page = 0x00, .sub = 0x0002 };
static const struct page_id discovery = { .kind = PAGE_SECURITY, .page = 0x01, .sub = 0x0001 };

static void append(char *text, size_t size, const char *separator, const char *word)
{
	size_t len = strlen(text);

	snprintf(text + len, size - len, "%s%s", len ? separator : "", word);
}

/* Bytes 6-7: length of the list of codes from byte 8. */
static void add_protocols(const struct capture *capture, struct facts *facts)
{
	enum { LIST_AT = 8, TCG_FIRST = 0x01, TCG_LAST = 0x06 };
	struct page page = page_get(capture, facts, protocol_list);
	struct bytes list = bytes_cut(page.data, LIST_AT, bytes_be16(page.data, 6));
	char text[4 * 256] = "", word[4];
	bool tcg = false;

	if (page.data.len < LIST_AT)
		return;
	for (size_t i = 0; i < list.len && i < 256; i++) {
		uint8_t code = bytes_u8(list, i);

		snprintf(word, sizeof(word), "%02Xh", code);
		append(text, sizeof(text), " ", word);
		tcg |= code >= TCG_FIRST && code <= TCG_LAST;
	}
	struct place place = { &page, LIST_AT, list.len, 0 };

	place_fact(facts, "security.protocols", value_text(text), FACT_KNOWN, place);
	place.rank = 1;
	place_fact(facts, "security.tcg_supported", value_flag(tcg), FACT_KNOWN, place);
}

/* ---- TCG level 0 discovery ---- */

static const struct {
	uint16_t code;
	const char *name; /* of the security subsystem class */
} features[] = {
	{ 0x0100, "Enterprise" },
	{ 0x0200, "Opal 1.0" },
	{ 0x0203, "Opal 2.0" },
	{ 0x0301, "Opalite" },
	{ 0x0302, "Pyrite 1.0" },
	{ 0x0303, "Pyrite 2.0" },
	{ 0x0304, "Ruby" },
	{ 0x0305, "Key per I/O" },
};

/* Byte 4 of the Locking feature descriptor */
static const struct field locking_fields[] = {
	{ "security.locking_supported", .at = 4, .width = 1, .bits = 1, .format = FORMAT_FLAG },
	{ "security.locking_enabled", .at = 4, .width = 1, .low_bit = 1, .bits = 1,
		.format = FORMAT_FLAG },
	{ "security.tcg_locked", .at = 4, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
	{ "security.media_encryption", .at = 4, .width = 1, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG },
	{ "security.shadow_mbr_enabled", .at = 4, .width = 1, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG },
};

struct feature {
	uint16_t code;
	struct bytes data;
	size_t offset;
};

static bool feature_next(const struct page *page, size_t *offset, struct feature *feature)
{
	size_t len = 4 + (size_t)bytes_u8(page->data, *offset + 3);
	struct bytes data = bytes_cut(page->data, *offset, len);

	if (data.len < len)
		return false;
	*feature = (struct feature) { bytes_be16(data, 0), data, *offset };
	*offset += len;
	return true;
}

static const char *class_of(uint16_t code)
{
	for (size_t i = 0; i < ARRAY_LEN(features); i++)
		if (features[i].code == code)
			return features[i].name;
	return NULL;
}

static void add_discovery(const struct capture *capture, struct facts *facts)
{
	enum { HEADER_LEN = 48, LOCKING = 0x0002 };
	struct page page = page_get(capture, facts, discovery);
	struct feature feature;
	size_t offset = HEADER_LEN;
	char classes[128] = "";

	page.data = bytes_cut(page.data, 0, 4 + (size_t)bytes_be32(page.data, 0));
	if (page.data.len < HEADER_LEN)
		return;
	while (feature_next(&page, &offset, &feature)) {
		if (class_of(feature.code))
			append(classes, sizeof(classes), ", ", class_of(feature.code));
		for (size_t i = 0; feature.code == LOCKING && i < ARRAY_LEN(locking_fields); i++)
			field_decode(&locking_fields[i], page.id, feature.data, feature.offset, -1,
				facts);
	}
	place_fact(facts, "security.tcg_class", value_text(*classes ? classes : "none"), FACT_KNOWN,
		(struct place) { &page, HEADER_LEN, page.data.len - HEADER_LEN, 0 });
}

/* Descriptor type 0001h: security requirements for cryptographic modules. */
static void add_fips(const struct capture *capture, struct facts *facts)
{
	enum { TYPE = 1, DESCRIPTOR_AT = 4, STANDARD = 8, LEVEL = 9 };
	struct page page = page_get(capture, facts, compliance);
	struct bytes descriptor = bytes_cut(page.data, DESCRIPTOR_AT, bytes_be32(page.data, 0));
	char standard = (char)bytes_u8(descriptor, STANDARD);
	char level = (char)bytes_u8(descriptor, LEVEL);
	bool valid = (standard == '2' || standard == '3') && level >= '1' && level <= '4';

	if (descriptor.len > LEVEL && bytes_be16(descriptor, 0) == TYPE)
		place_fact(facts, "security.fips",
			value_text(facts_printf(facts, "FIPS 140-%c level %c", standard, level)),
			state_of(valid, false),
			(struct place) { &page, DESCRIPTOR_AT + STANDARD, 2, 0 });
}

void security_protocols_decode(const struct capture *capture, struct facts *facts)
{
	add_protocols(capture, facts);
	add_discovery(capture, facts);
	add_fips(capture, facts);
}
