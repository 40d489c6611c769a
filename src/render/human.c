/* Values, units and sources as people read them. */
#include "assay/render.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/array.h"

/* 1234567 as "1,234,567". */
static void grouped(uint64_t number, char *text, size_t size)
{
	char digits[24];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, number);
	size_t at = 0;

	for (int i = 0; i < len && at + 2 < size; i++) {
		if (i && (len - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
}

static void number_human(struct value value, char *text, size_t size)
{
	if (value.kind == VALUE_UINT)
		grouped(value.uint, text, size);
	else if (value.kind == VALUE_INT)
		snprintf(text, size, "%" PRId64, value.sint);
	else if (fabs(value.real) < 1000)
		snprintf(text, size, "%.*g", fabs(value.real) < 10 ? 3 : 4, value.real);
	else
		snprintf(text, size, "%.1f", value.real);
}

/* Decimal units, as datasheets count. */
static void bytes_human(uint64_t bytes, char *text, size_t size)
{
	static const char *const prefixes[] = { "kB", "MB", "GB", "TB", "PB", "EB" };
	double scaled = (double)bytes;
	size_t i = 0;
	char exact[32];

	grouped(bytes, exact, sizeof(exact));
	if (bytes < 100000) {
		snprintf(text, size, "%s bytes", exact);
		return;
	}
	for (scaled /= 1000; scaled >= 999.95 && i + 1 < ARRAY_LEN(prefixes); i++)
		scaled /= 1000;
	snprintf(text, size, scaled < 10 ? "%.2f %s (%s bytes)" : "%.1f %s (%s bytes)", scaled,
		prefixes[i], exact);
}

/* A time in its own unit, and in days or years where that says more. */
static void time_human(
	const char *number, double seconds, const char *unit, char *text, size_t size)
{
	static const double day = 86400, year = 365.25 * 86400;

	if (seconds >= year)
		snprintf(text, size, "%s %s (%.1f years)", number, unit, seconds / year);
	else if (seconds >= 2 * day)
		snprintf(text, size, "%s %s (%.0f days)", number, unit, seconds / day);
	else
		snprintf(text, size, "%s %s", number, unit);
}

static void duration_human(struct value value, enum unit unit, char *text, size_t size)
{
	static const struct {
		enum unit unit;
		const char *name;
		double seconds;
	} times[] = {
		{ UNIT_DAYS, "days", 86400 },
		{ UNIT_HOURS, "h", 3600 },
		{ UNIT_MINUTES, "min", 60 },
		{ UNIT_SECONDS, "s", 1 },
		{ UNIT_MILLISECONDS, "ms", 1e-3 },
		{ UNIT_MICROSECONDS, "us", 1e-6 },
	};
	char number[48];
	double n = 0;

	value_number(value, &n);
	if (unit == UNIT_MICROSECONDS && n >= 1000) {
		value = value_real(n / 1000);
		unit = UNIT_MILLISECONDS;
		n /= 1000;
	}
	number_human(value, number, sizeof(number));
	for (size_t i = 0; i < ARRAY_LEN(times); i++)
		if (times[i].unit == unit)
			time_human(number, n * times[i].seconds, times[i].name, text, size);
}

/* Both counts: reviews and programs differ in which they mean. */
static void rate_human(struct value value, char *text, size_t size)
{
	double rate = 0;

	value_number(value, &rate);
	snprintf(text, size, "%.1f MB/s (%.1f MiB/s)", rate / 1e6, rate / 1048576);
}

static const char *suffix_of(enum unit unit)
{
	static const char *const suffixes[] = {
		[UNIT_BLOCKS] = " blocks",
		[UNIT_CELSIUS] = " °C",
		[UNIT_PERCENT] = " %",
		[UNIT_RPM] = " rpm",
		[UNIT_GBPS] = " Gbit/s",
		[UNIT_MILLIWATTS] = " mW",
		[UNIT_DWPD] = " drive writes per day",
		[UNIT_IOPS] = " IOPS",
	};

	if ((size_t)unit >= ARRAY_LEN(suffixes) || !suffixes[unit])
		return "";
	return suffixes[unit];
}

static bool is_time(enum unit unit)
{
	return unit == UNIT_HOURS || unit == UNIT_MINUTES || unit == UNIT_SECONDS ||
		unit == UNIT_MILLISECONDS || unit == UNIT_MICROSECONDS || unit == UNIT_DAYS;
}

const char *value_human(struct value value, enum unit unit, char *text, size_t size)
{
	char number[48];

	if (value.kind == VALUE_NULL) {
		snprintf(text, size, "-");
	} else if (value.kind == VALUE_TEXT) {
		snprintf(text, size, "%s", value.text);
	} else if (value.kind == VALUE_FLAG) {
		snprintf(text, size, "%s", value.flag ? "yes" : "no");
	} else if (unit == UNIT_BYTES && value.kind == VALUE_UINT) {
		bytes_human(value.uint, text, size);
	} else if (unit == UNIT_BYTES_PER_SECOND) {
		rate_human(value, text, size);
	} else if (unit == UNIT_RPM && value.kind == VALUE_UINT && value.uint == 0) {
		snprintf(text, size, "none, solid state");
	} else if (is_time(unit)) {
		duration_human(value, unit, text, size);
	} else {
		number_human(value, number, sizeof(number));
		snprintf(text, size, "%s%s", number, suffix_of(unit));
	}
	return text;
}

static size_t hex_human(struct bytes raw, char *text, size_t size)
{
	enum { SHOWN = 8 };
	size_t at = 0;

	for (size_t i = 0; i < raw.len && i < SHOWN && at + 4 < size; i++)
		at += (size_t)snprintf(text + at, size - at, " %02x", raw.at[i]);
	if (raw.len > SHOWN && at + 5 < size)
		at += (size_t)snprintf(text + at, size - at, " ...");
	return at;
}

static void parameter_human(const struct source *source, char *text, size_t size)
{
	text[0] = '\0';
	if (source->parameter < 0)
		return;
	if (source->page.kind == PAGE_LOG)
		snprintf(text, size, ", parameter %04Xh", (unsigned)source->parameter);
	else
		snprintf(text, size, ", attribute %d", (int)source->parameter);
}

static void page_human(const struct source *source, char *text, size_t size)
{
	char name[80], parameter[32], hex[40] = "";

	page_name(source->page, name, sizeof(name));
	parameter_human(source, parameter, sizeof(parameter));
	hex_human(source->raw, hex, sizeof(hex));
	if (source->raw.len)
		snprintf(text, size, "%s%s, byte %u:%s", name, parameter, (unsigned)source->offset,
			hex);
	else
		snprintf(text, size, "%s%s", name, parameter);
	size_t len = strlen(text);
	if (source->text && len < size)
		snprintf(text + len, size - len, "; %s", source->text);
}

const char *source_human(const struct source *source, char *text, size_t size)
{
	const char *what = source->text ? source->text : "";

	text[0] = '\0';
	if (source->origin == ORIGIN_PAGE)
		page_human(source, text, size);
	else if (source->origin == ORIGIN_HOST)
		snprintf(text, size, "the host: %s", what);
	else if (source->text)
		snprintf(text, size, "%s", what);
	return text;
}
