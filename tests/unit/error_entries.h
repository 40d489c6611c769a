/*
 * Entries of ATA error logs, for tests.
 */
#ifndef ASSAY_TEST_ERROR_ENTRIES_H
#define ASSAY_TEST_ERROR_ENTRIES_H

#include "pages.h"

enum { UNC = 0x40, IDNF = 0x10 };

/* An error of the 28-bit logs: at byte 2 + 90 x slot. */
static inline void summary_entry_set(uint8_t log[512], size_t slot, uint16_t hours, uint32_t lba)
{
	uint8_t *entry = &log[2 + 90 * slot], *failed = &entry[48], *error = &entry[60];

	failed[0] = 0x08;
	failed[1] = 0x11;
	failed[2] = 8;
	le_set(failed, 3, lba, 3);
	failed[6] = (uint8_t)(0xe0 | lba >> 24);
	failed[7] = 0xc8;
	le_set(failed, 8, 123456, 4);
	error[1] = UNC;
	error[2] = 3;
	le_set(error, 3, lba, 3);
	error[6] = (uint8_t)(0xe0 | lba >> 24);
	error[7] = 0x51;
	error[27] = 0x03;
	le_set(error, 28, hours, 2);
}

static inline void six_bytes_set(uint8_t *at, uint64_t lba)
{
	static const uint8_t places[] = { 0, 2, 4, 1, 3, 5 };

	for (size_t i = 0; i < 6; i++)
		at[places[i]] = (uint8_t)(lba >> 8 * i);
}

/* An error of the 48-bit log: at byte 4 + 124 x slot of its page. */
static inline void extended_entry_set(uint8_t *log, size_t slot, uint16_t hours, uint64_t lba)
{
	uint8_t *entry = &log[slot / 4 * 512 + 4 + 124 * (slot % 4)];
	uint8_t *failed = &entry[72], *error = &entry[90];

	failed[0] = 0x08;
	le_set(failed, 1, 0x1234, 2);
	le_set(failed, 3, 256, 2);
	six_bytes_set(&failed[5], lba);
	failed[11] = 0x40;
	failed[12] = 0x60;
	le_set(failed, 14, 987654, 4);
	error[0] = 0x08;
	error[1] = UNC;
	le_set(error, 2, 257, 2);
	six_bytes_set(&error[4], lba);
	error[10] = 0x40;
	error[11] = 0x41;
	error[31] = 0x04;
	le_set(error, 32, hours, 2);
}

static inline void extended_head_set(uint8_t *log, uint16_t index, uint16_t count)
{
	log[0] = 1;
	le_set(log, 2, index, 2);
	le_set(log, 500, count, 2);
}

#endif
