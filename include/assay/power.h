/*
 * Power states, measured: each is entered, proved without waking the drive, and
 * left by a read that no cache can answer. What is changed meanwhile is written
 * down first and is as before afterwards.
 */
#ifndef ASSAY_POWER_H
#define ASSAY_POWER_H

#include <signal.h>

#include "assay/command.h"
#include "assay/decoder.h"
#include "assay/meter.h"
#include "assay/workload.h"

/* The parts of a run. */
enum power_part {
	POWER_STATES = 1 << 0, /* enter and leave each state */
	POWER_LEVELS = 1 << 1, /* work at each power consumption level */
	POWER_APM = 1 << 2,    /* first accesses after a pause, at each APM level */
	POWER_LINK = 1 << 3,   /* the same under each link policy of the host */
	POWER_TIMERS = 1 << 4, /* does it go to sleep when it says */
};

enum { POWER_NAMES = 16, POWER_GAPS = 16 };

struct power_options {
	unsigned parts;                 /* POWER_... */
	unsigned repeat;                /* how often each state is entered */
	double dwell_seconds;           /* in a state; negative: 5 in an idle one, 30 in others */
	double timer_seconds;           /* that a timer under test is set to */
	double level_seconds;           /* that a workload runs on each level */
	double gap_seconds[POWER_GAPS]; /* pauses before a first access */
	size_t gap_count;
	const char *states[POWER_NAMES]; /* only these; none: all that are supported */
	size_t state_count;
	bool with_sleep;
	/* What the timer of STANDBY is set to behind its test, "off" or seconds, for no drive
	 * tells what it was; NULL: then it is not tested. */
	const char *standby_timer;
	const struct workload *workload; /* for levels; NULL: 4 KiB random reads */
	const char *destroy;             /* serial number, where that workload writes */
	bool force;                      /* that workload may write over a file system */
	struct meter *meter;             /* NULL: none */
	struct command_limits limits;
	const char *journal;               /* file of what is to be restored */
	const volatile sig_atomic_t *stop; /* set by a signal: end now; NULL: none */
	/* A setting is as before again, in words; NULL: nobody looks. */
	void (*restored)(void *context, const char *what);
	/* Where it is, for people; NULL: nobody looks. */
	void (*progress)(void *context, const char *text);
	void *context;
};

/* Time as the run sees it: tests have their own. */
struct power_clock {
	int64_t (*now_us)(void *context); /* monotonic */
	void (*sleep_us)(void *context, int64_t us);
	void *context;
};

/* The drive, and what it said of itself before. Owns nothing. */
struct power_subject {
	struct transport *transport;
	const struct capture *capture;
	const struct facts *facts;
	const char *node;         /* of the block device; "" where there is none */
	const char *sysfs;        /* "/sys" */
	struct power_clock clock; /* zeros: the monotonic clock */
};

enum power_end {
	POWER_COMPLETE,
	POWER_STOPPED, /* by the user */
	POWER_SILENT,  /* the drive does not answer any more */
};

/* What a run takes at most, and the cycles that it costs. */
struct power_estimate {
	double seconds;
	unsigned state_count;
	unsigned cycle_count; /* entries of states that stop a spindle or unload heads */
};
void power_estimate(const struct power_subject *subject, const struct power_options *options,
	struct power_estimate *estimate);

/* Runs the parts; what is measured is added to facts as it comes. All settings
 * are restored at the end of any kind; which could not be is a note, and stays
 * in the journal for power_restore(). -1 and *error where it could not begin: the
 * journal cannot be written, or an earlier run left one. */
int power_run(const struct power_subject *subject, const struct power_options *options,
	struct facts *facts, enum power_end *end, struct error *error);

/* Restores what a run left changed: 0 where all is as before it, or where
 * nothing is to be done; *count of settings were restored. -1 and *error where
 * not: the journal is kept. */
int power_restore(const struct power_subject *subject, const struct power_options *options,
	size_t *count, struct error *error);

/* What the run cost, by the drive's own counters before and after. */
void power_cost(const struct facts *before, const struct facts *after, struct facts *facts);

/* The name of each state's facts: "idle_a"; NULL at the end. measured: the key
 * of the measured recovery time; claimed: of the drive's own word for it. */
struct power_recovery {
	const char *state, *measured, *claimed, *claim_key;
};
extern const struct power_recovery power_recoveries[];

/* The keys and tables, as a topic. */
extern const struct decoder decoder_measured_power;

#endif
