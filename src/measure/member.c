#include "measure/member.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "assay/workload.h"

static size_t place_print(const struct member_place *place, char *text, size_t size)
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

void member_problem(
	struct member_reader *reader, const struct member_place *place, const char *format, ...)
{
	char path[128] = "", text[160];
	va_list args;

	if (reader->failed)
		return;
	reader->failed = true;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	place_print(place, path, sizeof(path));
	error_set(reader->error, EXIT_USAGE, "%s: %s%s%s", reader->file, path, *path ? ": " : "",
		text);
}

static const struct member_limits *limits_of(const struct member *member)
{
	static const struct member_limits percent = { 0, 100 }, seconds = { 0, 1e7 },
					  size = { 512, IO_BYTES_MAX }, bytes = { 0, 0x1p62 };

	switch (member->kind) {
	case MEMBER_PERCENT:
		return &percent;
	case MEMBER_SECONDS:
		return &seconds;
	case MEMBER_SIZE:
		return &size;
	case MEMBER_BYTES:
		return &bytes;
	default:
		return member->more;
	}
}

static double read_number(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *member)
{
	const struct member_limits *limits = limits_of(member);
	bool whole = member->kind == MEMBER_UNSIGNED;

	if (cJSON_IsNumber(json) && json->valuedouble >= limits->least &&
		json->valuedouble <= limits->most &&
		(!whole || floor(json->valuedouble) >= json->valuedouble))
		return json->valuedouble;
	member_problem(reader, place, "expected a %s from %.0f to %.0f",
		whole ? "whole number" : "number", limits->least, limits->most);
	return limits->least;
}

static uint64_t read_bytes(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *member)
{
	const struct member_limits *limits = limits_of(member);
	uint64_t bytes = 0;
	bool good = cJSON_IsNumber(json) && json->valuedouble >= 0 &&
		json->valuedouble <= limits->most;

	if (good)
		bytes = (uint64_t)json->valuedouble;
	else
		good = cJSON_IsString(json) && bytes_parse(json->valuestring, &bytes);
	if (!good || (double)bytes < limits->least || (double)bytes > limits->most)
		member_problem(reader, place,
			"expected bytes, as 4096, \"4k\" or \"128 KiB\", from %.0f to %.0f",
			limits->least, limits->most);
	return bytes;
}

static int read_word(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const char *const *words)
{
	char names[96] = "";
	size_t used = 0;

	for (int i = 0; words[i]; i++) {
		if (cJSON_IsString(json) && !strcmp(json->valuestring, words[i]))
			return i;
		used += (size_t)snprintf(names + used, sizeof(names) - used, " \"%s\"", words[i]);
	}
	member_problem(reader, place, "expected one of%s", names);
	return 0;
}

static void read_member(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *member, void *target);

static void read_list(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *member, char *target)
{
	const struct member_list *list = member->more;
	size_t count = 0;

	if (!cJSON_IsArray(json) || !json->child || (size_t)cJSON_GetArraySize(json) > list->most) {
		member_problem(reader, place, "expected an array of 1 to %zu elements", list->most);
		return;
	}
	for (const cJSON *item = json->child; item; item = item->next) {
		struct member_place here = { place, NULL, (int)count };

		read_member(reader, item, &here, &list->element,
			target + member->offset + list->size * count++);
	}
	memcpy(target + list->count_offset, &count, sizeof(count));
}

static void read_text(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const char **text)
{
	if (cJSON_IsString(json))
		*text = arena_text(reader->arena, json->valuestring);
	else
		member_problem(reader, place, "expected a text");
}

static void read_flag(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, bool *flag)
{
	*flag = cJSON_IsTrue(json);
	if (!cJSON_IsBool(json))
		member_problem(reader, place, "expected true or false");
}

static void read_member(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *member, void *target)
{
	void *at = (char *)target + member->offset;

	switch (member->kind) {
	case MEMBER_IGNORED:
		break;
	case MEMBER_TEXT:
		read_text(reader, json, place, at);
		break;
	case MEMBER_FLAG:
		read_flag(reader, json, place, at);
		break;
	case MEMBER_UNSIGNED:
		*(unsigned *)at = (unsigned)read_number(reader, json, place, member);
		break;
	case MEMBER_NUMBER:
	case MEMBER_PERCENT:
	case MEMBER_SECONDS:
		*(double *)at = read_number(reader, json, place, member);
		break;
	case MEMBER_SIZE:
		*(uint32_t *)at = (uint32_t)read_bytes(reader, json, place, member);
		break;
	case MEMBER_BYTES:
		*(uint64_t *)at = read_bytes(reader, json, place, member);
		break;
	case MEMBER_WORD:
		*(int *)at = read_word(reader, json, place, member->more);
		break;
	case MEMBER_OBJECT:
		member_read_object(reader, json, place, member->more, at);
		break;
	case MEMBER_LIST:
		read_list(reader, json, place, member, target);
		break;
	}
}

static bool is_first(const cJSON *object, const cJSON *item)
{
	for (const cJSON *other = object->child; other != item; other = other->next)
		if (!strcmp(other->string, item->string))
			return false;
	return true;
}

void member_read_object(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *members, void *target)
{
	if (!cJSON_IsObject(json)) {
		member_problem(reader, place, "expected an object");
		return;
	}
	for (const cJSON *item = json->child; item; item = item->next) {
		struct member_place here = { place, item->string, 0 };
		const struct member *member = members;

		while (member->name && strcmp(member->name, item->string) != 0)
			member++;
		if (!member->name)
			member_problem(reader, &here, "unknown key");
		else if (!is_first(json, item))
			member_problem(reader, &here, "the same key twice");
		else
			read_member(reader, item, &here, member, target);
	}
}
