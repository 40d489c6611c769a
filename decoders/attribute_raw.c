/*
 * Raw values of SMART attributes. No standard says what they hold (ATA8-ACS calls
 * all of byte 1 on vendor specific).
 */
#include "attribute_raw.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { HOURS_MAX = 250000 }; /* 28 years */

static bool is_temperature(int celsius)
{
	return celsius >= -40 && celsius <= 127;
}

static int signed_byte(uint64_t raw, unsigned byte)
{
	return (int8_t)(raw >> byte * 8);
}

/* A word that holds a signed byte: its high byte is 0 or the sign. */
static bool is_small_word(uint64_t raw, unsigned byte)
{
	int high = signed_byte(raw, byte + 1);

	return high == 0 || (high == -1 && signed_byte(raw, byte) < 0);
}

static bool set_range(struct raw_temperatures *temperatures, int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (!is_temperature(low) || !is_temperature(high) || low > temperatures->current_celsius ||
		high < temperatures->current_celsius)
		return false;
	temperatures->range = true;
	temperatures->lowest_celsius = low;
	temperatures->highest_celsius = high;
	return true;
}

bool raw_temperatures(uint64_t raw, struct raw_temperatures *temperatures)
{
	static const uint64_t ONES = 0xffffffffffff, NONE = 0xff;

	*temperatures = (struct raw_temperatures) { .current_celsius = signed_byte(raw, 0) };
	if (raw == 0 || (raw & 0xffff) == NONE || raw == ONES ||
		!is_temperature(temperatures->current_celsius) || !is_small_word(raw, 0))
		return false;
	if (raw >> 16 == 0)
		return true;
	/* words: current, lowest, highest, in either order */
	if (is_small_word(raw, 2) && is_small_word(raw, 4)) {
		set_range(temperatures, signed_byte(raw, 2), signed_byte(raw, 4));
		return true;
	}
	/* bytes 2 and 3, a counter or nothing above them */
	set_range(temperatures, signed_byte(raw, 2), signed_byte(raw, 3));
	return true;
}

bool raw_hours(uint64_t raw, enum raw_format format, uint64_t *hours)
{
	uint64_t count = raw & 0xffffffff;

	switch (format) {
	case RAW_SECONDS:
		*hours = count / 3600;
		break;
	case RAW_MINUTES:
		*hours = count / 60;
		break;
	case RAW_HALF_MINUTES:
		*hours = count / 120;
		break;
	case RAW_24_BYTES:
		*hours = count & 0xffffff;
		break;
	default:
		*hours = count;
	}
	return *hours <= HOURS_MAX;
}

bool raw_count(uint64_t raw, enum raw_format format, uint64_t *count)
{
	switch (format) {
	case RAW_16_WORDS:
	case RAW_16_AVERAGE:
		*count = raw & 0xffff;
		return true;
	case RAW_24_BYTES:
		*count = raw & 0xffffff;
		return true;
	case RAW_48:
	case RAW_56:
	case RAW_64:
	case RAW_UNKNOWN:
		*count = raw;
		return raw <= UINT32_MAX;
	default:
		return false;
	}
}

static void print_number(uint64_t number, enum raw_format format, char *text, size_t size)
{
	switch (format) {
	case RAW_HEX_48:
		snprintf(text, size, "0x%012" PRIx64, number);
		break;
	case RAW_HEX_56:
		snprintf(text, size, "0x%014" PRIx64, number);
		break;
	case RAW_HEX_64:
		snprintf(text, size, "0x%016" PRIx64, number);
		break;
	default:
		snprintf(text, size, "%" PRIu64, number);
	}
}

static void print_temperatures(uint64_t number, enum raw_format format, char *text, size_t size)
{
	struct raw_temperatures t;

	if (format == RAW_TENTHS)
		snprintf(text, size, "%u.%u", (unsigned)(number & 0xffff) / 10,
			(unsigned)(number & 0xffff) % 10);
	else if (!raw_temperatures(number, &t))
		snprintf(text, size, "%" PRIu64, number);
	else if (t.range)
		snprintf(text, size, "%d (Min/Max %d/%d)", t.current_celsius, t.lowest_celsius,
			t.highest_celsius);
	else if (number >> 16 == 0)
		snprintf(text, size, "%d", t.current_celsius);
	else
		snprintf(text, size, "%d (%u %u %u %u %u)", t.current_celsius,
			(unsigned)(number >> 40 & 255), (unsigned)(number >> 32 & 255),
			(unsigned)(number >> 24 & 255), (unsigned)(number >> 16 & 255),
			(unsigned)(number >> 8 & 255));
}

static void print_time(uint64_t number, enum raw_format format, char *text, size_t size)
{
	unsigned unit = format == RAW_MINUTES ? 60 : format == RAW_HALF_MINUTES ? 30 : 1;
	uint64_t seconds = number * unit;

	snprintf(text, size, "%" PRIu64 "h+%02um+%02us", seconds / 3600,
		(unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
}

static void print_hours_milliseconds(
	uint64_t number, enum raw_format format, char *text, size_t size)
{
	unsigned ms = (unsigned)(number >> 32 & 0xffffff);

	(void)format;
	snprintf(text, size, "%uh+%02um+%02u.%03us", (unsigned)(number & 0xffffffff), ms / 60000,
		ms / 1000 % 60, ms % 1000);
}

static void print_words(uint64_t number, enum raw_format format, char *text, size_t size)
{
	unsigned low = number & 0xffff, mid = number >> 16 & 0xffff, high = number >> 32 & 0xffff;

	if (format == RAW_16)
		snprintf(text, size, "%u %u %u", high, mid, low);
	else if (format == RAW_COUNTERS)
		snprintf(text, size, "%u/%u/%u", low, mid, high);
	else if (format == RAW_CAPACITOR)
		snprintf(text, size, "%u us, %u minutes ago, %u tests", low, mid, high);
	else if (format == RAW_16_AVERAGE && mid)
		snprintf(text, size, "%u (Average %u)", low, mid);
	else if (format == RAW_16_WORDS && (mid || high))
		snprintf(text, size, "%u (%u %u)", low, high, mid);
	else
		snprintf(text, size, "%u", low);
}

static void print_bytes(uint64_t number, enum raw_format format, char *text, size_t size)
{
	unsigned b[6];

	for (unsigned i = 0; i < 6; i++)
		b[i] = number >> i * 8 & 255;
	if (format == RAW_8)
		snprintf(text, size, "%u %u %u %u %u %u", b[5], b[4], b[3], b[2], b[1], b[0]);
	else if (b[3] || b[4] || b[5])
		snprintf(text, size, "%u (%u %u %u)", (unsigned)(number & 0xffffff), b[5], b[4],
			b[3]);
	else
		snprintf(text, size, "%u", (unsigned)(number & 0xffffff));
}

static void print_pair(uint64_t number, enum raw_format format, char *text, size_t size)
{
	unsigned bits = format == RAW_24_24 ? 24 : 32;
	unsigned low = (unsigned)(number & ((UINT64_C(1) << bits) - 1));
	unsigned high = (unsigned)(number >> bits);

	snprintf(text, size, format == RAW_RATE ? "%u errors in %u" : "%u/%u", high, low);
}

static void print_percent(uint64_t number, enum raw_format format, char *text, size_t size)
{
	enum { NOT_MEASURED = 0xffff, PARTS = 1024 };

	(void)format;
	if (number == NOT_MEASURED)
		snprintf(text, size, "not measured yet");
	else
		snprintf(text, size, "%.3f %%", (double)number / PARTS);
}

static const struct {
	const char *name, *order;
	void (*print)(uint64_t number, enum raw_format format, char *text, size_t size);
} formats[] = {
	[RAW_8] = { "raw8", "543210", print_bytes },
	[RAW_16] = { "raw16", "543210", print_words },
	[RAW_48] = { "raw48", "543210", print_number },
	[RAW_56] = { "raw56", "r543210", print_number },
	[RAW_64] = { "raw64", "543210wv", print_number },
	[RAW_HEX_48] = { "hex48", "543210", print_number },
	[RAW_HEX_56] = { "hex56", "r543210", print_number },
	[RAW_HEX_64] = { "hex64", "543210wv", print_number },
	[RAW_16_WORDS] = { "raw16(raw16)", "543210", print_words },
	[RAW_16_AVERAGE] = { "raw16(avg16)", "543210", print_words },
	[RAW_24_BYTES] = { "raw24(raw8)", "543210", print_bytes },
	[RAW_24_24] = { "raw24/raw24", "543210", print_pair },
	[RAW_24_32] = { "raw24/raw32", "r543210", print_pair },
	[RAW_SECONDS] = { "sec2hour", "543210", print_time },
	[RAW_MINUTES] = { "min2hour", "543210", print_time },
	[RAW_HALF_MINUTES] = { "halfmin2hour", "543210", print_time },
	[RAW_MILLISECONDS_HOURS] = { "msec24hour32", "r543210", print_hours_milliseconds },
	[RAW_TEMPERATURES] = { "tempminmax", "543210", print_temperatures },
	[RAW_TENTHS] = { "temp10x", "543210", print_temperatures },
	[RAW_RATE] = { NULL, "543210", print_pair },
	[RAW_COUNTERS] = { NULL, "543210", print_words },
	[RAW_CAPACITOR] = { NULL, "543210", print_words },
	[RAW_PERCENT_1024TH] = { NULL, "543210", print_percent },
};

static bool is_called(const char *name, struct bytes bytes)
{
	return name && strlen(name) == bytes.len && !memcmp(name, bytes.at, bytes.len);
}

enum raw_format raw_format_of(struct bytes name)
{
	static const struct {
		const char *name;
		enum raw_format format;
	} old_names[] = {
		{ "seconds", RAW_SECONDS },
		{ "minutes", RAW_MINUTES },
		{ "halfminutes", RAW_HALF_MINUTES },
	};

	for (size_t i = 0; i < ARRAY_LEN(old_names); i++)
		if (is_called(old_names[i].name, name))
			return old_names[i].format;
	for (size_t i = 0; i < ARRAY_LEN(formats); i++)
		if (is_called(formats[i].name, name))
			return (enum raw_format)i;
	return RAW_UNKNOWN;
}

static uint8_t byte_of(const struct attribute *attribute, char which)
{
	enum { VALUE_AT = 3, WORST_AT = 4, RAW_AT = 5, RESERVED_AT = 11 };

	switch (which) {
	case 'r':
		return bytes_u8(attribute->bytes, RESERVED_AT);
	case 'v':
		return bytes_u8(attribute->bytes, VALUE_AT);
	case 'w':
		return bytes_u8(attribute->bytes, WORST_AT);
	case 'z':
		return 0;
	default:
		return bytes_u8(attribute->bytes, RAW_AT + (size_t)(which - '0'));
	}
}

uint64_t raw_number(const struct attribute *attribute, enum raw_format format, const char *order)
{
	uint64_t number = 0;

	if (!*order)
		order = formats[format].order;
	for (; order && *order; order++)
		number = number << 8 | byte_of(attribute, *order);
	return number;
}

const char *raw_print(const struct attribute *attribute, enum raw_format format, const char *order,
	char *text, size_t size)
{
	text[0] = '\0';
	if (formats[format].print)
		formats[format].print(raw_number(attribute, format, order), format, text, size);
	return text;
}
