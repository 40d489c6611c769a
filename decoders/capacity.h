/*
 * Private to the decoders: VPD page B4h; the parts of the topic capacity.
 */
#ifndef ASSAY_DECODERS_CAPACITY_H
#define ASSAY_DECODERS_CAPACITY_H

#include "assay/decoder.h"

/* One block length that a drive can be formatted to (SBC-4 6.6.9). */
struct block_length {
	uint32_t bytes;
	bool types[4]; /* protection types, 0 is none */
	bool interval; /* P_I_I_SUP */
	bool no_check, guard_check, application_check, reference_check;
	size_t offset; /* of the descriptor in the page */
};

/* Steps through VPD page B4h; *offset starts at 4. False at the end. */
bool block_length_next(const struct page *page, size_t *offset, struct block_length *length);

/* Formats and limits: rows of block_lengths, and what capacity tells of
 * clipping. Needs the facts of the sizes. */
void block_lengths_decode(const struct capture *capture, struct facts *facts);
void clipping_decode(const struct capture *capture, struct facts *facts);
/* Whether blocks are backed, and how many are left to be. */
void provisioning_decode(const struct capture *capture, struct facts *facts);
extern const struct table table_block_lengths;

#endif
