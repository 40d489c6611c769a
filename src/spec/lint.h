/* Checks of a datasheet against itself and its siblings. */
#ifndef ASSAY_SPEC_LINT_H
#define ASSAY_SPEC_LINT_H

#include "assay/spec.h"

struct lint {
	struct spec_library *library; /* sheets in it may be unfolded by a match */
	const struct spec_sheet *sheet;
	struct findings *findings;
};

void report(struct lint *lint, enum finding_level level, const char *code, const char *path,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same at a claim. */
void report_claim(struct lint *lint, enum finding_level level, const char *code,
	const struct claim *claim, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Calls check for each claim of the sheet that is no known misprint. */
void each_claim(struct lint *lint, void (*check)(struct lint *lint, const struct claim *claim));

/* "models[2]" */
const char *model_path(
	const struct lint *lint, const struct spec_model *model, char *text, size_t size);

/* A name that a pattern matches; false where none is found. */
bool regex_example(const char *regex, char *text, size_t size);

void lint_values(struct lint *lint);
void lint_conflicts(struct lint *lint);
void lint_performance(struct lint *lint);
void lint_endurance(struct lint *lint);
void lint_names(struct lint *lint);

#endif
