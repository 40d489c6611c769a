/*
 * Text in memory, for the readers of this folder: lines, words, hexadecimal
 * bytes. Nothing here is terminated by a zero byte.
 */
#ifndef ASSAY_CAPTURE_LINES_H
#define ASSAY_CAPTURE_LINES_H

#include "assay/bytes.h"

/* A piece of somebody else's text. */
struct span {
	const char *at;
	size_t len;
};

/* Where a reader of lines stands. number is that of the line given last, from 1. */
struct lines {
	struct span rest;
	size_t number;
};

/* From the first line; a byte order mark in front of it is skipped. */
struct lines lines_of(struct bytes text);
/* The next line without its end (LF or CR LF). False at the end. */
bool line_next(struct lines *lines, struct span *line);

/* The next word, cut off *line. Blanks, tabs and commas separate words. */
bool word_next(struct span *line, struct span *word);
/* Up to the first '#'; *comment, if not NULL, is what stands behind it, at NULL if there is none.
 */
struct span comment_cut(struct span line, struct span *comment);
/* Without blanks at both ends. */
struct span span_trim(struct span span);
bool span_is(struct span span, const char *text);
/* Up to 24 characters for a message, made printable. */
struct excerpt {
	char text[32];
};
struct excerpt excerpt_of(struct span span);

/* True where no byte is a control character that text does not have. */
bool is_text(struct bytes bytes);

/* Growing bytes on the heap. */
struct buffer {
	uint8_t *at;
	size_t len, room;
};
void buffer_add(struct buffer *buffer, uint8_t byte);
void buffer_append(struct buffer *buffer, const uint8_t *at, size_t len);
void buffer_deinit(struct buffer *buffer);
/* Its bytes as a view; at is never NULL, though len may be 0. */
struct bytes buffer_bytes(const struct buffer *buffer);

/* Hexadecimal digits, at least one, and nothing else but "0x" in front. */
bool is_hex(struct span word);

/* Adds the bytes of a hexadecimal word: one or two digits are a byte, an even
 * number of more digits is as many; "0x" may stand in front. False, and
 * nothing added, where it is no such word. */
bool hex_word(struct span word, struct buffer *buffer);

#endif
