#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/capture.h"

/* Reads a text as the file "t". */
static int read_text(const char *text, size_t len, struct capture *capture, struct error *error)
{
	FILE *file = fmemopen((void *)(uintptr_t)text, len, "r");

	assert_non_null(file);
	capture_init(capture, "t");
	int result = capture_read(file, "t", capture, error);

	fclose(file);
	return result;
}

static void must_read(const char *text, struct capture *capture)
{
	struct error error = { 0 };

	if (read_text(text, strlen(text), capture, &error))
		fail_msg("%s", error.text);
}

/* To be freed. */
static char *written(const struct capture *capture)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	assert_int_equal(capture_write(file, capture), 0);
	fclose(file);
	return text;
}

static void add(struct capture *capture, struct record record, const char *cdb, size_t len)
{
	memcpy(record.cdb, cdb, len);
	record.cdb_len = (uint8_t)len;
	capture_add(capture, &record);
}

#define BYTES(text)                                       \
	{                                                 \
		(const uint8_t *)(text), sizeof(text) - 1 \
	}

/* Every kind of record: with and without data, sense, what was sent, and an end. */
static void add_all_kinds(struct capture *capture, const uint8_t all[256])
{
	add(capture, (struct record) { .data = { all, 256 }, .duration_us = 1234567890123 },
		"\x12\0\0\0\x60\0", 6);
	add(capture, (struct record) { .data = { all, 0 }, .duration_us = 0 }, "\x12\1\x80\0\xff\0",
		6);
	add(capture, (struct record) { .scsi_status = 2, .sense = { all, 40 }, .duration_us = -1 },
		"\x4d\0\x4d\0\0\0\0\x40\0\0", 10);
	add(capture, (struct record) { .scsi_status = 8, .out = { all, 100 }, .duration_us = -1 },
		"\x3f\0", 2);
	add(capture, (struct record) { .sense = { all, 8 }, .duration_us = -1 }, "\x03\0", 2);
	add(capture, (struct record) { .delivery = DELIVERY_TIMED_OUT, .duration_us = 20000000 },
		"\0\0\0\0\0\0", 6);
	add(capture, (struct record) { .delivery = DELIVERY_GONE, .duration_us = -1 }, "\x25", 1);
	add(capture, (struct record) { .delivery = DELIVERY_FAILED, .duration_us = -1 }, "\x26", 1);
}

static void expect_same_bytes(struct bytes a, struct bytes b)
{
	assert_int_equal(!a.at, !b.at);
	assert_int_equal(a.len, b.len);
	if (a.len)
		assert_memory_equal(a.at, b.at, a.len);
}

static void expect_same_record(const struct record *a, const struct record *b)
{
	assert_int_equal(a->cdb_len, b->cdb_len);
	assert_memory_equal(a->cdb, b->cdb, CDB_MAX);
	assert_int_equal(a->scsi_status, b->scsi_status);
	assert_int_equal(a->delivery, b->delivery);
	assert_true(a->duration_us == b->duration_us);
	expect_same_bytes(a->data, b->data);
	expect_same_bytes(a->sense, b->sense);
	expect_same_bytes(a->out, b->out);
}

static void a_capture_comes_back_as_it_was_written(void **state)
{
	struct capture capture, again;
	uint8_t all[256];

	(void)state;
	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (uint8_t)i;
	capture_init(&capture, "drive");
	capture_host(&capture, "node", "sda");
	capture_host(&capture, "scheduler", " [none] # mq\tx\x1b[31m ");
	capture_note(&capture, "half of log #4 is missing");
	capture_note(&capture, " ");
	add_all_kinds(&capture, all);
	char *first = written(&capture);

	must_read(first, &again);
	char *second = written(&again);

	assert_string_equal(first, second);
	assert_int_equal(again.record_count, capture.record_count);
	for (size_t i = 0; i < again.record_count; i++)
		expect_same_record(&capture.records[i], &again.records[i]);
	assert_string_equal(capture_host_value(&again, "scheduler"), "[none] # mq?x?[31m");
	assert_int_equal(again.note_count, 1);
	assert_string_equal(again.notes[0], "half of log #4 is missing");
	free(first);
	free(second);
	capture_deinit(&capture);
	capture_deinit(&again);
}

static void the_file_holds_nothing_that_a_terminal_obeys(void **state)
{
	struct capture capture;

	(void)state;
	capture_init(&capture, "drive");
	capture_note(&capture, "\x1b]0;x\x07");
	capture_host(&capture, "model", "a\x9b\r\nb");
	add(&capture, (struct record) { .data = BYTES("\x1b[2J\x07\x7f\xff#|") },
		"\x12\0\0\0\xff\0", 6);
	char *text = written(&capture);

	for (const char *c = text; *c; c++)
		assert_true(*c == '\n' || (*c >= 0x20 && *c < 0x7f));
	assert_non_null(strstr(text, "|.[2J...#||\n"));
	free(text);
	capture_deinit(&capture);
}

static void the_comment_of_a_cdb_names_command_and_page(void **state)
{
	struct capture capture;

	(void)state;
	capture_init(&capture, "drive");
	add(&capture, (struct record) { .data = BYTES("\x0d") }, "\x4d\0\x4d\0\0\0\0\x40\0\0", 10);
	add(&capture, (struct record) { .data = BYTES("\0") }, "\x25\0\0\0\0\0\0\0\0\0", 10);
	char *text = written(&capture);

	assert_non_null(strstr(text, "cdb 4d 00 4d 00 00 00 00 40 00 00  # LOG SENSE, log page"));
	assert_non_null(strstr(text, "cdb 25 00 00 00 00 00 00 00 00 00  # READ CAPACITY(10)\n"));
	assert_non_null(
		strstr(text, "0d                                               # 0000 |.|"));
	free(text);
	capture_deinit(&capture);
}

static void small_edits_by_hand_are_legal(void **state)
{
	static const char *const texts[] = {
		"assay-capture 1\ncdb 12 01 80 00 ff 00\ndata 00 80 00 04 41 42 43 44\n",
		"assay-capture 1\r\ncdb 12 01 80 00 ff 00\r\ndata\r\n00 80 00 04 41 42 43 44\r\n",
		"\n# x\n\t assay-capture\t1 # y\n\n  cdb\t12 01 80\n\t00 FF 00 # z\n data 00\n80 "
		"00\n"
		"\n# between\n 04 41,42,43 44",
		"\xef\xbb\xbf# marked\nassay-capture 1\ncdb 120180 00ff 0\ndata 0080 00044142 43 "
		"44\n",
		"assay-capture 1\ncdb 0x12 0x1 0X80 0 0xff 0\ndata 0x0080000441424344\n",
		"assay-capture 1\ncdb 12 01 80 00 ff 00\ndata 00 80\nhost node sdb\n00 04 41 42\n"
		"note a note\n43 44\nstatus 00\n",
	};
	static const struct page_id serial = { .kind = PAGE_VPD, .page = 0x80 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct capture capture;

		must_read(texts[i], &capture);
		const struct record *record = capture_find(&capture, serial);

		assert_non_null(record);
		assert_int_equal(record->data.len, 8);
		assert_memory_equal(record->data.at, "\0\x80\0\4ABCD", 8);
		assert_int_equal(record->scsi_status, 0);
		assert_true(record->duration_us == -1);
		capture_deinit(&capture);
	}
}

static void what_is_missing_stays_missing(void **state)
{
	struct capture capture;

	(void)state;
	must_read("assay-capture 1\ncdb 0\ncdb 1\ndata\ncdb 2\nsense\ncdb 3\nout\n", &capture);
	assert_int_equal(capture.record_count, 4);
	assert_null(capture.records[0].data.at);
	assert_non_null(capture.records[1].data.at);
	assert_int_equal(capture.records[1].data.len, 0);
	assert_null(capture.records[1].sense.at);
	assert_non_null(capture.records[2].sense.at);
	assert_int_equal(capture.records[2].scsi_status, 2);
	assert_non_null(capture.records[3].out.at);
	assert_null(capture.records[3].data.at);
	capture_deinit(&capture);
}

static void the_status_follows_from_the_sense_data_unless_it_is_said(void **state)
{
	struct capture capture;

	(void)state;
	must_read("assay-capture 1\ncdb 0\ncdb 1\nsense 70 0 5\ncdb 2\nsense 70\nstatus 0\n"
		  "cdb 3\nstatus 18\ncdb 4\ntransport gone\n",
		&capture);
	assert_int_equal(capture.records[0].scsi_status, 0);
	assert_int_equal(capture.records[1].scsi_status, 2);
	assert_int_equal(capture.records[2].scsi_status, 0);
	assert_int_equal(capture.records[3].scsi_status, 0x18);
	assert_int_equal(capture.records[4].delivery, DELIVERY_GONE);
	capture_deinit(&capture);
}

#define HEAD "assay-capture 1\n"

static const struct {
	const char *text, *want;
} errors[] = {
	{ "\n# nothing\n", "t:2: expected \"assay-capture 1\"" },
	{ "cdb 12\n", "t:1: expected \"assay-capture 1\", found \"cdb\"" },
	{ "assay-capture 2\n", "t:1: expected version 1 of the format, found \"2\"" },
	{ "assay-capture\n", "t:1: expected version 1 of the format, found \"\"" },
	{ HEAD "cdb 12 zz\n", "t:2: expected a hexadecimal byte, found \"zz\"" },
	{ HEAD "cdb 12\ndata\n00 123\n", "t:4: expected a hexadecimal byte, found \"123\"" },
	{ HEAD "\ncdb 12\nfrob 1\n",
		"t:4: expected host, note, cdb, out, status, transport, sense, duration_us "
		"or data, found \"frob\"" },
	{ HEAD "00 11\n", "t:2: hexadecimal bytes behind no cdb, out, sense or data" },
	{ HEAD "cdb 0\nstatus 0\n11\n",
		"t:4: hexadecimal bytes behind no cdb, out, sense or data" },
	{ HEAD "data 00\n", "t:2: expected cdb before data" },
	{ HEAD "status 00\n", "t:2: expected cdb before status" },
	{ HEAD "cdb 0\ndata 1\ndata 2\n", "t:4: a second data in one record" },
	{ HEAD "cdb 0\nstatus 1\nstatus 1\n", "t:4: a second status in one record" },
	{ HEAD "cdb 0\nstatus 123\n", "t:3: expected one hexadecimal byte behind status" },
	{ HEAD "cdb 0\nstatus 1 2\n", "t:3: expected one hexadecimal byte behind status" },
	{ HEAD "cdb 0\ntransport lost\n",
		"t:3: expected timed-out, gone or failed behind transport" },
	{ HEAD "cdb 0\nduration_us 12x\n", "t:3: expected microseconds, found \"12x\"" },
	{ HEAD "cdb 0\nduration_us\n", "t:3: expected microseconds behind duration_us" },
	{ HEAD "cdb 0\nduration_us 9999999999999999999\n",
		"t:3: expected microseconds, "
		"found \"999999" },
	{ HEAD "host\n", "t:2: expected a name and a value behind host" },
	{ HEAD "note\n", "t:2: expected 1 to 511 bytes of text behind note" },
	{ HEAD "cdb\n\ncdb 1\n", "t:4: the record above has a cdb of no bytes" },
	{ HEAD "cdb 0\nda\x1bta\n", "t:3: expected text, found a control character" },
	{ HEAD "cdb 0\n\"\xff\xfe\n", "t:3: expected host" },
	{ HEAD "cdb 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20\n",
		"t:2: cdb has more than 32 bytes" },
};

static void an_error_names_the_line_and_what_was_expected(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(errors); i++) {
		struct capture capture;
		struct error error = { 0 };

		assert_int_equal(
			read_text(errors[i].text, strlen(errors[i].text), &capture, &error), -1);
		if (strncmp(error.text, errors[i].want, strlen(errors[i].want)))
			fail_msg("case %zu: %s", i, error.text);
		assert_int_equal(error.status, EXIT_NO_DRIVE_DATA);
		capture_deinit(&capture);
	}
}

/* head, then unit so many times. To be freed. */
static char *repeated(const char *head, const char *unit, size_t times)
{
	size_t head_len = strlen(head), len = strlen(unit);
	char *text = malloc(head_len + len * times + 1);

	memcpy(text, head, head_len);
	for (size_t i = 0; i < times; i++)
		memcpy(text + head_len + i * len, unit, len);
	text[head_len + len * times] = '\0';
	return text;
}

static void a_line_may_have_any_length(void **state)
{
	char *text = repeated(HEAD "cdb 0\ndata", " 5a", 1 << 20);
	struct capture capture;

	(void)state;
	must_read(text, &capture);
	assert_int_equal(capture.records[0].data.len, 1 << 20);
	assert_true(bytes_all(capture.records[0].data, 0x5a));
	capture_deinit(&capture);
	free(text);
}

static void no_file_can_ask_for_too_much(void **state)
{
	static const struct {
		const char *unit;
		size_t times;
		const char *want;
	} cases[] = {
		{ "cdb 0\n", (1 << 16) + 1, "more than 65536 records" },
		{ "host a b\n", (1 << 12) + 1, "more than 4096 host lines" },
		{ "note a\n", (1 << 12) + 1, "more than 4096 notes" },
		{ "#######\n", (8 << 20) + 1, "larger than 64 MiB" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = repeated(HEAD, cases[i].unit, cases[i].times);
		struct capture capture;
		struct error error = { 0 };

		assert_int_equal(read_text(text, strlen(text), &capture, &error), -1);
		assert_non_null(strstr(error.text, cases[i].want));
		capture_deinit(&capture);
		free(text);
	}
}

static void a_failed_write_is_told(void **state)
{
	struct capture capture;
	FILE *full = fopen("/dev/full", "w");

	(void)state;
	if (!full)
		skip();
	capture_init(&capture, "drive");
	add(&capture, (struct record) { .duration_us = -1 }, "\0", 1);
	assert_true(capture_write(full, &capture) < 0);
	fclose(full);
	capture_deinit(&capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capture_comes_back_as_it_was_written),
		cmocka_unit_test(the_file_holds_nothing_that_a_terminal_obeys),
		cmocka_unit_test(the_comment_of_a_cdb_names_command_and_page),
		cmocka_unit_test(small_edits_by_hand_are_legal),
		cmocka_unit_test(what_is_missing_stays_missing),
		cmocka_unit_test(the_status_follows_from_the_sense_data_unless_it_is_said),
		cmocka_unit_test(an_error_names_the_line_and_what_was_expected),
		cmocka_unit_test(a_line_may_have_any_length),
		cmocka_unit_test(no_file_can_ask_for_too_much),
		cmocka_unit_test(a_failed_write_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
