#include <string.h>

#include "assay/array.h"
#include "drive.h"

static void test_unit_ready(struct drive *drive, struct command *command)
{
	if (drive->power.state == STOPPED)
		command_fail(drive, command, KEY_NOT_READY, 0x04, 0x02);
}

static void done(struct drive *drive, struct command *command)
{
	(void)drive;
	(void)command;
}

/* Operation codes (SPC-5, SBC-4), what each does to a sleeping drive, and who answers. */
static const struct {
	uint8_t code;
	enum wake wake;
	bool attention; /* reports a unit attention that waits */
	void (*run)(struct drive *drive, struct command *command);
} table[] = {
	{ 0x00, WAKE_NEVER, true, test_unit_ready },
	{ 0x03, WAKE_NEVER, false, scsi_request_sense },
	{ 0x04, WAKE_ALWAYS, true, purge_format },
	{ 0x08, WAKE_ALWAYS, true, medium_read },
	{ 0x0a, WAKE_ALWAYS, true, medium_write },
	{ 0x12, WAKE_NEVER, false, scsi_inquiry },
	{ 0x15, WAKE_NEVER, true, scsi_mode_select },
	{ 0x1a, WAKE_NEVER, true, scsi_mode_sense },
	{ 0x1b, WAKE_NEVER, true, scsi_start_stop }, /* changes the state by itself */
	{ 0x1c, WAKE_FROM_STANDBY, true, scsi_captured },
	{ 0x1d, WAKE_ALWAYS, true, done },
	{ 0x25, WAKE_NEVER, true, scsi_read_capacity_10 },
	{ 0x28, WAKE_ALWAYS, true, medium_read },
	{ 0x2a, WAKE_ALWAYS, true, medium_write },
	{ 0x2f, WAKE_ALWAYS, true, medium_verify },
	{ 0x35, WAKE_FROM_STANDBY, true, medium_flush },
	{ 0x37, WAKE_FROM_STANDBY, true, scsi_captured },
	{ 0x3b, WAKE_FROM_STANDBY, true, done },
	{ 0x48, WAKE_ALWAYS, true, purge_sanitize },
	{ 0x4d, WAKE_FROM_STANDBY, true, scsi_log_sense },
	{ 0x55, WAKE_NEVER, true, scsi_mode_select },
	{ 0x5a, WAKE_NEVER, true, scsi_mode_sense },
	{ 0x85, WAKE_NEVER, true, ata_pass_through }, /* ata_wake() decides */
	{ 0x88, WAKE_ALWAYS, true, medium_read },
	{ 0x8a, WAKE_ALWAYS, true, medium_write },
	{ 0x8f, WAKE_ALWAYS, true, medium_verify },
	{ 0x91, WAKE_FROM_STANDBY, true, medium_flush },
	{ 0x9e, WAKE_NEVER, true, scsi_read_capacity_16 },
	{ 0xa1, WAKE_NEVER, true, ata_pass_through },
	{ 0xa2, WAKE_FROM_STANDBY, true, scsi_captured },
	{ 0xa3, WAKE_NEVER, true, scsi_operation_codes },
	{ 0xa8, WAKE_ALWAYS, true, medium_read },
	{ 0xaa, WAKE_ALWAYS, true, medium_write },
	{ 0xaf, WAKE_ALWAYS, true, medium_verify },
	{ 0xb7, WAKE_FROM_STANDBY, true, scsi_captured },
};

static bool attention_taken(struct drive *drive, struct command *command)
{
	uint16_t code = drive->attentions[0];

	if (!drive->attention_count)
		return false;
	drive->attention_count--;
	memmove(drive->attentions, drive->attentions + 1,
		drive->attention_count * sizeof(*drive->attentions));
	command_fail(drive, command, KEY_ATTENTION, (uint8_t)(code >> 8), (uint8_t)code);
	return true;
}

/* Any command that was captured can be answered; what was not is refused. */
static void run_unknown(struct drive *drive, struct command *command)
{
	for (size_t i = 0; i < drive->capture.record_count; i++) {
		const struct record *record = &drive->capture.records[i];

		if (memcmp(record->cdb, command->cdb, record->cdb_len) || !record->cdb_len)
			continue;
		command_fail_as(command, record);
		if (record->data.at && record->data.len <= BUFFER_BYTES) {
			memcpy(drive->buffer, record->data.at, record->data.len);
			command_answer(drive, command, record->data.len, command->wanted);
		}
		return;
	}
	command_refuse_code(drive, command);
}

static size_t table_row(uint8_t code)
{
	size_t i = 0;

	while (i < ARRAY_LEN(table) && table[i].code != code)
		i++;
	return i;
}

void drive_run(struct drive *drive, struct command *command)
{
	size_t row = table_row(command->cdb[0]);
	bool known = row < ARRAY_LEN(table);
	enum wake wake = known ? table[row].wake : WAKE_NEVER;

	power_update(drive);
	thermal_update(drive);
	if (drive->ata && known && table[row].run == ata_pass_through)
		wake = ata_wake(command->cdb);
	if (known && table[row].run == medium_read && power_reads_cache(drive))
		wake = WAKE_NEVER;
	journal_command(drive, command, wake);
	if (drive->power.state == SLEEP) {
		command->delay_us = NEVER; /* until it is reset */
		return;
	}
	if (faults_apply(drive, command) || (!drive->ata && purge_answers(drive, command)))
		return;
	if (!known) {
		run_unknown(drive, command);
		return;
	}
	if (table[row].attention && attention_taken(drive, command))
		return;
	power_wake(drive, command, wake);
	table[row].run(drive, command);
}
