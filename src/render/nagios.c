/*
 * Nagios and Icinga plug-in output: a line of text, "|", performance data; then
 * a line for each drive (monitoring plug-in guidelines, "Plugin Output").
 */
#include "assay/render.h"

#include <stdio.h>
#include <string.h>

#include "render/text_clean.h"

/* What is worth a curve. */
static const struct {
	const char *key, *label, *unit;
} curves[] = {
	{ "temperature.current_celsius", "temperature", "" },
	{ "endurance.used_percent", "used", "%" },
	{ "endurance.rated_used_percent", "rated_used", "%" },
	{ "endurance.spare_percent", "spare", "%" },
	{ "endurance.host_written_bytes", "host_written", "B" },
	{ "usage.power_on_hours", "power_on_hours", "" },
	{ "errors.reallocated_count", "reallocated", "c" },
	{ "errors.pending_count", "pending", "" },
	{ "errors.uncorrected_count", "uncorrected", "c" },
	{ "errors.grown_defect_count", "grown_defects", "c" },
	{ "errors.crc_count", "crc", "c" },
};

/* "|" begins the performance data and must not stand in a text. */
static const char *plain(const char *text, char *clean, size_t size)
{
	text_clean(text, clean, size);
	for (char *at = clean; *at; at++)
		if (*at == '|')
			*at = '/';
	return clean;
}

static void print_curves(FILE *file, const struct document *document, bool named)
{
	char clean[128];
	double value;

	for (size_t i = 0; document->facts && i < sizeof(curves) / sizeof(curves[0]); i++) {
		if (!facts_number(document->facts, curves[i].key, &value))
			continue;
		plain(document->target, clean, sizeof(clean));
		for (char *at = clean; *at; at++)
			if (*at == '\'' || *at == '=')
				*at = '_';
		fprintf(file, " '%s%s%s'=%.15g%s", named ? clean : "", named ? " " : "",
			curves[i].label, value, curves[i].unit);
	}
}

static const char *state_word(enum verdict_state state)
{
	switch (state) {
	case VERDICT_OK:
		return "OK";
	case VERDICT_WARNING:
		return "WARNING";
	case VERDICT_FAILING:
		return "CRITICAL";
	default:
		return "UNKNOWN";
	}
}

static void print_text(FILE *file, const struct document *document)
{
	char text[400];
	const struct verdict *sum = document->verdicts;

	fprintf(file, "%s: %s", state_word(sum->state),
		plain(document->target, text, sizeof(text)));
	if (document->facts && *facts_text(document->facts, "identity.model"))
		fprintf(file, " %s",
			plain(facts_text(document->facts, "identity.model"), text, sizeof(text)));
	fprintf(file, ": %s",
		plain(document->error ? document->error->text : sum->reason, text, sizeof(text)));
}

/* The first line tells the worst drive; the curves of the others come behind
 * all texts, as the guidelines want it. */
static void print_all(FILE *file, const struct document *documents, size_t count,
	const struct render_options *options)
{
	(void)options;
	fputs("ASSAY ", file);
	if (count > 1)
		fprintf(file, "%zu drives, the worst ", count);
	print_text(file, &documents[0]);
	fputs(" |", file);
	print_curves(file, &documents[0], count > 1);
	for (size_t i = 1; i < count; i++) {
		fputc('\n', file);
		print_text(file, &documents[i]);
	}
	for (size_t i = 1; i < count; i++) {
		fputs(i == 1 ? " |" : "\n", file);
		print_curves(file, &documents[i], true);
	}
	fputc('\n', file);
}

const struct renderer renderer_nagios = { .name = "nagios", .print_all = print_all };
