/*
 * The configuration: one INI file for all commands that run unattended
 * (assay.conf(5)). What it does not set has its default.
 */
#ifndef ASSAY_CONFIG_H
#define ASSAY_CONFIG_H

#include <stdio.h>

#include "assay/error.h"
#include "assay/health.h"

#define CONFIG_FILE "/etc/assay/assay.conf"

/* A limit that was set for a rule. */
struct config_limit {
	const struct rule *rule;
	enum config_kind { CONFIG_ANY_KIND, CONFIG_ROTATING, CONFIG_SOLID_STATE } kind;
	struct rule_limit limit;
};

/* What is accepted: a rule is not heard up to a value, up to a date. */
struct config_silence {
	const struct rule *rule;
	bool any;      /* whatever the value */
	double value;  /* the worst one that is accepted */
	int64_t until; /* seconds since 1970, when it is heard again; 0: never */
};

/* Of all drives (no pattern is set), or of those whose names match all the
 * patterns that are set. */
struct config_section {
	const char *name;                 /* of [drive NAME]; "": of all drives */
	const char *serial, *wwn, *model; /* as of a shell, case not heeded; NULL: not set */
	unsigned line;                    /* where it was first heard of */
	struct config_limit *limits;
	size_t limit_count;
	struct config_silence *silences;
	size_t silence_count;
};

/* Owns its texts. Texts are never NULL: "" is none. */
struct config {
	struct {
		unsigned deadline_ms;  /* of the whole run */
		bool quiet_drives;     /* nothing that resets a drive's idle timers */
		unsigned growth_hours; /* growth is that since then; 0: since the last record */
	} check;
	struct {
		const char *database;
		unsigned full_days;  /* every record is kept that long */
		unsigned daily_days; /* then one a day; 0: for ever */
	} history;
	struct {
		const char *command;         /* a program and its arguments; no shell */
		unsigned command_timeout_ms; /* then it is ended */
		const char *mail;            /* an address */
		unsigned interval_hours;     /* what lasts is told again after; 0: never */
		unsigned most_per_hour;      /* the rate limit; 0: none */
	} alerts;
	struct config_section *sections; /* the first one is of all drives */
	size_t section_count;
	struct arena *arena;
};

/* All defaults. */
void config_init(struct config *config);
void config_deinit(struct config *config);

/* Reads a file, name for messages, over what is there. Returns 0, or -1 with
 * "NAME:LINE: what was expected" for the first line that is wrong; then the
 * configuration is not to be used. */
int config_read(FILE *file, const char *name, struct config *config, struct error *error);
/* The same of the file at a path; NULL: CONFIG_FILE, which need not be there. */
int config_load(const char *path, struct config *config, struct error *error);

/* Writes everything that holds, the rules' own limits included, so that it can
 * be read again and means the same. */
void config_print(FILE *file, const struct config *config);

/* A drive for which rules are looked up. Texts are "" where not known. */
struct config_drive {
	const struct config *config;
	const char *vendor, *model, *serial, *wwn;
	bool solid_state;
	int64_t now; /* seconds since 1970 */
};

/* From the facts; texts point into them. */
struct config_drive config_drive_of(
	const struct config *config, const struct facts *facts, int64_t now);

/* What is set for a rule and this drive, as health_settings wants it. A section
 * that names a serial number or a WWN comes before one that names a model, that
 * before what is for all; of equals the later one counts. */
bool config_limit(
	const struct config_drive *drive, const struct rule *rule, struct rule_limit *limit);
bool config_silent(const struct config_drive *drive, const struct rule *rule, double value);

#endif
