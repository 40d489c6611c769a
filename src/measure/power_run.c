/* A power run as a whole: what it takes, its parts, and that all is as before. */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "assay/clock.h"
#include "measure/median.h"
#include "measure/power.h"
#include "measure/topic.h"

enum { BASELINE_READS = 32 };

static double claimed_seconds(const struct power_subject *subject, const struct condition_row *row)
{
	double us = 0;

	if (row->claimed)
		facts_number(subject->facts, row->claimed, &us);
	return us / 1e6;
}

static double gaps_seconds(const struct power_options *options)
{
	double sum = 0;

	for (size_t i = 0; i < options->gap_count; i++)
		sum += options->gap_seconds[i];
	return sum * options->repeat;
}

static double levels_seconds(
	const struct power_subject *subject, const struct power_options *options)
{
	size_t points = options->workload ? workload_point_count(options->workload) : 1, levels = 0;

	for (size_t i = 0; i < subject->facts->row_count; i++)
		levels += !strcmp(subject->facts->rows[i].table->name, "power_consumption");
	return (double)(levels * points) * options->level_seconds;
}

void power_estimate(const struct power_subject *subject, const struct power_options *options,
	struct power_estimate *estimate)
{
	enum { POLICIES = 5, APM_LEVELS = 4 };
	bool apm = false;

	*estimate = (struct power_estimate) { .seconds = 1 };
	for (size_t i = 0; i < CONDITION_ROWS; i++) {
		const struct condition_row *row = &condition_rows[i];

		if (!condition_is_wanted(subject, options, row))
			continue;
		estimate->state_count++;
		if (options->parts & POWER_STATES) {
			estimate->seconds += options->repeat *
				(condition_dwell(options, row) + claimed_seconds(subject, row) +
					0.5);
			estimate->cycle_count += row->costs_cycle ? options->repeat : 0;
		}
		if ((options->parts & POWER_TIMERS) && (row->condition || row->epc)) {
			estimate->seconds += 2 * options->timer_seconds +
				claimed_seconds(subject, row);
			estimate->cycle_count += row->costs_cycle;
		}
	}
	if ((options->parts & POWER_TIMERS) && options->standby_timer) {
		estimate->seconds += 2 * options->timer_seconds;
		estimate->cycle_count++;
	}
	if (options->parts & POWER_LEVELS)
		estimate->seconds += levels_seconds(subject, options);
	facts_flag(subject->facts, "power.apm_supported", &apm);
	if ((options->parts & POWER_APM) && apm)
		estimate->seconds += APM_LEVELS * gaps_seconds(options);
	if ((options->parts & POWER_LINK) &&
		!strcmp(facts_text(subject->facts, "identity.transport"), "sata"))
		estimate->seconds += POLICIES * gaps_seconds(options);
}

/* What an access takes when nothing sleeps. */
static bool measure_baseline(struct power *power)
{
	double us[BASELINE_READS];

	power_tell(power, "accesses while awake");
	size_t count = power_reads(power, us, BASELINE_READS);

	if (count < BASELINE_READS / 2)
		return false;
	power->baseline_us = sorted_median(us, count);
	power->baseline_most_us = us[count - 1];
	power_fact(power->facts, "measured_power.access_us", value_real(power->baseline_us));
	power_fact(power->facts, "measured_power.read_bytes",
		value_uint((uint64_t)power->read_blocks * power->block_bytes));
	power_fact(power->facts, "measured_power.forced_unit_access", value_flag(!power->no_fua));
	power_fact(power->facts, "measured_power.repeat_count", value_uint(power->options->repeat));
	return true;
}

/* Awake and without work: what datasheets call idle. Its latter half, as of a state. */
static void measure_rest(struct power *power)
{
	enum { REST_SECONDS = 5 };
	const struct power_options *options = power->options;
	double seconds = options->dwell_seconds >= 0 ? options->dwell_seconds : REST_SECONDS;
	int64_t began_ns = clock_ns();
	struct meter_figures drawn;

	if (!options->meter)
		return;
	power_tell(power, "awake, at rest");
	if (!power_sleep(power, seconds))
		return;
	meter_window(options->meter, began_ns + (clock_ns() - began_ns) / 2, clock_ns(), &drawn);
	watts_sum(&power->watts, &drawn);
	if (!drawn.known)
		return;
	double milliwatts = drawn.average_watts * 1e3;
	struct row *row = facts_row(power->facts, &table_measurements, source_derived("measured"));

	power_fact(power->facts, "measured_power.idle_milliwatts", value_real(milliwatts));
	row_set(row, "key", value_text("power.idle_milliwatts"));
	row_set(row, "value", value_real(milliwatts));
}

/* Some bridges answer for the drive, and always the same: a drive that was just
 * read and says that it sleeps is one of these. */
static unsigned trusted_parts(struct power *power)
{
	const char *state = power_state_now(power, false);

	if (!power_state_sleeps(state))
		return power->options->parts;
	facts_note(power->facts, NULL,
		"It says '%s' right after it was read: what it says of its state cannot be "
		"trusted, so states and timers are not measured",
		state);
	return power->options->parts & ~(unsigned)(POWER_STATES | POWER_TIMERS);
}

static void run_parts(struct power *power)
{
	unsigned wanted = trusted_parts(power);
	static const struct {
		enum power_part part;
		void (*run)(struct power *power);
	} parts[] = {
		{ POWER_STATES, power_run_states },
		{ POWER_TIMERS, power_run_timers },
		{ POWER_LEVELS, power_run_levels },
		{ POWER_APM, power_run_apm },
		{ POWER_LINK, power_run_link },
	};

	for (size_t i = 0; i < ARRAY_LEN(parts) && !power_is_over(power); i++)
		if (wanted & parts[i].part)
			parts[i].run(power);
}

/* A drive that was silent is asked once more, with less patience. */
static void reopen(struct power *power)
{
	enum { PATIENCE_MS = 5000 };

	if (power->session.end == SESSION_OPEN)
		return;
	if (power->timeout_ms > PATIENCE_MS)
		power->timeout_ms = PATIENCE_MS;
	session_init(&power->session, power->subject->transport, &power->options->limits);
}

static void tell_unrestored(struct power *power)
{
	for (size_t i = 0; i < power->settings.count; i++) {
		const struct setting *setting = &power->settings.settings[i];
		char text[SETTING_TEXT];

		facts_note(power->facts, NULL,
			"Not restored: %s, which was '%.60s'; assay power --restore does it, out "
			"of %s",
			setting_words(setting, text), setting->value, power->options->journal);
	}
}

static void finish(struct power *power, enum power_end *end)
{
	static const char *const ends[] = { "complete", "stopped", "no answer" };

	if (power->session.end != SESSION_OPEN)
		*end = POWER_SILENT;
	else
		*end = power_is_over(power) ? POWER_STOPPED : POWER_COMPLETE;
	power_tell(power, "restoring");
	reopen(power);
	bool restored = settings_restore(power);

	if (power->session.end != SESSION_OPEN)
		*end = POWER_SILENT;
	if (!restored)
		tell_unrestored(power);
	power_fact(power->facts, "measured_power.end", value_text(ends[*end]));
	power_fact(power->facts, "measured_power.restored", value_flag(restored));
	if (*power->restored)
		power_fact(power->facts, "measured_power.restored_settings",
			value_text(facts_printf(power->facts, "%s", power->restored)));
	if (power->addresses.given > power->addresses.slots)
		facts_note(power->facts, NULL,
			"The drive is so small that addresses were read more than once: a cache "
			"may have answered");
}

static int check_journal(struct power *power)
{
	struct settings left;

	if (journal_read(power->options->journal, &left, power->error) != 0)
		return -1;
	if (left.count)
		return error_set(power->error, EXIT_UNKNOWN,
			"an earlier run left %zu settings changed (%s): assay power --restore "
			"first",
			left.count, power->options->journal);
	return 0;
}

int power_run(const struct power_subject *subject, const struct power_options *options,
	struct facts *facts, enum power_end *end, struct error *error)
{
	struct power power;

	*end = POWER_COMPLETE;
	power_init(&power, subject, options, facts, error);
	if (!power.blocks)
		return error_set(error, EXIT_UNKNOWN, "its capacity is not known");
	if (check_journal(&power) != 0)
		return -1;
	if (!setting_keep(&power, SETTING_STATE, ""))
		return error_set(error, EXIT_INTERNAL, "%s cannot be written", options->journal);
	power_make_active(&power);
	if (measure_baseline(&power)) {
		measure_rest(&power);
		run_parts(&power);
	} else if (!power_is_over(&power)) {
		facts_note(facts, NULL, "Reads failed on the drive when it was awake");
	}
	if (options->meter)
		watts_facts(facts, options->meter, &power.watts);
	finish(&power, end);
	return 0;
}

int power_restore(const struct power_subject *subject, const struct power_options *options,
	size_t *count, struct error *error)
{
	struct power power;
	struct settings left;
	struct facts facts;

	*count = 0;
	if (journal_read(options->journal, &left, error) != 0)
		return -1;
	if (!left.count)
		return 0;
	const char *serial = facts_text(subject->facts, "identity.serial");

	if (strcmp(left.serial, serial) != 0)
		return error_set(error, EXIT_USAGE, "%s is of drive '%s', not of '%s'",
			options->journal, left.serial, serial);
	facts_init(&facts);
	power_init(&power, subject, options, &facts, error);
	power.settings = left;
	bool restored = settings_restore(&power);

	*count = left.count - power.settings.count;
	if (!restored)
		error_set(error, power.session.end == SESSION_OPEN ? EXIT_FAILING : EXIT_TIMED_OUT,
			"%zu of %zu settings could not be restored; %s has them still",
			power.settings.count, left.count, options->journal);
	facts_deinit(&facts);
	return restored ? 0 : -1;
}

void power_cost(const struct facts *before, const struct facts *after, struct facts *facts)
{
	static const struct {
		const char *counter, *cost;
	} counters[] = {
		{ "usage.start_stop_count", "measured_power.start_stop_count" },
		{ "usage.load_cycle_count", "measured_power.load_cycle_count" },
	};

	for (size_t i = 0; i < ARRAY_LEN(counters); i++) {
		uint64_t first, last;

		if (facts_uint(before, counters[i].counter, &first) &&
			facts_uint(after, counters[i].counter, &last) && last >= first)
			power_fact(facts, counters[i].cost, value_uint(last - first));
	}
}
