/* Options that several subcommands have: one table, of which each takes its part. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "assay/arena.h"
#include "assay/array.h"
#include "assay/config.h"

/* Formats for monitoring want a health, which only check finds. */
static int take_format(void *target, const char *text)
{
	struct options *options = target;
	const struct renderer *renderer = renderer_find(text ? text : "json");
	const struct subcommand *subcommand = options->subcommand;

	if (!renderer || (renderer->print_all && subcommand != &subcommand_check))
		return option_wrong(subcommand, "format", text, "an output format");
	options->renderer = renderer;
	return -1;
}

static int take_kind(void *target, const char *text)
{
	struct options *options = target;
	int kind = import_kind_of(text);

	if (kind < 0)
		return option_wrong(options->subcommand, "as", text, "a kind of data");
	options->import_as = (enum import_kind)kind;
	return -1;
}

static int take_import(void *target, const char *text)
{
	struct options *options = target;

	options->imports = array_grow(options->imports, options->import_count, sizeof(char *));
	options->imports[options->import_count++] = text;
	return -1;
}

static int take_results(void *target, const char *text)
{
	struct options *options = target;

	options->results = array_grow(options->results, options->result_count, sizeof(char *));
	options->results[options->result_count++] = text;
	return -1;
}

enum { MAXIMUM_SECONDS = 86400, DEADLINE_MS = 120000 };

static const struct option_row rows[] = {
	{ "format", 'f', OPTION_OWN, .take = take_format, .argument = "FORMAT",
		.about = "text or json; check: prometheus or nagios, too" },
	{ "json", 'j', OPTION_OWN, .take = take_format, .about = "the same as --format json" },
	{ "verbose", 'v', OPTION_FLAG, offsetof(struct options, render.verbose),
		.about = "show the source of every line" },
	{ "as", 'a', OPTION_OWN, .take = take_kind, .argument = "KIND",
		.about = "what a file holds that does not say it itself" },
	{ "output", 'o', OPTION_TEXT, offsetof(struct options, output), .argument = "FILE",
		.about = "write there" },
	{ "redact", 'r', OPTION_FLAG, offsetof(struct options, redact),
		.about = "mask serial numbers and WWNs" },
	{ "import", 'i', OPTION_OWN, .take = take_import, .argument = "KIND=FILE",
		.about = "join files to one drive; repeat it" },
	{ "timeout", 't', OPTION_MILLISECONDS, offsetof(struct options, collect.limits.timeout_ms),
		0.001, MAXIMUM_SECONDS, .argument = "SECONDS",
		.about = "time limit of each command" },
	{ "deadline", 'd', OPTION_MILLISECONDS, offsetof(struct options, deadline_ms), 0.001,
		MAXIMUM_SECONDS, .argument = "SECONDS",
		.about = "time limit of all that is asked of a drive (120); check: of the run "
			 "(30)" },
	{ "wake", 'w', OPTION_FLAG, offsetof(struct options, collect.wake),
		.about = "read a sleeping drive, too" },
	{ "quiet", 'q', OPTION_FLAG, offsetof(struct options, quiet), .about = "show no progress" },
	{ "all", 'A', OPTION_FLAG, offsetof(struct options, all),
		.about = "every drive of this host" },
	{ "explain", 'e', OPTION_TEXT, offsetof(struct options, explain), .argument = "RULE",
		.about = "tell why a rule matters, and what to do" },
	{ "config", 'c', OPTION_TEXT, offsetof(struct options, config), .argument = "FILE",
		.about = "the configuration, in place of " CONFIG_FILE },
	{ "print-config", 'p', OPTION_FLAG, offsetof(struct options, print_config),
		.about = "print the configuration with all limits, and end" },
	{ "record", 'k', OPTION_FLAG, offsetof(struct options, record),
		.about = "add to the history" },
	{ "database", 'D', OPTION_TEXT, offsetof(struct options, database), .argument = "FILE",
		.about = "the history's file" },
	{ "quiet-drives", 'Q', OPTION_FLAG, offsetof(struct options, quiet_drives),
		.about = "send nothing that resets a drive's idle timers" },
	{ "spec", 's', OPTION_TEXT, offsetof(struct options, spec), .argument = "FILE",
		.about = "the datasheet to hold it against: a file, or a family's name" },
	{ "results", 'R', OPTION_OWN, .take = take_results, .argument = "FILE",
		.about = "results of bench, power or prove of the same drive, as JSON; repeat it" },
	{ "expect-new", 'n', OPTION_FLAG, offsetof(struct options, expect_new),
		.about = "fail a drive that was used" },
	{ "alert-command", 'C', OPTION_TEXT, offsetof(struct options, alert_command),
		.argument = "COMMAND", .about = "run this when the state of a drive changes" },
	{ "alert-mail", 'M', OPTION_TEXT, offsetof(struct options, alert_mail),
		.argument = "ADDRESS", .about = "mail when the state of a drive changes" },
	{ "alert-test", 'T', OPTION_FLAG, offsetof(struct options, alert_test),
		.about = "send a test alert, and end" },
	{ "help", 'h', OPTION_OWN, .about = "show this" },
};

struct option_table options_common(const char *accepted)
{
	return (struct option_table) { rows, ARRAY_LEN(rows), accepted };
}

void options_default(const struct subcommand *subcommand, struct options *options)
{
	const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
	struct winsize size;
	bool terminal = isatty(STDOUT_FILENO);

	*options = (struct options) { .subcommand = subcommand, .renderer = renderers[0] };
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
	const struct option_table common = options_common(accepted);

	options_default(subcommand, options);
	int status = option_tables_read(argc, argv, subcommand, &common, 1, options);

	if (options->deadline_ms)
		options->collect.limits.deadline_ms = options->deadline_ms;
	return status;
}

void options_deinit(struct options *options)
{
	free(options->imports);
	options->imports = NULL;
	free(options->results);
	options->results = NULL;
}
