/* The drive, as a power run sees it: commands, states, accesses, time. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/clock.h"
#include "measure/power.h"

enum { READ_BYTES = 4096, SLOT_BYTES = 65536, SLICE_US = 50000 };
enum { READ_TIMEOUT_MS = 120000, DEADLINE_MS = 1000000000, READY_PAUSE_US = 5000 };

static int64_t clock_now_us(void *context)
{
	(void)context;
	return clock_us();
}

static void clock_sleep_us(void *context, int64_t us)
{
	struct timespec pause = { us / 1000000, (long)(us % 1000000) * 1000 };

	(void)context;
	nanosleep(&pause, NULL);
}

/* A stride that has no divisor with the slots comes to each of them once; the
 * golden section keeps neighbours in time apart in space. */
void addresses_init(
	struct addresses *addresses, uint64_t blocks, uint32_t block_bytes, uint64_t seed)
{
	uint64_t a, b, rest;

	addresses->slot_blocks = SLOT_BYTES / block_bytes ? SLOT_BYTES / block_bytes : 1;
	addresses->slots = blocks / addresses->slot_blocks;
	if (!addresses->slots)
		addresses->slots = 1;
	addresses->stride = (uint64_t)((double)addresses->slots * 0.6180339887) | 1;
	for (;; addresses->stride += 2) {
		for (a = addresses->slots, b = addresses->stride; b; a = b, b = rest)
			rest = a % b;
		if (a == 1)
			break;
	}
	addresses->next = seed % addresses->slots;
	addresses->given = 0;
}

uint64_t addresses_next(struct addresses *addresses)
{
	uint64_t slot = addresses->next;

	addresses->next = (slot + addresses->stride) % addresses->slots;
	addresses->given++;
	return slot * addresses->slot_blocks;
}

static uint64_t number_of(const struct facts *facts, const char *key, uint64_t otherwise)
{
	uint64_t number = otherwise;

	facts_uint(facts, key, &number);
	return number ? number : otherwise;
}

void power_init(struct power *power, const struct power_subject *subject,
	const struct power_options *options, struct facts *facts, struct error *error)
{
	struct command_limits limits = options->limits;

	*power = (struct power) { .subject = subject,
		.options = options,
		.clock = subject->clock,
		.facts = facts,
		.error = error,
		.ata = !strcmp(facts_text(subject->facts, "identity.protocol"), "ata") };
	if (!power->clock.now_us)
		power->clock = (struct power_clock) { clock_now_us, clock_sleep_us, NULL };
	power->timeout_ms = limits.timeout_ms ? limits.timeout_ms : READ_TIMEOUT_MS;
	limits.deadline_ms = DEADLINE_MS;
	session_init(&power->session, subject->transport, &limits);
	power->block_bytes = (uint32_t)number_of(
		subject->facts, "capacity.logical_block_bytes", 512);
	power->blocks = number_of(subject->facts, "capacity.bytes", 0) / power->block_bytes;
	power->read_blocks = READ_BYTES / power->block_bytes;
	if (!power->read_blocks)
		power->read_blocks = 1;
	addresses_init(&power->addresses, power->blocks, power->block_bytes,
		(uint64_t)power_now_us(power));
	snprintf(power->settings.serial, sizeof(power->settings.serial), "%s",
		facts_text(subject->facts, "identity.serial"));
}

bool power_is_over(const struct power *power)
{
	if (power->session.end != SESSION_OPEN)
		return true;
	return !power->restoring && power->options->stop && *power->options->stop;
}

int64_t power_now_us(const struct power *power)
{
	return power->clock.now_us(power->clock.context);
}

bool power_sleep(struct power *power, double seconds)
{
	int64_t end_us = power_now_us(power) + (int64_t)(seconds * 1e6), left_us;

	while (!power_is_over(power) && (left_us = end_us - power_now_us(power)) > 0)
		power->clock.sleep_us(
			power->clock.context, left_us < SLICE_US ? left_us : SLICE_US);
	return !power_is_over(power);
}

void power_tell(const struct power *power, const char *format, ...)
{
	char text[160];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (power->options->progress)
		power->options->progress(power->options->context, text);
}

static bool is_good(const struct outcome *outcome)
{
	enum { GOOD = 0x00, CHECK_CONDITION = 0x02, NO_SENSE = 0, RECOVERED_ERROR = 1 };
	struct sense sense;

	if (outcome->delivery != DELIVERY_DONE)
		return false;
	if (outcome->scsi_status != CHECK_CONDITION)
		return outcome->scsi_status == GOOD;
	return sense_read((struct bytes) { outcome->sense, outcome->sense_len }, &sense) &&
		(sense.key == NO_SENSE || sense.key == RECOVERED_ERROR);
}

bool power_send(struct power *power, const struct cdb *cdb, uint8_t *in, struct bytes out,
	struct outcome *outcome, double *us)
{
	struct request request = { .cdb = cdb->bytes,
		.cdb_len = cdb->len,
		.in = in,
		.in_len = in ? cdb->in_len : 0,
		.out = out,
		.timeout_ms = power->timeout_ms };
	int64_t began_us = power_now_us(power);

	*outcome = (struct outcome) { .delivery = DELIVERY_FAILED };
	bool sent = session_send(&power->session, &request, outcome);

	if (us)
		*us = (double)(power_now_us(power) - began_us);
	return sent && is_good(outcome);
}

const char *power_why(const struct outcome *outcome, char *text, size_t size)
{
	struct bytes sense = { outcome->sense, outcome->sense_len };
	struct ata_registers registers;

	switch (outcome->delivery) {
	case DELIVERY_TIMED_OUT:
		snprintf(text, size, "no answer within the time limit");
		return text;
	case DELIVERY_GONE:
		snprintf(text, size, "the drive is gone");
		return text;
	case DELIVERY_FAILED:
		snprintf(text, size, "the host could not deliver it");
		return text;
	case DELIVERY_DONE:
		break;
	}
	if (ata_registers_of_sense(sense, &registers) && (registers.status & 1))
		snprintf(text, size, "aborted (status %02xh, error %02xh)", registers.status,
			registers.error);
	else if (outcome->sense_len)
		sense_text(sense, text, size);
	else
		snprintf(text, size, "status %02xh", outcome->scsi_status);
	return text;
}

struct bytes power_page(struct power *power, struct page_id id, size_t len, uint8_t *data)
{
	struct cdb cdb = cdb_of_page(id, len, false);
	struct outcome outcome;

	if (!power_send(power, &cdb, data, (struct bytes) { 0 }, &outcome, NULL))
		return (struct bytes) { 0 };
	return (struct bytes) { data, outcome.received };
}

static const char *ata_state(struct power *power)
{
	enum { BUSY_FAULT_ERROR = 0xa1, READY = 0x40 };
	struct cdb cdb = cdb_of_page((struct page_id) { .kind = PAGE_ATA_POWER_MODE }, 0, false);
	struct ata_registers registers;
	struct outcome outcome;

	if (!power_send(power, &cdb, NULL, (struct bytes) { 0 }, &outcome, NULL) ||
		!ata_registers_of_sense(
			(struct bytes) { outcome.sense, outcome.sense_len }, &registers) ||
		(registers.status & BUSY_FAULT_ERROR) || !(registers.status & READY))
		return "unknown";
	return power_state_of_count(registers.count & 0xff);
}

/* A stopped drive need not say so in REQUEST SENSE. */
static const char *stopped_or(struct power *power, const char *state)
{
	struct cdb cdb = cdb_of_page((struct page_id) { .kind = PAGE_TEST_UNIT_READY }, 0, false);
	struct outcome outcome;
	struct sense sense;

	if (power_send(power, &cdb, NULL, (struct bytes) { 0 }, &outcome, NULL) ||
		!sense_read((struct bytes) { outcome.sense, outcome.sense_len }, &sense))
		return state;
	return power_state_of_sense(&sense);
}

const char *power_state_now(struct power *power, bool may_be_stopped)
{
	uint8_t data[SENSE_MAX];
	struct sense sense;

	if (power->ata)
		return ata_state(power);
	struct bytes answer = power_page(
		power, (struct page_id) { .kind = PAGE_REQUEST_SENSE }, sizeof(data), data);
	if (!sense_read(answer, &sense))
		return "unknown";
	const char *state = power_state_of_sense(&sense);

	return may_be_stopped && !strcmp(state, "active") ? stopped_or(power, state) : state;
}

/* 2/04/01, /09, /11 and such: on its way, to be asked again. */
static bool is_becoming_ready(const struct outcome *outcome)
{
	enum { NOT_READY = 2, NOT_READY_CODE = 4, START_NEEDED = 2 };
	struct sense sense;

	return outcome->delivery == DELIVERY_DONE &&
		sense_read((struct bytes) { outcome->sense, outcome->sense_len }, &sense) &&
		sense.key == NOT_READY && sense.asc == NOT_READY_CODE && sense.ascq != START_NEEDED;
}

static bool is_refused(const struct outcome *outcome)
{
	enum { ILLEGAL_REQUEST = 5 };
	struct sense sense;

	return outcome->delivery == DELIVERY_DONE &&
		sense_read((struct bytes) { outcome->sense, outcome->sense_len }, &sense) &&
		sense.key == ILLEGAL_REQUEST;
}

bool power_read(struct power *power, struct outcome *outcome, double *us)
{
	uint8_t *data = malloc((size_t)power->read_blocks * power->block_bytes);
	uint64_t lba = addresses_next(&power->addresses);
	int64_t began_us = power_now_us(power);
	bool good = false;

	*outcome = (struct outcome) { .delivery = DELIVERY_FAILED };
	while (data && !power_is_over(power)) {
		struct cdb cdb = cdb_read(
			lba, power->read_blocks, power->block_bytes, !power->no_fua);

		good = power_send(power, &cdb, data, (struct bytes) { 0 }, outcome, NULL);
		if (good)
			break;
		if (is_becoming_ready(outcome) &&
			power_now_us(power) - began_us < READ_TIMEOUT_MS * INT64_C(1000))
			power->clock.sleep_us(power->clock.context, READY_PAUSE_US);
		else if (is_refused(outcome) && !power->no_fua)
			power->no_fua = true; /* no drive wakes to refuse a field */
		else
			break;
	}
	free(data);
	*us = (double)(power_now_us(power) - began_us);
	return good;
}

size_t power_reads(struct power *power, double *us, size_t count)
{
	struct outcome outcome;
	size_t done = 0;

	while (done < count && power_read(power, &outcome, &us[done]))
		done++;
	return done;
}

/* LU_CONTROL hands a drive back to its timers; START gets a stopped one going,
 * and is taken by drives that know no power conditions. */
bool power_make_active(struct power *power)
{
	enum { ACTIVE = 1, LU_CONTROL = 7 };
	struct cdb start = cdb_start_stop(0, 0, true), active = cdb_start_stop(ACTIVE, 0, false),
		   control = cdb_start_stop(LU_CONTROL, 0, false);
	struct outcome outcome;
	double us;

	if (!power->ata) {
		if (!strcmp(power_state_now(power, true), "stopped"))
			power_send(power, &start, NULL, (struct bytes) { 0 }, &outcome, NULL);
		power_send(power, &active, NULL, (struct bytes) { 0 }, &outcome, NULL);
		power_send(power, &control, NULL, (struct bytes) { 0 }, &outcome, NULL);
	}
	/* an address that cannot be read wakes it as well */
	return power_read(power, &outcome, &us) || !strcmp(power_state_now(power, true), "active");
}

/* After a time-out: as if nothing had been. */
static bool reads_again(struct power *power, unsigned patience_ms)
{
	unsigned timeout_ms = power->timeout_ms;
	struct command_limits limits = power->options->limits;
	struct outcome outcome;
	double us;

	limits.deadline_ms = DEADLINE_MS;
	session_init(&power->session, power->subject->transport, &limits);
	if (timeout_ms > patience_ms)
		power->timeout_ms = patience_ms;
	bool good = power_read(power, &outcome, &us);

	power->timeout_ms = timeout_ms;
	if (good)
		session_init(&power->session, power->subject->transport, &limits);
	return good;
}

bool power_end_sleep(struct power *power)
{
	/* enough for a host to reset it; then for a spindle; then all that a command may take */
	enum { ASLEEP_MS = 10000, STARTING_MS = 30000 };
	struct transport *transport = power->subject->transport;

	power->sleep_ended_by = "the host reset it for the first command";
	if (reads_again(power, ASLEEP_MS))
		return true;
	power->sleep_ended_by = "the host reset it after a command had timed out";
	if (reads_again(power, STARTING_MS))
		return true;
	if (power_is_over(power))
		return false;
	power->sleep_ended_by = "it answered nothing until the host was asked to reset it";
	return transport->reset && transport->reset(transport) &&
		reads_again(power, power->timeout_ms);
}
