#include "assay/command.h"

#include <time.h>

#include "assay/array.h"
#include "assay/clock.h"

/* SAM-5 status codes. */
enum { GOOD = 0x00, CHECK_CONDITION = 0x02, BUSY = 0x08, TASK_SET_FULL = 0x28 };
enum { UNIT_ATTENTION = 0x06, ABORTED_COMMAND = 0x0b };

enum { TRIES = 6, FIRST_PAUSE_MS = 20 };
enum { DEFAULT_TIMEOUT_MS = 20000, DEFAULT_DEADLINE_MS = 180000 };
/* A drive that let a command time out gets less time from then on. */
enum { SHORT_TIMEOUT_MS = 5000, MOST_TIME_OUTS = 4 };

static void pause_ms(unsigned ms)
{
	struct timespec pause = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&pause, NULL);
}

void session_init(
	struct session *session, struct transport *transport, const struct command_limits *limits)
{
	unsigned deadline = limits->deadline_ms ? limits->deadline_ms : DEFAULT_DEADLINE_MS;

	*session = (struct session) {
		.transport = transport,
		.limits = *limits,
		.end_us = clock_us() + (int64_t)deadline * 1000,
	};
}

static unsigned default_timeout_ms(uint8_t opcode)
{
	static const struct {
		uint8_t opcode;
		unsigned timeout_ms;
	} table[] = {
		{ 0x00, 10000 }, /* TEST UNIT READY */
		{ 0x03, 10000 }, /* REQUEST SENSE */
		{ 0x12, 10000 }, /* INQUIRY */
		{ 0x37, 60000 }, /* READ DEFECT DATA: the drive converts the list first */
		{ 0xb7, 60000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].opcode == opcode)
			return table[i].timeout_ms;
	return DEFAULT_TIMEOUT_MS;
}

/* 0: the deadline is over. */
static unsigned timeout_ms(const struct session *session, const struct request *request)
{
	int64_t left = (session->end_us - clock_us()) / 1000;
	unsigned timeout = request->timeout_ms;

	if (!timeout)
		timeout = session->limits.timeout_ms;
	if (!timeout)
		timeout = default_timeout_ms(request->cdb[0]);
	if (session->time_outs && timeout > SHORT_TIMEOUT_MS)
		timeout = SHORT_TIMEOUT_MS;
	if (left <= 0)
		return 0;
	return left < timeout ? (unsigned)left : timeout;
}

static bool send_once(
	struct session *session, const struct request *request, struct outcome *outcome)
{
	struct request limited = *request;

	limited.timeout_ms = timeout_ms(session, request);
	if (!limited.timeout_ms) {
		session->end = SESSION_LATE;
		return false;
	}
	session->transport->send(session->transport, &limited, outcome);
	if (session->tried)
		session->tried(session->context, request, outcome);
	if (outcome->delivery == DELIVERY_GONE)
		session->end = SESSION_GONE;
	if (outcome->delivery == DELIVERY_TIMED_OUT) {
		session->probe = true;
		if (++session->time_outs >= MOST_TIME_OUTS)
			session->end = SESSION_SILENT;
	}
	return true;
}

/* ABORTED COMMAND with one of the codes from 47h (SCSI PARITY ERROR: a CRC error
 * of the link) to 4Eh. Others, such as ABRT of an ATA drive, are answers. */
static bool link_failed(const struct sense *sense)
{
	return sense->key == ABORTED_COMMAND && sense->asc >= 0x47 && sense->asc <= 0x4e;
}

/* Whether the answer is about something else than the command. A pause is
 * only for a drive that has no room for it. */
static bool is_no_answer(const struct outcome *outcome, bool *pause)
{
	struct sense sense;

	*pause = false;
	if (outcome->delivery != DELIVERY_DONE)
		return false;
	switch (outcome->scsi_status) {
	case BUSY:
	case TASK_SET_FULL:
		*pause = true;
		return true;
	case CHECK_CONDITION:
		return sense_read((struct bytes) { outcome->sense, outcome->sense_len }, &sense) &&
			(sense.deferred || sense.key == UNIT_ATTENTION || link_failed(&sense));
	}
	return false;
}

static bool still_answers(struct session *session)
{
	struct cdb cdb = cdb_of_page((struct page_id) { .kind = PAGE_TEST_UNIT_READY }, 0, false);
	struct request request = { .cdb = cdb.bytes, .cdb_len = cdb.len };
	struct outcome outcome;

	if (!send_once(session, &request, &outcome))
		return false;
	session->probe = false;
	if (outcome.delivery == DELIVERY_TIMED_OUT)
		session->end = SESSION_SILENT;
	return session->end == SESSION_OPEN;
}

bool session_send(struct session *session, const struct request *request, struct outcome *outcome)
{
	unsigned wait_ms = FIRST_PAUSE_MS;
	bool sent = false, pause;

	if (session->end != SESSION_OPEN || (session->probe && !still_answers(session)))
		return false;
	for (unsigned i = 0; i < TRIES; i++) {
		if (!send_once(session, request, outcome))
			break;
		sent = true;
		if (!is_no_answer(outcome, &pause))
			break;
		if (pause && i + 1 < TRIES) {
			pause_ms(wait_ms);
			wait_ms *= 2;
		}
	}
	return sent;
}
