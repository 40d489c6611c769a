/* Why a drive slowed down: a pure function of what was seen each second. */
#ifndef ASSAY_MEASURE_THROTTLE_H
#define ASSAY_MEASURE_THROTTLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum throttle_cause {
	THROTTLE_THERMAL,    /* hot, or its throttle counter advanced */
	THROTTLE_CACHE,      /* a fast cache is full, or spare blocks are used up */
	THROTTLE_COLLECTION, /* garbage collection: again and again */
	THROTTLE_HOST,       /* the host had no time */
	THROTTLE_UNKNOWN,
};

/* "thermal", "cache exhausted", "garbage collection", "host load", "unknown". */
const char *throttle_cause_name(enum throttle_cause cause);

/* A second of one and the same load. NAN: not known. */
struct throttle_second {
	double rate;          /* what was done, in whatever unit */
	double celsius;       /* of the drive, where it was read in this second */
	double steal_percent; /* of the host's processors: stolen, or taken by others */
	double written_bytes; /* by this second, since the load began */
	bool disturbed;       /* reading the temperature held the drive up */
};

struct throttle_series {
	const struct throttle_second *seconds;
	size_t count;
	bool writes;
	double limit_celsius;  /* the drive's own; NAN: not known */
	double counter_change; /* of its throttle counter; NAN: it has none */
};

struct throttle_finding {
	enum throttle_cause cause;
	size_t second;                  /* when */
	double rate_before, rate_after; /* medians around it */
	double celsius;                 /* at that time; NAN: not known */
	double written_bytes;
	char evidence[240];
};

enum {
	THROTTLE_FINDINGS = 8,
	THROTTLE_SECONDS_MIN = 40, /* in fewer, nothing can be told */
	THROTTLE_HOT_CELSIUS = 65, /* counts as hot where the drive names no limit */
};

/* Finds the changes and their causes; in the order of time. Returns how many. */
size_t throttle_find(const struct throttle_series *series, struct throttle_finding *findings);

#endif
