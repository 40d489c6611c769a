/*
 * A drive for tests of what sends commands: a list of answers, and a log of
 * the commands that came. A command that is not expected, and one that is but
 * did not come, makes fake_expect() fail.
 */
#ifndef ASSAY_TEST_FAKE_H
#define ASSAY_TEST_FAKE_H

#include <stdio.h>
#include <string.h>

#include "assay/transport.h"

/* What the fake says to a command. */
struct fake_answer {
	const char *cdb;   /* its CDB begins so: hexadecimal, no blanks */
	const char *sense; /* hexadecimal; NULL: none, GOOD */
	const char *text;  /* data, hexadecimal */
	struct bytes data; /* the same as bytes, where text is NULL */
	uint8_t status;    /* where it is neither GOOD nor that of the sense data */
	enum delivery delivery;
	int os_error;
	unsigned times; /* counts only for so many commands; 0: for all */
};

enum { FAKE_LOG = 128 };

struct fake {
	struct transport transport;
	struct fake_answer *answers;
	size_t answer_count;
	unsigned used[64]; /* of each answer */
	char log[FAKE_LOG][2 * CDB_MAX + 1];
	unsigned timeouts_ms[FAKE_LOG];
	char out[FAKE_LOG][17]; /* the first eight bytes that were sent */
	size_t count;
};

static inline size_t fake_bytes(const char *text, uint8_t *to, size_t size)
{
	size_t len = 0;
	unsigned byte;

	for (; len < size && sscanf(text, "%2x", &byte) == 1; text += 2)
		to[len++] = (uint8_t)byte;
	return len;
}

static inline struct fake_answer *fake_find(struct fake *fake, const char *cdb)
{
	for (size_t i = 0; i < fake->answer_count; i++) {
		struct fake_answer *answer = &fake->answers[i];

		if (strncmp(answer->cdb, cdb, strlen(answer->cdb)) != 0)
			continue;
		if (answer->times && fake->used[i] >= answer->times)
			continue;
		fake->used[i]++;
		return answer;
	}
	return NULL;
}

static inline void fake_send(
	struct transport *transport, const struct request *request, struct outcome *outcome)
{
	static struct fake_answer unknown = { .sense = "700005000000000a000000002000" };
	struct fake *fake = (struct fake *)transport;
	char *cdb = fake->log[fake->count];
	uint8_t data[65536];
	size_t len;

	for (size_t i = 0; i < request->cdb_len; i++)
		snprintf(cdb + 2 * i, 3, "%02x", request->cdb[i]);
	fake->timeouts_ms[fake->count] = request->timeout_ms;
	for (size_t i = 0; i < request->out.len && i < 8; i++)
		snprintf(fake->out[fake->count] + 2 * i, 3, "%02x", request->out.at[i]);
	if (fake->count + 1 < FAKE_LOG)
		fake->count++;

	struct fake_answer *answer = fake_find(fake, cdb);

	if (!answer)
		answer = &unknown;
	*outcome = (struct outcome) { .delivery = answer->delivery,
		.scsi_status = answer->status,
		.os_error = answer->os_error };
	if (answer->sense) {
		outcome->sense_len = fake_bytes(answer->sense, outcome->sense, SENSE_MAX);
		if (!outcome->scsi_status)
			outcome->scsi_status = 0x02;
	}
	len = answer->text ? fake_bytes(answer->text, data, sizeof(data)) : answer->data.len;
	if (len > request->in_len)
		len = request->in_len;
	if (request->in && len)
		memcpy(request->in, answer->text ? data : answer->data.at, len);
	outcome->received = request->in ? len : 0;
}

static inline void fake_close(struct transport *transport)
{
	(void)transport;
}

static inline void fake_init(struct fake *fake, struct fake_answer *answers, size_t count)
{
	memset(fake, 0, sizeof(*fake));
	fake->transport = (struct transport) { .send = fake_send, .close = fake_close };
	fake->answers = answers;
	fake->answer_count = count;
}

/* Each command that came begins as expected, and no other came. */
static inline void fake_expect(const struct fake *fake, const char *const *cdbs, size_t count)
{
	for (size_t i = 0; i < fake->count && i < count; i++)
		if (strncmp(fake->log[i], cdbs[i], strlen(cdbs[i])) != 0)
			fail_msg("command %zu is %s, not %s", i, fake->log[i], cdbs[i]);
	if (fake->count > count)
		fail_msg("unexpected command %s", fake->log[count]);
	if (fake->count < count)
		fail_msg("command %s was not sent", cdbs[fake->count]);
}

#endif
