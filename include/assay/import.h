/*
 * Files of other tools, read as a capture: libatasmart blobs, hdparm --Istdout
 * hex, single ATA sectors, sg3_utils hex and raw pages, and captures themselves.
 */
#ifndef ASSAY_IMPORT_H
#define ASSAY_IMPORT_H

#include "assay/capture.h"

/* What a file's bytes are, where they do not say it themselves (--as). */
enum import_kind {
	IMPORT_AUTO,
	IMPORT_IDENTIFY,
	IMPORT_SMART,
	IMPORT_THRESHOLDS,
	IMPORT_INQUIRY,
	IMPORT_VPD,
	IMPORT_LOG,
	IMPORT_MODE,
	IMPORT_READCAP16,
	IMPORT_SENSE,
};

/* "identify", ...: -1 where it is no kind. */
int import_kind_of(const char *word);

/* Reads the file at path, whatever it is, and adds what it holds to *capture
 * (initialised by the caller). What is uncertain is refused with a note; a file
 * in which nothing is certain fails with EXIT_NO_DRIVE_DATA and says why. */
int import_file(
	const char *path, enum import_kind kind, struct capture *capture, struct error *error);

/* The same of bytes in memory; name is for messages. The fuzzers' way in. */
int import_bytes(struct bytes bytes, const char *name, enum import_kind kind,
	struct capture *capture, struct error *error);

#endif
