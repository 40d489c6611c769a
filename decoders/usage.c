/*
 * How long and how hard a drive has been used: SPC-5 (start-stop cycle counter,
 * general statistics), SBC-4 (background scan, utilization), ACS-4 (device
 * statistics).
 *
 * The raw values of SMART attributes come from attributes.c, with rank 2.
 */
#include "assay/decoder.h"

#include <math.h>
#include <string.h>

#include "week.h"

static const struct key keys[] = {
	{ "usage.power_on_hours", "Power-on hours", UNIT_HOURS, .agreement = AGREE_CLOSE },
	{ "usage.power_on_minutes", "Power-on time", UNIT_MINUTES, .detail = true },
	{ "usage.farm_power_on_hours", "Power-on hours, FARM log", UNIT_HOURS, .detail = true },
	{ "usage.power_cycle_count", "Power cycles", UNIT_COUNT, .detail = false },
	{ "usage.start_stop_count", "Start-stop cycles", UNIT_COUNT, .detail = false },
	{ "usage.specified_start_stop_count", "Start-stop cycles, specified", UNIT_COUNT,
		.detail = true },
	{ "usage.load_cycle_count", "Load cycles", UNIT_COUNT, .detail = false },
	{ "usage.specified_load_cycle_count", "Load cycles, specified", UNIT_COUNT,
		.detail = true },
	{ "usage.workload_utilization_percent", "Workload used", UNIT_PERCENT,
		.agreement = AGREE_CLOSE },
	{ "usage.utilization_rate_percent", "Workload rate", UNIT_PERCENT,
		.agreement = AGREE_CLOSE },
	{ "usage.utilization_rate_basis", "Workload rate, measured since", .detail = true },
	{ "usage.accounting_date", "Accounting date", .detail = true },
	{ "usage.since_format_minutes", "Power-on time since format", UNIT_MINUTES,
		.detail = true },
	{ "usage.read_command_count", "Read commands", UNIT_COUNT, .detail = true },
	{ "usage.write_command_count", "Write commands", UNIT_COUNT, .detail = true },
	{ "usage.read_seconds", "Time spent reading", UNIT_SECONDS, .detail = true },
	{ "usage.write_seconds", "Time spent writing", UNIT_SECONDS, .detail = true },
	{ "usage.idle_seconds", "Time spent idle", UNIT_SECONDS, .detail = true },
	{ "usage.spindle_hours", "Spindle motor power-on hours", UNIT_HOURS, .detail = true },
	{ "usage.head_flying_hours", "Head flying hours", UNIT_HOURS, .detail = true },
	{ "usage.high_priority_unload_count", "High priority unloads", UNIT_COUNT, .detail = true },
	{ "usage.free_fall_count", "Free-fall events", UNIT_COUNT, .detail = true },
	{ "usage.shock_count", "Overlimit shocks", UNIT_COUNT, .detail = true },
	{ "usage.timestamp_ms", "Date and time of the drive", UNIT_MILLISECONDS, .detail = true },
};

/* ACS-4 9.5.4: statistics of 4 bytes that are all ones hold no data. */
static const struct word rate_basis[] = {
	{ 0x0, "manufacture" },
	{ 0x4, "power-on reset" },
	{ 0x8, "manufacture, power-on time only" },
	{ 0xf, "unknown" },
	{ 0 },
};
static const struct condition rate_valid[] = { { 80 + 5, 1, 0xff, 0 }, { 0 } };
static const struct field general_statistics[] = {
	{ "usage.power_cycle_count", .at = 8, .width = 4, .unknown = UNKNOWN_ONES },
	{ "usage.power_on_hours", .at = 16, .width = 4, .unknown = UNKNOWN_ONES },
	{ "usage.write_command_count", .at = 32, .width = 6, .unknown = UNKNOWN_ONES },
	{ "usage.read_command_count", .at = 48, .width = 6, .unknown = UNKNOWN_ONES },
	{ "usage.timestamp_ms", .at = 56, .width = 6, .unknown = UNKNOWN_ONES },
	{ "usage.workload_utilization_percent", .at = 72, .width = 2, .divide = 100 },
	{ "usage.utilization_rate_percent", .at = 80, .width = 1, .when = rate_valid },
	{ "usage.utilization_rate_basis", .at = 80, .width = 5, .low_bit = 36, .bits = 4,
		.format = FORMAT_ENUM, .words = rate_basis, .when = rate_valid },
};

/* ACS-4 9.5.5 */
static const struct field free_fall_statistics[] = {
	{ "usage.free_fall_count", .at = 8, .width = 4, .unknown = UNKNOWN_ONES },
	{ "usage.shock_count", .at = 16, .width = 4, .unknown = UNKNOWN_ONES },
};

/* ACS-4 9.5.6 */
static const struct field rotating_statistics[] = {
	{ "usage.spindle_hours", .at = 8, .width = 4, .unknown = UNKNOWN_ONES },
	{ "usage.head_flying_hours", .at = 16, .width = 4, .unknown = UNKNOWN_ONES },
	{ "usage.load_cycle_count", .at = 24, .width = 4, .unknown = UNKNOWN_ONES },
	{ "usage.high_priority_unload_count", .at = 64, .width = 4, .unknown = UNKNOWN_ONES },
};

/* SPC-5, Start-Stop Cycle Counter log page */
static const struct field specified_cycles[] = {
	{ "usage.specified_start_stop_count", .at = 4, .width = 4,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};
static const struct field accumulated_cycles[] = {
	{ "usage.start_stop_count", .at = 4, .width = 4, .unknown = UNKNOWN_ONES },
};
static const struct field specified_loads[] = {
	{ "usage.specified_load_cycle_count", .at = 4, .width = 4,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};
static const struct field accumulated_loads[] = {
	{ "usage.load_cycle_count", .at = 4, .width = 4, .unknown = UNKNOWN_ONES },
};

/* SBC-4, Utilization log page */
static const struct field utilization[] = {
	{ "usage.workload_utilization_percent", .at = 4, .width = 2, .divide = 100 },
};
static const struct field utilization_rate[] = {
	{ "usage.utilization_rate_percent", .at = 4, .width = 1 },
};

/* SBC-4, Format Status log page: all ones where no format is known */
static const struct field since_format[] = {
	{ "usage.since_format_minutes", .at = 4, .width = 0, .unknown = UNKNOWN_ONES },
};

/* SBC-4, Background Scan log page */
static const struct field background_scan[] = {
	{ "usage.power_on_minutes", .at = 4, .width = 4, .unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "usage.power_on_hours", .at = 4, .width = 4, .format = FORMAT_WHOLE, .divide = 60,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};

/* SPC-5, General Statistics and Performance log page */
static const struct field general_performance[] = {
	{ "usage.read_command_count", .at = 4, .width = 8 },
	{ "usage.write_command_count", .at = 12, .width = 8 },
};

static const struct layout layouts[] = {
	{ { PAGE_ATA_LOG, 0x04, 0x01, 0 }, 0, general_statistics, ARRAY_LEN(general_statistics) },
	{ { PAGE_ATA_LOG, 0x04, 0x02, 0 }, 0, free_fall_statistics,
		ARRAY_LEN(free_fall_statistics) },
	{ { PAGE_ATA_LOG, 0x04, 0x03, 0 }, 0, rotating_statistics, ARRAY_LEN(rotating_statistics) },
	{ { PAGE_LOG, 0x08, 0, 1 }, 4, since_format, ARRAY_LEN(since_format) },
	{ { PAGE_LOG, 0x0e, 0, 1 }, 3, specified_cycles, ARRAY_LEN(specified_cycles) },
	{ { PAGE_LOG, 0x0e, 0, 1 }, 4, accumulated_cycles, ARRAY_LEN(accumulated_cycles) },
	{ { PAGE_LOG, 0x0e, 0, 1 }, 5, specified_loads, ARRAY_LEN(specified_loads) },
	{ { PAGE_LOG, 0x0e, 0, 1 }, 6, accumulated_loads, ARRAY_LEN(accumulated_loads) },
	{ { PAGE_LOG, 0x0e, 1, 1 }, 0, utilization, ARRAY_LEN(utilization) },
	{ { PAGE_LOG, 0x0e, 1, 1 }, 1, utilization_rate, ARRAY_LEN(utilization_rate) },
	{ { PAGE_LOG, 0x15, 0, 1 }, 0, background_scan, ARRAY_LEN(background_scan) },
	{ { PAGE_LOG, 0x19, 0, 1 }, 1, general_performance, ARRAY_LEN(general_performance) },
};

/* Vendor pages: those numbers mean something else on other vendors' drives. */
static const struct field hgst_37[] = {
	{ "usage.power_on_hours", .at = 4, .width = 4, .rank = 1,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "temperature.highest_celsius", .at = 24, .width = 1, .rank = 2, .format = FORMAT_SINT,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "usage.read_command_count", .at = 29, .width = 8, .rank = 1 },
	{ "usage.write_command_count", .at = 37, .width = 8, .rank = 1 },
};
static const struct field seagate_3e[] = {
	{ "usage.power_on_minutes", .at = 4, .width = 0, .rank = 1,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "usage.power_on_hours", .at = 4, .width = 0, .rank = 1, .format = FORMAT_WHOLE,
		.divide = 60, .unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};

struct vendor_page {
	const char *vendor;
	uint8_t page;
	uint16_t least; /* length of the parameter with its header */
	const struct field *fields;
	size_t field_count;
};

static const struct vendor_page vendor_pages[] = {
	{ "HGST", 0x37, 48, hgst_37, ARRAY_LEN(hgst_37) },
	{ "HITACHI", 0x37, 48, hgst_37, ARRAY_LEN(hgst_37) },
	{ "WDC", 0x37, 48, hgst_37, ARRAY_LEN(hgst_37) },
	{ "SEAGATE", 0x3e, 8, seagate_3e, ARRAY_LEN(seagate_3e) },
	{ "HGST", 0x3e, 8, seagate_3e, ARRAY_LEN(seagate_3e) },
	{ "HITACHI", 0x3e, 8, seagate_3e, ARRAY_LEN(seagate_3e) },
};

static void decode_vendor_page(
	const struct capture *capture, const struct vendor_page *vendor, struct facts *facts)
{
	struct page page = page_get(
		capture, facts, (struct page_id) { PAGE_LOG, .page = vendor->page, .control = 1 });
	struct log_parameter parameter;

	if (!log_parameter_find(&page, 0, &parameter) || parameter.data.len < vendor->least)
		return;
	for (size_t i = 0; i < vendor->field_count; i++)
		field_decode(&vendor->fields[i], page.id, parameter.data, parameter.offset,
			parameter.code, facts);
}

static void decode_vendor_pages(const struct capture *capture, struct facts *facts)
{
	struct page inquiry = page_get(capture, NULL, (struct page_id) { .kind = PAGE_INQUIRY });
	char name[9];

	bytes_text(bytes_cut(inquiry.data, 8, 8), false, name, sizeof(name));
	for (size_t i = 0; i < ARRAY_LEN(vendor_pages); i++)
		if (!strcmp(vendor_pages[i].vendor, name))
			decode_vendor_page(capture, &vendor_pages[i], facts);
}

/* SPC-5, General Statistics and Performance log page: counts of an interval that is an integer
 * times a negative power of ten. */
static bool interval_of(const struct page *page, double *seconds)
{
	struct log_parameter parameter;

	if (!log_parameter_find(page, 3, &parameter) || parameter.data.len < 12)
		return false;
	*seconds = bytes_be32(parameter.data, 8) * pow(10, -(double)bytes_be32(parameter.data, 4));
	return *seconds > 0;
}

static void decode_intervals(const struct capture *capture, struct facts *facts)
{
	static const struct {
		const char *key;
		uint16_t parameter, at;
	} rows[] = {
		{ "usage.read_seconds", 1, 36 },
		{ "usage.write_seconds", 1, 44 },
		{ "usage.idle_seconds", 2, 4 },
	};
	static const struct page_id performance = { PAGE_LOG, 0x19, 0, 1 };
	struct page page = page_get(capture, NULL, performance);
	struct log_parameter parameter;
	uint64_t count;
	double interval;

	if (!interval_of(&page, &interval))
		return;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!log_parameter_find(&page, rows[i].parameter, &parameter) ||
			!bytes_be(parameter.data, rows[i].at, 8, &count))
			continue;
		struct source source = source_page(page.id, parameter.offset + rows[i].at,
			bytes_cut(parameter.data, rows[i].at, 8));

		source.parameter = parameter.code;
		source.text = "intervals x time interval of parameter 0003h";
		facts_add(facts, decoder_key(rows[i].key), value_real((double)count * interval),
			FACT_KNOWN, source, 0);
	}
}

static void note_saturated(struct facts *facts, const char *key, const char *note)
{
	for (size_t i = 0; i < facts->fact_count; i++)
		if (!strcmp(facts->facts[i].key->name, key) &&
			bytes_all(facts->facts[i].source.raw, 0xff))
			facts->facts[i].note = note;
}

static void decode_rest(const struct capture *capture, struct facts *facts)
{
	decode_vendor_pages(capture, facts);
	week_decode(capture, 2, "usage.accounting_date", facts);
	decode_intervals(capture, facts);
	note_saturated(facts, "usage.workload_utilization_percent", "more than 655.34 %");
	note_saturated(facts, "usage.utilization_rate_percent", "more than 254 %");
}

const struct decoder decoder_usage = {
	.name = "usage",
	.title = "Usage",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.extra = decode_rest,
};
