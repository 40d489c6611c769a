#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/spec.h"
#include "spec/lint.h"
#include "spec/read.h"

static const struct {
	const char *regex, *literal;
} regexes[] = {
	{ "HUSMM8080ASS20[0145]", "HUSMM8080ASS20" },
	{ "LB[ _]?406S", "406S" },
	{ "A|B", "" },
	{ "(A|B)CD", "CD" },
	{ "AB*CDE", "CDE" },
	{ "ABC+D", "ABC" },
	{ "ABC{0,2}DE", "AB" },
	{ "AB\\.CD", "AB.CD" },
	{ "AB\\wCDE", "CDE" },
	{ "\\<ABC\\>", "ABC" },
	{ "A[[:alpha:]]BC", "BC" },
	{ "A[^]x]BC", "BC" },
	{ "A[[.].]]BCD", "BCD" },
	{ "(A[)]B)CD", "CD" },
	{ ".*", "" },
	{ "", "" },
};

static void a_literal_is_in_every_match_of_its_pattern(void **state)
{
	char literal[LITERAL_BYTES], example[128];
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(regexes); i++) {
		regex_literal(regexes[i].regex, literal);
		assert_string_equal(literal, regexes[i].literal);
		if (regex_example(regexes[i].regex, example, sizeof(example)) &&
			!strstr(example, literal))
			fail_msg("%s: %s is not in %s", regexes[i].regex, literal, example);
	}
}

static void lower_case(char *text)
{
	for (; *text; text++)
		*text = *text >= 'A' && *text <= 'Z' ? (char)(*text + 32) : *text;
}

static char *text_of(const char *path, size_t *len)
{
	FILE *file = fopen(path, "re");
	char *text = malloc(1 << 16);

	assert_non_null(file);
	assert_non_null(text);
	*len = fread(text, 1, 1 << 16, file);
	fclose(file);
	return text;
}

/* A name that the pattern matches is among those for which the sheet is read. */
static size_t check_pattern(const struct spec_sheet *sheet, const char *literals, const char *regex)
{
	char name[128];

	if (!regex_example(regex, name, sizeof(name)))
		return 0;
	lower_case(name);
	if (!sheet_may_match(literals, name))
		fail_msg("%s: not read for %s", sheet->file, name);
	return 1;
}

static size_t check_sheet(const struct spec_sheet *sheet, struct arena *arena)
{
	size_t len, count = 0;
	char *text = text_of(sheet->file, &len);
	const char *literals = sheet_literals(arena, text, len);

	for (size_t i = 0; literals && i < sheet->model_count; i++)
		for (size_t k = 0; k < sheet->models[i].pattern_count; k++)
			count += check_pattern(sheet, literals, sheet->models[i].patterns[k].regex);
	for (size_t i = 0; literals && i < sheet->rule_count; i++)
		count += check_pattern(sheet, literals, sheet->rules[i].regex);
	free(text);
	return count;
}

static void every_name_of_the_library_has_its_sheet_read(void **state)
{
	struct spec_library library;
	size_t names = 0, eager = 0;
	(void)state;

	spec_library_init(&library);
	spec_load_folder(&library, "data/specs", SPEC_NAMES);
	for (size_t i = 0; i < library.sheet_count; i++)
		names += check_sheet(library.sheets[i], library.arena);
	spec_library_deinit(&library);
	spec_library_init(&library);
	spec_load_folder(&library, "data/specs", SPEC_LITERALS);
	for (size_t i = 0; i < library.sheet_count; i++)
		eager += !library.sheets[i]->literals;
	print_message("%zu names; %zu of %zu sheets are read at once\n", names, eager,
		library.sheet_count);
	assert_true(names > 750);
	assert_true(eager < 5);
	spec_library_deinit(&library);
}

#define HEAD "{\"schema\": \"assay-spec/1\", \"vendor\": \"V\", \"family\": \"F\", "

static void what_its_literals_cannot_tell_is_read_at_once(void **state)
{
	static const struct {
		const char *json;
		bool is_kept;
	} sheets[] = {
		{ HEAD "\"models\": [{\"name\": \"AB1\"}]}", true },
		{ HEAD "\"models\": [{\"name\": \"AB1\", \"match\": [\"A\\\\.B\"]}]}\n", true },
		{ HEAD "\"models\": [{\"name\": \"AB1\", \"match\": [\"A|B\"]}]}", false },
		{ HEAD "\"models\": [{\"n\\u0061me\": \"AB1\"}]}", false },
		{ HEAD "\"models\": [{\"name\": \"AB1\"}], \"part_numbers\": []}", true },
		{ HEAD "\"claims\": {}}", false },
		{ HEAD "\"part_numbers\": [{\"match\": \"A(B|C)D\"}]}", true },
		{ HEAD "\"part_numbers\": [{\"match\": \"(B|C)\"}]}", false },
		{ HEAD "\"models\": [{\"name\": \"AB1\"}", true },
		{ HEAD "\"models\": [{\"name\": \"AB1\"}]", false },
		{ HEAD "\"models\": [{\"name\": \"AB1", false },
		{ "", false },
	};
	struct arena *arena = arena_new();
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(sheets); i++) {
		const char *json = sheets[i].json;

		if (!sheet_literals(arena, json, strlen(json)) == sheets[i].is_kept)
			fail_msg("%s", json);
	}
	arena_free(arena);
}

static void a_sheet_is_read_for_a_name_of_its_own_and_told_where_it_is_bad(void **state)
{
	static const char bad[] = HEAD "\"models\": [{\"name\": \"AB12\", \"colour\": 1}]}";
	char path[] = "/tmp/test_spec_sift.XXXXXX";
	struct spec_library library;
	struct spec_matches matches;
	(void)state;

	int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_int_equal(fwrite(bad, 1, sizeof(bad) - 1, file), sizeof(bad) - 1);
	fclose(file);
	spec_library_init(&library);
	struct spec_sheet *sheet = spec_load(&library, path, SPEC_LITERALS);
	assert_non_null(sheet->literals);
	spec_match(&library, &(struct spec_subject) { "", "CD34", 0 }, &matches);
	assert_int_equal(matches.count, 0);
	assert_int_equal(library.problem_count, 0);
	spec_match(&library, &(struct spec_subject) { "", "V ab12", 0 }, &matches);
	assert_int_equal(matches.count, 1);
	assert_int_equal(library.problem_count, 1);
	assert_string_equal(library.problems[0].path, "models[0].colour");
	assert_null(sheet->literals);
	spec_library_deinit(&library);
	remove(path);
}

static void put(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static size_t matches_in(const char *folder, const char *model)
{
	struct spec_library library;
	struct spec_matches matches;

	spec_library_init(&library);
	assert_int_equal(spec_load_folder(&library, folder, SPEC_LITERALS), 2);
	spec_match(&library, &(struct spec_subject) { "", model, 0 }, &matches);
	spec_library_deinit(&library);
	return matches.count;
}

struct shelf {
	char folder[32], index[40], below[2][48], one[64], two[64];
};

static void shelf_init(struct shelf *shelf)
{
	static const char two[] = HEAD "\"models\": [{\"name\": \"CD34\"}]}";

	snprintf(shelf->folder, sizeof(shelf->folder), "/tmp/test_spec_sift.XXXXXX");
	assert_non_null(mkdtemp(shelf->folder));
	snprintf(shelf->index, sizeof(shelf->index), "%.31s.tsv", shelf->folder);
	snprintf(shelf->below[0], sizeof(shelf->below[0]), "%.31s/a", shelf->folder);
	snprintf(shelf->below[1], sizeof(shelf->below[1]), "%.31s/a-b", shelf->folder);
	assert_int_equal(mkdir(shelf->below[0], 0700) | mkdir(shelf->below[1], 0700), 0);
	snprintf(shelf->one, sizeof(shelf->one), "%.47s/one.json", shelf->below[0]);
	snprintf(shelf->two, sizeof(shelf->two), "%.47s/two.json", shelf->below[1]);
	put(shelf->one, HEAD "\"models\": [{\"name\": \"AB12\"}]}");
	put(shelf->two, two);
}

static void shelf_deinit(const struct shelf *shelf)
{
	remove(shelf->index);
	remove(shelf->one);
	remove(shelf->two);
	remove(shelf->below[0]);
	remove(shelf->below[1]);
	assert_int_equal(remove(shelf->folder), 0);
}

/* What the index should be, with another literal for AB12. */
static char *index_of(const struct shelf *shelf)
{
	char *text = NULL;
	size_t len;
	FILE *memory = open_memstream(&text, &len);

	assert_non_null(memory);
	spec_index_print(memory, shelf->folder);
	fclose(memory);
	char *literal = strstr(text, "\tab12\t");

	assert_non_null(literal);
	assert_non_null(strstr(text, "\ta-b/two.json\t"));
	literal[1] = 'x';
	return text;
}

static void an_index_is_taken_for_sheets_that_are_as_they_were(void **state)
{
	struct shelf shelf;
	(void)state;

	shelf_init(&shelf);
	char *text = index_of(&shelf);

	put(shelf.index, text);
	assert_int_equal(matches_in(shelf.folder, "AB12"), 0); /* the index has it as xb12 */
	assert_int_equal(matches_in(shelf.folder, "CD34"), 1);
	usleep(50000); /* the clock of files may stand still for so long */
	put(shelf.one, HEAD "\"models\": [{\"name\": \"AB12\"}]}");
	assert_int_equal(matches_in(shelf.folder, "AB12"), 1);
	put(shelf.one, HEAD "\"models\": [{\"name\": \"AB12\"} ]}");
	assert_int_equal(matches_in(shelf.folder, "AB12"), 1);
	free(text);
	shelf_deinit(&shelf);
}

static void an_index_is_left_alone_where_a_sheet_came(void **state)
{
	struct shelf shelf;
	char three[64];
	(void)state;

	shelf_init(&shelf);
	char *text = index_of(&shelf);

	put(shelf.index, text);
	usleep(50000);
	snprintf(three, sizeof(three), "%.47s/three.json", shelf.below[0]);
	put(three, HEAD "\"models\": [{\"name\": \"EF56\"}]}");
	struct spec_library library;

	spec_library_init(&library);
	assert_int_equal(spec_load_folder(&library, shelf.folder, SPEC_LITERALS), 3);
	spec_library_deinit(&library);
	remove(three);
	free(text);
	shelf_deinit(&shelf);
}

static void a_part_of_an_index_hides_no_sheet(void **state)
{
	struct shelf shelf;
	(void)state;

	shelf_init(&shelf);
	char *text = index_of(&shelf);

	for (size_t len = 0; len < strlen(text); len++) {
		char *part = strndup(text, len);

		put(shelf.index, part);
		assert_int_equal(matches_in(shelf.folder, "CD34"), 1);
		free(part);
	}
	free(text);
	shelf_deinit(&shelf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_literal_is_in_every_match_of_its_pattern),
		cmocka_unit_test(every_name_of_the_library_has_its_sheet_read),
		cmocka_unit_test(what_its_literals_cannot_tell_is_read_at_once),
		cmocka_unit_test(an_index_is_taken_for_sheets_that_are_as_they_were),
		cmocka_unit_test(an_index_is_left_alone_where_a_sheet_came),
		cmocka_unit_test(a_part_of_an_index_hides_no_sheet),
		cmocka_unit_test(a_sheet_is_read_for_a_name_of_its_own_and_told_where_it_is_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
