/* Temperature: tends to a value that the load gives, with one time constant. */
#include <math.h>

#include "drive.h"

enum { STEP_US = 20000, HYSTERESIS_CELSIUS = 3 };

void thermal_load(struct drive *drive)
{
	drive->thermal = (struct thermal) {
		.now_celsius = 30,
		.rest_celsius = 30,
		.full_celsius = 70,
		.full_bytes_per_second = 100e6,
		.tau_us = 60e6,
		.throttle_factor = 0.25,
		.at_us = now_us(),
	};
}

void thermal_load_bytes(struct drive *drive, uint64_t bytes)
{
	drive->thermal.load_bytes += (double)bytes;
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
	if (thermal->throttle_celsius > 0 && thermal->now_celsius >= thermal->throttle_celsius)
		thermal->throttled = true;
	else if (thermal->now_celsius < thermal->throttle_celsius - HYSTERESIS_CELSIUS)
		thermal->throttled = false;
}
