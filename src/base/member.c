#include "assay/member.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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
	char path[256] = "", text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	place_print(place, path, sizeof(path));
	loader->problem(loader, path, text);
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

/* As many as a line may tell. */
static void unknown_key(
	struct loader *loader, const struct place *place, const struct member *members)
{
	char names[144] = "";
	size_t used = 0;

	for (; members->name && used + strlen(members->name) + 1 < sizeof(names); members++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, " %s", members->name);
	problem(loader, place, "unknown key: expected one of%s%s", names,
		members->name ? " ..." : "");
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
		return arena_text(loader->arena, json->valuestring);
	problem(loader, place, "expected a text");
	return NULL;
}

int read_word(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const *words)
{
	const char *text = read_text(loader, json, place);
	char names[160] = "";
	size_t used = 0;

	for (int i = 0; text && words[i]; i++) {
		if (!strcmp(text, words[i]))
			return i;
		used += (size_t)snprintf(names + used, sizeof(names) - used, " \"%s\"", words[i]);
	}
	if (text)
		problem(loader, place, "\"%s\": expected one of%s", text, names);
	return -1;
}

/* ---- Members ---- */

void read_text_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	const char *text = read_text(loader, json, place);

	memcpy((char *)target + member->offset, &text, sizeof(text));
}

void read_flag_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	*(bool *)((char *)target + member->offset) = cJSON_IsTrue(json);
	if (!cJSON_IsBool(json))
		problem(loader, place, "expected true or false");
}

void read_word_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	int index = read_word(loader, json, place, member->more);

	if (index >= 0)
		memcpy((char *)target + member->offset, &index, sizeof(index));
}

void read_object_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	read_object(loader, json, place, member->more, (char *)target + member->offset);
}

void read_list_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	const struct member_list *list = member->more;
	char *elements = (char *)target + member->offset;
	size_t count = 0;

	if (!cJSON_IsArray(json) || !json->child || (size_t)cJSON_GetArraySize(json) > list->most) {
		problem(loader, place, "expected an array of 1 to %zu elements", list->most);
		return;
	}
	for (const cJSON *item = json->child; item; item = item->next) {
		struct place here = { place, NULL, (int)count };

		list->element.read(
			loader, item, &here, &list->element, elements + list->size * count++);
	}
	memcpy((char *)target + list->count_offset, &count, sizeof(count));
}

void read_nothing(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	(void)loader, (void)json, (void)place, (void)member, (void)target;
}
