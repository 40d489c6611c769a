/*
 * Data that is written, and what is found when it is read back.
 *
 * Every block of 512 bytes begins with a stamp of 40 bytes that says where and
 * when it was written; the rest is a pattern. So no two blocks are alike, and
 * each tells what became of it.
 */
#ifndef ASSAY_MEASURE_STAMP_H
#define ASSAY_MEASURE_STAMP_H

#include "assay/engine.h"
#include "measure/random.h"

enum { STAMP_BLOCK_BYTES = 512, STAMP_BYTES = 40 };

struct stamp {
	uint64_t offset;   /* on the target, in bytes */
	uint64_t sequence; /* of the write: from 1, never 0 */
	uint64_t run;      /* who wrote it */
};

/* Fills a buffer with a stream's pattern, without stamps. */
void pattern_fill(void *buffer, size_t len, const struct stream *stream, struct random *random);

/* The checksum of each block's pattern, for stamp_write(): len / 512 of them. */
void pattern_checks(const void *buffer, size_t len, uint32_t *checks);

/* Stamps each block of a buffer that is to be written at stamp->offset. */
void stamp_write(void *buffer, size_t len, const struct stamp *stamp, const uint32_t *checks);

/* Looks at one block of 512 bytes that was read from expected->offset and
 * should hold expected->sequence of expected->run. *found is what stands there
 * where it is whole. */
enum stamp_verdict stamp_check(
	const void *block, const struct stamp *expected, struct stamp *found);

#endif
