/*
 * Private to the decoders: ATA logs that are rings of entries over one or more
 * pages, with the number of the newest in page 0.
 */
#ifndef ASSAY_DECODERS_ATA_RING_H
#define ASSAY_DECODERS_ATA_RING_H

#include "assay/decoder.h"

struct ata_ring {
	uint8_t log;
	enum page_kind route; /* by which it is defined: PAGE_ATA_LOG or PAGE_SMART_LOG */
	uint16_t index_at;    /* of the index in page 0: 1-based, 0 none */
	uint8_t index_width;
	uint8_t entries, entries_at, entry_len; /* of a page */
	bool one_page;                          /* whatever the log directory says */
};

/* A page of the log; data.at is NULL where it was not captured by that route. */
struct page ata_ring_page(
	const struct capture *capture, const struct ata_ring *ring, size_t number);

/* The index; false where page 0 is not there. */
bool ata_ring_index(const struct capture *capture, const struct ata_ring *ring, uint64_t *index);

/* How many entries all pages have room for: as many as the log directory says,
 * or were captured. */
size_t ata_ring_slots(const struct capture *capture, const struct ata_ring *ring);

/* An entry, by slot from 0: entry_len bytes at *at of *page. False where its page
 * was not captured. */
bool ata_ring_entry(const struct capture *capture, const struct ata_ring *ring, size_t slot,
	struct page *page, size_t *at);

#endif
