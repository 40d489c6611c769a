/*
 * An alert as people and programs read it.
 */
#ifndef ASSAY_ALERT_MESSAGE_H
#define ASSAY_ALERT_MESSAGE_H

#include <stdio.h>

#include "assay/alert.h"

enum alert_event { ALERT_CHANGE, ALERT_REMINDER, ALERT_RECOVERY, ALERT_TEST };

struct alert {
	enum alert_event event;
	enum verdict_state state, former; /* former: as it was told last */
	int64_t since, now;
	bool late; /* the state is over: it could not be told while it lasted */
	/* By verdict of the document: as what it is told for the first time, better as it may
	 * be by now; VERDICT_OK: it is not. NULL: none is. */
	const enum verdict_state *news;
	const struct document *document; /* as the drive is now */
	const struct render_options *render;
};

enum { ALERT_LINE = 512 };

/* "change": for scripts. */
const char *alert_event_word(enum alert_event event);
/* "ok", "warning", "failing", "unknown". */
const char *alert_state_word(enum verdict_state state);

/* Why, in one line: the reason of the sum, or the error. Writes at most size bytes. */
const char *alert_reason(const struct alert *alert, char *text, size_t size);
/* "host: /dev/sda FAILING (was warning): MODEL SERIAL: reason". */
const char *alert_subject(const struct alert *alert, char *text, size_t size);
/* 2026-12-01T03:04:05Z */
const char *alert_time(int64_t time, char *text, size_t size);
/* A text of the drive; "" where it is not known. */
const char *alert_fact(const struct alert *alert, const char *key);
/* What a person needs, in lines. */
void alert_body(FILE *file, const struct alert *alert);
/* The document as check --json has it. */
void alert_json(FILE *file, const struct alert *alert);

#endif
