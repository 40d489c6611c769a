/* A subcommand's options as a table: names, kinds of values, where they go, and what --help says.
 */
#ifndef ASSAY_CLI_OPTION_TABLE_H
#define ASSAY_CLI_OPTION_TABLE_H

#include <stddef.h>

struct subcommand;

/* What a value is, and where it goes. */
enum option_kind {
	OPTION_FLAG,         /* bool: true */
	OPTION_TEXT,         /* const char *: not copied */
	OPTION_UNSIGNED,     /* unsigned, within least and most */
	OPTION_INT,          /* int, within them */
	OPTION_REAL,         /* double, within them */
	OPTION_MILLISECONDS, /* unsigned, given in seconds within them */
	OPTION_BYTES32,      /* uint32_t, within them: 4096, 4k, 128KiB */
	OPTION_BYTES64,      /* uint64_t */
	OPTION_COUNT64,      /* uint64_t */
	OPTION_OWN,          /* take() reads it; without one it is --help */
};

/* An option. argument is NULL where it takes none. */
struct option_row {
	const char *name;
	char letter; /* 0: none */
	enum option_kind kind;
	size_t offset; /* of the value in the options */
	double least, most;
	/* Gets the options and the value, NULL where it has none; returns -1, or the exit
	 * status with which to end, after a message. */
	int (*take)(void *options, const char *text);
	const char *argument, *about;
};

/* Rows that go together. */
struct option_table {
	const struct option_row *rows;
	size_t count;
	const char *accepted; /* only the rows with these letters, and --help; NULL: all */
};

/* Reads the options of `tables` (at most 4, the first row of a letter counts) into `options`, which
 * all offsets are of. Leaves the operands at argv[optind]. Returns -1, or the exit
 * status with which to end: after --help, after a message about a usage error. */
int option_tables_read(int argc, char **argv, const struct subcommand *subcommand,
	const struct option_table *tables, size_t table_count, void *options);

/* "assay bench: --depth '0': expected ..." to standard error; returns EXIT_USAGE. */
int option_wrong(const struct subcommand *subcommand, const char *name, const char *text,
	const char *expected);

#endif
