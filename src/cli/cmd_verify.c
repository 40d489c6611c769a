/* assay verify: is a drive what its datasheet says? */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/decoder.h"
#include "assay/verify.h"

struct verifying_all {
	struct options options;
	struct spec_library library;
	struct measurements measurements;
	struct spec_sheet *named; /* --spec */
	size_t count;
	int status;
};

/* What is told to people beside the verdicts. */
static const char *const shown[] = { "identity.vendor", "identity.model", "identity.serial",
	"identity.firmware", "capacity.bytes", "usage.power_on_hours",
	"endurance.rated_written_bytes", "endurance.rated_used_percent", "endurance.days_left" };

static int64_t time_of(const struct loaded *loaded)
{
	int64_t told = loaded_time(loaded);

	return told || !target_is_device(loaded->target) ? told : time(NULL);
}

/* A sheet that was named by hand: its model is the one that fits best. */
static bool match_named(struct verifying_all *all, const struct spec_subject *subject,
	struct spec_match *match, struct facts *facts)
{
	struct spec_library one = {
		.sheets = &all->named, .sheet_count = 1, .arena = all->library.arena
	};
	struct spec_matches matches;

	spec_match(&one, subject, &matches);
	if (matches.count)
		*match = matches.matches[0];
	else
		*match = (struct spec_match) { .sheet = all->named };
	facts_note(facts, NULL, "datasheet: %s %s, as asked; %s", all->named->vendor,
		all->named->family, matches.reason);
	return true;
}

static bool find_sheet(struct verifying_all *all, struct facts *facts, struct spec_match *match)
{
	struct spec_subject subject = spec_subject_of(facts);
	struct spec_matches matches;
	size_t before = all->library.problem_count;

	if (all->named)
		return match_named(all, &subject, match, facts);
	if (!datasheet_find(&all->library, facts, &matches)) {
		facts_note(facts, NULL, "no datasheet: %s", matches.reason);
		for (size_t i = 0; i < matches.count; i++)
			facts_note(facts, NULL, "it may be %s %s: name it with --spec",
				matches.matches[i].sheet->vendor, matches.matches[i].sheet->family);
		return false;
	}
	*match = matches.matches[0];
	spec_complain(&all->library, before);
	facts_note(facts, NULL, "datasheet: %s %s%s%s: %s", match->sheet->vendor,
		match->sheet->family, match->model ? ", " : "",
		match->model ? match->model->name : "", matches.reason);
	return true;
}

static bool is_shown(const struct fact *fact)
{
	for (size_t i = 0; i < ARRAY_LEN(shown); i++)
		if (!strcmp(fact->key->name, shown[i]))
			return true;
	return false;
}

/* All of it as JSON or with -v; else just what verdicts are read with. */
static struct facts shown_facts(const struct verifying_all *all, const struct facts *facts)
{
	bool whole = all->options.render.verbose ||
		strcmp(all->options.renderer->name, "text") != 0;

	return whole ? *facts : facts_part(facts, is_shown);
}

static void worsen(struct verifying_all *all, int status)
{
	/* 0 good, 3 could not tell, 1 marginal, 2 fails; errors are above all. */
	static const int badness[] = { 0, 2, 3, 1 };

	if (status > EXIT_UNKNOWN || all->status > EXIT_UNKNOWN)
		all->status = status > all->status ? status : all->status;
	else if (badness[status] > badness[all->status])
		all->status = status;
}

static bool is_of_this_drive(const struct verifying_all *all, struct facts *facts)
{
	const char *serial = facts_text(facts, "identity.serial");

	if (all->measurements.unnamed)
		facts_note(facts, NULL, "the results in %s do not say of which drive they are",
			all->measurements.unnamed);
	if (!all->measurements.count || !*all->measurements.serial ||
		!strcmp(all->measurements.serial, serial))
		return true;
	facts_note(facts, NULL, "the results are of the drive %s, not of this one: not used",
		all->measurements.serial);
	return false;
}

static void verify_one(void *context, struct loaded *loaded, size_t index)
{
	struct verifying_all *all = context;
	struct verify_options options = { .expect_new = all->options.expect_new,
		.now = time_of(loaded) };
	struct verification verification;
	struct spec_match match;
	struct facts facts;

	facts_init(&facts);
	verification_init(&verification);
	decode(&loaded->capture, &facts);
	bool found = find_sheet(all, &facts, &match);
	struct verify_subject subject = { .library = &all->library,
		.facts = &facts,
		.match = found ? &match : NULL,
		.measurements = is_of_this_drive(all, &facts) ? &all->measurements : NULL };
	verify(&subject, &options, &verification);
	struct facts some = shown_facts(all, &facts);
	struct document document = { .target = loaded->target,
		.capture = &loaded->capture,
		.facts = &some,
		.verdicts = verification.verdicts,
		.verdict_count = verification.count,
		.error = loaded->failed ? &loaded->error : NULL };
	print_document(&all->options, &document, index, all->count);
	if (loaded->failed)
		complain(loaded->target, &loaded->error);
	int status = verification_status(&verification);
	if (!found && status == EXIT_GOOD)
		status = EXIT_UNKNOWN;
	worsen(all, loaded->failed ? (int)loaded->error.status : status);
	verification_deinit(&verification);
	facts_deinit(&facts);
}

static int prepare(struct verifying_all *all)
{
	const char *spec = all->options.spec;

	spec_load_library(&all->library, spec ? SPEC_NAMES : SPEC_LITERALS);
	if (spec) {
		bool is_file = strchr(spec, '/') || strstr(spec, ".json");
		size_t before = all->library.problem_count;

		all->named = is_file ? spec_load(&all->library, spec, SPEC_CHECKED)
				     : spec_find(&all->library, spec);
		if (all->named)
			spec_complete(&all->library, all->named);
		spec_complain(&all->library, before);
		if (!all->named || all->library.problem_count > before) {
			fprintf(stderr, "assay: %s: no datasheet that can be used\n", spec);
			return EXIT_NO_SUCH;
		}
	}
	return -1;
}

static int read_results(struct verifying_all *all)
{
	struct error error;

	for (size_t i = 0; i < all->options.result_count; i++) {
		const char *file = all->options.results[i];

		if (measurements_read(file, &all->measurements, &error) == 0)
			continue;
		complain(file, &error);
		return (int)error.status;
	}
	return -1;
}

static int run(int argc, char **argv)
{
	struct verifying_all all = { .status = EXIT_GOOD };
	int status = options_read(argc, argv, &subcommand_verify, "fjvaotdwqsRn", &all.options);

	if (status >= 0)
		return status;
	if (optind == argc) {
		fputs("assay verify: name a TARGET; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	all.count = (size_t)(argc - optind);
	spec_library_init(&all.library);
	measurements_init(&all.measurements);
	status = prepare(&all);
	if (status < 0)
		status = read_results(&all);
	if (status < 0 && output_open(&all.options) != 0)
		status = EXIT_INTERNAL;
	if (status < 0) {
		if (!all.options.quiet && all.count == 1)
			all.options.collect.progress = progress_show;
		targets_load(argv + optind, all.count, &all.options, verify_one, &all);
		status = output_close(&all.options, all.status);
	}
	measurements_deinit(&all.measurements);
	spec_library_deinit(&all.library);
	options_deinit(&all.options);
	return status;
}

const struct subcommand subcommand_verify = {
	.name = "verify",
	.arguments = "TARGET...",
	.about = "is a drive what its datasheet says: each claim, its evidence, a verdict",
	.run = run,
};
