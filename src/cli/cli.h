/*
 * The command line: one file a subcommand, one list of them in main.c. Only
 * this folder writes to standard error and ends the program.
 */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include <signal.h>

#include "assay/alert.h"
#include "assay/capture.h"
#include "assay/collect.h"
#include "assay/config.h"
#include "assay/fact.h"
#include "assay/import.h"
#include "assay/render.h"
#include "assay/spec.h"
#include "cli/option_table.h"

#define ASSAY_VERSION "0.1.0"

struct subcommand {
	const char *name;
	const char *arguments; /* for the usage line: "TARGET..." */
	const char *about;     /* one line */
	/* argv[0] is the subcommand's name. Returns the exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct subcommand subcommand_scan, subcommand_show, subcommand_capture,
	subcommand_check, subcommand_spec, subcommand_verify, subcommand_bench, subcommand_power,
	subcommand_history;

/* What most subcommands take; set from the environment and the terminal. */
struct options {
	const struct subcommand *subcommand;
	const struct renderer *renderer;
	struct render_options render;
	struct collect_options collect;
	enum import_kind import_as;
	unsigned deadline_ms; /* --deadline; 0: as the subcommand has it */
	unsigned run_ms;      /* time limit of targets_load() as a whole; 0: none but the drive's */
	const char *output;   /* -o; NULL: standard output */
	FILE *file;           /* where the output goes */
	/* Called by targets_load(), with its context, once the first devices have
	 * been asked and before done(); NULL: nothing is to be done meanwhile. */
	void (*meanwhile)(void *context);
	const char **imports; /* --import KIND=FILE, each; owned */
	size_t import_count;
	const char *explain;                    /* check: --explain RULE; NULL */
	const char *config;                     /* check: --config FILE; NULL */
	const char *database;                   /* --database FILE; NULL */
	const char *alert_command, *alert_mail; /* check: NULL: as configured */
	const char *spec;                       /* verify: --spec; NULL */
	const char **results;                   /* verify: --results FILE, each; owned */
	size_t result_count;
	bool redact;
	bool quiet;        /* no progress */
	bool identity;     /* of devices only who they are: collect_identity() */
	bool all;          /* check: --all, every drive of the host */
	bool print_config; /* check: --print-config */
	bool record;       /* check: --record */
	bool alert_test;   /* check: --alert-test */
	bool quiet_drives; /* check: --quiet-drives */
	bool expect_new;   /* verify: --expect-new */
};

/* Reads the options that `accepted` names, a string of their letters:
 *   f --format, j, v, a --as, o, r --redact, i --import, t --timeout, d --deadline,
 *   w --wake, q --quiet, A --all, e --explain, c --config, p --print-config,
 *   k --record, D --database, C --alert-command, M --alert-mail, T --alert-test,
 *   Q --quiet-drives
 * Leaves the operands at argv[optind]. Returns -1, or the exit status with
 * which to end (after --help, after a message about a usage error). */
int options_read(int argc, char **argv, const struct subcommand *subcommand, const char *accepted,
	struct options *options);
void options_deinit(struct options *options);

/* Those rows of the same table, for subcommands with options of their own, whose
 * struct begins with struct options. */
struct option_table options_common(const char *accepted);
/* Sets options from the environment and the terminal. */
void options_default(const struct subcommand *subcommand, struct options *options);

/* True where it names a device node. */
bool target_is_device(const char *target);

/* Fills a capture from one target, in this process: a device node is collected,
 * a file imported. The capture is initialised in any case. Returns 0, or -1 and
 * *error; what came until then stays in the capture. */
int target_load(const char *target, const struct options *options, struct capture *capture,
	struct error *error);

/* A target and what became of it. */
struct loaded {
	const char *target;
	struct capture capture;
	struct error error;
	bool failed; /* error says why; capture may hold a part */
};

/* When a file says that it was read, in seconds since 1970; 0: it does not say. */
int64_t loaded_time(const struct loaded *loaded);

/* Loads all targets at once, at most 64, each device in a process of its own so
 * that one that never answers delays nobody, and calls done() for each: in the order of
 * the targets, but never waiting for a late one. loaded->capture is freed
 * behind it. */
void targets_load(char **targets, size_t count, const struct options *options,
	void (*done)(void *context, struct loaded *loaded, size_t index), void *context);

/* Prints one document of `count` with the chosen renderer to options->file. */
void print_document(
	const struct options *options, const struct document *document, size_t index, size_t count);

/* Prints all documents of a run, in this order. */
void print_documents(const struct options *options, const struct document *documents, size_t count);

/* Opens the output; returns -1 after a message where it cannot be. */
int output_open(struct options *options);

/* Ends the output; returns status, or EXIT_INTERNAL after a message where it
 * could not be written. */
int output_close(struct options *options, int status);

/* "assay: /dev/sda: no permission" to standard error. */
void complain(const char *target, const struct error *error);

/* Shows, on a terminal's last line, how far something is; in place of what was shown
 * before. */
void progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* So how far a collection is. */
void progress_show(void *context, size_t command_count, struct page_id page);
void progress_clear(void);

/* From now on SIGINT, SIGTERM and SIGHUP set what it returns to 1, which is 0 first.
 * One more ends the program at once, with this text to standard error, which must
 * stay. */
volatile sig_atomic_t *stop_on_signals(const char *at_once);

/* Finds the one datasheet that is a drive's, and reads all of it: matches[0]. False
 * where there is none or more than one; then the matches tell. */
bool datasheet_find(
	struct spec_library *library, const struct facts *facts, struct spec_matches *matches);

/* Tells what is due of drives that were checked, the worst first, by what the
 * options and the configuration set; nothing where they set nothing. Returns 0, or
 * -1 after a message where an alert is not out. */
int alerts_send(const struct options *options, const struct config *config,
	const struct document *documents, size_t count, int64_t now);
/* Sends a test alert; returns the exit status. */
int alerts_send_test(const struct options *options, const struct config *config, int64_t now);

/* "assay: FILE: PATH: what was expected" for each problem from `from` on. */
void spec_complain(const struct spec_library *library, size_t from);

#endif
