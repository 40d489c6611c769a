#include "drive.h"

static void standards_that_are_not_reported_are_unknown(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *standard, *revision; /* NULL: unknown */
	} cases[] = {
		{ 0x0000, 0x0000, NULL, NULL },
		{ 0xffff, 0xffff, NULL, NULL },
		{ 0x01f0, 0x0029, "ATA8-ACS", "ATA8-ACS r4" },
		{ 0x07f8, 0x006d, "ACS-3", "ACS-3 r5" },
		{ 0x0ff8, 0x0fff, "ACS-4", NULL },
		{ 0x3ff0, 0x0073, "ACS-6", "ACS-6 r2" },
		{ 0x001e, 0x0012, "ATA/ATAPI-4", "ATA/ATAPI-4 published" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 80, cases[i].major);
		word_set(identify, 81, cases[i].minor);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].standard)
			expect_text(drive, "identity.standard", cases[i].standard);
		else
			expect_state(drive, "identity.standard", FACT_UNKNOWN);
		if (cases[i].revision)
			expect_text(drive, "identity.standard_revision", cases[i].revision);
		else
			expect_state(drive, "identity.standard_revision", FACT_UNKNOWN);
		drive_free(drive);
	}
}

static void a_serial_devices_transport_has_a_version(void **state)
{
	static const struct {
		unsigned word;
		const char *transport, *standard; /* NULL: absent */
	} cases[] = {
		{ 0x0000, NULL, NULL },
		{ 0xffff, NULL, NULL },
		{ 0x107f, "sata", "SATA 3.1" },
		{ 0x17ff, "sata", "SATA 3.5" },
		{ 0x101f, "sata", "SATA 2.6" },
		{ 0x0021, "pata", NULL },
		{ 0xe000, "pcie", NULL },
		{ 0x5001, NULL, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 222, cases[i].word);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].transport)
			expect_text(drive, "identity.transport", cases[i].transport);
		else
			expect_absent(drive, "identity.transport");
		if (cases[i].standard)
			expect_text(drive, "identity.transport_standard", cases[i].standard);
		else
			expect_absent(drive, "identity.transport_standard");
		drive_free(drive);
	}
}

static void a_reserved_version_is_invalid(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	word_set(identify, 80, 0x4ff0);
	word_set(identify, 222, 0x1800);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_state(drive, "identity.standard", FACT_INVALID);
	expect_state(drive, "identity.transport_standard", FACT_INVALID);
	expect_source(drive, "identity.standard", 2 * 80, 2);
	expect_source(drive, "identity.standard_revision", 2 * 81, 2);
	expect_source(drive, "identity.transport_standard", 2 * 222, 2);
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(standards_that_are_not_reported_are_unknown),
		cmocka_unit_test(a_serial_devices_transport_has_a_version),
		cmocka_unit_test(a_reserved_version_is_invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
