#include "attribute_name.h"

#include <ctype.h>
#include <string.h>

enum { NAME_MAX_LEN = 64 };

/* The name in lower case with a blank on both sides of each word. */
static void split(struct bytes name, char words[NAME_MAX_LEN])
{
	size_t len = 0;

	words[len++] = ' ';
	for (size_t i = 0; i < name.len && len < NAME_MAX_LEN - 2; i++)
		words[len++] = strchr("_-/%()", name.at[i]) ? ' ' : (char)tolower(name.at[i]);
	words[len++] = ' ';
	words[len] = '\0';
}

static bool has_any(const char *words, const char *const *list)
{
	for (; *list; list++)
		if (strstr(words, *list))
			return true;
	return false;
}

/* A name that has one of these words counts no amount of data, or part of it. */
static const char *const no_amount[] = { " rate ", " error", " err ", " fail", " low ", " high ",
	" tlc ", " slc ", " protect ", " command", " head ", " erase ", " retry ", " verify ",
	" uncorr", " unc ", " corr", " pending ", " trimmed ", " realloc", NULL };
static const char *const written[] = { " writes ", " written ", " wts ", " write ", " prog ",
	" prg ", NULL };
static const char *const read_words[] = { " reads ", " reades ", " read ", " rds ", NULL };
static const char *const nand[] = { " nand ", " flash ", " flsh ", " media ", NULL };

static const struct {
	const char *word;
	uint64_t unit_bytes;
} units[] = {
	{ " 32mib ", UNIT_32_MIB },
	{ " 64mib ", UNIT_64_MIB },
	{ " mib ", UNIT_MIB },
	{ " gib ", UNIT_GIB },
	{ " 1gib ", UNIT_GIB },
	{ " lbas ", UNIT_SECTOR },
	{ " sectors ", UNIT_SECTOR },
	{ " sector ", UNIT_SECTOR },
};

static bool amount(const char *words, struct family_attribute *attribute)
{
	bool flash = has_any(words, nand), write = has_any(words, written);

	if (has_any(words, no_amount) || write == has_any(words, read_words) || (!write && flash))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (strstr(words, units[i].word))
			attribute->unit_bytes = units[i].unit_bytes;
	if (!attribute->unit_bytes)
		return false;
	attribute->meaning = flash ? MEANING_NAND_WRITTEN
		: write            ? MEANING_HOST_WRITTEN
				   : MEANING_HOST_READ;
	return true;
}

static bool life(const char *words, struct family_attribute *attribute)
{
	static const char *const subject[] = { " life", " drivelife ", " ssd lifeleft ", NULL };
	static const char *const left[] = { " left ", " lifeleft ", " remain", NULL };
	static const char *const not_life[] = { " writ", " wts ", " read", " rds ", " gib ", NULL };

	if (!has_any(words, subject) || has_any(words, not_life))
		return false;
	if (has_any(words, left))
		attribute->encoding = strstr(words, " 0.01 ") ? ENCODING_RAW_LEFT_100TH
							      : ENCODING_NAMED_LEFT;
	else if (strstr(words, " used "))
		attribute->encoding = ENCODING_NAMED_USED;
	else
		return false;
	attribute->meaning = MEANING_USED;
	return true;
}

/* Names of ids that mean the same on most drives: those that confirm it. */
static const struct {
	uint8_t id; /* 0: any */
	const char *word;
	enum meaning meaning;
	enum encoding encoding;
} events[] = {
	{ 5, " realloc", MEANING_REALLOCATED, ENCODING_RAW },
	{ 5, " retired ", MEANING_REALLOCATED, ENCODING_RAW },
	{ 9, " power on hours", MEANING_HOURS, ENCODING_RAW },
	{ 12, " power cycle", MEANING_POWER_CYCLES, ENCODING_RAW },
	{ 187, " reported uncorrect", MEANING_UNCORRECTED, ENCODING_RAW },
	{ 190, " temperature", MEANING_CASE_TEMPERATURE, ENCODING_RAW },
	{ 194, " temperature", MEANING_TEMPERATURE, ENCODING_RAW },
	{ 197, " pending ", MEANING_PENDING, ENCODING_RAW },
	{ 198, " uncorrect", MEANING_OFFLINE_UNCORRECTED, ENCODING_RAW },
	{ 199, " crc ", MEANING_CRC, ENCODING_RAW },
	{ 0, " unsafe shutdown ", MEANING_UNSAFE_SHUTDOWNS, ENCODING_RAW },
	{ 0, " unexpect power ", MEANING_UNSAFE_SHUTDOWNS, ENCODING_RAW },
	{ 0, " unexpected power ", MEANING_UNSAFE_SHUTDOWNS, ENCODING_RAW },
	{ 0, " unexpected pwr ", MEANING_UNSAFE_SHUTDOWNS, ENCODING_RAW },
	{ 0, " unexpect pwrloss ", MEANING_UNSAFE_SHUTDOWNS, ENCODING_RAW },
	{ 0, " power loss cap test ", MEANING_CAPACITOR, ENCODING_VALUE_GOOD },
};

struct family_attribute attribute_of_name(uint8_t id, struct bytes name)
{
	struct family_attribute attribute = { .id = id };
	char words[NAME_MAX_LEN];

	split(name, words);
	if (amount(words, &attribute) || life(words, &attribute))
		return attribute;
	for (size_t i = 0; i < ARRAY_LEN(events); i++)
		if ((events[i].id == 0 || events[i].id == id) && strstr(words, events[i].word)) {
			attribute.meaning = events[i].meaning;
			attribute.encoding = events[i].encoding;
			return attribute;
		}
	return attribute;
}
