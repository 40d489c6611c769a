/* Power states as measured, against what the drive itself claims of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/array.h"
#include "judge/verify.h"

/* Recovery times are nominal, and a host is not exact: so much more is none. */
static const double SLACK_US = 10000, SLACK = 0.05;
/* A timer is kept where the state comes no earlier, and so much later at most. */
static const double TIMER_SLACK_MS = 1000, TIMER_SLACK = 0.1;

static double allowed_us(double claimed_us)
{
	return claimed_us + fmax(SLACK_US, SLACK * claimed_us);
}

static const char *time_of(struct verifying *verifying, double us)
{
	char text[64];

	return keep(
		verifying, "%s", quantity_human(us, DIMENSION_MICROSECONDS, text, sizeof(text)));
}

/* "performance.idle_a_recovery_us" is of the drive's "power.idle_a_recovery_us". */
bool verify_recovery(struct verifying *verifying, const struct measurement *measurement)
{
	static const char prefix[] = "performance.", end[] = "_recovery_us";
	const char *name = measurement->key->name, *rest = name + strlen(prefix);
	char key[64];
	double claimed_us;

	if (strncmp(name, prefix, strlen(prefix)) != 0 || strlen(rest) < strlen(end) ||
		strcmp(rest + strlen(rest) - strlen(end), end) != 0)
		return false;
	snprintf(key, sizeof(key), "power.%s", rest);
	if (!facts_number(verifying->facts, key, &claimed_us))
		return false;
	bool held = measurement->value <= allowed_us(claimed_us);
	struct opinion opinion = { .id = name,
		.label = measurement->key->label,
		.state = held ? VERDICT_PASS : VERDICT_FAIL,
		.expected = keep(verifying, "at most %s, by the drive itself (%s)",
			time_of(verifying, claimed_us), evidence_of(verifying, key)),
		.found = time_of(verifying, measurement->value),
		.evidence = measurement->where,
		.key = keep(verifying, "%s", key) };

	conclude(verifying, &opinion, held ? "as the drive claims" : "not as the drive claims");
	return true;
}

/* Judges a recovery time that was measured. */
static void judge_time(struct verifying *verifying, const struct row *row, struct opinion *opinion)
{
	double claimed_us = row_number(row, "claimed_us"),
	       median_us = row_number(row, "recovery_us"), most_us = row_number(row, "maximum_us"),
	       least_us = row_number(row, "minimum_us");

	opinion->found = keep(verifying, "%s (%s to %s, n = %.0f)", time_of(verifying, median_us),
		time_of(verifying, least_us), time_of(verifying, most_us),
		row_number(row, "count"));
	if (row_number(row, "cached_reads") > 0)
		opinion->note = "reads were answered without waking it; they do not count";
	if (isnan(claimed_us)) {
		opinion->state = VERDICT_NO_CLAIM;
		conclude(verifying, opinion, "measured, but the drive claims nothing");
		return;
	}
	opinion->expected = keep(verifying, "at most %s", time_of(verifying, claimed_us));
	if (median_us > allowed_us(claimed_us)) {
		opinion->state = VERDICT_FAIL;
		conclude(verifying, opinion, "takes %.1f times as long as the drive claims",
			median_us / claimed_us);
	} else if (most_us > allowed_us(claimed_us)) {
		opinion->state = VERDICT_MARGINAL;
		conclude(verifying, opinion, "mostly as the drive claims, but not always");
	} else {
		opinion->state = VERDICT_PASS;
		conclude(verifying, opinion, "as the drive claims");
	}
}

/* Judges a state that could not be measured. */
static void judge_result(
	struct verifying *verifying, const struct row *row, struct opinion *opinion)
{
	static const struct {
		const char *result, *why;
		enum verdict_state claimed, unclaimed;
	} table[] = {
		{ "refused", "the drive refuses this state", VERDICT_FAIL, VERDICT_NO_CLAIM },
		{ "not entered", "the command was taken, but the state not entered", VERDICT_FAIL,
			VERDICT_MARGINAL },
		{ "left early", "something ended the state before it was to end", VERDICT_MARGINAL,
			VERDICT_MARGINAL },
		{ "answers asleep", "reads are answered and the drive sleeps on: a cache answers",
			VERDICT_MARGINAL, VERDICT_MARGINAL },
		{ "failed", "the drive did not come back with the read", VERDICT_FAIL,
			VERDICT_FAIL },
		{ "left by a reset", "only a reset ends it", VERDICT_NO_CLAIM, VERDICT_NO_CLAIM },
	};
	bool claimed = !isnan(row_number(row, "claimed_us"));
	const char *result = row_text(row, "result");

	opinion->found = *row_text(row, "reason") ? row_text(row, "reason") : NULL;
	opinion->state = VERDICT_NOT_TESTED;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (strcmp(table[i].result, result) != 0)
			continue;
		opinion->state = claimed ? table[i].claimed : table[i].unclaimed;
		conclude(verifying, opinion, "%s%s", table[i].why,
			claimed && table[i].claimed == VERDICT_FAIL
				? ", of which it claims a recovery time"
				: "");
		return;
	}
	conclude(verifying, opinion, "%s", result);
}

static void judge_state(struct verifying *verifying, const struct row *row)
{
	const char *state = row_text(row, "state");
	const char *key = keep(verifying, "measured_power.%s_recovery_us", state);
	struct opinion opinion = { .id = keep(verifying, "recovery.%s", state),
		.label = keep(verifying, "Recovery from %s", state),
		.key = facts_find(verifying->facts, key) ? key : NULL };

	if (!strcmp(row_text(row, "result"), "measured"))
		judge_time(verifying, row, &opinion);
	else
		judge_result(verifying, row, &opinion);
}

static void judge_timer(struct verifying *verifying, const struct row *row)
{
	double timer_ms = row_number(row, "timer_ms"), observed_ms = row_number(row, "observed_ms");
	bool slept = !strcmp(row_text(row, "result"), "went to sleep");
	struct opinion opinion = { .id = keep(verifying, "timer.%s", row_text(row, "state")),
		.label = keep(verifying, "Timer of %s", row_text(row, "state")),
		.expected = keep(verifying, "after %.1f s", timer_ms / 1000) };

	if (!isnan(observed_ms))
		opinion.found = keep(verifying, "after %.1f s", observed_ms / 1000);
	if (!strcmp(row_text(row, "result"), "refused")) {
		opinion.state = VERDICT_NOT_TESTED;
		conclude(verifying, &opinion, "the drive does not let its timer be set");
	} else if (!slept) {
		opinion.state = VERDICT_FAIL;
		conclude(verifying, &opinion, "it did not go to sleep by itself");
	} else if (isnan(observed_ms)) {
		opinion.state = VERDICT_MARGINAL;
		conclude(verifying, &opinion, "it goes to sleep, but being asked keeps it awake");
	} else if (observed_ms < timer_ms * (1 - SLACK) ||
		observed_ms > timer_ms + fmax(TIMER_SLACK_MS, TIMER_SLACK * timer_ms)) {
		opinion.state = VERDICT_MARGINAL;
		conclude(verifying, &opinion, "it goes to sleep, but not when it says");
	} else {
		opinion.state = VERDICT_PASS;
		conclude(verifying, &opinion, "it goes to sleep when it says");
	}
}

/* ---- Power levels ---- */

static bool is_level(const struct row *row, const struct row *of)
{
	return row->table == of->table && !strcmp(row_text(row, "level"), row_text(of, "level"));
}

/* What the drive says of a level (VPD page 8Dh), against what it took there: of several workloads,
 * that which takes most. Without a meter there is nothing to judge. */
static void judge_level(struct verifying *verifying, const struct row *row)
{
	static const double TOLERANCE = 0.05;
	const struct facts *facts = verifying->facts;
	double limit = row_number(row, "limit_milliwatts"), most = NAN;
	bool refused = !strcmp(row_text(row, "result"), "refused");

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *one = &facts->rows[i];

		if (one < row && is_level(one, row))
			return; /* it was judged with that one */
		if (is_level(one, row))
			most = fmax(most, row_number(one, "average_watts"));
	}
	if (isnan(limit) || (isnan(most) && !refused))
		return;
	const char *id = strrchr(row_text(row, "level"), ' ');
	struct opinion opinion = { .id = keep(verifying, "level.%s", id ? id + 1 : ""),
		.label = keep(verifying, "Power level of %g W", limit / 1e3),
		.expected = keep(verifying, "at most %g W, by the drive itself", limit / 1e3) };

	if (!isnan(most))
		opinion.found = keep(verifying, "%.2f W on average", most);
	if (refused) {
		opinion.state = VERDICT_FAIL;
		conclude(verifying, &opinion, "the drive refuses a level that it lists");
	} else if (most * 1e3 > limit * (1 + TOLERANCE)) {
		opinion.state = VERDICT_FAIL;
		conclude(verifying, &opinion, "takes more than the level that it is set to");
	} else {
		opinion.state = VERDICT_PASS;
		conclude(verifying, &opinion, "takes no more than the level that it is set to");
	}
}

void verify_power(const struct facts *facts, struct verification *verification)
{
	struct verifying verifying = { .verification = verification,
		.facts = (struct facts *)facts };
	bool restored = true;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (!strcmp(row->table->name, "power_measured"))
			judge_state(&verifying, row);
		else if (!strcmp(row->table->name, "power_timers"))
			judge_timer(&verifying, row);
		else if (!strcmp(row->table->name, "power_levels"))
			judge_level(&verifying, row);
	}
	facts_flag(facts, "measured_power.restored", &restored);
	if (!restored)
		conclude(&verifying,
			&(struct opinion) { .id = "restored",
				.label = "Settings as before",
				.state = VERDICT_FAIL,
				.key = "measured_power.restored" },
			"not all settings are as they were: the notes say which");
	verdicts_order(verification);
}
