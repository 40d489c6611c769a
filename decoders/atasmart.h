/*
 * Private to the decoders: what libatasmart knows of attributes. It is fed our
 * bytes and asked for names and units only; its verdicts are not used.
 */
#ifndef ASSAY_DECODERS_ATASMART_H
#define ASSAY_DECODERS_ATASMART_H

#include "assay/arena.h"
#include "attribute_raw.h"

struct atasmart_answer {
	const char *name;       /* "reallocated-sector-count"; NULL: it knows none */
	enum raw_format format; /* where it is special on this model; else RAW_UNKNOWN */
};

/* Asks about count attributes (at most 30) of a drive; what the answers point to
 * is in the arena. */
void atasmart_ask(const char *model, const char *firmware, const struct attribute *attributes,
	size_t count, struct arena *arena, struct atasmart_answer *answers);

#endif
