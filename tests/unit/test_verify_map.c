/* What should stand in each block: planted damage, failed writes, writes on their way. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/stamp.h"
#include "measure/verify_map.h"

enum { BLOCK = 4096, BLOCKS = 16, RUN = 4711 };

static struct verify_map map;
static struct engine_result result;
static FILE *file;
static char data[BLOCK], old[BLOCK];
static uint32_t checks[BLOCK / STAMP_BLOCK_BYTES], versions[1];

static int set_up(void **state)
{
	static const struct stream stream = { .sizes = { { BLOCK, 100 } },
		.size_count = 1,
		.align_bytes = BLOCK,
		.span_bytes = BLOCKS * BLOCK };
	const struct engine_job job = { .streams = &stream, .stream_count = 1, .run = RUN };
	struct random random;
	struct error error;

	(void)state;
	memset(&result, 0, sizeof(result));
	file = tmpfile();
	random_seed(&random, 1);
	pattern_fill(data, sizeof(data), &stream, &random);
	pattern_checks(data, sizeof(data), checks);
	return file && !ftruncate(fileno(file), BLOCKS * BLOCK)
		? verify_map_init(&map, &job, &error)
		: -1;
}

static int tear_down(void **state)
{
	(void)state;
	verify_map_deinit(&map);
	return fclose(file);
}

static void write_block(unsigned block, bool stored, bool good)
{
	assert_true(verify_begin_write(&map, block * BLOCK, data, BLOCK, checks));
	if (stored)
		assert_int_equal(pwrite(fileno(file), data, BLOCK, block * BLOCK), BLOCK);
	verify_end_write(&map, block * BLOCK, BLOCK, good);
}

static void copy_block(unsigned from, unsigned to)
{
	assert_int_equal(pread(fileno(file), old, BLOCK, from * BLOCK), BLOCK);
	assert_int_equal(pwrite(fileno(file), old, BLOCK, to * BLOCK), BLOCK);
}

static void flip(unsigned block)
{
	assert_int_equal(pread(fileno(file), old, BLOCK, block * BLOCK), BLOCK);
	old[1000] ^= 1;
	assert_int_equal(pwrite(fileno(file), old, BLOCK, block * BLOCK), BLOCK);
}

static void verify(void)
{
	verify_all(&map, fileno(file), NULL, &result);
}

static void expect_finding(enum stamp_verdict verdict, unsigned block, uint64_t blocks)
{
	assert_int_equal(result.verdicts[verdict], blocks);
	assert_int_equal(result.verified_blocks - result.verdicts[STAMP_GOOD], blocks);
	assert_int_equal(result.findings[0].verdict, verdict);
	assert_int_equal(result.findings[0].offset / BLOCK, block);
}

static void what_was_written_is_good_and_the_rest_is_not_looked_at(void **state)
{
	(void)state;
	write_block(3, true, true);
	write_block(3, true, true);
	write_block(7, true, true);
	verify();
	assert_int_equal(result.verified_blocks, 2 * BLOCK / 512);
	assert_int_equal(result.verdicts[STAMP_GOOD], 2 * BLOCK / 512);
	assert_int_equal(result.finding_count, 0);
}

static void a_flipped_bit_is_corruption_of_its_block(void **state)
{
	(void)state;
	write_block(3, true, true);
	flip(3);
	verify();
	expect_finding(STAMP_CORRUPT, 3, 1);
}

static void a_write_that_never_came_is_lost(void **state)
{
	(void)state;
	write_block(3, true, true);
	write_block(5, false, true);
	verify();
	expect_finding(STAMP_LOST, 5, BLOCK / 512);
}

static void an_earlier_version_is_stale(void **state)
{
	(void)state;
	write_block(5, true, true);
	write_block(5, true, true);
	write_block(5, false, true);
	verify();
	expect_finding(STAMP_STALE, 5, BLOCK / 512);
	assert_int_equal(result.findings[0].expected_sequence, 3);
	assert_int_equal(result.findings[0].found_sequence, 2);
}

static void a_block_of_another_place_is_misdirected(void **state)
{
	(void)state;
	write_block(5, true, true);
	write_block(6, true, true);
	copy_block(5, 6);
	verify();
	expect_finding(STAMP_MISDIRECTED, 6, BLOCK / 512);
	assert_int_equal(result.findings[0].found_offset, 5 * BLOCK);
}

static void nothing_is_expected_of_a_block_whose_write_failed(void **state)
{
	(void)state;
	for (int stored = 0; stored < 2; stored++) {
		memset(&result, 0, sizeof(result));
		write_block(5, true, true);
		write_block(5, stored, false);
		verify();
		assert_int_equal(result.verified_blocks, 0);
		verify_begin_read(&map, 5 * BLOCK, BLOCK, versions);
		verify_end_read(&map, 5 * BLOCK, old, BLOCK, versions, &result);
		assert_int_equal(result.verified_blocks, 0);
	}
}

/* Its version is not given again: else what stood there before would pass for it. */
static void after_a_failed_write_the_next_one_is_judged(void **state)
{
	(void)state;
	write_block(5, true, true);
	write_block(5, false, false);
	write_block(5, false, true);
	verify();
	expect_finding(STAMP_STALE, 5, BLOCK / 512);
	memset(&result, 0, sizeof(result));
	write_block(5, true, true);
	verify();
	assert_int_equal(result.verdicts[STAMP_GOOD], BLOCK / 512);
	assert_int_equal(result.finding_count, 0);
}

static void a_block_that_is_being_written_is_not_written_twice(void **state)
{
	(void)state;
	assert_true(verify_begin_write(&map, 2 * BLOCK, data, BLOCK, checks));
	assert_false(verify_begin_write(&map, 2 * BLOCK, data, BLOCK, checks));
	verify();
	assert_int_equal(result.verified_blocks, 0);
	verify_end_write(&map, 2 * BLOCK, BLOCK, true);
	assert_true(verify_begin_write(&map, 2 * BLOCK, data, BLOCK, checks));
}

static void a_read_beside_a_write_is_not_judged(void **state)
{
	(void)state;
	write_block(2, true, true);
	verify_begin_read(&map, 2 * BLOCK, BLOCK, versions);
	memcpy(old, data, BLOCK);
	write_block(2, true, true);
	verify_end_read(&map, 2 * BLOCK, old, BLOCK, versions, &result);
	assert_int_equal(result.verified_blocks, 0);
	/* and one alone is */
	verify_begin_read(&map, 2 * BLOCK, BLOCK, versions);
	verify_end_read(&map, 2 * BLOCK, old, BLOCK, versions, &result);
	assert_int_equal(result.verdicts[STAMP_STALE], BLOCK / 512);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_written_is_good_and_the_rest_is_not_looked_at),
		TEST(a_flipped_bit_is_corruption_of_its_block),
		TEST(a_write_that_never_came_is_lost),
		TEST(an_earlier_version_is_stale),
		TEST(a_block_of_another_place_is_misdirected),
		TEST(nothing_is_expected_of_a_block_whose_write_failed),
		TEST(after_a_failed_write_the_next_one_is_judged),
		TEST(a_block_that_is_being_written_is_not_written_twice),
		TEST(a_read_beside_a_write_is_not_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
