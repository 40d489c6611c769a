#include "family.h"

#include <string.h>

#include "pattern.h"

static bool matches(const char *pattern, const char *text)
{
	return !pattern || pattern_matches(pattern, strlen(pattern), text);
}

const struct family *family_find(const char *model, const char *firmware)
{
	for (size_t i = 0; i < family_count; i++)
		if (matches(families[i].model, model) && matches(families[i].firmware, firmware))
			return &families[i];
	return NULL;
}

const struct family_attribute *family_attribute(const struct family *family, uint8_t id)
{
	for (size_t i = 0; family && i < family->attribute_count; i++)
		if (family->attributes[i].id == id)
			return &family->attributes[i];
	return NULL;
}

const char *family_amount_name(const struct family_attribute *attribute)
{
	static const struct {
		uint64_t unit_bytes;
		const char *written, *read, *nand;
	} names[] = {
		{ UNIT_SECTOR, "Host_Writes_Sectors", "Host_Reads_Sectors", "NAND_Writes_Sectors" },
		{ UNIT_MIB, "Host_Writes_MiB", "Host_Reads_MiB", "NAND_Writes_MiB" },
		{ UNIT_32_MIB, "Host_Writes_32MiB", "Host_Reads_32MiB", "NAND_Writes_32MiB" },
		{ UNIT_GB, "Host_Writes_GB", "Host_Reads_GB", "NAND_Writes_GB" },
		{ UNIT_GIB, "Host_Writes_GiB", "Host_Reads_GiB", "NAND_Writes_GiB" },
	};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (names[i].unit_bytes != attribute->unit_bytes)
			continue;
		if (attribute->meaning == MEANING_HOST_WRITTEN)
			return names[i].written;
		if (attribute->meaning == MEANING_HOST_READ)
			return names[i].read;
		if (attribute->meaning == MEANING_NAND_WRITTEN)
			return names[i].nand;
	}
	return NULL;
}
