/* What should stand in each block of a span, and a comparison with what does. */
#ifndef ASSAY_MEASURE_VERIFY_MAP_H
#define ASSAY_MEASURE_VERIFY_MAP_H

#include <stdatomic.h>

#include "assay/engine.h"

/* How often each granule was written: its version, and whether a write of it is
 * on its way. */
struct verify_map {
	_Atomic uint32_t *versions; /* NULL: nothing is verified */
	uint64_t offset, count;
	uint32_t granule; /* bytes; every access is a multiple of it */
	uint64_t run;
};

/* For the streams of a job. -1 and *error where it would be too large. */
int verify_map_init(struct verify_map *map, const struct engine_job *job, struct error *error);
void verify_map_deinit(struct verify_map *map);

/* Takes the granules of a write, and stamps the data with their next version.
 * False where one of them is being written already. */
bool verify_begin_write(
	struct verify_map *map, uint64_t offset, void *data, size_t len, const uint32_t *checks);
/* Gives them back with the next version; where it was not written nobody knows
 * what stands there, until the next write. */
void verify_end_write(struct verify_map *map, uint64_t offset, size_t len, bool written);

/* Remembers what a read should find, and compares it; granules that were
 * written meanwhile are left out. versions has room for one per granule. */
void verify_begin_read(
	const struct verify_map *map, uint64_t offset, size_t len, uint32_t *versions);
void verify_end_read(struct verify_map *map, uint64_t offset, const void *data, size_t len,
	const uint32_t *versions, struct engine_result *result);

/* Reads all that was written and compares it. Faults are in the result. */
void verify_all(struct verify_map *map, int file, const volatile sig_atomic_t *stop,
	struct engine_result *result);

/* Adds one to the fault of that kind. */
void result_add_fault(
	struct engine_result *result, enum io_kind kind, uint64_t offset, int os_error);

#endif
