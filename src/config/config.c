/* What is set for a rule of a drive. */
#include "assay/config.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "config/setting.h"

void config_init(struct config *config)
{
	char expected[80];

	*config = (struct config) { .arena = arena_new() };
	for (const struct setting *setting = settings; setting->key; setting++)
		setting_take(setting, setting->initial, config, expected, sizeof(expected));
	config->sections = array_grow(config->sections, 0, sizeof(*config->sections));
	config->sections[config->section_count++].name = "";
}

void config_deinit(struct config *config)
{
	for (size_t i = 0; i < config->section_count; i++) {
		free(config->sections[i].limits);
		free(config->sections[i].silences);
	}
	free(config->sections);
	arena_free(config->arena);
	*config = (struct config) { 0 };
}

struct config_drive config_drive_of(
	const struct config *config, const struct facts *facts, int64_t now)
{
	uint64_t rpm;

	return (struct config_drive) {
		.config = config,
		.vendor = facts_text(facts, "identity.vendor"),
		.model = facts_text(facts, "identity.model"),
		.serial = facts_text(facts, "identity.serial"),
		.wwn = facts_text(facts, "identity.wwn"),
		.solid_state = facts_uint(facts, "identity.rotation_rpm", &rpm) && rpm == 0,
		.now = now,
	};
}

static bool is_like(const char *pattern, const char *text)
{
	return *text && fnmatch(pattern, text, FNM_CASEFOLD | FNM_NOESCAPE) == 0;
}

static bool is_model(const char *pattern, const struct config_drive *drive)
{
	char both[128];

	snprintf(both, sizeof(both), "%s %s", drive->vendor, drive->model);
	return is_like(pattern, drive->model) || (*drive->vendor && is_like(pattern, both));
}

/* 0: not for this drive; the greater, the closer. */
static int closeness(const struct config_section *section, const struct config_drive *drive)
{
	if ((section->serial && !is_like(section->serial, drive->serial)) ||
		(section->wwn && !is_like(section->wwn, drive->wwn)) ||
		(section->model && !is_model(section->model, drive)))
		return 0;
	return section->serial || section->wwn ? 3 : section->model ? 2 : 1;
}

static const struct config_limit *limit_in(const struct config_section *section,
	const struct rule *rule, const struct config_drive *drive)
{
	enum config_kind kind = drive->solid_state ? CONFIG_SOLID_STATE : CONFIG_ROTATING;
	const struct config_limit *found = NULL;

	for (size_t i = 0; i < section->limit_count; i++) {
		const struct config_limit *limit = &section->limits[i];

		if (limit->rule == rule &&
			(limit->kind == kind || (limit->kind == CONFIG_ANY_KIND && !found)))
			found = limit;
	}
	return found;
}

bool config_limit(
	const struct config_drive *drive, const struct rule *rule, struct rule_limit *limit)
{
	int closest = 0;

	for (size_t i = 0; i < drive->config->section_count; i++) {
		const struct config_section *section = &drive->config->sections[i];
		const struct config_limit *found = limit_in(section, rule, drive);
		int close = closeness(section, drive);

		if (found && close && close >= closest) {
			*limit = found->limit;
			closest = close;
		}
	}
	return closest > 0;
}

static bool accepts(const struct config_silence *silence, const struct config_drive *drive,
	const struct rule *rule, double value)
{
	if (silence->rule != rule || (silence->until && drive->now >= silence->until))
		return false;
	if (silence->any)
		return true;
	if (rule->test == RULE_AT_MOST || rule->test == RULE_BELOW_KEY || rule->test == RULE_FALL)
		return value >= silence->value;
	return value <= silence->value;
}

bool config_silent(const struct config_drive *drive, const struct rule *rule, double value)
{
	for (size_t i = 0; i < drive->config->section_count; i++) {
		const struct config_section *section = &drive->config->sections[i];

		for (size_t s = 0; closeness(section, drive) && s < section->silence_count; s++)
			if (accepts(&section->silences[s], drive, rule, value))
				return true;
	}
	return false;
}
