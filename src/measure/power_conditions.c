/* The power conditions: who has them, and how they are entered. */
#include <string.h>

#include "measure/power.h"

/* START STOP UNIT: SBC-4 5.30. SET FEATURES 4Ah: ACS-4 7.45.20. */
const struct condition_row condition_rows[CONDITION_ROWS] = {
	{ "idle_a", "power.idle_a_recovery_us", .condition = 2, .modifier = 0, .scsi = true,
		.ata = true, .epc = true, .count = 0x81, .words = { "idle_a" },
		.measured = "measured_power.idle_a_recovery_us" },
	{ "idle_b", "power.idle_b_recovery_us", .condition = 2, .modifier = 1, .scsi = true,
		.ata = true, .epc = true, .count = 0x82, .costs_cycle = true, .words = { "idle_b" },
		.measured = "measured_power.idle_b_recovery_us" },
	{ "idle_c", "power.idle_c_recovery_us", .condition = 2, .modifier = 2, .scsi = true,
		.ata = true, .epc = true, .count = 0x83, .costs_cycle = true, .words = { "idle_c" },
		.measured = "measured_power.idle_c_recovery_us" },
	{ "standby_y", "power.standby_y_recovery_us", .condition = 3, .modifier = 1, .scsi = true,
		.ata = true, .epc = true, .count = 0x01, .costs_cycle = true,
		.words = { "standby_y" }, .measured = "measured_power.standby_y_recovery_us" },
	{ "standby_z", "power.standby_z_recovery_us", .condition = 3, .modifier = 0, .scsi = true,
		.ata = true, .epc = true, .count = 0x00, .costs_cycle = true,
		.words = { "standby_z", "standby" },
		.measured = "measured_power.standby_z_recovery_us" },
	{ "stopped", "power.stopped_recovery_us", .condition = 0, .scsi = true, .costs_cycle = true,
		.words = { "stopped" }, .measured = "measured_power.stopped_recovery_us" },
	/* FFh is active or idle: a drive need not tell that it idles */
	{ "idle_immediate", "power.idle_a_recovery_us", .ata = true, .command = 0xe1,
		.words = { "idle", "idle_a", "active" },
		.measured = "measured_power.idle_immediate_recovery_us" },
	{ "standby_immediate", "power.standby_z_recovery_us", .ata = true, .command = 0xe0,
		.costs_cycle = true, .words = { "standby", "standby_z" },
		.measured = "measured_power.standby_immediate_recovery_us" },
	{ "sleep", NULL, .ata = true, .command = 0xe6, .costs_cycle = true, .words = { NULL } },
};

const struct power_recovery power_recoveries[] = {
	{ "idle_a", "measured_power.idle_a_recovery_us", "power.idle_a_recovery_us",
		"performance.idle_a_recovery_us" },
	{ "idle_b", "measured_power.idle_b_recovery_us", "power.idle_b_recovery_us",
		"performance.idle_b_recovery_us" },
	{ "idle_c", "measured_power.idle_c_recovery_us", "power.idle_c_recovery_us",
		"performance.idle_c_recovery_us" },
	{ "standby_y", "measured_power.standby_y_recovery_us", "power.standby_y_recovery_us",
		"performance.standby_y_recovery_us" },
	{ "standby_z", "measured_power.standby_z_recovery_us", "power.standby_z_recovery_us",
		"performance.standby_z_recovery_us" },
	{ "stopped", "measured_power.stopped_recovery_us", "power.stopped_recovery_us",
		"performance.stopped_recovery_us" },
	{ 0 },
};

/* What the drive's own table says of it: -1 nothing. */
static int is_supported(const struct facts *facts, const char *name)
{
	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (strcmp(row->table->name, "power_states") != 0)
			continue;
		struct value of = row_get(row, "name"), supported = row_get(row, "supported");

		if (of.kind == VALUE_TEXT && !strcmp(of.text, name))
			return supported.kind == VALUE_FLAG ? supported.flag : -1;
	}
	return -1;
}

static bool is_named(const struct power_options *options, const char *name)
{
	for (size_t i = 0; i < options->state_count; i++)
		if (!strcmp(options->states[i], name))
			return true;
	return options->state_count == 0;
}

/* A drive that lists its commands and not START STOP UNIT is not sent it. */
static bool knows_start_stop(const struct capture *capture)
{
	enum { HEADER = 4, DESCRIPTOR = 8, TIMEOUTS = 12, START_STOP_UNIT = 0x1b };
	const struct record *record = capture
		? capture_find(capture, (struct page_id) { .kind = PAGE_OPERATION_CODES })
		: NULL;

	if (!record || !record_is_good(record) || record->data.len < HEADER + DESCRIPTOR)
		return true;
	for (size_t at = HEADER; at + DESCRIPTOR <= record->data.len; at += DESCRIPTOR) {
		if (bytes_u8(record->data, at) == START_STOP_UNIT)
			return true;
		if (bytes_u8(record->data, at + 5) & 0x02)
			at += TIMEOUTS;
	}
	return false;
}

bool condition_is_wanted(const struct power_subject *subject, const struct power_options *options,
	const struct condition_row *row)
{
	bool ata = !strcmp(facts_text(subject->facts, "identity.protocol"), "ata"), epc = false;

	if (!is_named(options, row->name))
		return false;
	if (!ata)
		return row->scsi && knows_start_stop(subject->capture) &&
			(!row->condition || is_supported(subject->facts, row->name) == 1);
	facts_flag(subject->facts, "power.epc_supported", &epc);
	if (row->epc)
		return row->ata && epc && is_supported(subject->facts, row->name) == 1;
	return row->ata && (strcmp(row->name, "sleep") != 0 || options->with_sleep);
}

bool condition_is_word(const struct condition_row *row, const char *word)
{
	for (size_t i = 0; i < ARRAY_LEN(row->words); i++)
		if (row->words[i] && !strcmp(row->words[i], word))
			return true;
	return false;
}

double condition_dwell(const struct power_options *options, const struct condition_row *row)
{
	enum { IDLE_SECONDS = 5, STANDING_SECONDS = 30 };

	if (options->dwell_seconds >= 0)
		return options->dwell_seconds;
	return strncmp(row->name, "idle", 4) == 0 ? IDLE_SECONDS : STANDING_SECONDS;
}

struct cdb condition_cdb(const struct condition_row *row, bool ata)
{
	enum { SET_FEATURES = 0xef, EPC = 0x4a, GO_TO_CONDITION = 1 };

	if (!ata)
		return cdb_start_stop(row->condition, row->modifier, false);
	if (row->command)
		return cdb_of_ata(&(struct ata_task) { ATA_NON_DATA, .command = row->command });
	return cdb_of_ata(&(struct ata_task) { .protocol = ATA_NON_DATA,
		.command = SET_FEATURES,
		.feature = EPC,
		.count = row->count,
		.lba = GO_TO_CONDITION });
}
