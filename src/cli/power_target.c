/* A power run on one drive: who it is, may it be, how it went. */
#include "cli/power.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "assay/measure.h"
#include "assay/transport.h"
#include "assay/verify.h"
#include "cli/bench.h"

/* Where a second signal ends all at once, the journal is what restores. */
static const char ended_at_once[] =
	"\nassay power: ended at once; assay power --restore puts back what was changed\n";

static void show_progress(void *context, const char *text)
{
	(void)context;
	progress_line("%s", text);
}

/* What a run needs of its drive. */
struct chosen {
	const char *path;
	struct capture capture;
	struct facts facts;
	char node[64]; /* of its block device; "" */
	char journal[320];
	struct power_subject subject;
};

static void name_journal(struct chosen *chosen, const struct power_cli *cli)
{
	const char *serial = facts_text(&chosen->facts, "identity.serial");
	char name[128];
	size_t i = 0;

	if (cli->journal) {
		snprintf(chosen->journal, sizeof(chosen->journal), "%s", cli->journal);
		return;
	}
	if (!*serial)
		serial = strrchr(chosen->path, '/') ? strrchr(chosen->path, '/') + 1 : chosen->path;
	for (; serial[i] && i + 1 < sizeof(name); i++)
		name[i] = strchr("/ .", serial[i]) ? '_' : serial[i];
	name[i] = '\0';
	snprintf(chosen->journal, sizeof(chosen->journal), "/var/lib/assay/power-%s.json", name);
}

static int choose(
	struct chosen *chosen, const char *path, struct power_cli *cli, struct error *error)
{
	chosen->path = path;
	ask_drive(path, &cli->common, &chosen->capture, &chosen->facts);
	const char *node = capture_host_value(&chosen->capture, "node");

	if (node)
		snprintf(chosen->node, sizeof(chosen->node), "/dev/%s", node);
	name_journal(chosen, cli);
	cli->power.journal = chosen->journal;
	chosen->subject = (struct power_subject) { .transport = transport_open_sg(path, error),
		.capture = &chosen->capture,
		.facts = &chosen->facts,
		.node = chosen->node,
		.sysfs = "/sys" };
	return chosen->subject.transport ? 0 : -1;
}

static void release(struct chosen *chosen)
{
	if (chosen->subject.transport)
		chosen->subject.transport->close(chosen->subject.transport);
	facts_deinit(&chosen->facts);
	capture_deinit(&chosen->capture);
}

/* Somebody who uses the drive would wait for it, and wake it. */
static int check_use(const struct chosen *chosen, const struct power_cli *cli, struct error *error)
{
	const char *name = strrchr(chosen->node, '/');

	if (!name || cli->power.force)
		return 0;
	if (target_check_unused(name + 1, error) == 0)
		return 0;
	strncat(error->text, ": --force does it nevertheless",
		sizeof(error->text) - strlen(error->text) - 1);
	return -1;
}

/* The result is written when all is restored; that it can be is known before. */
static int check_output(const struct power_cli *cli, struct error *error)
{
	char copy[PATH_MAX];

	if (!cli->common.output)
		return 0;
	snprintf(copy, sizeof(copy), "%s", cli->common.output);
	if (access(dirname(copy), W_OK) == 0)
		return 0;
	return error_set(
		error, error_status_of(errno), "%s: %s", cli->common.output, strerror(errno));
}

static void announce(const struct chosen *chosen, const struct power_cli *cli)
{
	struct power_estimate estimate;
	uint64_t rated = 0, had = 0;
	char time[32];

	if (cli->common.quiet)
		return;
	power_estimate(&chosen->subject, &cli->power, &estimate);
	time_text(estimate.seconds, time, sizeof(time));
	fprintf(stderr,
		"assay power: %s: about %s; %u states; costs at most %u start-stop or load cycles",
		chosen->path, time, estimate.state_count, estimate.cycle_count);
	if (facts_uint(&chosen->facts, "usage.start_stop_count", &had))
		fprintf(stderr, ", of which it had %llu", (unsigned long long)had);
	if (facts_uint(&chosen->facts, "usage.specified_start_stop_count", &rated))
		fprintf(stderr, " and may have %llu", (unsigned long long)rated);
	fputs("\n", stderr);
}

/* The drive's own claims stand beside what was measured; what is left of its cycles beside what
 * the run cost. */
static void copy_claims(const struct facts *before, struct facts *facts)
{
	static const char *const cycles[] = { "usage.start_stop_count",
		"usage.specified_start_stop_count", "usage.load_cycle_count",
		"usage.specified_load_cycle_count" };

	for (size_t i = 0; i < ARRAY_LEN(cycles); i++) {
		const struct fact *fact = facts_find(before, cycles[i]);

		if (fact)
			facts_add(facts, fact->key, fact->value, fact->state, fact->source,
				fact->rank);
	}
	for (const struct power_recovery *one = power_recoveries; one->state; one++) {
		const struct fact *fact = facts_find(before, one->claimed);

		if (fact)
			facts_add(facts, fact->key, fact->value, fact->state, fact->source,
				fact->rank);
	}
}

static int status_of(
	enum power_end end, const struct facts *facts, const struct verification *verification)
{
	bool restored = true;

	facts_flag(facts, "measured_power.restored", &restored);
	if (end == POWER_SILENT)
		return EXIT_TIMED_OUT;
	if (!restored)
		return EXIT_FAILING;
	return end == POWER_STOPPED ? EXIT_UNKNOWN : verification_status(verification);
}

static int report(const struct chosen *chosen, struct power_cli *cli, struct facts *measured,
	enum power_end end)
{
	struct capture capture;
	struct facts after;
	struct verification verification;

	capture_init(&capture, chosen->path);
	facts_init(&after);
	if (end != POWER_SILENT) {
		capture_deinit(&capture);
		facts_deinit(&after);
		ask_drive(chosen->path, &cli->common, &capture, &after);
		power_cost(&chosen->facts, &after, measured);
	}
	copy_identity(end != POWER_SILENT ? &after : &chosen->facts, measured);
	copy_claims(&chosen->facts, measured);
	verification_init(&verification);
	verify_power(measured, &verification);
	progress_clear();
	if (output_open(&cli->common) != 0) {
		verification_deinit(&verification);
		facts_deinit(&after);
		capture_deinit(&capture);
		return EXIT_INTERNAL;
	}
	struct document document = { .target = chosen->path,
		.capture = &chosen->capture,
		.facts = measured,
		.verdicts = verification.verdicts,
		.verdict_count = verification.count };
	print_document(&cli->common, &document, 0, 1);
	int status = output_close(&cli->common, status_of(end, measured, &verification));

	verification_deinit(&verification);
	facts_deinit(&after);
	capture_deinit(&capture);
	return status;
}

static int run(struct chosen *chosen, struct power_cli *cli, struct error *error)
{
	struct facts measured;
	enum power_end end;

	announce(chosen, cli);
	cli->power.stop = stop_on_signals(ended_at_once);
	cli->power.progress = cli->common.quiet ? NULL : show_progress;
	facts_init(&measured);
	int failed = power_run(&chosen->subject, &cli->power, &measured, &end, error);
	int status = failed ? (int)error->status : report(chosen, cli, &measured, end);

	progress_clear();
	facts_deinit(&measured);
	return failed ? -1 : status;
}

static int load_workload(struct power_cli *cli, struct workloads *workloads, struct error *error)
{
	if (!cli->workload)
		return 0;
	cli->power.workload = workload_get(workloads, cli->workload, error);
	return cli->power.workload ? 0 : -1;
}

static int open_meter(struct power_cli *cli, struct error *error)
{
	struct meter_options wanted = { .interval_seconds = cli->meter_interval_seconds };

	if (!cli->meter)
		return 0;
	cli->power.meter = meter_open(cli->meter, &wanted, error);
	if (cli->power.meter)
		meter_wait(cli->power.meter);
	return cli->power.meter ? 0 : -1;
}

int power_target(const char *path, struct power_cli *cli)
{
	struct chosen chosen = { 0 };
	struct workloads workloads;
	struct error error = { 0 };
	int status = -1;

	workloads_init(&workloads);
	if (choose(&chosen, path, cli, &error) == 0 && check_use(&chosen, cli, &error) == 0 &&
		load_workload(cli, &workloads, &error) == 0 && open_meter(cli, &error) == 0 &&
		check_output(cli, &error) == 0)
		status = run(&chosen, cli, &error);
	if (status < 0) {
		complain(path, &error);
		status = (int)error.status;
	}
	meter_close(cli->power.meter);
	workloads_deinit(&workloads);
	release(&chosen);
	return status;
}

/* What a killed run left in SLEEP answers nothing, not even who it is. */
static int choose_again(
	struct chosen *chosen, const char *path, struct power_cli *cli, struct error *error)
{
	struct transport *transport = chosen->subject.transport;

	if (*facts_text(&chosen->facts, "identity.serial") || !transport->reset)
		return 0;
	fprintf(stderr, "assay power: %s: it does not answer: the host is asked to reset it\n",
		path);
	if (!transport->reset(transport))
		return 0;
	release(chosen);
	*chosen = (struct chosen) { 0 };
	return choose(chosen, path, cli, error);
}

static void say_restored(void *context, const char *what)
{
	printf("%s: %s\n", (const char *)context, what);
}

int power_target_restore(const char *path, struct power_cli *cli)
{
	struct chosen chosen = { 0 };
	struct error error = { 0 };
	size_t count = 0;
	int status = EXIT_GOOD;

	cli->power.restored = cli->common.quiet ? NULL : say_restored;
	cli->power.context = (void *)path;
	if (choose(&chosen, path, cli, &error) != 0 ||
		choose_again(&chosen, path, cli, &error) != 0 ||
		power_restore(&chosen.subject, &cli->power, &count, &error) != 0) {
		complain(path, &error);
		status = (int)error.status;
	} else if (!cli->common.quiet) {
		if (count)
			printf("%s: %zu settings restored\n", path, count);
		else
			printf("%s: nothing to restore in %s\n", path, chosen.journal);
	}
	release(&chosen);
	return status;
}
