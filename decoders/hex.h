/*
 * Private to the decoders: bytes as text.
 */
#ifndef ASSAY_DECODERS_HEX_H
#define ASSAY_DECODERS_HEX_H

#include "assay/fact.h"

/* "0a 1f ff", as long as the facts live; null for no bytes. More than `most`
 * bytes end with "...". */
struct value hex_value(struct facts *facts, struct bytes bytes, size_t most);

#endif
