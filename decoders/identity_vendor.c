/* Makers, by what their ATA model numbers begin with: ATA has no field for it. */
#include "identity.h"

/* In start, # is a digit. */
static const struct {
	const char *start, *vendor;
} vendors[] = {
	{ "ADATA", "ADATA" },
	{ "APPLE ", "Apple" },
	{ "Apacer", "Apacer" },
	{ "C400-MTFD", "Micron" },
	{ "CT#", "Crucial" },
	{ "Corsair", "Corsair" },
	{ "Crucial", "Crucial" },
	{ "FUJITSU", "Fujitsu" },
	{ "GOODRAM", "Goodram" },
	{ "HDN#", "HGST" },
	{ "HDP#", "Hitachi" },
	{ "HDS#", "Hitachi" },
	{ "HDT#", "Hitachi" },
	{ "HFS#", "SK hynix" },
	{ "HGST", "HGST" },
	{ "HITACHI", "Hitachi" },
	{ "HMS#", "HGST" },
	{ "HP SSD", "HP" },
	{ "HTE#", "Hitachi" },
	{ "HTS#", "Hitachi" },
	{ "HUA#", "Hitachi" },
	{ "HUH#", "HGST" },
	{ "HUS#", "HGST" },
	{ "Hitachi", "Hitachi" },
	{ "Hoodisk", "Hoodisk" },
	{ "IBM-", "IBM" },
	{ "IC25", "IBM" },
	{ "IC35", "IBM" },
	{ "INTEL ", "Intel" },
	{ "INTENSO", "Intenso" },
	{ "Innodisk", "Innodisk" },
	{ "KINGSTON", "Kingston" },
	{ "KIOXIA", "Kioxia" },
	{ "LITEON", "Lite-On" },
	{ "M4-CT", "Crucial" },
	{ "MAXTOR", "Maxtor" },
	{ "MICRON", "Micron" },
	{ "MTFD", "Micron" },
	{ "MZ7", "Samsung" },
	{ "MZM", "Samsung" },
	{ "MZN", "Samsung" },
	{ "Maxtor", "Maxtor" },
	{ "Micron", "Micron" },
	{ "OCZ", "OCZ" },
	{ "P400e-MTFD", "Micron" },
	{ "PLEXTOR", "Plextor" },
	{ "Patriot", "Patriot" },
	{ "QEMU ", "QEMU" },
	{ "SAMSUNG", "Samsung" },
	{ "SDLF", "SanDisk" },
	{ "SDSSD", "SanDisk" },
	{ "SK hynix", "SK hynix" },
	{ "SKHYNIX", "SK hynix" },
	{ "SOLIDIGM", "Solidigm" },
	{ "SPCC", "Silicon Power" },
	{ "SSDSA", "Intel" },
	{ "SSDSC", "Intel" },
	{ "ST#", "Seagate" },
	{ "Samsung", "Samsung" },
	{ "SanDisk", "SanDisk" },
	{ "Seagate", "Seagate" },
	{ "THNS", "Toshiba" },
	{ "TOSHIBA", "Toshiba" },
	{ "TS#", "Transcend" },
	{ "WD ", "WD" },
	{ "WDC ", "WD" },
	{ "WUH#", "WD" },
	{ "WUS#", "WD" },
	{ "XA#", "Seagate" },
	{ "XF#", "Seagate" },
	{ "ZA#", "Seagate" },
};

static bool begins(const char *model, const char *start)
{
	for (; *start; start++, model++) {
		bool digit = *model >= '0' && *model <= '9';

		if (*start == '#' ? !digit : *model != *start)
			return false;
	}
	return true;
}

const char *vendor_of_model(const char *model, const char **start)
{
	for (size_t i = 0; i < ARRAY_LEN(vendors); i++) {
		if (!begins(model, vendors[i].start))
			continue;
		if (start)
			*start = vendors[i].start;
		return vendors[i].vendor;
	}
	return NULL;
}
