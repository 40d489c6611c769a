/* Which sheet is a drive's, and why. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "spec/name.h"
#include "spec/read.h"

/* How much of a name must match, from strict to loose; the first way that
 * finds anything counts. */
enum way {
	WAY_WHOLE,
	WAY_FIRST_WORD, /* behind it stand numbers of a seller's own */
	WAY_RESPELT,    /* case aside */
	WAY_END,
};

static const double SIZE_TOLERANCE = 0.005;

struct spec_subject spec_subject_of(const struct facts *facts)
{
	struct spec_subject subject = {
		.vendor = facts_text(facts, "identity.vendor"),
		.model = facts_text(facts, "identity.model"),
	};

	facts_uint(facts, "capacity.bytes", &subject.bytes);
	return subject;
}

static bool pattern_fits(const struct spec_sheet *sheet, const struct pattern *pattern,
	const char *plain, enum way way)
{
	char word[NAME_BYTES];
	const char *bare = name_without_maker(sheet, plain);
	bool loose = way == WAY_RESPELT;

	if (way == WAY_FIRST_WORD) {
		size_t len = strcspn(bare, " ");

		if (!bare[len] || len < 8)
			return false;
		snprintf(word, sizeof(word), "%.*s", (int)len, bare);
		return name_matches(pattern->regex, pattern->literal, word, false);
	}
	return name_matches(pattern->regex, pattern->literal, bare, loose) ||
		(bare != plain && name_matches(pattern->regex, pattern->literal, plain, loose));
}

static void add_model(struct spec_matches *matches, struct spec_sheet *sheet,
	const struct spec_model *model, const char *plain, enum way way)
{
	for (size_t i = 0; i < model->pattern_count; i++) {
		if (!pattern_fits(sheet, &model->patterns[i], plain, way))
			continue;
		if (matches->count < SPEC_MATCH_MAX)
			matches->matches[matches->count++] = (struct spec_match) { .sheet = sheet,
				.model = model,
				.pattern = &model->patterns[i],
				.is_respelt = way == WAY_RESPELT };
		return;
	}
}

void sheets_unfold(struct spec_library *library, const char *plain)
{
	char lower[NAME_BYTES];
	size_t len = 0;

	for (; plain[len]; len++)
		lower[len] = (char)tolower((unsigned char)plain[len]);
	lower[len] = '\0';
	for (size_t i = 0; i < library->sheet_count; i++) {
		struct spec_sheet *sheet = library->sheets[i];

		if (sheet->literals && sheet_may_match(sheet->literals, lower))
			sheet_unfold(library, sheet);
	}
}

static void find_all(
	const struct spec_library *library, const char *plain, struct spec_matches *matches)
{
	for (enum way way = WAY_WHOLE; way != WAY_END && !matches->count; way++)
		for (size_t i = 0; i < library->sheet_count; i++)
			for (size_t k = 0; k < library->sheets[i]->model_count; k++)
				add_model(matches, library->sheets[i],
					&library->sheets[i]->models[k], plain, way);
}

static bool size_fits(const struct spec_model *model, uint64_t bytes)
{
	double nominal = model->capacity.value;

	for (size_t i = 0; i < model->size_count; i++)
		if (model->sizes[i] == bytes)
			return true;
	return nominal > 0 && fabs((double)bytes - nominal) <= nominal * SIZE_TOLERANCE;
}

/* Keeps the matches for which keep[] is set, if there is any such. */
static bool keep_some(struct spec_matches *matches, const bool *keep)
{
	size_t kept = 0;

	for (size_t i = 0; i < matches->count; i++)
		kept += keep[i];
	if (kept == 0 || kept == matches->count)
		return false;
	kept = 0;
	for (size_t i = 0; i < matches->count; i++)
		if (keep[i])
			matches->matches[kept++] = matches->matches[i];
	matches->count = kept;
	return true;
}

static bool keep_by_size(struct spec_matches *matches, uint64_t bytes)
{
	bool keep[SPEC_MATCH_MAX];

	for (size_t i = 0; i < matches->count; i++)
		keep[i] = bytes && size_fits(matches->matches[i].model, bytes);
	return keep_some(matches, keep);
}

static bool keep_nearest(struct spec_matches *matches)
{
	bool keep[SPEC_MATCH_MAX];
	size_t longest = 0;

	for (size_t i = 0; i < matches->count; i++)
		if (strlen(matches->matches[i].pattern->literal) > longest)
			longest = strlen(matches->matches[i].pattern->literal);
	for (size_t i = 0; i < matches->count; i++)
		keep[i] = strlen(matches->matches[i].pattern->literal) == longest;
	return keep_some(matches, keep);
}

/* Several models of one family under one name: the family is known. */
static bool join_models(struct spec_matches *matches)
{
	for (size_t i = 1; i < matches->count; i++)
		if (matches->matches[i].sheet != matches->matches[0].sheet)
			return false;
	matches->matches[0].model = NULL;
	matches->count = 1;
	return true;
}

/* A name that all sizes have says nothing of a size that no model has. */
static bool forget_model(struct spec_matches *matches, uint64_t bytes)
{
	const struct spec_model *model = matches->matches[0].model;

	if (!model || !model->by_size || !bytes || size_fits(model, bytes))
		return false;
	matches->matches[0].model = NULL;
	return true;
}

static void explain(struct spec_matches *matches, const struct spec_subject *subject, bool by_size,
	bool by_pattern, bool joined)
{
	const struct spec_match *match = &matches->matches[0];
	char *at = matches->reason;
	size_t size = sizeof(matches->reason), used;

	if (matches->count == 0) {
		snprintf(at, size, "no datasheet has a pattern for \"%s\"", subject->model);
		return;
	}
	used = (size_t)snprintf(at, size, "\"%s\" matches \"%s\"%s", subject->model,
		match->pattern->regex, match->is_respelt ? " but for upper and lower case" : "");
	if (match->pattern->oem && used < size)
		used += (size_t)snprintf(at + used, size - used,
			", the name under which %s sells it", match->pattern->oem);
	if (by_size && used < size)
		used += (size_t)snprintf(at + used, size - used, "; its size tells which");
	if (by_pattern && used < size)
		used += (size_t)snprintf(
			at + used, size - used, "; the longest such pattern counts");
	if (joined && used < size)
		used += (size_t)snprintf(at + used, size - used,
			"; several models are named so and the size does not tell which");
	if (matches->count > 1 && used < size)
		snprintf(at + used, size - used, "; so do patterns of other families");
}

void spec_match(struct spec_library *library, const struct spec_subject *subject,
	struct spec_matches *matches)
{
	char plain[NAME_BYTES];
	bool by_size = false, by_pattern = false, joined = false;

	*matches = (struct spec_matches) { 0 };
	name_plain(subject->model, plain, sizeof(plain));
	if (*plain) {
		sheets_unfold(library, plain);
		find_all(library, plain, matches);
	}
	if (matches->count > 1)
		by_size = keep_by_size(matches, subject->bytes);
	if (matches->count > 1)
		by_pattern = keep_nearest(matches);
	if (matches->count > 1)
		joined = join_models(matches);
	if (matches->count == 1 && !joined)
		joined = forget_model(matches, subject->bytes);
	explain(matches, subject, by_size, by_pattern, joined);
}
