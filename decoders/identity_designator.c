/* Designation descriptors of VPD page 83h: SPC-5 7.7.6. */
#include "identity.h"
#include "place.h"

#include <stdio.h>
#include <string.h>

enum { PAGE_HEADER = 4, NAA_LEN = 8 };
enum { CODE_SET_BINARY = 1 };
enum { OF_LOGICAL_UNIT = 0, OF_TARGET_PORT = 1, OF_TARGET_DEVICE = 2 };
enum { TYPE_NAA = 3 };

static const struct column columns[] = {
	{ "association", .label = "Of" },
	{ "type", .label = "Kind" },
	{ "protocol", .label = "Protocol" },
	{ "value", .label = "Designator" },
};

const struct table table_designators = {
	.name = "designators",
	.label = "Designators",
	.detail = true,
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

static const char *const associations[] = { "logical unit", "target port", "target device" };

static const char *const types[] = { "vendor", "t10_vendor", "eui64", "naa", "relative_port",
	"port_group", "logical_unit_group", "md5", "scsi_name", "protocol_port", "uuid" };

/* Also the words of identity.transport. */
static const char *const protocols[] = {
	[0] = "fc",
	[1] = "spi",
	[2] = "ssa",
	[3] = "sbp",
	[4] = "srp",
	[5] = "iscsi",
	[6] = "sas",
	[7] = "adt",
	[8] = "sata",
	[9] = "usb",
	[10] = "sop",
	[11] = "pcie",
};

static struct value word_of(const char *const *words, size_t count, unsigned value)
{
	return value < count && words[value] ? value_text(words[value]) : value_null();
}

static const char *text_of(const struct designator *designator, struct facts *facts)
{
	char text[2 * 255 + 1] = "";

	if (designator->code_set == CODE_SET_BINARY)
		for (size_t i = 0; i < designator->data.len; i++)
			snprintf(&text[2 * i], 3, "%02x", designator->data.at[i]);
	else
		bytes_text(designator->data, false, text, sizeof(text));
	return facts_printf(facts, "%s", text);
}

static bool names_protocol(const struct designator *designator)
{
	return designator->protocol_valid &&
		(designator->association == OF_TARGET_PORT ||
			designator->association == OF_TARGET_DEVICE);
}

static void add_row(
	const struct page *page, const struct designator *designator, struct facts *facts)
{
	struct row *row = facts_row(facts, &table_designators,
		source_page(page->id, page->offset + PAGE_HEADER + designator->offset,
			designator->data));

	row_set(row, "association",
		word_of(associations, ARRAY_LEN(associations), designator->association));
	row_set(row, "type", word_of(types, ARRAY_LEN(types), designator->type));
	if (names_protocol(designator))
		row_set(row, "protocol",
			word_of(protocols, ARRAY_LEN(protocols), designator->protocol));
	row_set(row, "value", value_text(text_of(designator, facts)));
}

/* NAA 5 and 2 are unique in the world, 3 only where it was assigned: 0 is the
 * best. 6 has 16 bytes and is no WWN of a disk. */
static int naa_rank(const struct designator *designator)
{
	static const uint8_t ranks[] = { 5, 2, 3 };

	if (designator->association != OF_LOGICAL_UNIT || designator->type != TYPE_NAA ||
		designator->data.len != NAA_LEN)
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
		if (bytes_u8(designator->data, 0) >> 4 == ranks[i])
			return (int)i;
	return -1;
}

static void add_wwn(
	const struct page *page, const struct designator *designator, struct facts *facts)
{
	struct place place = { page, PAGE_HEADER + designator->offset, NAA_LEN, .rank = 1 };
	unsigned long long wwn = bytes_be64(designator->data, 0);

	place_fact(facts, "identity.wwn", value_text(facts_printf(facts, "0x%016llx", wwn)),
		FACT_KNOWN, place);
}

static void add_transport(
	const struct page *page, const struct designator *designator, struct facts *facts)
{
	struct place place = { page, PAGE_HEADER + designator->offset - 4, 2, .rank = 1 };
	struct value word = word_of(protocols, ARRAY_LEN(protocols), designator->protocol);

	if (word.kind == VALUE_TEXT)
		place_fact(facts, "identity.transport", word, FACT_KNOWN, place);
}

void designators_decode(const struct capture *capture, struct facts *facts)
{
	static const struct page_id id = { .kind = PAGE_VPD, .page = 0x83 };
	struct page page = page_get(capture, facts, id);
	struct bytes list = bytes_cut(page.data, PAGE_HEADER, SIZE_MAX);
	struct designator designator, best = { 0 };
	bool transport_told = false;
	size_t offset = 0;

	while (designator_next(list, &offset, &designator)) {
		add_row(&page, &designator, facts);
		if (naa_rank(&designator) >= 0 &&
			(!best.data.at || naa_rank(&designator) < naa_rank(&best)))
			best = designator;
		if (names_protocol(&designator) && !transport_told)
			add_transport(&page, &designator, facts);
		transport_told |= names_protocol(&designator);
	}
	if (best.data.at)
		add_wwn(&page, &best, facts);
}
