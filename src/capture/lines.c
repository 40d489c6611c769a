#include "capture/lines.h"

#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"

struct lines lines_of(struct bytes text)
{
	static const uint8_t mark[] = { 0xef, 0xbb, 0xbf };
	struct bytes start = bytes_cut(text, 0, sizeof(mark));
	struct lines lines = { .rest = { (const char *)text.at, text.len } };

	if (start.len == sizeof(mark) && !memcmp(start.at, mark, sizeof(mark)))
		lines.rest = (struct span) { lines.rest.at + sizeof(mark),
			text.len - sizeof(mark) };
	return lines;
}

bool line_next(struct lines *lines, struct span *line)
{
	struct span rest = lines->rest;

	if (rest.len == 0)
		return false;
	const char *end = memchr(rest.at, '\n', rest.len);
	size_t len = end ? (size_t)(end - rest.at) : rest.len;
	size_t taken = end ? len + 1 : len;

	lines->rest = (struct span) { rest.at + taken, rest.len - taken };
	lines->number++;
	if (len > 0 && rest.at[len - 1] == '\r')
		len--;
	*line = (struct span) { rest.at, len };
	return true;
}

/* What a character is to a reader: a capture is read a byte at a time. */
enum { BLANK = 1 << 0, SEPARATES = 1 << 1, NO_TEXT = 1 << 2 };

static const uint8_t classes[256] = {
	[0x00 ... 0x08] = NO_TEXT,
	['\t'] = BLANK | SEPARATES,
	['\v' ... '\r'] = BLANK | SEPARATES,
	[0x0e ... 0x1f] = NO_TEXT,
	[' '] = BLANK | SEPARATES,
	[','] = SEPARATES,
	[0x7f] = NO_TEXT,
};

static bool is_blank(char c)
{
	return classes[(uint8_t)c] & BLANK;
}

static bool separates(char c)
{
	return classes[(uint8_t)c] & SEPARATES;
}

bool word_next(struct span *line, struct span *word)
{
	size_t start = 0, end;

	while (start < line->len && separates(line->at[start]))
		start++;
	for (end = start; end < line->len && !separates(line->at[end]);)
		end++;
	if (start == end)
		return false;
	*word = (struct span) { line->at + start, end - start };
	*line = (struct span) { line->at + end, line->len - end };
	return true;
}

struct span comment_cut(struct span line, struct span *comment)
{
	const char *mark = line.len ? memchr(line.at, '#', line.len) : NULL;
	size_t len = mark ? (size_t)(mark - line.at) : line.len;

	if (comment)
		*comment = mark ? (struct span) { mark + 1, line.len - len - 1 }
				: (struct span) { 0 };
	return (struct span) { line.at, len };
}

struct span span_trim(struct span span)
{
	while (span.len > 0 && is_blank(span.at[0])) {
		span.at++;
		span.len--;
	}
	while (span.len > 0 && is_blank(span.at[span.len - 1]))
		span.len--;
	return span;
}

bool span_is(struct span span, const char *text)
{
	return span.len == strlen(text) && !memcmp(span.at, text, span.len);
}

struct excerpt excerpt_of(struct span span)
{
	enum { SHOWN = 24 };
	struct excerpt excerpt = { "" };
	size_t len = 0;

	while (len < span.len && len < SHOWN) {
		char c = span.at[len];

		excerpt.text[len++] = c >= 0x20 && c < 0x7f ? c : '?';
	}
	if (span.len > SHOWN)
		memcpy(excerpt.text + len, "...", 4);
	return excerpt;
}

bool is_text(struct bytes bytes)
{
	unsigned all = 0;

	for (size_t i = 0; i < bytes.len; i++)
		all |= classes[bytes.at[i]];
	return !(all & NO_TEXT);
}

static void buffer_reserve(struct buffer *buffer, size_t len)
{
	while (buffer->room - buffer->len < len) {
		buffer->at = array_grow(buffer->at, buffer->room, 1);
		buffer->room = buffer->room ? buffer->room * 2 : 1;
	}
}

void buffer_add(struct buffer *buffer, uint8_t byte)
{
	buffer_reserve(buffer, 1);
	buffer->at[buffer->len++] = byte;
}

void buffer_append(struct buffer *buffer, const uint8_t *at, size_t len)
{
	buffer_reserve(buffer, len);
	if (len)
		memcpy(buffer->at + buffer->len, at, len);
	buffer->len += len;
}

void buffer_deinit(struct buffer *buffer)
{
	free(buffer->at);
	*buffer = (struct buffer) { 0 };
}

struct bytes buffer_bytes(const struct buffer *buffer)
{
	static const uint8_t nothing;

	return (struct bytes) { buffer->at ? buffer->at : &nothing, buffer->len };
}

/* -1: none. */
static int digit_of(char c)
{
	static const uint8_t digits_above[256] = { ['0'] = 1,
		['1'] = 2,
		['2'] = 3,
		['3'] = 4,
		['4'] = 5,
		['5'] = 6,
		['6'] = 7,
		['7'] = 8,
		['8'] = 9,
		['9'] = 10,
		['a'] = 11,
		['b'] = 12,
		['c'] = 13,
		['d'] = 14,
		['e'] = 15,
		['f'] = 16,
		['A'] = 11,
		['B'] = 12,
		['C'] = 13,
		['D'] = 14,
		['E'] = 15,
		['F'] = 16 };

	return digits_above[(uint8_t)c] - 1;
}

static struct span without_prefix(struct span word)
{
	if (word.len > 2 && word.at[0] == '0' && (word.at[1] == 'x' || word.at[1] == 'X'))
		return (struct span) { word.at + 2, word.len - 2 };
	return word;
}

bool is_hex(struct span word)
{
	word = without_prefix(word);
	for (size_t i = 0; i < word.len; i++)
		if (digit_of(word.at[i]) < 0)
			return false;
	return word.len > 0;
}

/* As nearly all of them are. */
static bool hex_byte(struct span word, uint8_t *byte)
{
	int high = word.len == 2 ? digit_of(word.at[0]) : -1;
	int low = high >= 0 ? digit_of(word.at[1]) : -1;

	*byte = (uint8_t)(high * 16 + low);
	return low >= 0;
}

bool hex_word(struct span word, struct buffer *buffer)
{
	uint8_t byte;

	if (hex_byte(word, &byte)) {
		buffer_add(buffer, byte);
		return true;
	}
	word = without_prefix(word);
	if (!is_hex(word) || (word.len > 2 && word.len % 2))
		return false;
	if (word.len == 1)
		buffer_add(buffer, (uint8_t)digit_of(word.at[0]));
	for (size_t i = 0; i + 1 < word.len; i += 2)
		buffer_add(buffer, (uint8_t)(digit_of(word.at[i]) * 16 + digit_of(word.at[i + 1])));
	return true;
}
