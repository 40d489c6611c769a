/* Targets, and why one is not written to. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "measure/target.h"

enum { FILE_BLOCK_BYTES = 512 };

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The user must name what is to be destroyed. */
static int check_named(const char *path, const struct target_wanted *wanted, struct error *error)
{
	const char *name = wanted->serial && *wanted->serial ? wanted->serial : base_name(path);

	if (!wanted->destroy)
		return error_set(error, EXIT_USAGE,
			"this workload writes and destroys all data: give --destroy-data with the "
			"serial number of the drive%s",
			wanted->serial && *wanted->serial ? "" : " (it has none: the node's name)");
	if (strcmp(wanted->destroy, name) != 0)
		return error_set(error, EXIT_USAGE,
			"--destroy-data names '%s', but this drive is '%s'", wanted->destroy, name);
	return 0;
}

static int open_device(const char *path, const struct target_wanted *wanted,
	const struct stat *state, struct target *target, struct error *error)
{
	int block_bytes = 0, flags = wanted->write ? O_RDWR | O_EXCL : O_RDONLY;

	snprintf(target->sysfs, sizeof(target->sysfs), "/sys/dev/block/%u:%u",
		major(state->st_rdev), minor(state->st_rdev));
	if (wanted->write &&
		(check_named(path, wanted, error) ||
			guard_check(path, state->st_rdev, wanted->force, error)))
		return -1;
	target->direct = true;
	target->file = open(path, flags | O_DIRECT | O_CLOEXEC);
	if (target->file < 0 && errno == EBUSY)
		return error_set(error, EXIT_NO_PERMISSION, "is in use: it is mounted or held");
	if (target->file < 0 || ioctl(target->file, BLKGETSIZE64, &target->size_bytes) != 0 ||
		ioctl(target->file, BLKSSZGET, &block_bytes) != 0)
		return error_set(error, error_status_of(errno), "%s", strerror(errno));
	target->block_bytes = (uint32_t)block_bytes;
	return 0;
}

/* A file that was there before is somebody's. */
static int check_file(const char *path, const struct target_wanted *wanted,
	const struct stat *state, struct error *error)
{
	if (!state && !wanted->file_bytes)
		return error_set(
			error, EXIT_NO_SUCH, "no such file; --size makes one to try things out on");
	if (state && state->st_size > 0 && wanted->write && !wanted->force &&
		(!wanted->destroy || strcmp(wanted->destroy, base_name(path)) != 0))
		return error_set(error, EXIT_USAGE,
			"this workload writes and the file is not empty: give --destroy-data %s",
			base_name(path));
	return 0;
}

static int open_file(const char *path, const struct target_wanted *wanted, const struct stat *state,
	struct target *target, struct error *error)
{
	bool fresh = !state || state->st_size == 0;
	int flags = O_CLOEXEC | (wanted->write || fresh ? O_RDWR | O_CREAT : O_RDONLY);

	if (check_file(path, wanted, state, error))
		return -1;
	target->regular = true;
	target->direct = true;
	target->block_bytes = FILE_BLOCK_BYTES;
	target->file = open(path, flags | O_DIRECT, 0600);
	if (target->file < 0 && errno == EINVAL) {
		target->direct = false; /* a file system that has none */
		target->file = open(path, flags, 0600);
	}
	if (target->file < 0)
		return error_set(error, error_status_of(errno), "%s", strerror(errno));
	target->size_bytes = state ? (uint64_t)state->st_size : 0;
	if (wanted->file_bytes && fresh) {
		target->created = true;
		target->size_bytes = wanted->file_bytes;
		if (ftruncate(target->file, (off_t)target->size_bytes) != 0)
			return error_set(error, error_status_of(errno), "%s", strerror(errno));
	} else if (wanted->file_bytes && wanted->file_bytes < target->size_bytes) {
		target->size_bytes = wanted->file_bytes;
	}
	return 0;
}

int target_open(const char *path, const struct target_wanted *wanted, struct target *target,
	struct error *error)
{
	struct stat state;
	bool there = stat(path, &state) == 0;
	int result;

	*target = (struct target) { .path = path, .file = -1 };
	if (there && S_ISBLK(state.st_mode))
		result = open_device(path, wanted, &state, target, error);
	else if (there && !S_ISREG(state.st_mode))
		result = error_set(
			error, EXIT_USAGE, "is neither a block device nor a regular file");
	else
		result = open_file(path, wanted, there ? &state : NULL, target, error);
	if (result == 0 && target->size_bytes < target->block_bytes)
		result = error_set(error, EXIT_USAGE, "is empty; a new file wants --size");
	if (result != 0)
		target_close(target);
	return result;
}

void target_close(struct target *target)
{
	if (target->file >= 0)
		close(target->file);
	target->file = -1;
}

bool target_is_whole_drive(const struct target *target)
{
	char path[sizeof(target->sysfs) + 16];

	snprintf(path, sizeof(path), "%s/partition", target->sysfs);
	return *target->sysfs && access(path, F_OK) != 0;
}

int target_discard(struct target *target, struct error *error)
{
	uint64_t range[2] = { 0, target->size_bytes };
	int failed = target->regular
		? fallocate(target->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
			  (off_t)target->size_bytes)
		: ioctl(target->file, BLKDISCARD, range);

	if (failed)
		return error_set(error, error_status_of(errno), "discard: %s", strerror(errno));
	return 0;
}
