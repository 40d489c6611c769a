/*
 * Private to the history: its keys and tables.
 */
#ifndef ASSAY_HISTORY_TABLES_H
#define ASSAY_HISTORY_TABLES_H

#include "history/database.h"

extern const struct table table_history_drives, table_history_projections, table_history_days,
	table_history_errors, table_history_states;

/* Adds a fact of a key that there must be; NaN and infinite reals are left out. */
void history_fact(struct facts *facts, const char *name, struct value value, const char *formula);

/* "2026-11-30" or "2026-11-30T12:00:00Z", null where no calendar has it. */
struct value date_value(struct facts *facts, double time);
struct value time_value(struct facts *facts, int64_t time);

/* A real, null where it is NaN or infinite. */
struct value real_or_null(double real);
/* The same rounded to an unsigned integer; null below 0. */
struct value whole_or_null(double real);

/* The parts of the report. */
int report_days(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error);
int report_errors(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error);
int report_states(struct history *history, const struct history_drive *drive, struct facts *facts,
	struct error *error);

#endif
