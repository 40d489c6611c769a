/* Files and folders of datasheets. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/data.h"
#include "spec/read.h"

enum { FILE_BYTES_MAX = 16 << 20, SMALL_FILE_BYTES = 32 << 10 };

void spec_library_init(struct spec_library *library)
{
	*library = (struct spec_library) { .arena = arena_new() };
}

static void free_sheet(struct spec_sheet *sheet)
{
	free(sheet->claims);
	for (size_t i = 0; i < sheet->model_count; i++)
		free(sheet->models[i].claims);
}

void spec_library_deinit(struct spec_library *library)
{
	for (size_t i = 0; i < library->sheet_count; i++)
		free_sheet(library->sheets[i]);
	free(library->sheets);
	free(library->problems);
	arena_free(library->arena);
	*library = (struct spec_library) { 0 };
}

static void add_problem(struct spec_library *library, const char *file, unsigned line,
	const char *path, const char *text)
{
	library->problems = array_grow(
		library->problems, library->problem_count, sizeof(*library->problems));
	library->problems[library->problem_count++] = (struct spec_problem) {
		.file = arena_text(library->arena, file),
		.line = line,
		.path = arena_text(library->arena, path),
		.text = arena_text(library->arena, text),
	};
}

static unsigned line_of(const char *text, const char *at)
{
	unsigned line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

/* NULL where it is no JSON, or none any more. */
static cJSON *parse_names(const char *text, size_t len)
{
	char *brief = malloc(len + 1);
	cJSON *json = brief ? cJSON_ParseWithLength(brief, sheet_abridge(text, len, brief)) : NULL;

	free(brief);
	return json;
}

static void note_problem(struct loader *loader, const char *path, const char *text)
{
	const struct sheet_reading *sheet = loader->context;

	add_problem(sheet->library, sheet->sheet->file, 0, path, text);
}

static void fill(struct spec_library *library, struct spec_sheet *sheet, const char *text,
	size_t len, enum spec_depth wanted)
{
	const char *end = text;
	cJSON *json = wanted == SPEC_NAMES ? parse_names(text, len) : NULL;
	struct sheet_reading context = { .library = library, .sheet = sheet, .depth = wanted };
	struct loader loader = { library->arena, note_problem, &context };

	if (!json)
		json = cJSON_ParseWithLengthOpts(text, len, &end, false);
	if (!json) {
		add_problem(library, sheet->file, line_of(text, end), "",
			"expected JSON, at most 1000 levels deep");
		return;
	}
	read_sheet(&loader, json);
	sheet->complete = wanted != SPEC_NAMES;
	cJSON_Delete(json);
}

static struct spec_sheet *keep_sheet(struct spec_library *library, struct spec_sheet *sheet)
{
	library->sheets = array_grow(
		library->sheets, library->sheet_count, sizeof(struct spec_sheet *));
	return library->sheets[library->sheet_count++] = sheet;
}

struct spec_sheet *spec_load_text(struct spec_library *library, const char *file, const char *text,
	size_t len, enum spec_depth wanted)
{
	struct spec_sheet *sheet = arena_alloc(library->arena, sizeof(*sheet));

	sheet->file = arena_text(library->arena, file);
	fill(library, sheet, text, len, wanted == SPEC_LITERALS ? SPEC_NAMES : wanted);
	return sheet->vendor ? keep_sheet(library, sheet) : NULL;
}

/* The file's text, to be freed; NULL after a problem. */
static char *slurp(struct spec_library *library, const char *file, size_t *len)
{
	struct stat status;
	char *text = NULL;
	int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (descriptor < 0 || fstat(descriptor, &status)) {
		add_problem(library, file, 0, "", strerror(errno));
	} else if (!S_ISREG(status.st_mode) || status.st_size > FILE_BYTES_MAX) {
		add_problem(library, file, 0, "", "expected a file of at most 16 MiB");
	} else {
		text = malloc((size_t)status.st_size + 1);
		ssize_t got = text ? read(descriptor, text, (size_t)status.st_size) : -1;

		if (got < 0) {
			add_problem(library, file, 0, "", strerror(errno));
			free(text);
			text = NULL;
		}
		*len = got < 0 ? 0 : (size_t)got;
	}
	if (descriptor >= 0)
		close(descriptor);
	return text;
}

/* A sheet that is read when a drive's name has one of these in it. */
static struct spec_sheet *keep_literals(
	struct spec_library *library, const char *file, const char *literals)
{
	struct spec_sheet *sheet = arena_alloc(library->arena, sizeof(*sheet));

	sheet->file = arena_text(library->arena, file);
	sheet->vendor = "?";
	sheet->literals = literals;
	return keep_sheet(library, sheet);
}

/* Keeps but the literals of a file's patterns. NULL where it has to be read. */
static struct spec_sheet *fold(struct spec_library *library, const char *file)
{
	char text[SMALL_FILE_BYTES];
	int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = descriptor < 0 ? 0 : read(descriptor, text, sizeof(text));

	if (descriptor >= 0)
		close(descriptor);
	if (len <= 0 || len == sizeof(text))
		return NULL;
	const char *literals = sheet_literals(library->arena, text, (size_t)len);

	return literals ? keep_literals(library, file, literals) : NULL;
}

struct spec_sheet *spec_load(struct spec_library *library, const char *file, enum spec_depth wanted)
{
	struct spec_sheet *sheet = wanted == SPEC_LITERALS ? fold(library, file) : NULL;
	size_t len;

	if (sheet)
		return sheet;
	char *text = slurp(library, file, &len);
	sheet = text ? spec_load_text(library, file, text, len, wanted) : NULL;
	free(text);
	return sheet;
}

/* Reads a sheet of the library anew. */
static void read_again(
	struct spec_library *library, struct spec_sheet *sheet, enum spec_depth wanted)
{
	const char *file = sheet->file;
	size_t len;
	char *text = slurp(library, file, &len);

	free_sheet(sheet);
	*sheet = (struct spec_sheet) { .file = file };
	if (text)
		fill(library, sheet, text, len, wanted);
	if (!sheet->vendor)
		sheet->vendor = "?";
	sheet->complete = wanted != SPEC_NAMES;
	free(text);
}

void sheet_unfold(struct spec_library *library, struct spec_sheet *sheet)
{
	read_again(library, sheet, SPEC_NAMES);
}

void spec_complete(struct spec_library *library, struct spec_sheet *sheet)
{
	if (!sheet->complete)
		read_again(library, sheet, SPEC_CLAIMS);
}

/* The last two parts of a path: what tells a family in every folder. */
static const char *tail_of(const char *file)
{
	const char *slash = strrchr(file, '/');

	while (slash && slash > file && *--slash != '/')
		;
	return slash ? slash : file;
}

static bool is_hidden(const struct spec_library *library, size_t before, const char *file)
{
	for (size_t i = 0; i < before; i++)
		if (!strcmp(tail_of(library->sheets[i]->file), tail_of(file)))
			return true;
	return false;
}

struct loading {
	struct spec_library *library;
	enum spec_depth wanted;
	size_t before, loaded; /* sheets of other folders, and of this */
};

static void load_file(void *context, const char *path, const struct stat *status)
{
	struct loading *loading = context;

	if (!S_ISDIR(status->st_mode) && !is_hidden(loading->library, loading->before, path))
		loading->loaded += spec_load(loading->library, path, loading->wanted) ? 1 : 0;
}

static void load_entry(struct loading *loading, const struct sheet_entry *entry)
{
	if (entry->is_folder || is_hidden(loading->library, loading->before, entry->path))
		return;
	bool known = sheet_is_as_it_was(entry);

	loading->loaded += (known ? keep_literals(loading->library, entry->path, entry->literals)
				  : spec_load(loading->library, entry->path, loading->wanted))
		? 1
		: 0;
}

size_t spec_load_folder(struct spec_library *library, const char *folder, enum spec_depth wanted)
{
	struct loading loading = { library, wanted, library->sheet_count, 0 };
	size_t count = 0;
	const struct sheet_entry *entries = wanted == SPEC_LITERALS
		? sheet_index(library->arena, folder, &count)
		: NULL;

	for (size_t i = 0; i < count; i++)
		load_entry(&loading, &entries[i]);
	if (!entries)
		sheets_each(folder, load_file, &loading);
	return loading.loaded;
}

void spec_load_library(struct spec_library *library, enum spec_depth wanted)
{
	struct data_folders folders;

	data_folders("specs", &folders);
	for (size_t i = 0; i < folders.count; i++)
		spec_load_folder(library, folders.paths[i], wanted);
}

/* "Ultrastar SSD800MM", "HGST Ultrastar SSD800MM", "hgst/ultrastar-ssd800mm" or a
 * file; loosely the end of the family's name, too. */
static bool names_sheet(const struct spec_sheet *sheet, const char *name, bool loosely)
{
	const char *tail = tail_of(sheet->file);
	char plain[256], whole[256];
	size_t len = strlen(name), family = sheet->family ? strlen(sheet->family) : 0;

	if (!family)
		return false;
	if (loosely)
		return family > len && sheet->family[family - len - 1] == ' ' &&
			!strcasecmp(sheet->family + family - len, name);
	snprintf(whole, sizeof(whole), "%s %s", sheet->vendor, sheet->family);
	if (!strcmp(sheet->file, name) || !strcasecmp(sheet->family, name) ||
		!strcasecmp(whole, name))
		return true;
	snprintf(plain, sizeof(plain), "%s", *tail == '/' ? tail + 1 : tail);
	char *dot = strrchr(plain, '.');
	if (dot)
		*dot = '\0';
	const char *slash = strchr(plain, '/');
	return !strcasecmp(plain, name) || (slash && !strcasecmp(slash + 1, name));
}

static struct spec_sheet *find_named(
	const struct spec_library *library, const char *name, bool loosely, size_t *count)
{
	struct spec_sheet *found = NULL;

	*count = 0;
	for (size_t i = 0; i < library->sheet_count; i++)
		if (names_sheet(library->sheets[i], name, loosely)) {
			found = library->sheets[i];
			(*count)++;
		}
	return *count == 1 ? found : NULL;
}

struct spec_sheet *spec_find(const struct spec_library *library, const char *name)
{
	size_t count;
	struct spec_sheet *found = find_named(library, name, false, &count);

	return count ? found : find_named(library, name, true, &count);
}
