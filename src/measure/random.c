#include "measure/random.h"

#include <math.h>

void permutation_init(struct permutation *permutation, uint64_t n, uint64_t seed)
{
	unsigned bits = n > 1 ? 64u - (unsigned)__builtin_clzll(n - 1) : 1;

	permutation->n = n;
	permutation->half_bits = (bits + 1) / 2;
	for (int i = 0; i < 4; i++)
		permutation->keys[i] = random_mix(seed += UINT64_C(0x9e3779b97f4a7c15));
}

static uint64_t feistel(const struct permutation *permutation, uint64_t x)
{
	uint64_t mask = (UINT64_C(1) << permutation->half_bits) - 1;
	uint64_t left = x >> permutation->half_bits, right = x & mask;

	for (int i = 0; i < 4; i++) {
		uint64_t next = left ^ (random_mix(right ^ permutation->keys[i]) & mask);

		left = right;
		right = next;
	}
	return left << permutation->half_bits | right;
}

uint64_t permutation_at(const struct permutation *permutation, uint64_t index)
{
	/* The network's range is below 4 n, so few steps are needed; they end, as
	 * a walk on a cycle comes back to where it began. */
	do
		index = feistel(permutation, index);
	while (index >= permutation->n);
	return index;
}

/* The integral of x^-s from 1, and its inverse. */
static double integral(double s, double x)
{
	return fabs(1 - s) < 1e-9 ? log(x) : (pow(x, 1 - s) - 1) / (1 - s);
}

static double integral_inverse(double s, double y)
{
	return fabs(1 - s) < 1e-9 ? exp(y) : pow(1 + y * (1 - s), 1 / (1 - s));
}

/* Rejection by inversion, Hoermann and Derflinger 1996: no sum over n. */
void zipf_init(struct zipf *zipf, uint64_t n, double exponent)
{
	*zipf = (struct zipf) { .n = n, .exponent = exponent };
	zipf->low = integral(exponent, 1.5) - 1;
	zipf->high = integral(exponent, (double)n + 0.5);
	zipf->shortcut = 2 -
		integral_inverse(exponent, integral(exponent, 2.5) - pow(2, -exponent));
}

uint64_t zipf_next(const struct zipf *zipf, struct random *random)
{
	for (;;) {
		double y = zipf->high + random_unit(random) * (zipf->low - zipf->high);
		double x = integral_inverse(zipf->exponent, y), k = floor(x + 0.5);

		if (k < 1)
			k = 1;
		if (k > (double)zipf->n)
			k = (double)zipf->n;
		if (k - x <= zipf->shortcut ||
			y >= integral(zipf->exponent, k + 0.5) - pow(k, -zipf->exponent))
			return (uint64_t)k - 1;
	}
}
