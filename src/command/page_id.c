#include "assay/page.h"

#include <stdio.h>

#include "assay/bytes.h"

bool page_same(struct page_id a, struct page_id b)
{
	return a.kind == b.kind && a.page == b.page && a.sub == b.sub && a.control == b.control;
}

bool page_is_ata(struct page_id id)
{
	return id.kind >= PAGE_ATA_IDENTIFY;
}

/* A taskfile, from whichever ATA PASS-THROUGH carried it (SAT-4 12.2.2). */
struct taskfile {
	uint8_t command;
	uint8_t protocol;
	uint16_t feature;
	uint64_t lba;
};

enum { ATA_PIO_OUT = 5, ATA_DMA_OUT = 11 };

static bool taskfile_of_cdb(struct bytes cdb, struct taskfile *task)
{
	task->protocol = bytes_u8(cdb, 1) >> 1 & 15;
	switch (bytes_u8(cdb, 0)) {
	case 0xa1: /* ATA PASS-THROUGH(12) */
		task->feature = bytes_u8(cdb, 3);
		task->lba = bytes_u8(cdb, 5) | (uint64_t)bytes_u8(cdb, 6) << 8 |
			(uint64_t)bytes_u8(cdb, 7) << 16;
		task->command = bytes_u8(cdb, 9);
		return cdb.len == 12;
	case 0x85: /* ATA PASS-THROUGH(16): high and low bytes alternate */
		task->feature = bytes_be16(cdb, 3);
		task->lba = bytes_u8(cdb, 8) | (uint64_t)bytes_u8(cdb, 10) << 8 |
			(uint64_t)bytes_u8(cdb, 12) << 16 | (uint64_t)bytes_u8(cdb, 7) << 24 |
			(uint64_t)bytes_u8(cdb, 9) << 32 | (uint64_t)bytes_u8(cdb, 11) << 40;
		task->command = bytes_u8(cdb, 14);
		return cdb.len == 16;
	case 0x7f: /* ATA PASS-THROUGH(32) */
		task->protocol = bytes_u8(cdb, 10) >> 1 & 15;
		task->lba = bytes_be64(cdb, 12) & 0xffffffffffff;
		task->feature = bytes_be16(cdb, 20);
		task->command = bytes_u8(cdb, 25);
		return cdb.len == 32 && bytes_be16(cdb, 8) == 0x1ff0;
	}
	return false;
}

static struct page_id page_of_smart(const struct taskfile *task)
{
	switch (task->feature & 0xff) {
	case 0xd0:
		return (struct page_id) { .kind = PAGE_SMART_DATA };
	case 0xd1:
		return (struct page_id) { .kind = PAGE_SMART_THRESHOLDS };
	case 0xd5:
		return (struct page_id) { .kind = PAGE_SMART_LOG, .page = (uint8_t)task->lba };
	case 0xda:
		return (struct page_id) { .kind = PAGE_SMART_STATUS };
	}
	return (struct page_id) { .kind = PAGE_ATA_OTHER, .page = 0xb0, .sub = task->feature };
}

static struct page_id page_of_taskfile(const struct taskfile *task)
{
	struct page_id other = {
		.kind = PAGE_ATA_OTHER, .page = task->command, .sub = task->feature
	};

	other.control = task->protocol == ATA_PIO_OUT || task->protocol == ATA_DMA_OUT;
	switch (task->command) {
	case 0xec:
		return (struct page_id) { .kind = PAGE_ATA_IDENTIFY };
	case 0xa1:
		return (struct page_id) { .kind = PAGE_ATA_IDENTIFY_PACKET };
	case 0xe5:
	case 0x98:
		return (struct page_id) { .kind = PAGE_ATA_POWER_MODE };
	case 0xb0:
		return other.control ? other : page_of_smart(task);
	case 0x2f: /* READ LOG EXT, READ LOG DMA EXT: page 7:0 in LBA 15:8, 15:8 in 39:32 */
	case 0x47:
		return (struct page_id) { .kind = PAGE_ATA_LOG,
			.page = (uint8_t)task->lba,
			.sub = (uint16_t)((task->lba >> 8 & 0xff) | (task->lba >> 24 & 0xff00)) };
	}
	return other;
}

static struct page_id page_of_inquiry(struct bytes cdb)
{
	if (bytes_u8(cdb, 1) & 1)
		return (struct page_id) { .kind = PAGE_VPD, .page = bytes_u8(cdb, 2) };
	return (struct page_id) { .kind = PAGE_INQUIRY };
}

static struct page_id page_of_service_action(struct bytes cdb)
{
	unsigned action = bytes_u8(cdb, 1) & 0x1f;

	if (bytes_u8(cdb, 0) == 0x9e && action == 0x10)
		return (struct page_id) { .kind = PAGE_READ_CAPACITY_16 };
	if (bytes_u8(cdb, 0) == 0xa3 && action == 0x0c)
		return (struct page_id) { .kind = PAGE_OPERATION_CODES };
	return (struct page_id) { 0 };
}

/* LOG SENSE and MODE SENSE have page and control in the same byte. */
static struct page_id page_of_sense(struct bytes cdb, enum page_kind kind)
{
	return (struct page_id) { .kind = kind,
		.page = bytes_u8(cdb, 2) & 0x3f,
		.sub = bytes_u8(cdb, 3),
		.control = bytes_u8(cdb, 2) >> 6 };
}

static struct page_id page_of_defects(uint8_t lists)
{
	return (struct page_id) { .kind = PAGE_DEFECTS, .control = lists >> 3 & 3 };
}

struct page_id page_of_cdb(const uint8_t *at, size_t len)
{
	struct bytes cdb = { at, len };
	struct taskfile task = { 0 };

	if (taskfile_of_cdb(cdb, &task))
		return page_of_taskfile(&task);
	switch (bytes_u8(cdb, 0)) {
	case 0x00:
		return (struct page_id) { .kind = len ? PAGE_TEST_UNIT_READY : PAGE_NONE };
	case 0x03:
		return (struct page_id) { .kind = PAGE_REQUEST_SENSE };
	case 0x12:
		return page_of_inquiry(cdb);
	case 0x1a:
	case 0x5a:
		return page_of_sense(cdb, PAGE_MODE);
	case 0x1c:
		return (struct page_id) { .kind = PAGE_DIAGNOSTIC, .page = bytes_u8(cdb, 2) };
	case 0x25:
		return (struct page_id) { .kind = PAGE_READ_CAPACITY_10 };
	case 0x37:
		return page_of_defects(bytes_u8(cdb, 2));
	case 0x4d:
		return page_of_sense(cdb, PAGE_LOG);
	case 0x9e:
	case 0xa3:
		return page_of_service_action(cdb);
	case 0xa2:
		return (struct page_id) {
			.kind = PAGE_SECURITY, .page = bytes_u8(cdb, 1), .sub = bytes_be16(cdb, 2)
		};
	case 0xb7:
		return page_of_defects(bytes_u8(cdb, 1));
	}
	return (struct page_id) { 0 };
}

/* How a page is called: its command, and a format of page and sub. */
static const struct {
	const char *command;
	const char *format; /* of (page, sub); NULL: the command says it all */
} names[] = {
	[PAGE_NONE] = { "unknown command", NULL },
	[PAGE_TEST_UNIT_READY] = { "TEST UNIT READY", NULL },
	[PAGE_REQUEST_SENSE] = { "REQUEST SENSE", NULL },
	[PAGE_INQUIRY] = { "INQUIRY", "standard INQUIRY data" },
	[PAGE_VPD] = { "INQUIRY", "VPD page %02Xh" },
	[PAGE_READ_CAPACITY_10] = { "READ CAPACITY(10)", NULL },
	[PAGE_READ_CAPACITY_16] = { "READ CAPACITY(16)", NULL },
	[PAGE_LOG] = { "LOG SENSE", "log page %02Xh/%02Xh" },
	[PAGE_MODE] = { "MODE SENSE", "mode page %02Xh/%02Xh" },
	[PAGE_OPERATION_CODES] = { "REPORT SUPPORTED OPERATION CODES", NULL },
	[PAGE_DIAGNOSTIC] = { "RECEIVE DIAGNOSTIC RESULTS", "diagnostic page %02Xh" },
	[PAGE_SECURITY] = { "SECURITY PROTOCOL IN", "security protocol %02Xh/%04Xh" },
	[PAGE_DEFECTS] = { "READ DEFECT DATA", NULL },
	[PAGE_ATA_IDENTIFY] = { "IDENTIFY DEVICE", NULL },
	[PAGE_ATA_IDENTIFY_PACKET] = { "IDENTIFY PACKET DEVICE", NULL },
	[PAGE_ATA_POWER_MODE] = { "CHECK POWER MODE", NULL },
	[PAGE_SMART_DATA] = { "SMART READ DATA", NULL },
	[PAGE_SMART_THRESHOLDS] = { "SMART READ ATTRIBUTE THRESHOLDS", NULL },
	[PAGE_SMART_STATUS] = { "SMART RETURN STATUS", NULL },
	[PAGE_SMART_LOG] = { "SMART READ LOG", "SMART log %02Xh" },
	[PAGE_ATA_LOG] = { "READ LOG EXT", "ATA log %02Xh page %u" },
	[PAGE_ATA_OTHER] = { "ATA command", "ATA command %02Xh feature %04Xh" },
};

static const char *const mode_control[] = { "", ", changeable", ", default", ", saved" };
static const char *const log_control[] = { ", threshold", "", ", default threshold",
	", default cumulative" };
static const char *const defect_control[] = { "READ DEFECT DATA", "grown defect list",
	"primary defect list", "grown and primary defect list" };

const char *page_command(struct page_id id)
{
	return names[id.kind].command;
}

const char *page_name(struct page_id id, char *text, size_t size)
{
	const char *control = "";
	int n;

	if (id.kind == PAGE_DEFECTS) {
		snprintf(text, size, "%s", defect_control[id.control & 3]);
		return text;
	}
	if (!names[id.kind].format) {
		snprintf(text, size, "%s", names[id.kind].command);
		return text;
	}
	if (id.kind == PAGE_MODE)
		control = mode_control[id.control & 3];
	if (id.kind == PAGE_LOG)
		control = log_control[id.control & 3];
	n = snprintf(text, size, names[id.kind].format, id.page, id.sub);
	if (n > 0 && (size_t)n < size)
		snprintf(text + n, size - (size_t)n, "%s", control);
	return text;
}
