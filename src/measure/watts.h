/* What a meter said of a run. */
#ifndef ASSAY_MEASURE_WATTS_H
#define ASSAY_MEASURE_WATTS_H

#include "assay/fact.h"
#include "assay/meter.h"

/* Of all steps together. */
struct watts_total {
	double seconds, covered_seconds, longest_gap_seconds, maximum_watts;
	size_t gap_count;
	bool known; /* of any step */
};

void watts_sum(struct watts_total *total, const struct meter_figures *figures);

/* Fills a row of table_bench: power, energy, and the work for it. iops and
 * bytes_per_second 0: none was done. */
void watts_row(
	struct row *row, const struct meter_figures *figures, double iops, double bytes_per_second);

/* What the meter is and how well it read. */
void watts_facts(struct facts *facts, struct meter *meter, const struct watts_total *total);

#endif
