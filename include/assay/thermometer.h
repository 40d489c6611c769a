/*
 * A drive's temperature while it works, by the cheapest command that it answers:
 * LOG SENSE of a SCSI drive, which does not hold it up; the kernel's hwmon or what
 * gave its temperature before of an ATA drive, which does.
 */
#ifndef ASSAY_THERMOMETER_H
#define ASSAY_THERMOMETER_H

#include "assay/capture.h"
#include "assay/command.h"
#include "assay/fact.h"

struct target;

struct thermometer_about {
	const char *source;      /* "log page 0Dh", "hwmon" */
	bool disturbs;           /* reading it holds up the work */
	double interval_seconds; /* to be kept between readings */
};

struct thermometer;

/* For a drive that was captured just before; its facts. transport: to the drive,
 * is the thermometer's from then on; NULL: hwmon only. target may be NULL: no
 * hwmon. interval_seconds 0: 1, or 10 where reading disturbs. NULL where there is
 * none, or where it is not certain what the drive's bytes say. */
struct thermometer *thermometer_open(const struct target *target, const struct capture *capture,
	const struct facts *facts, struct transport *transport, double interval_seconds);
/* NULL is allowed. */
void thermometer_close(struct thermometer *thermometer);
const struct thermometer_about *thermometer_about(const struct thermometer *thermometer);
/* False where it could not be had this time. */
bool thermometer_read(struct thermometer *thermometer, double *celsius);

#endif
