#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/array.h"
#include "spec/read.h"

static void read_state(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	static const char *const states[] = { "fresh", "burst", "steady", "cached", NULL };
	int index = read_word(loader, json, place, states);
	(void)member;

	if (index >= 0)
		((struct conditions *)target)->state = states[index];
}

static void read_conditions(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	static const enum dimension count = DIMENSION_COUNT, percent = DIMENSION_PERCENT,
				    gbps = DIMENSION_GBPS, microseconds = DIMENSION_MICROSECONDS,
				    milliwatts = DIMENSION_MILLIWATTS,
				    iops_per_watt = DIMENSION_IOPS_PER_WATT;
	static const struct member members[] = {
		{ "block", read_bytes_member, offsetof(struct conditions, block_bytes), NULL },
		{ "queue_depth", read_number_member, offsetof(struct conditions, queue_depth),
			&count },
		{ "read_percent", read_number_member, offsetof(struct conditions, read_percent),
			&percent },
		{ "span", read_bytes_member, offsetof(struct conditions, span_bytes), NULL },
		{ "state", read_state, 0, NULL },
		{ "ports", read_number_member, offsetof(struct conditions, ports), &count },
		{ "link", read_number_member, offsetof(struct conditions, link_gbps), &gbps },
		{ "format", read_bytes_member, offsetof(struct conditions, format_bytes), NULL },
		{ "reference", read_text_member, offsetof(struct conditions, reference), NULL },
		{ "latency", read_number_member, offsetof(struct conditions, latency_us),
			&microseconds },
		{ "power", read_number_member, offsetof(struct conditions, milliwatts),
			&milliwatts },
		{ "iops_per_watt", read_number_member, offsetof(struct conditions, iops_per_watt),
			&iops_per_watt },
		{ "note", read_text_member, offsetof(struct conditions, note), NULL },
		{ 0 },
	};
	(void)member;

	read_object(loader, json, place, members, &((struct claim *)target)->conditions);
}

static void read_claim_source(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	const struct spec_source *source = read_source(loader, json, place);
	(void)member;

	if (source)
		((struct claim *)target)->source = source;
}

static void read_or(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target)
{
	(void)member;
	if (cJSON_IsString(json) && !strcmp(json->valuestring, "endurance"))
		((struct claim *)target)->or_endurance = true;
	else
		problem(loader, place, "expected \"endurance\": the warranty ends with it");
}

static bool read_flag(
	struct loader *loader, const cJSON *json, const struct place *place, struct claim *claim)
{
	if (!cJSON_IsBool(json)) {
		problem(loader, place, "expected true or false");
		return false;
	}
	claim->quantity = (struct quantity) { .op = OPERATOR_EQUAL,
		.low = { .value = cJSON_IsTrue(json) } };
	claim->quantity.high = claim->quantity.low;
	claim->printed = cJSON_IsTrue(json) ? "yes" : "no";
	return true;
}

static bool read_value(
	struct loader *loader, const cJSON *json, const struct place *place, struct claim *claim)
{
	if (claim->key->dimension == DIMENSION_FLAG)
		return read_flag(loader, json, place, claim);
	if (claim->key->dimension == DIMENSION_TEXT) {
		claim->text = claim->printed = read_text(loader, json, place);
		return claim->text;
	}
	if (!read_quantity(
		    loader, json, place, claim->key->dimension, &claim->quantity, &claim->printed))
		return false;
	if (claim->quantity.op == OPERATOR_NONE)
		claim->quantity.op = claim->key->implied;
	return true;
}

bool read_claim(
	struct loader *loader, const cJSON *json, const struct place *place, struct claim *claim)
{
	static const char *const kinds[] = { "each", "family maximum", "family floor", "nominal",
		"typical", "computed", "measured", "misprint", NULL };
	static const struct member members[] = {
		{ "is", read_nothing, 0, NULL },
		{ "at", read_conditions, 0, NULL },
		{ "as", read_word_member, offsetof(struct claim, kind), kinds },
		{ "source", read_claim_source, 0, NULL },
		{ "or", read_or, 0, NULL },
		{ "of", read_text_member, offsetof(struct claim, subject), NULL },
		{ 0 },
	};
	struct place value = { place, "is", 0 };

	claim->conditions.read_percent = -1;
	claim->source = reading(loader)->source;
	if (!cJSON_IsObject(json))
		return read_value(loader, json, place, claim);
	read_object(loader, json, place, members, claim);
	const cJSON *is = cJSON_GetObjectItemCaseSensitive(json, "is");
	if (is)
		return read_value(loader, is, &value, claim);
	problem(loader, place, "expected \"is\", the value");
	return false;
}

/* All claims of one key. */
static void read_key(struct loader *loader, const cJSON *json, const struct place *place,
	const struct claim_key *key, const struct spec_model *model, struct claim **claims,
	size_t *count)
{
	bool several = cJSON_IsArray(json);
	unsigned index = 0;

	for (const cJSON *item = several ? json->child : json; item; item = item->next) {
		struct place here = { place, NULL, (int)index };
		struct claim *claim;

		*claims = array_grow(*claims, *count, sizeof(**claims));
		claim = &(*claims)[*count];
		claim->key = key;
		claim->model = model;
		claim->index = index++;
		claim->alone = !several;
		*count += read_claim(loader, item, several ? &here : place, claim);
		if (!several)
			break;
	}
}

static void no_such_key(struct loader *loader, const struct place *place)
{
	const char *dot = strrchr(place->name, '.');
	const char *nearest = NULL;

	for (const struct claim_key *key = claim_keys; key->name && !nearest; key++) {
		const char *tail = strrchr(key->name, '.');

		if ((dot && tail && !strncmp(dot, tail, 8)) || !strncmp(key->name, place->name, 15))
			nearest = key->name;
	}
	problem(loader, place, "unknown key: expected one of assay-spec(5)%s%s%s",
		nearest ? ", such as \"" : "", nearest ? nearest : "", nearest ? "\"" : "");
}

void read_claims(struct loader *loader, const cJSON *json, const struct place *place,
	const struct spec_model *model, struct claim **claims, size_t *count)
{
	if (!cJSON_IsObject(json)) {
		problem(loader, place, "expected an object of claims");
		return;
	}
	for (const cJSON *item = json->child; item; item = item->next) {
		const struct claim_key *key = claim_key_find(item->string);
		struct place here = { place, item->string, 0 };
		bool twice = false;

		for (const cJSON *other = json->child; other != item; other = other->next)
			twice |= !strcmp(other->string, item->string);
		if (!key)
			no_such_key(loader, &here);
		else if (twice)
			problem(loader, &here, "the same key twice: expected an array of both");
		else
			read_key(loader, item, &here, key, model, claims, count);
	}
}
