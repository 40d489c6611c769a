/* What is seen beside a step, second by second, and between steps. */
#ifndef ASSAY_MEASURE_BESIDE_H
#define ASSAY_MEASURE_BESIDE_H

#include "assay/fact.h"
#include "assay/thermometer.h"
#include "measure/host_load.h"

struct beside_second {
	double celsius;       /* NAN: not read in this second */
	double taken_percent; /* of the processors, from us; NAN: not known */
	bool disturbed;       /* reading the temperature held the drive up */
};

struct beside {
	const struct target *target;
	struct thermometer *thermometer; /* NULL: the kernel's hwmon, where there is one */
	double began;                    /* of the run */
	double celsius, lowest, highest; /* NAN: not known */
	double read_at;
	struct host_ticks ticks;
	/* of the step */
	struct beside_second *seconds;
	size_t count;
};

void beside_begin(
	struct beside *beside, const struct target *target, struct thermometer *thermometer);
void beside_end(struct beside *beside);

/* Where a reading stands in table_bench_temperature. */
struct beside_place {
	const char *workload, *phase;
	unsigned round;
	size_t point;
};

/* Reads the temperature where it is time to; second is the one that begins, or -1
 * outside of steps. True where there is a new one. */
bool beside_read(
	struct beside *beside, const struct beside_place *place, long second, struct facts *facts);

/* A step begins; a second of it has passed. */
void beside_step(struct beside *beside);
void beside_passed(struct beside *beside, size_t second);
/* What is known of a second. */
struct beside_second beside_second(const struct beside *beside, size_t second);

#endif
