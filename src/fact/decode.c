/* The engine: runs the layouts of all decoders over a capture. */
#include <string.h>

#include "fact/layout.h"

enum { LOG_DEVICE_STATISTICS = 0x04, LOG_IDENTIFY_DATA = 0x30 };

static void decode_plain(const struct layout *layout, const struct page *page, struct facts *facts)
{
	for (size_t i = 0; i < layout->field_count; i++)
		field_decode(&layout->fields[i], page->id, page->data, page->offset, -1, facts);
}

static void decode_parameter(
	const struct layout *layout, const struct page *page, struct facts *facts)
{
	struct log_parameter parameter;

	if (!log_parameter_find(page, layout->parameter, &parameter))
		return;
	for (size_t i = 0; i < layout->field_count; i++)
		field_decode(&layout->fields[i], page->id, parameter.data, parameter.offset,
			parameter.code, facts);
}

/* A statistic that is supported but not valid is unknown to the drive. There are
 * bridges that answer with another page than was asked for. */
static void decode_statistics(
	const struct layout *layout, const struct page *page, struct facts *facts)
{
	struct statistic statistic;

	if (bytes_u8(page->data, 2) != layout->page.sub)
		return;
	for (size_t i = 0; i < layout->field_count; i++) {
		const struct field *field = &layout->fields[i];

		if (!statistic_get(page, field->at, &statistic))
			continue;
		if (statistic.valid)
			field_decode(field, page->id, page->data, page->offset, -1, facts);
		else
			facts_add(facts, decoder_key(field->key), value_null(), FACT_UNKNOWN,
				source_page(page->id, statistic.offset, statistic.raw),
				field->rank);
	}
}

static void decode_identify_data(
	const struct layout *layout, const struct page *page, struct facts *facts)
{
	for (size_t i = 0; i < layout->field_count; i++) {
		size_t qword = (size_t)layout->fields[i].at / 8 * 8;

		if (bytes_u8(page->data, qword + 7) & 0x80)
			field_decode(
				&layout->fields[i], page->id, page->data, page->offset, -1, facts);
	}
}

static void decode_layout(
	const struct capture *capture, const struct layout *layout, struct facts *facts)
{
	struct page page = page_get(capture, facts, layout->page);
	bool ata_log = layout->page.kind == PAGE_ATA_LOG;

	if (!page.data.at)
		return;
	if (layout->page.kind == PAGE_LOG)
		decode_parameter(layout, &page, facts);
	else if (ata_log && layout->page.page == LOG_DEVICE_STATISTICS)
		decode_statistics(layout, &page, facts);
	else if (ata_log && layout->page.page == LOG_IDENTIFY_DATA)
		decode_identify_data(layout, &page, facts);
	else
		decode_plain(layout, &page, facts);
}

void decode(const struct capture *capture, struct facts *facts)
{
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->layout_count; i++)
			decode_layout(capture, &decoders[d]->layouts[i], facts);
	for (size_t d = 0; decoders[d]; d++)
		if (decoders[d]->extra)
			decoders[d]->extra(capture, facts);
	for (size_t d = 0; decoders[d]; d++)
		if (decoders[d]->derive)
			decoders[d]->derive(facts);
	for (size_t i = 0; i < capture->note_count; i++)
		facts_note(facts, NULL, "%s", capture->notes[i]);
	facts_note_contradictions(facts);
}

/* A decoder's keys begin with its name, so only one decoder's are to be searched. */
static const struct key *key_of(const struct decoder *decoder, const char *name)
{
	size_t len = strlen(decoder->name);

	if (strncmp(decoder->name, name, len) != 0 || name[len] != '.')
		return NULL;
	for (size_t i = 0; i < decoder->key_count; i++)
		if (!strcmp(decoder->keys[i].name + len, name + len))
			return &decoder->keys[i];
	return NULL;
}

const struct key *decoder_key(const char *name)
{
	const struct key *key = NULL;

	for (size_t d = 0; !key && decoders[d]; d++)
		key = key_of(decoders[d], name);
	return key;
}

const struct decoder *decoder_of_key(const struct key *key)
{
	for (size_t d = 0; decoders[d]; d++)
		if (key >= decoders[d]->keys && key < decoders[d]->keys + decoders[d]->key_count)
			return decoders[d];
	return NULL;
}

const struct decoder *decoder_of_table(const struct table *table)
{
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->table_count; i++)
			if (decoders[d]->tables[i] == table)
				return decoders[d];
	return NULL;
}
