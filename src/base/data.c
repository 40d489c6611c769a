#include "assay/data.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tests lie deepest: build/san/tests/unit. */
enum { LEVELS = 5 };

/* The folder `name` that lies beside the program or above it; "": none. An
 * installed program thus finds its data wherever it was installed to. */
static void find_above(const char *name, char *path, size_t size)
{
	char program[DATA_PATH_BYTES];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program) - 1);

	program[len > 0 ? len : 0] = '\0';
	for (int level = 0; level < LEVELS; level++) {
		char *slash = strrchr(program, '/');

		if (!slash)
			break;
		*slash = '\0';
		int used = snprintf(path, size, "%s/%s", program, name);

		if (used > 0 && (size_t)used < size && access(path, X_OK) == 0)
			return;
	}
	*path = '\0';
}

static void add(struct data_folders *folders, const char *folder, const char *kind)
{
	char *path = folders->paths[folders->count];

	if (!folder || !*folder)
		return;
	snprintf(path, sizeof(folders->paths[0]), "%s/%s", folder, kind);
	for (size_t i = 0; i < folders->count; i++)
		if (!strcmp(folders->paths[i], path))
			return;
	folders->count++;
}

void data_folders(const char *kind, struct data_folders *folders)
{
	const char *given = getenv("ASSAY_DATA");
	char above[DATA_PATH_BYTES - 64];

	folders->count = 0;
	if (!given || !*given) {
		/* "data" alone could be anybody's */
		find_above("data/specs", above, sizeof(above));
		if (*above)
			*strrchr(above, '/') = '\0';
		given = above;
	}
	add(folders, given, kind);
	add(folders, "/etc/assay", kind);
	find_above("share/assay", above, sizeof(above));
	add(folders, above, kind);
	add(folders, "/usr/share/assay", kind);
}
