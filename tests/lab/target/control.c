/* The control file: one line, one change. */
#include <stdlib.h>
#include <string.h>

#include "assay/array.h"
#include "drive.h"

/* Takes the next word off *line; NULL: there is none. */
static char *next_word(char **line)
{
	char *word = strsep(line, " ");

	while (word && !*word)
		word = strsep(line, " ");
	return word;
}

/* "ASC/ASCQ", hexadecimal. */
static const char *set_attention(struct drive *drive, char *line)
{
	unsigned asc, ascq;

	if (sscanf(line, "%x/%x", &asc, &ascq) != 2 || drive->attention_count == ATTENTIONS)
		return "ASC/ASCQ is expected";
	drive->attentions[drive->attention_count++] = (uint16_t)(asc << 8 | ascq);
	return NULL;
}

static const char *state_and_time(char *line, enum power_state *state, int64_t *us)
{
	char *name = next_word(&line), *ms = next_word(&line);

	*state = name ? power_of_name(name) : POWER_STATES;
	if (*state == POWER_STATES || !ms)
		return "STATE MILLISECONDS is expected";
	*us = strtoll(ms, NULL, 0) * 1000;
	return NULL;
}

static const char *set_recovery(struct drive *drive, char *line)
{
	enum power_state state;
	int64_t us;
	const char *wrong = state_and_time(line, &state, &us);

	if (!wrong)
		drive->power.recovery_us[state] = us;
	return wrong;
}

static const char *set_timer(struct drive *drive, char *line)
{
	enum power_state state;
	int64_t us;
	const char *wrong = state_and_time(line, &state, &us);

	if (!wrong)
		drive->power.timer_us[state] = us;
	return wrong;
}

static const char *set_state(struct drive *drive, char *line)
{
	enum power_state state = power_of_name(line);

	if (state == POWER_STATES)
		return "no such power state";
	power_enter(drive, state, false);
	drive->power.ready_us = 0;
	return NULL;
}

static const char *set_refuse(struct drive *drive, char *line)
{
	enum power_state state = power_of_name(line);

	if (state == POWER_STATES)
		return "no such power state";
	drive->power.refused[state] = true;
	return NULL;
}

static const char *set_ignore(struct drive *drive, char *line)
{
	enum power_state state = power_of_name(line);

	if (state == POWER_STATES)
		return "no such power state";
	drive->power.ignored[state] = true;
	return NULL;
}

static const char *set_cache(struct drive *drive, char *line)
{
	drive->power.cached_reads = (unsigned)strtoul(line, NULL, 0);
	return NULL;
}

static const char *set_level(struct drive *drive, char *line)
{
	char *id = next_word(&line), *factor = next_word(&line);
	unsigned long level = id ? strtoul(id, NULL, 0) : POWER_LEVELS;

	if (level >= POWER_LEVELS || !factor)
		return "IDENTIFIER FACTOR is expected";
	drive->power.level_factor[level] = strtod(factor, NULL);
	return NULL;
}

static const char *set_apm(struct drive *drive, char *line)
{
	drive->power.apm = (int)strtol(line, NULL, 0);
	return NULL;
}

static const char *set_temperature(struct drive *drive, char *line)
{
	struct thermal *thermal = &drive->thermal;

	thermal->live = true;
	thermal->now_celsius = thermal->rest_celsius = thermal->full_celsius = strtod(line, NULL);
	thermal->at_us = now_us();
	return NULL;
}

/* A name and where its value goes. */
struct setting {
	const char *name;
	double *value;
};

static const char *set_values(char *line, const struct setting *settings, size_t count)
{
	char *word;

	while ((word = next_word(&line))) {
		char *value = strchr(word, '=');
		size_t i = 0;

		if (!value)
			return "NAME=VALUE is expected";
		*value++ = '\0';
		while (i < count && strcmp(settings[i].name, word) != 0)
			i++;
		if (i == count)
			return "no such name";
		*settings[i].value = strtod(value, NULL);
	}
	return NULL;
}

static const char *set_thermal(struct drive *drive, char *line)
{
	struct thermal *thermal = &drive->thermal;
	double tau_ms = thermal->tau_us / 1000;
	const struct setting settings[] = {
		{ "now", &thermal->now_celsius },
		{ "rest", &thermal->rest_celsius },
		{ "full", &thermal->full_celsius },
		{ "full_bytes_per_second", &thermal->full_bytes_per_second },
		{ "tau_ms", &tau_ms },
		{ "throttle", &thermal->throttle_celsius },
		{ "factor", &thermal->throttle_factor },
		{ "step", &thermal->step_celsius },
		{ "steps", &thermal->steps },
		{ "hysteresis", &thermal->hysteresis_celsius },
	};
	const char *wrong = set_values(line, settings, ARRAY_LEN(settings));

	thermal->tau_us = tau_ms * 1000;
	thermal->live = true;
	thermal->at_us = now_us();
	thermal->load_bytes = 0;
	return wrong;
}

static const char *set_speed(struct drive *drive, char *line)
{
	double latency_us = (double)drive->medium.latency_us;
	const struct setting settings[] = {
		{ "latency_us", &latency_us },
		{ "bytes_per_second", &drive->medium.bytes_per_second },
	};
	const char *wrong = set_values(line, settings, ARRAY_LEN(settings));

	drive->medium.latency_us = (int64_t)latency_us;
	return wrong;
}

static const char *set_pace(struct drive *drive, char *line)
{
	struct pace *pace = &drive->pace;
	double seed = 1;
	const struct setting settings[] = {
		{ "noise", &pace->noise },
		{ "seed", &seed },
		{ "fast_bytes", &pace->fast_bytes },
		{ "fast_factor", &pace->fast_factor },
		{ "cycle_bytes", &pace->cycle_bytes },
		{ "cycle_factor", &pace->cycle_factor },
	};
	const char *wrong = set_values(line, settings, ARRAY_LEN(settings));

	pace_seed(pace, seed);
	pace->written_bytes = 0;
	return wrong;
}

static const char *set_watts(struct drive *drive, char *line)
{
	struct watts *watts = &drive->watts;
	const struct setting settings[] = {
		{ "idle", &watts->idle },
		{ "work", &watts->work },
		{ "sleep", &watts->sleep },
		{ "level0", &watts->level[0] },
		{ "level1", &watts->level[1] },
		{ "level2", &watts->level[2] },
		{ "level3", &watts->level[3] },
	};
	const char *wrong = set_values(line, settings, ARRAY_LEN(settings));

	watts->live = true;
	watts->next_us = 0;
	return wrong;
}

static const char *set_counters(struct drive *drive, char *line)
{
	double unit_bytes = (double)drive->counters.unit_bytes;
	const struct setting settings[] = { { "unit_bytes", &unit_bytes } };
	const char *wrong = set_values(line, settings, 1);

	drive->counters.live = true;
	if (unit_bytes >= 1)
		drive->counters.unit_bytes = (uint64_t)unit_bytes;
	return wrong;
}

static const char *set_purge(struct drive *drive, char *line)
{
	struct purge *purge = &drive->purge;
	double takes_ms = (double)purge->takes_us / 1000, fails = purge->fails,
	       frozen = purge->frozen;
	const struct setting settings[] = {
		{ "takes_ms", &takes_ms },
		{ "fails", &fails },
		{ "frozen", &frozen },
	};
	const char *wrong = set_values(line, settings, ARRAY_LEN(settings));

	purge->takes_us = (int64_t)(takes_ms * 1000);
	purge->fails = fails > 0;
	purge->frozen = frozen > 0;
	return wrong;
}

static const char *set_bad(struct drive *drive, char *line)
{
	char *first = next_word(&line), *count = next_word(&line);

	if (!first || !count)
		return "LBA COUNT is expected";
	drive->medium.bad_first = strtoull(first, NULL, 0);
	drive->medium.bad_count = strtoull(count, NULL, 0);
	return NULL;
}

static const struct {
	const char *word;
	enum page_kind kind;
	uint8_t control;
} poke_kinds[] = {
	{ "inquiry", PAGE_INQUIRY, 0 },
	{ "vpd", PAGE_VPD, 0 },
	{ "capacity16", PAGE_READ_CAPACITY_16, 0 },
	{ "log", PAGE_LOG, 1 },
	{ "identify", PAGE_ATA_IDENTIFY, 0 },
	{ "smart", PAGE_SMART_DATA, 0 },
	{ "thresholds", PAGE_SMART_THRESHOLDS, 0 },
	{ "smart-log", PAGE_SMART_LOG, 0 },
	{ "ata-log", PAGE_ATA_LOG, 0 },
};

static bool poke_page(const char *word, struct page_id *page)
{
	for (size_t i = 0; i < ARRAY_LEN(poke_kinds); i++) {
		if (strcmp(word, poke_kinds[i].word) != 0)
			continue;
		page->kind = poke_kinds[i].kind;
		page->control = poke_kinds[i].control;
		return true;
	}
	return false;
}

/* A mode page's bytes are changed where they are kept. */
static const char *poke_mode(struct drive *drive, const struct poke *poke)
{
	struct mode_page *mode = mode_find(drive, poke->page.page, (uint8_t)poke->page.sub, 0);

	if (!mode || poke->offset + poke->len > mode->len)
		return "no such mode page, or it is shorter";
	memcpy(mode->data + poke->offset, poke->bytes, poke->len);
	return NULL;
}

/* KIND PAGE SUB OFFSET BYTE...: hexadecimal, the offset decimal. */
static const char *add_poke(struct drive *drive, char *line)
{
	struct poke poke = { 0 };
	char *kind = next_word(&line), *page = next_word(&line), *sub = next_word(&line);
	char *offset = next_word(&line), *byte;

	if (!kind || !page || !sub || !offset)
		return "KIND PAGE SUB OFFSET BYTE... is expected";
	poke.page.page = (uint8_t)strtoul(page, NULL, 16);
	poke.page.sub = (uint16_t)strtoul(sub, NULL, 16);
	poke.offset = strtoul(offset, NULL, 10);
	while ((byte = next_word(&line)) && poke.len < sizeof(poke.bytes))
		poke.bytes[poke.len++] = (uint8_t)strtoul(byte, NULL, 16);
	if (!strcmp(kind, "mode"))
		return poke_mode(drive, &poke);
	if (!poke_page(kind, &poke.page) || drive->poke_count == POKES)
		return "no such kind of page, or too many pokes";
	drive->pokes[drive->poke_count++] = poke;
	return NULL;
}

static const char *clear_faults(struct drive *drive, char *line)
{
	(void)line;
	faults_clear(drive);
	drive->attention_count = 0;
	drive->poke_count = 0;
	drive->release = true;
	return NULL;
}

static const char *mark(struct drive *drive, char *line)
{
	journal_mark(drive, line);
	return NULL;
}

static const char *release(struct drive *drive, char *line)
{
	(void)line;
	drive->release = true;
	return NULL;
}

static const char *quit(struct drive *drive, char *line)
{
	(void)line;
	drive->quit = true;
	return NULL;
}

static const struct {
	const char *word;
	const char *(*run)(struct drive *drive, char *line);
} words[] = {
	{ "fault", faults_add },
	{ "clear", clear_faults },
	{ "release", release },
	{ "attention", set_attention },
	{ "recovery", set_recovery },
	{ "timer", set_timer },
	{ "state", set_state },
	{ "refuse", set_refuse },
	{ "ignore", set_ignore },
	{ "cache", set_cache },
	{ "level", set_level },
	{ "apm", set_apm },
	{ "temperature", set_temperature },
	{ "thermal", set_thermal },
	{ "speed", set_speed },
	{ "pace", set_pace },
	{ "watts", set_watts },
	{ "counters", set_counters },
	{ "purge", set_purge },
	{ "bad", set_bad },
	{ "poke", add_poke },
	{ "mark", mark },
	{ "quit", quit },
};

const char *control_line(struct drive *drive, char *line)
{
	char *word = next_word(&line);

	if (!word)
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!strcmp(words[i].word, word))
			return words[i].run(drive, line ? line : word + strlen(word));
	return "no such word";
}
