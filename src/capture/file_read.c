/* Reads the capture file: assay-capture(5). */
#include "capture/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "capture/lines.h"

/* More than any drive needs; less than what a hostile file could ask for. */
enum { RECORDS_MAX = 1 << 16, LINES_MAX = 1 << 12, NOTE_MAX = 511 };
enum { STATUS_GOOD = 0x00, STATUS_CHECK_CONDITION = 0x02 };
enum { DURATION_DIGITS_MAX = 18 };

/* The bytes of a record that stand in hexadecimal. */
enum part { PART_CDB, PART_OUT, PART_SENSE, PART_DATA, PART_COUNT };

struct reading {
	const char *name;
	struct lines lines;
	struct capture *capture;
	struct error *error;
	bool begun; /* the first line was there */
	bool in_record;
	unsigned given; /* of the record: a bit for each keyword */
	enum part part; /* with which hexadecimal lines go on; PART_COUNT: none */
	struct buffer parts[PART_COUNT];
	struct record record;
};

static const char *const part_words[] = {
	[PART_CDB] = "cdb",
	[PART_OUT] = "out",
	[PART_SENSE] = "sense",
	[PART_DATA] = "data",
};
static const size_t part_max[] = {
	[PART_CDB] = CDB_MAX,
	[PART_OUT] = FILE_BYTES_MAX,
	[PART_SENSE] = SENSE_MAX,
	[PART_DATA] = FILE_BYTES_MAX,
};
static const char *const delivery_words[] = {
	[DELIVERY_TIMED_OUT] = "timed-out",
	[DELIVERY_GONE] = "gone",
	[DELIVERY_FAILED] = "failed",
};
static const char known_words[] =
	"host, note, cdb, out, status, transport, sense, duration_us or data";

/* The end of a long path: what a message has room for. */
static const char *short_name(const char *name)
{
	enum { SHOWN = 100 };
	size_t len = strlen(name);

	return len > SHOWN ? name + len - SHOWN : name;
}

__attribute__((format(printf, 2, 3))) static bool fail(
	struct reading *reading, const char *format, ...)
{
	char text[130];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	error_set(reading->error, EXIT_NO_DRIVE_DATA, "%s:%zu: %s", short_name(reading->name),
		reading->lines.number, text);
	return false;
}

static bool given(const struct reading *reading, enum part part)
{
	return reading->given & 1u << part;
}

static struct bytes part_bytes(const struct reading *reading, enum part part)
{
	return given(reading, part) ? buffer_bytes(&reading->parts[part]) : (struct bytes) { 0 };
}

static bool record_end(struct reading *reading)
{
	struct record *record = &reading->record;
	struct bytes cdb = buffer_bytes(&reading->parts[PART_CDB]);

	if (!reading->in_record)
		return true;
	reading->in_record = false;
	if (cdb.len == 0)
		return fail(reading, "the record above has a cdb of no bytes");
	if (reading->capture->record_count == RECORDS_MAX)
		return fail(reading, "more than %d records", RECORDS_MAX);
	memcpy(record->cdb, cdb.at, cdb.len);
	record->cdb_len = (uint8_t)cdb.len;
	record->out = part_bytes(reading, PART_OUT);
	record->sense = part_bytes(reading, PART_SENSE);
	record->data = part_bytes(reading, PART_DATA);
	if (!(reading->given & 1u << PART_COUNT))
		record->scsi_status = record->sense.at ? STATUS_CHECK_CONDITION : STATUS_GOOD;
	capture_add(reading->capture, record);
	return true;
}

/* Hexadecimal words up to the end of the line, for the part that is open. */
static bool read_hex(struct reading *reading, struct span line)
{
	struct buffer *buffer = &reading->parts[reading->part];
	size_t max = part_max[reading->part];
	struct span word;

	while (word_next(&line, &word)) {
		if (!hex_word(word, buffer))
			return fail(reading, "expected a hexadecimal byte, found \"%s\"",
				excerpt_of(word).text);
		if (buffer->len > max)
			return fail(reading, "%s has more than %zu bytes",
				part_words[reading->part], max);
	}
	return true;
}

/* Once a record: false after a message where it is the second time. */
static bool once(struct reading *reading, unsigned keyword, const char *word)
{
	if (!reading->in_record)
		return fail(reading, "expected cdb before %s", word);
	if (reading->given & 1u << keyword)
		return fail(reading, "a second %s in one record", word);
	reading->given |= 1u << keyword;
	reading->part = PART_COUNT;
	return true;
}

static bool read_part(struct reading *reading, enum part part, struct span rest)
{
	if (part == PART_CDB) {
		if (!record_end(reading))
			return false;
		reading->record = (struct record) { .duration_us = -1 };
		reading->in_record = true;
		reading->given = 0;
	}
	if (!once(reading, part, part_words[part]))
		return false;
	reading->part = part;
	reading->parts[part].len = 0;
	return read_hex(reading, rest);
}

/* A terminated copy on the heap. */
static char *text_of(struct span span)
{
	struct buffer buffer = { 0 };

	buffer_append(&buffer, (const uint8_t *)span.at, span.len);
	buffer_add(&buffer, '\0');
	return (char *)buffer.at;
}

static bool read_host(struct reading *reading, struct span rest)
{
	struct span name;

	if (!word_next(&rest, &name))
		return fail(reading, "expected a name and a value behind host");
	if (reading->capture->host_count == LINES_MAX)
		return fail(reading, "more than %d host lines", LINES_MAX);
	char *name_text = text_of(name), *value = text_of(span_trim(rest));

	capture_host(reading->capture, name_text, value);
	free(name_text);
	free(value);
	return true;
}

static bool read_note(struct reading *reading, struct span rest)
{
	rest = span_trim(rest);
	if (rest.len == 0 || rest.len > NOTE_MAX)
		return fail(reading, "expected 1 to %d bytes of text behind note", NOTE_MAX);
	if (reading->capture->note_count == LINES_MAX)
		return fail(reading, "more than %d notes", LINES_MAX);
	capture_note(reading->capture, "%.*s", (int)rest.len, rest.at);
	return true;
}

static bool read_status(struct reading *reading, struct span rest)
{
	struct buffer byte = { 0 };
	struct span word, more;
	bool one;

	if (!once(reading, PART_COUNT, "status"))
		return false;
	one = word_next(&rest, &word) && hex_word(word, &byte) && byte.len == 1 &&
		!word_next(&rest, &more);
	reading->record.scsi_status = bytes_u8(buffer_bytes(&byte), 0);
	buffer_deinit(&byte);
	return one || fail(reading, "expected one hexadecimal byte behind status");
}

static bool read_transport(struct reading *reading, struct span rest)
{
	if (!once(reading, PART_COUNT + 1, "transport"))
		return false;
	rest = span_trim(rest);
	for (unsigned i = DELIVERY_TIMED_OUT; i <= DELIVERY_FAILED; i++)
		if (span_is(rest, delivery_words[i])) {
			reading->record.delivery = (enum delivery)i;
			return true;
		}
	return fail(reading, "expected timed-out, gone or failed behind transport");
}

static bool read_duration(struct reading *reading, struct span rest)
{
	int64_t value = 0;

	if (!once(reading, PART_COUNT + 2, "duration_us"))
		return false;
	rest = span_trim(rest);
	for (size_t i = 0; i < rest.len; i++) {
		if (rest.at[i] < '0' || rest.at[i] > '9' || i == DURATION_DIGITS_MAX)
			return fail(reading, "expected microseconds, found \"%s\"",
				excerpt_of(rest).text);
		value = value * 10 + (rest.at[i] - '0');
	}
	reading->record.duration_us = value;
	return rest.len > 0 || fail(reading, "expected microseconds behind duration_us");
}

static bool read_version(struct reading *reading, struct span word, struct span rest)
{
	if (!span_is(word, "assay-capture"))
		return fail(reading, "expected \"assay-capture 1\", found \"%s\"",
			excerpt_of(word).text);
	rest = span_trim(rest);
	if (!span_is(rest, "1"))
		return fail(reading, "expected version 1 of the format, found \"%s\"",
			excerpt_of(rest).text);
	reading->begun = true;
	return true;
}

/* word is the line's first, rest what stands behind it. */
static bool read_keyword(struct reading *reading, struct span word, struct span rest, bool *known)
{
	static const struct {
		const char *word;
		bool (*read)(struct reading *, struct span);
	} keywords[] = {
		{ "status", read_status },
		{ "transport", read_transport },
		{ "duration_us", read_duration },
	};

	*known = true;
	for (unsigned i = 0; i < PART_COUNT; i++)
		if (span_is(word, part_words[i]))
			return read_part(reading, (enum part)i, rest);
	for (size_t i = 0; i < ARRAY_LEN(keywords); i++)
		if (span_is(word, keywords[i].word))
			return keywords[i].read(reading, rest);
	*known = false;
	return false;
}

static bool read_line(struct reading *reading, struct span line)
{
	struct span code = comment_cut(line, NULL), rest = code, word;
	bool known, good;

	if (!is_text((struct bytes) { (const uint8_t *)line.at, line.len }))
		return fail(reading, "expected text, found a control character");
	if (!word_next(&rest, &word))
		return true;
	if (!reading->begun)
		return read_version(reading, word, rest);
	/* What the host says and what a note tells may hold a '#'. */
	struct span whole = { rest.at, (size_t)(line.at + line.len - rest.at) };

	if (span_is(word, "host"))
		return read_host(reading, whole);
	if (span_is(word, "note"))
		return read_note(reading, whole);
	good = read_keyword(reading, word, rest, &known);
	if (known)
		return good;
	if (!is_hex(word))
		return fail(
			reading, "expected %s, found \"%s\"", known_words, excerpt_of(word).text);
	if (reading->part == PART_COUNT)
		return fail(reading, "hexadecimal bytes behind no cdb, out, sense or data");
	return read_hex(reading, code);
}

int capture_parse(struct bytes text, const char *name, struct capture *capture, struct error *error)
{
	struct reading reading = { .name = name,
		.lines = lines_of(text),
		.capture = capture,
		.error = error,
		.part = PART_COUNT };
	struct span line;
	bool good = true;

	while (good && line_next(&reading.lines, &line))
		good = read_line(&reading, line);
	good = good && (reading.begun || fail(&reading, "expected \"assay-capture 1\"")) &&
		record_end(&reading);
	for (size_t i = 0; i < PART_COUNT; i++)
		buffer_deinit(&reading.parts[i]);
	return good ? 0 : -1;
}

bool capture_is_text(struct bytes text)
{
	struct lines lines = lines_of(text);
	struct span line, word;

	while (line_next(&lines, &line)) {
		line = comment_cut(line, NULL);
		if (word_next(&line, &word))
			return span_is(word, "assay-capture");
	}
	return false;
}

int capture_read(FILE *file, const char *name, struct capture *capture, struct error *error)
{
	struct buffer text = { 0 };
	uint8_t chunk[4096];
	size_t got;
	int result;

	while (text.len <= FILE_BYTES_MAX && (got = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buffer_append(&text, chunk, got);
	if (ferror(file))
		result = error_set(
			error, error_status_of(errno), "%s: %s", short_name(name), strerror(errno));
	else if (text.len > FILE_BYTES_MAX)
		result = error_set(error, EXIT_NO_DRIVE_DATA, "%s: larger than %d MiB",
			short_name(name), FILE_BYTES_MAX >> 20);
	else
		result = capture_parse(buffer_bytes(&text), name, capture, error);
	buffer_deinit(&text);
	return result;
}
