/* The claims of a model, and claims in words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "assay/array.h"
#include "assay/spec.h"
#include "spec/name.h"

bool claim_is_promise(const struct claim *claim)
{
	return claim->kind != CLAIM_MEASURED && claim->kind != CLAIM_MISPRINT;
}

/* How far a claim's model is from this one: 0 its own; -1: not its. */
static int distance(const struct spec_model *model, const struct claim *claim)
{
	int steps = 0;

	for (; model; model = model->like, steps++)
		if (claim->model == model)
			return steps;
	return claim->model ? -1 : steps;
}

static const struct claim *claim_at(
	const struct spec_sheet *sheet, const struct spec_model *model, size_t index)
{
	for (; model; model = model->like) {
		if (index < model->claim_count)
			return &model->claims[index];
		index -= model->claim_count;
	}
	return index < sheet->claim_count ? &sheet->claims[index] : NULL;
}

static bool is_hidden(
	const struct spec_sheet *sheet, const struct spec_model *model, const struct claim *claim)
{
	const struct claim *other;
	int far = distance(model, claim);

	for (size_t i = 0; (other = claim_at(sheet, model, i)); i++) {
		if (distance(model, other) >= far)
			return false;
		if (other->key == claim->key)
			return true;
	}
	return false;
}

const struct claim *spec_claim_next(
	const struct spec_sheet *sheet, const struct spec_model *model, size_t *index)
{
	const struct claim *claim;

	while ((claim = claim_at(sheet, model, (*index)++)))
		if (!is_hidden(sheet, model, claim))
			return claim;
	return NULL;
}

const struct claim *spec_claim(
	const struct spec_sheet *sheet, const struct spec_model *model, const char *key)
{
	const struct claim *claim;

	for (size_t i = 0; (claim = spec_claim_next(sheet, model, &i));)
		if (!strcmp(claim->key->name, key) && claim_is_promise(claim))
			return claim;
	return NULL;
}

bool conditions_same(const struct conditions *a, const struct conditions *b)
{
	return a->block_bytes == b->block_bytes && a->queue_depth == b->queue_depth &&
		a->read_percent == b->read_percent && a->span_bytes == b->span_bytes &&
		a->ports == b->ports && a->link_gbps == b->link_gbps &&
		a->format_bytes == b->format_bytes && text_same(a->state, b->state) &&
		text_same(a->reference, b->reference) && text_same(a->note, b->note);
}

struct line {
	char *text;
	size_t size, used;
};

static void append(struct line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void append(struct line *line, const char *format, ...)
{
	va_list args;

	if (line->used >= line->size)
		return;
	va_start(args, format);
	line->used += (size_t)vsnprintf(
		line->text + line->used, line->size - line->used, format, args);
	va_end(args);
}

static void append_bytes(struct line *line, const char *before, uint64_t bytes)
{
	if (!bytes)
		return;
	if (bytes % 1024 == 0 && bytes < 1 << 30)
		append(line, ", %s%llu KiB", before, (unsigned long long)bytes / 1024);
	else if (bytes >= 1000000000)
		append(line, ", %s%.4g GB", before, (double)bytes / 1e9);
	else
		append(line, ", %s%llu bytes", before, (unsigned long long)bytes);
}

static void append_conditions(struct line *line, const struct conditions *at)
{
	append_bytes(line, "", at->block_bytes);
	if (at->read_percent >= 0)
		append(line, ", %.0f %% reads", at->read_percent);
	if (at->queue_depth > 0)
		append(line, ", queue depth %.0f", at->queue_depth);
	append_bytes(line, "over ", at->span_bytes);
	if (at->state)
		append(line, ", %s state", at->state);
	if (at->ports > 0)
		append(line, ", %.0f port%s", at->ports, at->ports > 1 ? "s" : "");
	if (at->link_gbps > 0)
		append(line, ", link %g Gbit/s", at->link_gbps);
	append_bytes(line, "blocks of ", at->format_bytes);
	if (at->reference)
		append(line, ", %s", at->reference);
	if (at->note)
		append(line, ", %s", at->note);
}

static const char *operator_words(const struct claim *claim)
{
	static const char *const words[] = {
		[OPERATOR_AT_LEAST] = "at least ",
		[OPERATOR_AT_MOST] = "at most ",
		[OPERATOR_ABOUT] = "about ",
	};
	enum operator op = claim->quantity.op;
	char first = claim->printed[0];

	if (op >= ARRAY_LEN(words) || !words[op] || strchr("<>~=", first))
		return "";
	return words[op];
}

const char *claim_human(const struct claim *claim, char *text, size_t size)
{
	static const char *const kinds[] = { "", ", the family's maximum", ", the family's floor",
		", nominal", ", typical", ", computed", ", measured", ", a misprint" };
	struct line line = { text, size, 0 };
	bool bare = strspn(claim->printed, "0123456789.") == strlen(claim->printed);
	const char *unit = bare && !claim->text ? dimension_unit(claim->key->dimension) : "";

	append(&line, "%s%s%s%s", claim->text ? "" : operator_words(claim), claim->printed,
		*unit ? " " : "", unit);
	append_conditions(&line, &claim->conditions);
	if (claim->or_endurance)
		append(&line, " or the endurance, whichever ends first");
	append(&line, "%s", kinds[claim->kind]);
	return text;
}

const char *claim_path(
	const struct spec_sheet *sheet, const struct claim *claim, char *text, size_t size)
{
	struct line line = { text, size, 0 };

	text[0] = '\0';
	if (claim->model)
		append(&line, "models[%td].", claim->model - sheet->models);
	append(&line, "claims.%s", claim->key->name);
	if (!claim->alone)
		append(&line, "[%u]", claim->index);
	return text;
}

const char *claim_source_human(const struct claim *claim, char *text, size_t size)
{
	const struct spec_source *source = claim->source;

	if (!source) {
		snprintf(text, size, "no source given");
		return text;
	}
	const char *more = strstr(source->title, "; ");
	int len = more ? (int)(more - source->title) : (int)strlen(source->title);
	snprintf(text, size, "%.*s%s%s", len, source->title, more ? " and others" : "",
		source->recalled ? " (recalled, not re-read)" : "");
	return text;
}
