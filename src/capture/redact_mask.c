#include "capture/redact.h"

#include <string.h>

enum { WWN_BYTES = 8, WWN_DIGITS = 16 };

/* What names its maker and not the drive: SPC-5 7.7.6.6, by NAA. */
uint64_t wwn_keep(uint64_t wwn)
{
	switch (wwn >> 60) {
	case 1: /* IEEE 48-bit */
		return 0xffffffffff000000;
	case 2: /* IEEE extended: 12 bits in front of the OUI are the maker's own */
		return 0xf000ffffff000000;
	case 5: /* IEEE registered */
	case 6: /* IEEE registered extended */
		return 0xfffffff000000000;
	}
	return 0xf000000000000000;
}

struct area area_of(struct bytes bytes)
{
	return (struct area) { (uint8_t *)bytes.at, bytes.at ? bytes.len : 0 };
}

struct area area_cut(struct area area, size_t offset, size_t len)
{
	struct bytes cut = bytes_cut(area_bytes(area), offset, len);

	return area_of(cut);
}

struct bytes area_bytes(struct area area)
{
	return (struct bytes) { area.at, area.len };
}

void place_visit(const struct visitor *visitor, enum secret secret, struct area area, size_t offset,
	size_t len)
{
	area = area_cut(area, offset, len);
	if (area.len > 0)
		visitor->visit(visitor->context, secret, area);
}

/* Where the i-th byte of a WWN stands. */
static size_t wwn_at(enum secret secret, size_t i)
{
	if (secret == SECRET_WWN_WORDS)
		return i ^ 1;
	return secret == SECRET_WWN_LITTLE ? WWN_BYTES - 1 - i : i;
}

/* EUI-64: 24 bits of OUI, then what is unique. One of 12 bytes has a directory
 * identifier behind it, one of 16 an extension in front (SPC-5 7.7.6.5). */
static size_t eui_at(struct area area)
{
	enum { EXTENDED = 16, EXTENSION = 8 };

	return area.len == EXTENDED ? EXTENSION : 0;
}

uint64_t secret_wwn(enum secret secret, struct area area)
{
	uint64_t wwn = 0;

	if (secret == SECRET_EUI)
		area = area_cut(area, eui_at(area), WWN_BYTES);
	if (area.len < WWN_BYTES)
		return 0;
	for (size_t i = 0; i < WWN_BYTES; i++)
		wwn = wwn << 8 | bytes_u8(area_bytes(area), wwn_at(secret, i));
	return wwn;
}

/* A longer one goes on with its extension; of a cut one nothing stays. */
static void mask_wwn(enum secret secret, struct area area)
{
	uint64_t kept = secret_wwn(secret, area);

	kept &= wwn_keep(kept);
	for (size_t i = 0; i < area.len && i < WWN_BYTES; i++) {
		size_t at = wwn_at(secret, i);

		if (at < area.len)
			area.at[at] = (uint8_t)(kept >> 8 * (WWN_BYTES - 1 - i));
	}
	for (size_t i = WWN_BYTES; i < area.len; i++)
		area.at[i] = 0;
}

static void fill(struct area area, uint8_t value)
{
	for (size_t i = 0; i < area.len; i++)
		area.at[i] = value;
}

static void mask_eui(struct area area)
{
	enum { OUI = 3, EUI = 8 };
	size_t start = eui_at(area);

	fill(area_cut(area, 0, start), 0);
	fill(area_cut(area, start + OUI, EUI - OUI), 0);
}

static void mask_text(struct area area, bool printable_only)
{
	for (size_t i = 0; i < area.len; i++) {
		uint8_t c = area.at[i];

		if (c != ' ' && c != 0 && (!printable_only || (c > 0x20 && c < 0x7f)))
			area.at[i] = '-';
	}
}

static int digit_of(uint8_t c)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)((at - digits) & 15) : -1;
}

static bool begins(struct area area, const char *prefix)
{
	size_t len = strlen(prefix);

	return area.len >= len && !memcmp(area.at, prefix, len);
}

static size_t digits_of(struct area area)
{
	size_t n = 0;

	while (n < area.len && digit_of(area.at[n]) >= 0)
		n++;
	return n;
}

uint64_t secret_name_wwn(struct area area)
{
	struct area number = area_cut(area, 4, WWN_DIGITS);
	uint64_t wwn = 0;

	if (!begins(area, "naa.") || digits_of(number) < WWN_DIGITS)
		return 0;
	for (size_t i = 0; i < WWN_DIGITS; i++)
		wwn = wwn << 4 | (unsigned)digit_of(number.at[i]);
	return wwn;
}

/* Hexadecimal digits become zero where keep has no bit. */
static void mask_digits(struct area area, uint64_t keep)
{
	size_t len = digits_of(area);

	for (size_t i = 0; i < len; i++)
		if (i >= WWN_DIGITS || !(keep >> 4 * (WWN_DIGITS - 1 - i) & 15))
			area.at[i] = '0';
}

/* SPC-5 7.7.6.11: what stands behind the maker's part. */
static void mask_name(struct area area)
{
	static const uint64_t eui_keep = 0xffffff0000000000;
	struct area rest = area_cut(area, 4, SIZE_MAX);
	const uint8_t *colon = area.len ? memchr(area.at, ':', area.len) : NULL;

	if (begins(area, "naa."))
		mask_digits(rest, rest.len ? wwn_keep((uint64_t)digit_of(rest.at[0]) << 60) : 0);
	else if (begins(area, "eui."))
		mask_digits(rest, eui_keep);
	else if (begins(area, "iqn.") && colon)
		mask_text(area_cut(area, (size_t)(colon + 1 - area.at), SIZE_MAX), false);
	else
		mask_text(rest, false);
}

void secret_mask(enum secret secret, struct area area)
{
	struct bytes bytes = area_bytes(area);

	/* All zeros or all ones: nothing is said. */
	if (bytes_all(bytes, 0) || bytes_all(bytes, 0xff))
		return;
	switch (secret) {
	case SECRET_SERIAL:
	case SECRET_ATA_SERIAL:
	case SECRET_TEXT:
		mask_text(area, false);
		break;
	case SECRET_PRINTABLE:
		mask_text(area, true);
		break;
	case SECRET_WWN:
	case SECRET_WWN_WORDS:
	case SECRET_WWN_LITTLE:
		mask_wwn(secret, area);
		break;
	case SECRET_EUI:
		mask_eui(area);
		break;
	case SECRET_NAME:
		mask_name(area);
		break;
	case SECRET_OPAQUE:
		fill(area, 0);
		break;
	}
}
