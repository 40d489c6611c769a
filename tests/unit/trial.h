/*
 * A drive on trial: a capture or facts alone, and all that verify says of it.
 */
#ifndef ASSAY_TEST_TRIAL_H
#define ASSAY_TEST_TRIAL_H

#include <stdio.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/verify.h"

static struct spec_library library;

static inline int load(void **state)
{
	(void)state;
	spec_library_init(&library);
	return spec_load_folder(&library, "data/specs", SPEC_CLAIMS) ? 0 : -1;
}

static inline int unload(void **state)
{
	(void)state;
	spec_library_deinit(&library);
	return 0;
}

/* One drive, all that verify says of it. */
struct trial {
	struct capture capture;
	struct facts facts;
	struct spec_matches matches;
	struct measurements measurements;
	struct verify_options options;
	struct verification verification;
};

static inline void trial_init(struct trial *trial, const char *name)
{
	char path[128];
	struct error error;

	*trial = (struct trial) { .options.now = 1430000000 };
	snprintf(path, sizeof(path), "data/drives/%s.capture", name);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	capture_init(&trial->capture, name);
	if (capture_read(file, path, &trial->capture, &error) != 0)
		fail_msg("%s", error.text);
	fclose(file);
	facts_init(&trial->facts);
	measurements_init(&trial->measurements);
	verification_init(&trial->verification);
}

static inline void trial_deinit(struct trial *trial)
{
	verification_deinit(&trial->verification);
	measurements_deinit(&trial->measurements);
	facts_deinit(&trial->facts);
	capture_deinit(&trial->capture);
}

static inline void trial_verify(struct trial *trial)
{
	if (!trial->facts.fact_count)
		decode(&trial->capture, &trial->facts);
	struct spec_subject drive = spec_subject_of(&trial->facts);
	struct verify_subject subject = {
		.library = &library, .facts = &trial->facts, .measurements = &trial->measurements
	};

	spec_match(&library, &drive, &trial->matches);
	subject.match = trial->matches.count == 1 ? &trial->matches.matches[0] : NULL;
	verify(&subject, &trial->options, &trial->verification);
}

static inline const struct verdict *verdict_of(const struct trial *trial, const char *id)
{
	for (size_t i = 0; i < trial->verification.count; i++)
		if (!strcmp(trial->verification.verdicts[i].id, id))
			return &trial->verification.verdicts[i];
	fail_msg("no verdict %s", id);
	return NULL;
}

static inline size_t count_of(const struct trial *trial, enum verdict_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < trial->verification.count; i++)
		count += trial->verification.verdicts[i].state == state;
	return count;
}

static inline void one_failure(struct trial *trial, const char *drive, const char *id)
{
	for (size_t k = 0; k < trial->verification.count; k++)
		if (trial->verification.verdicts[k].state == VERDICT_FAIL &&
			strcmp(trial->verification.verdicts[k].id, id) != 0)
			fail_msg("%s: %s was to fail, not %s: %s", drive, id,
				trial->verification.verdicts[k].id,
				trial->verification.verdicts[k].reason);
	if (verdict_of(trial, id)->state != VERDICT_FAIL)
		fail_msg("%s: %s does not fail: %s", drive, id, verdict_of(trial, id)->reason);
	/* Failures come first. */
	assert_string_equal(trial->verification.verdicts[0].id, id);
	assert_int_equal(verification_status(&trial->verification), EXIT_FAILING);
}

static inline void add(struct facts *facts, const char *name, struct value value)
{
	const struct key *key = decoder_key(name);

	assert_non_null(key);
	facts_add(facts, key, value, FACT_KNOWN, source_derived("a test"), 0);
}

static inline void trial_of(struct trial *trial, const char *vendor, const char *model,
	const char *protocol, uint64_t bytes)
{
	*trial = (struct trial) { .options.now = 1430000000 };
	capture_init(&trial->capture, "test");
	facts_init(&trial->facts);
	measurements_init(&trial->measurements);
	verification_init(&trial->verification);
	add(&trial->facts, "identity.vendor", value_text(vendor));
	add(&trial->facts, "identity.model", value_text(model));
	add(&trial->facts, "identity.protocol", value_text(protocol));
	add(&trial->facts, "capacity.bytes", value_uint(bytes));
	add(&trial->facts, "capacity.logical_block_bytes", value_uint(512));
}

#endif
