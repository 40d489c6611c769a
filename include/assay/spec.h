/*
 * Datasheets: what the maker of a family of drives promises. One JSON file a
 * family (assay-spec(5)), found in a library of folders; which of them is a
 * drive's is told from its names and its size.
 *
 * Everything here is owned by the library it was loaded to, and lives as long.
 */
#ifndef ASSAY_SPEC_H
#define ASSAY_SPEC_H

#include <stdio.h>

#include "assay/arena.h"
#include "assay/error.h"
#include "assay/fact.h"
#include "assay/quantity.h"

/* How a claim can be proved. */
enum claim_proof {
	PROOF_STATIC,   /* the drive says so itself */
	PROOF_MEASURED, /* a benchmark, a clock, a meter */
	PROOF_ACTIVE,   /* a test that writes or cuts the power */
	PROOF_NONE,     /* not from the host: physical, or statistical */
};

/* A key that claims may have: of a fact (fact.h), or of a measurement. */
struct claim_key {
	const char *name;  /* "performance.random_read_iops" */
	const char *label; /* "Random read" */
	enum dimension dimension;
	enum operator implied; /* of a value without one */
	enum claim_proof proof;
	const char *test; /* the command that tests it: "assay bench"; NULL */
};

/* All of them, ordered by topic; ends with a name of NULL. */
extern const struct claim_key claim_keys[];
/* NULL where there is none of that name. */
const struct claim_key *claim_key_find(const char *name);

/* Where a claim was printed. */
struct spec_source {
	const char *id;
	const char *title;
	const char *url;     /* NULL: none */
	const char *licence; /* NULL: none that is to be named */
	bool recalled;       /* not re-read: its claims are never the reason of a failure */
	bool drives;         /* not printed at all: counted on real drives */
};

/* Under which circumstances a claim holds. 0 and NULL: not stated. */
struct conditions {
	uint64_t block_bytes;
	double queue_depth;  /* commands outstanding, all jobs together */
	double read_percent; /* of a mix; -1: not stated */
	uint64_t span_bytes;
	const char *state; /* "fresh", "steady", "burst" */
	double ports;
	double link_gbps;
	uint64_t format_bytes; /* logical block */
	const char *reference; /* of a temperature: "ambient", "case", "internal" */
	const char *note;      /* anything else that was printed */
	/* Of a measured figure: what was measured with it. */
	double latency_us, milliwatts, iops_per_watt;
};

/* What a figure is, where it is not simply each drive's. */
enum claim_kind {
	CLAIM_EACH,
	CLAIM_FAMILY_MAXIMUM, /* of the best capacity */
	CLAIM_FAMILY_FLOOR,   /* of the worst */
	CLAIM_NOMINAL,        /* of the line, as headlines print it */
	CLAIM_TYPICAL,
	CLAIM_COMPUTED, /* from other claims */
	CLAIM_MEASURED, /* by a reviewer: recorded, never judged */
	CLAIM_MISPRINT, /* known to be wrong: recorded, never judged */
};

struct claim {
	const struct claim_key *key;
	struct quantity quantity; /* of keys that are not text */
	const char *text;         /* of keys that are; else NULL */
	const char *printed;      /* the value as it stands in the file */
	enum claim_kind kind;
	bool or_endurance; /* of a warranty: or the endurance, whichever ends first */
	struct conditions conditions;
	const struct spec_source *source; /* NULL: none given */
	const char *subject; /* the drive that the source names, where it says one; NULL */
	const struct spec_model *model; /* whose it is alone; NULL: the family's */
	unsigned index;                 /* among several of the key, from 0 */
	bool alone;                     /* it is the only one of its key there */
};

/* A pattern: a POSIX extended regular expression that the whole name must
 * match, after blanks at its ends are gone and runs of them are one. */
struct pattern {
	const char *regex;
	const char *literal; /* letters that any match contains; "" : none known */
	const char *oem;     /* who sells it under this name; NULL: the maker */
};

struct spec_model {
	const char *name;
	struct pattern *patterns;
	size_t pattern_count;   /* 0: it cannot be told by a name */
	struct number capacity; /* nominal; value 0: not stated */
	const char *capacity_printed;
	uint64_t sizes[4]; /* exact ones that are known */
	size_t size_count;
	bool sizes_seen;       /* on real drives, or printed; else by formula alone */
	bool by_size;          /* its name is that of others: it is told by the size alone */
	const char *like_name; /* another model of the sheet, or NULL */
	const struct spec_model *like;
	struct claim *claims;
	size_t claim_count;
};

/* One digit group of a part number, and the claim that each value makes. */
struct part_group {
	size_t index; /* of the parentheses, from 1 */
	const struct claim_key *key;
	const char *label; /* where it is no claim: "generation" */
	const char *unit;  /* the digits are a number of this: "GB"; NULL: look up in values */
	const char *const *values; /* pairs: digits, meaning */
	size_t value_count;        /* pairs */
};

struct part_rule {
	const char *regex;
	const char *literal;
	struct part_group *groups;
	size_t group_count;
	const struct spec_source *source;
};

struct spec_sheet {
	const char *file;
	bool complete;               /* its claims were read */
	const char *literals;        /* of its patterns, which were not read yet; else NULL */
	const char *vendor, *family; /* family NULL: part-number rules only */
	const char *const *names;    /* of the maker, before a model or in INQUIRY */
	size_t name_count;
	const struct spec_source *sources;
	size_t source_count;
	struct spec_model *models;
	size_t model_count;
	struct claim *claims; /* of all models */
	size_t claim_count;
	struct part_rule *rules;
	size_t rule_count;
	const char *const *firmware; /* patterns of the spelling; none: not known */
	size_t firmware_count;
	const char *const *notes;
	size_t note_count;
	const char *const *acknowledged; /* pairs: what lint finds, and why it is left */
	size_t acknowledged_count;
};

/* What is wrong with a file. */
struct spec_problem {
	const char *file;
	unsigned line; /* 0: path tells */
	const char *path;
	const char *text; /* what was expected */
};

struct spec_library {
	struct spec_sheet **sheets;
	size_t sheet_count;
	struct spec_problem *problems;
	size_t problem_count;
	struct arena *arena;
};

void spec_library_init(struct spec_library *library);
void spec_library_deinit(struct spec_library *library);

/* How much of a file is read. */
enum spec_depth {
	SPEC_LITERALS, /* nothing before spec_match() meets a name that may be one of its own */
	SPEC_NAMES,    /* what tells whose it is; claims only when spec_complete() asks */
	SPEC_CLAIMS,   /* all of it */
	SPEC_CHECKED,  /* and every pattern compiled */
};

/* Loads one file. What is wrong becomes problems of the library; a claim that
 * cannot be read is left out. Returns the sheet, or NULL where nothing can be
 * had. */
struct spec_sheet *spec_load(struct spec_library *library, const char *file, enum spec_depth depth);
/* The same of text in memory. */
struct spec_sheet *spec_load_text(struct spec_library *library, const char *file, const char *text,
	size_t len, enum spec_depth depth);
/* Loads every *.json below a folder, in order of their names. Returns how many. For
 * SPEC_LITERALS, what the index of the folder, FOLDER.tsv, has of an unchanged file is
 * taken from there. */
size_t spec_load_folder(struct spec_library *library, const char *folder, enum spec_depth depth);
/* Prints what the index of that folder should be. */
void spec_index_print(FILE *file, const char *folder);
/* Reads the rest of a sheet that was loaded for its names. What could not be
 * read becomes problems. */
void spec_complete(struct spec_library *library, struct spec_sheet *sheet);
/* Loads the library: the folders "specs" of data.h, in their order. A family in
 * an earlier folder hides the same one in a later. */
void spec_load_library(struct spec_library *library, enum spec_depth depth);

/* The sheet of that name: "SSD800MM", "hgst/ultrastar-ssd800mm", or a path of a
 * loaded one (of SPEC_NAMES at least). NULL where there is none or more than one. */
struct spec_sheet *spec_find(const struct spec_library *library, const char *name);

/* ---- Which sheet is a drive's ---- */

struct spec_subject {
	const char *vendor; /* INQUIRY's; "" not known, "ATA" of an ATA drive */
	const char *model;  /* INQUIRY's product, or IDENTIFY's model */
	uint64_t bytes;     /* 0: not known */
};

struct spec_match {
	struct spec_sheet *sheet;
	const struct spec_model *model; /* NULL: several are named so, and the size does not tell */
	const struct pattern *pattern;  /* that matched */
	bool is_respelt;                /* only when case is not heeded */
};

enum { SPEC_MATCH_MAX = 8 };

struct spec_matches {
	struct spec_match matches[SPEC_MATCH_MAX];
	size_t count; /* 1: it is this one; 0: none; more: cannot be told */
	char reason[512];
};

/* From the facts; texts point into them. */
struct spec_subject spec_subject_of(const struct facts *facts);
/* Sheets of SPEC_LITERALS that may have the name are read for their names first; what
 * is wrong with them becomes problems. */
void spec_match(struct spec_library *library, const struct spec_subject *subject,
	struct spec_matches *matches);

/* Calls visit for each group of digits of a part number, by the first rule of the
 * library that fits it; returns how many there were. All is valid during the call
 * only; group says what the digits are, meaning what they stand for. Sheets of
 * SPEC_LITERALS are read as by spec_match(). */
struct part_digits {
	const struct part_rule *rule;
	const struct part_group *group;
	const char *digits, *meaning; /* meaning NULL: not in the rule's table */
	const struct claim *claim;    /* NULL: it is no claim */
};
size_t spec_decode(struct spec_library *library, const char *model,
	void (*visit)(void *context, const struct part_digits *digits), void *context);

/* ---- The claims of a model ---- */

/* It promises something: no measured figure, no misprint. */
bool claim_is_promise(const struct claim *claim);

/* Steps through the claims that hold for a model (NULL: the family's alone):
 * its own; those of the model that it is like; those of the family. A key's
 * nearest claims hide the farther ones. *index starts at 0. NULL at the end. */
const struct claim *spec_claim_next(
	const struct spec_sheet *sheet, const struct spec_model *model, size_t *index);
/* The first of a key that is to be judged, or NULL. */
const struct claim *spec_claim(
	const struct spec_sheet *sheet, const struct spec_model *model, const char *key);

/* The two hold under the same conditions. */
bool conditions_same(const struct conditions *a, const struct conditions *b);

/* A claim in words: "at least 450 MB/s, 128 KiB, queue depth 32". This and the next two
 * write at most size bytes and return text. */
const char *claim_human(const struct claim *claim, char *text, size_t size);
/* Where it stands in its file: "models[2].claims.link.max_gbps". */
const char *claim_path(
	const struct spec_sheet *sheet, const struct claim *claim, char *text, size_t size);
/* Its source in words; of several documents the first. */
const char *claim_source_human(const struct claim *claim, char *text, size_t size);

/* The payload of one link in bytes per second: 8b/10b up to 12 Gbit/s, 128b/150b
 * at 22.5. 0: no rate of SATA or SAS. */
double link_payload(double gbps);

/* ---- Capacity rules ---- */

/* The size of a drive of so many GB (1e9 bytes): IDEMA LBA1-03, which SFF-8447
 * keeps below 8 TB. 0: no rule gives one. block_bytes: 512 or 4096. */
uint64_t capacity_lba103(double gigabytes, unsigned block_bytes);
/* SFF-8447's for large disks: rounded up to a multiple of 2^21 blocks of 512. */
uint64_t capacity_sff8447(double gigabytes, unsigned block_bytes);
/* The name of the rule that gives exactly this size, or NULL. */
const char *capacity_rule(uint64_t bytes, double gigabytes);

/* ---- Lint ---- */

enum finding_level { FINDING_NOTE, FINDING_WARNING, FINDING_ERROR };

struct finding {
	const struct spec_sheet *sheet; /* NULL: of a file that could not be read */
	const char *file;
	const char *path; /* where in it */
	const char *code; /* "endurance-arithmetic" */
	const char *text; /* with the arithmetic */
	enum finding_level level;
	const char *acknowledged; /* why the sheet leaves it; NULL */
};

struct findings {
	struct finding *findings;
	size_t count;
	struct arena *arena;
};

void findings_init(struct findings *findings);
void findings_deinit(struct findings *findings);
/* Lints a sheet of a library, whose other sheets are its siblings. */
void spec_lint(
	struct spec_library *library, const struct spec_sheet *sheet, struct findings *findings);

/* ---- Drafts ---- */

/* Writes a draft of a datasheet for a drive. Returns 0 or -errno. */
int spec_draft(FILE *file, const struct facts *facts);

#endif
