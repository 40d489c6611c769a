/* Options of `assay power`: one table. */
#include "cli/power.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int take_parts(struct power_cli *cli, const char *text);
static int take_states(struct power_cli *cli, const char *text);
static int take_gaps(struct power_cli *cli, const char *text);
static int take_format(struct power_cli *cli, const char *text);

enum kind { KIND_FLAG, KIND_TEXT, KIND_UNSIGNED, KIND_REAL, KIND_MILLISECONDS, KIND_OWN };

/* An option and where its value goes, in struct power_cli. */
static const struct {
	const char *name;
	char letter; /* 0: none */
	enum kind kind;
	size_t offset;
	double least, most;
	int (*take)(struct power_cli *cli, const char *text); /* KIND_OWN */
	const char *argument, *about;
} table[] = {
	{ "parts", 'p', KIND_OWN, .take = take_parts, .argument = "LIST",
		.about = "of states, levels, apm, link, timers; the first four" },
	{ "states", 's', KIND_OWN, .take = take_states, .argument = "LIST",
		.about = "only these: idle_a,standby_z; all that it supports" },
	{ "repeat", 'n', KIND_UNSIGNED, offsetof(struct power_cli, power.repeat), 1, 50,
		.argument = "N", .about = "how often each state is entered (5)" },
	{ "dwell", 0, KIND_REAL, offsetof(struct power_cli, power.dwell_seconds), 0, 86400,
		.argument = "SECONDS", .about = "in each state (5 idle, 30 in standby)" },
	{ "timers", 0, KIND_OWN, .take = take_parts,
		.about = "also test whether it goes to sleep when it says" },
	{ "timer", 0, KIND_REAL, offsetof(struct power_cli, power.timer_seconds), 0.1, 6000,
		.argument = "SECONDS", .about = "that a timer under test is set to (5)" },
	{ "gaps", 0, KIND_OWN, .take = take_gaps, .argument = "MS,...",
		.about = "pauses before a first access (1 ms to 10 s)" },
	{ "level-time", 0, KIND_REAL, offsetof(struct power_cli, power.level_seconds), 0.1, 86400,
		.argument = "SECONDS", .about = "of the workload at each power level (10)" },
	{ "workload", 'W', KIND_TEXT, offsetof(struct power_cli, workload), .argument = "NAME",
		.about = "for power levels; 4 KiB random reads" },
	{ "destroy-data", 0, KIND_TEXT, offsetof(struct power_cli, power.destroy),
		.argument = "SERIAL", .about = "where that workload writes" },
	{ "with-sleep", 0, KIND_FLAG, offsetof(struct power_cli, power.with_sleep),
		.about = "enter SLEEP, too, which takes a reset to leave" },
	{ "force", 0, KIND_FLAG, offsetof(struct power_cli, power.force),
		.about = "even where it is mounted or held" },
	{ "meter", 0, KIND_TEXT, offsetof(struct power_cli, meter), .argument = "SPEC",
		.about = "a power meter: hwmon: rail: file: cmd: fifo: const:" },
	{ "meter-interval", 0, KIND_REAL, offsetof(struct power_cli, meter_interval_seconds), 0.001,
		60, .argument = "SECONDS", .about = "between its readings (0.1)" },
	{ "thermal", 0, KIND_FLAG, offsetof(struct power_cli, thermal),
		.about = "instead: a load until it is as warm as it gets, or slows down" },
	{ "thermal-time", 0, KIND_REAL, offsetof(struct power_cli, thermal_seconds), 10, 86400,
		.argument = "SECONDS", .about = "of that load at most (3600)" },
	{ "settle", 0, KIND_REAL, offsetof(struct power_cli, settle_seconds), 10, 86400,
		.argument = "SECONDS", .about = "for which the temperature must stay (300)" },
	{ "cooling", 0, KIND_REAL, offsetof(struct power_cli, cooling_seconds), 0, 86400,
		.argument = "SECONDS", .about = "watch it cool down afterwards (120)" },
	{ "stop-celsius", 0, KIND_REAL, offsetof(struct power_cli, stop_celsius), 0, 200,
		.argument = "N", .about = "end that load at this temperature" },
	{ "state", 0, KIND_TEXT, offsetof(struct power_cli, journal), .argument = "FILE",
		.about = "where it is kept what is to be restored" },
	{ "restore", 0, KIND_FLAG, offsetof(struct power_cli, restore),
		.about = "undo what an earlier run left changed" },
	{ "timeout", 't', KIND_MILLISECONDS, offsetof(struct power_cli, power.limits.timeout_ms),
		0.1, 86400, .argument = "SECONDS", .about = "time limit of each command (120)" },
	{ "format", 'f', KIND_OWN, .take = take_format, .argument = "FORMAT",
		.about = "text or json" },
	{ "json", 'j', KIND_OWN, .take = take_format, .about = "the same as --format json" },
	{ "verbose", 'v', KIND_FLAG, offsetof(struct power_cli, common.render.verbose),
		.about = "show each try" },
	{ "output", 'o', KIND_TEXT, offsetof(struct power_cli, common.output), .argument = "FILE",
		.about = "write there" },
	{ "quiet", 'q', KIND_FLAG, offsetof(struct power_cli, common.quiet),
		.about = "show no progress" },
	{ "help", 'h', KIND_OWN, .about = "show this" },
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]), FIRST = 1000 };

static void help(void)
{
	char name[48];

	printf("usage: assay %s [OPTION...] %s\n\n%s.\n\n", subcommand_power.name,
		subcommand_power.arguments, subcommand_power.about);
	for (size_t i = 0; i < OPTIONS; i++) {
		char letter[8] = "    ";

		if (table[i].letter)
			snprintf(letter, sizeof(letter), "-%c, ", table[i].letter);
		snprintf(name, sizeof(name), "%s--%s%s%s", letter, table[i].name,
			table[i].argument ? " " : "", table[i].argument ? table[i].argument : "");
		printf("  %-28s %s\n", name, table[i].about);
	}
}

static int wrong(const char *name, const char *text, const char *expected)
{
	fprintf(stderr, "assay power: --%s '%s': expected %s\n", name, text, expected);
	return EXIT_USAGE;
}

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

static int take_parts(struct power_cli *cli, const char *text)
{
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
			return wrong("parts", word, "states, levels, apm, link or timers");
		cli->power.parts |= 1u << i;
	}
	return *rest || !cli->power.parts
		? wrong("parts", text, "states, levels, apm, link or timers")
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

static int take_states(struct power_cli *cli, const char *text)
{
	static const char expected[] = "idle_a, idle_b, idle_c, standby_y, standby_z, stopped, "
				       "idle_immediate, standby_immediate or sleep";
	const char *rest = text;
	size_t used = 0;
	char word[32];

	cli->power.state_count = 0;
	while (next_word(&rest, word)) {
		if (!is_state(word) || cli->power.state_count == POWER_NAMES)
			return wrong("states", word, expected);
		cli->power.states[cli->power.state_count++] = cli->names + used;
		used += (size_t)snprintf(cli->names + used, sizeof(cli->names) - used, "%s", word) +
			1;
	}
	return *rest || !cli->power.state_count ? wrong("states", text, expected) : -1;
}

static int take_gaps(struct power_cli *cli, const char *text)
{
	static const char expected[] = "at most 16 pauses in milliseconds: 1,10,100";
	const char *rest = text;
	char word[32], *end;

	cli->power.gap_count = 0;
	while (next_word(&rest, word)) {
		double ms = strtod(word, &end);

		if (*end || !(ms >= 0) || ms > 3.6e6 || cli->power.gap_count == POWER_GAPS)
			return wrong("gaps", word, expected);
		cli->power.gap_seconds[cli->power.gap_count++] = ms / 1000;
	}
	return *rest || !cli->power.gap_count ? wrong("gaps", text, expected) : -1;
}

static int take_format(struct power_cli *cli, const char *text)
{
	cli->common.renderer = renderer_find(text ? text : "json");
	return cli->common.renderer && cli->common.renderer->print
		? -1
		: wrong("format", text, "text or json");
}

static int take_number(struct power_cli *cli, size_t row)
{
	void *at = (char *)cli + table[row].offset;
	char expected[64], *end;
	double number = strtod(optarg, &end);

	if (end == optarg || *end || !(number >= table[row].least) || number > table[row].most) {
		snprintf(expected, sizeof(expected), "a number from %g to %g", table[row].least,
			table[row].most);
		return wrong(table[row].name, optarg, expected);
	}
	if (table[row].kind == KIND_REAL)
		*(double *)at = number;
	else
		*(unsigned *)at = (unsigned)(number *
				(table[row].kind == KIND_MILLISECONDS ? 1000 : 1) +
			0.5);
	return -1;
}

static int take(struct power_cli *cli, size_t row)
{
	void *at = (char *)cli + table[row].offset;

	switch (table[row].kind) {
	case KIND_FLAG:
		*(bool *)at = true;
		return -1;
	case KIND_TEXT:
		*(const char **)at = optarg;
		return -1;
	case KIND_OWN:
		if (table[row].take)
			return table[row].take(cli, table[row].argument ? optarg : NULL);
		help();
		return EXIT_GOOD;
	default:
		return take_number(cli, row);
	}
}

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

static size_t row_of(int value)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (table[i].letter && table[i].letter == value)
			return i;
	return (size_t)(value - FIRST);
}

int power_options_read(int argc, char **argv, struct power_cli *cli)
{
	struct option longs[OPTIONS + 1] = { 0 };
	char shorts[2 * OPTIONS + 1], *at = shorts;
	int value, status = -1;

	defaults(cli);
	for (size_t i = 0; i < OPTIONS; i++) {
		longs[i] = (struct option) { table[i].name,
			table[i].argument ? required_argument : no_argument, NULL,
			table[i].letter ? table[i].letter : FIRST + (int)i };
		if (!table[i].letter)
			continue;
		*at++ = table[i].letter;
		if (table[i].argument)
			*at++ = ':';
	}
	*at = '\0';
	optind = 0;
	while (status < 0 && (value = getopt_long(argc, argv, shorts, longs, NULL)) != -1)
		status = value == '?' ? EXIT_USAGE : take(cli, row_of(value));
	return status;
}
