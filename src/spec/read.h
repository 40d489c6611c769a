/* Reads datasheets. */
#ifndef ASSAY_SPEC_READ_H
#define ASSAY_SPEC_READ_H

#include <sys/stat.h>

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
 * it has to be read to know: it has neither models nor rules, or its end is not there. */
const char *sheet_literals(struct arena *arena, const char *text, size_t len);

/* Calls visit for a folder, and each folder and *.json below it, in the order of their names. */
void sheets_each(const char *folder,
	void (*visit)(void *context, const char *path, const struct stat *status), void *context);

/* A line of an index. */
struct sheet_entry {
	const char *path;
	const char *literals; /* as of sheet_literals(), while the sheet is as it was */
	uint64_t changed_ns, bytes;
	bool is_folder;
};
/* The index that spec_index_print() made of a folder, owned by the arena; NULL where there is none,
 * or a folder was changed since. Sheets may have been, which each is to be asked. */
struct sheet_entry *sheet_index(struct arena *arena, const char *folder, size_t *count);
bool sheet_is_as_it_was(const struct sheet_entry *entry);

/* Whether the name, in lower case, has one of the literals in it. */
bool sheet_may_match(const char *literals, const char *lower);
/* Reads the names of a sheet of which but the literals are known. */
void sheet_unfold(struct spec_library *library, struct spec_sheet *sheet);
/* The same of all that may have a pattern for that name. */
void sheets_unfold(struct spec_library *library, const char *name);

#endif
