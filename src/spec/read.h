/* Reads JSON with a place for each complaint. */
#ifndef ASSAY_SPEC_READ_H
#define ASSAY_SPEC_READ_H

#include <cjson/cJSON.h>

#include "assay/spec.h"

/* Where the reader is: a chain on the stack that becomes a text only in a
 * problem. */
struct place {
	const struct place *up;
	const char *name; /* NULL: an element of an array */
	int index;
};

struct loader {
	struct spec_library *library;
	struct spec_sheet *sheet;
	const struct spec_source *source; /* of claims that name none */
	enum spec_depth depth;
};

/* A key of an object and what reads its value. */
struct member {
	const char *name;
	void (*read)(struct loader *loader, const cJSON *json, const struct place *place,
		const struct member *member, void *target);
	size_t offset; /* in the target, of what the readers below fill */
	enum dimension dimension;
};

/* Readers of one text, one number and one count of bytes; and of what another
 * reader has taken already. */
void read_text_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
void read_number_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
void read_bytes_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
void read_nothing(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
/* One of these words, as its index; count, and a problem, where it is none. */
size_t read_word(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const *words, size_t count);

void problem(struct loader *loader, const struct place *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads each key of an object by its member; keys that are unknown or stand
 * twice are problems. members end with a name of NULL. */
void read_object(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *members, void *target);

/* A text, or NULL and a problem. Owned by the library. */
const char *read_text(struct loader *loader, const cJSON *json, const struct place *place);
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
