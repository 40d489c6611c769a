/* Rules of the standards: IDEMA LBA1-03 and SFF-8447, and what a link carries. */
#include <math.h>

#include "assay/array.h"
#include "assay/spec.h"

uint64_t capacity_lba103(double gigabytes, unsigned block_bytes)
{
	double blocks = block_bytes == 4096 ? 12212046 + 244188 * (gigabytes - 50)
					    : 97696368 + 1953504 * (gigabytes - 50);

	return gigabytes >= 50 && blocks < 9e15 ? (uint64_t)blocks * block_bytes : 0;
}

uint64_t capacity_sff8447(double gigabytes, unsigned block_bytes)
{
	uint64_t step = block_bytes == 4096 ? 1 << 18 : 1 << 21;

	if (gigabytes < 50 || gigabytes > 9e9)
		return 0;
	uint64_t blocks = (uint64_t)ceil(gigabytes * 1e9 / block_bytes);

	return (blocks + step - 1) / step * step * block_bytes;
}

const char *capacity_rule(uint64_t bytes, double gigabytes)
{
	static const unsigned blocks[] = { 512, 4096 };

	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		if (bytes && bytes == capacity_lba103(gigabytes, blocks[i]))
			return "IDEMA LBA1-03";
		if (bytes && bytes == capacity_sff8447(gigabytes, blocks[i]))
			return "SFF-8447";
	}
	return NULL;
}

double link_payload(double gbps)
{
	static const double rates[] = { 1.5, 3, 6, 12 };

	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		if (gbps == rates[i])
			return gbps * 1e8;
	return gbps == 22.5 ? 2.4e9 : 0;
}
