/* Is there something on it, or does somebody use it? */
#include <blkid/blkid.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "measure/target.h"

bool line_of(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	bool good = file && fgets(line, (int)size, file);

	if (good)
		line[strcspn(line, "\n")] = '\0';
	if (file)
		fclose(file);
	return good;
}

static bool is_mounted(dev_t device)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	unsigned a, b;
	char *line = NULL;
	size_t size = 0;
	bool found = false;

	while (file && !found && getline(&line, &size, file) > 0)
		found = sscanf(line, "%*d %*d %u:%u", &a, &b) == 2 && makedev(a, b) == device;
	free(line);
	if (file)
		fclose(file);
	return found;
}

static bool is_swap(dev_t device)
{
	FILE *file = fopen("/proc/swaps", "re");
	char line[512], name[256];
	struct stat state;
	bool found = false;

	while (file && !found && fgets(line, sizeof(line), file))
		found = sscanf(line, "%255s", name) == 1 && stat(name, &state) == 0 &&
			S_ISBLK(state.st_mode) && state.st_rdev == device;
	if (file)
		fclose(file);
	return found;
}

/* The first holder's name: a dm or md device above it. */
static bool holder(const char *folder, char *name, size_t size)
{
	char path[512];
	struct dirent *entry;
	bool found = false;

	snprintf(path, sizeof(path), "%s/holders", folder);
	DIR *directory = opendir(path);

	while (directory && !found && (entry = readdir(directory))) {
		found = entry->d_name[0] != '.';
		if (found)
			snprintf(name, size, "%s", entry->d_name);
	}
	if (directory)
		closedir(directory);
	return found;
}

static int check_use(const char *folder, struct error *error)
{
	char path[512], line[64], name[256];
	unsigned a, b;

	snprintf(path, sizeof(path), "%s/dev", folder);
	if (!line_of(path, line, sizeof(line)) || sscanf(line, "%u:%u", &a, &b) != 2)
		return error_set(error, EXIT_UNKNOWN, "%s: cannot tell whether it is in use", path);
	dev_t device = makedev(a, b);

	if (is_mounted(device))
		return error_set(error, EXIT_NO_PERMISSION, "is mounted (%u:%u)", a, b);
	if (is_swap(device))
		return error_set(error, EXIT_NO_PERMISSION, "is swapped to (%u:%u)", a, b);
	if (holder(folder, name, sizeof(name)))
		return error_set(error, EXIT_NO_PERMISSION, "is held by %s (%u:%u)", name, a, b);
	return 0;
}

/* The device, and each of its partitions: folders with a file "partition". */
static int check_uses(const char *folder, struct error *error)
{
	DIR *directory = opendir(folder);
	int failed = check_use(folder, error);
	struct dirent *entry;
	char path[640];
	struct stat state;

	while (directory && !failed && (entry = readdir(directory))) {
		snprintf(path, sizeof(path), "%s/%s/partition", folder, entry->d_name);
		if (stat(path, &state) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		failed = check_use(path, error);
	}
	if (directory)
		closedir(directory);
	return failed;
}

/* What a probe found, as a word and whether it belongs to a RAID or a group. */
static const char *found_by(blkid_probe probe, bool *member)
{
	const char *type = NULL, *usage = NULL, *table = NULL;

	blkid_probe_lookup_value(probe, "TYPE", &type, NULL);
	blkid_probe_lookup_value(probe, "USAGE", &usage, NULL);
	blkid_probe_lookup_value(probe, "PTTYPE", &table, NULL);
	*member = usage && !strcmp(usage, "raid");
	return type ? type : table ? table : "something";
}

static int check_signatures(const char *path, bool force, struct error *error)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);
	bool member = false;
	int found;

	if (!probe)
		return error_set(error, error_status_of(errno), "%s", strerror(errno));
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE);
	blkid_probe_enable_partitions(probe, 1);
	found = blkid_do_safeprobe(probe);
	/* 0: one thing; -2: several; 1: nothing */
	const char *what = found == 0 ? found_by(probe, &member) : "several things";

	if (found == 0 && member)
		error_set(error, EXIT_NO_PERMISSION,
			"is a member of a RAID or volume group (%s): take it out first", what);
	else if (found != 1 && !force)
		error_set(error, EXIT_NO_PERMISSION, "holds %s: --force overwrites it",
			found == -1 ? "something unreadable" : what);
	else
		found = 1;
	blkid_free_probe(probe);
	return found == 1 ? 0 : -1;
}

int guard_check(const char *path, dev_t device, bool force, struct error *error)
{
	char folder[64];

	snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u", major(device), minor(device));
	return check_uses(folder, error) || check_signatures(path, force, error) ? -1 : 0;
}

int target_check_unused(const char *name, struct error *error)
{
	char folder[280];

	snprintf(folder, sizeof(folder), "/sys/class/block/%.250s", name);
	return check_uses(folder, error);
}
