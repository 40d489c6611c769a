/*
 * The state of a run, so that it can go on where it was ended: a file of lines
 * of JSON, one for the plan and one for each step that is done, with its rows.
 */
#ifndef ASSAY_MEASURE_STATE_H
#define ASSAY_MEASURE_STATE_H

#include "measure/result.h"

struct state;

/* Opens or begins a state file. It must be of the same plan: a text that says
 * what is run and on what. A last line that was cut off is dropped. NULL and
 * *error where that is not so. */
struct state *state_open(const char *path, const char *plan, struct error *error);
void state_close(struct state *state);

/* Whether a step was done already: adds its rows. */
bool state_take(
	struct state *state, const char *step, struct facts *facts, struct step_figures *figures);

/* Keeps a step with the rows from first_row on. 0, or -errno: it was not kept. */
int state_keep(struct state *state, const char *step, const struct facts *facts, size_t first_row,
	const struct step_figures *figures);

#endif
