/* All SCSI devices that sysfs knows. */
#include "transport/host.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"

static void node_of(char *node, size_t size, const char *name)
{
	if (name[0])
		snprintf(node, size, "/dev/%s", name);
}

static bool read_drive(const char *sysfs, const char *address, struct host_drive *drive)
{
	struct host_place place;
	char link[PATH_MAX], text[32];

	snprintf(link, sizeof(link), "%s/class/scsi_device/%s/device", sysfs, address);
	if (!host_place_at(link, &place))
		return false;
	node_of(drive->node, sizeof(drive->node), place.block);
	node_of(drive->sg_node, sizeof(drive->sg_node), place.sg);
	if (host_line(text, sizeof(text), "%s/type", place.folder))
		drive->device_type = (unsigned)strtoul(text, NULL, 0);
	host_line(drive->vendor, sizeof(drive->vendor), "%s/vendor", place.folder);
	host_line(drive->model, sizeof(drive->model), "%s/model", place.folder);
	host_line(drive->revision, sizeof(drive->revision), "%s/rev", place.folder);
	host_transport(sysfs, &place, drive->transport, sizeof(drive->transport));
	host_line(text, sizeof(text), "%s/power/runtime_status", place.folder);
	drive->suspended = !strncmp(text, "suspend", strlen("suspend"));
	return drive->node[0] || drive->sg_node[0];
}

/* sdb before sdaa, and those without a block device last. */
static int compare_nodes(const char *a, const char *b)
{
	size_t a_len = strlen(a), b_len = strlen(b);

	if (!a_len != !b_len)
		return a_len ? -1 : 1;
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	return strcmp(a, b);
}

static int compare_drives(const void *a, const void *b)
{
	const struct host_drive *x = a, *y = b;
	int order = compare_nodes(x->node, y->node);

	return order ? order : compare_nodes(x->sg_node, y->sg_node);
}

size_t host_scan(const char *sysfs, struct host_drive **drives)
{
	char folder[PATH_MAX];
	struct dirent *entry;
	size_t count = 0;
	DIR *dir;

	*drives = NULL;
	snprintf(folder, sizeof(folder), "%s/class/scsi_device", sysfs);
	dir = opendir(folder);
	if (!dir)
		return 0;
	while ((entry = readdir(dir)) != NULL) {
		struct host_drive drive = { .node = "" };

		if (entry->d_name[0] == '.' || !read_drive(sysfs, entry->d_name, &drive))
			continue;
		*drives = array_grow(*drives, count, sizeof(drive));
		(*drives)[count++] = drive;
	}
	closedir(dir);
	if (count)
		qsort(*drives, count, sizeof(**drives), compare_drives);
	return count;
}
