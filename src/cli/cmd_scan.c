/* assay scan: lists the drives of this host. */
#include "cli/cli.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/spec.h"
#include "assay/transport.h"

/* What a drive may take here, where mostly nothing is asked of it at all. */
enum { COMMAND_MS = 3000, DRIVE_MS = 5000 };

static const char sysfs[] = "/sys";

/* A path to a drive. */
struct found {
	const struct host_drive *host;
	struct capture capture;
	struct facts facts;
	struct error error;
	bool failed;
	struct found *same; /* the first path to the same drive; NULL: this is it */
};

struct scan {
	struct options options;
	struct spec_library library;
	struct found *found;
	char **targets;
	size_t count;
};

static bool is_drive(unsigned device_type)
{
	switch (device_type) {
	case 0x00: /* direct access */
	case 0x04: /* write once */
	case 0x07: /* optical memory */
	case 0x0e: /* simplified direct access */
	case 0x14: /* host managed zoned */
		return true;
	}
	return false;
}

static const char *node_of(const struct host_drive *host)
{
	return host->node[0] ? host->node : host->sg_node;
}

/* ---- Facts ---- */

static const struct column path_columns[] = {
	{ .name = "node", .label = "Node" },
	{ .name = "sg_node", .label = "SCSI generic node" },
	{ .name = "transport", .label = "Transport" },
	{ .name = "suspended", .label = "Suspended" },
};
static const struct table paths = {
	.name = "paths",
	.label = "Paths",
	.columns = path_columns,
	.column_count = ARRAY_LEN(path_columns),
};

static void add_path(struct facts *facts, const struct host_drive *host)
{
	struct source source = {
		.origin = ORIGIN_HOST, .parameter = -1, .text = "class/scsi_device"
	};
	struct row *row = facts_row(facts, &paths, source);

	row_set(row, "node", value_text_or_null(host->node));
	row_set(row, "sg_node", value_text_or_null(host->sg_node));
	row_set(row, "transport", value_text_or_null(host->transport));
	row_set(row, "suspended", value_flag(host->suspended));
}

/* Where no command was needed the block layer knows the size. */
static void add_capacity(struct facts *facts, const char *node)
{
	struct source source = { .origin = ORIGIN_HOST, .parameter = -1, .text = "block size" };
	uint64_t bytes;

	if (facts_uint(facts, "capacity.bytes", &bytes))
		return;
	bytes = host_size_bytes(sysfs, node);
	if (bytes)
		facts_add(facts, decoder_key("capacity.bytes"), value_uint(bytes), FACT_KNOWN,
			source, 0);
}

/* The family whose datasheet it has; nothing where none or several fit. */
static void add_datasheet(struct facts *facts, struct spec_library *library)
{
	static const struct key key = { "identity.datasheet", .label = "Datasheet" };
	struct spec_subject subject = spec_subject_of(facts);
	struct spec_matches matches;

	spec_match(library, &subject, &matches);
	if (matches.count != 1)
		return;
	struct source source = { .origin = ORIGIN_KNOWLEDGE,
		.parameter = -1,
		.text = facts_printf(facts, "%s", matches.reason) };
	facts_add(facts, &key,
		value_text(facts_printf(facts, "%s %s", matches.matches[0].sheet->vendor,
			matches.matches[0].sheet->family)),
		FACT_KNOWN, source, 0);
}

static bool same_fact(const struct facts *a, const struct facts *b, const char *key)
{
	return *facts_text(a, key) && !strcmp(facts_text(a, key), facts_text(b, key));
}

/* By the name of the logical unit, which is the same over all paths, else by
 * the serial number. */
static bool same_drive(const struct facts *a, const struct facts *b)
{
	if (*facts_text(a, "identity.wwn") && *facts_text(b, "identity.wwn"))
		return same_fact(a, b, "identity.wwn");
	return same_fact(a, b, "identity.model") && same_fact(a, b, "identity.serial");
}

static void merge_paths(struct scan *scan)
{
	for (size_t i = 0; i < scan->count; i++) {
		struct found *path = &scan->found[i];

		for (size_t k = 0; k < i && !path->same; k++)
			if (!scan->found[k].same && same_drive(&scan->found[k].facts, &path->facts))
				path->same = &scan->found[k];
		add_path(path->same ? &path->same->facts : &path->facts, path->host);
	}
}

/* ---- Text ---- */

enum {
	COLUMN_NODE,
	COLUMN_SG,
	COLUMN_TRANSPORT,
	COLUMN_VENDOR,
	COLUMN_MODEL,
	COLUMN_SERIAL,
	COLUMN_CAPACITY,
	COLUMN_DATASHEET,
	COLUMN_STATE,
	COLUMNS
};

struct line {
	char cells[COLUMNS][128];
};

static void append(char *cell, const char *text)
{
	size_t len = strlen(cell), size = sizeof(((struct line *)0)->cells[0]);

	if (text[0])
		snprintf(cell + len, size - len, "%s%s", len ? "," : "", text);
}

static const char *fact_or(const struct facts *facts, const char *key, const char *otherwise)
{
	return *facts_text(facts, key) ? facts_text(facts, key) : otherwise;
}

/* Behind SAT the kernel knows but "ATA". */
static const char *kernel_vendor(const struct host_drive *host)
{
	return strcmp(host->vendor, "ATA") ? host->vendor : "";
}

static void fill_line(struct line *line, const struct scan *scan, const struct found *drive)
{
	const struct facts *facts = &drive->facts;
	char human[64], *exact;
	uint64_t bytes;

	for (size_t i = 0; i < scan->count; i++) {
		const struct found *path = &scan->found[i];

		if (path != drive && path->same != drive)
			continue;
		append(line->cells[COLUMN_NODE], path->host->node);
		append(line->cells[COLUMN_SG], path->host->sg_node);
	}
	append(line->cells[COLUMN_TRANSPORT], drive->host->transport);
	append(line->cells[COLUMN_VENDOR],
		fact_or(facts, "identity.vendor", kernel_vendor(drive->host)));
	append(line->cells[COLUMN_MODEL], fact_or(facts, "identity.model", drive->host->model));
	append(line->cells[COLUMN_SERIAL], facts_text(facts, "identity.serial"));
	if (facts_uint(facts, "capacity.bytes", &bytes)) {
		value_human(value_uint(bytes), UNIT_BYTES, human, sizeof(human));
		if ((exact = strstr(human, " (")))
			*exact = '\0';
		append(line->cells[COLUMN_CAPACITY], human);
	}
	append(line->cells[COLUMN_DATASHEET], fact_or(facts, "identity.datasheet", "-"));
	if (drive->host->suspended)
		append(line->cells[COLUMN_STATE], "suspended");
	if (drive->failed)
		append(line->cells[COLUMN_STATE], drive->error.text);
}

static void print_lines(FILE *file, const struct line *lines, size_t count)
{
	int widths[COLUMNS] = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t c = 0; c < COLUMNS; c++) {
			int len = (int)strlen(lines[i].cells[c]);

			if (len > widths[c])
				widths[c] = len;
		}
	for (size_t i = 0; i < count; i++) {
		size_t last = COLUMNS;

		while (last > 0 && !lines[i].cells[last - 1][0])
			last--;
		for (size_t c = 0; c < last; c++)
			fprintf(file, "%-*s%s", c + 1 < last ? widths[c] : 0, lines[i].cells[c],
				c + 1 < last ? "  " : "\n");
	}
}

static void print_text(const struct scan *scan)
{
	static const struct line heading = { .cells = { "NODE", "SG NODE", "TRANSPORT", "VENDOR",
						     "MODEL", "SERIAL", "CAPACITY", "DATASHEET" } };
	struct line *lines = calloc(scan->count + 1, sizeof(*lines));
	size_t count = 0;

	if (!lines)
		return;
	lines[count++] = heading;
	for (size_t i = 0; i < scan->count; i++)
		if (!scan->found[i].same)
			fill_line(&lines[count++], scan, &scan->found[i]);
	if (count > 1)
		print_lines(scan->options.file, lines, count);
	else
		fputs("no SCSI or ATA drives found\n", scan->options.file);
	free(lines);
}

/* ---- Documents ---- */

static void print_drives(const struct scan *scan)
{
	size_t count = 0, index = 0;

	for (size_t i = 0; i < scan->count; i++)
		count += !scan->found[i].same;
	if (count < 2) /* of one the renderer makes no array */
		fputs("[\n", scan->options.file);
	for (size_t i = 0; i < scan->count; i++) {
		const struct found *found = &scan->found[i];
		struct document document = {
			.target = scan->targets[i],
			.capture = &found->capture,
			.facts = &found->facts,
			.error = found->failed ? &found->error : NULL,
		};

		if (!found->same)
			print_document(&scan->options, &document, index++, count);
	}
	if (count < 2)
		fputs("]\n", scan->options.file);
}

/* ---- The run ---- */

static void take(void *context, struct loaded *loaded, size_t index)
{
	struct scan *scan = context;

	(void)index;
	for (size_t i = 0; i < scan->count; i++) {
		struct found *found = &scan->found[i];

		if (scan->targets[i] != loaded->target)
			continue;
		found->capture = loaded->capture;
		found->error = loaded->error;
		found->failed = loaded->failed;
		loaded->capture = (struct capture) { 0 };
		decode(&found->capture, &found->facts);
		add_capacity(&found->facts, loaded->target);
		add_datasheet(&found->facts, &scan->library);
	}
}

static void scan_init(struct scan *scan, struct host_drive *drives, size_t count)
{
	scan->found = calloc(count + 1, sizeof(*scan->found));
	scan->targets = calloc(count + 1, sizeof(*scan->targets));
	for (size_t i = 0; scan->found && scan->targets && i < count; i++) {
		if (!is_drive(drives[i].device_type))
			continue;
		scan->found[scan->count].host = &drives[i];
		facts_init(&scan->found[scan->count].facts);
		scan->targets[scan->count++] = (char *)node_of(&drives[i]);
	}
}

static void scan_deinit(struct scan *scan)
{
	for (size_t i = 0; i < scan->count; i++) {
		facts_deinit(&scan->found[i].facts);
		capture_deinit(&scan->found[i].capture);
	}
	free(scan->found);
	free(scan->targets);
	spec_library_deinit(&scan->library);
	options_deinit(&scan->options);
}

static int run(int argc, char **argv)
{
	struct scan scan = { .count = 0 };
	struct host_drive *drives;
	size_t count;
	int status = options_read(argc, argv, &subcommand_scan, "fjvoq", &scan.options);

	if (status >= 0)
		return status;
	if (optind < argc) {
		fputs("assay scan: takes no TARGET; --help tells more\n", stderr);
		return EXIT_USAGE;
	}
	if (output_open(&scan.options) != 0)
		return EXIT_INTERNAL;
	scan.options.identity = true;
	scan.options.collect.limits = (struct command_limits) { COMMAND_MS, DRIVE_MS };
	count = host_scan(sysfs, &drives);
	scan_init(&scan, drives, count);
	spec_library_init(&scan.library);
	spec_load_library(&scan.library, SPEC_LITERALS);
	targets_load(scan.targets, scan.count, &scan.options, take, &scan);
	merge_paths(&scan);
	spec_complain(&scan.library, 0);
	if (scan.options.renderer == renderer_find("text"))
		print_text(&scan);
	else
		print_drives(&scan);
	status = output_close(&scan.options, EXIT_GOOD);
	scan_deinit(&scan);
	free(drives);
	return status;
}

const struct subcommand subcommand_scan = {
	.name = "scan",
	.arguments = "",
	.about = "lists drives: node, transport, vendor, model, serial number, capacity, datasheet",
	.run = run,
};
