/*
 * Statistics that have no topic of their own, and what pages and logs there are:
 * ACS-4 9.5 (device statistics), Seagate's Field Access Reliability Metrics.
 */
#include "statistics.h"

#include "hex.h"
#include "place.h"

static const struct key keys[] = {
	{ "statistics.farm_version", "FARM log version", UNIT_NONE, .detail = true },
};

static const struct column columns[] = {
	{ "page", "Page", UNIT_NONE },
	{ "page_name", NULL, UNIT_NONE },
	{ "offset", "Offset", UNIT_NONE },
	{ "name", "Statistic", UNIT_NONE },
	{ "value", "Value", UNIT_NONE },
	{ "unit", "Unit", UNIT_NONE },
	{ "valid", NULL, UNIT_NONE },
	{ "normalized", NULL, UNIT_NONE },
	{ "flags", NULL, UNIT_NONE },
	{ "raw", NULL, UNIT_NONE },
	{ "note", "Note", UNIT_NONE },
};
static const struct table device_statistics = {
	.name = "device_statistics",
	.label = "Device statistics",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
	.detail = true,
};

static const struct table *const tables[] = {
	&device_statistics,
	&table_log_directory,
	&table_mode_pages,
};

enum { NORMALIZED = 0x20, RESERVED_FLAGS = 0x03, VENDOR_PAGE = 0xff };

static const char *unknown_name(uint8_t page)
{
	if (page == VENDOR_PAGE)
		return "Vendor specific";
	if (page == 0x09 || page == 0x0a)
		return "Command duration limits";
	return "Unknown statistic";
}

static void set_value(
	struct row *row, const struct known_statistic *known, const struct statistic *statistic)
{
	uint64_t ones = (UINT64_C(1) << 8 * known->width) - 1;
	uint64_t value = statistic->value & ones;

	row_set(row, "unit", value_text(known->unit));
	if (!statistic->valid)
		return;
	if (known->is_signed && value == 0x80)
		row_set(row, "note", value_text("80h: no data"));
	else if (known->is_signed)
		row_set(row, "value", value_int((int8_t)value));
	else if (known->width == 4 && value == ones)
		row_set(row, "note", value_text("all ones: no data"));
	else
		row_set(row, "value", value_uint(value));
}

static void add_statistic(const struct page *page, uint8_t number, size_t at,
	const struct statistic *statistic, struct facts *facts)
{
	static const struct known_statistic vendor = { .width = 7, .unit = "" };
	const struct known_statistic *known = statistic_known(number, at);
	struct row *row = facts_row(facts, &device_statistics,
		source_page(page->id, statistic->offset, statistic->raw));

	row_set(row, "page", value_uint(number));
	row_set(row, "page_name", value_text(statistics_page_name(number)));
	row_set(row, "offset", value_uint(at));
	row_set(row, "name", value_text(known ? known->name : unknown_name(number)));
	set_value(row, known ? known : &vendor, statistic);
	row_set(row, "valid", value_flag(statistic->valid));
	row_set(row, "normalized", value_flag(statistic->flags & NORMALIZED));
	row_set(row, "flags", value_uint(statistic->flags));
	row_set(row, "raw", hex_value(facts, statistic->raw, 8));
}

/* Behind the statistics that a drive knows there may be garbage: an unknown one
 * with reserved flags is taken for its beginning. */
static void decode_page(const struct page *page, uint8_t number, struct facts *facts)
{
	struct statistic statistic;

	for (size_t at = 8; at < page->data.len; at += 8) {
		bool known = statistic_known(number, at);

		if (!known && (bytes_u8(page->data, at + 7) & RESERVED_FLAGS))
			return;
		if (statistic_get(page, at, &statistic))
			add_statistic(page, number, at, &statistic, facts);
	}
}

static void decode_statistics(const struct capture *capture, struct facts *facts)
{
	for (unsigned number = 1; number <= VENDOR_PAGE; number++) {
		struct page page = page_ata_log(capture, 0x04, (uint16_t)number);
		struct source source = source_page(
			page.id, page.offset, bytes_cut(page.data, 0, 8));

		if (!page.data.at || bytes_all(page.data, 0))
			continue;
		if (bytes_u8(page.data, 2) == number)
			decode_page(&page, (uint8_t)number, facts);
		else
			facts_note(facts, &source,
				"device statistics page %02Xh: the answer is of page %02Xh", number,
				bytes_u8(page.data, 2));
	}
}

/* ---- FARM: version and hours, in the form of either world ---- */

enum { SIGNATURE = 0x4d4552, SIGNATURE_HIGH = 0x464152 };
enum { DRIVE_INFORMATION = 1, HOURS = 152 }; /* the page, and where in it */

static bool farm_number(const struct page *page, size_t at, uint64_t *value)
{
	enum { VALID = 3 };
	uint64_t qword;

	if (page_is_ata(page->id) ? !bytes_le(page->data, at, 8, &qword)
				  : !bytes_be(page->data, at, 8, &qword))
		return false;
	*value = qword & 0xffffffffffff;
	return qword >> 62 == VALID;
}

/* start is where the signature "FARMER" begins. */
static void decode_farm(const struct page *page, size_t start, struct facts *facts)
{
	struct place place = { .page = page, .at = start + 8, .width = 16 };
	uint64_t signature, major, minor;

	if (!farm_number(page, start, &signature) ||
		signature != ((uint64_t)SIGNATURE_HIGH << 24 | SIGNATURE) ||
		!farm_number(page, start + 8, &major) || !farm_number(page, start + 16, &minor))
		return;
	place_fact(facts, "statistics.farm_version",
		value_text(facts_printf(
			facts, "%llu.%llu", (unsigned long long)major, (unsigned long long)minor)),
		FACT_KNOWN, place);
}

/* The hours that no SMART command resets. at is where the page begins. */
static void decode_farm_hours(const struct page *page, size_t at, struct facts *facts)
{
	struct place place = { .page = page, .at = at + HOURS, .width = 8 };
	uint64_t number, hours;

	if (farm_number(page, at, &number) && number == DRIVE_INFORMATION &&
		farm_number(page, at + HOURS, &hours))
		place_fact(
			facts, "usage.farm_power_on_hours", value_uint(hours), FACT_KNOWN, place);
}

/* Where the value of the second parameter of a log page begins. */
static size_t second_value(const struct page *page)
{
	enum { HEADER = 4, LENGTH = 3 };

	return HEADER + HEADER + bytes_u8(page->data, HEADER + LENGTH) + HEADER;
}

static void decode_rest(const struct capture *capture, struct facts *facts)
{
	enum { FIRST_PARAMETER_VALUE = 8 };
	enum { DRIVE_SECTOR = 32 };
	struct page ata_farm = page_ata_log(capture, 0xa6, 0);
	struct page ata_drive = page_ata_log(capture, 0xa6, DRIVE_SECTOR);
	struct page scsi_farm = page_get(capture, facts, (struct page_id) { PAGE_LOG, 0x3d, 3, 1 });

	decode_statistics(capture, facts);
	decode_farm(&ata_farm, 0, facts);
	decode_farm(&scsi_farm, FIRST_PARAMETER_VALUE, facts);
	if (facts_find(facts, "statistics.farm_version")) {
		decode_farm_hours(&ata_drive, 0, facts);
		decode_farm_hours(&scsi_farm, second_value(&scsi_farm), facts);
	}
	log_directory_decode(capture, facts);
	mode_pages_decode(capture, facts);
}

const struct decoder decoder_statistics = {
	.name = "statistics",
	.title = "Statistics",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = decode_rest,
};
