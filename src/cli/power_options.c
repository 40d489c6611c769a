/* Options of `assay power`: one table. */
#include "cli/power.h"

#include <stdlib.h>
#include <string.h>

/* The next word of a list with commas; false at its end. */
static bool next_word(const char **text, char word[32])
{
	size_t len = strcspn(*text, ",");

	if (!len || len >= 32)
		return false;
	snprintf(word, 32, "%.*s", (int)len, *text);
	*text += len + ((*text)[len] == ',');
	return true;
}

static int take_parts(void *options, const char *text)
{
	struct power_cli *cli = options;
	static const char *const names[] = { "states", "levels", "apm", "link", "timers" };
	const char *rest = text;
	char word[32];

	if (!text) { /* --timers */
		cli->power.parts |= POWER_TIMERS;
		return -1;
	}
	cli->power.parts = 0;
	while (next_word(&rest, word)) {
		size_t i = 0;

		while (i < ARRAY_LEN(names) && strcmp(names[i], word) != 0)
			i++;
		if (i == ARRAY_LEN(names))
			return option_wrong(&subcommand_power, "parts", word,
				"states, levels, apm, link or timers");
		cli->power.parts |= 1u << i;
	}
	return *rest || !cli->power.parts ? option_wrong(&subcommand_power, "parts", text,
						    "states, levels, apm, link or timers")
					  : -1;
}

static bool is_state(const char *word)
{
	static const char *const names[] = { "idle_a", "idle_b", "idle_c", "standby_y", "standby_z",
		"stopped", "idle_immediate", "standby_immediate", "sleep" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (!strcmp(names[i], word))
			return true;
	return false;
}

static int take_states(void *options, const char *text)
{
	struct power_cli *cli = options;
	static const char expected[] = "idle_a, idle_b, idle_c, standby_y, standby_z, stopped, "
				       "idle_immediate, standby_immediate or sleep";
	const char *rest = text;
	size_t used = 0;
	char word[32];

	cli->power.state_count = 0;
	while (next_word(&rest, word)) {
		if (!is_state(word) || cli->power.state_count == POWER_NAMES)
			return option_wrong(&subcommand_power, "states", word, expected);
		cli->power.states[cli->power.state_count++] = cli->names + used;
		used += (size_t)snprintf(cli->names + used, sizeof(cli->names) - used, "%s", word) +
			1;
	}
	return *rest || !cli->power.state_count
		? option_wrong(&subcommand_power, "states", text, expected)
		: -1;
}

static int take_gaps(void *options, const char *text)
{
	struct power_cli *cli = options;
	static const char expected[] = "at most 16 pauses in milliseconds: 1,10,100";
	const char *rest = text;
	char word[32], *end;

	cli->power.gap_count = 0;
	while (next_word(&rest, word)) {
		double ms = strtod(word, &end);

		if (*end || !(ms >= 0) || ms > 3.6e6 || cli->power.gap_count == POWER_GAPS)
			return option_wrong(&subcommand_power, "gaps", word, expected);
		cli->power.gap_seconds[cli->power.gap_count++] = ms / 1000;
	}
	return *rest || !cli->power.gap_count
		? option_wrong(&subcommand_power, "gaps", text, expected)
		: -1;
}

static int take_standby_timer(void *options, const char *text)
{
	static const double most = 19800;
	struct power_cli *cli = options;
	char *end;
	double seconds = strtod(text, &end);

	if (strcmp(text, "off") != 0 && (end == text || *end || !(seconds >= 1) || seconds > most))
		return option_wrong(&subcommand_power, "standby-timer", text,
			"off, or seconds from 1 to 19800");
	cli->power.standby_timer = text;
	return -1;
}

/* It is asked for twice, as only a reset ends it. */
static int check_sleep(const struct power_cli *cli)
{
	for (size_t i = 0; i < cli->power.state_count && !cli->power.with_sleep; i++)
		if (!strcmp(cli->power.states[i], "sleep"))
			return option_wrong(
				&subcommand_power, "states", "sleep", "--with-sleep, too");
	return -1;
}

static const struct option_row rows[] = {
	{ "parts", 'p', OPTION_OWN, .take = take_parts, .argument = "LIST",
		.about = "of states, levels, apm, link, timers; the first four" },
	{ "states", 's', OPTION_OWN, .take = take_states, .argument = "LIST",
		.about = "only these: idle_a,standby_z; all that it supports" },
	{ "repeat", 'n', OPTION_UNSIGNED, offsetof(struct power_cli, power.repeat), 1, 50,
		.argument = "N", .about = "how often each state is entered (5)" },
	{ "dwell", 0, OPTION_REAL, offsetof(struct power_cli, power.dwell_seconds), 0, 86400,
		.argument = "SECONDS", .about = "in each state (5 idle, 30 in standby)" },
	{ "timers", 0, OPTION_OWN, .take = take_parts,
		.about = "also test whether it goes to sleep when it says" },
	{ "timer", 0, OPTION_REAL, offsetof(struct power_cli, power.timer_seconds), 0.1, 6000,
		.argument = "SECONDS", .about = "that a timer under test is set to (5)" },
	{ "standby-timer", 0, OPTION_OWN, .take = take_standby_timer, .argument = "SECONDS|off",
		.about = "what the timer of STANDBY is set to behind its test" },
	{ "gaps", 0, OPTION_OWN, .take = take_gaps, .argument = "MS,...",
		.about = "pauses before a first access (1 ms to 10 s)" },
	{ "level-time", 0, OPTION_REAL, offsetof(struct power_cli, power.level_seconds), 0.1, 86400,
		.argument = "SECONDS", .about = "of the workload at each power level (10)" },
	{ "workload", 'W', OPTION_TEXT, offsetof(struct power_cli, workload), .argument = "NAME",
		.about = "for power levels; 4 KiB random reads" },
	{ "destroy-data", 0, OPTION_TEXT, offsetof(struct power_cli, power.destroy),
		.argument = "SERIAL", .about = "where that workload writes" },
	{ "with-sleep", 0, OPTION_FLAG, offsetof(struct power_cli, power.with_sleep),
		.about = "enter SLEEP, too, which takes a reset to leave" },
	{ "force", 0, OPTION_FLAG, offsetof(struct power_cli, power.force),
		.about = "even where it is mounted or held" },
	{ "meter", 0, OPTION_TEXT, offsetof(struct power_cli, meter), .argument = "SPEC",
		.about = "a power meter: hwmon: rail: file: cmd: fifo: const:" },
	{ "meter-interval", 0, OPTION_REAL, offsetof(struct power_cli, meter_interval_seconds),
		0.001, 60, .argument = "SECONDS", .about = "between its readings (0.1)" },
	{ "thermal", 0, OPTION_FLAG, offsetof(struct power_cli, thermal),
		.about = "instead: a load until it is as warm as it gets, or slows down" },
	{ "thermal-time", 0, OPTION_REAL, offsetof(struct power_cli, thermal_seconds), 10, 86400,
		.argument = "SECONDS", .about = "of that load at most (3600)" },
	{ "settle", 0, OPTION_REAL, offsetof(struct power_cli, settle_seconds), 10, 86400,
		.argument = "SECONDS", .about = "for which the temperature must stay (300)" },
	{ "cooling", 0, OPTION_REAL, offsetof(struct power_cli, cooling_seconds), 0, 86400,
		.argument = "SECONDS", .about = "watch it cool down afterwards (120)" },
	{ "stop-celsius", 0, OPTION_REAL, offsetof(struct power_cli, stop_celsius), 0, 200,
		.argument = "N", .about = "end that load at this temperature" },
	{ "state", 0, OPTION_TEXT, offsetof(struct power_cli, journal), .argument = "FILE",
		.about = "where it is kept what is to be restored" },
	{ "restore", 0, OPTION_FLAG, offsetof(struct power_cli, restore),
		.about = "undo what an earlier run left changed" },
	{ "timeout", 't', OPTION_MILLISECONDS, offsetof(struct power_cli, power.limits.timeout_ms),
		0.1, 86400, .argument = "SECONDS", .about = "time limit of each command (120)" },
	{ "verbose", 'v', OPTION_FLAG, offsetof(struct power_cli, common.render.verbose),
		.about = "show each try" },
};

static void defaults(struct power_cli *cli)
{
	static const double gaps[] = { 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10 };

	*cli = (struct power_cli) { .power = { .parts = POWER_STATES | POWER_LEVELS | POWER_APM |
						    POWER_LINK,
					    .repeat = 5,
					    .dwell_seconds = -1,
					    .timer_seconds = 5,
					    .level_seconds = 10,
					    .gap_count = ARRAY_LEN(gaps) } };
	cli->thermal_seconds = 3600;
	cli->settle_seconds = 300;
	cli->cooling_seconds = 120;
	memcpy(cli->power.gap_seconds, gaps, sizeof(gaps));
	options_default(&subcommand_power, &cli->common);
	cli->common.collect.wake = true;
}

int power_options_read(int argc, char **argv, struct power_cli *cli)
{
	const struct option_table tables[] = { { rows, ARRAY_LEN(rows), NULL },
		options_common("fjoq") };

	defaults(cli);
	int status = option_tables_read(
		argc, argv, &subcommand_power, tables, ARRAY_LEN(tables), cli);

	return status < 0 ? check_sleep(cli) : status;
}
