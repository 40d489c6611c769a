/* Keys by number. */
#include "history/database.h"

#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"

static size_t place_of(const struct history *history, const char *name)
{
	size_t low = 0, high = history->key_count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (strcmp(history->keys[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int ask(struct history *history, const char *name, int64_t *number, struct error *error)
{
	sqlite3_stmt *found = statement(
		history, error, "SELECT id FROM key WHERE name = ?1", "s", name);
	int row = statement_row(history, found, error);

	*number = row > 0 ? sqlite3_column_int64(found, 0) : 0;
	if (row > 0)
		sqlite3_reset(found);
	return row < 0 ? -1 : 0;
}

static int add(struct history *history, const char *name, enum unit unit, enum value_kind kind,
	struct error *error)
{
	static const char *const kinds[] = { [VALUE_FLAG] = "flag",
		[VALUE_UINT] = "uint",
		[VALUE_INT] = "int",
		[VALUE_REAL] = "real",
		[VALUE_TEXT] = "text" };

	return statement_run(history,
		statement(history, error, "INSERT INTO key (name, unit, kind) VALUES (?1, ?2, ?3)",
			"sss", name, unit_name(unit), kinds[kind]),
		error);
}

static void remember(struct history *history, size_t at, const char *name, int64_t number)
{
	char *copy = strdup(name);

	if (!copy)
		return;
	history->keys = array_grow(history->keys, history->key_count, sizeof(*history->keys));
	memmove(&history->keys[at + 1], &history->keys[at],
		(history->key_count - at) * sizeof(*history->keys));
	history->keys[at] = (struct known_key) { copy, number };
	history->key_count++;
	/* cppcheck-suppress memleak ; it is kept in keys */
}

int key_number(struct history *history, const char *name, enum unit unit, enum value_kind kind,
	int64_t *number, struct error *error)
{
	size_t at = place_of(history, name);

	if (at < history->key_count && !strcmp(history->keys[at].name, name)) {
		*number = history->keys[at].number;
		return 0;
	}
	if (ask(history, name, number, error) != 0)
		return -1;
	if (!*number && kind == VALUE_NULL)
		return 0;
	if (!*number) {
		if (add(history, name, unit, kind, error) != 0)
			return -1;
		*number = sqlite3_last_insert_rowid(history->database);
	}
	remember(history, at, name, *number);
	return 0;
}

void keys_forget(struct history *history)
{
	for (size_t i = 0; i < history->key_count; i++)
		free(history->keys[i].name);
	free(history->keys);
	history->keys = NULL;
	history->key_count = 0;
}
