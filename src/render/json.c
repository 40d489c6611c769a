/* JSON for scripts: docs/assay-document.schema.json. */
#include "assay/render.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "assay/capture.h"
#include "render/text_clean.h"

static cJSON *json_text(const char *text)
{
	size_t size = strlen(text) + 1;
	char *clean = malloc(size);
	cJSON *json = clean ? cJSON_CreateString(text_clean(text, clean, size)) : NULL;

	free(clean);
	return json;
}

static void add_text(cJSON *object, const char *name, const char *text)
{
	cJSON_AddItemToObject(object, name, json_text(text));
}

/* cJSON has doubles only: whole numbers go in as text. */
static cJSON *json_number(struct value value)
{
	char text[32];

	if (value.kind == VALUE_UINT)
		snprintf(text, sizeof(text), "%" PRIu64, value.uint);
	else
		snprintf(text, sizeof(text), "%" PRId64, value.sint);
	return cJSON_CreateRaw(text);
}

static cJSON *json_value(struct value value)
{
	switch (value.kind) {
	case VALUE_FLAG:
		return cJSON_CreateBool(value.flag);
	case VALUE_UINT:
	case VALUE_INT:
		return json_number(value);
	case VALUE_REAL:
		return isfinite(value.real) ? cJSON_CreateNumber(value.real) : cJSON_CreateNull();
	case VALUE_TEXT:
		return json_text(value.text);
	default:
		return cJSON_CreateNull();
	}
}

static void add_page_source(cJSON *json, const struct source *source)
{
	char text[128], *at = text;

	cJSON_AddStringToObject(json, "command", page_command(source->page));
	cJSON_AddStringToObject(json, "page", page_name(source->page, text, sizeof(text)));
	if (source->parameter >= 0)
		cJSON_AddNumberToObject(json,
			source->page.kind == PAGE_LOG ? "parameter" : "attribute",
			source->parameter);
	if (!source->raw.len)
		return;
	cJSON_AddNumberToObject(json, "offset", source->offset);
	for (size_t i = 0; i < source->raw.len && at + 3 < text + sizeof(text); i++)
		at += snprintf(at, 3, "%02x", source->raw.at[i]);
	cJSON_AddStringToObject(json, "raw", text);
}

static cJSON *json_source(const struct source *source)
{
	static const char *const origins[] = { "page", "host", "derived", "knowledge" };
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "origin", origins[source->origin]);
	if (source->origin == ORIGIN_PAGE)
		add_page_source(json, source);
	if (source->text)
		add_text(json, "text", source->text);
	return json;
}

static const char *state_name(enum fact_state state)
{
	static const char *const names[] = { "known", "unknown", "invalid" };

	return names[state];
}

/* What one source says; the part that a fact shares with each of its others. */
static cJSON *json_saying(const struct fact *fact)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddItemToObject(json, "value", json_value(fact->value));
	cJSON_AddStringToObject(json, "state", state_name(fact->state));
	cJSON_AddItemToObject(json, "source", json_source(&fact->source));
	if (fact->note)
		add_text(json, "note", fact->note);
	return json;
}

static cJSON *json_others(const struct facts *facts, const struct fact *best)
{
	cJSON *others = NULL;

	for (size_t i = 0; i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];

		if (fact == best || fact->key != best->key)
			continue;
		if (!others)
			others = cJSON_CreateArray();
		cJSON_AddItemToArray(others, json_saying(fact));
	}
	return others;
}

static cJSON *json_fact(const struct facts *facts, const struct fact *best)
{
	cJSON *json = json_saying(best), *others = json_others(facts, best);

	cJSON_AddStringToObject(json, "unit", unit_name(best->key->unit));
	cJSON_AddStringToObject(json, "label", best->key->label);
	if (others)
		cJSON_AddItemToObject(json, "others", others);
	return json;
}

static cJSON *json_facts(const struct facts *facts)
{
	cJSON *json = cJSON_CreateObject();

	for (size_t i = 0; facts && i < facts->fact_count; i++) {
		const char *name = facts->facts[i].key->name;

		if (!cJSON_HasObjectItem(json, name))
			cJSON_AddItemToObject(
				json, name, json_fact(facts, facts_find(facts, name)));
	}
	return json;
}

static cJSON *json_row(const struct row *row)
{
	cJSON *json = cJSON_CreateObject();

	for (size_t i = 0; i < row->table->column_count; i++)
		cJSON_AddItemToObject(json, row->table->columns[i].name, json_value(row->cells[i]));
	return json;
}

static cJSON *json_tables(const struct facts *facts)
{
	cJSON *json = cJSON_CreateObject();

	for (size_t i = 0; facts && i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];
		cJSON *table = cJSON_GetObjectItemCaseSensitive(json, row->table->name);

		if (!table)
			table = cJSON_AddArrayToObject(json, row->table->name);
		cJSON_AddItemToArray(table, json_row(row));
	}
	return json;
}

static const char *verdict_name(enum verdict_state state)
{
	static const char *const names[] = { "ok", "warning", "failing", "unknown", "pass", "fail",
		"marginal", "not_tested", "not_verifiable", "conflict", "no_claim" };

	return names[state];
}

/* What only verify says. */
static void json_claim(cJSON *item, const struct verdict *verdict)
{
	const struct {
		const char *name, *text;
	} parts[] = {
		{ "label", verdict->label },
		{ "expected", verdict->expected },
		{ "found", verdict->found },
		{ "evidence", verdict->evidence },
		{ "test", verdict->test },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (parts[i].text && *parts[i].text)
			add_text(item, parts[i].name, parts[i].text);
}

static cJSON *json_verdicts(const struct document *document)
{
	cJSON *json = cJSON_CreateArray();

	for (size_t i = 0; i < document->verdict_count; i++) {
		const struct verdict *verdict = &document->verdicts[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "id", verdict->id);
		cJSON_AddStringToObject(item, "state", verdict_name(verdict->state));
		if (verdict->noted)
			cJSON_AddBoolToObject(item, "noted", true);
		add_text(item, "reason", verdict->reason);
		json_claim(item, verdict);
		cJSON *keys = cJSON_AddArrayToObject(item, "facts");
		for (size_t k = 0; k < verdict->key_count; k++)
			cJSON_AddItemToArray(keys, cJSON_CreateString(verdict->keys[k]));
		cJSON_AddItemToArray(json, item);
	}
	return json;
}

static cJSON *json_notes(const struct facts *facts)
{
	cJSON *json = cJSON_CreateArray();

	for (size_t i = 0; facts && i < facts->note_count; i++) {
		const struct note *note = &facts->notes[i];
		cJSON *item = cJSON_CreateObject();

		add_text(item, "text", note->text);
		if (note->source.origin != ORIGIN_DERIVED || note->source.text)
			cJSON_AddItemToObject(item, "source", json_source(&note->source));
		cJSON_AddItemToArray(json, item);
	}
	return json;
}

static cJSON *json_device(const struct document *document)
{
	static const struct {
		const char *name, *key;
	} parts[] = {
		{ "protocol", "identity.protocol" },
		{ "vendor", "identity.vendor" },
		{ "model", "identity.model" },
		{ "serial", "identity.serial" },
		{ "wwn", "identity.wwn" },
	};
	cJSON *json = cJSON_CreateObject();

	add_text(json, "target", document->target);
	for (size_t i = 0; document->facts && i < ARRAY_LEN(parts); i++)
		if (*facts_text(document->facts, parts[i].key))
			add_text(json, parts[i].name, facts_text(document->facts, parts[i].key));
	if (document->capture && capture_host_value(document->capture, "command_count"))
		cJSON_AddNumberToObject(json, "command_count",
			atof(capture_host_value(document->capture, "command_count")));
	return json;
}

static cJSON *json_error(const struct error *error)
{
	cJSON *json = cJSON_CreateObject();

	add_text(json, "text", error->text);
	cJSON_AddNumberToObject(json, "exit_status", error->status);
	return json;
}

static cJSON *json_document(const struct document *document, const struct render_options *options)
{
	cJSON *json = cJSON_CreateObject();
	cJSON *tool = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "schema", "assay-document-1");
	cJSON_AddStringToObject(tool, "name", "assay");
	cJSON_AddStringToObject(tool, "version", options->version);
	cJSON_AddStringToObject(tool, "command", options->command);
	cJSON_AddItemToObject(json, "tool", tool);
	cJSON_AddItemToObject(json, "device", json_device(document));
	if (document->error)
		cJSON_AddItemToObject(json, "error", json_error(document->error));
	cJSON_AddItemToObject(json, "facts", json_facts(document->facts));
	cJSON_AddItemToObject(json, "tables", json_tables(document->facts));
	cJSON_AddItemToObject(json, "verdicts", json_verdicts(document));
	cJSON_AddItemToObject(json, "notes", json_notes(document->facts));
	return json;
}

static void print(FILE *file, const struct document *document, size_t index, size_t count,
	const struct render_options *options)
{
	cJSON *json = json_document(document, options);
	char *text = cJSON_Print(json);

	if (count > 1)
		fputs(index == 0 ? "[\n" : ",\n", file);
	fputs(text ? text : "null", file);
	if (count > 1 && index + 1 == count)
		fputs("\n]", file);
	if (count == 1 || index + 1 == count)
		fputc('\n', file);
	cJSON_free(text);
	cJSON_Delete(json);
}

const struct renderer renderer_json = { .name = "json", .print = print };
