/* Text for people: topics, aligned lines, tables. */
#include "assay/render.h"

#include <stdio.h>
#include <string.h>

#include "assay/decoder.h"
#include "render/text_clean.h"
#include "render/text_parts.h"
#include "render/text_table.h"

enum { LABEL_COLUMNS = 32, SOURCE_COLUMNS = 6, LINE = 512 };

static void print_source(FILE *file, const struct render_options *options, const char *before,
	const struct source *source)
{
	char line[LINE], clean[LINE];

	text_clean(source_human(source, line, sizeof(line)), clean, sizeof(clean));
	if (*clean)
		text_coloured(
			file, options, text_dim, "%*s%s%s\n", SOURCE_COLUMNS, "", before, clean);
}

static void value_line(const struct fact *fact, char *line, size_t size)
{
	static const char *const states[] = { "", "unknown", "not a valid value" };
	char value[LINE], clean[LINE];
	const char *note = fact->note ? fact->note : "";

	if (fact->state == FACT_KNOWN)
		value_human(fact->value, fact->key->unit, value, sizeof(value));
	else
		snprintf(value, sizeof(value), "%s", states[fact->state]);
	text_clean(value, clean, sizeof(clean));
	int len = snprintf(line, size, "%s", clean);

	if (*note && len > 0 && (size_t)len < size)
		snprintf(line + len, size - (size_t)len, "; %s", note);
}

static void print_others(FILE *file, const struct render_options *options,
	const struct facts *facts, const struct fact *best)
{
	char line[LINE], before[LINE + 16];

	for (size_t i = 0; i < facts->fact_count; i++) {
		const struct fact *fact = &facts->facts[i];

		if (fact == best || fact->key != best->key)
			continue;
		value_line(fact, line, sizeof(line));
		snprintf(before, sizeof(before), "also %s: ", line);
		print_source(file, options, before, &fact->source);
	}
}

static void print_fact(FILE *file, const struct render_options *options, const struct facts *facts,
	const struct fact *fact)
{
	char line[LINE];
	size_t label = text_columns(fact->key->label);
	int gap = label < LABEL_COLUMNS ? (int)(LABEL_COLUMNS - label) : 1;

	value_line(fact, line, sizeof(line));
	fprintf(file, "  %s%*s", fact->key->label, gap, "");
	text_wrapped(file, options, line, LABEL_COLUMNS + 2);
	if (!options->verbose)
		return;
	print_source(file, options, "", &fact->source);
	print_others(file, options, facts, fact);
}

static bool is_shown(const struct key *key, const struct render_options *options)
{
	return !key->detail || options->verbose;
}

static void heading(
	FILE *file, const struct render_options *options, const char *title, bool *printed)
{
	if (*printed)
		return;
	*printed = true;
	fputc('\n', file);
	text_coloured(file, options, text_bold, "%s\n", title);
}

static void print_topic(FILE *file, const struct render_options *options, const struct facts *facts,
	const struct decoder *decoder)
{
	bool printed = false;

	for (size_t i = 0; i < decoder->key_count; i++) {
		const struct fact *fact = facts_find(facts, decoder->keys[i].name);

		if (!fact || !is_shown(fact->key, options))
			continue;
		heading(file, options, decoder->title, &printed);
		print_fact(file, options, facts, fact);
	}
	for (size_t i = 0; i < decoder->table_count; i++) {
		if (decoder->tables[i]->detail == TABLE_DETAIL && !options->verbose)
			continue;
		if (!text_table_rows(facts, decoder->tables[i]))
			continue;
		heading(file, options, decoder->title, &printed);
		if (decoder->tables[i]->detail == TABLE_SERIES && !options->verbose)
			text_series_print(file, facts, decoder->tables[i], options->width);
		else
			text_table_print(file, facts, decoder->tables[i], options->width);
	}
}

static void print_part(
	FILE *file, const struct render_options *options, const char *name, const char *text)
{
	char clean[2 * LINE];

	if (!text || !*text)
		return;
	fprintf(file, "%*s%-10s", 17, "", name);
	text_wrapped(file, options, text_clean(text, clean, sizeof(clean)), 27);
}

/* What only verify says; of what is as it should be, only with -v. */
static void print_claim(
	FILE *file, const struct render_options *options, const struct verdict *verdict)
{
	bool is_wrong = verdict->state == VERDICT_FAIL || verdict->state == VERDICT_MARGINAL ||
		verdict->state == VERDICT_CONFLICT;

	if (is_wrong || options->verbose)
		print_part(file, options, "expected", verdict->expected);
	if (is_wrong || options->verbose)
		print_part(file, options, "found", verdict->found);
	if (options->verbose)
		print_part(file, options, "evidence", verdict->evidence);
	if (verdict->state == VERDICT_NOT_TESTED && options->verbose)
		print_part(file, options, "test", verdict->test);
}

static void print_verdicts(
	FILE *file, const struct render_options *options, const struct document *document)
{
	bool printed = false;

	for (size_t i = 0; i < document->verdict_count; i++) {
		const struct verdict *verdict = &document->verdicts[i];

		heading(file, options, "Verdicts", &printed);
		text_coloured(file, options, verdict_colour(verdict->state), "  %-15s",
			verdict_word(verdict->state));
		fprintf(file, "%-36s ", verdict->id);
		text_wrapped(file, options, verdict->reason, 54);
		print_claim(file, options, verdict);
	}
}

static void print_notes(FILE *file, const struct render_options *options, const struct facts *facts)
{
	char clean[LINE];
	bool printed = false;

	for (size_t i = 0; i < facts->note_count; i++) {
		heading(file, options, "Notes", &printed);
		fputs("  ", file);
		text_wrapped(
			file, options, text_clean(facts->notes[i].text, clean, sizeof(clean)), 4);
		if (options->verbose)
			print_source(file, options, "", &facts->notes[i].source);
	}
}

static void print_command_count(FILE *file, const struct capture *capture)
{
	const char *count = capture_host_value(capture, "command_count");

	if (count)
		fprintf(file, "\n%.10s commands were sent to the drive.\n", count);
}

static void print(FILE *file, const struct document *document, size_t index, size_t count,
	const struct render_options *options)
{
	char clean[LINE];

	(void)count;
	if (options->brief) {
		text_brief_print(file, document, options);
		return;
	}
	if (index)
		fputc('\n', file);
	text_coloured(file, options, text_bold, "%s\n",
		text_clean(document->target, clean, sizeof(clean)));
	if (document->error)
		text_coloured(file, options, text_red, "  %s\n", document->error->text);
	print_verdicts(file, options, document);
	for (size_t d = 0; document->facts && decoders[d]; d++)
		print_topic(file, options, document->facts, decoders[d]);
	if (document->facts)
		print_notes(file, options, document->facts);
	if (options->verbose && document->capture)
		print_command_count(file, document->capture);
}

const struct renderer renderer_text = { .name = "text", .print = print };
