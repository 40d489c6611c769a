#include "place.h"

size_t word_at(unsigned word)
{
	return 2 * (size_t)word;
}

unsigned word_value(const struct page *identify, unsigned word)
{
	return bytes_le16(identify->data, word_at(word));
}

struct source place_source(struct place place)
{
	return source_page(place.page->id, place.page->offset + place.at,
		bytes_cut(place.page->data, place.at, place.width));
}

struct fact *place_fact(struct facts *facts, const char *key, struct value value,
	enum fact_state state, struct place place)
{
	return facts_add(facts, decoder_key(key), value, state, place_source(place), place.rank);
}

void fields_decode(
	const struct page *page, const struct field *fields, size_t count, struct facts *facts)
{
	for (size_t i = 0; i < count; i++)
		field_decode(&fields[i], page->id, page->data, page->offset, -1, facts);
}

enum fact_state state_of(bool known, bool unknown)
{
	if (known)
		return FACT_KNOWN;
	return unknown ? FACT_UNKNOWN : FACT_INVALID;
}

struct source source_host(const char *name)
{
	return (struct source) { .origin = ORIGIN_HOST, .parameter = -1, .text = name };
}
