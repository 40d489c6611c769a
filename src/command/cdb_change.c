/* CDBs of commands that change something (SPC-5, SBC-4, SAT-4). */
#include "assay/command.h"

static void put_be(uint8_t *at, size_t width, uint64_t value)
{
	for (size_t i = width; i-- > 0; value >>= 8)
		at[i] = (uint8_t)value;
}

struct cdb cdb_start_stop(unsigned condition, unsigned modifier, bool start)
{
	return (struct cdb) {
		.bytes = { 0x1b, [3] = (uint8_t)(modifier & 0x0f),
			[4] = (uint8_t)(condition << 4 | (!condition && start)) },
		.len = 6,
	};
}

struct cdb cdb_read(uint64_t lba, uint32_t blocks, uint32_t block_bytes, bool fua)
{
	enum { DPO_FUA = 0x18 };
	struct cdb cdb = { .bytes = { 0x88, fua ? DPO_FUA : 0 },
		.len = 16,
		.in_len = (size_t)blocks * block_bytes };

	put_be(cdb.bytes + 2, 8, lba);
	put_be(cdb.bytes + 10, 4, blocks);
	return cdb;
}

struct cdb cdb_mode_select(size_t len)
{
	enum { PAGE_FORMAT = 0x10 };
	struct cdb cdb = { .bytes = { 0x55, PAGE_FORMAT }, .len = 10 };

	put_be(cdb.bytes + 7, 2, len);
	return cdb;
}

struct cdb cdb_ata_non_data(uint8_t command, uint16_t feature, uint16_t count, uint64_t lba)
{
	enum { NON_DATA = 3 << 1, EXTEND = 1, CK_COND = 1 << 5 };
	/* SET FEATURES and the power commands are 28-bit: LBA 27:24 stand in the device register */
	struct cdb cdb = {
		.bytes = { 0x85, NON_DATA, CK_COND, [4] = (uint8_t)feature, [6] = (uint8_t)count,
			[8] = (uint8_t)lba, [10] = (uint8_t)(lba >> 8), [12] = (uint8_t)(lba >> 16),
			[13] = (uint8_t)(lba >> 24 & 0x0f), [14] = command },
		.len = 16
	};

	return cdb;
}
