/* Options of the subcommands: one table, of which each takes its part. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "assay/arena.h"
#include "assay/config.h"

/* An option, and what --help says of it. key is its letter in `accepted`. */
static const struct {
	char key;
	struct option option;
	const char *argument, *about;
} table[] = {
	{ 'f', { "format", required_argument, NULL, 'f' }, "FORMAT", "text or json" },
	{ 'j', { "json", no_argument, NULL, 'j' }, NULL, "the same as --format json" },
	{ 'v', { "verbose", no_argument, NULL, 'v' }, NULL, "show the source of every line" },
	{ 'a', { "as", required_argument, NULL, 'a' }, "KIND",
		"what a file holds that does not say it itself" },
	{ 'o', { "output", required_argument, NULL, 'o' }, "FILE", "write there" },
	{ 'r', { "redact", no_argument, NULL, 'r' }, NULL, "mask serial numbers and WWNs" },
	{ 'i', { "import", required_argument, NULL, 'i' }, "KIND=FILE",
		"join files to one drive; repeat it" },
	{ 't', { "timeout", required_argument, NULL, 't' }, "SECONDS",
		"time limit of each command" },
	{ 'd', { "deadline", required_argument, NULL, 'd' }, "SECONDS",
		"time limit of all that is asked of a drive (120); check: of the run (30)" },
	{ 'w', { "wake", no_argument, NULL, 'w' }, NULL, "read a sleeping drive, too" },
	{ 'q', { "quiet", no_argument, NULL, 'q' }, NULL, "show no progress" },
	{ 'A', { "all", no_argument, NULL, 'A' }, NULL, "every drive of this host" },
	{ 'e', { "explain", required_argument, NULL, 'e' }, "RULE",
		"tell why a rule matters, and what to do" },
	{ 'c', { "config", required_argument, NULL, 'c' }, "FILE",
		"the configuration, in place of " CONFIG_FILE },
	{ 'p', { "print-config", no_argument, NULL, 'p' }, NULL,
		"print the configuration with all limits, and end" },
	{ 'k', { "record", no_argument, NULL, 'k' }, NULL, "add to the history" },
	{ 'D', { "database", required_argument, NULL, 'D' }, "FILE", "the history's file" },
	{ 'Q', { "quiet-drives", no_argument, NULL, 'Q' }, NULL,
		"send nothing that resets a drive's idle timers" },
	{ 's', { "spec", required_argument, NULL, 's' }, "FILE",
		"the datasheet to hold it against: a file, or a family's name" },
	{ 'R', { "results", required_argument, NULL, 'R' }, "FILE",
		"results of bench, power or prove of the same drive, as JSON" },
	{ 'n', { "expect-new", no_argument, NULL, 'n' }, NULL, "fail a drive that was used" },
	{ 'C', { "alert-command", required_argument, NULL, 'C' }, "COMMAND",
		"run this when the state of a drive changes" },
	{ 'M', { "alert-mail", required_argument, NULL, 'M' }, "ADDRESS",
		"mail when the state of a drive changes" },
	{ 'T', { "alert-test", no_argument, NULL, 'T' }, NULL, "send a test alert, and end" },
	{ 'h', { "help", no_argument, NULL, 'h' }, NULL, "show this" },
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]), MAXIMUM_SECONDS = 86400, DEADLINE_MS = 120000 };

static bool accepts(const char *accepted, char key)
{
	return key == 'h' || strchr(accepted, key);
}

static void help(const struct subcommand *subcommand, const char *accepted)
{
	char name[40];

	printf("usage: assay %s [OPTION...] %s\n\n%s.\n\n", subcommand->name, subcommand->arguments,
		subcommand->about);
	for (size_t i = 0; i < OPTIONS; i++) {
		if (!accepts(accepted, table[i].key))
			continue;
		snprintf(name, sizeof(name), "-%c, --%s%s%s", table[i].option.val,
			table[i].option.name, table[i].argument ? " " : "",
			table[i].argument ? table[i].argument : "");
		printf("  %-26s %s\n", name, table[i].about);
	}
}

static int usage_error(const struct subcommand *subcommand, const char *what, const char *value)
{
	fprintf(stderr, "assay %s: %s '%s'; --help tells more\n", subcommand->name, what, value);
	return EXIT_USAGE;
}

static int read_seconds(const struct subcommand *subcommand, unsigned *milliseconds)
{
	char *end;
	double seconds = strtod(optarg, &end);

	if (end == optarg || *end || !(seconds > 0) || seconds > MAXIMUM_SECONDS)
		return usage_error(subcommand, "no time limit in seconds:", optarg);
	*milliseconds = (unsigned)(seconds * 1000 + 0.5);
	return -1;
}

static int read_format(const struct subcommand *subcommand, struct options *options)
{
	options->renderer = renderer_find(optarg);
	/* Formats for monitoring want a health, which only check finds. */
	if (!options->renderer || (options->renderer->print_all && subcommand != &subcommand_check))
		return usage_error(subcommand, "no output format", optarg);
	return -1;
}

static int read_kind(const struct subcommand *subcommand, struct options *options)
{
	int kind = import_kind_of(optarg);

	if (kind < 0)
		return usage_error(subcommand, "no kind of data:", optarg);
	options->import_as = (enum import_kind)kind;
	return -1;
}

static int take(const struct subcommand *subcommand, int letter, struct options *options)
{
	switch (letter) {
	case 'f':
		return read_format(subcommand, options);
	case 'j':
		options->renderer = renderer_find("json");
		break;
	case 'v':
		options->render.verbose = true;
		break;
	case 'a':
		return read_kind(subcommand, options);
	case 'o':
		options->output = optarg;
		break;
	case 'r':
		options->redact = true;
		break;
	case 'i':
		options->imports = array_grow(
			options->imports, options->import_count, sizeof(char *));
		options->imports[options->import_count++] = optarg;
		break;
	case 't':
		return read_seconds(subcommand, &options->collect.limits.timeout_ms);
	case 'd':
		options->deadline_given = true;
		return read_seconds(subcommand, &options->collect.limits.deadline_ms);
	case 'w':
		options->collect.wake = true;
		break;
	case 'q':
		options->quiet = true;
		break;
	case 'c':
		options->config = optarg;
		break;
	case 'p':
		options->print_config = true;
		break;
	case 'Q':
		options->quiet_drives = true;
		break;
	case 's':
		options->spec = optarg;
		break;
	case 'R':
		options->results = optarg;
		break;
	case 'n':
		options->expect_new = true;
		break;
	case 'k':
		options->record = true;
		break;
	case 'D':
		options->database = optarg;
		break;
	case 'C':
		options->alert_command = optarg;
		break;
	case 'M':
		options->alert_mail = optarg;
		break;
	case 'T':
		options->alert_test = true;
		break;
	case 'A':
		options->all = true;
		break;
	case 'e':
		options->explain = optarg;
		break;
	}
	return -1;
}

void options_default(const struct subcommand *subcommand, struct options *options)
{
	const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
	struct winsize size;
	bool terminal = isatty(STDOUT_FILENO);

	*options = (struct options) { .renderer = renderers[0] };
	options->collect.limits.deadline_ms = DEADLINE_MS;
	options->render.command = subcommand->name;
	options->render.version = ASSAY_VERSION;
	options->render.colour = terminal && !(no_colour && *no_colour) && term &&
		strcmp(term, "dumb") != 0;
	if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
		options->render.width = size.ws_col;
}

int options_read(int argc, char **argv, const struct subcommand *subcommand, const char *accepted,
	struct options *options)
{
	struct option longs[OPTIONS + 1] = { 0 };
	char shorts[2 * OPTIONS + 1], *at = shorts;
	size_t count = 0;
	int letter, status = -1;

	options_default(subcommand, options);
	for (size_t i = 0; i < OPTIONS; i++) {
		if (!accepts(accepted, table[i].key))
			continue;
		longs[count++] = table[i].option;
		*at++ = (char)table[i].option.val;
		if (table[i].option.has_arg)
			*at++ = ':';
	}
	*at = '\0';
	optind = 0;
	while (status < 0 && (letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		if (letter == '?')
			return EXIT_USAGE;
		if (letter == 'h') {
			help(subcommand, accepted);
			return EXIT_GOOD;
		}
		status = take(subcommand, letter, options);
	}
	return status;
}

void options_deinit(struct options *options)
{
	free(options->imports);
	options->imports = NULL;
}
