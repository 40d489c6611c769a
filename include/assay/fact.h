/*
 * Facts: everything known, whatever it came from. A fact has a key that ends
 * in its unit, a value, a state and a source. Tables hold what is a list by
 * nature. Renderers and judges see nothing else.
 *
 * struct facts owns its array, its texts and its rows; keys and tables are
 * static; sources point into the capture, which must live longer.
 */
#ifndef ASSAY_FACT_H
#define ASSAY_FACT_H

#include "assay/bytes.h"
#include "assay/page.h"

enum unit {
	UNIT_NONE,
	UNIT_BYTES,
	UNIT_BLOCKS,
	UNIT_COUNT,
	UNIT_HOURS,
	UNIT_MINUTES,
	UNIT_SECONDS,
	UNIT_MILLISECONDS,
	UNIT_MICROSECONDS,
	UNIT_DAYS,
	UNIT_CELSIUS,
	UNIT_PERCENT,
	UNIT_RATIO,
	UNIT_RPM,
	UNIT_GBPS, /* Gbit/s */
	UNIT_MILLIWATTS,
	UNIT_DWPD, /* drive writes per day */
	UNIT_IOPS, /* accesses per second */
	UNIT_BYTES_PER_SECOND,
};

/* As in JSON: "bytes", "celsius", ...; "" for UNIT_NONE. */
const char *unit_name(enum unit unit);

enum value_kind { VALUE_NULL, VALUE_FLAG, VALUE_UINT, VALUE_INT, VALUE_REAL, VALUE_TEXT };

struct value {
	enum value_kind kind;
	union {
		bool flag;
		uint64_t uint;
		int64_t sint;
		double real;
		const char *text; /* owned by the facts, or static */
	};
};

struct value value_null(void);
struct value value_flag(bool flag);
struct value value_uint(uint64_t uint);
struct value value_int(int64_t sint);
struct value value_real(double real);
struct value value_text(const char *text);
/* Null for "" and NULL. */
struct value value_text_or_null(const char *text);

/* Seconds since 1970 of a day, or of the first day of a week, as facts tell it:
 * "2014-05-20", "2014-W03"; 0: it is none. */
int64_t date_seconds(const char *text);

/* The value as a number: false for texts and null. Flags are 0 and 1. */
bool value_number(struct value value, double *number);
/* Texts by their letters, numbers of any kind by their value; null is the same as null alone. */
bool value_same(struct value a, struct value b);

enum fact_state {
	FACT_KNOWN,
	FACT_UNKNOWN, /* the drive says that it does not know: value is null */
	FACT_INVALID, /* out of the standard's range: value is null, the raw bytes stand in the
			 source */
};

/* When two sources of a key contradict each other. */
enum agreement {
	AGREE_ANY, /* never: they measure different things */
	AGREE_EXACT,
	AGREE_CLOSE, /* more than 5 % and 2 units apart */
};

/* A key that scripts rely on; a key never changes its meaning. */
struct key {
	const char *name;  /* "temperature.current_celsius" */
	const char *label; /* "Current temperature" */
	enum unit unit;
	enum agreement agreement;
	bool detail; /* shown to people only with -v */
};

enum origin {
	ORIGIN_PAGE,      /* bytes of a response */
	ORIGIN_HOST,      /* the host's sysfs */
	ORIGIN_DERIVED,   /* computed from other facts */
	ORIGIN_KNOWLEDGE, /* a table of families, a drive database */
};

/* Where a fact comes from. */
struct source {
	enum origin origin;
	struct page_id page;
	int32_t parameter; /* log parameter code, or ATA attribute id; -1 none */
	uint32_t offset;   /* of raw, from the start of the response */
	struct bytes raw;  /* in the capture */
	const char *text;  /* host: the name of the file; derived: the formula; page: more
			    * about it, or NULL */
};

/* Of bytes of a response; offset is that of raw, which is not copied. */
struct source source_page(struct page_id page, size_t offset, struct bytes raw);
/* formula is not copied: static, or of facts_printf(). */
struct source source_derived(const char *formula);

struct fact {
	const struct key *key;
	struct value value;
	enum fact_state state;
	struct source source;
	uint8_t rank;     /* 0 best; among sources of one key the lowest KNOWN is the value */
	const char *note; /* NULL, or what to know about this value */
	uint32_t before;  /* facts_find()'s own */
};

/* A column of a table. */
struct column {
	const char *name;  /* JSON key */
	const char *label; /* heading; NULL: JSON only */
	enum unit unit;
};

struct table {
	const char *name; /* JSON key below "tables" */
	const char *label;
	const struct column *columns;
	size_t column_count;
	enum table_detail {
		TABLE_ALWAYS,
		TABLE_DETAIL, /* shown to people only with -v */
		TABLE_SERIES, /* without -v as lines over time */
	} detail;
};

struct row {
	const struct table *table;
	struct value *cells;  /* column_count of them */
	struct source source; /* of the row */
};

struct note {
	const char *text;
	struct source source; /* origin ORIGIN_DERIVED with text NULL: of no page */
};

enum { FACT_CHAINS = 256 };

struct facts {
	struct fact *facts; /* in the order in which they were added */
	size_t fact_count;
	uint32_t chains[FACT_CHAINS]; /* facts_find()'s own: by the key's name, the last added */
	struct row *rows;
	size_t row_count;
	struct note *notes;
	size_t note_count;
	struct arena *arena;
	struct attribute_set *attribute_set; /* the decoders' own; NULL: not read yet */
};

void facts_init(struct facts *facts);
void facts_deinit(struct facts *facts);

/* Adds a fact; a text is copied, and the value of one that is not known is null. Several of one
 * key are wanted: facts_find() gives the best. The pointer is valid until the next call. */
struct fact *facts_add(struct facts *facts, const struct key *key, struct value value,
	enum fact_state state, struct source source, uint8_t rank);

/* The best fact of a key: lowest rank among the known, else lowest rank of the
 * others, else NULL. Of equal ones the first added. */
const struct fact *facts_find(const struct facts *facts, const char *key);

/* Only the wanted ones of them, and no rows. Shares all memory with *facts and is
 * not to be deinitialised. */
struct facts facts_part(const struct facts *facts, bool (*wanted)(const struct fact *fact));

/* The value of the best fact where it is known: false otherwise. */
bool facts_uint(const struct facts *facts, const char *key, uint64_t *value);
bool facts_number(const struct facts *facts, const char *key, double *value);
/* "" where it is not known. */
const char *facts_text(const struct facts *facts, const char *key);
bool facts_flag(const struct facts *facts, const char *key, bool *value);

/* Adds a row of nulls to a table; the caller fills row_set(). The pointer is
 * valid until the next call. */
struct row *facts_row(struct facts *facts, const struct table *table, struct source source);
/* Sets the cell of that column name; a wrong name is a programming error. A text is not
 * copied: static, or of facts_printf(). */
void row_set(struct row *row, const char *column, struct value value);
/* The cell of that column name. */
struct value row_get(const struct row *row, const char *column);
/* The cell as a number; NAN where it is none. */
double row_number(const struct row *row, const char *column);
/* The cell's text; "" where it has none. */
const char *row_text(const struct row *row, const char *column);

/* A text that lives as long as the facts. */
const char *facts_printf(struct facts *facts, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Something to know that is no value: a short page, a wrong checksum, a
 * contradiction. source may be NULL. */
void facts_note(struct facts *facts, const struct source *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The next fact from *at on, which begins at 0, whose known value contradicts
 * the best one of its key (key->agreement): NULL at the end. */
const struct fact *facts_contradiction(const struct facts *facts, size_t *at);
/* Notes each key whose known sources contradict each other (key->agreement). */
void facts_note_contradictions(struct facts *facts);

#endif
