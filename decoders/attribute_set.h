/*
 * Private to the decoders: all SMART attributes of a drive, with what is known of
 * each.
 */
#ifndef ASSAY_DECODERS_ATTRIBUTE_SET_H
#define ASSAY_DECODERS_ATTRIBUTE_SET_H

#include "drivedb.h"
#include "family.h"

enum { ATTRIBUTES_MAX = 30 };

struct known_attribute {
	struct attribute attribute;
	struct source source;          /* its raw value */
	const char *name;              /* NULL: not known */
	const char *named_by;          /* "family", "drivedb", "libatasmart"; NULL */
	struct family_attribute known; /* what it means */
	const char *known_by;          /* why: for people; NULL: it is the usual meaning */
	char order[RAW_ORDER_LEN + 1]; /* of its bytes */
	unsigned preference;           /* among those of one meaning: less is better */
};

struct attribute_set {
	struct page data, thresholds;
	char model[41], firmware[9];
	enum medium medium;
	const struct family *family;                  /* NULL: none */
	const char *drivedb_family;                   /* NULL: none */
	bool usual;                                   /* ids mean what they usually mean */
	bool heads;                                   /* it has heads and a spindle */
	size_t count;                                 /* 0: not captured, or no SMART data */
	struct known_attribute known[ATTRIBUTES_MAX]; /* in slot order */
};

/* All that SMART data, thresholds and identity tell; read once, since to look into
 * drivedb.h takes longer than all else. That there are no SMART data a note tells, as
 * it does of wrong checksums. Lives as long as the facts. */
struct attribute_set *attribute_set_get(const struct capture *capture, struct facts *facts);

/* Asks libatasmart for the names that nothing else told. */
void attribute_set_name(struct attribute_set *set, struct facts *facts);

/* The number in its raw bytes: those of its format, which may take in VALUE and
 * WORST. */
uint64_t attribute_number(const struct known_attribute *known);

/* The best attribute of a meaning: NULL where there is none. Steps on to the
 * next best where `after` is not NULL. */
const struct known_attribute *attribute_of_meaning(
	const struct attribute_set *set, enum meaning meaning, const struct known_attribute *after);

#endif
