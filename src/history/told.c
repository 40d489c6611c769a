/* What was told to whom. */
#include "history/database.h"

static void read_alert(sqlite3_stmt *row, int first, struct history_alert *alert)
{
	*alert = (struct history_alert) {
		.state = state_of_word(column_text(row, first)),
		.since = sqlite3_column_int64(row, first + 1),
		.told_state = state_of_word(column_text(row, first + 2)),
		.told = sqlite3_column_int64(row, first + 3),
		.attempts = (unsigned)sqlite3_column_int64(row, first + 4),
	};
}

int history_alert_get(struct history *history, const char *subject, const char *rule,
	struct history_alert *alert, struct error *error)
{
	sqlite3_stmt *found = statement(history, error,
		"SELECT state, since, told_state, told, attempts FROM alert"
		" WHERE subject = ?1 AND rule = ?2",
		"ss", subject, rule);
	int row = statement_row(history, found, error);

	*alert = (struct history_alert) { .state = VERDICT_OK, .told_state = VERDICT_OK };
	if (row > 0) {
		read_alert(found, 0, alert);
		sqlite3_reset(found);
	}
	return row < 0 ? -1 : 0;
}

int history_alert_note(struct history *history, const char *subject, const char *rule,
	enum verdict_state state, int64_t now, struct history_alert *alert, struct error *error)
{
	sqlite3_stmt *note = statement(history, error,
		"INSERT INTO alert VALUES (?1, ?2, ?3, ?4, 'ok', 0, 0, 0)"
		" ON CONFLICT DO UPDATE SET state = ?3, since = ?4, attempts = 0 WHERE state <> ?3",
		"sssd", subject, rule, state_word(state), now);

	if (statement_run(history, note, error) != 0)
		return -1;
	return history_alert_get(history, subject, rule, alert, error);
}

/* One statement is one transaction: of two that claim at once, one changes the
 * row and the other finds it changed. */
int history_alert_claim(struct history *history, const char *subject, const char *rule,
	const struct history_alert *seen, int64_t now, unsigned lease_seconds, bool *claimed,
	struct error *error)
{
	sqlite3_stmt *claim = statement(history, error,
		"UPDATE alert SET claimed_until = ?6 WHERE subject = ?1 AND rule = ?2"
		" AND state = ?3 AND told_state = ?4 AND told = ?5 AND claimed_until <= ?7",
		"ssssddd", subject, rule, state_word(seen->state), state_word(seen->told_state),
		seen->told, now + (int64_t)lease_seconds, now);

	*claimed = false;
	if (statement_run(history, claim, error) != 0)
		return -1;
	*claimed = sqlite3_changes(history->database) > 0;
	return 0;
}

int history_alert_done(struct history *history, const char *subject, const char *rule,
	enum verdict_state told, int64_t now, struct error *error)
{
	const char *word = state_word(told);

	if (database_begin(history, error) != 0)
		return -1;
	int result = statement_run(history,
		statement(history, error,
			"UPDATE alert SET told_state = ?3, told = ?4, attempts = 0, claimed_until "
			"= 0"
			" WHERE subject = ?1 AND rule = ?2",
			"sssd", subject, rule, word, now),
		error);
	if (result == 0)
		result = statement_run(history,
			statement(history, error,
				"INSERT INTO told (time, subject, rule, state) VALUES (?4, ?1, ?2, "
				"?3)",
				"sssd", subject, rule, word, now),
			error);
	return database_end(history, result, error);
}

int history_alert_failed(
	struct history *history, const char *subject, const char *rule, struct error *error)
{
	return statement_run(history,
		statement(history, error,
			"UPDATE alert SET attempts = attempts + 1, claimed_until = 0"
			" WHERE subject = ?1 AND rule = ?2",
			"ss", subject, rule),
		error);
}

int history_alert_count(struct history *history, const char *rule, int64_t since, int64_t now,
	size_t *count, struct error *error)
{
	sqlite3_stmt *sum = statement(history, error,
		"SELECT (SELECT count(*) FROM told WHERE time >= ?1 AND rule = ?3) +"
		" (SELECT count(*) FROM alert WHERE claimed_until > ?2 AND rule = ?3)",
		"dds", since, now, rule);
	int row = statement_row(history, sum, error);

	*count = row > 0 ? (size_t)sqlite3_column_int64(sum, 0) : 0;
	if (row > 0)
		sqlite3_reset(sum);
	return row < 0 ? -1 : 0;
}

int history_alert_each(struct history *history,
	void (*visit)(void *context, const char *subject, const char *rule,
		const struct history_alert *alert),
	void *context, struct error *error)
{
	/* A statement of its own: visit may run others. */
	sqlite3_stmt *each = statement(history, error,
		"SELECT subject, rule, state, since, told_state, told, attempts FROM alert"
		" ORDER BY subject, rule",
		"");
	struct history_alert alert;
	int row;

	while ((row = statement_row(history, each, error)) > 0) {
		read_alert(each, 2, &alert);
		visit(context, column_text(each, 0), column_text(each, 1), &alert);
	}
	return row;
}
