/* --purge: the kernel's discard, or a command of the drive itself. */
#include "cli/bench.h"

static void show(void *context, double percent)
{
	const struct bench_options *options = context;

	if (options->common.quiet)
		return;
	if (percent >= 0)
		progress_line("%s: %.1f %%", purge_name(options->purge), percent);
	else
		progress_line("%s", purge_name(options->purge));
}

int bench_purge(void *context, struct error *error)
{
	const struct bench_purge *purge = context;
	struct purge_options options = { .method = purge->options->purge,
		.stop = purge->options->measure.stop,
		.progress = show,
		.context = (void *)purge->options };

	if (options.method == PURGE_DISCARD)
		return target_discard(purge->target, error);
	if (!target_is_whole_drive(purge->target))
		return error_set(error, EXIT_USAGE, "%s empties a whole drive; this is none",
			purge_name(options.method));
	struct transport *transport = transport_open_sg(purge->target->path, error);

	if (!transport)
		return -1;
	int failed = purge_drive(transport, purge->drive, &options, error);

	transport->close(transport);
	return failed;
}
