/* Options of `assay bench`: one table, and those that several subcommands have. */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

#include "assay/array.h"

static int take_span(void *target, const char *text)
{
	struct bench_overrides *overrides = &((struct bench_options *)target)->overrides;
	char *end;
	double percent = strtod(text, &end);

	if (end != text && !strcmp(end, "%") && percent > 0 && percent <= 100)
		overrides->span_percent = percent;
	else if (!bytes_parse(text, &overrides->span_bytes))
		return option_wrong(&subcommand_bench, "span", text, "bytes or percent: 8GB, 75%");
	return -1;
}

static int take_offset(void *target, const char *text)
{
	struct bench_overrides *overrides = &((struct bench_options *)target)->overrides;

	overrides->has_offset = true;
	return bytes_parse(text, &overrides->offset_bytes)
		? -1
		: option_wrong(&subcommand_bench, "offset", text, "bytes: 4096, 4k, 128KiB, 8GB");
}

static int take_engine(void *target, const char *text)
{
	struct bench_options *options = target;

	for (int kind = ENGINE_AUTO; kind <= ENGINE_NONE; kind++)
		if (!strcmp(engine_name((enum engine_kind)kind), text)) {
			options->measure.engine = (enum engine_kind)kind;
			return -1;
		}
	return option_wrong(&subcommand_bench, "engine", text, "auto, uring, sync or none");
}

static int take_purge(void *target, const char *text)
{
	struct bench_options *options = target;

	options->purge = purge_of_name(text);
	return options->purge < PURGE_METHODS
		? -1
		: option_wrong(&subcommand_bench, "purge", text, "a way that --help names");
}

static int take_workload(void *target, const char *text)
{
	struct bench_options *options = target;

	if (options->name_count == BENCH_WORKLOADS)
		return option_wrong(&subcommand_bench, "workload", text, "fewer workloads");
	options->names[options->name_count++] = text;
	return -1;
}

static int take_format(void *target, const char *text)
{
	struct bench_options *options = target;

	if (!strcmp(text, "fio")) {
		options->export = text;
		return -1;
	}
	options->common.renderer = renderer_find(text);
	return options->common.renderer && options->common.renderer->print
		? -1
		: option_wrong(&subcommand_bench, "format", text, "text or json; of export: fio");
}

static const struct option_row rows[] = {
	{ "workload", 'W', OPTION_OWN, .take = take_workload, .argument = "NAME",
		.about = "a workload's name or file; repeat it" },
	{ "threads", 'T', OPTION_UNSIGNED, offsetof(struct bench_options, overrides.threads), 1,
		THREADS_MAX, .argument = "N", .about = "threads" },
	{ "depth", 'Q', OPTION_UNSIGNED, offsetof(struct bench_options, overrides.depth), 1,
		DEPTH_MAX, .argument = "N", .about = "outstanding accesses of each thread" },
	{ "batch", 0, OPTION_INT, offsetof(struct bench_options, overrides.batch), 0, DEPTH_MAX,
		.argument = "N", .about = "accesses that are submitted at once; 0: by the depth" },
	{ "block", 'b', OPTION_BYTES32, offsetof(struct bench_options, overrides.block_bytes), 512,
		IO_BYTES_MAX, .argument = "BYTES",
		.about = "size of the accesses: 4k, 128KiB, 1m" },
	{ "align", 0, OPTION_BYTES32, offsetof(struct bench_options, overrides.align_bytes), 512,
		IO_BYTES_MAX, .argument = "BYTES", .about = "alignment of the addresses" },
	{ "read-percent", 0, OPTION_REAL, offsetof(struct bench_options, overrides.read_percent), 0,
		100, .argument = "N", .about = "share of reads" },
	{ "random-percent", 0, OPTION_REAL,
		offsetof(struct bench_options, overrides.random_percent), 0, 100, .argument = "N",
		.about = "share of random addresses" },
	{ "compressible", 0, OPTION_REAL,
		offsetof(struct bench_options, overrides.compressible_percent), 0, 100,
		.argument = "N", .about = "percent of the data that can be compressed away" },
	{ "dedupe", 0, OPTION_REAL, offsetof(struct bench_options, overrides.dedupe_percent), 0,
		100, .argument = "N", .about = "percent of the blocks that are the same" },
	{ "span", 0, OPTION_OWN, .take = take_span, .argument = "BYTES|N%",
		.about = "part of the target that is used" },
	{ "offset", 0, OPTION_OWN, .take = take_offset, .argument = "BYTES",
		.about = "where that part begins" },
	{ "rate", 0, OPTION_REAL, offsetof(struct bench_options, overrides.rate_iops), 0, 1e9,
		.argument = "IOPS", .about = "open loop: accesses begin at this rate" },
	{ "poisson", 0, OPTION_FLAG, offsetof(struct bench_options, overrides.poisson),
		.about = "at random times, with --rate in the mean" },
	{ "time", 't', OPTION_REAL, offsetof(struct bench_options, measure.time_seconds), 0.01, 1e7,
		.argument = "SECONDS",
		.about = "of each point, and of each round of preconditioning" },
	{ "rounds", 0, OPTION_UNSIGNED, offsetof(struct bench_options, measure.rounds_max), 1,
		100000, .argument = "N", .about = "most rounds until the steady state" },
	{ "cool-down", 0, OPTION_REAL, offsetof(struct bench_options, measure.cooldown_seconds), 0,
		86400, .argument = "SECONDS", .about = "pause between points" },
	{ "no-precondition", 0, OPTION_FLAG,
		offsetof(struct bench_options, measure.no_precondition),
		.about = "measure at once" },
	{ "purge", 0, OPTION_OWN, .take = take_purge, .argument = "HOW",
		.about = "empty the drive first: discard, sanitize-block, -crypto, -overwrite, "
			 "security-erase, -erase-enhanced, format" },
	{ "engine", 0, OPTION_OWN, .take = take_engine, .argument = "ENGINE",
		.about = "auto, uring, sync or none" },
	{ "no-latency", 0, OPTION_FLAG, offsetof(struct bench_options, measure.no_latency),
		.about = "record no latencies: what recording costs" },
	{ "verify", 0, OPTION_FLAG, offsetof(struct bench_options, measure.verify),
		.about = "check every block that is read, and at the end all that was written" },
	{ "seed", 0, OPTION_COUNT64, offsetof(struct bench_options, measure.seed), .argument = "N",
		.about = "of the accesses (1)" },
	{ "stop-ios", 0, OPTION_COUNT64, offsetof(struct bench_options, measure.stop_ios),
		.argument = "N", .about = "each point ends after so many accesses" },
	{ "stop-bytes", 0, OPTION_BYTES64, offsetof(struct bench_options, measure.stop_bytes),
		.argument = "BYTES", .about = "each point ends after so many bytes" },
	{ "stop-drive-writes", 0, OPTION_REAL,
		offsetof(struct bench_options, measure.stop_drive_writes), 0, 1e6, .argument = "N",
		.about = "the run ends after so many drive writes" },
	{ "stop-celsius", 0, OPTION_REAL, offsetof(struct bench_options, measure.stop_celsius), 0,
		200, .argument = "N", .about = "the run ends at this temperature" },
	{ "meter", 0, OPTION_TEXT, offsetof(struct bench_options, meter), .argument = "SPEC",
		.about = "a power meter: hwmon: rail: file: cmd: fifo: const:" },
	{ "meter-interval", 0, OPTION_REAL, offsetof(struct bench_options, meter_interval_seconds),
		0.001, 60, .argument = "SECONDS", .about = "between its readings (0.1)" },
	{ "idle", 0, OPTION_REAL, offsetof(struct bench_options, measure.idle_seconds), 0, 86400,
		.argument = "SECONDS",
		.about = "leave the drive alone first, and see what it takes then" },
	{ "until-settled", 0, OPTION_REAL, offsetof(struct bench_options, measure.settle_seconds),
		10, 86400, .argument = "SECONDS",
		.about = "end once the temperature stays for so long, or heat slows the drive "
			 "down" },
	{ "cooling", 0, OPTION_REAL, offsetof(struct bench_options, measure.cooling_seconds), 0,
		86400, .argument = "SECONDS", .about = "watch the drive cool down at the end" },
	{ "temperature-interval", 0, OPTION_REAL,
		offsetof(struct bench_options, temperature_interval_seconds), 0.5, 3600,
		.argument = "SECONDS",
		.about = "between temperatures (1; 10 where reading one holds the drive up)" },
	{ "state", 0, OPTION_TEXT, offsetof(struct bench_options, measure.state_file),
		.argument = "FILE", .about = "keep what is done there, and go on with it" },
	{ "size", 0, OPTION_BYTES64, offsetof(struct bench_options, wanted.file_bytes),
		.argument = "BYTES", .about = "of a target that is a regular file" },
	{ "destroy-data", 0, OPTION_TEXT, offsetof(struct bench_options, wanted.destroy),
		.argument = "SERIAL",
		.about = "write: all data of the drive with this serial number is lost" },
	{ "force", 0, OPTION_FLAG, offsetof(struct bench_options, wanted.force),
		.about = "even over a file system or partitions" },
	{ "compat", 0, OPTION_TEXT, offsetof(struct bench_options, compat), .argument = "fio-json",
		.about = "the result in the shape of another program" },
	{ "format", 'f', OPTION_OWN, .take = take_format, .argument = "FORMAT",
		.about = "text or json; of export: fio" },
	{ "verbose", 'v', OPTION_FLAG, offsetof(struct bench_options, common.render.verbose),
		.about = "show seconds, latencies and conditions" },
};

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

int bench_options_read(int argc, char **argv, struct bench_options *options)
{
	const struct option_table tables[] = { { rows, ARRAY_LEN(rows), NULL },
		options_common("joq") };

	defaults(options);
	return option_tables_read(
		argc, argv, &subcommand_bench, tables, ARRAY_LEN(tables), options);
}

void bench_options_deinit(struct bench_options *options)
{
	options_deinit(&options->common);
}
