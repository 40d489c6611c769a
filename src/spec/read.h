/* Reads datasheets. */
#ifndef ASSAY_SPEC_READ_H
#define ASSAY_SPEC_READ_H

#include "assay/member.h"
#include "assay/spec.h"

/* What a loader of datasheets has as its context. */
struct sheet_reading {
	struct spec_library *library;
	struct spec_sheet *sheet;
	const struct spec_source *source; /* of claims that name none */
	enum spec_depth depth;
};

static inline struct sheet_reading *reading(const struct loader *loader)
{
	return loader->context;
}

/* Readers of members: a double, of a number or a text in the unit that more
 * tells (enum dimension); a uint64_t of bytes. */
void read_number_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
void read_bytes_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);

/* Texts, of one or an array of them. */
size_t read_texts(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const **texts);
/* A quantity of a dimension, of a text or a number in base units. False and a
 * problem where it is none; printed is owned by the library. */
bool read_quantity(struct loader *loader, const cJSON *json, const struct place *place,
	enum dimension dimension, struct quantity *quantity, const char **printed);

/* A pattern that is compiled if the loader checks: false and a problem where
 * it is none. */
bool read_regex(struct loader *loader, const cJSON *json, const struct place *place,
	const char **regex, const char **literal);

/* The claims of an object of them. */
void read_claims(struct loader *loader, const cJSON *json, const struct place *place,
	const struct spec_model *model, struct claim **claims, size_t *count);
/* The source of this id; NULL, and a problem, where the sheet has none of it. */
const struct spec_source *read_source(
	struct loader *loader, const cJSON *json, const struct place *place);
/* One claim, of a text, a number, a flag or an object. */
bool read_claim(
	struct loader *loader, const cJSON *json, const struct place *place, struct claim *claim);

/* The texts of an object: pairs of key and value. */
const char *const *read_pairs(
	struct loader *loader, const cJSON *json, const struct place *place, size_t *count);
void read_part_numbers(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);

/* Writes the text without claims, sources and notes to brief, which has room for
 * len bytes; returns how many. */
size_t sheet_abridge(const char *text, size_t len, char *brief);

/* A sheet out of its JSON. */
void read_sheet(struct loader *loader, const cJSON *json);

enum { LITERAL_BYTES = 64 };
/* The longest text that every match of a regex contains; literal has room for
 * LITERAL_BYTES. */
void regex_literal(const char *regex, char *literal);

/* What its patterns contain (regex_literal) in lower case, one text after the
 * other, an empty one at the end: of a sheet that matches no name without one of them. NULL where
 * it has to be read to know: it has no models or it has rules, or its end is not
 * there. */
const char *sheet_literals(struct arena *arena, const char *text, size_t len);

/* The index of a folder (spec_index_print); one without entries where there is none. Owned by the
 * arena. */
struct sheet_index;
struct sheet_index *sheet_index_load(struct arena *arena, const char *folder);
/* What sheet_literals() returned for the sheet of that name in the folder, which is at that path
 * now; NULL where it is not in the index, or was changed since. */
const char *sheet_index_literals(
	const struct sheet_index *index, const char *name, const char *path);

/* Whether the name, in lower case, has one of the literals in it. */
bool sheet_may_match(const char *literals, const char *lower);
/* Reads the names of a sheet of which but the literals are known. */
void sheet_unfold(struct spec_library *library, struct spec_sheet *sheet);

#endif
