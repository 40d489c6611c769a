/*
 * The ways to tell an alert.
 */
#ifndef ASSAY_ALERT_SEND_H
#define ASSAY_ALERT_SEND_H

#include "alert/message.h"

struct channel {
	const char *name; /* "command": in the history and in messages */
	bool (*is_used)(const struct alert_settings *settings);
	/* Returns 0, or -1 and *error. */
	int (*send)(const struct alert_settings *settings, const struct alert *alert,
		struct error *error);
};

enum { CHANNELS = 2 };
extern const struct channel channels[CHANNELS];

#endif
