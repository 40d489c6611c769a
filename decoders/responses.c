/*
 * Every command that was sent and what became of it, whether a decoder knows its
 * page or not.
 */
#include "assay/command.h"
#include "assay/decoder.h"
#include "hex.h"

static const struct column columns[] = {
	{ "command", "Command", UNIT_NONE }, { "page", "Page", UNIT_NONE },
	{ "cdb", NULL, UNIT_NONE }, { "status", "Status", UNIT_NONE },
	{ "bytes", "Bytes", UNIT_NONE }, { "sense", "Sense", UNIT_NONE },
	{ "duration_us", "Time", UNIT_MICROSECONDS },
	{ "data", NULL, UNIT_NONE }, /* of pages that nobody here knows */
};
static const struct table responses = {
	.name = "responses",
	.label = "Responses",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
	.detail = true,
};

static const struct table *const tables[] = { &responses };

/* SAM-5 5.3.1 */
static const struct word statuses[] = {
	{ 0x00, "good" },
	{ 0x02, "check condition" },
	{ 0x04, "condition met" },
	{ 0x08, "busy" },
	{ 0x18, "reservation conflict" },
	{ 0x28, "task set full" },
	{ 0x30, "ACA active" },
	{ 0x40, "task aborted" },
	{ 0 },
};

static const char *status_of(const struct record *record, struct facts *facts)
{
	switch (record->delivery) {
	case DELIVERY_TIMED_OUT:
		return "timed out";
	case DELIVERY_GONE:
		return "gone";
	case DELIVERY_FAILED:
		return "failed";
	case DELIVERY_DONE:
		break;
	}
	for (const struct word *word = statuses; word->word; word++)
		if (word->value == record->scsi_status)
			return word->word;
	return facts_printf(facts, "status %02Xh", record->scsi_status);
}

static bool in_layouts(struct page_id id)
{
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->layout_count; i++) {
			struct page_id known = decoders[d]->layouts[i].page;

			if (known.kind == id.kind && known.page == id.page && known.sub == id.sub)
				return true;
		}
	return false;
}

/* By the number ranges that the standards leave to vendors. */
static bool is_vendor_specific(struct page_id id)
{
	switch (id.kind) {
	case PAGE_VPD:
		return id.page >= 0xc0;
	case PAGE_LOG:
		return id.page >= 0x30 && id.page <= 0x3e;
	case PAGE_DIAGNOSTIC:
		return id.page >= 0x80;
	case PAGE_SMART_LOG:
	case PAGE_ATA_LOG:
		return id.page >= 0x80 && id.page <= 0xdf;
	default:
		return id.kind == PAGE_NONE || id.kind == PAGE_ATA_OTHER;
	}
}

static void add_response(const struct record *record, struct facts *facts)
{
	enum { MOST = 8192 };
	struct row *row = facts_row(facts, &responses, source_page(record->page, 0, record->data));
	char page[80], sense[160];

	row_set(row, "command", value_text(page_command(record->page)));
	row_set(row, "page",
		value_text(facts_printf(facts, "%s", page_name(record->page, page, sizeof(page)))));
	row_set(row, "cdb",
		hex_value(facts, (struct bytes) { record->cdb, record->cdb_len }, CDB_MAX));
	row_set(row, "status", value_text(status_of(record, facts)));
	if (record->data.at)
		row_set(row, "bytes", value_uint(record->data.len));
	if (record->sense.at)
		row_set(row, "sense",
			value_text(facts_printf(
				facts, "%s", sense_text(record->sense, sense, sizeof(sense)))));
	if (record->duration_us >= 0)
		row_set(row, "duration_us", value_int(record->duration_us));
	if (is_vendor_specific(record->page) && !in_layouts(record->page))
		row_set(row, "data", hex_value(facts, record->data, MOST));
}

/* That the drive had to recover is no failure, but worth knowing. Sense data of that
 * kind are also how ATA registers come back (SAT-4: 00h/1Dh). */
static void note_recovered(const struct record *record, struct facts *facts)
{
	enum { RECOVERED_ERROR = 1, REGISTERS_ASC = 0x00, REGISTERS_ASCQ = 0x1d };
	char name[80], text[160];
	struct sense sense;

	if (record->delivery != DELIVERY_DONE || !sense_read(record->sense, &sense) ||
		sense.key != RECOVERED_ERROR || sense.deferred ||
		(sense.asc == REGISTERS_ASC && sense.ascq == REGISTERS_ASCQ))
		return;
	facts_note(facts, NULL, "%s: %s", page_name(record->page, name, sizeof(name)),
		sense_text(record->sense, text, sizeof(text)));
}

static void decode_all(const struct capture *capture, struct facts *facts)
{
	for (size_t i = 0; i < capture->record_count; i++) {
		add_response(&capture->records[i], facts);
		note_recovered(&capture->records[i], facts);
	}
}

const struct decoder decoder_responses = {
	.name = "responses",
	.title = "Responses",
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = decode_all,
};
