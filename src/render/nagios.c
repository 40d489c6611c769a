/*
 * Nagios and Icinga plug-in output (monitoring plug-in guidelines, "Plugin
 * Output", "Performance data"): a line of text, "|", performance data; then a
 * line for each further drive, "|", and the performance data of those, which
 * stand in that line, for Icinga takes lines without "|" for text.
 */
#include "assay/arena.h"
#include "assay/render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "render/text_clean.h"

enum {
	MOST_BYTES = 4096, /* what is read of a plug-in; the rest would be cut anywhere */
	MOST_DATA = 2048,  /* that texts leave to performance data, whatever they want */
	LAST_LINES = 160,  /* room to say what was left out */
	LINE = 400,
};

/* What is worth a curve, the most telling first; least and most: the ends of its scale. */
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
static void print_curves(
	FILE *file, const struct document *document, bool named, size_t first_curves)
{
	char name[128], text[64], warning[80], critical[80];
	const char *between = "";
	double value;

	drive_name(document, name, sizeof(name));
	for (char *at = name; *at; at++)
		if (*at == '\'' || *at == '=')
			*at = '_';
	for (size_t i = 0; document->facts && i < first_curves; i++) {
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

/* ---- What there is room for ---- */

/* Of a run: the drives with a text, the drives with data, and of how many curves. */
struct plan {
	size_t texts, data, curves;
};

/* A text of a drive, or that many of its curves, to be freed. */
static char *part(const struct document *document, size_t first_curves, bool named)
{
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	if (!file)
		return NULL;
	if (first_curves)
		print_curves(file, document, named, first_curves);
	else
		print_text(file, document);
	fclose(file);
	return text;
}

/* How many drives have room for that, from the first one on; *used grows by what they take. */
static size_t that_fit(const struct document *documents, size_t count, size_t first_curves,
	size_t room, size_t *used)
{
	for (size_t i = 0; i < count; i++) {
		char *text = part(&documents[i], first_curves, count > 1);
		size_t bytes = (text ? strlen(text) : 0) + 1;

		free(text);
		if (*used + bytes > room)
			return i;
		*used += bytes;
	}
	return count;
}

/* A text and a curve of each drive, then the same curves of each, as many as fit: one that
 * comes and goes with the order of the drives is of no use. */
static struct plan plan_of(const struct document *documents, size_t count, size_t head)
{
	struct plan plan = { .curves = ARRAY_LEN(curves) };
	size_t data = 0, used = head, room = MOST_BYTES - LAST_LINES;

	if (that_fit(documents, count, 1, MOST_DATA, &data) < count)
		data = MOST_DATA;
	plan.texts = that_fit(documents, count, 0, room - data, &used);
	for (;; plan.curves--) {
		size_t all = used;

		plan.data = that_fit(documents, count, plan.curves, room, &all);
		if (plan.data == count || plan.curves == 1)
			return plan;
	}
}

/* ---- All of it ---- */

/* False where there is nothing to be told. */
static bool print_part(FILE *file, const char *before, const struct document *document,
	size_t first_curves, bool named)
{
	char *text = part(document, first_curves, named);
	bool some = text && *text;

	if (some)
		fprintf(file, "%s%s", before, text);
	free(text);
	return some;
}

static void print_left_out(FILE *file, const struct plan *plan, size_t count)
{
	if (plan->texts < count)
		fprintf(file, "\nand %zu more, none worse", count - plan->texts);
	if (plan->curves < ARRAY_LEN(curves))
		fprintf(file, "\nperformance data cut to the first %zu of %zu a drive",
			plan->curves, ARRAY_LEN(curves));
	if (plan->data < count)
		fprintf(file, ", and to %zu drives", plan->data);
}

static void print_drives(FILE *file, const struct document *documents, size_t count)
{
	char head[64];
	int len = snprintf(
		head, sizeof(head), count > 1 ? "ASSAY %zu drives, the worst " : "ASSAY ", count);
	struct plan plan = plan_of(documents, count, (size_t)len + sizeof(" |  |"));
	bool some = false;

	print_part(file, head, documents, 0, true);
	print_part(file, " | ", documents, plan.curves, count > 1);
	for (size_t i = 1; i < plan.texts; i++)
		print_part(file, "\n", &documents[i], 0, true);
	print_left_out(file, &plan, count);
	for (size_t i = 1; i < plan.data; i++)
		some |= print_part(file, some ? " " : " |", &documents[i], plan.curves, true);
}

static void print_all(FILE *file, const struct document *documents, size_t count,
	const struct render_options *options)
{
	(void)options;
	if (count > 0)
		print_drives(file, documents, count);
	else
		fputs("ASSAY UNKNOWN: no drive was checked", file);
	fputc('\n', file);
}

const struct renderer renderer_nagios = { .name = "nagios", .print_all = print_all };
