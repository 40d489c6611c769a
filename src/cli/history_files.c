/* assay history export and import. */
#include <stdlib.h>

#include "cli/cmd_history.h"

static int trouble(const struct error *error)
{
	fprintf(stderr, "assay: %s\n", error->text);
	return (int)error->status;
}

int history_export_run(struct telling *telling, char **arguments, size_t count)
{
	struct options *options = &telling->options;
	struct error error;
	int status;

	if (count > 1) {
		fputs("assay history export: takes one DRIVE; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	status = history_find_drives(telling, count ? arguments[0] : NULL);
	if (status != EXIT_GOOD)
		return status;
	if (output_open(options) != 0)
		return EXIT_INTERNAL;
	if (history_export(options->file, telling->history, telling->drives, telling->count,
		    options->renderer == renderer_find("json") ? HISTORY_JSON : HISTORY_CSV,
		    &error) != 0)
		status = trouble(&error);
	return output_close(options, status);
}

static int import_one(struct telling *telling, const char *file)
{
	struct history_imported imported;
	struct error error;

	if (history_import(telling->history, file, &imported, &error) != 0)
		return trouble(&error);
	if (imported.wrong)
		fprintf(stderr, "assay: %s:%zu: not a line of an attribute log; %zu left out\n",
			file, imported.first_wrong, imported.wrong);
	if (!telling->options.quiet)
		printf("%s: %zu records of %s\n", file, imported.records, imported.subject);
	return EXIT_GOOD;
}

int history_import_run(struct telling *telling, char **arguments, size_t count)
{
	int status = EXIT_GOOD;

	if (!count) {
		fputs("assay history import: name a FILE; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	for (size_t i = 0; i < count; i++) {
		int one = import_one(telling, arguments[i]);

		status = one > status ? one : status;
	}
	return status;
}
