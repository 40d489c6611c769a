/* What is left of the medium's speed: levels, heat, full caches, garbage collection, chance. */
#include <math.h>

#include "drive.h"

enum { SECOND_US = 1000000 };
static const double LEAST = 0.05;

void pace_load(struct drive *drive)
{
	drive->pace = (struct pace) { .fast_factor = 1, .cycle_factor = 1, .chance = 1 };
	pace_seed(&drive->pace, 1);
}

void pace_seed(struct pace *pace, double seed)
{
	pace->random = (uint64_t)(seed * 0x1p20) * 0x9e3779b97f4a7c15 + 1;
}

static double uniform(struct pace *pace)
{
	pace->random ^= pace->random << 13;
	pace->random ^= pace->random >> 7;
	pace->random ^= pace->random << 17;
	return (double)(pace->random >> 11) * 0x1p-53;
}

/* About 1, with the deviation that is wanted. */
static double around_one(struct pace *pace)
{
	double sum = -6;

	for (int i = 0; i < 12; i++)
		sum += uniform(pace);
	return fmax(1 + pace->noise * sum, LEAST);
}

/* Each second is another one, and so is each command. */
static double chance(struct pace *pace)
{
	if (!(pace->noise > 0))
		return 1;
	if (now_us() - pace->second_us >= SECOND_US) {
		pace->second_us = now_us();
		pace->chance = around_one(pace);
	}
	return pace->chance * around_one(pace);
}

static double written_factor(const struct pace *pace)
{
	double factor = 1;

	if (pace->fast_bytes > 0 && pace->written_bytes > pace->fast_bytes)
		factor = pace->fast_factor;
	if (pace->cycle_bytes > 0)
		factor *= 1 -
			(1 - pace->cycle_factor) * fmod(pace->written_bytes, pace->cycle_bytes) /
				pace->cycle_bytes;
	return factor;
}

double pace_factor(struct drive *drive, uint64_t written_bytes)
{
	struct pace *pace = &drive->pace;
	double factor = power_level_factor(drive) * thermal_factor(drive) * chance(pace);

	if (!written_bytes)
		return factor;
	pace->written_bytes += (double)written_bytes;
	return factor * written_factor(pace);
}
