/* What the parts of verify share. */
#ifndef ASSAY_JUDGE_VERIFY_H
#define ASSAY_JUDGE_VERIFY_H

#include "assay/verify.h"

enum { GROUP_CLAIMS = 8, VERIFY_TEXT = 512 };

/* The claims of one key under the same conditions: several where sources
 * contradict each other. */
struct claim_group {
	const struct claim *claims[GROUP_CLAIMS];
	size_t count;
	char id[96];
};

struct verifying {
	const struct verify_subject *subject;
	const struct verify_options *options;
	struct verification *verification;
	const struct spec_sheet *sheet; /* NULL: none */
	const struct spec_model *model; /* NULL: not known which */
	struct facts *facts;
};

/* A verdict in the making: texts are copied by conclude(). */
struct opinion {
	const char *id, *label;
	enum verdict_state state;
	const char *expected, *found, *evidence, *test;
	const char *key;  /* of the fact that it rests on; NULL */
	const char *note; /* follows the reason; NULL */
};

void conclude(struct verifying *verifying, const struct opinion *opinion, const char *reason, ...)
	__attribute__((format(printf, 3, 4)));

/* Begins an opinion of a group: id, label, expected and the source of the claim. */
struct opinion opinion_of(struct verifying *verifying, const struct claim_group *group);
/* Where a fact's value comes from; "" where there is none. */
const char *evidence_of(struct verifying *verifying, const char *key);
/* A text as long-lived as the verdicts. */
const char *keep(struct verifying *verifying, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

enum holding { HOLDS, HOLDS_NEARLY, HOLDS_NOT };

/* A number against one claim; tolerance as a part of the claimed value. */
enum holding holds(const struct claim *claim, double found, double tolerance);

/* The verdict over all claims of a group, by a test of each. */
void judge_group(struct verifying *verifying, const struct claim_group *group,
	struct opinion *opinion,
	enum holding (*test)(struct verifying *verifying, const struct claim *claim));

/* A number fact of the group's claims; note follows the reason, NULL: none. */
void compare_number(struct verifying *verifying, const struct claim_group *group, const char *key,
	enum holding (*test)(struct verifying *verifying, const struct claim *claim),
	const char *note);
/* A number fact; NAN where it is not known. */
double known_number(const struct verifying *verifying, const char *key);

/* Nothing that has a say in it was found. */
void not_tested(struct verifying *verifying, const struct claim_group *group, const char *reason);

bool group_is_recalled(const struct claim_group *group);

/* One claim key's own way; false where there is none. */
bool verify_static(struct verifying *verifying, const struct claim_group *group);
void verify_measured(struct verifying *verifying, const struct claim_group *group);
/* Notes each figure that two files tell differently under the same conditions. */
void note_contradictions(struct verifying *verifying);
/* Measurements of which the sheet says nothing. */
void verify_unclaimed(struct verifying *verifying);

/* A fact that a claim gives, or that is computed from such: then claim is NULL. */
void add_rated(struct facts *facts, const char *name, struct value value, const struct claim *claim,
	const char *formula);
/* What a claim of endurance.rated_written_bytes says of the use so far. */
void add_rated_writes(struct facts *facts, const struct claim *claim);
/* Bytes written and days in use: false where the drive does not say. */
bool written_so_far(const struct facts *facts, double *written, double *days);
/* A family's largest figure says nothing of this capacity. */
bool claim_is_of_other_capacity(const struct claim *claim);

/* Failures first. */
void verdicts_order(struct verification *verification);
/* A measured recovery time against the drive's own word for it; false where the
 * key is of none, or the drive says nothing. */
bool verify_recovery(struct verifying *verifying, const struct measurement *measurement);
/* Power levels and heat: the drive's own words, and what was measured. */
void verify_selectable(struct verifying *verifying, const struct claim_group *group);
void verify_temperature(struct verifying *verifying, const struct claim_group *group);
void verify_throttles(struct verifying *verifying, const struct claim_group *group);

void verify_written(struct verifying *verifying, const struct claim_group *group);
void verify_dwpd(struct verifying *verifying, const struct claim_group *group);
void verify_workload(struct verifying *verifying, const struct claim_group *group);
void verify_warranty(struct verifying *verifying, const struct claim_group *group);

void verify_capacity(struct verifying *verifying);
void verify_part_number(struct verifying *verifying);
void verify_genuine(struct verifying *verifying);
void verify_new(struct verifying *verifying);

#endif
