/* Is it new, and do its counters tell one story? */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "assay/array.h"
#include "judge/verify.h"

enum {
	NEW_HOURS = 48, /* burn-in at the factory */
	NEW_CYCLES = 50,
	WRAP_HOURS = 65536,  /* logs hold 16 bits of hours */
	MOST_HOURS = 400000, /* more, 45 years, is garbage: some drives' statistics have it */
};

/* Faster than any link that these drives have: two of 22.5 Gbit/s. */
static const double BYTES_PER_SECOND_MAX = 4.8e9;
static const double NEW_WRITTEN_PART = 1; /* of the capacity */

struct story {
	char text[512];
	size_t used;
	bool is_strong; /* no known slip of firmware explains it */
};

static void tell(struct story *story, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(struct story *story, const char *format, ...)
{
	va_list args;

	if (story->used && story->used + 2 < sizeof(story->text)) {
		memcpy(story->text + story->used, "; ", 3);
		story->used += 2;
	}
	if (story->used >= sizeof(story->text))
		return;
	va_start(args, format);
	story->used += (size_t)vsnprintf(
		story->text + story->used, sizeof(story->text) - story->used, format, args);
	va_end(args);
}

/* The highest hours in a table's column; -1: none. */
static double highest(const struct facts *facts, const char *table, const char *column)
{
	double most = -1, number;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (!strcmp(row->table->name, table) &&
			value_number(row_get(row, column), &number) && number > most)
			most = number;
	}
	return most;
}

/* Two tests or more whose hours rise with time: no garbage. */
static bool tests_are_plausible(const struct facts *facts)
{
	double before = 1e9, hours;
	size_t count = 0;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (strcmp(row->table->name, "self_tests") != 0 ||
			!value_number(row_get(row, "power_on_hours"), &hours))
			continue;
		if (hours > before)
			return false;
		before = hours;
		count++;
	}
	return count > 1;
}

static void check_logs(struct verifying *verifying, double hours, struct story *story)
{
	double tests = highest(verifying->facts, "self_tests", "power_on_hours");
	double errors = highest(verifying->facts, "error_log", "power_on_hours");

	if (hours >= WRAP_HOURS)
		return;
	if (tests > hours + 1) {
		tell(story, "a self-test is logged at %.0f h, but it is on for %.0f h", tests,
			hours);
		story->is_strong |= tests_are_plausible(verifying->facts);
	}
	if (errors > hours + 1)
		tell(story, "an error is logged at %.0f h, but it is on for %.0f h", errors, hours);
}

/* Counters of the same hours that a reset of the first may have left alone. */
static const struct {
	const char *key, *name;
	double per_hour;
	bool is_strong;
} counters[] = {
	{ "usage.farm_power_on_hours", "Seagate's FARM log counts", 1, true },
	{ "usage.power_on_minutes", "its minutes make", 60, false },
	{ "usage.spindle_hours", "its spindle turned for", 1, false },
	{ "usage.head_flying_hours", "its heads flew for", 1, false },
};

static bool is_longer(double other, double hours)
{
	return other > hours + 24 + hours * 0.05;
}

static void check_counters(struct verifying *verifying, double hours, struct story *story)
{
	for (size_t i = 0; i < ARRAY_LEN(counters); i++) {
		double count;

		if (!facts_number(verifying->facts, counters[i].key, &count))
			continue;
		count /= counters[i].per_hour;
		if (!is_longer(count, hours) || count > MOST_HOURS)
			continue;
		tell(story, "%s %.0f h, but it is on for %.0f h", counters[i].name, count, hours);
		story->is_strong |= counters[i].is_strong;
	}
}

/* Another source of the same fact, such as a vendor's attribute. */
static void check_others(struct verifying *verifying, double hours, struct story *story)
{
	const struct facts *facts = verifying->facts;

	for (size_t i = 0; i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];
		double other;

		if (!strcmp(fact->key->name, "usage.power_on_hours") && fact->state == FACT_KNOWN &&
			value_number(fact->value, &other) && is_longer(other, hours)) {
			tell(story, "another of its counters says %.0f h, not %.0f h", other,
				hours);
			return;
		}
	}
}

/* Nobody starts a drive more often than once a minute for all of its life. */
static void check_starts(struct verifying *verifying, double hours, struct story *story)
{
	static const char *const starts[] = { "usage.start_stop_count", "usage.power_cycle_count" };

	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		double count;

		if (!facts_number(verifying->facts, starts[i], &count) || count <= 60 * (hours + 1))
			continue;
		tell(story, "it was started %.0f times in %.0f h", count, hours);
		return;
	}
}

static void check_written(struct verifying *verifying, double hours, struct story *story)
{
	double written, gbps = 0, ports = 1, most;

	if (!facts_number(verifying->facts, "endurance.host_written_bytes", &written))
		return;
	facts_number(verifying->facts, "link.max_gbps", &gbps);
	facts_number(verifying->facts, "link.port_count", &ports);
	most = link_payload(gbps) * (ports > 1 ? ports : 1);
	double seconds = (hours + 1) * 3600;
	if (written / seconds <= (most > 0 ? most : BYTES_PER_SECOND_MAX))
		return;
	story->is_strong = true;
	tell(story, "%.3g TB in so many hours would be %.3g GB/s", written / 1e12,
		written / seconds / 1e9);
}

static void check_hours(struct verifying *verifying)
{
	static const char key[] = "usage.power_on_hours";
	struct story story = { .used = 0 };
	struct opinion opinion = { .id = "new.hours",
		.label = "Hours, by all that counts them",
		.key = key,
		.state = VERDICT_PASS };
	double hours;

	if (!facts_number(verifying->facts, key, &hours))
		return;
	opinion.found = keep(verifying, "%.0f h", hours);
	opinion.evidence = evidence_of(verifying, key);
	check_logs(verifying, hours, &story);
	check_counters(verifying, hours, &story);
	check_others(verifying, hours, &story);
	check_starts(verifying, hours, &story);
	check_written(verifying, hours, &story);
	if (!story.used) {
		conclude(verifying, &opinion, "nothing else in the drive contradicts them");
		return;
	}
	opinion.state = story.is_strong ? VERDICT_FAIL : VERDICT_MARGINAL;
	conclude(verifying, &opinion, "%s: %s", story.text,
		story.is_strong ? "the hours were reset (strong evidence)"
				: "reset hours, or a slip of its firmware (weak evidence)");
}

/* The highest of the drive's own percentages; said: the one that counts. */
static double highest_said(const struct facts *facts, double said)
{
	for (size_t i = 0; i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];
		double other;

		if (!strcmp(fact->key->name, "endurance.used_percent") &&
			fact->state == FACT_KNOWN && value_number(fact->value, &other) &&
			other > said)
			said = other;
	}
	return said;
}

/* A rating that the drive says is nearly unused while its counters say that it
 * is used: the other way round may be write amplification. */
static void conclude_wear(
	struct verifying *verifying, struct opinion *opinion, double said, double rated)
{
	double highest = highest_said(verifying->facts, said);

	if (rated >= 50 && said < rated / 16) {
		opinion->state = VERDICT_MARGINAL;
		conclude(verifying, opinion,
			"the drive says far less than its counters (weak evidence of a reset)");
	} else if (highest > 2 * said + 10) {
		opinion->state = VERDICT_MARGINAL;
		conclude(verifying, opinion,
			"another of its counters says %.0f %% (weak evidence of a reset, or a slip "
			"of its firmware)",
			highest);
	} else {
		conclude(verifying, opinion, "%s",
			!isnan(rated) && said > 4 * rated + 4
				? "the drive says more than its counters: write amplification"
				: "they tell one story");
	}
}

static void check_wear(struct verifying *verifying)
{
	static const char key[] = "endurance.used_percent";
	struct opinion opinion = { .id = "new.wear",
		.label = "Wear, by the drive and by its bytes",
		.key = key,
		.state = VERDICT_PASS };
	double said, rated = NAN;

	if (!facts_number(verifying->facts, key, &said))
		return;
	facts_number(verifying->facts, "endurance.rated_used_percent", &rated);
	if (isnan(rated) && highest_said(verifying->facts, said) == said)
		return;
	opinion.found = isnan(rated) ? keep(verifying, "%.0f %%", said)
				     : keep(verifying, "%.0f %% and %.3g %%", said, rated);
	opinion.evidence = evidence_of(verifying, key);
	conclude_wear(verifying, &opinion, said, rated);
}

/* What a new drive has little of. */
static const struct {
	const char *key, *what;
	double most;
} signs[] = {
	{ "usage.power_on_hours", "h powered on", NEW_HOURS },
	{ "usage.farm_power_on_hours", "h by Seagate's FARM log", NEW_HOURS },
	{ "usage.power_cycle_count", "power cycles", NEW_CYCLES },
	{ "usage.start_stop_count", "start-stop cycles", NEW_CYCLES },
	{ "endurance.used_percent", "% of its life used", 0 },
	{ "errors.grown_defect_count", "grown defects", 0 },
	{ "errors.reallocated_count", "sectors reallocated", 0 },
};

static void tell_signs(const struct facts *facts, struct story *story)
{
	double number, capacity, tests = highest(facts, "self_tests", "power_on_hours");

	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (facts_number(facts, signs[i].key, &number) && number > signs[i].most)
			tell(story, "%.0f %s", number, signs[i].what);
	if (facts_number(facts, "endurance.host_written_bytes", &number) &&
		facts_number(facts, "capacity.bytes", &capacity) &&
		number > NEW_WRITTEN_PART * capacity)
		tell(story, "%.3g TB written, %.3g times its capacity", number / 1e12,
			number / capacity);
	if (tests > NEW_HOURS)
		tell(story, "a self-test logged at %.0f h", tests);
}

static void check_unused(struct verifying *verifying)
{
	struct story story = { .used = 0 };
	struct opinion opinion = { .id = "new.unused",
		.label = "New",
		.key = "usage.power_on_hours",
		.expected = keep(verifying, "at most %d h, %d starts, one write of its capacity",
			NEW_HOURS, NEW_CYCLES),
		.state = VERDICT_PASS };
	bool any = facts_find(verifying->facts, "usage.power_on_hours") ||
		facts_find(verifying->facts, "endurance.host_written_bytes");

	tell_signs(verifying->facts, &story);
	if (story.used)
		opinion.state = VERDICT_FAIL;
	else if (!any)
		opinion.state = VERDICT_NOT_TESTED;
	conclude(verifying, &opinion, "%s%s", story.text,
		story.used    ? ": it was used (strong evidence)"
			: any ? "nothing says that it was used"
			      : "the drive counts nothing that would tell");
}

void verify_new(struct verifying *verifying)
{
	check_hours(verifying);
	check_wear(verifying);
	if (verifying->options->expect_new)
		check_unused(verifying);
}
