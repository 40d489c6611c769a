/*
 * Private to the decoders: how the raw bytes of a SMART attribute are to be read.
 */
#ifndef ASSAY_DECODERS_ATTRIBUTE_RAW_H
#define ASSAY_DECODERS_ATTRIBUTE_RAW_H

#include "assay/decoder.h"

/* Names are smartmontools' own (smartctl(8), "-v"). */
enum raw_format {
	RAW_UNKNOWN, /* nothing is known: raw_text is null */
	RAW_8,       /* six bytes, the highest first */
	RAW_16,      /* three words, the highest first */
	RAW_48,
	RAW_56,
	RAW_64,
	RAW_HEX_48,
	RAW_HEX_56,
	RAW_HEX_64,
	RAW_16_WORDS,   /* raw16(raw16): the low word, and the others where they are not 0 */
	RAW_16_AVERAGE, /* raw16(avg16): the low word, and an average in the next */
	RAW_24_BYTES,   /* raw24(raw8): 24 bits, and the bytes above where they are not 0 */
	RAW_24_24,      /* two counters of 24 bits */
	RAW_24_32,      /* 24 bits above 32 bits */
	RAW_SECONDS,
	RAW_MINUTES,
	RAW_HALF_MINUTES,
	RAW_MILLISECONDS_HOURS, /* msec24hour32: 24 bits of milliseconds above 32 bits of hours */
	RAW_TEMPERATURES,       /* tempminmax */
	RAW_TENTHS,             /* temp10x: tenths of a degree */
	/* Not of smartmontools: */
	RAW_RATE,           /* Seagate: errors in the words above 32 bits of operations */
	RAW_COUNTERS,       /* three counters of 16 bits, all of them wanted */
	RAW_CAPACITOR,      /* Intel: microseconds, minutes since the test, number of tests */
	RAW_PERCENT_1024TH, /* Intel: percent x 1024; FFFFh is not measured yet */
};

/* Which bytes make the number, the highest first: '0' to '5' a raw byte, 'r'
 * the byte behind them, 'v' and 'w' VALUE and WORST, 'z' zero; "": the usual
 * ones of the format. */
enum { RAW_ORDER_LEN = 8 };

/* The format of that name ("raw48"); RAW_UNKNOWN where there is none. */
enum raw_format raw_format_of(struct bytes name);

/* The number that the bytes make in that order. */
uint64_t raw_number(const struct attribute *attribute, enum raw_format format, const char *order);

/* The raw value as people read it, at most size bytes; "" for RAW_UNKNOWN.
 * Returns text. */
const char *raw_print(const struct attribute *attribute, enum raw_format format, const char *order,
	char *text, size_t size);

/* A temperature with the lowest and the highest, of whatever time. */
struct raw_temperatures {
	int current_celsius;
	bool range; /* the other two are there */
	int lowest_celsius, highest_celsius;
};

/* The byte orders in which drives pack them, accepted only where
 * -40 <= lowest <= current <= highest <= 127. False where the low byte is no
 * temperature, or all are 0 or ones. */
bool raw_temperatures(uint64_t raw, struct raw_temperatures *temperatures);

/* A count of hours, in whichever unit the format says. False where it would be
 * longer than any drive has existed. */
bool raw_hours(uint64_t raw, enum raw_format format, uint64_t *hours);

/* A plain count. False where bytes above say that it is something else. */
bool raw_count(uint64_t raw, enum raw_format format, uint64_t *count);

#endif
