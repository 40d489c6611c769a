/*
 * ATA drives for tests of attributes: an identity, SMART data and thresholds, and
 * device statistics.
 */
#ifndef ASSAY_TEST_SMART_H
#define ASSAY_TEST_SMART_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "give.h"
#include "test.h"

enum { SMART_SOLID = 1, SMART_ROTATING = 7200, SMART_SILENT = 0 };

/* An attribute. worst 0: as value; threshold -1: the drive has no entry. */
struct smart_slot {
	uint8_t id;
	uint8_t value, worst;
	uint64_t raw;
	int threshold;
	uint8_t reserved;
};

static inline void smart_text(uint8_t *identify, size_t word, size_t len, const char *text)
{
	size_t used = strlen(text);

	for (size_t i = 0; i < len; i++)
		identify[2 * word + (i ^ 1)] = i < used ? (uint8_t)text[i] : ' ';
}

static inline void smart_put(uint8_t *at, uint64_t value, size_t width)
{
	for (size_t i = 0; i < width; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static inline void smart_seal(uint8_t sector[512])
{
	uint8_t sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum = (uint8_t)(sum + sector[i]);
	sector[511] = (uint8_t)-sum;
}

/* 48-bit capacity in sectors of 512 bytes. */
static inline void smart_identify(struct capture *capture, const char *model, const char *firmware,
	uint16_t rotation, uint64_t sectors)
{
	uint8_t identify[512] = { 0 };

	smart_text(identify, 10, 20, "SERIAL");
	smart_text(identify, 23, 8, firmware);
	smart_text(identify, 27, 40, model);
	smart_put(identify + 2 * 49, 0x2f00, 2);
	smart_put(identify + 2 * 60, sectors < 0xfffffff ? sectors : 0xfffffff, 4);
	smart_put(identify + 2 * 80, 0x01f0, 2);
	smart_put(identify + 2 * 82, 0x7069, 2);
	smart_put(identify + 2 * 83, 0x7400, 2);
	smart_put(identify + 2 * 84, 0x4063, 2);
	smart_put(identify + 2 * 85, 0x7069, 2);
	smart_put(identify + 2 * 86, 0x3400, 2);
	smart_put(identify + 2 * 87, 0x4063, 2);
	smart_put(identify + 2 * 100, sectors, 8);
	smart_put(identify + 2 * 217, rotation, 2);
	give_identify(capture, identify);
}

static inline void smart_attributes(
	struct capture *capture, const struct smart_slot *slots, size_t count)
{
	uint8_t data[512] = { 16 }, thresholds[512] = { 16 };

	for (size_t i = 0; i < count; i++) {
		uint8_t *slot = data + 2 + 12 * i, *threshold = thresholds + 2 + 12 * i;

		slot[0] = slots[i].id;
		slot[1] = 0x32;
		slot[3] = slots[i].value;
		slot[4] = slots[i].worst ? slots[i].worst : slots[i].value;
		smart_put(slot + 5, slots[i].raw, 6);
		slot[11] = slots[i].reserved;
		if (slots[i].threshold < 0)
			continue;
		threshold[0] = slots[i].id;
		threshold[1] = (uint8_t)slots[i].threshold;
	}
	smart_seal(data);
	smart_seal(thresholds);
	give_smart_data(capture, data);
	give_smart_thresholds(capture, thresholds);
}

/* A page of the device statistics: entries of { offset, value }, the last with
 * offset 0, all of them supported and valid. */
struct smart_statistic {
	uint16_t offset;
	uint64_t value;
};

static inline void smart_statistics(
	struct capture *capture, uint8_t page, const struct smart_statistic *statistics)
{
	uint8_t sector[512] = { 1, 0, page };

	for (; statistics->offset; statistics++) {
		smart_put(sector + statistics->offset, statistics->value, 7);
		sector[statistics->offset + 7] = 0xc0;
	}
	give_ata_log(capture, 4, page, sector, sizeof(sector));
}

/* The state of a drive that is being tested. */
struct smart_drive {
	struct capture capture;
	struct facts facts;
};

static inline void smart_begin(
	struct smart_drive *drive, const char *model, const char *firmware, uint16_t rotation)
{
	capture_init(&drive->capture, "test");
	facts_init(&drive->facts);
	smart_identify(&drive->capture, model, firmware, rotation, 937703088);
}

static inline void smart_end(struct smart_drive *drive)
{
	facts_deinit(&drive->facts);
	capture_deinit(&drive->capture);
}

/* The n-th row of the attributes, or NULL. */
static inline const struct row *smart_row(const struct facts *facts, size_t n)
{
	for (size_t i = 0; i < facts->row_count; i++)
		if (!strcmp(facts->rows[i].table->name, "ata_attributes") && n-- == 0)
			return &facts->rows[i];
	return NULL;
}

static inline bool smart_has_note(const struct facts *facts, const char *part)
{
	for (size_t i = 0; i < facts->note_count; i++)
		if (strstr(facts->notes[i].text, part))
			return true;
	return false;
}

/* The drive database of a test: a file with this text. begin and end are fixtures
 * of a group of tests. */
static char smart_database_path[] = "/tmp/assay-test-attributes-XXXXXX";

static inline void smart_database(const char *text)
{
	FILE *file = fopen(smart_database_path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	setenv("ASSAY_DRIVEDB", smart_database_path, 1);
}

static inline void smart_no_database(void)
{
	setenv("ASSAY_DRIVEDB", "/nonexistent", 1);
}

static inline int smart_database_begin(void **state)
{
	(void)state;
	int fd = mkstemp(smart_database_path);

	smart_no_database();
	return fd < 0 || close(fd) != 0;
}

static inline int smart_database_end(void **state)
{
	(void)state;
	return unlink(smart_database_path);
}

static inline void smart_decode(
	struct smart_drive *drive, const struct smart_slot *slots, size_t count)
{
	smart_attributes(&drive->capture, slots, count);
	decode(&drive->capture, &drive->facts);
}

/* The text of a cell or a fact: want NULL is null. */
static inline void smart_assert_text(struct value value, const char *want)
{
	if (!want) {
		assert_int_equal(value.kind, VALUE_NULL);
		return;
	}
	assert_int_equal(value.kind, VALUE_TEXT);
	assert_string_equal(value.text, want);
}

static inline void smart_assert_fact(const struct smart_drive *drive, const char *key, double want)
{
	double number;

	if (!facts_number(&drive->facts, key, &number))
		fail_msg("%s is not known", key);
	assert_true(number >= want - 1e-9 && number <= want + 1e-9);
}

static inline void smart_assert_state(
	const struct smart_drive *drive, const char *key, enum fact_state want)
{
	const struct fact *fact = facts_find(&drive->facts, key);

	assert_non_null(fact);
	assert_int_equal(fact->state, want);
}

#endif
