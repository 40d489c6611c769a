#include "assay/capture.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "assay/command.h"

enum { STATUS_GOOD = 0x00, STATUS_CHECK_CONDITION = 0x02, STATUS_CONDITION_MET = 0x04 };
enum { KEY_NO_SENSE = 0, KEY_RECOVERED_ERROR = 1 };

void capture_init(struct capture *capture, const char *name)
{
	*capture = (struct capture) { .arena = arena_new() };
	capture->name = arena_text(capture->arena, name);
}

void capture_deinit(struct capture *capture)
{
	free(capture->records);
	free(capture->host);
	free(capture->notes);
	arena_free(capture->arena);
	*capture = (struct capture) { 0 };
}

static struct bytes kept(struct capture *capture, struct bytes bytes)
{
	if (bytes.at)
		bytes.at = arena_copy(capture->arena, bytes.at, bytes.len);
	return bytes;
}

struct record *capture_add(struct capture *capture, const struct record *record)
{
	capture->records = array_grow(
		capture->records, capture->record_count, sizeof(*capture->records));
	struct record *stored = &capture->records[capture->record_count++];

	*stored = *record;
	stored->page = page_of_cdb(stored->cdb, stored->cdb_len);
	stored->data = kept(capture, record->data);
	stored->sense = kept(capture, record->sense);
	stored->out = kept(capture, record->out);
	return stored;
}

void capture_host(struct capture *capture, const char *name, const char *value)
{
	capture->host = array_grow(capture->host, capture->host_count, sizeof(*capture->host));
	capture->host[capture->host_count++] = (struct host_line) {
		.name = arena_text(capture->arena, name),
		.value = arena_text(capture->arena, value),
	};
}

void capture_note(struct capture *capture, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	capture->notes = array_grow(capture->notes, capture->note_count, sizeof(*capture->notes));
	capture->notes[capture->note_count++] = arena_text(capture->arena, text);
}

const char *capture_host_value(const struct capture *capture, const char *name)
{
	for (size_t i = 0; i < capture->host_count; i++)
		if (!strcmp(capture->host[i].name, name))
			return capture->host[i].value;
	return NULL;
}

const struct record *capture_find(const struct capture *capture, struct page_id id)
{
	const struct record *any = NULL;

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (!page_same(record->page, id))
			continue;
		if (record_is_good(record))
			return record;
		if (!any)
			any = record;
	}
	return any;
}

bool record_is_good(const struct record *record)
{
	struct sense sense;

	if (record->delivery != DELIVERY_DONE)
		return false;
	if (record->scsi_status == STATUS_GOOD || record->scsi_status == STATUS_CONDITION_MET)
		return true;
	return record->scsi_status == STATUS_CHECK_CONDITION && sense_read(record->sense, &sense) &&
		!sense.deferred && (sense.key == KEY_NO_SENSE || sense.key == KEY_RECOVERED_ERROR);
}
