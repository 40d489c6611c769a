/* Text in brief: a line a drive, and what is wrong with it. */
#include "render/text_parts.h"

#include <string.h>

#include "assay/capture.h"

#include "render/text_clean.h"

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

	for (size_t i = 0; document->facts && i < sizeof(shown) / sizeof(shown[0]); i++) {
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
	text_wrapped(file, options, verdict->reason, 38);
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
	for (size_t i = 1; i < document->verdict_count; i++)
		if (options->verbose || document->verdicts[i].state != VERDICT_OK)
			print_verdict(file, &document->verdicts[i], options);
}
