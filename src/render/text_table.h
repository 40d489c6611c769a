/*
 * Tables of the text renderer.
 */
#ifndef ASSAY_RENDER_TEXT_TABLE_H
#define ASSAY_RENDER_TEXT_TABLE_H

#include <stdio.h>

#include "assay/fact.h"

/* How many rows a table has. */
size_t text_table_rows(const struct facts *facts, const struct table *table);

/* Prints the columns that have a label and something in them, aligned;
 * numbers to the right. Lines are cut at width, where it is not 0. */
void text_table_print(
	FILE *file, const struct facts *facts, const struct table *table, unsigned width);

/* A table of rows over time (TABLE_SERIES): each column as a line of bars, with its
 * lowest, highest and last number. */
void text_series_print(
	FILE *file, const struct facts *facts, const struct table *table, unsigned width);

#endif
