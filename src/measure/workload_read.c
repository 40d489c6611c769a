/* Workloads out of their JSON: assay-workload(5). */
#include <math.h>
#include <string.h>

#include "assay/array.h"
#include "assay/workload.h"
#include "measure/member.h"

static const struct member_limits threads_limits = { 1, THREADS_MAX };
static const struct member_limits depth_limits = { 1, DEPTH_MAX };
static const struct member_limits batch_limits = { 0, DEPTH_MAX };
static const struct member_limits zipf_limits = { 0, 10 };
static const struct member_limits rate_limits = { 0, 1e9 };
static const struct member_limits count_limits = { 0, 1e9 };
static const struct member_limits passes_limits = { 0, 1e6 };
static const struct member_limits window_limits = { 2, 1000 };
static const struct member_limits rounds_limits = { 1, 100000 };
static const struct member_limits deviation_limits = { 0, 1000 };

static const struct member size_members[] = {
	{ "bytes", MEMBER_SIZE, offsetof(struct size_share, bytes), NULL },
	{ "percent", MEMBER_PERCENT, offsetof(struct size_share, percent), NULL },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member zone_members[] = {
	{ "access_percent", MEMBER_PERCENT, offsetof(struct zone, access_percent), NULL },
	{ "span_percent", MEMBER_PERCENT, offsetof(struct zone, span_percent), NULL },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member_list size_list = {
	.element = { "", MEMBER_OBJECT, 0, size_members },
	.size = sizeof(struct size_share),
	.most = STREAM_SIZES,
	.count_offset = offsetof(struct stream, size_count),
};

static const struct member_list zone_list = {
	.element = { "", MEMBER_OBJECT, 0, zone_members },
	.size = sizeof(struct zone),
	.most = STREAM_ZONES,
	.count_offset = offsetof(struct stream, zone_count),
};

static const struct member stream_members[] = {
	{ "name", MEMBER_TEXT, offsetof(struct stream, name), NULL },
	{ "read_percent", MEMBER_PERCENT, offsetof(struct stream, read_percent), NULL },
	{ "random_percent", MEMBER_PERCENT, offsetof(struct stream, random_percent), NULL },
	{ "block_bytes", MEMBER_SIZE, offsetof(struct stream, sizes[0].bytes), NULL },
	{ "sizes", MEMBER_LIST, offsetof(struct stream, sizes), &size_list },
	{ "zones", MEMBER_LIST, offsetof(struct stream, zones), &zone_list },
	{ "zipf", MEMBER_NUMBER, offsetof(struct stream, zipf), &zipf_limits },
	{ "once", MEMBER_FLAG, offsetof(struct stream, once), NULL },
	{ "align_bytes", MEMBER_SIZE, offsetof(struct stream, align_bytes), NULL },
	{ "offset_bytes", MEMBER_BYTES, offsetof(struct stream, offset_bytes), NULL },
	{ "span_bytes", MEMBER_BYTES, offsetof(struct stream, span_bytes), NULL },
	{ "span_percent", MEMBER_PERCENT, offsetof(struct stream, span_percent), NULL },
	{ "threads", MEMBER_UNSIGNED, offsetof(struct stream, threads), &threads_limits },
	{ "depth", MEMBER_UNSIGNED, offsetof(struct stream, depth), &depth_limits },
	{ "batch", MEMBER_UNSIGNED, offsetof(struct stream, batch), &batch_limits },
	{ "poisson", MEMBER_FLAG, offsetof(struct stream, poisson), NULL },
	{ "rate_iops", MEMBER_NUMBER, offsetof(struct stream, rate_iops), &rate_limits },
	{ "flush_every", MEMBER_UNSIGNED, offsetof(struct stream, flush_every), &count_limits },
	{ "compressible_percent", MEMBER_PERCENT, offsetof(struct stream, compressible_percent),
		NULL },
	{ "dedupe_percent", MEMBER_PERCENT, offsetof(struct stream, dedupe_percent), NULL },
	{ "repeating", MEMBER_FLAG, offsetof(struct stream, repeating), NULL },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member_list stream_list = {
	.element = { "", MEMBER_OBJECT, 0, stream_members },
	.size = sizeof(struct stream),
	.most = WORKLOAD_STREAMS,
	.count_offset = offsetof(struct workload, stream_count),
};

static const struct member_list sweep_threads = {
	.element = { "", MEMBER_UNSIGNED, 0, &threads_limits },
	.size = sizeof(unsigned),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, thread_count),
};

static const struct member_list sweep_depth = {
	.element = { "", MEMBER_UNSIGNED, 0, &depth_limits },
	.size = sizeof(unsigned),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, depth_count),
};

static const struct member_list sweep_read = {
	.element = { "", MEMBER_PERCENT, 0, NULL },
	.size = sizeof(double),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, read_count),
};

static const struct member_list sweep_bytes = {
	.element = { "", MEMBER_SIZE, 0, NULL },
	.size = sizeof(uint32_t),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, bytes_count),
};

static const struct member sweep_members[] = {
	{ "threads", MEMBER_LIST, offsetof(struct sweep, threads), &sweep_threads },
	{ "depth", MEMBER_LIST, offsetof(struct sweep, depth), &sweep_depth },
	{ "read_percent", MEMBER_LIST, offsetof(struct sweep, read_percent), &sweep_read },
	{ "block_bytes", MEMBER_LIST, offsetof(struct sweep, bytes), &sweep_bytes },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member stage_members[] = {
	{ "name", MEMBER_TEXT, offsetof(struct stage, name), NULL },
	{ "stream", MEMBER_OBJECT, offsetof(struct stage, stream), stream_members },
	{ "time_seconds", MEMBER_SECONDS, offsetof(struct stage, time_seconds), NULL },
	{ "idle_seconds", MEMBER_SECONDS, offsetof(struct stage, idle_seconds), NULL },
	{ "repeat", MEMBER_UNSIGNED, offsetof(struct stage, repeat), &rounds_limits },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member_list stage_list = {
	.element = { "", MEMBER_OBJECT, 0, stage_members },
	.size = sizeof(struct stage),
	.most = WORKLOAD_STAGES,
	.count_offset = offsetof(struct workload, stage_count),
};

static const struct member precondition_members[] = {
	{ "fill_passes", MEMBER_NUMBER, offsetof(struct workload, fill_passes), &passes_limits },
	{ "fill_bytes", MEMBER_SIZE, offsetof(struct workload, fill_bytes), NULL },
	{ "condition", MEMBER_FLAG, offsetof(struct workload, condition), NULL },
	{ "round_seconds", MEMBER_SECONDS, offsetof(struct workload, condition_seconds), NULL },
	{ "seconds_max", MEMBER_SECONDS, offsetof(struct workload, condition_seconds_max), NULL },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member tracked_members[] = {
	{ "read_percent", MEMBER_PERCENT, offsetof(struct tracked, read_percent), NULL },
	{ "block_bytes", MEMBER_SIZE, offsetof(struct tracked, bytes), NULL },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member_list tracked_list = {
	.element = { "", MEMBER_OBJECT, 0, tracked_members },
	.size = sizeof(struct tracked),
	.most = ARRAY_LEN(((struct workload *)0)->tracked),
	.count_offset = offsetof(struct workload, tracked_count),
};

static const char *const rules[] = { "none", "pts", "range", "slope", NULL };
static const char *const metrics[] = { "iops", "bytes_per_second", "mean_latency", NULL };

static const struct member steady_members[] = {
	{ "rule", MEMBER_WORD, offsetof(struct workload, steady.rule), rules },
	{ "metric", MEMBER_WORD, offsetof(struct workload, steady.metric), metrics },
	{ "window", MEMBER_UNSIGNED, offsetof(struct workload, steady.window), &window_limits },
	{ "range_percent", MEMBER_NUMBER, offsetof(struct workload, steady.range_percent),
		&deviation_limits },
	{ "slope_percent", MEMBER_NUMBER, offsetof(struct workload, steady.slope_percent),
		&deviation_limits },
	{ "rounds_max", MEMBER_UNSIGNED, offsetof(struct workload, steady.rounds_max),
		&rounds_limits },
	{ "rounds", MEMBER_FLAG, offsetof(struct workload, rounds), NULL },
	{ "tracked", MEMBER_LIST, offsetof(struct workload, tracked), &tracked_list },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static const struct member workload_members[] = {
	{ "schema", MEMBER_IGNORED, 0, NULL },
	{ "name", MEMBER_TEXT, offsetof(struct workload, name), NULL },
	{ "about", MEMBER_TEXT, offsetof(struct workload, about), NULL },
	{ "source", MEMBER_TEXT, offsetof(struct workload, source), NULL },
	{ "streams", MEMBER_LIST, offsetof(struct workload, streams), &stream_list },
	{ "sweep", MEMBER_OBJECT, offsetof(struct workload, sweep), sweep_members },
	{ "stages", MEMBER_LIST, offsetof(struct workload, stages), &stage_list },
	{ "precondition", MEMBER_OBJECT, 0, precondition_members },
	{ "steady_state", MEMBER_OBJECT, 0, steady_members },
	{ "time_seconds", MEMBER_SECONDS, offsetof(struct workload, time_seconds), NULL },
	{ "cooldown_seconds", MEMBER_SECONDS, offsetof(struct workload, cooldown_seconds), NULL },
	{ "score_seconds", MEMBER_SECONDS, offsetof(struct workload, score_seconds), NULL },
	{ "stop_drive_writes", MEMBER_NUMBER, offsetof(struct workload, stop_drive_writes),
		&passes_limits },
	{ "stop_bytes", MEMBER_BYTES, offsetof(struct workload, stop_bytes), NULL },
	{ NULL, MEMBER_IGNORED, 0, NULL },
};

static void check_sum(struct member_reader *reader, const struct member_place *place, double sum,
	const char *what)
{
	if (fabs(sum - 100) > 0.01)
		member_problem(reader, place, "the %s add up to %g, expected 100", what, sum);
}

static void check_zones(
	struct member_reader *reader, const struct member_place *place, const struct stream *stream)
{
	double access = 0, span = 0;

	for (size_t i = 0; i < stream->zone_count; i++) {
		access += stream->zones[i].access_percent;
		span += stream->zones[i].span_percent;
	}
	check_sum(reader, place, stream->zone_count ? access : 100, "zones' access percentages");
	check_sum(reader, place, stream->zone_count ? span : 100, "zones' span percentages");
}

/* What members leave out, and what they must agree on. */
static void check_stream(
	struct member_reader *reader, const struct member_place *place, struct stream *stream)
{
	double sum = 0;

	if (!stream->size_count && stream->sizes[0].bytes) {
		stream->sizes[0].percent = 100;
		stream->size_count = 1;
	}
	for (size_t i = 0; i < stream->size_count; i++) {
		sum += stream->sizes[i].percent;
		if (!stream->sizes[i].bytes)
			member_problem(reader, place, "a size without its bytes");
	}
	if (!stream->size_count)
		member_problem(reader, place, "expected block_bytes or sizes");
	check_sum(reader, place, sum, "sizes' percentages");
	check_zones(reader, place, stream);
	if (stream->once && stream->size_count > 1)
		member_problem(reader, place, "once wants one block size");
}

static void check_stages(struct member_reader *reader, struct workload *workload)
{
	struct member_place stages = { NULL, "stages", 0 };
	const struct sweep *sweep = &workload->sweep;

	for (size_t i = 0; i < workload->stage_count; i++) {
		struct stage *stage = &workload->stages[i];
		struct member_place here = { &stages, NULL, (int)i },
				    place = { &here, "stream", 0 };

		if (!*stage->name)
			member_problem(reader, &here, "expected a name");
		if (stage->stream.size_count || stage->stream.sizes[0].bytes)
			check_stream(reader, &place, &stage->stream);
	}
	if (workload->stage_count &&
		(sweep->thread_count || sweep->depth_count || sweep->read_count ||
			sweep->bytes_count || workload->rounds))
		member_problem(reader, NULL, "stages go with neither a sweep nor rounds");
}

static void check_workload(
	struct member_reader *reader, const cJSON *json, struct workload *workload)
{
	const cJSON *schema = cJSON_GetObjectItemCaseSensitive(json, "schema");
	struct member_place streams = { NULL, "streams", 0 };

	if (!cJSON_IsString(schema) || strcmp(schema->valuestring, "assay-workload-1") != 0)
		member_problem(reader, NULL, "expected \"schema\": \"assay-workload-1\"");
	if (!workload->name || !*workload->name)
		member_problem(reader, NULL, "expected a name");
	if (!workload->stream_count)
		member_problem(reader, NULL, "expected streams");
	for (size_t i = 0; i < workload->stream_count; i++) {
		struct member_place place = { &streams, NULL, (int)i };

		check_stream(reader, &place, &workload->streams[i]);
	}
	check_stages(reader, workload);
	if (workload->steady.rule == STEADY_NONE && (workload->rounds || workload->condition))
		member_problem(reader, NULL, "rounds and condition want a steady_state rule");
}

static const struct stream stream_defaults = {
	.name = "",
	.random_percent = 100,
	.threads = 1,
	.depth = 1,
};

static const struct workload defaults = {
	.about = "",
	.source = "",
	.fill_bytes = 131072,
	.condition_seconds = 60,
	.condition_seconds_max = 21600,
	.steady = { .window = 5, .range_percent = 20, .slope_percent = 10, .rounds_max = 25 },
	.time_seconds = 60,
};

struct workload *workload_load_text(struct workloads *workloads, const char *file, const char *text,
	size_t len, struct error *error)
{
	struct workload *workload = arena_alloc(workloads->arena, sizeof(*workload));
	struct member_reader reader = { workloads->arena, file, error, false };
	cJSON *json = cJSON_ParseWithLength(text, len);

	*workload = defaults;
	workload->file = arena_text(workloads->arena, file);
	for (size_t i = 0; i < WORKLOAD_STREAMS; i++)
		workload->streams[i] = stream_defaults;
	for (size_t i = 0; i < WORKLOAD_STAGES; i++)
		workload->stages[i] =
			(struct stage) { .name = "", .stream = stream_defaults, .repeat = 1 };
	for (size_t i = 0; i < ARRAY_LEN(workload->tracked); i++)
		workload->tracked[i].read_percent = -1;
	if (json) {
		member_read_object(&reader, json, NULL, workload_members, workload);
		check_workload(&reader, json, workload);
	} else {
		member_problem(&reader, NULL, "expected JSON");
	}
	cJSON_Delete(json);
	if (reader.failed)
		return NULL;
	workloads->workloads = array_grow(
		workloads->workloads, workloads->count, sizeof(struct workload *));
	return workloads->workloads[workloads->count++] = workload;
}
