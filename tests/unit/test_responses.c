#include "pages.h"

static const uint8_t invalid_field[18] = { 0x70, 0, 0x05, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x24 };

static void what_became_of_a_command_has_a_word(void **state)
{
	static const struct {
		enum delivery delivery;
		uint8_t scsi_status;
		const char *word;
	} cases[] = {
		{ DELIVERY_DONE, 0x00, "good" },
		{ DELIVERY_DONE, 0x02, "check condition" },
		{ DELIVERY_DONE, 0x04, "condition met" },
		{ DELIVERY_DONE, 0x08, "busy" },
		{ DELIVERY_DONE, 0x18, "reservation conflict" },
		{ DELIVERY_DONE, 0x28, "task set full" },
		{ DELIVERY_DONE, 0x30, "ACA active" },
		{ DELIVERY_DONE, 0x40, "task aborted" },
		{ DELIVERY_DONE, 0x22, "status 22h" },
		{ DELIVERY_TIMED_OUT, 0x00, "timed out" },
		{ DELIVERY_GONE, 0x00, "gone" },
		{ DELIVERY_FAILED, 0x00, "failed" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct record record = { .cdb_len = 6,
			.delivery = cases[i].delivery,
			.scsi_status = cases[i].scsi_status,
			.duration_us = -1 };
		struct drive *drive = drive_new();

		capture_add(&drive->capture, &record);
		drive_decode(drive);
		assert_true(cell_is(
			row_of(drive, "responses", 0), "status", value_text(cases[i].word)));
		drive_free(drive);
	}
}

static void every_command_is_shown_with_its_answer(void **state)
{
	struct record refused = { .cdb = { 0x4d, 0, 0x71, 0, 0, 0, 0, 0x40 },
		.cdb_len = 10,
		.scsi_status = 0x02,
		.duration_us = 412,
		.sense = { invalid_field, sizeof(invalid_field) } };
	struct drive *drive = drive_new();
	const struct row *row;

	(void)state;
	give_standard_inquiry(drive, "ACME");
	capture_add(&drive->capture, &refused);
	give_inquiry(&drive->capture, (const uint8_t *)"", 0);
	drive_decode(drive);
	assert_int_equal(row_count(drive, "responses"), 3);
	row = row_of(drive, "responses", 0);
	assert_true(cell_is(row, "command", value_text("INQUIRY")));
	assert_true(cell_is(row, "page", value_text("standard INQUIRY data")));
	assert_true(cell_is(row, "cdb", value_text("12 00 00 00 ff 00")));
	assert_true(cell_is(row, "bytes", value_uint(36)));
	assert_true(cell_is(row, "sense", value_null()));
	assert_true(cell_is(row, "duration_us", value_null()));
	assert_true(cell_is(row, "data", value_null()));
	row = row_of(drive, "responses", 1);
	assert_true(cell_is(row, "command", value_text("LOG SENSE")));
	assert_true(cell_is(row, "page", value_text("log page 31h/00h")));
	assert_true(cell_is(row, "bytes", value_null()));
	assert_true(cell_is(row, "sense", value_text("Illegal Request, Invalid field in cdb")));
	assert_true(cell_is(row, "duration_us", value_uint(412)));
	assert_true(cell_is(row_of(drive, "responses", 2), "bytes", value_uint(0)));
	drive_free(drive);
}

static void vendor_pages_that_no_decoder_knows_show_their_bytes(void **state)
{
	static const uint8_t bytes[] = { 0x31, 0, 0, 2, 0xab, 0xcd };
	static const struct {
		uint8_t cdb[10];
		uint8_t len;
		bool shown;
	} cases[] = {
		{ { 0x4d, 0, 0x71, 0 }, 10, true }, /* log page 31h */
		{ { 0x4d, 0, 0x7e, 0 }, 10, true }, { { 0x4d, 0, 0x4d, 0 }, 10, false },
		{ { 0x4d, 0, 0x70, 0 }, 10, true }, { { 0x4d, 0, 0x6f, 0 }, 10, false },
		{ { 0x4d, 0, 0x42, 0 }, 10, false },
		{ { 0x12, 1, 0xc1, 0 }, 6, true }, /* VPD page C1h */
		{ { 0x12, 1, 0xb0, 0 }, 6, false }, { { 0x12, 1, 0xc0, 0 }, 6, true },
		{ { 0x12, 1, 0xbf, 0 }, 6, false }, { { 0x1c, 1, 0x80, 0 }, 6, true },
		{ { 0x1c, 1, 0x02, 0 }, 6, false },
		{ { 0xc0, 0, 0, 0 }, 6, true }, /* a command that is not known */
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give(&drive->capture, cases[i].cdb, cases[i].len, bytes, sizeof(bytes));
		drive_decode(drive);
		assert_true(cell_is(row_of(drive, "responses", 0), "data",
			cases[i].shown ? value_text("31 00 00 02 ab cd") : value_null()));
		drive_free(drive);
	}
}

static void vendor_logs_of_ata_show_their_bytes_up_to_a_limit(void **state)
{
	static uint8_t bytes[17 * 512];
	static const struct {
		uint8_t log;
		bool shown;
	} cases[] = { { 0xa0, true }, { 0x80, true }, { 0xdf, true }, { 0x11, false },
		{ 0xe0, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_ata_log(&drive->capture, cases[i].log, 0, bytes, sizeof(bytes));
		drive_decode(drive);
		struct value data = row_get(row_of(drive, "responses", 0), "data");

		assert_int_equal(data.kind, cases[i].shown ? VALUE_TEXT : VALUE_NULL);
		if (cases[i].shown) {
			assert_int_equal(strlen(data.text), 3 * 8192 + 3);
			assert_string_equal(&data.text[3 * 8192 - 6], "00 00 ...");
		}
		drive_free(drive);
	}
}

static void what_the_drive_recovered_from_is_noted(void **state)
{
	static const struct {
		uint8_t sense[18];
		const char *note; /* NULL: none */
	} cases[] = {
		{ { 0x70, 0, 1, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x17, 1 },
			"log page 0Dh/00h: Recovered Error, Recovered data with retries" },
		{ { 0x72, 1, 0x5d, 0x10 },
			"log page 0Dh/00h: Recovered Error, Hardware impending failure general "
			"hard drive failure" },
		/* registers of an ATA command */
		{ { 0x70, 0, 1, 0, 0x50, 0, 0xff, 10, 0, 0, 0, 0, 0x00, 0x1d }, NULL },
		/* of an earlier command */
		{ { 0x71, 0, 1, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x17, 1 }, NULL },
		{ { 0x70, 0, 5, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x24 }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct record record = { .cdb = { 0x4d, 0, 0x4d },
			.cdb_len = 10,
			.scsi_status = 2,
			.sense = { cases[i].sense, sizeof(cases[i].sense) },
			.duration_us = -1 };
		struct drive *drive = drive_new();

		capture_add(&drive->capture, &record);
		drive_decode(drive);
		assert_int_equal(drive->facts.note_count, cases[i].note != NULL);
		if (cases[i].note)
			assert_string_equal(drive->facts.notes[0].text, cases[i].note);
		drive_free(drive);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_became_of_a_command_has_a_word),
		cmocka_unit_test(every_command_is_shown_with_its_answer),
		cmocka_unit_test(vendor_pages_that_no_decoder_knows_show_their_bytes),
		cmocka_unit_test(vendor_logs_of_ata_show_their_bytes_up_to_a_limit),
		cmocka_unit_test(what_the_drive_recovered_from_is_noted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
