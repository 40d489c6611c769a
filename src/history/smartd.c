/*
 * The attribute logs of smartd(8), by its manual page: a line a check, which
 * begins with the time in UTC. Of ATA drives triplets "ID;VALUE;RAW;" follow, of
 * SCSI drives pairs "NAME;NUMBER;". The names are those of the file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/decoder.h"
#include "assay/import.h"
#include "history/tables.h"

enum { SECTOR = 512, SLOTS = 30, SLOT = 12, BATCH = 500 };

struct log {
	struct history *history;
	const char *file;
	bool is_ata;
	struct arena *arena;
	const char *vendor, *model, *serial;
	struct facts facts[BATCH];
	struct history_record records[BATCH];
	size_t count;
	struct history_imported *imported;
	struct error *error;
};

/* ---- Who it is ---- */

/* Cuts off what stands behind the last "-"; NULL where there is none. */
static char *cut_last(char *name)
{
	char *dash = strrchr(name, '-');

	if (!dash)
		return NULL;
	*dash = '\0';
	return dash + 1;
}

/* A prefix that the administrator chose may have dashes of its own. */
static const char *last_part(const char *name)
{
	const char *dash = strrchr(name, '-');

	return dash ? dash + 1 : name;
}

static int read_name(struct log *log)
{
	static const char usual[] = "attrlog.";
	const char *slash = strrchr(log->file, '/');
	char *name = arena_text(log->arena, slash ? slash + 1 : log->file);
	char *end = strstr(name, ".ata.csv");

	log->is_ata = end;
	end = end ? end : strstr(name, ".scsi.csv");
	if (!end || end == name)
		return error_set(log->error, EXIT_NO_DRIVE_DATA,
			"%s: not named as smartd does: MODEL-SERIAL.ata.csv or "
			"VENDOR-MODEL-SERIAL.scsi.csv",
			log->file);
	*end = '\0';
	name += strncmp(name, usual, strlen(usual)) == 0 ? strlen(usual) : 0;
	log->serial = cut_last(name);
	if (!log->serial || !*log->serial)
		return error_set(log->error, EXIT_NO_DRIVE_DATA,
			"%s: its name tells no model and serial number", log->file);
	log->model = log->is_ata ? last_part(name) : cut_last(name);
	log->vendor = log->is_ata ? "" : log->model ? last_part(name) : "";
	log->model = log->model ? log->model : name;
	return 0;
}

/* The file's name has "_" for much; the history may know the real one. */
static int find_names(struct log *log)
{
	struct history_drive *drives;
	size_t count;

	snprintf(log->imported->subject, sizeof(log->imported->subject), "%s%s%s-%s", log->vendor,
		*log->vendor ? "-" : "", log->model, log->serial);
	if (history_drives(log->history, log->imported->subject, log->arena, &drives, &count,
		    log->error) != 0)
		return -1;
	if (count != 1)
		return 0;
	log->vendor = log->is_ata ? "" : drives[0].vendor;
	log->model = drives[0].model;
	log->serial = drives[0].serial;
	return 0;
}

static void give(struct facts *facts, const char *key, struct value value)
{
	history_fact(facts, key, value, "smartd's attribute log");
}

static void give_names(const struct log *log, struct facts *facts)
{
	give(facts, "identity.protocol", value_text(log->is_ata ? "ata" : "scsi"));
	if (*log->vendor)
		give(facts, "identity.vendor", value_text(log->vendor));
	give(facts, "identity.model", value_text(log->model));
	give(facts, "identity.serial", value_text(log->serial));
}

/* ---- ATA: SMART data that the decoders know how to read ---- */

static void make_identify(const struct log *log, uint8_t identify[SECTOR])
{
	enum { SERIAL_AT = 2 * 10, SERIAL_LEN = 20, MODEL_AT = 2 * 27, MODEL_LEN = 40 };

	bytes_put_ata_text(identify + SERIAL_AT, SERIAL_LEN, log->serial);
	bytes_put_ata_text(identify + MODEL_AT, MODEL_LEN, log->model);
}

static bool read_attribute(char **at, uint8_t *slot)
{
	unsigned long long numbers[3];

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		char *end;

		numbers[i] = strtoull(*at, &end, 10);
		if (end == *at || *end != ';')
			return false;
		*at = end + 1;
	}
	if (numbers[0] == 0 || numbers[0] > UINT8_MAX || numbers[1] > UINT8_MAX)
		return false;
	slot[0] = (uint8_t)numbers[0];
	/* The worst value is not told; that it was at least as bad is certain. */
	slot[3] = slot[4] = (uint8_t)numbers[1];
	for (size_t i = 0; i < 6; i++)
		slot[5 + i] = (uint8_t)(numbers[2] >> 8 * i);
	return numbers[2] >> 48 == 0;
}

static char *skip_blanks(char *at)
{
	return at + strspn(at, " \t\r\n");
}

static bool make_smart(char *line, uint8_t smart[SECTOR])
{
	uint8_t sum = 0;
	size_t slot = 0;

	smart[0] = 16; /* a version that is common; nothing depends on it */
	for (char *at = skip_blanks(line); *at; at = skip_blanks(at), slot++)
		if (slot == SLOTS || !read_attribute(&at, smart + 2 + SLOT * slot))
			return false;
	for (size_t i = 0; i < SECTOR - 1; i++)
		sum = (uint8_t)(sum + smart[i]);
	smart[SECTOR - 1] = (uint8_t)-sum;
	return slot > 0;
}

/* Only what follows from the attributes: the identity that was made for the
 * decoders says nothing of the drive. */
static void take_attributes(const struct facts *decoded, struct facts *facts)
{
	for (size_t i = 0; i < decoded->fact_count; i++) {
		const struct fact *fact = &decoded->facts[i];

		if (fact->source.page.kind == PAGE_SMART_DATA && fact->source.parameter > 0)
			facts_add(facts, fact->key, fact->value, fact->state,
				source_derived("smartd's attribute log"), fact->rank);
	}
	for (size_t i = 0; i < decoded->row_count; i++) {
		const struct row *row = &decoded->rows[i];
		static const char *const columns[] = { "id", "value", "raw" };

		if (strcmp(row->table->name, "ata_attributes") != 0)
			continue;
		struct row *copy = facts_row(facts, row->table, source_derived(NULL));

		for (size_t c = 0; c < ARRAY_LEN(columns); c++)
			row_set(copy, columns[c], row_get(row, columns[c]));
	}
}

static bool read_ata(struct log *log, char *line, struct facts *facts)
{
	uint8_t identify[SECTOR] = { 0 }, smart[SECTOR] = { 0 };
	struct capture capture;
	struct facts decoded;
	struct error error;

	if (!make_smart(line, smart))
		return false;
	make_identify(log, identify);
	capture_init(&capture, log->file);
	facts_init(&decoded);
	import_bytes(
		(struct bytes) { identify, SECTOR }, log->file, IMPORT_IDENTIFY, &capture, &error);
	bool good = import_bytes((struct bytes) { smart, SECTOR }, log->file, IMPORT_SMART,
			    &capture, &error) == 0;

	decode(&capture, &decoded);
	take_attributes(&decoded, facts);
	facts_deinit(&decoded);
	capture_deinit(&capture);
	return good;
}

/* ---- SCSI ---- */

/* Of the counters only those whose meaning is the same here. */
static const struct {
	const char *name, *key;
} counters[] = {
	{ "read-total-unc-errors", "errors.uncorrected_read_count" },
	{ "write-total-unc-errors", "errors.uncorrected_write_count" },
	{ "verify-total-unc-errors", "errors.uncorrected_verify_count" },
	{ "non-medium-errors", "errors.non_medium_count" },
	{ "temperature", "temperature.current_celsius" },
};

static void give_counter(struct facts *facts, const char *name, unsigned long long number)
{
	for (size_t i = 0; i < ARRAY_LEN(counters); i++)
		if (!strcmp(counters[i].name, name))
			give(facts, counters[i].key, value_uint(number));
}

static bool read_scsi(struct log *log, char *line, struct facts *facts)
{
	size_t pairs = 0;

	(void)log;
	for (char *at = skip_blanks(line); *at; at = skip_blanks(at), pairs++) {
		char *name = at, *semicolon = strchr(at, ';'), *end;

		if (!semicolon)
			return false;
		*semicolon = '\0';
		unsigned long long number = strtoull(semicolon + 1, &end, 10);

		/* Amounts of data have decimals. */
		if (end > semicolon + 1 && *end == '.')
			end += 1 + strspn(end + 1, "0123456789");
		if (end == semicolon + 1 || *end != ';')
			return false;
		give_counter(facts, name, number);
		at = end + 1;
	}
	return pairs > 0;
}

/* ---- The file ---- */

static bool read_time(char *line, int64_t *time, char **rest)
{
	struct tm date = { 0 };

	*rest = strptime(line, "%Y-%m-%d %H:%M:%S", &date);
	if (!*rest || **rest != ';' || date.tm_year < 90)
		return false;
	*time = timegm(&date);
	(*rest)++;
	return true;
}

static int flush(struct log *log)
{
	int result = log->count ? history_record(log->history, log->records, log->count, log->error)
				: 0;

	for (size_t i = 0; i < log->count; i++)
		facts_deinit(&log->facts[i]);
	log->count = 0;
	return result;
}

static int take_line(struct log *log, char *line, size_t number)
{
	struct facts *facts = &log->facts[log->count];
	int64_t time;
	char *rest;

	facts_init(facts);
	if (read_time(line, &time, &rest) &&
		(log->is_ata ? read_ata(log, rest, facts) : read_scsi(log, rest, facts))) {
		give_names(log, facts);
		log->records[log->count++] = (struct history_record) { .time = time,
			.facts = facts };
		log->imported->records++;
		return log->count == BATCH ? flush(log) : 0;
	}
	facts_deinit(facts);
	if (!log->imported->wrong++)
		log->imported->first_wrong = number;
	return 0;
}

static int read_lines(struct log *log, FILE *file)
{
	char *line = NULL;
	size_t size = 0, number = 0;
	int result = 0;

	while (result == 0 && getline(&line, &size, file) > 0)
		result = take_line(log, line, ++number);
	free(line);
	if (result == 0)
		result = flush(log);
	else
		flush(log);
	if (result == 0 && ferror(file))
		result = error_set(
			log->error, error_status_of(errno), "%s: %s", log->file, strerror(errno));
	if (result == 0 && !log->imported->records)
		result = error_set(log->error, EXIT_NO_DRIVE_DATA,
			"%s: no line of an attribute log of smartd", log->file);
	return result;
}

int history_import(struct history *history, const char *file, struct history_imported *imported,
	struct error *error)
{
	struct log *log;
	FILE *stream = fopen(file, "re");
	int result;

	*imported = (struct history_imported) { .records = 0 };
	if (!stream)
		return error_set(error, error_status_of(errno), "%s: %s", file, strerror(errno));
	log = array_grow(NULL, 0, sizeof(*log));
	*log = (struct log) { .history = history,
		.file = file,
		.vendor = "",
		.model = "",
		.serial = "",
		.arena = arena_new(),
		.imported = imported,
		.error = error };
	result = read_name(log);
	if (result == 0)
		result = find_names(log);
	if (result == 0)
		result = read_lines(log, stream);
	arena_free(log->arena);
	free(log);
	fclose(stream);
	return result;
}
