/* The topic of measurements: its tables, and facts by name. */
#ifndef ASSAY_MEASURE_TOPIC_H
#define ASSAY_MEASURE_TOPIC_H

#include <string.h>

#include "assay/fact.h"

extern const struct table table_bench, table_bench_series, table_bench_histogram,
	table_bench_steady, table_bench_temperature, table_bench_slowdowns, table_bench_faults,
	table_bench_findings, table_measurements;

/* All of them; ends with NULL. */
extern const struct table *const bench_tables[];

/* Adds a fact that was measured; the key is one of the topic's. */
void bench_fact(struct facts *facts, const char *name, struct value value);

#endif
