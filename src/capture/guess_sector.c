/*
 * Which ATA sector is it? ACS-4 9.11 and 7.12 (IDENTIFY), ATA/ATAPI-4 8.41 (SMART).
 * Certain only: a sector that is read as another one gives wrong figures.
 */
#include "capture/importing.h"

#include <string.h>

enum { SECTOR = 512, SIGNATURE_AT = 510, SIGNATURE = 0xa5 };
enum { ENTRIES = 30, ENTRY = 12, ENTRIES_AT = 2 };

static uint16_t word(struct bytes sector, size_t n)
{
	return bytes_le16(sector, n * 2);
}

/* Printable, or zeros where nothing was filled in. */
static bool is_string(struct bytes sector, size_t first_word, size_t words, size_t least)
{
	struct bytes field = bytes_cut(sector, first_word * 2, words * 2);
	size_t shown = 0;

	for (size_t i = 0; i < field.len; i++) {
		uint8_t c = bytes_u8(field, i);

		if (c != 0 && (c < 0x20 || c >= 0x7f))
			return false;
		shown += c > 0x20;
	}
	return shown >= least;
}

static bool has_identify_strings(struct bytes sector)
{
	enum { SERIAL = 10, FIRMWARE = 23, MODEL = 27 };

	return is_string(sector, SERIAL, 10, 0) && is_string(sector, FIRMWARE, 4, 1) &&
		is_string(sector, MODEL, 20, 4);
}

/* Before ATA/ATAPI-5 there is no checksum: words that every disk sets. */
static bool has_identify_words(struct bytes sector)
{
	enum { CAPABILITIES = 49, LBA_OR_DMA = 0x300, VALIDITY = 53, VALID_64_TO_70 = 2 };

	return !(word(sector, 0) & 0x8000) && (word(sector, CAPABILITIES) & LBA_OR_DMA) &&
		(word(sector, VALIDITY) & VALID_64_TO_70) && !(word(sector, VALIDITY) & 0xf8);
}

static bool is_identify(struct bytes sector)
{
	if (!has_identify_strings(sector) || word(sector, 0) & 0x8000)
		return false;
	if (bytes_u8(sector, SIGNATURE_AT) == SIGNATURE)
		return bytes_sum(sector) == 0;
	return has_identify_words(sector);
}

/* What the thirty entries of SMART data or thresholds look like. */
struct entries {
	size_t used;   /* id not 0 */
	size_t usual;  /* ids that nearly every drive has */
	size_t valued; /* used, with value and worst in their range */
	size_t bare;   /* used, with nothing behind the threshold */
	size_t idle;   /* id 0 and all zero */
};

static struct entries count_entries(struct bytes sector)
{
	static const uint8_t usual[] = { 1, 5, 9, 12, 194, 197, 199 };
	struct entries entries = { 0 };

	for (size_t i = 0; i < ENTRIES; i++) {
		struct bytes entry = bytes_cut(sector, ENTRIES_AT + i * ENTRY, ENTRY);
		uint8_t id = bytes_u8(entry, 0), value = bytes_u8(entry, 3);

		if (id == 0) {
			entries.idle += bytes_all(entry, 0);
			continue;
		}
		entries.used++;
		entries.usual += memchr(usual, id, sizeof(usual)) != NULL;
		entries.valued += value >= 1 && value != 0xff && bytes_u8(entry, 4) >= 1;
		entries.bare += bytes_all(bytes_cut(entry, 2, ENTRY - 2), 0);
	}
	return entries;
}

enum import_kind guess_sector(struct bytes sector)
{
	if (sector.len != SECTOR)
		return IMPORT_AUTO;
	if (is_identify(sector))
		return IMPORT_IDENTIFY;
	struct entries entries = count_entries(sector);

	if (bytes_sum(sector) != 0 || entries.used < 3 || entries.usual < 2)
		return IMPORT_AUTO;
	if (entries.bare == entries.used && entries.idle + entries.used == ENTRIES)
		return IMPORT_THRESHOLDS;
	if (entries.bare == 0 && entries.valued * 4 >= entries.used * 3)
		return IMPORT_SMART;
	return IMPORT_AUTO;
}
