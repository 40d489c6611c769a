#include "assay/command.h"

enum { SECTOR = 512 };

/* A CDB of so many bytes with its allocation length of `width` bytes at `at`;
 * width 0: the length is fixed. */
static struct cdb cdb_make(uint8_t opcode, size_t cdb_len, size_t at, size_t width, size_t len)
{
	struct cdb cdb = { .len = cdb_len, .in_len = len };
	size_t most = width == 1 ? 0xff : width == 2 ? 0xffff : 0xffffffff;

	if (cdb.in_len > most)
		cdb.in_len = most;
	cdb.bytes[0] = opcode;
	bytes_put_be(cdb.bytes + at, width, cdb.in_len);
	return cdb;
}

static struct cdb cdb_of_sense_command(struct page_id id, struct cdb cdb)
{
	cdb.bytes[2] = (uint8_t)(id.control << 6 | (id.page & 0x3f));
	cdb.bytes[3] = (uint8_t)id.sub;
	return cdb;
}

static struct cdb cdb_of_defects(struct page_id id, size_t len, bool shorter)
{
	enum { PHYSICAL_SECTOR_FORMAT = 5 };
	struct cdb cdb = shorter ? cdb_make(0x37, 10, 7, 2, len) : cdb_make(0xb7, 12, 6, 4, len);

	cdb.bytes[shorter ? 2 : 1] = (uint8_t)(id.control << 3 | PHYSICAL_SECTOR_FORMAT);
	return cdb;
}

static struct cdb cdb_of_scsi(struct page_id id, size_t len, bool shorter)
{
	struct cdb cdb = { .len = 0 };

	switch (id.kind) {
	case PAGE_TEST_UNIT_READY:
		return cdb_make(0x00, 6, 0, 0, 0);
	case PAGE_REQUEST_SENSE:
		return cdb_make(0x03, 6, 4, 1, len < SENSE_MAX ? len : SENSE_MAX);
	case PAGE_INQUIRY:
		return cdb_make(0x12, 6, 3, 2, len);
	case PAGE_VPD:
		cdb = cdb_make(0x12, 6, 3, 2, len);
		cdb.bytes[1] = 1; /* EVPD */
		cdb.bytes[2] = id.page;
		return cdb;
	case PAGE_READ_CAPACITY_10:
		return cdb_make(0x25, 10, 0, 0, 8);
	case PAGE_READ_CAPACITY_16:
		cdb = cdb_make(0x9e, 16, 10, 4, len);
		cdb.bytes[1] = 0x10;
		return cdb;
	case PAGE_LOG:
		return cdb_of_sense_command(id, cdb_make(0x4d, 10, 7, 2, len));
	case PAGE_MODE:
		return cdb_of_sense_command(
			id, shorter ? cdb_make(0x1a, 6, 4, 1, len) : cdb_make(0x5a, 10, 7, 2, len));
	case PAGE_OPERATION_CODES:
		cdb = cdb_make(0xa3, 12, 6, 4, len);
		cdb.bytes[1] = 0x0c;
		return cdb;
	case PAGE_DIAGNOSTIC:
		cdb = cdb_make(0x1c, 6, 3, 2, len);
		cdb.bytes[1] = 1; /* PCV */
		cdb.bytes[2] = id.page;
		return cdb;
	case PAGE_SECURITY:
		cdb = cdb_make(0xa2, 12, 6, 4, len);
		cdb.bytes[1] = id.page;
		bytes_put_be(cdb.bytes + 2, 2, id.sub);
		return cdb;
	case PAGE_DEFECTS:
		return cdb_of_defects(id, len, shorter);
	default:
		return cdb;
	}
}

enum { SMART = 0xb0, SMART_LBA = 0xc24f00, SCT_LOG = 0xe0 };

static struct ata_task smart_task(uint8_t feature, uint8_t lba_low, size_t sectors)
{
	return (struct ata_task) {
		.protocol = sectors ? ATA_PIO_IN : ATA_NON_DATA,
		.command = SMART,
		.feature = feature,
		.count = (uint16_t)sectors,
		.lba = SMART_LBA | lba_low,
	};
}

static struct ata_task log_task(struct page_id id, size_t sectors)
{
	return (struct ata_task) {
		.protocol = id.control ? ATA_DMA : ATA_PIO_IN,
		.command = id.control ? 0x47 : 0x2f,
		.count = (uint16_t)sectors,
		.lba = id.page | (uint64_t)(id.sub & 0xff) << 8 | (uint64_t)(id.sub >> 8) << 32,
		.extend = true,
	};
}

static struct ata_task other_task(struct page_id id, size_t sectors)
{
	if (!id.control)
		return (struct ata_task) {
			.protocol = ATA_NON_DATA,
			.command = id.page,
			.feature = id.sub,
		};
	return (struct ata_task) {
		.protocol = ATA_PIO_OUT,
		.command = id.page,
		.feature = id.sub,
		.count = (uint16_t)sectors,
		.lba = SCT_LOG | (id.page == SMART ? SMART_LBA : 0),
		.extend = id.page != SMART,
	};
}

static struct ata_task taskfile_of_page(struct page_id id, size_t sectors)
{
	switch (id.kind) {
	case PAGE_ATA_IDENTIFY:
		return (struct ata_task) { ATA_PIO_IN, .command = 0xec, .count = 1 };
	case PAGE_ATA_POWER_MODE:
		return (struct ata_task) { ATA_NON_DATA, .command = 0xe5 };
	case PAGE_SMART_DATA:
		return smart_task(0xd0, 0, 1);
	case PAGE_SMART_THRESHOLDS:
		return smart_task(0xd1, 1, 1);
	case PAGE_SMART_LOG:
		return smart_task(0xd5, id.page, sectors);
	case PAGE_SMART_STATUS:
		return smart_task(0xda, 0, 0);
	case PAGE_ATA_LOG:
		return log_task(id, sectors);
	case PAGE_ATA_OTHER:
		return other_task(id, sectors);
	default: /* nothing for packet devices: A1h would blank a disc */
		return (struct ata_task) { 0 };
	}
}

/* CK_COND, which brings the registers back, is asked only where nothing is
 * read: with data some host adapters make an error of it. */
static uint8_t transfer_flags(enum ata_protocol protocol)
{
	enum { CK_COND = 1 << 5, T_DIR_IN = 1 << 3, BYTE_BLOCK = 1 << 2, T_LENGTH_COUNT = 2 };

	if (protocol == ATA_NON_DATA)
		return CK_COND;
	if (protocol == ATA_PIO_OUT)
		return CK_COND | BYTE_BLOCK | T_LENGTH_COUNT;
	return T_DIR_IN | BYTE_BLOCK | T_LENGTH_COUNT;
}

/* LBA mode of a 48-bit command; LBA 27:24 of one of 28 bits. */
static uint8_t device_of(const struct ata_task *task)
{
	return task->extend ? 0x40 : task->lba >> 24 & 0x0f;
}

/* SAT-4 12.2.2: high and low bytes of each register alternate. */
static void pass_through_16(struct cdb *cdb, const struct ata_task *task)
{
	cdb->len = 16;
	cdb->bytes[0] = 0x85;
	bytes_put_be(cdb->bytes + 3, 2, task->feature);
	bytes_put_be(cdb->bytes + 5, 2, task->count);
	for (size_t i = 0; i < 3; i++) {
		cdb->bytes[8 + 2 * i] = (uint8_t)(task->lba >> 8 * i);
		if (task->extend)
			cdb->bytes[7 + 2 * i] = (uint8_t)(task->lba >> (24 + 8 * i));
	}
	cdb->bytes[13] = device_of(task);
	cdb->bytes[14] = task->command;
}

static void pass_through_12(struct cdb *cdb, const struct ata_task *task)
{
	cdb->len = 12;
	cdb->bytes[0] = 0xa1;
	cdb->bytes[3] = (uint8_t)task->feature;
	cdb->bytes[4] = (uint8_t)task->count;
	for (size_t i = 0; i < 3; i++)
		cdb->bytes[5 + i] = (uint8_t)(task->lba >> 8 * i);
	cdb->bytes[8] = device_of(task);
	cdb->bytes[9] = task->command;
}

static struct cdb cdb_of_task(const struct ata_task *task, bool shorter)
{
	struct cdb cdb = { .len = 0 };

	if (!task->command || (shorter && (task->extend || task->feature > UINT8_MAX)))
		return cdb;
	cdb.bytes[1] = (uint8_t)(task->protocol << 1 | task->extend);
	cdb.bytes[2] = transfer_flags(task->protocol);
	if (shorter)
		pass_through_12(&cdb, task);
	else
		pass_through_16(&cdb, task);
	if (cdb.bytes[2] & 1 << 3)
		cdb.in_len = (size_t)task->count * SECTOR;
	return cdb;
}

struct cdb cdb_of_ata(const struct ata_task *task)
{
	return cdb_of_task(task, false);
}

static struct cdb cdb_of_ata_page(struct page_id id, size_t len, bool shorter)
{
	struct ata_task task = taskfile_of_page(id, len / SECTOR);

	return cdb_of_task(&task, shorter);
}

struct cdb cdb_of_page(struct page_id id, size_t len, bool shorter)
{
	bool has_shorter = id.kind == PAGE_MODE || id.kind == PAGE_DEFECTS || page_is_ata(id);

	if (shorter && !has_shorter)
		return (struct cdb) { .len = 0 };
	return page_is_ata(id) ? cdb_of_ata_page(id, len, shorter) : cdb_of_scsi(id, len, shorter);
}
