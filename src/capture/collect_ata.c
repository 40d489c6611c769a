/* What an ATA drive has: ACS-4, behind SAT-4. */
#include "capture/collector.h"

#include <string.h>

#include "assay/array.h"

enum { SCT_STATUS_LOG = 0xe0, SCT_DATA_LOG = 0xe1, FARM_LOG = 0xa6 };

/* ---- Whether it is one ---- */

bool collect_is_translated(const struct collector *c)
{
	static const struct page_id id = { .kind = PAGE_INQUIRY };
	struct bytes data = collect_data(capture_find(c->capture, id));
	char vendor[9];

	bytes_text(bytes_cut(data, 8, 8), false, vendor, sizeof(vendor));
	return !strcmp(vendor, "ATA");
}

bool collect_may_be_ata(const struct collector *c)
{
	enum { ATA_INFORMATION = 0x89 };

	if (c->device_type == TYPE_SIMPLIFIED_DISK)
		return c->usb;
	if (c->device_type != TYPE_DISK && c->device_type != TYPE_ZONED)
		return false;
	return collect_is_translated(c) || collect_lists_vpd(c, ATA_INFORMATION) || c->usb;
}

/* The first command shows whether there is an ATA PASS-THROUGH(16), the shorter
 * one, or none. */
static const struct record *send_ata(struct collector *c, struct page_id id, size_t len)
{
	struct cdb cdb = cdb_of_page(id, len, c->twelve);
	const struct record *record;

	if (!c->pass_through)
		return NULL;
	record = collect_send(c, &cdb, (struct bytes) { 0 });
	if (!collect_unknown_command(record))
		return record;
	c->refused[cdb.bytes[0]] = true;
	if (!c->twelve) {
		c->twelve = true;
		return send_ata(c, id, len);
	}
	c->pass_through = false;
	return record;
}

const char *collect_ata_power(struct collector *c)
{
	enum { DEVICE_READY = 0x40 };
	static const struct page_id id = { .kind = PAGE_ATA_POWER_MODE };
	const struct record *record = send_ata(c, id, 0);
	struct ata_registers registers;

	/* a bridge that only echoes the count gives no status with it */
	if (!collect_good(record) || !ata_registers_of_sense(record->sense, &registers) ||
		!(registers.status & DEVICE_READY))
		return "unknown";
	return power_state_of_count(registers.count);
}

static uint16_t word(const struct collector *c, size_t number)
{
	return bytes_le16(c->identify, 2 * number);
}

static bool bit(const struct collector *c, size_t number, unsigned which)
{
	return word(c, number) >> which & 1;
}

/* Bits 15:14 are 01b in a word that says so of itself. */
static bool word_is_valid(const struct collector *c, size_t number)
{
	return word(c, number) >> 14 == 1;
}

static bool makes_sense(struct bytes identify)
{
	enum { ATAPI = 0x8000, COMPACT_FLASH = 0x848a, MODEL_AT = 54, MODEL_LEN = 40 };
	uint16_t configuration = bytes_le16(identify, 0);
	char model[MODEL_LEN + 1];

	return identify.len == SECTOR && !bytes_all(identify, 0) && !bytes_all(identify, 0xff) &&
		(!(configuration & ATAPI) || configuration == COMPACT_FLASH) &&
		bytes_text(bytes_cut(identify, MODEL_AT, MODEL_LEN), true, model, sizeof(model));
}

bool collect_ata_identify(struct collector *c)
{
	enum { COPY_AT = 60, ILLEGAL_REQUEST = 5 };
	static const struct page_id id = { .kind = PAGE_ATA_IDENTIFY };
	static const struct page_id vpd = { .kind = PAGE_VPD, .page = 0x89 };
	const struct record *record = send_ata(c, id, SECTOR);
	struct sense sense;
	struct bytes copy;

	/* what this fails with before it reaches the drive, the others do too */
	if (!record || record->delivery == DELIVERY_FAILED ||
		(sense_read(record->sense, &sense) && sense.key == ILLEGAL_REQUEST))
		c->pass_through = false;
	c->identify = bytes_cut(collect_data(record), 0, SECTOR);
	if (makes_sense(c->identify))
		return true;
	copy = collect_data(capture_find(c->capture, vpd));
	c->identify = (struct bytes) { 0 };
	if (bytes_u8(copy, 1) == vpd.page)
		c->identify = bytes_cut(copy, COPY_AT, SECTOR);
	return makes_sense(c->identify);
}

/* ---- Logs ---- */

static unsigned log_pages(const struct collector *c, uint8_t log)
{
	return bytes_le16(c->log_directory, (size_t)2 * log);
}

/* Counts of this directory are of 8 bits (ACS-2 on: a reserved byte follows). */
static unsigned smart_log_pages(const struct collector *c, uint8_t log)
{
	return bytes_u8(c->smart_log_directory, (size_t)2 * log);
}

static const struct record *send_log(
	struct collector *c, uint8_t log, unsigned first, unsigned count)
{
	struct page_id id = { PAGE_ATA_LOG, log, (uint16_t)first, c->dma_logs };

	return send_ata(c, id, (size_t)count * SECTOR);
}

/* Reads pages with as few commands as work: some bridges refuse, cut short or
 * never end a transfer of more than one sector. */
static void read_log_pages(struct collector *c, uint8_t log, unsigned first, unsigned count)
{
	bool single = c->single_sectors;
	unsigned end = first + count;

	for (unsigned page = first; page < end;) {
		unsigned run = single ? 1 : end - page;
		const struct record *record = send_log(c, log, page, run);
		unsigned got = (unsigned)(collect_data(record).len / SECTOR);

		if (!record)
			return;
		if (got < run && run > 1) {
			single = true;
			c->single_sectors |= got > 0 || record->delivery != DELIVERY_DONE;
		} else if (!got) {
			if (page == first)
				return;
			got = 1; /* one dead page is no reason to miss the next */
		}
		page += got;
	}
}

/* Page 0 of logs 04h and 30h lists the pages that there are: ACS-4 9.5, 9.11. Drives whose list
 * has holes give the number of its entries, not the last page, as the size of the log. */
static void read_listed_pages(struct collector *c, uint8_t log)
{
	enum { COUNT_AT = 8, MOST = 32 };
	struct bytes data = collect_data(send_log(c, log, 0, 1));
	struct bytes list = bytes_cut(data, COUNT_AT + 1, bytes_u8(data, COUNT_AT));
	bool listed[MOST + 1] = { false };

	for (size_t i = 0; i < list.len; i++)
		if (bytes_u8(list, i) < MOST)
			listed[bytes_u8(list, i)] = true;
	for (unsigned page = 1, run; page < MOST; page += run + 1) {
		for (run = 0; listed[page + run]; run++)
			;
		if (run)
			read_log_pages(c, log, page, run);
	}
}

/* A ring of entries: where it has more pages than are read, those that end with the newest entry,
 * which page 0 names (counted from 1). */
static void read_ring(struct collector *c, uint8_t log, unsigned pages, unsigned entries)
{
	enum { INDEX_AT = 2 };
	unsigned most = MOST_LOG_PAGES, index, newest, end;

	if (pages <= most) {
		read_log_pages(c, log, 0, pages);
		return;
	}
	index = bytes_le16(collect_data(send_log(c, log, 0, 1)), INDEX_AT);
	newest = index ? (index - 1) / entries : 0;
	if (newest >= pages)
		return;
	if (newest + 1 < most) { /* what is older stands at the end */
		end = most - newest - 1;
		read_log_pages(c, log, 1, newest);
		read_log_pages(c, log, pages - end, end);
	} else {
		read_log_pages(c, log, newest + 1 - most, most);
	}
}

static void read_log_directory(struct collector *c)
{
	const struct record *record;
	bool dma = word_is_valid(c, 119) && bit(c, 86, 15) && bit(c, 119, 3);

	if (!((word_is_valid(c, 84) && bit(c, 84, 5)) || (word_is_valid(c, 87) && bit(c, 87, 5))))
		return;
	record = send_log(c, 0x00, 0, 1);
	if (record && record->delivery == DELIVERY_DONE && !record_is_good(record) && dma) {
		c->dma_logs = true;
		record = send_log(c, 0x00, 0, 1);
	}
	c->log_directory = bytes_cut(collect_data(record), 0, SECTOR);
}

static void read_logs(struct collector *c)
{
	static const struct {
		uint8_t log;
		bool listed;   /* page 0 lists the others */
		unsigned ring; /* entries of a page, where they are a ring */
		unsigned most;
	} logs[] = {
		{ 0x03, false, 4, 0 },  /* extended comprehensive error log */
		{ 0x04, true, 0, 0 },   /* device statistics */
		{ 0x07, false, 19, 0 }, /* extended self-test log */
		{ 0x08, false, 0, 2 },  /* power conditions */
		{ 0x0c, false, 0, 1 },  /* pending defects */
		{ 0x11, false, 0, 1 },  /* SATA phy event counters */
		{ 0x2f, false, 0, 1 },  /* sector configuration */
		{ 0x30, true, 0, 0 },   /* IDENTIFY DEVICE data */
	};

	for (size_t i = 0; i < ARRAY_LEN(logs); i++) {
		unsigned pages = log_pages(c, logs[i].log);

		if (!collect_wants_log(c, logs[i].log))
			continue;
		if (pages && logs[i].listed)
			read_listed_pages(c, logs[i].log);
		else if (pages && logs[i].ring)
			read_ring(c, logs[i].log, pages, logs[i].ring);
		else if (pages)
			read_log_pages(
				c, logs[i].log, 0, pages < logs[i].most ? pages : logs[i].most);
	}
}

/* Vendor specific: the same address means something else on other drives. The
 * header and the drive information, whose pages are 32 sectors apart. */
static void read_farm(struct collector *c)
{
	enum { DRIVE_SECTOR = 32 };
	char model[41];

	bytes_text(bytes_cut(c->identify, 54, 40), true, model, sizeof(model));
	if (strncmp(model, "ST", 2) != 0 || !log_pages(c, FARM_LOG) ||
		!collect_wants_log(c, FARM_LOG))
		return;
	read_log_pages(c, FARM_LOG, 0, 1);
	if (log_pages(c, FARM_LOG) > DRIVE_SECTOR)
		read_log_pages(c, FARM_LOG, DRIVE_SECTOR, 1);
}

/* ---- SMART ---- */

static bool smart_is_enabled(const struct collector *c)
{
	return word_is_valid(c, 83) && bit(c, 82, 0) && (!word_is_valid(c, 87) || bit(c, 85, 0));
}

static void read_smart_log(struct collector *c, uint8_t log, unsigned pages)
{
	struct page_id id = { .kind = PAGE_SMART_LOG, .page = log };
	unsigned count = c->single_sectors ? 1 : pages < MOST_LOG_PAGES ? pages : MOST_LOG_PAGES;
	const struct record *record;

	if (!pages)
		return;
	record = send_ata(c, id, (size_t)count * SECTOR);
	if (record && count > 1 && !record_is_good(record))
		send_ata(c, id, SECTOR);
}

/* Old drives say it only in SMART READ DATA. */
static bool has_error_log(const struct collector *c, struct bytes data)
{
	return (word_is_valid(c, 84) && bit(c, 84, 0)) || bytes_u8(data, 370) & 1;
}

static bool has_self_test_log(const struct collector *c, struct bytes data)
{
	return (word_is_valid(c, 84) && bit(c, 84, 1)) || bytes_u8(data, 367) & 1 << 4;
}

static void read_smart_logs(struct collector *c, bool error_log, bool self_test_log)
{
	static const struct page_id directory = { .kind = PAGE_SMART_LOG, .page = 0x00 };

	c->smart_log_directory = bytes_cut(collect_data(send_ata(c, directory, SECTOR)), 0, SECTOR);
	if (c->smart_log_directory.at) {
		error_log = smart_log_pages(c, 0x01);
		self_test_log = smart_log_pages(c, 0x06);
	}
	read_smart_log(c, 0x01, error_log);
	read_smart_log(c, 0x06, self_test_log);
	read_smart_log(c, 0x09, smart_log_pages(c, 0x09));
	if (!log_pages(c, 0x03))
		read_smart_log(c, 0x02, smart_log_pages(c, 0x02));
	if (!log_pages(c, 0x04))
		read_smart_log(c, 0x04, smart_log_pages(c, 0x04));
}

/* Only what no log of READ LOG EXT has. */
static void read_smart_logs_light(struct collector *c, bool self_test_log)
{
	static const struct page_id directory = { .kind = PAGE_SMART_LOG, .page = 0x00 };

	if (!log_pages(c, 0x07))
		read_smart_log(c, 0x06, self_test_log);
	if (c->log_directory.at)
		return;
	c->smart_log_directory = bytes_cut(collect_data(send_ata(c, directory, SECTOR)), 0, SECTOR);
	read_smart_log(c, 0x04, smart_log_pages(c, 0x04));
}

static void read_smart(struct collector *c)
{
	static const struct page_id status = { .kind = PAGE_SMART_STATUS };
	static const struct page_id data = { .kind = PAGE_SMART_DATA };
	static const struct page_id thresholds = { .kind = PAGE_SMART_THRESHOLDS };
	struct bytes capabilities;

	send_ata(c, status, 0);
	capabilities = collect_data(send_ata(c, data, SECTOR));
	send_ata(c, thresholds, SECTOR);
	if (collect_is_light(c))
		read_smart_logs_light(c, has_self_test_log(c, capabilities));
	else if (has_error_log(c, capabilities) || has_self_test_log(c, capabilities))
		read_smart_logs(
			c, has_error_log(c, capabilities), has_self_test_log(c, capabilities));
}

/* ---- SCT: ACS-4 8 ---- */

/* Which of the two ways to the SCT logs there is. */
static bool sct_by_log_ext(const struct collector *c)
{
	return log_pages(c, SCT_STATUS_LOG) > 0;
}

static const struct record *read_sct_log(struct collector *c, uint8_t log)
{
	struct page_id smart = { .kind = PAGE_SMART_LOG, .page = log };

	return sct_by_log_ext(c) ? send_log(c, log, 0, 1) : send_ata(c, smart, SECTOR);
}

/* An SCT command is a sector of words written to the status log. */
static const struct record *send_sct(
	struct collector *c, uint8_t action, uint8_t function, uint8_t selection)
{
	static const struct page_id by_log_ext = { PAGE_ATA_OTHER, 0x3f, 0, 1 };
	static const struct page_id by_smart = { PAGE_ATA_OTHER, 0xb0, 0xd6, 1 };
	uint8_t words[SECTOR] = { action, 0, function, 0, selection, 0 };
	struct cdb cdb = cdb_of_page(sct_by_log_ext(c) ? by_log_ext : by_smart, SECTOR, c->twelve);

	return collect_send(c, &cdb, (struct bytes) { words, sizeof(words) });
}

/* A light collection has no need of it where the drive told its temperature and
 * its self-assessment otherwise. */
static bool needs_sct_status(const struct collector *c)
{
	enum { FIRST = 2, ENTRY = 12, ENTRIES = 30, TEMPERATURE = 194 };
	static const struct page_id status = { .kind = PAGE_SMART_STATUS };
	static const struct page_id data = { .kind = PAGE_SMART_DATA };
	const struct record *record = capture_find(c->capture, status);
	struct bytes attributes = collect_data(capture_find(c->capture, data));
	struct ata_registers registers;

	if (!collect_is_light(c) || !collect_good(record) ||
		!ata_registers_of_sense(record->sense, &registers))
		return true;
	for (size_t i = 0; i < ENTRIES; i++)
		if (bytes_u8(attributes, FIRST + ENTRY * i) == TEMPERATURE)
			return false;
	return true;
}

static void read_sct(struct collector *c)
{
	enum { ERROR_RECOVERY = 3, RETURN_CURRENT = 2, READ_TIMER = 1, WRITE_TIMER = 2 };
	enum { DATA_TABLE = 5, READ_TABLE = 1, TEMPERATURE_HISTORY = 2 };

	if (!bit(c, 206, 0) ||
		(needs_sct_status(c) && !collect_good(read_sct_log(c, SCT_STATUS_LOG))))
		return;
	if (bit(c, 206, 5) && collect_wants_log(c, SCT_DATA_LOG) &&
		collect_good(send_sct(c, DATA_TABLE, READ_TABLE, TEMPERATURE_HISTORY)))
		read_sct_log(c, SCT_DATA_LOG);
	if (bit(c, 206, 3) && !collect_is_light(c) &&
		collect_good(send_sct(c, ERROR_RECOVERY, RETURN_CURRENT, READ_TIMER)))
		send_sct(c, ERROR_RECOVERY, RETURN_CURRENT, WRITE_TIMER);
}

void collect_ata(struct collector *c)
{
	enum { CACHING = 0x08, CACHING_BYTES = 64 };
	static const struct page_id caching = { .kind = PAGE_MODE, .page = CACHING };

	if (!collect_is_light(c))
		collect_scsi_capacity(c);
	/* a translation of what IDENTIFY DEVICE data say */
	if (!c->usb && !collect_is_light(c))
		collect_page(c, caching, CACHING_BYTES);
	if (!c->pass_through)
		return;
	read_log_directory(c);
	if (smart_is_enabled(c))
		read_smart(c);
	read_logs(c);
	read_farm(c);
	if (smart_is_enabled(c) || sct_by_log_ext(c))
		read_sct(c);
}
