#include "measure/verify_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "measure/stamp.h"

/* A write is on its way; the last one failed, so that nobody knows what stands there. */
static const uint32_t BUSY = UINT32_C(1) << 31, UNKNOWN = UINT32_C(1) << 30;
static const uint64_t MAP_BYTES_MAX = UINT64_C(1) << 30;

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
	return b ? common_divisor(b, a % b) : a;
}

int verify_map_init(struct verify_map *map, const struct engine_job *job, struct error *error)
{
	uint64_t end = 0;

	*map = (struct verify_map) { .offset = UINT64_MAX, .run = job->run };
	for (size_t i = 0; i < job->stream_count; i++) {
		const struct stream *stream = &job->streams[i];

		if (stream->offset_bytes < map->offset)
			map->offset = stream->offset_bytes;
		if (stream->offset_bytes + stream->span_bytes > end)
			end = stream->offset_bytes + stream->span_bytes;
		map->granule = common_divisor(stream->align_bytes, map->granule);
		for (size_t s = 0; s < stream->size_count; s++)
			map->granule = common_divisor(stream->sizes[s].bytes, map->granule);
		map->granule = common_divisor(
			(uint32_t)(stream->offset_bytes % (1u << 30)), map->granule);
	}
	map->count = (end - map->offset) / map->granule;
	if (map->count > MAP_BYTES_MAX / sizeof(*map->versions))
		return error_set(error, EXIT_USAGE,
			"verifying %llu blocks wants more than 1 GiB of memory: take a smaller "
			"span",
			(unsigned long long)map->count);
	map->versions = calloc(map->count, sizeof(*map->versions));
	return map->versions ? 0 : error_set(error, EXIT_INTERNAL, "no memory to verify with");
}

void verify_map_deinit(struct verify_map *map)
{
	free(map->versions);
	map->versions = NULL;
}

static bool is_known(uint32_t version)
{
	return version && !(version & (BUSY | UNKNOWN));
}

static uint64_t granule_of(const struct verify_map *map, uint64_t offset)
{
	return (offset - map->offset) / map->granule;
}

bool verify_begin_write(
	struct verify_map *map, uint64_t offset, void *data, size_t len, const uint32_t *checks)
{
	uint64_t first = granule_of(map, offset), count = len / map->granule;

	for (uint64_t i = 0; i < count; i++) {
		uint32_t old = atomic_fetch_or(&map->versions[first + i], BUSY);

		if (!(old & BUSY)) {
			struct stamp stamp = { offset + i * map->granule, (old & ~UNKNOWN) + 1,
				map->run };

			stamp_write((char *)data + i * map->granule, map->granule, &stamp,
				checks + i * map->granule / STAMP_BLOCK_BYTES);
			continue;
		}
		while (i-- > 0)
			atomic_fetch_and(&map->versions[first + i], ~BUSY);
		return false;
	}
	return true;
}

void verify_end_write(struct verify_map *map, uint64_t offset, size_t len, bool written)
{
	uint64_t first = granule_of(map, offset), count = len / map->granule;

	for (uint64_t i = 0; i < count; i++) {
		uint32_t version = atomic_load(&map->versions[first + i]) & ~(BUSY | UNKNOWN);

		/* a version is never given twice, so an old one cannot pass for a new one */
		atomic_store(
			&map->versions[first + i], written ? version + 1 : (version + 1) | UNKNOWN);
	}
}

void verify_begin_read(
	const struct verify_map *map, uint64_t offset, size_t len, uint32_t *versions)
{
	uint64_t first = granule_of(map, offset);

	for (uint64_t i = 0; i < len / map->granule; i++)
		versions[i] = atomic_load(&map->versions[first + i]);
}

static void check_granule(const struct verify_map *map, uint64_t offset, const char *data,
	uint32_t version, struct engine_result *result)
{
	struct stamp expected = { offset, version, map->run }, found;

	for (uint32_t i = 0; i < map->granule; i += STAMP_BLOCK_BYTES) {
		expected.offset = offset + i;
		enum stamp_verdict verdict = stamp_check(data + i, &expected, &found);

		result->verdicts[verdict]++;
		result->verified_blocks++;
		if (verdict == STAMP_GOOD || result->finding_count == ENGINE_FINDINGS)
			continue;
		result->findings[result->finding_count++] = (struct engine_finding) {
			.verdict = verdict,
			.offset = expected.offset,
			.expected_sequence = version,
			.found_offset = found.offset,
			.found_sequence = found.sequence,
		};
	}
}

void verify_end_read(struct verify_map *map, uint64_t offset, const void *data, size_t len,
	const uint32_t *versions, struct engine_result *result)
{
	uint64_t first = granule_of(map, offset);

	for (uint64_t i = 0; i < len / map->granule; i++) {
		uint32_t now = atomic_load(&map->versions[first + i]);

		if (now == versions[i] && is_known(now))
			check_granule(map, offset + i * map->granule,
				(const char *)data + i * map->granule, now, result);
	}
}

void result_add_fault(
	struct engine_result *result, enum io_kind kind, uint64_t offset, int os_error)
{
	result->error_count++;
	for (size_t i = 0; i < result->fault_count; i++) {
		struct engine_fault *fault = &result->faults[i];

		if (fault->kind == kind && fault->os_error == os_error) {
			fault->count++;
			return;
		}
	}
	if (result->fault_count < ENGINE_FAULTS)
		result->faults[result->fault_count++] = (struct engine_fault) { os_error, kind,
			offset, 1 };
}

/* How many granules whose content is known follow one another from here, at most so many. */
static uint64_t written_run(const struct verify_map *map, uint64_t from, uint64_t most)
{
	uint64_t n = 0;

	while (n < most && from + n < map->count && is_known(map->versions[from + n]))
		n++;
	return n;
}

void verify_all(struct verify_map *map, int file, const volatile sig_atomic_t *stop,
	struct engine_result *result)
{
	uint64_t most = (1u << 20) / map->granule ? (1u << 20) / map->granule : 1;
	size_t size = most * map->granule;
	char *data = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (uint64_t i = 0, n; data != MAP_FAILED && i < map->count && !(stop && *stop); i += n) {
		n = written_run(map, i, most);
		uint64_t offset = map->offset + i * map->granule;
		ssize_t got = n ? pread(file, data, n * map->granule, (off_t)offset) : 0;

		if (n && got != (ssize_t)(n * map->granule))
			result_add_fault(result, IO_READ, offset, got < 0 ? errno : 0);
		for (uint64_t g = 0; got > 0 && g < (uint64_t)got / map->granule; g++)
			check_granule(map, offset + g * map->granule, data + g * map->granule,
				map->versions[i + g], result);
		if (!n)
			n = 1;
	}
	if (data != MAP_FAILED)
		munmap(data, size);
}
