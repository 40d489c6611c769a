/*
 * The engine: issues the accesses of streams to a target and records the
 * latency of each. A thread is one io_uring; where the kernel refuses that,
 * threads that read and write synchronously take its place.
 */
#ifndef ASSAY_ENGINE_H
#define ASSAY_ENGINE_H

#include "assay/histogram.h"
#include "assay/workload.h"

#include <signal.h>

enum io_kind { IO_READ, IO_WRITE, IO_FLUSH, IO_KINDS };

enum engine_kind {
	ENGINE_AUTO, /* uring where it can be had, else sync */
	ENGINE_URING,
	ENGINE_SYNC, /* threads x depth threads with one access each */
	ENGINE_NONE, /* no device: io_uring that does nothing; measures the engine */
};

/* As --engine has it: "auto", "uring", "sync", "none". Static. */
const char *engine_name(enum engine_kind kind);

/* What blocks that were read turned out to be. */
enum stamp_verdict {
	STAMP_GOOD,
	STAMP_CORRUPT,     /* a stamp or data whose checksum is wrong: flipped bits */
	STAMP_MISDIRECTED, /* a whole block that was written to another place */
	STAMP_STALE,       /* an earlier one of this run: what was written later is gone */
	STAMP_LOST,        /* nothing of this run: the write never came to the medium */
	STAMP_VERDICTS,
};

/* "good", "corrupt", ...: as tables have it. Static. */
const char *stamp_verdict_name(enum stamp_verdict verdict);

/* A second of the series, or what is left of one at the end. */
struct engine_second {
	uint64_t index; /* from 0 */
	uint64_t count[IO_KINDS], bytes[IO_KINDS];
	double mean_us; /* of reads and writes */
	double p50_us, p99_us, max_us;
};

/* What went wrong, of one kind. */
struct engine_fault {
	int os_error; /* 0: moved less than was asked */
	enum io_kind kind;
	uint64_t first_offset, count;
};

/* A block that is not what was written to it. */
struct engine_finding {
	enum stamp_verdict verdict;
	uint64_t offset;
	uint64_t expected_sequence;
	uint64_t found_offset, found_sequence; /* of a whole block */
};

enum { ENGINE_FAULTS = 16, ENGINE_FINDINGS = 64 };

struct engine_job {
	const struct stream *streams; /* that fit: stream_fit() */
	size_t stream_count;
	int file; /* open for what the streams do; of ENGINE_NONE -1 */
	enum engine_kind kind;
	double seconds;                /* 0: no limit */
	double score_seconds;          /* the totals are of the last so many; 0: of all */
	uint64_t stop_ios, stop_bytes; /* 0: no limit */
	uint64_t seed;                 /* of the accesses */
	uint64_t run;                  /* in every stamp */
	uint64_t errors_max; /* ends after so many; a target that is gone ends it at once */
	bool verify;         /* check all that is read, and at the end all that was written */
	bool no_latency;     /* record none: what recording costs */
	const volatile sig_atomic_t *stop; /* set by a signal: end now; NULL: none */
	/* Called by the caller's thread about once a second; NULL: nobody looks. */
	void (*progress)(void *context, const struct engine_second *second);
	void *context;
};

struct engine_result {
	enum engine_kind kind; /* that was used */
	char why[128];         /* why it is not io_uring, or which features it lacks; "" */
	double seconds;        /* of the totals */
	int64_t began_ns;      /* CLOCK_MONOTONIC: of the first second */
	int64_t scored_ns;     /* and of the totals */
	struct histogram latency[IO_KINDS]; /* of all that succeeded */
	uint64_t bytes[IO_KINDS];
	uint64_t written_bytes;              /* with what is not in the totals: how much wear */
	double outstanding;                  /* the mean over the time */
	struct histogram service;            /* open loop: from when each was given to the kernel */
	double user_seconds, system_seconds; /* of the processor, whole process */
	struct engine_second *series;        /* owned */
	size_t series_count;
	struct engine_fault faults[ENGINE_FAULTS];
	size_t fault_count;
	uint64_t error_count;
	bool gone, stopped;       /* the target vanished; the stop flag was set */
	uint64_t verified_blocks; /* of 512 bytes */
	uint64_t verdicts[STAMP_VERDICTS];
	struct engine_finding findings[ENGINE_FINDINGS]; /* the first ones */
	size_t finding_count;
};

/* Runs a job. Errors of accesses are in the result; -1 and *error is a job that
 * could not be started. The result is initialised in any case. */
int engine_run(const struct engine_job *job, struct engine_result *result, struct error *error);
void engine_result_deinit(struct engine_result *result);

/* Reads and writes together; *latency is initialised. */
void engine_result_latency(const struct engine_result *result, struct histogram *latency);
/* Those of one kind that succeeded, a second of the totals; 0 where these took no time. */
double engine_result_iops(const struct engine_result *result, enum io_kind kind);

#endif
