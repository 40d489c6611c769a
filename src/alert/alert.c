/* When to tell what. */
#include "assay/alert.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alert/send.h"

enum { NAME = 160, HOUR = 3600, LEASE_EXTRA = 60 };

/* One channel's view of one drive. */
struct telling {
	struct history *history;
	const struct alert_settings *settings;
	const struct render_options *render;
	const struct channel *channel;
	int64_t now;
	struct alert_outcome *outcome;
	struct error *error;
	const char *subject;
	const struct document *document;
	enum verdict_state state;
	bool incomplete;          /* what it did not say is no recovery */
	struct history_alert sum; /* as it is noted */
	enum verdict_state *news; /* by verdict: what is to be told of it; VERDICT_OK: nothing */
};

/* A drive that cannot be read is worse than one that is well. */
static int rank(enum verdict_state state)
{
	switch (state) {
	case VERDICT_OK:
		return 0;
	case VERDICT_WARNING:
		return 2;
	case VERDICT_FAILING:
		return 3;
	default:
		return 1;
	}
}

/* Under which a rule is noted: each channel knows what it has told. */
static const char *row_of(const struct telling *telling, const char *rule, char *name)
{
	snprintf(name, NAME, "%s%s%s", telling->channel->name, rule ? " " : "", rule ? rule : "");
	return name;
}

/* ---- Sending ---- */

static int is_over_the_limit(const struct telling *telling, bool *over)
{
	size_t told = 0;

	*over = false;
	if (!telling->settings->most_per_hour)
		return 0;
	if (history_alert_count(telling->history, telling->channel->name, telling->now - HOUR,
		    telling->now, &told, telling->error) != 0)
		return -1;
	*over = told >= telling->settings->most_per_hour;
	return 0;
}

static int claim(const struct telling *telling, bool *claimed)
{
	unsigned lease = telling->settings->timeout_ms / 1000 + LEASE_EXTRA;

	return history_alert_claim(telling->history, telling->subject, telling->channel->name,
		&telling->sum, telling->now, lease, claimed, telling->error);
}

static int note_failure(const struct telling *telling, const struct error *why)
{
	if (telling->outcome->failed++ == 0)
		telling->outcome->error = *why;
	return history_alert_failed(
		telling->history, telling->subject, telling->channel->name, telling->error);
}

/* The rules that were in the message. */
static int note_rules(const struct telling *telling)
{
	char name[NAME];

	for (size_t i = 1; i < telling->document->verdict_count; i++) {
		if (telling->news[i] == VERDICT_OK)
			continue;
		row_of(telling, telling->document->verdicts[i].id, name);
		if (history_alert_done(telling->history, telling->subject, name, telling->news[i],
			    telling->now, telling->error) != 0)
			return -1;
	}
	return 0;
}

/* Rules first: if this ends in between, the sum is told again. */
static int note_success(const struct telling *telling, const struct alert *alert)
{
	telling->outcome->told++;
	if (note_rules(telling) != 0)
		return -1;
	return history_alert_done(telling->history, telling->subject, telling->channel->name,
		alert->state, telling->now, telling->error);
}

/* Returns -1 where the history fails; *sent is false where the message is not out. */
static int send(const struct telling *telling, const struct alert *alert, bool *sent)
{
	bool over, claimed = false;
	struct error why = { 0 };

	*sent = false;
	if (is_over_the_limit(telling, &over) != 0)
		return -1;
	if (over) {
		telling->outcome->waiting++;
		return 0;
	}
	if (claim(telling, &claimed) != 0)
		return -1;
	if (!claimed)
		return 0;
	if (telling->channel->send(telling->settings, alert, &why) != 0)
		return note_failure(telling, &why);
	*sent = true;
	return note_success(telling, alert);
}

static struct alert alert_of(const struct telling *telling, enum alert_event event)
{
	return (struct alert) {
		.event = event,
		.state = telling->sum.state,
		.former = telling->sum.told_state,
		.since = telling->sum.since,
		.now = telling->now,
		.news = telling->news,
		.document = telling->document,
		.render = telling->render,
	};
}

/* ---- What is due ---- */

static bool has_lasted(const struct telling *telling, const struct history_alert *alert)
{
	return telling->now - alert->since >= telling->settings->settle;
}

static bool is_untold(const struct history_alert *alert)
{
	return rank(alert->state) > rank(alert->told_state);
}

static int get_rule(
	const struct telling *telling, size_t index, char *name, struct history_alert *rule)
{
	row_of(telling, telling->document->verdicts[index].id, name);
	return history_alert_get(telling->history, telling->subject, name, rule, telling->error);
}

/* What is broken now and was not told, or as less; or was broken and could not be
 * told. What is broken no more is forgotten when it has settled, so that it is
 * told when it comes back. */
static int note_rule(const struct telling *telling, size_t index)
{
	enum verdict_state state = telling->document->verdicts[index].state;
	struct history_alert rule;
	char name[NAME];

	if (get_rule(telling, index, name, &rule) != 0)
		return -1;
	if (state == VERDICT_OK && rule.state == VERDICT_OK && rule.told_state == VERDICT_OK)
		return 0;
	bool missed = is_untold(&rule) && rank(state) < rank(rule.state);

	if (!missed &&
		history_alert_note(telling->history, telling->subject, name, state, telling->now,
			&rule, telling->error) != 0)
		return -1;
	if (is_untold(&rule))
		telling->news[index] = rule.state;
	else if (rank(rule.state) < rank(rule.told_state) && has_lasted(telling, &rule))
		return history_alert_done(telling->history, telling->subject, name, rule.state,
			telling->now, telling->error);
	return 0;
}

static int note_all_rules(const struct telling *telling, bool *any_news)
{
	for (size_t i = 1; i < telling->document->verdict_count; i++) {
		if (note_rule(telling, i) != 0)
			return -1;
		*any_news |= telling->news[i] != VERDICT_OK;
	}
	return 0;
}

static bool is_due(const struct telling *telling, bool any_news, enum alert_event *event)
{
	const struct history_alert *sum = &telling->sum;
	int64_t interval = telling->settings->interval;

	*event = sum->state == VERDICT_OK ? ALERT_RECOVERY : ALERT_CHANGE;
	if (sum->state == VERDICT_UNKNOWN && sum->told_state != VERDICT_UNKNOWN)
		return true; /* whatever it was: now nobody knows */
	if (is_untold(sum) || any_news)
		return true;
	if (rank(sum->state) < rank(sum->told_state))
		return has_lasted(telling, sum);
	*event = ALERT_REMINDER;
	return sum->state != VERDICT_OK && interval && telling->now - sum->told >= interval;
}

static int find_missed_rules(const struct telling *telling)
{
	struct history_alert rule;
	char name[NAME];

	for (size_t i = 1; i < telling->document->verdict_count; i++) {
		if (get_rule(telling, i, name, &rule) != 0)
			return -1;
		telling->news[i] = is_untold(&rule) ? rule.state : VERDICT_OK;
	}
	return 0;
}

/* A state that could not be told and is about to be overwritten by a better one
 * is told now. *open is true where it still could not. */
static int tell_what_was_missed(const struct telling *telling, bool *open)
{
	struct alert alert = alert_of(telling, ALERT_CHANGE);
	bool sent;

	*open = is_untold(&telling->sum) && rank(telling->state) < rank(telling->sum.state);
	if (!*open)
		return 0;
	alert.late = true;
	if (find_missed_rules(telling) != 0 || send(telling, &alert, &sent) != 0)
		return -1;
	for (size_t i = 0; i < telling->document->verdict_count; i++)
		telling->news[i] = VERDICT_OK;
	*open = !sent;
	return 0;
}

static int tell_by_channel(struct telling *telling)
{
	const char *row = telling->channel->name;
	struct history_alert *sum = &telling->sum;
	enum verdict_state state = telling->state;
	enum alert_event event;
	bool open, sent, any_news = false;

	if (history_alert_get(telling->history, telling->subject, row, sum, telling->error) != 0)
		return -1;
	if (telling->incomplete && state != VERDICT_UNKNOWN && rank(state) < rank(sum->state))
		return 0;
	if (state == VERDICT_OK && sum->state == VERDICT_OK && sum->told_state == VERDICT_OK)
		return 0;
	if (tell_what_was_missed(telling, &open) != 0)
		return -1;
	if (open)
		return 0;
	if (history_alert_note(telling->history, telling->subject, row, state, telling->now, sum,
		    telling->error) != 0 ||
		note_all_rules(telling, &any_news) != 0)
		return -1;
	if (!is_due(telling, any_news, &event))
		return 0;
	struct alert alert = alert_of(telling, event);

	return send(telling, &alert, &sent);
}

/* ---- Drives ---- */

static int tell_subject(struct telling *telling)
{
	size_t count = telling->document->verdict_count;
	int failed = 0;

	for (size_t i = 0; !failed && i < CHANNELS; i++) {
		telling->channel = &channels[i];
		if (!telling->channel->is_used(telling->settings))
			continue;
		telling->news = calloc(count ? count : 1, sizeof(*telling->news));
		failed = telling->news ? tell_by_channel(telling)
				       : error_set(telling->error, EXIT_INTERNAL, "no memory");
		free(telling->news);
	}
	return failed;
}

/* Where it could not be read, what was read of it may still be bad. */
static enum verdict_state state_of(const struct document *document)
{
	enum verdict_state state = document->verdict_count ? document->verdicts[0].state
							   : VERDICT_UNKNOWN;

	return document->error && rank(state) < rank(VERDICT_WARNING) ? VERDICT_UNKNOWN : state;
}

/* What a node was said to be that could not be read is over when it can. */
static int tell_of_node(const struct telling *all, const struct document *document)
{
	static const struct verdict fine = {
		.id = "health", .state = VERDICT_OK, .reason = "it can be read again"
	};
	struct document readable = *document;
	struct telling telling = *all;

	readable.verdicts = &fine;
	readable.verdict_count = 1;
	telling.subject = document->target;
	telling.document = &readable;
	telling.state = VERDICT_OK;
	telling.incomplete = false;
	return tell_subject(&telling);
}

static int tell_drive(struct telling *telling, const struct document *document)
{
	char name[HISTORY_SUBJECT];
	bool named = document->facts && history_subject(document->facts, name, sizeof(name));
	enum verdict_state state = state_of(document);

	if (named && !document->error && tell_of_node(telling, document) != 0)
		return -1;
	/* Nothing was said: nothing has changed. Who may not look learns nothing of the drive. */
	if (document->error ? document->error->status == EXIT_NO_PERMISSION
			    : state == VERDICT_UNKNOWN || (document->asleep && state == VERDICT_OK))
		return 0;
	telling->subject = named ? name : document->target;
	telling->document = document;
	telling->state = state;
	telling->incomplete = document->error || document->asleep;
	return tell_subject(telling);
}

int alerts_tell(struct history *history, const struct alert_settings *settings,
	const struct document *documents, size_t count, int64_t now,
	const struct render_options *render, struct alert_outcome *outcome, struct error *error)
{
	struct telling telling = { .history = history,
		.settings = settings,
		.render = render,
		.now = now,
		.outcome = outcome,
		.error = error };
	int failed = 0;

	*outcome = (struct alert_outcome) { 0 };
	for (size_t i = 0; !failed && i < count; i++)
		failed = tell_drive(&telling, &documents[i]);
	return failed;
}

int alerts_test(const struct alert_settings *settings, int64_t now,
	const struct render_options *render, struct error *error)
{
	struct document document = { .target = "test" };
	struct alert alert = { .event = ALERT_TEST,
		.state = VERDICT_OK,
		.former = VERDICT_OK,
		.since = now,
		.now = now,
		.document = &document,
		.render = render };
	struct error why;
	int failed = 0;
	bool any = false;

	for (size_t i = 0; i < CHANNELS; i++) {
		if (!channels[i].is_used(settings))
			continue;
		any = true;
		if (channels[i].send(settings, &alert, &why) != 0 && failed++ == 0)
			*error = why;
	}
	if (!any)
		return error_set(error, EXIT_USAGE, "no command and no mail address is set");
	return failed ? -1 : 0;
}
