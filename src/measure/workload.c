#include "assay/workload.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/array.h"

void workloads_init(struct workloads *workloads)
{
	*workloads = (struct workloads) { .arena = arena_new() };
}

void workloads_deinit(struct workloads *workloads)
{
	free(workloads->workloads);
	arena_free(workloads->arena);
	*workloads = (struct workloads) { 0 };
}

const struct workload *workload_find(const struct workloads *workloads, const char *name)
{
	for (size_t i = 0; i < workloads->count; i++)
		if (!strcmp(workloads->workloads[i]->name, name))
			return workloads->workloads[i];
	return NULL;
}

/* A dimension that is not swept has one value: the stream's own. */
static size_t at_least_one(size_t count)
{
	return count ? count : 1;
}

size_t workload_point_count(const struct workload *workload)
{
	const struct sweep *sweep = &workload->sweep;

	if (workload->stage_count)
		return workload->stage_count;
	return at_least_one(sweep->bytes_count) * at_least_one(sweep->read_count) *
		at_least_one(sweep->thread_count) * at_least_one(sweep->depth_count);
}

/* The index in one dimension; what is left is for the next. */
static size_t take(size_t *point, size_t count)
{
	size_t index = *point % at_least_one(count);

	*point /= at_least_one(count);
	return index;
}

void workload_point(const struct workload *workload, size_t point, struct stream *streams)
{
	const struct sweep *sweep = &workload->sweep;

	memcpy(streams, workload->streams, workload->stream_count * sizeof(*streams));
	if (workload->stage_count) {
		const struct stage *stage = &workload->stages[point];

		streams[0] = stage->stream.size_count ? stage->stream : streams[0];
		return;
	}
	size_t depth = take(&point, sweep->depth_count), thread = take(&point, sweep->thread_count);
	size_t read = take(&point, sweep->read_count), bytes = take(&point, sweep->bytes_count);

	if (sweep->depth_count)
		streams->depth = sweep->depth[depth];
	if (sweep->thread_count)
		streams->threads = sweep->threads[thread];
	if (sweep->read_count)
		streams->read_percent = sweep->read_percent[read];
	if (sweep->bytes_count) {
		streams->sizes[0] = (struct size_share) { sweep->bytes[bytes], 100 };
		streams->size_count = 1;
	}
}

bool workload_writes(const struct workload *workload)
{
	struct stream streams[WORKLOAD_STREAMS];

	if (workload->fill_passes > 0)
		return true;
	for (size_t point = 0; point < workload_point_count(workload); point++) {
		workload_point(workload, point, streams);
		for (size_t i = 0; i < workload->stream_count; i++)
			if (stream_write_share(&streams[i]) > 0)
				return true;
	}
	return false;
}

double stream_write_share(const struct stream *stream)
{
	return 1 - stream->read_percent / 100;
}

double stream_mean_bytes(const struct stream *stream)
{
	double sum = 0, percent = 0;

	for (size_t i = 0; i < stream->size_count; i++) {
		sum += stream->sizes[i].bytes * stream->sizes[i].percent;
		percent += stream->sizes[i].percent;
	}
	return percent > 0 ? sum / percent : 0;
}

uint32_t stream_largest_bytes(const struct stream *stream)
{
	uint32_t largest = 0;

	for (size_t i = 0; i < stream->size_count; i++)
		if (stream->sizes[i].bytes > largest)
			largest = stream->sizes[i].bytes;
	return largest;
}

uint32_t stream_smallest_bytes(const struct stream *stream)
{
	uint32_t smallest = stream->sizes[0].bytes;

	for (size_t i = 1; i < stream->size_count; i++)
		if (stream->sizes[i].bytes < smallest)
			smallest = stream->sizes[i].bytes;
	return smallest;
}

static uint32_t round_up(uint32_t bytes, uint32_t block_bytes)
{
	return (bytes + block_bytes - 1) / block_bytes * block_bytes;
}

static bool fit_sizes(struct stream *stream, uint32_t block_bytes)
{
	bool rounded = false;

	for (size_t i = 0; i < stream->size_count; i++) {
		uint32_t bytes = round_up(stream->sizes[i].bytes, block_bytes);

		rounded |= bytes != stream->sizes[i].bytes;
		stream->sizes[i].bytes = bytes;
	}
	if (!stream->align_bytes)
		stream->align_bytes = stream_smallest_bytes(stream);
	stream->align_bytes = round_up(stream->align_bytes, block_bytes);
	return rounded;
}

/* Submitting some at once saves calls; few outstanding ones go one by one, so
 * that none waits for another. */
static unsigned batch_of(unsigned depth)
{
	enum { ONE_BY_ONE = 4, MOST = 32 };
	unsigned batch = depth <= ONE_BY_ONE ? 1 : depth / 4;

	return batch > MOST ? MOST : batch;
}

int stream_fit(struct stream *stream, uint64_t size_bytes, uint32_t block_bytes, bool *rounded,
	struct error *error)
{
	*rounded |= fit_sizes(stream, block_bytes);
	if (stream->offset_bytes % block_bytes)
		return error_set(error, EXIT_USAGE,
			"the offset is no multiple of the block of %u bytes", block_bytes);
	if (stream->offset_bytes >= size_bytes)
		return error_set(error, EXIT_USAGE, "the offset is behind the end of the target");
	uint64_t room = size_bytes - stream->offset_bytes, span = stream->span_bytes;

	if (!span && stream->span_percent > 0)
		span = (uint64_t)((double)room * stream->span_percent / 100);
	if (!span || span > room)
		span = room;
	stream->span_bytes = span / stream->align_bytes * stream->align_bytes;
	if (stream->span_bytes < stream_largest_bytes(stream))
		return error_set(error, EXIT_USAGE,
			"the span of %llu bytes has no room for an access of %u",
			(unsigned long long)span, stream_largest_bytes(stream));
	if (!stream->batch)
		stream->batch = batch_of(stream->depth);
	if (stream->batch > stream->depth)
		stream->batch = stream->depth;
	return 0;
}

bool bytes_parse(const char *text, uint64_t *bytes)
{
	static const struct {
		const char *suffix;
		double factor;
	} units[] = { { "", 1 }, { "b", 1 }, { "k", 0x1p10 }, { "m", 0x1p20 }, { "g", 0x1p30 },
		{ "t", 0x1p40 }, { "kib", 0x1p10 }, { "mib", 0x1p20 }, { "gib", 0x1p30 },
		{ "tib", 0x1p40 }, { "kb", 1e3 }, { "mb", 1e6 }, { "gb", 1e9 }, { "tb", 1e12 } };
	char *end;
	double number = strtod(text, &end);

	if (end == text || !(number >= 0))
		return false;
	while (*end == ' ')
		end++;
	for (size_t i = 0; i < ARRAY_LEN(units); i++) {
		if (strcasecmp(end, units[i].suffix) != 0)
			continue;
		if (number * units[i].factor >= 0x1p63)
			return false;
		*bytes = (uint64_t)(number * units[i].factor + 0.5);
		return true;
	}
	return false;
}
