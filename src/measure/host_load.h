/* The processors of this host between two moments. */
#ifndef ASSAY_MEASURE_HOST_LOAD_H
#define ASSAY_MEASURE_HOST_LOAD_H

struct host_ticks {
	double all, idle, stolen; /* of all processors */
	double own;               /* of this process */
};

void host_ticks_read(struct host_ticks *ticks);
/* Percent of the time that a hypervisor took; NAN: no time has passed. */
double host_steal_percent(const struct host_ticks *before, const struct host_ticks *after);
/* The same, and where no processor was free what other programs took. */
double host_taken_percent(const struct host_ticks *before, const struct host_ticks *after);

#endif
