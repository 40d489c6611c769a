#ifndef ASSAY_MEASURE_RESULT_H
#define ASSAY_MEASURE_RESULT_H

#include "assay/measure.h"
#include "assay/meter.h"
#include "measure/beside.h"

/* A step of a run: what was done, and when. */
struct step {
	const struct workload *workload;
	const char *phase;            /* "fill", "condition", "measure" */
	unsigned round;               /* from 1 */
	size_t point;                 /* from 0 */
	const char *stage;            /* NULL: the workload has none */
	const struct stream *streams; /* that fit */
	size_t stream_count;
};

/* What later steps need of one. */
struct step_figures {
	double iops, bytes_per_second, mean_us; /* reads and writes */
	uint64_t written_bytes, error_count;
};

/* What was seen beside a step. */
struct step_evidence {
	const struct beside *beside;
	struct meter_figures power; /* seconds 0: no meter */
	const double *watts;        /* of each second, or NAN; NULL: no meter */
};

/* Adds the rows of a step: its point, seconds, latencies, errors, findings. */
void result_add(struct facts *facts, const struct step *step, const struct engine_result *result,
	const struct step_evidence *evidence, struct step_figures *figures);

/* The row and the facts of a time without work. */
void result_idle(
	struct facts *facts, double seconds, double celsius, const struct meter_figures *power);

/* The facts that follow from the rows: the best figures by kind. */
void result_headlines(struct facts *facts);

#endif
