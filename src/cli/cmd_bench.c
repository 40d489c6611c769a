/* assay bench: workloads, on a target or by themselves. */
#include "cli/bench.h"

#include <getopt.h>
#include <string.h>

#include "assay/array.h"

static int fail(const struct error *error)
{
	complain("bench", error);
	return (int)error->status;
}

static int usage(const char *message)
{
	fprintf(stderr, "assay bench: %s; --help tells more\n", message);
	return EXIT_USAGE;
}

static int list(char **words, struct bench_options *options, struct workloads *workloads)
{
	struct error error = { 0 };

	(void)words;
	(void)options;
	if (workloads_load_all(workloads, &error) != 0)
		return fail(&error);
	for (size_t i = 0; i < workloads->count; i++) {
		const struct workload *workload = workloads->workloads[i];

		printf("%-22s %c %3zu  %s\n", workload->name, workload_writes(workload) ? 'w' : 'r',
			workload_point_count(workload), workload->about);
	}
	return EXIT_GOOD;
}

/* The workload of that name or file, with the overrides. */
static const struct workload *named(const char *name, const struct bench_options *options,
	struct workloads *workloads, struct error *error)
{
	const struct workload *workload = workload_get(workloads, name, error);

	return workload ? bench_override(workload, &options->overrides, workloads->arena) : NULL;
}

static int show(char **words, struct bench_options *options, struct workloads *workloads)
{
	struct error error = { 0 };
	const struct workload *workload = named(words[0], options, workloads, &error);

	if (!workload)
		return fail(&error);
	if (output_open(&options->common) != 0)
		return EXIT_INTERNAL;
	workload_print(options->common.file, workload);
	return output_close(&options->common, EXIT_GOOD);
}

static int export_fio(char **words, struct bench_options *options, struct workloads *workloads)
{
	struct error error = { 0 };
	struct workload timed;
	const struct workload *workload = named(words[0], options, workloads, &error);

	if (!workload)
		return fail(&error);
	if (!options->export)
		return usage("export wants --format fio");
	timed = *workload;
	if (options->measure.time_seconds > 0)
		timed.time_seconds = options->measure.time_seconds;
	if (options->measure.no_precondition)
		timed.fill_passes = 0;
	if (output_open(&options->common) != 0)
		return EXIT_INTERNAL;
	workload_export_fio(options->common.file, &timed, words[1] ? words[1] : "/dev/TARGET");
	return output_close(&options->common, EXIT_GOOD);
}

/* What would spoil the numbers; 1 where something would. */
static int doctor(char **words, struct bench_options *options, struct workloads *workloads)
{
	struct doctor_finding findings[DOCTOR_FINDINGS];
	struct target_wanted wanted = { 0 };
	struct target target;
	struct error error = { 0 };
	int status = EXIT_GOOD;

	(void)options;
	(void)workloads;
	if (target_open(words[0], &wanted, &target, &error) != 0) {
		complain(words[0], &error);
		return (int)error.status;
	}
	size_t count = doctor_examine(&target, findings);

	for (size_t i = 0; i < count; i++) {
		printf("%-4s %-22s %s\n", findings[i].bad ? "bad" : "ok", findings[i].id,
			findings[i].text);
		if (findings[i].bad)
			status = EXIT_WARNING;
	}
	target_close(&target);
	return status;
}

static int measure(const char *path, struct bench_options *options, struct workloads *workloads)
{
	if (!options->name_count)
		return usage("name a --workload; assay bench list shows them");
	if (options->compat && strcmp(options->compat, "fio-json") != 0)
		return usage("--compat knows fio-json only");
	return bench_target(path, options, workloads);
}

/* What stands in the target's place, with so many words behind it: a NULL ends them. */
static const struct verb {
	const char *name, *words;
	size_t least, most;
	int (*run)(char **words, struct bench_options *options, struct workloads *workloads);
} verbs[] = {
	{ "list", "", 0, 0, list },
	{ "show", " WORKLOAD", 1, 1, show },
	{ "export", " WORKLOAD [TARGET] --format fio", 1, 2, export_fio },
	{ "doctor", " TARGET", 1, 1, doctor },
};

static int dispatch(
	size_t count, char **words, struct bench_options *options, struct workloads *workloads)
{
	for (size_t i = 0; i < ARRAY_LEN(verbs) && count; i++) {
		const struct verb *verb = &verbs[i];

		if (strcmp(words[0], verb->name) != 0)
			continue;
		if (count - 1 >= verb->least && count - 1 <= verb->most)
			return verb->run(words + 1, options, workloads);
		fprintf(stderr, "assay bench: it is bench %s%s; --help tells more\n", verb->name,
			verb->words);
		return EXIT_USAGE;
	}
	if (count == 1)
		return measure(words[0], options, workloads);
	return usage("name a TARGET, or list, show, export or doctor");
}

static int run(int argc, char **argv)
{
	struct bench_options options;
	struct workloads workloads;
	int status = bench_options_read(argc, argv, &options);

	if (status >= 0)
		return status;
	workloads_init(&workloads);
	status = dispatch((size_t)(argc - optind), argv + optind, &options, &workloads);
	workloads_deinit(&workloads);
	bench_options_deinit(&options);
	return status;
}

const struct subcommand subcommand_bench = {
	.name = "bench",
	.arguments = "TARGET | list | show NAME | export NAME [TARGET] | doctor TARGET",
	.about = "measures a drive with workloads",
	.run = run,
};
