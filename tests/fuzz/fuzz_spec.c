/*
 * Any text as a datasheet: it is read, linted and matched. What is wrong with it
 * has a place and says what was expected; the ways to read less of it find the
 * same models.
 */
#include "fuzz.h"

#include <ctype.h>

#include "assay/spec.h"
#include "spec/lint.h"
#include "spec/read.h"

static void check(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

static void check_problems(const struct spec_library *library)
{
	for (size_t i = 0; i < library->problem_count; i++) {
		const struct spec_problem *problem = &library->problems[i];

		check(!strcmp(problem->file, "a.json"), "a problem of another file");
		check(problem->path && *problem->text, "a problem without a text");
	}
}

static void print_claims(const struct spec_sheet *sheet, const struct spec_model *model)
{
	const struct claim *claim;
	char text[256];

	for (size_t i = 0; (claim = spec_claim_next(sheet, model, &i));) {
		check(*claim_human(claim, text, sizeof(text)), "a claim without words");
		claim_path(sheet, claim, text, sizeof(text));
		claim_source_human(claim, text, sizeof(text));
	}
}

static void ignore_digits(void *context, const struct part_digits *digits)
{
	(void)context, (void)digits;
}

/* A name that the sheet has a pattern for is among those for which it is read. */
static void match(struct spec_library *library, const char *text, size_t len, const char *name,
	uint64_t bytes)
{
	const char *literals = sheet_literals(library->arena, text, len);
	struct spec_subject subject = { .vendor = "", .model = name, .bytes = bytes };
	struct spec_matches matches;
	char lower[256] = "";

	for (size_t i = 0; name[i] && i + 1 < sizeof(lower); i++)
		lower[i] = (char)tolower((unsigned char)name[i]);
	spec_match(library, &subject, &matches);
	spec_decode(library, name, ignore_digits, NULL);
	check(*matches.reason || !*name, "a match without a reason");
	check(!matches.count || !literals || sheet_may_match(literals, lower),
		"a sheet that matches is not read");
}

static void match_models(
	struct spec_library *library, const struct spec_sheet *sheet, const char *text, size_t len)
{
	char name[128];

	for (size_t i = 0; i < sheet->model_count; i++) {
		const struct spec_model *model = &sheet->models[i];

		match(library, text, len, model->name, model->size_count ? model->sizes[0] : 0);
		for (size_t k = 0; k < model->pattern_count; k++)
			if (regex_example(model->patterns[k].regex, name, sizeof(name)))
				match(library, text, len, name, 0);
	}
}

/* Reading but the names of a good sheet gives the same models. */
static void compare_names(const struct spec_sheet *whole, const char *text, size_t len)
{
	struct spec_library library;

	spec_library_init(&library);
	const struct spec_sheet *brief = spec_load_text(&library, "a.json", text, len, SPEC_NAMES);

	check(brief && brief->model_count == whole->model_count, "other models by name");
	for (size_t i = 0; i < whole->model_count; i++)
		check(!strcmp(brief->models[i].name, whole->models[i].name), "another name");
	spec_library_deinit(&library);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct spec_library library;
	struct findings findings;
	(void)fuzz_turn;

	spec_library_init(&library);
	findings_init(&findings);
	struct spec_sheet *sheet = spec_load_text(&library, "a.json", text, size, SPEC_CHECKED);

	check_problems(&library);
	check(sheet || library.problem_count, "no sheet and no problem");
	if (sheet) {
		if (!library.problem_count)
			compare_names(sheet, text, size);
		spec_lint(&library, sheet, &findings);
		print_claims(sheet, NULL);
		for (size_t i = 0; i < sheet->model_count; i++)
			print_claims(sheet, &sheet->models[i]);
		match_models(&library, sheet, text, size);
		check_problems(&library);
	}
	findings_deinit(&findings);
	spec_library_deinit(&library);
	return 0;
}
