/* assay power: what a drive's power states are worth. */
#include "cli/power.h"

#include <getopt.h>

static int run(int argc, char **argv)
{
	struct power_cli cli;
	int status = power_options_read(argc, argv, &cli);

	if (status >= 0)
		return status;
	if (optind + 1 != argc) {
		fputs("assay power: name one TARGET; --help tells more\n", stderr);
		status = EXIT_USAGE;
	} else if (!target_is_device(argv[optind])) {
		fprintf(stderr, "assay power: %s: not a device node\n", argv[optind]);
		status = EXIT_NO_SUCH;
	} else if (cli.thermal) {
		status = power_thermal(argv[optind], &cli);
	} else if (cli.restore) {
		status = power_target_restore(argv[optind], &cli);
	} else {
		status = power_target(argv[optind], &cli);
	}
	options_deinit(&cli.common);
	return status;
}

const struct subcommand subcommand_power = {
	.name = "power",
	.arguments = "TARGET",
	.about = "measures power states: enters, proves and leaves each, and restores all",
	.run = run,
};
