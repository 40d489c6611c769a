/* What was written, and when the rating and the warranty run out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "history/series.h"
#include "history/tables.h"

static const double DAYS_PER_YEAR = 365;

struct endurance {
	struct history *history;
	const struct history_drive *drive;
	const struct history_ratings *ratings;
	struct facts *facts;
	struct error *error;
	struct projection first; /* of those at the recent rate, the one that ends first */
	double written_days;     /* until the rated bytes are written, recently; INFINITY: never */
};

static double known(const struct endurance *endurance, const char *key)
{
	double value = NAN;

	facts_number(endurance->facts, key, &value);
	return value;
}

static double days_in_use(const struct endurance *endurance)
{
	return known(endurance, "usage.power_on_hours") / 24;
}

/* ---- Rates ---- */

static double *days_of(struct endurance *endurance, const char *key, size_t *count)
{
	struct series series;
	double *days = NULL;

	*count = 0;
	if (series_records(endurance->history, endurance->drive->number, key, &series,
		    endurance->error) == 0) {
		series_grow(&series);
		days = series_days(&series, count);
	}
	series_free(&series);
	return days;
}

static void add_dwpd(struct endurance *endurance, const double *days, size_t count, size_t last)
{
	double capacity = known(endurance, "capacity.bytes"), sum = 0;
	char key[64];

	if (count < last || !(capacity > 0))
		return;
	for (size_t i = count - last; i < count; i++)
		sum += days[i];
	snprintf(key, sizeof(key), "history.measured_%zu_days_dwpd", last);
	history_fact(endurance->facts, key, value_real(sum / (double)last / capacity),
		"written in that time / days / capacity");
}

static void add_amplification(struct endurance *endurance, const double *written, size_t count)
{
	size_t nand_count;
	double *nand = days_of(endurance, "endurance.nand_written_bytes", &nand_count);
	size_t last = count < nand_count ? count : nand_count;
	double sum = 0, nand_sum = 0;

	last = last < RECENT_DAYS ? last : RECENT_DAYS;
	for (size_t i = 0; i < last; i++) {
		sum += written[count - 1 - i];
		nand_sum += nand[nand_count - 1 - i];
	}
	free(nand);
	if (sum > 0 && nand_sum > 0)
		history_fact(endurance->facts, "history.write_amplification_ratio",
			value_real(nand_sum / sum), "flash / host, the last days (90 at most)");
}

/* ---- Projections ---- */

static struct value date_after(const struct endurance *endurance, double days)
{
	return date_value(endurance->facts, (double)endurance->drive->last + days * DAY_SECONDS);
}

static void add_projection(struct endurance *endurance, const char *limit, const char *rate,
	const struct projection *projection)
{
	struct row *row = facts_row(endurance->facts, &table_history_projections,
		source_derived("what is left / rate; the range is that of nine in ten"));

	row_set(row, "limit", value_text(limit));
	row_set(row, "rate", value_text(rate));
	row_set(row, "days", whole_or_null(projection->days));
	row_set(row, "date", date_after(endurance, projection->days));
	row_set(row, "earliest_days", whole_or_null(projection->earliest));
	row_set(row, "earliest_date", date_after(endurance, projection->earliest));
	row_set(row, "latest_days", whole_or_null(projection->latest));
	row_set(row, "latest_date", date_after(endurance, projection->latest));
}

/* At the recent rate and at that of its life. Gives the recent one. */
static struct projection add_projections(struct endurance *endurance, const char *limit,
	const double *days, size_t count, double used, double all)
{
	struct projection recent = { INFINITY, NAN, NAN }, lifetime;
	double life = days_in_use(endurance);

	if (count) {
		project(days, count, all - used, projection_recent_rate(days, count), &recent);
		add_projection(endurance, limit, "recent", &recent);
	}
	if (life > 0) {
		project(days, count, all - used, used / life, &lifetime);
		add_projection(endurance, limit, "lifetime", &lifetime);
		if (!count)
			recent = lifetime;
	}
	if (recent.days < endurance->first.days)
		endurance->first = recent;
	return recent;
}

static void project_written(struct endurance *endurance, const double *days, size_t count)
{
	double written = known(endurance, "endurance.host_written_bytes");
	double rated = known(endurance, "endurance.rated_written_bytes");

	if (isnan(written) || !(rated > 0))
		return;
	endurance->written_days =
		add_projections(endurance, "rated_written_bytes", days, count, written, rated).days;
	history_fact(endurance->facts, "endurance.rated_used_percent",
		value_real(written / rated * 100), "written by the host / rated for writes of");
}

/* The drive counts whole percents: between two of them it wears evenly. */
static int project_used(struct endurance *endurance)
{
	double used = known(endurance, "endurance.used_percent"), *days;
	struct series series;
	size_t count;

	if (isnan(used))
		return 0;
	if (series_changes(endurance->history, endurance->drive->number, "endurance.used_percent",
		    &series, endurance->error) != 0)
		return -1;
	series_smooth(&series, endurance->drive->last);
	double now = series.count ? series.samples[series.count - 1].value : used;

	series_grow(&series);
	days = series_days(&series, &count);
	add_projections(endurance, "used_percent", days, count, fmax(now, used), 100);
	free(days);
	series_free(&series);
	return 0;
}

/* ---- Warranty ---- */

/* Days since it was made, else in use; *at_least: it may be older. */
static double age_days(const struct endurance *endurance, bool *at_least)
{
	const char *made = facts_text(endurance->facts, "identity.manufacture_date");
	int64_t time = date_seconds(made);

	*at_least = !time;
	if (time && endurance->drive->last > time)
		return (double)(endurance->drive->last - time) / DAY_SECONDS;
	*at_least = true;
	return days_in_use(endurance);
}

static void project_warranty(struct endurance *endurance)
{
	const struct history_ratings *ratings = endurance->ratings;
	bool at_least;
	double age = age_days(endurance, &at_least);
	double left = ratings->warranty_years * DAYS_PER_YEAR - age, written = INFINITY;
	static const char formula[] = "by age, or by the rated bytes, whichever is first";

	if (!(ratings->warranty_years > 0) || isnan(age))
		return;
	struct projection by_age = { left, NAN, NAN };

	add_projection(endurance, "warranty_years", at_least ? "age, at least" : "age", &by_age);
	if (ratings->or_endurance)
		written = endurance->written_days;
	history_fact(endurance->facts, "history.warranty_end_date",
		date_after(endurance, fmin(left, written)), formula);
	history_fact(endurance->facts, "history.warranty_end_cause",
		value_text(written < left ? "endurance" : "age"), formula);
	if (at_least)
		facts_note(endurance->facts, NULL,
			"the age is that of its power-on hours: the warranty may end earlier");
}

/* ---- All of it ---- */

static void add_ratings(struct endurance *endurance)
{
	const struct history_ratings *ratings = endurance->ratings;

	if (ratings->written_bytes > 0 &&
		!facts_find(endurance->facts, "endurance.rated_written_bytes"))
		history_fact(endurance->facts, "endurance.rated_written_bytes",
			whole_or_null(ratings->written_bytes),
			ratings->source ? ratings->source : "datasheet");
}

static void add_end(struct endurance *endurance)
{
	static const char formula[] =
		"at the recent rate, the rated bytes or 100 % used, whichever is first";
	const struct projection *first = &endurance->first;
	struct facts *facts = endurance->facts;

	if (isfinite(first->days))
		history_fact(facts, "endurance.days_left", whole_or_null(first->days), formula);
	history_fact(facts, "history.end_date", date_after(endurance, first->days), formula);
	history_fact(facts, "history.earliest_end_date", date_after(endurance, first->earliest),
		formula);
	history_fact(
		facts, "history.latest_end_date", date_after(endurance, first->latest), formula);
}

int history_report_endurance(struct history *history, const struct history_drive *drive,
	const struct history_ratings *ratings, struct facts *facts, struct error *error)
{
	static const size_t lasts[] = { 7, 30, 365 };
	struct endurance endurance = { .history = history,
		.drive = drive,
		.ratings = ratings,
		.facts = facts,
		.error = error,
		.first = { INFINITY, NAN, NAN },
		.written_days = INFINITY };
	size_t count;
	double *days = days_of(&endurance, "endurance.host_written_bytes", &count);

	add_ratings(&endurance);
	for (size_t i = 0; i < ARRAY_LEN(lasts); i++)
		add_dwpd(&endurance, days, count, lasts[i]);
	if (count)
		history_fact(facts, "history.recent_written_bytes",
			whole_or_null(projection_recent_rate(days, count)),
			"a day, the last 90, or more where writes are uneven");
	if (count)
		add_amplification(&endurance, days, count);
	project_written(&endurance, days, count);
	free(days);
	if (project_used(&endurance) != 0)
		return -1;
	project_warranty(&endurance);
	add_end(&endurance);
	return 0;
}
