/* Options of `assay bench`, and its parts. */
#ifndef ASSAY_CLI_BENCH_H
#define ASSAY_CLI_BENCH_H

#include "assay/measure.h"
#include "assay/verify.h"
#include "assay/purge.h"
#include "cli/cli.h"

enum { BENCH_WORKLOADS = 64 };

/* What the user wants otherwise than the workloads say; 0 and negative: not. */
struct bench_overrides {
	unsigned threads, depth;
	int batch; /* -1: as it is */
	uint32_t block_bytes;
	double read_percent, random_percent; /* -1: as they are */
	uint64_t span_bytes, offset_bytes;
	double span_percent;
	bool has_offset;
	double rate_iops; /* -1: as it is */
	bool poisson;
	uint32_t align_bytes;
	double compressible_percent, dedupe_percent; /* -1: as they are */
};

struct bench_options {
	struct options common;              /* format, output, verbose, quiet */
	const char *names[BENCH_WORKLOADS]; /* --workload, each */
	size_t name_count;
	struct bench_overrides overrides;
	struct measure_options measure;
	struct target_wanted wanted;
	enum purge_method purge;
	const char *meter; /* --meter; NULL: none */
	double meter_interval_seconds, temperature_interval_seconds;
	bool judge_heat;    /* against the datasheet: claims of temperature and power */
	const char *compat; /* "fio-json"; NULL */
	const char *export; /* of `export`: "fio" */
};

/* Reads them; leaves the operands at argv[optind]. -1, or the exit status with
 * which to end. */
int bench_options_read(int argc, char **argv, struct bench_options *options);
void bench_options_deinit(struct bench_options *options);

/* A copy of a workload with the overrides in it, in the arena. */
const struct workload *bench_override(const struct workload *workload,
	const struct bench_overrides *overrides, struct arena *arena);

/* Progress on the terminal's last line. */
void bench_progress(void *context, const struct measure_progress *progress);

/* What --purge does before a run: struct measure_options, purge. */
struct bench_purge {
	struct target *target;
	const struct bench_options *options;
	const struct facts *drive;
};
int bench_purge(void *purge, struct error *error);

/* What the drive says of itself: nothing where it is no drive, or not SCSI.
 * Both are initialised in any case. */
void ask_drive(const char *path, const struct options *options, struct capture *capture,
	struct facts *facts);
/* Who was measured, and in which state it is now. */
void copy_identity(const struct facts *after, struct facts *facts);
/* "3 min 05 s" */
void time_text(double seconds, char *text, size_t size);

/* What a datasheet says of heat and power, against what was just measured. The
 * ratings become facts of `after`. */
void bench_judge_heat(
	struct facts *after, struct facts *measured, struct verification *verification);

/* `assay bench TARGET`; signals are handled while it runs. */
int bench_target(const char *path, struct bench_options *options, struct workloads *workloads);

#endif
