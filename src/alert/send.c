#include "alert/send.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "alert/task.h"
#include "assay/arena.h"
#include "assay/array.h"

extern char **environ;

/* The environment of a command. */
struct environment {
	struct arena *arena;
	char **texts; /* ended by NULL */
	size_t count;
};

static void set(struct environment *environment, const char *name, const char *value)
{
	size_t size = strlen(name) + strlen(value) + sizeof("ASSAY_=");
	char *text = arena_alloc(environment->arena, size);

	snprintf(text, size, "ASSAY_%s=%s", name, value);
	environment->texts = array_grow(environment->texts, environment->count, sizeof(char *));
	environment->texts[environment->count++] = text;
}

/* Ours, without what another alert may have left. */
static void set_inherited(struct environment *environment)
{
	static const char *const kept[] = { "ASSAY_DATA=", "ASSAY_DRIVEDB=" };

	for (char **at = environ; *at; at++) {
		bool keep = strncmp(*at, "ASSAY_", 6) != 0;

		for (size_t i = 0; i < ARRAY_LEN(kept); i++)
			keep |= !strncmp(*at, kept[i], strlen(kept[i]));
		if (!keep)
			continue;
		environment->texts = array_grow(
			environment->texts, environment->count, sizeof(char *));
		environment->texts[environment->count++] = *at;
	}
}

static void set_alert(struct environment *environment, const struct alert *alert)
{
	static const char *const facts[][2] = { { "VENDOR", "identity.vendor" },
		{ "MODEL", "identity.model" }, { "SERIAL", "identity.serial" },
		{ "WWN", "identity.wwn" }, { "FIRMWARE", "identity.firmware" } };
	char text[ALERT_LINE], host[65] = "";

	gethostname(host, sizeof(host) - 1);
	set(environment, "EVENT", alert_event_word(alert->event));
	set(environment, "STATE", alert_state_word(alert->state));
	set(environment, "FORMER_STATE", alert_state_word(alert->former));
	set(environment, "DEVICE", alert->document->target);
	set(environment, "REASON", alert_reason(alert, text, sizeof(text)));
	set(environment, "SUBJECT", alert_subject(alert, text, sizeof(text)));
	set(environment, "SINCE", alert_time(alert->since, text, sizeof(text)));
	set(environment, "TIME", alert_time(alert->now, text, sizeof(text)));
	set(environment, "HOST", host);
	for (size_t i = 0; i < ARRAY_LEN(facts); i++)
		set(environment, facts[i][0], alert_fact(alert, facts[i][1]));
}

static int run(char **arguments, char **environment, const char *input, size_t len,
	unsigned timeout_ms, struct error *error)
{
	struct task task = { .arguments = arguments,
		.environment = environment,
		.input = input,
		.input_len = len,
		.timeout_ms = timeout_ms };

	return task_run(&task, error);
}

static int send_command(
	const struct alert_settings *settings, const struct alert *alert, struct error *error)
{
	struct environment environment = { .arena = arena_new() };
	char **arguments = alert_split(settings->command, error), *json = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&json, &len);
	int failed = -1;

	if (file) {
		alert_json(file, alert);
		fclose(file);
	}
	set_inherited(&environment);
	set_alert(&environment, alert);
	environment.texts = array_grow(environment.texts, environment.count, sizeof(char *));
	if (arguments)
		failed = run(arguments, environment.texts, json, len, settings->timeout_ms, error);
	free(environment.texts);
	arena_free(environment.arena);
	free(arguments);
	free(json);
	return failed;
}

/* RFC 5322 wants ASCII in a header; what a drive says is not. */
static void print_header(FILE *file, const char *name, const char *text)
{
	fprintf(file, "%s: ", name);
	for (; *text; text++)
		fputc((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e ? '?' : *text,
			file);
	fputc('\n', file);
}

static void print_mail(FILE *file, const struct alert_settings *settings, const struct alert *alert)
{
	char subject[ALERT_LINE];

	print_header(file, "To", settings->mail);
	alert_subject(alert, subject, 200);
	print_header(file, "Subject", subject);
	print_header(file, "Auto-Submitted", "auto-generated");
	print_header(file, "X-Assay-Event", alert_event_word(alert->event));
	print_header(file, "X-Assay-State", alert_state_word(alert->state));
	print_header(file, "MIME-Version", "1.0");
	print_header(file, "Content-Type", "text/plain; charset=UTF-8");
	print_header(file, "Content-Transfer-Encoding", "8bit");
	fputc('\n', file);
	alert_body(file, alert);
}

static int send_mail(
	const struct alert_settings *settings, const struct alert *alert, struct error *error)
{
	/* -t: to whom the header says; -i: a line with a dot is no end */
	char program[4096], *arguments[] = { program, (char[]) { "-t" }, (char[]) { "-i" }, NULL };
	char *mail = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&mail, &len);

	if (!file)
		return error_set(error, EXIT_INTERNAL, "no memory");
	snprintf(program, sizeof(program), "%s", settings->sendmail);
	print_mail(file, settings, alert);
	fclose(file);
	int failed = run(arguments, environ, mail, len, settings->timeout_ms, error);
	free(mail);
	return failed;
}

static bool has_command(const struct alert_settings *settings)
{
	return settings->command && *settings->command;
}

static bool has_mail(const struct alert_settings *settings)
{
	return settings->mail && *settings->mail;
}

const struct channel channels[CHANNELS] = {
	{ "command", has_command, send_command },
	{ "mail", has_mail, send_mail },
};
