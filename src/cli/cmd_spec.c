/* assay spec: the library of datasheets. */
#include "cli/cmd_spec.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/decoder.h"
#include "assay/spec.h"

void spec_complain(const struct spec_library *library, size_t from)
{
	for (size_t i = from; i < library->problem_count; i++) {
		const struct spec_problem *problem = &library->problems[i];

		fprintf(stderr, "assay: %s:", problem->file);
		if (problem->line)
			fprintf(stderr, "%u:", problem->line);
		fprintf(stderr, " %s%s%s\n", problem->path, *problem->path ? ": " : "",
			problem->text);
	}
}

static bool as_json(const struct options *options)
{
	return !strcmp(options->renderer->name, "json");
}

static int usage_error(const char *what)
{
	fprintf(stderr, "assay spec: %s; assay spec --help tells more\n", what);
	return EXIT_USAGE;
}

/* ---- list ---- */

static void list_sheet(FILE *file, const struct spec_sheet *sheet)
{
	const struct spec_model *first = &sheet->models[0];
	const struct spec_model *last = &sheet->models[sheet->model_count - 1];

	fprintf(file, "%-22s %-34s %3zu", sheet->vendor, sheet->family, sheet->model_count);
	if (sheet->model_count && first->capacity_printed && last->capacity_printed)
		fprintf(file, "  %s%s%s", first->capacity_printed,
			sheet->model_count > 1 ? " to " : "",
			sheet->model_count > 1 ? last->capacity_printed : "");
	fputc('\n', file);
}

static int run_list(struct spec_library *library, struct options *options, int argc, char **argv)
{
	size_t families = 0, models = 0;
	(void)argc, (void)argv;

	spec_load_library(library, SPEC_NAMES);
	spec_complain(library, 0);
	if (as_json(options)) {
		spec_list_json(options->file, library);
		return library->problem_count ? EXIT_FAILING : EXIT_GOOD;
	}
	fprintf(options->file, "%-22s %-34s %3s  %s\n", "VENDOR", "FAMILY", "N", "CAPACITY");
	for (size_t i = 0; i < library->sheet_count; i++) {
		if (!library->sheets[i]->family)
			continue;
		list_sheet(options->file, library->sheets[i]);
		families++;
		models += library->sheets[i]->model_count;
	}
	fprintf(options->file, "%zu families, %zu models\n", families, models);
	return library->problem_count ? EXIT_FAILING : EXIT_GOOD;
}

/* ---- show ---- */

static void show_claim(FILE *file, const struct claim *claim, bool verbose)
{
	char text[512];

	fprintf(file, "    %-34s %s", claim->key->label, claim_human(claim, text, sizeof(text)));
	if (claim->source && claim->source->recalled)
		fputs(" [recalled]", file);
	fputc('\n', file);
	if (verbose)
		fprintf(file, "      %s: %s\n", claim->key->name,
			claim_source_human(claim, text, sizeof(text)));
}

static void show_sheet(FILE *file, const struct spec_sheet *sheet, bool verbose)
{
	fprintf(file, "%s %s\n  %s\n\n", sheet->vendor, sheet->family, sheet->file);
	for (size_t i = 0; i < sheet->claim_count; i++)
		show_claim(file, &sheet->claims[i], verbose);
	for (size_t i = 0; i < sheet->model_count; i++) {
		const struct spec_model *model = &sheet->models[i];

		fprintf(file, "\n  %s%s%s\n", model->name, model->capacity_printed ? ", " : "",
			model->capacity_printed ? model->capacity_printed : "");
		for (size_t k = 0; verbose && k < model->pattern_count; k++)
			fprintf(file, "    %-34s %s\n", "named", model->patterns[k].regex);
		for (size_t k = 0; k < model->claim_count; k++)
			show_claim(file, &model->claims[k], verbose);
	}
	for (size_t i = 0; i < sheet->note_count; i++)
		fprintf(file, "%s  %s\n", i ? "" : "\n", sheet->notes[i]);
	fputs("\n  Sources\n", file);
	for (size_t i = 0; i < sheet->source_count; i++)
		fprintf(file, "    %s%s%s%s%s\n", sheet->sources[i].title,
			sheet->sources[i].recalled ? " (recalled, not re-read)" : "",
			sheet->sources[i].licence ? ", " : "",
			sheet->sources[i].licence ? sheet->sources[i].licence : "",
			sheet->sources[i].drives ? " (counted on drives)" : "");
}

static struct spec_sheet *sheet_named(struct spec_library *library, const char *name)
{
	struct spec_sheet *sheet = spec_find(library, name);
	struct spec_matches matches;
	struct spec_subject subject = { .vendor = "", .model = name };

	if (!sheet && access(name, R_OK) == 0)
		sheet = spec_load(library, name, SPEC_CHECKED);
	if (!sheet) {
		spec_match(library, &subject, &matches);
		sheet = matches.count == 1 ? matches.matches[0].sheet : NULL;
	}
	if (sheet)
		spec_complete(library, sheet);
	return sheet;
}

static int run_show(struct spec_library *library, struct options *options, int argc, char **argv)
{
	int status = EXIT_GOOD;

	if (argc == 0)
		return usage_error("show what? Name a family, a model or a file");
	spec_load_library(library, SPEC_NAMES);
	for (int i = 0; i < argc; i++) {
		const struct spec_sheet *sheet = sheet_named(library, argv[i]);

		if (sheet && as_json(options))
			spec_sheet_json(options->file, sheet);
		else if (sheet)
			show_sheet(options->file, sheet, options->render.verbose);
		if (sheet)
			continue;
		fprintf(stderr, "assay: %s: no datasheet of that name, or several\n", argv[i]);
		status = EXIT_NO_SUCH;
	}
	spec_complain(library, 0);
	return status;
}

/* ---- match ---- */

static void print_digits(void *context, const struct part_digits *digits)
{
	const char *label = digits->group->key ? digits->group->key->label : digits->group->label;

	fprintf(context, "  %-8s %s: %s\n", digits->digits, label ? label : "?",
		digits->meaning ? digits->meaning : "not in the rule's table");
}

static void print_matches(const struct spec_library *library, const struct spec_subject *subject,
	const struct spec_matches *matches, FILE *file)
{
	for (size_t i = 0; i < matches->count; i++) {
		const struct spec_match *match = &matches->matches[i];

		fprintf(file, "%s %s%s%s\n  %s\n", match->sheet->vendor, match->sheet->family,
			match->model ? ", " : "", match->model ? match->model->name : "",
			match->sheet->file);
	}
	fprintf(file, "  %s\n", matches->reason);
	spec_decode(library, subject->model, print_digits, file);
}

static int match_subject(struct spec_library *library, const struct spec_subject *subject,
	const struct options *options)
{
	struct spec_matches matches;
	size_t before = library->problem_count;

	spec_match(library, subject, &matches);
	spec_complain(library, before);
	if (as_json(options))
		spec_match_json(options->file, library, subject, &matches);
	else
		print_matches(library, subject, &matches, options->file);
	if (matches.count == 1)
		return EXIT_GOOD;
	return matches.count ? EXIT_WARNING : EXIT_UNKNOWN;
}

/* Reads who a target is; the facts are the caller's. */
static int load_facts(
	const char *target, struct options *options, struct facts *facts, struct capture *capture)
{
	struct error error;

	options->identity = true;
	facts_init(facts);
	if (target_load(target, options, capture, &error) != 0) {
		complain(target, &error);
		return (int)error.status;
	}
	decode(capture, facts);
	return -1;
}

static int match_target(struct spec_library *library, const char *target, struct options *options)
{
	struct capture capture;
	struct facts facts;
	int status = load_facts(target, options, &facts, &capture);

	if (status < 0) {
		struct spec_subject subject = spec_subject_of(&facts);

		status = match_subject(library, &subject, options);
	}
	facts_deinit(&facts);
	capture_deinit(&capture);
	return status;
}

static int run_match(struct spec_library *library, struct options *options, int argc, char **argv)
{
	int status = EXIT_GOOD;

	if (argc == 0)
		return usage_error("match what? Name a TARGET or a model");
	spec_load_library(library, SPEC_LITERALS);
	spec_complain(library, 0);
	for (int i = 0; i < argc; i++) {
		struct spec_subject subject = { .vendor = "", .model = argv[i] };
		bool is_target = target_is_device(argv[i]) || access(argv[i], F_OK) == 0;
		int one = is_target ? match_target(library, argv[i], options)
				    : match_subject(library, &subject, options);

		status = one > status ? one : status;
	}
	return status;
}

/* ---- lint ---- */

static int findings_status(const struct findings *findings, size_t *open_ones)
{
	*open_ones = 0;
	for (size_t i = 0; i < findings->count; i++)
		if (!findings->findings[i].acknowledged &&
			findings->findings[i].level != FINDING_NOTE)
			(*open_ones)++;
	return *open_ones ? EXIT_WARNING : EXIT_GOOD;
}

static int print_findings(const struct findings *findings, const struct options *options)
{
	static const char *const levels[] = { "note", "warning", "error" };
	size_t open_ones;
	int status = findings_status(findings, &open_ones);

	if (as_json(options)) {
		spec_findings_json(options->file, findings);
		return status;
	}
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->findings[i];

		fprintf(options->file, "%s: %s: %s: %s [%s]\n", finding->file, finding->path,
			finding->acknowledged ? "known" : levels[finding->level], finding->text,
			finding->code);
		if (finding->acknowledged)
			fprintf(options->file, "    %s\n", finding->acknowledged);
	}
	fprintf(options->file, "%zu findings, %zu of them to be resolved\n", findings->count,
		open_ones);
	return status;
}

static bool same_file(const char *a, const char *b)
{
	char first[PATH_MAX], second[PATH_MAX];

	return !strcmp(a, b) ||
		(realpath(a, first) && realpath(b, second) && !strcmp(first, second));
}

static const struct spec_sheet *loaded_sheet(struct spec_library *library, const char *file)
{
	for (size_t i = 0; i < library->sheet_count; i++)
		if (same_file(library->sheets[i]->file, file))
			return library->sheets[i];
	return spec_load(library, file, SPEC_CHECKED);
}

static int run_lint(struct spec_library *library, struct options *options, int argc, char **argv)
{
	struct findings findings;

	if (argc == 0)
		return usage_error("lint what? Name files, or all");
	findings_init(&findings);
	spec_load_library(library, SPEC_CHECKED);
	for (int i = 0; i < argc; i++) {
		const struct spec_sheet *sheet = strcmp(argv[i], "all")
			? loaded_sheet(library, argv[i])
			: NULL;

		if (sheet)
			spec_lint(library, sheet, &findings);
		for (size_t k = 0; !strcmp(argv[i], "all") && k < library->sheet_count; k++)
			spec_lint(library, library->sheets[k], &findings);
	}
	spec_complain(library, 0);
	int status = print_findings(&findings, options);
	findings_deinit(&findings);
	return library->problem_count ? EXIT_FAILING : status;
}

/* ---- new ---- */

static int run_new(struct spec_library *library, struct options *options, int argc, char **argv)
{
	struct capture capture;
	struct facts facts;
	(void)library;

	if (argc != 1)
		return usage_error("new takes one TARGET");
	int status = load_facts(argv[0], options, &facts, &capture);
	if (status < 0)
		status = spec_draft(options->file, &facts) == 0 ? EXIT_GOOD : EXIT_INTERNAL;
	facts_deinit(&facts);
	capture_deinit(&capture);
	return status;
}

static const struct {
	const char *name;
	int (*run)(struct spec_library *library, struct options *options, int argc, char **argv);
} verbs[] = {
	{ "list", run_list },
	{ "show", run_show },
	{ "match", run_match },
	{ "lint", run_lint },
	{ "new", run_new },
};

static int run_verb(struct options *options, int argc, char **argv)
{
	struct spec_library library;
	int status = -1;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].name, argv[0]) != 0)
			continue;
		if (output_open(options) != 0)
			return EXIT_INTERNAL;
		spec_library_init(&library);
		status = verbs[i].run(&library, options, argc - 1, argv + 1);
		spec_library_deinit(&library);
		return output_close(options, status);
	}
	return usage_error("expected list, show, match, lint or new");
}

static int run(int argc, char **argv)
{
	struct options options;
	int status = options_read(argc, argv, &subcommand_spec, "fjvoatdwq", &options);

	if (status >= 0)
		return status;
	if (optind == argc)
		return usage_error("expected list, show, match, lint or new");
	status = run_verb(&options, argc - optind, argv + optind);
	options_deinit(&options);
	return status;
}

const struct subcommand subcommand_spec = {
	.name = "spec",
	.arguments = "list | show NAME... | match TARGET|MODEL... | lint FILE...|all | new TARGET",
	.about = "the library of datasheets: lists, shows, matches, checks, drafts",
	.run = run,
};
