/*
 * What a drive is called and which standards it follows: SPC-5 (INQUIRY, VPD
 * pages 80h and 83h), SBC-4 (VPD page B1h), SAT-4 (VPD page 89h), ACS-4 7.12
 * (IDENTIFY DEVICE).
 */
#include "identity.h"
#include "place.h"
#include "week.h"

#include <string.h>

static const struct key keys[] = {
	{ "identity.vendor", .label = "Vendor" },
	{ "identity.model", .label = "Model" },
	{ "identity.serial", "Serial number", .agreement = AGREE_EXACT },
	{ "identity.firmware", .label = "Firmware" },
	{ "identity.wwn", "World wide name", .agreement = AGREE_EXACT },
	{ "identity.protocol", .label = "Protocol" },
	{ "identity.transport", .label = "Transport" },
	{ "identity.form_factor", "Form factor", .agreement = AGREE_EXACT },
	{ "identity.rotation_rpm", "Rotation rate", UNIT_RPM, .agreement = AGREE_EXACT },
	{ "identity.manufacture_date", .label = "Manufactured" },
	{ "identity.standard", .label = "Standard" },
	{ "identity.standard_revision", "Standard, revision", .detail = true },
	{ "identity.transport_standard", "Transport standard", .detail = true },
	{ "identity.device_type", "Device type", .detail = true },
	{ "identity.additional_product_id", "Additional product id", .detail = true },
	{ "identity.translator_vendor", "SAT layer, vendor", .detail = true },
	{ "identity.translator_product", "SAT layer, product", .detail = true },
	{ "identity.translator_revision", "SAT layer, revision", .detail = true },
};

/* SPC-5 6.7.2 */
static const struct word device_types[] = {
	{ 0x00, "disk" },
	{ 0x01, "tape" },
	{ 0x04, "write-once" },
	{ 0x05, "cd/dvd" },
	{ 0x07, "optical" },
	{ 0x08, "changer" },
	{ 0x0c, "storage array controller" },
	{ 0x0d, "enclosure" },
	{ 0x0e, "simplified disk" },
	{ 0x14, "zoned disk" },
	{ 0x1e, "well-known logical unit" },
	{ 0 },
};
static const struct word scsi_versions[] = {
	{ 0x01, "SCSI-1" },
	{ 0x02, "SCSI-2" },
	{ 0x03, "SPC" },
	{ 0x04, "SPC-2" },
	{ 0x05, "SPC-3" },
	{ 0x06, "SPC-4" },
	{ 0x07, "SPC-5" },
	{ 0x0d, "SPC-6" },
	{ 0x0e, "SPC-7" },
	{ 0 },
};
static const struct field inquiry_fields[] = {
	{ "identity.device_type", .at = 0, .width = 1, .bits = 5, .format = FORMAT_ENUM,
		.words = device_types },
	{ "identity.standard", .at = 2, .width = 1, .format = FORMAT_ENUM, .words = scsi_versions,
		.unknown = UNKNOWN_ZERO, .rank = 1 },
};

/* SBC-4 6.6.2, ACS-4 7.12.7.72: the second list goes on after the first. */
static const struct word form_factors[] = {
	{ 1, "5.25 inch" },
	{ 2, "3.5 inch" },
	{ 3, "2.5 inch" },
	{ 4, "1.8 inch" },
	{ 5, "below 1.8 inch" },
	{ 6, "mSATA" },
	{ 7, "M.2" },
	{ 8, "MicroSSD" },
	{ 9, "CFast" },
	{ 0 },
};
static const struct field characteristics[] = {
	{ "identity.form_factor", .at = 7, .width = 1, .bits = 4, .format = FORMAT_ENUM,
		.words = form_factors, .unknown = UNKNOWN_ZERO, .rank = 1 },
};
static const struct field identify_fields[] = {
	{ "identity.form_factor", .at = 2 * 168, .width = 2, .bits = 4, .format = FORMAT_ENUM,
		.words = form_factors, .unknown = UNKNOWN_ZERO | UNKNOWN_ONES },
};
static const struct field capabilities_log[] = {
	{ "identity.form_factor", .at = 32, .width = 1, .bits = 4, .format = FORMAT_ENUM,
		.words = form_factors, .unknown = UNKNOWN_ZERO, .rank = 2 },
};

/* SAT-4 12.4.2 */
static const struct field ata_information[] = {
	{ "identity.translator_vendor", .at = 8, .width = 8, .format = FORMAT_TEXT },
	{ "identity.translator_product", .at = 16, .width = 16, .format = FORMAT_TEXT },
	{ "identity.translator_revision", .at = 32, .width = 4, .format = FORMAT_TEXT },
};

/* SPL-4, Protocol Specific Logical Unit and Port mode pages */
static const struct word protocols[] = {
	{ 0, "fc" },
	{ 1, "spi" },
	{ 4, "srp" },
	{ 5, "iscsi" },
	{ 6, "sas" },
	{ 8, "sata" },
	{ 9, "usb" },
	{ 0 },
};
static const struct field protocol_fields[] = {
	{ "identity.transport", .at = 2, .width = 1, .bits = 4, .format = FORMAT_ENUM,
		.words = protocols, .rank = 2 },
};

static const struct layout layouts[] = {
	{ { PAGE_INQUIRY, 0, 0, 0 }, 0, inquiry_fields, ARRAY_LEN(inquiry_fields) },
	{ { PAGE_VPD, 0x89, 0, 0 }, 0, ata_information, ARRAY_LEN(ata_information) },
	{ { PAGE_VPD, 0xb1, 0, 0 }, 0, characteristics, ARRAY_LEN(characteristics) },
	{ { PAGE_MODE, 0x18, 0, 0 }, 0, protocol_fields, ARRAY_LEN(protocol_fields) },
	{ { PAGE_MODE, 0x19, 0, 0 }, 0, protocol_fields, ARRAY_LEN(protocol_fields) },
	{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 0, identify_fields, ARRAY_LEN(identify_fields) },
	{ { PAGE_ATA_LOG, 0x30, 3, 0 }, 0, capabilities_log, ARRAY_LEN(capabilities_log) },
};

enum { MODEL_LEN = 40, MODEL_AT = 2 * 27 };
static const struct field identify_texts[] = {
	{ "identity.serial", .at = 2 * 10, .width = 20, .format = FORMAT_ATA_TEXT },
	{ "identity.firmware", .at = 2 * 23, .width = 8, .format = FORMAT_ATA_TEXT },
	{ "identity.model", .at = MODEL_AT, .width = MODEL_LEN, .format = FORMAT_ATA_TEXT },
};
static const struct field inquiry_vendor = { "identity.vendor", .at = 8, .width = 8,
	.format = FORMAT_TEXT };
static const struct field inquiry_model = { "identity.model", .at = 16, .width = 16,
	.format = FORMAT_TEXT, .rank = 1 };
static const struct field inquiry_firmware = { "identity.firmware", .at = 32, .width = 4,
	.format = FORMAT_TEXT, .rank = 1 };

struct pages {
	struct page inquiry, identify;
	bool translated; /* INQUIRY says that an ATA device is behind a SAT layer */
};

static void add_field(
	const struct page *page, struct field field, enum format format, struct facts *facts)
{
	field.format = format;
	fields_decode(page, &field, 1, facts);
}

/* Some bridges exchange the bytes of the strings themselves. The model tells:
 * by INQUIRY, which has its first 16 letters, or by how the makers begin theirs. */
static bool is_exchanged_twice(const struct pages *pages)
{
	struct bytes raw = bytes_cut(pages->identify.data, MODEL_AT, MODEL_LEN);
	char plain[MODEL_LEN + 1], model[MODEL_LEN + 1], product[17];
	size_t len = bytes_text(
		bytes_cut(pages->inquiry.data, 16, 16), false, product, sizeof(product));

	bytes_text(raw, false, plain, sizeof(plain));
	bytes_text(raw, true, model, sizeof(model));
	if (pages->translated && len > 1 && !strncmp(plain, product, len))
		return strncmp(model, product, len) != 0;
	return !vendor_of_model(model, NULL) && vendor_of_model(plain, NULL);
}

static void add_identify_texts(const struct pages *pages, struct facts *facts)
{
	bool twice = is_exchanged_twice(pages);
	struct source source = source_page(pages->identify.id, pages->identify.offset + MODEL_AT,
		bytes_cut(pages->identify.data, MODEL_AT, MODEL_LEN));

	for (size_t i = 0; i < ARRAY_LEN(identify_texts); i++)
		add_field(&pages->identify, identify_texts[i],
			twice ? FORMAT_TEXT : FORMAT_ATA_TEXT, facts);
	if (twice)
		facts_note(facts, &source,
			"IDENTIFY DEVICE: its texts are not in ATA order, as through some bridges");
}

/* The serial number of VPD page 80h may be the one of IDENTIFY DEVICE with the
 * bytes of each pair exchanged: a bridge's fault. */
static void add_unit_serial(const struct capture *capture, struct facts *facts)
{
	static const struct page_id id = { .kind = PAGE_VPD, .page = 0x80 };
	static const struct field serial = { "identity.serial", .at = 4, .rank = 1 };
	struct page page = page_get(capture, facts, id);
	struct bytes raw = bytes_cut(page.data, serial.at, SIZE_MAX);
	const char *known = facts_text(facts, serial.key);
	char exchanged[256];

	bytes_text(raw, true, exchanged, sizeof(exchanged));
	bool same = *known && !strcmp(exchanged, known);

	add_field(&page, serial, same ? FORMAT_ATA_TEXT : FORMAT_TEXT, facts);
}

/* INQUIRY through a SAT layer has shortened copies: only where there is nothing better. */
static void add_inquiry_texts(const struct pages *pages, struct facts *facts)
{
	bool model = *facts_text(facts, "identity.model");
	bool firmware = *facts_text(facts, "identity.firmware");

	if (!pages->translated && !pages->identify.data.at)
		fields_decode(&pages->inquiry, &inquiry_vendor, 1, facts);
	if (!model)
		fields_decode(&pages->inquiry, &inquiry_model, 1, facts);
	if (!firmware)
		fields_decode(&pages->inquiry, &inquiry_firmware, 1, facts);
	if (pages->translated && !model && *facts_text(facts, "identity.model"))
		facts_note(facts, NULL,
			"identity.model: at most 16 letters of it, since IDENTIFY DEVICE is "
			"missing");
}

static void add_ata_vendor(const struct pages *pages, struct facts *facts)
{
	const char *model = facts_text(facts, "identity.model"), *start = "";
	const char *vendor = vendor_of_model(model, &start);
	struct source source = { .origin = ORIGIN_KNOWLEDGE, .parameter = -1 };

	if (!*model || !(pages->translated || pages->identify.data.at))
		return;
	source.text = facts_printf(facts, "models that begin with \"%s\"%s", start,
		strchr(start, '#') ? " (# is a digit)" : "");
	if (!vendor)
		source.text = "ATA has no field for it, and no maker is known by this model";
	facts_add(facts, decoder_key("identity.vendor"), value_text(vendor ? vendor : ""),
		state_of(vendor, true), source, 0);
}

/* ACS-4 7.12.7.50: four words, the first the most significant. */
static void add_identify_wwn(const struct page *identify, struct facts *facts)
{
	enum { AT = 2 * 108 };
	static const struct condition valid[] = { { 2 * 87, 2, 0xc100, 0x4100 },
		{ 2 * 84, 2, 0xc100, 0x4100 } };
	struct place place = { identify, AT, 8, 0 };
	uint64_t wwn = 0;
	bool told = false;

	for (size_t i = 0; i < ARRAY_LEN(valid); i++)
		told |= (bytes_le16(identify->data, valid[i].at) & valid[i].mask) ==
			valid[i].equals;
	for (size_t i = 0; i < 4; i++)
		wwn = wwn << 16 | bytes_le16(identify->data, AT + 2 * i);
	if (told)
		place_fact(facts, "identity.wwn",
			value_text(facts_printf(facts, "0x%016llx", (unsigned long long)wwn)),
			state_of(wwn && wwn != UINT64_MAX, true), place);
}

/* SBC-4 6.6.2, ACS-4 7.12.7.94 */
static void add_rotation(const struct capture *capture, struct facts *facts)
{
	enum { NOT_REPORTED = 0, NON_ROTATING = 1, SLOWEST = 0x401, ONES = 0xffff };
	static const struct {
		struct page_id page;
		uint16_t at;
		uint8_t rank;
	} places[] = {
		{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 2 * 217, 0 },
		{ { PAGE_VPD, 0xb1, 0, 0 }, 4, 1 },
		{ { PAGE_ATA_LOG, 0x30, 3, 0 }, 24, 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(places); i++) {
		struct page page = page_get(capture, NULL, places[i].page);
		struct place place = { &page, places[i].at, 2, places[i].rank };
		bool ata = page_is_ata(places[i].page);
		uint64_t raw = 0;

		if (!(ata ? bytes_le : bytes_be)(page.data, place.at, 2, &raw) ||
			(page.id.kind == PAGE_ATA_LOG && !(bytes_u8(page.data, place.at + 7) >> 7)))
			continue;
		bool known = raw == NON_ROTATING || (raw >= SLOWEST && raw < ONES);
		bool unknown = raw == NOT_REPORTED || (ata && raw == ONES);

		place_fact(facts, "identity.rotation_rpm",
			value_uint(raw == NON_ROTATING ? 0 : raw), state_of(known, unknown), place);
	}
}

static void add_protocol(
	const struct capture *capture, const struct pages *pages, struct facts *facts)
{
	const struct record *scsi = NULL, *ata = NULL;

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];

		if (record->page.kind == PAGE_NONE || !record_is_good(record))
			continue;
		if (page_is_ata(record->page))
			ata = ata ? ata : record;
		else
			scsi = scsi ? scsi : record;
	}
	bool is_ata = ata || pages->translated || pages->identify.data.at;
	const struct record *evidence = ata ? ata : scsi;

	if (evidence)
		facts_add(facts, decoder_key("identity.protocol"),
			value_text(is_ata ? "ata" : "scsi"), FACT_KNOWN,
			source_page(evidence->page, 0, bytes_cut(evidence->data, 0, 4)), 0);
}

static void add_host_transport(const struct capture *capture, struct facts *facts)
{
	static const char *const buses[] = { "sata", "sas", "fc", "iscsi", "usb", "spi", "srp" };
	const char *host = capture_host_value(capture, "transport");
	/* What is no bus is a driver's name, and the drive itself knows better. */
	uint8_t rank = 4;

	if (!host)
		return;
	for (size_t i = 0; i < ARRAY_LEN(buses); i++)
		if (!strcmp(host, buses[i]))
			rank = 0;
	facts_add(facts, decoder_key("identity.transport"), value_text(host), FACT_KNOWN,
		source_host("transport"), rank);
}

/* ACS-4 7.12.7.97 */
static void add_ata_transport(const struct page *identify, struct facts *facts)
{
	enum { AT = 2 * 222, NOT_REPORTED = 0xffff };
	static const char *const words[] = { [0x0] = "pata", [0x1] = "sata", [0xe] = "pcie" };
	struct place place = { identify, AT, 2, .rank = 3 };
	unsigned raw = bytes_le16(identify->data, AT), type = raw >> 12;

	if (raw && raw != NOT_REPORTED && type < ARRAY_LEN(words) && words[type])
		place_fact(facts, "identity.transport", value_text(words[type]), FACT_KNOWN, place);
}

static void note_identify(const struct page *identify, struct facts *facts)
{
	enum { INTEGRITY = 510, SIGNATURE = 0xa5, INCOMPLETE = 1 << 2 };
	struct source checksum = source_page(identify->id, identify->offset + INTEGRITY,
		bytes_cut(identify->data, INTEGRITY, 2));
	struct source first = source_page(
		identify->id, identify->offset, bytes_cut(identify->data, 0, 2));

	if (bytes_u8(identify->data, INTEGRITY) == SIGNATURE && bytes_sum(identify->data))
		facts_note(facts, &checksum, "IDENTIFY DEVICE: wrong checksum");
	if (bytes_le16(identify->data, 0) & INCOMPLETE)
		facts_note(facts, &first, "IDENTIFY DEVICE: incomplete until the drive spins up");
}

static void add_identify(const struct page *identify, struct facts *facts)
{
	static const struct field additional = { "identity.additional_product_id", .at = 2 * 170,
		.width = 8, .format = FORMAT_ATA_TEXT };
	char text[9];

	standards_decode(identify, facts);
	add_identify_wwn(identify, facts);
	add_ata_transport(identify, facts);
	note_identify(identify, facts);
	if (bytes_text(bytes_cut(identify->data, additional.at, 8), true, text, sizeof(text)))
		fields_decode(identify, &additional, 1, facts);
}

static void extra(const struct capture *capture, struct facts *facts)
{
	static const struct page_id inquiry = { .kind = PAGE_INQUIRY };
	static const struct page_id identify = { .kind = PAGE_ATA_IDENTIFY };
	struct pages pages = { page_get(capture, facts, inquiry),
		page_get(capture, facts, identify), false };
	char vendor[9];

	bytes_text(bytes_cut(pages.inquiry.data, 8, 8), false, vendor, sizeof(vendor));
	pages.translated = !strcmp(vendor, "ATA");
	add_protocol(capture, &pages, facts);
	add_host_transport(capture, facts);
	if (pages.identify.data.at) {
		add_identify_texts(&pages, facts);
		add_identify(&pages.identify, facts);
	}
	add_unit_serial(capture, facts);
	add_inquiry_texts(&pages, facts);
	add_ata_vendor(&pages, facts);
	designators_decode(capture, facts);
	add_rotation(capture, facts);
	week_decode(capture, 1, "identity.manufacture_date", facts);
}

static const struct table *const tables[] = { &table_designators };

const struct decoder decoder_identity = {
	.name = "identity",
	.title = "Identity",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = extra,
};
