/* Meters, for their parts. */
#ifndef ASSAY_MEASURE_METER_H
#define ASSAY_MEASURE_METER_H

#include <sys/types.h>

#include "assay/arena.h"
#include "assay/meter.h"

enum { METER_TERMS = 8 };

/* What a term's factor is read from, in base units. */
struct meter_factor {
	const char *path; /* NULL: a constant */
	double value;     /* of the constant */
	double scale;     /* of the number in the file */
	bool counter;     /* joules that add up */
	bool written;     /* new only where its file was written */
	struct timespec written_at;
	double last_joules;
	int64_t last_ns; /* of the counter; 0: not read yet */
};

struct meter_term {
	struct meter_factor factors[2];
	size_t factor_count;
};

/* A meter that is read: a sum of products. */
struct meter_registers {
	struct meter_term terms[METER_TERMS];
	size_t term_count;
};

/* A meter that tells: lines that come when it likes. */
struct meter_stream {
	int file;    /* -1: closed */
	pid_t child; /* of cmd:; 0: none */
	char line[256];
	size_t len;
	bool skip; /* the rest of a line that is too long */
};

enum meter_reading {
	METER_NONE, /* nothing new */
	METER_READ,
	METER_BAD, /* something that is no reading */
};

/* hwmon:, rail:, file:, const:; -1 and *error where it is not understood. */
int meter_registers_parse(struct meter_registers *registers, const char *spec, const char *sysfs,
	struct arena *arena, struct error *error);
enum meter_reading meter_registers_read(
	struct meter_registers *registers, int64_t *ns, double *watts);

/* cmd:, fifo:. */
int meter_stream_open(struct meter_stream *stream, const char *spec, struct error *error);
void meter_stream_close(struct meter_stream *stream);
/* Takes what came and calls reading() for each line. False: there will be no more,
 * and why. */
bool meter_stream_read(struct meter_stream *stream,
	void (*reading)(void *context, enum meter_reading kind, int64_t ns, double watts),
	void *context, char *why, size_t size);
/* "WATTS" or "NANOSECONDS WATTS". */
enum meter_reading meter_line(const char *line, int64_t now_ns, int64_t *ns, double *watts);

#endif
