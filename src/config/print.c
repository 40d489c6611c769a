/* Prints the configuration as a file of its own kind. */
#include <string.h>

#include "assay/array.h"
#include "config/setting.h"

enum { DAY = 86400, TEXT_BYTES = 256 };

static void print_settings(FILE *file, const struct config *config)
{
	const char *section = "";
	char text[TEXT_BYTES];

	for (const struct setting *setting = settings; setting->key; setting++) {
		if (strcmp(setting->section, section) != 0)
			fprintf(file, "%s[%s]\n", *section ? "\n" : "", setting->section);
		section = setting->section;
		setting_text(setting, config, text, sizeof(text));
		fprintf(file, "%s =%s%s\n", setting->key, *text ? " " : "", text);
	}
}

static void print_limit(
	FILE *file, const char *before, const struct rule *rule, const struct rule_limit *limit)
{
	fprintf(file, "%s%s = %s%.15g\n", before, rule->id, limit->own_first ? "own " : "",
		limit->value);
}

/* What holds for all drives of a kind. */
static struct rule_limit limit_of(
	const struct config *config, const struct rule *rule, bool solid_state)
{
	struct config_drive drive = {
		.config = config,
		.vendor = "",
		.model = "",
		.serial = "",
		.wwn = "",
		.solid_state = solid_state,
	};
	struct rule_limit limit = { .value = rule->limit, .own_first = rule->limit_key };

	if (solid_state && rule->limit_solid_state > 0)
		limit.value = rule->limit_solid_state;
	config_limit(&drive, rule, &limit);
	return limit;
}

static bool is_same(struct rule_limit a, struct rule_limit b)
{
	return a.own_first == b.own_first && a.value >= b.value && a.value <= b.value;
}

static void print_limits(FILE *file, const struct config *config, enum config_kind kind)
{
	for (const struct rule *rule = rules; rule->id; rule++) {
		struct rule_limit rotating = limit_of(config, rule, false);
		struct rule_limit solid_state = limit_of(config, rule, true);

		if (rule_has_limit(rule) &&
			is_same(rotating, solid_state) == (kind == CONFIG_ANY_KIND))
			print_limit(file, "", rule,
				kind == CONFIG_SOLID_STATE ? &solid_state : &rotating);
	}
}

static void print_silence(FILE *file, const char *before, const struct config_silence *silence)
{
	char day[40];

	fprintf(file, "%s%s = ", before, silence->rule->id);
	if (silence->any)
		fputs("any", file);
	else
		fprintf(file, "%.15g", silence->value);
	if (silence->until)
		fprintf(file, " until %s",
			setting_date_text(silence->until - DAY, day, sizeof(day)));
	fputc('\n', file);
}

static void print_pattern(FILE *file, const char *key, const char *pattern)
{
	if (pattern)
		fprintf(file, "%s = %s\n", key, pattern);
}

static void print_drive(FILE *file, const struct config_section *section)
{
	fprintf(file, "\n[drive %s]\n", section->name);
	print_pattern(file, "serial", section->serial);
	print_pattern(file, "wwn", section->wwn);
	print_pattern(file, "model", section->model);
	for (size_t i = 0; i < section->limit_count; i++)
		print_limit(file, "limit.", section->limits[i].rule, &section->limits[i].limit);
	for (size_t i = 0; i < section->silence_count; i++)
		print_silence(file, "silence.", &section->silences[i]);
}

void config_print(FILE *file, const struct config *config)
{
	static const char *const sections[] = {
		[CONFIG_ANY_KIND] = "limits",
		[CONFIG_ROTATING] = "limits rotating",
		[CONFIG_SOLID_STATE] = "limits solid-state",
	};
	const struct config_section *all = config->sections;

	print_settings(file, config);
	for (size_t kind = 0; kind < ARRAY_LEN(sections); kind++) {
		fprintf(file, "\n[%s]\n", sections[kind]);
		print_limits(file, config, (enum config_kind)kind);
	}
	fputs("\n[silences]\n", file);
	for (size_t i = 0; i < all->silence_count; i++)
		print_silence(file, "", &all->silences[i]);
	for (size_t i = 1; i < config->section_count; i++)
		print_drive(file, &config->sections[i]);
}
