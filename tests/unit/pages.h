/*
 * Pages as tests build them.
 */
#ifndef ASSAY_TEST_PAGES_H
#define ASSAY_TEST_PAGES_H

#include "drive.h"

/* The same bytes in an allocation of just their size, for the sanitizers. */
static inline uint8_t *exact_copy(const uint8_t *bytes, size_t len)
{
	uint8_t *copy = malloc(len ? len : 1);

	assert_non_null(copy);
	if (len)
		memcpy(copy, bytes, len);
	return copy;
}

/* A log page of SCSI: begun, filled with parameters, given. */
struct log_page {
	uint8_t data[4096];
	size_t len;
};

static inline void log_begin(struct log_page *log, uint8_t page, uint8_t sub)
{
	*log = (struct log_page) { .data = { page, sub }, .len = 4 };
	if (sub)
		log->data[0] |= 0x40;
}

static inline void log_add(struct log_page *log, uint16_t code, const void *value, size_t len)
{
	uint8_t header[4] = { (uint8_t)(code >> 8), (uint8_t)code, 3, (uint8_t)len };

	memcpy(&log->data[log->len], header, 4);
	memcpy(&log->data[log->len + 4], value, len);
	log->len += 4 + len;
	log->data[2] = (uint8_t)((log->len - 4) >> 8);
	log->data[3] = (uint8_t)(log->len - 4);
}

/* A parameter that is a number. */
static inline void log_add_uint(struct log_page *log, uint16_t code, uint64_t value, size_t len)
{
	uint8_t bytes[8];

	for (size_t i = 0; i < len; i++)
		bytes[i] = (uint8_t)(value >> 8 * (len - 1 - i));
	log_add(log, code, bytes, len);
}

static inline void log_give(struct drive *drive, const struct log_page *log)
{
	give_log(&drive->capture, log->data[0] & 0x3f, log->data[1], log->data, log->len);
}

static inline void le_set(uint8_t *data, size_t at, uint64_t value, size_t width)
{
	for (size_t i = 0; i < width; i++)
		data[at + i] = (uint8_t)(value >> 8 * i);
}

/* Makes the last byte of a sector the one that the others want. */
static inline void checksum_set(uint8_t sector[512])
{
	sector[511] = 0;
	sector[511] = (uint8_t)-bytes_sum((struct bytes) { sector, 512 });
}

enum { SUPPORTED_VALID = 0xc0, SUPPORTED = 0x80 };

/* A page of device statistics. */
static inline void statistics_begin(uint8_t page[512], uint8_t number)
{
	memset(page, 0, 512);
	page[0] = 1;
	page[2] = number;
}

static inline void statistic_set(uint8_t page[512], size_t at, uint64_t value, uint8_t flags)
{
	le_set(page, at, value, 7);
	page[at + 7] = flags;
}

/* The same with garbage in the bytes above the width of the statistic. */
static inline void statistic_set_only(uint8_t page[512], size_t at, uint64_t value, size_t width)
{
	statistic_set(page, at, UINT64_C(0xa5a5a5a5a5a5a5), SUPPORTED_VALID);
	le_set(page, at, value, width);
}

static inline void statistics_give(struct drive *drive, const uint8_t page[512])
{
	give_ata_log(&drive->capture, 0x04, page[2], page, 512);
}

/* What device statistics give which key. */
struct statistic_row {
	const char *key;
	uint8_t page, at;
	uint64_t value;
	size_t width;
};

static inline struct drive *drive_of_statistics(
	const struct statistic_row *rows, size_t count, bool all_ones)
{
	struct drive *drive = drive_new();
	uint8_t pages[8][512];

	for (uint8_t i = 1; i < ARRAY_LEN(pages); i++)
		statistics_begin(pages[i], i);
	for (size_t i = 0; i < count; i++) {
		const struct statistic_row *row = &rows[i];

		statistic_set_only(
			pages[row->page], row->at, all_ones ? UINT64_MAX : row->value, row->width);
	}
	for (size_t i = 1; i < ARRAY_LEN(pages); i++)
		statistics_give(drive, pages[i]);
	drive_decode(drive);
	return drive;
}

/* Each says its value, in just its width. */
static inline void expect_statistics(const struct statistic_row *rows, size_t count)
{
	struct drive *drive = drive_of_statistics(rows, count, false);

	for (size_t i = 0; i < count; i++)
		expect_uint(drive, rows[i].key, rows[i].value);
	drive_free(drive);
}

/* Each is not known where all of its bits are ones. */
static inline void expect_no_statistics(const struct statistic_row *rows, size_t count)
{
	struct drive *drive = drive_of_statistics(rows, count, true);

	for (size_t i = 0; i < count; i++)
		expect_state(drive, rows[i].key, FACT_UNKNOWN);
	drive_free(drive);
}

static inline void give_standard_inquiry(struct drive *drive, const char *vendor)
{
	uint8_t data[36] = { 0, 0, 6, 2, 31 };

	memset(&data[8], ' ', 28);
	memcpy(&data[8], vendor, strlen(vendor));
	give_inquiry(&drive->capture, data, sizeof(data));
}

#endif
