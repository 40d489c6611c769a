/*
 * The power state of the drive, by REQUEST SENSE and TEST UNIT READY (SPC-5,
 * additional sense code 5Eh) and CHECK POWER MODE (ACS-4 7.3).
 */
#include "assay/command.h"

#include "power.h"
#include "place.h"

#include <string.h>

static void add_state(const struct record *record, const char *state, struct bytes raw,
	uint8_t rank, struct facts *facts)
{
	bool known = state && strcmp(state, "unknown") != 0;

	facts_add(facts, decoder_key("power.state"), value_text(known ? state : ""),
		state_of(known, true), source_page(record->page, 0, raw), rank);
}

/* The answer of REQUEST SENSE is sense data. That nothing is to be told is a
 * SAT layer's own answer, which does not ask the drive. */
static void add_request_sense(const struct record *record, uint8_t rank, struct facts *facts)
{
	bool ata = !strcmp(facts_text(facts, "identity.protocol"), "ata");
	struct sense sense;

	if (!record_is_good(record) || !sense_read(record->data, &sense))
		return;
	const char *state = power_state_of_sense(&sense);

	if (!ata || !state || strcmp(state, "active") != 0)
		add_state(record, state, record->data, rank, facts);
}

/* A drive that is ready does not say whether it idles. */
static void add_test_unit_ready(const struct record *record, uint8_t rank, struct facts *facts)
{
	struct sense sense;

	if (!sense_read(record->sense, &sense) || sense.deferred)
		return;
	const char *state = power_state_of_sense(&sense);

	if (state && !strcmp(state, "stopped"))
		add_state(record, state, record->sense, rank, facts);
}

/* Count of the command itself: 0 mostly. */
static unsigned count_sent(const struct record *record)
{
	struct bytes cdb = { record->cdb, record->cdb_len };

	return bytes_u8(cdb, bytes_u8(cdb, 0) == 0xa1 ? 4 : 6);
}

/* Bridges that lose the registers give back those of the command, or zeros. A
 * zero is standby where the drive's own registers can be trusted. */
static bool is_echo(const struct capture *capture, const struct record *record,
	const struct ata_registers *registers)
{
	enum { BUSY_FAULT_ERROR = 0xa1, READY = 0x40 };
	const char *transport = capture_host_value(capture, "transport");
	bool bridge = transport && !strcmp(transport, "usb");
	unsigned sent = count_sent(record), count = registers->count & 0xff;

	if ((registers->status & BUSY_FAULT_ERROR) || !(registers->status & READY))
		return true;
	return count == sent && (count != 0 || bridge);
}

static void add_check_power_mode(const struct capture *capture, const struct record *record,
	uint8_t rank, struct facts *facts)
{
	struct ata_registers registers;

	if (!record_is_good(record) || !ata_registers_of_sense(record->sense, &registers))
		return;
	bool echo = is_echo(capture, record, &registers);

	add_state(record, echo ? "unknown" : power_state_of_count(registers.count & 0xff),
		record->sense, rank, facts);
	if (echo)
		facts->facts[facts->fact_count - 1].note =
			"the registers that came back are not the drive's";
}

/* The first answer of each kind: what comes later may have woken the drive. */
void power_state_decode(const struct capture *capture, struct facts *facts)
{
	static const enum page_kind kinds[] = { PAGE_ATA_POWER_MODE, PAGE_REQUEST_SENSE,
		PAGE_TEST_UNIT_READY };
	const char *host = capture_host_value(capture, "runtime_status");

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		struct page_id id = { .kind = kinds[i] };
		uint8_t rank = (uint8_t)i;
		const struct record *record = capture_find(capture, id);

		if (record && id.kind == PAGE_ATA_POWER_MODE)
			add_check_power_mode(capture, record, rank, facts);
		else if (record && id.kind == PAGE_REQUEST_SENSE)
			add_request_sense(record, rank, facts);
		else if (record)
			add_test_unit_ready(record, rank, facts);
	}
	if (host && !strcmp(host, "suspended"))
		facts_add(facts, decoder_key("power.state"), value_text("suspended"), FACT_KNOWN,
			source_host("runtime_status"), ARRAY_LEN(kinds));
}
