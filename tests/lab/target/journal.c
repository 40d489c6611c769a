/* The drive's own log of commands: what a test believes rather than the program under test. */
#include <string.h>
#include <unistd.h>

#include "drive.h"

static void journal_write(const struct drive *drive, const char *text, int len)
{
	if (drive->journal >= 0 && write(drive->journal, text, (size_t)len) != len)
		perror("journal");
}

void journal_command(struct drive *drive, const struct command *command, enum wake wake)
{
	char line[64 + 3 * CDB_MAX];
	int len = snprintf(line, sizeof(line), "%lld %s %s", (long long)now_us(),
		power_names[drive->power.state], power_would_wake(drive, wake) ? "wakes" : "quiet");

	for (size_t i = 0; i < command->cdb_len; i++)
		len += snprintf(line + len, sizeof(line) - (size_t)len, " %02x", command->cdb[i]);
	line[len++] = '\n';
	journal_write(drive, line, len);
}

void journal_recovered(struct drive *drive, int state, int64_t us)
{
	char line[96];
	int len = snprintf(line, sizeof(line), "%lld recovered %lld us from %s\n",
		(long long)now_us(), (long long)us, power_names[state]);

	journal_write(drive, line, len);
}

void journal_mark(struct drive *drive, const char *text)
{
	char line[256];
	int len = snprintf(line, sizeof(line), "%lld mark %.200s\n", (long long)now_us(), text);

	journal_write(drive, line, len);
}
