#include "drive.h"

/* READ CAPACITY(16) of that last block, block length, and bytes 12 to 15. */
static void give_sizes(struct drive *drive, uint64_t last, uint32_t length, uint32_t rest)
{
	uint8_t data[32];

	memset(data, 0, sizeof(data));
	for (size_t i = 0; i < 8; i++)
		data[i] = (uint8_t)(last >> 8 * (7 - i));
	for (size_t i = 0; i < 4; i++) {
		data[8 + i] = (uint8_t)(length >> 8 * (3 - i));
		data[12 + i] = (uint8_t)(rest >> 8 * (3 - i));
	}
	give_capacity_16(&drive->capture, data, sizeof(data));
}

static void read_capacity_16_gives_all_sizes(void **state)
{
	struct drive *drive = drive_new();

	(void)state;
	give_sizes(drive, 0x2e9390af, 512, 0x0003c007);
	drive_decode(drive);
	expect_uint(drive, "capacity.bytes", 400088457216);
	expect_uint(drive, "capacity.block_count", 781422768);
	expect_uint(drive, "capacity.logical_block_bytes", 512);
	expect_uint(drive, "capacity.physical_block_bytes", 4096);
	expect_text(drive, "capacity.sector_format", "512e");
	expect_uint(drive, "capacity.lowest_aligned_block", 7);
	expect_flag(drive, "capacity.provisioning_managed", true);
	expect_flag(drive, "capacity.trim_reads_zero", true);
	drive_free(drive);
}

static void sizes_that_cannot_be_are_not_known(void **state)
{
	static const struct {
		const char *name;
		uint64_t last;
		uint32_t length;
		enum fact_state bytes, length_state;
	} cases[] = {
		{ "all ones", UINT64_MAX, 512, FACT_UNKNOWN, FACT_KNOWN },
		{ "no length", 99, 0, FACT_UNKNOWN, FACT_UNKNOWN },
		{ "too large for 64 bits", UINT64_MAX - 1, 4096, FACT_INVALID, FACT_KNOWN },
		{ "the largest", (UINT64_C(1) << 55) - 2, 512, FACT_KNOWN, FACT_KNOWN },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();

		give_sizes(drive, cases[i].last, cases[i].length, 0);
		drive_decode(drive);
		expect_state(drive, "capacity.bytes", cases[i].bytes);
		expect_state(drive, "capacity.logical_block_bytes", cases[i].length_state);
		drive_free(drive);
	}
}

static void read_capacity_10_counts_unless_it_says_too_large(void **state)
{
	static const uint8_t small[] = { 0x00, 0x00, 0x00, 0x63, 0, 0, 2, 0 };
	static const uint8_t large[] = { 0xff, 0xff, 0xff, 0xff, 0, 0, 2, 0 };
	static const uint8_t cdb[10] = { 0x25 };
	struct drive *drive = drive_new();

	(void)state;
	give(&drive->capture, cdb, sizeof(cdb), small, sizeof(small));
	drive_decode(drive);
	expect_uint(drive, "capacity.bytes", 51200);
	expect_absent(drive, "capacity.physical_block_bytes");
	drive_free(drive);

	drive = drive_new();
	give(&drive->capture, cdb, sizeof(cdb), large, sizeof(large));
	drive_decode(drive);
	expect_absent(drive, "capacity.bytes");
	drive_free(drive);
}

static void identify_has_three_counts_and_the_widest_that_is_there_rules(void **state)
{
	static const struct {
		const char *name;
		unsigned word_69, word_83;
		uint64_t count_28, count_48, count_extended, blocks; /* 0: unknown */
	} cases[] = {
		{ "48 bits", 0, 0x7400, 0x0fffffff, 500118192, 0, 500118192 },
		{ "48 bits smaller than 28 bits", 0, 0x7400, 5000, 4000, 0, 4000 },
		{ "28 bits alone", 0, 0x7000, 268435455, 500118192, 0, 268435455 },
		{ "word 83 not valid", 0, 0xffff, 1000, 500118192, 0, 1000 },
		{ "no 48-bit count", 0, 0x7400, 1000, 0, 0, 1000 },
		{ "extended", 1 << 3, 0x7400, 0x0fffffff, 0xffffffff, 0x123456789a, 0x123456789a },
		{ "extended, but not announced", 1 << 2, 0x7400, 1000, 2000, 3000, 2000 },
		{ "extended, but 0", 1 << 3, 0x7400, 1000, 2000, 0, 2000 },
		{ "none", 0, 0x7400, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 69, cases[i].word_69);
		word_set(identify, 83, cases[i].word_83);
		for (unsigned w = 0; w < 4; w++) {
			if (w < 2)
				word_set(identify, 60 + w, (unsigned)(cases[i].count_28 >> 16 * w));
			word_set(identify, 100 + w, (unsigned)(cases[i].count_48 >> 16 * w));
			word_set(identify, 230 + w, (unsigned)(cases[i].count_extended >> 16 * w));
		}
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		if (cases[i].blocks)
			expect_uint(drive, "capacity.block_count", cases[i].blocks);
		else
			expect_state(drive, "capacity.block_count", FACT_UNKNOWN);
		if (cases[i].blocks)
			expect_uint(drive, "capacity.bytes", cases[i].blocks * 512);
		drive_free(drive);
	}
}

static void identify_block_sizes_follow_words_106_and_117(void **state)
{
	static const struct {
		const char *name;
		unsigned word_106, word_117, word_209;
		uint64_t logical, physical;
		const char *format;
		int aligned; /* -1: absent */
	} cases[] = {
		{ "512n", 0x4000, 0, 0x4000, 512, 512, "512n", -1 },
		{ "512e", 0x6003, 0, 0x4000, 512, 4096, "512e", 0 },
		{ "512e, one off", 0x6003, 0, 0x4001, 512, 4096, "512e", 7 },
		{ "two blocks, one off", 0x6001, 0, 0x4001, 512, 1024, "512e", 1 },
		{ "4Kn: words, not bytes", 0x5000, 2048, 0x4000, 4096, 4096, "4Kn", -1 },
		{ "520 bytes", 0x5000, 260, 0x4000, 520, 520, "fat, 520 bytes", -1 },
		{ "word 106 not valid", 0x0000, 2048, 0x4000, 512, 512, "512n", -1 },
		{ "word 106 all ones", 0xffff, 2048, 0x4000, 512, 512, "512n", -1 },
		{ "word 209 not valid", 0x6003, 0, 0x0001, 512, 4096, "512e", -1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 106, cases[i].word_106);
		word_set(identify, 117, cases[i].word_117);
		word_set(identify, 209, cases[i].word_209);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_uint(drive, "capacity.logical_block_bytes", cases[i].logical);
		expect_uint(drive, "capacity.physical_block_bytes", cases[i].physical);
		expect_text(drive, "capacity.sector_format", cases[i].format);
		expect_uint(drive, "capacity.bytes", UINT64_C(500122800) * cases[i].logical);
		if (cases[i].aligned < 0)
			expect_absent(drive, "capacity.lowest_aligned_block");
		else
			expect_uint(
				drive, "capacity.lowest_aligned_block", (uint64_t)cases[i].aligned);
		drive_free(drive);
	}
}

static void an_alignment_beyond_the_physical_block_is_invalid(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	word_set(identify, 209, 0x4008);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_state(drive, "capacity.lowest_aligned_block", FACT_INVALID);
	drive_free(drive);
}

static void a_bridge_that_shows_another_size_is_contradicted(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	give_sizes(drive, 0x0fffffff, 512, 0x00030000);
	drive_decode(drive);
	expect_uint(drive, "capacity.bytes", UINT64_C(500122800) * 512);
	assert_true(has_note(drive, "capacity.bytes: sources contradict"));
	drive_free(drive);
}

static void trim_is_zero_only_where_it_is_deterministic(void **state)
{
	static const struct {
		unsigned word_169, word_69;
		int deterministic, zero; /* -1: absent */
	} cases[] = {
		{ 0, 0x4020, -1, -1 },
		{ 1, 0x0000, 0, -1 },
		{ 1, 0x0020, 0, -1 },
		{ 1, 0x4000, 1, 0 },
		{ 1, 0x4020, 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t identify[512];
		struct drive *drive = drive_new();

		identify_ssd(identify);
		word_set(identify, 169, cases[i].word_169);
		word_set(identify, 69, cases[i].word_69);
		give_identify(&drive->capture, identify);
		drive_decode(drive);
		expect_flag(drive, "capacity.trim_supported", cases[i].word_169);
		if (cases[i].deterministic < 0)
			expect_absent(drive, "capacity.trim_deterministic");
		else
			expect_flag(drive, "capacity.trim_deterministic", cases[i].deterministic);
		if (cases[i].zero < 0)
			expect_absent(drive, "capacity.trim_reads_zero");
		else
			expect_flag(drive, "capacity.trim_reads_zero", cases[i].zero);
		drive_free(drive);
	}
}

static void provisioning_is_that_of_vpd_page_b2h_where_it_is_managed(void **state)
{
	static const struct {
		const char *name;
		uint32_t rest; /* of READ CAPACITY(16) */
		uint8_t flags, type;
		enum fact_state state;
		const char *provisioning;
		int zero; /* -1: unknown */
	} cases[] = {
		{ "not managed", 0x00000000, 0x00, 2, FACT_KNOWN, "full", -2 },
		{ "resource, zeros", 0x0000c000, 0xc4, 1, FACT_KNOWN, "resource", 1 },
		{ "thin, a pattern", 0x0000c000, 0xc8, 2, FACT_KNOWN, "thin", 0 },
		{ "thin, three bits", 0x0000c000, 0xdc, 2, FACT_KNOWN, "thin", 1 },
		{ "not reported", 0x00008000, 0x80, 0, FACT_UNKNOWN, NULL, 0 },
		{ "reserved", 0x0000c000, 0x84, 3, FACT_INVALID, NULL, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t page[] = { 0, 0xb2, 0, 4, 0, cases[i].flags, cases[i].type, 0 };
		struct drive *drive = drive_new();

		give_sizes(drive, 99, 512, cases[i].rest);
		give_vpd(&drive->capture, 0xb2, page, sizeof(page));
		drive_decode(drive);
		expect_state(drive, "capacity.provisioning", cases[i].state);
		if (cases[i].provisioning)
			expect_text(drive, "capacity.provisioning", cases[i].provisioning);
		expect_flag(drive, "capacity.trim_supported", cases[i].flags >> 7);
		if (cases[i].zero == -2)
			expect_absent(drive, "capacity.trim_reads_zero");
		else
			expect_flag(drive, "capacity.trim_reads_zero", cases[i].zero);
		drive_free(drive);
	}
}

static void block_limits_end_where_the_page_ends(void **state)
{
	static const uint8_t page[64] = { 0, 0xb0, 0, 60, 1, 36, 0, 8, 0, 0, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0, 0, 0, 0, 0, 6, 0, 0, 0, 0, 2, 0, 0, 0, 0, 16, 0x80, 0, 0, 1, 0, 0, 0,
		0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5 };
	uint8_t old[20];
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0xb0, page, sizeof(page));
	drive_decode(drive);
	expect_uint(drive, "capacity.optimal_granularity_blocks", 8);
	expect_uint(drive, "capacity.max_transfer_blocks", 65535);
	expect_state(drive, "capacity.optimal_transfer_blocks", FACT_UNKNOWN);
	expect_uint(drive, "capacity.max_unmap_blocks", 0x60000);
	expect_uint(drive, "capacity.max_unmap_descriptor_count", 512);
	expect_uint(drive, "capacity.unmap_granularity_blocks", 16);
	expect_uint(drive, "capacity.unmap_alignment_blocks", 1);
	expect_uint(drive, "capacity.max_write_same_blocks", 65536);
	expect_uint(drive, "capacity.max_atomic_blocks", 256);
	expect_uint(drive, "capacity.atomic_alignment_blocks", 2);
	expect_uint(drive, "capacity.atomic_granularity_blocks", 3);
	expect_uint(drive, "capacity.max_bounded_atomic_blocks", 4);
	expect_uint(drive, "capacity.max_atomic_boundary_blocks", 5);
	drive_free(drive);

	drive = drive_new();
	memcpy(old, page, sizeof(old));
	old[3] = 16;
	give_vpd(&drive->capture, 0xb0, old, sizeof(old));
	drive_decode(drive);
	expect_uint(drive, "capacity.max_transfer_blocks", 65535);
	expect_absent(drive, "capacity.max_unmap_blocks");
	drive_free(drive);
}

static void supported_block_lengths_are_rows(void **state)
{
	static const uint8_t page[] = { 0, 0xb4, 0, 16, 0, 0, 2, 0, 0x47, 0x07, 0, 0, 0, 0, 2, 8,
		0x0a, 0x09, 0, 0, 0xde, 0xad };
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0xb4, page, sizeof(page));
	drive_decode(drive);
	assert_int_equal(row_count(drive, "block_lengths"), 2);
	const struct row *row = row_of(drive, "block_lengths", 0);
	assert_true(cell_is(row, "bytes", value_uint(512)));
	assert_true(cell_is(row, "type_0", value_flag(true)));
	assert_true(cell_is(row, "type_2", value_flag(true)));
	assert_true(cell_is(row, "type_3", value_flag(false)));
	assert_true(cell_is(row, "interval_exponent", value_flag(true)));
	assert_true(cell_is(row, "no_check", value_flag(false)));
	row = row_of(drive, "block_lengths", 1);
	assert_true(cell_is(row, "bytes", value_uint(520)));
	assert_true(cell_is(row, "type_0", value_flag(true)));
	assert_true(cell_is(row, "type_1", value_flag(false)));
	assert_true(cell_is(row, "type_3", value_flag(true)));
	assert_true(cell_is(row, "guard_check", value_flag(false)));
	assert_true(cell_is(row, "application_check", value_flag(true)));
	assert_true(cell_is(row, "reference_check", value_flag(false)));
	assert_true(cell_is(row, "no_check", value_flag(true)));
	drive_free(drive);
}

static void a_host_managed_drive_may_tell_its_conventional_zones_only(void **state)
{
	static const uint8_t inquiry[36] = { 0x14, 0, 6, 2, 31 };
	struct drive *drive = drive_new();

	(void)state;
	give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
	give_sizes(drive, 99, 512, 0);
	drive_decode(drive);
	expect_text(drive, "capacity.zoned", "host-managed");
	expect_state(drive, "capacity.bytes", FACT_UNKNOWN);
	drive_free(drive);

	drive = drive_new();
	give_inquiry(&drive->capture, inquiry, sizeof(inquiry));
	give_sizes(drive, 99, 512, 0x10000000);
	drive_decode(drive);
	expect_uint(drive, "capacity.bytes", 51200);
	drive_free(drive);
}

static void a_drive_that_is_not_zoned_says_nothing_of_zones(void **state)
{
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_absent(drive, "capacity.zoned");
	drive_free(drive);

	drive = drive_new();
	word_set(identify, 69, 2);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_text(drive, "capacity.zoned", "device-managed");
	drive_free(drive);
}

static void the_capacity_page_of_the_identify_log_counts_words(void **state)
{
	uint8_t page[512] = { 1, 0, 2, 0, 0, 0, 0, 0x80, 0xb0, 0x44, 0xcf, 0x1d, 0, 0, 0, 0x80, 3,
		0, 0, 0, 0, 0, 0, 0xe0, 0x00, 0x08, 0, 0, 0, 0, 0, 0x80 };
	struct drive *drive = drive_new();

	(void)state;
	give_ata_log(&drive->capture, 0x30, 2, page, sizeof(page));
	drive_decode(drive);
	expect_uint(drive, "capacity.block_count", 0x1dcf44b0);
	expect_uint(drive, "capacity.logical_block_bytes", 4096);
	drive_free(drive);

	drive = drive_new();
	page[15] = 0;
	page[23] = 0xc0;
	give_ata_log(&drive->capture, 0x30, 2, page, sizeof(page));
	drive_decode(drive);
	expect_absent(drive, "capacity.block_count");
	expect_absent(drive, "capacity.logical_block_bytes");
	drive_free(drive);
}

static void every_prefix_of_read_capacity_is_survived(void **state)
{
	static const uint8_t data[32] = { 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 2, 0, 0, 3, 0xc0, 0 };

	(void)state;
	for (size_t len = 0; len <= sizeof(data); len++) {
		struct drive *drive = drive_new();

		give_capacity_16(&drive->capture, data, len);
		drive_decode(drive);
		if (len < 12)
			expect_absent(drive, "capacity.bytes");
		else
			expect_uint(drive, "capacity.bytes", 51200);
		if (len < 14)
			expect_absent(drive, "capacity.physical_block_bytes");
		else
			expect_uint(drive, "capacity.physical_block_bytes", 4096);
		drive_free(drive);
	}
}

static void facts_of_the_capacity_point_to_their_bytes(void **state)
{
	static const uint8_t provisioning[] = { 0, 0xb2, 0, 4, 0, 0xc4, 2, 0 };
	uint8_t identify[512];
	struct drive *drive = drive_new();

	(void)state;
	identify_ssd(identify);
	word_set(identify, 106, 0x7003);
	word_set(identify, 117, 256);
	give_identify(&drive->capture, identify);
	drive_decode(drive);
	expect_source(drive, "capacity.bytes", 2 * 100, 8);
	expect_source(drive, "capacity.block_count", 2 * 100, 8);
	expect_source(drive, "capacity.logical_block_bytes", 2 * 117, 4);
	expect_source(drive, "capacity.physical_block_bytes", 2 * 106, 2);
	expect_source(drive, "capacity.lowest_aligned_block", 2 * 209, 2);
	drive_free(drive);

	drive = drive_new();
	give_sizes(drive, 99, 512, 0x00038000);
	give_vpd(&drive->capture, 0xb2, provisioning, sizeof(provisioning));
	drive_decode(drive);
	expect_source(drive, "capacity.block_count", 0, 8);
	expect_source(drive, "capacity.logical_block_bytes", 8, 4);
	expect_source(drive, "capacity.physical_block_bytes", 13, 1);
	expect_source(drive, "capacity.lowest_aligned_block", 14, 2);
	expect_source(drive, "capacity.provisioning", 6, 1);
	drive_free(drive);
}

static void each_ata_feature_is_a_bit_of_its_own(void **state)
{
	static const struct bit bits[] = {
		{ "capacity.hpa_supported", 2 * 82, 2, 10, true },
		{ "capacity.accessible_max_supported", 2 * 119, 2, 8, true },
	};
	uint8_t identify[512];

	(void)state;
	identify_ssd(identify);
	expect_bits(bits, ARRAY_LEN(bits), identify, sizeof(identify), give_identify_to);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_capacity_16_gives_all_sizes),
		cmocka_unit_test(sizes_that_cannot_be_are_not_known),
		cmocka_unit_test(read_capacity_10_counts_unless_it_says_too_large),
		cmocka_unit_test(identify_has_three_counts_and_the_widest_that_is_there_rules),
		cmocka_unit_test(identify_block_sizes_follow_words_106_and_117),
		cmocka_unit_test(an_alignment_beyond_the_physical_block_is_invalid),
		cmocka_unit_test(a_bridge_that_shows_another_size_is_contradicted),
		cmocka_unit_test(trim_is_zero_only_where_it_is_deterministic),
		cmocka_unit_test(provisioning_is_that_of_vpd_page_b2h_where_it_is_managed),
		cmocka_unit_test(block_limits_end_where_the_page_ends),
		cmocka_unit_test(supported_block_lengths_are_rows),
		cmocka_unit_test(a_host_managed_drive_may_tell_its_conventional_zones_only),
		cmocka_unit_test(a_drive_that_is_not_zoned_says_nothing_of_zones),
		cmocka_unit_test(the_capacity_page_of_the_identify_log_counts_words),
		cmocka_unit_test(every_prefix_of_read_capacity_is_survived),
		cmocka_unit_test(facts_of_the_capacity_point_to_their_bytes),
		cmocka_unit_test(each_ata_feature_is_a_bit_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
