/* Temperatures beside a run: the command that gave the drive's temperature is
 * sent again, or the kernel's hwmon is read. */
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/measure.h"
#include "assay/thermometer.h"

/* A drive of ATA drains its queue before it answers. */
static const double QUIET_SECONDS = 1, DISTURBING_SECONDS = 10;

enum { TIMEOUT_MS = 3000, AROUND = 5 };

struct thermometer {
	struct thermometer_about about;
	const struct target *target; /* of hwmon; else NULL */
	struct session session;
	struct transport *transport; /* owned; NULL: of hwmon */
	struct record record;        /* of the capture: the command and what it gave */
	size_t offset;
	uint8_t *room;
	size_t room_len; /* as much as the command asks for */
	bool is_log;
	char name[64];
};

static const struct record *record_of(const struct capture *capture, const struct fact *fact)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (record->data.at && fact->source.raw.at >= record->data.at &&
			fact->source.raw.at + fact->source.raw.len <=
				record->data.at + record->data.len)
			return record;
	}
	return NULL;
}

/* The byte that is the temperature. A temperature log page says 0 and FFh where
 * it knows none, the others 80h. */
static bool celsius_of_byte(const struct thermometer *thermometer, uint8_t byte, double *celsius)
{
	*celsius = thermometer->is_log ? byte : (int8_t)byte;
	return thermometer->is_log ? byte && byte != 0xff : byte != 0x80;
}

/* As the decoders read it: else this byte is not it. */
static bool is_understood(const struct thermometer *thermometer, const struct fact *fact)
{
	uint8_t byte = bytes_u8(thermometer->record.data, thermometer->offset);
	double known, read;

	return value_number(fact->value, &known) && celsius_of_byte(thermometer, byte, &read) &&
		!(known < read) && !(known > read);
}

/* What an ATA command asked for came as a whole. */
static size_t room_for(const struct record *record)
{
	struct bytes cdb = { record->cdb, record->cdb_len };
	size_t asked = record->page.kind == PAGE_LOG ? bytes_be16(cdb, 7) : 0;

	return asked > record->data.len ? asked : record->data.len;
}

static bool prepare(struct thermometer *thermometer, const struct capture *capture,
	const struct fact *fact, struct transport *transport)
{
	enum { TEMPERATURE_LOG = 0x0d };
	struct command_limits limits = { .timeout_ms = TIMEOUT_MS };
	const struct record *record = record_of(capture, fact);
	const struct page_id *page = &fact->source.page;

	if (!record)
		return false;
	thermometer->record = *record;
	thermometer->offset = (size_t)(fact->source.raw.at - record->data.at);
	thermometer->is_log = page->kind == PAGE_LOG && page->page == TEMPERATURE_LOG && !page->sub;
	thermometer->about.disturbs = page_is_ata(*page);
	if (!is_understood(thermometer, fact))
		return false;
	thermometer->room_len = room_for(record);
	thermometer->room = calloc(1, thermometer->room_len);
	thermometer->transport = transport;
	session_init(&thermometer->session, transport, &limits);
	page_name(*page, thermometer->name, sizeof(thermometer->name));
	thermometer->about.source = thermometer->name;
	return thermometer->room != NULL;
}

static struct thermometer *of_kernel(const struct target *target)
{
	struct thermometer *thermometer = calloc(1, sizeof(*thermometer));
	double celsius;

	if (!thermometer || !target || !target_temperature(target, &celsius)) {
		free(thermometer);
		return NULL;
	}
	thermometer->target = target;
	thermometer->about = (struct thermometer_about) { .source = "hwmon", .disturbs = true };
	return thermometer;
}

struct thermometer *thermometer_open(const struct target *target, const struct capture *capture,
	const struct facts *facts, struct transport *transport, double interval_seconds)
{
	const struct fact *fact = facts_find(facts, "temperature.current_celsius");
	bool known = fact && fact->state == FACT_KNOWN && fact->source.origin == ORIGIN_PAGE;
	bool is_ata = known && page_is_ata(fact->source.page);
	struct thermometer *thermometer = known && !is_ata ? NULL : of_kernel(target);

	if (!thermometer && known && transport) {
		thermometer = calloc(1, sizeof(*thermometer));
		if (thermometer && prepare(thermometer, capture, fact, transport))
			transport = NULL;
		else
			thermometer_close(thermometer), thermometer = NULL;
	}
	if (transport)
		transport->close(transport);
	if (!thermometer)
		return NULL;
	thermometer->about.interval_seconds = interval_seconds > 0 ? interval_seconds
		: thermometer->about.disturbs                      ? DISTURBING_SECONDS
								   : QUIET_SECONDS;
	return thermometer;
}

void thermometer_close(struct thermometer *thermometer)
{
	if (!thermometer)
		return;
	if (thermometer->transport)
		thermometer->transport->close(thermometer->transport);
	free(thermometer->room);
	free(thermometer);
}

const struct thermometer_about *thermometer_about(const struct thermometer *thermometer)
{
	return &thermometer->about;
}

/* The same page, and the same place in it. */
static bool is_same_place(const struct thermometer *thermometer, struct bytes data)
{
	struct bytes before = thermometer->record.data;
	size_t from = thermometer->offset < AROUND ? 0 : thermometer->offset - AROUND;

	return bytes_be16(data, 0) == bytes_be16(before, 0) &&
		(!from || bytes_be16(data, from) == bytes_be16(before, from));
}

bool thermometer_read(struct thermometer *thermometer, double *celsius)
{
	struct outcome outcome;

	if (thermometer->target)
		return target_temperature(thermometer->target, celsius);
	struct request request = { .cdb = thermometer->record.cdb,
		.cdb_len = thermometer->record.cdb_len,
		.in = thermometer->room,
		.in_len = thermometer->room_len,
		.timeout_ms = TIMEOUT_MS };

	if (!session_send(&thermometer->session, &request, &outcome) ||
		outcome.delivery != DELIVERY_DONE || outcome.received <= thermometer->offset)
		return false;
	struct bytes data = { thermometer->room, outcome.received };

	return is_same_place(thermometer, data) &&
		celsius_of_byte(thermometer, bytes_u8(data, thermometer->offset), celsius);
}
