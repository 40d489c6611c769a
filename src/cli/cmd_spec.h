/* assay spec: its output as JSON. Each prints one line-broken value. */
#ifndef ASSAY_CLI_CMD_SPEC_H
#define ASSAY_CLI_CMD_SPEC_H

#include "cli/cli.h"

/* It has a family, and each word in its vendor, family or a model. */
bool spec_is_wanted(const struct spec_sheet *sheet, int argc, char **argv);
void spec_list_json(FILE *file, const struct spec_library *library, int argc, char **argv);
void spec_match_json(FILE *file, struct spec_library *library, const struct spec_subject *subject,
	const struct spec_matches *matches);
void spec_findings_json(FILE *file, const struct findings *findings);
/* The datasheet itself: it is JSON. Returns 0 or -errno. */
int spec_sheet_json(FILE *file, const struct spec_sheet *sheet);

#endif
