/* Reads JSON into a struct by a table of members, with a place for each complaint. */
#ifndef ASSAY_MEASURE_MEMBER_H
#define ASSAY_MEASURE_MEMBER_H

#include <cjson/cJSON.h>

#include "assay/arena.h"
#include "assay/error.h"

#include <stdbool.h>

struct member_reader {
	struct arena *arena; /* of the texts */
	const char *file;
	struct error *error; /* the first problem */
	bool failed;
};

/* Where the reader is: a chain on the stack that becomes a text only in a message. */
struct member_place {
	const struct member_place *up;
	const char *name; /* NULL: an element of an array */
	int index;
};

enum member_kind {
	MEMBER_IGNORED,
	MEMBER_TEXT,     /* const char * */
	MEMBER_FLAG,     /* bool */
	MEMBER_UNSIGNED, /* unsigned, within more: struct member_limits */
	MEMBER_NUMBER,   /* double, within more: struct member_limits */
	MEMBER_PERCENT,  /* double, 0 to 100 */
	MEMBER_SECONDS,  /* double */
	MEMBER_SIZE,     /* uint32_t, bytes of an access: 512 to 64 MiB */
	MEMBER_BYTES,    /* uint64_t */
	MEMBER_WORD,     /* int, index in more: array of texts that ends with NULL */
	MEMBER_OBJECT,   /* more: array of members, of a struct at the offset */
	MEMBER_LIST,     /* more: struct member_list */
};

struct member {
	const char *name; /* an array of members ends with NULL */
	enum member_kind kind;
	size_t offset; /* in the target */
	const void *more;
};

struct member_limits {
	double least, most;
};

struct member_list {
	struct member element;
	size_t size; /* of an element */
	size_t most;
	size_t count_offset; /* in the target: a size_t */
};

/* Reads each key of an object; keys that are unknown or stand twice are problems. */
void member_read_object(struct member_reader *reader, const cJSON *json,
	const struct member_place *place, const struct member *members, void *target);

void member_problem(struct member_reader *reader, const struct member_place *place,
	const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
