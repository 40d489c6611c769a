/* What a drive does otherwise than it says: refusals, caches, levels. */
#include "drive.h"

enum { CONSUMPTION_PAGE = 0x1a, CONSUMPTION_SUBPAGE = 0x01, IDENTIFIER_AT = 7 };

bool power_refuses(const struct drive *drive, enum power_state state)
{
	return drive->power.refused[state];
}

bool power_reads_cache(struct drive *drive)
{
	struct power *power = &drive->power;

	if (power->state == ACTIVE || power->state >= STOPPED || !power->cached_left)
		return false;
	power->cached_left--;
	return true;
}

unsigned power_level(struct drive *drive)
{
	const struct mode_page *page = mode_find(drive, CONSUMPTION_PAGE, CONSUMPTION_SUBPAGE, 0);
	unsigned id = page && page->len > IDENTIFIER_AT ? page->data[IDENTIFIER_AT] : 0;

	return id < POWER_LEVELS ? id : 0;
}

double power_level_factor(struct drive *drive)
{
	double factor = drive->power.level_factor[power_level(drive)];

	return factor > 0 ? factor : 1;
}

bool power_apm(struct drive *drive, int level)
{
	if (drive->power.apm < 0)
		return false;
	drive->power.apm = level;
	return true;
}
