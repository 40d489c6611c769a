/* Mode pages: cut out of whatever MODE SENSE answers were captured, put together again as
 * they are asked for, changed by MODE SELECT where the changeable values allow it. */
#include <stdlib.h>
#include <string.h>

#include "drive.h"

enum { ALL_PAGES = 0x3f, ALL_SUBPAGES = 0xff, CURRENT = 0, CHANGEABLE = 1 };
enum { CACHING_PAGE = 0x08, WCE = 0x04, NO_DESCRIPTOR = 0x08 };

static size_t header_len(uint8_t code)
{
	return code == 0x5a || code == 0x55 ? 8 : 4;
}

static size_t descriptor_len(struct bytes answer, size_t header)
{
	return header == 8 ? bytes_be16(answer, 6) : bytes_u8(answer, 3);
}

static size_t page_len(struct bytes page)
{
	if (bytes_u8(page, 0) & 0x40)
		return 4U + bytes_be16(page, 2);
	return 2U + bytes_u8(page, 1);
}

struct mode_page *mode_find(struct drive *drive, uint8_t page, uint8_t sub, uint8_t control)
{
	for (size_t i = 0; i < drive->mode_page_count; i++) {
		struct mode_page *found = &drive->mode_pages[i];

		if (found->page == page && found->sub == sub && found->control == control)
			return found;
	}
	return NULL;
}

static void add_page(struct drive *drive, struct bytes page, uint8_t control)
{
	uint8_t code = bytes_u8(page, 0) & 0x3f;
	uint8_t sub = bytes_u8(page, 0) & 0x40 ? bytes_u8(page, 1) : 0;
	struct mode_page *added;

	if (mode_find(drive, code, sub, control))
		return;
	drive->mode_pages = realloc(
		drive->mode_pages, (drive->mode_page_count + 1) * sizeof(*drive->mode_pages));
	added = &drive->mode_pages[drive->mode_page_count++];
	*added = (struct mode_page) { code, sub, control, malloc(page.len), page.len };
	memcpy(added->data, page.at, page.len);
}

static void load_answer(struct drive *drive, const struct record *record)
{
	struct bytes data = record->data;
	size_t header = header_len(record->cdb[0]);
	size_t at = header + descriptor_len(data, header);

	while (at + 2 <= data.len) {
		struct bytes page = bytes_cut(data, at, data.len);
		size_t len = page_len(page);

		if (len > page.len)
			return;
		add_page(drive, bytes_cut(page, 0, len), record->page.control);
		at += len;
	}
}

void mode_load(struct drive *drive)
{
	const struct mode_page *caching;

	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];

		if (record->page.kind == PAGE_MODE && record_is_good(record))
			load_answer(drive, record);
	}
	caching = mode_find(drive, CACHING_PAGE, 0, CURRENT);
	drive->write_cache = !caching || caching->len < 3 || (caching->data[2] & WCE);
}

/* Any captured answer, for what stands in front of the pages. */
static const struct record *any_answer(const struct drive *drive)
{
	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];

		if (record->page.kind == PAGE_MODE && record_is_good(record) &&
			record->data.len >= 4)
			return record;
	}
	return NULL;
}

/* The captured one where there is one of that form. */
static size_t put_descriptor(const struct drive *drive, uint8_t *at, bool long_lba)
{
	uint64_t blocks = drive->medium.blocks;
	size_t len = long_lba ? 16 : 8;

	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];
		size_t header = header_len(record->cdb[0]);

		if (record->page.kind == PAGE_MODE && record_is_good(record) &&
			descriptor_len(record->data, header) == len &&
			record->data.len >= header + len) {
			memcpy(at, record->data.at + header, len);
			return len;
		}
	}
	bytes_put_be(at, len / 2, blocks > UINT32_MAX && !long_lba ? UINT32_MAX : blocks);
	bytes_put_be(at + len / 2, len / 2, drive->medium.block_bytes);
	return len;
}

/* Some drives give none, even when they may. */
static bool without_descriptor(const struct drive *drive)
{
	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];
		size_t header = header_len(record->cdb[0]);

		if (record->page.kind == PAGE_MODE && record_is_good(record) &&
			!(record->cdb[1] & NO_DESCRIPTOR) && record->data.len >= header &&
			!descriptor_len(record->data, header))
			return true;
	}
	return false;
}

/* Header and block descriptor; returns where the pages begin. */
static size_t put_header(const struct drive *drive, const uint8_t *cdb, uint8_t *data)
{
	const struct record *record = any_answer(drive);
	size_t header = header_len(cdb[0]);
	bool no_descriptor = (cdb[1] & NO_DESCRIPTOR) || without_descriptor(drive);
	bool long_lba = header == 8 && (cdb[1] & 0x10);
	uint8_t specific = 0x10; /* DPOFUA */
	size_t descriptor = 0;

	if (record)
		specific = record->data.at[header_len(record->cdb[0]) == 8 ? 3 : 2];
	memset(data, 0, header);
	data[header == 8 ? 3 : 2] = specific;
	if (!no_descriptor)
		descriptor = put_descriptor(drive, data + header, long_lba);
	if (header == 8) {
		data[4] = long_lba && descriptor;
		data[7] = (uint8_t)descriptor;
	} else {
		data[3] = (uint8_t)descriptor;
	}
	return header + descriptor;
}

static bool asked(const struct mode_page *page, struct page_id id)
{
	if (page->control != id.control)
		return false;
	if (id.page != ALL_PAGES && page->page != id.page)
		return false;
	return id.sub == ALL_SUBPAGES || page->sub == id.sub;
}

/* A page that was refused when captured is refused again, with its sense. */
static bool refused(struct drive *drive, struct command *command)
{
	const struct record *record = capture_find(&drive->capture, command->page);

	if (record && !record_is_good(record))
		command_fail_as(command, record);
	else
		command_refuse_field(drive, command);
	return true;
}

void scsi_mode_sense(struct drive *drive, struct command *command)
{
	const uint8_t *cdb = command->cdb;
	uint8_t *data = drive->buffer;
	size_t header = header_len(cdb[0]);
	size_t len = put_header(drive, cdb, data);
	size_t start = len;

	for (size_t i = 0; i < drive->mode_page_count; i++) {
		const struct mode_page *page = &drive->mode_pages[i];

		if (!asked(page, command->page) || len + page->len > 0xffff)
			continue;
		memcpy(data + len, page->data, page->len);
		if (page->page == CACHING_PAGE && page->control == CURRENT && page->len > 2)
			data[len + 2] = (uint8_t)((data[len + 2] & ~WCE) |
				(drive->write_cache ? WCE : 0));
		len += page->len;
	}
	if (len == start && command->page.page && refused(drive, command))
		return;
	if (header == 8)
		bytes_put_be(data, 2, len - 2);
	else
		data[0] = (uint8_t)(len > 256 ? 255 : len - 1);
	command_answer(drive, command, len, header == 8 ? (size_t)(cdb[7] << 8 | cdb[8]) : cdb[4]);
}

/* Takes over the changeable bits; false where another one would change. */
static bool change_page(struct drive *drive, struct bytes sent)
{
	uint8_t code = bytes_u8(sent, 0) & 0x3f;
	uint8_t sub = bytes_u8(sent, 0) & 0x40 ? bytes_u8(sent, 1) : 0;
	struct mode_page *now = mode_find(drive, code, sub, CURRENT);
	const struct mode_page *mask = mode_find(drive, code, sub, CHANGEABLE);
	size_t head = bytes_u8(sent, 0) & 0x40 ? 4 : 2;

	if (!now || now->len != sent.len)
		return false;
	for (size_t i = head; i < now->len; i++) {
		uint8_t may = mask && i < mask->len ? mask->data[i] : 0;

		if (code == CACHING_PAGE && i == 2)
			may |= WCE;
		if ((now->data[i] ^ sent.at[i]) & ~may)
			return false;
	}
	memcpy(now->data + head, sent.at + head, sent.len - head);
	if (code == CACHING_PAGE && !sub && sent.len > 2)
		drive->write_cache = sent.at[2] & WCE;
	return true;
}

void scsi_mode_select(struct drive *drive, struct command *command)
{
	size_t header = header_len(command->cdb[0]);
	size_t len = command->wanted < BUFFER_BYTES ? command->wanted : BUFFER_BYTES;
	struct bytes list = { drive->buffer, len };
	size_t at;

	command_move(command, drive->buffer, len, false);
	at = header + descriptor_len(list, header);
	while (at + 2 <= len) {
		struct bytes page = bytes_cut(list, at, len);
		size_t page_bytes = page_len(page);

		if (page_bytes > page.len || !change_page(drive, bytes_cut(page, 0, page_bytes))) {
			command_fail(drive, command, KEY_ILLEGAL, 0x26, 0);
			return;
		}
		at += page_bytes;
	}
	power_mode_selected(drive);
}
