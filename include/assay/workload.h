/*
 * Workloads: which I/O is issued, as data. One JSON file each (assay-workload(5)).
 * A workload has streams, which run side by side; points, which run one after
 * the other (the sweep); and what is done before (preconditioning) and until
 * when (steady state).
 *
 * Everything here is owned by the arena that it was loaded to.
 */
#ifndef ASSAY_WORKLOAD_H
#define ASSAY_WORKLOAD_H

#include "assay/arena.h"
#include "assay/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
	STREAM_SIZES = 16,
	STREAM_ZONES = 16,
	WORKLOAD_STREAMS = 4,
	SWEEP_VALUES = 32,
	WORKLOAD_STAGES = 16,
	IO_BYTES_MAX = 64 << 20,
	THREADS_MAX = 256,
	DEPTH_MAX = 4096,
};

/* So many percent of the accesses have this size. */
struct size_share {
	uint32_t bytes;
	double percent;
};

/* So many percent of the accesses go to this part of the span; zones follow
 * one another. */
struct zone {
	double access_percent, span_percent;
};

/* Accesses of one kind. */
struct stream {
	const char *name; /* "log"; "" of a workload with one stream */
	double read_percent;
	double random_percent; /* the others follow the access before */
	struct size_share sizes[STREAM_SIZES];
	size_t size_count;
	struct zone zones[STREAM_ZONES]; /* none: uniform */
	size_t zone_count;
	double zipf;                 /* exponent of the popularity of blocks; 0: uniform */
	uint64_t offset_bytes;       /* where the span begins */
	uint64_t span_bytes;         /* 0: by span_percent */
	double span_percent;         /* of what is behind the offset */
	double rate_iops;            /* open loop, all threads together; 0: as fast as it goes */
	double compressible_percent; /* of the data */
	double dedupe_percent;       /* of the blocks have the same data */
	uint32_t align_bytes;        /* of addresses; 0: the smallest size */
	unsigned threads, depth;     /* outstanding: threads x depth */
	unsigned batch;              /* I/Os submitted and reaped at once; 0: by the depth */
	unsigned flush_every;        /* writes of a thread; 0: no flushes */
	bool poisson;                /* open loop: at random times, this rate in the mean */
	bool once;                   /* every block of the span exactly once, then it ends */
	bool repeating;              /* every block has the same data */
};

enum steady_metric { STEADY_IOPS, STEADY_BYTES_PER_SECOND, STEADY_MEAN_LATENCY };
enum steady_rule { STEADY_NONE, STEADY_PTS, STEADY_RANGE, STEADY_SLOPE };

/* When a series of rounds has settled. */
struct steady_wanted {
	enum steady_rule rule;
	enum steady_metric metric;
	unsigned window;      /* rounds that are looked at: 5 */
	double range_percent; /* of the average, highest less lowest: 20 */
	double slope_percent; /* of the average, fitted line's rise over the window: 10 */
	unsigned rounds_max;  /* 25 */
};

/* A value of a dimension of the sweep, or what stands in its place. */
struct sweep {
	unsigned threads[SWEEP_VALUES], depth[SWEEP_VALUES];
	size_t thread_count, depth_count;
	double read_percent[SWEEP_VALUES];
	size_t read_count;
	uint32_t bytes[SWEEP_VALUES];
	size_t bytes_count;
};

/* A part of a workload that runs its parts one after the other. */
struct stage {
	const char *name;
	struct stream stream; /* in place of the first one; no size: the workload's own */
	double time_seconds;  /* of its accesses; 0: the workload's */
	double idle_seconds;  /* behind them the drive is left alone */
	unsigned repeat;      /* so often, both */
};

/* Points on which the steady state of rounds is tracked; a value that is 0 or
 * negative is that of any point. */
struct tracked {
	double read_percent;
	uint32_t bytes;
};

struct workload {
	const char *name, *about, *source;
	const char *file; /* that it was read from */
	struct stream streams[WORKLOAD_STREAMS];
	size_t stream_count;
	struct sweep sweep; /* of the first stream */
	struct stage stages[WORKLOAD_STAGES];
	size_t stage_count; /* the points, in place of a sweep; 0: none */

	double fill_passes;  /* whole writes of the span beforehand */
	uint32_t fill_bytes; /* size of their accesses: 128 KiB */
	bool condition; /* the first stream itself, at its own threads and depth, until steady */
	double condition_seconds;     /* of one of its rounds */
	double condition_seconds_max; /* in all */

	struct steady_wanted steady;
	bool rounds; /* the whole sweep is repeated until steady */
	struct tracked tracked[4];
	size_t tracked_count;

	double time_seconds;      /* of a point */
	double cooldown_seconds;  /* between points */
	double score_seconds;     /* the result is of the last so many seconds; 0: of all */
	double stop_drive_writes; /* a point ends after so many spans were written; 0: not */
	uint64_t stop_bytes;      /* or so many bytes were moved; 0: not */
};

struct workloads {
	struct workload **workloads;
	size_t count;
	struct arena *arena;
};

void workloads_init(struct workloads *workloads);
void workloads_deinit(struct workloads *workloads);

/* Reads one file, or text. NULL and *error ("file: streams[0].depth: expected
 * a whole number from 1 to 4096") where it is none. */
struct workload *workload_load(struct workloads *workloads, const char *file, struct error *error);
struct workload *workload_load_text(struct workloads *workloads, const char *file, const char *text,
	size_t len, struct error *error);
/* Loads the folders "workloads" of data.h, in their order. A name in an earlier
 * folder hides the same one in a later. */
int workloads_load_all(struct workloads *workloads, struct error *error);
/* The workload of that name in these folders, or of that path: without loading
 * the others where its file is called as it is. NULL and *error: none. */
const struct workload *workload_get(
	struct workloads *workloads, const char *name, struct error *error);
/* The workload of that name among the loaded ones, or NULL. */
const struct workload *workload_find(const struct workloads *workloads, const char *name);

/* Its JSON, whole, so that it can be changed and given back. */
void workload_print(FILE *file, const struct workload *workload);
/* A job file for fio that makes the same accesses to `target`; what fio cannot
 * do is said in comments. */
void workload_export_fio(FILE *file, const struct workload *workload, const char *target);

/* How many points a workload has, and the streams of one of them: room for its
 * stream_count. */
size_t workload_point_count(const struct workload *workload);
void workload_point(const struct workload *workload, size_t point, struct stream *streams);

/* Whether it writes at all: fills, preconditioning and points. */
bool workload_writes(const struct workload *workload);
/* The bytes that a stream writes of each byte that it moves: 0 to 1. */
double stream_write_share(const struct stream *stream);
/* The sizes of a stream's accesses: by their shares, and the ends. */
double stream_mean_bytes(const struct stream *stream);
uint32_t stream_largest_bytes(const struct stream *stream);
uint32_t stream_smallest_bytes(const struct stream *stream);

/* Makes a stream possible on a target of so many bytes with such logical
 * blocks: sizes and alignment are rounded up to them, the span cut to what is
 * there. *rounded tells whether a size had to be. -1 and *error where nothing
 * fits. Afterwards span_bytes, align_bytes and batch are not 0. */
int stream_fit(struct stream *stream, uint64_t size_bytes, uint32_t block_bytes, bool *rounded,
	struct error *error);

/* A number with a unit as on the command line: "4k", "128KiB", "1g", "2MB".
 * k, m, g, t and KiB... are powers of 1024, kB, MB... of 1000. False where it is none. */
bool bytes_parse(const char *text, uint64_t *bytes);

#endif
