/*
 * What tests of health rules share: a few facts, judged.
 */
#ifndef ASSAY_TEST_JUDGED_H
#define ASSAY_TEST_JUDGED_H

#include "test.h"

#include <string.h>

#include "assay/health.h"

static const struct key rpm_key = { "identity.rotation_rpm", "Rotation rate", UNIT_RPM, AGREE_ANY,
	false };

static struct key key_of(const char *name)
{
	return (struct key) { .name = name, .label = name };
}

static const struct verdict *verdict_of(const struct health *health, const char *id)
{
	for (size_t i = 0; i < health->count; i++)
		if (!strcmp(health->verdicts[i].id, id))
			return &health->verdicts[i];
	return NULL;
}

/* A mere note that holds. */
enum { NOTED = 100 };

/* The state of a verdict, or NOTED; -1 where there is none. */
static int outcome(const struct verdict *verdict)
{
	if (!verdict)
		return -1;
	assert_true(!verdict->noted || verdict->state == VERDICT_OK);
	return verdict->noted ? NOTED : (int)verdict->state;
}

/* The outcome of a rule for one value. */
static int judged(const char *id, const char *name, struct value value, enum fact_state state,
	double rpm, const struct health_settings *settings)
{
	struct key key = key_of(name);
	struct facts facts;
	struct health health;

	facts_init(&facts);
	facts_add(&facts, &rpm_key, value_uint((uint64_t)rpm), FACT_KNOWN, source_derived("t"), 0);
	facts_add(&facts, &key, value, state, source_derived("t"), 0);
	health_judge(&facts, settings, &health);
	const struct verdict *verdict = verdict_of(&health, id);
	int result = outcome(verdict);

	health_deinit(&health);
	facts_deinit(&facts);
	return result;
}

#endif
