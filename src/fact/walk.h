/*
 * Between the walkers of src/fact: not for other folders.
 */
#ifndef ASSAY_FACT_WALK_H
#define ASSAY_FACT_WALK_H

#include "assay/decoder.h"

/* The mode page out of whichever good MODE SENSE answer holds it whole. */
bool mode_page_get(const struct capture *capture, struct page_id id, struct page *page);

/* The IDENTIFY DEVICE data: of the pass-through, else of VPD page 89h. id tells which. */
struct page identify_get(const struct capture *capture);

#endif
