/*
 * Private to the decoders: what the attributes of families of drives mean, as far
 * as it is confirmed: by the maker's documents, or by the device statistics of
 * many drives.
 */
#ifndef ASSAY_DECODERS_FAMILY_H
#define ASSAY_DECODERS_FAMILY_H

#include "attribute_raw.h"

/* The units in which drives count data. */
enum {
	UNIT_SECTOR = 512,
	UNIT_16_KIB = 16 << 10,
	UNIT_MIB = 1 << 20,
	UNIT_32_MIB = 32 << 20,
	UNIT_64_MIB = 64 << 20,
	UNIT_GB = 1000000000,
	UNIT_GIB = 1 << 30,
};

enum meaning {
	MEANING_NONE,
	MEANING_HOST_WRITTEN, /* the raw value counts unit_bytes; 0: the unit is not known */
	MEANING_HOST_READ,
	MEANING_NAND_WRITTEN,
	MEANING_HOST_PAGES,       /* pages of unit_bytes that were programmed for the host */
	MEANING_BACKGROUND_PAGES, /* ... and for the drive's own ends */
	MEANING_USED,             /* see enum encoding */
	MEANING_SPARE,            /* VALUE is the percentage of spare blocks that are left */
	MEANING_HOURS,
	MEANING_POWER_CYCLES,
	MEANING_START_STOPS,
	MEANING_LOAD_CYCLES,
	MEANING_TEMPERATURE,
	MEANING_CASE_TEMPERATURE, /* of a second sensor, or since power-on */
	MEANING_THROTTLES,        /* see enum encoding */
	MEANING_REALLOCATED,
	MEANING_PENDING,
	MEANING_UNCORRECTED,
	MEANING_OFFLINE_UNCORRECTED,
	MEANING_CRC,
	MEANING_UNSAFE_SHUTDOWNS,
	MEANING_CAPACITOR, /* see enum encoding */
};

enum encoding {
	ENCODING_RAW, /* the raw value itself */
	/* of MEANING_USED */
	ENCODING_VALUE_LEFT,        /* VALUE is the percentage that is left */
	ENCODING_VALUE_LEFT_OF_200, /* VALUE begins at 200 and falls by one a percent */
	ENCODING_RAW_LEFT,          /* the raw value is it, 1 to 100 */
	ENCODING_RAW_LEFT_100TH,    /* in hundredths of a percent */
	ENCODING_RAW_USED_256TH,    /* the low word is the used percentage, in 256ths */
	ENCODING_NAMED_LEFT,        /* one of VALUE and raw, as they tell between them */
	ENCODING_NAMED_USED,
	/* of MEANING_THROTTLES */
	ENCODING_ABOVE_BYTE, /* the count is above the low byte */
	/* of MEANING_CAPACITOR */
	ENCODING_VALUE_GOOD, /* VALUE 100: passed; at or below the threshold: failed */
	ENCODING_RAW_0_GOOD,
	/* of MEANING_HOURS */
	ENCODING_TOSHIBA, /* VALUE falls from 100 by one each 400 hours: tells the unit */
};

struct family_attribute {
	uint64_t unit_bytes;
	/* Where the usual one would mislead; else NULL. Amounts of data have the one
	 * that family_amount_name() makes. */
	const char *name;
	enum meaning meaning;
	enum encoding encoding;
	enum raw_format format;
	uint8_t id;
};

struct family {
	const char *name;
	const char *model, *firmware; /* patterns; NULL: any */
	/* Of several with one meaning the first that can be read counts. */
	const struct family_attribute *attributes;
	size_t attribute_count;
	bool strange; /* an id that is not listed has not its usual meaning */
};

extern const struct family families[];
extern const size_t family_count;

/* The first family that matches, or NULL. */
const struct family *family_find(const char *model, const char *firmware);

/* What an id means in the family: NULL where it is not listed. */
const struct family_attribute *family_attribute(const struct family *family, uint8_t id);

/* "Host_Writes_32MiB" for an amount of data whose unit is known: static; else NULL. */
const char *family_amount_name(const struct family_attribute *attribute);

#endif
