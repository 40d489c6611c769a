/* The medium: as large as captured, of memory; only what is written costs some. */
#include <string.h>
#include <sys/mman.h>

#include "drive.h"

enum { DEFAULT_BLOCKS = 131072, DEFAULT_BLOCK_BYTES = 512 };

static uint64_t be(const uint8_t *at, size_t width)
{
	uint64_t value = 0;

	while (width--)
		value = value << 8 | *at++;
	return value;
}

static struct bytes good_data(const struct drive *drive, enum page_kind kind)
{
	const struct record *record = capture_find(
		&drive->capture, (struct page_id) { .kind = kind });

	return record && record_is_good(record) ? record->data : (struct bytes) { 0 };
}

/* Capacity of IDENTIFY DEVICE: words 100-103, 106, 117-118 (ACS-4 7.13). */
static void capacity_of_identify(struct medium *medium, struct bytes identify)
{
	medium->blocks = bytes_le64(identify, 200) & 0xffffffffffff;
	if (!medium->blocks)
		medium->blocks = bytes_le32(identify, 120);
	if ((bytes_le16(identify, 212) & 0xd000) == 0x5000)
		medium->block_bytes = 2 * bytes_le32(identify, 234);
}

void medium_load(struct drive *drive)
{
	struct medium *medium = &drive->medium;
	struct bytes long_form = good_data(drive, PAGE_READ_CAPACITY_16);
	struct bytes short_form = good_data(drive, PAGE_READ_CAPACITY_10);
	struct bytes identify = good_data(drive, PAGE_ATA_IDENTIFY);

	medium->block_bytes = DEFAULT_BLOCK_BYTES;
	if (long_form.len >= 12) {
		medium->blocks = bytes_be64(long_form, 0) + 1;
		medium->block_bytes = bytes_be32(long_form, 8);
	} else if (short_form.len >= 8) {
		medium->blocks = (uint64_t)bytes_be32(short_form, 0) + 1;
		medium->block_bytes = bytes_be32(short_form, 4);
	} else if (identify.len >= 512) {
		capacity_of_identify(medium, identify);
	}
	if (!medium->blocks)
		medium->blocks = DEFAULT_BLOCKS;
	if (!medium->block_bytes)
		medium->block_bytes = DEFAULT_BLOCK_BYTES;
	medium->bytes = mmap(NULL, medium->blocks * medium->block_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (medium->bytes == MAP_FAILED)
		medium->bytes = NULL;
	else
		madvise(medium->bytes, medium->blocks * medium->block_bytes, MADV_NOHUGEPAGE);
}

struct range {
	uint64_t lba, count;
};

/* LBA and length, as each of the CDB sizes has them (SBC-4). */
static struct range range_of_cdb(const uint8_t *cdb)
{
	switch (cdb[0] >> 5) {
	case 0:
		return (struct range) { be(cdb + 1, 3) & 0x1fffff, cdb[4] ? cdb[4] : 256 };
	case 4:
		return (struct range) { be(cdb + 2, 8), be(cdb + 10, 4) };
	case 5:
		return (struct range) { be(cdb + 2, 4), be(cdb + 6, 4) };
	default:
		return (struct range) { be(cdb + 2, 4), be(cdb + 7, 2) };
	}
}

/* False, with the sense set, where the command cannot be carried out. */
static bool range_ready(struct drive *drive, struct command *command, struct range *range)
{
	const struct medium *medium = &drive->medium;

	*range = range_of_cdb(command->cdb);
	if (drive->power.state == STOPPED) {
		command_fail(drive, command, KEY_NOT_READY, 0x04, 0x02);
		return false;
	}
	if (range->lba > medium->blocks || range->count > medium->blocks - range->lba) {
		command_fail(drive, command, KEY_ILLEGAL, 0x21, 0);
		return false;
	}
	if (!medium->bytes) {
		command_fail(drive, command, KEY_HARDWARE, 0x44, 0);
		return false;
	}
	return true;
}

/* The medium serves one command after the other; latency runs beside it. */
static void take_time(
	struct drive *drive, struct command *command, uint64_t bytes, uint64_t written_bytes)
{
	struct medium *medium = &drive->medium;
	double factor = pace_factor(drive, written_bytes);
	int64_t now = now_us(), start = medium->busy_until_us > now ? medium->busy_until_us : now;

	if (medium->bytes_per_second > 0)
		start += (int64_t)((double)bytes * 1e6 / (medium->bytes_per_second * factor));
	medium->busy_until_us = start;
	command->delay_us += start - now + (int64_t)((double)medium->latency_us / factor);
	thermal_load_bytes(drive, bytes);
	watts_worked(drive);
}

/* The first unreadable block of the range; false where there is none. */
static bool bad_block(const struct medium *medium, struct range range, uint64_t *lba)
{
	*lba = range.lba > medium->bad_first ? range.lba : medium->bad_first;
	return *lba < range.lba + range.count && *lba < medium->bad_first + medium->bad_count;
}

void medium_read(struct drive *drive, struct command *command)
{
	struct medium *medium = &drive->medium;
	struct range range;
	uint64_t bad, good_blocks;
	size_t len;

	if (!range_ready(drive, command, &range))
		return;
	good_blocks = range.count;
	if (bad_block(medium, range, &bad)) {
		command_fail_at(drive, command, KEY_MEDIUM, 0x11, 0, bad);
		good_blocks = bad - range.lba;
	}
	len = good_blocks * medium->block_bytes;
	if (command->cut_to >= 0 && len > (size_t)command->cut_to)
		len = (size_t)command->cut_to;
	command_move(command, medium->bytes + range.lba * medium->block_bytes, len, true);
	drive->counters.read_commands++;
	drive->counters.read_blocks += good_blocks;
	take_time(drive, command, len, 0);
}

/* Writing over bad blocks at the head of their range heals them. */
static void heal(struct medium *medium, struct range range)
{
	uint64_t end = range.lba + range.count;

	if (range.lba > medium->bad_first || end <= medium->bad_first)
		return;
	end = end - medium->bad_first > medium->bad_count ? medium->bad_count
							  : end - medium->bad_first;
	medium->bad_first += end;
	medium->bad_count -= end;
}

void medium_write(struct drive *drive, struct command *command)
{
	struct medium *medium = &drive->medium;
	struct range range;
	size_t len;

	if (!range_ready(drive, command, &range))
		return;
	len = range.count * medium->block_bytes;
	range.lba ^= command->lba_mask;
	if (!command->lost && range.lba + range.count <= medium->blocks)
		command_move(command, medium->bytes + range.lba * medium->block_bytes, len, false);
	if (command->flip_at >= 0 && (size_t)command->flip_at < len)
		medium->bytes[range.lba * medium->block_bytes + (size_t)command->flip_at] ^= 1;
	heal(medium, range);
	drive->counters.write_commands++;
	drive->counters.written_blocks += range.count;
	take_time(drive, command, len, len);
}

void medium_verify(struct drive *drive, struct command *command)
{
	struct range range;
	uint64_t bad;

	if (!range_ready(drive, command, &range))
		return;
	if (bad_block(&drive->medium, range, &bad))
		command_fail_at(drive, command, KEY_MEDIUM, 0x11, 0, bad);
	take_time(drive, command, range.count * drive->medium.block_bytes, 0);
}

void medium_flush(struct drive *drive, struct command *command)
{
	if (drive->power.state == STOPPED)
		command_fail(drive, command, KEY_NOT_READY, 0x04, 0x02);
}
