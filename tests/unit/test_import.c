#include "imported.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct page_id status_id = { .kind = PAGE_SMART_STATUS };

static void put_section(uint8_t **at, const char *tag, const uint8_t *data, size_t len)
{
	memcpy(*at, tag, 4);
	memcpy(*at + 4, (uint8_t[]) { 0, 0, (uint8_t)(len >> 8), (uint8_t)len }, 4);
	memcpy(*at + 8, data, len);
	*at += 8 + len;
}

static void a_blob_becomes_four_records(void **state)
{
	static const struct {
		const char *health;
		uint8_t mid, high;
	} cases[] = { { "\0\0\0\1", 0x4f, 0xc2 }, { "\0\0\0\0", 0xf4, 0x2c },
		{ "\x80\0\0\0", 0x4f, 0xc2 } };
	uint8_t blob[1572], identify[512], smart[512], thresholds[512];

	(void)state;
	make_identify(identify, true);
	make_attributes(smart, false);
	make_attributes(thresholds, true);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t *at = blob;

		put_section(&at, "IDFY", identify, 512);
		put_section(&at, "SMST", (const uint8_t *)cases[i].health, 4);
		put_section(&at, "SMDT", smart, 512);
		put_section(&at, "SMTH", thresholds, 512);
		assert_int_equal(at - blob, sizeof(blob));
		struct imported imported = import(
			(struct bytes) { blob, sizeof(blob) }, IMPORT_AUTO);
		struct ata_registers registers;

		assert_record(&imported, 0, identify_id, (struct bytes) { identify, 512 });
		assert_record(&imported, 1, status_id, (struct bytes) { 0 });
		assert_record(&imported, 2, smart_id, (struct bytes) { smart, 512 });
		assert_record(&imported, 3, thresholds_id, (struct bytes) { thresholds, 512 });
		assert_true(ata_registers_of_sense(imported.capture.records[1].sense, &registers));
		assert_int_equal(registers.lba >> 8 & 0xff, cases[i].mid);
		assert_int_equal(registers.lba >> 16 & 0xff, cases[i].high);
		assert_int_equal(registers.status, 0x50);
		assert_int_equal(imported.capture.note_count, 1);
		capture_deinit(&imported.capture);
	}
}

static void what_a_blob_lacks_stays_missing(void **state)
{
	uint8_t blob[3 * 520], identify[512], *at = blob;
	struct imported imported;

	(void)state;
	make_identify(identify, true);
	put_section(&at, "IDFY", identify, 512);
	put_section(&at, "SMTH", identify, 100);
	memset(blob + 520 + 6, 2, 1); /* it says 512, and 100 are there */
	blob[520 + 7] = 0;
	imported = import((struct bytes) { blob, (size_t)(at - blob) }, IMPORT_AUTO);
	assert_int_equal(imported.capture.record_count, 2);
	assert_record(&imported, 1, thresholds_id, (struct bytes) { identify, 100 });
	assert_non_null(strstr(imported.capture.notes[0], "file: section SMTH has 100 of 512"));
	capture_deinit(&imported.capture);

	at = blob + 520;
	put_section(&at, "IDFY", identify, 512); /* twice */
	imported = import((struct bytes) { blob, (size_t)(at - blob) }, IMPORT_AUTO);
	assert_int_equal(imported.capture.record_count, 1);
	assert_int_equal(imported.capture.note_count, 1);
	capture_deinit(&imported.capture);
}

static void a_sector_is_told_by_its_bytes_alone(void **state)
{
	static const struct page_id *const want[] = { &identify_id, &identify_id, &smart_id,
		&thresholds_id };
	uint8_t sectors[4][512];

	(void)state;
	make_identify(sectors[0], true);
	make_identify(sectors[1], false);
	make_attributes(sectors[2], false);
	make_attributes(sectors[3], true);
	for (size_t i = 0; i < ARRAY_LEN(sectors); i++) {
		struct bytes sector = { sectors[i], 512 };
		struct imported imported = import(sector, IMPORT_AUTO);

		assert_record(&imported, 0, *want[i], sector);
		assert_int_equal(imported.capture.note_count, 0);
		capture_deinit(&imported.capture);
		sectors[i][i == 1 ? 99 : 300] ^= i == 1 ? 0x0f : 1; /* words, or the checksum */
		imported = import(sector, IMPORT_AUTO);
		assert_int_equal(imported.result, -1);
		assert_int_equal(imported.error.status, EXIT_NO_DRIVE_DATA);
		assert_non_null(strstr(imported.error.text, "--as KIND"));
		capture_deinit(&imported.capture);
	}
}

static void said_kinds_are_believed_but_not_against_the_bytes(void **state)
{
	uint8_t sector[512], long_one[513] = { 0 };
	struct imported imported;

	(void)state;
	make_attributes(sector, false);
	imported = import((struct bytes) { sector, 512 }, IMPORT_THRESHOLDS);
	assert_int_equal(imported.result, -1);
	assert_string_equal(imported.error.text, "these are SMART data, not SMART thresholds");
	capture_deinit(&imported.capture);
	imported = import((struct bytes) { sector, 376 }, IMPORT_SMART);
	assert_record(&imported, 0, smart_id, (struct bytes) { sector, 376 });
	capture_deinit(&imported.capture);
	memset(sector, 0xff, 512);
	imported = import((struct bytes) { sector, 512 }, IMPORT_SMART);
	assert_record(&imported, 0, smart_id, (struct bytes) { sector, 512 });
	capture_deinit(&imported.capture);
	imported = import((struct bytes) { long_one, 513 }, IMPORT_IDENTIFY);
	assert_string_equal(
		imported.error.text, "513 bytes are more than the 512 of IDENTIFY DEVICE data");
	capture_deinit(&imported.capture);
}

static void a_capture_is_read_as_one_whatever_kind_was_said(void **state)
{
	struct imported imported = import_text(
		"# made by hand\nassay-capture 1\ncdb 12 01 80 00 ff 00\ndata " SERIAL_PAGE "\n",
		IMPORT_SMART);

	(void)state;
	assert_record(&imported, 0, (struct page_id) { .kind = PAGE_VPD, .page = 0x80 },
		B("\0\x80\0\4ABCD"));
	capture_deinit(&imported.capture);
	imported = import_text("assay-capture 1\nhost node sda\n", IMPORT_AUTO);
	assert_string_equal(imported.error.text, "is a capture without a record");
	capture_deinit(&imported.capture);
}

static void several_files_make_one_capture(void **state)
{
	struct capture capture;
	struct error error = { 0 };

	(void)state;
	capture_init(&capture, "t");
	assert_int_equal(import_bytes(B(SERIAL_PAGE), "a", IMPORT_VPD, &capture, &error), 0);
	assert_int_equal(import_bytes(B(TEMPERATURE), "b", IMPORT_LOG, &capture, &error), 0);
	assert_int_equal(import_bytes(B("zz"), "c", IMPORT_AUTO, &capture, &error), -1);
	assert_int_equal(capture.record_count, 2);
	capture_deinit(&capture);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static void noise_is_never_taken_for_drive_data(void **state)
{
	static const size_t lens[] = { 1, 8, 18, 32, 36, 64, 96, 252, 512, 1572 };
	uint32_t seed = 2463534242;
	uint8_t noise[1572];

	(void)state;
	for (size_t n = 0; n < 5000; n++) {
		for (size_t i = 0; i < sizeof(noise); i++)
			noise[i] = (uint8_t)(next_random(&seed) >> 11);
		struct imported imported = import(
			(struct bytes) { noise, lens[n % ARRAY_LEN(lens)] }, IMPORT_AUTO);

		assert_int_equal(imported.result, -1);
		assert_int_equal(imported.capture.record_count, 0);
		capture_deinit(&imported.capture);
	}
}

/* What import_file() says of a path: its status. */
static enum exit_status status_of(const char *path, const char *want)
{
	struct capture capture;
	struct error error = { 0 };

	capture_init(&capture, path);
	assert_int_equal(import_file(path, IMPORT_AUTO, &capture, &error), -1);
	assert_non_null(strstr(error.text, want));
	assert_null(strchr(error.text, '\n'));
	capture_deinit(&capture);
	return error.status;
}

static void a_path_that_is_no_file_is_refused_at_once(void **state)
{
	char folder[] = "/tmp/assay-test-XXXXXX", path[64];
	int fd;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/x", folder);
	assert_int_equal(status_of(path, "No such file"), EXIT_NO_SUCH);
	assert_int_equal(status_of(folder, "is a directory"), EXIT_NO_DRIVE_DATA);
	assert_int_equal(status_of("/dev/null", "is a device"), EXIT_NO_DRIVE_DATA);
	assert_int_equal(status_of("/dev/zero", "is a device"), EXIT_NO_DRIVE_DATA);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(status_of(path, "is empty"), EXIT_NO_DRIVE_DATA);
	unlink(path);
	fd = open(path, O_CREAT | O_RDWR, 0600);
	assert_true(fd >= 0);
	assert_int_equal(status_of(path, "is empty"), EXIT_NO_DRIVE_DATA);
	assert_int_equal(ftruncate(fd, (off_t)1 << 30), 0);
	assert_int_equal(status_of(path, "is larger than 64 MiB"), EXIT_NO_DRIVE_DATA);
	if (getuid() != 0) {
		assert_int_equal(chmod(path, 0), 0);
		assert_int_equal(status_of(path, "denied"), EXIT_NO_PERMISSION);
	}
	close(fd);
	unlink(path);
	rmdir(folder);
}

static void a_pipe_is_read(void **state)
{
	struct capture capture;
	struct error error = { 0 };
	char path[32];
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(write(ends[1], SERIAL_PAGE, 23), 23);
	close(ends[1]);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	capture_init(&capture, path);
	assert_int_equal(import_file(path, IMPORT_AUTO, &capture, &error), 0);
	assert_int_equal(capture.record_count, 1);
	capture_deinit(&capture);
	close(ends[0]);
}

static void the_words_for_kinds_are_those_of_the_manual(void **state)
{
	(void)state;
	assert_int_equal(import_kind_of("identify"), IMPORT_IDENTIFY);
	assert_int_equal(import_kind_of("smart"), IMPORT_SMART);
	assert_int_equal(import_kind_of("thresholds"), IMPORT_THRESHOLDS);
	assert_int_equal(import_kind_of("inquiry"), IMPORT_INQUIRY);
	assert_int_equal(import_kind_of("vpd"), IMPORT_VPD);
	assert_int_equal(import_kind_of("log"), IMPORT_LOG);
	assert_int_equal(import_kind_of("mode"), IMPORT_MODE);
	assert_int_equal(import_kind_of("readcap16"), IMPORT_READCAP16);
	assert_int_equal(import_kind_of("sense"), IMPORT_SENSE);
	assert_int_equal(import_kind_of("sens"), -1);
	assert_int_equal(import_kind_of(""), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_blob_becomes_four_records),
		cmocka_unit_test(what_a_blob_lacks_stays_missing),
		cmocka_unit_test(a_sector_is_told_by_its_bytes_alone),
		cmocka_unit_test(said_kinds_are_believed_but_not_against_the_bytes),
		cmocka_unit_test(a_capture_is_read_as_one_whatever_kind_was_said),
		cmocka_unit_test(several_files_make_one_capture),
		cmocka_unit_test(noise_is_never_taken_for_drive_data),
		cmocka_unit_test(a_path_that_is_no_file_is_refused_at_once),
		cmocka_unit_test(a_pipe_is_read),
		cmocka_unit_test(the_words_for_kinds_are_those_of_the_manual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
