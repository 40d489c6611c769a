/* The accesses that a stream makes, counted. */
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "assay/workload.h"
#include "measure/generator.h"

enum { MILLION = 1000000 };

static struct stream random_4k(void)
{
	return (struct stream) { .name = "",
		.random_percent = 100,
		.sizes = { { 4096, 100 } },
		.size_count = 1,
		.threads = 1,
		.depth = 1 };
}

static void fit(struct stream *stream, uint64_t bytes)
{
	struct error error;
	bool rounded = false;

	assert_int_equal(stream_fit(stream, bytes, 512, &rounded, &error), 0);
}

static void expect_share(double count, double percent)
{
	if (fabs(count / MILLION * 100 - percent) > 0.2)
		print_message("%f percent, not %f\n", count / MILLION * 100, percent);
	assert_true(fabs(count / MILLION * 100 - percent) <= 0.2);
}

static void the_read_share_is_that_of_the_stream(void **state)
{
	static const double shares[] = { 0, 5, 35, 40, 50, 65, 67, 70, 95, 100 };
	struct generator generator;
	struct io io;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
		struct stream stream = random_4k();
		size_t reads = 0;

		stream.read_percent = shares[i];
		fit(&stream, 1 << 30);
		generator_init(&generator, &stream, 0, 1);
		for (size_t n = 0; n < MILLION; n++) {
			assert_true(generator_next(&generator, &io));
			reads += io.kind == IO_READ;
		}
		expect_share((double)reads, shares[i]);
		if (shares[i] <= 0 || shares[i] >= 100)
			assert_int_equal(reads, shares[i] <= 0 ? 0 : MILLION);
	}
}

static void the_size_mix_is_that_of_the_stream(void **state)
{
	static const struct size_share web[] = { { 512, 22 }, { 1024, 15 }, { 2048, 8 },
		{ 4096, 23 }, { 8192, 15 }, { 16384, 2 }, { 32768, 6 }, { 65536, 7 }, { 131072, 1 },
		{ 524288, 1 } };
	struct stream stream = random_4k();
	struct generator generator;
	size_t counts[ARRAY_LEN(web)] = { 0 };
	struct io io;

	(void)state;
	stream.size_count = ARRAY_LEN(web);
	for (size_t i = 0; i < ARRAY_LEN(web); i++)
		stream.sizes[i] = web[i];
	fit(&stream, UINT64_C(1) << 40);
	generator_init(&generator, &stream, 0, 3);
	for (size_t n = 0; n < MILLION; n++) {
		size_t i = 0;

		generator_next(&generator, &io);
		while (io.bytes != web[i].bytes)
			assert_true(++i < ARRAY_LEN(web));
		counts[i]++;
		assert_int_equal(io.offset % 512, 0);
		assert_true(io.offset + io.bytes <= UINT64_C(1) << 40);
	}
	for (size_t i = 0; i < ARRAY_LEN(web); i++)
		expect_share((double)counts[i], web[i].percent);
}

static void random_addresses_are_uniform_and_reach_both_ends(void **state)
{
	enum { CELLS = 1000 };
	struct stream stream = random_4k();
	struct generator generator;
	size_t counts[CELLS] = { 0 };
	double chi_square = 0;
	struct io io;

	(void)state;
	/* behind 2^32 blocks, and not a whole number of cells */
	stream.offset_bytes = 1 << 20;
	fit(&stream, UINT64_C(36000000000) * 512);
	generator_init(&generator, &stream, 0, 11);
	for (size_t n = 0; n < MILLION; n++) {
		generator_next(&generator, &io);
		assert_int_equal(io.offset % 4096, 0);
		counts[(uint64_t)((double)(io.offset - stream.offset_bytes) /
			(double)stream.span_bytes * CELLS)]++;
	}
	for (size_t i = 0; i < CELLS; i++)
		chi_square += pow((double)counts[i] - MILLION / CELLS, 2) / (MILLION / CELLS);
	/* 999 degrees of freedom: mean 999, deviation 44.7; four of them either way */
	assert_in_range((uintmax_t)chi_square, 820, 1178);
}

static void small_spans_are_hit_in_every_place_and_nowhere_else(void **state)
{
	struct stream stream = random_4k();
	struct generator generator;
	bool seen[16] = { false };
	struct io io;

	(void)state;
	stream.offset_bytes = 8192;
	stream.span_bytes = 16 * 4096;
	fit(&stream, 1 << 20);
	generator_init(&generator, &stream, 0, 5);
	for (size_t n = 0; n < 2000; n++) {
		generator_next(&generator, &io);
		assert_in_range(io.offset, 8192, 8192 + 15 * 4096);
		seen[(io.offset - 8192) / 4096] = true;
	}
	for (size_t i = 0; i < ARRAY_LEN(seen); i++)
		assert_true(seen[i]);
}

static void jesd219_zones_and_sizes_are_kept_to_the_percent(void **state)
{
	static const struct size_share sizes[] = { { 512, 4 }, { 1024, 1 }, { 1536, 1 },
		{ 2048, 1 }, { 2560, 1 }, { 3072, 1 }, { 3584, 1 }, { 4096, 67 }, { 8192, 10 },
		{ 16384, 7 }, { 32768, 3 }, { 65536, 3 } };
	struct stream stream = random_4k();
	size_t zones[3] = { 0 }, small = 0, reads = 0;
	struct generator generator;
	struct io io;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++)
		stream.sizes[i] = sizes[i];
	stream.size_count = ARRAY_LEN(sizes);
	stream.zones[0] = (struct zone) { 50, 5 };
	stream.zones[1] = (struct zone) { 30, 15 };
	stream.zones[2] = (struct zone) { 20, 80 };
	stream.zone_count = 3;
	stream.align_bytes = 4096;
	stream.read_percent = 40;
	fit(&stream, 1000000000000);
	generator_init(&generator, &stream, 0, 1);
	for (size_t n = 0; n < MILLION; n++) {
		generator_next(&generator, &io);
		double at = (double)io.offset / (double)stream.span_bytes;

		zones[at < 0.05 ? 0 : at < 0.2 ? 1 : 2]++;
		small += io.bytes < 4096;
		reads += io.kind == IO_READ;
		assert_int_equal(io.offset % 4096, 0);
	}
	expect_share((double)zones[0], 50);
	expect_share((double)zones[1], 30);
	expect_share((double)zones[2], 20);
	expect_share((double)small, 10);
	expect_share((double)reads, 40);
}

static void a_random_share_leaves_the_rest_sequential(void **state)
{
	struct stream stream = random_4k();
	struct generator generator;
	struct io io, before = { 0 };
	size_t following = 0;

	(void)state;
	stream.random_percent = 80;
	fit(&stream, UINT64_C(1) << 40);
	generator_init(&generator, &stream, 0, 1);
	for (size_t n = 0; n < MILLION; n++) {
		generator_next(&generator, &io);
		following += io.offset == before.offset + before.bytes;
		before = io;
	}
	expect_share((double)following, 20);
}

static void sequential_threads_share_the_span_and_begin_again(void **state)
{
	struct stream stream = random_4k();
	struct generator generator;
	struct io io;

	(void)state;
	stream.random_percent = 0;
	stream.threads = 4;
	fit(&stream, 16 * 4096);
	generator_init(&generator, &stream, 3, 1);
	for (uint64_t n = 0; n < 40; n++) {
		generator_next(&generator, &io);
		assert_int_equal(io.offset, (12 + n) % 16 * 4096);
	}
}

/* Every size of a span up to 300 blocks, by several threads. */
static void once_means_every_block_exactly_once(void **state)
{
	struct generator generator;
	struct io io;

	(void)state;
	for (unsigned random = 0; random <= 100; random += 100)
		for (uint64_t blocks = 1; blocks < 300; blocks++) {
			struct stream stream = random_4k();
			uint8_t seen[300] = { 0 };

			stream.once = true;
			stream.random_percent = random;
			stream.threads = 3;
			stream.span_bytes = blocks * 4096;
			fit(&stream, 1 << 30);
			for (unsigned thread = 0; thread < 3; thread++) {
				generator_init(&generator, &stream, thread, blocks);
				while (generator_next(&generator, &io))
					seen[io.offset / 4096]++;
			}
			for (uint64_t i = 0; i < blocks; i++)
				assert_int_equal(seen[i], 1);
		}
}

static void a_full_coverage_in_random_order_is_not_in_order(void **state)
{
	struct stream stream = random_4k();
	uint64_t blocks = 1000003, following = 0, before = 0;
	uint8_t *seen = calloc(1, blocks);
	struct generator generator;
	struct io io;

	(void)state;
	stream.once = true;
	stream.span_bytes = blocks * 4096;
	fit(&stream, UINT64_C(1) << 40);
	generator_init(&generator, &stream, 0, 9);
	while (generator_next(&generator, &io)) {
		seen[io.offset / 4096]++;
		following += io.offset == before + 4096;
		before = io.offset;
	}
	for (uint64_t i = 0; i < blocks; i++)
		assert_int_equal(seen[i], 1);
	assert_true(following < 10);
	free(seen);
}

static void zipf_gives_popular_blocks_their_share(void **state)
{
	enum { BLOCKS = 1000 };
	struct stream stream = random_4k();
	struct generator generator;
	size_t counts[BLOCKS] = { 0 }, most = 0;
	double sum = 0;
	struct io io;

	(void)state;
	stream.zipf = 1.2;
	stream.span_bytes = BLOCKS * 4096;
	fit(&stream, 1 << 30);
	generator_init(&generator, &stream, 0, 1);
	for (size_t n = 0; n < MILLION; n++) {
		generator_next(&generator, &io);
		counts[io.offset / 4096]++;
	}
	for (size_t i = 0; i < BLOCKS; i++) {
		most = counts[i] > most ? counts[i] : most;
		sum += pow((double)i + 1, -1.2);
	}
	expect_share((double)most, 100 / sum);
}

static void flushes_come_after_so_many_writes(void **state)
{
	struct stream stream = random_4k();
	struct generator generator;
	struct io io;

	(void)state;
	stream.flush_every = 3;
	fit(&stream, 1 << 30);
	generator_init(&generator, &stream, 0, 1);
	for (size_t n = 0; n < 40; n++) {
		generator_next(&generator, &io);
		assert_int_equal(io.kind, n % 4 == 3 ? IO_FLUSH : IO_WRITE);
	}
}

static void the_same_seed_gives_the_same_accesses(void **state)
{
	struct stream stream = random_4k();
	struct generator a, b, other;
	struct io x, y, z;
	size_t differing = 0;

	(void)state;
	stream.read_percent = 50;
	fit(&stream, UINT64_C(1) << 40);
	generator_init(&a, &stream, 0, 1);
	generator_init(&b, &stream, 0, 1);
	generator_init(&other, &stream, 1, 1);
	for (size_t n = 0; n < 1000; n++) {
		generator_next(&a, &x);
		generator_next(&b, &y);
		generator_next(&other, &z);
		assert_true(x.offset == y.offset && x.kind == y.kind);
		differing += x.offset != z.offset;
	}
	assert_true(differing > 990);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_read_share_is_that_of_the_stream),
		cmocka_unit_test(the_size_mix_is_that_of_the_stream),
		cmocka_unit_test(random_addresses_are_uniform_and_reach_both_ends),
		cmocka_unit_test(small_spans_are_hit_in_every_place_and_nowhere_else),
		cmocka_unit_test(jesd219_zones_and_sizes_are_kept_to_the_percent),
		cmocka_unit_test(a_random_share_leaves_the_rest_sequential),
		cmocka_unit_test(sequential_threads_share_the_span_and_begin_again),
		cmocka_unit_test(once_means_every_block_exactly_once),
		cmocka_unit_test(a_full_coverage_in_random_order_is_not_in_order),
		cmocka_unit_test(zipf_gives_popular_blocks_their_share),
		cmocka_unit_test(flushes_come_after_so_many_writes),
		cmocka_unit_test(the_same_seed_gives_the_same_accesses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
