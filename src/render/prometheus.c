/*
 * Prometheus text exposition (format 0.0.4) for the textfile collector: base
 * units, one info metric, every other metric with the one label `drive`.
 * docs/assay-metrics.7 lists the metrics; their names and meanings never change.
 */
#include "assay/render.h"
#include "assay/arena.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/array.h"
#include "render/text_clean.h"

/* A metric that is a fact, and the factor that makes it a base unit. */
static const struct metric {
	const char *name, *key, *type, *help;
	double factor;
} metrics[] = {
	{ "assay_temperature_celsius", "temperature.current_celsius", "gauge", "Temperature", 1 },
	{ "assay_temperature_limit_celsius", "temperature.limit_celsius", "gauge",
		"Highest temperature that the drive is specified for", 1 },
	{ "assay_over_temperature_seconds_total", "temperature.over_limit_minutes", "counter",
		"Time above that temperature", 60 },
	{ "assay_throttle_total", "temperature.throttle_count", "counter",
		"Thermal throttling events", 1 },
	{ "assay_capacity_bytes", "capacity.bytes", "gauge", "Capacity", 1 },
	{ "assay_power_on_seconds_total", "usage.power_on_hours", "counter", "Power-on time",
		3600 },
	{ "assay_power_cycles_total", "usage.power_cycle_count", "counter", "Power cycles", 1 },
	{ "assay_unsafe_shutdowns_total", "power_loss.unsafe_shutdown_count", "counter",
		"Power losses without warning", 1 },
	{ "assay_endurance_used_ratio", "endurance.used_percent", "gauge",
		"Part of the rated life that is used, by the drive's own word; may exceed 1",
		0.01 },
	{ "assay_endurance_rated_used_ratio", "endurance.rated_used_percent", "gauge",
		"Part of the datasheet's rated writes that is used; may exceed 1", 0.01 },
	{ "assay_spare_ratio", "endurance.spare_percent", "gauge", "Spare blocks left", 0.01 },
	{ "assay_host_written_bytes_total", "endurance.host_written_bytes", "counter",
		"Bytes written by the host", 1 },
	{ "assay_host_read_bytes_total", "endurance.host_read_bytes", "counter",
		"Bytes read by the host", 1 },
	{ "assay_nand_written_bytes_total", "endurance.nand_written_bytes", "counter",
		"Bytes written to flash", 1 },
	{ "assay_rated_written_bytes", "endurance.rated_written_bytes", "gauge",
		"Bytes that the datasheet rates the drive for", 1 },
	{ "assay_uncorrected_errors_total", "errors.uncorrected_count", "counter",
		"Errors that lost data", 1 },
	{ "assay_reallocated_total", "errors.reallocated_count", "counter", "Replaced sectors", 1 },
	{ "assay_pending_sectors", "errors.pending_count", "gauge",
		"Sectors that cannot be read now", 1 },
	{ "assay_grown_defects_total", "errors.grown_defect_count", "counter", "Grown defects", 1 },
	{ "assay_crc_errors_total", "errors.crc_count", "counter", "Damaged transfers", 1 },
	{ "assay_link_bytes_per_second", "link.now_gbps", "gauge",
		"Line rate of the link, every bit of it counted", 1e9 / 8 },
};

enum { LABEL_BYTES = 512 };

/* A label's value: backslash, quote and newline escaped. */
static void print_label(FILE *file, const char *name, const char *value, const char *after)
{
	char clean[LABEL_BYTES];

	fprintf(file, "%s=\"", name);
	for (text_clean(value, clean, sizeof(clean)), value = clean; *value; value++) {
		if (*value == '\\' || *value == '"')
			fputc('\\', file);
		fputc(*value, file);
	}
	fprintf(file, "\"%s", after);
}

/* The drive's label: its node without /dev/. */
static const char *drive_name(const struct document *document)
{
	const char *name = document->target;

	return strncmp(name, "/dev/", 5) ? name : name + 5;
}

static void print_drive(FILE *file, const char *metric, const struct document *document)
{
	fprintf(file, "%s{", metric);
	print_label(file, "drive", drive_name(document), "");
}

static const char *text_of(const struct document *document, const char *key)
{
	return document->facts ? facts_text(document->facts, key) : "";
}

static void print_value(
	FILE *file, const char *metric, const struct document *document, double value)
{
	print_drive(file, metric, document);
	fprintf(file, floor(value) >= value ? "} %.0f\n" : "} %.15g\n", value);
}

static void print_head(FILE *file, const char *name, const char *type, const char *help)
{
	fprintf(file, "# HELP %s %s.\n# TYPE %s %s\n", name, help, name, type);
}

static void print_metric(
	FILE *file, const struct metric *metric, const struct document *documents, size_t count)
{
	bool headed = false;
	double value;

	for (size_t i = 0; i < count; i++) {
		if (!documents[i].facts || !facts_number(documents[i].facts, metric->key, &value))
			continue;
		if (!headed)
			print_head(file, metric->name, metric->type, metric->help);
		headed = true;
		print_value(file, metric->name, &documents[i], value * metric->factor);
	}
}

static void print_info(FILE *file, const struct document *documents, size_t count)
{
	static const char *const labels[][2] = { { "vendor", "identity.vendor" },
		{ "model", "identity.model" }, { "serial", "identity.serial" },
		{ "firmware", "identity.firmware" }, { "wwn", "identity.wwn" },
		{ "protocol", "identity.protocol" } };

	for (size_t i = 0; i < count; i++) {
		if (i == 0)
			print_head(file, "assay_drive_info", "gauge", "Who the drive is");
		print_drive(file, "assay_drive_info", &documents[i]);
		for (size_t l = 0; l < ARRAY_LEN(labels); l++) {
			fputc(',', file);
			print_label(file, labels[l][0], text_of(&documents[i], labels[l][1]), "");
		}
		fputs("} 1\n", file);
	}
}

/* -1 unknown: what a rule can tell from 0 ok, 1 warning, 2 failing. */
static double state_number(enum verdict_state state)
{
	return state == VERDICT_OK         ? 0
		: state == VERDICT_WARNING ? 1
		: state == VERDICT_FAILING ? 2
					   : -1;
}

/* What a sleeping drive did not say may be bad. */
static enum verdict_state sum_of(const struct document *document)
{
	enum verdict_state state = document->verdicts[0].state;

	return document->asleep && state == VERDICT_OK ? VERDICT_UNKNOWN : state;
}

static void print_health(FILE *file, const struct document *documents, size_t count)
{
	if (count == 0)
		return;
	print_head(file, "assay_health", "gauge",
		"0 ok, 1 warning, 2 failing, -1 nothing could be judged");
	for (size_t i = 0; i < count; i++)
		print_value(
			file, "assay_health", &documents[i], state_number(sum_of(&documents[i])));
	print_head(file, "assay_check_success", "gauge", "1 where the drive could be read");
	for (size_t i = 0; i < count; i++)
		print_value(file, "assay_check_success", &documents[i], !documents[i].error);
}

static void print_rules(FILE *file, const struct document *documents, size_t count)
{
	bool headed = false;

	for (size_t i = 0; i < count; i++)
		for (size_t v = 1; v < documents[i].verdict_count; v++) {
			const struct verdict *verdict = &documents[i].verdicts[v];

			if (verdict->state == VERDICT_OK)
				continue;
			if (!headed)
				print_head(file, "assay_rule", "gauge",
					"A rule that is broken: 1 warning, 2 failing");
			headed = true;
			print_drive(file, "assay_rule", &documents[i]);
			fputc(',', file);
			print_label(file, "rule", verdict->id, "");
			fprintf(file, "} %.0f\n", state_number(verdict->state));
		}
}

static void print_power(FILE *file, const struct document *documents, size_t count)
{
	bool headed = false;

	for (size_t i = 0; i < count; i++) {
		const char *state = text_of(&documents[i], "power.state");

		if (!*state)
			continue;
		if (!headed)
			print_head(
				file, "assay_power_state", "gauge", "The power state of the drive");
		headed = true;
		print_drive(file, "assay_power_state", &documents[i]);
		fputc(',', file);
		print_label(file, "state", state, "} 1\n");
	}
}

static bool same_name(const struct document *one, const struct document *other)
{
	char a[LABEL_BYTES], b[LABEL_BYTES];

	return !strcmp(text_clean(drive_name(one), a, sizeof(a)),
		text_clean(drive_name(other), b, sizeof(b)));
}

static bool told_before(const struct document *documents, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (same_name(&documents[i], &documents[index]))
			return true;
	return false;
}

static void print_everything(FILE *file, const struct document *documents, size_t count)
{
	print_info(file, documents, count);
	print_health(file, documents, count);
	print_power(file, documents, count);
	print_rules(file, documents, count);
	for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
		print_metric(file, &metrics[i], documents, count);
	print_head(file, "assay_check_timestamp_seconds", "gauge", "When this file was written");
	fprintf(file, "assay_check_timestamp_seconds %lld\n", (long long)time(NULL));
}

/* One series twice, and the collector drops the whole file: a drive that was
 * named twice is told once. */
static void print_all(FILE *file, const struct document *documents, size_t count,
	const struct render_options *options)
{
	struct document *distinct = NULL;
	size_t n = 0;

	(void)options;
	for (size_t i = 0; i < count; i++) {
		if (told_before(documents, i))
			continue;
		distinct = array_grow(distinct, n, sizeof(*distinct));
		distinct[n++] = documents[i];
	}
	print_everything(file, distinct, n);
	free(distinct);
}

const struct renderer renderer_prometheus = { .name = "prometheus", .print_all = print_all };
