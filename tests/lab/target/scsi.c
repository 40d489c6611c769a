#include <string.h>

#include "drive.h"

static uint16_t be16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t be32(const uint8_t *at)
{
	return (uint32_t)be16(at) << 16 | be16(at + 2);
}

/* Puts the record's data into the buffer; or fails as it did and returns NULL. */
static const struct record *captured(
	struct drive *drive, struct command *command, struct page_id id)
{
	const struct record *record = capture_find(&drive->capture, id);

	if (!record || (record_is_good(record) && !record->data.at)) {
		command_refuse_field(drive, command);
		return NULL;
	}
	if (!record_is_good(record) || record->data.len > BUFFER_BYTES) {
		command_fail_as(command, record);
		return NULL;
	}
	memcpy(drive->buffer, record->data.at, record->data.len);
	return record;
}

/* VPD page 00h of a capture that lacks it: the pages that it has. */
static size_t vpd_list(const struct drive *drive, uint8_t *page)
{
	size_t len = 4;

	memset(page, 0, 4);
	page[len++] = 0;
	for (unsigned code = 1; code < 0x100; code++) {
		struct page_id id = { .kind = PAGE_VPD, .page = (uint8_t)code };
		const struct record *record = capture_find(&drive->capture, id);

		if (record && record_is_good(record))
			page[len++] = (uint8_t)code;
	}
	page[3] = (uint8_t)(len - 4);
	return len;
}

/* INQUIRY data of an ATA drive whose capture has none (SAT-4 8.2.2). */
static size_t inquiry_of_identify(const struct drive *drive, uint8_t *data)
{
	const struct record *identify = capture_find(
		&drive->capture, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });

	memset(data, 0, 36);
	data[2] = 5;
	data[3] = 2;
	data[4] = 31;
	memset(data + 8, ' ', 28);
	memcpy(data + 8, identify ? "ATA     " : "REPLAYED", 8);
	if (identify && identify->data.len >= 512) {
		bytes_text(
			(struct bytes) { identify->data.at + 54, 16 }, true, (char *)data + 16, 17);
		bytes_text(
			(struct bytes) { identify->data.at + 46, 4 }, true, (char *)data + 32, 5);
		for (size_t i = 8; i < 36; i++)
			data[i] = data[i] ? data[i] : ' ';
	}
	return 36;
}

void scsi_inquiry(struct drive *drive, struct command *command)
{
	const uint8_t *cdb = command->cdb;
	struct page_id list = { .kind = PAGE_VPD };
	struct page_id standard = { .kind = PAGE_INQUIRY };
	bool vital = cdb[1] & 1;
	const struct record *record;
	size_t len;

	if (!vital && cdb[2]) {
		command_refuse_field(drive, command);
		return;
	}
	if (vital && !cdb[2] && !capture_find(&drive->capture, list)) {
		len = vpd_list(drive, drive->buffer);
	} else if (!vital && !capture_find(&drive->capture, standard)) {
		len = inquiry_of_identify(drive, drive->buffer);
	} else {
		record = captured(drive, command, command->page);
		if (!record)
			return;
		len = record->data.len;
	}
	command_answer(drive, command, len, be16(cdb + 3));
}

/* What an active drive has to say, an informational exception, is as captured. */
static bool captured_sense(struct drive *drive, struct command *command)
{
	const struct record *record = capture_find(&drive->capture, command->page);

	if (!record || !record_is_good(record) || !record->data.at || record->data.len > SENSE_MAX)
		return false;
	memcpy(drive->buffer, record->data.at, record->data.len);
	command_answer(drive, command, record->data.len, command->cdb[4]);
	return true;
}

void scsi_request_sense(struct drive *drive, struct command *command)
{
	uint8_t *sense = drive->buffer;
	uint8_t key = KEY_NO_SENSE;
	uint16_t code = power_sense(drive);
	bool descriptor = command->cdb[1] & 1;

	if (!code && !drive->attention_count && captured_sense(drive, command))
		return;
	if (drive->power.state == STOPPED)
		key = KEY_NOT_READY;
	if (drive->attention_count) {
		key = KEY_ATTENTION;
		code = drive->attentions[0];
		drive->attention_count--;
		memmove(drive->attentions, drive->attentions + 1,
			drive->attention_count * sizeof(*drive->attentions));
	}
	memset(sense, 0, 18);
	sense[0] = descriptor ? 0x72 : 0x70;
	sense[descriptor ? 1 : 2] = key;
	sense[descriptor ? 2 : 12] = (uint8_t)(code >> 8);
	sense[descriptor ? 3 : 13] = (uint8_t)code;
	if (!descriptor)
		sense[7] = 10;
	command_answer(drive, command, descriptor ? 8 : 18, command->cdb[4]);
}

void scsi_read_capacity_10(struct drive *drive, struct command *command)
{
	uint64_t last = drive->medium.blocks - 1;

	bytes_put_be(drive->buffer, 4, last > UINT32_MAX ? UINT32_MAX : (uint32_t)last);
	bytes_put_be(drive->buffer + 4, 4, drive->medium.block_bytes);
	command_answer(drive, command, 8, 8);
}

void scsi_read_capacity_16(struct drive *drive, struct command *command)
{
	struct page_id id = { .kind = PAGE_READ_CAPACITY_16 };
	const struct record *record = capture_find(&drive->capture, id);
	uint64_t last = drive->medium.blocks - 1;
	uint8_t *data = drive->buffer;

	if ((command->cdb[1] & 0x1f) != 0x10) {
		command_refuse_field(drive, command);
		return;
	}
	if (record && !record_is_good(record)) {
		command_fail_as(command, record);
		return;
	}
	memset(data, 0, 32);
	if (record && record->data.at)
		memcpy(data, record->data.at, record->data.len < 32 ? record->data.len : 32);
	bytes_put_be(data, 8, last);
	bytes_put_be(data + 8, 4, drive->medium.block_bytes);
	command_answer(drive, command, 32, be32(command->cdb + 10));
}

/* Leaves only the parameters from the pointer on (SPC-5, PARAMETER POINTER). */
static size_t log_from_parameter(uint8_t *page, size_t len, uint16_t pointer)
{
	size_t at = 4;

	while (at + 4 <= len && be16(page + at) < pointer)
		at += 4U + page[at + 3];
	if (at >= len)
		return 0;
	memmove(page + 4, page + at, len - at);
	len -= at - 4;
	page[2] = (uint8_t)((len - 4) >> 8);
	page[3] = (uint8_t)(len - 4);
	return len;
}

void scsi_log_sense(struct drive *drive, struct command *command)
{
	uint16_t pointer = be16(command->cdb + 5);
	const struct record *record = captured(drive, command, command->page);
	size_t len;

	if (!record)
		return;
	len = record->data.len;
	if (pointer && command->page.page)
		len = log_from_parameter(drive->buffer, len, pointer);
	if (!len)
		command_refuse_field(drive, command);
	else
		command_answer(drive, command, len, be16(command->cdb + 7));
}

/* The command's own descriptor out of the list of all (SPC-5, REPORTING OPTIONS 1 to 3). */
static const uint8_t *operation_code(
	const uint8_t *list, size_t len, uint8_t code, int service_action)
{
	for (size_t at = 4; at + 8 <= len; at += list[at + 5] & 2 ? 20U : 8U) {
		bool has_action = list[at + 5] & 1;

		if (list[at] != code)
			continue;
		if (service_action < 0 || !has_action || be16(list + at + 2) == service_action)
			return list + at;
	}
	return NULL;
}

static void one_operation_code(struct drive *drive, struct command *command, size_t len)
{
	const uint8_t *cdb = command->cdb;
	unsigned option = cdb[2] & 7;
	int action = option == 1 ? -1 : be16(cdb + 4);
	const uint8_t *found = operation_code(drive->buffer, len, cdb[3], action);
	uint8_t *data = drive->buffer;
	uint8_t cdb_len = found ? found[7] : 0;

	if (found && option == 1 && (found[5] & 1)) {
		command_refuse_field(drive, command);
		return;
	}
	memset(data, 0, 4 + CDB_MAX);
	data[1] = found ? 3 : 1;
	data[3] = cdb_len;
	if (found) {
		data[4] = cdb[3];
		memset(data + 5, 0xff, cdb_len ? cdb_len - 1U : 0);
	}
	command_answer(drive, command, 4U + cdb_len, be32(cdb + 6));
}

void scsi_operation_codes(struct drive *drive, struct command *command)
{
	const uint8_t *cdb = command->cdb;
	struct page_id id = { .kind = PAGE_OPERATION_CODES };
	const struct record *record;

	if ((cdb[1] & 0x1f) != 0x0c || !capture_find(&drive->capture, id)) {
		command_refuse_code(drive, command);
		return;
	}
	record = captured(drive, command, id);
	if (!record)
		return;
	if (cdb[2] & 7)
		one_operation_code(drive, command, record->data.len);
	else
		command_answer(drive, command, record->data.len, be32(cdb + 6));
}

void scsi_captured(struct drive *drive, struct command *command)
{
	const struct record *record = capture_find(&drive->capture, command->page);

	if (!record) {
		command_refuse_code(drive, command);
		return;
	}
	record = captured(drive, command, command->page);
	if (record)
		command_answer(drive, command, record->data.len, command->wanted);
}
