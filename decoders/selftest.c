/*
 * Self-tests: what a drive can do, does and has done. SPC-5 (self-test results,
 * control mode page, extended INQUIRY data), SMART READ DATA as in ACS-3.
 */
#include "selftest.h"

#include <string.h>

#include "assay/command.h"
#include "hours.h"
#include "place.h"

static const struct key keys[] = {
	{ "selftest.last_result", "Last self-test", UNIT_NONE, .detail = false },
	{ "selftest.last_type", "Type of the last self-test", UNIT_NONE, .detail = false },
	{ "selftest.last_power_on_hours", "Hours at the last self-test", UNIT_HOURS,
		.detail = false },
	{ "selftest.last_failed", "Last completed self-test failed", UNIT_NONE, .detail = true },
	{ "selftest.since_passed_hours", "Hours since one passed", UNIT_HOURS, .detail = true },
	{ "selftest.failed_count", "Failed self-tests logged", UNIT_COUNT, .detail = false },
	{ "selftest.logged_count", "Self-tests logged", UNIT_COUNT, .detail = true },
	{ "selftest.in_progress", "Self-test running", UNIT_NONE, .detail = false },
	{ "selftest.remaining_percent", "Self-test remaining", UNIT_PERCENT, .detail = false },
	{ "selftest.supported", "Self-tests supported", UNIT_NONE, .detail = true },
	{ "selftest.conveyance_supported", "Conveyance self-test supported", UNIT_NONE,
		.detail = true },
	{ "selftest.selective_supported", "Selective self-test supported", UNIT_NONE,
		.detail = true },
	{ "selftest.short_minutes", "Short self-test takes", UNIT_MINUTES, .detail = true },
	{ "selftest.extended_minutes", "Extended self-test takes", UNIT_MINUTES, .detail = false },
	{ "selftest.conveyance_minutes", "Conveyance self-test takes", UNIT_MINUTES,
		.detail = true },
	{ "selftest.offline_collection", "Off-line collection", UNIT_NONE, .detail = true },
	{ "selftest.offline_automatic", "Off-line collection is automatic", UNIT_NONE,
		.detail = true },
	{ "selftest.offline_seconds", "Off-line collection takes", UNIT_SECONDS, .detail = true },
	{ "selftest.selective_lba", "Selective self-test at LBA", UNIT_NONE, .detail = true },
	{ "selftest.selective_span", "Selective self-test in span", UNIT_NONE, .detail = true },
	{ "selftest.selective_pending_minutes", "Selective self-test resumes after", UNIT_MINUTES,
		.detail = true },
};

/* ACS-3 7.48, SMART READ DATA. Byte 363: decode_execution(). */
static const struct word collection_states[] = {
	{ 0x00, "never started" },
	{ 0x02, "completed" },
	{ 0x03, "in progress" },
	{ 0x04, "suspended" },
	{ 0x05, "aborted by host" },
	{ 0x06, "aborted by an error" },
	{ 0 },
};
static const struct condition tests[] = { { 367, 1, 0x10, 0x10 }, { 0 } };
static const struct condition conveyance[] = { { 367, 1, 0x20, 0x20 }, { 0 } };
static const struct condition wide_minutes[] = { { 373, 1, 0xff, 0xff }, { 367, 1, 0x10, 0x10 },
	{ 0 } };
static const struct field smart_data[] = {
	{ "selftest.offline_collection", .at = 362, .width = 1, .low_bit = 0, .bits = 7,
		.format = FORMAT_ENUM, .words = collection_states },
	{ "selftest.offline_automatic", .at = 362, .width = 1, .low_bit = 7, .bits = 1,
		.format = FORMAT_FLAG },
	{ "selftest.offline_seconds", .at = 364, .width = 2 },
	{ "selftest.supported", .at = 367, .width = 1, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG },
	{ "selftest.conveyance_supported", .at = 367, .width = 1, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG },
	{ "selftest.selective_supported", .at = 367, .width = 1, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG },
	{ "selftest.short_minutes", .at = 372, .width = 1, .unknown = UNKNOWN_ZERO, .when = tests },
	{ "selftest.extended_minutes", .at = 373, .width = 1, .rank = 1,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES, .when = tests },
	{ "selftest.conveyance_minutes", .at = 374, .width = 1, .unknown = UNKNOWN_ZERO,
		.when = conveyance },
	{ "selftest.extended_minutes", .at = 375, .width = 2,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES, .when = wide_minutes },
};

/* ACS-3 A, Selective Self-test log */
static const struct field selective[] = {
	{ "selftest.selective_lba", .at = 492, .width = 8 },
	{ "selftest.selective_span", .at = 500, .width = 2 },
	{ "selftest.selective_pending_minutes", .at = 508, .width = 2 },
};

/* SPC-5, Control mode page (seconds; all ones: see VPD page 86h) and Extended
 * INQUIRY Data VPD page (minutes) */
static const struct field control[] = {
	{ "selftest.extended_minutes", .at = 10, .width = 2, .format = FORMAT_WHOLE, .divide = 60,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};
static const struct field extended_inquiry[] = {
	{ "selftest.extended_minutes", .at = 10, .width = 2, .rank = 1,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};

static const struct layout layouts[] = {
	{ { PAGE_SMART_DATA, 0, 0, 0 }, 0, smart_data, ARRAY_LEN(smart_data) },
	{ { PAGE_SMART_LOG, 0x09, 0, 0 }, 0, selective, ARRAY_LEN(selective) },
	{ { PAGE_MODE, 0x0a, 0, 0 }, 0, control, ARRAY_LEN(control) },
	{ { PAGE_VPD, 0x86, 0, 0 }, 0, extended_inquiry, ARRAY_LEN(extended_inquiry) },
};

static const struct table *const tables[] = { &table_self_tests, &table_selective_spans };

/* ACS-3 7.48, self-test execution status. The log tells more of tests that ended. */
static void decode_execution(const struct capture *capture, struct facts *facts)
{
	enum { FIRST_FAILURE = 3, RUNNING = 15, MOST_TENTHS = 9 };
	struct page page = page_get(capture, NULL, (struct page_id) { .kind = PAGE_SMART_DATA });
	struct place place = { .page = &page, .at = 363, .width = 1, .rank = 1 };
	unsigned result = bytes_u8(page.data, 363) >> 4;
	uint64_t tenths = bytes_u8(page.data, 363) & 15;

	if (page.data.len < 512 || bytes_all(page.data, bytes_u8(page.data, 0)))
		return;
	if (result != 0 && result != RUNNING) {
		const char *word = self_test_result(result);

		place_fact(facts, "selftest.last_result", value_text(word ? word : ""),
			word ? FACT_KNOWN : FACT_INVALID, place);
		if (word && result >= FIRST_FAILURE)
			place_fact(
				facts, "selftest.last_failed", value_flag(true), FACT_KNOWN, place);
	}
	place.rank = 0;
	place_fact(facts, "selftest.in_progress", value_flag(result == RUNNING), FACT_KNOWN, place);
	if (result == RUNNING)
		place_fact(facts, "selftest.remaining_percent", value_uint(tenths * 10),
			tenths <= MOST_TENTHS ? FACT_KNOWN : FACT_INVALID, place);
}

/* SPC-5: LOGICAL UNIT NOT READY, SELF-TEST IN PROGRESS, and how far it is. */
static bool decode_progress(struct bytes bytes, struct page_id id, struct facts *facts)
{
	enum { NOT_READY = 0x04, SELF_TEST = 0x09 };
	struct source source = source_page(id, 0, bytes);
	struct sense sense;

	if (!sense_read(bytes, &sense) || sense.asc != NOT_READY || sense.ascq != SELF_TEST)
		return false;
	source.text = "sense data";
	facts_add(facts, decoder_key("selftest.in_progress"), value_flag(true), FACT_KNOWN, source,
		0);
	if (sense.progress_valid)
		facts_add(facts, decoder_key("selftest.remaining_percent"),
			value_uint(100 - sense.progress * 100 / 65536), FACT_KNOWN, source, 0);
	return true;
}

static void decode_sense(const struct capture *capture, struct facts *facts)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];
		bool asked = record->page.kind == PAGE_REQUEST_SENSE;

		if (decode_progress(record->sense, record->page, facts) ||
			(asked && decode_progress(record->data, record->page, facts)))
			return;
	}
}

static void count_rows(struct facts *facts)
{
	uint64_t rows = 0, failed = 0;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != &table_self_tests)
			continue;
		rows++;
		if (row_get(row, "failed").flag)
			failed++;
	}
	facts_add(facts, decoder_key("selftest.logged_count"), value_uint(rows), FACT_KNOWN,
		source_derived("rows of self_tests"), 0);
	facts_add(facts, decoder_key("selftest.failed_count"), value_uint(failed), FACT_KNOWN,
		source_derived("rows of self_tests that failed"), 0);
}

static void decode_rest(const struct capture *capture, struct facts *facts)
{
	decode_execution(capture, facts);
	decode_sense(capture, facts);
	if (self_test_logs_decode(capture, facts))
		count_rows(facts);
}

static void add_of_row(
	struct facts *facts, const char *key, const struct row *row, const char *column)
{
	struct value value = row_get(row, column);

	if (value.kind != VALUE_NULL)
		facts_add(facts, decoder_key(key), value, FACT_KNOWN, row->source, 0);
}

static void add_last(struct facts *facts, const struct row *row)
{
	bool estimated = row_get(row, "estimated_power_on_hours").kind != VALUE_NULL;

	add_of_row(facts, "selftest.last_result", row, "result");
	add_of_row(facts, "selftest.last_type", row, "type");
	add_of_row(facts, "selftest.last_power_on_hours", row,
		estimated ? "estimated_power_on_hours" : "power_on_hours");
}

static bool has_result(const struct row *row, const char *result)
{
	return !strcmp(row_get(row, "result").text, result);
}

/* It was neither aborted nor interrupted, nor is it running. */
static bool came_to_its_end(const struct row *row)
{
	return row_get(row, "failed").flag || has_result(row, "completed without error");
}

static const struct row *newest_row(const struct facts *facts, bool (*fits)(const struct row *row))
{
	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table == &table_self_tests && (!fits || fits(row)))
			return row;
	}
	return NULL;
}

static bool has_passed(const struct row *row)
{
	return has_result(row, "completed without error");
}

/* Power-on hours since the last test that found nothing. */
static void add_since(struct facts *facts)
{
	const struct row *passed = newest_row(facts, has_passed);
	double now, then;

	if (!passed || !facts_number(facts, "usage.power_on_hours", &now))
		return;
	struct value hours = row_get(passed, "estimated_power_on_hours");

	if (hours.kind == VALUE_NULL)
		hours = row_get(passed, "power_on_hours");
	if (value_number(hours, &then) && then <= now)
		facts_add(facts, decoder_key("selftest.since_passed_hours"),
			value_uint((uint64_t)(now - then)), FACT_KNOWN,
			source_derived("power-on hours now - at the last self-test that passed"),
			0);
}

static bool is_running(const struct row *row)
{
	return has_result(row, "in progress");
}

static bool is_not_running(const struct row *row)
{
	return !is_running(row);
}

/* After the hours of the rows have been estimated. */
static void derive(struct facts *facts)
{
	hours_estimate(facts, &table_self_tests);
	const struct row *newest = newest_row(facts, NULL);
	const struct row *last = newest_row(facts, is_not_running);
	const struct row *ended = newest_row(facts, came_to_its_end);

	if (newest && !page_is_ata(newest->source.page))
		facts_add(facts, decoder_key("selftest.in_progress"),
			value_flag(is_running(newest)), FACT_KNOWN, newest->source, 1);
	if (last)
		add_last(facts, last);
	if (ended)
		add_of_row(facts, "selftest.last_failed", ended, "failed");
	add_since(facts);
}

const struct decoder decoder_selftest = {
	.name = "selftest",
	.title = "Self-tests",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = decode_rest,
	.derive = derive,
};
