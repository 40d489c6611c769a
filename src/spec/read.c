#include "spec/read.h"

#include <math.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_MAX = 200, REPEAT_MAX = 256 };

size_t read_texts(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const **texts)
{
	size_t room = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 1, count = 0;
	const cJSON *item = cJSON_IsArray(json) ? json->child : json;
	const char **list = arena_alloc(loader->arena, room * sizeof(*list));

	for (int i = 0; item && count < room; item = item->next, i++) {
		struct place here = { place, NULL, i };
		const char *text = read_text(loader, item, cJSON_IsArray(json) ? &here : place);

		if (text)
			list[count++] = text;
		if (!cJSON_IsArray(json))
			break;
	}
	*texts = list;
	return count;
}

static bool read_bare_number(struct loader *loader, const cJSON *json, const struct place *place,
	struct quantity *quantity, const char **printed)
{
	double value = json->valuedouble;
	char text[32];

	if (fabs(value) > 9007199254740992.0) {
		problem(loader, place, "too large for a bare number: expected a text with a unit");
		return false;
	}
	snprintf(text, sizeof(text), "%.15g", value);
	*printed = arena_text(loader->arena, text);
	*quantity = (struct quantity) { .low.value = value };
	if (value >= 0 && value == floor(value)) {
		quantity->low.exact = (uint64_t)value;
		quantity->low.is_exact = true;
	}
	quantity->high = quantity->low;
	return true;
}

bool read_quantity(struct loader *loader, const cJSON *json, const struct place *place,
	enum dimension dimension, struct quantity *quantity, const char **printed)
{
	struct quantity_room room;

	if (cJSON_IsNumber(json))
		return read_bare_number(loader, json, place, quantity, printed);
	*printed = read_text(loader, json, place);
	if (!*printed)
		return false;
	const char *wrong = quantity_read(*printed, dimension, quantity, &room);
	if (wrong || quantity->op != OPERATOR_ONE_OF)
		quantity->list_count = 0;
	quantity->list = arena_copy(
		loader->arena, room.list, quantity->list_count * sizeof(room.list[0]));
	if (wrong)
		problem(loader, place, "\"%s\": %s", *printed, wrong);
	return !wrong;
}

void read_number_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	const enum dimension *dimension = member->more;
	struct quantity quantity;
	const char *printed;

	if (read_quantity(loader, json, place, *dimension, &quantity, &printed))
		memcpy((char *)target + member->offset, &quantity.low.value, sizeof(double));
}

void read_bytes_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct quantity quantity;
	const char *printed;

	if (read_quantity(loader, json, place, DIMENSION_BYTES, &quantity, &printed))
		memcpy((char *)target + member->offset, &quantity.low.exact, sizeof(uint64_t));
}

/* The larger number of "{3}" or "{3,5}", behind the brace. */
static unsigned long most_of(const char *at)
{
	char *comma;
	unsigned long low = strtoul(at, &comma, 10);
	unsigned long high = *comma == ',' ? strtoul(comma + 1, NULL, 10) : 0;

	return high > low ? high : low;
}

/* Compiling takes stack with the length of a pattern and memory with the product
 * of its repetitions; matching back-references takes time without end. NULL: it
 * has none of that. */
static const char *regex_excess(const char *regex)
{
	unsigned long copies = 1;

	if (strlen(regex) > PATTERN_MAX)
		return "expected a pattern of at most 200 letters";
	for (const char *at = regex; *at; at++) {
		if (*at == '\\' && at[1] >= '0' && at[1] <= '9')
			return "expected a pattern without back-references";
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '{' && most_of(at + 1) > 1)
			copies *= most_of(at + 1) < REPEAT_MAX ? most_of(at + 1) : REPEAT_MAX;
		if (copies >= REPEAT_MAX)
			return "expected a pattern that repeats less than 256 times in all";
	}
	return NULL;
}

bool read_regex(struct loader *loader, const cJSON *json, const struct place *place,
	const char **regex, const char **literal)
{
	char message[128], word[LITERAL_BYTES];
	regex_t compiled;

	*regex = read_text(loader, json, place);
	if (!*regex)
		return false;
	const char *excess = regex_excess(*regex);
	if (excess) {
		problem(loader, place, "\"%.40s\": %s", *regex, excess);
		return false;
	}
	regex_literal(*regex, word);
	*literal = arena_text(loader->arena, word);
	if (reading(loader)->depth != SPEC_CHECKED)
		return true;
	int error = regcomp(&compiled, *regex, REG_EXTENDED | REG_NOSUB);
	if (error) {
		regerror(error, NULL, message, sizeof(message));
		problem(loader, place, "\"%s\": expected a POSIX extended regular expression: %s",
			*regex, message);
		return false;
	}
	regfree(&compiled);
	return true;
}
