/* A workload as a job file of fio that makes the same accesses. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "assay/workload.h"

/* "randrw", "read", ...: fio's word for a mix. */
static const char *direction(const struct stream *stream)
{
	bool random = stream->random_percent > 0;

	if (stream->read_percent >= 100)
		return random ? "randread" : "read";
	if (stream->read_percent <= 0)
		return random ? "randwrite" : "write";
	return random ? "randrw" : "rw";
}

static void print_sizes(FILE *file, const struct stream *stream)
{
	if (stream->size_count == 1) {
		fprintf(file, "bs=%" PRIu32 "\n", stream->sizes[0].bytes);
		return;
	}
	/* fio's shares are whole percents; the last one takes what is left */
	fputs("bssplit=", file);
	for (size_t i = 0; i < stream->size_count; i++)
		fprintf(file, "%s%" PRIu32 "/%.0f", i ? ":" : "", stream->sizes[i].bytes,
			stream->sizes[i].percent);
	fputs("\n", file);
}

static void print_addresses(FILE *file, const struct stream *stream)
{
	if (stream->random_percent > 0 && stream->random_percent < 100)
		fprintf(file, "percentage_random=%.0f\n", stream->random_percent);
	if (stream->random_percent > 0 && !stream->once)
		fputs("norandommap\nrandom_generator=tausworthe64\n", file);
	if (stream->once)
		fputs("random_generator=lfsr\n", file);
	if (stream->align_bytes)
		fprintf(file, "blockalign=%" PRIu32 "\n", stream->align_bytes);
	if (stream->zipf > 0)
		fprintf(file, "random_distribution=zipf:%g\n", stream->zipf);
	if (stream->zone_count) {
		fputs("random_distribution=zoned", file);
		for (size_t i = 0; i < stream->zone_count; i++)
			fprintf(file, ":%.0f/%.0f", stream->zones[i].access_percent,
				stream->zones[i].span_percent);
		fputs("\n", file);
	}
	if (stream->offset_bytes)
		fprintf(file, "offset=%" PRIu64 "\n", stream->offset_bytes);
	if (stream->span_bytes)
		fprintf(file, "size=%" PRIu64 "\n", stream->span_bytes);
	else if (stream->span_percent > 0)
		fprintf(file, "size=%.0f%%\n", stream->span_percent);
}

static void print_data(FILE *file, const struct stream *stream)
{
	if (stream->read_percent >= 100)
		return;
	if (stream->repeating)
		fputs("scramble_buffers=0\n", file);
	else
		fputs("refill_buffers\n", file);
	if (stream->compressible_percent > 0)
		fprintf(file, "buffer_compress_percentage=%.0f\n", stream->compressible_percent);
	if (stream->dedupe_percent > 0)
		fprintf(file, "dedupe_percentage=%.0f\n", stream->dedupe_percent);
	if (stream->flush_every)
		fprintf(file, "fdatasync=%u\n", stream->flush_every);
}

static void print_stream(FILE *file, const struct stream *stream)
{
	fprintf(file, "rw=%s\n", direction(stream));
	if (stream->read_percent > 0 && stream->read_percent < 100)
		fprintf(file, "rwmixread=%.0f\n", stream->read_percent);
	print_sizes(file, stream);
	print_addresses(file, stream);
	fprintf(file, "numjobs=%u\niodepth=%u\n", stream->threads, stream->depth);
	if (stream->batch > 1)
		fprintf(file,
			"iodepth_batch_submit=%u\niodepth_batch_complete_min=%u\n"
			"iodepth_batch_complete_max=%u\n",
			stream->batch, stream->batch, stream->depth);
	if (stream->rate_iops > 0)
		fprintf(file, "rate_iops=%.0f\n%s", ceil(stream->rate_iops / stream->threads),
			stream->poisson ? "rate_process=poisson\n" : "");
	if (!(stream->random_percent > 0) && stream->threads > 1)
		fprintf(file, "offset_increment=%u%%\n", 100 / stream->threads);
	print_data(file, stream);
}

/* What fio has no word for is a comment. */
static void print_stage(FILE *file, const struct workload *workload, const struct stage *stage)
{
	double seconds = stage->time_seconds > 0 ? stage->time_seconds : workload->time_seconds;

	if (stage->repeat > 1)
		fprintf(file,
			"; assay repeats this %u times for %g s each, with %g s of rest behind "
			"each\n",
			stage->repeat, seconds, stage->idle_seconds);
	fprintf(file, "runtime=%.0f\n", seconds * stage->repeat);
}

static void print_point(FILE *file, const struct workload *workload, size_t point)
{
	const struct stage *stage = workload->stage_count ? &workload->stages[point] : NULL;
	struct stream streams[WORKLOAD_STREAMS];

	workload_point(workload, point, streams);
	for (size_t i = 0; i < workload->stream_count; i++) {
		const char *name = stage ? stage->name : streams[i].name;

		fprintf(file, "\n[%s-%zu%s%s]\n%s", workload->name, point, *name ? "-" : "", name,
			!i && (point || workload->fill_passes > 0) ? "stonewall\n" : "");
		if (stage)
			print_stage(file, workload, stage);
		print_stream(file, &streams[i]);
	}
}

void workload_export_fio(FILE *file, const struct workload *workload, const char *target)
{
	fprintf(file, "; %s: %s\n; source: %s\n", workload->name, workload->about,
		workload->source);
	if (workload->condition || workload->steady.rule != STEADY_NONE)
		fputs("; not in this file: preconditioning until steady, rounds, the steady-state "
		      "rule\n",
			file);
	fprintf(file,
		"\n[global]\nfilename=%s\nioengine=io_uring\ndirect=1\nthread\n"
		"group_reporting\ntime_based\nruntime=%.0f\n",
		target, workload->time_seconds);
	if (workload->fill_passes > 0)
		fprintf(file,
			"\n[fill]\nrw=write\nbs=%" PRIu32 "\niodepth=8\nloops=%.0f\n"
			"time_based=0\nrefill_buffers\n",
			workload->fill_bytes, ceil(workload->fill_passes));
	for (size_t i = 0; i < workload_point_count(workload); i++)
		print_point(file, workload, i);
}
