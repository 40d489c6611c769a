/* assay show: all that a drive says, decoded. */
#include "cli/cli.h"

#include <getopt.h>

#include "assay/decoder.h"

struct showing {
	struct options options;
	size_t count;
	int status;
};

static void show_one(void *context, struct loaded *loaded, size_t index)
{
	struct showing *showing = context;
	struct facts facts;

	facts_init(&facts);
	decode(&loaded->capture, &facts);
	struct document document = {
		.target = loaded->target,
		.capture = &loaded->capture,
		.facts = &facts,
		.error = loaded->failed ? &loaded->error : NULL,
	};

	print_document(&showing->options, &document, index, showing->count);
	facts_deinit(&facts);
	if (!loaded->failed)
		return;
	complain(loaded->target, &loaded->error);
	showing->status = (int)loaded->error.status;
}

static int run(int argc, char **argv)
{
	struct showing showing = { .status = EXIT_GOOD };
	int status = options_read(argc, argv, &subcommand_show, "fjvaotdwq", &showing.options);

	if (status >= 0)
		return status;
	if (optind == argc) {
		fputs("assay show: name a TARGET; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	showing.count = (size_t)(argc - optind);
	if (!showing.options.quiet && showing.count == 1)
		showing.options.collect.progress = progress_show;
	if (output_open(&showing.options) != 0)
		return EXIT_INTERNAL;
	targets_load(argv + optind, showing.count, &showing.options, show_one, &showing);
	status = output_close(&showing.options, showing.status);
	options_deinit(&showing.options);
	return status;
}

const struct subcommand subcommand_show = {
	.name = "show",
	.arguments = "TARGET...",
	.about = "all that a drive says of itself, decoded, by topic",
	.run = run,
};
