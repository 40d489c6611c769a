/* The journal: what was where, before it was changed. */
#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/power.h"

static const char schema[] = "assay-power-journal-1";

enum { JOURNAL_BYTES_MAX = 1 << 20 };

static int failed(const char *path, struct error *error)
{
	int value = errno;

	return error_set(error, error_status_of(value), "%s: %s", path, strerror(value));
}

/* A name in a folder lasts when the folder is on the medium. */
static void sync_folder(const char *path)
{
	char copy[PATH_MAX];
	int folder;

	snprintf(copy, sizeof(copy), "%s", path);
	folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (folder < 0)
		return;
	fsync(folder);
	close(folder);
}

static char *journal_text(const struct settings *settings)
{
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "schema", schema);
	cJSON_AddStringToObject(json, "serial", settings->serial);
	cJSON *list = cJSON_AddArrayToObject(json, "settings");

	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *setting = &settings->settings[i];
		cJSON *item = cJSON_CreateObject();

		cJSON_AddStringToObject(item, "kind", setting_kind_name(setting->kind));
		cJSON_AddStringToObject(item, "name", setting->name);
		cJSON_AddStringToObject(item, "before", setting->value);
		cJSON_AddItemToArray(list, item);
	}
	char *text = cJSON_Print(json);

	cJSON_Delete(json);
	return text;
}

static int write_whole(const char *path, const char *text, struct error *error)
{
	char part[PATH_MAX];
	size_t len = strlen(text), done = 0;

	if (snprintf(part, sizeof(part), "%s.part", path) >= (int)sizeof(part))
		return error_set(error, EXIT_USAGE, "%s: the name is too long", path);
	int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (file < 0)
		return failed(part, error);
	while (done < len) {
		ssize_t n = write(file, text + done, len - done);

		if (n < 0 && errno != EINTR)
			break;
		done += n > 0 ? (size_t)n : 0;
	}
	bool good = done == len && fsync(file) == 0;

	good &= close(file) == 0;
	if (!good || rename(part, path) != 0)
		return failed(path, error);
	sync_folder(path);
	return 0;
}

int journal_write(const char *path, const struct settings *settings, struct error *error)
{
	char copy[PATH_MAX];

	if (!settings->count) {
		if (unlink(path) != 0 && errno != ENOENT)
			return failed(path, error);
		sync_folder(path);
		return 0;
	}
	snprintf(copy, sizeof(copy), "%s", path);
	mkdir(dirname(copy), 0755);
	char *text = journal_text(settings);
	int result = text ? write_whole(path, text, error)
			  : error_set(error, EXIT_INTERNAL, "no memory");

	cJSON_free(text);
	return result;
}

static const char *text_of(const cJSON *json, const char *name)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(json, name);

	return cJSON_IsString(item) ? item->valuestring : "";
}

static bool take_setting(const cJSON *item, struct settings *settings)
{
	struct setting *setting = &settings->settings[settings->count];
	unsigned kind = 0;

	while (kind < SETTING_KINDS &&
		strcmp(setting_kind_name((enum setting_kind)kind), text_of(item, "kind")) != 0)
		kind++;
	if (kind == SETTING_KINDS || settings->count == SETTINGS)
		return false;
	setting->kind = (enum setting_kind)kind;
	snprintf(setting->name, sizeof(setting->name), "%s", text_of(item, "name"));
	snprintf(setting->value, sizeof(setting->value), "%s", text_of(item, "before"));
	settings->count++;
	return true;
}

static bool take_journal(const cJSON *json, struct settings *settings)
{
	const cJSON *list = cJSON_GetObjectItemCaseSensitive(json, "settings"), *item;

	if (strcmp(text_of(json, "schema"), schema) != 0 || !cJSON_IsArray(list))
		return false;
	snprintf(settings->serial, sizeof(settings->serial), "%s", text_of(json, "serial"));
	cJSON_ArrayForEach(item, list) if (!take_setting(item, settings)) return false;
	return true;
}

int journal_read(const char *path, struct settings *settings, struct error *error)
{
	FILE *file = fopen(path, "re");

	*settings = (struct settings) { .count = 0 };
	if (!file && errno == ENOENT)
		return 0;
	if (!file)
		return failed(path, error);
	char *text = calloc(1, JOURNAL_BYTES_MAX);
	size_t len = text ? fread(text, 1, JOURNAL_BYTES_MAX - 1, file) : 0;
	cJSON *json = text ? cJSON_ParseWithLength(text, len) : NULL;
	bool good = take_journal(json, settings);

	cJSON_Delete(json);
	free(text);
	fclose(file);
	return good ? 0
		    : error_set(error, EXIT_NO_DRIVE_DATA, "%s: no journal of assay power", path);
}
