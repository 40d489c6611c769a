/*
 * Reads the file with libinih, which tells neither line numbers nor what was
 * cut: so it is given its lines here.
 */
#include <errno.h>
#include <ini.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "config/setting.h"

/* What libinih cuts names and lines to. */
enum { MOST_NAME = 48, LIST_BYTES = 160 };

struct reader {
	FILE *file;
	const char *name;
	struct config *config;
	struct error *error;
	unsigned line, failed_line; /* 0: none has */
	char *text;
	size_t room;
	unsigned *set; /* line on which settings[i] was set */
};

static void fail(struct reader *reader, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The first one counts. */
static void fail(struct reader *reader, const char *format, ...)
{
	char text[200];
	va_list args;

	if (reader->failed_line)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	reader->failed_line = reader->line;
	error_set(reader->error, EXIT_USAGE, "%s:%u: %s", reader->name, reader->line, text);
}

/* A line without blanks before it: libinih would take it for more of the one above. */
static char *next_line(char *into, int size, void *context)
{
	struct reader *reader = context;
	ssize_t len = getline(&reader->text, &reader->room, reader->file);
	const char *line = reader->text;

	if (len < 0)
		return NULL;
	reader->line++;
	if (strlen(line) != (size_t)len)
		fail(reader, "a text is expected, this is a byte 0");
	line += strspn(line, " \t\r\n");
	if (strlen(line) >= (size_t)size)
		fail(reader, "a line of at most %d characters is expected", size - 2);
	snprintf(into, (size_t)size, "%s", line);
	return into;
}

/* ---- Rules ---- */

static const struct rule *take_rule(struct reader *reader, const char *id)
{
	const struct rule *rule = rule_find(id);

	if (!rule)
		fail(reader, "a rule of 'assay check' is expected, '%s' is none", id);
	return rule;
}

static void take_limit(struct reader *reader, struct config_section *section, enum config_kind kind,
	const char *id, const char *value)
{
	static const char own[] = "own ";
	const struct rule *rule = take_rule(reader, id);
	struct config_limit limit = { .rule = rule, .kind = kind };

	if (!rule)
		return;
	if (!rule_has_limit(rule)) {
		fail(reader, "rule '%s' has no limit", id);
		return;
	}
	limit.limit.own_first = !strncmp(value, own, strlen(own));
	if (limit.limit.own_first && !rule->limit_key) {
		fail(reader, "a number is expected: no drive has a limit of its own for '%s'", id);
		return;
	}
	if (!setting_number(
		    value + (limit.limit.own_first ? strlen(own) : 0), &limit.limit.value)) {
		fail(reader, "a number%s is expected as the limit of '%s'",
			rule->limit_key ? ", or 'own' and a number," : "", id);
		return;
	}
	for (size_t i = 0; i < section->limit_count; i++)
		if (section->limits[i].rule == rule && section->limits[i].kind == kind)
			fail(reader, "the limit of '%s' is set already", id);
	section->limits = array_grow(
		section->limits, section->limit_count, sizeof(*section->limits));
	section->limits[section->limit_count++] = limit;
}

/* "3", "any", "3 until 2027-01-31": accepted through that day. */
static void take_silence(
	struct reader *reader, struct config_section *section, const char *id, const char *value)
{
	enum { DAY = 86400 };
	static const char until[] = " until ";
	const struct rule *rule = take_rule(reader, id);
	struct config_silence silence = { .rule = rule };
	const char *date = strstr(value, until);
	char text[40];

	if (!rule)
		return;
	if (date && !setting_date(date + strlen(until), &silence.until)) {
		fail(reader, "a date is expected after 'until', as 2027-01-31");
		return;
	}
	silence.until += date ? DAY : 0;
	snprintf(
		text, sizeof(text), "%.*s", date ? (int)(date - value) : (int)strlen(value), value);
	silence.any = !strcmp(text, "any");
	if (!silence.any && !(rule_has_number(rule) && setting_number(text, &silence.value))) {
		fail(reader, "%s is expected for '%s', then perhaps 'until' and a date",
			rule_has_number(rule) ? "the accepted value, or 'any'," : "'any'", id);
		return;
	}
	for (size_t i = 0; i < section->silence_count; i++)
		if (section->silences[i].rule == rule)
			fail(reader, "what is accepted of '%s' is set already", id);
	section->silences = array_grow(section->silences, section->silence_count, sizeof(silence));
	section->silences[section->silence_count++] = silence;
}

/* ---- Sections ---- */

static struct config_section *drive_section(struct reader *reader, const char *name)
{
	struct config *config = reader->config;

	for (size_t i = 1; i < config->section_count; i++)
		if (!strcmp(config->sections[i].name, name))
			return &config->sections[i];
	config->sections = array_grow(
		config->sections, config->section_count, sizeof(*config->sections));
	struct config_section *section = &config->sections[config->section_count++];

	section->name = arena_text(config->arena, name);
	section->line = reader->line;
	return section;
}

static void take_pattern(struct reader *reader, const char **pattern, const char *value)
{
	if (*pattern)
		fail(reader, "one pattern of a kind is expected, it is set already");
	else if (!*value)
		fail(reader, "a pattern is expected");
	else
		*pattern = arena_text(reader->config->arena, value);
}

static void take_of_drive(
	struct reader *reader, const char *drive, const char *key, const char *value)
{
	static const char limit[] = "limit.", silence[] = "silence.";
	struct config_section *section = drive_section(reader, drive);

	if (!strcmp(key, "serial"))
		take_pattern(reader, &section->serial, value);
	else if (!strcmp(key, "wwn"))
		take_pattern(reader, &section->wwn, value);
	else if (!strcmp(key, "model"))
		take_pattern(reader, &section->model, value);
	else if (!strncmp(key, limit, strlen(limit)))
		take_limit(reader, section, CONFIG_ANY_KIND, key + strlen(limit), value);
	else if (!strncmp(key, silence, strlen(silence)))
		take_silence(reader, section, key + strlen(silence), value);
	else
		fail(reader, "serial, wwn, model, limit.RULE or silence.RULE is expected, not '%s'",
			key);
}

/* The keys of a section, for a message; false where there is no such section. */
static bool list_keys(const char *section, char *list, size_t size)
{
	size_t len = 0;

	*list = '\0';
	for (const struct setting *setting = settings; setting->key; setting++)
		if (!strcmp(setting->section, section) && len < size)
			len += (size_t)snprintf(
				list + len, size - len, "%s%s", len ? ", " : "", setting->key);
	return len > 0;
}

static void take_setting(
	struct reader *reader, const char *section, const char *key, const char *value)
{
	char list[LIST_BYTES];

	for (size_t i = 0; settings[i].key; i++) {
		if (strcmp(settings[i].section, section) != 0 || strcmp(settings[i].key, key) != 0)
			continue;
		if (reader->set[i])
			fail(reader, "'%s' is set already, on line %u", key, reader->set[i]);
		else if (*value == ';' ||
			!setting_take(&settings[i], value, reader->config, list, sizeof(list)))
			fail(reader, "%s: %s is expected, not '%s'", key,
				*value == ';' ? "no ';' as the first character" : list, value);
		reader->set[i] = reader->line;
		return;
	}
	if (list_keys(section, list, sizeof(list)))
		fail(reader, "unknown key '%s' in [%s]: expected is one of %s", key, section, list);
	else
		fail(reader,
			"unknown section [%s]: check, history, alerts, limits, silences "
			"or drive NAME is expected",
			section);
}

/* Called for each key; 0 lets libinih remember the line as wrong. */
static int take(void *context, const char *section, const char *key, const char *value)
{
	static const char drive[] = "drive ";
	struct reader *reader = context;
	struct config_section *all = reader->config->sections;

	if (strlen(section) > MOST_NAME || strlen(key) > MOST_NAME)
		fail(reader, "a name of at most %d characters is expected", MOST_NAME);
	else if (!strcmp(section, "limits"))
		take_limit(reader, all, CONFIG_ANY_KIND, key, value);
	else if (!strcmp(section, "limits rotating"))
		take_limit(reader, all, CONFIG_ROTATING, key, value);
	else if (!strcmp(section, "limits solid-state"))
		take_limit(reader, all, CONFIG_SOLID_STATE, key, value);
	else if (!strcmp(section, "silences"))
		take_silence(reader, all, key, value);
	else if (!strncmp(section, drive, strlen(drive)))
		take_of_drive(reader, section + strlen(drive), key, value);
	else
		take_setting(reader, section, key, value);
	return reader->failed_line ? 0 : 1;
}

static void check_drives(struct reader *reader)
{
	for (size_t i = 1; i < reader->config->section_count; i++) {
		const struct config_section *section = &reader->config->sections[i];

		reader->line = section->line;
		if (!section->serial && !section->wwn && !section->model)
			fail(reader, "[drive %s]: a serial, wwn or model is expected",
				section->name);
	}
}

int config_read(FILE *file, const char *name, struct config *config, struct error *error)
{
	struct reader reader = { .file = file, .name = name, .config = config, .error = error };
	int wrong;

	reader.set = arena_alloc(config->arena, settings_count() * sizeof(*reader.set));
	wrong = ini_parse_stream(next_line, &reader, take, &reader);

	if (wrong > 0 && (!reader.failed_line || (unsigned)wrong < reader.failed_line)) {
		reader.failed_line = 0;
		reader.line = (unsigned)wrong;
		fail(&reader, "'[section]' or 'key = value' is expected");
	}
	if (!reader.failed_line && ferror(file)) {
		reader.failed_line = 1;
		error_set(error, EXIT_INTERNAL, "%s: %s", name, strerror(errno));
	}
	check_drives(&reader);
	free(reader.text);
	return reader.failed_line || wrong < 0 ? -1 : 0;
}

int config_load(const char *path, struct config *config, struct error *error)
{
	const char *name = path ? path : CONFIG_FILE;
	FILE *file = fopen(name, "re");
	int result;

	if (!file && !path && errno == ENOENT)
		return 0;
	if (!file)
		return error_set(error, error_status_of(errno), "%s: %s", name, strerror(errno));
	result = config_read(file, name, config, error);
	fclose(file);
	return result;
}
