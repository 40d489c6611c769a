/* Options of `assay bench`: one table, by the kind of their values. */
#include "cli/bench.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum kind {
	KIND_FLAG,     /* bool: true */
	KIND_TEXT,     /* const char * */
	KIND_UNSIGNED, /* within limits */
	KIND_INT,
	KIND_REAL,
	KIND_BYTES32,
	KIND_BYTES64,
	KIND_COUNT64,
	KIND_SPAN, /* bytes, or percent */
	KIND_OFFSET,
	KIND_WORKLOAD,
	KIND_ENGINE,
	KIND_PURGE,
	KIND_FORMAT,
	KIND_JSON,
	KIND_HELP,
};

/* An option and where its value goes, in struct bench_options. */
static const struct {
	const char *name;
	char letter; /* 0: none */
	enum kind kind;
	size_t offset;
	double least, most;
	const char *argument, *about;
} table[] = {
	{ "workload", 'W', KIND_WORKLOAD, 0, 0, 0, "NAME", "a workload's name or file; repeat it" },
	{ "threads", 'T', KIND_UNSIGNED, offsetof(struct bench_options, overrides.threads), 1,
		THREADS_MAX, "N", "threads" },
	{ "depth", 'Q', KIND_UNSIGNED, offsetof(struct bench_options, overrides.depth), 1,
		DEPTH_MAX, "N", "outstanding accesses of each thread" },
	{ "batch", 0, KIND_INT, offsetof(struct bench_options, overrides.batch), 0, DEPTH_MAX, "N",
		"accesses that are submitted at once; 0: by the depth" },
	{ "block", 'b', KIND_BYTES32, offsetof(struct bench_options, overrides.block_bytes), 512,
		IO_BYTES_MAX, "BYTES", "size of the accesses: 4k, 128KiB, 1m" },
	{ "align", 0, KIND_BYTES32, offsetof(struct bench_options, overrides.align_bytes), 512,
		IO_BYTES_MAX, "BYTES", "alignment of the addresses" },
	{ "read-percent", 0, KIND_REAL, offsetof(struct bench_options, overrides.read_percent), 0,
		100, "N", "share of reads" },
	{ "random-percent", 0, KIND_REAL, offsetof(struct bench_options, overrides.random_percent),
		0, 100, "N", "share of random addresses" },
	{ "compressible", 0, KIND_REAL,
		offsetof(struct bench_options, overrides.compressible_percent), 0, 100, "N",
		"percent of the data that can be compressed away" },
	{ "dedupe", 0, KIND_REAL, offsetof(struct bench_options, overrides.dedupe_percent), 0, 100,
		"N", "percent of the blocks that are the same" },
	{ "span", 0, KIND_SPAN, 0, 0, 0, "BYTES|N%", "part of the target that is used" },
	{ "offset", 0, KIND_OFFSET, 0, 0, 0, "BYTES", "where that part begins" },
	{ "rate", 0, KIND_REAL, offsetof(struct bench_options, overrides.rate_iops), 0, 1e9, "IOPS",
		"open loop: accesses begin at this rate" },
	{ "poisson", 0, KIND_FLAG, offsetof(struct bench_options, overrides.poisson), 0, 0, NULL,
		"at random times, with --rate in the mean" },
	{ "time", 't', KIND_REAL, offsetof(struct bench_options, measure.time_seconds), 0.01, 1e7,
		"SECONDS", "of each point, and of each round of preconditioning" },
	{ "rounds", 0, KIND_UNSIGNED, offsetof(struct bench_options, measure.rounds_max), 1, 100000,
		"N", "most rounds until the steady state" },
	{ "cool-down", 0, KIND_REAL, offsetof(struct bench_options, measure.cooldown_seconds), 0,
		86400, "SECONDS", "pause between points" },
	{ "no-precondition", 0, KIND_FLAG, offsetof(struct bench_options, measure.no_precondition),
		0, 0, NULL, "measure at once" },
	{ "purge", 0, KIND_PURGE, 0, 0, 0, "HOW",
		"empty the drive first: discard, sanitize-block, -crypto, -overwrite, "
		"security-erase, -erase-enhanced, format" },
	{ "engine", 0, KIND_ENGINE, 0, 0, 0, "ENGINE", "auto, uring, sync or none" },
	{ "no-latency", 0, KIND_FLAG, offsetof(struct bench_options, measure.no_latency), 0, 0,
		NULL, "record no latencies: what recording costs" },
	{ "verify", 0, KIND_FLAG, offsetof(struct bench_options, measure.verify), 0, 0, NULL,
		"check every block that is read, and at the end all that was written" },
	{ "seed", 0, KIND_COUNT64, offsetof(struct bench_options, measure.seed), 0, 0, "N",
		"of the accesses (1)" },
	{ "stop-ios", 0, KIND_COUNT64, offsetof(struct bench_options, measure.stop_ios), 0, 0, "N",
		"each point ends after so many accesses" },
	{ "stop-bytes", 0, KIND_BYTES64, offsetof(struct bench_options, measure.stop_bytes), 0, 0,
		"BYTES", "each point ends after so many bytes" },
	{ "stop-drive-writes", 0, KIND_REAL,
		offsetof(struct bench_options, measure.stop_drive_writes), 0, 1e6, "N",
		"the run ends after so many drive writes" },
	{ "stop-celsius", 0, KIND_REAL, offsetof(struct bench_options, measure.stop_celsius), 0,
		200, "N", "the run ends at this temperature" },
	{ "meter", 0, KIND_TEXT, offsetof(struct bench_options, meter), 0, 0, "SPEC",
		"a power meter: hwmon: rail: file: cmd: fifo: const:" },
	{ "meter-interval", 0, KIND_REAL, offsetof(struct bench_options, meter_interval_seconds),
		0.001, 60, "SECONDS", "between its readings (0.1)" },
	{ "idle", 0, KIND_REAL, offsetof(struct bench_options, measure.idle_seconds), 0, 86400,
		"SECONDS", "leave the drive alone first, and see what it takes then" },
	{ "until-settled", 0, KIND_REAL, offsetof(struct bench_options, measure.settle_seconds), 10,
		86400, "SECONDS",
		"end once the temperature stays for so long, or heat slows the drive down" },
	{ "cooling", 0, KIND_REAL, offsetof(struct bench_options, measure.cooling_seconds), 0,
		86400, "SECONDS", "watch the drive cool down at the end" },
	{ "temperature-interval", 0, KIND_REAL,
		offsetof(struct bench_options, temperature_interval_seconds), 0.5, 3600, "SECONDS",
		"between temperatures (1; 10 where reading one holds the drive up)" },
	{ "state", 0, KIND_TEXT, offsetof(struct bench_options, measure.state_file), 0, 0, "FILE",
		"keep what is done there, and go on with it" },
	{ "size", 0, KIND_BYTES64, offsetof(struct bench_options, wanted.file_bytes), 0, 0, "BYTES",
		"of a target that is a regular file" },
	{ "destroy-data", 0, KIND_TEXT, offsetof(struct bench_options, wanted.destroy), 0, 0,
		"SERIAL", "write: all data of the drive with this serial number is lost" },
	{ "force", 0, KIND_FLAG, offsetof(struct bench_options, wanted.force), 0, 0, NULL,
		"even over a file system or partitions" },
	{ "compat", 0, KIND_TEXT, offsetof(struct bench_options, compat), 0, 0, "fio-json",
		"the result in the shape of another program" },
	{ "format", 'f', KIND_FORMAT, 0, 0, 0, "FORMAT", "text or json; of export: fio" },
	{ "json", 'j', KIND_JSON, 0, 0, 0, NULL, "the same as --format json" },
	{ "verbose", 'v', KIND_FLAG, offsetof(struct bench_options, common.render.verbose), 0, 0,
		NULL, "show seconds, latencies and conditions" },
	{ "output", 'o', KIND_TEXT, offsetof(struct bench_options, common.output), 0, 0, "FILE",
		"write there" },
	{ "quiet", 'q', KIND_FLAG, offsetof(struct bench_options, common.quiet), 0, 0, NULL,
		"show no progress" },
	{ "help", 'h', KIND_HELP, 0, 0, 0, NULL, "show this" },
};

enum { OPTIONS = sizeof(table) / sizeof(table[0]), FIRST = 1000 };

static void help(void)
{
	char name[48];

	printf("usage: assay %s [OPTION...] %s\n\n%s.\n\n", subcommand_bench.name,
		subcommand_bench.arguments, subcommand_bench.about);
	for (size_t i = 0; i < OPTIONS; i++) {
		char letter[8] = "    ";

		if (table[i].letter)
			snprintf(letter, sizeof(letter), "-%c, ", table[i].letter);
		snprintf(name, sizeof(name), "%s--%s%s%s", letter, table[i].name,
			table[i].argument ? " " : "", table[i].argument ? table[i].argument : "");
		printf("  %-32s %s\n", name, table[i].about);
	}
}

static int wrong(size_t row, const char *expected)
{
	fprintf(stderr, "assay bench: --%s '%s': expected %s\n", table[row].name, optarg, expected);
	return EXIT_USAGE;
}

/* A number within the row's limits, -1 and a message where it is none. */
static int read_number(size_t row, bool whole, double *number)
{
	char expected[80], *end;

	*number = strtod(optarg, &end);
	if (end != optarg && !*end && *number >= table[row].least && *number <= table[row].most &&
		(!whole || floor(*number) >= *number))
		return -1;
	snprintf(expected, sizeof(expected), "a %s from %g to %g",
		whole ? "whole number" : "number", table[row].least, table[row].most);
	return wrong(row, expected);
}

static int read_bytes(size_t row, uint64_t *bytes)
{
	if (bytes_parse(optarg, bytes))
		return -1;
	return wrong(row, "bytes: 4096, 4k, 128KiB, 8GB");
}

static int read_span(size_t row, struct bench_overrides *overrides)
{
	char *end;
	double percent = strtod(optarg, &end);

	if (end != optarg && !strcmp(end, "%") && percent > 0 && percent <= 100) {
		overrides->span_percent = percent;
		return -1;
	}
	return read_bytes(row, &overrides->span_bytes);
}

static int read_engine(size_t row, struct bench_options *options)
{
	for (int kind = ENGINE_AUTO; kind <= ENGINE_NONE; kind++)
		if (!strcmp(engine_name((enum engine_kind)kind), optarg)) {
			options->measure.engine = (enum engine_kind)kind;
			return -1;
		}
	return wrong(row, "auto, uring, sync or none");
}

static int read_purge(size_t row, struct bench_options *options)
{
	options->purge = purge_of_name(optarg);
	return options->purge < PURGE_METHODS ? -1 : wrong(row, "a way that --help names");
}

static int read_workload(size_t row, struct bench_options *options)
{
	if (options->name_count == BENCH_WORKLOADS)
		return wrong(row, "fewer workloads");
	options->names[options->name_count++] = optarg;
	return -1;
}

static int read_format(size_t row, struct bench_options *options)
{
	if (!strcmp(optarg, "fio")) {
		options->export = optarg;
		return -1;
	}
	options->common.renderer = renderer_find(optarg);
	return options->common.renderer && options->common.renderer->print
		? -1
		: wrong(row, "text or json");
}

static int read_count(size_t row, uint64_t *count)
{
	char *end;

	*count = strtoull(optarg, &end, 10);
	return end != optarg && !*end && *optarg != '-' ? -1 : wrong(row, "a whole number");
}

/* Values that are stored as they are read. */
static int take_plain(size_t row, void *at)
{
	double number = 0;
	uint64_t bytes = 0;
	int status = -1;

	switch (table[row].kind) {
	case KIND_FLAG:
		*(bool *)at = true;
		break;
	case KIND_TEXT:
		*(const char **)at = optarg;
		break;
	case KIND_UNSIGNED:
		status = read_number(row, true, &number);
		*(unsigned *)at = (unsigned)number;
		break;
	case KIND_INT:
		status = read_number(row, true, &number);
		*(int *)at = (int)number;
		break;
	case KIND_REAL:
		status = read_number(row, false, at);
		break;
	case KIND_BYTES32:
		status = read_bytes(row, &bytes);
		if (status < 0 &&
			((double)bytes < table[row].least || (double)bytes > table[row].most))
			status = wrong(row, "512 bytes to 64 MiB");
		*(uint32_t *)at = (uint32_t)bytes;
		break;
	case KIND_BYTES64:
		return read_bytes(row, at);
	default:
		return read_count(row, at);
	}
	return status;
}

static int take(size_t row, struct bench_options *options)
{
	switch (table[row].kind) {
	case KIND_SPAN:
		return read_span(row, &options->overrides);
	case KIND_OFFSET:
		options->overrides.has_offset = true;
		return read_bytes(row, &options->overrides.offset_bytes);
	case KIND_WORKLOAD:
		return read_workload(row, options);
	case KIND_ENGINE:
		return read_engine(row, options);
	case KIND_PURGE:
		return read_purge(row, options);
	case KIND_FORMAT:
		return read_format(row, options);
	case KIND_JSON:
		options->common.renderer = renderer_find("json");
		return -1;
	case KIND_HELP:
		help();
		return EXIT_GOOD;
	default:
		return take_plain(row, (char *)options + table[row].offset);
	}
}

static void defaults(struct bench_options *options)
{
	*options = (struct bench_options) { .overrides = { .batch = -1,
						    .read_percent = -1,
						    .random_percent = -1,
						    .rate_iops = -1,
						    .compressible_percent = -1,
						    .dedupe_percent = -1 },
		.measure = { .cooldown_seconds = -1, .seed = 1 } };
	options_default(&subcommand_bench, &options->common);
}

static size_t row_of(int value)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (table[i].letter && table[i].letter == value)
			return i;
	return (size_t)(value - FIRST);
}

int bench_options_read(int argc, char **argv, struct bench_options *options)
{
	struct option longs[OPTIONS + 1] = { 0 };
	char shorts[2 * OPTIONS + 1], *at = shorts;
	int value, status = -1;

	defaults(options);
	for (size_t i = 0; i < OPTIONS; i++) {
		longs[i] = (struct option) { table[i].name,
			table[i].argument ? required_argument : no_argument, NULL,
			table[i].letter ? table[i].letter : FIRST + (int)i };
		if (!table[i].letter)
			continue;
		*at++ = table[i].letter;
		if (table[i].argument)
			*at++ = ':';
	}
	*at = '\0';
	optind = 0;
	while (status < 0 && (value = getopt_long(argc, argv, shorts, longs, NULL)) != -1)
		status = value == '?' ? EXIT_USAGE : take(row_of(value), options);
	return status;
}

void bench_options_deinit(struct bench_options *options)
{
	options_deinit(&options->common);
}
