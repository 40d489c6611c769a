/* Designation descriptors of VPD pages: SPC-5 7.7.6. */
#include "assay/decoder.h"

bool designator_next(struct bytes list, size_t *offset, struct designator *designator)
{
	struct bytes header = bytes_cut(list, *offset, 4);

	if (header.len < 4)
		return false;
	size_t len = bytes_u8(header, 3);
	struct bytes data = bytes_cut(list, *offset + 4, len);

	if (data.len < len)
		return false;
	*designator = (struct designator) {
		.protocol = bytes_u8(header, 0) >> 4,
		.code_set = bytes_u8(header, 0) & 15,
		.protocol_valid = bytes_u8(header, 1) & 0x80,
		.association = bytes_u8(header, 1) >> 4 & 3,
		.type = bytes_u8(header, 1) & 15,
		.data = data,
		.offset = *offset + 4,
	};
	*offset += 4 + len;
	return true;
}
