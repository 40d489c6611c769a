/* A load that ends once the drive is as warm as it gets, or slows down by heat. */
#ifndef ASSAY_MEASURE_SETTLE_H
#define ASSAY_MEASURE_SETTLE_H

#include "assay/engine.h"
#include "assay/fact.h"
#include "measure/beside.h"
#include "measure/throttle.h"

enum settled { SETTLE_NOT_YET, SETTLE_WARM, SETTLE_THROTTLED };

struct settle {
	double window_seconds; /* 0: nobody wants it */
	double limit_celsius;  /* the drive's own; NAN: not known */
	struct throttle_second *seconds;
	size_t count;
	enum settled state;
	double celsius, seconds_until;
	double loss_percent; /* of THROTTLED */
};

/* A step begins. */
void settle_step(struct settle *settle);
/* A second of it has passed: what is known by now. */
enum settled settle_passed(
	struct settle *settle, const struct engine_second *second, const struct beside *beside);
void settle_end(struct settle *settle, struct facts *facts);

#endif
