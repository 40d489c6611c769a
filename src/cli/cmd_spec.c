/* assay spec: the library of datasheets. */
#include "cli/cmd_spec.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
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

static const char *capacity_text(double bytes, char *text, size_t size)
{
	return quantity_human(bytes, DIMENSION_BYTES, text, size);
}

/* "200 GB to 1.6 TB"; "" where no model has one. */
static const char *capacities(const struct spec_sheet *sheet, char *text, size_t size)
{
	double least = INFINITY, most = 0;
	char low[32], high[32];

	for (size_t i = 0; i < sheet->model_count; i++) {
		double capacity = sheet->models[i].capacity.value;

		least = capacity > 0 ? fmin(least, capacity) : least;
		most = fmax(most, capacity);
	}
	text[0] = '\0';
	if (most > 0)
		snprintf(text, size, "%s%s%s", capacity_text(least, low, sizeof(low)),
			most > least ? " to " : "",
			most > least ? capacity_text(most, high, sizeof(high)) : "");
	return text;
}

static bool has_word(const struct spec_sheet *sheet, const char *word)
{
	if (strcasestr(sheet->vendor, word) || strcasestr(sheet->family, word))
		return true;
	for (size_t i = 0; i < sheet->model_count; i++)
		if (strcasestr(sheet->models[i].name, word))
			return true;
	return false;
}

bool spec_is_wanted(const struct spec_sheet *sheet, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (sheet->family && !has_word(sheet, argv[i]))
			return false;
	return sheet->family;
}

static void list_text(const struct spec_library *library, FILE *file, int argc, char **argv)
{
	int vendor = 6, family = 6;
	size_t families = 0, models = 0;
	char text[80];

	for (size_t i = 0; i < library->sheet_count; i++) {
		const struct spec_sheet *sheet = library->sheets[i];

		if (!spec_is_wanted(sheet, argc, argv))
			continue;
		vendor = (int)fmax(vendor, (double)strlen(sheet->vendor));
		family = (int)fmax(family, (double)strlen(sheet->family));
		families++;
		models += sheet->model_count;
	}
	fprintf(file, "%-*s  %-*s  MODELS  CAPACITY\n", vendor, "VENDOR", family, "FAMILY");
	for (size_t i = 0; i < library->sheet_count; i++) {
		const struct spec_sheet *sheet = library->sheets[i];

		if (spec_is_wanted(sheet, argc, argv))
			fprintf(file, "%-*s  %-*s  %6zu  %s\n", vendor, sheet->vendor, family,
				sheet->family, sheet->model_count,
				capacities(sheet, text, sizeof(text)));
	}
	fprintf(file, "%zu families, %zu models\n", families, models);
}

static int run_list(struct spec_library *library, struct options *options, int argc, char **argv)
{
	spec_load_library(library, SPEC_NAMES);
	spec_complain(library, 0);
	if (as_json(options))
		spec_list_json(options->file, library, argc, argv);
	else
		list_text(library, options->file, argc, argv);
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

/* By topic, in the order of the keys. */
static void show_claims(FILE *file, const struct claim *claims, size_t count, bool verbose)
{
	for (const struct claim_key *key = claim_keys; key->name; key++)
		for (size_t i = 0; i < count; i++)
			if (claims[i].key == key)
				show_claim(file, &claims[i], verbose);
}

static void show_model(FILE *file, const struct spec_model *model, bool verbose)
{
	char text[32];

	fprintf(file, "\n  %s%s%s\n", model->name, model->capacity.value > 0 ? ", " : "",
		model->capacity.value > 0 ? capacity_text(model->capacity.value, text, sizeof(text))
					  : "");
	for (size_t i = 0; verbose && i < model->pattern_count; i++)
		fprintf(file, "    %-34s %s%s%s\n", "named", model->patterns[i].regex,
			model->patterns[i].oem ? ", by " : "",
			model->patterns[i].oem ? model->patterns[i].oem : "");
	for (size_t i = 0; verbose && i < model->size_count; i++)
		fprintf(file, "    %-34s %llu bytes%s\n", "exactly",
			(unsigned long long)model->sizes[i],
			model->sizes_seen ? "" : ", by the rule of its capacity");
	if (model->like_name)
		fprintf(file, "    %-34s %s\n", "otherwise like", model->like_name);
	show_claims(file, model->claims, model->claim_count, verbose);
}

/* A title may join several documents. */
static void show_source(FILE *file, const struct spec_source *source)
{
	const char *at = source->title;

	for (const char *more; (more = strstr(at, "; ")); at = more + 2)
		fprintf(file, "    %.*s\n", (int)(more - at), at);
	fprintf(file, "    %s%s%s%s%s\n", at, source->recalled ? " (recalled, not re-read)" : "",
		source->licence ? ", " : "", source->licence ? source->licence : "",
		source->drives ? " (counted on drives)" : "");
}

static void show_sheet(FILE *file, const struct spec_sheet *sheet, bool verbose)
{
	fprintf(file, "%s %s\n  %s\n\n", sheet->vendor, sheet->family, sheet->file);
	show_claims(file, sheet->claims, sheet->claim_count, verbose);
	for (size_t i = 0; i < sheet->model_count; i++)
		show_model(file, &sheet->models[i], verbose);
	fputs(sheet->note_count ? "\n  Notes\n" : "", file);
	for (size_t i = 0; i < sheet->note_count; i++)
		fprintf(file, "    %s\n", sheet->notes[i]);
	fputs(sheet->source_count ? "\n  Sources\n" : "", file);
	for (size_t i = 0; i < sheet->source_count; i++)
		show_source(file, &sheet->sources[i]);
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
		fprintf(stderr,
			"assay: %s: no datasheet of that name, or several: assay spec list WORD "
			"tells\n",
			argv[i]);
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

static void print_matches(struct spec_library *library, const struct spec_subject *subject,
	const struct spec_matches *matches, FILE *file)
{
	for (size_t i = 0; i < matches->count; i++) {
		const struct spec_match *match = &matches->matches[i];

		fprintf(file, "%s %s%s%s\n  %s\n", match->sheet->vendor, match->sheet->family,
			match->model ? ", " : "", match->model ? match->model->name : "",
			match->sheet->file);
	}
	fprintf(file, "%s%s\n", matches->count ? "  " : "", matches->reason);
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

/* ---- index ---- */

static int run_index(struct spec_library *library, struct options *options, int argc, char **argv)
{
	(void)library;
	if (argc != 1)
		return usage_error("index takes one FOLDER");
	spec_index_print(options->file, argv[0]);
	return EXIT_GOOD;
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
	{ "index", run_index },
};

static int run_verb(struct options *options, int argc, char **argv)
{
	struct spec_library library;
	int status = -1;

	for (size_t i = 0; i < ARRAY_LEN(verbs); i++) {
		if (strcmp(verbs[i].name, argv[0]) != 0)
			continue;
		if (output_open(options) != 0)
			return EXIT_INTERNAL;
		spec_library_init(&library);
		status = verbs[i].run(&library, options, argc - 1, argv + 1);
		spec_library_deinit(&library);
		return output_close(options, status);
	}
	return usage_error("expected list, show, match, lint, new or index");
}

static int run(int argc, char **argv)
{
	struct options options;
	int status = options_read(argc, argv, &subcommand_spec, "fjvoatdwq", &options);

	if (status >= 0)
		return status;
	if (optind == argc)
		return usage_error("expected list, show, match, lint, new or index");
	status = run_verb(&options, argc - optind, argv + optind);
	options_deinit(&options);
	return status;
}

const struct subcommand subcommand_spec = {
	.name = "spec",
	.arguments = "list [WORD...] | show NAME... | match TARGET|MODEL... | lint FILE...|all | "
		     "new TARGET | index FOLDER",
	.about = "the library of datasheets: lists, shows, matches, checks, drafts, indexes",
	.run = run,
};
