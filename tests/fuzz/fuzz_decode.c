/*
 * Any answers to any commands. A record is eight bytes and its data:
 *   0 kind of page  1 page  2 subpage  3 low bits: control; FIX, PAD
 *   4-5 length of the data (big endian)  6 length of the sense data  7 status
 * The data, and the sense data behind them, are as long as the input is.
 */
#include "capture.h"

#include "assay/command.h"

enum { HEADER = 8, SECTOR = 512 };
enum {
	FIX = 1 << 6, /* header and checksum are set right, so that what is behind is reached */
	PAD = 1 << 7, /* zeros fill the last sector */
};

/* Where a page says which and how long it is. */
static void fix_header(const struct page_id id, uint8_t *data, size_t len)
{
	size_t rest = len - 4;

	if (len < 4)
		return;
	if (id.kind == PAGE_VPD)
		data[1] = id.page;
	if (id.kind == PAGE_LOG) {
		data[0] = (uint8_t)(id.page | (id.sub ? 0x40 : 0));
		data[1] = (uint8_t)id.sub;
	}
	if (id.kind == PAGE_VPD || id.kind == PAGE_LOG) {
		data[2] = (uint8_t)(rest >> 8);
		data[3] = (uint8_t)rest;
	}
	if (id.kind == PAGE_MODE) {
		data[0] = (uint8_t)((len - 2) >> 8);
		data[1] = (uint8_t)(len - 2);
	}
	if (id.kind == PAGE_ATA_IDENTIFY && len >= SECTOR)
		data[SECTOR - 2] = 0xa5;
	for (size_t at = 0; page_is_ata(id) && at + SECTOR <= len; at += SECTOR)
		data[at + SECTOR - 1] = (uint8_t)(data[at + SECTOR - 1] -
			bytes_sum((struct bytes) { data + at, SECTOR }));
}

static struct bytes take(struct bytes *input, size_t len)
{
	struct bytes taken = bytes_cut(*input, 0, len);

	*input = bytes_cut(*input, taken.len, SIZE_MAX);
	return taken;
}

static void add_record(struct capture *capture, struct bytes header, struct bytes *input)
{
	enum { KINDS = PAGE_ATA_OTHER + 1, CONTROL = 3 };
	uint8_t flags = bytes_u8(header, 3);
	struct page_id id = { .kind = (enum page_kind)(bytes_u8(header, 0) % KINDS),
		.page = bytes_u8(header, 1),
		.sub = bytes_u8(header, 2),
		.control = flags & CONTROL };
	struct bytes data = take(input, bytes_be16(header, 4));
	struct record record = { .scsi_status = bytes_u8(header, 7), .duration_us = -1 };
	size_t len = flags & PAD ? (data.len + SECTOR - 1) / SECTOR * SECTOR : data.len;
	struct cdb cdb = cdb_of_page(id, len, flags & PAD && !page_is_ata(id));
	uint8_t *copy = calloc(len ? len : 1, 1);

	record.sense = take(input, bytes_u8(header, 6) < SENSE_MAX ? bytes_u8(header, 6) : 0);
	if (!record.sense.len)
		record.sense.at = NULL;
	if (data.len)
		memcpy(copy, data.at, data.len);
	if (flags & FIX)
		fix_header(id, copy, len);
	record.data = (struct bytes) { copy, len };
	memcpy(record.cdb, cdb.bytes, cdb.len);
	record.cdb_len = (uint8_t)cdb.len;
	if (cdb.len)
		capture_add(capture, &record);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes input = { data, size };
	struct capture capture;

	capture_init(&capture, "drive");
	while (input.len >= HEADER) {
		struct bytes header = take(&input, HEADER);

		add_record(&capture, header, &input);
	}
	fuzz_capture(&capture, data, size);
	capture_deinit(&capture);
	return 0;
}
