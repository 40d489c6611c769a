/*
 * Errors and defects: SPC-5 and SBC-4 (error counters, background scan, pending
 * defects, defect lists), ACS-4 9.5 (device statistics) and 9 (error logs).
 *
 * SMART attributes come from attributes.c, with rank 2.
 */
#include "errors.h"

#include "hours.h"
#include "place.h"

static const struct key keys[] = {
	{ "errors.uncorrected_count", "Uncorrected errors", UNIT_COUNT, .detail = false },
	{ "errors.reallocated_count", "Reallocated sectors", UNIT_COUNT, .detail = false },
	{ "errors.pending_count", "Pending sectors", UNIT_COUNT, .detail = false },
	{ "errors.grown_defect_count", "Grown defects", UNIT_COUNT, .detail = false },
	{ "errors.crc_count", "Interface CRC errors", UNIT_COUNT, .detail = false },
	{ "errors.logged_count", "Errors logged", UNIT_COUNT, .detail = false },
	{ "errors.non_medium_count", "Non-medium errors", UNIT_COUNT, .detail = false },
	{ "errors.uncorrected_write_count", "Uncorrected write errors", UNIT_COUNT,
		.detail = true },
	{ "errors.uncorrected_read_count", "Uncorrected read errors", UNIT_COUNT, .detail = true },
	{ "errors.uncorrected_read_reverse_count", "Uncorrected read reverse errors", UNIT_COUNT,
		.detail = true },
	{ "errors.uncorrected_verify_count", "Uncorrected verify errors", UNIT_COUNT,
		.detail = true },
	{ "errors.primary_defect_count", "Primary defects", UNIT_COUNT, .detail = true },
	{ "errors.grown_in_format_count", "Defects found by format", UNIT_COUNT, .detail = true },
	{ "errors.reassigned_in_format_count", "Blocks reassigned by format", UNIT_COUNT,
		.detail = true },
	{ "errors.reassigned_since_format_count", "Blocks reassigned since format", UNIT_COUNT,
		.detail = true },
	{ "errors.reallocation_candidate_count", "Reallocation candidates", UNIT_COUNT,
		.detail = true },
	{ "errors.read_recovery_count", "Read recovery attempts", UNIT_COUNT, .detail = true },
	{ "errors.mechanical_start_failure_count", "Mechanical start failures", UNIT_COUNT,
		.detail = true },
	{ "errors.interrupted_command_count", "Resets during commands", UNIT_COUNT,
		.detail = true },
	{ "errors.element_status_change_count", "Physical element status changes", UNIT_COUNT,
		.detail = true },
	{ "errors.misaligned_write_count", "Misaligned writes logged", UNIT_COUNT, .detail = true },
	{ "errors.background_scan", "Background scan", UNIT_NONE, .detail = true },
	{ "errors.background_scan_count", "Background scans", UNIT_COUNT, .detail = true },
	{ "errors.background_scan_error_count", "Background scan errors", UNIT_COUNT,
		.detail = true },
	{ "errors.background_scan_unresolved_count", "Background scan errors not mended",
		UNIT_COUNT, .detail = true },
	{ "errors.background_medium_scan_count", "Background medium scans", UNIT_COUNT,
		.detail = true },
	{ "errors.background_scan_percent", "Background scan progress", UNIT_PERCENT,
		.detail = true },
};

/* ACS-4 9.5.4, 9.5.6, 9.5.7, 9.5.9: all ones of a statistic are no data. */
static const struct field general_statistics[] = {
	{ "errors.pending_count", .at = 64, .width = 4, .unknown = UNKNOWN_ONES },
};
static const struct field rotating_statistics[] = {
	{ "errors.reallocated_count", .at = 32, .width = 4, .unknown = UNKNOWN_ONES },
	{ "errors.read_recovery_count", .at = 40, .width = 4, .unknown = UNKNOWN_ONES },
	{ "errors.mechanical_start_failure_count", .at = 48, .width = 4, .unknown = UNKNOWN_ONES },
	{ "errors.reallocation_candidate_count", .at = 56, .width = 4, .unknown = UNKNOWN_ONES },
};
static const struct field error_statistics[] = {
	{ "errors.uncorrected_count", .at = 8, .width = 4, .unknown = UNKNOWN_ONES },
	{ "errors.interrupted_command_count", .at = 16, .width = 4, .unknown = UNKNOWN_ONES },
	{ "errors.element_status_change_count", .at = 24, .width = 4, .unknown = UNKNOWN_ONES },
};
static const struct field transport_statistics[] = {
	{ "errors.crc_count", .at = 24, .width = 4, .unknown = UNKNOWN_ONES },
};

/* ACS-4, Pending Defects log */
static const struct field ata_pending[] = {
	{ "errors.pending_count", .at = 0, .width = 4, .rank = 1 },
};

/* SPC-5, error counter log pages: parameter 0006h, total uncorrected errors */
static const struct field uncorrected_write[] = {
	{ "errors.uncorrected_write_count", .at = 4, .width = 0 },
};
static const struct field uncorrected_read[] = {
	{ "errors.uncorrected_read_count", .at = 4, .width = 0 },
};
static const struct field uncorrected_read_reverse[] = {
	{ "errors.uncorrected_read_reverse_count", .at = 4, .width = 0 },
};
static const struct field uncorrected_verify[] = {
	{ "errors.uncorrected_verify_count", .at = 4, .width = 0 },
};

/* SPC-5, Non-Medium Error log page */
static const struct field non_medium[] = {
	{ "errors.non_medium_count", .at = 4, .width = 0 },
};

/* SBC-4, Format Status log page: all ones where no format is known */
static const struct field grown_in_format[] = {
	{ "errors.grown_in_format_count", .at = 4, .width = 0, .unknown = UNKNOWN_ONES },
};
static const struct field reassigned_in_format[] = {
	{ "errors.reassigned_in_format_count", .at = 4, .width = 0, .unknown = UNKNOWN_ONES },
};
static const struct field reassigned_since_format[] = {
	{ "errors.reassigned_since_format_count", .at = 4, .width = 0, .unknown = UNKNOWN_ONES },
};

/* SBC-4, Background Scan log page */
static const struct word scan_states[] = {
	{ 0x0, "idle" },
	{ 0x1, "medium scan running" },
	{ 0x2, "pre-scan running" },
	{ 0x3, "halted: fatal error" },
	{ 0x4, "halted: vendor specific pattern of errors" },
	{ 0x5, "halted: medium formatted without primary defect list" },
	{ 0x6, "halted: vendor specific cause" },
	{ 0x7, "halted: temperature out of range" },
	{ 0x8, "waiting for the next interval" },
	{ 0x9, "halted: log full" },
	{ 0xa, "halted: pre-scan time limit" },
	{ 0 },
};
static const struct field background_scan[] = {
	{ "errors.background_scan", .at = 9, .width = 1, .format = FORMAT_ENUM,
		.words = scan_states },
	{ "errors.background_scan_count", .at = 10, .width = 2 },
	{ "errors.background_scan_percent", .at = 12, .width = 2, .multiply = 100,
		.divide = 65536 },
	{ "errors.background_medium_scan_count", .at = 14, .width = 2, .unknown = UNKNOWN_ZERO },
};

/* SBC-4, Pending Defects and LPS Misalignment log pages */
static const struct field scsi_pending[] = {
	{ "errors.pending_count", .at = 4, .width = 4 },
};
static const struct field misalignment[] = {
	{ "errors.misaligned_write_count", .at = 6, .width = 2 },
};

static const struct layout layouts[] = {
	{ { PAGE_ATA_LOG, 0x04, 1, 0 }, 0, general_statistics, ARRAY_LEN(general_statistics) },
	{ { PAGE_ATA_LOG, 0x04, 3, 0 }, 0, rotating_statistics, ARRAY_LEN(rotating_statistics) },
	{ { PAGE_ATA_LOG, 0x04, 4, 0 }, 0, error_statistics, ARRAY_LEN(error_statistics) },
	{ { PAGE_ATA_LOG, 0x04, 6, 0 }, 0, transport_statistics, ARRAY_LEN(transport_statistics) },
	{ { PAGE_ATA_LOG, 0x0c, 0, 0 }, 0, ata_pending, ARRAY_LEN(ata_pending) },
	{ { PAGE_LOG, 0x02, 0, 1 }, 6, uncorrected_write, ARRAY_LEN(uncorrected_write) },
	{ { PAGE_LOG, 0x03, 0, 1 }, 6, uncorrected_read, ARRAY_LEN(uncorrected_read) },
	{ { PAGE_LOG, 0x04, 0, 1 }, 6, uncorrected_read_reverse,
		ARRAY_LEN(uncorrected_read_reverse) },
	{ { PAGE_LOG, 0x05, 0, 1 }, 6, uncorrected_verify, ARRAY_LEN(uncorrected_verify) },
	{ { PAGE_LOG, 0x06, 0, 1 }, 0, non_medium, ARRAY_LEN(non_medium) },
	{ { PAGE_LOG, 0x08, 0, 1 }, 1, grown_in_format, ARRAY_LEN(grown_in_format) },
	{ { PAGE_LOG, 0x08, 0, 1 }, 2, reassigned_in_format, ARRAY_LEN(reassigned_in_format) },
	{ { PAGE_LOG, 0x08, 0, 1 }, 3, reassigned_since_format,
		ARRAY_LEN(reassigned_since_format) },
	{ { PAGE_LOG, 0x15, 0, 1 }, 0, background_scan, ARRAY_LEN(background_scan) },
	{ { PAGE_LOG, 0x15, 1, 1 }, 0, scsi_pending, ARRAY_LEN(scsi_pending) },
	{ { PAGE_LOG, 0x15, 3, 1 }, 0, misalignment, ARRAY_LEN(misalignment) },
};

static const struct table *const tables[] = {
	&table_error_counters,
	&table_error_log,
	&table_error_log_commands,
	&table_ncq_error,
	&table_background_scan,
	&table_pending_defects,
};

static void add_uncorrected(struct facts *facts)
{
	static const char *const parts[] = {
		"errors.uncorrected_write_count",
		"errors.uncorrected_read_count",
		"errors.uncorrected_read_reverse_count",
		"errors.uncorrected_verify_count",
	};
	uint64_t sum = 0, part;
	bool any = false;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		if (!facts_uint(facts, parts[i], &part))
			continue;
		any = true;
		if (__builtin_add_overflow(sum, part, &sum))
			sum = UINT64_MAX;
	}
	if (any)
		facts_add(facts, decoder_key("errors.uncorrected_count"), value_uint(sum),
			FACT_KNOWN,
			source_derived("sum of uncorrected write, read and verify errors"), 0);
}

/* SBC-4, address descriptor formats by their number; 0: vendor specific, reserved. */
static unsigned descriptor_len(unsigned format)
{
	static const unsigned lengths[8] = { 4, 8, 8, 8, 8, 8, 0, 0 };

	return lengths[format & 7];
}

/* SBC-4, READ DEFECT DATA: the header tells the length of the list even where
 * just the header was asked for. */
static void decode_defects(const struct record *record, struct facts *facts)
{
	static const char *const names[] = { NULL, "errors.grown_defect_count",
		"errors.primary_defect_count", NULL };
	static const uint8_t valid_bits[] = { 0, 0x08, 0x10, 0 };
	bool twelve = record->cdb[0] == 0xb7;
	struct page page = { .id = record->page, .data = record->data };
	struct place place = {
		.page = &page, .at = twelve ? 4 : 2, .width = twelve ? 4 : 2, .rank = !twelve
	};
	unsigned list = record->page.control & 3, flags = bytes_u8(record->data, 1);
	unsigned each = descriptor_len(flags);
	uint64_t length;

	if (!names[list] || !bytes_be(record->data, place.at, place.width, &length))
		return;
	enum fact_state state = FACT_KNOWN;

	if (!(flags & valid_bits[list]) || (length && each == 0))
		state = FACT_UNKNOWN;
	else if (length && length % each)
		state = FACT_INVALID;
	struct fact *fact = place_fact(
		facts, names[list], value_uint(each ? length / each : 0), state, place);

	if (!twelve && length > UINT16_MAX - 8)
		fact->note = "or more: the length has 16 bits";
}

static void decode_rest(const struct capture *capture, struct facts *facts)
{
	add_uncorrected(facts);
	for (size_t i = 0; i < capture->record_count; i++)
		if (capture->records[i].page.kind == PAGE_DEFECTS &&
			record_is_good(&capture->records[i]))
			decode_defects(&capture->records[i], facts);
	error_tables_decode(capture, facts);
	error_log_decode(capture, facts);
}

static void derive(struct facts *facts)
{
	hours_estimate(facts, &table_error_log);
}

const struct decoder decoder_errors = {
	.name = "errors",
	.title = "Errors",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = decode_rest,
	.derive = derive,
};
