/* Temperature: tends to a value that the load gives, with one time constant. */
#include <math.h>

#include "drive.h"

enum { STEP_US = 250000 };

void thermal_load(struct drive *drive)
{
	drive->thermal = (struct thermal) {
		.now_celsius = 30,
		.rest_celsius = 30,
		.full_celsius = 70,
		.full_bytes_per_second = 100e6,
		.tau_us = 60e6,
		.throttle_factor = 0.25,
		.steps = 1,
		.hysteresis_celsius = 3,
		.at_us = now_us(),
	};
}

void thermal_load_bytes(struct drive *drive, uint64_t bytes)
{
	drive->thermal.load_bytes += (double)bytes;
}

/* As many steps as begin up to that temperature. */
static unsigned steps_at(const struct thermal *thermal, double celsius)
{
	double above = celsius - thermal->throttle_celsius;

	if (!(thermal->throttle_celsius > 0) || above < 0)
		return 0;
	return (unsigned)fmin(thermal->steps,
		1 + (thermal->step_celsius > 0 ? floor(above / thermal->step_celsius) : 0));
}

double thermal_factor(const struct drive *drive)
{
	return pow(drive->thermal.throttle_factor, drive->thermal.throttled);
}

void thermal_update(struct drive *drive)
{
	struct thermal *thermal = &drive->thermal;
	int64_t now = now_us();
	double elapsed_us = (double)(now - thermal->at_us), load, goal;

	if (!thermal->live || elapsed_us < STEP_US)
		return;
	load = thermal->load_bytes * 1e6 / elapsed_us / thermal->full_bytes_per_second;
	goal = thermal->rest_celsius +
		(thermal->full_celsius - thermal->rest_celsius) * fmin(load, 1);
	thermal->now_celsius += (goal - thermal->now_celsius) *
		(1 - exp(-elapsed_us / thermal->tau_us));
	thermal->load_bytes = 0;
	thermal->at_us = now;
	unsigned begun = steps_at(thermal, thermal->now_celsius);
	unsigned not_ended = steps_at(thermal, thermal->now_celsius + thermal->hysteresis_celsius);

	if (begun > thermal->throttled)
		thermal->throttled = begun;
	else if (not_ended < thermal->throttled)
		thermal->throttled = not_ended;
}
