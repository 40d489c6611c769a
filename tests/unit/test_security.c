#include "drive.h"

static void ata_security_is_read_where_it_is_supported(void **state)
{
	static const struct {
		const char *name;
		unsigned word_82, word_83, word_128;
		int supported; /* -1: absent */
		bool enabled, locked, frozen, expired, enhanced;
		int maximum;
	} cases[] = {
		{ "frozen", 0x746b, 0x7d09, 0x0029, 1, false, false, true, false, true, -1 },
		{ "locked, high", 0x746b, 0x7d09, 0x0007, 1, true, true, false, false, false, 0 },
		{ "maximum", 0x746b, 0x7d09, 0x0113, 1, true, false, false, true, false, 1 },
		{ "not supported", 0x7469, 0x7d09, 0xffff, 0, 0, 0, 0, 0, 0, 0 },
		{ "word 83 not signed", 0x746b, 0x3d09, 0x0029, -1, 0, 0, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 82, cases[i].word_82);
		word_set(identify, 83, cases[i].word_83);
		word_set(identify, 128, cases[i].word_128);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].supported < 0)
			expect_absent(drive, "security.supported");
		else
			expect_flag(drive, "security.supported", cases[i].supported);
		if (cases[i].supported == 1) {
			expect_flag(drive, "security.enabled", cases[i].enabled);
			expect_flag(drive, "security.locked", cases[i].locked);
			expect_flag(drive, "security.frozen", cases[i].frozen);
			expect_flag(drive, "security.count_expired", cases[i].expired);
			expect_flag(drive, "security.enhanced_erase_supported", cases[i].enhanced);
			expect_uint(drive, "security.master_password_id", 0xfffe);
		} else {
			expect_absent(drive, "security.locked");
			expect_absent(drive, "security.frozen");
			expect_absent(drive, "security.erase_minutes");
		}
		if (cases[i].supported == 1 && cases[i].maximum >= 0)
			expect_flag(drive, "security.level_maximum", cases[i].maximum);
		else
			expect_absent(drive, "security.level_maximum");
		drive_free(drive);
	}
}

static void erase_times_have_a_short_and_a_long_form(void **state)
{
	static const struct {
		unsigned word;
		enum fact_state state;
		uint64_t minutes;
		const char *note;
	} cases[] = {
		{ 0x0000, FACT_UNKNOWN, 0, NULL },
		{ 0x0003, FACT_KNOWN, 6, NULL },
		{ 0x00fe, FACT_KNOWN, 508, NULL },
		{ 0x00ff, FACT_UNKNOWN, 0, "more than 508 minutes" },
		{ 0x8000, FACT_UNKNOWN, 0, NULL },
		{ 0x8100, FACT_KNOWN, 512, NULL },
		{ 0xfffe, FACT_KNOWN, 65532, NULL },
		{ 0xffff, FACT_UNKNOWN, 0, "more than 65532 minutes" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 89, cases[i].word);
		word_set(identify, 90, cases[i].word);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_state(drive, "security.erase_minutes", cases[i].state);
		expect_state(drive, "security.enhanced_erase_minutes", cases[i].state);
		if (cases[i].state == FACT_KNOWN)
			expect_uint(drive, "security.erase_minutes", cases[i].minutes);
		if (cases[i].note)
			assert_string_equal(
				fact_of(drive, "security.erase_minutes")->note, cases[i].note);
		else
			assert_null(fact_of(drive, "security.erase_minutes")->note);
		drive_free(drive);
	}
}

static void word_59_tells_how_an_ata_drive_can_be_sanitized(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_flag(drive, "security.sanitize_supported", true);
	expect_flag(drive, "security.sanitize_crypto_supported", true);
	expect_flag(drive, "security.sanitize_overwrite_supported", false);
	expect_flag(drive, "security.sanitize_block_supported", true);
	expect_flag(drive, "security.sanitize_antifreeze_supported", true);
	expect_flag(drive, "security.tcg_supported", true);
	expect_flag(drive, "security.encrypts_all", false);
	drive_free(drive);

	drive = drive_new();
	word_set(identify, 59, 0xa001);
	word_set(identify, 48, 0x0001);
	word_set(identify, 69, 0x1010);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_flag(drive, "security.sanitize_supported", false);
	expect_absent(drive, "security.sanitize_crypto_supported");
	expect_absent(drive, "security.tcg_supported");
	expect_flag(drive, "security.encrypts_all", true);
	drive_free(drive);
}

static void the_security_page_of_the_identify_log_has_another_order(void **state)
{
	static const uint8_t page[512] = { 1, 0, 6, 0, 0, 0, 0,
		0x80, [16] = 0x52, [23] = 0x80, [48] = 0x17, [55] = 0x80 };
	struct drive *drive = drive_new();

	(void)state;
	give_ata_log(&drive->capture, 0x30, 6, page, sizeof(page));
	drive_decode(drive);
	expect_flag(drive, "security.supported", true);
	expect_flag(drive, "security.enhanced_erase_supported", true);
	expect_flag(drive, "security.count_expired", false);
	expect_flag(drive, "security.frozen", false);
	expect_flag(drive, "security.locked", true);
	expect_flag(drive, "security.enabled", false);
	expect_flag(drive, "security.encrypts_all", true);
	expect_flag(drive, "security.sanitize_supported", true);
	expect_flag(drive, "security.sanitize_crypto_supported", true);
	expect_flag(drive, "security.sanitize_overwrite_supported", false);
	expect_flag(drive, "security.sanitize_block_supported", true);
	drive_free(drive);
}

/* READ(10) with timeouts, SANITIZE overwrite and crypto, SYNCHRONIZE CACHE(10) */
static const uint8_t operation_codes[] = { 0, 0, 0, 44,
	/* READ(10) */
	0x28, 0, 0, 0, 0, 0x02, 0, 10, 0, 10, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2,
	/* SANITIZE */
	0x48, 0, 0, 0x01, 0, 0x01, 0, 10, 0x48, 0, 0, 0x03, 0, 0x01, 0, 10,
	/* SYNCHRONIZE CACHE(10) */
	0x35, 0, 0, 0, 0, 0x00, 0, 10 };

static void give_operation_codes(struct drive *drive, uint8_t options, size_t len)
{
	const uint8_t cdb[12] = { 0xa3, 0x0c, options, [8] = 0x10 };

	give(&drive->capture, cdb, sizeof(cdb), operation_codes, len);
}

static void the_list_of_commands_tells_how_an_scsi_drive_can_be_sanitized(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_operation_codes(drive, 0x80, sizeof(operation_codes));
	drive_decode(drive);
	expect_flag(drive, "security.sanitize_supported", true);
	expect_flag(drive, "security.sanitize_overwrite_supported", true);
	expect_flag(drive, "security.sanitize_block_supported", false);
	expect_flag(drive, "security.sanitize_crypto_supported", true);
	expect_flag(drive, "power_loss.flush_supported", true);
	assert_int_equal(
		fact_of(drive, "security.sanitize_overwrite_supported")->source.offset, 24);
	drive_free(drive);
}

static void a_list_that_is_cut_off_denies_nothing(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(operation_codes); len++) {
		struct drive *drive = drive_new();

		give_operation_codes(drive, 0, len);
		drive_decode(drive);
		expect_absent(drive, "security.sanitize_block_supported");
		if (len >= 32)
			expect_flag(drive, "security.sanitize_overwrite_supported", true);
		else
			expect_absent(drive, "security.sanitize_supported");
		drive_free(drive);
	}
}

static void an_answer_about_one_command_is_no_list(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_operation_codes(drive, 0x02, sizeof(operation_codes));
	drive_decode(drive);
	expect_absent(drive, "security.sanitize_supported");
	drive_free(drive);
}

static void give_security(
	struct drive *drive, uint8_t protocol, uint16_t specific, const uint8_t *data, size_t len)
{
	const uint8_t cdb[12] = { 0xa2, protocol, (uint8_t)(specific >> 8),
		(uint8_t)specific, [8] = 0x02 };

	give(&drive->capture, cdb, sizeof(cdb), data, len);
}

static void security_protocols_are_listed(void **state)
{
	static const uint8_t list[] = { 0, 0, 0, 0, 0, 0, 0, 4, 0x00, 0x01, 0x02, 0xef, 0xff };
	static const uint8_t plain[] = { 0, 0, 0, 0, 0, 0, 0, 2, 0x00, 0xef };
	struct drive *drive = drive_new();

	(void)state;
	give_security(drive, 0x00, 0x0000, list, sizeof(list));
	drive_decode(drive);
	expect_text(drive, "security.protocols", "00h 01h 02h EFh");
	expect_flag(drive, "security.tcg_supported", true);
	drive_free(drive);

	drive = drive_new();
	give_security(drive, 0x00, 0x0000, plain, sizeof(plain));
	drive_decode(drive);
	expect_flag(drive, "security.tcg_supported", false);
	drive_free(drive);
}

/* Level 0 discovery: TPer, Locking (supported, enabled, encrypting), Opal 2.0 */
static const uint8_t discovery[] = { 0, 0, 0, 80, 0, 0, 0, 1, [48] = 0x00, 0x01, 0x10, 12, 0x11, 0,
	0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x00, 0x02, 0x10, 12, 0x0b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	0x02, 0x03, 0x10, 0 };

static void level_0_discovery_tells_class_and_locking(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_security(drive, 0x01, 0x0001, discovery, sizeof(discovery));
	drive_decode(drive);
	expect_text(drive, "security.tcg_class", "Opal 2.0");
	expect_flag(drive, "security.locking_supported", true);
	expect_flag(drive, "security.locking_enabled", true);
	expect_flag(drive, "security.tcg_locked", false);
	expect_flag(drive, "security.media_encryption", true);
	expect_flag(drive, "security.shadow_mbr_enabled", false);
	assert_int_equal(fact_of(drive, "security.locking_enabled")->source.offset, 68);
	drive_free(drive);
}

static void discovery_that_is_cut_off_is_survived(void **state)
{
	(void)state;
	for (size_t len = 0; len < sizeof(discovery); len++) {
		struct drive *drive = drive_new();

		give_security(drive, 0x01, 0x0001, discovery, len);
		drive_decode(drive);
		if (len < 48)
			expect_absent(drive, "security.tcg_class");
		if (len < 80)
			expect_absent(drive, "security.locking_enabled");
		else
			expect_flag(drive, "security.locking_enabled", true);
		drive_free(drive);
	}
}

static void fips_compliance_needs_a_standard_and_a_level(void **state)
{
	static const struct {
		uint8_t type, standard, level;
		enum fact_state state;
		const char *text;
	} cases[] = {
		{ 1, '2', '2', FACT_KNOWN, "FIPS 140-2 level 2" },
		{ 1, '3', '1', FACT_KNOWN, "FIPS 140-3 level 1" },
		{ 1, '9', '2', FACT_INVALID, NULL },
		{ 1, '2', 0, FACT_INVALID, NULL },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t data[4 + 528] = { 0, 0, 0x02, 0x10, 0, cases[i].type, 0, 0, 0, 0, 0x02,
			0x08, cases[i].standard, cases[i].level };
		struct drive *drive = drive_new();

		give_security(drive, 0x00, 0x0002, data, sizeof(data));
		drive_decode(drive);
		expect_state(drive, "security.fips", cases[i].state);
		if (cases[i].text)
			expect_text(drive, "security.fips", cases[i].text);
		drive_free(drive);
	}
}

static void give_security_log(struct drive *drive, const uint8_t *data, size_t len)
{
	give_ata_log(&drive->capture, 0x30, 6, data, len);
}

static void each_security_feature_is_a_bit_of_its_own(void **state)
{
	static const struct bit words[] = {
		{ "security.tcg_supported", 2 * 48, 2, 0, true },
		{ "security.sanitize_antifreeze_supported", 2 * 59, 2, 10, true },
		{ "security.sanitize_crypto_supported", 2 * 59, 2, 13, true },
		{ "security.sanitize_overwrite_supported", 2 * 59, 2, 14, true },
		{ "security.sanitize_block_supported", 2 * 59, 2, 15, true },
		{ "security.encrypts_all", 2 * 69, 2, 4, true },
		{ "security.enabled", 2 * 128, 2, 1, true },
		{ "security.locked", 2 * 128, 2, 2, true },
		{ "security.frozen", 2 * 128, 2, 3, true },
		{ "security.count_expired", 2 * 128, 2, 4, true },
		{ "security.enhanced_erase_supported", 2 * 128, 2, 5, true },
	};
	static const struct bit log[] = {
		{ "security.enabled", 16, 1, 0, true },
		{ "security.locked", 16, 1, 1, true },
		{ "security.frozen", 16, 1, 2, true },
		{ "security.count_expired", 16, 1, 3, true },
		{ "security.enhanced_erase_supported", 16, 1, 4, true },
		{ "security.encrypts_all", 48, 1, 0, true },
		{ "security.sanitize_crypto_supported", 48, 1, 2, true },
		{ "security.sanitize_overwrite_supported", 48, 1, 3, true },
		{ "security.sanitize_block_supported", 48, 1, 4, true },
	};
	static const uint8_t page[512] = { 1, 0, 6, 0, 0, 0, 0,
		0x80, [16] = 0x40, [23] = 0x80, [48] = 0x02, [55] = 0x80 };
	uint8_t identify[512];

	(void)state;
	identify_ssd(identify);
	expect_bits(words, ARRAY_LEN(words), identify, sizeof(identify), give_identify_to);
	expect_bits(log, ARRAY_LEN(log), page, sizeof(page), give_security_log);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ata_security_is_read_where_it_is_supported),
		cmocka_unit_test(erase_times_have_a_short_and_a_long_form),
		cmocka_unit_test(word_59_tells_how_an_ata_drive_can_be_sanitized),
		cmocka_unit_test(the_security_page_of_the_identify_log_has_another_order),
		cmocka_unit_test(the_list_of_commands_tells_how_an_scsi_drive_can_be_sanitized),
		cmocka_unit_test(a_list_that_is_cut_off_denies_nothing),
		cmocka_unit_test(an_answer_about_one_command_is_no_list),
		cmocka_unit_test(security_protocols_are_listed),
		cmocka_unit_test(level_0_discovery_tells_class_and_locking),
		cmocka_unit_test(discovery_that_is_cut_off_is_survived),
		cmocka_unit_test(fips_compliance_needs_a_standard_and_a_level),
		cmocka_unit_test(each_security_feature_is_a_bit_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
