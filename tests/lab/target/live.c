/* What moves, written into captured pages just before they are given away. */
#include <math.h>
#include <string.h>

#include "assay/array.h"
#include "drive.h"

enum { SECTOR = 512 };

/* Big endian where step is 1, little endian where it is -1. */
static uint64_t load(const uint8_t *at, size_t width, bool big)
{
	uint64_t value = 0;

	for (size_t i = 0; i < width; i++)
		value = value << 8 | at[big ? i : width - 1 - i];
	return value;
}

static void add(uint8_t *at, size_t width, bool big, uint64_t more)
{
	uint64_t value = load(at, width, big) + more;

	for (size_t i = 0; i < width; i++) {
		at[big ? width - 1 - i : i] = (uint8_t)value;
		value >>= 8;
	}
}

/* A log page's parameter, header included; NULL: none, or not all of it. */
static uint8_t *parameter(uint8_t *page, size_t len, unsigned code, size_t *value_len)
{
	size_t at = 4;

	while (at + 4 <= len) {
		*value_len = page[at + 3];
		if (at + 4 + *value_len > len)
			return NULL;
		if (load(page + at, 2, true) == code)
			return page + at;
		at += 4 + *value_len;
	}
	return NULL;
}

static void add_parameter(uint8_t *page, size_t len, unsigned code, uint64_t more)
{
	size_t value_len;
	uint8_t *found = parameter(page, len, code, &value_len);

	if (found && value_len && value_len <= 8)
		add(found + 4, value_len, true, more);
}

static void set_parameter_byte(uint8_t *page, size_t len, unsigned code, size_t at, uint8_t value)
{
	size_t value_len;
	uint8_t *found = parameter(page, len, code, &value_len);

	if (found && at < 4 + value_len)
		found[at] = value;
}

/* The sector of an ATA log's answer that is page number `number`. */
static uint8_t *log_sector(struct page_id id, uint8_t *data, size_t len, unsigned number)
{
	size_t at;

	if (number < id.sub)
		return NULL;
	at = (number - id.sub) * (size_t)SECTOR;
	return at + SECTOR <= len ? data + at : NULL;
}

/* The raw value of an attribute in SMART data (ACS-4, SMART READ DATA). */
static uint8_t *attribute_raw(uint8_t *data, size_t len, uint8_t id)
{
	for (size_t at = 2; at + 12 <= 362 && len >= SECTOR; at += 12)
		if (data[at] == id)
			return data + at + 5;
	return NULL;
}

static uint8_t celsius(const struct drive *drive)
{
	return (uint8_t)(int8_t)lround(drive->thermal.now_celsius);
}

static void raise_to(uint8_t *at, uint8_t value)
{
	if (*at == 0x80 || (int8_t)*at < (int8_t)value)
		*at = value;
}

static void thermal_log(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	uint8_t now = celsius(drive);

	if (id.page == 0x0d && id.sub == 0)
		set_parameter_byte(data, len, 0, 5, now);
	if (id.page == 0x0d && id.sub == 1) {
		set_parameter_byte(data, len, 0, 5, now);
	}
	if (id.page == 0x2f)
		set_parameter_byte(data, len, 0, 6, now);
}

/* SCT status (ACS-4 8.2.5): current, and highest of this power cycle and of its life. */
static void thermal_sct(const struct drive *drive, uint8_t *sector)
{
	uint8_t now = celsius(drive);

	sector[200] = now;
	raise_to(sector + 202, now);
	raise_to(sector + 204, now);
}

/* Extended status, action and function of the last SCT command (ACS-4 8.2.5). */
static void sct_patch(const struct drive *drive, uint8_t *sector)
{
	if (!drive->sct_command[0])
		return;
	memset(sector + 14, 0, 2);
	memcpy(sector + 16, drive->sct_command, 4);
}

static void thermal_statistics(const struct drive *drive, uint8_t *sector)
{
	uint8_t now = celsius(drive);

	if (sector[8 + 7] & 0x80)
		sector[8] = now;
	if (sector[32 + 7] & 0x80)
		raise_to(sector + 32, now);
}

static void thermal_patch(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	static const uint8_t ids[] = { 194, 190 };
	uint8_t *at;

	switch (id.kind) {
	case PAGE_LOG:
		thermal_log(drive, id, data, len);
		return;
	case PAGE_SMART_DATA:
		for (size_t i = 0; i < sizeof(ids); i++)
			if ((at = attribute_raw(data, len, ids[i])))
				*at = celsius(drive);
		return;
	case PAGE_SMART_LOG:
	case PAGE_ATA_LOG:
		if (id.page == 0xe0 && (at = log_sector(id, data, len, 0)))
			thermal_sct(drive, at);
		if (id.page == 0x04 && (at = log_sector(id, data, len, 5)))
			thermal_statistics(drive, at);
		return;
	default:
		return;
	}
}

static void counters_log(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	const struct counters *counters = &drive->counters;
	uint32_t block = drive->medium.block_bytes;
	size_t value_len;
	uint8_t *found;

	if (id.page == 0x02)
		add_parameter(data, len, 5, counters->written_blocks * block);
	if (id.page == 0x03)
		add_parameter(data, len, 5, counters->read_blocks * block);
	found = id.page == 0x19 && !id.sub ? parameter(data, len, 1, &value_len) : NULL;
	if (!found || value_len < 32)
		return;
	add(found + 4, 8, true, counters->read_commands);
	add(found + 12, 8, true, counters->write_commands);
	add(found + 20, 8, true, counters->written_blocks);
	add(found + 28, 8, true, counters->read_blocks);
}

static void counters_statistics(const struct drive *drive, uint8_t *sector)
{
	const struct counters *counters = &drive->counters;
	const struct {
		size_t at;
		uint64_t more;
	} all[] = {
		{ 24, counters->written_blocks },
		{ 32, counters->write_commands },
		{ 40, counters->read_blocks },
		{ 48, counters->read_commands },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (sector[all[i].at + 7] & 0x80)
			add(sector + all[i].at, 6, false, all[i].more);
}

static void counters_patch(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	const struct counters *counters = &drive->counters;
	uint32_t block = drive->medium.block_bytes;
	uint8_t *at;

	switch (id.kind) {
	case PAGE_LOG:
		counters_log(drive, id, data, len);
		return;
	case PAGE_SMART_DATA:
		if ((at = attribute_raw(data, len, 241)))
			add(at, 6, false, counters->written_blocks * block / counters->unit_bytes);
		if ((at = attribute_raw(data, len, 242)))
			add(at, 6, false, counters->read_blocks * block / counters->unit_bytes);
		return;
	case PAGE_SMART_LOG:
	case PAGE_ATA_LOG:
		if (id.page == 0x04 && (at = log_sector(id, data, len, 1)))
			counters_statistics(drive, at);
		return;
	default:
		return;
	}
}

/* Flags and current timer of a descriptor of log 08h (ACS-4 9.6). */
static void timer_patch(const struct power *power, enum power_state state, uint8_t *count)
{
	uint8_t *descriptor = count - 28;

	if (!power->timer_changed[state])
		return;
	descriptor[1] = (uint8_t)((descriptor[1] & ~0x04) | (power->timer_on[state] ? 0x04 : 0));
	for (int i = 0; i < 4; i++)
		descriptor[12 + i] = (uint8_t)(power->timer_units[state] >> 8 * i);
}

/* Start-stop and load cycles: log page 0Eh, attributes 4 and 193. */
static void cycles_patch(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	const uint32_t *entered = drive->power.entered;
	uint64_t stops = (uint64_t)entered[STANDBY_Y] + entered[STANDBY_Z] + entered[STOPPED];
	uint64_t loads = stops + entered[IDLE_B] + entered[IDLE_C];
	uint8_t *at;

	if (id.kind == PAGE_LOG && id.page == 0x0e && !id.sub) {
		add_parameter(data, len, 4, stops);
		add_parameter(data, len, 6, loads);
	}
	if (id.kind == PAGE_SMART_DATA && (at = attribute_raw(data, len, 4)))
		add(at, 6, false, stops);
	if (id.kind == PAGE_SMART_DATA && (at = attribute_raw(data, len, 193)))
		add(at, 6, false, loads);
}

static void transitions_patch(
	const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	cycles_patch(drive, id, data, len);
	for (enum power_state state = ACTIVE; state <= STANDBY_Z; state++) {
		size_t at = power_ata_log_offset(state);
		uint8_t *sector = log_sector(id, data, len, (unsigned)(at / SECTOR));

		if (id.kind == PAGE_LOG && id.page == 0x1a && !id.sub)
			add_parameter(
				data, len, power_log_parameter(state), drive->power.entered[state]);
		if (id.kind == PAGE_ATA_LOG && id.page == 0x08 && at && sector) {
			add(sector + at % SECTOR, 4, false, drive->power.entered[state]);
			timer_patch(&drive->power, state, sector + at % SECTOR);
		}
	}
}

/* Words 85 bit 5 (write cache), 120 bit 7 (EPC), 83 and 86 bit 3 and 91 (APM) of
 * IDENTIFY DEVICE. */
static void identify_patch(const struct drive *drive, uint8_t *identify)
{
	if (drive->power.apm >= 0) {
		identify[166] |= 0x08;
		identify[172] = (uint8_t)((identify[172] & ~0x08) | (drive->power.apm ? 0x08 : 0));
		identify[182] = (uint8_t)drive->power.apm;
	}
	if (identify[164] & 0x20)
		identify[170] = (uint8_t)((identify[170] & ~0x20) |
			(drive->write_cache ? 0x20 : 0));
	if (identify[238] & 0x80)
		identify[240] = (uint8_t)((identify[240] & ~0x80) | (drive->power.epc ? 0x80 : 0));
}

/* Sectors that end with a checksum (ACS-4). */
static bool has_checksum(struct page_id id, const uint8_t *sector)
{
	switch (id.kind) {
	case PAGE_ATA_IDENTIFY:
		return sector[510] == 0xa5;
	case PAGE_SMART_DATA:
	case PAGE_SMART_THRESHOLDS:
		return true;
	case PAGE_SMART_LOG:
		return id.page == 0x01 || id.page == 0x02 || id.page == 0x06 || id.page == 0x09;
	case PAGE_ATA_LOG:
		return id.page == 0x03 || id.page == 0x07 || id.page == 0x10 || id.page == 0x11;
	default:
		return false;
	}
}

static uint8_t sum(const uint8_t *sector)
{
	return bytes_sum((struct bytes) { sector, SECTOR });
}

static void poke_patch(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	for (size_t i = 0; i < drive->poke_count; i++) {
		const struct poke *poke = &drive->pokes[i];
		struct page_id page = poke->page;
		size_t at = poke->offset;

		if (page.kind == PAGE_ATA_LOG && page.sub >= id.sub) {
			at += (page.sub - id.sub) * (size_t)SECTOR;
			page.sub = id.sub;
		}
		if (page_same(page, id) && at + poke->len <= len)
			memcpy(data + at, poke->bytes, poke->len);
	}
}

static void patch_all(const struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	uint8_t *sct = log_sector(id, data, len, 0);

	if (sct && id.page == 0xe0 && (id.kind == PAGE_SMART_LOG || id.kind == PAGE_ATA_LOG))
		sct_patch(drive, sct);
	if (drive->thermal.live)
		thermal_patch(drive, id, data, len);
	if (drive->counters.live)
		counters_patch(drive, id, data, len);
	transitions_patch(drive, id, data, len);
	if (id.kind == PAGE_ATA_IDENTIFY && len >= SECTOR)
		identify_patch(drive, data);
	if (id.kind == PAGE_VPD && id.page == 0x89 && len >= 60 + SECTOR)
		identify_patch(drive, data + 60);
	poke_patch(drive, id, data, len);
}

enum { SECTORS = BUFFER_BYTES / SECTOR };

void live_patch(struct drive *drive, struct page_id id, uint8_t *data, size_t len)
{
	static bool right[SECTORS];

	for (size_t i = 0; (i + 1) * SECTOR <= len; i++)
		right[i] = has_checksum(id, data + i * SECTOR) && !sum(data + i * SECTOR);
	patch_all(drive, id, data, len);
	for (size_t i = 0; (i + 1) * SECTOR <= len; i++) {
		uint8_t *sector = data + i * SECTOR;

		if (right[i])
			sector[SECTOR - 1] = (uint8_t)(sector[SECTOR - 1] - sum(sector));
	}
}
