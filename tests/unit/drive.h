/*
 * A capture, what all decoders make of it, and what a test expects of that.
 */
#ifndef ASSAY_TEST_DRIVE_H
#define ASSAY_TEST_DRIVE_H

#include <stdlib.h>

#include "give.h"
#include "test.h"

struct drive {
	struct capture capture;
	struct facts facts;
};

static inline struct drive *drive_new(void)
{
	struct drive *drive = calloc(1, sizeof(*drive));

	assert_non_null(drive);
	capture_init(&drive->capture, "test");
	facts_init(&drive->facts);
	return drive;
}

static inline void drive_free(struct drive *drive)
{
	facts_deinit(&drive->facts);
	capture_deinit(&drive->capture);
	free(drive);
}

static inline void drive_decode(struct drive *drive)
{
	decode(&drive->capture, &drive->facts);
}

/* The answer of a command that carries registers: CHECK POWER MODE and such. */
static inline void give_registers(
	struct drive *drive, uint8_t command, const uint8_t *sense, size_t len)
{
	struct record record = {
		.cdb = { 0x85, 0x06, 0x20, [14] = command },
		.cdb_len = 16,
		.scsi_status = 0x02,
		.duration_us = -1,
		.sense = { sense, len },
	};

	capture_add(&drive->capture, &record);
}

static inline void word_set(uint8_t identify[512], unsigned word, unsigned value)
{
	identify[2 * word] = (uint8_t)value;
	identify[2 * word + 1] = (uint8_t)(value >> 8);
}

/* A text in ATA order, padded with blanks. */
static inline void text_set(uint8_t identify[512], unsigned word, size_t len, const char *text)
{
	for (size_t i = 0; i < len; i++)
		identify[2 * word + (i ^ 1)] = (uint8_t)(i < strlen(text) ? text[i] : ' ');
}

static inline const struct fact *fact_of(const struct drive *drive, const char *key)
{
	if (!decoder_key(key))
		fail_msg("%s is no key", key);
	return facts_find(&drive->facts, key);
}

static inline const struct fact *known_fact(
	const struct drive *drive, const char *key, enum value_kind kind)
{
	const struct fact *fact = fact_of(drive, key);

	if (!fact || fact->state != FACT_KNOWN)
		fail_msg("%s is not known", key);
	if (fact->value.kind != kind)
		fail_msg("%s has a value of kind %d", key, (int)fact->value.kind);
	return fact;
}

static inline void expect_text(const struct drive *drive, const char *key, const char *text)
{
	const char *value = known_fact(drive, key, VALUE_TEXT)->value.text;

	if (strcmp(value, text))
		fail_msg("%s is \"%s\" and not \"%s\"", key, value, text);
}

static inline void expect_uint(const struct drive *drive, const char *key, uint64_t uint)
{
	uint64_t value = known_fact(drive, key, VALUE_UINT)->value.uint;

	if (value != uint)
		fail_msg("%s is %llu and not %llu", key, (unsigned long long)value,
			(unsigned long long)uint);
}

static inline void expect_flag(const struct drive *drive, const char *key, bool flag)
{
	if (known_fact(drive, key, VALUE_FLAG)->value.flag != flag)
		fail_msg("%s is not %s", key, flag ? "true" : "false");
}

static inline void expect_real(const struct drive *drive, const char *key, double real)
{
	double value = known_fact(drive, key, VALUE_REAL)->value.real;

	if (value < real - 1e-9 || value > real + 1e-9)
		fail_msg("%s is %g and not %g", key, value, real);
}

static inline void expect_state(const struct drive *drive, const char *key, enum fact_state state)
{
	const struct fact *fact = fact_of(drive, key);

	if (!fact || fact->state != state)
		fail_msg("%s is in state %d and not %d", key, fact ? (int)fact->state : -1,
			(int)state);
}

static inline void expect_absent(const struct drive *drive, const char *key)
{
	if (fact_of(drive, key))
		fail_msg("%s is there", key);
}

/* The bytes of the response that a fact points to. */
static inline void expect_source(
	const struct drive *drive, const char *key, size_t offset, size_t len)
{
	const struct fact *fact = fact_of(drive, key);

	assert_non_null(fact);
	if (fact->source.offset != offset || fact->source.raw.len != len)
		fail_msg("%s has %zu bytes at %u as its source, not %zu at %zu", key,
			fact->source.raw.len, fact->source.offset, len, offset);
}

/* A flag that is one bit of a response, in a field of that many bytes. */
struct bit {
	const char *key;
	uint16_t at; /* of the field */
	uint8_t width, bit;
	bool little; /* endian */
};

/* Gives each bit alone, with all others of the list clear, and expects that its
 * flag alone is set and points to its field. */
static inline void expect_bits(const struct bit *bits, size_t count, const uint8_t *response,
	size_t len, void (*give_response)(struct drive *drive, const uint8_t *data, size_t len))
{
	uint8_t data[1024];

	assert_in_range(len, 1, sizeof(data));
	for (size_t i = 0; i < count; i++) {
		struct drive *drive = drive_new();

		memcpy(data, response, len);
		for (size_t j = 0; j < count; j++) {
			size_t byte = bits[j].bit / 8u;
			size_t at = bits[j].at +
				(bits[j].little ? byte : bits[j].width - 1u - byte);
			uint8_t mask = (uint8_t)(1u << bits[j].bit % 8);

			data[at] = (uint8_t)(i == j ? data[at] | mask : data[at] & ~mask);
		}
		give_response(drive, data, len);
		drive_decode(drive);
		for (size_t j = 0; j < count; j++)
			expect_flag(drive, bits[j].key, i == j);
		expect_source(drive, bits[i].key, bits[i].at, bits[i].width);
		drive_free(drive);
	}
}

static inline void give_identify_to(struct drive *drive, const uint8_t *data, size_t len)
{
	(void)len;
	give_identify(&drive->capture, data);
}

/* The row with that number of a table, from 0. */
static inline const struct row *row_of(const struct drive *drive, const char *table, size_t number)
{
	for (size_t i = 0; i < drive->facts.row_count; i++)
		if (!strcmp(drive->facts.rows[i].table->name, table) && number-- == 0)
			return &drive->facts.rows[i];
	fail_msg("%s has not so many rows", table);
	return NULL;
}

static inline size_t row_count(const struct drive *drive, const char *table)
{
	size_t count = 0;

	for (size_t i = 0; i < drive->facts.row_count; i++)
		count += !strcmp(drive->facts.rows[i].table->name, table);
	return count;
}

static inline bool cell_is(const struct row *row, const char *column, struct value value)
{
	return value_same(row_get(row, column), value);
}

/* Whether a note has that text in it. */
static inline bool has_note(const struct drive *drive, const char *part)
{
	for (size_t i = 0; i < drive->facts.note_count; i++)
		if (strstr(drive->facts.notes[i].text, part))
			return true;
	return false;
}

/* IDENTIFY DEVICE data of an SSD of 256 GB: its words that are not 0 or text. */
static const struct {
	unsigned word, value;
} ssd_words[] = {
	{ 0, 0x0040 },
	{ 48, 0x4001 },
	{ 49, 0x2f00 },
	{ 50, 0x4000 },
	{ 53, 0x0007 },
	{ 59, 0xb401 },
	{ 60, 0xffff },
	{ 61, 0x0fff },
	{ 69, 0x4020 },
	{ 75, 0x001f },
	{ 76, 0x170e },
	{ 77, 0x0006 },
	{ 78, 0x014c },
	{ 79, 0x0048 },
	{ 80, 0x03fc },
	{ 81, 0x0110 },
	{ 82, 0x746b },
	{ 83, 0x7d09 },
	{ 84, 0x6163 },
	{ 85, 0x7469 },
	{ 86, 0xbc09 },
	{ 87, 0x6163 },
	{ 89, 0x0003 },
	{ 90, 0x0001 },
	{ 91, 0x40fe },
	{ 92, 0xfffe },
	{ 100, 0x44b0 },
	{ 101, 0x1dcf },
	{ 105, 0x0008 },
	{ 106, 0x6003 },
	{ 108, 0x5001 },
	{ 109, 0xb449 },
	{ 110, 0x1234 },
	{ 111, 0x5678 },
	{ 119, 0x409e },
	{ 120, 0x409c },
	{ 128, 0x0029 },
	{ 168, 0x0003 },
	{ 169, 0x0001 },
	{ 209, 0x4000 },
	{ 217, 0x0001 },
	{ 222, 0x107f },
};

static inline void identify_ssd(uint8_t identify[512])
{
	memset(identify, 0, 512);
	for (size_t i = 0; i < ARRAY_LEN(ssd_words); i++)
		word_set(identify, ssd_words[i].word, ssd_words[i].value);
	text_set(identify, 10, 20, "     SN0123456789");
	text_set(identify, 23, 8, "X211200");
	text_set(identify, 27, 40, "SanDisk SDSSDHP256G");
}

#endif
