/* What the parts of a power run share. */
#ifndef ASSAY_MEASURE_POWER_H
#define ASSAY_MEASURE_POWER_H

#include "assay/power.h"
#include "measure/watts.h"

/* ---- Settings: read, written down, changed, restored ---- */

enum setting_kind {
	SETTING_STATE,     /* the drive is active, and its timers run */
	SETTING_MODE_PAGE, /* name: page and subpage, "1a/01" */
	SETTING_APM,
	SETTING_EPC,
	SETTING_EPC_TIMER, /* name: the power condition */
	SETTING_LINK,      /* name: the host's adapter, "host3" */
	SETTING_SLEEP,     /* SLEEP has ended */
	SETTING_STANDBY_TIMER,
	SETTING_KINDS
};

enum { SETTINGS = 24, SETTING_NAME = 160, SETTING_VALUE = 640, SETTING_TEXT = 256 };

struct setting {
	enum setting_kind kind;
	char name[SETTING_NAME];
	char value[SETTING_VALUE]; /* before it was touched */
};

struct settings {
	struct setting settings[SETTINGS];
	size_t count;
	char serial[64];
};

/* The journal (assay-power(1), FILES): whole or not at all, and on the medium
 * when it returns. An empty list takes the file away. */
int journal_write(const char *path, const struct settings *settings, struct error *error);
/* count 0 where there is no file. */
int journal_read(const char *path, struct settings *settings, struct error *error);

/* ---- The run ---- */

/* Addresses that are far from each other and come once only. */
struct addresses {
	uint64_t slots, stride, next;
	uint32_t slot_blocks;
	uint64_t given;
};
void addresses_init(
	struct addresses *addresses, uint64_t blocks, uint32_t block_bytes, uint64_t seed);
uint64_t addresses_next(struct addresses *addresses);

struct power {
	const struct power_subject *subject;
	const struct power_options *options;
	struct power_clock clock;
	struct session session;
	unsigned timeout_ms; /* of a command */
	struct facts *facts;
	struct error *error;
	bool ata;
	uint64_t blocks;
	uint32_t block_bytes, read_blocks;
	bool no_fua; /* the drive refuses it */
	struct addresses addresses;
	double baseline_us, baseline_most_us;
	bool restoring; /* a signal does not end that */
	const char *sleep_ended_by;
	char restored[1024]; /* for people: all that is as before again */
	struct settings settings;
	struct watts_total watts;
};

/* ---- power_device.c ---- */

void power_init(struct power *power, const struct power_subject *subject,
	const struct power_options *options, struct facts *facts, struct error *error);
/* Whether nothing more is to be sent: a signal, or a drive that is silent. */
bool power_is_over(const struct power *power);
int64_t power_now_us(const struct power *power);
/* Sleeps in short pieces; false where a signal ended it. */
bool power_sleep(struct power *power, double seconds);
void power_tell(const struct power *power, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Sends; true where the answer is GOOD or as good. us may be NULL. */
bool power_send(struct power *power, const struct cdb *cdb, uint8_t *in, struct bytes out,
	struct outcome *outcome, double *us);
/* Why it failed, in words. */
const char *power_why(const struct outcome *outcome, char *text, size_t size);
/* Fetches a page; at NULL where it did not come. */
struct bytes power_page(struct power *power, struct page_id id, size_t len, uint8_t *data);

/* The state, by a command that does not change it: a word of power_state_of_...(). */
const char *power_state_now(struct power *power, bool may_be_stopped);
/* One access to an address that was not read before. */
bool power_read(struct power *power, struct outcome *outcome, double *us);
/* So many of them, one after the other: latencies. Returns how many came. */
size_t power_reads(struct power *power, double *us, size_t count);
/* Active, and under the control of its timers. */
bool power_make_active(struct power *power);

/* Ends SLEEP, in which a drive answers nothing until it is reset. */
bool power_end_sleep(struct power *power);

/* ---- power_settings.c ---- */

/* Writes the setting down before it is changed, if it is not yet. */
bool setting_keep(struct power *power, enum setting_kind kind, const char *name);
/* Changes one that is kept. */
bool setting_change(
	struct power *power, enum setting_kind kind, const char *name, const char *value);
bool setting_read(struct power *power, enum setting_kind kind, const char *name, char *value);
/* A byte of a mode page as it was read; 0 beyond its end, where none is put either. */
unsigned mode_byte(const char *value, size_t at);
void mode_byte_put(char *value, size_t at, unsigned byte);
const char *setting_kind_name(enum setting_kind kind);
/* "mode page 1a/00", "APM level" */
const char *setting_words(const struct setting *setting, char text[SETTING_TEXT]);
/* Restores this one now, and takes it off the journal. */
bool setting_restore(struct power *power, enum setting_kind kind, const char *name);
/* Restores all, the last changed first; false where one could not be. */
bool settings_restore(struct power *power);

/* ---- The parts ---- */

void power_run_states(struct power *power);
void power_run_timers(struct power *power);
void power_run_levels(struct power *power);
void power_run_apm(struct power *power);
void power_run_link(struct power *power);

/* First accesses after each pause, under a setting: rows of power_gaps. */
void power_run_gaps(struct power *power, const char *setting, const char *value);

/* A power condition, and the ways into it. */
struct condition_row {
	const char *name;
	const char *claimed;         /* key of the drive's own recovery time */
	uint8_t condition, modifier; /* of START STOP UNIT */
	bool scsi, ata, epc;         /* which drives have it */
	uint8_t count;               /* of SET FEATURES 4Ah */
	uint8_t command;             /* in place of it */
	bool costs_cycle;            /* heads are unloaded, or the spindle stops */
	const char *words[3];        /* what it may be called when it is there */
	const char *measured;        /* key of the median */
};
extern const struct condition_row condition_rows[];
enum { CONDITION_ROWS = 9 };

bool condition_is_wanted(const struct power_subject *subject, const struct power_options *options,
	const struct condition_row *row);
bool condition_is_word(const struct condition_row *row, const char *word);
double condition_dwell(const struct power_options *options, const struct condition_row *row);
/* The command that enters it. */
struct cdb condition_cdb(const struct condition_row *row, bool ata);

/* ---- power_topic.c ---- */

extern const struct table table_power_measured, table_power_tries, table_power_gaps,
	table_power_levels, table_power_timers;
void power_fact(struct facts *facts, const char *name, struct value value);

#endif
