#include "alert/message.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

const char *alert_event_word(enum alert_event event)
{
	static const char *const words[] = {
		[ALERT_CHANGE] = "change",
		[ALERT_REMINDER] = "reminder",
		[ALERT_RECOVERY] = "recovery",
		[ALERT_TEST] = "test",
	};

	return words[event];
}

const char *alert_state_word(enum verdict_state state)
{
	switch (state) {
	case VERDICT_OK:
		return "ok";
	case VERDICT_WARNING:
		return "warning";
	case VERDICT_FAILING:
		return "failing";
	default:
		return "unknown";
	}
}

const char *alert_fact(const struct alert *alert, const char *key)
{
	return alert->document->facts ? facts_text(alert->document->facts, key) : "";
}

const char *alert_time(int64_t time, char *text, size_t size)
{
	time_t seconds = (time_t)time;
	struct tm parts;

	if (!gmtime_r(&seconds, &parts) || !strftime(text, size, "%Y-%m-%dT%H:%M:%SZ", &parts))
		text[0] = '\0';
	return text;
}

/* Lines and headers must not be what a drive wrote into its name. */
static const char *one_line(char *text)
{
	for (char *at = text; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7f)
			*at = '?';
	return text;
}

const char *alert_reason(const struct alert *alert, char *text, size_t size)
{
	const struct document *document = alert->document;
	const char *now = alert->event == ALERT_TEST ? "a test: no drive has changed"
		: document->error                    ? document->error->text
		: document->verdict_count            ? document->verdicts[0].reason
						     : "";
	char since[32];

	if (alert->late)
		snprintf(text, size, "%s since %s, which could not be told then; now: %s",
			alert_state_word(alert->state),
			alert_time(alert->since, since, sizeof(since)), now);
	else
		snprintf(text, size, "%s", now);
	return one_line(text);
}

static const char *state_loud(enum verdict_state state)
{
	switch (state) {
	case VERDICT_OK:
		return "ok";
	case VERDICT_WARNING:
		return "WARNING";
	case VERDICT_FAILING:
		return "FAILING";
	default:
		return "NOT READABLE";
	}
}

const char *alert_subject(const struct alert *alert, char *text, size_t size)
{
	static const char *const before[] = {
		[ALERT_REMINDER] = "still ",
		[ALERT_RECOVERY] = "again ",
		[ALERT_TEST] = "a test, ",
	};
	const char *model = alert_fact(alert, "identity.model");
	const char *serial = alert_fact(alert, "identity.serial");
	char host[65] = "", reason[ALERT_LINE];

	gethostname(host, sizeof(host) - 1);
	snprintf(text, size, "%s: %s %s%s%s%s%s%s: %s", host, alert->document->target,
		before[alert->event] ? before[alert->event] : "", state_loud(alert->state),
		*model ? ", " : "", model, *serial ? " " : "", serial,
		alert_reason(alert, reason, sizeof(reason)));
	return one_line(text);
}

static void print_line(FILE *file, const char *label, const char *text)
{
	char line[ALERT_LINE];

	if (!*text)
		return;
	snprintf(line, sizeof(line), "%s", text);
	fprintf(file, "%-10s %s\n", label, one_line(line));
}

static void print_rule(FILE *file, const struct verdict *verdict, enum verdict_state news)
{
	bool over = news != VERDICT_OK && news != verdict->state;
	char line[ALERT_LINE];

	if (verdict->state == VERDICT_OK && news == VERDICT_OK)
		return;
	snprintf(line, sizeof(line), "%s", verdict->reason);
	fprintf(file, "\n%s %s%s\n  %s\n", state_loud(over ? news : verdict->state), verdict->id,
		over                         ? " (it was, and could not be told then; now:)"
			: news != VERDICT_OK ? " (new)"
					     : "",
		one_line(line));
	if (verdict->label)
		fprintf(file, "  %s\n", verdict->label);
	if (verdict->test)
		fprintf(file, "  %s\n", verdict->test);
}

void alert_body(FILE *file, const struct alert *alert)
{
	char text[ALERT_LINE], host[65] = "";

	gethostname(host, sizeof(host) - 1);
	print_line(file, "Host", host);
	print_line(file, "Drive", alert->document->target);
	print_line(file, "Vendor", alert_fact(alert, "identity.vendor"));
	print_line(file, "Model", alert_fact(alert, "identity.model"));
	print_line(file, "Serial", alert_fact(alert, "identity.serial"));
	print_line(file, "State", state_loud(alert->state));
	if (alert->former != alert->state)
		print_line(file, "Before", state_loud(alert->former));
	print_line(file, "Since", alert_time(alert->since, text, sizeof(text)));
	print_line(file, "Why", alert_reason(alert, text, sizeof(text)));
	for (size_t i = 1; i < alert->document->verdict_count; i++)
		print_rule(file, &alert->document->verdicts[i],
			alert->news ? alert->news[i] : VERDICT_OK);
}

void alert_json(FILE *file, const struct alert *alert)
{
	renderer_find("json")->print(file, alert->document, 0, 1, alert->render);
}
