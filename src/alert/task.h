/*
 * A program that is run, fed and, at its time limit, ended.
 */
#ifndef ASSAY_ALERT_TASK_H
#define ASSAY_ALERT_TASK_H

#include <stddef.h>

#include "assay/error.h"

struct task {
	char *const *arguments; /* the first one is the program; no shell sees them */
	char *const *environment;
	const char *input; /* what it gets on its standard input */
	size_t input_len;
	unsigned timeout_ms;
};

/* Runs it in a process group of its own, which is ended as a whole at the time
 * limit; its standard output goes to our standard error. Returns 0 where it
 * ended with 0; a program that does not read all its input has not failed by that. */
int task_run(const struct task *task, struct error *error);

#endif
