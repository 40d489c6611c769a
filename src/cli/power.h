/* Options of `assay power`, and its parts. */
#ifndef ASSAY_CLI_POWER_H
#define ASSAY_CLI_POWER_H

#include "assay/power.h"
#include "cli/cli.h"

struct power_cli {
	struct options common;
	struct power_options power;
	char names[256]; /* behind power.states */
	const char *workload;
	const char *journal; /* --state; NULL: by the serial number */
	bool restore, thermal;
	double thermal_seconds, settle_seconds, cooling_seconds, stop_celsius;
	const char *meter; /* NULL: none */
	double meter_interval_seconds;
};

/* Reads them; leaves the operands at argv[optind]. -1, or the exit status with
 * which to end. */
int power_options_read(int argc, char **argv, struct power_cli *cli);

/* `assay power TARGET`, and with --restore. */
int power_target(const char *path, struct power_cli *cli);
/* `assay power TARGET --thermal` */
int power_thermal(const char *path, struct power_cli *cli);
int power_target_restore(const char *path, struct power_cli *cli);

#endif
