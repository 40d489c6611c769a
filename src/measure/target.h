#ifndef ASSAY_MEASURE_TARGET_H
#define ASSAY_MEASURE_TARGET_H

#include <sys/types.h>

#include "assay/measure.h"

/* Whether a block device may be overwritten: it and its partitions are not
 * mounted, held or swapped to, and without force it holds nothing. Does not
 * open it for writing. 0, or -1 and *error. */
int guard_check(const char *path, dev_t device, bool force, struct error *error);

/* Reads the first line of a file of sysfs or procfs; false where there is none. */
bool line_of(const char *path, char *line, size_t size);

#endif
