#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/spec.h"

#define HEAD "{\"schema\": \"assay-spec/1\", \"vendor\": \"V\", \"family\": \"F\", "

/* A bad sheet, where it is bad, and what it should have been. */
static const struct {
	const char *json, *path, *expected;
} bad[] = {
	{ HEAD "\"colour\": \"red\"}", "colour", "unknown key: expected one of schema vendor" },
	{ HEAD "\"claims\": {\"link.max_gbps\": \"6 Gbit/s\", \"link.speed\": 6}}",
		"claims.link.speed", "unknown key" },
	{ HEAD "\"claims\": {\"link.max_gbps\": \"600 MB/s\"}}", "claims.link.max_gbps",
		"expected a unit of Gbit/s" },
	{ HEAD "\"claims\": {\"link.max_gbps\": [\"6 Gbit/s\", \"twelve\"]}}",
		"claims.link.max_gbps[1]", "expected a number" },
	{ HEAD "\"claims\": {\"link.max_gbps\": true}}", "claims.link.max_gbps",
		"expected a text" },
	{ HEAD "\"claims\": {\"protection.capable\": \"yes\"}}", "claims.protection.capable",
		"expected true or false" },
	{ HEAD "\"claims\": {\"link.max_gbps\": {\"at\": {}}}}", "claims.link.max_gbps",
		"expected \"is\"" },
	{ HEAD "\"claims\": {\"warranty.years\": {\"is\": \"5 years\", \"or\": \"death\"}}}",
		"claims.warranty.years.or", "expected \"endurance\"" },
	{ HEAD "\"claims\": {\"link.max_gbps\": {\"is\": \"6 Gbit/s\", \"source\": \"x\"}}}",
		"claims.link.max_gbps.source", "expected a key of \"sources\"" },
	{ HEAD "\"claims\": {\"link.max_gbps\": {\"is\": \"6 Gbit/s\", \"as\": \"wish\"}}}",
		"claims.link.max_gbps.as", "expected one of \"each\"" },
	{ HEAD "\"claims\": {\"performance.random_read_iops\": {\"is\": \"9 IOPS\", \"at\": "
	       "{\"blocks\": \"4 KiB\"}}}}",
		"claims.performance.random_read_iops.at.blocks", "unknown key" },
	{ HEAD "\"claims\": {\"link.port_count\": 1, \"link.port_count\": 2}}",
		"claims.link.port_count", "expected an array of both" },
	{ HEAD "\"family\": \"G\"}", "family", "expected it once" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"match\": \"A[\"}]}", "models[0].match",
		"expected a POSIX extended regular expression" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"match\": [\"A\", \"(\"]}]}", "models[0].match[1]",
		"regular expression" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"match\": \"(A{255}){255}\"}]}", "models[0].match",
		"repeats less than 256 times" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"match\": \"(A*)\\\\1\"}]}", "models[0].match",
		"without back-references" },
	{ HEAD "\"firmware\": [\"[A-\"]}", "firmware[0]", "regular expression" },
	{ HEAD "\"firmware\": \"A{999}\"}", "firmware[0]", "repeats less than" },
	{ HEAD "\"models\": [{\"name\": \"A\"}, {\"name\": \"A\"}]}", "models[1]",
		"expected each name once" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"like\": \"B\"}]}", "models[0].like",
		"expected the name of a model" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"like\": \"B\"}, {\"name\": \"B\", \"like\": "
	       "\"C\"}, {\"name\": \"C\", \"like\": \"A\"}]}",
		"models[2].like", "not itself like this one" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"like\": \"A\"}]}", "models[0].like",
		"not itself like this one" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"capacity\": \"960 GBit\"}]}", "models[0].capacity",
		"expected a unit of bytes" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"capacity\": \"960 MB\"}]}", "models[0].capacity",
		"such as \"960 GB\"" },
	{ HEAD "\"models\": [{\"capacity\": \"960 GB\"}]}", "models[0]", "expected a \"name\"" },
	{ HEAD "\"models\": {}}", "models", "expected an array" },
	{ HEAD "\"models\": [{\"name\": \"A\", \"bytes\": 1e300}]}", "models[0].bytes",
		"too large for a bare number" },
	{ HEAD "\"part_numbers\": [{\"match\": \"A(.)\", \"groups\": [{\"group\": 0}]}]}",
		"part_numbers[0].groups[0].group", "1 to 9" },
	{ HEAD "\"part_numbers\": [{\"match\": \"A(.)\", \"groups\": [{\"group\": 1, \"claim\": "
	       "\"capacity.bytes\", \"values\": {\"4\": \"400 cm\"}}]}]}",
		"part_numbers[0].groups[0]", "expected a unit of bytes" },
	{ HEAD "\"sources\": [\"a\"]}", "sources", "expected an object" },
	{ HEAD "\"notes\": [1]}", "notes[0]", "expected a text" },
	{ "{\"schema\": \"assay-spec/9\", \"vendor\": \"V\", \"family\": \"F\"}", "schema",
		"expected \"assay-spec/1\"" },
	{ "{\"schema\": \"assay-spec/1\", \"vendor\": \"V\"}", "", "expected a \"family\"" },
	{ "{\"vendor\": \"V\", \"family\": \"F\"}", "", "expected \"schema\"" },
	{ "[]", "", "expected an object" },
};

static const struct spec_problem *find_problem(
	const struct spec_library *library, const char *path, const char *expected)
{
	for (size_t i = 0; i < library->problem_count; i++)
		if (!strcmp(library->problems[i].path, path) &&
			strstr(library->problems[i].text, expected))
			return &library->problems[i];
	return NULL;
}

static void a_bad_sheet_is_told_by_its_path_and_what_was_expected(void **state)
{
	struct spec_library library;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		spec_library_init(&library);
		spec_load_text(&library, "x.json", bad[i].json, strlen(bad[i].json), SPEC_CHECKED);
		if (!find_problem(&library, bad[i].path, bad[i].expected))
			fail_msg("%s: %zu problems, first %s: %s", bad[i].json,
				library.problem_count,
				library.problem_count ? library.problems[0].path : "",
				library.problem_count ? library.problems[0].text : "");
		assert_string_equal(library.problems[0].file, "x.json");
		spec_library_deinit(&library);
	}
}

static void what_is_no_json_is_told_by_its_line(void **state)
{
	static const char text[] = "{\n\"schema\": \"assay-spec/1\",\n\"vendor\": ,\n}";
	struct spec_library library;
	(void)state;

	spec_library_init(&library);
	assert_null(spec_load_text(&library, "x.json", text, sizeof(text) - 1, SPEC_CHECKED));
	assert_int_equal(library.problem_count, 1);
	assert_int_equal(library.problems[0].line, 3);
	assert_non_null(strstr(library.problems[0].text, "expected JSON"));
	assert_int_equal(library.sheet_count, 0);
	spec_library_deinit(&library);
}

static void ten_megabytes_of_nesting_are_refused(void **state)
{
	const size_t len = 10 << 20;
	char *text = malloc(len);
	struct spec_library library;
	(void)state;

	memset(text, '[', len);
	spec_library_init(&library);
	assert_null(spec_load_text(&library, "x.json", text, len, SPEC_CHECKED));
	assert_int_equal(library.problem_count, 1);
	spec_library_deinit(&library);
	free(text);
}

static void a_megabyte_of_parentheses_is_no_pattern(void **state)
{
	static const char head[] = HEAD "\"models\": [{\"name\": \"A\", \"match\": \"";
	const size_t len = 1 << 20;
	char *text = malloc(sizeof(head) + len + 4);
	struct spec_library library;
	(void)state;

	assert_non_null(text);
	memcpy(text, head, sizeof(head) - 1);
	memset(text + sizeof(head) - 1, '(', len);
	memcpy(text + sizeof(head) - 1 + len, "\"}]}", 5);
	spec_library_init(&library);
	spec_load_text(&library, "x.json", text, strlen(text), SPEC_CHECKED);
	assert_non_null(find_problem(&library, "models[0].match", "at most 200 letters"));
	spec_library_deinit(&library);
	free(text);
}

static void every_prefix_of_a_sheet_is_survived(void **state)
{
	static const char text[] = HEAD
		"\"sources\": {\"a\": {\"title\": \"T\", \"recalled\": "
		"true}}, \"source\": \"a\", \"claims\": {\"link.max_gbps\": [{\"is\": "
		"\"6 Gbit/s\", \"at\": {\"link\": 6}}]}, \"models\": [{\"name\": "
		"\"A\", \"match\": [{\"pattern\": \"A\", \"oem\": \"B\"}]}]}";
	struct spec_library library;
	(void)state;

	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		char *copy = malloc(len ? len : 1); /* of just that size */

		memcpy(copy, text, len);
		spec_library_init(&library);
		assert_null(spec_load_text(&library, "x.json", copy, len, SPEC_CHECKED));
		assert_int_equal(library.problem_count, 1);
		spec_library_deinit(&library);
		spec_library_init(&library);
		assert_null(spec_load_text(&library, "x.json", copy, len, SPEC_NAMES));
		spec_library_deinit(&library);
		free(copy);
	}
	spec_library_init(&library);
	assert_non_null(spec_load_text(&library, "x.json", text, sizeof(text) - 1, SPEC_CHECKED));
	assert_int_equal(library.problem_count, 0);
	spec_library_deinit(&library);
}

static void a_model_takes_claims_of_its_like_and_of_the_family(void **state)
{
	static const char text[] = HEAD
		"\"claims\": {\"link.max_gbps\": \"6 Gbit/s\", \"warranty.years\": \"5 years\", "
		"\"endurance.rated_dwpd\": \"1 DWPD\"}, \"models\": ["
		"{\"name\": \"A\", \"claims\": {\"endurance.rated_dwpd\": \"2 DWPD\", "
		"\"reliability.mtbf_hours\": \"1 h\"}}, "
		"{\"name\": \"B\", \"like\": \"A\", \"claims\": {\"warranty.years\": [\"3 years\", "
		"\"4 years\"]}}]}";
	struct spec_library library;
	(void)state;

	spec_library_init(&library);
	struct spec_sheet *sheet = spec_load_text(
		&library, "x.json", text, sizeof(text) - 1, SPEC_CHECKED);
	const struct spec_model *b = &sheet->models[1];
	size_t count = 0;

	assert_true(spec_claim(sheet, b, "link.max_gbps")->quantity.low.value == 6);
	assert_true(spec_claim(sheet, b, "endurance.rated_dwpd")->quantity.low.value == 2);
	assert_true(spec_claim(sheet, b, "warranty.years")->quantity.low.value == 3);
	assert_float_equal(
		spec_claim(sheet, NULL, "endurance.rated_dwpd")->quantity.low.value, 1, 0);
	assert_null(spec_claim(sheet, NULL, "reliability.mtbf_hours"));
	for (size_t i = 0; spec_claim_next(sheet, b, &i);)
		count++;
	assert_int_equal(count, 5);
	spec_library_deinit(&library);
}

static void a_sheet_that_was_loaded_for_its_names_gets_its_claims_on_demand(void **state)
{
	struct spec_library library;
	(void)state;

	spec_library_init(&library);
	struct spec_sheet *sheet = spec_load(
		&library, "data/specs/hgst/ultrastar-ssd800mm.json", SPEC_NAMES);
	assert_non_null(sheet);
	assert_int_equal(sheet->claim_count, 0);
	spec_complete(&library, sheet);
	assert_true(sheet->claim_count > 10);
	assert_int_equal(library.problem_count, 0);
	const struct claim *written = spec_claim(
		sheet, &sheet->models[2], "endurance.rated_written_bytes");
	assert_true(written->quantity.low.is_exact);
	assert_true(written->quantity.low.exact == 14600000000000000);
	spec_library_deinit(&library);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_bad_sheet_is_told_by_its_path_and_what_was_expected),
		cmocka_unit_test(what_is_no_json_is_told_by_its_line),
		cmocka_unit_test(ten_megabytes_of_nesting_are_refused),
		cmocka_unit_test(a_megabyte_of_parentheses_is_no_pattern),
		cmocka_unit_test(every_prefix_of_a_sheet_is_survived),
		cmocka_unit_test(a_model_takes_claims_of_its_like_and_of_the_family),
		cmocka_unit_test(a_sheet_that_was_loaded_for_its_names_gets_its_claims_on_demand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
