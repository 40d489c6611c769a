/*
 * Where SCSI answers hold serial numbers and names. Descriptors that the end
 * of an answer cuts off are places too: half a name is still one.
 */
#include "capture/redact.h"

#include <string.h>

static void inquiry(const struct visitor *visitor, struct area data)
{
	enum { VENDOR_SPECIFIC = 36, VENDOR_SPECIFIC_LEN = 20 };

	place_visit(visitor, SECRET_PRINTABLE, data, VENDOR_SPECIFIC, VENDOR_SPECIFIC_LEN);
}

/* How much of a T10 vendor ID designator, behind the vendor, is the model. */
static size_t model_len(const struct visitor *visitor, struct area name)
{
	struct bytes model = visitor->ata_model, product = visitor->product;
	size_t same = 0;

	while (same < model.len && same < name.len && name.at[same] == bytes_u8(model, same ^ 1))
		same++;
	if (same > 0 && same == model.len)
		return same;
	if (product.len > 0 && name.len >= product.len && !memcmp(name.at, product.at, product.len))
		return product.len;
	return 0;
}

/* SPC-5 7.7.6.4: maker and what it likes, which is mostly model and serial
 * number. What cannot be told apart is masked as a whole. */
static void t10_designator(const struct visitor *visitor, struct area data)
{
	enum { VENDOR_LEN = 8 };
	struct area name = area_cut(data, VENDOR_LEN, SIZE_MAX);
	size_t model = model_len(visitor, name);
	struct bytes serial = visitor->serial;
	const uint8_t *found = NULL;

	if (!model && name.len && serial.len)
		found = memmem(name.at, name.len, serial.at, serial.len);
	if (found)
		place_visit(visitor, SECRET_TEXT, name, (size_t)(found - name.at), serial.len);
	else
		place_visit(visitor, SECRET_TEXT, name, model, SIZE_MAX);
}

/* SPC-5 7.7.6.1, by DESIGNATOR TYPE. */
static void designator(
	const struct visitor *visitor, uint8_t type, uint8_t code_set, struct area data)
{
	enum { VENDOR_SPECIFIC, T10_VENDOR, EUI_64, NAA, MD5 = 7, NAME_STRING = 8, UUID = 10 };
	enum { BINARY = 1 };

	switch (type) {
	case VENDOR_SPECIFIC:
		place_visit(visitor, code_set == BINARY ? SECRET_OPAQUE : SECRET_TEXT, data, 0,
			SIZE_MAX);
		break;
	case T10_VENDOR:
		t10_designator(visitor, data);
		break;
	case EUI_64:
		place_visit(visitor, SECRET_EUI, data, 0, SIZE_MAX);
		break;
	case NAA:
		place_visit(visitor, SECRET_WWN, data, 0, SIZE_MAX);
		break;
	case MD5:
	case UUID:
		place_visit(visitor, SECRET_OPAQUE, data, 0, SIZE_MAX);
		break;
	case NAME_STRING:
		place_visit(visitor, SECRET_NAME, data, 0, SIZE_MAX);
		break;
	}
}

static void designators(const struct visitor *visitor, struct area list)
{
	while (list.len > 4) {
		size_t len = list.at[3];

		designator(visitor, list.at[1] & 15, list.at[0] & 15, area_cut(list, 4, len));
		list = area_cut(list, 4 + len, SIZE_MAX);
	}
}

/* SPC-5 7.7.15: SCSI port designation descriptors. */
static void ports(const struct visitor *visitor, struct area list)
{
	enum { FIXED = 8, TRANSPORT_ID_NAME = 4 };

	while (list.len > FIXED) {
		size_t initiator = bytes_be16(area_bytes(list), 6);
		struct area target = area_cut(list, FIXED + initiator, SIZE_MAX);
		size_t len = bytes_be16(area_bytes(target), 2);

		if (initiator > TRANSPORT_ID_NAME)
			place_visit(visitor, SECRET_OPAQUE, list, FIXED + TRANSPORT_ID_NAME,
				initiator - TRANSPORT_ID_NAME);
		designators(visitor, area_cut(target, 4, len));
		list = area_cut(target, 4 + len, SIZE_MAX);
	}
}

static void vpd(const struct visitor *visitor, uint8_t page, struct area data)
{
	enum { HEADER = 4 };

	switch (page) {
	case 0x80:
		place_visit(visitor, SECRET_SERIAL, data, HEADER, SIZE_MAX);
		break;
	case 0x83:
		designators(visitor, area_cut(data, HEADER, SIZE_MAX));
		break;
	case 0x88:
		ports(visitor, area_cut(data, HEADER, SIZE_MAX));
		break;
	}
}

/* Phy descriptors of a log (SPL-4 9.2.8.1) or mode page (9.2.7.5): SAS
 * ADDRESS and ATTACHED SAS ADDRESS. */
static void phys(const struct visitor *visitor, struct area list, bool of_log)
{
	enum { ADDRESS = 8, ATTACHED = 16, LEN = 48, LOG_LEN_AT = 3 };

	while (list.len > ADDRESS) {
		size_t len = of_log && list.at[LOG_LEN_AT] ? list.at[LOG_LEN_AT] + (size_t)4 : LEN;

		place_visit(visitor, SECRET_WWN, list, ADDRESS, 8);
		place_visit(visitor, SECRET_WWN, list, ATTACHED, 8);
		list = area_cut(list, len, SIZE_MAX);
	}
}

enum { PROTOCOL_SAS = 6 };

/* Seagate's reliability log, parameter 1: four characters in each of two
 * numbers, and the same of the WWN. */
static void farm_parameter(const struct visitor *visitor, struct area value)
{
	enum { SERIAL = 16, WWN = 32, NUMBER = 8, LOW = 4 };

	for (size_t i = 0; i < 2; i++) {
		place_visit(visitor, SECRET_TEXT, value, SERIAL + i * NUMBER + LOW, LOW);
		place_visit(visitor, SECRET_OPAQUE, value, WWN + i * NUMBER + LOW, LOW);
	}
}

static void log_parameter(
	const struct visitor *visitor, struct page_id id, unsigned code, struct area value)
{
	enum { PORT_PAGE = 0x18, FARM_PAGE = 0x3d, FARM_DRIVE = 1, PHYS_AT = 4 };

	if (id.page == PORT_PAGE && value.len > 0 && (value.at[0] & 15) == PROTOCOL_SAS)
		phys(visitor, area_cut(value, PHYS_AT, SIZE_MAX), true);
	if (id.page == FARM_PAGE && code == FARM_DRIVE)
		farm_parameter(visitor, value);
}

static void log_page(const struct visitor *visitor, struct page_id id, struct area data)
{
	struct area list = area_cut(data, 4, SIZE_MAX);

	while (list.len > 4) {
		unsigned code = bytes_be16(area_bytes(list), 0);
		size_t len = list.at[3];

		log_parameter(visitor, id, code, area_cut(list, 4, len));
		list = area_cut(list, 4 + len, SIZE_MAX);
	}
}

static void mode_page(const struct visitor *visitor, struct area page)
{
	enum { PHY_CONTROL = 0x59, PHY_CONTROL_SUB = 1, PROTOCOL_AT = 5, PHYS_AT = 8 };
	struct bytes bytes = area_bytes(page);

	if ((bytes_u8(bytes, 0) & 0x7f) == PHY_CONTROL && bytes_u8(bytes, 1) == PHY_CONTROL_SUB &&
		(bytes_u8(bytes, PROTOCOL_AT) & 15) == PROTOCOL_SAS)
		phys(visitor, area_cut(page, PHYS_AT, SIZE_MAX), false);
}

static void mode_pages(const struct visitor *visitor, const struct record *record)
{
	enum { MODE_SENSE_10 = 0x5a, CHANGEABLE = 1 };
	bool ten = record->cdb[0] == MODE_SENSE_10;
	struct bytes data = record->data;
	size_t descriptors = ten ? bytes_be16(data, 6) : bytes_u8(data, 3);
	struct area list = area_cut(area_of(data), (ten ? 8 : 4) + descriptors, SIZE_MAX);

	if (record->page.control == CHANGEABLE)
		return;
	while (list.len > 2) {
		struct bytes bytes = area_bytes(list);
		size_t len = bytes_u8(bytes, 0) & 0x40 ? bytes_be16(bytes, 2) + (size_t)4
						       : bytes_u8(bytes, 1) + (size_t)2;

		mode_page(visitor, area_cut(list, 0, len));
		list = area_cut(list, len, SIZE_MAX);
	}
}

void places_of_scsi(const struct visitor *visitor, const struct record *record)
{
	struct area data = area_of(record->data);

	switch (record->page.kind) {
	case PAGE_INQUIRY:
		inquiry(visitor, data);
		break;
	case PAGE_VPD:
		vpd(visitor, record->page.page, data);
		break;
	case PAGE_LOG:
		log_page(visitor, record->page, data);
		break;
	case PAGE_MODE:
		mode_pages(visitor, record);
		break;
	default:
		break;
	}
}
