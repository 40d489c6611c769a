/* What sysfs says of a drive. Nothing here opens its node. */
#include "transport/host.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "assay/array.h"

static bool join(char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* False where the path is too long. */
static bool join(char *path, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(path, PATH_MAX, format, args);
	va_end(args);
	return len > 0 && len < PATH_MAX;
}

bool host_line(char *text, size_t size, const char *format, ...)
{
	char path[PATH_MAX], line[256] = "";
	va_list args;
	FILE *file;

	text[0] = '\0';
	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fgets(line, sizeof(line), file))
		bytes_text((struct bytes) { (const uint8_t *)line, strcspn(line, "\n") }, false,
			text, size);
	fclose(file);
	return text[0] != '\0';
}

bool host_entry(const char *folder, const char *prefix, char *name, size_t size)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	name[0] = '\0';
	if (!dir)
		return false;
	while (!name[0] && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' && strlen(entry->d_name) < size &&
			!strncmp(entry->d_name, prefix, strlen(prefix)))
			memcpy(name, entry->d_name, strlen(entry->d_name) + 1);
	closedir(dir);
	return name[0] != '\0';
}

bool host_place_at(const char *link, struct host_place *place)
{
	char path[PATH_MAX];

	*place = (struct host_place) { .folder = "" };
	if (!realpath(link, place->folder) || !join(path, "%s/scsi_level", place->folder) ||
		access(path, F_OK) != 0)
		return false;
	if (join(path, "%s/block", place->folder))
		host_entry(path, "", place->block, sizeof(place->block));
	if (join(path, "%s/scsi_generic", place->folder))
		host_entry(path, "", place->sg, sizeof(place->sg));
	return true;
}

/* A partition stands below its drive. */
static bool block_place(const char *sysfs, const char *name, struct host_place *place)
{
	char path[PATH_MAX], folder[PATH_MAX], link[PATH_MAX];

	if (!join(path, "%s/class/block/%s", sysfs, name) || !realpath(path, folder))
		return false;
	if (join(path, "%s/partition", folder) && access(path, F_OK) == 0)
		*strrchr(folder, '/') = '\0';
	return join(link, "%s/device", folder) && host_place_at(link, place);
}

static const char *name_of_node(const char *node, char *path)
{
	const char *slash;

	if (!realpath(node, path))
		snprintf(path, PATH_MAX, "%s", node);
	slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

bool host_place_of(
	const char *sysfs, const char *node, struct host_place *place, struct error *error)
{
	char resolved[PATH_MAX], link[PATH_MAX];
	const char *name = name_of_node(node, resolved);
	struct stat state;

	if (block_place(sysfs, name, place) ||
		(join(link, "%s/class/scsi_generic/%s/device", sysfs, name) &&
			host_place_at(link, place)))
		return true;
	if (stat(node, &state) != 0)
		error_set(error, error_status_of(errno), "%s", strerror(errno));
	else
		error_set(error, EXIT_NO_DRIVE_DATA,
			"not a SCSI or ATA drive: sysfs has no such SCSI device");
	return false;
}

static void add(struct capture *capture, const char *name, const char *value)
{
	if (value[0])
		capture_host(capture, name, value);
}

static void add_time(struct capture *capture)
{
	char text[sizeof("9999-12-31T23:59:59Z")];
	time_t now = time(NULL);
	struct tm utc;

	if (gmtime_r(&now, &utc) && strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
		add(capture, "time", text);
}

/* The chosen scheduler stands in brackets: "[mq-deadline] none". */
static void add_scheduler(struct capture *capture, const struct host_place *place)
{
	char line[128], *open, *close;

	if (!host_line(
		    line, sizeof(line), "%s/block/%s/queue/scheduler", place->folder, place->block))
		return;
	open = strchr(line, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		*close = '\0';
	add(capture, "scheduler", close ? open + 1 : line);
}

/* Files below the folder of the device whose text is the value as it is. */
static void add_device_lines(struct capture *capture, const struct host_place *place)
{
	static const char *const integrity[] = { "format", "device_is_integrity_capable",
		"read_verify", "write_generate", "tag_size", "protection_interval_bytes" };
	static const char *const protection[] = { "protection_type", "protection_mode" };
	char text[128], name[64], path[PATH_MAX], disk[64];

	host_line(text, sizeof(text), "%s/power/runtime_status", place->folder);
	add(capture, "runtime_status", text);
	if (place->block[0])
		add_scheduler(capture, place);
	for (size_t i = 0; place->block[0] && i < ARRAY_LEN(integrity); i++) {
		snprintf(name, sizeof(name), "integrity.%s", integrity[i]);
		host_line(text, sizeof(text), "%s/block/%s/integrity/%s", place->folder,
			place->block, integrity[i]);
		add(capture, name, text);
	}
	if (!join(path, "%s/scsi_disk", place->folder) || !host_entry(path, "", disk, sizeof(disk)))
		return;
	for (size_t i = 0; i < ARRAY_LEN(protection); i++) {
		host_line(text, sizeof(text), "%s/%s/%s", path, disk, protection[i]);
		add(capture, protection[i], text);
	}
}

static void add_adapter_lines(
	const char *sysfs, struct capture *capture, const struct host_place *place)
{
	static const struct {
		const char *name, *file;
	} lines[] = {
		{ "proc_name", "proc_name" },
		{ "host_prot_capabilities", "prot_capabilities" },
		{ "host_prot_guard_type", "prot_guard_type" },
	};
	int host = host_number(place->folder, "/host");
	char text[128];

	for (size_t i = 0; host >= 0 && i < ARRAY_LEN(lines); i++) {
		host_line(text, sizeof(text), "%s/class/scsi_host/host%d/%s", sysfs, host,
			lines[i].file);
		add(capture, lines[i].name, text);
	}
}

int host_read(const char *sysfs, const char *node, struct capture *capture, struct error *error)
{
	struct host_place place;
	char text[64];

	if (!host_place_of(sysfs, node, &place, error))
		return -1;
	add_time(capture);
	add(capture, "node", place.block);
	add(capture, "sg_node", place.sg);
	host_transport(sysfs, &place, text, sizeof(text));
	add(capture, "transport", text);
	host_link_rate(sysfs, &place, text, sizeof(text));
	add(capture, "link_gbps", text);
	add_adapter_lines(sysfs, capture, &place);
	add_device_lines(capture, &place);
	return 0;
}

uint64_t host_size_bytes(const char *sysfs, const char *node)
{
	enum { SYSFS_SECTOR = 512 }; /* whatever the drive's own blocks are */
	struct host_place place;
	struct error error;
	char text[32];

	if (!host_place_of(sysfs, node, &place, &error) ||
		!host_line(text, sizeof(text), "%s/block/%s/size", place.folder, place.block))
		return 0;
	return strtoull(text, NULL, 10) * SYSFS_SECTOR;
}

static bool add_cached(
	struct capture *capture, const char *folder, const char *file, bool evpd, uint8_t page)
{
	uint8_t data[4096];
	char path[PATH_MAX];
	FILE *stream;
	size_t len;

	if (!join(path, "%s/%s", folder, file))
		return false;
	stream = fopen(path, "rbe");
	if (!stream)
		return false;
	len = fread(data, 1, sizeof(data), stream);
	fclose(stream);
	if (!len)
		return false;
	capture_add(capture,
		&(struct record) {
			.cdb = { 0x12, evpd, page, (uint8_t)(len >> 8), (uint8_t)len },
			.cdb_len = 6,
			.data = { data, len },
			.duration_us = -1,
		});
	return true;
}

size_t host_cached_pages(const char *sysfs, const char *node, struct capture *capture)
{
	static const struct {
		const char *file;
		bool evpd;
		uint8_t page;
	} files[] = {
		{ "inquiry", false, 0 },
		{ "vpd_pg0", true, 0x00 },
		{ "vpd_pg80", true, 0x80 },
		{ "vpd_pg83", true, 0x83 },
		{ "vpd_pg89", true, 0x89 },
		{ "vpd_pgb0", true, 0xb0 },
		{ "vpd_pgb1", true, 0xb1 },
		{ "vpd_pgb2", true, 0xb2 },
	};
	struct host_place place;
	struct error error;
	size_t count = 0;

	if (!host_place_of(sysfs, node, &place, &error))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		count += add_cached(
			capture, place.folder, files[i].file, files[i].evpd, files[i].page);
	return count;
}
