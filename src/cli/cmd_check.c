/* assay check: health now, in one line a drive. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/command.h"
#include "assay/config.h"
#include "assay/decoder.h"
#include "assay/health.h"
#include "assay/transport.h"
#include "assay/verify.h"
#include "cli/recording.h"

enum { MOST_PAGES = 96 };

/* A drive that has been judged. */
struct checked {
	struct loaded loaded;       /* owns its capture */
	struct config_drive config; /* what is set for it */
	struct history_before before;
	struct facts facts;
	struct health health;
	struct document document;
};

struct checking {
	struct options options;
	struct config config;
	struct spec_library library;
	struct recording recording;
	struct page_id pages[MOST_PAGES]; /* that the rules need */
	int64_t now;                      /* seconds since 1970, of the run */
	struct checked *drives;           /* never moves: documents point into it */
	size_t count;
};

static bool limit_of(void *context, const struct rule *rule, struct rule_limit *limit)
{
	const struct checked *drive = context;

	return config_limit(&drive->config, rule, limit);
}

static bool is_silent(void *context, const struct rule *rule, double value)
{
	const struct checked *drive = context;

	return config_silent(&drive->config, rule, value);
}

static bool value_before(void *context, const char *key, struct rule_before *before)
{
	const struct checked *drive = context;
	struct history_span span;

	if (!history_before(&drive->before, key, &span))
		return false;
	*before = (struct rule_before) { span.least, span.most,
		(double)(drive->before.time - span.since) };
	return true;
}

static bool is_asleep(const struct checked *drive)
{
	const char *state = facts_text(&drive->facts, "power.state");

	return !drive->loaded.failed && (power_state_sleeps(state) || !strcmp(state, "suspended"));
}

/* It sleeps, or is left alone so that it may: a state, not an error. */
static bool is_resting(const struct checked *drive)
{
	return !drive->loaded.failed && health_state(&drive->health) == VERDICT_UNKNOWN &&
		(drive->config.config->check.quiet_drives || is_asleep(drive));
}

/* A drive's own verdict comes before the error that kept the rest from being read. */
static enum exit_status status_of(const struct checked *drive)
{
	enum exit_status status = health_status(&drive->health);

	if (is_resting(drive))
		return EXIT_GOOD;
	if (drive->loaded.failed && (status == EXIT_GOOD || status == EXIT_UNKNOWN))
		return drive->loaded.error.status;
	return status;
}

static void judge(struct checking *checking, struct checked *drive)
{
	struct health_settings settings = {
		.limit = limit_of, .silent = is_silent, .before = value_before, .context = drive
	};
	struct spec_matches matches;

	facts_init(&drive->facts);
	decode(&drive->loaded.capture, &drive->facts);
	if (datasheet_find(&checking->library, &drive->facts, &matches))
		rate(&drive->facts, &matches.matches[0]);
	drive->config = config_drive_of(&checking->config, &drive->facts, checking->now);
	drive->before = recording_before(&checking->recording, &drive->loaded, &drive->facts);
	health_judge(&drive->facts, &settings, &drive->health);
	if (is_resting(drive))
		drive->health.verdicts[0].reason = checking->config.check.quiet_drives
			? "left alone, so that it may go to sleep: nothing was judged"
			: "asleep, and not woken: nothing was judged";
	recording_add(&checking->recording, &drive->loaded, &drive->facts, &drive->health);
	drive->document = (struct document) {
		.target = drive->loaded.target,
		.capture = &drive->loaded.capture,
		.facts = &drive->facts,
		.verdicts = drive->health.verdicts,
		.verdict_count = drive->health.count,
		.error = drive->loaded.failed ? &drive->loaded.error : NULL,
		.status = status_of(drive),
		.asleep = is_asleep(drive) || is_resting(drive),
	};
}

static void keep(void *context, struct loaded *loaded, size_t index)
{
	struct checking *checking = context;
	struct checked *drive = &checking->drives[index];

	drive->loaded = *loaded;
	loaded->capture = (struct capture) { 0 };
	judge(checking, drive);
	checking->count = index + 1;
}

/* A drive that could not be read is worse than one of which nothing could be
 * judged, and that than one that is well. */
static int badness(const struct checked *drive)
{
	static const int of[] = { [VERDICT_OK] = 0,
		[VERDICT_UNKNOWN] = 1,
		[VERDICT_WARNING] = 3,
		[VERDICT_FAILING] = 4 };
	int bad = of[health_state(&drive->health)];

	if (is_resting(drive))
		return 0;
	return drive->loaded.failed && bad < 2 ? 2 : bad;
}

static int worst_first(const void *a, const void *b)
{
	const struct checked *const *left = a, *const *right = b;
	int difference = badness(*right) - badness(*left);

	return difference ? difference
			  : strverscmp((*left)->loaded.target, (*right)->loaded.target);
}

static int print_sorted(const struct checking *checking)
{
	const struct options *options = &checking->options;
	struct checked **sorted = calloc(checking->count + 1, sizeof(struct checked *));
	struct document *documents = calloc(checking->count + 1, sizeof(*documents));
	int status = sorted && documents ? EXIT_GOOD : EXIT_INTERNAL;

	for (size_t i = 0; status == EXIT_GOOD && i < checking->count; i++)
		sorted[i] = &checking->drives[i];
	if (status == EXIT_GOOD) {
		qsort(sorted, checking->count, sizeof(struct checked *), worst_first);
		for (size_t i = 0; i < checking->count; i++)
			documents[i] = sorted[i]->document;
		print_documents(options, documents, checking->count);
		/* who looked at nothing has not found it well */
		status = checking->count ? (int)documents[0].status : EXIT_UNKNOWN;
	}
	free(sorted);
	free(documents);
	return status;
}

/* The nodes of all disks of this host, each drive once by its block device. */
static char **all_drives(size_t *count)
{
	struct host_drive *found = NULL;
	size_t n = host_scan("/sys", &found);
	char **targets = calloc(n ? n : 1, sizeof(char *));

	*count = 0;
	for (size_t i = 0; targets && i < n; i++)
		if (found[i].device_type == 0 || found[i].device_type == 0x14)
			targets[(*count)++] = strdup(
				*found[i].node ? found[i].node : found[i].sg_node);
	free(found);
	return targets;
}

/* The worst first, for the rate limit. */
static int send_alerts(const struct checking *checking)
{
	struct checked **sorted = calloc(checking->count + 1, sizeof(struct checked *));
	struct document *documents = calloc(checking->count + 1, sizeof(*documents));
	int failed = -1;

	if (sorted && documents) {
		for (size_t i = 0; i < checking->count; i++)
			sorted[i] = &checking->drives[i];
		qsort(sorted, checking->count, sizeof(struct checked *), worst_first);
		for (size_t i = 0; i < checking->count; i++)
			documents[i] = sorted[i]->document;
		failed = alerts_send(&checking->options, &checking->config, documents,
			checking->count, checking->now);
	}
	free(sorted);
	free(documents);
	return failed;
}

/* What is configured is for the runs that watch, not for a look at one drive. */
static bool wants_alerts(const struct options *options)
{
	return options->alert_command || options->alert_mail || options->record || options->all;
}

/* While the drives answer. */
static void load_library(void *context)
{
	struct checking *checking = context;

	spec_load_library(&checking->library, SPEC_LITERALS);
}

/* The rest is for judging and printing. */
static unsigned time_to_collect(unsigned deadline_ms)
{
	enum { PART = 10, MOST_MS = 1000 };
	unsigned rest = deadline_ms / PART;

	return deadline_ms - (rest < MOST_MS ? rest : MOST_MS);
}

static int check(struct checking *checking, char **targets, size_t count)
{
	checking->drives = calloc(count ? count : 1, sizeof(*checking->drives));
	if (!checking->drives || output_open(&checking->options) != 0) {
		free(checking->drives);
		return EXIT_INTERNAL;
	}
	recording_open(&checking->recording, &checking->options, &checking->config, checking->now);
	checking->options.run_ms = time_to_collect(checking->config.check.deadline_ms);
	checking->options.collect.quiet = checking->config.check.quiet_drives;
	checking->options.collect.pages = checking->pages;
	checking->options.collect.page_count = health_pages(
		checking->recording.history, checking->pages, MOST_PAGES);
	checking->options.meanwhile = load_library;
	spec_library_init(&checking->library);
	targets_load(targets, count, &checking->options, keep, checking);
	int status = output_close(&checking->options, print_sorted(checking));

	recording_close(&checking->recording);
	if (wants_alerts(&checking->options) && send_alerts(checking) != 0 && status == EXIT_GOOD)
		status = EXIT_INTERNAL;

	for (size_t i = 0; i < checking->count; i++) {
		health_deinit(&checking->drives[i].health);
		facts_deinit(&checking->drives[i].facts);
		capture_deinit(&checking->drives[i].loaded.capture);
	}
	free(checking->drives);
	spec_library_deinit(&checking->library);
	return status;
}

/* As the table has it; --print-config tells what is configured. */
static void explain_limit(const struct rule *rule)
{
	static const char *const words[] = { [VERDICT_OK] = "a note",
		[VERDICT_WARNING] = "a warning",
		[VERDICT_FAILING] = "failing" };

	printf("  %s", words[rule->state]);
	if (rule_has_limit(rule))
		printf("%s %g%s", rule->test == RULE_GROWTH ? " where it grows by" : " at",
			rule->limit, rule->test == RULE_AT_MOST ? " or less" : " or more");
	if (rule->limit_solid_state > 0)
		printf(", of an SSD %g", rule->limit_solid_state);
	if (rule->test == RULE_BELOW_KEY)
		printf(" below %s", rule->limit_key);
	else if (rule->limit_key)
		printf("; %s where it is known%s%s", rule->limit_key,
			rule->rated_key ? ", else " : "", rule->rated_key ? rule->rated_key : "");
	if (rule->graver)
		printf("; a note where %s is broken", rule->graver);
	putchar('\n');
}

static int explain(const char *id)
{
	const struct rule *rule = rule_find(id);

	if (!rule) {
		fprintf(stderr, "assay check: no rule '%s'\n", id);
		return EXIT_USAGE;
	}
	printf("%s\n  looks at: %s\n", rule->id, rule->key);
	explain_limit(rule);
	printf("  %s\n  %s\n", rule->why, rule->action);
	return EXIT_GOOD;
}

static int check_targets(struct checking *checking, char **targets, size_t count)
{
	char **all = NULL;
	int status;

	if (checking->options.all)
		targets = all = all_drives(&count);
	checking->options.render.brief = true;
	checking->now = time(NULL);
	status = check(checking, targets, count);
	if (!count)
		fputs("assay check: this host has no SCSI or ATA drive\n", stderr);
	for (size_t i = 0; all && i < count; i++)
		free(all[i]);
	free(all);
	return status;
}

static int with_config(struct checking *checking, char **targets, size_t count)
{
	const struct options *options = &checking->options;
	struct error error;

	if (config_load(options->config, &checking->config, &error) != 0) {
		fprintf(stderr, "assay check: %s\n", error.text);
		return (int)error.status;
	}
	checking->config.check.quiet_drives |= options->quiet_drives;
	if (options->deadline_ms)
		checking->config.check.deadline_ms = options->deadline_ms;
	if (options->print_config) {
		config_print(stdout, &checking->config);
		return EXIT_GOOD;
	}
	if (options->alert_test)
		return alerts_send_test(options, &checking->config, (int64_t)time(NULL));
	if (options->all == (count > 0)) {
		fputs("assay check: name a TARGET, or --all; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	return check_targets(checking, targets, count);
}

/* A plug-in may end with four statuses, and any other is an alarm. */
static int plugin_status(const struct options *options, int status)
{
	bool plugin = options->renderer && !strcmp(options->renderer->name, "nagios");

	return plugin && status > EXIT_UNKNOWN ? EXIT_UNKNOWN : status;
}

static int run(int argc, char **argv)
{
	struct checking checking = { 0 };
	int status = options_read(
		argc, argv, &subcommand_check, "fjvaotdqwAecpQkDCMT", &checking.options);

	if (status >= 0)
		return plugin_status(&checking.options, status);
	if (checking.options.explain)
		return explain(checking.options.explain);
	config_init(&checking.config);
	status = with_config(&checking, argv + optind, (size_t)(argc - optind));
	config_deinit(&checking.config);
	options_deinit(&checking.options);
	return plugin_status(&checking.options, status);
}

const struct subcommand subcommand_check = {
	.name = "check",
	.arguments = "TARGET... | --all",
	.about = "health now: a verdict, its reasons, an exit status",
	.run = run,
};
