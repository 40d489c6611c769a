/* The units of each dimension. */
#ifndef ASSAY_SPEC_UNIT_H
#define ASSAY_SPEC_UNIT_H

#include "assay/quantity.h"

struct unit_word {
	enum dimension dimension;
	const char *word;
	double factor;  /* to the base unit */
	uint64_t exact; /* the same where it is a whole number and the base unit counts; else 0 */
};

/* The word of that dimension: NULL where it is none. Case is heeded only where
 * there is no other way to tell (m and M). */
const struct unit_word *unit_find(enum dimension dimension, const char *word, size_t len);

#endif
