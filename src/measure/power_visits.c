/* Each power state: entered, proved, dwelt in, and left by a read. */
#include <math.h>
#include <string.h>

#include "assay/clock.h"
#include "measure/median.h"
#include "measure/power.h"
#include "measure/topic.h"
#include "measure/watts.h"

enum { TAIL_READS = 64, CALM_READS = 16, CACHE_READS = 8, TRIES_MAX = 64 };
static const double POLL_SECONDS = 0.005, VISIBLE_SECONDS = 5;

enum try_result {
	TRY_MEASURED,
	TRY_REFUSED,    /* the command was */
	TRY_UNSEEN,     /* it was taken, but the drive never says that it is there */
	TRY_LEFT_EARLY, /* it was there, and something ended it */
	TRY_ASLEEP,     /* reads were answered, and it still says that it sleeps */
	TRY_FAILED,     /* the read that was to wake it failed */
	TRY_RESET,      /* SLEEP: only a reset of the host's ends it */
	TRY_STOPPED,
};

static const char *const result_words[] = {
	[TRY_MEASURED] = "measured",
	[TRY_REFUSED] = "refused",
	[TRY_UNSEEN] = "not entered",
	[TRY_LEFT_EARLY] = "left early",
	[TRY_ASLEEP] = "answers asleep",
	[TRY_FAILED] = "failed",
	[TRY_RESET] = "left by a reset",
	[TRY_STOPPED] = "stopped",
};

struct
try {
	enum try_result result;
	double entry_us, visible_us; /* from the command on */
	double first_us, recovery_us, second_us, tail_us;
	unsigned tail_reads; /* until they are as fast as before */
	unsigned cached;     /* reads that the drive answered without waking */
	char seen[16], left[16];
	char why[160];
	struct meter_figures drawn; /* in the latter half of the dwell; seconds 0: no meter */
};

static void keep_word(char word[16], const char *state)
{
	snprintf(word, 16, "%s", state);
}

/* Asks until the drive says that it is there. */
static bool wait_until_seen(
	struct power *power, const struct condition_row *row, int64_t began_us, struct try *try)
{
	bool stopped = !row->condition && row->scsi;

	while (!power_is_over(power)) {
		keep_word(try->seen, power_state_now(power, stopped));
		double us = (double)(power_now_us(power) - began_us);

		if (condition_is_word(row, try->seen)) {
			try->visible_us = us;
			return true;
		}
		if (us > VISIBLE_SECONDS * 1e6)
			return false;
		power_sleep(power, POLL_SECONDS);
	}
	return false;
}

/* SLEEP ends by a reset, which puts some settings back to what they are after power-on. */
static bool keep_for_reset(struct power *power)
{
	bool apm = false;

	facts_flag(power->subject->facts, "power.apm_enabled", &apm);
	return (!apm || setting_keep(power, SETTING_APM, "")) &&
		setting_keep(power, SETTING_SLEEP, "");
}

static bool enter(struct power *power, const struct condition_row *row, struct try *try)
{
	struct cdb cdb = condition_cdb(row, power->ata);
	int64_t began_us = power_now_us(power);
	struct outcome outcome;

	if (!row->words[0] && !keep_for_reset(power)) {
		snprintf(try->why, sizeof(try->why), "what is to be restored cannot be kept");
		return false;
	}
	if (!power_send(power, &cdb, NULL, (struct bytes) { 0 }, &outcome, &try->entry_us)) {
		try->result = outcome.delivery == DELIVERY_DONE ? TRY_REFUSED : TRY_FAILED;
		power_why(&outcome, try->why, sizeof(try->why));
		return false;
	}
	if (!row->words[0] || wait_until_seen(power, row, began_us, try))
		return true;
	if (power_is_over(power))
		return false;
	try->result = TRY_UNSEEN;
	snprintf(try->why, sizeof(try->why), "the command was taken, but the drive says '%s'",
		try->seen);
	return false;
}

/* A state has settled by the latter half of its dwell. */
static void read_meter(struct power *power, int64_t began_ns, struct try *try)
{
	int64_t now_ns = clock_ns();

	if (!power->options->meter)
		return;
	meter_window(
		power->options->meter, began_ns + (now_ns - began_ns) / 2, now_ns, &try->drawn);
	watts_sum(&power->watts, &try->drawn);
}

static bool dwell(struct power *power, const struct condition_row *row, struct try *try)
{
	int64_t began_ns = clock_ns();

	power_sleep(power, condition_dwell(power->options, row));
	read_meter(power, began_ns, try);
	if (power_is_over(power))
		return false;
	if (!row->words[0])
		return true;
	keep_word(try->left, power_state_now(power, !row->condition && row->scsi));
	if (condition_is_word(row, try->left))
		return true;
	try->result = TRY_LEFT_EARLY;
	snprintf(try->why, sizeof(try->why), "it was '%s' and became '%s' by itself", try->seen,
		try->left);
	return false;
}

/* A stopped drive is started; its time counts to that of the first read. */
static double start_us(struct power *power, const struct condition_row *row)
{
	struct cdb cdb = cdb_start_stop(0, 0, true);
	struct outcome outcome;
	double us = 0;

	if (row->scsi && !row->condition)
		power_send(power, &cdb, NULL, (struct bytes) { 0 }, &outcome, &us);
	return us;
}

/* How long that takes is the host's doing, so it is no recovery time. */
static bool leave_sleep(struct power *power, struct try *try)
{
	bool ended = setting_restore(power, SETTING_SLEEP, "");

	try->result = ended ? TRY_RESET : TRY_FAILED;
	snprintf(try->why, sizeof(try->why), "%s",
		ended ? power->sleep_ended_by
		      : "it answers nothing, neither after time-outs nor after a reset");
	return false;
}

/* The first read that wakes it: one after which the drive still says that it
 * sleeps was answered out of a cache. A word that also stands for active proves
 * nothing. */
static bool leave(struct power *power, const struct condition_row *row, struct try *try)
{
	double started_us = start_us(power, row), us;
	struct outcome outcome;

	for (try->cached = 0; try->cached < CACHE_READS; try->cached++) {
		if (!power_read(power, &outcome, &us)) {
			try->result = power_is_over(power) && power->session.end == SESSION_OPEN
				? TRY_STOPPED
				: TRY_FAILED;
			power_why(&outcome, try->why, sizeof(try->why));
			return false;
		}
		try->first_us = started_us + us;
		keep_word(try->left, power_state_now(power, false));
		if (!condition_is_word(row, try->left) || !strcmp(try->left, "active"))
			return true;
	}
	try->result = TRY_ASLEEP;
	snprintf(try->why, sizeof(try->why),
		"%d reads of addresses never read before were answered, the last in %.0f us, and "
		"it still says '%s'",
		CACHE_READS, try->first_us, try->left);
	return false;
}

/* Until accesses are as fast as they were before, so many in a row: the last slow
 * one counts. */
static void follow_tail(struct power *power, struct try *try)
{
	double limit_us = fmax(2 * power->baseline_us, power->baseline_most_us), sum_us = 0;
	struct outcome outcome;
	double us;

	for (unsigned i = 0; i < TAIL_READS && i < try->tail_reads + CALM_READS; i++) {
		if (!power_read(power, &outcome, &us))
			return;
		sum_us += us;
		if (i == 0)
			try->second_us = us;
		if (us > limit_us) {
			try->tail_reads = i + 1;
			try->tail_us = sum_us;
		}
	}
}

static void try_once(struct power *power, const struct condition_row *row, struct try *try)
{
	*try = (struct try) { .result = TRY_STOPPED };
	if (!enter(power, row, try) || !dwell(power, row, try))
		return;
	if (row->words[0] ? !leave(power, row, try) : !leave_sleep(power, try))
		return;
	try->result = TRY_MEASURED;
	try->recovery_us = fmax(try->first_us - power->baseline_us, 0);
	follow_tail(power, try);
}

/* ---- What it comes to ---- */

/* No clock here is finer, and a median of two has no half. */
static struct value value_us(double us)
{
	return value_uint((uint64_t)llround(us));
}

static void add_try(struct power *power, const struct condition_row *row, unsigned number,
	const struct try *try)
{
	struct facts *facts = power->facts;
	struct row *to = facts_row(facts, &table_power_tries, source_derived("measured"));

	row_set(to, "state", value_text(row->name));
	row_set(to, "try", value_uint(number + 1));
	row_set(to, "result", value_text(result_words[try->result]));
	row_set(to, "seen", value_text(facts_printf(facts, "%s", try->seen)));
	row_set(to, "entry_us", value_us(try->entry_us));
	if (*try->why)
		row_set(to, "reason", value_text(facts_printf(facts, "%s", try->why)));
	if (try->drawn.seconds > 0)
		row_set(to, "meter_coverage_percent", value_real(try->drawn.coverage_percent));
	if (try->drawn.known) {
		row_set(to, "average_watts", value_real(try->drawn.average_watts));
		row_set(to, "maximum_watts", value_real(try->drawn.maximum_watts));
		row_set(to, "joules", value_real(try->drawn.joules));
	}
	if (try->visible_us > 0)
		row_set(to, "visible_us", value_us(try->visible_us));
	if (try->result != TRY_MEASURED)
		return;
	row_set(to, "first_io_us", value_us(try->first_us));
	row_set(to, "recovery_us", value_us(try->recovery_us));
	row_set(to, "second_io_us", value_us(try->second_us));
	row_set(to, "tail_us", value_us(try->tail_us));
	row_set(to, "tail_reads", value_uint(try->tail_reads));
	row_set(to, "cached_reads", value_uint(try->cached));
}

struct sums {
	double entry_us[TRIES_MAX], visible_us[TRIES_MAX], recovery_us[TRIES_MAX],
		tail_us[TRIES_MAX], watts[TRIES_MAX];
	size_t count, watts_count;
	unsigned cached, tries;
};

static void add_to_sums(struct sums *sums, const struct try *try)
{
	if (try->result != TRY_MEASURED || sums->count == TRIES_MAX)
		return;
	sums->entry_us[sums->count] = try->entry_us;
	sums->visible_us[sums->count] = try->visible_us;
	sums->recovery_us[sums->count] = try->recovery_us;
	sums->tail_us[sums->count] = try->tail_us;
	if (try->drawn.known)
		sums->watts[sums->watts_count++] = try->drawn.average_watts;
	sums->cached += try->cached;
	sums->count++;
}

static void set_statistics(struct row *row, struct sums *sums)
{
	if (!sums->count)
		return;
	row_set(row, "entry_us", value_us(sorted_median(sums->entry_us, sums->count)));
	row_set(row, "visible_us", value_us(sorted_median(sums->visible_us, sums->count)));
	row_set(row, "tail_us", value_us(sorted_median(sums->tail_us, sums->count)));
	row_set(row, "recovery_us", value_us(sorted_median(sums->recovery_us, sums->count)));
	row_set(row, "minimum_us", value_us(sums->recovery_us[0]));
	row_set(row, "maximum_us", value_us(sums->recovery_us[sums->count - 1]));
	row_set(row, "cached_reads", value_uint(sums->cached));
	if (sums->watts_count)
		row_set(row, "average_watts",
			value_real(sorted_median(sums->watts, sums->watts_count)));
}

static void add_state(struct power *power, const struct condition_row *row, struct sums *sums,
	const struct try *last)
{
	struct facts *facts = power->facts;
	struct row *to = facts_row(facts, &table_power_measured, source_derived("measured"));
	double claimed_us = 0;

	row_set(to, "state", value_text(row->name));
	row_set(to, "result", value_text(result_words[sums->count ? TRY_MEASURED : last->result]));
	row_set(to, "count", value_uint(sums->count));
	row_set(to, "tries", value_uint(sums->tries));
	row_set(to, "dwell_seconds", value_real(condition_dwell(power->options, row)));
	if (*last->why && last->result != TRY_MEASURED)
		row_set(to, "reason", value_text(facts_printf(facts, "%s", last->why)));
	set_statistics(to, sums);
	if (row->claimed && facts_number(power->subject->facts, row->claimed, &claimed_us))
		row_set(to, "claimed_us", value_us(claimed_us));
	if (sums->count && claimed_us > 0)
		row_set(to, "ratio",
			value_real(sorted_median(sums->recovery_us, sums->count) / claimed_us));
	if (sums->count)
		power_fact(facts, row->measured,
			value_us(sorted_median(sums->recovery_us, sums->count)));
}

static void add_measurement(struct power *power, const struct condition_row *row, struct sums *sums)
{
	if (!sums->count)
		return;
	for (const struct power_recovery *one = power_recoveries; one->state; one++) {
		if (strcmp(one->state, row->name) != 0)
			continue;
		struct row *to = facts_row(
			power->facts, &table_measurements, source_derived("measured"));

		row_set(to, "key", value_text(one->claim_key));
		row_set(to, "value", value_us(sorted_median(sums->recovery_us, sums->count)));
	}
}

static void run_state(struct power *power, const struct condition_row *row)
{
	struct sums sums = { .count = 0 };
	struct try try = { .result = TRY_STOPPED };

	for (unsigned i = 0; i < power->options->repeat && !power_is_over(power); i++) {
		power_tell(power, "%s, %u of %u", row->name, i + 1, power->options->repeat);
		try_once(power, row, &try);
		sums.tries++;
		add_try(power, row, i, &try);
		add_to_sums(&sums, &try);
		if (try.result == TRY_REFUSED || !row->words[0])
			break; /* it will be again; each sleep costs a command that times out */
		power_make_active(power);
		if (try.result == TRY_UNSEEN)
			break;
	}
	if (!sums.tries)
		return;
	add_state(power, row, &sums, &try);
	add_measurement(power, row, &sums);
}

/* Without EPC enabled its conditions cannot be entered; enabling it switches
 * advanced power management off, so that is written down, too. */
static bool enable_epc(struct power *power)
{
	bool enabled = false, apm = false;

	facts_flag(power->subject->facts, "power.epc_enabled", &enabled);
	facts_flag(power->subject->facts, "power.apm_enabled", &apm);
	if (enabled)
		return true;
	if (apm && !setting_keep(power, SETTING_APM, ""))
		return false;
	return setting_keep(power, SETTING_EPC, "") && setting_change(power, SETTING_EPC, "", "on");
}

void power_run_states(struct power *power)
{
	int epc = -1; /* not tried yet */

	for (size_t i = 0; i < CONDITION_ROWS && !power_is_over(power); i++) {
		const struct condition_row *row = &condition_rows[i];

		if (!condition_is_wanted(power->subject, power->options, row))
			continue;
		if (power->ata && row->epc && epc < 0)
			epc = enable_epc(power);
		if (power->ata && row->epc && !epc)
			continue;
		run_state(power, row);
	}
	if (epc == 0)
		facts_note(power->facts, NULL,
			"Extended power conditions are supported but could not be enabled");
}
