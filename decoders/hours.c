#include "hours.h"

enum { WRAP = 65536, SATURATED = 65535, ROUNDING = 2 };

static bool logged(const struct row *row, uint64_t *hours)
{
	struct value value = row_get(row, "power_on_hours");

	*hours = value.uint;
	return value.kind == VALUE_UINT;
}

static bool wraps(const struct facts *facts, const struct table *table)
{
	uint64_t newer = UINT64_MAX, hours;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != table || !logged(row, &hours))
			continue;
		if (page_is_ata(row->source.page) || hours > newer)
			return true;
		newer = hours;
	}
	return false;
}

/* The latest hour up to `latest` of which the low 16 bits are these. */
static bool unwrapped(uint64_t low, uint64_t latest, uint64_t *hours)
{
	*hours = latest / WRAP * WRAP + low;
	if (*hours > latest && *hours >= WRAP)
		*hours -= WRAP;
	return *hours <= latest;
}

void hours_estimate(struct facts *facts, const struct table *table)
{
	bool wrapping = wraps(facts, table);
	uint64_t latest, low, hours;

	if (!facts_uint(facts, "usage.power_on_hours", &latest))
		return;
	latest += ROUNDING;
	for (size_t i = 0; i < facts->row_count; i++) {
		struct row *row = &facts->rows[i];

		if (row->table != table || !logged(row, &low))
			continue;
		if (wrapping ? !unwrapped(low, latest, &hours) : low == SATURATED || low > latest)
			continue;
		if (!wrapping)
			hours = low;
		row_set(row, "estimated_power_on_hours", value_uint(hours));
		latest = hours;
	}
}
