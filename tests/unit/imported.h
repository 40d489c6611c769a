/*
 * What the tests of the import share: sectors that a drive might give, and what
 * import_bytes() makes of bytes.
 */
#ifndef ASSAY_TEST_IMPORTED_H
#define ASSAY_TEST_IMPORTED_H

#include "test.h"

#include <string.h>

#include "assay/command.h"
#include "assay/import.h"

/* A capture of what the bytes hold, and what import_bytes() said. */
struct imported {
	struct capture capture;
	struct error error;
	int result;
};

static inline struct imported import(struct bytes bytes, enum import_kind kind)
{
	struct imported imported = { .result = 0 };

	capture_init(&imported.capture, "folder/file");
	imported.result = import_bytes(
		bytes, "folder/file", kind, &imported.capture, &imported.error);
	return imported;
}

static inline struct imported import_text(const char *text, enum import_kind kind)
{
	return import((struct bytes) { (const uint8_t *)text, strlen(text) }, kind);
}

/* Holds that it is one record of that page with these data. */
static inline void assert_record(
	const struct imported *imported, size_t n, struct page_id id, struct bytes data)
{
	if (imported->result)
		fail_msg("%s", imported->error.text);
	assert_true(n < imported->capture.record_count);
	const struct record *record = &imported->capture.records[n];

	assert_true(page_same(record->page, id));
	assert_true(record_is_good(record));
	assert_int_equal(record->data.len, data.len);
	if (data.len)
		assert_memory_equal(record->data.at, data.at, data.len);
}

#define B(text) ((struct bytes) { (const uint8_t *)(text), sizeof(text) - 1 })

static const struct page_id identify_id = { .kind = PAGE_ATA_IDENTIFY };
static const struct page_id smart_id = { .kind = PAGE_SMART_DATA };
static const struct page_id thresholds_id = { .kind = PAGE_SMART_THRESHOLDS };
static inline void put_checksum(uint8_t sector[512])
{
	sector[511] = 0;
	sector[511] = (uint8_t)-bytes_sum((struct bytes) { sector, 512 });
}

static inline void make_identify(uint8_t sector[512], bool with_checksum)
{
	static const char model[] = "MADE UP DISK                            ";

	memset(sector, 0, 512);
	sector[0] = 0x40;
	for (size_t i = 0; i < 40; i++)
		sector[54 + (i ^ 1)] = (uint8_t)model[i];
	memcpy(sector + 46, "1.00    ", 8);
	memset(sector + 20, ' ', 20);
	sector[99] = 0x2f; /* word 49: LBA, DMA */
	sector[106] = 7;   /* word 53 */
	if (!with_checksum)
		return;
	sector[510] = 0xa5;
	put_checksum(sector);
}

/* SMART data, or the thresholds that go with them. */
static inline void make_attributes(uint8_t sector[512], bool thresholds)
{
	static const uint8_t ids[] = { 1, 5, 9, 12, 194, 231 };

	memset(sector, 0, 512);
	sector[0] = 16;
	for (size_t i = 0; i < sizeof(ids); i++) {
		uint8_t *entry = sector + 2 + 12 * i;

		entry[0] = ids[i];
		entry[1] = thresholds ? 10 : 0x32;
		if (!thresholds)
			memcpy(entry + 3, "\x64\x63\x07\x01", 4);
	}
	put_checksum(sector);
}

/* Pages in hexadecimal. */
#define SERIAL_PAGE "00 80 00 04 41 42 43 44"
#define TEMPERATURE "0d 00 00 0c 00 00 03 02 00 1f 00 01 03 02 00 46 "

#endif
