/* What the digits of a part number say, by the rules of the library. */
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "spec/name.h"
#include "spec/read.h"

enum { GROUP_MAX = 10 };

static const char *meaning_of(
	const struct part_group *group, const char *digits, char *text, size_t size)
{
	for (size_t i = 0; i < group->value_count; i++)
		if (!strcmp(group->values[i * 2], digits))
			return group->values[i * 2 + 1];
	if (!group->unit)
		return NULL;
	snprintf(text, size, "%s %s", digits, group->unit);
	return text;
}

static bool claim_of(const struct part_rule *rule, const struct part_group *group,
	const char *meaning, struct claim *claim, struct quantity_room *room)
{
	enum dimension dimension = group->key->dimension;

	*claim = (struct claim) { .key = group->key,
		.printed = meaning,
		.source = rule->source,
		.conditions.read_percent = -1,
		.alone = true };
	if (dimension == DIMENSION_TEXT) {
		claim->text = meaning;
	} else if (dimension == DIMENSION_FLAG) {
		claim->quantity.op = OPERATOR_EQUAL;
		claim->quantity.low.value = !strcmp(meaning, "yes");
	} else if (quantity_read(meaning, dimension, &claim->quantity, room)) {
		return false;
	} else if (claim->quantity.op == OPERATOR_NONE) {
		claim->quantity.op = group->key->implied;
	}
	return true;
}

static void visit_group(const struct part_rule *rule, const struct part_group *group,
	const char *name, const regmatch_t *found,
	void (*visit)(void *context, const struct part_digits *digits), void *context)
{
	char digits[32], text[64];
	struct quantity_room room;
	struct claim claim;
	struct part_digits result = { .rule = rule, .group = group, .digits = digits };

	if (found->rm_so < 0)
		return;
	snprintf(digits, sizeof(digits), "%.*s", (int)(found->rm_eo - found->rm_so),
		name + found->rm_so);
	result.meaning = meaning_of(group, digits, text, sizeof(text));
	if (result.meaning && group->key && claim_of(rule, group, result.meaning, &claim, &room))
		result.claim = &claim;
	visit(context, &result);
}

static bool apply_rule(const struct part_rule *rule, const char *name,
	void (*visit)(void *context, const struct part_digits *digits), void *context)
{
	char whole[512];
	regmatch_t found[GROUP_MAX];
	regex_t compiled;

	/* No parentheses of its own: the groups' numbers are the rule's. */
	if (!strstr(name, rule->literal) ||
		snprintf(whole, sizeof(whole), "^%s$", rule->regex) >= (int)sizeof(whole) ||
		regcomp(&compiled, whole, REG_EXTENDED))
		return false;
	bool matches = regexec(&compiled, name, GROUP_MAX, found, 0) == 0;
	for (size_t i = 0; matches && i < rule->group_count; i++)
		visit_group(rule, &rule->groups[i], name, &found[rule->groups[i].index], visit,
			context);
	regfree(&compiled);
	return matches;
}

size_t spec_decode(struct spec_library *library, const char *model,
	void (*visit)(void *context, const struct part_digits *digits), void *context)
{
	char plain[NAME_BYTES];
	size_t count = 0;

	name_plain(model, plain, sizeof(plain));
	sheets_unfold(library, plain);
	for (size_t i = 0; i < library->sheet_count && !count; i++) {
		const struct spec_sheet *sheet = library->sheets[i];
		const char *bare = name_without_maker(sheet, plain);

		for (size_t k = 0; k < sheet->rule_count && !count; k++)
			count += apply_rule(&sheet->rules[k], bare, visit, context);
	}
	return count;
}
