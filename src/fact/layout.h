/*
 * Between the field and the layout engine of src/fact: not for other folders.
 */
#ifndef ASSAY_FACT_LAYOUT_H
#define ASSAY_FACT_LAYOUT_H

#include "assay/decoder.h"

/* True where all of them hold in the page's bytes; true for NULL. */
bool conditions_hold(const struct condition *when, struct page_id id, struct bytes bytes);

#endif
