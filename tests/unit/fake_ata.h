/*
 * An ATA disk behind SAT for tests of collect(), and a run of it.
 */
#ifndef ASSAY_TEST_FAKE_ATA_H
#define ASSAY_TEST_FAKE_ATA_H

#include <string.h>

#include "fake.h"

#include "assay/collect.h"

#define UNKNOWN  "700005000000000a000000002000"
#define NO_FIELD "700005000000000a000000002400"
#define ABORTED  "720b00000000000e090c000400010000000000000051"

/* Registers in descriptor format: count in byte 13, status in byte 21. */
#define ACTIVE    "7201001d0000000e090c000000ff0000000000000050"
#define STANDBY   "7201001d0000000e090c000000000000000000000050"
#define NOTHING   "7201001d0000000e090c000000000000000000000000"
#define PASSED    "7201001d0000000e090c000000000000004f00c20050"
#define REGISTERS "7201001d0000000e090c000000460000000000000050"

#define INQUIRY                            \
	"000006021f000000"                 \
	"4154412020202020"                 \
	"4558414d504c45204452495645202020" \
	"30303031"

enum { MODEL_WORD = 27 };

struct drive {
	uint8_t identify[512];
	uint8_t directory[512], smart_directory[512];
	uint8_t statistics[512], identify_log[512];
	uint8_t smart_data[512], sector[512], sectors[16 * 512];
};

static inline void set_word(uint8_t *sector, size_t number, unsigned value)
{
	sector[2 * number] = (uint8_t)value;
	sector[2 * number + 1] = (uint8_t)(value >> 8);
}

/* With SMART, both logs, general purpose logging and SCT with tables and ERC. */
static inline void drive_init(struct drive *drive)
{
	static const char model[] = "XEMALP E"; /* bytes of each word exchanged */
	static const uint8_t pages[] = { 8, 0, 1, 2, 3, 5, 6, 7, 0xff };
	static const uint8_t identify_pages[] = { 2, 0, 1 };

	memset(drive, 0, sizeof(*drive));
	set_word(drive->identify, 0, 0x0040);
	memcpy(drive->identify + 2 * MODEL_WORD, model, sizeof(model) - 1);
	set_word(drive->identify, 82, 0x0001);
	set_word(drive->identify, 83, 0x4000);
	set_word(drive->identify, 84, 0x4023);
	set_word(drive->identify, 85, 0x0001);
	set_word(drive->identify, 86, 0x8000);
	set_word(drive->identify, 87, 0x4023);
	set_word(drive->identify, 119, 0x4008);
	set_word(drive->identify, 206, 0x0029);
	set_word(drive->directory, 0x00, 1);
	set_word(drive->directory, 0x03, 4);
	set_word(drive->directory, 0x04, 8);
	set_word(drive->directory, 0x07, 1);
	set_word(drive->directory, 0x08, 2);
	set_word(drive->directory, 0x0c, 200);
	set_word(drive->directory, 0x11, 1);
	set_word(drive->directory, 0x30, 9);
	set_word(drive->directory, 0xa6, 1024);
	set_word(drive->directory, 0xe0, 1);
	set_word(drive->directory, 0xe1, 1);
	set_word(drive->smart_directory, 0x00, 1);
	set_word(drive->smart_directory, 0x01, 1);
	set_word(drive->smart_directory, 0x02, 51);
	set_word(drive->smart_directory, 0x04, 8);
	set_word(drive->smart_directory, 0x06, 1);
	set_word(drive->smart_directory, 0x09, 1);
	memcpy(drive->statistics + 8, pages, sizeof(pages));
	memcpy(drive->identify_log + 8, identify_pages, sizeof(identify_pages));
}

#define ONE(log, page) "85090e0000000100" log "00" page "000040"

struct run {
	struct drive drive;
	struct fake_answer answers[64];
	size_t answer_count;
	struct fake fake;
	struct capture capture;
	struct error error;
	struct collect_options options;
};

static inline void add(struct run *run, struct fake_answer answer)
{
	run->answers[run->answer_count++] = answer;
}

static inline void add_data(struct run *run, const char *cdb, const uint8_t *data, size_t len)
{
	add(run, (struct fake_answer) { .cdb = cdb, .data = { data, len } });
}

static inline void run_init(struct run *run)
{
	memset(run, 0, sizeof(*run));
	drive_init(&run->drive);
	capture_init(&run->capture, "test");
}

static inline void add_drive(struct run *run)
{
	struct drive *drive = &run->drive;

	add(run, (struct fake_answer) { .cdb = "03", .text = "700000000000000a000000000000" });
	add(run, (struct fake_answer) { .cdb = "1200", .text = INQUIRY });
	add(run, (struct fake_answer) { .cdb = "120100", .text = "00000003008083" });
	add(run, (struct fake_answer) { .cdb = "1201", .text = "00" });
	add(run, (struct fake_answer) { .cdb = "00" });
	add(run, (struct fake_answer) { .cdb = "9e10", .text = "00" });
	add(run, (struct fake_answer) { .cdb = "5a0008", .text = "00" });
	/* CHECK POWER MODE, SMART RETURN STATUS, SCT commands by either way */
	add(run, (struct fake_answer) { .cdb = "8506200000000000000000000000e5", .sense = ACTIVE });
	add(run, (struct fake_answer) { .cdb = "85062000da", .sense = PASSED });
	add(run, (struct fake_answer) { .cdb = "850b26", .sense = REGISTERS });
	add(run, (struct fake_answer) { .cdb = "850a26", .sense = REGISTERS });
	add_data(run, "85080e0000000100000000000000ec", drive->identify, 512);
	add_data(run, "85080e00d0", drive->smart_data, 512);
	add_data(run, "85080e00d500010000", drive->smart_directory, 512);
	add_data(run, "85080e00d", drive->sectors, sizeof(drive->sectors));
	add_data(run, ONE("00", "00"), drive->directory, 512);
	add_data(run, ONE("04", "00"), drive->statistics, 512);
	add_data(run, ONE("30", "00"), drive->identify_log, 512);
	add_data(run, "85090e", drive->sectors, sizeof(drive->sectors));
}

static inline void run_collect(struct run *run)
{
	add_drive(run);
	fake_init(&run->fake, run->answers, run->answer_count);
	assert_int_equal(
		collect(&run->fake.transport, &run->options, &run->capture, &run->error), 0);
	assert_int_equal(run->capture.record_count, run->fake.count);
	assert_int_equal(run->capture.command_count, run->fake.count);
}

static inline size_t count_commands(const struct run *run, const char *cdb)
{
	size_t count = 0;

	for (size_t i = 0; i < run->fake.count; i++)
		count += !strncmp(run->fake.log[i], cdb, strlen(cdb));
	return count;
}

static inline const struct record *find(
	const struct run *run, enum page_kind kind, uint8_t page, uint16_t sub)
{
	struct page_id id = { kind, page, sub, 0 };

	return capture_find(&run->capture, id);
}

static const char *const drive_commands[] = {
	"03", "1200", "120100", "8506200000000000000000000000e5", "120180", "120183", "00",
	"85080e0000000100000000000000ec", "9e10", "5a0008", ONE("00", "00"),
	"85062000da00000000004f00c200b0", "85080e00d000010000004f00c200b0",
	"85080e00d100010001004f00c200b0", "85080e00d500010000004f00c200b0",
	"85080e00d500010001004f00c200b0", "85080e00d500010006004f00c200b0",
	"85080e00d500010009004f00c200b0", "85090e00000004000300000000402f", /* four pages at once */
	ONE("04", "00"), "85090e00000003000400010000402f",                  /* 1 to 3 */
	"85090e00000003000400050000402f",                                   /* 5 to 7, not FFh */
	ONE("07", "00"), "85090e00000002000800000000402f", ONE("0c", "00"), ONE("11", "00"),
	ONE("30", "00"), ONE("30", "01"), ONE("e0", "00"),
	"850b260000000100e000000000403f",                  /* SCT: temperature history */
	ONE("e1", "00"), "850b260000000100e000000000403f", /* ERC, read */
	"850b260000000100e000000000403f",                  /* ERC, write */
};

#endif
