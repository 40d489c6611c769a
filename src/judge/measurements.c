/* Results of bench, power and prove, read by their keys. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/verify.h"

enum { RESULTS_BYTES_MAX = 64 << 20 };

void measurements_init(struct measurements *measurements)
{
	*measurements = (struct measurements) { .arena = arena_new(), .serial = "" };
}

void measurements_deinit(struct measurements *measurements)
{
	free(measurements->measurements);
	arena_free(measurements->arena);
	*measurements = (struct measurements) { 0 };
}

static double number_of(const cJSON *row, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);

	return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static uint64_t count_of(const cJSON *row, const char *name)
{
	double number = number_of(row, name);

	return number > 0 && number < 9e15 ? (uint64_t)number : 0;
}

static const char *text_of(struct measurements *measurements, const cJSON *row, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(row, name);

	return cJSON_IsString(item) ? arena_text(measurements->arena, item->valuestring) : NULL;
}

/* What a run can find out, though a claim of it takes more than a number. */
static bool is_measurable(const struct claim_key *key)
{
	return key &&
		(key->proof == PROOF_MEASURED || !strcmp(key->name, "temperature.throttles") ||
			!strcmp(key->name, "temperature.operating_celsius"));
}

static struct measurement *add(struct measurements *measurements, const struct claim_key *key,
	double value, const char *file, const char *place, size_t index)
{
	char where[512];

	snprintf(where, sizeof(where), "%s: %s %zu", file, place, index);
	measurements->measurements = array_grow(measurements->measurements, measurements->count,
		sizeof(*measurements->measurements));
	struct measurement *one = &measurements->measurements[measurements->count++];
	*one = (struct measurement) { .key = key,
		.value = value,
		.conditions.read_percent = -1,
		.file = arena_text(measurements->arena, file),
		.where = arena_text(measurements->arena, where) };
	return one;
}

static void read_row(
	struct measurements *measurements, const cJSON *row, const char *file, size_t index)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(row, "key");
	const cJSON *value = cJSON_GetObjectItemCaseSensitive(row, "value");
	const cJSON *reads = cJSON_GetObjectItemCaseSensitive(row, "read_percent");
	const struct claim_key *key = cJSON_IsString(name) ? claim_key_find(name->valuestring)
							   : NULL;

	if (!is_measurable(key) || !cJSON_IsNumber(value))
		return;
	struct measurement *one = add(
		measurements, key, value->valuedouble, file, "measurement", index);
	one->conditions = (struct conditions) {
		.block_bytes = count_of(row, "block_bytes"),
		.queue_depth = number_of(row, "queue_depth"),
		.read_percent = cJSON_IsNumber(reads) ? reads->valuedouble : -1,
		.span_bytes = count_of(row, "span_bytes"),
		.state = text_of(measurements, row, "state"),
		.ports = number_of(row, "port_count"),
		.link_gbps = number_of(row, "link_gbps"),
		.format_bytes = count_of(row, "logical_block_bytes"),
		.milliwatts = number_of(row, "limit_milliwatts"),
	};
}

/* Facts that are measured figures, under no stated conditions. */
static void read_facts(struct measurements *measurements, const cJSON *facts, const char *file)
{
	size_t index = 0;

	for (const cJSON *fact = facts ? facts->child : NULL; fact; fact = fact->next) {
		const struct claim_key *key = claim_key_find(fact->string);
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(fact, "value");

		index++;
		if (key && key->proof == PROOF_MEASURED && cJSON_IsNumber(value))
			add(measurements, key, value->valuedouble, file, "fact", index);
	}
}

/* 1 where the document says of which drive it is, 0 where not. */
static int take_serial(struct measurements *measurements, const cJSON *facts, struct error *error)
{
	const cJSON *fact = cJSON_GetObjectItemCaseSensitive(facts, "identity.serial");
	const char *serial = text_of(measurements, fact, "value");

	if (!serial || !*serial)
		return 0;
	if (*measurements->serial && strcmp(measurements->serial, serial) != 0)
		return error_set(error, EXIT_USAGE, "results of two drives: %s and %s",
			measurements->serial, serial);
	measurements->serial = serial;
	return 1;
}

static int read_document(
	struct measurements *measurements, const cJSON *json, const char *file, struct error *error)
{
	const cJSON *facts = cJSON_GetObjectItemCaseSensitive(json, "facts");
	const cJSON *tables = cJSON_GetObjectItemCaseSensitive(json, "tables");
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(tables, "measurements");
	size_t index = 0, before = measurements->count;

	if (!cJSON_IsObject(facts))
		return error_set(error, EXIT_NO_DRIVE_DATA,
			"expected results of assay: an object with \"facts\"");
	int named = take_serial(measurements, facts, error);
	if (named < 0)
		return -1;
	read_facts(measurements, facts, file);
	for (const cJSON *row = cJSON_IsArray(rows) ? rows->child : NULL; row; row = row->next)
		read_row(measurements, row, file, ++index);
	if (!named && !measurements->unnamed && measurements->count > before)
		measurements->unnamed = measurements->measurements[before].file;
	return 0;
}

int measurements_read_text(const char *file, const char *text, size_t len,
	struct measurements *measurements, struct error *error)
{
	cJSON *json = cJSON_ParseWithLength(text, len);
	int result = 0;

	if (!json)
		return error_set(error, EXIT_NO_DRIVE_DATA, "expected JSON");
	if (!cJSON_IsArray(json))
		result = read_document(measurements, json, file, error);
	for (const cJSON *item = cJSON_IsArray(json) ? json->child : NULL; item && !result;
		item = item->next)
		result = read_document(measurements, item, file, error);
	cJSON_Delete(json);
	return result;
}

int measurements_read(const char *file, struct measurements *measurements, struct error *error)
{
	FILE *stream = fopen(file, "re");
	int result = -1;

	if (!stream)
		return error_set(error, error_status_of(errno), "%s", strerror(errno));
	char *text = malloc(RESULTS_BYTES_MAX);
	size_t len = text ? fread(text, 1, RESULTS_BYTES_MAX, stream) : 0;
	if (!text || len == RESULTS_BYTES_MAX)
		error_set(error, EXIT_NO_DRIVE_DATA, "expected a file of less than 64 MiB");
	else
		result = measurements_read_text(file, text, len, measurements, error);
	free(text);
	fclose(stream);
	return result;
}

static double cell(const struct row *row, const char *column)
{
	double number = 0;

	value_number(row_get(row, column), &number);
	return number;
}

void measurements_take(const struct facts *facts, struct measurements *measurements)
{
	size_t index = 0;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (strcmp(row->table->name, "measurements") != 0)
			continue;
		const struct claim_key *key = claim_key_find(row_text(row, "key"));
		double reads = 0;

		index++;
		if (!is_measurable(key))
			continue;
		struct measurement *one = add(
			measurements, key, cell(row, "value"), "this run", "measurement", index);
		one->conditions.block_bytes = (uint64_t)cell(row, "block_bytes");
		one->conditions.queue_depth = cell(row, "queue_depth");
		one->conditions.milliwatts = cell(row, "limit_milliwatts");
		if (value_number(row_get(row, "read_percent"), &reads))
			one->conditions.read_percent = reads;
	}
}
