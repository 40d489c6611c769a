/* Leaves out of a sheet's text what its names do not need: parsing it would
 * take most of the time. Of text that is no JSON something arbitrary is left. */
#include <string.h>

#include "assay/array.h"
#include "spec/read.h"

static size_t string_end(const char *text, size_t len, size_t at)
{
	for (at++; at < len && text[at] != '"'; at++)
		at += text[at] == '\\';
	return at < len ? at + 1 : len;
}

static size_t value_end(const char *text, size_t len, size_t at)
{
	size_t depth = 0;

	while (at < len) {
		char letter = text[at];

		if (letter == '"') {
			at = string_end(text, len, at);
			continue;
		}
		at++;
		depth += letter == '{' || letter == '[';
		if ((letter == '}' || letter == ']') && --depth == 0)
			return at;
	}
	return len;
}

static bool is_left_out(const char *string, size_t len)
{
	static const char *const keys[] = { "\"claims\"", "\"sources\"", "\"notes\"" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (len == strlen(keys[i]) && !memcmp(string, keys[i], len))
			return true;
	return false;
}

size_t sheet_abridge(const char *text, size_t len, char *brief)
{
	size_t used = 0;

	for (size_t at = 0; at < len;) {
		size_t start = at;

		at = text[at] == '"' ? string_end(text, len, at) : at + 1;
		memcpy(brief + used, text + start, at - start);
		used += at - start;
		if (text[start] != '"' || !is_left_out(text + start, at - start))
			continue;
		size_t value = at;
		while (value < len && strchr(": \t\r\n", text[value]) && text[value])
			value++;
		if (value >= len || (text[value] != '{' && text[value] != '['))
			continue;
		brief[used++] = ':';
		brief[used++] = '0';
		at = value_end(text, len, value);
	}
	return used;
}
