/* ATA commands behind a translator (SAT-4 12.2, ACS-4). */
#include <string.h>

#include "assay/command.h"
#include "drive.h"

enum { SECTOR = 512 };
enum { ATA_ABORT = 0x04, ATA_READY = 0x50, ATA_ERROR = 0x51 };
enum { LOG_SCT = 0xe0, SCT_ERROR_RECOVERY = 3 };

struct task {
	uint8_t protocol, command, device, status, error;
	uint16_t feature, count;
	uint64_t lba;
	bool extend, registers; /* CK_COND: it wants to see them */
};

static void task_of_cdb(const uint8_t *cdb, struct task *task)
{
	*task = (struct task) { .protocol = cdb[1] >> 1 & 15, .registers = cdb[2] & 0x20 };
	if (cdb[0] == 0xa1) {
		task->feature = cdb[3];
		task->count = cdb[4];
		task->lba = cdb[5] | (uint64_t)cdb[6] << 8 | (uint64_t)cdb[7] << 16;
		task->device = cdb[8];
		task->command = cdb[9];
		return;
	}
	task->extend = cdb[1] & 1;
	task->feature = (uint16_t)(cdb[3] << 8 | cdb[4]);
	task->count = (uint16_t)(cdb[5] << 8 | cdb[6]);
	for (int i = 0; i < 3; i++)
		task->lba |= (uint64_t)cdb[8 + 2 * i] << 8 * i |
			(uint64_t)cdb[7 + 2 * i] << (24 + 8 * i);
	task->device = cdb[13];
	task->command = cdb[14];
}

/* The registers after the command, as an ATA Status Return descriptor. */
static void give_registers(struct command *command, const struct task *task)
{
	uint8_t *sense = command->sense;
	bool failed = task->status & 1;

	memset(sense, 0, sizeof(command->sense));
	sense[0] = 0x72;
	sense[1] = failed ? KEY_ABORTED : KEY_RECOVERED;
	sense[3] = failed ? 0 : 0x1d;
	sense[7] = 14;
	sense[8] = 0x09;
	sense[9] = 12;
	sense[10] = task->extend;
	sense[11] = task->error;
	sense[12] = (uint8_t)(task->count >> 8);
	sense[13] = (uint8_t)task->count;
	for (int i = 0; i < 3; i++) {
		sense[15 + 2 * i] = (uint8_t)(task->lba >> 8 * i);
		sense[14 + 2 * i] = (uint8_t)(task->lba >> (24 + 8 * i));
	}
	sense[20] = task->device;
	sense[21] = task->status;
	command->status = STATUS_CHECK;
}

/* What an ATA command ends with. */
enum ending { DONE, ABORTED, ANSWERED /* the sense data are complete */ };

/* Any captured sector of a log that is page number `page` of it. */
static const uint8_t *log_page(const struct drive *drive, struct page_id id, unsigned page)
{
	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];
		size_t at = (page - record->page.sub) * (size_t)SECTOR;

		if (record->page.kind != id.kind || record->page.page != id.page)
			continue;
		if (!record_is_good(record) || record->page.sub > page)
			continue;
		if (at + SECTOR <= record->data.len)
			return record->data.at + at;
	}
	return NULL;
}

static enum ending read_log(struct drive *drive, struct command *command, const struct task *task)
{
	struct page_id id = command->page;
	size_t count = task->count;

	if (!count || count * SECTOR > BUFFER_BYTES)
		return ABORTED;
	for (unsigned i = 0; i < count; i++) {
		const uint8_t *sector = log_page(drive, id, id.sub + i);

		if (!sector)
			return ABORTED;
		memcpy(drive->buffer + (size_t)i * SECTOR, sector, SECTOR);
	}
	command_answer(drive, command, count * SECTOR, command->wanted);
	return DONE;
}

/* One sector that does not depend on Count. */
static enum ending read_page(struct drive *drive, struct command *command)
{
	const struct record *record = capture_find(&drive->capture, command->page);

	if (!record || !record_is_good(record) || record->data.len > BUFFER_BYTES ||
		!record->data.at)
		return ABORTED;
	memcpy(drive->buffer, record->data.at, record->data.len);
	command_answer(drive, command, record->data.len, command->wanted);
	return DONE;
}

/* SMART RETURN STATUS answers in LBA 23:8; as captured where it was. */
static enum ending smart_status(struct drive *drive, struct command *command, struct task *task)
{
	const struct record *record = capture_find(&drive->capture, command->page);
	struct ata_registers registers;

	if (!record)
		return ABORTED;
	if (!ata_registers_of_sense(record->sense, &registers))
		return DONE;
	task->lba = registers.lba;
	return DONE;
}

/* Error recovery control (ACS-4 8.3.3), where IDENTIFY word 206 bit 3 has it. */
static enum ending sct_error_recovery(struct drive *drive, const uint8_t *sector, struct task *task)
{
	const struct record *identify = capture_find(
		&drive->capture, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	unsigned selection = sector[4], action = sector[2];
	uint16_t *value = &drive->recovery_control[selection == 2];

	if (!identify || !(bytes_le16(identify->data, 412) & 0x08))
		return ABORTED;
	if (selection < 1 || selection > 2)
		return ABORTED;
	if (action == 1)
		*value = (uint16_t)(sector[6] | sector[7] << 8);
	else if (action != 2)
		return ABORTED;
	task->count = (uint16_t)((task->count & 0xff00) | (*value & 0xff));
	task->lba = (task->lba & ~UINT64_C(0xff)) | *value >> 8;
	return DONE;
}

/* A captured command that sent the same key (its first six bytes), by whichever route. */
static const struct record *same_key(const struct drive *drive, const uint8_t *sector)
{
	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];

		if (record->page.kind == PAGE_ATA_OTHER && record->page.control &&
			record->out.len >= 6 && !memcmp(record->out.at, sector, 6))
			return record;
	}
	return NULL;
}

/* Writes to log E0h are commands; the status that is read there names the last one. */
static enum ending sct_command(struct drive *drive, struct command *command, struct task *task)
{
	uint8_t sector[SECTOR] = { 0 };
	const struct record *record;
	enum ending ending = ABORTED;

	command_move(command, sector, sizeof(sector), false);
	record = same_key(drive, sector);
	if (record && record_is_good(record))
		ending = DONE;
	else if (!record && sector[0] == SCT_ERROR_RECOVERY)
		ending = sct_error_recovery(drive, sector, task);
	if (ending == DONE)
		memcpy(drive->sct_command, sector, sizeof(drive->sct_command));
	if (ending == DONE && record && record->sense.at && task->registers) {
		command_fail_as(command, record);
		return ANSWERED;
	}
	return ending;
}

static enum ending smart(struct drive *drive, struct command *command, struct task *task)
{
	switch (task->feature & 0xff) {
	case 0xd0:
	case 0xd1:
		return read_page(drive, command);
	case 0xd5:
		return read_log(drive, command, task);
	case 0xd6:
		return (task->lba & 0xff) == LOG_SCT ? sct_command(drive, command, task) : DONE;
	case 0xda:
		return smart_status(drive, command, task);
	case 0xd2:
	case 0xd4:
	case 0xd8:
	case 0xd9:
	case 0xdb:
		return capture_find(&drive->capture, (struct page_id) { .kind = PAGE_SMART_DATA })
			? DONE
			: ABORTED;
	}
	return ABORTED;
}

static enum ending set_features(struct drive *drive, const struct task *task)
{
	switch (task->feature & 0xff) {
	case 0x02:
	case 0x82:
		drive->write_cache = (task->feature & 0xff) == 0x02;
		return DONE;
	case 0x4a:
		return power_epc(drive, task->count, task->lba) ? DONE : ABORTED;
	case 0x05:
		return power_apm(drive, task->count & 0xff) ? DONE : ABORTED;
	case 0x85:
		return power_apm(drive, 0) ? DONE : ABORTED;
	case 0x55: /* read look-ahead: taken, of no effect here */
	case 0xaa:
		return DONE;
	}
	return ABORTED;
}

/* STANDBY's and IDLE's timer in Count (ACS-4 7.18, table "Standby timer periods"). */
static void standby_timer(struct drive *drive, uint8_t count)
{
	int64_t seconds = 0;

	if (count >= 1 && count <= 240)
		seconds = count * 5;
	else if (count >= 241 && count <= 251)
		seconds = (count - 240) * 1800;
	drive->power.timer_us[STANDBY_Z] = seconds * 1000000;
}

static enum power_state power_target(uint8_t command)
{
	switch (command) {
	case 0xe6:
	case 0x99:
		return SLEEP;
	case 0x94:
	case 0x96:
	case 0xe0:
	case 0xe2:
		return STANDBY_Z;
	}
	return IDLE_A;
}

static enum ending power_command(struct drive *drive, struct task *task)
{
	switch (task->command) {
	case 0xe5:
	case 0x98:
		task->count = power_count(drive);
		return DONE;
	case 0x96:
	case 0x97:
	case 0xe2:
	case 0xe3:
		standby_timer(drive, (uint8_t)task->count);
		break;
	}
	drive->power.idle_since_us = now_us();
	if (power_refuses(drive, power_target(task->command)))
		return ABORTED;
	power_enter(drive, power_target(task->command), false);
	return DONE;
}

static enum ending sanitize(struct drive *drive, struct task *task)
{
	bool done = purge_sanitize_device(drive, task->feature, &task->count, &task->lba);

	return done ? DONE : ABORTED;
}

static enum ending security(struct drive *drive, struct command *command, const struct task *task)
{
	uint8_t sector[SECTOR] = { 0 };

	if (task->command != 0xf3)
		command_move(command, sector, sizeof(sector), false);
	return purge_security(drive, task->command, sector) ? DONE : ABORTED;
}

/* A command that this drive does not know but the capture does. */
static enum ending captured(struct drive *drive, struct command *command)
{
	const struct record *record = capture_find(&drive->capture, command->page);

	if (!record || !record_is_good(record))
		return ABORTED;
	return record->data.at ? read_page(drive, command) : DONE;
}

static enum ending run(struct drive *drive, struct command *command, struct task *task)
{
	switch (task->command) {
	case 0xec:
		return read_page(drive, command);
	case 0xb0:
		return smart(drive, command, task);
	case 0x2f:
	case 0x47:
		return read_log(drive, command, task);
	case 0x3f:
	case 0x57:
		return (task->lba & 0xff) == LOG_SCT ? sct_command(drive, command, task) : DONE;
	case 0x98:
	case 0xe5:
	case 0x94:
	case 0x95:
	case 0x96:
	case 0x97:
	case 0x99:
	case 0xe0:
	case 0xe1:
	case 0xe2:
	case 0xe3:
	case 0xe6:
		return power_command(drive, task);
	case 0xef:
		return set_features(drive, task);
	case 0xb4:
		return sanitize(drive, task);
	case 0xf1:
	case 0xf3:
	case 0xf4:
	case 0xf6:
		return security(drive, command, task);
	case 0x40:
	case 0x42:
	case 0xe7:
	case 0xea:
		return DONE; /* verify and flush: the blocks are not looked at */
	}
	return captured(drive, command);
}

enum wake ata_wake(const uint8_t *cdb)
{
	struct task task;

	task_of_cdb(cdb, &task);
	switch (task.command) {
	case 0xec:
	case 0xef:
		return WAKE_NEVER;
	case 0x2f:
	case 0x47:
	case 0x3f:
	case 0x57:
	case 0xb0:
	case 0xe7:
	case 0xea:
		return WAKE_FROM_STANDBY;
	}
	if ((task.command >= 0x94 && task.command <= 0x99) || task.command >= 0xe0)
		return WAKE_NEVER;
	return WAKE_ALWAYS;
}

void ata_pass_through(struct drive *drive, struct command *command)
{
	struct task task;
	enum ending ending;

	task_of_cdb(command->cdb, &task);
	if (!drive->ata) {
		command_refuse_code(drive, command);
		return;
	}
	ending = run(drive, command, &task);
	task.status = ending == ABORTED ? ATA_ERROR : ATA_READY;
	task.error = ending == ABORTED ? ATA_ABORT : 0;
	if (ending == ABORTED || (ending == DONE && task.registers))
		give_registers(command, &task);
}
