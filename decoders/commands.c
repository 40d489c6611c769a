/* REPORT SUPPORTED OPERATION CODES, all_commands format: SPC-5 6.35.2. */
#include "commands.h"

enum { HEADER_LEN = 4, DESCRIPTOR_LEN = 8, TIMEOUTS_LEN = 12 };
enum { SERVACTV = 1 << 0, CTDP = 1 << 1 };

/* The other reporting options tell of one command. */
static const struct record *list_find(const struct capture *capture)
{
	enum { OPTIONS = 7, ALL_COMMANDS = 0 };

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (record->page.kind == PAGE_OPERATION_CODES && record_is_good(record) &&
			(record->cdb[2] & OPTIONS) == ALL_COMMANDS &&
			record->data.len >= HEADER_LEN)
			return record;
	}
	return NULL;
}

static bool is_command(struct bytes descriptor, uint8_t operation_code, int service_action)
{
	bool has_action = bytes_u8(descriptor, 5) & SERVACTV;

	if (bytes_u8(descriptor, 0) != operation_code ||
		has_action != (service_action != NO_SERVICE_ACTION))
		return false;
	return !has_action || bytes_be16(descriptor, 2) == service_action;
}

bool command_support_get(const struct capture *capture, uint8_t operation_code, int service_action,
	struct command_support *support)
{
	const struct record *record = list_find(capture);

	if (!record)
		return false;
	size_t end = HEADER_LEN + (size_t)bytes_be32(record->data, 0), offset = HEADER_LEN;
	struct bytes list = bytes_cut(record->data, 0, end);

	*support = (struct command_support) { .page = record->page, .raw = bytes_cut(list, 0, 4) };
	while (bytes_cut(list, offset, DESCRIPTOR_LEN).len == DESCRIPTOR_LEN) {
		struct bytes descriptor = bytes_cut(list, offset, DESCRIPTOR_LEN);

		if (is_command(descriptor, operation_code, service_action)) {
			support->supported = true;
			support->offset = offset;
			support->raw = descriptor;
			return true;
		}
		offset += DESCRIPTOR_LEN;
		if (bytes_u8(descriptor, 5) & CTDP)
			offset += TIMEOUTS_LEN;
	}
	return list.len == end;
}
