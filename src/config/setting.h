/*
 * The single settings: a table, by which they are read and printed.
 */
#ifndef ASSAY_CONFIG_SETTING_H
#define ASSAY_CONFIG_SETTING_H

#include "assay/config.h"

enum setting_kind {
	SETTING_SECONDS, /* unsigned, in milliseconds */
	SETTING_NUMBER,  /* unsigned */
	SETTING_FLAG,    /* bool */
	SETTING_TEXT,    /* const char * */
};

struct setting {
	const char *section, *key;
	enum setting_kind kind;
	size_t at; /* in struct config */
	unsigned least, most;
	const char *initial; /* as it would stand in the file */
};

/* Ends with key NULL; settings of a section stand together. */
extern const struct setting settings[];
size_t settings_count(void);

/* Takes a value over; false, and *expected told, where it is none. */
bool setting_take(const struct setting *setting, const char *value, struct config *config,
	char *expected, size_t size);
/* The value as it would stand in the file. Writes at most size bytes and returns
 * text. */
const char *setting_text(
	const struct setting *setting, const struct config *config, char *text, size_t size);

/* A number without sign, of digits and one point. */
bool setting_number(const char *text, double *number);

/* Rules of which a value can be accepted: those that look at a number. */
bool rule_has_number(const struct rule *rule);

/* A day, and its first second. */
bool setting_date(const char *text, int64_t *seconds);
const char *setting_date_text(int64_t seconds, char *text, size_t size);

#endif
