#include "capture/collector.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ILLEGAL_REQUEST = 0x05, UNIT_ATTENTION = 0x06 };
enum { INVALID_OPERATION_CODE = 0x20 };

/* ---- Sending and recording ---- */

static void note_failure(struct collector *c, const struct record *record, int os_error)
{
	char name[80];
	struct sense sense;

	page_name(record->page, name, sizeof(name));
	if (record->delivery == DELIVERY_TIMED_OUT)
		capture_note(c->capture, "%s: no answer within %.1f s", name,
			(double)record->duration_us / 1e6);
	if (record->delivery == DELIVERY_FAILED && (os_error == EPERM || os_error == EACCES))
		capture_note(c->capture, "%s: not permitted: needs root or CAP_SYS_RAWIO", name);
	if (sense_read(record->sense, &sense) && sense.deferred)
		capture_note(c->capture,
			"%s: the drive first told of an error of an earlier command", name);
}

/* Called for every try of every command. */
static void record_answer(
	void *context, const struct request *request, const struct outcome *outcome)
{
	struct collector *c = context;
	struct record *stored,
		record = {
			.cdb_len = (uint8_t)request->cdb_len,
			.delivery = outcome->delivery,
			.scsi_status = outcome->scsi_status,
			.out = request->out,
			.duration_us = outcome->duration_us,
		};

	memcpy(record.cdb, request->cdb, request->cdb_len);
	if (outcome->sense_len)
		record.sense = (struct bytes) { outcome->sense, outcome->sense_len };
	/* where the command failed, few adapters say how much of the buffer is real */
	if (request->in && record_is_good(&record))
		record.data = (struct bytes) { request->in, outcome->received };
	c->capture->command_count++;
	stored = capture_add(c->capture, &record);
	note_failure(c, stored, outcome->os_error);
	c->reached |= outcome->delivery == DELIVERY_DONE;
	if (request->cdb != c->cdb)
		return; /* a probe of the session's own */
	c->last = c->capture->record_count - 1;
	if (!c->answered)
		c->first = c->last;
	c->answered = true;
}

void collect_prefer(struct collector *c, size_t better, size_t place)
{
	struct record *records = c->capture->records;
	struct record record = records[place];

	records[place] = records[better];
	records[better] = record;
}

void collector_init(struct collector *c, struct transport *transport,
	const struct collect_options *options, struct capture *capture)
{
	const char *link = capture_host_value(capture, "transport");

	*c = (struct collector) {
		.options = options,
		.capture = capture,
		.usb = link && !strcmp(link, "usb"),
		.room = malloc(MOST_BYTES + 1),
	};
	session_init(&c->session, transport, &options->limits);
	c->session.tried = record_answer;
	c->session.context = c;
}

void collector_deinit(struct collector *c)
{
	free(c->room);
}

/* SPC-5, all_commands parameter data. */
bool collect_lists_command(struct bytes codes, uint8_t opcode, uint16_t service_action)
{
	enum {
		HEADER = 4,
		ENTRY = 8,
		TIMEOUTS = 12,
		SERVICE_ACTION_VALID = 1,
		TIMEOUTS_FOLLOW = 2
	};
	size_t step;

	for (size_t at = HEADER; at + ENTRY <= codes.len; at += step) {
		uint8_t flags = bytes_u8(codes, at + 5);

		step = ENTRY + (flags & TIMEOUTS_FOLLOW ? TIMEOUTS : 0);
		if (bytes_u8(codes, at) == opcode &&
			(!(flags & SERVICE_ACTION_VALID) ||
				bytes_be16(codes, at + 2) == service_action))
			return true;
	}
	return false;
}

static bool may_send(const struct collector *c, const struct cdb *cdb)
{
	return cdb->len > 0 && c->room && !c->refused[cdb->bytes[0]] &&
		(!c->operation_codes.at ||
			collect_lists_command(
				c->operation_codes, cdb->bytes[0], cdb->bytes[1] & 0x1f));
}

const struct record *collect_send(struct collector *c, const struct cdb *cdb, struct bytes out)
{
	struct request request = {
		.cdb = cdb->bytes,
		.cdb_len = cdb->len,
		.in = cdb->in_len ? c->room : NULL,
		.in_len = cdb->in_len,
		.out = out,
	};
	struct outcome outcome;

	if (!may_send(c, cdb))
		return NULL;
	if (c->options->progress)
		c->options->progress(c->options->context, c->capture->command_count,
			page_of_cdb(cdb->bytes, cdb->len));
	c->cdb = cdb->bytes;
	c->answered = false;
	session_send(&c->session, &request, &outcome);
	c->cdb = NULL;
	if (!c->answered)
		return NULL;
	collect_prefer(c, c->last, c->first);
	return &c->capture->records[c->first];
}

bool collect_good(const struct record *record)
{
	return record && record_is_good(record);
}

struct bytes collect_data(const struct record *record)
{
	return record && record_is_good(record) ? record->data : (struct bytes) { 0 };
}

bool collect_unknown_command(const struct record *record)
{
	struct sense sense;

	return record && record->delivery == DELIVERY_DONE && sense_read(record->sense, &sense) &&
		sense.key == ILLEGAL_REQUEST && sense.asc == INVALID_OPERATION_CODE;
}

/* ---- Pages of SCSI ---- */

/* How much is to be asked for again: 0 where all came. What stands behind the
 * standard's part of INQUIRY data is the vendor's. */
static size_t length_to_ask(const struct record *record, size_t asked)
{
	size_t whole;

	if (!collect_good(record) || record->data.len < asked || record->page.kind == PAGE_INQUIRY)
		return 0;
	if (record_header(record, &whole) != HEADER_GOOD || whole <= asked)
		return 0;
	return whole < MOST_BYTES ? whole : MOST_BYTES;
}

static const struct record *send_page(
	struct collector *c, struct page_id id, size_t len, bool shorter)
{
	struct cdb cdb = cdb_of_page(id, len, shorter);
	const struct record *record = collect_send(c, &cdb, (struct bytes) { 0 });
	size_t first = c->first, whole = record ? length_to_ask(record, cdb.in_len) : 0;

	if (!whole)
		return record;
	size_t came = record->data.len;

	cdb = cdb_of_page(id, whole, shorter);
	if (cdb.in_len > came &&
		collect_data(collect_send(c, &cdb, (struct bytes) { 0 })).len > came)
		collect_prefer(c, c->first, first);
	return &c->capture->records[first];
}

const struct record *collect_page(struct collector *c, struct page_id id, size_t len)
{
	struct cdb longer = cdb_of_page(id, len, false);
	struct cdb shorter = cdb_of_page(id, len, true);
	bool service_action = longer.bytes[0] == 0x9e || longer.bytes[0] == 0xa3;
	const struct record *record = NULL;

	if (may_send(c, &longer)) {
		record = send_page(c, id, len, false);
		if (!collect_unknown_command(record))
			return record;
		/* of many commands under one code only this one may be unknown */
		c->refused[longer.bytes[0]] = !service_action;
	}
	return shorter.len && c->session.end == SESSION_OPEN ? send_page(c, id, len, true) : record;
}

/* ---- What is asked for ---- */

bool collect_is_light(const struct collector *c)
{
	return c->options->pages;
}

bool collect_wants(const struct collector *c, struct page_id id)
{
	for (size_t i = 0; i < c->options->page_count; i++) {
		const struct page_id *page = &c->options->pages[i];

		if (page->kind == id.kind && page->page == id.page && page->sub == id.sub)
			return true;
	}
	return !collect_is_light(c);
}

bool collect_wants_log(const struct collector *c, uint8_t log)
{
	for (size_t i = 0; i < c->options->page_count; i++)
		if (c->options->pages[i].kind == PAGE_ATA_LOG && c->options->pages[i].page == log)
			return true;
	return !collect_is_light(c);
}

bool collect_lists_vpd(const struct collector *c, uint8_t page)
{
	for (size_t i = 0; i < c->vpd_pages.len; i++)
		if (bytes_u8(c->vpd_pages, i) == page)
			return true;
	return false;
}

bool collect_is_disk(const struct collector *c)
{
	switch (c->device_type) {
	case TYPE_DISK:
	case TYPE_WRITE_ONCE:
	case TYPE_OPTICAL:
	case TYPE_SIMPLIFIED_DISK:
	case TYPE_ZONED:
		return true;
	}
	return false;
}

/* ---- The run ---- */

static int no_identity(const struct collector *c, struct error *error)
{
	switch (c->session.end) {
	case SESSION_SILENT:
		return error_set(error, EXIT_TIMED_OUT, "the drive does not answer");
	case SESSION_LATE:
		return error_set(error, EXIT_TIMED_OUT,
			"the drive did not identify itself within the time limit");
	case SESSION_GONE:
		return error_set(error, EXIT_NO_SUCH, "no such drive any more");
	case SESSION_OPEN:
		break;
	}
	return error_set(error, EXIT_UNKNOWN, "the drive does not identify itself (INQUIRY fails)");
}

bool collect_take_inquiry(struct collector *c, const struct record *record)
{
	uint64_t type;

	if (!bytes_be(collect_data(record), 0, 1, &type))
		return false;
	c->present = type >> 5 == 0; /* PERIPHERAL QUALIFIER */
	c->device_type = type & 0x1f;
	c->version = bytes_u8(record->data, 2);
	return true;
}

void collect_take_vpd_list(struct collector *c, const struct record *record)
{
	struct bytes data = collect_data(record);

	if (bytes_u8(data, 1) == 0x00)
		c->vpd_pages = bytes_cut(data, 4, bytes_u8(data, 3));
}

int collect_inquiry(struct collector *c, struct error *error)
{
	enum { INQUIRY_BYTES = 96, INQUIRY_BYTES_USB = 36, VPD_BYTES = 252 };
	static const struct page_id inquiry = { .kind = PAGE_INQUIRY };
	static const struct page_id vpd_list = { .kind = PAGE_VPD, .page = 0x00 };
	size_t len = c->usb ? INQUIRY_BYTES_USB : INQUIRY_BYTES;
	const struct record *kept = capture_find(c->capture, vpd_list);

	if ((kept || c->options->quiet) &&
		collect_take_inquiry(c, capture_find(c->capture, inquiry)) && c->present) {
		collect_take_vpd_list(c, kept);
		return 0;
	}
	if (!collect_take_inquiry(c, collect_page(c, inquiry, len)))
		return no_identity(c, error);
	if (!c->present)
		return error_set(error, EXIT_NO_SUCH, "no drive at this logical unit");
	collect_take_vpd_list(c, collect_page(c, vpd_list, VPD_BYTES));
	return 0;
}

/* False where the drive sleeps and is to sleep on. */
static bool is_awake(struct collector *c, const char *state)
{
	enum { SPIN_UP_TIMEOUT_MS = 60000 };

	if (!power_state_sleeps(state))
		return true;
	if (!c->options->wake) {
		capture_note(c->capture,
			"the drive sleeps (%s): only what does not wake it was read", state);
		return false;
	}
	if (!c->session.limits.timeout_ms)
		c->session.limits.timeout_ms = SPIN_UP_TIMEOUT_MS;
	return true;
}

/* What is kept of the drive must do. */
static bool is_left_alone(struct collector *c)
{
	if (c->options->quiet)
		capture_note(c->capture,
			"the drive is left alone: only what does not reset its idle timers was "
			"read");
	return c->options->quiet;
}

static void collect_awake_light(struct collector *c)
{
	if (c->pass_through && collect_ata_identify(c)) {
		collect_ata(c);
		return;
	}
	collect_scsi_vpd(c);
	if (collect_is_disk(c))
		collect_scsi(c);
}

static void collect_awake(struct collector *c)
{
	static const struct page_id ready = { .kind = PAGE_TEST_UNIT_READY };
	static const struct page_id diagnostics = { .kind = PAGE_DIAGNOSTIC, .page = 0 };
	enum { DIAGNOSTIC_BYTES = 1024 };

	collect_page(c, ready, 0);
	if (c->pass_through && collect_ata_identify(c))
		collect_ata(c);
	else if (collect_is_disk(c))
		collect_scsi(c);
	if (c->device_type == TYPE_ENCLOSURE)
		collect_page(c, diagnostics, DIAGNOSTIC_BYTES);
}

static void note_end(struct collector *c)
{
	static const char *const ends[] = {
		[SESSION_SILENT] = "the drive stopped answering",
		[SESSION_GONE] = "the drive went away",
		[SESSION_LATE] = "the time limit passed",
	};

	if (c->session.end != SESSION_OPEN)
		capture_note(c->capture, "%s: what came after is missing", ends[c->session.end]);
}

static int run(struct collector *c, struct error *error)
{
	const char *state = collect_scsi_power(c);
	bool awake;

	if (collect_inquiry(c, error))
		return -1;
	c->pass_through = collect_may_be_ata(c);
	if (c->pass_through) {
		const char *mode = collect_ata_power(c);

		if (strcmp(mode, "unknown") != 0)
			state = mode;
	}
	awake = is_awake(c, state);
	collect_scsi_vpd(c);
	if (awake)
		collect_awake(c);
	note_end(c);
	return 0;
}

/* Who judges a part of a drive must know that it is one. */
static int ended_early(const struct collector *c, struct error *error)
{
	switch (c->session.end) {
	case SESSION_SILENT:
		return error_set(error, EXIT_TIMED_OUT,
			c->reached ? "the drive stopped answering" : "the drive does not answer");
	case SESSION_LATE:
		return error_set(error, EXIT_TIMED_OUT,
			"the drive did not answer everything within the time limit");
	case SESSION_GONE:
		return error_set(error, EXIT_NO_SUCH,
			c->reached ? "the drive went away" : "no such drive any more");
	case SESSION_OPEN:
		break;
	}
	return 0;
}

/* An ATA drive's power state is asked the ATA way alone, where that works. */
static int run_light(struct collector *c, struct error *error)
{
	const char *state = "unknown";

	if (collect_inquiry(c, error))
		return -1;
	c->pass_through = collect_may_be_ata(c);
	if (c->pass_through)
		state = collect_ata_power(c);
	if (!strcmp(state, "unknown"))
		state = collect_scsi_power(c);
	if (is_awake(c, state) && !is_left_alone(c))
		collect_awake_light(c);
	note_end(c);
	return ended_early(c, error);
}

int collect(struct transport *transport, const struct collect_options *options,
	struct capture *capture, struct error *error)
{
	struct collector collector;
	int result;

	collector_init(&collector, transport, options, capture);
	result = options->pages ? run_light(&collector, error) : run(&collector, error);
	collector_deinit(&collector);
	return result;
}
