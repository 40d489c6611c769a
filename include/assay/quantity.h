/*
 * Quantities as datasheets print them: "450 MB/s", "0..70 C", "<= 5.2 W",
 * "512, 520 bytes", "unlimited". Units are converted once, here, to the base
 * unit of a dimension; the printed text stays with the claim.
 */
#ifndef ASSAY_QUANTITY_H
#define ASSAY_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dimension {
	DIMENSION_TEXT,
	DIMENSION_FLAG,
	DIMENSION_COUNT, /* no unit */
	DIMENSION_BYTES,
	DIMENSION_BYTES_PER_SECOND,
	DIMENSION_BYTES_PER_YEAR,
	DIMENSION_IOPS,
	DIMENSION_IOPS_PER_WATT,
	DIMENSION_GBPS, /* Gbit/s */
	DIMENSION_HOURS,
	DIMENSION_YEARS,
	DIMENSION_MICROSECONDS,
	DIMENSION_DWPD,
	DIMENSION_CELSIUS,
	DIMENSION_MILLIWATTS,
	DIMENSION_VOLTS,
	DIMENSION_RPM,
	DIMENSION_PERCENT,
	DIMENSION_PROBABILITY, /* of an unrecoverable error, per bit read */
	DIMENSION_MILLIMETRES,
	DIMENSION_GRAMS,
	DIMENSION_GRAVITIES, /* acceleration, in units of that of gravity */
	DIMENSION_METRES,
	DIMENSION_END,
};

/* "bytes", "IOPS", ...; "" where there is none. */
const char *dimension_unit(enum dimension dimension);
/* The units that may be written, for messages: "B kB MB GB TB PB KiB MiB ...". This
 * and quantity_human() write at most size bytes and return text. */
const char *dimension_units(enum dimension dimension, char *text, size_t size);

/* A number in base units. Where the base unit is a count of something, exact
 * holds it without loss (2^53 is not enough for bytes written). */
struct number {
	double value;
	uint64_t exact;
	bool is_exact;
};

enum operator{
	OPERATOR_NONE, /* a plain value: what it means is the key's default */
	OPERATOR_EQUAL,
	OPERATOR_AT_LEAST,
	OPERATOR_AT_MOST,
	OPERATOR_ABOUT,
	OPERATOR_RANGE,  /* low to high */
	OPERATOR_ONE_OF, /* a list */
	OPERATOR_UNLIMITED,
};

enum { QUANTITY_LIST_MAX = 16 };

struct quantity {
	enum operator op;
	struct number low, high;   /* high: of a range only */
	const struct number *list; /* of OPERATOR_ONE_OF; in the caller's room */
	uint8_t list_count;
	bool suspicious; /* read in spite of its notation: "1E10-17", 万 */
};

/* Room for the numbers of a list, and for a message about what was expected. */
struct quantity_room {
	struct number list[QUANTITY_LIST_MAX];
	char message[256];
};

/* Reads a quantity. Returns NULL, or what was expected: room->message or static. */
const char *quantity_read(const char *text, enum dimension dimension, struct quantity *quantity,
	struct quantity_room *room);

/* A number in base units as people read it: "450 MB/s". */
const char *quantity_human(double value, enum dimension dimension, char *text, size_t size);

#endif
