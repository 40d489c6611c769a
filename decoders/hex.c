#include "hex.h"

#include "assay/arena.h"

struct value hex_value(struct facts *facts, struct bytes bytes, size_t most)
{
	static const char digits[] = "0123456789abcdef";
	size_t len = bytes.len < most ? bytes.len : most, at = 0;

	if (!bytes.at || len == 0)
		return value_null();
	char *text = arena_alloc(facts->arena, 3 * len + sizeof("..."));

	for (size_t i = 0; i < len; i++) {
		text[at++] = digits[bytes.at[i] >> 4];
		text[at++] = digits[bytes.at[i] & 15];
		text[at++] = ' ';
	}
	if (len == bytes.len)
		at--;
	for (size_t i = 0; i < 3 && len < bytes.len; i++)
		text[at++] = '.';
	text[at] = '\0';
	return value_text(text);
}
