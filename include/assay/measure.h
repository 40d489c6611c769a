/*
 * Measurements: a plan of workloads run on one target, safely, with what was
 * measured as facts and tables.
 */
#ifndef ASSAY_MEASURE_H
#define ASSAY_MEASURE_H

#include "assay/engine.h"
#include "assay/fact.h"
#include "assay/meter.h"
#include "assay/thermometer.h"
#include "assay/workload.h"

/* ---- Steady state ---- */

/* What the last rounds look like. */
struct steady_state {
	bool enough; /* as many rounds as the window wants */
	bool attained;
	double average;       /* of the window */
	double range_percent; /* highest less lowest, of the average */
	double slope_percent; /* rise of the fitted line over the window, of the average */
};

/* Whether the last `window` of these rounds have settled by the rule:
 *   STEADY_PTS    range and slope are within their limits (SNIA SSS PTS 2.0.1)
 *   STEADY_RANGE  the range alone
 *   STEADY_SLOPE  the slope alone */
struct steady_state steady_state_of(
	const struct steady_wanted *wanted, const double *rounds, size_t count);

/* ---- The target ---- */

struct target_wanted {
	bool write;          /* something will be written */
	const char *serial;  /* of the drive; "" where it has none: the node's name counts */
	const char *destroy; /* the serial number that the user gave; NULL: none */
	bool force;          /* in spite of a file system or a partition table */
	uint64_t file_bytes; /* of a regular file; 0: as it is */
};

struct target {
	const char *path;
	int file; /* -1: not open */
	uint64_t size_bytes;
	uint32_t block_bytes; /* logical */
	bool regular, direct, created;
	char sysfs[128]; /* "/sys/dev/block/8:0"; "" of a regular file */
};

/* Opens a target and checks that nothing can be harmed. What is written to must
 * be given by its own serial number, must not be mounted, held or swapped to,
 * nor be a member of a RAID or a volume group; where it holds anything else it
 * wants force. A regular file is made where there is none. */
int target_open(const char *path, const struct target_wanted *wanted, struct target *target,
	struct error *error);
void target_close(struct target *target);
/* Whether anybody uses a block device, "sda", or one of its partitions: it is
 * mounted, held or swapped to. 0, or -1 and *error. */
int target_check_unused(const char *name, struct error *error);
/* Discards all blocks (BLKDISCARD; of a file: punches it out). */
int target_discard(struct target *target, struct error *error);
/* Neither a regular file nor a partition. */
bool target_is_whole_drive(const struct target *target);
/* By the kernel's hwmon; false where it has none. */
bool target_temperature(const struct target *target, double *celsius);

/* What on this host would spoil the numbers, as verdicts' texts. */
struct doctor_finding {
	const char *id;
	bool bad;
	char text[160];
};
enum { DOCTOR_FINDINGS = 16 };
size_t doctor_examine(const struct target *target, struct doctor_finding *findings);

/* ---- The run ---- */

/* Where a run is, for people. */
struct measure_progress {
	const struct workload *workload;
	const char *phase; /* "idle", "fill", "condition", "measure", "cool-down" */
	unsigned round;
	size_t point, point_count;
	const struct engine_second *second; /* NULL: none yet */
	double seconds_left;                /* of all, at most; 0: not known */
};

struct measure_options {
	enum engine_kind engine;
	double time_seconds;     /* in place of every point's; 0: as the workload says */
	double cooldown_seconds; /* negative: as the workload says */
	unsigned rounds_max;     /* 0: as the workload says */
	bool no_precondition;
	bool verify, no_latency;
	uint64_t stop_bytes, stop_ios;
	double stop_drive_writes; /* of all together; 0: no limit */
	double stop_celsius;      /* 0: no limit */
	double idle_seconds;      /* before all, the drive is left alone for so long; 0: not */
	/* The run ends once the temperature has not changed for so long, or heat slows
	 * the drive down; 0: not. And the drive's own limit; 0: not known. */
	double settle_seconds, limit_celsius;
	double cooling_seconds;          /* behind all, its temperature is followed; 0: not */
	struct meter *meter;             /* NULL: none */
	struct thermometer *thermometer; /* NULL: hwmon, where there is one */
	uint64_t seed;
	const char *state_file; /* NULL: none */
	/* Empties the target before all else; NULL: it stays as it is. Not done again
	 * where a run goes on. */
	int (*purge)(void *purge_context, struct error *error);
	void *purge_context;
	const char *purge_name;      /* "sanitize-block" */
	volatile sig_atomic_t *stop; /* set by a signal: end now; the run sets it at its limits */
	void (*progress)(void *context, const struct measure_progress *progress);
	void *context;
};

/* How a run ended. */
enum measure_end {
	MEASURE_COMPLETE,
	MEASURE_STOPPED, /* by the user */
	MEASURE_LIMIT,   /* drive writes or temperature */
	MEASURE_FAILED,  /* too many errors, or the target is gone */
};

/* Runs workloads one after the other; what is measured is added to facts as it
 * comes. -1 and *error where one could not begin; what was measured until then
 * stays. */
int measure_run(struct target *target, const struct workload *const *workloads, size_t count,
	const struct measure_options *options, struct facts *facts, enum measure_end *end,
	struct error *error);

/* What heat did to a run: its slowdowns and their causes, from its series; what
 * the drive's own limits and counters say, which were read before and after. */
void measure_heat(struct facts *measured, const struct facts *before, const struct facts *after);

/* How long a run takes at most, and what its fills write. */
void measure_estimate(const struct target *target, const struct workload *const *workloads,
	size_t count, const struct measure_options *options, double *seconds, uint64_t *fill_bytes);

/* The facts about the host and the target: before and after a run. */
void measure_conditions(const struct target *target, struct facts *facts);

/* What the drive's own counters of bytes, wear and errors went up by from one
 * look at it to another, as facts of a run, with the write amplification where
 * it tells both. One that went down, or is told once, gives nothing. */
void measure_counters(const struct facts *before, const struct facts *after, struct facts *facts);

/* The results as fio's JSON, which plotting programs read. 0, or -EIO of the stream. */
int measure_fio_json(FILE *file, const struct facts *facts);

/* The keys and tables of a measurement, as a topic. */
extern const struct decoder decoder_bench;

#endif
