/*
 * A sysfs of the tests' own, below a temporary folder.
 */
#ifndef ASSAY_TEST_FAKE_SYSFS_H
#define ASSAY_TEST_FAKE_SYSFS_H

#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char sysfs[64];

__attribute__((format(printf, 2, 3))) static inline void join(
	char path[PATH_MAX], const char *format, ...)
{
	va_list args;

	va_start(args, format);
	assert_true(vsnprintf(path, PATH_MAX, format, args) < PATH_MAX);
	va_end(args);
}

static inline void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
}

static inline void put_bytes(const char *folder, const char *file, const void *data, size_t len)
{
	char path[PATH_MAX];
	FILE *stream;

	join(path, "%s/%s/%s", sysfs, folder, file);
	make_folders(path);
	stream = fopen(path, "w");
	assert_non_null(stream);
	if (len)
		fwrite(data, 1, len, stream);
	fclose(stream);
}

static inline void put(const char *folder, const char *file, const char *text)
{
	put_bytes(folder, file, text, strlen(text));
}

static inline void put_link(const char *folder, const char *name, const char *to)
{
	char path[PATH_MAX], target[PATH_MAX];

	join(path, "%s/%s/%s", sysfs, folder, name);
	make_folders(path);
	join(target, "%s/%s", sysfs, to);
	assert_int_equal(symlink(target, path), 0);
}

/* A SCSI device with the given nodes, and what leads to it. */
static inline void put_drive(
	const char *folder, const char *address, const char *block, const char *sg)
{
	char path[PATH_MAX], class[PATH_MAX];

	put(folder, "scsi_level", "6\n");
	put(folder, "type", "0\n");
	join(class, "class/scsi_device/%s", address);
	put_link(class, "device", folder);
	if (block) {
		join(path, "%s/block/%s", folder, block);
		put(path, "size", "2097152\n");
		put_link(path, "device", folder);
		put_link("class/block", block, path);
	}
	if (sg) {
		join(path, "%s/scsi_generic/%s", folder, sg);
		put(path, "dev", "21:0\n");
		put_link(path, "device", folder);
		put_link("class/scsi_generic", sg, path);
	}
}

static inline int make_sysfs(void **state)
{
	(void)state;
	snprintf(sysfs, sizeof(sysfs), "/tmp/assay-test-sysfs-%ld", (long)getpid());
	return mkdir(sysfs, 0700);
}

static inline int remove_one(const char *path, const struct stat *info, int kind, struct FTW *ftw)
{
	(void)info;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static inline int remove_sysfs(void **state)
{
	(void)state;
	return nftw(sysfs, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

#define sysfs_test(test) cmocka_unit_test_setup_teardown(test, make_sysfs, remove_sysfs)

#endif
