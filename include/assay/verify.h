/*
 * Verify: is a drive what its datasheet says? Each claim gets one verdict; so
 * do the questions whether the drive is genuine, and whether it is new.
 */
#ifndef ASSAY_VERIFY_H
#define ASSAY_VERIFY_H

#include "assay/render.h"
#include "assay/spec.h"

/* A measured figure, in the base unit of its key. */
struct measurement {
	const struct claim_key *key;
	double value;
	struct conditions conditions;
	const char *file, *where; /* where is the file and the row */
};

/* What bench, power and prove found, of one drive. */
struct measurements {
	struct measurement *measurements;
	size_t count;
	const char *serial;  /* of that drive; "" where the results do not say */
	const char *unnamed; /* the first file with results that does not say; NULL: none */
	struct arena *arena;
};

void measurements_init(struct measurements *measurements);
void measurements_deinit(struct measurements *measurements);
/* Adds those of a JSON document (assay-spec(5), "RESULTS"), or of an array of
 * them. Returns 0, or -1 and *error where the file is none, or of another drive
 * than what was read before. */
int measurements_read(const char *file, struct measurements *measurements, struct error *error);
int measurements_read_text(const char *file, const char *text, size_t len,
	struct measurements *measurements, struct error *error);

/* Adds those of a run that has just been made, of its table "measurements". */
void measurements_take(const struct facts *facts, struct measurements *measurements);

struct verify_options {
	bool expect_new;
	int64_t now; /* seconds since 1970 when the facts were had; 0: not known */
};

/* What verify looks at. */
struct verify_subject {
	struct spec_library *library;
	struct facts *facts;                     /* the ratings become facts, too */
	const struct spec_match *match;          /* NULL: no datasheet; its claims are skipped */
	const struct measurements *measurements; /* NULL: none */
};

/* Owns the texts of its verdicts. They are ordered: failures first. */
struct verification {
	struct verdict *verdicts;
	size_t count;
	struct arena *arena;
};

void verification_init(struct verification *verification);
void verification_deinit(struct verification *verification);

/* Ids of verdicts: the claim's key, with "/2", "/3" where claims of one key hold
 * under other conditions; "genuine.*" and "new.*"; "warranty". Texts are at most
 * 1023 bytes. */
void verify(const struct verify_subject *subject, const struct verify_options *options,
	struct verification *verification);

/* Adds what a datasheet rates the drive for, for health rules: what may be written
 * and how much of it was, and how hot it may get. Only what was printed for this
 * very drive and re-read there; of several figures the most lenient. */
void rate(struct facts *facts, const struct spec_match *match);

/* The result of a power run against what the drive itself claims: "recovery.*" of
 * each state, "timer.*" of each timer, "restored" where something was not. The facts
 * are the run's, with the drive's own claims beside them. */
void verify_power(const struct facts *facts, struct verification *verification);

/* EXIT_FAILING where a verdict fails, EXIT_WARNING where one is marginal or a
 * conflict, EXIT_GOOD where one passes, else EXIT_UNKNOWN. */
int verification_status(const struct verification *verification);

#endif
