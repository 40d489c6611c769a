/* A sheet out of its JSON: everything but the claims (read_claim.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "spec/read.h"

/* ---- Sources ---- */

static void read_one_source(struct loader *loader, const cJSON *json, const struct place *place,
	struct spec_source *source)
{
	static const struct member members[] = {
		{ "title", read_text_member, offsetof(struct spec_source, title), NULL },
		{ "url", read_text_member, offsetof(struct spec_source, url), NULL },
		{ "licence", read_text_member, offsetof(struct spec_source, licence), NULL },
		{ "recalled", read_flag_member, offsetof(struct spec_source, recalled), NULL },
		{ "drives", read_flag_member, offsetof(struct spec_source, drives), NULL },
		{ 0 },
	};

	source->id = arena_text(loader->arena, json->string);
	if (cJSON_IsString(json))
		source->title = read_text(loader, json, place);
	else
		read_object(loader, json, place, members, source);
	if (!source->title) {
		problem(loader, place, "expected a \"title\"");
		source->title = source->id;
	}
}

static void read_sources(struct loader *loader, const cJSON *json)
{
	struct place place = { NULL, "sources", 0 };
	struct spec_sheet *sheet = reading(loader)->sheet;

	if (!cJSON_IsObject(json)) {
		if (json)
			problem(loader, &place, "expected an object");
		return;
	}
	struct spec_source *sources = arena_alloc(
		loader->arena, (size_t)cJSON_GetArraySize(json) * sizeof(*sources));
	sheet->sources = sources;
	for (const cJSON *item = json->child; item; item = item->next) {
		struct place here = { &place, item->string, 0 };

		for (size_t i = 0; i < sheet->source_count; i++)
			if (!strcmp(sources[i].id, item->string))
				problem(loader, &here, "the same key twice: expected it once");
		read_one_source(loader, item, &here, &sources[sheet->source_count++]);
	}
}

const struct spec_source *read_source(
	struct loader *loader, const cJSON *json, const struct place *place)
{
	const struct spec_sheet *sheet = reading(loader)->sheet;
	const char *id = read_text(loader, json, place);

	for (size_t i = 0; id && i < sheet->source_count; i++)
		if (!strcmp(sheet->sources[i].id, id))
			return &sheet->sources[i];
	if (id)
		problem(loader, place, "\"%s\": expected a key of \"sources\"", id);
	return NULL;
}

/* ---- Models ---- */

static bool read_pattern(struct loader *loader, const cJSON *json, const struct place *place,
	struct pattern *pattern)
{
	static const struct member members[] = {
		{ "pattern", read_nothing, 0, NULL },
		{ "oem", read_text_member, offsetof(struct pattern, oem), NULL },
		{ 0 },
	};
	struct place here = { place, "pattern", 0 };

	if (!cJSON_IsObject(json))
		return read_regex(loader, json, place, &pattern->regex, &pattern->literal);
	read_object(loader, json, place, members, pattern);
	return read_regex(loader, cJSON_GetObjectItemCaseSensitive(json, "pattern"), &here,
		&pattern->regex, &pattern->literal);
}

static void read_match(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_model *model = target;
	bool several = cJSON_IsArray(json);
	size_t room = several ? (size_t)cJSON_GetArraySize(json) : 1;
	int index = 0;
	(void)member;

	model->patterns = arena_alloc(loader->arena, room * sizeof(*model->patterns));
	for (const cJSON *item = several ? json->child : json; item; item = item->next) {
		struct place here = { place, NULL, index++ };

		model->pattern_count += read_pattern(loader, item, several ? &here : place,
			&model->patterns[model->pattern_count]);
		if (!several)
			break;
	}
}

static void read_capacity(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_model *model = target;
	struct quantity quantity;
	(void)member;

	if (!read_quantity(
		    loader, json, place, DIMENSION_BYTES, &quantity, &model->capacity_printed))
		return;
	model->capacity = quantity.low;
	if (quantity.op != OPERATOR_NONE || quantity.low.value < 1e9)
		problem(loader, place, "\"%s\": expected a size such as \"960 GB\"",
			model->capacity_printed);
}

static void read_sizes(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_model *model = target;
	bool several = cJSON_IsArray(json);
	const size_t room = ARRAY_LEN(model->sizes);
	(void)member;

	for (const cJSON *item = several ? json->child : json; item; item = item->next) {
		struct quantity quantity;
		const char *printed;

		if (model->size_count == room)
			problem(loader, place, "expected at most %zu sizes", room);
		if (model->size_count == room ||
			!read_quantity(loader, item, place, DIMENSION_BYTES, &quantity, &printed))
			return;
		model->sizes[model->size_count++] = quantity.low.exact;
		if (!several)
			break;
	}
	model->sizes_seen = model->size_count;
}

static void size_by_rule(struct spec_model *model)
{
	double gigabytes = model->capacity.value / 1e9;

	if (model->size_count || model->capacity.value == 0)
		return;
	uint64_t idema = capacity_lba103(gigabytes, 512), sff = capacity_sff8447(gigabytes, 512);

	if (idema)
		model->sizes[model->size_count++] = idema;
	if (sff && gigabytes >= 8000)
		model->sizes[model->size_count++] = sff;
}

/* A name as a pattern of itself. */
static void match_name(struct loader *loader, struct spec_model *model)
{
	char regex[256], literal[LITERAL_BYTES];
	size_t used = 0;

	for (const char *at = model->name; *at && used + 3 < sizeof(regex); at++) {
		if (strchr("\\.^$|*+?{}()[]", *at))
			regex[used++] = '\\';
		regex[used++] = *at;
	}
	regex[used] = '\0';
	model->patterns = arena_alloc(loader->arena, sizeof(*model->patterns));
	model->patterns->regex = arena_text(loader->arena, regex);
	regex_literal(regex, literal);
	model->patterns->literal = arena_text(loader->arena, literal);
	model->pattern_count = 1;
}

static void read_model_claims(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_model *model = target;
	(void)member;

	if (reading(loader)->depth != SPEC_NAMES)
		read_claims(loader, json, place, model, &model->claims, &model->claim_count);
}

static void read_model(struct loader *loader, const cJSON *json, const struct place *place,
	struct spec_model *model)
{
	static const struct member members[] = {
		{ "name", read_text_member, offsetof(struct spec_model, name), NULL },
		{ "capacity", read_capacity, 0, NULL },
		{ "bytes", read_sizes, 0, NULL },
		{ "by_size", read_flag_member, offsetof(struct spec_model, by_size), NULL },
		{ "match", read_match, 0, NULL },
		{ "like", read_text_member, offsetof(struct spec_model, like_name), NULL },
		{ "source", read_nothing, 0, NULL },
		{ "claims", read_model_claims, 0, NULL },
		{ 0 },
	};
	const struct spec_source *family = reading(loader)->source;
	const cJSON *source = cJSON_GetObjectItemCaseSensitive(json, "source");
	struct place here = { place, "source", 0 };

	if (source && reading(loader)->depth != SPEC_NAMES)
		reading(loader)->source = read_source(loader, source, &here);
	read_object(loader, json, place, members, model);
	reading(loader)->source = family;
	if (!model->name) {
		problem(loader, place, "expected a \"name\"");
		model->name = "?";
	} else if (!cJSON_GetObjectItemCaseSensitive(json, "match")) {
		match_name(loader, model);
	}
	size_by_rule(model);
}

static void read_models(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_sheet *sheet = target;
	(void)member;

	if (!cJSON_IsArray(json)) {
		problem(loader, place, "expected an array of models");
		return;
	}
	sheet->models = arena_alloc(
		loader->arena, (size_t)cJSON_GetArraySize(json) * sizeof(*sheet->models));
	for (const cJSON *item = json->child; item; item = item->next) {
		struct place here = { place, NULL, (int)sheet->model_count };
		struct spec_model *model = &sheet->models[sheet->model_count++];

		read_model(loader, item, &here, model);
		for (struct spec_model *other = sheet->models; other != model; other++)
			if (!strcmp(other->name, model->name))
				problem(loader, &here, "\"%s\": expected each name once",
					model->name);
	}
}

static struct spec_model *model_named(struct spec_sheet *sheet, const char *name)
{
	for (size_t i = 0; i < sheet->model_count; i++)
		if (!strcmp(sheet->models[i].name, name))
			return &sheet->models[i];
	return NULL;
}

static bool is_cyclic(const struct spec_sheet *sheet, const struct spec_model *model)
{
	const struct spec_model *at = model->like;

	for (size_t steps = 0; at && steps <= sheet->model_count; steps++, at = at->like)
		if (at == model)
			return true;
	return false;
}

static void link_models(struct loader *loader)
{
	struct spec_sheet *sheet = reading(loader)->sheet;
	struct place models = { NULL, "models", 0 };

	for (size_t i = 0; i < sheet->model_count; i++) {
		struct spec_model *model = &sheet->models[i];
		struct place here = { &models, NULL, (int)i };
		struct place like = { &here, "like", 0 };

		if (!model->like_name)
			continue;
		model->like = model_named(sheet, model->like_name);
		if (!model->like)
			problem(loader, &like, "\"%s\": expected the name of a model of this file",
				model->like_name);
		if (is_cyclic(sheet, model)) {
			problem(loader, &like,
				"\"%s\": expected a model that is not itself like this one",
				model->like_name);
			model->like = NULL;
		}
	}
}

/* ---- The rest ---- */

static void read_firmware(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_sheet *sheet = target;
	const char *regex, *literal;
	int index = 0;
	(void)member;

	sheet->firmware_count = read_texts(loader, json, place, &sheet->firmware);
	for (const cJSON *item = cJSON_IsArray(json) ? json->child : json; item;
		item = cJSON_IsArray(json) ? item->next : NULL) {
		struct place here = { place, NULL, index++ };

		if (!read_regex(loader, item, &here, &regex, &literal))
			sheet->firmware_count = 0;
	}
}

static void read_notes(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_sheet *sheet = target;
	(void)member;

	if (reading(loader)->depth != SPEC_NAMES)
		sheet->note_count = read_texts(loader, json, place, &sheet->notes);
}

static void read_names(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_sheet *sheet = target;
	(void)member;

	sheet->name_count = read_texts(loader, json, place, &sheet->names);
}

static void read_acknowledged(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_sheet *sheet = target;
	(void)member;

	sheet->acknowledged = read_pairs(loader, json, place, &sheet->acknowledged_count);
}

static void read_family_claims(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct spec_sheet *sheet = target;
	(void)member;

	if (reading(loader)->depth != SPEC_NAMES)
		read_claims(loader, json, place, NULL, &sheet->claims, &sheet->claim_count);
}

static void read_schema(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	(void)member, (void)target;
	if (!cJSON_IsString(json) || strcmp(json->valuestring, "assay-spec/1") != 0)
		problem(loader, place, "expected \"assay-spec/1\"");
}

static void check_sheet(struct loader *loader, const cJSON *json)
{
	struct spec_sheet *sheet = reading(loader)->sheet;

	if (!cJSON_GetObjectItemCaseSensitive(json, "schema"))
		problem(loader, NULL, "expected \"schema\": \"assay-spec/1\"");
	if (!sheet->vendor) {
		problem(loader, NULL, "expected a \"vendor\"");
		sheet->vendor = "?";
	}
	if (!sheet->family && !sheet->rule_count)
		problem(loader, NULL, "expected a \"family\"");
	if (!sheet->name_count) {
		sheet->names = &sheet->vendor;
		sheet->name_count = 1;
	}
}

void read_sheet(struct loader *loader, const cJSON *json)
{
	static const struct member members[] = {
		{ "schema", read_schema, 0, NULL },
		{ "vendor", read_text_member, offsetof(struct spec_sheet, vendor), NULL },
		{ "family", read_text_member, offsetof(struct spec_sheet, family), NULL },
		{ "names", read_names, 0, NULL },
		{ "sources", read_nothing, 0, NULL },
		{ "source", read_nothing, 0, NULL },
		{ "firmware", read_firmware, 0, NULL },
		{ "claims", read_family_claims, 0, NULL },
		{ "models", read_models, 0, NULL },
		{ "part_numbers", read_part_numbers, 0, NULL },
		{ "notes", read_notes, 0, NULL },
		{ "acknowledged", read_acknowledged, 0, NULL },
		{ 0 },
	};
	const cJSON *source = cJSON_GetObjectItemCaseSensitive(json, "source");
	struct place here = { NULL, "source", 0 };

	if (reading(loader)->depth != SPEC_NAMES)
		read_sources(loader, cJSON_GetObjectItemCaseSensitive(json, "sources"));
	if (source && reading(loader)->depth != SPEC_NAMES)
		reading(loader)->source = read_source(loader, source, &here);
	read_object(loader, json, NULL, members, reading(loader)->sheet);
	link_models(loader);
	check_sheet(loader, json);
}
