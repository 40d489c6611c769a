#include "assay/command.h"

#include <stdio.h>
#include <string.h>

#include <scsi/sg_lib.h>

#include "assay/array.h"

enum { NO_SENSE = 0, RECOVERED_ERROR = 1, NOT_READY = 2, UNIT_ATTENTION = 6 };

bool sense_read(struct bytes sense, struct sense *result)
{
	struct sg_scsi_sense_hdr header;
	int len = (int)(sense.len < SENSE_MAX ? sense.len : SENSE_MAX);
	int progress;

	if (!sense.at || !sg_scsi_normalize_sense(sense.at, len, &header) ||
		header.response_code < 0x70 || header.response_code > 0x73)
		return false;
	*result = (struct sense) {
		.key = header.sense_key,
		.asc = header.asc,
		.ascq = header.ascq,
		.deferred = header.response_code & 1,
	};
	result->information_valid = sg_get_sense_info_fld(sense.at, len, &result->information);
	if (!result->information_valid)
		result->information = 0;
	if (sg_get_sense_progress_fld(sense.at, len, &progress)) {
		result->progress_valid = true;
		result->progress = (unsigned)progress;
	}
	return true;
}

const char *additional_sense_text(uint8_t asc, uint8_t ascq, char *text, size_t size)
{
	static const char prefix[] = "Additional sense: ";
	char code[128];

	sg_get_asc_ascq_str(asc, ascq, sizeof(code), code);
	bool prefixed = !strncmp(code, prefix, strlen(prefix));

	snprintf(text, size, "%s", code + (prefixed ? strlen(prefix) : 0));
	return text;
}

const char *sense_text(struct bytes sense, char *text, size_t size)
{
	char key[32], code[128] = "";
	struct sense what;

	if (!sense_read(sense, &what)) {
		snprintf(text, size, "no sense data");
		return text;
	}
	sg_get_sense_key_str(what.key, sizeof(key), key);
	if (what.asc || what.ascq)
		additional_sense_text(what.asc, what.ascq, code, sizeof(code));
	snprintf(text, size, "%s%s%s%s", key, *code ? ", " : "", code,
		what.deferred ? " (of an earlier command)" : "");
	return text;
}

/* SPC-5: additional sense codes 5Eh of REQUEST SENSE. By timer and by command
 * are the same state; "idle" and "standby" without a letter are idle_a and
 * standby_z (SPC-4 on). */
static const char *low_power_state(uint8_t ascq)
{
	static const char *const states[] = {
		[0x00] = "low_power",
		[0x01] = "idle_a",
		[0x02] = "standby_z",
		[0x03] = "idle_a",
		[0x04] = "standby_z",
		[0x05] = "idle_b",
		[0x06] = "idle_b",
		[0x07] = "idle_c",
		[0x08] = "idle_c",
		[0x09] = "standby_y",
		[0x0a] = "standby_y",
		[0x41] = "active",
		[0x42] = "idle",
		[0x43] = "standby",
		[0x45] = "sleep",
	};

	if (ascq < ARRAY_LEN(states) && states[ascq])
		return states[ascq];
	return "unknown";
}

const char *power_state_of_sense(const struct sense *sense)
{
	enum { LOW_POWER = 0x5e, NOT_READY_CODE = 0x04 };
	enum { START_UNIT_REQUIRED = 0x02, SPINUP_REQUIRED = 0x11 };

	if (sense->asc == LOW_POWER)
		return low_power_state(sense->ascq);
	switch (sense->key) {
	case NO_SENSE: /* anything else that is reported this way is about an awake drive */
	case RECOVERED_ERROR:
		return "active";
	case NOT_READY:
		if (sense->asc != NOT_READY_CODE)
			return "unknown";
		if (sense->ascq == START_UNIT_REQUIRED || sense->ascq == SPINUP_REQUIRED)
			return "stopped";
		return "not_ready";
	}
	return "unknown";
}

const char *power_state_of_count(uint16_t count)
{
	static const struct {
		uint16_t count;
		const char *state;
	} states[] = {
		{ 0x00, "standby" }, { 0x01, "standby_y" },
		{ 0x40, "standby" }, /* obsolete: non-volatile cache, spun down */
		{ 0x41, "active" },  /* obsolete: the same, spun up */
		{ 0x80, "idle" }, { 0x81, "idle_a" }, { 0x82, "idle_b" }, { 0x83, "idle_c" },
		{ 0xff, "active" }, /* or idle, without the EPC feature set */
	};

	for (size_t i = 0; i < ARRAY_LEN(states); i++)
		if (states[i].count == (count & 0xff))
			return states[i].state;
	return "unknown";
}

bool power_state_sleeps(const char *state)
{
	static const char *const asleep[] = { "stopped", "sleep", "low_power", "standby",
		"standby_y", "standby_z" };

	for (size_t i = 0; i < ARRAY_LEN(asleep); i++)
		if (!strcmp(asleep[i], state))
			return true;
	return false;
}
