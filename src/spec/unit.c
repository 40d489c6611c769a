#include "spec/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "assay/array.h"

#define KI (1ULL << 10)
#define MI (1ULL << 20)
#define GI (1ULL << 30)
#define TI (1ULL << 40)
#define PI (1ULL << 50)

static const struct unit_word words[] = {
	{ DIMENSION_COUNT, "", 1, 1 },
	{ DIMENSION_BYTES, "bytes", 1, 1 },
	{ DIMENSION_BYTES, "byte", 1, 1 },
	{ DIMENSION_BYTES, "B", 1, 1 },
	{ DIMENSION_BYTES, "kB", 1e3, 1000 },
	{ DIMENSION_BYTES, "MB", 1e6, 1000000 },
	{ DIMENSION_BYTES, "GB", 1e9, 1000000000 },
	{ DIMENSION_BYTES, "TB", 1e12, 1000000000000 },
	{ DIMENSION_BYTES, "PB", 1e15, 1000000000000000 },
	{ DIMENSION_BYTES, "KiB", 1024, KI },
	{ DIMENSION_BYTES, "MiB", 1048576, MI },
	{ DIMENSION_BYTES, "GiB", 1073741824.0, GI },
	{ DIMENSION_BYTES, "TiB", 1099511627776.0, TI },
	{ DIMENSION_BYTES, "PiB", 1125899906842624.0, PI },
	{ DIMENSION_BYTES_PER_SECOND, "B/s", 1, 1 },
	{ DIMENSION_BYTES_PER_SECOND, "kB/s", 1e3, 1000 },
	{ DIMENSION_BYTES_PER_SECOND, "MB/s", 1e6, 1000000 },
	{ DIMENSION_BYTES_PER_SECOND, "GB/s", 1e9, 1000000000 },
	{ DIMENSION_BYTES_PER_SECOND, "KiB/s", 1024, KI },
	{ DIMENSION_BYTES_PER_SECOND, "MiB/s", 1048576, MI },
	{ DIMENSION_BYTES_PER_SECOND, "GiB/s", 1073741824.0, GI },
	{ DIMENSION_BYTES_PER_YEAR, "TB/year", 1e12, 1000000000000 },
	{ DIMENSION_BYTES_PER_YEAR, "GB/day", 365e9, 365000000000 },
	{ DIMENSION_BYTES_PER_YEAR, "TB/day", 365e12, 365000000000000 },
	{ DIMENSION_IOPS, "IOPS", 1, 1 },
	{ DIMENSION_IOPS, "kIOPS", 1000, 1000 },
	{ DIMENSION_IOPS_PER_WATT, "IOPS/W", 1, 0 },
	{ DIMENSION_GBPS, "Gbit/s", 1, 0 },
	{ DIMENSION_GBPS, "Gb/s", 1, 0 },
	{ DIMENSION_GBPS, "Gbps", 1, 0 },
	{ DIMENSION_HOURS, "hours", 1, 1 },
	{ DIMENSION_HOURS, "h", 1, 1 },
	{ DIMENSION_HOURS, "小时", 1, 1 },
	{ DIMENSION_HOURS, "小時", 1, 1 },
	{ DIMENSION_HOURS, "years", 8760, 8760 },
	{ DIMENSION_YEARS, "years", 1, 0 },
	{ DIMENSION_YEARS, "year", 1, 0 },
	{ DIMENSION_YEARS, "months", 1.0 / 12, 0 },
	{ DIMENSION_MICROSECONDS, "us", 1, 0 },
	{ DIMENSION_MICROSECONDS, "µs", 1, 0 },
	{ DIMENSION_MICROSECONDS, "ms", 1e3, 0 },
	{ DIMENSION_MICROSECONDS, "s", 1e6, 0 },
	{ DIMENSION_MICROSECONDS, "min", 6e7, 0 },
	{ DIMENSION_DWPD, "DWPD", 1, 0 },
	{ DIMENSION_DWPD, "DW/D", 1, 0 },
	{ DIMENSION_DWPD, "/day", 1, 0 },
	{ DIMENSION_CELSIUS, "C", 1, 0 },
	{ DIMENSION_CELSIUS, "°C", 1, 0 },
	{ DIMENSION_MILLIWATTS, "W", 1000, 0 },
	{ DIMENSION_MILLIWATTS, "mW", 1, 0 },
	{ DIMENSION_VOLTS, "V", 1, 0 },
	{ DIMENSION_RPM, "rpm", 1, 1 },
	{ DIMENSION_PERCENT, "%", 1, 0 },
	{ DIMENSION_PROBABILITY, "", 1, 0 },
	{ DIMENSION_MILLIMETRES, "mm", 1, 0 },
	{ DIMENSION_MILLIMETRES, "in", 25.4, 0 },
	{ DIMENSION_GRAMS, "g", 1, 0 },
	{ DIMENSION_GRAMS, "kg", 1000, 0 },
	{ DIMENSION_GRAVITIES, "g", 1, 0 },
	{ DIMENSION_GRAVITIES, "Grms", 1, 0 },
	{ DIMENSION_METRES, "m", 1, 0 },
	{ DIMENSION_METRES, "ft", 0.3048, 0 },
};

const struct unit_word *unit_find(enum dimension dimension, const char *word, size_t len)
{
	const struct unit_word *loose = NULL;

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const struct unit_word *unit = &words[i];

		if (unit->dimension != dimension || strlen(unit->word) != len)
			continue;
		if (!strncmp(unit->word, word, len))
			return unit;
		if (!strncasecmp(unit->word, word, len))
			loose = unit;
	}
	return dimension == DIMENSION_MILLIWATTS ? NULL : loose;
}

const char *dimension_unit(enum dimension dimension)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].dimension == dimension)
			return words[i].word;
	return "";
}

const char *dimension_units(enum dimension dimension, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (words[i].dimension == dimension && used < size)
			used += (size_t)snprintf(
				text + used, size - used, "%s%s", used ? " " : "", words[i].word);
	return text;
}

/* The largest unit in which the number is at least 1. */
static const struct unit_word *scale(double value, enum dimension dimension)
{
	const struct unit_word *best = NULL;
	static const char decimal[] = "kMGTP";

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		const struct unit_word *unit = &words[i];
		bool plain = unit->factor == 1 ||
			(strchr(decimal, unit->word[0]) && !strchr(unit->word, 'i') &&
				dimension != DIMENSION_BYTES_PER_YEAR);

		if (unit->dimension == dimension && (plain || !best) &&
			(!best || (fabs(value) >= unit->factor && unit->factor > best->factor)))
			best = unit;
	}
	return best;
}

const char *quantity_human(double value, enum dimension dimension, char *text, size_t size)
{
	bool scales = dimension == DIMENSION_BYTES || dimension == DIMENSION_BYTES_PER_SECOND;
	const struct unit_word *unit = scales ? scale(value, dimension)
					      : unit_find(dimension, dimension_unit(dimension),
							strlen(dimension_unit(dimension)));

	if (dimension == DIMENSION_FLAG)
		snprintf(text, size, "%s", value != 0 ? "yes" : "no");
	else if (dimension == DIMENSION_MILLIWATTS)
		snprintf(text, size, "%.4g W", value / 1000);
	else if (dimension == DIMENSION_BYTES_PER_YEAR)
		snprintf(text, size, "%.4g TB/year", value / 1e12);
	else if (dimension == DIMENSION_MICROSECONDS && fabs(value) >= 1000)
		snprintf(text, size, "%.4g ms", value / 1000);
	else if (!unit)
		snprintf(text, size, "%.6g", value);
	else if (fabs(value) >= 1e4 && unit->factor == 1)
		snprintf(text, size, "%.0f%s%s", value, *unit->word ? " " : "", unit->word);
	else
		snprintf(text, size, "%.5g%s%s", value / unit->factor, *unit->word ? " " : "",
			unit->word);
	return text;
}
