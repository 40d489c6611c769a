/* Where ATA answers, and the copy of one in VPD page 89h, hold serial numbers and names. */
#include "capture/redact.h"

enum { SECTOR = 512 };

/* ACS-4 7.12.7: words 10-19, 108-111 and 176-205. */
static void identify(const struct visitor *visitor, struct area data)
{
	place_visit(visitor, SECRET_ATA_SERIAL, data, 20, 20);
	place_visit(visitor, SECRET_WWN_WORDS, data, 216, 8);
	place_visit(visitor, SECRET_ATA_SERIAL, data, 352, 60);
}

/* ACS-4 9.11.5.8 gives bits 63:0 of a 128-bit number; drives that store words
 * as in IDENTIFY are told by the NAA. */
static void supported_capabilities(const struct visitor *visitor, struct area page)
{
	enum { WWN_AT = 56, WWN_LEN = 8, NAA_REGISTERED = 5 };
	struct area wwn = area_cut(page, WWN_AT, WWN_LEN);
	bool words = secret_wwn(SECRET_WWN_LITTLE, wwn) >> 60 != NAA_REGISTERED &&
		secret_wwn(SECRET_WWN_WORDS, wwn) >> 60 == NAA_REGISTERED;

	place_visit(visitor, words ? SECRET_WWN_WORDS : SECRET_WWN_LITTLE, wwn, 0, WWN_LEN);
}

/* IDENTIFY DEVICE data log, ACS-4 9.11. */
static void identify_log(const struct visitor *visitor, unsigned number, struct area page)
{
	enum { COPY = 1, SUPPORTED_CAPABILITIES = 3, STRINGS = 5, SERIAL_AT = 8, SERIAL_LEN = 20 };

	switch (number) {
	case COPY:
		identify(visitor, page);
		break;
	case SUPPORTED_CAPABILITIES:
		supported_capabilities(visitor, page);
		break;
	case STRINGS:
		place_visit(visitor, SECRET_ATA_SERIAL, page, SERIAL_AT, SERIAL_LEN);
		break;
	}
}

/* Seagate's reliability log: pages of 32 sectors; the one that calls itself 1
 * has four characters of the serial number in each of two numbers, and the
 * same of the WWN. */
static void farm_log(const struct visitor *visitor, unsigned number, struct area page)
{
	enum { PAGE_SECTORS = 32, DRIVE = 1, SERIAL = 16, WWN = 32, NUMBER = 8, LOW = 4 };

	if (number % PAGE_SECTORS || bytes_le48(area_bytes(page), 0) != DRIVE)
		return;
	for (size_t i = 0; i < 2; i++) {
		place_visit(visitor, SECRET_TEXT, page, SERIAL + i * NUMBER, LOW);
		place_visit(visitor, SECRET_OPAQUE, page, WWN + i * NUMBER, LOW);
	}
}

static void log_sectors(const struct visitor *visitor, const struct record *record)
{
	enum { IDENTIFY_LOG = 0x30, FARM_LOG = 0xa6 };
	struct area data = area_of(record->data);

	for (size_t i = 0; i * SECTOR < data.len; i++) {
		struct area page = area_cut(data, i * SECTOR, SECTOR);
		unsigned number = record->page.sub + (unsigned)i;

		if (record->page.page == IDENTIFY_LOG)
			identify_log(visitor, number, page);
		if (record->page.page == FARM_LOG)
			farm_log(visitor, number, page);
	}
}

void places_of_ata(const struct visitor *visitor, const struct record *record)
{
	enum { ATA_INFORMATION = 0x89, COPY_AT = 60 };
	struct area data = area_of(record->data);

	switch (record->page.kind) {
	case PAGE_ATA_IDENTIFY:
	case PAGE_ATA_IDENTIFY_PACKET:
		identify(visitor, data);
		break;
	case PAGE_ATA_LOG:
	case PAGE_SMART_LOG:
		log_sectors(visitor, record);
		break;
	case PAGE_VPD:
		if (record->page.page == ATA_INFORMATION)
			identify(visitor, area_cut(data, COPY_AT, SECTOR));
		break;
	default:
		break;
	}
}
