/* SANITIZE and FORMAT UNIT of SCSI drives (SBC-4 5.30, 5.4). */
#include "measure/purge.h"

enum { SANITIZE = 0x48, FORMAT_UNIT = 0x04, IMMEDIATE = 0x80 };
enum { CHECK_CONDITION = 0x02, BUSY = 0x08, TASK_SET_FULL = 0x28 }; /* SAM-5 status codes */
enum { NOT_READY = 0x02, ILLEGAL_REQUEST = 0x05 };

/* SERVICE ACTION of SANITIZE. */
enum { OVERWRITE = 0x01, BLOCK_ERASE = 0x02, CRYPTOGRAPHIC_ERASE = 0x03 };

static bool sense_of(const struct outcome *outcome, struct sense *sense)
{
	return outcome->scsi_status == CHECK_CONDITION &&
		sense_read((struct bytes) { outcome->sense, outcome->sense_len }, sense);
}

static int ended_badly(struct purge *purge, const struct outcome *outcome)
{
	const char *name = purge_name(purge->options->method);
	struct bytes bytes = { outcome->sense, outcome->sense_len };
	struct sense sense;
	char text[160] = "no reason is given";

	if (outcome->sense_len)
		sense_text(bytes, text, sizeof(text));
	/* 20h: the operation code, 24h: the service action */
	if (sense_of(outcome, &sense) && sense.key == ILLEGAL_REQUEST &&
		(sense.asc == 0x20 || sense.asc == 0x24))
		return error_set(purge->error, EXIT_USAGE, "the drive has no %s (%s)", name, text);
	return error_set(purge->error, EXIT_FAILING, "%s failed: %s", name, text);
}

static int start(struct purge *purge, const uint8_t *cdb, size_t cdb_len, struct bytes list)
{
	struct request request = { .cdb = cdb, .cdb_len = cdb_len, .out = list };
	struct outcome outcome = { 0 };
	bool sent = session_send(&purge->session, &request, &outcome);

	if (!sent || outcome.delivery != DELIVERY_DONE)
		return purge_no_answer(purge, &outcome, sent);
	return outcome.scsi_status ? ended_badly(purge, &outcome) : 0;
}

/* NOT READY, and what it says is that it will be: becoming ready, formatting,
 * an operation, sanitizing. A drive that is too busy to say even that will, too. */
static bool goes_on(const struct outcome *outcome, const struct sense *sense)
{
	if (outcome->scsi_status == BUSY || outcome->scsi_status == TASK_SET_FULL)
		return true;
	if (sense->key != NOT_READY || sense->asc != 0x04)
		return false;
	return sense->ascq == 0x01 || sense->ascq == 0x04 || sense->ascq == 0x07 ||
		sense->ascq == 0x1b;
}

/* While it goes on, every command is answered with how far it is. */
static enum purge_progress look(struct purge *purge, double *percent)
{
	struct cdb cdb = cdb_of_page((struct page_id) { .kind = PAGE_TEST_UNIT_READY }, 0, false);
	struct request request = { .cdb = cdb.bytes, .cdb_len = cdb.len };
	struct outcome outcome = { 0 };
	struct sense sense = { 0 };
	bool sent = session_send(&purge->session, &request, &outcome);

	if (!sent || outcome.delivery == DELIVERY_GONE) {
		purge_no_answer(purge, &outcome, sent);
		return PURGE_FAILED;
	}
	/* a drive that is busy with it may let a command time out */
	if (outcome.delivery != DELIVERY_DONE)
		return PURGE_GOES_ON;
	if (!outcome.scsi_status)
		return PURGE_DONE;
	sense_of(&outcome, &sense);
	if (!goes_on(&outcome, &sense)) {
		ended_badly(purge, &outcome);
		return PURGE_FAILED;
	}
	if (sense.progress_valid)
		*percent = sense.progress / 655.36;
	return PURGE_GOES_ON;
}

static int sanitize(struct purge *purge, uint8_t action)
{
	enum { PATTERN_BYTES = 4, ONE_PASS = 1 };
	static const uint8_t list[4 + PATTERN_BYTES] = { ONE_PASS, 0, 0, PATTERN_BYTES };
	size_t len = action == OVERWRITE ? sizeof(list) : 0;
	uint8_t cdb[10] = { SANITIZE, (uint8_t)(IMMEDIATE | action), [8] = (uint8_t)len };

	if (start(purge, cdb, sizeof(cdb), (struct bytes) { len ? list : NULL, len }))
		return -1;
	return purge_wait(purge, look);
}

/* FMTPINFO and PROTECTION FIELD USAGE (SBC-4 table 34) that keep the protection
 * type which READ CAPACITY (16) tells. */
static int read_protection(struct purge *purge, uint8_t *information, uint8_t *usage)
{
	static const uint8_t informations[] = { 2, 3, 3 }, usages[] = { 0, 0, 1 };
	struct cdb cdb = cdb_of_page((struct page_id) { .kind = PAGE_READ_CAPACITY_16 }, 32, false);
	uint8_t data[32] = { 0 };
	struct request request = {
		.cdb = cdb.bytes, .cdb_len = cdb.len, .in = data, .in_len = sizeof(data)
	};
	struct outcome outcome = { 0 };
	bool sent = session_send(&purge->session, &request, &outcome);
	struct sense sense;

	*information = *usage = 0;
	if (!sent || outcome.delivery != DELIVERY_DONE)
		return purge_no_answer(purge, &outcome, sent);
	if (sense_of(&outcome, &sense) && sense.key == ILLEGAL_REQUEST)
		return 0; /* older than protection information */
	unsigned type = bytes_u8((struct bytes) { data, outcome.received }, 12);

	if (outcome.scsi_status || outcome.received < 13 || (type & 1 && (type >> 1 & 7) > 2))
		return error_set(purge->error, EXIT_UNKNOWN,
			"format: the drive's protection type could not be read");
	if (type & 1) {
		*information = informations[type >> 1 & 7];
		*usage = usages[type >> 1 & 7];
	}
	return 0;
}

static int format(struct purge *purge)
{
	enum { FORMAT_DATA = 0x10, IMMEDIATELY = 0x02 };
	uint8_t information, list[4] = { 0, IMMEDIATELY };

	if (read_protection(purge, &information, &list[0]))
		return -1;
	uint8_t cdb[6] = { FORMAT_UNIT, (uint8_t)(information << 6 | FORMAT_DATA) };

	if (start(purge, cdb, sizeof(cdb), (struct bytes) { list, sizeof(list) }))
		return -1;
	return purge_wait(purge, look);
}

int purge_scsi(struct purge *purge)
{
	switch (purge->options->method) {
	case PURGE_SANITIZE_BLOCK:
		return sanitize(purge, BLOCK_ERASE);
	case PURGE_SANITIZE_CRYPTO:
		return sanitize(purge, CRYPTOGRAPHIC_ERASE);
	case PURGE_SANITIZE_OVERWRITE:
		return sanitize(purge, OVERWRITE);
	case PURGE_FORMAT:
		return format(purge);
	default:
		return error_set(purge->error, EXIT_USAGE, "%s is of ATA drives",
			purge_name(purge->options->method));
	}
}
