/* Folders of datasheets, and their index: what the patterns of each sheet contain, so that
 * a drive costs the reading of its own sheet alone.
 *
 * The index of FOLDER is FOLDER.tsv: a line that names the format, then one a folder and one a
 * sheet, in the order of a walk.
 *
 *	folder  CHANGED  NAME  0
 *	sheet   CHANGED  NAME  BYTES  LITERAL  ...
 *	end
 *
 * with a tab behind each word. A sheet that has to be read to know has CHANGED 0. */
#include <fts.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "assay/array.h"
#include "spec/read.h"

enum { PATH_BYTES = 1024, INDEX_BYTES_MAX = 4 << 20, DEPTH_MAX = 4 };

/* A file's time may be so far behind the clock: two ticks at 100 Hz, and some. */
static const uint64_t TICKS_NS = 50000000;
static const uint64_t SECOND_NS = 1000000000;

static const char head[] = "assay index of datasheets 2\n", tail[] = "end\t\n";

/* ---- The walk ---- */

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static bool is_sheet(const FTSENT *entry)
{
	const char *dot = strrchr(entry->fts_name, '.');

	return entry->fts_name[0] != '.' && dot && !strcmp(dot, ".json");
}

/* Folders have no point in their names, below the first one. */
static bool is_folder(const FTSENT *entry)
{
	return entry->fts_info == FTS_D && (!entry->fts_level || !strchr(entry->fts_name, '.')) &&
		entry->fts_level <= DEPTH_MAX;
}

void sheets_each(const char *folder,
	void (*visit)(void *context, const char *path, const struct stat *status), void *context)
{
	char root[PATH_BYTES];
	char *const roots[] = { root, NULL };
	FTSENT *entry;

	snprintf(root, sizeof(root), "%s", folder);
	FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);

	while (walk && (entry = fts_read(walk))) {
		if (entry->fts_info == FTS_D && !is_folder(entry))
			fts_set(walk, entry, FTS_SKIP);
		else if (is_folder(entry) || (is_sheet(entry) && entry->fts_info != FTS_DP))
			visit(context, entry->fts_path, entry->fts_statp);
	}
	if (walk)
		fts_close(walk);
}

/* ---- The index is made ---- */

struct printing {
	FILE *file;
	struct spec_library library;
	size_t root_len;
	uint64_t began_ns;
};

static uint64_t changed_ns(const struct stat *status)
{
	return (uint64_t)status->st_mtim.tv_sec * SECOND_NS + (uint64_t)status->st_mtim.tv_nsec;
}

static bool fits_line(const char *literals)
{
	for (; *literals; literals += strlen(literals) + 1)
		if (strpbrk(literals, "\t\n"))
			return false;
	return true;
}

static void print_line(void *context, const char *path, const struct stat *status)
{
	struct printing *printing = context;
	bool is_folder = S_ISDIR(status->st_mode);
	const struct spec_sheet *sheet = is_folder
		? NULL
		: spec_load(&printing->library, path, SPEC_LITERALS);
	const char *name = path + printing->root_len,
		   *literals = sheet && sheet->literals ? sheet->literals : "";
	/* what was changed while this ran may have been read before */
	bool known = changed_ns(status) < printing->began_ns &&
		(is_folder || (sheet && sheet->literals && fits_line(literals)));

	fprintf(printing->file, "%s\t%" PRIu64 "\t%s\t%jd\t", is_folder ? "folder" : "sheet",
		known ? changed_ns(status) : 0, *name == '/' ? name + 1 : name,
		is_folder ? 0 : (intmax_t)status->st_size);
	for (; known && *literals; literals += strlen(literals) + 1)
		fprintf(printing->file, "%s\t", literals);
	fputc('\n', printing->file);
}

void spec_index_print(FILE *file, const char *folder)
{
	struct printing printing = { .file = file, .root_len = strlen(folder) };
	struct timespec now, pause = { .tv_nsec = (long)TICKS_NS };

	/* so that what was there before is older */
	nanosleep(&pause, NULL);
	clock_gettime(CLOCK_REALTIME, &now);
	printing.began_ns = (uint64_t)now.tv_sec * SECOND_NS + (uint64_t)now.tv_nsec - TICKS_NS;
	spec_library_init(&printing.library);
	fputs(head, file);
	sheets_each(folder, print_line, &printing);
	fputs(tail, file);
	spec_library_deinit(&printing.library);
}

/* ---- The index is used ---- */

/* The words of its lines; NULL where it cannot be had or is none. */
static char *read_lines(struct arena *arena, const char *folder)
{
	char path[PATH_BYTES], *text = NULL;
	struct stat status;
	size_t len = 0;

	snprintf(path, sizeof(path), "%s.tsv", folder);
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
	/* part of an index would hide sheets */
	if (len < sizeof(head) + sizeof(tail) || strncmp(text, head, sizeof(head) - 1) != 0 ||
		strcmp(text + len - sizeof(tail) + 1, tail) != 0)
		return NULL;
	text[len - sizeof(tail) + 1] = '\0';
	return text + sizeof(head) - 1;
}

/* Makes a text of the next word and steps over it; NULL behind the last one of the line. */
static char *next_word(char **at)
{
	char *word = *at, *end = strchr(word, '\t');

	if (*word == '\n' || !end)
		return NULL;
	*end = '\0';
	*at = end + 1;
	return word;
}

/* Reads one line; false where it is none. */
static bool read_entry(
	char **at, const char *folder, struct arena *arena, struct sheet_entry *entry)
{
	const char *words[4];
	char path[PATH_BYTES];

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!(words[i] = next_word(at)))
			return false;
	entry->is_folder = !strcmp(words[0], "folder");
	entry->changed_ns = strtoull(words[1], NULL, 10);
	entry->bytes = strtoull(words[3], NULL, 10);
	snprintf(path, sizeof(path), "%s%s%s", folder, *words[2] ? "/" : "", words[2]);
	entry->path = arena_text(arena, path);
	entry->literals = *at;
	while (next_word(at))
		;
	if (**at != '\n')
		return false;
	*(*at)++ = '\0';
	return true;
}

bool sheet_is_as_it_was(const struct sheet_entry *entry)
{
	struct stat status;

	return !stat(entry->path, &status) && changed_ns(&status) == entry->changed_ns &&
		(entry->is_folder || (uint64_t)status.st_size == entry->bytes);
}

struct sheet_entry *sheet_index(struct arena *arena, const char *folder, size_t *count)
{
	char *text = read_lines(arena, folder);
	size_t lines = 0;

	*count = 0;
	for (const char *at = text; at && (at = strchr(at, '\n')); at++)
		lines++;
	struct sheet_entry *entries = lines ? arena_alloc(arena, lines * sizeof(*entries)) : NULL;

	for (size_t i = 0; i < lines; i++)
		if (!read_entry(&text, folder, arena, &entries[i]) ||
			(entries[i].is_folder && !sheet_is_as_it_was(&entries[i])))
			return NULL;
	*count = lines;
	return entries;
}
