/*
 * Purging: a drive is emptied by its own command, so that what is measured
 * afterwards does not depend on what it went through before.
 */
#ifndef ASSAY_PURGE_H
#define ASSAY_PURGE_H

#include "assay/command.h"
#include "assay/fact.h"

#include <signal.h>

enum purge_method {
	PURGE_NONE,
	PURGE_DISCARD, /* by the kernel: target_discard() */
	PURGE_SANITIZE_BLOCK,
	PURGE_SANITIZE_CRYPTO,
	PURGE_SANITIZE_OVERWRITE,
	PURGE_SECURITY_ERASE,
	PURGE_SECURITY_ERASE_ENHANCED,
	PURGE_FORMAT,
	PURGE_METHODS,
};

/* "discard", "sanitize-block", ...; PURGE_METHODS: no such name. */
const char *purge_name(enum purge_method method);
enum purge_method purge_of_name(const char *name);

struct purge_options {
	enum purge_method method;
	unsigned poll_ms;                  /* between looks at the progress; 0: 1000 */
	const volatile sig_atomic_t *stop; /* leave it alone; NULL: nobody does */
	/* percent below 0: the drive does not tell. NULL: nobody looks. */
	void (*progress)(void *context, double percent);
	void *context;
};

/* Empties the drive by SANITIZE (SBC-4 5.30; ACS-4 7.36), SECURITY ERASE UNIT
 * (ACS-4 7.40) or FORMAT UNIT (SBC-4 5.4), and waits until it has done so. A
 * method that the drive does not have, a frozen or locked drive, and one with a
 * password are refused before anything is sent that changes it; drive is what
 * it says of itself. All data are lost. 0, or -1 and *error; after a stop the
 * drive goes on by itself. */
int purge_drive(struct transport *transport, const struct facts *drive,
	const struct purge_options *options, struct error *error);

#endif
