/*
 * Power conditions joined from the pages that have a part of them: SPC-5 VPD
 * page 8Ah, mode page 1Ah and log page 1Ah; ACS-4 9.6 (log 08h).
 */
#include "power.h"
#include "place.h"

static const struct column columns[] = {
	{ "name", .label = "State" },
	{ "supported", .label = "Supported" },
	{ "enabled", .label = "Enabled" },
	{ "timer_ms", "Timer", UNIT_MILLISECONDS },
	{ "default_timer_ms", "Default", UNIT_MILLISECONDS },
	{ "saved_timer_ms", "Saved", UNIT_MILLISECONDS },
	{ "recovery_ms", "Recovery", UNIT_MILLISECONDS },
	{ "minimum_timer_ms", "At least", UNIT_MILLISECONDS },
	{ "maximum_timer_ms", "At most", UNIT_MILLISECONDS },
	{ "changeable", .label = "Changeable" },
	{ "saveable", .label = "Saveable" },
	{ "transitions", "Transitions", UNIT_COUNT },
};

const struct table table_power_states = {
	.name = "power_states",
	.label = "Power states",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

enum { MS_PER_TIMER_UNIT = 100, US_PER_MS = 1000 };

/* Where each condition stands. In mode page 1Ah standby_z comes before idle_b. */
static const struct condition_places {
	const char *name, *key;
	uint8_t vpd_at, vpd_mask;   /* supported */
	uint8_t recovery_at;        /* in VPD page 8Ah */
	uint8_t mode_at, mode_mask; /* enabled */
	uint8_t timer_at;           /* in mode page 1Ah */
	uint8_t parameter;          /* of log page 1Ah */
	uint8_t ata_page;           /* of log 08h */
	uint16_t ata_at;
} conditions[] = {
	{ "idle_a", "power.idle_a_recovery_us", .vpd_at = 5, .vpd_mask = 1, .recovery_at = 12,
		.mode_at = 3, .mode_mask = 2, .timer_at = 4, .parameter = 2, .ata_page = 0,
		.ata_at = 0 },
	{ "idle_b", "power.idle_b_recovery_us", .vpd_at = 5, .vpd_mask = 2, .recovery_at = 14,
		.mode_at = 3, .mode_mask = 4, .timer_at = 12, .parameter = 3, .ata_page = 0,
		.ata_at = 64 },
	{ "idle_c", "power.idle_c_recovery_us", .vpd_at = 5, .vpd_mask = 4, .recovery_at = 16,
		.mode_at = 3, .mode_mask = 8, .timer_at = 16, .parameter = 4, .ata_page = 0,
		.ata_at = 128 },
	{ "standby_y", "power.standby_y_recovery_us", .vpd_at = 4, .vpd_mask = 2, .recovery_at = 10,
		.mode_at = 2, .mode_mask = 1, .timer_at = 20, .parameter = 9, .ata_page = 1,
		.ata_at = 384 },
	{ "standby_z", "power.standby_z_recovery_us", .vpd_at = 4, .vpd_mask = 1, .recovery_at = 8,
		.mode_at = 3, .mode_mask = 1, .timer_at = 8, .parameter = 8, .ata_page = 1,
		.ata_at = 448 },
};

/* ---- SCSI ---- */

struct scsi_pages {
	struct page vpd;      /* 8Ah */
	struct page modes[4]; /* 1Ah, by page control */
	struct page log;      /* 1Ah */
};

enum { CURRENT, CHANGEABLE, DEFAULT, SAVED };

/* 0 is "not specified", all ones "longer than can be told". */
static void add_recovery(const struct page *vpd, size_t at, const char *key, struct facts *facts)
{
	uint64_t ms;

	if (!bytes_be(vpd->data, at, 2, &ms))
		return;
	struct fact *fact = place_fact(facts, key, value_uint(ms * US_PER_MS),
		state_of(ms && ms != UINT16_MAX, true), (struct place) { vpd, at, 2, 1 });

	if (ms == UINT16_MAX)
		fact->note = "more than 65.534 s";
}

static void set_timer(struct row *row, const char *column, const struct page *mode, size_t at)
{
	uint64_t raw;

	if (bytes_be(mode->data, at, 4, &raw))
		row_set(row, column, value_uint(raw * MS_PER_TIMER_UNIT));
}

/* The page of SCSI-2 has idle_a and standby_z alone, and ends behind their timers. */
static void set_mode(
	struct row *row, const struct scsi_pages *pages, const struct condition_places *places)
{
	enum { PS = 0x80 };
	const struct page *mode = &pages->modes[CURRENT];
	uint64_t mask;

	if (bytes_cut(mode->data, places->timer_at, 4).len == 4) {
		row_set(row, "enabled",
			value_flag(bytes_u8(mode->data, places->mode_at) & places->mode_mask));
		row_set(row, "saveable", value_flag(bytes_u8(mode->data, 0) & PS));
	}
	if (bytes_be(pages->modes[CHANGEABLE].data, places->timer_at, 4, &mask))
		row_set(row, "changeable", value_flag(mask));
	set_timer(row, "timer_ms", mode, places->timer_at);
	set_timer(row, "default_timer_ms", &pages->modes[DEFAULT], places->timer_at);
	set_timer(row, "saved_timer_ms", &pages->modes[SAVED], places->timer_at);
}

static void set_transitions(struct row *row, const struct page *log, uint16_t code)
{
	struct log_parameter parameter;
	uint64_t count;

	if (log_parameter_find(log, code, &parameter) && log_parameter_uint(&parameter, &count))
		row_set(row, "transitions", value_uint(count));
}

static void add_scsi_condition(
	const struct scsi_pages *pages, const struct condition_places *places, struct facts *facts)
{
	const struct page *vpd = &pages->vpd;
	const struct page *first = vpd->data.at ? vpd
		: pages->modes[CURRENT].data.at ? &pages->modes[CURRENT]
						: &pages->log;
	struct row *row = facts_row(facts, &table_power_states,
		source_page(first->id, first->offset, bytes_cut(first->data, 0, 4)));
	uint64_t flags, ms;

	row_set(row, "name", value_text(places->name));
	set_mode(row, pages, places);
	set_transitions(row, &pages->log, places->parameter);
	if (!bytes_be(vpd->data, places->vpd_at, 1, &flags))
		return;
	row_set(row, "supported", value_flag(flags & places->vpd_mask));
	if (!(flags & places->vpd_mask))
		return;
	if (bytes_be(vpd->data, places->recovery_at, 2, &ms) && ms && ms != UINT16_MAX)
		row_set(row, "recovery_ms", value_uint(ms));
	add_recovery(vpd, places->recovery_at, places->key, facts);
}

static void add_scsi(const struct capture *capture, struct facts *facts)
{
	enum { STOPPED_AT = 6, ACTIVE_CODE = 1 };
	static const struct page_id vpd = { .kind = PAGE_VPD, .page = 0x8a };
	static const struct page_id log = { PAGE_LOG, 0x1a, 0, 1 };
	struct scsi_pages pages = { .vpd = page_get(capture, facts, vpd),
		.log = page_get(capture, facts, log) };

	for (unsigned control = CURRENT; control <= SAVED; control++)
		pages.modes[control] = page_get(
			capture, facts, (struct page_id) { PAGE_MODE, 0x1a, 0, (uint8_t)control });
	if (!pages.vpd.data.at && !pages.log.data.at && !pages.modes[CURRENT].data.at)
		return;
	for (size_t i = 0; i < ARRAY_LEN(conditions); i++)
		add_scsi_condition(&pages, &conditions[i], facts);
	add_recovery(&pages.vpd, STOPPED_AT, "power.stopped_recovery_us", facts);
	if (!pages.log.data.at)
		return;
	struct row *row = facts_row(facts, &table_power_states,
		source_page(log, pages.log.offset, bytes_cut(pages.log.data, 0, 4)));

	row_set(row, "name", value_text("active"));
	set_transitions(row, &pages.log, ACTIVE_CODE);
}

/* ---- ATA ---- */

enum { DESCRIPTOR_LEN = 64 };
enum {
	FLAG_SUPPORTED = 0x80,
	FLAG_SAVEABLE = 0x40,
	FLAG_CHANGEABLE = 0x20,
	FLAG_ENABLED = 0x04,
};

static void add_ata_recovery(
	const struct page *page, const struct condition_places *places, struct facts *facts)
{
	size_t at = places->ata_at + (size_t)16;
	uint64_t raw = bytes_le32(page->data, at);

	place_fact(facts, places->key, value_uint(raw * MS_PER_TIMER_UNIT * US_PER_MS),
		state_of(raw && raw != UINT32_MAX, true), (struct place) { page, at, 4, 0 });
}

static bool add_ata_condition(
	const struct capture *capture, const struct condition_places *places, struct facts *facts)
{
	static const struct {
		const char *column;
		uint8_t at;
	} timers[] = {
		{ "default_timer_ms", 4 },
		{ "saved_timer_ms", 8 },
		{ "timer_ms", 12 },
		{ "recovery_ms", 16 },
		{ "minimum_timer_ms", 20 },
		{ "maximum_timer_ms", 24 },
	};
	struct page page = page_ata_log(capture, 0x08, places->ata_page);
	struct bytes raw = bytes_cut(page.data, places->ata_at, DESCRIPTOR_LEN);
	uint8_t flags = bytes_u8(raw, 1);

	if (!raw.at)
		return false;
	struct row *row = facts_row(facts, &table_power_states,
		source_page(page.id, page.offset + places->ata_at, bytes_cut(raw, 0, 36)));

	row_set(row, "name", value_text(places->name));
	row_set(row, "supported", value_flag(flags & FLAG_SUPPORTED));
	if (!(flags & FLAG_SUPPORTED))
		return true;
	row_set(row, "enabled", value_flag(flags & FLAG_ENABLED));
	row_set(row, "changeable", value_flag(flags & FLAG_CHANGEABLE));
	row_set(row, "saveable", value_flag(flags & FLAG_SAVEABLE));
	for (size_t i = 0; i < ARRAY_LEN(timers); i++)
		row_set(row, timers[i].column,
			value_uint((uint64_t)bytes_le32(raw, timers[i].at) * MS_PER_TIMER_UNIT));
	if (!bytes_le32(raw, 16) || bytes_le32(raw, 16) == UINT32_MAX)
		row_set(row, "recovery_ms", value_null());
	row_set(row, "transitions", value_uint(bytes_le32(raw, 28)));
	add_ata_recovery(&page, places, facts);
	return true;
}

void power_states_decode(const struct capture *capture, struct facts *facts)
{
	bool any = false;

	for (size_t i = 0; i < ARRAY_LEN(conditions); i++)
		any |= add_ata_condition(capture, &conditions[i], facts);
	/* A SAT layer's pages are made from log 08h. */
	if (!any)
		add_scsi(capture, facts);
}
