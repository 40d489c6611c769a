/*
 * capture_redact(): collects the serial numbers and names where the standards
 * put them, masks them wherever else they stand, then masks the places
 * themselves, and last sets the checksums right that were so before.
 */
#include "capture/redact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "assay/array.h"
#include "capture/lines.h"

enum { SERIAL_LEAST = 6, SERIAL_MOST = 40, SERIALS_MAX = 32, NAMES_MAX = 32, WWN_DIGITS = 16 };
enum { SECTOR = 512 };

struct name {
	uint64_t wwn, keep;
};

struct place {
	enum secret secret;
	struct area area;
};

struct secrets {
	struct place *places;
	size_t place_count;
	char serials[SERIALS_MAX][SERIAL_MOST + 1];
	size_t serial_count;
	struct name names[NAMES_MAX];
	size_t name_count;
	char inquiry[9]; /* vendor-specific text of INQUIRY: perhaps a serial's beginning */
};

static void add_serial(struct secrets *secrets, const char *text)
{
	if (strlen(text) < SERIAL_LEAST || strspn(text, "-?") == strlen(text))
		return;
	for (size_t i = 0; i < secrets->serial_count; i++)
		if (!strcmp(secrets->serials[i], text))
			return;
	if (secrets->serial_count < SERIALS_MAX)
		snprintf(secrets->serials[secrets->serial_count++], SERIAL_MOST + 1, "%s", text);
}

static void add_name(struct secrets *secrets, uint64_t wwn, uint64_t keep)
{
	if (!(wwn & ~keep) || wwn == UINT64_MAX)
		return;
	for (size_t i = 0; i < secrets->name_count; i++)
		if (secrets->names[i].wwn == wwn)
			return;
	if (secrets->name_count < NAMES_MAX)
		secrets->names[secrets->name_count++] = (struct name) { wwn, keep };
}

static void collect(void *context, enum secret secret, struct area area)
{
	static const uint64_t eui_keep = 0xffffff0000000000;
	struct secrets *secrets = context;
	struct bytes bytes = area_bytes(area);
	char text[SERIAL_MOST + 1];
	uint64_t wwn;

	secrets->places = array_grow(secrets->places, secrets->place_count, sizeof(struct place));
	secrets->places[secrets->place_count++] = (struct place) { secret, area };
	switch (secret) {
	case SECRET_SERIAL:
	case SECRET_ATA_SERIAL:
		bytes_text(bytes, secret == SECRET_ATA_SERIAL, text, sizeof(text));
		add_serial(secrets, text);
		break;
	case SECRET_PRINTABLE:
		bytes_text(
			bytes_cut(bytes, 0, 8), false, secrets->inquiry, sizeof(secrets->inquiry));
		break;
	case SECRET_WWN:
	case SECRET_WWN_WORDS:
	case SECRET_WWN_LITTLE:
		wwn = secret_wwn(secret, area);
		add_name(secrets, wwn, wwn_keep(wwn));
		break;
	case SECRET_EUI:
		add_name(secrets, secret_wwn(secret, area), eui_keep);
		break;
	case SECRET_NAME:
		wwn = secret_name_wwn(area);
		add_name(secrets, wwn, wwn_keep(wwn));
		break;
	default:
		break;
	}
}

/* Where INQUIRY begins the serial number that another page gives whole. */
static void add_beginning(struct secrets *secrets)
{
	size_t len = strlen(secrets->inquiry);

	for (size_t i = 0; i < secrets->serial_count; i++)
		if (len > 0 && !strncmp(secrets->serials[i], secrets->inquiry, len)) {
			add_serial(secrets, secrets->inquiry);
			return;
		}
}

static struct bytes data_of(const struct capture *capture, struct page_id id)
{
	const struct record *record = capture_find(capture, id);

	return record ? record->data : (struct bytes) { 0 };
}

static struct bytes trimmed(struct bytes text)
{
	while (text.len > 0 && (text.at[0] == ' ' || text.at[0] == 0))
		text = bytes_cut(text, 1, SIZE_MAX);
	while (text.len > 0 && (text.at[text.len - 1] == ' ' || text.at[text.len - 1] == 0))
		text.len--;
	return text;
}

static void collect_all(struct secrets *secrets, const struct capture *capture)
{
	static const struct page_id inquiry = { .kind = PAGE_INQUIRY };
	static const struct page_id identify = { .kind = PAGE_ATA_IDENTIFY };
	static const struct page_id serial = { .kind = PAGE_VPD, .page = 0x80 };
	struct visitor visitor = {
		.visit = collect,
		.context = secrets,
		.product = bytes_cut(data_of(capture, inquiry), 16, 16),
		.ata_model = bytes_cut(data_of(capture, identify), 54, 40),
		.serial = trimmed(bytes_cut(data_of(capture, serial), 4, SIZE_MAX)),
	};

	for (size_t i = 0; i < capture->record_count; i++) {
		places_of_scsi(&visitor, &capture->records[i]);
		places_of_ata(&visitor, &capture->records[i]);
	}
	add_beginning(secrets);
}

/* The next place of pattern in area from *at; false where there is none. */
static bool find_next(struct area area, const void *pattern, size_t len, size_t *at)
{
	struct area rest = area_cut(area, *at, SIZE_MAX);
	const uint8_t *found = rest.len ? memmem(rest.at, rest.len, pattern, len) : NULL;

	if (found)
		*at = (size_t)(found - area.at);
	return found;
}

/* turned: a copy of area with the bytes of each word exchanged. */
static void sweep_serial(struct area area, struct area turned, const char *serial)
{
	size_t len = strlen(serial);

	for (size_t at = 0; find_next(area, serial, len, &at); at += len)
		memset(area.at + at, '-', len);
	for (size_t at = 0; find_next(turned, serial, len, &at); at += len)
		for (size_t i = at; i < at + len; i++)
			area.at[i ^ 1] = '-';
}

/* The number's bytes: index of the i-th is i, i ^ 1 or 7 - i: order 0, 1, 7. */
static void sweep_number(struct area area, const struct name *name)
{
	static const size_t orders[] = { 0, 1, 7 };

	for (size_t o = 0; o < ARRAY_LEN(orders); o++) {
		uint8_t pattern[8], masked[8];

		for (size_t i = 0; i < 8; i++) {
			pattern[i ^ orders[o]] = (uint8_t)(name->wwn >> 8 * (7 - i));
			masked[i ^ orders[o]] = (uint8_t)((name->wwn & name->keep) >> 8 * (7 - i));
		}
		for (size_t at = 0; find_next(area, pattern, 8, &at); at += 8)
			memcpy(area.at + at, masked, 8);
	}
}

static void sweep_digits(struct area area, const struct name *name)
{
	static const char *const formats[] = { "%016llx", "%016llX" };

	for (size_t f = 0; f < ARRAY_LEN(formats); f++) {
		char pattern[WWN_DIGITS + 1], masked[WWN_DIGITS + 1];

		snprintf(pattern, sizeof(pattern), formats[f], (unsigned long long)name->wwn);
		snprintf(masked, sizeof(masked), formats[f],
			(unsigned long long)(name->wwn & name->keep));
		for (size_t at = 0; find_next(area, pattern, WWN_DIGITS, &at); at += WWN_DIGITS)
			memcpy(area.at + at, masked, WWN_DIGITS);
	}
}

static void sweep(const struct secrets *secrets, struct area area)
{
	struct buffer copy = { 0 };

	for (size_t i = 0; i < area.len; i++)
		buffer_add(&copy, area.at[(i ^ 1) < area.len ? i ^ 1 : i]);
	struct area turned = { copy.at, area.len & ~(size_t)1 };

	for (size_t i = 0; i < secrets->serial_count; i++)
		sweep_serial(area, turned, secrets->serials[i]);
	for (size_t i = 0; i < secrets->name_count; i++) {
		sweep_number(area, &secrets->names[i]);
		sweep_digits(area, &secrets->names[i]);
	}
	buffer_deinit(&copy);
}

static void sweep_text(const struct secrets *secrets, const char *text)
{
	sweep(secrets, area_of((struct bytes) { (const uint8_t *)text, strlen(text) }));
}

static void sweep_all(const struct secrets *secrets, const struct capture *capture)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		sweep(secrets, area_of(capture->records[i].data));
		sweep(secrets, area_of(capture->records[i].sense));
		sweep(secrets, area_of(capture->records[i].out));
	}
	for (size_t i = 0; i < capture->host_count; i++)
		sweep_text(secrets, capture->host[i].value);
	for (size_t i = 0; i < capture->note_count; i++)
		sweep_text(secrets, capture->notes[i]);
}

enum checksum {
	CHECKSUM_NONE,
	CHECKSUM_SUM,    /* all bytes: 0 */
	CHECKSUM_SIGNED, /* the same where byte 510 is A5h (IDENTIFY, word 255) */
};

static enum checksum checksum_of_log(uint8_t log, unsigned number)
{
	static const uint8_t without[] = { 0x00, 0x04, 0x30, 0xa6, 0xe0, 0xe1 };

	if (log == 0x30 && number == 1)
		return CHECKSUM_SIGNED;
	return memchr(without, log, sizeof(without)) ? CHECKSUM_NONE : CHECKSUM_SUM;
}

static enum checksum checksum_of(const struct record *record, unsigned sector)
{
	switch (record->page.kind) {
	case PAGE_ATA_IDENTIFY:
	case PAGE_ATA_IDENTIFY_PACKET:
		return CHECKSUM_SIGNED;
	case PAGE_VPD:
		return record->page.page == 0x89 ? CHECKSUM_SIGNED : CHECKSUM_NONE;
	case PAGE_SMART_DATA:
	case PAGE_SMART_THRESHOLDS:
		return CHECKSUM_SUM;
	case PAGE_ATA_LOG:
	case PAGE_SMART_LOG:
		return checksum_of_log(record->page.page, record->page.sub + sector);
	default:
		return CHECKSUM_NONE;
	}
}

static bool is_valid(enum checksum checksum, struct bytes sector)
{
	return checksum != CHECKSUM_NONE && bytes_sum(sector) == 0 &&
		(checksum == CHECKSUM_SUM || bytes_u8(sector, SECTOR - 2) == 0xa5);
}

/* Notes for each sector whether its checksum holds, or, where one that did
 * does no more, sets it right. */
static void each_checksum(const struct capture *capture, struct buffer *valid, bool repair)
{
	enum { ATA_INFORMATION_COPY_AT = 60 };
	size_t n = 0;

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];
		size_t at = record->page.kind == PAGE_VPD ? ATA_INFORMATION_COPY_AT : 0;

		for (unsigned k = 0; at + SECTOR <= record->data.len; at += SECTOR, k++, n++) {
			struct area sector = area_cut(area_of(record->data), at, SECTOR);
			uint8_t sum = bytes_sum(area_bytes(sector));

			if (!repair)
				buffer_add(valid,
					is_valid(checksum_of(record, k), area_bytes(sector)));
			else if (valid->at[n])
				sector.at[SECTOR - 1] = (uint8_t)(sector.at[SECTOR - 1] - sum);
		}
	}
}

static void note_masked(struct capture *capture)
{
	static const char note[] = "serial numbers and WWNs are masked";

	for (size_t i = 0; i < capture->note_count; i++)
		if (!strcmp(capture->notes[i], note))
			return;
	capture_note(capture, "%s", note);
}

void capture_redact(struct capture *capture)
{
	struct secrets secrets = { 0 };
	struct buffer valid = { 0 };

	each_checksum(capture, &valid, false);
	collect_all(&secrets, capture);
	sweep_all(&secrets, capture);
	for (size_t i = 0; i < secrets.place_count; i++)
		secret_mask(secrets.places[i].secret, secrets.places[i].area);
	free(secrets.places);
	each_checksum(capture, &valid, true);
	buffer_deinit(&valid);
	note_masked(capture);
}
