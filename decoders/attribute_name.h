/*
 * Private to the decoders: what the names of a drive database mean.
 */
#ifndef ASSAY_DECODERS_ATTRIBUTE_NAME_H
#define ASSAY_DECODERS_ATTRIBUTE_NAME_H

#include "family.h"

/* What an attribute of that name counts, as far as the words of the name say it
 * without doubt: "Host_Writes_32MiB" is what the host wrote, in units of 32 MiB.
 * "GB" is no unit, since drives whose counters have it in their name count 2^30
 * bytes. MEANING_NONE where it does not say. */
struct family_attribute attribute_of_name(uint8_t id, struct bytes name);

#endif
