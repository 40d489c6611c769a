#include "assay/transport.h"

#include <stdlib.h>
#include <string.h>

struct replay_transport {
	struct transport transport; /* first: a pointer to it is one to this */
	const struct capture *capture;
};

/* The first good answer to exactly that CDB, else its first answer. */
static const struct record *recorded(const struct capture *capture, const struct request *request)
{
	const struct record *any = NULL;

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (record->cdb_len != request->cdb_len ||
			memcmp(record->cdb, request->cdb, request->cdb_len) != 0)
			continue;
		if (record_is_good(record))
			return record;
		if (!any)
			any = record;
	}
	return any;
}

static size_t copy(uint8_t *to, size_t size, struct bytes from)
{
	struct bytes part = bytes_cut(from, 0, size);

	if (to && part.len)
		memcpy(to, part.at, part.len);
	return to ? part.len : 0;
}

static void replay_send(
	struct transport *transport, const struct request *request, struct outcome *outcome)
{
	static const uint8_t refused[18] = { 0x70, [2] = 0x05, [7] = 10, [12] = 0x24 };
	static const struct record nothing = {
		.delivery = DELIVERY_DONE,
		.scsi_status = 0x02, /* CHECK CONDITION */
		.sense = { refused, sizeof(refused) },
	};
	struct replay_transport *replay = (struct replay_transport *)transport;
	const struct record *record = recorded(replay->capture, request);

	if (!record)
		record = &nothing;
	*outcome = (struct outcome) {
		.delivery = record->delivery,
		.scsi_status = record->scsi_status,
		.duration_us = record->duration_us,
	};
	outcome->received = copy(request->in, request->in_len, record->data);
	outcome->sense_len = copy(outcome->sense, SENSE_MAX, record->sense);
}

static void replay_close(struct transport *transport)
{
	free(transport);
}

struct transport *transport_open_replay(const struct capture *capture)
{
	struct replay_transport *replay = calloc(1, sizeof(*replay));

	if (!replay)
		return NULL;
	replay->capture = capture;
	replay->transport = (struct transport) { .send = replay_send, .close = replay_close };
	return &replay->transport;
}
