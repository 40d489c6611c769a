/*
 * Reads JSON into structs by tables of members, with a place for each complaint:
 * datasheets and workloads.
 */
#ifndef ASSAY_MEMBER_H
#define ASSAY_MEMBER_H

#include <cjson/cJSON.h>

#include <stdbool.h>
#include <stddef.h>

#include "assay/arena.h"

/* Who reads. Owns nothing. */
struct loader {
	struct arena *arena; /* of the texts */
	/* What is wrong, and where: "models[3].name", "" for the whole. Both are
	 * gone when it returns. */
	void (*problem)(struct loader *loader, const char *path, const char *text);
	void *context; /* of problem and of readers of one's own */
};

/* Where the reader is: a chain on the stack that becomes a text only in a
 * problem. */
struct place {
	const struct place *up;
	const char *name; /* NULL: an element of an array */
	int index;
};

/* A key of an object and what reads its value into target, at the offset. */
struct member {
	const char *name; /* NULL ends an array of members */
	void (*read)(struct loader *loader, const cJSON *json, const struct place *place,
		const struct member *member, void *target);
	size_t offset;
	const void *more; /* as its reader wants */
};

/* For read_list_member(): an array of 1 to most elements, side by side in the target. */
struct member_list {
	struct member element; /* its offset is 0 */
	size_t size;           /* of an element */
	size_t most;
	size_t count_offset; /* in the target: a size_t */
};

/* Tells a problem at this place; NULL: of the whole. */
void problem(struct loader *loader, const struct place *place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads each key of an object by its member; keys that are unknown or stand
 * twice are problems. */
void read_object(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *members, void *target);

/* A text that is not empty, in the arena; or NULL, and a problem. */
const char *read_text(struct loader *loader, const cJSON *json, const struct place *place);
/* One of these words, which end with NULL, as its index; or -1, and a problem. */
int read_word(struct loader *loader, const cJSON *json, const struct place *place,
	const char *const *words);

/* ---- Readers of members: by what stands at the offset ---- */

/* A const char *, of read_text(). */
void read_text_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
/* A bool. */
void read_flag_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
/* An enum, the index of a word; more: the words, which end with NULL. */
void read_word_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
/* A struct; more: its members. */
void read_object_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
/* An array; more: struct member_list. */
void read_list_member(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);
/* Nothing: what another reader has taken already. */
void read_nothing(struct loader *loader, const cJSON *json, const struct place *place,
	const struct member *member, void *target);

#endif
