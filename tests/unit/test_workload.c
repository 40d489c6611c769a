/* Workloads: the brought-along ones, and what is wrong with others. */
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/workload.h"

static struct workloads library;

static int load(void **state)
{
	struct error error = { 0 };

	(void)state;
	workloads_init(&library);
	if (workloads_load_all(&library, &error) != 0)
		fail_msg("%s", error.text);
	return 0;
}

static int unload(void **state)
{
	(void)state;
	workloads_deinit(&library);
	return 0;
}

static const struct {
	const char *name;
	size_t points;
	bool writes;
} reviews[] = {
	{ "sr-4k-write", 1, true },
	{ "sr-4k-read", 1, false },
	{ "sr-8k-7030-pre", 1, true },
	{ "sr-8k-7030-grid", 16, true },
	{ "sr-2m-seq", 2, true },
	{ "sr-2m-rand", 2, true },
	{ "sr-4k-rr-scale", 7, false },
	{ "sr-4k-rw-ss", 1, true },
	{ "iom-database", 7, true },
	{ "iom-fileserver", 7, true },
	{ "iom-webserver", 7, false },
	{ "iom-workstation", 7, true },
	{ "iom-stream-r", 7, false },
	{ "iom-stream-w", 7, true },
	{ "iom-email", 9, true },
	{ "at-4k-rr", 1, false },
	{ "at-4k-rw", 1, true },
	{ "at-4k-rw-q32", 1, true },
	{ "at-128k-seq-r", 1, false },
	{ "at-128k-seq-w", 1, true },
	{ "at-incompressible-seq", 2, true },
	{ "at-consistency", 1, true },
	{ "pts-iops", 56, true },
	{ "pts-hir", 10, true },
	{ "pts-xsr", 3, true },
	{ "pts-dirth", 42, true },
	{ "pts-tp", 2, true },
	{ "pts-lat", 9, true },
	{ "pts-wsat", 1, true },
	{ "jesd219", 1, true },
	{ "jesd219-4k", 1, true },
	{ "app-oltp", 5, true },
	{ "app-tpcc", 1, true },
	{ "app-nosql", 1, true },
};

static void all_workloads_of_the_reviews_are_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(reviews); i++) {
		const struct workload *workload = workload_find(&library, reviews[i].name);

		if (!workload)
			fail_msg("no workload %s", reviews[i].name);
		assert_int_equal(workload_point_count(workload), reviews[i].points);
		assert_int_equal(workload_writes(workload), reviews[i].writes);
		assert_true(*workload->about && *workload->source);
	}
}

static void their_parameters_are_those_of_their_sources(void **state)
{
	const struct stream *stream = workload_find(&library, "sr-4k-write")->streams;

	(void)state;
	assert_true(stream->threads == 16 && stream->depth == 16);
	stream = workload_find(&library, "at-4k-rw")->streams;
	assert_true(stream->depth == 3 && stream->span_bytes == 8000000000);
	/* the weighted mean sizes, computed from the published tables */
	assert_int_equal(
		lround(stream_mean_bytes(workload_find(&library, "iom-fileserver")->streams)),
		11346);
	assert_int_equal(
		lround(stream_mean_bytes(workload_find(&library, "iom-webserver")->streams)),
		16036);
	assert_int_equal(
		lround(stream_mean_bytes(workload_find(&library, "jesd219")->streams)), 7818);
	assert_int_equal(workload_find(&library, "iom-workstation")->streams->random_percent, 80);
}

static void every_point_of_a_sweep_is_another(void **state)
{
	const struct workload *workload = workload_find(&library, "pts-iops");
	struct stream streams[WORKLOAD_STREAMS];

	(void)state;
	for (size_t i = 0; i < workload_point_count(workload); i++) {
		workload_point(workload, i, streams);
		for (size_t j = 0; j < i; j++) {
			struct stream other[WORKLOAD_STREAMS];

			workload_point(workload, j, other);
			assert_false(other->sizes[0].bytes == streams->sizes[0].bytes &&
				other->read_percent >= streams->read_percent &&
				other->read_percent <= streams->read_percent);
		}
	}
	workload_point(workload, 0, streams);
	assert_true(streams->sizes[0].bytes == 1 << 20 && streams->read_percent >= 100);
}

static void what_is_printed_reads_the_same_again(void **state)
{
	(void)state;
	for (size_t i = 0; i < library.count; i++) {
		struct workloads again;
		struct error error = { 0 };
		char *text = NULL, *second = NULL;
		size_t len = 0, second_len = 0;
		FILE *file = open_memstream(&text, &len);

		workload_print(file, library.workloads[i]);
		fclose(file);
		workloads_init(&again);
		struct workload *copy = workload_load_text(&again, "again", text, len, &error);

		if (!copy)
			fail_msg("%s", error.text);
		file = open_memstream(&second, &second_len);
		workload_print(file, copy);
		fclose(file);
		assert_string_equal(text, second);
		assert_memory_equal(
			&copy->sweep, &library.workloads[i]->sweep, sizeof(copy->sweep));
		free(text);
		free(second);
		workloads_deinit(&again);
	}
}

#define HEAD "{\"schema\":\"assay-workload-1\",\"name\":\"x\","

static const struct {
	const char *text, *complaint;
} wrong_texts[] = {
	{ "", "expected JSON" },
	{ "[]", "expected an object" },
	{ "{\"name\":\"x\"}", "schema" },
	{ HEAD "\"streams\":[]}", "streams: expected an array of 1 to 4" },
	{ HEAD "\"streams\":[{}]}", "streams[0]: expected block_bytes or sizes" },
	{ HEAD "\"streams\":[{\"block_bytes\":\"4q\"}]}",
		"streams[0].block_bytes: expected bytes" },
	{ HEAD "\"streams\":[{\"block_bytes\":128}]}", "from 512 to" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096,\"depth\":0}]}",
		"streams[0].depth: expected a whole number from 1 to 4096" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096,\"depth\":1.5}]}",
		"streams[0].depth: expected a whole number" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096,\"read_percent\":101}]}",
		"streams[0].read_percent: expected a number from 0 to 100" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096,\"qd\":1}]}",
		"streams[0].qd: unknown key: expected one of name read_percent" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096,\"depth\":1,\"depth\":2}]}",
		"streams[0].depth: the same key twice" },
	{ HEAD "\"streams\":[{\"sizes\":[{\"bytes\":4096,\"percent\":90}]}]}",
		"sizes' percentages add up to 90" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096,\"zones\":[{\"access_percent\":100,"
	       "\"span_percent\":5}]}]}",
		"zones' span percentages add up to 5" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096}],\"steady_state\":{\"rule\":\"x\"}}",
		"steady_state.rule: \"x\": expected one of \"none\" \"pts\"" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096}],\"precondition\":{\"condition\":true}"
	       "}",
		"want a steady_state rule" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096}],\"stages\":[{\"repeat\":2}]}",
		"stages[0]: expected a name" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096}],\"stages\":[{\"name\":\"a\","
	       "\"stream\":{\"sizes\":[{\"bytes\":4096,\"percent\":90}]}}]}",
		"stages[0].stream: the sizes' percentages add up to 90" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096}],\"sweep\":{\"depth\":[1,2]},"
	       "\"stages\":[{\"name\":\"a\"}]}",
		"stages go with neither a sweep nor rounds" },
	{ HEAD "\"streams\":[{\"block_bytes\":4096}],\"sweep\":{\"depth\":[1,0]}}",
		"sweep.depth[1]: expected a whole number" },
};

static void what_is_wrong_is_named_with_its_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(wrong_texts); i++) {
		struct error error = { 0 };

		assert_null(workload_load_text(&library, "it.json", wrong_texts[i].text,
			strlen(wrong_texts[i].text), &error));
		if (!strstr(error.text, wrong_texts[i].complaint))
			fail_msg("'%s' lacks '%s'", error.text, wrong_texts[i].complaint);
		assert_int_equal(strncmp(error.text, "it.json: ", 9), 0);
	}
}

static void bytes_are_read_with_their_units(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} good[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "4k", 4096 },
		{ "128KiB", 131072 },
		{ "128 KiB", 131072 },
		{ "2m", 2097152 },
		{ "8 GB", 8000000000 },
		{ "8GiB", UINT64_C(8) << 30 },
		{ "1.5k", 1536 },
		{ "16t", UINT64_C(16) << 40 },
	};
	static const char *const wrong[] = { "", "k", "-1", "4q", "4 k b", "nan", "1e30" };
	uint64_t bytes;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		assert_true(bytes_parse(good[i].text, &bytes));
		assert_int_equal(bytes, good[i].bytes);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_false(bytes_parse(wrong[i], &bytes));
}

static void small_accesses_are_rounded_up_on_4k_blocks_and_it_is_said(void **state)
{
	struct stream stream = workload_find(&library, "iom-fileserver")->streams[0];
	struct error error;
	bool rounded = false;

	(void)state;
	assert_int_equal(stream_fit(&stream, 1 << 30, 512, &rounded, &error), 0);
	assert_false(rounded);
	assert_int_equal(stream.align_bytes, 512);
	stream = workload_find(&library, "iom-fileserver")->streams[0];
	assert_int_equal(stream_fit(&stream, 1 << 30, 4096, &rounded, &error), 0);
	assert_true(rounded);
	assert_int_equal(stream_smallest_bytes(&stream), 4096);
	assert_int_equal(stream.align_bytes, 4096);
}

static void a_span_is_cut_to_the_target_and_never_leaves_it(void **state)
{
	static const struct {
		uint64_t offset, span, size, fitted;
		double percent;
		bool fits;
	} cases[] = {
		{ 0, 0, 1 << 20, 1 << 20, 0, true },
		{ 0, UINT64_C(8000000000), 1 << 20, 1 << 20, 0, true },
		{ 4096, 0, 1 << 20, (1 << 20) - 4096, 0, true },
		{ 0, 10000, 1 << 20, 8192, 0, true },
		{ 0, 0, 1 << 20, 786432, 75, true },
		{ 0, 4095, 1 << 20, 0, 0, false },
		{ 1 << 20, 0, 1 << 20, 0, 0, false },
		{ 100, 0, 1 << 20, 0, 0, false },
		{ 0, 0, 4095, 0, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct stream stream = workload_find(&library, "sr-4k-write")->streams[0];
		struct error error;
		bool rounded;

		stream.offset_bytes = cases[i].offset;
		stream.span_bytes = cases[i].span;
		stream.span_percent = cases[i].percent;
		assert_int_equal(stream_fit(&stream, cases[i].size, 512, &rounded, &error) == 0,
			cases[i].fits);
		if (cases[i].fits)
			assert_int_equal(stream.span_bytes, cases[i].fitted);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_workloads_of_the_reviews_are_there),
		cmocka_unit_test(their_parameters_are_those_of_their_sources),
		cmocka_unit_test(every_point_of_a_sweep_is_another),
		cmocka_unit_test(what_is_printed_reads_the_same_again),
		cmocka_unit_test(what_is_wrong_is_named_with_its_place),
		cmocka_unit_test(bytes_are_read_with_their_units),
		cmocka_unit_test(small_accesses_are_rounded_up_on_4k_blocks_and_it_is_said),
		cmocka_unit_test(a_span_is_cut_to_the_target_and_never_leaves_it),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
