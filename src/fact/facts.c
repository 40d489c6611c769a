#include "assay/fact.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"

/* Two counters that were read one after the other may differ by this much. */
static const double CLOSE_PART = 0.05, CLOSE_UNITS = 2;

struct source source_page(struct page_id page, size_t offset, struct bytes raw)
{
	return (struct source) { .origin = ORIGIN_PAGE,
		.page = page,
		.parameter = -1,
		.offset = (uint32_t)offset,
		.raw = raw };
}

struct source source_derived(const char *formula)
{
	return (struct source) { .origin = ORIGIN_DERIVED, .parameter = -1, .text = formula };
}

void facts_init(struct facts *facts)
{
	*facts = (struct facts) { .arena = arena_new() };
}

void facts_deinit(struct facts *facts)
{
	free(facts->facts);
	free(facts->rows);
	free(facts->notes);
	arena_free(facts->arena);
	*facts = (struct facts) { 0 };
}

/* FNV-1a, folded to the number of chains. */
static size_t chain_of(const char *key)
{
	uint32_t hash = 2166136261;

	for (; *key; key++)
		hash = (hash ^ (uint8_t)*key) * 16777619;
	return (hash ^ hash >> 16) % FACT_CHAINS;
}

/* fact is the last. */
static void chain(struct facts *facts, struct fact *fact)
{
	uint32_t *last = &facts->chains[chain_of(fact->key->name)];

	fact->before = *last;
	*last = (uint32_t)facts->fact_count;
}

struct fact *facts_add(struct facts *facts, const struct key *key, struct value value,
	enum fact_state state, struct source source, uint8_t rank)
{
	facts->facts = array_grow(facts->facts, facts->fact_count, sizeof(*facts->facts));
	struct fact *fact = &facts->facts[facts->fact_count++];

	*fact = (struct fact) {
		.key = key,
		.value = state == FACT_KNOWN ? value : value_null(),
		.state = state,
		.source = source,
		.rank = rank,
	};
	chain(facts, fact);
	if (fact->value.kind == VALUE_TEXT)
		fact->value.text = arena_text(facts->arena, value.text);
	return fact;
}

static bool better(const struct fact *a, const struct fact *b)
{
	if ((a->state == FACT_KNOWN) != (b->state == FACT_KNOWN))
		return a->state == FACT_KNOWN;
	return a->rank < b->rank;
}

const struct fact *facts_find(const struct facts *facts, const char *key)
{
	const struct fact *best = NULL, *fact;

	/* From the last one back: of equal ones the first counts. */
	for (uint32_t i = facts->chains[chain_of(key)]; i; i = fact->before) {
		fact = &facts->facts[i - 1];
		if (!strcmp(fact->key->name, key) && (!best || !better(best, fact)))
			best = fact;
	}
	return best;
}

struct facts facts_part(const struct facts *facts, bool (*wanted)(const struct fact *fact))
{
	struct facts part = *facts;

	part.rows = NULL;
	part.row_count = part.fact_count = 0;
	memset(part.chains, 0, sizeof(part.chains));
	part.facts = arena_alloc(facts->arena, facts->fact_count * sizeof(*facts->facts));
	for (size_t i = 0; i < facts->fact_count; i++) {
		if (!wanted(&facts->facts[i]))
			continue;
		part.facts[part.fact_count++] = facts->facts[i];
		chain(&part, &part.facts[part.fact_count - 1]);
	}
	return part;
}

static const struct fact *known(const struct facts *facts, const char *key, enum value_kind kind)
{
	const struct fact *fact = facts_find(facts, key);

	return fact && fact->state == FACT_KNOWN && fact->value.kind == kind ? fact : NULL;
}

bool facts_uint(const struct facts *facts, const char *key, uint64_t *value)
{
	const struct fact *fact = known(facts, key, VALUE_UINT);

	if (fact)
		*value = fact->value.uint;
	return fact;
}

bool facts_number(const struct facts *facts, const char *key, double *value)
{
	const struct fact *fact = facts_find(facts, key);

	return fact && fact->state == FACT_KNOWN && value_number(fact->value, value);
}

const char *facts_text(const struct facts *facts, const char *key)
{
	const struct fact *fact = known(facts, key, VALUE_TEXT);

	return fact ? fact->value.text : "";
}

bool facts_flag(const struct facts *facts, const char *key, bool *value)
{
	const struct fact *fact = known(facts, key, VALUE_FLAG);

	if (fact)
		*value = fact->value.flag;
	return fact;
}

struct row *facts_row(struct facts *facts, const struct table *table, struct source source)
{
	facts->rows = array_grow(facts->rows, facts->row_count, sizeof(*facts->rows));
	struct row *row = &facts->rows[facts->row_count++];

	row->table = table;
	row->source = source;
	row->cells = arena_alloc(facts->arena, table->column_count * sizeof(*row->cells));
	return row;
}

static struct value *cell(const struct row *row, const char *column)
{
	for (size_t i = 0; i < row->table->column_count; i++)
		if (!strcmp(row->table->columns[i].name, column))
			return &row->cells[i];
	fprintf(stderr, "assay: table %s has no column %s\n", row->table->name, column);
	abort();
}

void row_set(struct row *row, const char *column, struct value value)
{
	*cell(row, column) = value;
}

struct value row_get(const struct row *row, const char *column)
{
	return *cell(row, column);
}

double row_number(const struct row *row, const char *column)
{
	double number = NAN;

	value_number(row_get(row, column), &number);
	return number;
}

const char *row_text(const struct row *row, const char *column)
{
	struct value value = row_get(row, column);

	return value.kind == VALUE_TEXT ? value.text : "";
}

static const char *print(struct facts *facts, const char *format, va_list args)
{
	char text[1024];

	vsnprintf(text, sizeof(text), format, args);
	return arena_text(facts->arena, text);
}

const char *facts_printf(struct facts *facts, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *text = print(facts, format, args);
	va_end(args);
	return text;
}

void facts_note(struct facts *facts, const struct source *source, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const char *text = print(facts, format, args);
	va_end(args);
	for (size_t i = 0; i < facts->note_count; i++)
		if (!strcmp(facts->notes[i].text, text))
			return;
	facts->notes = array_grow(facts->notes, facts->note_count, sizeof(*facts->notes));
	facts->notes[facts->note_count++] = (struct note) { .text = text,
		.source = source ? *source : source_derived(NULL) };
}

static bool contradict(const struct fact *a, const struct fact *b)
{
	double x, y;

	if (a->key->agreement == AGREE_ANY || value_same(a->value, b->value))
		return false;
	if (a->key->agreement == AGREE_EXACT)
		return true;
	if (!value_number(a->value, &x) || !value_number(b->value, &y))
		return true;
	double apart = fabs(x - y);
	return apart > CLOSE_UNITS && apart > CLOSE_PART * fmax(fabs(x), fabs(y));
}

const struct fact *facts_contradiction(const struct facts *facts, size_t *at)
{
	while (*at < facts->fact_count) {
		const struct fact *fact = &facts->facts[(*at)++];
		const struct fact *best = facts_find(facts, fact->key->name);

		if (fact != best && fact->state == FACT_KNOWN && contradict(fact, best))
			return fact;
	}
	return NULL;
}

void facts_note_contradictions(struct facts *facts)
{
	const struct fact *fact;
	size_t at = 0;

	while ((fact = facts_contradiction(facts, &at)))
		facts_note(
			facts, &fact->source, "%s: sources contradict each other", fact->key->name);
}
