/* The first access after a pause: what link policies and APM cost. */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "measure/median.h"
#include "measure/power.h"

enum { SAMPLES_MAX = 64 };

static struct row *gap_row(
	struct power *power, const char *setting, const char *value, const char *result)
{
	struct row *row = facts_row(power->facts, &table_power_gaps, source_derived("measured"));

	row_set(row, "setting", value_text(setting));
	row_set(row, "value", value_text(facts_printf(power->facts, "%s", value)));
	row_set(row, "result", value_text(result));
	return row;
}

static size_t measure_gap(struct power *power, double seconds, double *us)
{
	struct outcome outcome;
	size_t count = 0;

	while (count < power->options->repeat && count < SAMPLES_MAX &&
		power_sleep(power, seconds) && power_read(power, &outcome, &us[count]))
		count++;
	return count;
}

/* exit_us: what the median exceeds that of the shortest pause by. */
void power_run_gaps(struct power *power, const char *setting, const char *value)
{
	const struct power_options *options = power->options;
	double us[SAMPLES_MAX], shortest_us = 0;
	struct outcome outcome;

	power_read(power, &outcome, us);
	for (size_t i = 0; i < options->gap_count && !power_is_over(power); i++) {
		power_tell(power, "%s %s, after %g ms", setting, value,
			options->gap_seconds[i] * 1000);
		size_t count = measure_gap(power, options->gap_seconds[i], us);

		if (!count)
			return;
		struct row *row = gap_row(power, setting, value, "measured");
		double median_us = sorted_median(us, count);

		if (i == 0)
			shortest_us = median_us;
		row_set(row, "gap_ms", value_real(options->gap_seconds[i] * 1000));
		row_set(row, "count", value_uint(count));
		row_set(row, "minimum_us", value_real(us[0]));
		row_set(row, "median_us", value_real(median_us));
		row_set(row, "maximum_us", value_real(us[count - 1]));
		row_set(row, "exit_us", value_real(median_us - shortest_us));
	}
}

/* ---- Link policies: link_power_management_policy of the adapter ---- */

/* The adapter of the drive: ".../host3/target3:0:0/..." */
static bool adapter_of(const struct power *power, char *name, size_t size)
{
	char link[PATH_MAX], path[PATH_MAX];
	const char *base = strrchr(power->subject->node, '/'), *found = NULL;

	if (!base ||
		snprintf(link, sizeof(link), "%s/class/block/%s/device", power->subject->sysfs,
			base + 1) >= (int)sizeof(link) ||
		!realpath(link, path))
		return false;
	for (const char *at = strstr(path, "/host"); at; at = strstr(at + 1, "/host"))
		if (at[5] >= '0' && at[5] <= '9')
			found = at + 1;
	if (!found)
		return false;
	snprintf(name, size, "%.*s", (int)strcspn(found, "/"), found);
	return true;
}

void power_run_link(struct power *power)
{
	static const char *const policies[] = { "max_performance", "medium_power",
		"med_power_with_dipm", "min_power_with_partial", "min_power" };
	char adapter[32], now[SETTING_VALUE];

	if (!adapter_of(power, adapter, sizeof(adapter)) ||
		!setting_read(power, SETTING_LINK, adapter, now)) {
		facts_note(power->facts, NULL,
			"Link power policies are not measured: the host's adapter has none");
		return;
	}
	if (!setting_keep(power, SETTING_LINK, adapter))
		return;
	for (size_t i = 0; i < ARRAY_LEN(policies) && !power_is_over(power); i++) {
		if (!setting_change(power, SETTING_LINK, adapter, policies[i])) {
			gap_row(power, "link_policy", policies[i], "refused");
			continue;
		}
		power_run_gaps(power, "link_policy", policies[i]);
	}
	setting_restore(power, SETTING_LINK, adapter);
}

/* ---- Advanced power management ---- */

void power_run_apm(struct power *power)
{
	/* least power with standby and without it, most performance, none */
	static const char *const levels[] = { "1", "128", "254", "off" };
	bool supported = false, epc = false;
	char now[SETTING_VALUE];

	facts_flag(power->subject->facts, "power.apm_supported", &supported);
	facts_flag(power->subject->facts, "power.epc_enabled", &epc);
	if (power->ata && (!supported || epc))
		facts_note(power->facts, NULL, "APM levels are not measured: %s",
			supported ? "extended power conditions are in their place"
				  : "it has no advanced power management");
	if (!power->ata || !supported || epc || !setting_keep(power, SETTING_APM, ""))
		return;
	for (size_t i = 0; i < ARRAY_LEN(levels) && !power_is_over(power); i++) {
		bool set = setting_change(power, SETTING_APM, "", levels[i]) &&
			setting_read(power, SETTING_APM, "", now) && !strcmp(now, levels[i]);

		if (set)
			power_run_gaps(power, "apm", levels[i]);
		else if (!power_is_over(power))
			gap_row(power, "apm", levels[i], "refused");
	}
	setting_restore(power, SETTING_APM, "");
}
