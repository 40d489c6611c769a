/* Timers: does the drive go to sleep when it says? */
#include <stdlib.h>
#include <string.h>

#include "measure/power.h"

static const double POLLS = 20; /* a timer's time is divided so */

/* Mode page 1Ah (SPC-5 7.5.13): where each condition's bit and timer stand. */
static const struct timer_place {
	const char *name;
	size_t enable_at, timer_at;
	uint8_t enable;
} places[] = {
	{ "idle_a", 3, 4, 0x02 },
	{ "idle_b", 3, 12, 0x04 },
	{ "idle_c", 3, 16, 0x08 },
	{ "standby_y", 2, 20, 0x01 },
	{ "standby_z", 3, 8, 0x01 },
};

static const struct timer_place *place_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (!strcmp(places[i].name, name))
			return &places[i];
	return NULL;
}

/* The page with this timer alone. */
static bool set_scsi_timer(struct power *power, const struct condition_row *row, unsigned units)
{
	static const char page[] = "1a/00";
	const struct timer_place *place = place_of(row->name);
	char value[SETTING_VALUE];

	if (!place || !setting_keep(power, SETTING_MODE_PAGE, page) ||
		!setting_read(power, SETTING_MODE_PAGE, page, value) ||
		strlen(value) < 2 * (place->timer_at + 4))
		return false;
	mode_byte_put(value, 2, mode_byte(value, 2) & ~0x01u);
	mode_byte_put(value, 3, mode_byte(value, 3) & ~0x0fu);
	mode_byte_put(value, place->enable_at, mode_byte(value, place->enable_at) | place->enable);
	for (size_t i = 0; i < 4; i++)
		mode_byte_put(value, place->timer_at + i, units >> (8 * (3 - i)));
	return setting_change(power, SETTING_MODE_PAGE, page, value);
}

/* All other timers of the EPC feature set are off meanwhile. */
static bool set_ata_timer(struct power *power, const struct condition_row *row, unsigned units)
{
	char value[32];

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		const char *name = places[i].name;
		bool is_it = !strcmp(name, row->name);

		snprintf(value, sizeof(value), "%s %u", is_it ? "on" : "off", units);
		if (!setting_keep(power, SETTING_EPC_TIMER, name) && is_it)
			return false;
		if (!setting_change(power, SETTING_EPC_TIMER, name, value) && is_it)
			return false;
	}
	return true;
}

/* Seconds from an access until it says that it sleeps; negative where it never
 * did. quiet: it is asked once only, at the end. */
static double observe(
	struct power *power, const struct condition_row *row, double seconds, bool quiet)
{
	double most = seconds * 1.5 + 1, step = quiet ? most : seconds / POLLS, us;
	struct outcome outcome;

	if (!power_read(power, &outcome, &us))
		return -1;
	int64_t began_us = power_now_us(power);

	while (power_sleep(power, step)) {
		bool there = condition_is_word(row, power_state_now(power, false));
		double passed = (double)(power_now_us(power) - began_us) / 1e6;

		if (there)
			return passed;
		if (passed >= most)
			break;
	}
	return -1;
}

/* Observes a timer that was set, or was refused, and says what came of it. */
static void observe_timer(
	struct power *power, const struct condition_row *row, unsigned units, bool set)
{
	double seconds = units / 10.0, passed = set ? observe(power, row, seconds, false) : -1;
	bool disturbed = false;

	if (set && passed < 0 && !power_is_over(power)) {
		passed = observe(power, row, seconds, true);
		disturbed = passed >= 0;
	}
	if (power_is_over(power))
		return;
	struct row *to = facts_row(power->facts, &table_power_timers, source_derived("measured"));

	row_set(to, "state", value_text(row->name));
	row_set(to, "timer_ms", value_uint((uint64_t)units * 100));
	row_set(to, "result",
		value_text(!set              ? "refused"
				: passed < 0 ? "never"
					     : "went to sleep"));
	row_set(to, "disturbed", value_flag(disturbed));
	if (passed >= 0 && !disturbed)
		row_set(to, "observed_ms", value_real(passed * 1000));
	row_set(to, "seen",
		value_text(facts_printf(power->facts, "%s", power_state_now(power, false))));
	power_make_active(power);
}

static void run_timer(struct power *power, const struct condition_row *row)
{
	unsigned units = (unsigned)(power->options->timer_seconds * 10 + 0.5);

	power_tell(power, "timer of %s: %g s", row->name, units / 10.0);
	observe_timer(power, row, units,
		power->ata ? set_ata_timer(power, row, units) : set_scsi_timer(power, row, units));
}

/* ---- The timer of STANDBY, without extended power conditions ---- */

static bool is_said(const struct power *power, const char *key)
{
	bool flag = false;

	return facts_flag(power->subject->facts, key, &flag) && flag;
}

static void run_standby_timer(struct power *power)
{
	static const struct condition_row standby = { .name = "standby",
		.words = { "standby", "standby_z" } };
	unsigned seconds = ((unsigned)(power->options->timer_seconds + 0.999) + 4) / 5 * 5;
	const char *after = power->options->standby_timer;
	char value[16];

	if (!after || !is_said(power, "power.standard_standby_timers")) {
		facts_note(power->facts, NULL, "The standby timer is not tested: %s",
			after ? "its values are the vendor's own (IDENTIFY DEVICE word 49)"
			      : "no drive tells what it was, so it could not be restored; "
				"--standby-timer says what it is to be afterwards");
		return;
	}
	power_tell(power, "timer of standby: %u s", seconds);
	snprintf(value, sizeof(value), "%u", seconds);
	bool set = setting_keep(power, SETTING_STANDBY_TIMER, "") &&
		setting_change(power, SETTING_STANDBY_TIMER, "", value);

	observe_timer(power, &standby, seconds * 10, set);
	if (is_said(power, "power.vendor_minimum_standby_timer"))
		facts_note(power->facts, NULL,
			"Its standby timer has a least value that it does not tell: where it "
			"comes later, that may be why");
	if (setting_restore(power, SETTING_STANDBY_TIMER, ""))
		facts_note(power->facts, NULL,
			"The standby timer was set to '%s', as --standby-timer wants it: what it "
			"was before, no drive tells",
			after);
}

void power_run_timers(struct power *power)
{
	bool epc = false;

	facts_flag(power->subject->facts, "power.epc_enabled", &epc);
	if (power->ata && !epc) {
		run_standby_timer(power);
		return;
	}
	for (size_t i = 0; i < CONDITION_ROWS && !power_is_over(power); i++) {
		const struct condition_row *row = &condition_rows[i];

		if (place_of(row->name) && condition_is_wanted(power->subject, power->options, row))
			run_timer(power, row);
	}
	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		setting_restore(power, SETTING_EPC_TIMER, places[i].name);
	setting_restore(power, SETTING_MODE_PAGE, "1a/00");
}
