/* Data patterns, and what a block that was read back is called. */
#include "test.h"

#include <string.h>

#include "measure/stamp.h"

enum { SIZE = 8192, BLOCKS = SIZE / STAMP_BLOCK_BYTES };

static uint8_t data[SIZE];
static uint32_t checks[BLOCKS];

static void fill(const struct stream *stream, uint64_t seed)
{
	struct random random;

	random_seed(&random, seed);
	pattern_fill(data, SIZE, stream, &random);
	pattern_checks(data, SIZE, checks);
}

static enum stamp_verdict look(size_t block, uint64_t offset, uint64_t sequence, uint64_t run)
{
	struct stamp expected = { offset, sequence, run }, found;

	return stamp_check(data + block * STAMP_BLOCK_BYTES, &expected, &found);
}

static void write_all(uint64_t offset, uint64_t sequence, uint64_t run)
{
	struct stamp stamp = { offset, sequence, run };

	stamp_write(data, SIZE, &stamp, checks);
}

static void what_was_written_is_good(void **state)
{
	(void)state;
	fill(&(struct stream) { 0 }, 1);
	write_all(1 << 20, 5, 77);
	for (size_t i = 0; i < BLOCKS; i++)
		assert_int_equal(look(i, (1 << 20) + i * 512, 5, 77), STAMP_GOOD);
}

static void any_flipped_bit_is_corruption(void **state)
{
	(void)state;
	fill(&(struct stream) { 0 }, 1);
	write_all(0, 1, 77);
	for (size_t bit = 0; bit < STAMP_BLOCK_BYTES * 8; bit++) {
		data[bit / 8] ^= (uint8_t)(1 << bit % 8);
		assert_int_equal(look(0, 0, 1, 77), STAMP_CORRUPT);
		data[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	assert_int_equal(look(0, 0, 1, 77), STAMP_GOOD);
}

static void a_block_of_another_place_is_misdirected(void **state)
{
	struct stamp expected = { 512, 1, 77 }, found;

	(void)state;
	fill(&(struct stream) { 0 }, 1);
	write_all(4096, 1, 77);
	assert_int_equal(stamp_check(data, &expected, &found), STAMP_MISDIRECTED);
	assert_int_equal(found.offset, 4096);
}

static void an_earlier_version_is_stale(void **state)
{
	(void)state;
	fill(&(struct stream) { 0 }, 1);
	write_all(0, 4, 77);
	assert_int_equal(look(0, 0, 5, 77), STAMP_STALE);
}

static void a_block_of_before_the_run_is_a_lost_write(void **state)
{
	(void)state;
	memset(data, 0, SIZE);
	assert_int_equal(look(0, 0, 1, 77), STAMP_LOST);
	fill(&(struct stream) { 0 }, 3);
	assert_int_equal(look(0, 0, 1, 77), STAMP_LOST);
	write_all(0, 1, 76); /* of another run */
	assert_int_equal(look(0, 0, 1, 77), STAMP_LOST);
}

static size_t zeros(void)
{
	size_t count = 0;

	for (size_t i = 0; i < SIZE; i++)
		count += data[i] == 0;
	return count;
}

static void a_compressible_part_is_zeros(void **state)
{
	(void)state;
	fill(&(struct stream) { 0 }, 1);
	assert_in_range(zeros(), 0, 80); /* one byte of 256 */
	fill(&(struct stream) { .compressible_percent = 75 }, 1);
	assert_in_range(zeros(), SIZE * 3 / 4, SIZE * 3 / 4 + 40);
	fill(&(struct stream) { .compressible_percent = 100 }, 1);
	assert_int_equal(zeros(), SIZE);
}

static void repeating_blocks_are_all_the_same_and_others_are_not(void **state)
{
	(void)state;
	fill(&(struct stream) { .repeating = true }, 1);
	assert_memory_equal(data, data + 4096, 4096);
	fill(&(struct stream) { .dedupe_percent = 100 }, 1);
	assert_memory_equal(data, data + 4096, 4096);
	fill(&(struct stream) { 0 }, 1);
	assert_memory_not_equal(data, data + 4096, 4096);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_good),
		cmocka_unit_test(any_flipped_bit_is_corruption),
		cmocka_unit_test(a_block_of_another_place_is_misdirected),
		cmocka_unit_test(an_earlier_version_is_stale),
		cmocka_unit_test(a_block_of_before_the_run_is_a_lost_write),
		cmocka_unit_test(a_compressible_part_is_zeros),
		cmocka_unit_test(repeating_blocks_are_all_the_same_and_others_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
