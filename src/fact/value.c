#include "assay/fact.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

const char *unit_name(enum unit unit)
{
	static const char *const names[] = {
		[UNIT_NONE] = "",
		[UNIT_BYTES] = "bytes",
		[UNIT_BLOCKS] = "blocks",
		[UNIT_COUNT] = "count",
		[UNIT_HOURS] = "hours",
		[UNIT_MINUTES] = "minutes",
		[UNIT_SECONDS] = "seconds",
		[UNIT_MILLISECONDS] = "milliseconds",
		[UNIT_MICROSECONDS] = "microseconds",
		[UNIT_DAYS] = "days",
		[UNIT_CELSIUS] = "celsius",
		[UNIT_PERCENT] = "percent",
		[UNIT_RATIO] = "ratio",
		[UNIT_RPM] = "rpm",
		[UNIT_GBPS] = "gbps",
		[UNIT_MILLIWATTS] = "milliwatts",
		[UNIT_DWPD] = "drive_writes_per_day",
		[UNIT_IOPS] = "iops",
		[UNIT_BYTES_PER_SECOND] = "bytes_per_second",
	};

	return names[unit];
}

struct value value_null(void)
{
	return (struct value) { 0 };
}

struct value value_flag(bool flag)
{
	return (struct value) { .kind = VALUE_FLAG, .flag = flag };
}

struct value value_uint(uint64_t uint)
{
	return (struct value) { .kind = VALUE_UINT, .uint = uint };
}

struct value value_int(int64_t sint)
{
	return (struct value) { .kind = VALUE_INT, .sint = sint };
}

struct value value_real(double real)
{
	return (struct value) { .kind = VALUE_REAL, .real = real };
}

struct value value_text(const char *text)
{
	return (struct value) { .kind = VALUE_TEXT, .text = text };
}

struct value value_text_or_null(const char *text)
{
	return text && *text ? value_text(text) : value_null();
}

bool value_number(struct value value, double *number)
{
	switch (value.kind) {
	case VALUE_FLAG:
		*number = value.flag;
		return true;
	case VALUE_UINT:
		*number = (double)value.uint;
		return true;
	case VALUE_INT:
		*number = (double)value.sint;
		return true;
	case VALUE_REAL:
		*number = value.real;
		return true;
	default:
		return false;
	}
}

bool value_same(struct value a, struct value b)
{
	double x, y;

	if (a.kind == VALUE_TEXT && b.kind == VALUE_TEXT)
		return !strcmp(a.text, b.text);
	if (a.kind == VALUE_UINT && b.kind == VALUE_UINT)
		return a.uint == b.uint;
	if (a.kind == VALUE_NULL || b.kind == VALUE_NULL)
		return a.kind == b.kind;
	return value_number(a, &x) && value_number(b, &y) && !(x < y) && !(x > y);
}

int64_t date_seconds(const char *text)
{
	struct tm date = { .tm_mday = 1 };
	int year, week, month, day;

	if (sscanf(text, "%d-W%d", &year, &week) == 2) {
		date.tm_mday = 1 + 7 * (week - 1);
	} else if (sscanf(text, "%d-%d-%d", &year, &month, &day) == 3) {
		date.tm_mon = month - 1;
		date.tm_mday = day;
	} else {
		return 0;
	}
	if (year < 1990 || year > 2200)
		return 0;
	date.tm_year = year - 1900;
	return timegm(&date);
}
