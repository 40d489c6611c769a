/* What the drive takes, as a power meter that writes it to a file each tenth of a second. */
#include <fcntl.h>
#include <unistd.h>

#include "drive.h"

enum { PERIOD_US = 100000, WORK_US = 300000 };

void watts_worked(struct drive *drive)
{
	drive->watts.worked_us = now_us();
}

static double milliwatts(struct drive *drive)
{
	const struct watts *watts = &drive->watts;
	double level = watts->level[power_level(drive)];

	if (drive->power.state != ACTIVE)
		return watts->sleep;
	if (now_us() - watts->worked_us > WORK_US)
		return watts->idle;
	return level > 0 ? level : watts->work;
}

int64_t watts_tell(struct drive *drive)
{
	struct watts *watts = &drive->watts;
	int64_t now = now_us();
	char path[200], text[32];
	int len, file;

	if (!watts->live)
		return NEVER;
	if (now < watts->next_us)
		return watts->next_us;
	watts->next_us = now + PERIOD_US;
	snprintf(path, sizeof(path), "/run/lab/%s/watts", drive->name);
	len = snprintf(text, sizeof(text), "%09.3f\n", milliwatts(drive) / 1000);
	file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	if (file < 0 || pwrite(file, text, (size_t)len, 0) != len)
		perror("watts");
	if (file >= 0)
		close(file);
	return watts->next_us;
}
