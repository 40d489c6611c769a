/*
 * A capture: every response of one drive and what the host says of it. Left of
 * it there is I/O and no meaning; right of it there is meaning and no I/O.
 *
 * The capture owns all bytes that its records show, until capture_deinit().
 * The file form is assay-capture(5).
 */
#ifndef ASSAY_CAPTURE_H
#define ASSAY_CAPTURE_H

#include <stdio.h>

#include "assay/bytes.h"
#include "assay/error.h"
#include "assay/page.h"

enum { CDB_MAX = 32, SENSE_MAX = 252 };

/* What became of a command below SCSI. */
enum delivery {
	DELIVERY_DONE, /* the drive gave a SCSI status */
	DELIVERY_TIMED_OUT,
	DELIVERY_GONE,   /* no such device any more */
	DELIVERY_FAILED, /* the host adapter or the kernel said no */
};

/* One command and its answer. */
struct record {
	uint8_t cdb[CDB_MAX];
	uint8_t cdb_len;
	struct page_id page; /* page_of_cdb() of it */
	enum delivery delivery;
	uint8_t scsi_status; /* SAM-5: 00h GOOD, 02h CHECK CONDITION, ... */
	struct bytes data;   /* what came; at NULL where the command moves none or none came */
	struct bytes sense;  /* at NULL: none */
	struct bytes out;    /* what was sent with it; at NULL: nothing */
	int64_t duration_us; /* -1: not known */
};

/* Something that the host says: a name and a value, both never NULL. Names:
 * assay-capture(5), "HOST". */
struct host_line {
	const char *name, *value;
};

struct capture {
	char *name; /* the node or the file that it came from; owned */
	struct record *records;
	size_t record_count;
	struct host_line *host;
	size_t host_count;
	char **notes; /* what the reader of an import should know */
	size_t note_count;
	size_t command_count; /* commands sent to a drive; 0 for a file */
	struct arena *arena;  /* behind every pointer above */
};

/* Makes an empty capture of that name (copied). */
void capture_init(struct capture *capture, const char *name);
void capture_deinit(struct capture *capture);

/* Copies *record and the bytes behind it to the capture; sets its page from
 * the CDB. Returns the stored record, valid until the next call. */
struct record *capture_add(struct capture *capture, const struct record *record);

/* Adds a host line; both texts are copied. */
void capture_host(struct capture *capture, const char *name, const char *value);
/* Adds a note, of at most 511 bytes. */
void capture_note(struct capture *capture, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The value of the first host line of that name, which the capture owns; or NULL. */
const char *capture_host_value(const struct capture *capture, const char *name);

/* The first record that asks exactly for id and whose answer is a good one
 * (record_is_good()); else the first that asks for it at all; else NULL, which
 * means "not captured". */
const struct record *capture_find(const struct capture *capture, struct page_id id);

/* The answer can be used: GOOD, or CHECK CONDITION with key RECOVERED ERROR or
 * NO SENSE (SAT-4: 00h/1Dh "ATA pass-through information available" is one). */
bool record_is_good(const struct record *record);

/* What the header of a response says: of which page it is and how long. */
enum header_state {
	HEADER_GOOD,
	HEADER_NONE,       /* answers to this command have no length field */
	HEADER_SHORT,      /* the answer ends before it */
	HEADER_OTHER_PAGE, /* it is that of another page than was asked for */
};
/* *length: of the whole response as a good header says, which may be more than
 * came; else of what came. */
enum header_state record_header(const struct record *record, size_t *length);

/* Reads the file form and adds what it holds to *capture (initialised by the
 * caller). Fails with name:line and what was expected. */
int capture_read(FILE *file, const char *name, struct capture *capture, struct error *error);

/* Writes the file form. Returns 0, or -errno of the stream. */
int capture_write(FILE *file, const struct capture *capture);

/* Masks serial numbers and the unique part of WWNs wherever they stand
 * (INQUIRY, VPD 80h 83h 88h 89h, IDENTIFY, log and mode pages with SAS addresses) and
 * keeps checksums right. In place. */
void capture_redact(struct capture *capture);

#endif
