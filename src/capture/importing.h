/*
 * Between the files of the import: one file being read, and what its bytes
 * can be.
 */
#ifndef ASSAY_CAPTURE_IMPORTING_H
#define ASSAY_CAPTURE_IMPORTING_H

#include "assay/import.h"

struct importing {
	const char *name; /* of the file, without its folder */
	enum import_kind kind;
	struct capture *capture;
	char refusal[200]; /* the first */
	size_t refusal_count;
};

/* Says why something in the file is not used: a note, or the error if nothing is. */
void import_refuse(struct importing *importing, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds an answer with the CDB that fetches that page. */
void import_page(struct importing *importing, struct page_id id, struct bytes data);
/* The same by MODE SENSE(6). */
void import_mode_6(struct importing *importing, struct page_id id, struct bytes data);
/* Adds the answer to SMART RETURN STATUS that a drive in this state gives. */
void import_smart_status(struct importing *importing, bool passed);

/* Sections of a libatasmart blob: false where it is none. */
bool import_blob(struct importing *importing, struct bytes blob);
/* Hexadecimal text: of hdparm, of sg3_utils, with or without "# CDB" comments. */
void import_hex(struct importing *importing, struct bytes text);
/* Raw bytes: of the kind that was said, else of the kind that is certain. words: in the file
 * they stood as 16-bit words. */
void import_raw(struct importing *importing, struct bytes raw, bool words);

/* Which ATA sector this certainly is: IDENTIFY, SMART, THRESHOLDS; else AUTO. */
enum import_kind guess_sector(struct bytes sector);
/* The SCSI answer with which the bytes begin, and its length: 0 where none can
 * be told. An INQUIRY or log page is certain; a VPD page is so only where the
 * answers fill the bytes to the end. */
size_t guess_answer(struct bytes bytes, struct page_id *id);
/* Sense data as long as they say. */
bool guess_sense(struct bytes bytes);
/* READ CAPACITY(16) data, perhaps. */
bool guess_capacity(struct bytes bytes);

/* What MODE SENSE data are, by the length in their header and by their pages. */
enum mode_shape {
	MODE_NONE,
	MODE_6,
	MODE_10,
	MODE_REPEATED, /* a page stands in it twice: current and other values together */
};
enum mode_shape guess_mode(struct bytes bytes);

#endif
