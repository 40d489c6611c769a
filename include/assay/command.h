/*
 * Commands: builds CDBs and taskfiles, sends them with a time limit and the
 * right retries, and reads sense data. No meaning of any page is known here.
 */
#ifndef ASSAY_COMMAND_H
#define ASSAY_COMMAND_H

#include "assay/transport.h"

/* Limits for one drive. 0: the default of the command. */
struct command_limits {
	unsigned timeout_ms;  /* of a command: default 20 s, self-defence of a cron job 5 s */
	unsigned deadline_ms; /* of all commands together */
};

/* A CDB with the bytes that it asks for. */
struct cdb {
	uint8_t bytes[CDB_MAX];
	size_t len;
	size_t in_len; /* allocation length, or blocks x 512 */
};

/* The CDB that fetches a page with room for len bytes, of which in_len remain
 * where the field is narrower; for ATA logs len / 512 is the number of pages,
 * id.sub the first. control 1 of PAGE_ATA_LOG takes READ LOG DMA EXT; a
 * PAGE_ATA_OTHER of 3Fh or B0h with control 1 writes to log E0h (SCT).
 * shorter: the shorter CDB of two, ATA PASS-THROUGH(12), MODE SENSE(6), READ
 * DEFECT DATA(10). len 0 in the result: there is none. */
struct cdb cdb_of_page(struct page_id id, size_t len, bool shorter);

/* ---- Commands that change something: which, is the caller's business ---- */

/* START STOP UNIT (SBC-4 5.30) with IMMED 0: it ends when the condition is
 * reached. condition 0: start or stop, by `start`. */
struct cdb cdb_start_stop(unsigned condition, unsigned modifier, bool start);
/* READ(16) of so many blocks; fua: not out of the cache (DPO and FUA). */
struct cdb cdb_read(uint64_t lba, uint32_t blocks, uint32_t block_bytes, bool fua);
/* MODE SELECT(10) of a list of len bytes, with PF and without SP: nothing is saved. */
struct cdb cdb_mode_select(size_t len);

/* SAT-4 12.2.2, PROTOCOL field. */
enum ata_protocol { ATA_NON_DATA = 3, ATA_PIO_IN = 4, ATA_PIO_OUT = 5, ATA_DMA = 6 };

/* The registers of an ATA command that is to be sent. */
struct ata_task {
	enum ata_protocol protocol;
	uint8_t command;
	uint16_t feature, count;
	uint64_t lba; /* of 28 bits, or with extend of 48 */
	bool extend;  /* a 48-bit command */
};

/* ATA PASS-THROUGH(16) for it; without data in it asks for the registers back. */
struct cdb cdb_of_ata(const struct ata_task *task);

/* The registers that an ATA command left (SAT-4, ATA Status Return descriptor
 * or fixed format). */
struct ata_registers {
	uint8_t error, status, device;
	uint16_t count;
	uint64_t lba;
	bool extend;     /* upper halves are meaningful */
	bool upper_lost; /* fixed format: the drive set some that did not fit */
};
/* False where the sense data carry none. */
bool ata_registers_of_sense(struct bytes sense, struct ata_registers *registers);

/* What sense data say, whatever their format. */
struct sense {
	uint8_t key, asc, ascq;
	bool deferred; /* 71h, 73h: of an earlier command */
	bool information_valid;
	uint64_t information;
	bool progress_valid;
	unsigned progress; /* of 65536 */
};
/* False where there is no sense data that can be read. */
bool sense_read(struct bytes sense, struct sense *result);
/* One line for people, by libsgutils2: "Illegal Request, Invalid field in cdb".
 * Writes at most size bytes and returns text. */
const char *sense_text(struct bytes sense, char *text, size_t size);
/* The additional sense code and its qualifier alone, in the same words. */
const char *additional_sense_text(uint8_t asc, uint8_t ascq, char *text, size_t size);

/* Power state from sense data or CHECK POWER MODE (SPC-5 5Eh, ACS-4 7.3): a
 * word such as "active", "idle_a", "standby_z", "stopped", "sleep", "unknown". */
const char *power_state_of_sense(const struct sense *sense);
const char *power_state_of_count(uint16_t count);
/* That word is of a state from which a drive takes seconds to wake: stopped, a
 * standby, sleep, a low power condition that is not told. Idle is none. */
bool power_state_sleeps(const char *state);

/* ---- Sending ---- */

/* Why a session sends nothing more. */
enum session_end {
	SESSION_OPEN,   /* it does */
	SESSION_SILENT, /* the drive lets commands time out */
	SESSION_GONE,   /* there is no such drive any more */
	SESSION_LATE,   /* the deadline is over */
};

/* Commands to one drive, under its limits. Owns nothing. */
struct session {
	struct transport *transport;
	struct command_limits limits;
	int64_t end_us; /* monotonic: when the deadline is over */
	unsigned time_outs;
	bool probe; /* the last command timed out: ask before going on */
	enum session_end end;
	/* After each try of each command, retries and probes included; NULL:
	 * nobody looks. */
	void (*tried)(void *context, const struct request *request, const struct outcome *outcome);
	void *context;
};

void session_init(
	struct session *session, struct transport *transport, const struct command_limits *limits);

/* Sends one command; timeout_ms 0 is the default of its operation code. An
 * answer that is not about this command (UNIT ATTENTION, a deferred error,
 * BUSY, TASK SET FULL, an error of the link) is taken a few times, then it is
 * the answer. After a
 * command that timed out a TEST UNIT READY with a short limit goes first; where
 * that times out too, or too many did, the session ends. False where nothing
 * was sent: session->end says why. */
bool session_send(struct session *session, const struct request *request, struct outcome *outcome);

#endif
