#include <string.h>

#include "drive.h"

enum { CONTROL_MODE_PAGE = 0x0a, D_SENSE = 0x04 };

static bool descriptor_sense(struct drive *drive)
{
	const struct mode_page *control = mode_find(drive, CONTROL_MODE_PAGE, 0, 0);

	return control && control->len > 2 && (control->data[2] & D_SENSE);
}

void command_fail(
	struct drive *drive, struct command *command, uint8_t key, uint8_t asc, uint8_t ascq)
{
	uint8_t *sense = command->sense;

	memset(sense, 0, sizeof(command->sense));
	command->status = STATUS_CHECK;
	if (descriptor_sense(drive)) {
		sense[0] = 0x72;
		sense[1] = key;
		sense[2] = asc;
		sense[3] = ascq;
		return;
	}
	sense[0] = 0x70;
	sense[2] = key;
	sense[7] = 10;
	sense[12] = asc;
	sense[13] = ascq;
}

void command_fail_at(struct drive *drive, struct command *command, uint8_t key, uint8_t asc,
	uint8_t ascq, uint64_t information)
{
	uint8_t *sense = command->sense;

	command_fail(drive, command, key, asc, ascq);
	if (sense[0] == 0x72) {
		sense[7] = 12;
		sense[9] = 0x0a;
		sense[10] = 0x80;
		bytes_put_be(sense + 12, 8, information);
	} else if (information <= UINT32_MAX) {
		sense[0] |= 0x80;
		bytes_put_be(sense + 3, 4, information);
	}
}

void command_refuse_field(struct drive *drive, struct command *command)
{
	command_fail(drive, command, KEY_ILLEGAL, 0x24, 0);
}

void command_refuse_code(struct drive *drive, struct command *command)
{
	command_fail(drive, command, KEY_ILLEGAL, 0x20, 0);
}

void command_fail_as(struct command *command, const struct record *record)
{
	size_t len = record->sense.len < SENSE_BYTES ? record->sense.len : SENSE_BYTES;

	if (record->delivery != DELIVERY_DONE) {
		command->delay_us = NEVER;
		return;
	}
	command->status = record->scsi_status;
	if (record->sense.at)
		memcpy(command->sense, record->sense.at, len);
}

bool command_move(struct command *command, uint8_t *bytes, size_t len, bool to)
{
	while (len && command->piece < command->piece_count) {
		struct iovec *piece = &command->pieces[command->piece];
		uint8_t *there = (uint8_t *)piece->iov_base + command->piece_offset;
		size_t n = piece->iov_len - command->piece_offset;

		if (n > len)
			n = len;
		memcpy(to ? there : bytes, to ? bytes : there, n);
		bytes += n;
		len -= n;
		command->moved += to ? n : 0;
		command->piece_offset += n;
		if (command->piece_offset == piece->iov_len) {
			command->piece++;
			command->piece_offset = 0;
		}
	}
	return len == 0;
}

/* Where a page says how long it is: how many bytes at which offset. */
static size_t length_field(const struct command *command, size_t *offset)
{
	switch (command->page.kind) {
	case PAGE_LOG:
	case PAGE_VPD:
		*offset = 2;
		return 2;
	case PAGE_INQUIRY:
		*offset = 4;
		return 1;
	case PAGE_MODE:
		*offset = 0;
		return command->cdb[0] == 0x5a ? 2 : 1;
	case PAGE_OPERATION_CODES:
		*offset = 0;
		return 4;
	default:
		return 0;
	}
}

void command_answer(struct drive *drive, struct command *command, size_t len, size_t limit)
{
	uint8_t *data = drive->buffer;
	size_t offset, width;

	live_patch(drive, command->page, data, len);
	width = length_field(command, &offset);
	if (command->length_lie >= 0 && width && offset + width <= len)
		bytes_put_be(data + offset, width, (uint64_t)command->length_lie);
	if (command->fill)
		memset(data, *command->fill, len);
	if (len > limit)
		len = limit;
	if (command->cut_to >= 0 && len > (size_t)command->cut_to)
		len = (size_t)command->cut_to;
	command_move(command, data, len, true);
}
