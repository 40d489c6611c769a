/* What the errors decoder shows as tables, logs of commands apart. */
#include <stdio.h>

#include "assay/command.h"
#include "errors.h"

static const struct column counter_columns[] = {
	{ "operation", "Operation", UNIT_NONE },
	{ "corrected_without_delay", "Corrected, fast", UNIT_COUNT },
	{ "corrected_with_delay", "Corrected, delayed", UNIT_COUNT },
	{ "retries", "Retries", UNIT_COUNT },
	{ "corrected_total", "Corrected", UNIT_COUNT },
	{ "algorithm_runs", "Algorithm runs", UNIT_COUNT },
	{ "processed_bytes", "Processed", UNIT_BYTES },
	{ "uncorrected", "Uncorrected", UNIT_COUNT },
};
const struct table table_error_counters = {
	.name = "error_counters",
	.label = "Error counters",
	.columns = counter_columns,
	.column_count = ARRAY_LEN(counter_columns),
};

static const struct column scan_columns[] = {
	{ "index", NULL, UNIT_NONE }, /* the parameter code */
	{ "power_on_minutes", "Power-on time", UNIT_MINUTES },
	{ "lba", "LBA", UNIT_NONE },
	{ "reassign_status", "Reassign status", UNIT_NONE },
	{ "sense", "Sense", UNIT_NONE },
	{ "sense_key", NULL, UNIT_NONE },
	{ "asc", NULL, UNIT_NONE },
	{ "ascq", NULL, UNIT_NONE },
};
const struct table table_background_scan = {
	.name = "background_scan",
	.label = "Background scan results",
	.columns = scan_columns,
	.column_count = ARRAY_LEN(scan_columns),
};

static const struct column pending_columns[] = {
	{ "lba", "LBA", UNIT_NONE },
	{ "power_on_hours", "Power-on hours", UNIT_HOURS },
};
const struct table table_pending_defects = {
	.name = "pending_defects",
	.label = "Pending defects",
	.columns = pending_columns,
	.column_count = ARRAY_LEN(pending_columns),
};

static struct source source_parameter(
	const struct page *page, const struct log_parameter *parameter)
{
	struct source source = source_page(page->id, parameter->offset, parameter->data);

	source.parameter = parameter->code;
	return source;
}

/* SPC-5, error counter log pages: the columns stand in the order of the codes. */
static void add_counters(const struct page *page, const char *operation, struct facts *facts)
{
	struct row *row = facts_row(
		facts, &table_error_counters, source_page(page->id, page->offset, page->data));
	struct log_parameter parameter;
	uint64_t value;

	row_set(row, "operation", value_text(operation));
	for (size_t at = 4; log_parameter_next(page, &at, &parameter);)
		if (parameter.code + 1u < ARRAY_LEN(counter_columns) &&
			log_parameter_uint(&parameter, &value))
			row_set(row, counter_columns[parameter.code + 1].name, value_uint(value));
}

static void decode_counters(const struct capture *capture, struct facts *facts)
{
	static const struct {
		uint8_t page;
		const char *operation;
	} rows[] = {
		{ 0x03, "read" },
		{ 0x02, "write" },
		{ 0x05, "verify" },
		{ 0x04, "read reverse" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct page page = page_get(
			capture, facts, (struct page_id) { PAGE_LOG, rows[i].page, 0, 1 });

		if (page.data.at)
			add_counters(&page, rows[i].operation, facts);
	}
}

static const char *reassign_status(unsigned status, struct facts *facts)
{
	static const char *const words[] = {
		[1] = "pending",
		[2] = "reassigned",
		[4] = "reassignment failed",
		[5] = "rewritten in place",
		[6] = "rewritten or reassigned by a write",
		[7] = "reassigned by REASSIGN BLOCKS",
		[8] = "REASSIGN BLOCKS failed",
	};

	if (status < ARRAY_LEN(words) && words[status])
		return words[status];
	return facts_printf(facts, "reserved (%Xh)", status);
}

/* SBC-4, Background Scan log page: background scan results */
static void add_scan_result(
	const struct page *page, const struct log_parameter *parameter, struct facts *facts)
{
	struct bytes data = parameter->data;
	uint8_t status = bytes_u8(data, 8), asc = bytes_u8(data, 9), ascq = bytes_u8(data, 10);
	struct row *row = facts_row(
		facts, &table_background_scan, source_parameter(page, parameter));
	char text[128];

	additional_sense_text(asc, ascq, text, sizeof(text));
	row_set(row, "index", value_uint(parameter->code));
	row_set(row, "power_on_minutes", value_uint(bytes_be32(data, 4)));
	row_set(row, "lba", value_uint(bytes_be64(data, 16)));
	row_set(row, "reassign_status", value_text(reassign_status(status >> 4, facts)));
	row_set(row, "sense", value_text(facts_printf(facts, "%s", text)));
	row_set(row, "sense_key", value_uint(status & 15));
	row_set(row, "asc", value_uint(asc));
	row_set(row, "ascq", value_uint(ascq));
}

/* The block is still bad as far as the drive knows. */
static bool is_unresolved(const struct log_parameter *parameter)
{
	enum { PENDING = 1, FAILED = 4, REASSIGN_BLOCKS_FAILED = 8 };
	unsigned status = bytes_u8(parameter->data, 8) >> 4;

	return status == PENDING || status == FAILED || status == REASSIGN_BLOCKS_FAILED;
}

static void add_scan_counts(
	const struct page *page, uint64_t errors, uint64_t unresolved, struct facts *facts)
{
	struct source source = source_page(page->id, page->offset, page->data);

	source.text = "results that are listed";
	facts_add(facts, decoder_key("errors.background_scan_error_count"), value_uint(errors),
		FACT_KNOWN, source, 0);
	source.text = "results that are listed as pending or failed";
	facts_add(facts, decoder_key("errors.background_scan_unresolved_count"),
		value_uint(unresolved), FACT_KNOWN, source, 0);
}

static void decode_scan_results(const struct capture *capture, struct facts *facts)
{
	enum { LEN = 24, FIRST = 0x0001, LAST = 0x0800 };
	struct page page = page_get(capture, NULL, (struct page_id) { PAGE_LOG, 0x15, 0, 1 });
	struct log_parameter parameter;
	uint64_t errors = 0, unresolved = 0;

	for (size_t at = 4; log_parameter_next(&page, &at, &parameter);) {
		if (parameter.code < FIRST || parameter.code > LAST || parameter.data.len < LEN)
			continue;
		add_scan_result(&page, &parameter, facts);
		errors++;
		unresolved += is_unresolved(&parameter);
	}
	if (page.data.at)
		add_scan_counts(&page, errors, unresolved, facts);
}

static void add_pending(uint64_t lba, uint32_t hours, struct source source, struct facts *facts)
{
	struct row *row = facts_row(facts, &table_pending_defects, source);

	row_set(row, "lba", value_uint(lba));
	if (hours != UINT32_MAX)
		row_set(row, "power_on_hours", value_uint(hours));
}

/* SBC-4, Pending Defects log page */
static void decode_scsi_pending(const struct capture *capture, struct facts *facts)
{
	enum { LEN = 16, FIRST = 0x0001, LAST = 0xf000 };
	struct page page = page_get(capture, NULL, (struct page_id) { PAGE_LOG, 0x15, 1, 1 });
	struct log_parameter parameter;

	for (size_t at = 4; log_parameter_next(&page, &at, &parameter);)
		if (parameter.code >= FIRST && parameter.code <= LAST && parameter.data.len >= LEN)
			add_pending(bytes_be64(parameter.data, 8), bytes_be32(parameter.data, 4),
				source_parameter(&page, &parameter), facts);
}

/* ACS-4, Pending Defects log: descriptors fill the pages; the count stands in
 * place of the first. */
static void decode_ata_pending(const struct capture *capture, struct facts *facts)
{
	enum { LEN = 16, PER_PAGE = 32, MOST = 65536 * PER_PAGE - 1 };
	uint32_t count = bytes_le32(page_ata_log(capture, 0x0c, 0).data, 0);

	for (size_t i = 1; i <= count && i <= MOST; i++) {
		struct page page = page_ata_log(capture, 0x0c, (uint16_t)(i / PER_PAGE));
		size_t at = i % PER_PAGE * LEN;
		struct bytes data = bytes_cut(page.data, at, LEN);

		if (!data.at) {
			facts_note(facts, NULL,
				"pending defects: %zu of %u are on pages that were captured", i - 1,
				count);
			return;
		}
		add_pending(bytes_le64(data, 8), bytes_le32(data, 0),
			source_page(page.id, page.offset + at, data), facts);
	}
}

void error_tables_decode(const struct capture *capture, struct facts *facts)
{
	decode_counters(capture, facts);
	decode_scan_results(capture, facts);
	decode_scsi_pending(capture, facts);
	decode_ata_pending(capture, facts);
}
