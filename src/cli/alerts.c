/* Alerts of a check: what is set for them, and their errors. */
#include "cli/cli.h"

#include <stdlib.h>

#include "assay/alert.h"
#include "assay/array.h"
#include "assay/config.h"

enum {
	HOUR = 3600,
	/* Less than the hour between two runs, so that the second one tells that a drive is well.
	 */
	SETTLE = 45 * 60,
};

static bool is_set(const char *text)
{
	return text && *text;
}

static struct alert_settings settings_of(const struct options *options, const struct config *config)
{
	const char *sendmail = getenv("ASSAY_SENDMAIL");

	return (struct alert_settings) {
		.command = options->alert_command ? options->alert_command : config->alerts.command,
		.mail = options->alert_mail ? options->alert_mail : config->alerts.mail,
		.sendmail = is_set(sendmail) ? sendmail : "/usr/sbin/sendmail",
		.timeout_ms = config->alerts.command_timeout_ms,
		.interval = (int64_t)config->alerts.interval_hours * HOUR,
		.settle = SETTLE,
		.most_per_hour = config->alerts.most_per_hour,
	};
}

int alerts_send_test(const struct options *options, const struct config *config, int64_t now)
{
	struct alert_settings settings = settings_of(options, config);
	struct error error;

	if (alerts_test(&settings, now, &options->render, &error) == 0)
		return EXIT_GOOD;
	fprintf(stderr, "assay check: test alert: %s\n", error.text);
	return (int)error.status;
}

static int report(const struct alert_outcome *outcome)
{
	if (outcome->waiting)
		fprintf(stderr,
			"assay check: %zu alerts wait: so many were sent in this hour "
			"(most-per-hour)\n",
			outcome->waiting);
	if (!outcome->failed)
		return 0;
	fprintf(stderr, "assay check: %zu alerts failed, and are sent at the next run: %s\n",
		outcome->failed, outcome->error.text);
	return -1;
}

int alerts_send(const struct options *options, const struct config *config,
	const struct document *documents, size_t count, int64_t now)
{
	/* Better told at every run than not at all. */
	const char *const files[] = {
		options->database ? options->database : config->history.database, HISTORY_MEMORY
	};
	struct alert_settings settings = settings_of(options, config);
	struct alert_outcome outcome = { 0 };
	int failed = is_set(settings.command) || is_set(settings.mail) ? -1 : 0, forgotten = 0;

	for (size_t i = 0; failed && !outcome.told && i < ARRAY_LEN(files); i++) {
		struct history *history = NULL;
		struct error error;

		failed = history_open(files[i], HISTORY_WRITE, &history, &error);
		if (!failed)
			failed = alerts_tell(history, &settings, documents, count, now,
				&options->render, &outcome, &error);
		history_close(history);
		if (failed)
			fprintf(stderr, "assay check: what was told cannot be noted: %s\n",
				error.text);
		forgotten |= failed;
	}
	return report(&outcome) != 0 || forgotten ? -1 : 0;
}
