#include "render/text_clean.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "assay/array.h"

/* Lengths of UTF-8 characters by their first byte, and the least code point
 * that may be written so (Unicode 15, table 3-7). C1 controls are not wanted. */
static const struct form {
	unsigned char mask, lead, len;
	uint32_t least;
} forms[] = {
	{ 0xe0, 0xc0, 2, 0xa0 },
	{ 0xf0, 0xe0, 3, 0x800 },
	{ 0xf8, 0xf0, 4, 0x10000 },
};

static bool is_valid(uint32_t point, const struct form *form)
{
	bool surrogate = point >= 0xd800 && point <= 0xdfff;

	return point >= form->least && point <= 0x10ffff && !surrogate;
}

static size_t long_character(const unsigned char *c, const struct form *form)
{
	uint32_t point = *c & (unsigned)~form->mask & 0xff;

	for (size_t i = 1; i < form->len; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (c[i] & 0x3f);
	}
	return is_valid(point, form) ? form->len : 0;
}

/* The length of the character at c; 0 where it is none or a control one. */
static size_t character(const unsigned char *c)
{
	if (*c < 0x80)
		return *c >= 0x20 && *c != 0x7f;
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if ((*c & forms[i].mask) == forms[i].lead)
			return long_character(c, &forms[i]);
	return 0;
}

const char *text_clean(const char *text, char *clean, size_t size)
{
	const unsigned char *from = (const unsigned char *)text;
	size_t at = 0;

	while (*from) {
		size_t len = character(from);
		size_t step = len ? len : 1;

		if (at + step >= size)
			break;
		if (len)
			memcpy(clean + at, from, len);
		else
			clean[at] = '?';
		at += step;
		from += step;
	}
	clean[at] = '\0';
	return clean;
}

size_t text_columns(const char *text)
{
	size_t columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}
