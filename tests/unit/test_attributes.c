#include "smart.h"

static uint64_t uint_of(const struct row *row, const char *column)
{
	struct value value = row_get(row, column);

	assert_int_equal(value.kind, VALUE_UINT);
	return value.uint;
}

static void every_slot_is_a_row_with_its_own_bytes(void **state)
{
	static const struct smart_slot slots[] = {
		{ 5, 100, 99, 0xa1b2c3d4e5f6, 10, 0 },
		{ 0 },
		{ 246, 100, 0, 58088, -1, 0 },
		{ 246, 98, 97, 58089, 5, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	const struct row *row = smart_row(&drive.facts, 0);
	assert_int_equal(uint_of(row, "id"), 5);
	assert_int_equal(uint_of(row, "value"), 100);
	assert_int_equal(uint_of(row, "worst"), 99);
	assert_int_equal(uint_of(row, "threshold"), 10);
	assert_true(uint_of(row, "raw") == 0xa1b2c3d4e5f6);
	assert_int_equal(uint_of(row, "flags"), 0x32);
	assert_int_equal(row->source.offset, 7);
	assert_int_equal(row->source.parameter, 5);
	/* an id that is repeated has the threshold of its own slot, if it has one */
	row = smart_row(&drive.facts, 1);
	assert_int_equal(uint_of(row, "id"), 246);
	assert_int_equal(uint_of(row, "raw"), 58088);
	assert_int_equal(uint_of(smart_row(&drive.facts, 2), "threshold"), 5);
	assert_null(smart_row(&drive.facts, 3));
	smart_end(&drive);
}

static void an_attribute_fails_at_its_threshold(void **state)
{
	static const struct {
		uint8_t value, worst;
		int threshold;
		const char *want;
	} cases[] = {
		{ 100, 100, 10, NULL },
		{ 10, 10, 10, "now" },
		{ 9, 9, 10, "now" },
		{ 11, 10, 10, "past" },
		{ 100, 1, 63, "past" },
		/* 0 always passes, FDh to FFh are reserved or tests */
		{ 1, 1, 0, NULL },
		{ 0, 0, 0, NULL },
		{ 100, 100, 0xff, NULL },
		{ 100, 100, 0xfe, NULL },
		{ 100, 100, 0xfd, NULL },
		{ 1, 1, -1, NULL },
	};

	(void)state;
	smart_no_database();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct smart_slot slots[] = { { 5, cases[i].value, cases[i].worst, 0,
			cases[i].threshold, 0 } };
		struct smart_drive drive;

		smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
		smart_decode(&drive, slots, ARRAY_LEN(slots));
		const struct row *row = smart_row(&drive.facts, 0);
		smart_assert_text(row_get(row, "failing"), cases[i].want);
		if (cases[i].threshold < 0)
			assert_int_equal(row_get(row, "threshold").kind, VALUE_NULL);
		smart_end(&drive);
	}
}

static void what_is_no_smart_data_has_no_attributes(void **state)
{
	static const char text[] = "No SMART data here. This firmware answers with a message of "
				   "its maker, and goes on with it for a while: 0123456789. ";
	static const char digits[] = "0123456789 ";
	uint8_t sectors[6][512];

	(void)state;
	smart_no_database();
	memset(sectors[0], 0, 512);
	memset(sectors[1], 0xff, 512);
	for (size_t i = 0; i < 512; i++)
		sectors[2][i] = (uint8_t)text[i % (sizeof(text) - 1)];
	for (size_t i = 0; i < 512; i++) /* another sector: nothing but numbers */
		sectors[3][i] = (uint8_t)(i * 37 + i / 7);
	memset(sectors[4], 0x11, 512);
	for (size_t i = 0; i < 512; i++)
		sectors[5][i] = (uint8_t)digits[i % (sizeof(digits) - 1)];
	for (size_t i = 0; i < ARRAY_LEN(sectors); i++) {
		struct smart_drive drive;

		smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
		give_smart_data(&drive.capture, sectors[i]);
		decode(&drive.capture, &drive.facts);
		assert_null(smart_row(&drive.facts, 0));
		if (!smart_has_note(&drive.facts, "no attributes") &&
			!smart_has_note(&drive.facts, "holds nothing"))
			fail_msg("sector %zu", i);
		smart_end(&drive);
	}
}

static void the_thresholds_or_the_identity_are_no_smart_data(void **state)
{
	static const struct smart_slot slots[] = { { 5, 10, 0, 0, 10, 0 }, { 9, 5, 0, 0, 5, 0 } };
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
	const struct record *identify = capture_find(
		&drive.capture, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	uint8_t copy[512];
	memcpy(copy, identify->data.at, sizeof(copy));
	give_smart_data(&drive.capture, copy);
	decode(&drive.capture, &drive.facts);
	assert_null(smart_row(&drive.facts, 0));
	assert_true(smart_has_note(&drive.facts, "IDENTIFY DEVICE data"));
	smart_end(&drive);

	smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
	smart_attributes(&drive.capture, slots, ARRAY_LEN(slots));
	const struct record *thresholds = capture_find(
		&drive.capture, (struct page_id) { .kind = PAGE_SMART_THRESHOLDS });
	struct smart_drive other;
	smart_begin(&other, "UNKNOWN", "1", SMART_SOLID);
	memcpy(copy, thresholds->data.at, sizeof(copy));
	give_smart_data(&other.capture, copy);
	give_smart_thresholds(&other.capture, copy);
	decode(&other.capture, &other.facts);
	assert_null(smart_row(&other.facts, 0));
	assert_true(smart_has_note(&other.facts, "the thresholds"));
	smart_end(&other);
	smart_end(&drive);
}

static void a_wrong_checksum_is_a_note_and_the_values_are_shown(void **state)
{
	uint8_t data[512] = { 16, 0, 9, 0x32, 0, 100, 100, 5 };
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
	smart_seal(data);
	data[511]++;
	give_smart_data(&drive.capture, data);
	give_smart_thresholds(&drive.capture, data);
	data[2] = 12;
	decode(&drive.capture, &drive.facts);
	assert_true(smart_has_note(&drive.facts, "SMART READ DATA"));
	smart_end(&drive);

	smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
	give_smart_data(&drive.capture, data);
	decode(&drive.capture, &drive.facts);
	assert_true(smart_has_note(&drive.facts, "SMART READ DATA: wrong checksum"));
	assert_int_equal(uint_of(smart_row(&drive.facts, 0), "raw"), 5);
	smart_end(&drive);
}

static void the_head_of_a_sector_gives_the_attributes_that_are_whole(void **state)
{
	uint8_t data[512] = { 16 };

	(void)state;
	smart_no_database();
	for (size_t i = 0; i < 3; i++) {
		data[2 + 12 * i] = (uint8_t)(9 + i);
		data[2 + 12 * i + 3] = 100;
	}
	for (size_t len = 0; len < 2 + 36; len++) {
		struct smart_drive drive;

		smart_begin(&drive, "UNKNOWN", "1", SMART_SOLID);
		give_ata(&drive.capture, 0xb0, 0xd0, 0xc24f00, data, len);
		decode(&drive.capture, &drive.facts);
		size_t whole = len < 2 ? 0 : (len - 2) / 12;
		assert_null(smart_row(&drive.facts, whole));
		assert_true(whole == 0 || smart_row(&drive.facts, whole - 1));
		smart_end(&drive);
	}
}

/* ---- names ---- */

static const char *name_of(const struct smart_drive *drive, size_t row)
{
	struct value name = row_get(smart_row(&drive->facts, row), "name");

	return name.kind == VALUE_TEXT ? name.text : "";
}

static void without_a_database_libatasmart_names_a_disks_attributes(void **state)
{
	static const struct smart_slot slots[] = {
		{ 3, 100, 0, 1, 0, 0 },
		{ 5, 100, 0, 0, 10, 0 },
		{ 7, 100, 0, 0, 10, 0 },
		{ 197, 100, 0, 0, 0, 0 },
		{ 14, 100, 0, 0, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_no_database();
	smart_begin(&drive, "SOME DISK", "1", SMART_ROTATING);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	assert_string_equal(name_of(&drive, 0), "spin-up-time");
	assert_string_equal(name_of(&drive, 1), "reallocated-sector-count");
	assert_string_equal(name_of(&drive, 3), "current-pending-sector");
	assert_string_equal(name_of(&drive, 4), "");
	smart_assert_text(row_get(smart_row(&drive.facts, 1), "named_by"), "libatasmart");
	smart_end(&drive);
}

static void an_unknown_solid_state_drive_has_no_general_names(void **state)
{
	static const struct smart_slot slots[] = {
		{ 9, 100, 0, 5, 0, 0 },
		{ 177, 100, 0, 5, 0, 0 },
		{ 231, 100, 0, 36, 0, 0 },
		{ 241, 100, 0, 5, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_database("{ \"DEFAULT\", \"-\", \"-\", \"\", \"-v 9,raw48,Hours -v 177,raw48,Wear "
		       "-v 231,raw48,Temperature -v 241,raw48,Total_LBAs_Written\" },");
	smart_begin(&drive, "UNKNOWN SSD", "1", SMART_SOLID);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	assert_string_equal(name_of(&drive, 0), "Hours");
	for (size_t i = 1; i < ARRAY_LEN(slots); i++) {
		assert_string_equal(name_of(&drive, i), "");
		smart_assert_text(row_get(smart_row(&drive.facts, i), "raw_text"), NULL);
	}
	smart_end(&drive);
}

static void a_database_entry_names_and_formats(void **state)
{
	static const struct smart_slot slots[] = {
		{ 3, 100, 0, 0x0034004d, 0, 0 },
		{ 9, 100, 0, 28870, 0, 0 },
		{ 241, 100, 0, 0x123456, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_database("{ \"DEFAULT\", \"-\", \"-\", \"\", \"-v 3,raw16(avg16),Spin_Up_Time "
		       "-v 9,raw24(raw8),Power_On_Hours\" },\n"
		       "{ \"Test disks\", \"SOME DISK\", \"\", \"\", \"-v 9,minutes "
		       "-v 241,hex48,Total_Bogus\" },");
	smart_begin(&drive, "SOME DISK", "1", SMART_ROTATING);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_text(row_get(smart_row(&drive.facts, 0), "raw_text"), "77 (Average 52)");
	smart_assert_text(row_get(smart_row(&drive.facts, 1), "raw_text"), "481h+10m+00s");
	smart_assert_text(row_get(smart_row(&drive.facts, 2), "raw_text"), "0x000000123456");
	assert_string_equal(name_of(&drive, 2), "Total_Bogus");
	smart_assert_text(row_get(smart_row(&drive.facts, 2), "known_by"), "drivedb.h: Test disks");
	smart_end(&drive);
}

static void a_family_names_what_the_database_would_mislead_about(void **state)
{
	static const struct smart_slot slots[] = {
		{ 241, 100, 0, 8240889, 0, 0 },
		{ 226, 100, 0, 4450, 0, 0 },
	};
	struct smart_drive drive;

	(void)state;
	smart_database("{ \"DEFAULT\", \"-\", \"-\", \"\", \"-v 241,raw48,Total_LBAs_Written\" },");
	smart_begin(&drive, "TOSHIBA THNSN81Q92CSE", "8EET6101", SMART_SOLID);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	assert_string_equal(name_of(&drive, 0), "Host_Writes_32MiB");
	smart_assert_text(row_get(smart_row(&drive.facts, 0), "named_by"), "family");
	smart_end(&drive);
	smart_begin(&drive, "INTEL SSDSC2KB240G8", "XCV10132", SMART_SOLID);
	smart_decode(&drive, slots, ARRAY_LEN(slots));
	smart_assert_text(row_get(smart_row(&drive.facts, 1), "raw_text"), "4.346 %");
	smart_end(&drive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_slot_is_a_row_with_its_own_bytes),
		cmocka_unit_test(an_attribute_fails_at_its_threshold),
		cmocka_unit_test(what_is_no_smart_data_has_no_attributes),
		cmocka_unit_test(the_thresholds_or_the_identity_are_no_smart_data),
		cmocka_unit_test(a_wrong_checksum_is_a_note_and_the_values_are_shown),
		cmocka_unit_test(the_head_of_a_sector_gives_the_attributes_that_are_whole),
		cmocka_unit_test(without_a_database_libatasmart_names_a_disks_attributes),
		cmocka_unit_test(an_unknown_solid_state_drive_has_no_general_names),
		cmocka_unit_test(a_database_entry_names_and_formats),
		cmocka_unit_test(a_family_names_what_the_database_would_mislead_about),
	};

	return cmocka_run_group_tests(tests, smart_database_begin, smart_database_end);
}
