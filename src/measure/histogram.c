#include "assay/histogram.h"

#include <math.h>
#include <string.h>

void histogram_init(struct histogram *histogram)
{
	memset(histogram, 0, sizeof(*histogram));
	histogram->min_ns = UINT64_MAX;
}

uint64_t histogram_low_ns(size_t bin)
{
	if (bin < HISTOGRAM_EXACT_NS)
		return bin;
	size_t shift = bin / HISTOGRAM_BINS_PER_DOUBLING - 1;

	return (uint64_t)(bin - shift * HISTOGRAM_BINS_PER_DOUBLING) << shift;
}

void histogram_merge(struct histogram *histogram, const struct histogram *other)
{
	if (!other->count)
		return;
	histogram->count += other->count;
	histogram->sum_ns += other->sum_ns;
	histogram->squares += other->squares;
	if (other->min_ns < histogram->min_ns)
		histogram->min_ns = other->min_ns;
	if (other->max_ns > histogram->max_ns)
		histogram->max_ns = other->max_ns;
	for (size_t i = histogram_bin(other->min_ns); i <= histogram_bin(other->max_ns); i++)
		histogram->bins[i] += other->bins[i];
}

static uint64_t bounded(const struct histogram *histogram, uint64_t ns)
{
	if (ns < histogram->min_ns)
		return histogram->min_ns;
	return ns > histogram->max_ns ? histogram->max_ns : ns;
}

uint64_t histogram_percentile_ns(const struct histogram *histogram, double percent)
{
	uint64_t wanted = (uint64_t)ceil((double)histogram->count * percent / 100), seen = 0;

	if (!histogram->count)
		return 0;
	if (wanted < 1)
		wanted = 1;
	for (size_t i = 0; i < HISTOGRAM_BINS - 1; i++) {
		seen += histogram->bins[i];
		if (seen >= wanted)
			return bounded(histogram, histogram_high_ns(i) - 1);
	}
	return histogram->max_ns;
}

double histogram_mean_ns(const struct histogram *histogram)
{
	return histogram->count ? (double)histogram->sum_ns / (double)histogram->count : 0;
}

double histogram_deviation_ns(const struct histogram *histogram)
{
	double count = (double)histogram->count, mean = histogram_mean_ns(histogram);

	if (!histogram->count)
		return 0;
	/* n * squares - sum^2 stays exact where it fits; else doubles do. */
	double variance = (double)histogram->squares / count - mean * mean;
	if (histogram->count < (UINT64_C(1) << 32) && histogram->max_ns < (UINT64_C(1) << 31)) {
		unsigned __int128 sum = histogram->sum_ns;
		variance = (double)(histogram->squares * histogram->count - sum * sum) / count /
			count;
	}
	return variance > 0 ? sqrt(variance) : 0;
}
