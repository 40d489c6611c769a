/* The topic of the history: its keys, its tables, and what adds to them. */
#include "history/tables.h"

#include <math.h>
#include <time.h>

#include "assay/decoder.h"

static const struct key keys[] = {
	{ "history.first_record", .label = "First record" },
	{ "history.last_record", .label = "Last record" },
	{ "history.record_count", "Checks recorded", UNIT_COUNT, .agreement = AGREE_ANY },
	{ "history.recent_written_bytes", "Written a day, recently", UNIT_BYTES,
		.agreement = AGREE_ANY },
	{ "history.measured_7_days_dwpd", "Drive writes per day, 7 days", UNIT_DWPD,
		.agreement = AGREE_ANY },
	{ "history.measured_30_days_dwpd", "Drive writes per day, 30 days", UNIT_DWPD,
		.agreement = AGREE_ANY },
	{ "history.measured_365_days_dwpd", "Drive writes per day, 365 days", UNIT_DWPD,
		.agreement = AGREE_ANY },
	{ "history.write_amplification_ratio", "Write amplification, recently", UNIT_RATIO,
		.agreement = AGREE_ANY },
	{ "history.end_date", .label = "Rating runs out" },
	{ "history.earliest_end_date", .label = "Rating runs out, earliest" },
	{ "history.latest_end_date", .label = "Rating runs out, latest" },
	{ "history.warranty_end_date", .label = "Warranty ends" },
	{ "history.warranty_end_cause", .label = "Warranty ends by" },
};

static const struct column drive_columns[] = {
	{ "subject", NULL, UNIT_NONE },
	{ "vendor", NULL, UNIT_NONE },
	{ "model", "Model", UNIT_NONE },
	{ "serial", "Serial number", UNIT_NONE },
	{ "wwn", NULL, UNIT_NONE },
	{ "target", "Last at", UNIT_NONE },
	{ "first_record", NULL, UNIT_NONE },
	{ "last_record", "Last record", UNIT_NONE },
	{ "record_count", "Checks", UNIT_COUNT },
	{ "used_percent", "Used", UNIT_PERCENT },
	{ "end_date", "Used up", UNIT_NONE },
	{ "state", "State", UNIT_NONE },
	{ "worst_state", "Worst", UNIT_NONE },
};
const struct table table_history_drives = { "history_drives", "Drives", drive_columns,
	ARRAY_LEN(drive_columns), TABLE_ALWAYS };

static const struct column projection_columns[] = {
	{ "limit", "Limit", UNIT_NONE },
	{ "rate", "At the rate", UNIT_NONE },
	{ "days", "Days", UNIT_NONE },
	{ "date", "Date", UNIT_NONE },
	{ "earliest_days", NULL, UNIT_NONE },
	{ "earliest_date", "Earliest", UNIT_NONE },
	{ "latest_days", NULL, UNIT_NONE },
	{ "latest_date", "Latest", UNIT_NONE },
};
const struct table table_history_projections = { "history_projections", "Projections",
	projection_columns, ARRAY_LEN(projection_columns), TABLE_ALWAYS };

static const struct column day_columns[] = {
	{ "day", "Day", UNIT_NONE },
	{ "temperature_minimum_celsius", "Temperature, lowest", UNIT_CELSIUS },
	{ "temperature_mean_celsius", "Temperature, mean", UNIT_CELSIUS },
	{ "temperature_maximum_celsius", "Temperature, highest", UNIT_CELSIUS },
	{ "written_bytes", "Written", UNIT_BYTES },
	{ "read_bytes", "Read", UNIT_BYTES },
	{ "nand_written_bytes", "Written to flash", UNIT_BYTES },
	{ "write_amplification_ratio", "Write amplification", UNIT_NONE },
	{ "used_percent", "Rated life used", UNIT_PERCENT },
	{ "spare_percent", "Spare blocks left", UNIT_PERCENT },
};
const struct table table_history_days = { "history_days", "Day by day", day_columns,
	ARRAY_LEN(day_columns), TABLE_SERIES };

static const struct column error_columns[] = {
	{ "key", NULL, UNIT_NONE },
	{ "label", "Count", UNIT_NONE },
	{ "value", "Now", UNIT_COUNT },
	{ "growth_7_days", "7 days", UNIT_COUNT },
	{ "growth_30_days", "30 days", UNIT_COUNT },
	{ "growth_365_days", "365 days", UNIT_COUNT },
	{ "growth", "All", UNIT_COUNT },
	{ "last_growth", "Last grown", UNIT_NONE },
};
const struct table table_history_errors = { "history_errors", "Growth of counters", error_columns,
	ARRAY_LEN(error_columns), TABLE_ALWAYS };

static const struct column state_columns[] = {
	{ "time", "Since", UNIT_NONE },
	{ "rule", "Rule", UNIT_NONE },
	{ "state", "State", UNIT_NONE },
	{ "reason", "Reason", UNIT_NONE },
};
const struct table table_history_states = { "history_states", "Changes of state", state_columns,
	ARRAY_LEN(state_columns), TABLE_ALWAYS };

static const struct table *const tables[] = { &table_history_drives, &table_history_projections,
	&table_history_days, &table_history_errors, &table_history_states };

const struct decoder decoder_history = {
	.name = "history",
	.title = "History",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
};

void history_fact(struct facts *facts, const char *name, struct value value, const char *formula)
{
	if (value.kind == VALUE_NULL || (value.kind == VALUE_REAL && !isfinite(value.real)))
		return;
	facts_add(facts, decoder_key(name), value, FACT_KNOWN, source_derived(formula), 0);
}

static struct value formatted(struct facts *facts, int64_t time, const char *format)
{
	time_t seconds = time;
	char text[40];
	struct tm date;

	if (!gmtime_r(&seconds, &date) || !strftime(text, sizeof(text), format, &date))
		return value_null();
	return value_text(facts_printf(facts, "%s", text));
}

struct value date_value(struct facts *facts, double time)
{
	static const double YEAR_10000 = 253402300800.0;

	if (!(time >= 0 && time < YEAR_10000))
		return value_null();
	return formatted(facts, (int64_t)time, "%Y-%m-%d");
}

struct value time_value(struct facts *facts, int64_t time)
{
	return formatted(facts, time, "%Y-%m-%dT%H:%M:%SZ");
}

struct value real_or_null(double real)
{
	return isfinite(real) ? value_real(real) : value_null();
}

struct value whole_or_null(double real)
{
	return real >= 0 && real < 1.8e19 ? value_uint((uint64_t)(real + 0.5)) : value_null();
}
