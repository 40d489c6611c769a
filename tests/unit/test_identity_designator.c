#include "drive.h"

static void a_target_ports_name_is_not_the_drives(void **state)
{
	static const struct {
		const char *name;
		uint8_t list[64];
		uint8_t len;
		const char *wwn; /* NULL: none */
	} cases[] = {
		{ "port only", { 0x61, 0x93, 0, 8, 0x50, 0, 0xcc, 0xa0, 1, 2, 3, 4 }, 12, NULL },
		{ "EUI-64", { 0x01, 0x02, 0, 8, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 },
			12, NULL },
		{ "NAA 6",
			{ 0x01, 0x03, 0, 16, 0x60, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
				15 },
			20, NULL },
		{ "NAA 3 before 5",
			{ 0x01, 0x03, 0, 8, 0x30, 0, 0, 0, 0, 0, 0, 1, 0x01, 0x03, 0, 8, 0x50, 0, 0,
				0, 0, 0, 0, 2 },
			24, "0x5000000000000002" },
		{ "NAA 2", { 0x01, 0x03, 0, 8, 0x20, 0, 0, 0, 0, 0, 0, 1 }, 12,
			"0x2000000000000001" },
		{ "cut off", { 0x01, 0x03, 0, 8, 0x50, 0, 0 }, 7, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[4 + sizeof(cases[i].list)] = { 0, 0x83, 0, cases[i].len };
		struct drive *drive = drive_new();

		memcpy(&page[4], cases[i].list, cases[i].len);
		give_vpd(&drive->capture, 0x83, page, 4 + (size_t)cases[i].len);
		drive_decode(drive);
		if (cases[i].wwn)
			expect_text(drive, "identity.wwn", cases[i].wwn);
		else
			expect_absent(drive, "identity.wwn");
		drive_free(drive);
	}
}

static void texts_and_kinds_of_designators_are_told(void **state)
{
	static const uint8_t page[] = { 0, 0x83, 0, 52,
		/* logical unit: T10 vendor id, text */
		0x02, 0x01, 0, 12, 'A', 'T', 'A', ' ', ' ', ' ', ' ', ' ', 'X', ' ', 'Y', ' ',
		/* port: relative port; iSCSI in the header, but PIV is 0 */
		0x51, 0x14, 0, 4, 0, 0, 0, 2,
		/* device: name string of SAS */
		0x63, 0xa8, 0, 12, 'n', 'a', 'a', '.', '5', '0', '0', '0', '\0', '\0', '\0', '\0',
		/* logical unit: protocol means nothing here */
		0x61, 0x83, 0, 0, 0x01, 0x0f, 0, 0 };
	static const struct {
		const char *of, *kind, *protocol, *value; /* NULL: null */
	} rows[] = {
		{ "logical unit", "t10_vendor", NULL, "ATA     X Y" },
		{ "target port", "relative_port", NULL, "00000002" },
		{ "target device", "scsi_name", "sas", "naa.5000" },
		{ "logical unit", "naa", NULL, "" },
		{ "logical unit", NULL, NULL, "" },
	};
	static const char *const columns[] = { "association", "type", "protocol", "value" };
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x83, page, sizeof(page));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "designators"), ARRAY_LEN(rows));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const char *const cells[] = { rows[i].of, rows[i].kind, rows[i].protocol,
			rows[i].value };

		for (size_t c = 0; c < ARRAY_LEN(columns); c++)
			assert_true(cell_is(row_of(drive, "designators", i), columns[c],
				cells[c] ? value_text(cells[c]) : value_null()));
	}
	expect_text(drive, "identity.transport", "sas");
	expect_source(drive, "identity.transport", 28, 2);
	expect_absent(drive, "identity.wwn");
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_target_ports_name_is_not_the_drives),
		cmocka_unit_test(texts_and_kinds_of_designators_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
