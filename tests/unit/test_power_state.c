#include "drive.h"

static void give_request_sense(struct drive *drive, const uint8_t *sense, size_t len)
{
	static const uint8_t cdb[6] = { 0x03, 0, 0, 0, 252 };

	give(&drive->capture, cdb, sizeof(cdb), sense, len);
}

static void request_sense_tells_the_state_of_an_sas_drive(void **state)
{
	static const struct {
		const char *name;
		uint8_t sense[18];
		const char *state; /* NULL: unknown */
	} cases[] = {
		{ "active", { 0x70, 0, 0, 0, 0, 0, 0, 10 }, "active" },
		{ "standby by command", { 0x70, 0, 0, 0, 0, 0, 0, 10, 0, 0, 0, 0, 0x5e, 0x04 },
			"standby_z" },
		{ "idle_b by timer", { 0x72, 0, 0x5e, 0x05 }, "idle_b" },
		{ "standby_y by command", { 0x72, 0, 0x5e, 0x0a }, "standby_y" },
		{ "stopped", { 0x72, 2, 0x04, 0x02 }, "stopped" },
		{ "reserved", { 0x72, 0, 0x5e, 0x7f }, NULL },
		{ "medium error", { 0x72, 3, 0x11, 0x00 }, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_request_sense(drive, cases[i].sense, sizeof(cases[i].sense));
		drive_decode(drive);
		if (cases[i].state)
			expect_text(drive, "power.state", cases[i].state);
		else
			expect_state(drive, "power.state", FACT_UNKNOWN);
		drive_free(drive);
	}
}

/* A descriptor of that Count, Status and nothing else. */
static void give_power_mode(struct drive *drive, uint8_t sent, uint8_t count, uint8_t status)
{
	uint8_t sense[] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, count, 0, 0, 0, 0, 0, 0,
		0x40, status };
	struct record record = {
		.cdb = { 0x85, 0x06, 0x20, [6] = sent, [14] = 0xe5 },
		.cdb_len = 16,
		.scsi_status = 0x02,
		.duration_us = -1,
		.sense = { sense, sizeof(sense) },
	};

	capture_add(&drive->capture, &record);
}

static void check_power_mode_is_believed_where_it_cannot_be_an_echo(void **state)
{
	static const struct {
		const char *name, *transport;
		uint8_t sent, count, status;
		const char *state; /* NULL: unknown */
	} cases[] = {
		{ "active", "sata", 0, 0xff, 0x50, "active" },
		{ "standby", "sata", 0, 0x00, 0x50, "standby" },
		{ "standby, through a bridge", "usb", 0, 0x00, 0x50, NULL },
		{ "active, through a bridge", "usb", 0, 0xff, 0x50, "active" },
		{ "what was sent", "sata", 0x5a, 0x5a, 0x50, NULL },
		{ "registers of zeros", "sata", 0, 0x00, 0x00, NULL },
		{ "an error", "sata", 0, 0xff, 0x51, NULL },
		{ "idle_b", "sata", 0, 0x82, 0x50, "idle_b" },
		{ "standby_y", "sata", 0, 0x01, 0x50, "standby_y" },
		{ "reserved", "sata", 0, 0x77, 0x50, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		capture_host(&drive->capture, "transport", cases[i].transport);
		give_power_mode(drive, cases[i].sent, cases[i].count, cases[i].status);
		drive_decode(drive);
		if (cases[i].state)
			expect_text(drive, "power.state", cases[i].state);
		else
			expect_state(drive, "power.state", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void fixed_format_sense_carries_the_power_mode_too(void **state)
{
	static const uint8_t active[] = { 0xf0, 0x00, 0x01, 0x00, 0x50, 0x00, 0xff, 0x0a, 0, 0, 0,
		0, 0, 0x1d };
	static const uint8_t standby[] = { 0xf0, 0x00, 0x01, 0x00, 0x50, 0x40, 0x00, 0x0a, 0x80, 0,
		0, 0, 0, 0x1d };
	static const struct {
		const uint8_t *sense;
		const char *state;
	} cases[] = { { active, "active" }, { standby, "standby" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_registers(drive, 0xe5, cases[i].sense, sizeof(active));
		drive_decode(drive);
		expect_text(drive, "power.state", cases[i].state);
		drive_free(drive);
	}
}

static void a_sat_layers_no_sense_says_nothing_of_an_ata_drive(void **state)
{
	static const uint8_t nothing[18] = { 0x70, 0, 0, 0, 0, 0, 0, 10 };
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	give_request_sense(drive, nothing, sizeof(nothing));
	drive_decode(drive);
	expect_absent(drive, "power.state");
	drive_free(drive);
}

static void the_kernels_runtime_suspension_counts_last(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	capture_host(&drive->capture, "runtime_status", "suspended");
	drive_decode(drive);
	expect_text(drive, "power.state", "suspended");
	give_power_mode(drive, 0, 0xff, 0x50);
	drive_decode(drive);
	expect_text(drive, "power.state", "active");
	drive_free(drive);
}

static void the_shorter_pass_through_has_its_count_elsewhere(void **state)
{
	static const uint8_t echo[] = { 0x72, 1, 0, 0x1d, 0, 0, 0, 14, 9, 12, 0, 0, 0, 0x82, 0, 0,
		0, 0, 0, 0, 0x40, 0x50 };
	static const struct {
		uint8_t at;
		bool known;
	} cases[] = { { 4, false }, { 6, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct record record = {
			.cdb = { 0xa1, 0x06, 0x20, [9] = 0xe5 },
			.cdb_len = 12,
			.scsi_status = 0x02,
			.duration_us = -1,
			.sense = { echo, sizeof(echo) },
		};
		struct drive *drive = drive_new();

		record.cdb[cases[i].at] = 0x82;
		capture_add(&drive->capture, &record);
		drive_decode(drive);
		expect_state(drive, "power.state", cases[i].known ? FACT_KNOWN : FACT_UNKNOWN);
		drive_free(drive);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(request_sense_tells_the_state_of_an_sas_drive),
		cmocka_unit_test(check_power_mode_is_believed_where_it_cannot_be_an_echo),
		cmocka_unit_test(fixed_format_sense_carries_the_power_mode_too),
		cmocka_unit_test(a_sat_layers_no_sense_says_nothing_of_an_ata_drive),
		cmocka_unit_test(the_kernels_runtime_suspension_counts_last),
		cmocka_unit_test(the_shorter_pass_through_has_its_count_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
