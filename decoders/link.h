/*
 * Private to the link decoder.
 */
#ifndef ASSAY_DECODERS_LINK_H
#define ASSAY_DECODERS_LINK_H

#include "assay/decoder.h"

/* Rows of phys, from log page 18h and mode page 19h/01h, and of them
 * link.now_gbps, .max_gbps and .port_count. */
void phys_decode(const struct capture *capture, struct facts *facts);
extern const struct table table_phys;

/* Rows of phy_event_counters, from ATA log 11h. */
void phy_events_decode(const struct capture *capture, struct facts *facts);
extern const struct table table_phy_event_counters;

#endif
