/* Settings that a run touches: how each is read and written. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "measure/power.h"

enum { SET_FEATURES = 0xef, IDENTIFY_BYTES = 512 };

/* ---- The drive's state ---- */

static bool state_read(struct power *power, const char *name, char *value)
{
	(void)power;
	(void)name;
	snprintf(value, SETTING_VALUE, "active");
	return true;
}

static bool state_write(struct power *power, const char *name, const char *value)
{
	(void)name;
	(void)value;
	return power_make_active(power);
}

/* ---- Mode pages ---- */

static struct page_id mode_page_of(const char *name)
{
	struct page_id id = { .kind = PAGE_MODE };
	unsigned page = 0, sub = 0;

	sscanf(name, "%x/%x", &page, &sub);
	id.page = (uint8_t)page;
	id.sub = (uint16_t)sub;
	return id;
}

/* The page itself, behind the header and the block descriptors of MODE SENSE(10). */
static struct bytes page_of_answer(struct bytes answer, struct page_id id)
{
	enum { HEADER = 8, PS_SPF = 0xc0, SPF = 0x40 };
	struct bytes page = bytes_cut(answer, HEADER + (size_t)bytes_be16(answer, 6), answer.len);
	bool long_form = bytes_u8(page, 0) & SPF;
	size_t len = long_form ? 4u + bytes_be16(page, 2) : 2u + bytes_u8(page, 1);

	if ((bytes_u8(page, 0) & ~PS_SPF) != id.page || long_form != (id.sub != 0) ||
		(long_form && bytes_u8(page, 1) != id.sub) || page.len < len)
		return (struct bytes) { 0 };
	return bytes_cut(page, 0, len);
}

static bool mode_read(struct power *power, const char *name, char *value)
{
	uint8_t data[1024];
	struct page_id id = mode_page_of(name);
	struct bytes page = page_of_answer(power_page(power, id, sizeof(data), data), id);

	if (!page.len || 2 * page.len >= SETTING_VALUE)
		return false;
	for (size_t i = 0; i < page.len; i++)
		snprintf(value + 2 * i, 3, "%02x", page.at[i]);
	return true;
}

static bool mode_write(struct power *power, const char *name, const char *value)
{
	enum { HEADER = 8, PS = 0x80 };
	uint8_t list[HEADER + SETTING_VALUE / 2] = { 0 };
	struct outcome outcome;
	size_t len = HEADER;
	unsigned byte;

	(void)name;
	for (; len < sizeof(list) && sscanf(value, "%2x", &byte) == 1; value += 2)
		list[len++] = (uint8_t)byte;
	list[HEADER] &= (uint8_t)~PS; /* reserved in MODE SELECT */
	struct cdb cdb = cdb_mode_select(len);

	return len > HEADER &&
		power_send(power, &cdb, NULL, (struct bytes) { list, len }, &outcome, NULL);
}

unsigned mode_byte(const char *value, size_t at)
{
	unsigned byte = 0;

	if (2 * at + 2 <= strlen(value))
		sscanf(value + 2 * at, "%2x", &byte);
	return byte;
}

void mode_byte_put(char *value, size_t at, unsigned byte)
{
	char text[4];

	if (2 * at + 2 > strlen(value))
		return;
	snprintf(text, sizeof(text), "%02x", byte & 0xff);
	memcpy(value + 2 * at, text, 2);
}

/* ---- ATA features ---- */

static bool send_task(struct power *power, const struct ata_task *task)
{
	struct cdb cdb = cdb_of_ata(task);
	struct outcome outcome;

	return power_send(power, &cdb, NULL, (struct bytes) { 0 }, &outcome, NULL);
}

static bool set_features(struct power *power, uint16_t feature, unsigned count, uint64_t lba)
{
	return send_task(power,
		&(struct ata_task) { .protocol = ATA_NON_DATA,
			.command = SET_FEATURES,
			.feature = feature,
			.count = (uint16_t)count,
			.lba = lba });
}

static struct bytes identify(struct power *power, uint8_t data[IDENTIFY_BYTES])
{
	return power_page(
		power, (struct page_id) { .kind = PAGE_ATA_IDENTIFY }, IDENTIFY_BYTES, data);
}

static uint16_t word_of(struct bytes identify_data, unsigned word)
{
	return bytes_le16(identify_data, 2 * (size_t)word);
}

/* ACS-4 7.12.7: word 86 bit 3, and the level in word 91. */
static bool apm_read(struct power *power, const char *name, char *value)
{
	uint8_t data[IDENTIFY_BYTES];
	struct bytes words = identify(power, data);

	(void)name;
	if (words.len < IDENTIFY_BYTES)
		return false;
	if (word_of(words, 86) & 1 << 3)
		snprintf(value, SETTING_VALUE, "%u", (unsigned)word_of(words, 91) & 0xff);
	else
		snprintf(value, SETTING_VALUE, "off");
	return true;
}

static bool apm_write(struct power *power, const char *name, const char *value)
{
	enum { ENABLE_APM = 0x05, DISABLE_APM = 0x85 };

	(void)name;
	if (!strcmp(value, "off"))
		return set_features(power, DISABLE_APM, 0, 0);
	return set_features(power, ENABLE_APM, (unsigned)atoi(value) & 0xff, 0);
}

enum { EPC = 0x4a, EPC_SET_TIMER = 2, EPC_ENABLE = 4, EPC_DISABLE = 5 };

static bool epc_read(struct power *power, const char *name, char *value)
{
	uint8_t data[IDENTIFY_BYTES];
	struct bytes words = identify(power, data);

	(void)name;
	if (words.len < IDENTIFY_BYTES)
		return false;
	snprintf(value, SETTING_VALUE, "%s", word_of(words, 120) & 1 << 7 ? "on" : "off");
	return true;
}

static bool epc_write(struct power *power, const char *name, const char *value)
{
	(void)name;
	return set_features(power, EPC, 0, !strcmp(value, "on") ? EPC_ENABLE : EPC_DISABLE);
}

static const struct condition_row *condition_of(const char *name)
{
	for (size_t i = 0; i < CONDITION_ROWS; i++)
		if (!strcmp(condition_rows[i].name, name))
			return &condition_rows[i];
	return NULL;
}

/* ACS-4 9.6: descriptors of 64 bytes in log 08h, by condition. */
static size_t descriptor_at(const char *name)
{
	static const struct {
		const char *name;
		size_t at;
	} places[] = {
		{ "idle_a", 0 },
		{ "idle_b", 64 },
		{ "idle_c", 128 },
		{ "standby_y", 512 + 384 },
		{ "standby_z", 512 + 448 },
	};

	for (size_t i = 0; i < ARRAY_LEN(places); i++)
		if (!strcmp(places[i].name, name))
			return places[i].at;
	return SIZE_MAX;
}

/* "on 600": enabled, after 600 x 100 ms. */
static bool epc_timer_read(struct power *power, const char *name, char *value)
{
	enum { LOG_BYTES = 1024, FLAGS = 1, CURRENT_TIMER = 12, ENABLED = 0x04 };
	uint8_t data[LOG_BYTES];
	struct bytes log = power_page(
		power, (struct page_id) { .kind = PAGE_ATA_LOG, .page = 0x08 }, sizeof(data), data);
	struct bytes descriptor = bytes_cut(log, descriptor_at(name), 64);

	if (descriptor.len < 64)
		return false;
	snprintf(value, SETTING_VALUE, "%s %u",
		bytes_u8(descriptor, FLAGS) & ENABLED ? "on" : "off",
		bytes_le32(descriptor, CURRENT_TIMER));
	return true;
}

/* Bit 7 of the LBA changes the unit; 100 ms is the one that nobody disputes. */
static bool epc_timer_write(struct power *power, const char *name, const char *value)
{
	enum { ENABLE = 1 << 5, MINUTES = 1 << 7, UNITS_PER_MINUTE = 600 };
	const struct condition_row *row = condition_of(name);
	char on[8] = "";
	uint64_t timer = 0, lba = EPC_SET_TIMER;

	if (!row || sscanf(value, "%7s %lu", on, &timer) != 2)
		return false;
	if (timer > UINT16_MAX) {
		timer /= UNITS_PER_MINUTE;
		lba |= MINUTES;
	}
	lba |= timer << 8 | (!strcmp(on, "on") ? ENABLE : 0);
	return timer <= UINT16_MAX && set_features(power, EPC, row->count, lba);
}

/* ---- The host's link policy ---- */

/* Of the adapter with this name, "host3". */
static bool link_path(const struct power *power, const char *name, char *path, size_t size)
{
	unsigned number;
	int end = 0;

	snprintf(path, size, "%s/class/scsi_host/%s/link_power_management_policy",
		power->subject->sysfs, name);
	return sscanf(name, "host%u%n", &number, &end) == 1 && !name[end];
}

static bool link_read(struct power *power, const char *name, char *value)
{
	char path[256];
	FILE *file = link_path(power, name, path, sizeof(path)) ? fopen(path, "re") : NULL;
	bool good = file && fgets(value, SETTING_VALUE, file);

	if (file)
		fclose(file);
	if (good)
		value[strcspn(value, "\n")] = '\0';
	return good;
}

static bool link_write(struct power *power, const char *name, const char *value)
{
	char path[256];
	bool there = link_path(power, name, path, sizeof(path));
	int file = there ? open(path, O_WRONLY | O_CLOEXEC) : -1;
	ssize_t written = file < 0 ? -1 : write(file, value, strlen(value));

	if (file >= 0)
		close(file);
	return written == (ssize_t)strlen(value);
}

/* ---- SLEEP ---- */

static bool sleep_read(struct power *power, const char *name, char *value)
{
	(void)power;
	(void)name;
	snprintf(value, SETTING_VALUE, "ended");
	return true;
}

static bool sleep_write(struct power *power, const char *name, const char *value)
{
	(void)name;
	(void)value;
	return power_end_sleep(power);
}

/* ---- The standby timer ---- */

/* What is wanted afterwards stands for what was before. */
static bool standby_timer_read(struct power *power, const char *name, char *value)
{
	(void)name;
	snprintf(value, SETTING_VALUE, "%s", power->options->standby_timer);
	return true;
}

/* ACS-4 7.18: units of 5 s up to 20 minutes, then of 30 minutes up to 5.5 hours. */
static unsigned standby_count(const char *value)
{
	enum { UNIT = 5, UNITS = 240, LONG_UNIT = 1800, LONG_UNITS = 11 };
	unsigned long seconds = strtoul(value, NULL, 10);
	unsigned long longs = (seconds + LONG_UNIT - 1) / LONG_UNIT;

	if (seconds <= (unsigned long)UNIT * UNITS)
		return (unsigned)((seconds + UNIT - 1) / UNIT);
	return UNITS + (unsigned)(longs < LONG_UNITS ? longs : LONG_UNITS);
}

static bool standby_timer_write(struct power *power, const char *name, const char *value)
{
	enum { IDLE = 0xe3 };

	(void)name;
	return send_task(power,
		&(struct ata_task) {
			ATA_NON_DATA, .command = IDLE, .count = (uint16_t)standby_count(value) });
}

/* ---- All of them ---- */

static const struct {
	const char *name, *words;
	bool (*read)(struct power *power, const char *name, char *value);
	bool (*write)(struct power *power, const char *name, const char *value);
	bool untold; /* what it is cannot be read: it is written in any case */
} kinds[SETTING_KINDS] = {
	[SETTING_STATE] = { "state", "power state", state_read, state_write, .untold = true },
	[SETTING_MODE_PAGE] = { "mode_page", "mode page", mode_read, mode_write, false },
	[SETTING_APM] = { "apm", "APM level", apm_read, apm_write, false },
	[SETTING_EPC] = { "epc", "extended power conditions", epc_read, epc_write, false },
	[SETTING_EPC_TIMER] = { "epc_timer", "timer of", epc_timer_read, epc_timer_write, false },
	[SETTING_LINK] = { "link_policy", "link policy of", link_read, link_write, false },
	[SETTING_SLEEP] = { "sleep", "SLEEP", sleep_read, sleep_write, .untold = true },
	[SETTING_STANDBY_TIMER] = { "standby_timer", "standby timer", standby_timer_read,
		standby_timer_write, .untold = true },
};

const char *setting_kind_name(enum setting_kind kind)
{
	return kinds[kind].name;
}

static struct setting *find(struct power *power, enum setting_kind kind, const char *name)
{
	for (size_t i = 0; i < power->settings.count; i++) {
		struct setting *setting = &power->settings.settings[i];

		if (setting->kind == kind && !strcmp(setting->name, name))
			return setting;
	}
	return NULL;
}

bool setting_read(struct power *power, enum setting_kind kind, const char *name, char *value)
{
	return kinds[kind].read(power, name, value);
}

bool setting_keep(struct power *power, enum setting_kind kind, const char *name)
{
	struct settings *settings = &power->settings;
	struct setting *setting = &settings->settings[settings->count];
	struct error error = { 0 };

	if (find(power, kind, name))
		return true;
	if (settings->count == SETTINGS)
		return false;
	setting->kind = kind;
	snprintf(setting->name, sizeof(setting->name), "%s", name);
	if (!kinds[kind].read(power, name, setting->value))
		return false;
	settings->count++;
	if (journal_write(power->options->journal, settings, &error) == 0)
		return true;
	settings->count--;
	facts_note(power->facts, NULL,
		"%s %s is not touched, for its journal cannot be written: %s", kinds[kind].name,
		name, error.text);
	return false;
}

bool setting_change(
	struct power *power, enum setting_kind kind, const char *name, const char *value)
{
	return find(power, kind, name) && kinds[kind].write(power, name, value);
}

/* Written, and there when it is read back. */
static bool is_restored(struct power *power, const struct setting *setting)
{
	char now[SETTING_VALUE] = "";

	if (kinds[setting->kind].untold)
		return kinds[setting->kind].write(power, setting->name, setting->value);
	if (kinds[setting->kind].read(power, setting->name, now) && !strcmp(now, setting->value))
		return true;
	return kinds[setting->kind].write(power, setting->name, setting->value) &&
		kinds[setting->kind].read(power, setting->name, now) &&
		!strcmp(now, setting->value);
}

const char *setting_words(const struct setting *setting, char text[SETTING_TEXT])
{
	snprintf(text, SETTING_TEXT, "%s%s%s", kinds[setting->kind].words,
		*setting->name ? " " : "", setting->name);
	return text;
}

/* Each is told once, however often it is changed and restored. */
static void tell_restored(struct power *power, const struct setting *setting)
{
	char text[SETTING_TEXT + 64], name[SETTING_TEXT];
	size_t len = strlen(power->restored);
	const char *value = setting->kind == SETTING_MODE_PAGE ? "as before" : setting->value;

	snprintf(text, sizeof(text), "%s: %.40s", setting_words(setting, name), value);
	if (power->options->restored)
		power->options->restored(power->options->context, text);
	if (!strstr(power->restored, text) && len + strlen(text) + 3 < sizeof(power->restored))
		sprintf(power->restored + len, "%s%s", len ? ", " : "", text);
}

static void drop(struct settings *settings, size_t index)
{
	settings->count--;
	memmove(&settings->settings[index], &settings->settings[index + 1],
		(settings->count - index) * sizeof(settings->settings[0]));
}

static bool restore_at(struct power *power, size_t index)
{
	struct setting *setting = &power->settings.settings[index];
	struct error error = { 0 };

	if (!is_restored(power, setting))
		return false;
	tell_restored(power, setting);
	drop(&power->settings, index);
	journal_write(power->options->journal, &power->settings, &error);
	return true;
}

bool setting_restore(struct power *power, enum setting_kind kind, const char *name)
{
	const struct setting *setting = find(power, kind, name);

	return !setting || restore_at(power, (size_t)(setting - power->settings.settings));
}

bool settings_restore(struct power *power)
{
	bool all = true;

	power->restoring = true;
	for (size_t i = power->settings.count; i-- > 0;)
		all &= restore_at(power, i);
	power->restoring = false;
	return all;
}
