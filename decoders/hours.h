/*
 * Private to the decoders: hours of ATA and SCSI logs, of which only 16 bits are
 * kept.
 */
#ifndef ASSAY_DECODERS_HOURS_H
#define ASSAY_DECODERS_HOURS_H

#include "assay/decoder.h"

/* Fills the column estimated_power_on_hours of a table whose rows stand newest
 * first, from its column power_on_hours and the drive's hours now: each row gets
 * the latest hour that is possible. ATA counts modulo 65536. SCSI stops at
 * 65535, but there are drives that do not, which shows when a newer row has
 * fewer hours than an older one. Cells stay null where nothing can be said. */
void hours_estimate(struct facts *facts, const struct table *table);

#endif
