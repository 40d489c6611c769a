/* Text in brief: a line a drive, and what is wrong with it. */
#include "render/text_parts.h"

#include <string.h>

#include "assay/array.h"
#include "assay/capture.h"

#include "render/text_clean.h"

enum { REASON = 38 }; /* the column where reasons begin */

/* What the line shows of a drive, where it is known. */
static const struct {
	const char *key, *before;
} shown[] = {
	{ "identity.model", "" },
	{ "identity.serial", "" },
	{ "power.state", "" },
	{ "temperature.current_celsius", "" },
	{ "endurance.used_percent", "used " },
	{ "usage.power_on_hours", "on for " },
};

static bool is_worth_a_word(const struct fact *fact)
{
	/* A drive that is awake needs no word about it. */
	return fact && fact->state == FACT_KNOWN &&
		!(fact->value.kind == VALUE_TEXT && !strcmp(fact->value.text, "active"));
}

static void print_drive(FILE *file, const struct document *document)
{
	char value[160], clean[160];

	for (size_t i = 0; document->facts && i < ARRAY_LEN(shown); i++) {
		const struct fact *fact = facts_find(document->facts, shown[i].key);

		if (!is_worth_a_word(fact))
			continue;
		value_human(fact->value, fact->key->unit, value, sizeof(value));
		fprintf(file, "  %s%s", shown[i].before, text_clean(value, clean, sizeof(clean)));
	}
	fputc('\n', file);
}

static void print_verdict(
	FILE *file, const struct verdict *verdict, const struct render_options *options)
{
	fputs("    ", file);
	text_coloured(file, options, verdict_colour(verdict->state), "%-8s ",
		verdict->noted ? "note" : verdict_word(verdict->state));
	fprintf(file, "%-24s ", verdict->id);
	text_wrapped(file, options, verdict->reason, REASON);
}

static bool is_broken(const struct verdict *verdict)
{
	return verdict->state == VERDICT_WARNING || verdict->state == VERDICT_FAILING;
}

/* What to do, once a drive: several reasons may ask for the same. */
static void print_action(FILE *file, const struct document *document, const struct verdict *verdict,
	const struct render_options *options)
{
	const struct verdict *other = &document->verdicts[1];

	if (!verdict->test || !is_broken(verdict))
		return;
	for (; other < verdict; other++)
		if (other->state == verdict->state && other->test &&
			!strcmp(other->test, verdict->test))
			return;
	fprintf(file, "%*s", REASON, "");
	text_wrapped(file, options, verdict->test, REASON);
}

static void print_verdicts_of(FILE *file, const struct document *document, enum verdict_state state,
	const struct render_options *options)
{
	for (size_t i = 1; i < document->verdict_count; i++) {
		if (document->verdicts[i].state != state)
			continue;
		print_verdict(file, &document->verdicts[i], options);
		print_action(file, document, &document->verdicts[i], options);
	}
}

/* What it cost the drive. */
static void print_commands(FILE *file, const struct document *document)
{
	const char *count = document->capture
		? capture_host_value(document->capture, "command_count")
		: NULL;

	if (count)
		fprintf(file, "    %.20s commands\n", count);
}

void text_brief_print(
	FILE *file, const struct document *document, const struct render_options *options)
{
	const struct verdict *sum = document->verdicts;
	char clean[160];

	text_coloured(file, options, verdict_colour(sum->state), "%-8s", verdict_word(sum->state));
	fprintf(file, " %s", text_clean(document->target, clean, sizeof(clean)));
	print_drive(file, document);
	if (document->error)
		text_coloured(file, options, text_red, "    %s\n", document->error->text);
	else if (sum->state == VERDICT_UNKNOWN)
		fprintf(file, "    %s\n", sum->reason);
	if (options->verbose)
		print_commands(file, document);
	print_verdicts_of(file, document, VERDICT_FAILING, options);
	print_verdicts_of(file, document, VERDICT_WARNING, options);
	if (options->verbose)
		print_verdicts_of(file, document, VERDICT_OK, options);
}
