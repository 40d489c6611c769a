/* CDBs of commands that change something (SPC-5, SBC-4). */
#include "assay/command.h"

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

	bytes_put_be(cdb.bytes + 2, 8, lba);
	bytes_put_be(cdb.bytes + 10, 4, blocks);
	return cdb;
}

struct cdb cdb_mode_select(size_t len)
{
	enum { PAGE_FORMAT = 0x10 };
	struct cdb cdb = { .bytes = { 0x55, PAGE_FORMAT }, .len = 10 };

	bytes_put_be(cdb.bytes + 7, 2, len);
	return cdb;
}
