/* Part-number rules out of their JSON. */
#include <string.h>

#include "spec/read.h"

const char *const *read_pairs(
	struct loader *loader, const cJSON *json, const struct place *place, size_t *count)
{
	if (!cJSON_IsObject(json)) {
		problem(loader, place, "expected an object of texts");
		return NULL;
	}
	const char **pairs = arena_alloc(
		loader->arena, (size_t)cJSON_GetArraySize(json) * 2 * sizeof(*pairs));

	for (const cJSON *item = json->child; item; item = item->next) {
		struct place here = { place, item->string, 0 };
		const char *text = read_text(loader, item, &here);

		if (!text)
			continue;
		pairs[*count * 2] = arena_text(loader->arena, item->string);
		pairs[*count * 2 + 1] = text;
		(*count)++;
	}
	return pairs;
}

static void read_index(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	(void)member;
	if (cJSON_IsNumber(json) && json->valuedouble >= 1 && json->valuedouble <= 9)
		((struct part_group *)target)->index = (size_t)json->valuedouble;
	else
		problem(loader, place, "expected the number of a group, 1 to 9");
}

static void read_group_claim(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	const char *name = read_text(loader, json, place);
	const struct claim_key *key = name ? claim_key_find(name) : NULL;
	(void)member;

	if (name && !key)
		problem(loader, place, "\"%s\": expected a key of assay-spec(5)", name);
	((struct part_group *)target)->key = key;
}

static void read_values(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct part_group *group = target;
	(void)member;

	group->values = read_pairs(loader, json, place, &group->value_count);
}

static void check_group(
	struct loader *loader, const struct place *place, const struct part_group *group)
{
	struct quantity quantity;
	struct quantity_room room;

	if (!group->index)
		problem(loader, place, "expected \"group\", its number");
	if (!group->key)
		return;
	for (size_t i = 0; i < group->value_count; i++) {
		enum dimension dimension = group->key->dimension;
		const char *text = group->values[i * 2 + 1], *wrong = NULL;

		if (dimension != DIMENSION_TEXT && dimension != DIMENSION_FLAG)
			wrong = quantity_read(text, dimension, &quantity, &room);
		if (wrong)
			problem(loader, place, "\"%s\": %s", text, wrong);
	}
}

static void read_groups(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	static const struct member members[] = {
		{ "group", read_index, 0, NULL },
		{ "claim", read_group_claim, 0, NULL },
		{ "label", read_text_member, offsetof(struct part_group, label), NULL },
		{ "unit", read_text_member, offsetof(struct part_group, unit), NULL },
		{ "values", read_values, 0, NULL },
		{ 0 },
	};
	struct part_rule *rule = target;
	(void)member;

	if (!cJSON_IsArray(json)) {
		problem(loader, place, "expected an array of groups");
		return;
	}
	rule->groups = arena_alloc(
		loader->arena, (size_t)cJSON_GetArraySize(json) * sizeof(*rule->groups));
	for (const cJSON *item = json->child; item; item = item->next) {
		struct place here = { place, NULL, (int)rule->group_count };
		struct part_group *group = &rule->groups[rule->group_count++];

		read_object(loader, item, &here, members, group);
		check_group(loader, &here, group);
	}
}

static void read_rule_match(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct part_rule *rule = target;
	(void)member;

	read_regex(loader, json, place, &rule->regex, &rule->literal);
}

void read_part_numbers(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	static const struct member members[] = {
		{ "match", read_rule_match, 0, NULL },
		{ "groups", read_groups, 0, NULL },
		{ 0 },
	};
	struct spec_sheet *sheet = target;
	(void)member;

	if (!cJSON_IsArray(json)) {
		problem(loader, place, "expected an array of rules");
		return;
	}
	sheet->rules = arena_alloc(
		loader->arena, (size_t)cJSON_GetArraySize(json) * sizeof(*sheet->rules));
	for (const cJSON *item = json->child; item; item = item->next) {
		struct place here = { place, NULL, (int)sheet->rule_count };
		struct part_rule *rule = &sheet->rules[sheet->rule_count];

		rule->source = reading(loader)->source;
		read_object(loader, item, &here, members, rule);
		if (rule->regex)
			sheet->rule_count++;
		else
			problem(loader, &here, "expected \"match\", a pattern");
	}
}
