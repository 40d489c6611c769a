#include "measure/state.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/topic.h"

struct state {
	FILE *file;
	cJSON *steps; /* an array of what the file holds */
};

enum { FIGURES = 5 };

static const char *const figure_names[FIGURES] = { "iops", "bytes_per_second", "mean_us",
	"written_bytes", "error_count" };

/* A value as a text that says its kind, as numbers of JSON lose digits. */
static void cell_print(struct value value, char *text, size_t size)
{
	switch (value.kind) {
	case VALUE_FLAG:
		snprintf(text, size, "f%d", value.flag);
		break;
	case VALUE_UINT:
		snprintf(text, size, "u%" PRIu64, value.uint);
		break;
	case VALUE_INT:
		snprintf(text, size, "i%" PRId64, value.sint);
		break;
	case VALUE_REAL:
		snprintf(text, size, "r%.17g", value.real);
		break;
	case VALUE_TEXT:
		snprintf(text, size, "t%s", value.text);
		break;
	default:
		snprintf(text, size, "-");
	}
}

static struct value cell_read(struct facts *facts, const char *text)
{
	switch (text[0]) {
	case 'f':
		return value_flag(text[1] == '1');
	case 'u':
		return value_uint(strtoull(text + 1, NULL, 10));
	case 'i':
		return value_int(strtoll(text + 1, NULL, 10));
	case 'r':
		return value_real(strtod(text + 1, NULL));
	case 't':
		return value_text(facts_printf(facts, "%s", text + 1));
	default:
		return value_null();
	}
}

static cJSON *row_json(const struct row *row)
{
	cJSON *json = cJSON_CreateArray();
	char text[512];

	cJSON_AddItemToArray(json, cJSON_CreateString(row->table->name));
	for (size_t i = 0; i < row->table->column_count; i++) {
		cell_print(row->cells[i], text, sizeof(text));
		cJSON_AddItemToArray(json, cJSON_CreateString(text));
	}
	return json;
}

static const struct table *table_of(const cJSON *name)
{
	for (size_t i = 0; cJSON_IsString(name) && bench_tables[i]; i++)
		if (!strcmp(bench_tables[i]->name, name->valuestring))
			return bench_tables[i];
	return NULL;
}

static void row_read(struct facts *facts, const cJSON *json)
{
	const struct table *table = table_of(json->child);

	if (!table || (size_t)cJSON_GetArraySize(json) != table->column_count + 1)
		return;
	struct row *row = facts_row(facts, table, source_derived("measured"));
	const cJSON *cell = json->child->next;

	for (size_t i = 0; cell && i < table->column_count; i++, cell = cell->next)
		row->cells[i] = cell_read(facts, cJSON_IsString(cell) ? cell->valuestring : "-");
}

/* Returns where the last whole line ends. */
static long read_lines(struct state *state, char **plan)
{
	char *line = NULL;
	size_t size = 0;
	long end = 0;

	*plan = NULL;
	for (ssize_t len; (len = getline(&line, &size, state->file)) > 0;) {
		cJSON *json = line[len - 1] == '\n' ? cJSON_Parse(line) : NULL;
		const cJSON *text = cJSON_GetObjectItemCaseSensitive(json, "plan");

		if (!json)
			break;
		end = ftell(state->file);
		if (!*plan && cJSON_IsString(text))
			*plan = strdup(text->valuestring);
		cJSON_AddItemToArray(state->steps, json);
	}
	free(line);
	return end;
}

/* Drops a last line that was cut off; what is written next follows. */
static int cut(const struct state *state, long end)
{
	fseek(state->file, end, SEEK_SET);
	return ftruncate(fileno(state->file), end) == 0 ? 0 : -errno;
}

/* Writes a line to the disk; where that fails the file ends as it did before. */
static int write_line(struct state *state, const cJSON *json)
{
	char *text = cJSON_PrintUnformatted(json);
	long before = ftell(state->file);
	int failed = 0;

	if (!text)
		return -ENOMEM;
	if (fprintf(state->file, "%s\n", text) < 0 || fflush(state->file) != 0 ||
		fdatasync(fileno(state->file)) != 0)
		failed = errno ? -errno : -EIO;
	if (failed) {
		clearerr(state->file);
		fseek(state->file, before, SEEK_SET);
		if (ftruncate(fileno(state->file), before) != 0)
			failed = -errno;
	}
	cJSON_free(text);
	return failed;
}

static int begin(struct state *state, const char *plan)
{
	cJSON *json = cJSON_CreateObject();

	cJSON_AddStringToObject(json, "schema", "assay-bench-state-1");
	cJSON_AddStringToObject(json, "plan", plan);
	int failed = write_line(state, json);

	cJSON_Delete(json);
	return failed;
}

struct state *state_open(const char *path, const char *plan, struct error *error)
{
	struct state *state = calloc(1, sizeof(*state));
	char *there;
	int failed = 0;

	if (!state)
		return NULL;
	state->steps = cJSON_CreateArray();
	state->file = fopen(path, "r+e");
	if (!state->file && errno == ENOENT)
		state->file = fopen(path, "w+xe");
	if (!state->file) {
		error_set(error, error_status_of(errno), "%s: %s", path, strerror(errno));
		state_close(state);
		return NULL;
	}
	long end = read_lines(state, &there);

	fseek(state->file, 0, SEEK_END);
	bool empty = ftell(state->file) == 0;

	/* a file that is something else is left as it is */
	if (!empty && (!there || strcmp(there, plan) != 0))
		failed = error_set(error, EXIT_USAGE, "%s is %s: take another file, or remove it",
			path, there ? "the state of another run" : "no state of a run");
	else if ((failed = empty ? begin(state, plan) : cut(state, end)) != 0)
		error_set(error, EXIT_INTERNAL, "%s: %s", path, strerror(-failed));
	free(there);
	if (!failed)
		return state;
	state_close(state);
	return NULL;
}

void state_close(struct state *state)
{
	if (!state)
		return;
	if (state->file)
		fclose(state->file);
	cJSON_Delete(state->steps);
	free(state);
}

/* The figures as an array, so that one loop reads and writes them. */
static void figures_list(const struct step_figures *figures, double *list)
{
	list[0] = figures->iops;
	list[1] = figures->bytes_per_second;
	list[2] = figures->mean_us;
	list[3] = (double)figures->written_bytes;
	list[4] = (double)figures->error_count;
}

static const cJSON *step_find(const struct state *state, const char *step)
{
	for (const cJSON *json = state->steps->child; json; json = json->next) {
		const cJSON *name = cJSON_GetObjectItemCaseSensitive(json, "step");

		if (cJSON_IsString(name) && !strcmp(name->valuestring, step))
			return json;
	}
	return NULL;
}

bool state_take(
	struct state *state, const char *step, struct facts *facts, struct step_figures *figures)
{
	const cJSON *json = state ? step_find(state, step) : NULL;
	double list[FIGURES] = { 0 };

	if (!json)
		return false;
	for (size_t i = 0; i < FIGURES; i++) {
		const cJSON *figure = cJSON_GetObjectItemCaseSensitive(json, figure_names[i]);

		list[i] = cJSON_IsNumber(figure) ? figure->valuedouble : 0;
	}
	*figures = (struct step_figures) { list[0], list[1], list[2], (uint64_t)list[3],
		(uint64_t)list[4] };
	const cJSON *rows = cJSON_GetObjectItemCaseSensitive(json, "rows");

	for (const cJSON *row = rows ? rows->child : NULL; row; row = row->next)
		row_read(facts, row);
	return true;
}

int state_keep(struct state *state, const char *step, const struct facts *facts, size_t first_row,
	const struct step_figures *figures)
{
	cJSON *json, *rows;
	double list[FIGURES];

	if (!state)
		return 0;
	json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "step", step);
	figures_list(figures, list);
	for (size_t i = 0; i < FIGURES; i++)
		cJSON_AddNumberToObject(json, figure_names[i], list[i]);
	rows = cJSON_AddArrayToObject(json, "rows");
	for (size_t i = first_row; i < facts->row_count; i++)
		cJSON_AddItemToArray(rows, row_json(&facts->rows[i]));
	int failed = write_line(state, json);

	cJSON_Delete(json);
	return failed;
}
