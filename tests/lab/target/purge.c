/* SANITIZE and FORMAT UNIT (SBC-4 5.30, 5.4), SANITIZE DEVICE and the security feature set
 * (ACS-4 7.36 to 7.42): the medium is emptied at once, and it takes as long as the control file
 * says until that is told. */
#include <string.h>
#include <sys/mman.h>

#include "drive.h"

enum { SANITIZE = 0x48, IN_PROGRESS_FORMAT = 0x04, IN_PROGRESS_SANITIZE = 0x1b };
enum { PASSWORD_AT = 2, PASSWORD_BYTES = 32 };

static void empty(struct drive *drive)
{
	struct medium *medium = &drive->medium;
	size_t size = medium->blocks * medium->block_bytes;

	if (medium->bytes)
		madvise(medium->bytes, size, MADV_DONTNEED);
}

static bool goes_on(const struct purge *purge)
{
	return now_us() < purge->until_us;
}

static unsigned progress(const struct purge *purge)
{
	int64_t left_us = purge->until_us - now_us();

	return left_us > 0 ? (unsigned)((purge->takes_us - left_us) * 65535 / purge->takes_us) : 0;
}

static void begin(struct drive *drive, uint8_t what)
{
	struct purge *purge = &drive->purge;

	purge->what = what;
	purge->until_us = now_us() + purge->takes_us;
	purge->completed = !purge->fails;
	if (!purge->fails)
		empty(drive);
}

bool purge_answers(struct drive *drive, struct command *command)
{
	const struct purge *purge = &drive->purge;
	uint8_t code = command->cdb[0];
	unsigned part = progress(purge);

	if (!purge->what || code == 0x12 || code == 0xa0)
		return false;
	if (goes_on(purge)) {
		memset(command->sense, 0, sizeof(command->sense));
		command->status = STATUS_CHECK;
		command->sense[0] = 0x70;
		command->sense[2] = KEY_NOT_READY;
		command->sense[7] = 10;
		command->sense[12] = 0x04;
		command->sense[13] = purge->what;
		command->sense[15] = 0x80;
		command->sense[16] = (uint8_t)(part >> 8);
		command->sense[17] = (uint8_t)part;
		return true;
	}
	if (!purge->completed && code != SANITIZE)
		command_fail(drive, command, KEY_MEDIUM, 0x31, 0x03);
	return !purge->completed && code != SANITIZE;
}

void purge_sanitize(struct drive *drive, struct command *command)
{
	unsigned action = command->cdb[1] & 0x1f;
	size_t len = (size_t)(command->cdb[7] << 8 | command->cdb[8]);
	uint8_t list[8] = { 0 };

	if (drive->ata || action < 1 || action > 3 || (action == 1) != (len > 4) ||
		len > drive->medium.block_bytes + 4) {
		command_refuse_field(drive, command);
		return;
	}
	if (action == 1)
		command_move(command, list, sizeof(list), false);
	if (action == 1 && !(list[0] & 0x1f))
		command_fail(drive, command, KEY_ILLEGAL, 0x26, 0);
	else
		begin(drive, IN_PROGRESS_SANITIZE);
}

void purge_format(struct drive *drive, struct command *command)
{
	uint8_t list[4] = { 0 };

	if (drive->ata || (command->cdb[1] & 0x1f) != 0x10) {
		command_refuse_field(drive, command);
		return;
	}
	command_move(command, list, sizeof(list), false);
	begin(drive, IN_PROGRESS_FORMAT);
}

/* What SANITIZE DEVICE's key in LBA must be; OVERWRITE has a pattern in its lower half. */
static bool key_is_right(uint16_t feature, uint64_t lba)
{
	switch (feature) {
	case 0x11:
		return lba == 0x43727970;
	case 0x12:
		return lba == 0x426b4572;
	case 0x14:
		return lba >> 32 == 0x4f57;
	}
	return false;
}

bool purge_sanitize_device(struct drive *drive, uint16_t feature, uint16_t *count, uint64_t *lba)
{
	struct purge *purge = &drive->purge;

	if (!feature) {
		*count = (uint16_t)(goes_on(purge) ? 0x4000 : purge->completed ? 0x8000 : 0);
		*count |= purge->frozen ? 0x2000 : 0;
		*lba = goes_on(purge) ? progress(purge) : 0xffff;
		return true;
	}
	if (!purge->frozen && key_is_right(feature, *lba)) {
		begin(drive, IN_PROGRESS_SANITIZE);
		return true;
	}
	*lba = purge->frozen ? 3 : 2;
	return false;
}

bool purge_security(struct drive *drive, uint8_t command, const uint8_t *sector)
{
	struct purge *purge = &drive->purge;
	bool known = purge->password[0] &&
		!memcmp(purge->password, sector + PASSWORD_AT, PASSWORD_BYTES);
	bool prepared = purge->prepared;

	purge->prepared = command == 0xf3;
	switch (command) {
	case 0xf1:
		memcpy(purge->password, sector + PASSWORD_AT, PASSWORD_BYTES);
		return true;
	case 0xf3:
		return true;
	case 0xf4:
		if (!known || !prepared || purge->fails)
			return false;
		empty(drive);
		/* fall through */
	case 0xf6:
		if (known)
			memset(purge->password, 0, PASSWORD_BYTES);
		return known;
	}
	return false;
}
