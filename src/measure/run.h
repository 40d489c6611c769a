/* A run, for its phases. */
#ifndef ASSAY_MEASURE_RUN_H
#define ASSAY_MEASURE_RUN_H

#include "measure/beside.h"
#include "measure/result.h"
#include "measure/settle.h"
#include "measure/state.h"
#include "measure/watts.h"

struct run {
	struct target *target;
	const struct measure_options *options;
	struct facts *facts;
	struct error *error;
	struct state *state;
	struct measure_progress progress;
	uint64_t run_id;
	double began, seconds_at_most;
	struct beside beside;
	struct settle settle;
	uint64_t written_bytes, step_written_bytes, error_count, verified, wrong;
	bool steady_wanted, steady; /* of all that wanted it */
	unsigned steady_rounds;
	struct watts_total watts;
	bool was_kept; /* the last step came out of the state file */
	bool gone;
	bool engine_told, engines_told;
	enum engine_kind engine; /* of the first step */
};

/* No more is to be begun. */
bool run_is_over(const struct run *run);

/* One step: from the state file, or by the engine. The job says when it ends. */
int run_step(struct run *run, struct step *step, struct stream *streams, struct engine_job job,
	struct step_figures *figures);
/* second: the one of the step that begins; -1: between steps. */
void run_read_temperature(struct run *run, long second);

/* Leaves the drive alone: what it takes and how warm it is then. */
void phase_idle(struct run *run);
/* Watches the drive cool down. */
void phase_cooling(struct run *run);
/* The phases of a workload, and what comes before all: 0, or -1 and *run->error. */
int phase_new_file(struct run *run, const struct workload *workload);
int phase_fill(struct run *run, const struct workload *workload);
int phase_condition(struct run *run, const struct workload *workload);
int phase_measure(struct run *run, const struct workload *workload);

#endif
