/* The middle of some numbers, and other parts of them. */
#ifndef ASSAY_MEASURE_MEDIAN_H
#define ASSAY_MEASURE_MEDIAN_H

#include <stddef.h>

/* Sorts them, and gives the middle one, or the mean of the middle two; NAN of none. */
double sorted_median(double *values, size_t count);

/* The one that part of them is below: 0 the least, 1 the most; NAN of none. It is always one of
 * the values: of two levels, never what lies between them. They are left as they are. */
double quantile_of(const double *values, size_t count, double part);
/* Of the middle. */
double median_of(const double *values, size_t count);

#endif
