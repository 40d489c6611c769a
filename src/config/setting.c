#include "config/setting.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/arena.h"
#include "assay/array.h"

#define AT(member) offsetof(struct config, member)

const struct setting settings[] = {
	{ "check", "deadline", SETTING_SECONDS, AT(check.deadline_ms), 1, 86400, "30" },
	{ "check", "quiet-drives", SETTING_FLAG, AT(check.quiet_drives), 0, 1, "no" },
	{ "check", "growth-hours", SETTING_NUMBER, AT(check.growth_hours), 0, 8784, "24" },
	{ "history", "database", SETTING_TEXT, AT(history.database), 1, 0,
		"/var/lib/assay/history.db" },
	{ "history", "full-days", SETTING_NUMBER, AT(history.full_days), 1, 36500, "90" },
	{ "history", "daily-days", SETTING_NUMBER, AT(history.daily_days), 0, 36500, "0" },
	{ "alerts", "command", SETTING_TEXT, AT(alerts.command), 0, 0, "" },
	{ "alerts", "command-timeout", SETTING_SECONDS, AT(alerts.command_timeout_ms), 1, 3600,
		"30" },
	{ "alerts", "mail", SETTING_TEXT, AT(alerts.mail), 0, 0, "" },
	{ "alerts", "interval-hours", SETTING_NUMBER, AT(alerts.interval_hours), 0, 8784, "24" },
	{ "alerts", "most-per-hour", SETTING_NUMBER, AT(alerts.most_per_hour), 0, 10000, "60" },
	{ .key = NULL },
};

size_t settings_count(void)
{
	return ARRAY_LEN(settings) - 1;
}

bool setting_number(const char *text, double *number)
{
	char *end;

	if (!*text || strspn(text, "0123456789.") != strlen(text))
		return false;
	*number = strtod(text, &end);
	return end != text && !*end;
}

static void *member(const struct setting *setting, struct config *config)
{
	return (char *)config + setting->at;
}

static bool take_flag(const char *value, bool *flag)
{
	*flag = !strcmp(value, "yes");
	return *flag || !strcmp(value, "no");
}

static bool take_number(
	const struct setting *setting, const char *value, double unit, unsigned *into)
{
	double number;

	if (!setting_number(value, &number) || number < setting->least || number > setting->most)
		return false;
	if (unit <= 1 && strchr(value, '.'))
		return false;
	*into = (unsigned)(number * unit + 0.5);
	return true;
}

bool setting_take(const struct setting *setting, const char *value, struct config *config,
	char *expected, size_t size)
{
	void *into = member(setting, config);

	switch (setting->kind) {
	case SETTING_FLAG:
		snprintf(expected, size, "yes or no");
		return take_flag(value, into);
	case SETTING_SECONDS:
		snprintf(expected, size, "seconds, %u to %u", setting->least, setting->most);
		return take_number(setting, value, 1000, into);
	case SETTING_NUMBER:
		snprintf(expected, size, "a whole number, %u to %u", setting->least, setting->most);
		return take_number(setting, value, 1, into);
	case SETTING_TEXT:
		break;
	}
	snprintf(expected, size, "a text");
	*(const char **)into = arena_text(config->arena, value);
	return setting->least == 0 || *value;
}

const char *setting_text(
	const struct setting *setting, const struct config *config, char *text, size_t size)
{
	const void *from = (const char *)config + setting->at;

	switch (setting->kind) {
	case SETTING_FLAG:
		snprintf(text, size, "%s", *(const bool *)from ? "yes" : "no");
		break;
	case SETTING_SECONDS:
		snprintf(text, size, "%.9g", *(const unsigned *)from / 1000.0);
		break;
	case SETTING_NUMBER:
		snprintf(text, size, "%u", *(const unsigned *)from);
		break;
	case SETTING_TEXT:
		snprintf(text, size, "%s", *(const char *const *)from);
		break;
	}
	return text;
}

bool rule_has_number(const struct rule *rule)
{
	return rule_has_limit(rule) || rule->test == RULE_BELOW_KEY || rule->test == RULE_FALL;
}

bool setting_date(const char *text, int64_t *seconds)
{
	struct tm day = { 0 }, again;
	char *end = strptime(text, "%Y-%m-%d", &day);
	time_t time;

	if (strlen(text) != strlen("2026-12-31") || !end || *end)
		return false;
	again = day;
	time = timegm(&again);
	if (again.tm_mday != day.tm_mday || again.tm_mon != day.tm_mon)
		return false;
	*seconds = time;
	return true;
}

const char *setting_date_text(int64_t seconds, char *text, size_t size)
{
	time_t time = (time_t)seconds;
	struct tm day;

	if (!gmtime_r(&time, &day) || !strftime(text, size, "%Y-%m-%d", &day))
		snprintf(text, size, "?");
	return text;
}
