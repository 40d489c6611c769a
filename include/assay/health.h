/*
 * Health: verdicts of a table of rules over facts. One row is one rule; the
 * engine knows no topic.
 */
#ifndef ASSAY_HEALTH_H
#define ASSAY_HEALTH_H

#include "assay/fact.h"
#include "assay/render.h"

/* What a rule tests; the rule's state is the verdict where it holds. */
enum rule_test {
	RULE_IS,        /* the text is `word` */
	RULE_TRUE,      /* the flag is set */
	RULE_KNOWN,     /* there is such a fact */
	RULE_AT_LEAST,  /* the number is not below the limit */
	RULE_AT_MOST,   /* the number is not above the limit */
	RULE_BELOW_KEY, /* the number is below that of limit_key */
	RULE_ROWS,      /* at least `limit` rows of table `key` have `word` in `column` */
	RULE_GROWTH,    /* the number is larger than it was, by `limit` or more */
	RULE_FALL,      /* the number is smaller than it was */
	RULE_AGREEMENT, /* known sources of the key contradict each other */
};

struct rule {
	const char *id;  /* "wear-used": a word for scripts and for the configuration */
	const char *key; /* of the fact; RULE_ROWS: name of the table */
	enum rule_test test;
	enum verdict_state state; /* VERDICT_WARNING, VERDICT_FAILING; VERDICT_OK: a mere note */
	double limit;
	double limit_solid_state; /* in its place for a drive that does not rotate; 0: the same */
	const char *limit_key;    /* a fact that is the limit, where it is known */
	const char *rated_key;    /* a fact that is it, where that is not known */
	const char *word, *column;
	const char *also_column;   /* RULE_ROWS: a flag that must be set, too; NULL: none */
	const char *unless_column; /* RULE_ROWS: a flag that must not; NULL: none */
	const char *graver;        /* an earlier rule: where that is broken, this is a mere note */
	const char *why;           /* why it matters: a sentence */
	const char *action;        /* what to do: a sentence */
};

/* All rules, worst first within a topic; ends with id NULL. */
extern const struct rule rules[];
/* NULL where there is none. */
const struct rule *rule_find(const char *id);
/* Rules with a limit that is a number. */
bool rule_has_limit(const struct rule *rule);

/* A limit in place of the table's. */
struct rule_limit {
	double value;
	bool own_first; /* the drive's own comes first, where the rule has such a key */
};

/* The responses from which everything comes that the rules look at, and what
 * monitoring shows beside it. with_growth: those rules, too, that need a last
 * record. Writes at most `most`; returns how many there are. */
size_t health_pages(bool with_growth, struct page_id *pages, size_t most);

/* What a number was in the records of the time for which growth is looked at. */
struct rule_before {
	double least, most;
	double seconds; /* so long ago was the first of these records; 0: not known */
};

/* What the administrator has set for this drive, and what was known before. */
struct health_settings {
	/* The limit of a rule: false where it is the table's. */
	bool (*limit)(void *context, const struct rule *rule, struct rule_limit *limit);
	/* The rule is not to be heard at this value ("this count is accepted"). */
	bool (*silent)(void *context, const struct rule *rule, double value);
	/* What a key was before: false where no record has it. */
	bool (*before)(void *context, const char *key, struct rule_before *before);
	void *context;
};

/* The verdicts of one drive. Owns its texts; verdicts point into the facts. */
struct health {
	struct verdict *verdicts; /* the first one, "health", is the sum of the others */
	size_t count;
	size_t judged; /* rules that could be judged, mere notes not counted */
	struct arena *arena;
};

/* Judges. settings may be NULL, and so may each of its functions. Rules whose
 * fact is absent or unknown give no verdict; where no rule could be judged the
 * sum is VERDICT_UNKNOWN. A verdict is VERDICT_OK where the rule does not hold. */
void health_judge(
	const struct facts *facts, const struct health_settings *settings, struct health *health);
void health_deinit(struct health *health);

/* The sum. */
enum verdict_state health_state(const struct health *health);
/* 0 ok, 1 warning, 2 failing, 3 unknown. */
enum exit_status health_status(const struct health *health);

#endif
