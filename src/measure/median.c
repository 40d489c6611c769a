#include "measure/median.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double sorted_median(double *values, size_t count)
{
	if (!count)
		return NAN;
	qsort(values, count, sizeof(*values), compare);
	return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

double quantile_of(const double *values, size_t count, double part)
{
	double *copy = malloc((count + 1) * sizeof(*copy)), value = NAN;

	if (!copy)
		abort();
	if (count) {
		memcpy(copy, values, count * sizeof(*copy));
		qsort(copy, count, sizeof(*copy), compare);
		value = copy[(size_t)(part * (double)(count - 1) + 0.5)];
	}
	free(copy);
	return value;
}

double median_of(const double *values, size_t count)
{
	return quantile_of(values, count, 0.5);
}
