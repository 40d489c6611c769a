/* assay power --thermal: a load until the drive is as warm as it gets, against what
 * its datasheet says of heat and power. */
#include "cli/bench.h"

#include <string.h>

#include "cli/power.h"

/* Of all verdicts only those that such a run is about. */
static void keep_heat(struct verification *verification)
{
	size_t kept = 0;

	for (size_t i = 0; i < verification->count; i++) {
		const char *id = verification->verdicts[i].id;

		if (!strncmp(id, "temperature.", 12) || !strncmp(id, "power.", 6))
			verification->verdicts[kept++] = verification->verdicts[i];
	}
	verification->count = kept;
}

void bench_judge_heat(
	struct facts *after, struct facts *measured, struct verification *verification)
{
	struct verify_options options = { 0 };
	struct measurements measurements;
	struct spec_library library;
	struct spec_matches matches;

	spec_library_init(&library);
	measurements_init(&measurements);
	measurements_take(measured, &measurements);
	if (datasheet_find(&library, after, &matches)) {
		const struct spec_match *match = &matches.matches[0];
		struct verify_subject subject = { .library = &library,
			.facts = after,
			.match = match,
			.measurements = &measurements };

		facts_note(measured, NULL, "datasheet: %s %s", match->sheet->vendor,
			match->sheet->family);
		verify(&subject, &options, verification);
		keep_heat(verification);
	} else {
		facts_note(measured, NULL, "no datasheet: %s", matches.reason);
	}
	measurements_deinit(&measurements);
	spec_library_deinit(&library);
}

int power_thermal(const char *path, struct power_cli *cli)
{
	struct bench_options options = {
		.common = cli->common,
		.names = { cli->workload ? cli->workload : "at-128k-seq-r" },
		.name_count = 1,
		.overrides = { .batch = -1,
			.depth = cli->workload ? 0 : 32,
			.read_percent = -1,
			.random_percent = -1,
			.rate_iops = -1,
			.compressible_percent = -1,
			.dedupe_percent = -1 },
		.measure = { .cooldown_seconds = -1,
			.seed = 1,
			.no_precondition = true,
			.time_seconds = cli->thermal_seconds,
			.settle_seconds = cli->settle_seconds,
			.stop_celsius = cli->stop_celsius,
			.cooling_seconds = cli->cooling_seconds },
		.wanted = { .destroy = cli->power.destroy, .force = cli->power.force },
		.meter = cli->meter,
		.meter_interval_seconds = cli->meter_interval_seconds,
		.judge_heat = true,
	};
	struct workloads workloads;

	workloads_init(&workloads);
	int status = bench_target(path, &options, &workloads);

	workloads_deinit(&workloads);
	return status;
}
