/* A workload as JSON that can be read again, and as a job file of fio. */
#include <inttypes.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "assay/workload.h"

static void add_text(cJSON *json, const char *name, const char *text)
{
	if (text && *text)
		cJSON_AddStringToObject(json, name, text);
}

static void add_number(cJSON *json, const char *name, double number)
{
	if (number > 0)
		cJSON_AddNumberToObject(json, name, number);
}

static cJSON *sizes_json(const struct stream *stream)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < stream->size_count; i++) {
		cJSON *size = cJSON_CreateObject();

		cJSON_AddNumberToObject(size, "bytes", stream->sizes[i].bytes);
		cJSON_AddNumberToObject(size, "percent", stream->sizes[i].percent);
		cJSON_AddItemToArray(list, size);
	}
	return list;
}

static void add_zones(cJSON *json, const struct stream *stream)
{
	cJSON *list = stream->zone_count ? cJSON_AddArrayToObject(json, "zones") : NULL;

	for (size_t i = 0; i < stream->zone_count; i++) {
		cJSON *zone = cJSON_CreateObject();

		cJSON_AddNumberToObject(zone, "access_percent", stream->zones[i].access_percent);
		cJSON_AddNumberToObject(zone, "span_percent", stream->zones[i].span_percent);
		cJSON_AddItemToArray(list, zone);
	}
}

static cJSON *stream_json(const struct stream *stream)
{
	cJSON *json = cJSON_CreateObject();

	add_text(json, "name", stream->name);
	cJSON_AddNumberToObject(json, "read_percent", stream->read_percent);
	cJSON_AddNumberToObject(json, "random_percent", stream->random_percent);
	if (stream->size_count == 1)
		cJSON_AddNumberToObject(json, "block_bytes", stream->sizes[0].bytes);
	else
		cJSON_AddItemToObject(json, "sizes", sizes_json(stream));
	add_zones(json, stream);
	add_number(json, "zipf", stream->zipf);
	if (stream->once)
		cJSON_AddTrueToObject(json, "once");
	add_number(json, "align_bytes", stream->align_bytes);
	add_number(json, "offset_bytes", (double)stream->offset_bytes);
	add_number(json, "span_bytes", (double)stream->span_bytes);
	add_number(json, "span_percent", stream->span_percent);
	cJSON_AddNumberToObject(json, "threads", stream->threads);
	cJSON_AddNumberToObject(json, "depth", stream->depth);
	add_number(json, "batch", stream->batch);
	add_number(json, "rate_iops", stream->rate_iops);
	if (stream->poisson)
		cJSON_AddTrueToObject(json, "poisson");
	add_number(json, "flush_every", stream->flush_every);
	add_number(json, "compressible_percent", stream->compressible_percent);
	add_number(json, "dedupe_percent", stream->dedupe_percent);
	if (stream->repeating)
		cJSON_AddTrueToObject(json, "repeating");
	return json;
}

static void add_unsigned(cJSON *json, const char *name, const unsigned *values, size_t count)
{
	cJSON *list = count ? cJSON_AddArrayToObject(json, name) : NULL;

	for (size_t i = 0; i < count; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber(values[i]));
}

static void add_sweep(cJSON *json, const struct sweep *sweep)
{
	cJSON *object, *list;

	if (!sweep->thread_count && !sweep->depth_count && !sweep->read_count &&
		!sweep->bytes_count)
		return;
	object = cJSON_AddObjectToObject(json, "sweep");
	add_unsigned(object, "threads", sweep->threads, sweep->thread_count);
	add_unsigned(object, "depth", sweep->depth, sweep->depth_count);
	add_unsigned(object, "block_bytes", sweep->bytes, sweep->bytes_count);
	list = sweep->read_count ? cJSON_AddArrayToObject(object, "read_percent") : NULL;
	for (size_t i = 0; i < sweep->read_count; i++)
		cJSON_AddItemToArray(list, cJSON_CreateNumber(sweep->read_percent[i]));
}

static void add_stages(cJSON *json, const struct workload *workload)
{
	cJSON *list = workload->stage_count ? cJSON_AddArrayToObject(json, "stages") : NULL;

	for (size_t i = 0; i < workload->stage_count; i++) {
		const struct stage *stage = &workload->stages[i];
		cJSON *object = cJSON_CreateObject();

		add_text(object, "name", stage->name);
		if (stage->stream.size_count)
			cJSON_AddItemToObject(object, "stream", stream_json(&stage->stream));
		add_number(object, "time_seconds", stage->time_seconds);
		add_number(object, "idle_seconds", stage->idle_seconds);
		cJSON_AddNumberToObject(object, "repeat", stage->repeat);
		cJSON_AddItemToArray(list, object);
	}
}

static void add_precondition(cJSON *json, const struct workload *workload)
{
	cJSON *object;

	if (!(workload->fill_passes > 0) && !workload->condition)
		return;
	object = cJSON_AddObjectToObject(json, "precondition");
	add_number(object, "fill_passes", workload->fill_passes);
	if (workload->fill_passes > 0)
		cJSON_AddNumberToObject(object, "fill_bytes", workload->fill_bytes);
	if (!workload->condition)
		return;
	cJSON_AddTrueToObject(object, "condition");
	cJSON_AddNumberToObject(object, "round_seconds", workload->condition_seconds);
	cJSON_AddNumberToObject(object, "seconds_max", workload->condition_seconds_max);
}

static void add_steady(cJSON *json, const struct workload *workload)
{
	static const char *const rules[] = { "none", "pts", "range", "slope" };
	static const char *const metrics[] = { "iops", "bytes_per_second", "mean_latency" };
	const struct steady_wanted *steady = &workload->steady;
	cJSON *object, *list;

	if (steady->rule == STEADY_NONE)
		return;
	object = cJSON_AddObjectToObject(json, "steady_state");
	cJSON_AddStringToObject(object, "rule", rules[steady->rule]);
	cJSON_AddStringToObject(object, "metric", metrics[steady->metric]);
	cJSON_AddNumberToObject(object, "window", steady->window);
	cJSON_AddNumberToObject(object, "range_percent", steady->range_percent);
	cJSON_AddNumberToObject(object, "slope_percent", steady->slope_percent);
	cJSON_AddNumberToObject(object, "rounds_max", steady->rounds_max);
	if (workload->rounds)
		cJSON_AddTrueToObject(object, "rounds");
	list = workload->tracked_count ? cJSON_AddArrayToObject(object, "tracked") : NULL;
	for (size_t i = 0; i < workload->tracked_count; i++) {
		cJSON *cell = cJSON_CreateObject();

		if (workload->tracked[i].read_percent >= 0)
			cJSON_AddNumberToObject(
				cell, "read_percent", workload->tracked[i].read_percent);
		add_number(cell, "block_bytes", workload->tracked[i].bytes);
		cJSON_AddItemToArray(list, cell);
	}
}

void workload_print(FILE *file, const struct workload *workload)
{
	cJSON *json = cJSON_CreateObject(), *streams;
	char *text;

	cJSON_AddStringToObject(json, "schema", "assay-workload-1");
	cJSON_AddStringToObject(json, "name", workload->name);
	add_text(json, "about", workload->about);
	add_text(json, "source", workload->source);
	streams = cJSON_AddArrayToObject(json, "streams");
	for (size_t i = 0; i < workload->stream_count; i++)
		cJSON_AddItemToArray(streams, stream_json(&workload->streams[i]));
	add_sweep(json, &workload->sweep);
	add_stages(json, workload);
	add_precondition(json, workload);
	add_steady(json, workload);
	cJSON_AddNumberToObject(json, "time_seconds", workload->time_seconds);
	add_number(json, "cooldown_seconds", workload->cooldown_seconds);
	add_number(json, "score_seconds", workload->score_seconds);
	add_number(json, "stop_drive_writes", workload->stop_drive_writes);
	add_number(json, "stop_bytes", (double)workload->stop_bytes);
	text = cJSON_Print(json);
	if (text)
		fprintf(file, "%s\n", text);
	cJSON_free(text);
	cJSON_Delete(json);
}
