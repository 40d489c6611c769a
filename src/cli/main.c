/* assay(1): finds the subcommand. */
#include "cli/cli.h"

#include <stdio.h>
#include <string.h>

#include "assay/array.h"

static const struct subcommand *const subcommands[] = {
	&subcommand_scan,
	&subcommand_show,
	&subcommand_capture,
	&subcommand_check,
	&subcommand_history,
	&subcommand_verify,
	&subcommand_bench,
	&subcommand_power,
	&subcommand_spec,
};

static const char usage[] =
	"usage: assay COMMAND [OPTION...] [TARGET...]\n\n"
	"Tells what a SCSI or ATA drive is worth. A TARGET is a device node, a capture file,\n"
	"or a file that can be imported as one.\n\n";

static void help(FILE *file)
{
	fputs(usage, file);
	for (size_t i = 0; i < ARRAY_LEN(subcommands); i++)
		fprintf(file, "  %-9s %s\n", subcommands[i]->name, subcommands[i]->about);
	fputs("\nassay COMMAND --help tells more; so does assay(1).\n", file);
}

static int run(int argc, char **argv)
{
	for (size_t i = 0; i < ARRAY_LEN(subcommands); i++)
		if (!strcmp(subcommands[i]->name, argv[0]))
			return subcommands[i]->run(argc, argv);
	fprintf(stderr, "assay: no command '%s'; assay --help lists them\n", argv[0]);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		help(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		help(stdout);
		return EXIT_GOOD;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		puts("assay " ASSAY_VERSION);
		return EXIT_GOOD;
	}
	return run(argc - 1, argv + 1);
}
