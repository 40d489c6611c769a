/* What was used of the rating, and when it or the warranty runs out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/decoder.h"
#include "judge/verify.h"

static const double NEARLY_USED_PERCENT = 90, DAYS_PER_YEAR = 365;

/* What runs out first rules: the drive's own percentage, or the bytes. */
static double used_percent(struct verifying *verifying, double rated, const char **key)
{
	double written, percent = NAN;

	*key = "endurance.used_percent";
	facts_number(verifying->facts, *key, &percent);
	if (!facts_number(verifying->facts, "endurance.host_written_bytes", &written) ||
		!isfinite(rated))
		return percent;
	double by_bytes = written / rated * 100;
	if (isnan(percent) || by_bytes > percent) {
		*key = "endurance.host_written_bytes";
		return by_bytes;
	}
	return percent;
}

static enum verdict_state state_of(double lowest, double highest, const struct claim_group *group)
{
	if (highest <= NEARLY_USED_PERCENT)
		return VERDICT_PASS;
	if (lowest <= 100 && highest > 100)
		return VERDICT_CONFLICT;
	if (highest <= 100 || group_is_recalled(group))
		return VERDICT_MARGINAL;
	return VERDICT_FAIL;
}

static const char *found_text(struct verifying *verifying)
{
	double written = NAN, percent = NAN;
	char text[64];

	facts_number(verifying->facts, "endurance.host_written_bytes", &written);
	facts_number(verifying->facts, "endurance.used_percent", &percent);
	quantity_human(written, DIMENSION_BYTES, text, sizeof(text));
	if (isnan(percent))
		return keep(verifying, "%s written", text);
	if (isnan(written))
		return keep(verifying, "%.0f %% used by the drive's own count", percent);
	return keep(verifying, "%s written; %.0f %% used by the drive's own count", text, percent);
}

void verify_written(struct verifying *verifying, const struct claim_group *group)
{
	struct opinion opinion = opinion_of(verifying, group);
	double lowest = INFINITY, highest = 0;

	add_rated_writes(verifying->facts, group->claims[0]);
	for (size_t i = 0; i < group->count; i++) {
		double percent = used_percent(
			verifying, group->claims[i]->quantity.low.value, &opinion.key);

		lowest = fmin(lowest, percent);
		highest = fmax(highest, percent);
		if (isnan(percent)) {
			not_tested(verifying, group, "the drive does not count what was written");
			return;
		}
	}
	opinion.found = found_text(verifying);
	opinion.evidence = evidence_of(verifying, opinion.key);
	opinion.state = claim_is_of_other_capacity(group->claims[0])
		? VERDICT_NOT_TESTED
		: state_of(lowest, highest, group);
	if (group->claims[0]->quantity.op == OPERATOR_UNLIMITED)
		opinion.state = VERDICT_PASS;
	if (opinion.state == VERDICT_NOT_TESTED)
		conclude(verifying, &opinion, "the rating is not of this capacity");
	else if (group->claims[0]->quantity.op == OPERATOR_UNLIMITED)
		conclude(verifying, &opinion, "unlimited; %.3g %% used by its own count", highest);
	else
		conclude(verifying, &opinion, "%.3g %% of the rating used%s", highest,
			opinion.state == VERDICT_FAIL ? ": it is consumed" : "");
}

void verify_dwpd(struct verifying *verifying, const struct claim_group *group)
{
	static const char key[] = "endurance.measured_dwpd";
	struct opinion opinion = opinion_of(verifying, group);
	double claimed = group->claims[0]->quantity.high.value, measured;
	char text[64];

	if (isfinite(claimed))
		add_rated(verifying->facts, "endurance.rated_dwpd", value_real(claimed),
			group->claims[0], NULL);
	if (!facts_number(verifying->facts, key, &measured)) {
		not_tested(verifying, group, "the drive does not count what was written");
		return;
	}
	for (size_t i = 1; i < group->count; i++)
		claimed = fmax(claimed, group->claims[i]->quantity.high.value);
	opinion.key = key;
	opinion.found = keep(verifying, "%s so far",
		quantity_human(measured, DIMENSION_DWPD, text, sizeof(text)));
	opinion.evidence = evidence_of(verifying, key);
	opinion.state = measured <= claimed ? VERDICT_PASS : VERDICT_MARGINAL;
	conclude(verifying, &opinion, "%s",
		measured <= claimed ? "used within the rating"
				    : "used harder than the rating allows");
}

void verify_workload(struct verifying *verifying, const struct claim_group *group)
{
	struct opinion opinion = opinion_of(verifying, group);
	double written, days, bytes_read = 0, limit = group->claims[0]->quantity.low.value;
	char text[64];

	for (size_t i = 1; i < group->count; i++)
		limit = fmax(limit, group->claims[i]->quantity.low.value);
	facts_number(verifying->facts, "endurance.host_read_bytes", &bytes_read);
	if (!written_so_far(verifying->facts, &written, &days)) {
		not_tested(verifying, group, "the drive does not count what was transferred");
		return;
	}
	double rate = (written + bytes_read) / days * DAYS_PER_YEAR;
	opinion.key = "endurance.host_written_bytes";
	opinion.found = quantity_human(rate, DIMENSION_BYTES_PER_YEAR, text, sizeof(text));
	opinion.evidence = evidence_of(verifying, opinion.key);
	opinion.state = rate <= limit ? VERDICT_PASS : VERDICT_MARGINAL;
	conclude(verifying, &opinion, "%s",
		rate <= limit ? "used within the limit" : "used harder than the limit");
}

/* ---- Warranty ---- */

struct age {
	double days; /* NAN: not known */
	const char *key, *basis;
	bool at_least; /* it may be older */
};

static struct age age_of(struct verifying *verifying)
{
	int64_t made = date_seconds(facts_text(verifying->facts, "identity.manufacture_date"));
	double hours;

	if (made && verifying->options->now > made)
		return (struct age) { (double)(verifying->options->now - made) / 86400,
			"identity.manufacture_date", "since it was made", false };
	if (facts_number(verifying->facts, "usage.power_on_hours", &hours))
		return (struct age) { hours / 24, "usage.power_on_hours", "by its power-on hours",
			true };
	return (struct age) { .days = NAN };
}

/* Days until the endurance is used up at the pace so far; INFINITY: never. */
static double endurance_days(struct verifying *verifying)
{
	const struct claim *rated = spec_claim(
		verifying->sheet, verifying->model, "endurance.rated_written_bytes");
	double written, days;

	if (!rated || !isfinite(rated->quantity.low.value) ||
		!written_so_far(verifying->facts, &written, &days) || written <= 0)
		return INFINITY;
	return (rated->quantity.low.value - written) / (written / days);
}

static const char *when(struct verifying *verifying, double days, char *text, size_t size)
{
	time_t then = (time_t)(verifying->options->now + (int64_t)(days * 86400));
	struct tm date;

	if (!verifying->options->now || fabs(days) > 1e5 || !gmtime_r(&then, &date) ||
		!strftime(text, size, " (%Y-%m)", &date))
		text[0] = '\0';
	return text;
}

static void conclude_warranty(struct verifying *verifying, struct opinion *opinion,
	const struct age *age, double years, bool or_endurance)
{
	double days_left = years * DAYS_PER_YEAR - age->days;
	double endurance = or_endurance ? endurance_days(verifying) : INFINITY;
	bool wears_first = endurance < days_left;
	double left = fmin(days_left, endurance);
	char date[32];

	opinion->found = keep(verifying, "%s%.1f years %s", age->at_least ? "at least " : "",
		age->days / DAYS_PER_YEAR, age->basis);
	opinion->evidence = evidence_of(verifying, age->key);
	opinion->key = age->key;
	if (left <= 0) {
		opinion->state = VERDICT_MARGINAL;
		conclude(verifying, opinion, "over: the %s ended it%s",
			wears_first ? "endurance" : "time",
			when(verifying, left, date, sizeof(date)));
		return;
	}
	opinion->state = VERDICT_PASS;
	conclude(verifying, opinion, "%s%.1f years left%s; the %s ends first",
		age->at_least ? "at most " : "about ", left / DAYS_PER_YEAR,
		when(verifying, left, date, sizeof(date)), wears_first ? "endurance" : "time");
}

void verify_warranty(struct verifying *verifying, const struct claim_group *group)
{
	struct opinion opinion = opinion_of(verifying, group);
	struct age age = age_of(verifying);
	double years = group->claims[0]->quantity.low.value;

	if (isnan(age.days)) {
		not_tested(verifying, group, "neither a date nor hours tell the age");
		return;
	}
	for (size_t i = 1; i < group->count; i++)
		years = fmin(years, group->claims[i]->quantity.low.value);
	conclude_warranty(verifying, &opinion, &age, years, group->claims[0]->or_endurance);
}
