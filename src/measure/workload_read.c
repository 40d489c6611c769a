/* Workloads out of their JSON: assay-workload(5). */
#include <math.h>
#include <string.h>

#include "assay/array.h"
#include "assay/member.h"
#include "assay/workload.h"

/* ---- Values, by what stands at the offset ---- */

struct limits {
	double least, most;
};

/* A const char * that may be empty. */
static void read_string(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	if (cJSON_IsString(json))
		*(const char **)((char *)target + member->offset) = arena_text(
			loader->arena, json->valuestring);
	else
		problem(loader, place, "expected a text");
}

static double number_within(struct loader *loader, const cJSON *json, const struct place *place,
	const struct limits *limits, bool whole)
{
	if (cJSON_IsNumber(json) && json->valuedouble >= limits->least &&
		json->valuedouble <= limits->most &&
		(!whole || floor(json->valuedouble) >= json->valuedouble))
		return json->valuedouble;
	problem(loader, place, "expected a %s from %.0f to %.0f", whole ? "whole number" : "number",
		limits->least, limits->most);
	return limits->least;
}

/* An unsigned; more: its limits. */
static void read_unsigned(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	*(unsigned *)((char *)target + member->offset) = (unsigned)number_within(
		loader, json, place, member->more, true);
}

/* A double; more: its limits. */
static void read_number(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	double *number = (void *)((char *)target + member->offset);

	*number = number_within(loader, json, place, member->more, false);
}

static uint64_t bytes_within(struct loader *loader, const cJSON *json, const struct place *place,
	double least, double most)
{
	uint64_t bytes = 0;
	bool good = cJSON_IsNumber(json) && json->valuedouble >= 0 && json->valuedouble <= most;

	if (good)
		bytes = (uint64_t)json->valuedouble;
	else
		good = cJSON_IsString(json) && bytes_parse(json->valuestring, &bytes);
	if (!good || (double)bytes < least || (double)bytes > most)
		problem(loader, place,
			"expected bytes, as 4096, \"4k\" or \"128 KiB\", from %.0f to %.0f", least,
			most);
	return bytes;
}

/* A uint32_t, bytes of an access. */
static void read_size(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	*(uint32_t *)((char *)target + member->offset) = (uint32_t)bytes_within(
		loader, json, place, 512, IO_BYTES_MAX);
}

/* A uint64_t. */
static void read_bytes(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	*(uint64_t *)((char *)target + member->offset) = bytes_within(
		loader, json, place, 0, 0x1p62);
}

/* ---- Members ---- */

static const struct limits percent = { 0, 100 };
static const struct limits seconds = { 0, 1e7 };
static const struct limits threads_limits = { 1, THREADS_MAX };
static const struct limits depth_limits = { 1, DEPTH_MAX };
static const struct limits batch_limits = { 0, DEPTH_MAX };
static const struct limits zipf_limits = { 0, 10 };
static const struct limits rate_limits = { 0, 1e9 };
static const struct limits count_limits = { 0, 1e9 };
static const struct limits passes_limits = { 0, 1e6 };
static const struct limits window_limits = { 2, 1000 };
static const struct limits rounds_limits = { 1, 100000 };
static const struct limits deviation_limits = { 0, 1000 };

static const struct member size_members[] = {
	{ "bytes", read_size, offsetof(struct size_share, bytes), NULL },
	{ "percent", read_number, offsetof(struct size_share, percent), &percent },
	{ 0 },
};

static const struct member zone_members[] = {
	{ "access_percent", read_number, offsetof(struct zone, access_percent), &percent },
	{ "span_percent", read_number, offsetof(struct zone, span_percent), &percent },
	{ 0 },
};

static const struct member_list size_list = {
	.element = { "", read_object_member, 0, size_members },
	.size = sizeof(struct size_share),
	.most = STREAM_SIZES,
	.count_offset = offsetof(struct stream, size_count),
};

static const struct member_list zone_list = {
	.element = { "", read_object_member, 0, zone_members },
	.size = sizeof(struct zone),
	.most = STREAM_ZONES,
	.count_offset = offsetof(struct stream, zone_count),
};

static const struct member stream_members[] = {
	{ "name", read_string, offsetof(struct stream, name), NULL },
	{ "read_percent", read_number, offsetof(struct stream, read_percent), &percent },
	{ "random_percent", read_number, offsetof(struct stream, random_percent), &percent },
	{ "block_bytes", read_size, offsetof(struct stream, sizes[0].bytes), NULL },
	{ "sizes", read_list_member, offsetof(struct stream, sizes), &size_list },
	{ "zones", read_list_member, offsetof(struct stream, zones), &zone_list },
	{ "zipf", read_number, offsetof(struct stream, zipf), &zipf_limits },
	{ "once", read_flag_member, offsetof(struct stream, once), NULL },
	{ "align_bytes", read_size, offsetof(struct stream, align_bytes), NULL },
	{ "offset_bytes", read_bytes, offsetof(struct stream, offset_bytes), NULL },
	{ "span_bytes", read_bytes, offsetof(struct stream, span_bytes), NULL },
	{ "span_percent", read_number, offsetof(struct stream, span_percent), &percent },
	{ "threads", read_unsigned, offsetof(struct stream, threads), &threads_limits },
	{ "depth", read_unsigned, offsetof(struct stream, depth), &depth_limits },
	{ "batch", read_unsigned, offsetof(struct stream, batch), &batch_limits },
	{ "poisson", read_flag_member, offsetof(struct stream, poisson), NULL },
	{ "rate_iops", read_number, offsetof(struct stream, rate_iops), &rate_limits },
	{ "flush_every", read_unsigned, offsetof(struct stream, flush_every), &count_limits },
	{ "compressible_percent", read_number, offsetof(struct stream, compressible_percent),
		&percent },
	{ "dedupe_percent", read_number, offsetof(struct stream, dedupe_percent), &percent },
	{ "repeating", read_flag_member, offsetof(struct stream, repeating), NULL },
	{ 0 },
};

static const struct member_list stream_list = {
	.element = { "", read_object_member, 0, stream_members },
	.size = sizeof(struct stream),
	.most = WORKLOAD_STREAMS,
	.count_offset = offsetof(struct workload, stream_count),
};

static const struct member_list sweep_threads = {
	.element = { "", read_unsigned, 0, &threads_limits },
	.size = sizeof(unsigned),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, thread_count),
};

static const struct member_list sweep_depth = {
	.element = { "", read_unsigned, 0, &depth_limits },
	.size = sizeof(unsigned),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, depth_count),
};

static const struct member_list sweep_read = {
	.element = { "", read_number, 0, &percent },
	.size = sizeof(double),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, read_count),
};

static const struct member_list sweep_bytes = {
	.element = { "", read_size, 0, NULL },
	.size = sizeof(uint32_t),
	.most = SWEEP_VALUES,
	.count_offset = offsetof(struct sweep, bytes_count),
};

static const struct member sweep_members[] = {
	{ "threads", read_list_member, offsetof(struct sweep, threads), &sweep_threads },
	{ "depth", read_list_member, offsetof(struct sweep, depth), &sweep_depth },
	{ "read_percent", read_list_member, offsetof(struct sweep, read_percent), &sweep_read },
	{ "block_bytes", read_list_member, offsetof(struct sweep, bytes), &sweep_bytes },
	{ 0 },
};

static const struct member stage_members[] = {
	{ "name", read_string, offsetof(struct stage, name), NULL },
	{ "stream", read_object_member, offsetof(struct stage, stream), stream_members },
	{ "time_seconds", read_number, offsetof(struct stage, time_seconds), &seconds },
	{ "idle_seconds", read_number, offsetof(struct stage, idle_seconds), &seconds },
	{ "repeat", read_unsigned, offsetof(struct stage, repeat), &rounds_limits },
	{ 0 },
};

static const struct member_list stage_list = {
	.element = { "", read_object_member, 0, stage_members },
	.size = sizeof(struct stage),
	.most = WORKLOAD_STAGES,
	.count_offset = offsetof(struct workload, stage_count),
};

static const struct member precondition_members[] = {
	{ "fill_passes", read_number, offsetof(struct workload, fill_passes), &passes_limits },
	{ "fill_bytes", read_size, offsetof(struct workload, fill_bytes), NULL },
	{ "condition", read_flag_member, offsetof(struct workload, condition), NULL },
	{ "round_seconds", read_number, offsetof(struct workload, condition_seconds), &seconds },
	{ "seconds_max", read_number, offsetof(struct workload, condition_seconds_max), &seconds },
	{ 0 },
};

static const struct member tracked_members[] = {
	{ "read_percent", read_number, offsetof(struct tracked, read_percent), &percent },
	{ "block_bytes", read_size, offsetof(struct tracked, bytes), NULL },
	{ 0 },
};

static const struct member_list tracked_list = {
	.element = { "", read_object_member, 0, tracked_members },
	.size = sizeof(struct tracked),
	.most = ARRAY_LEN(((struct workload *)0)->tracked),
	.count_offset = offsetof(struct workload, tracked_count),
};

static const char *const rules[] = { "none", "pts", "range", "slope", NULL };
static const char *const metrics[] = { "iops", "bytes_per_second", "mean_latency", NULL };

static const struct member steady_members[] = {
	{ "rule", read_word_member, offsetof(struct workload, steady.rule), rules },
	{ "metric", read_word_member, offsetof(struct workload, steady.metric), metrics },
	{ "window", read_unsigned, offsetof(struct workload, steady.window), &window_limits },
	{ "range_percent", read_number, offsetof(struct workload, steady.range_percent),
		&deviation_limits },
	{ "slope_percent", read_number, offsetof(struct workload, steady.slope_percent),
		&deviation_limits },
	{ "rounds_max", read_unsigned, offsetof(struct workload, steady.rounds_max),
		&rounds_limits },
	{ "rounds", read_flag_member, offsetof(struct workload, rounds), NULL },
	{ "tracked", read_list_member, offsetof(struct workload, tracked), &tracked_list },
	{ 0 },
};

static const struct member workload_members[] = {
	{ "schema", read_nothing, 0, NULL },
	{ "name", read_string, offsetof(struct workload, name), NULL },
	{ "about", read_string, offsetof(struct workload, about), NULL },
	{ "source", read_string, offsetof(struct workload, source), NULL },
	{ "streams", read_list_member, offsetof(struct workload, streams), &stream_list },
	{ "sweep", read_object_member, offsetof(struct workload, sweep), sweep_members },
	{ "stages", read_list_member, offsetof(struct workload, stages), &stage_list },
	{ "precondition", read_object_member, 0, precondition_members },
	{ "steady_state", read_object_member, 0, steady_members },
	{ "time_seconds", read_number, offsetof(struct workload, time_seconds), &seconds },
	{ "cooldown_seconds", read_number, offsetof(struct workload, cooldown_seconds), &seconds },
	{ "score_seconds", read_number, offsetof(struct workload, score_seconds), &seconds },
	{ "stop_drive_writes", read_number, offsetof(struct workload, stop_drive_writes),
		&passes_limits },
	{ "stop_bytes", read_bytes, offsetof(struct workload, stop_bytes), NULL },
	{ 0 },
};

static void check_sum(
	struct loader *loader, const struct place *place, double sum, const char *what)
{
	if (fabs(sum - 100) > 0.01)
		problem(loader, place, "the %s add up to %g, expected 100", what, sum);
}

static void check_zones(
	struct loader *loader, const struct place *place, const struct stream *stream)
{
	double access = 0, span = 0;

	for (size_t i = 0; i < stream->zone_count; i++) {
		access += stream->zones[i].access_percent;
		span += stream->zones[i].span_percent;
	}
	check_sum(loader, place, stream->zone_count ? access : 100, "zones' access percentages");
	check_sum(loader, place, stream->zone_count ? span : 100, "zones' span percentages");
}

/* What members leave out, and what they must agree on. */
static void check_stream(struct loader *loader, const struct place *place, struct stream *stream)
{
	double sum = 0;

	if (!stream->size_count && stream->sizes[0].bytes) {
		stream->sizes[0].percent = 100;
		stream->size_count = 1;
	}
	for (size_t i = 0; i < stream->size_count; i++) {
		sum += stream->sizes[i].percent;
		if (!stream->sizes[i].bytes)
			problem(loader, place, "a size without its bytes");
	}
	if (!stream->size_count)
		problem(loader, place, "expected block_bytes or sizes");
	check_sum(loader, place, sum, "sizes' percentages");
	check_zones(loader, place, stream);
	if (stream->once && stream->size_count > 1)
		problem(loader, place, "once wants one block size");
}

static void check_stages(struct loader *loader, struct workload *workload)
{
	struct place stages = { NULL, "stages", 0 };
	const struct sweep *sweep = &workload->sweep;

	for (size_t i = 0; i < workload->stage_count; i++) {
		struct stage *stage = &workload->stages[i];
		struct place here = { &stages, NULL, (int)i }, place = { &here, "stream", 0 };

		if (!*stage->name)
			problem(loader, &here, "expected a name");
		if (stage->stream.size_count || stage->stream.sizes[0].bytes)
			check_stream(loader, &place, &stage->stream);
	}
	if (workload->stage_count &&
		(sweep->thread_count || sweep->depth_count || sweep->read_count ||
			sweep->bytes_count || workload->rounds))
		problem(loader, NULL, "stages go with neither a sweep nor rounds");
}

static void check_workload(struct loader *loader, const cJSON *json, struct workload *workload)
{
	const cJSON *schema = cJSON_GetObjectItemCaseSensitive(json, "schema");
	struct place streams = { NULL, "streams", 0 };

	if (!cJSON_IsString(schema) || strcmp(schema->valuestring, "assay-workload-1") != 0)
		problem(loader, NULL, "expected \"schema\": \"assay-workload-1\"");
	if (!workload->name || !*workload->name)
		problem(loader, NULL, "expected a name");
	if (!workload->stream_count)
		problem(loader, NULL, "expected streams");
	for (size_t i = 0; i < workload->stream_count; i++) {
		struct place place = { &streams, NULL, (int)i };

		check_stream(loader, &place, &workload->streams[i]);
	}
	check_stages(loader, workload);
	if (workload->steady.rule == STEADY_NONE && (workload->rounds || workload->condition))
		problem(loader, NULL, "rounds and condition want a steady_state rule");
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

struct complaint {
	const char *file;
	struct error *error; /* of the first problem */
	bool made;
};

static void complain_once(struct loader *loader, const char *path, const char *text)
{
	struct complaint *complaint = loader->context;

	if (!complaint->made)
		error_set(complaint->error, EXIT_USAGE, "%s: %s%s%s", complaint->file, path,
			*path ? ": " : "", text);
	complaint->made = true;
}

struct workload *workload_load_text(struct workloads *workloads, const char *file, const char *text,
	size_t len, struct error *error)
{
	struct workload *workload = arena_alloc(workloads->arena, sizeof(*workload));
	struct complaint complaint = { file, error, false };
	struct loader loader = { workloads->arena, complain_once, &complaint };
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
		read_object(&loader, json, NULL, workload_members, workload);
		check_workload(&loader, json, workload);
	} else {
		problem(&loader, NULL, "expected JSON");
	}
	cJSON_Delete(json);
	if (complaint.made)
		return NULL;
	workloads->workloads = array_grow(
		workloads->workloads, workloads->count, sizeof(struct workload *));
	return workloads->workloads[workloads->count++] = workload;
}
