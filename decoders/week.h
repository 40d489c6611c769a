/*
 * Private to the decoders: dates of the Start-Stop Cycle Counter log page.
 */
#ifndef ASSAY_DECODERS_WEEK_H
#define ASSAY_DECODERS_WEEK_H

#include "assay/decoder.h"

/* Adds the date of that parameter of log page 0Eh, as "2013-W45". */
void week_decode(
	const struct capture *capture, uint16_t parameter, const char *key, struct facts *facts);

#endif
