/*
 * Temperatures: SPC-5 (temperature and environmental log pages, informational
 * exceptions), ACS-4 (SCT, device statistics).
 *
 * SMART attributes come from attributes.c, with rank 3.
 */
#include "assay/decoder.h"

static const struct key keys[] = {
	{ "temperature.current_celsius", "Temperature", UNIT_CELSIUS, .detail = false },
	{ "temperature.highest_celsius", "Highest temperature", UNIT_CELSIUS, .detail = false },
	{ "temperature.lowest_celsius", "Lowest temperature", UNIT_CELSIUS, .detail = true },
	{ "temperature.limit_celsius", "Temperature limit", UNIT_CELSIUS, .detail = false },
	{ "temperature.over_limit_minutes", "Time over the limit", UNIT_MINUTES, .detail = false },
	{ "temperature.throttle_count", "Thermal throttling", UNIT_COUNT, .detail = false },
	{ "temperature.low_limit_celsius", "Low temperature limit", UNIT_CELSIUS, .detail = true },
	{ "temperature.under_limit_minutes", "Time under the low limit", UNIT_MINUTES,
		.detail = true },
	{ "temperature.critical_limit_celsius", "Critical temperature", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.rated_limit_celsius", "Rated for at most", UNIT_CELSIUS, .detail = true },
	{ "temperature.critical_low_limit_celsius", "Critical low temperature", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.limit_reset_celsius", "Temperature limit, reset", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.low_limit_reset_celsius", "Low temperature limit, reset", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.critical_limit_reset_celsius", "Critical temperature, reset", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.critical_low_limit_reset_celsius", "Critical low temperature, reset",
		UNIT_CELSIUS, .detail = true },
	{ "temperature.highest_since_power_on_celsius", "Highest since power-on", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.lowest_since_power_on_celsius", "Lowest since power-on", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.average_short_celsius", "Average, short term", UNIT_CELSIUS,
		.detail = true },
	{ "temperature.average_long_celsius", "Average, long term", UNIT_CELSIUS, .detail = true },
	{ "temperature.over_limit_interval_count", "Intervals over the limit", UNIT_COUNT,
		.detail = true },
	{ "temperature.under_limit_interval_count", "Intervals under the low limit", UNIT_COUNT,
		.detail = true },
	{ "temperature.history_interval_minutes", "History interval", UNIT_MINUTES,
		.detail = true },
	{ "temperature.sampling_minutes", "Sampling period", UNIT_MINUTES, .detail = true },
	{ "temperature.humidity_percent", "Relative humidity", UNIT_PERCENT, .detail = true },
};

/* ACS-4, SCT Status response. Byte 205: decode_sct_limit(). */
static const struct condition sct_status_version[] = { { 0, 2, 0xfffe, 2 }, { 0 } };
static const struct field sct_status[] = {
	{ "temperature.current_celsius", .at = 200, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN, .when = sct_status_version },
	{ "temperature.lowest_since_power_on_celsius", .at = 201, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN, .when = sct_status_version },
	{ "temperature.highest_since_power_on_celsius", .at = 202, .width = 1,
		.format = FORMAT_SINT, .unknown = UNKNOWN_SIGN, .when = sct_status_version },
	{ "temperature.lowest_celsius", .at = 203, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN, .when = sct_status_version },
	{ "temperature.highest_celsius", .at = 204, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN | UNKNOWN_ZERO, .when = sct_status_version },
	{ "temperature.over_limit_interval_count", .at = 206, .width = 4, .unknown = UNKNOWN_ONES,
		.when = sct_status_version },
	{ "temperature.under_limit_interval_count", .at = 210, .width = 4, .unknown = UNKNOWN_ONES,
		.when = sct_status_version },
};

/* ACS-4, SCT temperature history table */
static const struct condition sct_table_version[] = { { 0, 2, 0xffff, 2 }, { 0 } };
static const struct field sct_table[] = {
	{ "temperature.sampling_minutes", .at = 2, .width = 2, .unknown = UNKNOWN_ZERO,
		.when = sct_table_version },
	{ "temperature.history_interval_minutes", .at = 4, .width = 2, .unknown = UNKNOWN_ZERO,
		.when = sct_table_version },
	{ "temperature.limit_celsius", .at = 6, .width = 1, .rank = 2, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN | UNKNOWN_ZERO, .when = sct_table_version },
	{ "temperature.critical_limit_celsius", .at = 7, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN | UNKNOWN_ZERO, .when = sct_table_version },
	{ "temperature.low_limit_celsius", .at = 8, .width = 1, .rank = 2, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN, .when = sct_table_version },
	{ "temperature.critical_low_limit_celsius", .at = 9, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN, .when = sct_table_version },
};

/* ACS-4 9.5.8, Temperature Statistics */
static const struct field statistics[] = {
	{ "temperature.current_celsius", .at = 8, .width = 1, .rank = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.average_short_celsius", .at = 16, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.average_long_celsius", .at = 24, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.highest_celsius", .at = 32, .width = 1, .rank = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.lowest_celsius", .at = 40, .width = 1, .rank = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.over_limit_minutes", .at = 80, .width = 4, .unknown = UNKNOWN_ONES },
	{ "temperature.limit_celsius", .at = 88, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN | UNKNOWN_ZERO },
	{ "temperature.under_limit_minutes", .at = 96, .width = 4, .unknown = UNKNOWN_ONES },
	{ "temperature.low_limit_celsius", .at = 104, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
};

/* SPC-5, Temperature log page: 0 means zero or less, which a sensor that is not
 * there gives too; the environmental page has a sign. */
static const struct field current[] = {
	{ "temperature.current_celsius", .at = 5, .width = 1,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};
static const struct field reference[] = {
	{ "temperature.limit_celsius", .at = 5, .width = 1,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};

/* SPC-5, Environmental Reporting log page */
static const struct field environment[] = {
	{ "temperature.current_celsius", .at = 5, .width = 1, .rank = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.highest_celsius", .at = 6, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.lowest_celsius", .at = 7, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.highest_since_power_on_celsius", .at = 8, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.lowest_since_power_on_celsius", .at = 9, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
};
static const struct field humidity[] = {
	{ "temperature.humidity_percent", .at = 5, .width = 1, .unknown = UNKNOWN_ONES },
};

/* SPC-5, Environmental Limits log page */
static const struct field limits[] = {
	{ "temperature.critical_limit_celsius", .at = 4, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.critical_limit_reset_celsius", .at = 5, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.critical_low_limit_reset_celsius", .at = 6, .width = 1,
		.format = FORMAT_SINT, .unknown = UNKNOWN_SIGN },
	{ "temperature.critical_low_limit_celsius", .at = 7, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.limit_celsius", .at = 8, .width = 1, .rank = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.limit_reset_celsius", .at = 9, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.low_limit_reset_celsius", .at = 10, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
	{ "temperature.low_limit_celsius", .at = 11, .width = 1, .format = FORMAT_SINT,
		.unknown = UNKNOWN_SIGN },
};

/* SPC-5, Informational Exceptions log page; the threshold is a common extension. */
static const struct field exceptions[] = {
	{ "temperature.current_celsius", .at = 6, .width = 1, .rank = 2,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
	{ "temperature.limit_celsius", .at = 7, .width = 1, .rank = 3,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};

static const struct layout layouts[] = {
	{ { PAGE_ATA_LOG, 0xe0, 0, 0 }, 0, sct_status, ARRAY_LEN(sct_status) },
	{ { PAGE_ATA_LOG, 0xe1, 0, 0 }, 0, sct_table, ARRAY_LEN(sct_table) },
	{ { PAGE_ATA_LOG, 0x04, 5, 0 }, 0, statistics, ARRAY_LEN(statistics) },
	{ { PAGE_LOG, 0x0d, 0, 1 }, 0x0000, current, ARRAY_LEN(current) },
	{ { PAGE_LOG, 0x0d, 0, 1 }, 0x0001, reference, ARRAY_LEN(reference) },
	{ { PAGE_LOG, 0x0d, 1, 1 }, 0x0000, environment, ARRAY_LEN(environment) },
	{ { PAGE_LOG, 0x0d, 1, 1 }, 0x0100, humidity, ARRAY_LEN(humidity) },
	{ { PAGE_LOG, 0x0d, 2, 1 }, 0x0000, limits, ARRAY_LEN(limits) },
	{ { PAGE_LOG, 0x2f, 0, 1 }, 0x0000, exceptions, ARRAY_LEN(exceptions) },
};

static const struct column history_columns[] = {
	{ "index", NULL, UNIT_NONE },
	{ "minutes_ago", "Minutes ago", UNIT_MINUTES },
	{ "celsius", "Temperature", UNIT_CELSIUS },
};
static const struct table history = {
	.name = "temperature_history",
	.label = "Temperature history",
	.columns = history_columns,
	.column_count = ARRAY_LEN(history_columns),
	.detail = true,
};

static const struct column sensor_columns[] = {
	{ "sensor", "Sensor", UNIT_NONE },
	{ "celsius", "Temperature", UNIT_CELSIUS },
	{ "highest_celsius", "Highest", UNIT_CELSIUS },
	{ "lowest_celsius", "Lowest", UNIT_CELSIUS },
	{ "highest_since_power_on_celsius", "Highest since power-on", UNIT_CELSIUS },
	{ "lowest_since_power_on_celsius", "Lowest since power-on", UNIT_CELSIUS },
};
static const struct table sensors = {
	.name = "temperature_sensors",
	.label = "Temperature sensors",
	.columns = sensor_columns,
	.column_count = ARRAY_LEN(sensor_columns),
	.detail = true,
};

static const struct table *const tables[] = { &history, &sensors };

extern const struct decoder decoder_temperature;

enum { NO_SAMPLE = -128 };

static int signed_byte(struct bytes bytes, size_t at)
{
	return (int8_t)bytes_u8(bytes, at);
}

static struct value celsius(struct bytes bytes, size_t at)
{
	int value = signed_byte(bytes, at);

	return value == NO_SAMPLE ? value_null() : value_int(value);
}

/* Before ACS-4 byte 205 was the average of the lifetime. An average is no higher
 * than the highest; a limit is, unless it has been exceeded. */
static void decode_sct_limit(const struct capture *capture, struct facts *facts)
{
	struct page page = page_ata_log(capture, 0xe0, 0);
	int highest = signed_byte(page.data, 204), limit = signed_byte(page.data, 205);

	if ((bytes_le16(page.data, 0) & 0xfffe) != 2 || limit == 0)
		return;
	struct source source = source_page(
		page.id, page.offset + 205, bytes_cut(page.data, 205, 1));
	bool unset = limit == NO_SAMPLE || highest == NO_SAMPLE;
	bool is_limit = limit > highest || bytes_le32(page.data, 206) != 0;
	struct fact *fact = facts_add(facts, decoder_key("temperature.limit_celsius"),
		value_int(limit), unset || !is_limit ? FACT_UNKNOWN : FACT_KNOWN, source, 1);

	if (!is_limit)
		fact->note = "a limit, or in old drives the average temperature";
}

static void add_sample(const struct page *page, size_t slot, size_t age, struct facts *facts)
{
	enum { SAMPLES_AT = 34 };
	size_t at = SAMPLES_AT + slot;
	unsigned interval = bytes_le16(page->data, 4);

	if (signed_byte(page->data, at) == NO_SAMPLE)
		return;
	struct row *row = facts_row(facts, &history,
		source_page(page->id, page->offset + at, bytes_cut(page->data, at, 1)));

	row_set(row, "index", value_uint(slot));
	row_set(row, "celsius", celsius(page->data, at));
	if (interval)
		row_set(row, "minutes_ago", value_uint(age * interval));
}

/* ACS-4, SCT temperature history table: a ring, its newest sample at the index. */
static void decode_history(const struct capture *capture, struct facts *facts)
{
	enum { MOST_SAMPLES = 478 };
	struct page page = page_ata_log(capture, 0xe1, 0);
	size_t size = bytes_le16(page.data, 30), newest = bytes_le16(page.data, 32);

	if (bytes_le16(page.data, 0) != 2)
		return;
	if (size > MOST_SAMPLES || newest >= size) {
		struct source source = source_page(
			page.id, page.offset + 30, bytes_cut(page.data, 30, 4));

		facts_note(facts, &source,
			"SCT temperature history: %zu entries, newest %zu: impossible", size,
			newest);
		return;
	}
	for (size_t age = size; age-- > 0;)
		add_sample(&page, (newest + size - age) % size, age, facts);
}

/* Where there is just one sensor, the facts say it all. */
static void decode_sensors(const struct capture *capture, struct facts *facts)
{
	enum { SENSORS = 0x0100, LEN = 12 };
	static const struct page_id log = { PAGE_LOG, 0x0d, 1, 1 };
	struct page page = page_get(capture, NULL, log);
	struct log_parameter parameter;

	if (!log_parameter_find(&page, 1, &parameter))
		return;
	for (size_t at = 4; log_parameter_next(&page, &at, &parameter);) {
		if (parameter.code >= SENSORS || parameter.data.len < LEN)
			continue;
		struct source source = source_page(page.id, parameter.offset, parameter.data);

		source.parameter = parameter.code;
		struct row *row = facts_row(facts, &sensors, source);

		row_set(row, "sensor", value_uint(parameter.code));
		for (size_t i = 1; i < ARRAY_LEN(sensor_columns); i++)
			row_set(row, sensor_columns[i].name, celsius(parameter.data, 4 + i));
	}
}

/* ---- Values that cannot be ---- */

static struct fact *known_on_page(struct facts *facts, const char *name, struct page_id id)
{
	const struct key *key = name ? decoder_key(name) : NULL;

	for (size_t i = 0; key && i < facts->fact_count; i++) {
		struct fact *fact = &facts->facts[i];

		if (fact->key == key && fact->state == FACT_KNOWN &&
			page_same(fact->source.page, id))
			return fact;
	}
	return NULL;
}

static double number(const struct fact *fact)
{
	double value = 0;

	value_number(fact->value, &value);
	return value;
}

static bool is_zero(const struct fact *fact)
{
	return value_same(fact->value, value_int(0));
}

static void withdraw(struct fact *fact, enum fact_state state, const char *why)
{
	fact->state = state;
	fact->value = value_null();
	fact->note = why;
}

/* A reading and its bounds, all of one page. */
struct range {
	const char *low, *now, *high;
};

static void check_order(struct fact *low, const struct fact *now, struct fact *high)
{
	if (low && high && number(low) > number(high)) {
		withdraw(low, FACT_INVALID, "above its counterpart, the upper value");
		withdraw(high, FACT_INVALID, "below its counterpart, the lower value");
	} else if (high && now && number(now) > number(high)) {
		withdraw(high, FACT_INVALID, "below the current temperature");
	} else if (low && now && number(now) < number(low)) {
		withdraw(low, FACT_INVALID, "above the current temperature");
	}
}

/* Lowest and highest begin at the wrong ends of the scale; a drive without a
 * sensor gives 0 and nothing that it could lie between. */
static void check_readings(const struct range *range, struct page_id id, struct facts *facts)
{
	struct fact *low = known_on_page(facts, range->low, id);
	struct fact *high = known_on_page(facts, range->high, id);
	struct fact *now = known_on_page(facts, range->now, id);

	if (low && number(low) >= 127) {
		withdraw(low, FACT_UNKNOWN, "never set");
		low = NULL;
	}
	if (high && number(high) <= -127) {
		withdraw(high, FACT_UNKNOWN, "never set");
		high = NULL;
	}
	if (now && is_zero(now) && (!high || (low && number(low) > 0)))
		withdraw(now, FACT_UNKNOWN, "0 outside of all that was measured");
	else
		check_order(low, now, high);
}

/* Drives that have no limits give the ends of the scale, or 40 degrees both ways. */
static void check_limits(const struct range *range, struct page_id id, struct facts *facts)
{
	static const char unset[] = "no limit is set";
	struct fact *low = known_on_page(facts, range->low, id);
	struct fact *high = known_on_page(facts, range->high, id);
	bool both_40 = low && high && value_same(low->value, value_int(-40)) &&
		value_same(high->value, value_int(40));

	if (high && (both_40 || number(high) >= 127)) {
		withdraw(high, FACT_UNKNOWN, unset);
		high = NULL;
	}
	if (low && (both_40 || number(low) <= -127)) {
		withdraw(low, FACT_UNKNOWN, unset);
		low = NULL;
	}
	check_order(low, NULL, high);
}

static void check_page(struct page_id id, struct facts *facts)
{
	static const struct range readings[] = {
		{ "temperature.lowest_celsius", "temperature.current_celsius",
			"temperature.highest_celsius" },
		{ "temperature.lowest_since_power_on_celsius", "temperature.current_celsius",
			"temperature.highest_since_power_on_celsius" },
	};
	static const struct range allowed[] = {
		{ "temperature.low_limit_celsius", NULL, "temperature.limit_celsius" },
		{ "temperature.critical_low_limit_celsius", NULL,
			"temperature.critical_limit_celsius" },
	};

	for (size_t i = 0; i < ARRAY_LEN(readings); i++)
		check_readings(&readings[i], id, facts);
	for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
		check_limits(&allowed[i], id, facts);
}

static void decode_rest(const struct capture *capture, struct facts *facts)
{
	decode_sct_limit(capture, facts);
	decode_history(capture, facts);
	decode_sensors(capture, facts);
	for (size_t i = 0; i < facts->fact_count; i++)
		if (decoder_of_key(facts->facts[i].key) == &decoder_temperature)
			check_page(facts->facts[i].source.page, facts);
}

const struct decoder decoder_temperature = {
	.name = "temperature",
	.title = "Temperature",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = decode_rest,
};
