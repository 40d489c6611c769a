/*
 * libatasmart blobs (skdump --save): sections of a tag of four characters, a
 * big-endian length of 32 bits, and so many bytes.
 */
#include "capture/importing.h"

#include <string.h>

#include "assay/array.h"

enum { TAG = 4, HEADER = 8, SECTOR = 512 };

struct section {
	char tag[TAG + 1];
	size_t len;
	struct page_id page; /* PAGE_SMART_STATUS: the health word */
};

static const struct section sections[] = {
	{ "IDFY", SECTOR, { .kind = PAGE_ATA_IDENTIFY } },
	{ "SMST", 4, { .kind = PAGE_SMART_STATUS } },
	{ "SMDT", SECTOR, { .kind = PAGE_SMART_DATA } },
	{ "SMTH", SECTOR, { .kind = PAGE_SMART_THRESHOLDS } },
};

static const struct section *section_of(struct bytes blob)
{
	struct bytes tag = bytes_cut(blob, 0, TAG);

	for (size_t i = 0; i < ARRAY_LEN(sections); i++)
		if (tag.len == TAG && !memcmp(tag.at, sections[i].tag, TAG))
			return &sections[i];
	return NULL;
}

static void add_section(
	struct importing *importing, const struct section *section, struct bytes data)
{
	if (data.len < section->len)
		capture_note(importing->capture, "%s: section %s has %zu of %zu bytes",
			importing->name, section->tag, data.len, section->len);
	if (section->page.kind != PAGE_SMART_STATUS) {
		if (data.len > 0)
			import_page(importing, section->page, data);
		return;
	}
	if (data.len < section->len)
		return;
	import_smart_status(importing, bytes_be32(data, 0) != 0);
	capture_note(importing->capture,
		"%s: SMART RETURN STATUS is the health word of the blob, not the drive's registers",
		importing->name);
}

bool import_blob(struct importing *importing, struct bytes blob)
{
	const struct section *section = section_of(blob);
	unsigned seen = 0;

	if (!section || blob.len < HEADER || bytes_be32(blob, TAG) != section->len)
		return false;
	while (blob.len >= HEADER) {
		unsigned bit;

		section = section_of(blob);
		bit = section ? 1u << (section - sections) : 0;
		if (!section || (seen & bit) || bytes_be32(blob, TAG) != section->len)
			break;
		seen |= bit;
		add_section(importing, section, bytes_cut(blob, HEADER, section->len));
		blob = bytes_cut(blob, HEADER + section->len, SIZE_MAX);
	}
	if (blob.len > 0)
		import_refuse(importing,
			"bytes at the end of the blob that are no section of it: %zu", blob.len);
	return true;
}
