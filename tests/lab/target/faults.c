/* A drive that misbehaves: which commands, how, and how often. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/array.h"
#include "drive.h"

enum { GONE_AFTER_US = 300000 };

enum action {
	HANG,
	HANG_FOREVER,
	DELAY,
	SENSE,
	BUSY,
	CONFLICT,
	FULL,
	SHORT,
	LENGTH,
	FILL,
	GONE,
	LOST,
	MISDIRECT,
	FLIP
};

struct fault {
	enum action action;
	long value;
	/* Which commands; -1: any. */
	long code, page, sub, ata;
	long after; /* let so many pass first */
	long count; /* then spoil so many; -1: all */
	uint8_t fill;
};

static const struct {
	const char *name;
	enum action action;
	bool value; /* it needs one */
} actions[] = {
	{ "hang", HANG, false },
	{ "hang-forever", HANG_FOREVER, false },
	{ "delay", DELAY, true },
	{ "sense", SENSE, true },
	{ "busy", BUSY, false },
	{ "conflict", CONFLICT, false },
	{ "full", FULL, false },
	{ "short", SHORT, true },
	{ "length", LENGTH, true },
	{ "fill", FILL, true },
	{ "gone", GONE, false },
	{ "lost", LOST, false },
	{ "misdirect", MISDIRECT, true },
	{ "flip", FLIP, true },
};

/* KEY/ASC/ASCQ, hexadecimal, as one number. */
static long sense_value(const char *text)
{
	unsigned key, asc, ascq;

	if (sscanf(text, "%x/%x/%x", &key, &asc, &ascq) != 3)
		return -1;
	return (long)(key << 16 | asc << 8 | ascq);
}

static const char *set_action(struct fault *fault, const char *word)
{
	size_t len = strcspn(word, "=");
	const char *value = word[len] ? word + len + 1 : NULL;

	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		if (strlen(actions[i].name) != len || strncmp(actions[i].name, word, len) != 0)
			continue;
		if (!value != !actions[i].value)
			return "a value is missing or too much";
		fault->action = actions[i].action;
		if (value)
			fault->value = fault->action == SENSE ? sense_value(value)
							      : strtol(value, NULL, 0);
		fault->fill = (uint8_t)fault->value;
		return fault->value < 0 ? "no such value" : NULL;
	}
	return "no such fault";
}

static const char *set_which(struct fault *fault, char *word)
{
	const struct {
		const char *name;
		long *value;
		int base;
	} names[] = {
		{ "op", &fault->code, 16 },
		{ "page", &fault->page, 16 },
		{ "sub", &fault->sub, 16 },
		{ "ata", &fault->ata, 16 },
		{ "after", &fault->after, 10 },
		{ "count", &fault->count, 10 },
	};
	char *value = strchr(word, '=');

	if (!value)
		return "NAME=VALUE is expected";
	*value++ = '\0';
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (strcmp(names[i].name, word) != 0)
			continue;
		*names[i].value = strtol(value, NULL, names[i].base);
		return NULL;
	}
	return "no such name";
}

const char *faults_add(struct drive *drive, char *words)
{
	struct fault fault = { .code = -1, .page = -1, .sub = -1, .ata = -1, .count = -1 };
	char *rest, *word = strtok_r(words, " ", &rest);
	const char *wrong = word ? set_action(&fault, word) : "which fault?";

	while (!wrong && (word = strtok_r(NULL, " ", &rest)))
		wrong = set_which(&fault, word);
	if (wrong)
		return wrong;
	drive->faults = realloc(drive->faults, (drive->fault_count + 1) * sizeof(fault));
	drive->faults[drive->fault_count++] = fault;
	return NULL;
}

void faults_clear(struct drive *drive)
{
	drive->fault_count = 0;
}

static long ata_command(const struct command *command)
{
	switch (command->cdb[0]) {
	case 0x85:
		return command->cdb[14];
	case 0xa1:
		return command->cdb[9];
	}
	return -2;
}

static bool matches(const struct fault *fault, const struct command *command)
{
	if (fault->code >= 0 && fault->code != command->cdb[0])
		return false;
	if (fault->ata >= 0 && fault->ata != ata_command(command))
		return false;
	if (fault->page >= 0 &&
		(command->page.kind == PAGE_INQUIRY || fault->page != command->page.page))
		return false;
	return fault->sub < 0 || fault->sub == command->page.sub;
}

/* The kernel forgets the drive while the command is under way. */
static void go_away(struct drive *drive)
{
	char path[128];
	FILE *file;

	if (fork())
		return;
	plug_address(drive);
	snprintf(path, sizeof(path), "/sys/bus/scsi/devices/%s/delete", drive->device);
	file = fopen(path, "w");
	if (file) {
		fputs("1\n", file);
		fclose(file);
	}
	_exit(0);
}

/* True: the command is answered. */
static bool spoil(struct drive *drive, struct command *command, const struct fault *fault)
{
	switch (fault->action) {
	case HANG_FOREVER:
		command->stubborn = true;
		/* fall through */
	case HANG:
		command->delay_us = NEVER;
		return true;
	case DELAY:
		command->delay_us += fault->value * INT64_C(1000);
		return false;
	case SENSE:
		command_fail(drive, command, (uint8_t)(fault->value >> 16),
			(uint8_t)(fault->value >> 8), (uint8_t)fault->value);
		return true;
	case BUSY:
		command->status = STATUS_BUSY;
		return true;
	case CONFLICT:
		command->status = STATUS_CONFLICT;
		return true;
	case FULL:
		command->status = STATUS_TASK_SET_FULL;
		return true;
	case SHORT:
		command->cut_to = fault->value;
		return false;
	case LENGTH:
		command->length_lie = fault->value;
		return false;
	case FILL:
		command->fill = &fault->fill;
		return false;
	case LOST:
		command->lost = true;
		return false;
	case MISDIRECT:
		command->lba_mask = (uint64_t)fault->value;
		return false;
	case FLIP:
		command->flip_at = fault->value;
		return false;
	case GONE:
		go_away(drive);
		command->delay_us += GONE_AFTER_US;
		return false;
	}
	return false;
}

bool faults_apply(struct drive *drive, struct command *command)
{
	for (size_t i = 0; i < drive->fault_count; i++) {
		struct fault *fault = &drive->faults[i];

		if (!fault->count || !matches(fault, command))
			continue;
		if (fault->after > 0) {
			fault->after--;
			continue;
		}
		if (fault->count > 0)
			fault->count--;
		if (spoil(drive, command, fault))
			return true;
	}
	return false;
}
