/*
 * Gives a capture what a drive would have answered, for tests of decoders.
 */
#ifndef ASSAY_TEST_GIVE_H
#define ASSAY_TEST_GIVE_H

#include <string.h>

#include "assay/decoder.h"

static inline void give(struct capture *capture, const uint8_t *cdb, size_t cdb_len,
	const uint8_t *data, size_t len)
{
	struct record record = {
		.cdb_len = (uint8_t)cdb_len, .duration_us = -1, .data = { data, len }
	};

	memcpy(record.cdb, cdb, cdb_len);
	capture_add(capture, &record);
}

static inline void give_inquiry(struct capture *capture, const uint8_t *data, size_t len)
{
	give(capture, (const uint8_t[]) { 0x12, 0, 0, 0, 0xff, 0 }, 6, data, len);
}

static inline void give_vpd(struct capture *capture, uint8_t page, const uint8_t *data, size_t len)
{
	give(capture, (const uint8_t[]) { 0x12, 1, page, 2, 0, 0 }, 6, data, len);
}

static inline void give_capacity_16(struct capture *capture, const uint8_t *data, size_t len)
{
	static const uint8_t cdb[16] = { [0] = 0x9e, [1] = 0x10, [13] = 32 };

	give(capture, cdb, sizeof(cdb), data, len);
}

static inline void give_log(
	struct capture *capture, uint8_t page, uint8_t sub, const uint8_t *data, size_t len)
{
	give(capture, (const uint8_t[]) { 0x4d, 0, 0x40 | page, sub, 0, 0, 0, 0x40, 0, 0 }, 10,
		data, len);
}

/* A MODE SENSE(10) answer: header, block descriptors, pages. control: PC. */
static inline void give_mode(struct capture *capture, uint8_t control, uint8_t page, uint8_t sub,
	const uint8_t *data, size_t len)
{
	give(capture,
		(const uint8_t[]) {
			0x5a, 0, (uint8_t)(control << 6 | page), sub, 0, 0, 0, 0x20, 0, 0 },
		10, data, len);
}

/* An ATA PASS-THROUGH(16), PIO data-in. */
static inline void give_ata(struct capture *capture, uint8_t command, uint8_t feature, uint64_t lba,
	const uint8_t *data, size_t len)
{
	const uint8_t cdb[16] = { 0x85, 0x09, 0x0e, 0, feature, (uint8_t)(len / 512 >> 8),
		(uint8_t)(len / 512), (uint8_t)(lba >> 24), (uint8_t)lba, (uint8_t)(lba >> 32),
		(uint8_t)(lba >> 8), (uint8_t)(lba >> 40), (uint8_t)(lba >> 16), 0x40, command, 0 };

	give(capture, cdb, sizeof(cdb), data, len);
}

static inline void give_identify(struct capture *capture, const uint8_t data[512])
{
	give_ata(capture, 0xec, 0, 0, data, 512);
}

static inline void give_smart_data(struct capture *capture, const uint8_t data[512])
{
	give_ata(capture, 0xb0, 0xd0, 0xc24f00, data, 512);
}

static inline void give_smart_thresholds(struct capture *capture, const uint8_t data[512])
{
	give_ata(capture, 0xb0, 0xd1, 0xc24f01, data, 512);
}

/* Pages of a general purpose log, from page first. */
static inline void give_ata_log(
	struct capture *capture, uint8_t log, uint8_t first, const uint8_t *data, size_t len)
{
	give_ata(capture, 0x2f, 0, (uint64_t)first << 8 | log, data, len);
}

static inline void give_smart_log(
	struct capture *capture, uint8_t log, const uint8_t *data, size_t len)
{
	give_ata(capture, 0xb0, 0xd5, 0xc24f00 | log, data, len);
}

#endif
