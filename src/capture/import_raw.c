/* Raw bytes become records: of the kind that was said, else of the one that is certain. */
#include "capture/importing.h"

#include <stdlib.h>

#include "capture/lines.h"

enum { SECTOR = 512, ANSWERS_MAX = 1024 };
enum { VPD_HEADER = 4, LOG_HEADER = 4 };

static const struct page_id sector_pages[] = {
	[IMPORT_IDENTIFY] = { .kind = PAGE_ATA_IDENTIFY },
	[IMPORT_SMART] = { .kind = PAGE_SMART_DATA },
	[IMPORT_THRESHOLDS] = { .kind = PAGE_SMART_THRESHOLDS },
};
static const char *const sector_names[] = {
	[IMPORT_IDENTIFY] = "IDENTIFY DEVICE data",
	[IMPORT_SMART] = "SMART data",
	[IMPORT_THRESHOLDS] = "SMART thresholds",
};

/* 16-bit words as ATA transfers them, least significant byte first, of words
 * that were printed as numbers. To be freed. */
static struct buffer exchanged(struct bytes words)
{
	struct buffer buffer = { 0 };

	for (size_t i = 0; i < words.len; i++)
		buffer_add(&buffer, bytes_u8(words, i ^ 1));
	return buffer;
}

static void said_sector(struct importing *importing, struct bytes raw)
{
	enum import_kind kind = importing->kind, certain = guess_sector(raw);

	if (raw.len > SECTOR)
		import_refuse(importing, "%zu bytes are more than the %d of %s", raw.len, SECTOR,
			sector_names[kind]);
	else if (certain != IMPORT_AUTO && certain != kind)
		import_refuse(importing, "these are %s, not %s", sector_names[certain],
			sector_names[kind]);
	else
		import_page(importing, sector_pages[kind], raw);
}

static void said_answer(
	struct importing *importing, enum page_kind kind, struct bytes raw, size_t most)
{
	if (raw.len > most)
		import_refuse(importing, "%zu bytes are more than the %zu that there can be",
			raw.len, most);
	else
		import_page(importing, (struct page_id) { .kind = kind }, raw);
}

static void said_inquiry(struct importing *importing, struct bytes raw)
{
	said_answer(importing, PAGE_INQUIRY, raw, UINT16_MAX);
}

/* Pages one behind the other by their own lengths, as far as they are of one
 * device type (VPD) or as long as they say (log). */
static void said_pages(struct importing *importing, struct bytes raw)
{
	enum { CUMULATIVE = 1, SPF = 0x40 };
	bool vpd = importing->kind == IMPORT_VPD;
	size_t at = 0;

	for (size_t n = 0; n < ANSWERS_MAX; n++) {
		struct bytes rest = bytes_cut(raw, at, SIZE_MAX);
		uint8_t first = bytes_u8(rest, 0), second = bytes_u8(rest, 1);
		size_t len = bytes_be16(rest, 2) + (size_t)(vpd ? VPD_HEADER : LOG_HEADER);
		struct page_id id = { .kind = PAGE_VPD, .page = second };

		if (!vpd)
			id = (struct page_id) { .kind = PAGE_LOG,
				.page = first & 0x3f,
				.sub = first & SPF ? second : 0,
				.control = CUMULATIVE };
		if (at > 0 && (rest.len < len || (vpd && first != bytes_u8(raw, 0))))
			break;
		import_page(importing, id, bytes_cut(rest, 0, len));
		at += len;
		if (at >= raw.len || bytes_all(bytes_cut(raw, at, SIZE_MAX), 0))
			return;
	}
	import_refuse(importing, "bytes behind the last page that are not used: %zu", raw.len - at);
}

static void said_mode(struct importing *importing, struct bytes raw)
{
	static const struct page_id all = { .kind = PAGE_MODE, .page = 0x3f, .sub = 0xff };

	switch (guess_mode(raw)) {
	case MODE_6:
		import_mode_6(importing, all, raw);
		break;
	case MODE_10:
		import_page(importing, all, raw);
		break;
	case MODE_REPEATED:
		import_refuse(importing,
			"a mode page stands in it twice: which values are the "
			"current ones cannot be told");
		break;
	case MODE_NONE:
		import_refuse(importing,
			"no MODE SENSE data: no header whose length is that of "
			"the bytes, or pages that do not fill them");
		break;
	}
}

static void said_capacity(struct importing *importing, struct bytes raw)
{
	enum { LEAST = 12 };

	if (raw.len < LEAST)
		import_refuse(
			importing, "%zu bytes are too few for READ CAPACITY(16) data", raw.len);
	else
		said_answer(importing, PAGE_READ_CAPACITY_16, raw, UINT16_MAX);
}

static void said_sense(struct importing *importing, struct bytes raw)
{
	said_answer(importing, PAGE_REQUEST_SENSE, raw, SENSE_MAX);
}

/* Answers one behind the other. What stands before another answer, or fills
 * the bytes to their end, is certain; so is what is so by itself. */
static size_t certain_len(struct bytes raw)
{
	size_t at = 0, certain = 0;

	for (size_t n = 0; n < ANSWERS_MAX; n++) {
		struct bytes rest = bytes_cut(raw, at, SIZE_MAX);
		struct page_id id;
		size_t len = guess_answer(rest, &id);

		if (at > 0 && (rest.len == 0 || bytes_all(rest, 0)))
			return at;
		if (!len)
			break;
		certain = id.kind == PAGE_VPD ? at : at + len;
		at += len;
	}
	return certain;
}

static bool add_answers(struct importing *importing, struct bytes raw)
{
	size_t certain = certain_len(raw);
	struct page_id id;

	for (size_t at = 0, len; at < certain; at += len) {
		struct bytes rest = bytes_cut(raw, at, certain - at);

		len = guess_answer(rest, &id);
		import_page(importing, id, bytes_cut(rest, 0, len));
	}
	struct bytes rest = bytes_cut(raw, certain, SIZE_MAX);

	if (certain > 0 && rest.len > 0 && !bytes_all(rest, 0))
		import_refuse(importing,
			"bytes behind the last certain page that are not used: %zu", rest.len);
	return certain > 0;
}

static void refuse_uncertain(struct importing *importing, struct bytes raw)
{
	if (guess_mode(raw) != MODE_NONE)
		import_refuse(importing,
			"mode pages, but whether of current values is not said: "
			"--as mode takes them as that");
	else if (guess_capacity(raw))
		import_refuse(importing,
			"perhaps READ CAPACITY(16) data: --as readcap16 takes them as that");
	else if (raw.len == SECTOR)
		import_refuse(importing,
			"512 bytes that are for certain neither IDENTIFY DEVICE "
			"nor SMART data nor thresholds: --as KIND says what they are");
	else
		import_refuse(importing,
			"no drive data is recognised: --as KIND says what the bytes are");
}

static void add_certain(struct importing *importing, struct bytes raw)
{
	enum import_kind sector = guess_sector(raw);

	if (sector != IMPORT_AUTO)
		import_page(importing, sector_pages[sector], raw);
	else if (guess_sense(raw))
		said_sense(importing, raw);
	else if (!add_answers(importing, raw))
		refuse_uncertain(importing, raw);
}

static void add_as(struct importing *importing, struct bytes raw)
{
	static void (*const said[])(struct importing *, struct bytes) = {
		[IMPORT_AUTO] = add_certain,
		[IMPORT_IDENTIFY] = said_sector,
		[IMPORT_SMART] = said_sector,
		[IMPORT_THRESHOLDS] = said_sector,
		[IMPORT_INQUIRY] = said_inquiry,
		[IMPORT_VPD] = said_pages,
		[IMPORT_LOG] = said_pages,
		[IMPORT_MODE] = said_mode,
		[IMPORT_READCAP16] = said_capacity,
		[IMPORT_SENSE] = said_sense,
	};

	said[importing->kind](importing, raw);
}

void import_raw(struct importing *importing, struct bytes raw, bool words)
{
	enum import_kind kind = importing->kind;
	struct buffer other;

	if (!words || (kind != IMPORT_AUTO && kind != IMPORT_IDENTIFY)) {
		add_as(importing, raw);
		return;
	}
	/* hdparm prints the words of IDENTIFY as numbers; xxd prints bytes in pairs. */
	other = exchanged(raw);
	if (guess_sector(raw) == IMPORT_IDENTIFY ||
		(kind == IMPORT_AUTO && guess_sector(buffer_bytes(&other)) != IMPORT_IDENTIFY))
		add_as(importing, raw);
	else
		add_as(importing, buffer_bytes(&other));
	buffer_deinit(&other);
}
