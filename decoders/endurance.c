/*
 * Endurance: the same answers whatever the protocol. SBC-4 (solid state media,
 * block device characteristics extension), SPC-5 (general statistics, error
 * counters), ACS-4 (device statistics), and what vendors say.
 */
#include "endurance.h"

#include <string.h>

#include "attribute_facts.h"

/* Which sources contradict each other depends on the steps in which they count:
 * written.c and wear.c note it, not the keys. */
static const struct key keys[] = {
	{ "endurance.used_percent", "Rated life used", .unit = UNIT_PERCENT },
	{ "endurance.spare_percent", "Spare blocks left", UNIT_PERCENT, .agreement = AGREE_CLOSE },
	{ "endurance.host_written_bytes", "Written by the host", .unit = UNIT_BYTES },
	{ "endurance.host_read_bytes", "Read by the host", .unit = UNIT_BYTES },
	{ "endurance.nand_written_bytes", "Written to flash", .unit = UNIT_BYTES },
	{ "endurance.write_amplification_ratio", "Write amplification", .unit = UNIT_RATIO },
	{ "endurance.measured_dwpd", "Drive writes per day so far", .unit = UNIT_DWPD },
	{ "endurance.rated_written_bytes", "Rated for writes of", .unit = UNIT_BYTES },
	{ "endurance.rated_dwpd", "Rated drive writes per day", .unit = UNIT_DWPD },
	{ "endurance.rated_used_percent", "Rated writes used", .unit = UNIT_PERCENT },
	{ "endurance.days_left", "Days until the rating runs out", .unit = UNIT_DAYS },
	{ "endurance.rated_workload_bytes_per_year", "Designed for transfers a year", UNIT_BYTES,
		.detail = true },
	{ "endurance.rated_writes_bytes_per_year", "Designed for writes a year", UNIT_BYTES,
		.detail = true },
};

/* SBC-4 6.4.7.2: 255 is 255 or more. */
static const struct field solid_state_media[] = {
	{ "endurance.used_percent", .at = 7, .width = 1 },
};

static const struct layout layouts[] = {
	{ { .kind = PAGE_LOG, .page = 0x11, .control = 1 }, 0x0001, solid_state_media,
		ARRAY_LEN(solid_state_media) },
};

static void add_bytes(const char *name, uint64_t count, uint64_t unit_bytes, struct source source,
	uint8_t rank, struct facts *facts)
{
	uint64_t bytes = 0;
	bool good = count != UINT64_MAX && unit_bytes &&
		!__builtin_mul_overflow(count, unit_bytes, &bytes);

	struct fact *fact = facts_add(facts, decoder_key(name), value_uint(bytes),
		good ? FACT_KNOWN : FACT_UNKNOWN, source, rank);
	if (!unit_bytes)
		fact->note = "the logical block size is not known";
}

/* SPC-5 7.3.10: what the host writes is what the drive receives. */
static void general_statistics(const struct capture *capture, struct facts *facts)
{
	static const struct {
		const char *key;
		size_t at;
	} counts[] = {
		{ "endurance.host_written_bytes", 20 },
		{ "endurance.host_read_bytes", 28 },
	};
	struct page page = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_LOG, .page = 0x19, .control = 1 });
	struct log_parameter parameter;
	uint64_t block_bytes = 0, count;

	if (!log_parameter_find(&page, 0x0001, &parameter))
		return;
	facts_uint(facts, "capacity.logical_block_bytes", &block_bytes);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		if (!bytes_be(parameter.data, counts[i].at, 8, &count))
			continue;
		struct source source = source_page(page.id, parameter.offset + counts[i].at,
			bytes_cut(parameter.data, counts[i].at, 8));

		source.parameter = parameter.code;
		source.text = "logical blocks x logical block size";
		add_bytes(counts[i].key, count, block_bytes, source, 0, facts);
	}
}

/* SPC-5 7.3.8: total bytes processed, of commands that may have been served by
 * another counter of the drive: the last resort. */
static void error_counters(const struct capture *capture, struct facts *facts)
{
	static const struct {
		const char *key;
		uint8_t page;
	} counts[] = {
		{ "endurance.host_written_bytes", 0x02 },
		{ "endurance.host_read_bytes", 0x03 },
	};
	enum { BYTES_PROCESSED = 5, VALUE_AT = 4, RANK = 2 };

	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		struct page page = page_get(capture, facts,
			(struct page_id) {
				.kind = PAGE_LOG, .page = counts[i].page, .control = 1 });
		struct log_parameter parameter;
		uint64_t bytes;

		if (!log_parameter_find(&page, BYTES_PROCESSED, &parameter) ||
			!log_parameter_uint(&parameter, &bytes))
			continue;
		struct source source = source_page(page.id, parameter.offset + VALUE_AT,
			bytes_cut(parameter.data, VALUE_AT, SIZE_MAX));

		source.parameter = parameter.code;
		add_bytes(counts[i].key, bytes, 1, source, RANK, facts);
	}
}

static bool is_hgst_disk(const struct page *inquiry)
{
	static const char *const vendors[] = { "HGST", "WDC", "WD" };
	enum { DEVICE_TYPE = 0x1f, DISK = 0, VENDOR_AT = 8, VENDOR_LEN = 8 };
	char vendor[VENDOR_LEN + 1];

	bytes_text(bytes_cut(inquiry->data, VENDOR_AT, VENDOR_LEN), false, vendor, sizeof(vendor));
	for (size_t i = 0; i < ARRAY_LEN(vendors); i++)
		if (strcmp(vendor, vendors[i]) == 0)
			return (bytes_u8(inquiry->data, 0) & DEVICE_TYPE) == DISK;
	return false;
}

/* Log page 37h is HGST's on their disks only: Seagate has cache statistics there. */
static void hgst_miscellaneous(const struct capture *capture, struct facts *facts)
{
	enum { VALUES_LEN = 48, READ_AT = 8, WRITTEN_AT = 16, RANK = 1 };
	struct page inquiry = page_get(capture, NULL, (struct page_id) { .kind = PAGE_INQUIRY });
	struct page page = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_LOG, .page = 0x37, .control = 1 });
	struct log_parameter parameter;
	if (!is_hgst_disk(&inquiry) || !log_parameter_find(&page, 0x0000, &parameter) ||
		parameter.data.len < VALUES_LEN)
		return;
	struct source source = source_page(
		page.id, parameter.offset + WRITTEN_AT, bytes_cut(parameter.data, WRITTEN_AT, 8));
	source.parameter = parameter.code;
	add_bytes("endurance.host_written_bytes", bytes_be64(parameter.data, WRITTEN_AT), 1, source,
		RANK, facts);
	source = source_page(
		page.id, parameter.offset + READ_AT, bytes_cut(parameter.data, READ_AT, 8));
	source.parameter = parameter.code;
	add_bytes("endurance.host_read_bytes", bytes_be64(parameter.data, READ_AT), 1, source, RANK,
		facts);
}

/* SBC-4 6.6.4: the workload that the drive was designed for. */
static void rated_workload(const struct capture *capture, struct facts *facts)
{
	enum { COMBINED = 1, WRITES_ONLY = 2, SEPARATE = 3, PER_DAY = 0x0a, PER_YEAR = 0x0e };
	enum { TYPE_AT = 5, UNITS_AT = 6, INTERVAL_AT = 7, A_AT = 12, MEGABYTES = 2, EXABYTES = 6 };
	struct page page = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_VPD, .page = 0xb5 });
	uint8_t type = bytes_u8(page.data, TYPE_AT), units = bytes_u8(page.data, UNITS_AT);
	uint8_t interval = bytes_u8(page.data, INTERVAL_AT);
	uint64_t count, bytes = 1000000;

	if (!bytes_be(page.data, A_AT, 4, &count) || type < COMBINED || type > SEPARATE ||
		units < MEGABYTES || units > EXABYTES || count == 0 ||
		(interval != PER_DAY && interval != PER_YEAR))
		return;
	for (; units > MEGABYTES; units--)
		bytes *= 1000;
	struct source source = source_page(page.id, A_AT, bytes_cut(page.data, A_AT, 4));
	add_bytes(type == COMBINED ? "endurance.rated_workload_bytes_per_year"
				   : "endurance.rated_writes_bytes_per_year",
		count * (interval == PER_DAY ? 365 : 1), bytes, source, 0, facts);
}

static void note_saturated(struct facts *facts)
{
	enum { SATURATED = 255 };
	const struct key *key = decoder_key("endurance.used_percent");

	for (size_t i = 0; i < facts->fact_count; i++) {
		struct fact *fact = &facts->facts[i];

		if (fact->source.page.kind == PAGE_LOG && fact->value.kind == VALUE_UINT &&
			fact->value.uint == SATURATED && fact->key == key)
			fact->note = "255 % or more";
	}
}

static void extra(const struct capture *capture, struct facts *facts)
{
	enum { GB = 1000000000 };
	const struct attribute_set *set;

	note_saturated(facts);
	general_statistics(capture, facts);
	error_counters(capture, facts);
	hgst_miscellaneous(capture, facts);
	rated_workload(capture, facts);
	written_note_contradiction(facts, "endurance.host_written_bytes", GB);
	written_note_contradiction(facts, "endurance.host_read_bytes", GB);
	set = attribute_set_get(capture, facts);
	attribute_facts_add(set, facts);
	written_decode(capture, set, facts);
	wear_decode(capture, set, facts);
}

static void derive_amplification(struct facts *facts)
{
	double host, flash;

	if (facts_number(facts, "endurance.nand_written_bytes", &flash) &&
		facts_number(facts, "endurance.host_written_bytes", &host) && host > 0)
		facts_add(facts, decoder_key("endurance.write_amplification_ratio"),
			value_real(flash / host), FACT_KNOWN,
			source_derived("endurance.nand_written_bytes / "
				       "endurance.host_written_bytes"),
			1);
}

static void derive_writes_per_day(struct facts *facts)
{
	static const double HOURS_A_DAY = 24;
	double written, capacity, hours;

	if (facts_number(facts, "endurance.host_written_bytes", &written) &&
		facts_number(facts, "capacity.bytes", &capacity) && capacity > 0 &&
		facts_number(facts, "usage.power_on_hours", &hours) && hours >= 1)
		facts_add(facts, decoder_key("endurance.measured_dwpd"),
			value_real(written / (capacity * hours / HOURS_A_DAY)), FACT_KNOWN,
			source_derived("endurance.host_written_bytes / (capacity.bytes x "
				       "usage.power_on_hours / 24)"),
			0);
}

static void derive(struct facts *facts)
{
	derive_amplification(facts);
	derive_writes_per_day(facts);
}

const struct decoder decoder_endurance = {
	.name = "endurance",
	.title = "Endurance",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.extra = extra,
	.derive = derive,
};
