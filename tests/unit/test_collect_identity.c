#include "test.h"

#include "fake_sysfs.h"

#include "assay/collect.h"

static const char folder[] = "devices/pci0/host2/target2:0:0/2:0:0:0";
static const char node[] = "/dev/assay-test";

static const uint8_t inquiry[36] = { 0, 0, 6, 2, 31, [8] = 'E', 'X', 'A', 'M', 'P', 'L', 'E', ' ' };
static const uint8_t ata_inquiry[36] = { 0, 0, 6, 2, 31, [8] = 'A', 'T', 'A', ' ', ' ', ' ', ' ',
	' ' };
static const uint8_t pages[] = { 0, 0, 0, 3, 0x00, 0x80, 0x83 };
static const uint8_t ata_pages[] = { 0, 0, 0, 2, 0x00, 0x89 };
static const uint8_t serial[] = { 0, 0x80, 0, 4, '1', '2', '3', '4' };
static const uint8_t device[] = { 0, 0x83, 0, 0 };
static const uint8_t information[572] = { 0, 0x89, 0x02, 0x38 };

struct run {
	struct capture capture;
	struct error error;
	int result;
};

static void run_identity(struct run *run)
{
	static const struct collect_options options = { .limits = { 0 } };

	capture_init(&run->capture, node);
	run->result = collect_identity(sysfs, node, &options, &run->capture, &run->error);
	assert_int_equal(run->capture.command_count, 0);
}

static void put_scsi_pages(void)
{
	put(folder, "block/assay-test/size", "2097152\n");
	put_bytes(folder, "inquiry", inquiry, sizeof(inquiry));
	put_bytes(folder, "vpd_pg0", pages, sizeof(pages));
	put_bytes(folder, "vpd_pg80", serial, sizeof(serial));
	put_bytes(folder, "vpd_pg83", device, sizeof(device));
}

static void put_scsi_drive(void)
{
	put_drive(folder, "2:0:0:0", "assay-test", "assay-sg");
	put_scsi_pages();
}

/* The node does not exist: what has to open it fails. */
static void what_the_kernel_keeps_needs_no_open(void **state)
{
	struct run run;

	(void)state;
	put_scsi_drive();
	run_identity(&run);
	assert_int_equal(run.result, 0);
	assert_int_equal(run.capture.record_count, 4);
	capture_deinit(&run.capture);
}

static void nor_does_an_ata_drive_with_its_identify_data(void **state)
{
	struct run run;

	(void)state;
	put_drive(folder, "2:0:0:0", "assay-test", "assay-sg");
	put_bytes(folder, "inquiry", ata_inquiry, sizeof(ata_inquiry));
	put_bytes(folder, "vpd_pg0", ata_pages, sizeof(ata_pages));
	put_bytes(folder, "vpd_pg89", information, sizeof(information));
	run_identity(&run);
	assert_int_equal(run.result, 0);
	capture_deinit(&run.capture);
}

static void what_it_does_not_keep_is_asked_for(void **state)
{
	static const struct {
		const char *file; /* that is missing, or other */
		const uint8_t *data;
		size_t len;
	} cases[] = {
		{ "inquiry", NULL, 0 },
		{ "vpd_pg0", NULL, 0 },
		{ "vpd_pg80", NULL, 0 },
		{ "block/assay-test/size", (const uint8_t *)"0\n", 2 },
		/* ATA without IDENTIFY data; and with data that nobody vouches for */
		{ "inquiry", ata_inquiry, sizeof(ata_inquiry) },
		{ "vpd_pg0", ata_pages, sizeof(ata_pages) },
	};

	(void)state;
	put_scsi_drive();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run run;

		put_scsi_pages();
		put_bytes(folder, cases[i].file, cases[i].data, cases[i].len);
		run_identity(&run);
		if (run.result != -1)
			fail_msg("not asked for: %s", cases[i].file);
		assert_int_equal(run.error.status, EXIT_NO_SUCH);
		/* what there is stays */
		assert_true(run.capture.record_count >= 3);
		capture_deinit(&run.capture);
	}
}

static void a_suspended_drive_is_not_opened(void **state)
{
	struct run run;

	(void)state;
	put_drive(folder, "2:0:0:0", "assay-test", "assay-sg");
	put(folder, "power/runtime_status", "suspended\n");
	run_identity(&run);
	assert_int_equal(run.result, 0);
	assert_string_equal(capture_host_value(&run.capture, "runtime_status"), "suspended");
	capture_deinit(&run.capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		sysfs_test(what_the_kernel_keeps_needs_no_open),
		sysfs_test(nor_does_an_ata_drive_with_its_identify_data),
		sysfs_test(what_it_does_not_keep_is_asked_for),
		sysfs_test(a_suspended_drive_is_not_opened),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
