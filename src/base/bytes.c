#include "assay/bytes.h"

#include <string.h>

static bool fits(struct bytes bytes, size_t offset, size_t width)
{
	return bytes.at && width >= 1 && width <= 8 && offset <= bytes.len &&
		width <= bytes.len - offset;
}

bool bytes_be(struct bytes bytes, size_t offset, size_t width, uint64_t *value)
{
	uint64_t v = 0;

	if (!fits(bytes, offset, width))
		return false;
	for (size_t i = 0; i < width; i++)
		v = v << 8 | bytes.at[offset + i];
	*value = v;
	return true;
}

bool bytes_le(struct bytes bytes, size_t offset, size_t width, uint64_t *value)
{
	uint64_t v = 0;

	if (!fits(bytes, offset, width))
		return false;
	for (size_t i = width; i-- > 0;)
		v = v << 8 | bytes.at[offset + i];
	*value = v;
	return true;
}

static uint64_t be_or_0(struct bytes bytes, size_t offset, size_t width)
{
	uint64_t v = 0;

	bytes_be(bytes, offset, width, &v);
	return v;
}

static uint64_t le_or_0(struct bytes bytes, size_t offset, size_t width)
{
	uint64_t v = 0;

	bytes_le(bytes, offset, width, &v);
	return v;
}

uint8_t bytes_u8(struct bytes bytes, size_t offset)
{
	return (uint8_t)be_or_0(bytes, offset, 1);
}

uint16_t bytes_be16(struct bytes bytes, size_t offset)
{
	return (uint16_t)be_or_0(bytes, offset, 2);
}

uint32_t bytes_be32(struct bytes bytes, size_t offset)
{
	return (uint32_t)be_or_0(bytes, offset, 4);
}

uint64_t bytes_be64(struct bytes bytes, size_t offset)
{
	return be_or_0(bytes, offset, 8);
}

uint16_t bytes_le16(struct bytes bytes, size_t offset)
{
	return (uint16_t)le_or_0(bytes, offset, 2);
}

uint32_t bytes_le32(struct bytes bytes, size_t offset)
{
	return (uint32_t)le_or_0(bytes, offset, 4);
}

uint64_t bytes_le48(struct bytes bytes, size_t offset)
{
	return le_or_0(bytes, offset, 6);
}

uint64_t bytes_le64(struct bytes bytes, size_t offset)
{
	return le_or_0(bytes, offset, 8);
}

void bytes_put_be(uint8_t *at, size_t width, uint64_t value)
{
	for (size_t i = width; i-- > 0; value >>= 8)
		at[i] = (uint8_t)value;
}

void bytes_put_ata_text(uint8_t *at, size_t len, const char *text)
{
	size_t used = strlen(text);

	for (size_t i = 0; i < len; i++)
		at[i ^ 1] = i < used ? (uint8_t)text[i] : ' ';
}

struct bytes bytes_cut(struct bytes bytes, size_t offset, size_t len)
{
	if (!bytes.at || offset > bytes.len)
		return (struct bytes) { 0 };
	if (len > bytes.len - offset)
		len = bytes.len - offset;
	return (struct bytes) { bytes.at + offset, len };
}

bool bytes_all(struct bytes bytes, uint8_t value)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes.at[i] != value)
			return false;
	return bytes.len > 0;
}

uint8_t bytes_sum(struct bytes bytes)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < bytes.len; i++)
		sum = (uint8_t)(sum + bytes.at[i]);
	return sum;
}

static char printable(uint8_t byte)
{
	if (byte == 0)
		return ' ';
	return byte >= 0x20 && byte < 0x7f ? (char)byte : '?';
}

size_t bytes_text(struct bytes bytes, bool swapped, char *text, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < bytes.len && len + 1 < size; i++) {
		/* An odd last byte has no partner: it stays where it is. */
		size_t at = swapped && (i ^ 1) < bytes.len ? i ^ 1 : i;
		char c = printable(bytes.at[at]);

		if (c != ' ' || len > 0)
			text[len++] = c;
	}
	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (size)
		text[len] = '\0';
	return len;
}
