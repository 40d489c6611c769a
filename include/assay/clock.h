/* The monotonic clock: it goes on from boot, and nobody sets it. */
#ifndef ASSAY_CLOCK_H
#define ASSAY_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since some moment of this boot; inline, for it is asked twice an access. */
static inline int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t clock_us(void)
{
	return clock_ns() / 1000;
}

static inline int64_t clock_ms(void)
{
	return clock_ns() / 1000000;
}

static inline double clock_seconds(void)
{
	return (double)clock_ns() / 1e9;
}

#endif
