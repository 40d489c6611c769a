/* Log pages of SCSI: SPC-5 7.3.2, "log parameter". */
#include "assay/decoder.h"

enum { HEADER_LEN = 4 };

bool log_parameter_next(const struct page *page, size_t *offset, struct log_parameter *parameter)
{
	struct bytes header = bytes_cut(page->data, *offset, HEADER_LEN);

	if (header.len < HEADER_LEN)
		return false;
	size_t len = HEADER_LEN + (size_t)bytes_u8(header, 3);
	struct bytes whole = bytes_cut(page->data, *offset, len);

	if (whole.len < len)
		return false;
	*parameter = (struct log_parameter) {
		.code = bytes_be16(whole, 0),
		.control = bytes_u8(whole, 2),
		.data = whole,
		.offset = page->offset + *offset,
	};
	*offset += len;
	return true;
}

bool log_parameter_find(const struct page *page, uint16_t code, struct log_parameter *parameter)
{
	size_t offset = HEADER_LEN;

	while (log_parameter_next(page, &offset, parameter))
		if (parameter->code == code)
			return true;
	return false;
}

bool log_parameter_uint(const struct log_parameter *parameter, uint64_t *value)
{
	struct bytes bytes = bytes_cut(parameter->data, HEADER_LEN, SIZE_MAX);

	while (bytes.len > 8 && bytes.at[0] == 0)
		bytes = bytes_cut(bytes, 1, SIZE_MAX);
	return bytes_be(bytes, 0, bytes.len, value);
}
