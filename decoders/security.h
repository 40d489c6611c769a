/*
 * Private to the security decoder.
 */
#ifndef ASSAY_DECODERS_SECURITY_H
#define ASSAY_DECODERS_SECURITY_H

#include "assay/decoder.h"

/* What SECURITY PROTOCOL IN tells: protocols, TCG level 0 discovery, FIPS. */
void security_protocols_decode(const struct capture *capture, struct facts *facts);

#endif
