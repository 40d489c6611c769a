/* What the parts of assay history share. */
#ifndef ASSAY_CLI_CMD_HISTORY_H
#define ASSAY_CLI_CMD_HISTORY_H

#include "assay/history.h"
#include "cli/cli.h"

struct telling {
	struct options options;
	struct history *history;
	struct history_keep keep;
	struct spec_library library;
	struct arena *arena;
	struct history_drive *drives; /* the chosen ones */
	size_t count;
};

/* By the names of the history first, else by what is there under that name; NULL: all.
 * Complains where it is none, and returns the exit status. */
int history_find_drives(struct telling *telling, char *name);

/* Each runs one action on the open history; returns the exit status. */
int history_export_run(struct telling *telling, char **arguments, size_t count);
int history_import_run(struct telling *telling, char **arguments, size_t count);

#endif
