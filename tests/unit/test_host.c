#include "test.h"

#include "fake_sysfs.h"

#include "assay/transport.h"

static const char folder[] = "devices/pci0/ata3/host2/target2:0:0/2:0:0:0";

static void put_sata_drive(void)
{
	char path[PATH_MAX];

	put_drive(folder, "2:0:0:0", "sda", "sg0");
	put(folder, "vendor", "ATA     \n");
	put(folder, "model", "EXAMPLE DRIVE   \n");
	put(folder, "rev", "1.23\n");
	put(folder, "power/runtime_status", "active\n");
	put(folder, "block/sda/queue/scheduler", "none [mq-deadline] bfq\n");
	put(folder, "block/sda/integrity/format", "T10-DIF-TYPE1-CRC\n");
	put(folder, "block/sda/integrity/tag_size", "0\n");
	put(folder, "scsi_disk/2:0:0:0/protection_type", "1\n");
	put(folder, "scsi_disk/2:0:0:0/protection_mode", "dix1\n");
	put("class/scsi_host/host2", "proc_name", "ahci\n");
	put("class/scsi_host/host2", "prot_capabilities", "7\n");
	put("class/scsi_host/host2", "prot_guard_type", "3\n");
	put("class/ata_link/link3", "sata_spd", "6.0 Gbps\n");
	put(folder, "block/sda/sda1/partition", "1\n");
	join(path, "%s/block/sda/sda1", folder);
	put_link("class/block", "sda1", path);
}

static void host_lines_are_those_of_sysfs(void **state)
{
	static const char *const lines[][2] = {
		{ "node", "sda" },
		{ "sg_node", "sg0" },
		{ "transport", "sata" },
		{ "link_gbps", "6.0" },
		{ "proc_name", "ahci" },
		{ "runtime_status", "active" },
		{ "scheduler", "mq-deadline" },
		{ "integrity.format", "T10-DIF-TYPE1-CRC" },
		{ "integrity.tag_size", "0" },
		{ "protection_type", "1" },
		{ "protection_mode", "dix1" },
		{ "host_prot_capabilities", "7" },
		{ "host_prot_guard_type", "3" },
	};
	static const char *const nodes[] = { "/dev/sda", "/dev/sg0", "/dev/sda1" };

	(void)state;
	put_sata_drive();
	for (size_t n = 0; n < ARRAY_LEN(nodes); n++) {
		struct capture capture;
		struct error error;

		capture_init(&capture, "test");
		assert_int_equal(host_read(sysfs, nodes[n], &capture, &error), 0);
		for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
			const char *value = capture_host_value(&capture, lines[i][0]);

			if (!value)
				fail_msg("no line %s", lines[i][0]);
			assert_string_equal(value, lines[i][1]);
		}
		/* and the time; nothing for what has no file */
		assert_int_equal(strlen(capture_host_value(&capture, "time")), 20);
		assert_int_equal(capture.host_count, ARRAY_LEN(lines) + 1);
		capture_deinit(&capture);
	}
}

static void a_node_that_is_no_scsi_device_is_refused(void **state)
{
	static const struct {
		const char *node;
		enum exit_status status;
	} cases[] = {
		{ "/dev/no-such-node", EXIT_NO_SUCH },
		{ "/dev/null", EXIT_NO_DRIVE_DATA },
	};

	(void)state;
	put("devices/virtio0", "vendor", "0x1af4\n");
	put_link("class/block/vda", "device", "devices/virtio0");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct capture capture;
		struct error error;

		capture_init(&capture, "test");
		assert_int_equal(host_read(sysfs, cases[i].node, &capture, &error), -1);
		assert_int_equal(error.status, cases[i].status);
		assert_int_equal(capture.host_count, 0);
		assert_int_equal(host_read(sysfs, "vda", &capture, &error), -1);
		capture_deinit(&capture);
	}
}

static const struct {
	const char *folder;
	const char *file[2][3]; /* folder, file, text */
	const char *transport, *rate;
} paths[] = {
	{ "devices/pci0/ata1/host0/target0:0:0/0:0:0:0",
		{ { "class/ata_link/link1", "sata_spd", "3.0 Gbps\n" } }, "sata", "3.0" },
	{ "devices/pci0/ata2/host1/target1:4:0/1:4:0:0", /* behind a port multiplier */
		{ { "class/ata_link/link2", "sata_spd", "6.0 Gbps\n" },
			{ "class/ata_link/link2.4", "sata_spd", "1.5 Gbps\n" } },
		"sata", "1.5" },
	{ "devices/pci0/ata5/host4/target4:0:0/4:0:0:0", /* parallel ATA */
		{ { "class/ata_link/link5", "sata_spd", "<unknown>\n" },
			{ "class/scsi_host/host4", "proc_name", "ata_piix\n" } },
		"ata_piix", NULL },
	{ "devices/pci0/host6/port-6:0/end_device-6:0/target6:0:0/6:0:0:0",
		{ { "devices/pci0/host6/port-6:0/phy-6:3", "x", "" },
			{ "class/sas_phy/phy-6:3", "negotiated_linkrate", "12.0 Gbit\n" } },
		"sas", "12.0" },
	{ "devices/pci0/usb2/2-1/2-1:1.0/host7/target7:0:0/7:0:0:0",
		{ { "devices/pci0/usb2/2-1", "speed", "5000\n" },
			{ "devices/pci0/usb2", "speed", "10000\n" } },
		"usb", "5" },
	{ "devices/pci0/usb1/1-1/1-1:1.0/host8/target8:0:0/8:0:0:0",
		{ { "devices/pci0/usb1/1-1", "speed", "480\n" } }, "usb", "0.48" },
	{ "devices/pci0/host9/rport-9:0-1/target9:0:0/9:0:0:0",
		{ { "class/fc_host/host9", "speed", "16 Gbit\n" } }, "fc", "16" },
	{ "devices/platform/host10/session1/target10:0:0/10:0:0:1", { { NULL } }, "iscsi", NULL },
	{ "devices/tcm_loop_0/tcm_loop_adapter_0/host11/target11:0:1/11:0:1:0", { { NULL } },
		"loopback", NULL },
	{ "devices/pci0/virtio1/host12/target12:0:0/12:0:0:0", { { NULL } }, "virtio", NULL },
	{ "devices/pci0/host13/target13:0:0/13:0:0:0",
		{ { "class/scsi_host/host13", "proc_name", "sym53c8xx\n" },
			{ "class/spi_host/host13", "signalling", "LVD\n" } },
		"spi", NULL },
	{ "devices/pci0/host14/target14:2:0/14:2:0:0",
		{ { "class/scsi_host/host14", "proc_name", "megaraid_sas\n" } }, "megaraid_sas",
		NULL },
};

static void the_path_tells_the_transport_and_its_rate(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		const char *address = strrchr(paths[i].folder, '/') + 1, *rate;
		struct capture capture;
		struct error error;
		char node[16];

		snprintf(node, sizeof(node), "sg%zu", i);
		put_drive(paths[i].folder, address, NULL, node);
		for (size_t f = 0; f < 2; f++)
			if (paths[i].file[f][0])
				put(paths[i].file[f][0], paths[i].file[f][1], paths[i].file[f][2]);
		capture_init(&capture, "test");
		assert_int_equal(host_read(sysfs, node, &capture, &error), 0);
		assert_string_equal(capture_host_value(&capture, "transport"), paths[i].transport);
		rate = capture_host_value(&capture, "link_gbps");
		assert_string_equal(rate ? rate : "none", paths[i].rate ? paths[i].rate : "none");
		capture_deinit(&capture);
	}
}

static void the_kernels_copies_become_records(void **state)
{
	static const uint8_t inquiry[36] = { 0, 0, 5, 2, 31 };
	static const uint8_t serial[8] = { 0, 0x80, 0, 4, 'A', 'B', 'C', 'D' };
	static const struct page_id inquiry_id = { .kind = PAGE_INQUIRY };
	static const struct page_id serial_id = { .kind = PAGE_VPD, .page = 0x80 };
	const struct record *record;
	struct capture capture;

	(void)state;
	put_sata_drive();
	put_bytes(folder, "inquiry", inquiry, sizeof(inquiry));
	put_bytes(folder, "vpd_pg80", serial, sizeof(serial));
	put_bytes(folder, "vpd_pg83", "", 0); /* a page that the drive has not */
	capture_init(&capture, "test");
	assert_int_equal(host_cached_pages(sysfs, "sda", &capture), 2);
	assert_int_equal(capture.record_count, 2);
	assert_int_equal(capture.command_count, 0);
	record = capture_find(&capture, inquiry_id);
	assert_non_null(record);
	assert_int_equal(record->data.len, sizeof(inquiry));
	record = capture_find(&capture, serial_id);
	assert_non_null(record);
	assert_memory_equal(record->data.at, serial, sizeof(serial));
	assert_true(record_is_good(record));
	capture_deinit(&capture);
}

static void the_size_is_in_sectors_of_512_bytes(void **state)
{
	(void)state;
	put_sata_drive();
	put_drive("devices/pci0/host5/target5:0:0/5:0:0:0", "5:0:0:0", NULL, "sg5");
	assert_true(host_size_bytes(sysfs, "sda") == UINT64_C(1073741824));
	assert_true(host_size_bytes(sysfs, "sg0") == UINT64_C(1073741824));
	assert_true(host_size_bytes(sysfs, "sg5") == 0);
	assert_true(host_size_bytes(sysfs, "sdz") == 0);
}

static void a_scan_finds_every_scsi_device_in_the_order_of_nodes(void **state)
{
	static const char *const nodes[] = { "/dev/sda", "/dev/sdb", "/dev/sdaa", "" };
	struct host_drive *drives;
	size_t count;

	(void)state;
	put_drive("devices/host5/target5:0:0/5:0:0:0", "5:0:0:0", NULL, "sg9");
	put_drive("devices/host6/target6:0:0/6:0:0:0", "6:0:0:0", "sdaa", "sg7");
	put_drive("devices/host7/target7:0:0/7:0:0:0", "7:0:0:0", "sdb", NULL);
	put("devices/host7/target7:0:0/7:0:0:0", "power/runtime_status", "suspended\n");
	put("devices/host7/target7:0:0/7:0:0:0", "type", "20\n");
	put_sata_drive();
	put_link("class/scsi_device/8:0:0:0", "device", "devices/gone"); /* unplugged meanwhile */

	count = host_scan(sysfs, &drives);
	assert_int_equal(count, ARRAY_LEN(nodes));
	for (size_t i = 0; i < count; i++)
		assert_string_equal(drives[i].node, nodes[i]);
	assert_string_equal(drives[0].sg_node, "/dev/sg0");
	assert_string_equal(drives[0].vendor, "ATA");
	assert_string_equal(drives[0].model, "EXAMPLE DRIVE");
	assert_string_equal(drives[0].revision, "1.23");
	assert_string_equal(drives[0].transport, "sata");
	assert_false(drives[0].suspended);
	assert_true(drives[1].suspended);
	assert_int_equal(drives[1].device_type, 20);
	assert_string_equal(drives[1].sg_node, "");
	assert_string_equal(drives[3].sg_node, "/dev/sg9");
	free(drives);
}

static void no_sysfs_is_no_drive(void **state)
{
	struct host_drive *drives;

	(void)state;
	assert_int_equal(host_scan("/nonexistent", &drives), 0);
	assert_null(drives);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		sysfs_test(host_lines_are_those_of_sysfs),
		sysfs_test(a_node_that_is_no_scsi_device_is_refused),
		sysfs_test(the_path_tells_the_transport_and_its_rate),
		sysfs_test(the_kernels_copies_become_records),
		sysfs_test(the_size_is_in_sectors_of_512_bytes),
		sysfs_test(a_scan_finds_every_scsi_device_in_the_order_of_nodes),
		cmocka_unit_test(no_sysfs_is_no_drive),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
