/* assay capture: every response of a drive in one text file. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

/* --import KIND=FILE: adds what FILE holds to the capture. */
static int import_one(const char *import, struct capture *capture, struct error *error)
{
	const char *equals = strchr(import, '=');
	char word[32];

	if (!equals || (size_t)(equals - import) >= sizeof(word))
		return error_set(error, EXIT_USAGE, "--import takes KIND=FILE, not '%s'", import);
	snprintf(word, sizeof(word), "%.*s", (int)(equals - import), import);
	int kind = strcmp(word, "auto") ? import_kind_of(word) : IMPORT_AUTO;

	if (kind < 0)
		return error_set(error, EXIT_USAGE, "no kind of data: '%s'", word);
	return import_file(equals + 1, (enum import_kind)kind, capture, error);
}

/* A capture on its way to its file. */
struct writing {
	struct options options;
	int status;
};

static void write_one(void *context, struct loaded *loaded, size_t index)
{
	struct writing *writing = context;
	struct options *options = &writing->options;

	(void)index;
	progress_clear();
	if (loaded->failed) {
		complain(loaded->target, &loaded->error);
		writing->status = (int)loaded->error.status;
		if (!loaded->capture.record_count)
			return;
	}
	if (options->redact)
		capture_redact(&loaded->capture);
	if (output_open(options) != 0)
		writing->status = EXIT_INTERNAL;
	else if (capture_write(options->file, &loaded->capture) != 0)
		writing->status = output_close(options, EXIT_INTERNAL);
	else
		writing->status = output_close(options, writing->status);
}

static void write_imports(struct writing *writing)
{
	const struct options *options = &writing->options;
	struct loaded loaded = { .target = "import" };

	capture_init(&loaded.capture, loaded.target);
	for (size_t i = 0; i < options->import_count && !loaded.failed; i++) {
		loaded.target = options->imports[i];
		loaded.failed = import_one(loaded.target, &loaded.capture, &loaded.error) != 0;
	}
	write_one(writing, &loaded, 0);
	capture_deinit(&loaded.capture);
}

static int run(int argc, char **argv)
{
	struct writing writing = { .status = EXIT_GOOD };
	struct options *options = &writing.options;
	int status = options_read(argc, argv, &subcommand_capture, "oraitdwq", options);

	if (status >= 0)
		return status;
	if ((optind + 1 == argc) == (options->import_count > 0)) {
		fputs("assay capture: name one TARGET, or --import KIND=FILE; --help tells more\n",
			stderr);
		return EXIT_USAGE;
	}
	if (!options->quiet)
		options->collect.progress = progress_show;
	if (options->import_count)
		write_imports(&writing);
	else
		targets_load(argv + optind, 1, options, write_one, &writing);
	options_deinit(options);
	return writing.status;
}

const struct subcommand subcommand_capture = {
	.name = "capture",
	.arguments = "TARGET | --import KIND=FILE...",
	.about = "every response of a drive in one text file",
	.run = run,
};
