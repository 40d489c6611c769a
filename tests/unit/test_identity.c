#include "drive.h"

static const uint8_t sas_inquiry[96] = { 0x00, 0x00, 0x06, 0x02, 91, 0x01, 0x10, 0x02, 'H', 'G',
	'S', 'T', ' ', ' ', ' ', ' ', 'H', 'U', 'S', 'M', 'M', '8', '0', '8', '0', 'A', 'S', 'S',
	'2', '0', '0', ' ', 'A', '3', '6', '0' };
static const uint8_t sat_inquiry[96] = { 0x00, 0x00, 0x05, 0x02, 91, 0x00, 0x00, 0x02, 'A', 'T',
	'A', ' ', ' ', ' ', ' ', ' ', 'S', 'a', 'n', 'D', 'i', 's', 'k', ' ', 'S', 'D', 'S', 'S',
	'D', 'H', 'P', '2', '1', '2', '0', '0' };

static void an_sas_drive_is_named_by_inquiry_and_vpd_pages(void **state)
{
	static const uint8_t serial[] = { 0, 0x80, 0, 12, ' ', ' ', '0', 'S', 'V', '1', '2', '3',
		'4', ' ', ' ', 0 };
	static const uint8_t designators[] = { 0, 0x83, 0, 24,
		/* logical unit, NAA 5 */
		0x01, 0x03, 0, 8, 0x50, 0x00, 0xcc, 0xa0, 0x12, 0x34, 0x56, 0x78,
		/* target port of SAS, NAA 5 */
		0x61, 0x93, 0, 8, 0x50, 0x00, 0xcc, 0xa0, 0x12, 0x34, 0x56, 0x79 };
	static const uint8_t characteristics[64] = { 0, 0xb1, 0, 60, 0, 1, 0, 0x03 };
	struct drive *drive = drive_new();

	(void)state;
	give_inquiry(&drive->capture, sas_inquiry, sizeof(sas_inquiry));
	give_vpd(&drive->capture, 0x80, serial, sizeof(serial));
	give_vpd(&drive->capture, 0x83, designators, sizeof(designators));
	give_vpd(&drive->capture, 0xb1, characteristics, sizeof(characteristics));
	drive_decode(drive);
	expect_text(drive, "identity.vendor", "HGST");
	expect_text(drive, "identity.model", "HUSMM8080ASS200");
	expect_text(drive, "identity.firmware", "A360");
	expect_text(drive, "identity.serial", "0SV1234");
	expect_text(drive, "identity.wwn", "0x5000cca012345678");
	expect_text(drive, "identity.protocol", "scsi");
	expect_text(drive, "identity.transport", "sas");
	expect_text(drive, "identity.form_factor", "2.5 inch");
	expect_uint(drive, "identity.rotation_rpm", 0);
	expect_text(drive, "identity.standard", "SPC-4");
	expect_text(drive, "identity.device_type", "disk");
	assert_int_equal(row_count(drive, "designators"), 2);
	assert_true(cell_is(row_of(drive, "designators", 1), "protocol", value_text("sas")));
	assert_true(
		cell_is(row_of(drive, "designators", 1), "value", value_text("5000cca012345679")));
	assert_int_equal(fact_of(drive, "identity.wwn")->source.offset, 8);
	drive_free(drive);
}

static void identify_beats_what_a_sat_layer_shortens(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_inquiry(&drive->capture, sat_inquiry, sizeof(sat_inquiry));
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_text(drive, "identity.vendor", "SanDisk");
	expect_text(drive, "identity.model", "SanDisk SDSSDHP256G");
	expect_text(drive, "identity.serial", "SN0123456789");
	expect_text(drive, "identity.firmware", "X211200");
	expect_text(drive, "identity.wwn", "0x5001b44912345678");
	expect_text(drive, "identity.protocol", "ata");
	expect_text(drive, "identity.transport", "sata");
	expect_text(drive, "identity.form_factor", "2.5 inch");
	expect_uint(drive, "identity.rotation_rpm", 0);
	expect_text(drive, "identity.standard", "ACS-2");
	expect_text(drive, "identity.standard_revision", "ACS-2 r3");
	expect_text(drive, "identity.transport_standard", "SATA 3.1");
	expect_absent(drive, "identity.additional_product_id");
	for (size_t i = 0; i < drive->facts.fact_count; i++)
		if (!strcmp(drive->facts.facts[i].key->name, "identity.model"))
			assert_string_equal(
				drive->facts.facts[i].value.text, "SanDisk SDSSDHP256G");
	assert_int_equal(drive->facts.note_count, 0);
	drive_free(drive);
}

static void without_identify_inquiry_gives_what_it_has(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_inquiry(&drive->capture, sat_inquiry, sizeof(sat_inquiry));
	drive_decode(drive);
	expect_text(drive, "identity.protocol", "ata");
	expect_text(drive, "identity.model", "SanDisk SDSSDHP2");
	expect_text(drive, "identity.firmware", "1200");
	expect_text(drive, "identity.vendor", "SanDisk");
	assert_true(has_note(drive, "at most 16 letters"));
	drive_free(drive);
}

static void texts_that_a_bridge_has_exchanged_are_not_exchanged_twice(void **state)
{
	static const uint8_t unit_serial[] = { 0, 0x80, 0, 12, 'S', 'N', '0', '1', '2', '3', '4',
		'5', '6', '7', '8', '9' };
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	for (size_t i = 20; i < 94; i += 2) {
		uint8_t first = identify[i];

		identify[i] = identify[i + 1];
		identify[i + 1] = first;
	}
	give_inquiry(&drive->capture, sat_inquiry, sizeof(sat_inquiry));
	give_identify(&drive->capture, identify);
	give_vpd(&drive->capture, 0x80, unit_serial, sizeof(unit_serial));
	drive_decode(drive);
	expect_text(drive, "identity.model", "SanDisk SDSSDHP256G");
	expect_text(drive, "identity.serial", "SN0123456789");
	expect_text(drive, "identity.firmware", "X211200");
	assert_true(has_note(drive, "not in ATA order"));
	assert_false(has_note(drive, "contradict"));
	drive_free(drive);
}

static void a_unit_serial_with_exchanged_bytes_is_no_contradiction(void **state)
{
	static const uint8_t exchanged[] = { 0, 0x80, 0, 12, 'N', 'S', '1', '0', '3', '2', '5', '4',
		'7', '6', '9', '8' };
	static const uint8_t another[] = { 0, 0x80, 0, 4, 'X', 'Y', 'Z', '1' };
	static const struct {
		const uint8_t *page;
		size_t len;
		bool contradiction;
	} cases[] = {
		{ exchanged, sizeof(exchanged), false },
		{ another, sizeof(another), true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		give_identify(&drive->capture, identify);
		give_vpd(&drive->capture, 0x80, cases[i].page, cases[i].len);
		drive_decode(drive);
		expect_text(drive, "identity.serial", "SN0123456789");
		assert_int_equal(has_note(drive, "identity.serial: sources contradict"),
			cases[i].contradiction);
		drive_free(drive);
	}
}

static void a_rotation_rate_is_checked_against_the_standard(void **state)
{
	static const struct {
		unsigned word;
		enum fact_state ata, scsi;
		uint64_t rpm;
	} cases[] = {
		{ 0x0000, FACT_UNKNOWN, FACT_UNKNOWN, 0 },
		{ 0x0001, FACT_KNOWN, FACT_KNOWN, 0 },
		{ 0x0002, FACT_INVALID, FACT_INVALID, 0 },
		{ 0x0400, FACT_INVALID, FACT_INVALID, 0 },
		{ 0x0401, FACT_KNOWN, FACT_KNOWN, 1025 },
		{ 7200, FACT_KNOWN, FACT_KNOWN, 7200 },
		{ 0xfffe, FACT_KNOWN, FACT_KNOWN, 65534 },
		{ 0xffff, FACT_UNKNOWN, FACT_INVALID, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512],
			page[64] = { 0, 0xb1, 0, 60, (uint8_t)(cases[i].word >> 8),
				(uint8_t)cases[i].word };
		struct drive *ata = drive_new(), *scsi = drive_new();

		identify_ssd(identify);
		word_set(identify, 217, cases[i].word);
		give_identify(&ata->capture, identify);
		give_vpd(&scsi->capture, 0xb1, page, sizeof(page));
		drive_decode(ata);
		drive_decode(scsi);
		expect_state(ata, "identity.rotation_rpm", cases[i].ata);
		expect_state(scsi, "identity.rotation_rpm", cases[i].scsi);
		if (cases[i].ata == FACT_KNOWN)
			expect_uint(ata, "identity.rotation_rpm", cases[i].rpm);
		if (cases[i].scsi == FACT_KNOWN)
			expect_uint(scsi, "identity.rotation_rpm", cases[i].rpm);
		drive_free(ata);
		drive_free(scsi);
	}
}

static void a_reserved_form_factor_is_invalid_and_0_unknown(void **state)
{
	static const struct {
		unsigned word;
		enum fact_state state;
		const char *text;
	} cases[] = {
		{ 0x0000, FACT_UNKNOWN, NULL },
		{ 0x0002, FACT_KNOWN, "3.5 inch" },
		{ 0x0005, FACT_KNOWN, "below 1.8 inch" },
		{ 0x0007, FACT_KNOWN, "M.2" },
		{ 0x000a, FACT_INVALID, NULL },
		{ 0xffff, FACT_UNKNOWN, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 168, cases[i].word);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_state(drive, "identity.form_factor", cases[i].state);
		if (cases[i].text)
			expect_text(drive, "identity.form_factor", cases[i].text);
		drive_free(drive);
	}
}

static void the_copy_of_identify_in_vpd_page_89h_serves_too(void **state)
{
	uint8_t identify[512], page[572] = { 0, 0x89, 0x02, 0x38 };
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	memcpy(&page[8], "linux   libata          3.00", 28);
	page[56] = 0xec;
	memcpy(&page[60], identify, 512);
	give_vpd(&drive->capture, 0x89, page, sizeof(page));
	drive_decode(drive);
	expect_text(drive, "identity.model", "SanDisk SDSSDHP256G");
	expect_text(drive, "identity.wwn", "0x5001b44912345678");
	expect_text(drive, "identity.translator_vendor", "linux");
	expect_text(drive, "identity.translator_product", "libata");
	expect_text(drive, "identity.translator_revision", "3.00");
	assert_int_equal(fact_of(drive, "identity.model")->source.offset, 60 + 54);
	drive_free(drive);
}

static void a_wrong_checksum_and_missing_data_are_noted(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	word_set(identify, 0, 0x0044);
	identify[510] = 0xa5;
	identify[511] = 0x01;
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	assert_true(has_note(drive, "wrong checksum"));
	assert_true(has_note(drive, "until the drive spins up"));
	drive_free(drive);
}

static void the_hosts_bus_beats_the_drives_and_a_drivers_name_does_not(void **state)
{
	static const struct {
		const char *host, *transport;
	} cases[] = {
		{ "usb", "usb" },
		{ "sata", "sata" },
		{ "mpt3sas", "sata" },
		{ "loopback", "sata" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		give_identify(&drive->capture, identify);
		capture_host(&drive->capture, "transport", cases[i].host);
		drive_decode(drive);
		expect_text(drive, "identity.transport", cases[i].transport);
		drive_free(drive);
	}
}

static void every_prefix_of_the_pages_is_survived(void **state)
{
	static const uint8_t designators[] = { 0, 0x83, 0, 20, 0x01, 0x03, 0, 8, 0x50, 0x00, 0xcc,
		0xa0, 0x12, 0x34, 0x56, 0x78, 0x61, 0x94, 0, 4, 0, 0, 0, 1 };

	(void)state;
	for (size_t len = 0; len <= sizeof(designators); len++) {
		struct drive *drive = drive_new();

		give_inquiry(&drive->capture, sas_inquiry, len);
		give_vpd(&drive->capture, 0x83, designators, len);
		give_vpd(&drive->capture, 0x80, designators, len);
		drive_decode(drive);
		if (len < 16)
			expect_absent(drive, "identity.wwn");
		else
			expect_text(drive, "identity.wwn", "0x5000cca012345678");
		drive_free(drive);
	}
}

static void an_ata_wwn_counts_only_where_it_is_announced(void **state)
{
	static const struct {
		unsigned word_84, word_87, word_108;
		enum fact_state state;
		bool absent;
	} cases[] = {
		{ 0x6063, 0x6063, 0x5001, FACT_KNOWN, true },
		{ 0x6163, 0x6063, 0x5001, FACT_KNOWN, false },
		{ 0x6063, 0x6163, 0x5001, FACT_KNOWN, false },
		{ 0x2163, 0x2163, 0x5001, FACT_KNOWN, true },
		{ 0x6163, 0x6163, 0x0000, FACT_UNKNOWN, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 84, cases[i].word_84);
		word_set(identify, 87, cases[i].word_87);
		word_set(identify, 108, cases[i].word_108);
		for (unsigned word = 109; !cases[i].word_108 && word < 112; word++)
			word_set(identify, word, 0);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].absent)
			expect_absent(drive, "identity.wwn");
		else
			expect_state(drive, "identity.wwn", cases[i].state);
		if (!cases[i].absent)
			expect_source(drive, "identity.wwn", 2 * 108, 8);
		drive_free(drive);
	}
}

static void texts_fill_their_fields(void **state)
{
	static const char model[] = "Hitachi 0123456789012345678901234567890Z";
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	text_set(identify, 10, 20, "A123456789012345678Z");
	text_set(identify, 23, 8, "F123456Z");
	text_set(identify, 27, 40, model);
	text_set(identify, 170, 8, "P1234567");
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_text(drive, "identity.serial", "A123456789012345678Z");
	expect_text(drive, "identity.firmware", "F123456Z");
	expect_text(drive, "identity.model", model);
	expect_text(drive, "identity.additional_product_id", "P1234567");
	expect_source(drive, "identity.serial", 20, 20);
	expect_source(drive, "identity.firmware", 46, 8);
	expect_source(drive, "identity.model", 54, 40);
	drive_free(drive);
}

static void a_blank_model_leaves_that_of_inquiry(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	text_set(identify, 27, 40, "");
	give_inquiry(&drive->capture, sat_inquiry, sizeof(sat_inquiry));
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_text(drive, "identity.model", "SanDisk SDSSDHP2");
	expect_text(drive, "identity.firmware", "X211200");
	drive_free(drive);
}

static void the_capabilities_page_of_the_identify_log_serves_last(void **state)
{
	uint8_t page[512] = { 1, 0, 3, 0, 0, 0, 0, 0x80, [24] = 0x20,
		0x1c, [31] = 0x80, [32] = 2, [39] = 0x80 };
	struct drive *drive = drive_new();

	(void)state;
	give_ata_log(&drive->capture, 0x30, 3, page, sizeof(page));
	drive_decode(drive);
	expect_uint(drive, "identity.rotation_rpm", 7200);
	expect_text(drive, "identity.form_factor", "3.5 inch");
	expect_source(drive, "identity.rotation_rpm", 24, 2);
	drive_free(drive);

	drive = drive_new();
	page[31] = 0;
	page[39] = 0;
	give_ata_log(&drive->capture, 0x30, 3, page, sizeof(page));
	drive_decode(drive);
	expect_absent(drive, "identity.rotation_rpm");
	expect_absent(drive, "identity.form_factor");
	drive_free(drive);

	/* a bridge answers with another page */
	drive = drive_new();
	page[2] = 4;
	page[31] = page[39] = 0x80;
	give_ata_log(&drive->capture, 0x30, 3, page, sizeof(page));
	drive_decode(drive);
	expect_absent(drive, "identity.rotation_rpm");
	expect_absent(drive, "identity.form_factor");
	drive_free(drive);
}

static void mode_pages_name_the_protocol(void **state)
{
	static const uint8_t mode[] = { 0, 14, 0, 0, 0, 0, 0, 0, 0x18, 6, 0x16, 0, 0, 0, 0, 0 };
	struct drive *drive = drive_new();

	(void)state;
	give_mode(&drive->capture, 0, 0x18, 0, mode, sizeof(mode));
	drive_decode(drive);
	expect_text(drive, "identity.transport", "sas");
	expect_source(drive, "identity.transport", 10, 1);
	drive_free(drive);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_sas_drive_is_named_by_inquiry_and_vpd_pages),
		cmocka_unit_test(identify_beats_what_a_sat_layer_shortens),
		cmocka_unit_test(without_identify_inquiry_gives_what_it_has),
		cmocka_unit_test(texts_that_a_bridge_has_exchanged_are_not_exchanged_twice),
		cmocka_unit_test(a_unit_serial_with_exchanged_bytes_is_no_contradiction),
		cmocka_unit_test(a_rotation_rate_is_checked_against_the_standard),
		cmocka_unit_test(a_reserved_form_factor_is_invalid_and_0_unknown),
		cmocka_unit_test(the_copy_of_identify_in_vpd_page_89h_serves_too),
		cmocka_unit_test(a_wrong_checksum_and_missing_data_are_noted),
		cmocka_unit_test(the_hosts_bus_beats_the_drives_and_a_drivers_name_does_not),
		cmocka_unit_test(every_prefix_of_the_pages_is_survived),
		cmocka_unit_test(an_ata_wwn_counts_only_where_it_is_announced),
		cmocka_unit_test(texts_fill_their_fields),
		cmocka_unit_test(a_blank_model_leaves_that_of_inquiry),
		cmocka_unit_test(the_capabilities_page_of_the_identify_log_serves_last),
		cmocka_unit_test(mode_pages_name_the_protocol),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
