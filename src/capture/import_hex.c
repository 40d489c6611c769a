/*
 * Hexadecimal text of other tools: hdparm --Istdout, sg3_utils -H to -HHHH,
 * hexdump -C, xxd; and files whose comments "# CDB 12 00 ..." and "# SENSE
 * ..." say what was asked.
 */
#include "capture/importing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "capture/lines.h"

enum { SECTIONS_MAX = 4096, HEADINGS_MAX = 2, LINE_BYTES = 16, REPEAT_MAX = 1 << 14 };
enum { STATUS_CHECK_CONDITION = 0x02 };

/* Bytes that belong together. */
struct section {
	struct buffer cdb, sense, data;
	size_t words;     /* how many words they stood in */
	bool all_of_four; /* each word had four digits */
};

struct hex {
	struct section *sections;
	size_t count;
	struct lines lines;
	bool offsets;    /* each line begins with the offset of its first byte */
	bool repeating;  /* a line of "*": the one above, up to the next offset */
	size_t headings; /* in a row */
	char problem[128];
};

__attribute__((format(printf, 2, 3))) static bool fail(struct hex *hex, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(hex->problem, sizeof(hex->problem), format, args);
	va_end(args);
	return false;
}

static void hex_deinit(struct hex *hex)
{
	for (size_t i = 0; i < hex->count; i++) {
		buffer_deinit(&hex->sections[i].cdb);
		buffer_deinit(&hex->sections[i].sense);
		buffer_deinit(&hex->sections[i].data);
	}
	free(hex->sections);
}

static struct section *section_now(struct hex *hex)
{
	return &hex->sections[hex->count - 1];
}

/* A section without anything serves again. */
static bool section_begin(struct hex *hex)
{
	struct section *now = hex->count ? section_now(hex) : NULL;

	hex->repeating = false;
	if (now && !now->cdb.len && !now->data.len)
		return true;
	if (hex->count == SECTIONS_MAX)
		return fail(hex, "more than %d pages", SECTIONS_MAX);
	hex->sections = array_grow(hex->sections, hex->count, sizeof(*hex->sections));
	hex->sections[hex->count++].all_of_four = true;
	return true;
}

/* All words of a comment as bytes: false, and none added, where one is not. */
static bool hex_words(struct span words, struct buffer *buffer)
{
	struct span word;

	while (word_next(&words, &word))
		if (!hex_word(word, buffer)) {
			buffer_deinit(buffer);
			return false;
		}
	return buffer->len > 0;
}

static bool read_comment(struct hex *hex, struct span comment)
{
	struct span word;
	struct buffer bytes = { 0 };

	if (!word_next(&comment, &word))
		return true;
	if (span_is(word, "CDB") && hex_words(comment, &bytes) && bytes.len <= CDB_MAX) {
		if (!section_begin(hex)) {
			buffer_deinit(&bytes);
			return false;
		}
		section_now(hex)->cdb = bytes;
	} else if (span_is(word, "SENSE") && section_now(hex)->cdb.len &&
		!section_now(hex)->sense.len && hex_words(comment, &bytes) &&
		bytes.len <= SENSE_MAX) {
		section_now(hex)->sense = bytes;
	} else {
		buffer_deinit(&bytes);
	}
	return true;
}

static size_t blanks(struct span span)
{
	size_t n = 0;

	while (n < span.len && span.at[n] == ' ')
		n++;
	return n;
}

/* "00000010", "10:", or "10" with what follows wide apart. */
static bool offset_of(struct span word, struct span rest, size_t *offset)
{
	enum { MANY = 6, MOST = 8, GAP = 3 };
	bool colon = word.len > 1 && word.at[word.len - 1] == ':';
	struct span digits = { word.at, colon ? word.len - 1 : word.len };
	char text[MOST + 1];

	if (digits.len > MOST || !is_hex(digits) ||
		(!colon && digits.len < MANY && blanks(rest) < GAP))
		return false;
	snprintf(text, sizeof(text), "%.*s", (int)digits.len, digits.at);
	*offset = strtoul(text, NULL, 16);
	return true;
}

/* Copies the last line until the data reach the offset. */
static bool repeat_to(struct section *section, size_t offset)
{
	struct buffer *data = &section->data;

	if (data->len < LINE_BYTES || offset < data->len || offset > REPEAT_MAX)
		return false;
	while (data->len < offset)
		buffer_add(data, data->at[data->len - LINE_BYTES]);
	return true;
}

/* Takes the offset off the line: false where it is not the right one. */
static bool read_offset(struct hex *hex, struct span *line)
{
	struct span rest = *line, word;
	size_t offset;

	if (!word_next(&rest, &word) || !offset_of(word, rest, &offset))
		return false;
	*line = rest;
	if (hex->repeating && !repeat_to(section_now(hex), offset))
		return false;
	hex->repeating = false;
	if (offset == 0 && section_now(hex)->data.len > 0 && !section_begin(hex))
		return false;
	return offset == section_now(hex)->data.len;
}

/* Where the bytes end and the same as ASCII begins. */
static bool ends_bytes(const struct hex *hex, struct span rest, size_t line_bytes)
{
	enum { GAP = 3 };
	size_t gap = blanks(rest);

	return hex->offsets &&
		(line_bytes >= LINE_BYTES || (line_bytes > 0 && gap >= GAP) ||
			(gap < rest.len && rest.at[gap] == '|'));
}

static bool read_bytes(struct hex *hex, struct span line)
{
	struct section *section = section_now(hex);
	size_t start = section->data.len;
	struct span word;

	hex->headings = 0;
	while (!ends_bytes(hex, line, section->data.len - start) && word_next(&line, &word)) {
		if (!hex_word(word, &section->data))
			return fail(hex, "expected a hexadecimal byte, found \"%s\"",
				excerpt_of(word).text);
		section->words++;
		section->all_of_four &= word.len == 4 && (word.at[1] | 0x20) != 'x';
	}
	return true;
}

/* "/dev/sda:" of hdparm, "Unit serial number VPD page:" of sg_vpd. */
static bool read_heading(struct hex *hex, struct span word)
{
	if (++hex->headings > HEADINGS_MAX)
		return fail(hex, "expected hexadecimal bytes, found \"%s\"", excerpt_of(word).text);
	return section_begin(hex);
}

static bool is_heading(struct span word)
{
	if (word.len > 1 && word.at[word.len - 1] == ':')
		word.len--;
	return !is_hex(word);
}

static bool read_line(struct hex *hex, struct span line)
{
	struct span comment, code = comment_cut(line, &comment), rest = code, word;

	if (!word_next(&rest, &word))
		return !comment.at || read_comment(hex, comment);
	if (hex->offsets && span_is(word, "*")) {
		hex->repeating = true;
		return true;
	}
	if (is_heading(word))
		return read_heading(hex, word);
	if (hex->offsets && !read_offset(hex, &code))
		return false;
	return read_bytes(hex, code);
}

static bool read_sections(struct hex *hex, struct bytes text, bool offsets)
{
	struct span line;
	bool good;

	*hex = (struct hex) { .lines = lines_of(text), .offsets = offsets };
	good = section_begin(hex);
	while (good && line_next(&hex->lines, &line))
		good = read_line(hex, line);
	return good;
}

static void add_section(struct importing *importing, const struct section *section)
{
	struct bytes data = buffer_bytes(&section->data);
	struct record record = { .duration_us = -1 };

	if (!section->cdb.len) {
		if (data.len > 0)
			import_raw(importing, data, section->all_of_four);
		return;
	}
	memcpy(record.cdb, section->cdb.at, section->cdb.len);
	record.cdb_len = (uint8_t)section->cdb.len;
	if (data.len > 0)
		record.data = data;
	if (section->sense.len) {
		record.sense = buffer_bytes(&section->sense);
		record.scsi_status = STATUS_CHECK_CONDITION;
	}
	capture_add(importing->capture, &record);
}

void import_hex(struct importing *importing, struct bytes text)
{
	struct hex hex;
	bool good = read_sections(&hex, text, true) && hex.sections[0].data.len > 0;

	if (!good) {
		hex_deinit(&hex);
		good = read_sections(&hex, text, false);
	}
	if (!good)
		import_refuse(importing, "line %zu: %s", hex.lines.number, hex.problem);
	for (size_t i = 0; good && i < hex.count; i++)
		add_section(importing, &hex.sections[i]);
	hex_deinit(&hex);
}
