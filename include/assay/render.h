/*
 * Renderers: documents to a stream. They know facts, tables, verdicts and
 * notes, and no topic.
 */
#ifndef ASSAY_RENDER_H
#define ASSAY_RENDER_H

#include <stdio.h>

#include "assay/error.h"
#include "assay/fact.h"

/* A judgement over facts. */
enum verdict_state {
	VERDICT_OK,
	VERDICT_WARNING,
	VERDICT_FAILING,
	VERDICT_UNKNOWN,
	VERDICT_PASS,
	VERDICT_FAIL,
	VERDICT_MARGINAL,
	VERDICT_NOT_TESTED,
	VERDICT_NOT_VERIFIABLE,
	VERDICT_CONFLICT,
	VERDICT_NO_CLAIM,
};

struct verdict {
	const char *id;
	enum verdict_state state;
	const char *reason;
	const char *const *keys; /* of the facts that it rests on */
	size_t key_count;
	/* Of check: what is worth a note, and no more, is so, or a graver rule tells it; then
	 * the state is VERDICT_OK. */
	bool noted;
	/* Of check: where the value turns to limit_state; VERDICT_OK: nowhere. */
	double limit;
	enum verdict_state limit_state;
	bool limit_is_least; /* there and below, not there and above */
	/* Of verify; NULL: nothing to say. */
	const char *label;    /* the claim's name for people */
	const char *expected; /* ">= 450 MB/s, 128 KiB, queue depth 32" */
	const char *found;    /* "433.9 MB/s" */
	const char *evidence; /* where what was found, and what was claimed, come from */
	const char *test;     /* the command that would test it; of check: what to do */
};

/* What one command says of one target. Owns nothing. */
struct document {
	const char *target;            /* as the user named it */
	const struct capture *capture; /* NULL where the drive could not be reached */
	const struct facts *facts;     /* NULL: none */
	const struct verdict *verdicts;
	size_t verdict_count;
	const struct error *error; /* NULL: none */
	/* Of check: what it is for the run's exit status; a sleeping drive is good. */
	enum exit_status status;
	bool asleep; /* of check: only what does not wake it was read; what is missing tells nothing
		      */
};

struct render_options {
	const char *command; /* "show" */
	const char *version; /* of the program */
	bool brief;          /* text: a line a drive, and the verdicts that are not ok */
	bool verbose;        /* the source of each line */
	bool colour;
	unsigned width; /* columns of the terminal; 0: no limit */
};

struct renderer {
	const char *name; /* --format NAME */
	/* Prints document number `index` of `count`, which come one after the
	 * other from 0 on, each as soon as it is known. */
	void (*print)(FILE *file, const struct document *document, size_t index, size_t count,
		const struct render_options *options);
	/* Or, in place of it, prints all at once, for formats that cannot say one
	 * drive after the other; worst first. Each document's first verdict is its sum. */
	void (*print_all)(FILE *file, const struct document *documents, size_t count,
		const struct render_options *options);
};

/* Ends with NULL. */
extern const struct renderer *const renderers[];
/* NULL where there is none of that name. */
const struct renderer *renderer_find(const char *name);

/* A value as people read it: "960.2 GB (960197124096 bytes)", "31 °C". Writes
 * at most size bytes and returns text. */
const char *value_human(struct value value, enum unit unit, char *text, size_t size);

/* A source in one line: "log page 11h, parameter 0001h, byte 7: 14". The same. */
const char *source_human(const struct source *source, char *text, size_t size);

#endif
