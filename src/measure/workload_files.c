/* Files and folders of workloads. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "assay/data.h"
#include "assay/workload.h"

enum { FILE_BYTES_MAX = 1 << 20, PATH_BYTES = 1024 };

struct workload *workload_load(struct workloads *workloads, const char *path, struct error *error)
{
	FILE *file = fopen(path, "re");
	char *text = file ? malloc(FILE_BYTES_MAX) : NULL;
	struct workload *workload = NULL;

	if (!file)
		error_set(error, error_status_of(errno), "%s: %s", path, strerror(errno));
	size_t len = text ? fread(text, 1, FILE_BYTES_MAX, file) : 0;

	if (text && (ferror(file) || len == FILE_BYTES_MAX))
		error_set(error, EXIT_USAGE, "%s: expected a file of less than 1 MiB", path);
	else if (text)
		workload = workload_load_text(workloads, path, text, len, error);
	free(text);
	if (file)
		fclose(file);
	return workload;
}

static int is_wanted(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return entry->d_name[0] != '.' && len > 5 && !strcmp(entry->d_name + len - 5, ".json");
}

/* An earlier folder's workload of the same name stays. */
static void drop_if_hidden(struct workloads *workloads, size_t before)
{
	const struct workload *last = workloads->workloads[workloads->count - 1];

	for (size_t i = 0; i < before; i++)
		if (!strcmp(workloads->workloads[i]->name, last->name)) {
			workloads->count--;
			return;
		}
}

static int load_folder(struct workloads *workloads, const char *folder, struct error *error)
{
	struct dirent **entries;
	char path[2 * PATH_BYTES];
	size_t before = workloads->count;
	int count = scandir(folder, &entries, is_wanted, alphasort), failed = 0;

	for (int i = 0; i < count; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (!failed && !workload_load(workloads, path, error))
			failed = -1;
		else if (!failed)
			drop_if_hidden(workloads, before);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return failed;
}

int workloads_load_all(struct workloads *workloads, struct error *error)
{
	struct data_folders folders;

	data_folders("workloads", &folders);
	for (size_t i = 0; i < folders.count; i++)
		if (load_folder(workloads, folders.paths[i], error) != 0)
			return -1;
	return 0;
}

const struct workload *workload_get(
	struct workloads *workloads, const char *name, struct error *error)
{
	struct data_folders folders;
	char path[2 * PATH_BYTES];
	struct workload *workload;

	if (strchr(name, '/') || strstr(name, ".json"))
		return workload_load(workloads, name, error);
	data_folders("workloads", &folders);
	for (size_t i = 0; i < folders.count; i++) {
		snprintf(path, sizeof(path), "%s/%s.json", folders.paths[i], name);
		if (access(path, F_OK) != 0)
			continue;
		workload = workload_load(workloads, path, error);
		if (!workload || !strcmp(workload->name, name))
			return workload;
	}
	if (workloads_load_all(workloads, error) != 0)
		return NULL;
	const struct workload *found = workload_find(workloads, name);

	if (!found)
		error_set(
			error, EXIT_NO_SUCH, "no workload '%s'; assay bench list shows them", name);
	return found;
}
