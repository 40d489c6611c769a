/*
 * Alerts: tells an administrator by a command or by mail when the state of a
 * drive changes, and keeps in the history what was told (assay-alerts(7)).
 *
 * What was told is noted behind the telling: an alert that fails is told again at the
 * next run, one whose process is killed may be told twice, none is lost. Of two
 * runs at once one tells.
 */
#ifndef ASSAY_ALERT_H
#define ASSAY_ALERT_H

#include "assay/error.h"
#include "assay/history.h"
#include "assay/render.h"

struct alert_settings {
	const char *command;    /* a program and its arguments (alert_split()); NULL or "": none */
	const char *mail;       /* an address, or several with commas; NULL or "": none */
	const char *sendmail;   /* path of the program that takes mail */
	unsigned timeout_ms;    /* for each command and each mail */
	int64_t interval;       /* what lasts is told again after these seconds; 0: never */
	int64_t settle;         /* what gets better is told when it has lasted for these seconds */
	unsigned most_per_hour; /* by command, and by mail; what is over waits; 0: no limit */
};

struct alert_outcome {
	size_t told, failed;
	size_t waiting;     /* for the rate limit */
	struct error error; /* of the first that failed */
};

/* Notes the states of drives, each document's first verdict, and tells what is due, in
 * the order given. now: seconds since 1970. `render` is for the JSON document that
 * a command gets. Returns 0, or -1 and *error where the history could not be used;
 * an alert that failed is no such error. */
int alerts_tell(struct history *history, const struct alert_settings *settings,
	const struct document *documents, size_t count, int64_t now,
	const struct render_options *render, struct alert_outcome *outcome, struct error *error);

/* Sends a test alert by command and mail, whatever the history says. Returns
 * 0, or -1 and *error of the first that failed. */
int alerts_test(const struct alert_settings *settings, int64_t now,
	const struct render_options *render, struct error *error);

/* Splits a command at blanks, as no shell does: nothing is expanded. What is
 * between '...' or "..." is one argument with its blanks, and \ takes what follows
 * as it is, but between '...'. Returns the arguments, ended by NULL, to be
 * freed with one free(); NULL and *error where a quote is not closed or there is
 * no word. */
char **alert_split(const char *command, struct error *error);

#endif
