#include "ata_ring.h"

struct page ata_ring_page(const struct capture *capture, const struct ata_ring *ring, size_t number)
{
	struct page page = { 0 };

	if (number <= UINT16_MAX)
		page = page_ata_log(capture, ring->log, (uint16_t)number);
	return page.id.kind == ring->route ? page : (struct page) { 0 };
}

bool ata_ring_index(const struct capture *capture, const struct ata_ring *ring, uint64_t *index)
{
	struct page page = ata_ring_page(capture, ring, 0);

	if (!bytes_le(page.data, ring->index_at, ring->index_width, index))
		return false;
	/* Some drives of before ACS-2 have it in the reserved byte before. */
	if (*index == 0 && ring->index_width > 1)
		*index = bytes_u8(page.data, ring->index_at - 1u);
	return true;
}

size_t ata_ring_slots(const struct capture *capture, const struct ata_ring *ring)
{
	struct page directory = page_ata_log(capture, 0, 0);
	size_t listed = bytes_le16(directory.data, (size_t)ring->log * 2);
	size_t pages = 1;

	if (ring->one_page)
		return ring->entries;
	if (directory.id.kind == ring->route && listed)
		pages = listed;
	while (ata_ring_page(capture, ring, pages).data.at)
		pages++;
	return pages * ring->entries;
}

bool ata_ring_entry(const struct capture *capture, const struct ata_ring *ring, size_t slot,
	struct page *page, size_t *at)
{
	*page = ata_ring_page(capture, ring, slot / ring->entries);
	*at = ring->entries_at + slot % ring->entries * ring->entry_len;
	return page->data.at;
}
