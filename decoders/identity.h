/*
 * Private to the identity decoder.
 */
#ifndef ASSAY_DECODERS_IDENTITY_H
#define ASSAY_DECODERS_IDENTITY_H

#include "assay/decoder.h"

/* The maker that the first letters of an ATA model number tell: static, or NULL
 * where they do not. *start is then what they were found by. */
const char *vendor_of_model(const char *model, const char **start);

/* Which standards an ATA device claims (IDENTIFY words 80, 81, 222). */
void standards_decode(const struct page *identify, struct facts *facts);

/* All designators of VPD page 83h as rows, and of them identity.wwn and
 * identity.transport. */
void designators_decode(const struct capture *capture, struct facts *facts);
extern const struct table table_designators;

#endif
