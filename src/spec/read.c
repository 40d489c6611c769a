#include "spec/read.h"

#include <math.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATTERN_MAX = 200, REPEAT_MAX = 256 };

static size_t place_print(const struct place *place, char *text, size_t size)
{
	if (!place)
		return 0;
	size_t used = place_print(place->up, text, size);

	if (used >= size)
		return used;
	if (!place->name)
		return used + (size_t)snprintf(text + used, size - used, "[%d]", place->index);
	return used +
		(size_t)snprintf(text + used, size - used, "%s%s", used ? "." : "", place->name);
}

void problem(struct loader *loader, const struct place *place, const char *format, ...)
{
	struct spec_library *library = loader->library;
	char path[256] = "", text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	place_print(place, path, sizeof(path));
	library->problems = array_grow(
		library->problems, library->problem_count, sizeof(*library->problems));
	library->problems[library->problem_count++] = (struct spec_problem) {
		.file = loader->sheet->file,
		.path = arena_text(library->arena, path),
		.text = arena_text(library->arena, text),
	};
}

static const struct member *member_find(const struct member *members, const char *name)
{
	for (; members->name; members++)
		if (!strcmp(members->name, name))
			return members;
	return NULL;
}

static bool is_first(const cJSON *object, const cJSON *item)
{
	for (const cJSON *other = object->child; other != item; other = other->next)
		if (!strcmp(other->string, item->string))
			return false;
	return true;
}

static void unknown_key(
	struct loader *loader, const struct place *place, const struct member *members)
{
	char names[256] = "";
	size_t used = 0;

	for (; members->name && used < sizeof(names); members++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", members->name);
	problem(loader, place, "unknown key: expected one of%s", names);
}

void read_object(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *members, void *target)
{
	if (!cJSON_IsObject(json)) {
		problem(loader, place, "expected an object");
		return;
	}
	for (const cJSON *item = json->child; item; item = item->next) {
		const struct member *member = member_find(members, item->string);
		struct place here = { place, item->string, 0 };

		if (!member)
			unknown_key(loader, &here, members);
		else if (!is_first(json, item))
			problem(loader, &here, "the same key twice: expected it once");
		else
			member->read(loader, item, &here, member, target);
	}
}

const char *read_text(struct loader *loader, const cJSON *json, const struct place *place)
{
	if (cJSON_IsString(json) && *json->valuestring)
		return arena_text(loader->library->arena, json->valuestring);
	problem(loader, place, "expected a text");
	return NULL;
}

size_t read_texts(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const **texts)
{
	size_t room = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 1, count = 0;
	const cJSON *item = cJSON_IsArray(json) ? json->child : json;
	const char **list = arena_alloc(loader->library->arena, room * sizeof(*list));

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
	*printed = arena_text(loader->library->arena, text);
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
		loader->library->arena, room.list, quantity->list_count * sizeof(room.list[0]));
	if (wrong)
		problem(loader, place, "\"%s\": %s", *printed, wrong);
	return !wrong;
}

void read_text_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	const char *text = read_text(loader, json, place);

	memcpy((char *)target + member->offset, &text, sizeof(text));
}

void read_number_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	struct quantity quantity;
	const char *printed;

	if (read_quantity(loader, json, place, member->dimension, &quantity, &printed))
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

void read_nothing(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	(void)loader, (void)json, (void)place, (void)member, (void)target;
}

size_t read_word(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const *words, size_t count)
{
	const char *text = read_text(loader, json, place);
	char names[160] = "";
	size_t used = 0;

	for (size_t i = 0; text && i < count; i++) {
		if (!strcmp(text, words[i]))
			return i;
		used += (size_t)snprintf(names + used, sizeof(names) - used, " \"%s\"", words[i]);
	}
	if (text)
		problem(loader, place, "\"%s\": expected one of%s", text, names);
	return count;
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
	*literal = arena_text(loader->library->arena, word);
	if (loader->depth != SPEC_CHECKED)
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
