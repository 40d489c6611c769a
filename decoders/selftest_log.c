/* Self-test logs: SPC-5 (Self-Test Results log page), ACS-4 9 (Extended SMART
 * Self-test log), ACS-3 A (SMART Self-test and Selective Self-test logs). */
#include "selftest.h"

#include "assay/command.h"
#include "ata_ring.h"

static const struct column columns[] = {
	{ "index", NULL, UNIT_NONE }, /* 1: the newest */
	{ "type", "Test", UNIT_NONE },
	{ "result", "Result", UNIT_NONE },
	{ "failed", NULL, UNIT_NONE },
	{ "remaining_percent", "Remaining", UNIT_PERCENT },
	{ "power_on_hours", "Hours", UNIT_HOURS },
	{ "estimated_power_on_hours", NULL, UNIT_HOURS },
	{ "first_failure_lba", "First failure LBA", UNIT_NONE },
	{ "sense", "Sense", UNIT_NONE },
	{ "sense_key", NULL, UNIT_NONE },
	{ "asc", NULL, UNIT_NONE },
	{ "ascq", NULL, UNIT_NONE },
	{ "segment", "Segment", UNIT_NONE },
	{ "checkpoint", NULL, UNIT_NONE },
};
const struct table table_self_tests = {
	.name = "self_tests",
	.label = "Self-tests",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

static const struct column span_columns[] = {
	{ "span", "Span", UNIT_NONE },
	{ "first_lba", "First LBA", UNIT_NONE },
	{ "last_lba", "Last LBA", UNIT_NONE },
};
const struct table table_selective_spans = {
	.name = "selective_spans",
	.label = "Selective self-test spans",
	.columns = span_columns,
	.column_count = ARRAY_LEN(span_columns),
	.detail = true,
};

/* ---- SCSI ---- */

static const char *const scsi_types[] = { "default", "background short", "background extended",
	"reserved (3)", "abort background", "foreground short", "foreground extended",
	"reserved (7)" };
static const char *const scsi_results[16] = {
	"completed without error",
	"aborted by SEND DIAGNOSTIC",
	"aborted by other means",
	"unknown error, not completed",
	"failed in an unknown segment",
	"failed in the first segment",
	"failed in the second segment",
	"failed in another segment",
	[15] = "in progress",
};

static void set_sense(struct row *row, struct bytes data, struct facts *facts)
{
	uint8_t key = bytes_u8(data, 16) & 15, asc = bytes_u8(data, 17), ascq = bytes_u8(data, 18);
	char text[128];

	if (!key && !asc && !ascq)
		return;
	additional_sense_text(asc, ascq, text, sizeof(text));
	row_set(row, "sense", value_text(facts_printf(facts, "%s", text)));
	row_set(row, "sense_key", value_uint(key));
	row_set(row, "asc", value_uint(asc));
	row_set(row, "ascq", value_uint(ascq));
}

static void add_scsi_test(const struct page *page, const struct log_parameter *parameter,
	size_t index, struct facts *facts)
{
	struct bytes data = parameter->data;
	unsigned result = bytes_u8(data, 4) & 15;
	uint64_t lba = bytes_be64(data, 8);
	struct source source = source_page(page->id, parameter->offset, data);

	source.parameter = parameter->code;
	struct row *row = facts_row(facts, &table_self_tests, source);

	row_set(row, "index", value_uint(index));
	row_set(row, "type", value_text(scsi_types[bytes_u8(data, 4) >> 5]));
	row_set(row, "result",
		value_text(scsi_results[result] ? scsi_results[result]
						: facts_printf(facts, "reserved (%u)", result)));
	row_set(row, "failed", value_flag(result >= 3 && result <= 7));
	row_set(row, "power_on_hours", value_uint(bytes_be16(data, 6)));
	if (lba != UINT64_MAX)
		row_set(row, "first_failure_lba", value_uint(lba));
	if (bytes_u8(data, 5))
		row_set(row, "segment", value_uint(bytes_u8(data, 5)));
	set_sense(row, data, facts);
}

/* The newest has code 0001h. Places that were never used hold zeros, or no
 * place for an LBA. */
static bool decode_scsi(const struct capture *capture, struct facts *facts)
{
	enum { LEN = 20, LAST = 0x0014 };
	struct page page = page_get(capture, facts, (struct page_id) { PAGE_LOG, 0x10, 0, 1 });
	struct log_parameter parameter;
	size_t index = 0;

	for (size_t at = 4; log_parameter_next(&page, &at, &parameter);) {
		bool unused = !bytes_u8(parameter.data, 4) && !bytes_be16(parameter.data, 6);

		if (parameter.code >= 1 && parameter.code <= LAST && parameter.data.len >= LEN &&
			!unused)
			add_scsi_test(&page, &parameter, ++index, facts);
	}
	return page.data.at;
}

/* ---- ATA ---- */

const char *self_test_result(unsigned nibble)
{
	static const char *const words[16] = {
		"completed without error",
		"aborted by host",
		"interrupted by reset",
		"fatal or unknown error, not completed",
		"failed: unknown element",
		"failed: electrical element",
		"failed: servo or seek element",
		"failed: read element",
		"failed: handling damage suspected",
		[15] = "in progress",
	};

	return words[nibble & 15];
}

struct shape {
	struct ata_ring ring;
	uint8_t lba_width; /* at byte 5 of an entry */
};

static const struct shape shapes[] = {
	{ .ring = { 0x07, PAGE_ATA_LOG, 2, 2, 19, 4, 26, false }, .lba_width = 6 },
	{ .ring = { 0x06, PAGE_SMART_LOG, 508, 1, 21, 2, 24, true }, .lba_width = 4 },
};

static const char *ata_type(uint8_t code, struct facts *facts)
{
	static const char *const words[] = { "off-line collection", "short", "extended",
		"conveyance", "selective" };
	enum { ABORT = 0x7f, CAPTIVE = 0x80 };

	if (code == ABORT)
		return "abort";
	if (code < ARRAY_LEN(words))
		return words[code];
	if (code > CAPTIVE && code < CAPTIVE + ARRAY_LEN(words))
		return facts_printf(facts, "%s, captive", words[code - CAPTIVE]);
	if ((code >= 0x40 && code < ABORT) || code >= 0x90)
		return facts_printf(facts, "vendor specific (%02Xh)", code);
	return facts_printf(facts, "reserved (%02Xh)", code);
}

static void add_ata_test(const struct shape *shape, struct bytes data, struct source source,
	size_t index, struct facts *facts)
{
	uint8_t status = bytes_u8(data, 1);
	unsigned result = status >> 4;
	uint64_t lba = 0, none = (UINT64_C(1) << 8 * shape->lba_width) - 1;
	const char *type = ata_type(bytes_u8(data, 0), facts);
	const char *word = self_test_result(result);
	struct row *row = facts_row(facts, &table_self_tests, source);

	bytes_le(data, 5, shape->lba_width, &lba);
	row_set(row, "index", value_uint(index));
	row_set(row, "type", value_text(type));
	row_set(row, "result",
		value_text(word ? word : facts_printf(facts, "reserved (%u)", result)));
	row_set(row, "failed", value_flag(result >= 3 && result <= 8));
	row_set(row, "remaining_percent", value_uint((uint64_t)(status & 15) * 10));
	row_set(row, "power_on_hours", value_uint(bytes_le16(data, 2)));
	row_set(row, "checkpoint", value_uint(bytes_u8(data, 4)));
	if (result >= 3 && result <= 8 && lba != none && lba != UINT32_MAX)
		row_set(row, "first_failure_lba", value_uint(lba));
}

/* From the newest at the index down and around to the first that was never used. */
static void add_ring(const struct capture *capture, const struct shape *shape, size_t slots,
	size_t newest, struct facts *facts)
{
	const struct ata_ring *ring = &shape->ring;
	struct page page;
	size_t at;

	for (size_t age = 0; age < slots; age++) {
		if (!ata_ring_entry(capture, ring, (newest + slots - age) % slots, &page, &at)) {
			facts_note(facts, NULL,
				"self-test log %02Xh: only the %zu newest entries were captured",
				ring->log, age);
			return;
		}
		struct bytes data = bytes_cut(page.data, at, ring->entry_len);

		if (bytes_all(data, 0))
			return;
		add_ata_test(
			shape, data, source_page(page.id, page.offset + at, data), age + 1, facts);
	}
}

/* False where this log tells nothing. */
static bool decode_ata(
	const struct capture *capture, const struct shape *shape, struct facts *facts)
{
	const struct ata_ring *ring = &shape->ring;
	struct page page = ata_ring_page(capture, ring, 0);
	uint64_t index;

	if (!ata_ring_index(capture, ring, &index))
		return false;
	page_checksum(&page, facts);
	size_t slots = ata_ring_slots(capture, ring);

	if (index > slots) {
		struct source source = source_page(page.id, page.offset + ring->index_at,
			bytes_cut(page.data, ring->index_at, ring->index_width));

		facts_note(facts, &source, "self-test log %02Xh: an index of %llu of %zu",
			ring->log, (unsigned long long)index, slots);
		return false;
	}
	if (index)
		add_ring(capture, shape, slots, (size_t)index - 1, facts);
	return true;
}

/* ACS-3 A, Selective Self-test log */
static void decode_selective(const struct capture *capture, struct facts *facts)
{
	enum { SPANS = 5, SPANS_AT = 2, SPAN_LEN = 16 };
	struct page page = page_ata_log(capture, 0x09, 0);

	if (!page.data.at)
		return;
	page_checksum(&page, facts);
	for (size_t i = 0; i < SPANS; i++) {
		size_t at = SPANS_AT + i * SPAN_LEN;
		struct bytes data = bytes_cut(page.data, at, SPAN_LEN);

		if (bytes_all(data, 0))
			continue;
		struct row *row = facts_row(facts, &table_selective_spans,
			source_page(page.id, page.offset + at, data));

		row_set(row, "span", value_uint(i + 1));
		row_set(row, "first_lba", value_uint(bytes_le64(data, 0)));
		row_set(row, "last_lba", value_uint(bytes_le64(data, 8)));
	}
}

bool self_test_logs_decode(const struct capture *capture, struct facts *facts)
{
	bool any = decode_scsi(capture, facts);

	for (size_t i = 0; i < ARRAY_LEN(shapes) && !any; i++)
		any = decode_ata(capture, &shapes[i], facts);
	decode_selective(capture, facts);
	return any;
}
