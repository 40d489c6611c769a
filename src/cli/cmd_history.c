/* assay history: what became of a drive over time. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/arena.h"
#include "assay/config.h"
#include "assay/decoder.h"
#include "assay/history.h"
#include "cli/cmd_history.h"

/* ---- Which drives ---- */

struct naming {
	struct telling *telling;
	int status;
};

static void name_drive(void *context, struct loaded *loaded, size_t index)
{
	struct naming *naming = context;
	struct telling *telling = naming->telling;
	struct error error;
	struct facts facts;

	(void)index;
	if (loaded->failed) {
		complain(loaded->target, &loaded->error);
		naming->status = (int)loaded->error.status;
		return;
	}
	facts_init(&facts);
	decode(&loaded->capture, &facts);
	if (history_drive_of(telling->history, &facts, telling->arena, &telling->drives,
		    &telling->count, &error) != 0) {
		fprintf(stderr, "assay: %s\n", error.text);
		naming->status = (int)error.status;
	}
	facts_deinit(&facts);
}

/* Of the drive whose name has that text in it; NULL: there is none, or there are several. */
static const char *like(struct telling *telling, const char *text)
{
	const char *found = NULL;
	struct history_drive *drives;
	struct error error;
	size_t count;

	if (history_drives(telling->history, NULL, telling->arena, &drives, &count, &error) != 0)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		if (!strcasestr(drives[i].subject, text) && !strcasestr(drives[i].serial, text) &&
			!strcasestr(drives[i].model, text))
			continue;
		if (found)
			return NULL;
		found = drives[i].subject;
	}
	return found;
}

static int no_such_drive(struct telling *telling, const char *name)
{
	const char *other = *name ? like(telling, name) : NULL;

	fprintf(stderr, "assay: %s: no drive of the history%s%s\n", name,
		other ? "; is it " : ", \"assay history\" lists them", other ? other : "");
	return EXIT_NO_SUCH;
}

/* A drive may be gone: the names of the history come first. */
int history_find_drives(struct telling *telling, char *name)
{
	struct naming naming = { .telling = telling, .status = EXIT_GOOD };
	struct error error;

	if (history_drives(telling->history, name, telling->arena, &telling->drives,
		    &telling->count, &error) != 0) {
		fprintf(stderr, "assay: %s\n", error.text);
		return (int)error.status;
	}
	if (!telling->count && name && access(name, F_OK) == 0) {
		telling->options.identity = true;
		targets_load(&name, 1, &telling->options, name_drive, &naming);
	}
	if (naming.status == EXIT_GOOD && !telling->count && name)
		return no_such_drive(telling, name);
	return naming.status;
}

/* ---- What is told ---- */

static struct history_ratings ratings_of(struct spec_library *library, struct facts *facts)
{
	struct history_ratings ratings = { 0 };
	struct spec_matches matches;
	const struct claim *claim;
	char text[256];

	if (!datasheet_find(library, facts, &matches))
		return ratings;
	const struct spec_match *match = &matches.matches[0];

	claim = spec_claim(match->sheet, match->model, "endurance.rated_written_bytes");
	if (claim && (claim->kind == CLAIM_EACH || claim->kind == CLAIM_COMPUTED)) {
		ratings.written_bytes = claim->quantity.low.value;
		ratings.source = facts_printf(
			facts, "datasheet: %s", claim_source_human(claim, text, sizeof(text)));
	}
	claim = spec_claim(match->sheet, match->model, "warranty.years");
	if (claim) {
		ratings.warranty_years = claim->quantity.low.value;
		ratings.or_endurance = claim->or_endurance;
	}
	return ratings;
}

/* What was last known of a drive, and what a report tells of it; or a complaint. */
static int facts_of(struct telling *telling, const struct history_drive *drive,
	int (*report)(struct history *history, const struct history_drive *drive,
		const struct history_ratings *ratings, struct facts *facts, struct error *error),
	struct facts *facts)
{
	struct history_ratings ratings;
	struct error error;

	if (history_facts(telling->history, drive, facts, &error) == 0) {
		ratings = ratings_of(&telling->library, facts);
		if (report(telling->history, drive, &ratings, facts, &error) == 0)
			return EXIT_GOOD;
	}
	fprintf(stderr, "assay: %s\n", error.text);
	return (int)error.status;
}

static int tell_drive(struct telling *telling, const struct history_drive *drive, size_t index)
{
	struct facts facts;

	facts_init(&facts);
	int status = facts_of(telling, drive, history_report, &facts);
	struct document document = { .target = drive->subject, .facts = &facts };

	if (status == EXIT_GOOD)
		print_document(&telling->options, &document, index, telling->count);
	facts_deinit(&facts);
	return status;
}

/* When it will be used up, as it is told of one drive. */
static int find_end(struct telling *telling, struct history_drive *drive)
{
	struct facts facts;

	facts_init(&facts);
	int status = facts_of(telling, drive, history_report_endurance, &facts);

	if (status == EXIT_GOOD)
		drive->end_date = arena_text(
			telling->arena, facts_text(&facts, "history.end_date"));
	facts_deinit(&facts);
	return status;
}

static int tell_list(struct telling *telling, const char *file)
{
	struct document document = { .target = file };
	struct facts facts;

	for (size_t i = 0; i < telling->count; i++) {
		int status = find_end(telling, &telling->drives[i]);

		if (status != EXIT_GOOD)
			return status;
	}
	facts_init(&facts);
	history_list(telling->drives, telling->count, &facts);
	if (!telling->count)
		facts_note(&facts, NULL, "no drive was recorded yet");
	document.facts = &facts;
	print_document(&telling->options, &document, 0, 1);
	facts_deinit(&facts);
	return EXIT_GOOD;
}

static int tell(struct telling *telling, char *name, const char *file)
{
	int status = history_find_drives(telling, name);

	if (status != EXIT_GOOD || output_open(&telling->options) != 0)
		return status == EXIT_GOOD ? EXIT_INTERNAL : status;
	spec_library_init(&telling->library);
	spec_load_library(&telling->library, SPEC_LITERALS);
	if (!name)
		status = tell_list(telling, file);
	for (size_t i = 0; name && status == EXIT_GOOD && i < telling->count; i++)
		status = tell_drive(telling, &telling->drives[i], i);
	spec_library_deinit(&telling->library);
	return output_close(&telling->options, status);
}

/* ---- The command ---- */

static const struct {
	const char *name;
	enum history_access access;
	int (*run)(struct telling *telling, char **arguments, size_t count);
} actions[] = {
	{ "export", HISTORY_READ, history_export_run },
	{ "import", HISTORY_WRITE, history_import_run },
};

static int open_and_run(struct telling *telling, char **arguments, size_t count, const char *file)
{
	size_t action = 0;
	struct error error;

	while (action < ARRAY_LEN(actions) &&
		!(count && !strcmp(arguments[0], actions[action].name)))
		action++;
	if (action == ARRAY_LEN(actions) && count > 1) {
		fputs("assay history: takes one DRIVE; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	if (history_open(file, action < ARRAY_LEN(actions) ? actions[action].access : HISTORY_READ,
		    &telling->history, &error) != 0) {
		fprintf(stderr, "assay: %s\n", error.text);
		return (int)error.status;
	}
	if (action < ARRAY_LEN(actions))
		return actions[action].run(telling, arguments + 1, count - 1);
	return tell(telling, count ? arguments[0] : NULL, file);
}

static int with_config(struct telling *telling, char **arguments, size_t count)
{
	struct config config;
	struct error error;
	int status;

	config_init(&config);
	if (config_load(telling->options.config, &config, &error) != 0) {
		fprintf(stderr, "assay history: %s\n", error.text);
		status = (int)error.status;
	} else {
		const char *database = telling->options.database;

		telling->keep = (struct history_keep) { config.history.full_days,
			config.history.daily_days };
		status = open_and_run(
			telling, arguments, count, database ? database : config.history.database);
	}
	history_close(telling->history);
	config_deinit(&config);
	return status;
}

static int run(int argc, char **argv)
{
	struct telling telling = { .arena = NULL };
	int status = options_read(argc, argv, &subcommand_history, "fjvaotdwqcD", &telling.options);

	if (status >= 0)
		return status;
	telling.arena = arena_new();
	status = with_config(&telling, argv + optind, (size_t)(argc - optind));
	arena_free(telling.arena);
	options_deinit(&telling.options);
	return status;
}

const struct subcommand subcommand_history = {
	.name = "history",
	.arguments = "[DRIVE] | export [DRIVE] | import FILE...",
	.about = "what became of a drive: trends, wear, the date at which its rating runs out",
	.run = run,
};
