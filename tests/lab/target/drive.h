/*
 * The replayed drive: a capture file that answers as a drive does, through the kernel's
 * TCM-User target and its SCSI loopback. What it answers comes from the capture; what moves
 * (medium, power state, temperature, counters, faults) is a model of its own, one file each.
 *
 * A command's way: ring.c takes it from the kernel, faults.c may spoil it, power.c says
 * whether it wakes the drive, dispatch.c finds the function that answers it, live.c brings the
 * captured page up to date, ring.c hands it back when its time has come.
 */
#ifndef LAB_DRIVE_H
#define LAB_DRIVE_H

#include <stdio.h>
#include <sys/uio.h>

#include "assay/capture.h"

enum {
	STATUS_GOOD = 0x00,
	STATUS_CHECK = 0x02,
	STATUS_BUSY = 0x08,
	STATUS_CONFLICT = 0x18,
	STATUS_TASK_SET_FULL = 0x28,
	STATUS_TASK_ABORTED = 0x40
};
enum {
	KEY_NO_SENSE = 0,
	KEY_RECOVERED = 1,
	KEY_NOT_READY = 2,
	KEY_MEDIUM = 3,
	KEY_HARDWARE = 4,
	KEY_ILLEGAL = 5,
	KEY_ATTENTION = 6,
	KEY_ABORTED = 0x0b
};
enum { BUFFER_BYTES = 1 << 20, SENSE_BYTES = 96 };

/* When a command is handed back. */
#define NEVER INT64_MAX

/* One command in the making. */
struct command {
	const uint8_t *cdb; /* always CDB_MAX bytes can be read */
	size_t cdb_len;
	struct page_id page;
	struct iovec *pieces; /* the initiator's buffer */
	size_t piece_count;
	size_t wanted;              /* bytes of it */
	size_t moved;               /* bytes put into it so far */
	size_t piece, piece_offset; /* how far command_move() has come */
	uint8_t status;
	uint8_t sense[SENSE_BYTES];
	int64_t delay_us;    /* how long the answer takes; NEVER: until it is aborted */
	int recovers_from;   /* the answer waits for the way back from that power state; 0: not */
	bool stubborn;       /* not even an abort ends it: the control file's "release" does */
	long cut_to;         /* give no more than so many bytes; -1: all */
	long length_lie;     /* what to say in the page's length field; -1: the truth */
	const uint8_t *fill; /* every byte of data becomes this; NULL: it stays */
	bool lost;           /* a write that is acknowledged and dropped */
	uint64_t lba_mask;   /* one that comes to another block: LBA xor this */
	long flip_at;        /* one whose byte there has another bit; -1: none */
};

/* Power states, deepest last. */
enum power_state {
	ACTIVE,
	IDLE_A,
	IDLE_B,
	IDLE_C,
	STANDBY_Y,
	STANDBY_Z,
	STOPPED,
	SLEEP,
	POWER_STATES
};
extern const char *const power_names[POWER_STATES];

enum { POWER_LEVELS = 8 };

struct power {
	enum power_state state;
	bool by_timer;                     /* how it came there */
	int64_t recovery_us[POWER_STATES]; /* from that state to active */
	int64_t timer_us[POWER_STATES];    /* after so much idle time; 0: never */
	int64_t idle_since_us;
	int64_t ready_us; /* no earlier does the next command that wakes it end */
	uint32_t entered[POWER_STATES];
	bool epc; /* the ATA feature set is enabled */
	/* EPC timers that SET FEATURES changed: in 100 ms */
	bool timer_changed[POWER_STATES], timer_on[POWER_STATES];
	uint32_t timer_units[POWER_STATES];
	int apm;                    /* level; 0: off; -1: not supported */
	bool refused[POWER_STATES]; /* the command to enter it is */
	bool ignored[POWER_STATES]; /* the command is taken, and nothing happens */
	unsigned cached_reads;      /* so many are answered without waking */
	unsigned cached_left;
	double level_factor[POWER_LEVELS]; /* of the speed, by identifier; 0: as it is */
};

/* What a command does to a drive in a low power state. */
enum wake { WAKE_NEVER, WAKE_FROM_STANDBY, WAKE_ALWAYS };

struct medium {
	uint8_t *bytes; /* as large as the drive; what is not written costs nothing */
	uint64_t blocks;
	uint32_t block_bytes;
	uint64_t bad_first, bad_count; /* unreadable until written */
	int64_t latency_us;            /* of each command */
	double bytes_per_second;       /* 0: no limit */
	int64_t busy_until_us;
};

struct counters {
	bool live; /* patched into the pages */
	uint64_t read_commands, write_commands, read_blocks, written_blocks;
	uint64_t unit_bytes; /* of SMART attributes 241 and 242 */
};

struct purge {
	int64_t takes_us;   /* how long one takes */
	bool fails, frozen; /* what the next one comes to */
	uint8_t what;       /* ASCQ of NOT READY while it goes on; 0: there was none */
	int64_t until_us;
	bool completed;       /* with success */
	uint8_t password[32]; /* of the ATA user; zeros: none */
	bool prepared;        /* SECURITY ERASE PREPARE was the last command */
};

struct thermal {
	bool live;
	double now_celsius, rest_celsius, full_celsius; /* rest and full: where it tends to */
	double full_bytes_per_second;                   /* the load that is "full" */
	double tau_us;                                  /* time constant */
	double throttle_celsius;                        /* 0: never slowed down */
	double throttle_factor;                         /* of the speed that each step leaves */
	double step_celsius, steps; /* so many of them, each so much above the one before */
	double hysteresis_celsius;  /* so far below where it began does one end */
	unsigned throttled;         /* steps */
	int64_t at_us;              /* of now_celsius */
	double load_bytes;          /* since then */
};

/* What else slows the medium down. */
struct pace {
	double noise; /* deviation of its speed, as a part of it */
	uint64_t random;
	double chance; /* of this second */
	int64_t second_us;
	double written_bytes;
	double fast_bytes, fast_factor;   /* behind so many written, what is left */
	double cycle_bytes, cycle_factor; /* within each so many, what is left at their end */
};

/* What it takes, in milliwatts. */
struct watts {
	bool live;
	double idle, work, sleep;
	double level[POWER_LEVELS]; /* of work, by identifier; 0: as ever */
	int64_t worked_us, next_us;
};

struct mode_page {
	uint8_t page, sub, control;
	uint8_t *data;
	size_t len;
};

/* Bytes of a page that a test wants otherwise. */
struct poke {
	struct page_id page;
	size_t offset;
	uint8_t bytes[64];
	size_t len;
};

enum { ATTENTIONS = 8, POKES = 64, FAULTS = 32 };

struct fault; /* faults.c */

struct drive {
	const char *name;
	struct capture capture;
	bool ata; /* ATA behind a translator */
	struct mode_page *mode_pages;
	size_t mode_page_count;
	bool write_cache;
	uint16_t attentions[ATTENTIONS]; /* ASC, ASCQ; oldest first */
	size_t attention_count;
	uint16_t recovery_control[2]; /* SCT: read and write, in 100 ms */
	uint8_t sct_command[4];       /* action and function of the last one; zeros: none */
	struct power power;
	struct medium medium;
	struct counters counters;
	struct thermal thermal;
	struct pace pace;
	struct watts watts;
	struct purge purge;
	struct poke pokes[POKES];
	size_t poke_count;
	struct fault *faults;
	size_t fault_count;
	int journal;     /* file descriptor; -1: not written */
	char device[64]; /* below /sys/bus/scsi/devices; "" until it is plugged in */
	bool quit, release;
	uint8_t buffer[BUFFER_BYTES];
};

int64_t now_us(void);

/* ---- command.c: what every answer needs ---- */

/* CHECK CONDITION; fixed or descriptor format as D_SENSE says. */
void command_fail(
	struct drive *drive, struct command *command, uint8_t key, uint8_t asc, uint8_t ascq);
/* The same with an INFORMATION field. */
void command_fail_at(struct drive *drive, struct command *command, uint8_t key, uint8_t asc,
	uint8_t ascq, uint64_t information);
/* INVALID FIELD IN CDB, INVALID COMMAND OPERATION CODE. */
void command_refuse_field(struct drive *drive, struct command *command);
void command_refuse_code(struct drive *drive, struct command *command);
/* Ends as the record did, without its data. */
void command_fail_as(struct command *command, const struct record *record);
/* Moves len bytes out of bytes into the initiator's buffer (to), or out of it into bytes, going on
 * where the last call ended. False where it has no more. */
bool command_move(struct command *command, uint8_t *bytes, size_t len, bool to);
/* Gives len bytes of drive->buffer, no more than limit, as the answer to a page's command:
 * live values, pokes and faults are put in here. */
void command_answer(struct drive *drive, struct command *command, size_t len, size_t limit);

/* ---- dispatch.c ---- */

void drive_run(struct drive *drive, struct command *command);

/* ---- one function for each kind of command: they fill drive->buffer and answer ---- */

void scsi_inquiry(struct drive *drive, struct command *command);
void scsi_request_sense(struct drive *drive, struct command *command);
void scsi_read_capacity_10(struct drive *drive, struct command *command);
void scsi_read_capacity_16(struct drive *drive, struct command *command);
void scsi_log_sense(struct drive *drive, struct command *command);
void scsi_operation_codes(struct drive *drive, struct command *command);
void scsi_captured(struct drive *drive, struct command *command);
void scsi_mode_sense(struct drive *drive, struct command *command);
void scsi_mode_select(struct drive *drive, struct command *command);
void scsi_start_stop(struct drive *drive, struct command *command);
void ata_pass_through(struct drive *drive, struct command *command);
/* IDENTIFY, CHECK POWER MODE and what sets the power state leave a drive asleep. */
enum wake ata_wake(const uint8_t *cdb);
void medium_read(struct drive *drive, struct command *command);
void medium_write(struct drive *drive, struct command *command);
void medium_verify(struct drive *drive, struct command *command);
void medium_flush(struct drive *drive, struct command *command);

/* ---- set-up of each part, from the capture ---- */

void mode_load(struct drive *drive);
void medium_load(struct drive *drive);
void power_load(struct drive *drive);
void thermal_load(struct drive *drive);
void pace_load(struct drive *drive);

/* The mode page as it is now; NULL: none. */
struct mode_page *mode_find(struct drive *drive, uint8_t page, uint8_t sub, uint8_t control);

/* ---- power.c ---- */

enum power_state power_of_name(const char *name); /* POWER_STATES: no such state */
/* Lets timers run out. */
void power_update(struct drive *drive);
void power_enter(struct drive *drive, enum power_state state, bool by_timer);
/* Back to active where the command does that; its answer then takes the recovery time. */
void power_wake(struct drive *drive, struct command *command, enum wake wake);
/* Whether a command would wake the drive where it now is. */
bool power_would_wake(const struct drive *drive, enum wake wake);
/* A device reset ends SLEEP, which nothing else does, and forgets the APM level. */
void power_reset(struct drive *drive);
/* 5Eh codes of REQUEST SENSE (SPC-5), Count of CHECK POWER MODE (ACS-4). */
uint16_t power_sense(const struct drive *drive);
uint8_t power_count(const struct drive *drive);
/* Whether the command into that state is refused; or taken without effect. */
bool power_refuses(const struct drive *drive, enum power_state state);
/* A read that a cache answers while the drive sleeps on. */
bool power_reads_cache(struct drive *drive);
/* The power consumption identifier that is selected; 0 where there is none. */
unsigned power_level(struct drive *drive);
/* What it leaves of the speed. */
double power_level_factor(struct drive *drive);
/* SET FEATURES 05h and 85h; false: aborted. */
bool power_apm(struct drive *drive, int level);
/* SET FEATURES 4Ah; false: aborted. */
bool power_epc(struct drive *drive, uint16_t count, uint64_t lba);
/* After MODE SELECT: the timers of mode page 1Ah run. */
void power_mode_selected(struct drive *drive);
/* Where a state's transitions are counted: parameter of log page 1Ah, offset in ATA log 08h; 0:
 * nowhere. */
uint8_t power_log_parameter(enum power_state state);
size_t power_ata_log_offset(enum power_state state);

/* ---- purge.c ---- */

/* True: the command is answered already, as a purge goes on or has failed. */
bool purge_answers(struct drive *drive, struct command *command);
void purge_sanitize(struct drive *drive, struct command *command);
void purge_format(struct drive *drive, struct command *command);
/* SANITIZE DEVICE; false: aborted. */
bool purge_sanitize_device(struct drive *drive, uint16_t feature, uint16_t *count, uint64_t *lba);
/* SECURITY SET PASSWORD, ERASE PREPARE, ERASE UNIT, DISABLE PASSWORD; false: aborted. */
bool purge_security(struct drive *drive, uint8_t command, const uint8_t *sector);

/* ---- thermal.c ---- */

void thermal_update(struct drive *drive);
void thermal_load_bytes(struct drive *drive, uint64_t bytes);
/* What heat leaves of the speed. */
double thermal_factor(const struct drive *drive);

/* ---- pace.c ---- */

void pace_seed(struct pace *pace, double seed);
/* What is left of the speed, for a command that writes so many bytes; 0: it reads. */
double pace_factor(struct drive *drive, uint64_t written_bytes);

/* ---- watts.c ---- */

/* The medium did something. */
void watts_worked(struct drive *drive);
/* Writes the file where it is time to; when it is next, or NEVER. */
int64_t watts_tell(struct drive *drive);

/* ---- live.c: pages brought up to date ---- */

/* data is the answer from its first byte; for ATA logs it begins with page id.sub. */
void live_patch(struct drive *drive, struct page_id id, uint8_t *data, size_t len);

/* ---- faults.c ---- */

/* Spoils the command where a fault is set for it. True: it is answered already. */
bool faults_apply(struct drive *drive, struct command *command);
/* "ACTION[=VALUE] [WHICH=VALUE...]"; NULL, or what is wrong with it. */
const char *faults_add(struct drive *drive, char *words);
void faults_clear(struct drive *drive);

/* ---- control.c ---- */

/* Carries out one line of the control file. NULL, or what is wrong with it. */
const char *control_line(struct drive *drive, char *line);

/* ---- journal.c ---- */

void journal_command(struct drive *drive, const struct command *command, enum wake wake);
/* The way back from that state took so long, from the command to its answer. */
void journal_recovered(struct drive *drive, int state, int64_t us);
void journal_mark(struct drive *drive, const char *text);

/* ---- plug.c: configfs ---- */

/* Makes the target's backstore; *uio is to be freed. NULL, or what failed. */
const char *plug_backstore(const struct drive *drive, char **uio);
/* Shows it to the kernel's SCSI stack: "sdX sgN" on standard output. */
const char *plug_disk(struct drive *drive);
/* Finds drive->device of a drive that plug_disk() has shown. */
void plug_address(struct drive *drive);
void unplug(const char *name);

/* ---- ring.c ---- */

/* Serves the drive until drive->quit. control is the control file. */
void ring_serve(struct drive *drive, const char *uio, int control);

#endif
