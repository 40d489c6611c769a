/* Shows a drive to the kernel by way of configfs, and takes it away again. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive.h"

#define CONFIGFS "/sys/kernel/config/target"

enum { WAIT_STEPS = 500, WAIT_STEP_US = 10000, QUIET_STEPS = 8, DATA_AREA_MIB = 64 };

struct paths {
	char core[160], fabric[160], wwn[32];
};

static struct paths paths_of(const char *name)
{
	struct paths paths;
	uint32_t hash = 2166136261; /* FNV-1a: a name's own address */

	for (const char *at = name; *at; at++)
		hash = (hash ^ (uint8_t)*at) * 16777619;
	snprintf(paths.wwn, sizeof(paths.wwn), "naa.50014050%08x", hash);
	snprintf(paths.core, sizeof(paths.core), CONFIGFS "/core/user_0/%s", name);
	snprintf(paths.fabric, sizeof(paths.fabric), CONFIGFS "/loopback/%s", paths.wwn);
	return paths;
}

static bool write_file(const char *folder, const char *name, const char *text)
{
	char path[300];
	int file;
	bool done;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = open(path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	done = write(file, text, strlen(text)) == (ssize_t)strlen(text);
	close(file);
	return done;
}

static bool read_file(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	bool done = file && fgets(text, (int)size, file);

	if (file)
		fclose(file);
	if (done)
		text[strcspn(text, "\n")] = '\0';
	return done;
}

static bool make_folder(const char *path)
{
	return !mkdir(path, 0755) || errno == EEXIST;
}

static char *find_uio(const char *name)
{
	char wanted[160], path[300], text[256];
	DIR *folder = opendir("/sys/class/uio");
	const struct dirent *entry;
	char *found = NULL;

	snprintf(wanted, sizeof(wanted), "tcm-user/0/%s/", name);
	while (folder && !found && (entry = readdir(folder))) {
		snprintf(path, sizeof(path), "/sys/class/uio/%s/name", entry->d_name);
		if (entry->d_name[0] != '.' && read_file(path, text, sizeof(text)) &&
			!strncmp(text, wanted, strlen(wanted)))
			found = strdup(entry->d_name);
	}
	if (folder)
		closedir(folder);
	return found;
}

const char *plug_backstore(const struct drive *drive, char **uio)
{
	struct paths paths = paths_of(drive->name);
	const struct medium *medium = &drive->medium;
	char text[300];

	if (!make_folder(CONFIGFS "/core/user_0") || !make_folder(paths.core))
		return "configfs: no user backstore (is target_core_user loaded?)";
	snprintf(text, sizeof(text),
		"dev_config=replay/%s,dev_size=%llu,hw_block_size=%u,max_data_area_mb=%d",
		drive->name, (unsigned long long)(medium->blocks * medium->block_bytes),
		medium->block_bytes, DATA_AREA_MIB);
	if (!write_file(paths.core, "control", text) ||
		!write_file(paths.core, "attrib/cmd_time_out", "0") ||
		!write_file(paths.core, "attrib/tmr_notification", "1") ||
		!write_file(paths.core, "enable", "1"))
		return "configfs: the backstore could not be set up";
	*uio = find_uio(drive->name);
	return *uio ? NULL : "the backstore has no uio device";
}

/* The first entry of a folder of sysfs. */
static bool only_entry(const char *folder_path, char *name, size_t size)
{
	DIR *folder = opendir(folder_path);
	const struct dirent *entry = NULL;

	while (folder && (entry = readdir(folder)) && entry->d_name[0] == '.')
		;
	if (entry)
		snprintf(name, size, "%s", entry->d_name);
	if (folder)
		closedir(folder);
	return entry;
}

static bool node_exists(const char *name)
{
	char path[300];

	snprintf(path, sizeof(path), "/dev/%s", name);
	return !access(path, F_OK);
}

/* Only disks (device type 0) get a block device. */
static bool nodes_there(const char *device, char *block, char *generic, size_t size)
{
	char path[300];

	snprintf(path, sizeof(path), "/sys/bus/scsi/devices/%s/scsi_generic", device);
	if (!only_entry(path, generic, size) || !node_exists(generic))
		return false;
	snprintf(path, sizeof(path), "/sys/bus/scsi/devices/%s/block", device);
	return only_entry(path, block, size) && node_exists(block);
}

/* The kernel still looks for partitions when the nodes are there: waits until it sends no
 * more commands. */
static void wait_for_quiet(const struct drive *drive)
{
	char path[300];
	struct stat journal;
	off_t last = -1;
	int quiet = 0;

	snprintf(path, sizeof(path), "/run/lab/%s/journal", drive->name);
	for (int i = 0; i < WAIT_STEPS && quiet < QUIET_STEPS && !stat(path, &journal); i++) {
		quiet = journal.st_size == last ? quiet + 1 : 0;
		last = journal.st_size;
		usleep(WAIT_STEP_US);
	}
}

void plug_address(struct drive *drive)
{
	struct paths paths = paths_of(drive->name);
	char path[300], text[48];

	snprintf(path, sizeof(path), "%s/tpgt_1/address", paths.fabric);
	if (read_file(path, text, sizeof(text)))
		snprintf(drive->device, sizeof(drive->device), "%s:0", text);
}

const char *plug_disk(struct drive *drive)
{
	struct paths paths = paths_of(drive->name);
	char path[300], block[256] = "-", generic[256] = "-";

	snprintf(path, sizeof(path), "%s/tpgt_1", paths.fabric);
	if (!make_folder(CONFIGFS "/loopback") || !make_folder(paths.fabric) || !make_folder(path))
		return "configfs: no loopback fabric (is tcm_loop loaded?)";
	paths.wwn[6] ^= 1; /* the initiator's own address */
	if (!write_file(path, "nexus", paths.wwn))
		return "configfs: no nexus";
	plug_address(drive);
	snprintf(path, sizeof(path), "%s/tpgt_1/lun/lun_0", paths.fabric);
	if (!make_folder(path))
		return "configfs: no unit";
	snprintf(path, sizeof(path), "%s/tpgt_1/lun/lun_0/port", paths.fabric);
	if (symlink(paths.core, path))
		return "configfs: the unit could not be linked";
	for (int i = 0; i < WAIT_STEPS; i++) {
		if (nodes_there(drive->device, block, generic, sizeof(block)))
			break;
		usleep(WAIT_STEP_US);
	}
	wait_for_quiet(drive);
	printf("%s %s\n", block, generic);
	return NULL;
}

void unplug(const char *name)
{
	struct paths paths = paths_of(name);
	char path[300];

	snprintf(path, sizeof(path), "%s/tpgt_1/lun/lun_0/port", paths.fabric);
	unlink(path);
	snprintf(path, sizeof(path), "%s/tpgt_1/lun/lun_0", paths.fabric);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/tpgt_1", paths.fabric);
	rmdir(path);
	rmdir(paths.fabric);
	rmdir(paths.core);
}
