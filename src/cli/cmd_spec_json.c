#include "cli/cmd_spec.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void print(FILE *file, cJSON *json)
{
	char *text = cJSON_Print(json);

	fprintf(file, "%s\n", text ? text : "null");
	free(text);
	cJSON_Delete(json);
}

static void add_text(cJSON *json, const char *name, const char *text)
{
	if (text)
		cJSON_AddStringToObject(json, name, text);
	else
		cJSON_AddNullToObject(json, name);
}

static void add_sheet(cJSON *json, const struct spec_sheet *sheet)
{
	add_text(json, "vendor", sheet->vendor);
	add_text(json, "family", sheet->family);
	add_text(json, "file", sheet->file);
}

void spec_list_json(FILE *file, const struct spec_library *library, int argc, char **argv)
{
	cJSON *json = cJSON_CreateArray();

	for (size_t i = 0; i < library->sheet_count; i++) {
		const struct spec_sheet *sheet = library->sheets[i];

		if (!spec_is_wanted(sheet, argc, argv))
			continue;
		cJSON *item = cJSON_CreateObject();
		add_sheet(item, sheet);
		cJSON *models = cJSON_AddArrayToObject(item, "models");
		for (size_t k = 0; k < sheet->model_count; k++) {
			cJSON *model = cJSON_CreateObject();

			add_text(model, "name", sheet->models[k].name);
			add_text(model, "capacity", sheet->models[k].capacity_printed);
			cJSON_AddItemToArray(models, model);
		}
		cJSON_AddItemToArray(json, item);
	}
	print(file, json);
}

static void add_digits(void *context, const struct part_digits *digits)
{
	cJSON *item = cJSON_CreateObject();

	add_text(item, "digits", digits->digits);
	add_text(item, "key", digits->group->key ? digits->group->key->name : NULL);
	add_text(item, "label",
		digits->group->key ? digits->group->key->label : digits->group->label);
	add_text(item, "meaning", digits->meaning);
	cJSON_AddItemToArray(context, item);
}

void spec_match_json(FILE *file, struct spec_library *library, const struct spec_subject *subject,
	const struct spec_matches *matches)
{
	cJSON *json = cJSON_CreateObject();

	add_text(json, "model", subject->model);
	cJSON *list = cJSON_AddArrayToObject(json, "matches");
	for (size_t i = 0; i < matches->count; i++) {
		const struct spec_match *match = &matches->matches[i];
		cJSON *item = cJSON_CreateObject();

		add_sheet(item, match->sheet);
		add_text(item, "name", match->model ? match->model->name : NULL);
		add_text(item, "pattern", match->pattern->regex);
		cJSON_AddItemToArray(list, item);
	}
	add_text(json, "reason", matches->reason);
	cJSON *part = cJSON_AddArrayToObject(json, "part_number");
	spec_decode(library, subject->model, add_digits, part);
	print(file, json);
}

void spec_findings_json(FILE *file, const struct findings *findings)
{
	static const char *const levels[] = { "note", "warning", "error" };
	cJSON *json = cJSON_CreateArray();

	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->findings[i];
		cJSON *item = cJSON_CreateObject();

		add_text(item, "file", finding->file);
		add_text(item, "path", finding->path);
		add_text(item, "code", finding->code);
		add_text(item, "level", levels[finding->level]);
		add_text(item, "text", finding->text);
		add_text(item, "acknowledged", finding->acknowledged);
		cJSON_AddItemToArray(json, item);
	}
	print(file, json);
}

int spec_sheet_json(FILE *file, const struct spec_sheet *sheet)
{
	FILE *from = fopen(sheet->file, "re");
	char block[4096];
	size_t len;

	if (!from)
		return -errno;
	while ((len = fread(block, 1, sizeof(block), from)) > 0)
		fwrite(block, 1, len, file);
	fclose(from);
	return 0;
}
