/*
 * Power meters: what a drive takes from its supply, as an instrument says it,
 * never the drive or the host's processor. A meter is read by a thread of its
 * own on the monotonic clock; the energy of a stretch of time is the trapezoid
 * through its readings. Where there are none, nothing is made up: a stretch that
 * they do not cover counts as not covered.
 */
#ifndef ASSAY_METER_H
#define ASSAY_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

/* A reading, or the mean of several within ten milliseconds. */
struct meter_sample {
	int64_t ns; /* CLOCK_MONOTONIC */
	double watts;
	double maximum_watts;
	unsigned count; /* of readings */
};

enum {
	METER_COVERAGE_PERCENT = 90, /* below it, nothing is said about power */
	METER_SAMPLES_MIN = 5,       /* with fewer, neither */
};

/* What a meter says of a stretch of time. */
struct meter_figures {
	double seconds, covered_seconds, coverage_percent;
	size_t sample_count; /* readings within it */
	size_t gap_count;    /* stretches without a reading */
	double longest_gap_seconds;
	bool known; /* covered and sampled enough: else the following are NAN */
	double average_watts, maximum_watts;
	double joules; /* of the time that is covered */
};

/* Integrates samples, whose times rise, from..to. Two that are farther apart
 * than gap_ns have nothing between them. With fewer readings than samples_min
 * nothing is known. */
void meter_integrate(const struct meter_sample *samples, size_t count, int64_t from_ns,
	int64_t to_ns, int64_t gap_ns, size_t samples_min, struct meter_figures *figures);

struct meter_options {
	double interval_seconds; /* between readings; 0: 0.1 */
	const char *sysfs;       /* NULL: "/sys" */
};

struct meter;

/* Opens a meter and begins to read it:
 *   hwmon:PATH      an attribute of a hwmon chip: powerN in microwatts, or energyN
 *                   in microjoules
 *   rail:TERM+...   a sum; TERM: VOLTS*AMPS or POWER, each a hwmon attribute (inN
 *                   in millivolts, currN in milliamperes, powerN) or a constant
 *                   ("12V", "0.5A", "1.5W")
 *   file:PATH[:U]   a file whose first number is power in W, mW or uW; what was not
 *                   written since the last reading is no new one
 *   cmd:COMMAND     a program of the shell that prints a line for each reading:
 *                   "WATTS", or "NANOSECONDS WATTS" of CLOCK_MONOTONIC ("-": now)
 *   fifo:PATH       the same lines from a named pipe or a serial line
 *   const:WATTS     no meter: a figure that is given
 * PATH of a chip: absolute, or CHIP/ATTRIBUTE where CHIP is its folder or its name
 * and the suffix "_input" or "_average" may be left out. What the processor or the
 * whole host takes (RAPL, ACPI) is refused. NULL and *error where it cannot be. */
struct meter *meter_open(
	const char *spec, const struct meter_options *options, struct error *error);
/* Ends the thread, and the program of cmd:. NULL is allowed. */
void meter_close(struct meter *meter);

/* Waits for its first reading; false where there is none within five seconds. */
bool meter_wait(struct meter *meter);

/* The figures of a stretch up to now; waits for the reading that follows its end
 * for at most two intervals. */
void meter_window(
	struct meter *meter, int64_t from_ns, int64_t to_ns, struct meter_figures *figures);
/* The mean power of a short stretch that has passed; NAN: not covered. */
double meter_mean_watts(struct meter *meter, int64_t from_ns, int64_t to_ns);
/* What is older is not asked for any more. */
void meter_forget(struct meter *meter, int64_t before_ns);

/* What is known of the meter itself. */
struct meter_state {
	const char *source; /* as it was given; lives as long as the meter */
	bool given;         /* const: */
	bool dead;          /* it will not read any more, or has not for a gap */
	char why[96];       /* it is dead */
	double interval_seconds, gap_seconds;
	uint64_t reading_count, bad_count; /* lines and values that are no reading */
	double readings_per_second;        /* NAN: fewer than two */
	double resolution_watts;           /* the least step between two readings; NAN: none seen */
};
void meter_state(struct meter *meter, struct meter_state *state);

#endif
