/* Which drive is which: by its own names. */
#include "history/database.h"

#include <string.h>

/* Letters and digits stay, as in the names of smartd's files. */
static size_t append(char *text, size_t size, size_t len, const char *name)
{
	static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (len && len + 1 < size)
		text[len++] = '-';
	for (; *name && len + 1 < size; name++)
		text[len++] = strchr(kept, *name) ? *name : '_';
	text[len] = '\0';
	return len;
}

bool history_subject(const struct facts *facts, char *text, size_t size)
{
	const char *serial = facts_text(facts, "identity.serial");
	const char *wwn = facts_text(facts, "identity.wwn");
	const char *vendor = facts_text(facts, "identity.vendor");
	size_t len = 0;

	text[0] = '\0';
	if (!*serial) {
		snprintf(text, size, "%s%s", *wwn ? "wwn-" : "", wwn);
		return *wwn;
	}
	if (strcmp(facts_text(facts, "identity.protocol"), "ata") != 0 && *vendor)
		len = append(text, size, len, vendor);
	len = append(text, size, len, facts_text(facts, "identity.model"));
	append(text, size, len, serial);
	return true;
}

/* A drive that another adapter shows under another name is still known by its
 * world wide name, where its serial number is the same. */
int drive_number(
	struct history *history, const struct facts *facts, int64_t *number, struct error *error)
{
	char subject[HISTORY_SUBJECT];
	sqlite3_stmt *found;

	*number = 0;
	if (!history_subject(facts, subject, sizeof(subject)))
		return 0;
	found = statement(history, error,
		"SELECT id FROM drive WHERE subject = ?1 OR (wwn = ?2 AND wwn <> '' AND serial = "
		"?3) "
		"ORDER BY subject <> ?1 LIMIT 1",
		"sss", subject, facts_text(facts, "identity.wwn"),
		facts_text(facts, "identity.serial"));
	int row = statement_row(history, found, error);

	if (row > 0) {
		*number = sqlite3_column_int64(found, 0);
		sqlite3_reset(found);
	}
	return row < 0 ? -1 : 0;
}

static int add(struct history *history, const struct history_record *record, int64_t *number,
	struct error *error)
{
	char subject[HISTORY_SUBJECT];

	history_subject(record->facts, subject, sizeof(subject));
	sqlite3_stmt *insert = statement(history, error,
		"INSERT INTO drive (subject, vendor, model, serial, wwn, protocol, target, first, "
		"last) "
		"VALUES (?1, '', '', '', '', '', '', ?2, ?2)",
		"sd", subject, record->time);

	if (statement_run(history, insert, error) != 0)
		return -1;
	*number = sqlite3_last_insert_rowid(history->database);
	return 0;
}

/* What a record does not say stays as it was known. */
int drive_keep(struct history *history, const struct history_record *record, int64_t *number,
	struct error *error)
{
	const struct facts *facts = record->facts;

	if (drive_number(history, facts, number, error) != 0 ||
		(!*number && add(history, record, number, error) != 0))
		return -1;
	return statement_run(history,
		statement(history, error,
			"UPDATE drive SET vendor = coalesce(nullif(?2, ''), vendor),"
			" model = coalesce(nullif(?3, ''), model),"
			" serial = coalesce(nullif(?4, ''), serial),"
			" wwn = coalesce(nullif(?5, ''), wwn),"
			" protocol = coalesce(nullif(?6, ''), protocol),"
			" target = coalesce(?7, target),"
			" first = min(first, ?8), last = max(last, ?8) WHERE id = ?1",
			"dssssssd", *number, facts_text(facts, "identity.vendor"),
			facts_text(facts, "identity.model"), facts_text(facts, "identity.serial"),
			facts_text(facts, "identity.wwn"), facts_text(facts, "identity.protocol"),
			record->target, record->time),
		error);
}
