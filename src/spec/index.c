/* An index of a folder of datasheets: what their patterns contain, so that a drive that
 * is none of theirs costs no reading of them.
 *
 * FOLDER/index.tsv: a line that names the format, then one a sheet: its size, when it was
 * changed, its name in the folder, its literals, each with a tab behind it. A sheet that has to be
 * read to know has no line. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "spec/read.h"

enum { PATH_BYTES = 1024, INDEX_BYTES_MAX = 4 << 20 };

/* A file's time may be as far behind the clock: two ticks at 100 Hz, and some. */
static const uint64_t TICKS_NS = 50000000;

static const char head[] = "assay index of datasheets 1\n";

struct entry {
	const char *name, *literals;
	uint64_t bytes, modified_ns;
};

struct sheet_index {
	struct entry *entries;
	size_t count;
};

static uint64_t modified_ns(const struct stat *status)
{
	return (uint64_t)status->st_mtim.tv_sec * 1000000000 + (uint64_t)status->st_mtim.tv_nsec;
}

/* Its lines; NULL where it cannot be had or is none. */
static char *read_lines(struct arena *arena, const char *folder)
{
	char path[PATH_BYTES];
	struct stat status;
	char *text = NULL;
	size_t len = 0;

	snprintf(path, sizeof(path), "%s/index.tsv", folder);
	FILE *file = fopen(path, "re");
	if (!file)
		return NULL;
	if (!fstat(fileno(file), &status) && S_ISREG(status.st_mode) &&
		status.st_size < INDEX_BYTES_MAX) {
		text = arena_alloc(arena, (size_t)status.st_size + 1);
		len = fread(text, 1, (size_t)status.st_size, file);
		text[len] = '\0';
	}
	fclose(file);
	return len && !strncmp(text, head, sizeof(head) - 1) ? text + sizeof(head) - 1 : NULL;
}

/* One line, whose tabs become the ends of texts, as its own end does; false where it is none. */
static bool read_entry(char *line, char *end, struct entry *entry)
{
	int name = 0;

	*end = '\0';
	sscanf(line, "%" SCNu64 "\t%" SCNu64 "\t%n", &entry->bytes, &entry->modified_ns, &name);
	char *tab = name ? strchr(line + name, '\t') : NULL;

	if (!tab || end[-1] != '\t')
		return false;
	entry->name = line + name;
	entry->literals = tab + 1;
	for (; tab; tab = strchr(tab + 1, '\t'))
		*tab = '\0';
	return true;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name, ((const struct entry *)b)->name);
}

struct sheet_index *sheet_index_load(struct arena *arena, const char *folder)
{
	struct sheet_index *index = arena_alloc(arena, sizeof(*index));
	char *line = read_lines(arena, folder), *end;
	size_t lines = 0;

	for (const char *at = line; at && (at = strchr(at, '\n')); at++)
		lines++;
	index->entries = arena_alloc(arena, lines * sizeof(*index->entries));
	for (; line && (end = strchr(line, '\n')); line = end + 1)
		if (read_entry(line, end, &index->entries[index->count]))
			index->count++;
	if (index->count)
		qsort(index->entries, index->count, sizeof(*index->entries), by_name);
	return index;
}

const char *sheet_index_literals(
	const struct sheet_index *index, const char *name, const char *file)
{
	struct stat status;
	const struct entry key = { .name = name },
			   *entry = index->count
		? bsearch(&key, index->entries, index->count, sizeof(key), by_name)
		: NULL;

	/* a sheet that was changed since is read */
	if (!entry || stat(file, &status) || (uint64_t)status.st_size != entry->bytes ||
		modified_ns(&status) != entry->modified_ns)
		return NULL;
	return entry->literals;
}

static bool fits_line(const char *literals)
{
	for (; *literals; literals += strlen(literals) + 1)
		if (strpbrk(literals, "\t\n"))
			return false;
	return true;
}

static void write_entry(
	FILE *file, const struct spec_sheet *sheet, const char *name, uint64_t began_ns)
{
	struct stat status;

	/* one that was changed while this ran may have been read before */
	if (!sheet->literals || !fits_line(sheet->literals) || strpbrk(name, "\t\n") ||
		stat(sheet->file, &status) || modified_ns(&status) >= began_ns)
		return;
	fprintf(file, "%" PRIu64 "\t%" PRIu64 "\t%s\t", (uint64_t)status.st_size,
		modified_ns(&status), name);
	for (const char *at = sheet->literals; *at; at += strlen(at) + 1)
		fprintf(file, "%s\t", at);
	fputc('\n', file);
}

void spec_index_print(FILE *file, const char *folder)
{
	struct spec_library library;
	struct timespec now, pause = { .tv_nsec = (long)TICKS_NS };

	/* so that what was there before is older than these */
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_REALTIME, &now);
	spec_library_init(&library);
	spec_load_folder(&library, folder, SPEC_LITERALS);
	fputs(head, file);
	for (size_t i = 0; i < library.sheet_count; i++)
		write_entry(file, library.sheets[i], library.sheets[i]->file + strlen(folder) + 1,
			(uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec - TICKS_NS);
	spec_library_deinit(&library);
}
