/*
 * A SCSI disk for tests of collect(), and a run of it.
 */
#ifndef ASSAY_TEST_FAKE_DISK_H
#define ASSAY_TEST_FAKE_DISK_H

#include <string.h>

#include "fake.h"

#include "assay/array.h"
#include "assay/collect.h"

#define ACTIVE    "700000000000000a0000000000000000"
#define STANDBY   "700000000000000a000000005e020000"
#define STOPPED   "700002000000000a0000000004020000"
#define ATTENTION "700006000000000a0000000029000000"
#define UNKNOWN   "700005000000000a000000002000"
#define NO_FIELD  "700005000000000a000000002400"
#define NO_SAVED  "700005000000000a000000003900"
#define DEFERRED  "710004000000000a000000004400"

/* SPC-4, vendor "EXAMPLE", product "DRIVE" */
#define INQUIRY                            \
	"000006021f000000"                 \
	"4558414d504c4520"                 \
	"44524956452020202020202020202020" \
	"30303031"

/* REPORT SUPPORTED OPERATION CODES: an entry of 8 bytes each */
#define CODE(code)           code "00000000000006"
#define CODE_ACTION(code, a) code "00" a "0001000c"

static struct fake_answer disk[] = {
	{ .cdb = "03", .text = ACTIVE },
	{ .cdb = "1200", .text = INQUIRY },
	{ .cdb = "120100", .text = "0000000400808386" },
	{ .cdb = "120180", .text = "0080000431323334" },
	{ .cdb = "120183", .text = "0083000c01030008500000000000abcd" },
	{ .cdb = "120186", .text = "0086000400000000" },
	{ .cdb = "00" },
	{ .cdb = "a30c",
		.text = "00000048" CODE("00") CODE("03") CODE("12") CODE("4d") CODE("5a") CODE("a2")
			CODE("b7") CODE_ACTION("9e", "0010") CODE_ACTION("a3", "000c") },
	{ .cdb = "9e10",
		.text = "00000000000fffff000002000000000000000000000000000000000000000000" },
	{ .cdb = "4d004000", .text = "000000030d2f00" },
	{ .cdb = "4d0040ff", .text = "40ff000a000000ff0d000d012f00" },
	{ .cdb = "4d004d00", .text = "0d00000600000302001f" },
	{ .cdb = "4d004d01", .text = "4d010000" },
	{ .cdb = "4d006f00", .text = "2f000000" },
	{ .cdb = "5a00ffff", .sense = NO_SAVED },
	{ .cdb = "5a00", .text = "000b0000000000000801040000" },
	{ .cdb = "a200", .text = "00000000000000020001" },
	{ .cdb = "a201", .text = "0000002c00000001" },
	{ .cdb = "b70d", .text = "000d000000000010" },
};

static const char *const disk_commands[] = {
	"03000000fc00",
	"120000006000",
	"12010000fc00",
	"12018000fc00",
	"12018300fc00",
	"12018600fc00",
	"000000000000",
	"a30c00000000000010000000",
	"9e10000000000000000000000020",
	"4d004000000000020000",
	"4d0040ff000000020000",
	"4d004d00000000100000",
	"4d006f00000000100000",
	"4d004d01000000100000",
	"5a003fff000000100000",
	"5a007fff000000100000",
	"5a00bfff000000100000",
	"5a00ffff000000100000",
	"a20000000000000002000000",
	"a20100010000000002000000",
	"b70d00000000000000080000",
};

struct run {
	struct fake_answer answers[64];
	struct fake fake;
	struct capture capture;
	struct error error;
	struct collect_options options;
	int result;
};

/* Answers before those of the disk. */
static inline void run_init(struct run *run, const struct fake_answer *first, size_t count)
{
	memset(run, 0, sizeof(*run));
	if (count)
		memcpy(run->answers, first, count * sizeof(*first));
	memcpy(run->answers + count, disk, sizeof(disk));
	fake_init(&run->fake, run->answers, count + ARRAY_LEN(disk));
	capture_init(&run->capture, "test");
}

static inline void run_collect(struct run *run)
{
	run->result = collect(&run->fake.transport, &run->options, &run->capture, &run->error);
	/* each command that was sent has left its record, and none is counted twice */
	assert_int_equal(run->capture.record_count, run->fake.count);
	assert_int_equal(run->capture.command_count, run->fake.count);
}

static inline const struct record *find(
	const struct run *run, enum page_kind kind, uint8_t page, uint8_t sub, uint8_t control)
{
	struct page_id id = { kind, page, sub, control };

	return capture_find(&run->capture, id);
}

static inline size_t count_commands(const struct run *run, const char *cdb)
{
	size_t count = 0;

	for (size_t i = 0; i < run->fake.count; i++)
		count += !strncmp(run->fake.log[i], cdb, strlen(cdb));
	return count;
}

#endif
