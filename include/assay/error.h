/*
 * What went wrong, in one line, with the exit status that tells it to scripts.
 * Only src/cli prints it.
 */
#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

/* Exit statuses of every command (assay(1), "EXIT STATUS"). 0 to 3 are also
 * those of Nagios plug-ins. */
enum exit_status {
	EXIT_GOOD = 0,
	EXIT_WARNING = 1, /* warning or marginal */
	EXIT_FAILING = 2, /* failing, or a claim that does not hold */
	EXIT_UNKNOWN = 3, /* could not tell */
	EXIT_USAGE = 64,
	EXIT_NO_DRIVE_DATA = 65, /* a file that holds no drive data */
	EXIT_NO_SUCH = 66,       /* no such drive or file */
	EXIT_INTERNAL = 70,      /* out of memory, a failed write */
	EXIT_TIMED_OUT = 75,
	EXIT_NO_PERMISSION = 77,
};

/* Given by the caller, filled where a function fails. */
struct error {
	enum exit_status status;
	char text[256];
};

/* Fills *error and returns -1, so that a function can end with it. */
int error_set(struct error *error, enum exit_status status, const char *format, ...)
	__attribute__((format(printf, 3, 4), nonnull(1, 3)));

/* The exit status that tells of an errno value (ENOENT: EXIT_NO_SUCH, ...). */
enum exit_status error_status_of(int errno_value);

#endif
