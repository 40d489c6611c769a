/* Energy from readings. */
#include <math.h>

#include "measure/meter.h"

/* The part of a stretch between two samples that is within from..to. */
static void add_stretch(const struct meter_sample *a, const struct meter_sample *b, int64_t from,
	int64_t to, struct meter_figures *figures)
{
	int64_t begin = a->ns > from ? a->ns : from, end = b->ns < to ? b->ns : to;
	double length = (double)(b->ns - a->ns), slope;

	if (end <= begin || length <= 0)
		return;
	slope = (b->watts - a->watts) / length;
	double first = a->watts + slope * (double)(begin - a->ns);
	double last = a->watts + slope * (double)(end - a->ns);
	double seconds = (double)(end - begin) / 1e9;

	figures->covered_seconds += seconds;
	figures->joules += (first + last) / 2 * seconds;
}

/* Nothing was read from..to, as far as that is within the window. */
static void add_gap(int64_t from, int64_t to, int64_t gap_ns, const int64_t window[2],
	struct meter_figures *figures)
{
	int64_t begin = from > window[0] ? from : window[0];
	int64_t end = to < window[1] ? to : window[1];

	if (to - from <= gap_ns || end <= begin)
		return;
	figures->gap_count++;
	figures->longest_gap_seconds = fmax(
		figures->longest_gap_seconds, (double)(end - begin) / 1e9);
}

static void finish(struct meter_figures *figures, size_t samples_min)
{
	if (figures->seconds > 0)
		figures->coverage_percent = fmin(figures->covered_seconds / figures->seconds, 1) *
			100;
	figures->known = figures->coverage_percent >= METER_COVERAGE_PERCENT &&
		figures->sample_count >= samples_min && figures->covered_seconds > 0;
	figures->average_watts = figures->known ? figures->joules / figures->covered_seconds : NAN;
	if (figures->known)
		return;
	figures->joules = figures->maximum_watts = NAN;
}

/* The last one that is not behind the beginning, or the first of all. */
static size_t first_of(const struct meter_sample *samples, size_t count, int64_t from)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (samples[middle].ns <= from)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void meter_integrate(const struct meter_sample *samples, size_t count, int64_t from_ns,
	int64_t to_ns, int64_t gap_ns, size_t samples_min, struct meter_figures *figures)
{
	const int64_t window[2] = { from_ns, to_ns };

	*figures = (struct meter_figures) { .maximum_watts = -INFINITY };
	if (to_ns <= from_ns) {
		finish(figures, samples_min);
		return;
	}
	figures->seconds = (double)(to_ns - from_ns) / 1e9;
	size_t first = first_of(samples, count, from_ns);

	for (size_t i = first; i < count && (i == first || samples[i - 1].ns < to_ns); i++) {
		if (i > first && samples[i].ns - samples[i - 1].ns <= gap_ns)
			add_stretch(&samples[i - 1], &samples[i], from_ns, to_ns, figures);
		else if (i > first)
			add_gap(samples[i - 1].ns, samples[i].ns, gap_ns, window, figures);
		if (samples[i].ns < from_ns || samples[i].ns > to_ns)
			continue;
		figures->sample_count += samples[i].count;
		figures->maximum_watts = fmax(figures->maximum_watts, samples[i].maximum_watts);
	}
	add_gap(count ? samples[count - 1].ns : from_ns, to_ns, gap_ns, window, figures);
	if (count)
		add_gap(from_ns, samples[0].ns, gap_ns, window, figures);
	finish(figures, samples_min);
}
