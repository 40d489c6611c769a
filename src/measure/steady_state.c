#include <math.h>

#include "assay/measure.h"

/* The slope of the line of least squares through values at 0, 1, 2, ... */
static double fitted_slope(const double *values, size_t count)
{
	double middle = ((double)count - 1) / 2, average = 0, above = 0, below = 0;

	for (size_t i = 0; i < count; i++)
		average += values[i] / (double)count;
	for (size_t i = 0; i < count; i++) {
		double x = (double)i - middle;

		above += x * (values[i] - average);
		below += x * x;
	}
	return above / below;
}

static bool settled(const struct steady_wanted *wanted, const struct steady_state *state)
{
	bool range = state->range_percent <= wanted->range_percent;
	bool slope = fabs(state->slope_percent) <= wanted->slope_percent;

	switch (wanted->rule) {
	case STEADY_PTS:
		return range && slope;
	case STEADY_RANGE:
		return range;
	case STEADY_SLOPE:
		return slope;
	default:
		return false;
	}
}

struct steady_state steady_state_of(
	const struct steady_wanted *wanted, const double *rounds, size_t count)
{
	struct steady_state state = { 0 };
	size_t window = wanted->window;

	if (window < 2 || count < window)
		return state;
	rounds += count - window;
	double lowest = rounds[0], highest = rounds[0];

	for (size_t i = 0; i < window; i++) {
		state.average += rounds[i] / (double)window;
		lowest = fmin(lowest, rounds[i]);
		highest = fmax(highest, rounds[i]);
	}
	state.enough = true;
	if (!(state.average > 0))
		return state;
	state.range_percent = (highest - lowest) / state.average * 100;
	state.slope_percent = fitted_slope(rounds, window) * (double)(window - 1) / state.average *
		100;
	state.attained = settled(wanted, &state);
	return state;
}
