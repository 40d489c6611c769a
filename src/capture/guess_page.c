/*
 * Which SCSI answer is it? SPC-5: 6.6 (INQUIRY), 7.7 (VPD), 7.3 (log), 7.5
 * (mode), 4.5 (sense); SBC-4 5.21 (READ CAPACITY). Certain only.
 */
#include "capture/importing.h"

#include <string.h>

enum { QUALIFIER_MASK = 0xc0, DEVICE_TYPE_MASK = 0x1f };

static bool is_printable(struct bytes bytes)
{
	for (size_t i = 0; i < bytes.len; i++)
		if (bytes_u8(bytes, i) < 0x20 || bytes_u8(bytes, i) >= 0x7f)
			return false;
	return bytes.len > 0;
}

/* Codes in rising order, as lists of supported pages are. width: of one entry. */
static bool is_rising(struct bytes list, size_t width)
{
	uint64_t last = 0, code;

	if (list.len % width)
		return false;
	for (size_t at = 0; bytes_be(list, at, width, &code); at += width) {
		if (at > 0 && code <= last)
			return false;
		last = code;
	}
	return list.len > 0;
}

/* Connected or not, of a device type that SPC-5 knows. */
static bool is_peripheral(uint8_t byte)
{
	static const uint32_t known = 1u << 0x00 | 1u << 0x01 | 1u << 0x03 | 1u << 0x04 |
		1u << 0x05 | 1u << 0x07 | 1u << 0x08 | 1u << 0x0c | 1u << 0x0d | 1u << 0x0e |
		1u << 0x11 | 1u << 0x14 | 1u << 0x1e;

	return !(byte & QUALIFIER_MASK) && (known >> (byte & DEVICE_TYPE_MASK) & 1);
}

static size_t inquiry_len(struct bytes bytes)
{
	enum { LEAST = 36 };
	size_t len = bytes_u8(bytes, 4) + (size_t)5;
	uint8_t version = bytes_u8(bytes, 2);
	bool known_version = version <= 7 || version == 0x0d || version == 0x0e;

	if (bytes.len < LEAST || len < LEAST || !is_peripheral(bytes_u8(bytes, 0)) ||
		(bytes_u8(bytes, 1) & 0x0f) || !known_version || (bytes_u8(bytes, 3) & 0x0f) != 2)
		return 0;
	if (!is_printable(bytes_cut(bytes, 8, LEAST - 8)) ||
		bytes_all(bytes_cut(bytes, 16, 16), ' '))
		return 0;
	return len < bytes.len ? len : bytes.len;
}

/* Header and PAGE LENGTH of a VPD or log page: 0 where more is missing than
 * the page could lose. */
static size_t page_len(struct bytes bytes)
{
	size_t len = bytes_be16(bytes, 2) + (size_t)4;

	return bytes.len > 4 && len > 4 && len <= bytes.len ? len : 0;
}

static size_t vpd_len(struct bytes bytes)
{
	size_t len = page_len(bytes);
	uint8_t code = bytes_u8(bytes, 1);
	struct bytes list = bytes_cut(bytes, 4, len ? len - 4 : 0);

	if (!len || !is_peripheral(bytes_u8(bytes, 0)))
		return 0;
	if (code != 0x00) /* 01h to 7Fh are obsolete texts */
		return code >= 0x80 ? len : 0;
	/* SUPPORTED VPD PAGES: a log page's list has no code above 3Fh. */
	bool listed = is_rising(list, 1) && bytes_u8(list, 0) == 0 &&
		(memchr(list.at, 0x80, list.len) || memchr(list.at, 0x83, list.len));
	return listed ? len : 0;
}

/* Parameters that fill the page exactly, each with a value and a higher code. */
static bool are_parameters(struct bytes bytes)
{
	size_t at = 0;
	int last = -1;

	while (at < bytes.len) {
		struct bytes parameter = bytes_cut(bytes, at, 4);
		uint8_t len = bytes_u8(parameter, 3);

		if (parameter.len < 4 || len == 0 || len > bytes.len - at - 4 ||
			bytes_be16(parameter, 0) <= last)
			return false;
		last = bytes_be16(parameter, 0);
		at += 4 + (size_t)len;
	}
	return last >= 0;
}

static bool is_log_list(struct bytes list)
{
	return is_rising(list, 1) && list.len >= 2 && bytes_u8(list, 0) == 0 &&
		bytes_u8(list, list.len - 1) <= 0x3f;
}

static size_t log_len(struct bytes bytes)
{
	enum { SPF = 0x40, ALL = 0xff };
	size_t len = page_len(bytes);
	uint8_t first = bytes_u8(bytes, 0), page = first & 0x3f, sub = bytes_u8(bytes, 1);
	struct bytes content = bytes_cut(bytes, 4, len ? len - 4 : 0);

	if (!len || (first & SPF ? sub == 0 : sub != 0))
		return 0;
	if (page == 0 && sub == 0)
		return is_log_list(content) ? len : 0;
	if (sub == ALL)
		return is_rising(content, 2) && (page || !bytes_be16(content, 0)) ? len : 0;
	return page && are_parameters(content) ? len : 0;
}

size_t guess_answer(struct bytes bytes, struct page_id *id)
{
	enum { CUMULATIVE = 1 };
	uint8_t first = bytes_u8(bytes, 0), second = bytes_u8(bytes, 1);
	size_t len = inquiry_len(bytes);

	if (len) {
		*id = (struct page_id) { .kind = PAGE_INQUIRY };
		return len;
	}
	len = vpd_len(bytes);
	if (len) {
		*id = (struct page_id) { .kind = PAGE_VPD, .page = second };
		return len;
	}
	len = log_len(bytes);
	*id = (struct page_id) {
		.kind = PAGE_LOG, .page = first & 0x3f, .sub = second, .control = CUMULATIVE
	};
	return len;
}

static bool are_descriptors(struct bytes bytes)
{
	size_t at = 0;

	while (at < bytes.len) {
		size_t len = bytes_u8(bytes, at + 1) + (size_t)2;

		if (bytes.len - at < 2 || len > bytes.len - at)
			return false;
		at += len;
	}
	return true;
}

bool guess_sense(struct bytes bytes)
{
	enum { HEADER = 8, LEAST_FIXED = 18 };
	uint8_t code = bytes_u8(bytes, 0);

	if (bytes.len < HEADER || bytes.len != bytes_u8(bytes, 7) + (size_t)HEADER)
		return false;
	if (code == 0x72 || code == 0x73)
		return !(bytes_u8(bytes, 1) & 0xf0) &&
			are_descriptors(bytes_cut(bytes, HEADER, SIZE_MAX));
	code &= 0x7f;
	return (code == 0x70 || code == 0x71) && bytes.len >= LEAST_FIXED;
}

bool guess_capacity(struct bytes bytes)
{
	uint32_t block = bytes_be32(bytes, 8);

	return bytes.len == 32 && bytes_be64(bytes, 0) != 0 && block >= 512 && block <= 65536 &&
		block % 8 == 0 && bytes_all(bytes_cut(bytes, 16, 16), 0);
}

/* Mode pages that fill the bytes exactly. */
static enum mode_shape are_mode_pages(struct bytes bytes, enum mode_shape shape)
{
	bool seen[64] = { false };
	size_t at = 0, len;

	for (; at < bytes.len; at += len) {
		uint8_t first = bytes_u8(bytes, at);
		bool subpage = first & 0x40;

		len = subpage ? bytes_be16(bytes, at + 2) + (size_t)4
			      : bytes_u8(bytes, at + 1) + (size_t)2;
		if (len > bytes.len - at || len < 4)
			return MODE_NONE;
		if (!subpage && seen[first & 0x3f])
			return MODE_REPEATED;
		if (!subpage)
			seen[first & 0x3f] = true;
	}
	return at > 0 ? shape : MODE_NONE;
}

enum mode_shape guess_mode(struct bytes bytes)
{
	if (bytes.len < 4)
		return MODE_NONE;
	if (bytes.len >= 8 && bytes_be16(bytes, 0) + (size_t)2 == bytes.len)
		return are_mode_pages(
			bytes_cut(bytes, 8 + (size_t)bytes_be16(bytes, 6), SIZE_MAX), MODE_10);
	if (bytes_u8(bytes, 0) + (size_t)1 == bytes.len)
		return are_mode_pages(
			bytes_cut(bytes, 4 + (size_t)bytes_u8(bytes, 3), SIZE_MAX), MODE_6);
	return MODE_NONE;
}
