/*
 * What a drive says of its own health: SMART RETURN STATUS (ACS-3, as
 * SAT-4 returns its registers), SCT status, informational exceptions (SPC-5).
 */
#include "assay/command.h"
#include "assay/decoder.h"

static const struct key keys[] = {
	{ "health.self_assessment", "Self-assessment", UNIT_NONE, .detail = false },
	{ "health.warning", "Warning", UNIT_NONE, .detail = false },
	{ "health.informational_exception", "Informational exception", UNIT_NONE, .detail = false },
	{ "health.smart_supported", "SMART supported", .detail = true },
	{ "health.smart_enabled", "SMART enabled", UNIT_NONE, .detail = false },
	{ "health.warnings_enabled", "Warnings reported", .detail = true },
	{ "health.exception_reporting", "Exceptions reported by", .detail = true },
	{ "health.exception_test", "Exception test mode", .detail = true },
	{ "health.exception_logging", "Exceptions logged", .detail = true },
	{ "health.exception_interval_seconds", "Exception report interval", UNIT_SECONDS,
		.detail = true },
	{ "health.exception_report_count", "Exception reports at most", UNIT_COUNT,
		.detail = true },
};

/* ACS-4 7.13: words 82 and 85 count where words 83 and 87 hold their mark. */
static const struct condition supported_words[] = { { 2 * 83, 2, 0xc000, 0x4000 }, { 0 } };
static const struct condition enabled_words[] = { { 2 * 87, 2, 0xc000, 0x4000 }, { 0 } };
static const struct field identify[] = {
	{ "health.smart_supported", .at = 2 * 82, .width = 2, .low_bit = 0, .bits = 1,
		.format = FORMAT_FLAG, .when = supported_words },
	{ "health.smart_enabled", .at = 2 * 85, .width = 2, .low_bit = 0, .bits = 1,
		.format = FORMAT_FLAG, .when = enabled_words },
};

/* SPC-5, Informational Exceptions Control mode page */
static const struct word reporting_methods[] = {
	{ 0x0, "none" },
	{ 0x1, "asynchronous event" },
	{ 0x2, "unit attention" },
	{ 0x3, "recovered error where enabled" },
	{ 0x4, "recovered error" },
	{ 0x5, "no sense" },
	{ 0x6, "request sense only" },
	{ 0xc, "vendor specific" },
	{ 0xd, "vendor specific" },
	{ 0xe, "vendor specific" },
	{ 0xf, "vendor specific" },
	{ 0 },
};
static const struct field exceptions_control[] = {
	{ "health.exception_logging", .at = 2, .width = 1, .low_bit = 0, .bits = 1,
		.format = FORMAT_FLAG },
	{ "health.exception_test", .at = 2, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
	{ "health.smart_enabled", .at = 2, .width = 1, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG_NOT, .rank = 1 },
	{ "health.warnings_enabled", .at = 2, .width = 1, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG },
	{ "health.exception_reporting", .at = 3, .width = 1, .low_bit = 0, .bits = 4,
		.format = FORMAT_ENUM, .words = reporting_methods },
	{ "health.exception_interval_seconds", .at = 4, .width = 4, .divide = 10,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "health.exception_report_count", .at = 8, .width = 4, .unknown = UNKNOWN_ZERO },
};

static const struct layout layouts[] = {
	{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 0, identify, ARRAY_LEN(identify) },
	{ { PAGE_MODE, 0x1c, 0, 0 }, 0, exceptions_control, ARRAY_LEN(exceptions_control) },
};

/* "failed" is never hidden by a source that says "passed"; "unknown" is, by
 * any source that knows. */
enum { RANK_FAILED = 0, RANK_DIRECT = 1, RANK_SECOND = 2, RANK_UNKNOWN = 9 };

static struct fact *add_text(
	struct facts *facts, const char *key, const char *text, struct source source, uint8_t rank)
{
	return facts_add(facts, decoder_key(key), value_text(text), FACT_KNOWN, source, rank);
}

static void add_assessment(struct facts *facts, bool passed, struct source source, uint8_t rank)
{
	add_text(facts, "health.self_assessment", passed ? "passed" : "failed", source,
		passed ? rank : RANK_FAILED);
}

static void add_unknown(struct facts *facts, struct source source, const char *why)
{
	add_text(facts, "health.self_assessment", "unknown", source, RANK_UNKNOWN)->note = why;
}

/* ---- ATA ---- */

enum { SMART_PASSED = 0xc24f, SMART_FAILED = 0x2cf4 };

static void decode_return_status(const struct capture *capture, struct facts *facts)
{
	enum { DEVICE_FAULT = 0x20, ERROR = 0x01 };
	static const struct page_id status = { .kind = PAGE_SMART_STATUS };
	const struct record *record = capture_find(capture, status);
	struct ata_registers registers;

	if (!record)
		return;
	struct source source = source_page(status, 0, record->sense);

	source.text = "registers in the sense data";
	if (record->delivery != DELIVERY_DONE)
		add_unknown(facts, source, "the command was not answered");
	else if (!ata_registers_of_sense(record->sense, &registers))
		add_unknown(facts, source, "the registers did not come back");
	else if (registers.status & (ERROR | DEVICE_FAULT))
		add_unknown(facts, source, "the drive refused the command");
	else if ((registers.lba >> 8 & 0xffff) == SMART_PASSED)
		add_assessment(facts, true, source, RANK_DIRECT);
	else if ((registers.lba >> 8 & 0xffff) == SMART_FAILED)
		add_assessment(facts, false, source, RANK_DIRECT);
	else
		add_unknown(facts, source, "the registers hold neither 4F C2 nor F4 2C");
}

/* ACS-4, SCT Status response: a copy of those registers, since format version 3. */
static void decode_sct_status(const struct capture *capture, struct facts *facts)
{
	struct page page = page_ata_log(capture, 0xe0, 0);
	struct source source = source_page(
		page.id, page.offset + 214, bytes_cut(page.data, 214, 2));

	if (bytes_le16(page.data, 0) < 3 || bytes_le16(page.data, 0) == 0xffff)
		return;
	if (bytes_le16(page.data, 214) == SMART_PASSED)
		add_assessment(facts, true, source, RANK_SECOND);
	else if (bytes_le16(page.data, 214) == SMART_FAILED)
		add_assessment(facts, false, source, RANK_SECOND);
}

/* ---- SCSI: SPC-5, additional sense codes of informational exceptions ---- */

enum { WARNING = 0x0b, PREDICTED_FAILURE = 0x5d, PREDICTION_TEST = 0xff };

static bool is_exception(uint8_t asc)
{
	return asc == WARNING || asc == PREDICTED_FAILURE;
}

static void add_exception(
	struct facts *facts, uint8_t asc, uint8_t ascq, struct source source, uint8_t rank)
{
	bool test = asc == PREDICTED_FAILURE && ascq == PREDICTION_TEST;
	char text[160];

	additional_sense_text(asc, ascq, text, sizeof(text));
	add_assessment(facts, asc != PREDICTED_FAILURE || test, source, rank);
	add_text(facts, "health.informational_exception", text, source, rank);
	if (asc == WARNING)
		add_text(facts, "health.warning", text, source, rank);
	if (test)
		facts_note(facts, &source, "a test of failure prediction is on: %s", text);
}

static void decode_exceptions_log(const struct capture *capture, struct facts *facts)
{
	static const struct page_id log = { .kind = PAGE_LOG, .page = 0x2f, .control = 1 };
	struct page page = page_get(capture, facts, log);
	struct log_parameter parameter;

	if (!log_parameter_find(&page, 0, &parameter) || parameter.data.len < 6)
		return;
	struct source source = source_page(
		page.id, parameter.offset + 4, bytes_cut(parameter.data, 4, 2));
	uint8_t asc = bytes_u8(parameter.data, 4), ascq = bytes_u8(parameter.data, 5);

	source.parameter = parameter.code;
	if (is_exception(asc))
		add_exception(facts, asc, ascq, source, RANK_DIRECT);
	else if (asc == 0)
		add_assessment(facts, true, source, RANK_DIRECT);
	else
		add_unknown(facts, source, "the code is of no informational exception");
}

/* MRIE decides whether an exception shows in REQUEST SENSE, as UNIT ATTENTION or
 * with any command that went well; so all sense data are looked at. */
static bool decode_sense(struct bytes bytes, struct page_id id, struct facts *facts)
{
	struct source source = source_page(id, 0, bytes);
	struct sense sense;

	if (!sense_read(bytes, &sense) || !is_exception(sense.asc))
		return false;
	source.text = "sense data";
	add_exception(facts, sense.asc, sense.ascq, source, RANK_SECOND);
	return true;
}

static void decode_all_sense(const struct capture *capture, struct facts *facts)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];
		bool asked = record->page.kind == PAGE_REQUEST_SENSE;

		if (decode_sense(record->sense, record->page, facts) ||
			(asked && decode_sense(record->data, record->page, facts)))
			return;
	}
}

static void decode_support(const struct capture *capture, struct facts *facts)
{
	static const struct page_id control = { .kind = PAGE_MODE, .page = 0x1c };
	struct page page = page_get(capture, NULL, control);

	if (page.data.at)
		facts_add(facts, decoder_key("health.smart_supported"), value_flag(true),
			FACT_KNOWN, source_page(page.id, page.offset, bytes_cut(page.data, 0, 2)),
			1);
}

static void note_doubts(struct facts *facts)
{
	const struct fact *best = facts_find(facts, "health.self_assessment");
	bool enabled = true;

	if (!best)
		return;
	for (size_t i = 0; best->rank == RANK_FAILED && i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];

		if (fact->key == best->key && fact->rank != RANK_FAILED &&
			fact->rank != RANK_UNKNOWN)
			facts_note(facts, &fact->source,
				"health.self_assessment: one source says failed, another passed");
	}
	if (facts_flag(facts, "health.smart_enabled", &enabled) && !enabled)
		facts_note(facts, &best->source,
			"SMART is switched off: the self-assessment means little");
}

static void decode_rest(const struct capture *capture, struct facts *facts)
{
	decode_return_status(capture, facts);
	decode_sct_status(capture, facts);
	decode_exceptions_log(capture, facts);
	decode_all_sense(capture, facts);
	decode_support(capture, facts);
	note_doubts(facts);
}

const struct decoder decoder_health = {
	.name = "health",
	.title = "Health",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.extra = decode_rest,
};
