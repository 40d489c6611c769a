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

static unsigned byte_at(const char *hex, size_t at)
{
	unsigned byte = 0;

	if (2 * at + 2 <= strlen(hex))
		sscanf(hex + 2 * at, "%2x", &byte);
	return byte;
}

static void put_byte(char *hex, size_t at, unsigned byte)
{
	char text[4];

	if (2 * at + 2 > strlen(hex))
		return;
	snprintf(text, sizeof(text), "%02x", byte & 0xff);
	memcpy(hex + 2 * at, text, 2);
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
	put_byte(value, 2, byte_at(value, 2) & ~0x01u);
	put_byte(value, 3, byte_at(value, 3) & ~0x0fu);
	put_byte(value, place->enable_at, byte_at(value, place->enable_at) | place->enable);
	for (size_t i = 0; i < 4; i++)
		put_byte(value, place->timer_at + i, units >> (8 * (3 - i)));
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

static void run_timer(struct power *power, const struct condition_row *row)
{
	double seconds = power->options->timer_seconds, passed;
	unsigned units = (unsigned)(seconds * 10 + 0.5);
	bool disturbed = false;

	power_tell(power, "timer of %s: %g s", row->name, seconds);
	bool set = power->ata ? set_ata_timer(power, row, units)
			      : set_scsi_timer(power, row, units);
	passed = set ? observe(power, row, seconds, false) : -1;
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

void power_run_timers(struct power *power)
{
	bool epc = false;

	facts_flag(power->subject->facts, "power.epc_enabled", &epc);
	if (power->ata && !epc) {
		facts_note(power->facts, NULL,
			"Timers are not tested: without extended power conditions a drive does "
			"not tell what its timer was, so it could not be restored");
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
