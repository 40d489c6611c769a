/* Headers of responses: SPC-5 6 (INQUIRY, MODE SENSE, ...), 7.3, 7.5, 7.7. */
#include "assay/capture.h"

/* A layout; code_at -1: the header does not repeat the page code. */
struct header {
	uint8_t length_at, length_width;
	uint8_t before; /* bytes that the length does not count */
	int8_t code_at;
	uint8_t code_mask;
};

static const struct header *header_of_vpd(uint8_t page)
{
	static const struct header vpd = { 2, 2, 4, 1, 0xff };
	/* Pages 00h and 80h began with an 8-bit length; byte 2 may hold junk. */
	static const struct header short_vpd = { 3, 1, 4, 1, 0xff };

	return page == 0x00 || page == 0x80 ? &short_vpd : &vpd;
}

static const struct header *header_of_mode(uint8_t opcode)
{
	enum { MODE_SENSE_10 = 0x5a };
	static const struct header mode_6 = { 0, 1, 1, -1, 0 }, mode_10 = { 0, 2, 2, -1, 0 };

	return opcode == MODE_SENSE_10 ? &mode_10 : &mode_6;
}

/* The list of protocols and what conforms to which standard; level 0 discovery
 * of TCG. Other protocols have layouts of their own. */
static const struct header *header_of_security(uint8_t protocol, uint16_t specific)
{
	enum { INFORMATION = 0, LIST = 0, COMPLIANCE = 2, TCG = 1, LEVEL_0_DISCOVERY = 1 };
	static const struct header list = { 6, 2, 8, -1, 0 }, other = { 0, 4, 4, -1, 0 };

	if (protocol == INFORMATION && specific == LIST)
		return &list;
	if ((protocol == INFORMATION && specific == COMPLIANCE) ||
		(protocol == TCG && specific == LEVEL_0_DISCOVERY))
		return &other;
	return NULL;
}

static const struct header *header_of(const struct record *record)
{
	static const struct header inquiry = { 4, 1, 5, -1, 0 };
	static const struct header log = { 2, 2, 4, 0, 0x3f };
	static const struct header diagnostic = { 2, 2, 4, 0, 0xff };
	static const struct header codes = { 0, 4, 4, -1, 0 };
	struct page_id id = record->page;

	switch (id.kind) {
	case PAGE_INQUIRY:
		return &inquiry;
	case PAGE_VPD:
		return header_of_vpd(id.page);
	case PAGE_LOG:
		return &log;
	case PAGE_MODE:
		return header_of_mode(record->cdb[0]);
	case PAGE_DIAGNOSTIC:
		return &diagnostic;
	case PAGE_OPERATION_CODES:
		return &codes;
	case PAGE_SECURITY:
		return header_of_security(id.page, id.sub);
	default:
		return NULL;
	}
}

enum header_state record_header(const struct record *record, size_t *length)
{
	const struct header *header = header_of(record);
	uint64_t counted;

	*length = record->data.len;
	if (!header)
		return HEADER_NONE;
	if (!bytes_be(record->data, header->length_at, header->length_width, &counted))
		return HEADER_SHORT;
	if (header->code_at >= 0 &&
		(bytes_u8(record->data, (size_t)header->code_at) & header->code_mask) !=
			record->page.page)
		return HEADER_OTHER_PAGE;
	*length = (size_t)counted + header->before;
	return HEADER_GOOD;
}
