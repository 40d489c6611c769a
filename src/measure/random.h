/* Random numbers that are the same again for the same seed. */
#ifndef ASSAY_MEASURE_RANDOM_H
#define ASSAY_MEASURE_RANDOM_H

#include <stdint.h>

/* xoshiro256** (Blackman and Vigna, 2018; public domain). */
struct random {
	uint64_t state[4];
};

static inline uint64_t random_mix(uint64_t x)
{
	/* The finalizer of splitmix64. */
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline void random_seed(struct random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->state[i] = random_mix(seed += UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t random_next(struct random *random)
{
	uint64_t *s = random->state;
	uint64_t x = s[1] * 5, result = ((x << 7) | (x >> 57)) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = (s[3] << 45) | (s[3] >> 19);
	return result;
}

/* 0 to n - 1; n at least 1. */
static inline uint64_t random_below(struct random *random, uint64_t n)
{
	return (uint64_t)(((unsigned __int128)random_next(random) * n) >> 64);
}

/* Above 0, below 1. */
static inline double random_unit(struct random *random)
{
	return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* A permutation of 0 to n - 1 without a table: a Feistel network over the next
 * power of four, walked until it comes back into the range. */
struct permutation {
	uint64_t n;
	unsigned half_bits;
	uint64_t keys[4];
};

void permutation_init(struct permutation *permutation, uint64_t n, uint64_t seed);
uint64_t permutation_at(const struct permutation *permutation, uint64_t index);

/* Ranks 0 to n - 1, rank k with a probability in proportion to 1 / (k + 1)^s. */
struct zipf {
	uint64_t n;
	double exponent, low, high, shortcut;
};

void zipf_init(struct zipf *zipf, uint64_t n, double exponent);
uint64_t zipf_next(const struct zipf *zipf, struct random *random);

#endif
