/*
 * Nagios and Icinga plug-in output (monitoring plug-in guidelines, "Plugin
 * Output", "Performance data"): a line of text, "|", performance data; then a
 * line for each further drive, "|", and the performance data of those, which
 * stand in that line, for Icinga takes lines without "|" for text.
 */
#include "assay/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "render/text_clean.h"

enum {
	MOST_BYTES = 4096, /* what Nagios reads; the rest it would cut anywhere */
	LAST_LINE = 48,    /* room to say that there are more drives */
	LINE = 400,
};

/* What is worth a curve; least and most: the ends of its scale. */
static const struct {
	const char *key, *label, *unit, *least, *most;
} curves[] = {
	{ "temperature.current_celsius", "temperature", "", "", "" },
	{ "endurance.used_percent", "used", "%", "0", "" },
	{ "endurance.rated_used_percent", "rated_used", "%", "0", "" },
	{ "endurance.spare_percent", "spare", "%", "0", "100" },
	{ "endurance.host_written_bytes", "host_written", "B", "0", "" },
	{ "usage.power_on_hours", "power_on_hours", "", "0", "" },
	{ "errors.reallocated_count", "reallocated", "c", "0", "" },
	{ "errors.pending_count", "pending", "", "0", "" },
	{ "errors.uncorrected_count", "uncorrected", "c", "0", "" },
	{ "errors.grown_defect_count", "grown_defects", "c", "0", "" },
	{ "errors.crc_count", "crc", "c", "0", "" },
};

/* Output that grows as long as it fits. */
struct output {
	FILE *file;
	size_t used;
};

static bool put(struct output *output, const char *text, size_t reserve)
{
	size_t len = strlen(text);

	if (output->used + len + reserve > MOST_BYTES)
		return false;
	fputs(text, output->file);
	output->used += len;
	return true;
}

/* "|" begins the performance data and must not stand in a text. */
static const char *plain(const char *text, char *clean, size_t size)
{
	text_clean(text, clean, size);
	for (char *at = clean; *at; at++)
		if (*at == '|')
			*at = '/';
	return clean;
}

static const char *drive_name(const struct document *document, char *clean, size_t size)
{
	const char *name = document->target;

	return plain(strncmp(name, "/dev/", 5) ? name : name + 5, clean, size);
}

/* Digits, sign and point only. */
static const char *number(double value, char *text, size_t size)
{
	snprintf(text, size, floor(value) >= value ? "%.0f" : "%.3f", value);
	return text;
}

/* The range in which a curve is well, by the rule of a state: "90", "10:". */
static const char *range(const struct document *document, const char *key, enum verdict_state state,
	char *text, size_t size)
{
	char limit[64];

	for (size_t i = 1; i < document->verdict_count; i++) {
		const struct verdict *verdict = &document->verdicts[i];

		if (verdict->limit_state != state || !verdict->key_count ||
			strcmp(verdict->keys[0], key) != 0)
			continue;
		snprintf(text, size, "%s%s", number(verdict->limit, limit, sizeof(limit)),
			verdict->limit_is_least ? ":" : "");
		return text;
	}
	return "";
}

/* One blank between two, and none before the first: Icinga takes a second one
 * for a part of the name. */
static void print_curves(FILE *file, const struct document *document, bool named)
{
	char name[128], text[64], warning[80], critical[80];
	const char *between = "";
	double value;

	drive_name(document, name, sizeof(name));
	for (char *at = name; *at; at++)
		if (*at == '\'' || *at == '=')
			*at = '_';
	for (size_t i = 0; document->facts && i < ARRAY_LEN(curves); i++) {
		const char *key = curves[i].key;

		if (!facts_number(document->facts, key, &value))
			continue;
		fprintf(file, "%s'%s%s%s'=%s%s;%s;%s;%s;%s", between, named ? name : "",
			named ? " " : "", curves[i].label, number(value, text, sizeof(text)),
			curves[i].unit,
			range(document, key, VERDICT_WARNING, warning, sizeof(warning)),
			range(document, key, VERDICT_FAILING, critical, sizeof(critical)),
			curves[i].least, curves[i].most);
		between = " ";
	}
}

/* The word is what the exit status says. */
static const char *state_word(const struct document *document)
{
	static const char *const words[] = {
		[EXIT_GOOD] = "OK", [EXIT_WARNING] = "WARNING", [EXIT_FAILING] = "CRITICAL"
	};

	return document->status <= EXIT_FAILING ? words[document->status] : "UNKNOWN";
}

static void print_text(FILE *file, const struct document *document)
{
	const char *model = document->facts ? facts_text(document->facts, "identity.model") : "";
	bool error = document->error && document->status > EXIT_FAILING;
	char name[LINE], who[LINE], why[LINE];

	fprintf(file, "%s: %s%s%s: %s", state_word(document),
		drive_name(document, name, sizeof(name)), *model ? " " : "",
		plain(model, who, sizeof(who)),
		plain(error ? document->error->text : document->verdicts[0].reason, why,
			sizeof(why)));
}

/* A text or the curves of a drive, to be freed. */
static char *part(const struct document *document, const char *before, bool curves_of, bool named)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	if (!file)
		return NULL;
	fputs(before, file);
	if (curves_of)
		print_curves(file, document, named);
	else
		print_text(file, document);
	fclose(file);
	return text;
}

static bool put_part(struct output *output, char *text, size_t reserve)
{
	bool fits = text && put(output, text, reserve);

	free(text);
	return fits;
}

static void put_others(struct output *output, const struct document *documents, size_t count)
{
	char more[LAST_LINE];
	size_t i;

	for (i = 1; i < count; i++)
		if (!put_part(output, part(&documents[i], "\n", false, true), LAST_LINE))
			break;
	snprintf(more, sizeof(more), "\nand %zu more, none worse", count - i);
	if (i < count)
		put(output, more, 1);
	for (i = 1; i < count; i++)
		if (!put_part(output, part(&documents[i], i == 1 ? " |" : " ", true, true), 1))
			break;
}

static void print_all(FILE *file, const struct document *documents, size_t count,
	const struct render_options *options)
{
	struct output output = { .file = file };
	char head[64];

	(void)options;
	snprintf(head, sizeof(head), count > 1 ? "ASSAY %zu drives, the worst " : "ASSAY ", count);
	if (count > 0) {
		put(&output, head, 1);
		put_part(&output, part(&documents[0], "", false, true), 1);
		put_part(&output, part(&documents[0], " | ", true, count > 1), 1);
		put_others(&output, documents, count);
	} else {
		put(&output, "ASSAY UNKNOWN: no drive was checked", 1);
	}
	fputc('\n', file);
}

const struct renderer renderer_nagios = { .name = "nagios", .print_all = print_all };
