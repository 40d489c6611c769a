#include <string.h>

#include "assay/array.h"
#include "drive.h"

const char *const power_names[POWER_STATES] = { "active", "idle_a", "idle_b", "idle_c", "standby_y",
	"standby_z", "stopped", "sleep" };

enum { POWER_CONDITION_PAGE = 0x1a, APM_AFTER_RESET = 0xfe };

/* Each state's place: VPD page 8Ah (SPC-5 7.7.13): support bit, recovery time in ms; mode page
 * 1Ah (SPC-5 7.5.13): enable bit, timer in 100 ms; log page 1Ah: parameter; ATA log 08h
 * (ACS-4 9.7): page and offset; codes of REQUEST SENSE by timer and by command; Count. */
static const struct {
	uint8_t support_at, support_bit, recovery_at;
	uint8_t enable_at, enable_bit, timer_at;
	uint8_t ata_page;
	uint16_t ata_at;
	uint8_t sense_timer, sense_command;
	uint8_t count;
} places[POWER_STATES] = {
	[ACTIVE] = { .count = 0xff },
	[IDLE_A] = { 5, 0x01, 12, 3, 0x02, 4, 0, 0, 0x01, 0x03, 0x81 },
	[IDLE_B] = { 5, 0x02, 14, 3, 0x04, 12, 0, 64, 0x05, 0x06, 0x82 },
	[IDLE_C] = { 5, 0x04, 16, 3, 0x08, 16, 0, 128, 0x07, 0x08, 0x83 },
	[STANDBY_Y] = { 4, 0x02, 10, 2, 0x01, 20, 1, 384, 0x09, 0x0a, 0x01 },
	[STANDBY_Z] = { 4, 0x01, 8, 3, 0x01, 8, 1, 448, 0x02, 0x04, 0x00 },
	[STOPPED] = { .recovery_at = 6 },
	[SLEEP] = { .count = 0 },
};

enum power_state power_of_name(const char *name)
{
	enum power_state state = ACTIVE;

	while (state < POWER_STATES && strcmp(power_names[state], name) != 0)
		state++;
	return state;
}

static struct bytes good_page(const struct drive *drive, struct page_id id)
{
	const struct record *record = capture_find(&drive->capture, id);

	return record && record_is_good(record) ? record->data : (struct bytes) { 0 };
}

static struct bytes conditions_page(const struct drive *drive)
{
	return good_page(drive, (struct page_id) { .kind = PAGE_VPD, .page = 0x8a });
}

static int64_t ata_recovery_us(const struct drive *drive, enum power_state state)
{
	struct page_id id = { .kind = PAGE_ATA_LOG, .page = 0x08 };
	struct bytes log = good_page(drive, id);
	size_t at = places[state].ata_page * 512U + places[state].ata_at;

	if (log.len <= 512 && places[state].ata_page) {
		id.sub = 1;
		log = good_page(drive, id);
		at -= 512;
	}
	return (int64_t)bytes_le32(log, at + 16) * 100000;
}

static void timers_of_mode_page(struct drive *drive)
{
	const struct mode_page *page = mode_find(drive, POWER_CONDITION_PAGE, 0, 0);
	struct bytes bytes = { page ? page->data : NULL, page ? page->len : 0 };

	for (enum power_state state = IDLE_A; state <= STANDBY_Z; state++) {
		bool on = bytes_u8(bytes, places[state].enable_at) & places[state].enable_bit;

		drive->power.timer_us[state] = on
			? (int64_t)bytes_be32(bytes, places[state].timer_at) * 100000
			: 0;
	}
}

void power_load(struct drive *drive)
{
	struct power *power = &drive->power;
	struct bytes page = conditions_page(drive);
	struct bytes identify = good_page(drive, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });

	*power = (struct power) { .idle_since_us = now_us(), .apm = -1 };
	power->epc = bytes_le16(identify, 240) & 0x80;
	for (enum power_state state = IDLE_A; state < POWER_STATES; state++) {
		power->recovery_us[state] = (int64_t)bytes_be16(page, places[state].recovery_at) *
			1000;
		if (!page.at && state <= STANDBY_Z)
			power->recovery_us[state] = ata_recovery_us(drive, state);
	}
}

void power_mode_selected(struct drive *drive)
{
	timers_of_mode_page(drive);
	drive->power.idle_since_us = now_us();
}

void power_enter(struct drive *drive, enum power_state state, bool by_timer)
{
	struct power *power = &drive->power;

	if (power->ignored[state])
		return;
	if (power->state != state)
		power->entered[state]++;
	power->cached_left = power->cached_reads;
	power->state = state;
	power->by_timer = by_timer;
}

void power_update(struct drive *drive)
{
	struct power *power = &drive->power;
	int64_t idle_us = now_us() - power->idle_since_us;

	for (enum power_state state = STANDBY_Z; state > power->state; state--) {
		if (power->timer_us[state] && power->timer_us[state] <= idle_us) {
			power_enter(drive, state, true);
			return;
		}
	}
}

void power_reset(struct drive *drive)
{
	if (drive->power.state == SLEEP)
		power_enter(drive, STANDBY_Z, false);
	if (drive->power.apm > 0)
		drive->power.apm = APM_AFTER_RESET;
}

bool power_would_wake(const struct drive *drive, enum wake wake)
{
	enum power_state state = drive->power.state;

	if (state == ACTIVE || state >= STOPPED || wake == WAKE_NEVER)
		return false;
	return wake == WAKE_ALWAYS || state >= STANDBY_Y;
}

static void recover(struct drive *drive, struct command *command, bool wait)
{
	struct power *power = &drive->power;

	power->ready_us = now_us() + power->recovery_us[power->state];
	command->recovers_from = wait ? (int)power->state : 0;
	if (wait)
		command->delay_us += power->recovery_us[power->state];
	power_enter(drive, ACTIVE, false);
}

void power_wake(struct drive *drive, struct command *command, enum wake wake)
{
	struct power *power = &drive->power;
	int64_t left_us = power->ready_us - now_us();

	if (wake == WAKE_NEVER)
		return;
	if (power_would_wake(drive, wake))
		recover(drive, command, true);
	else if (power->state == ACTIVE && left_us > 0)
		command->delay_us += left_us;
	power->idle_since_us = now_us();
}

/* Where START STOP UNIT's POWER CONDITION and MODIFIER lead; POWER_STATES: nowhere. */
static enum power_state state_of_condition(unsigned condition, unsigned modifier)
{
	static const struct {
		uint8_t condition, modifier;
		enum power_state state;
	} table[] = {
		{ 0x1, 0, ACTIVE },
		{ 0x2, 0, IDLE_A },
		{ 0x2, 1, IDLE_B },
		{ 0x2, 2, IDLE_C },
		{ 0x3, 0, STANDBY_Z },
		{ 0x3, 1, STANDBY_Y },
		{ 0xa, 0, IDLE_A },
		{ 0xa, 1, IDLE_B },
		{ 0xa, 2, IDLE_C },
		{ 0xb, 0, STANDBY_Z },
		{ 0xb, 1, STANDBY_Y },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].condition == condition && table[i].modifier == modifier)
			return table[i].state;
	return POWER_STATES;
}

static bool supported(struct drive *drive, enum power_state state)
{
	struct bytes page = conditions_page(drive);
	const struct mode_page *mode = mode_find(drive, POWER_CONDITION_PAGE, 0, 0);

	if (state == ACTIVE)
		return page.at || mode;
	if (page.at)
		return bytes_u8(page, places[state].support_at) & places[state].support_bit;
	return mode && (mode->len > 12 || state == IDLE_A || state == STANDBY_Z);
}

void scsi_start_stop(struct drive *drive, struct command *command)
{
	const uint8_t *cdb = command->cdb;
	bool wait = !(cdb[1] & 1);
	enum power_state state;

	switch (cdb[4] >> 4) {
	case 0:
		if (!(cdb[4] & 1) && power_refuses(drive, drive->ata ? STANDBY_Z : STOPPED))
			command_refuse_field(drive, command);
		else if (!(cdb[4] & 1))
			power_enter(drive, drive->ata ? STANDBY_Z : STOPPED, false);
		else if (drive->power.state != ACTIVE)
			recover(drive, command, wait);
		return;
	case 7: /* back to the timers */
		timers_of_mode_page(drive);
		return;
	}
	state = state_of_condition(cdb[4] >> 4, cdb[3] & 15);
	if (state == POWER_STATES || !supported(drive, state) || power_refuses(drive, state))
		command_refuse_field(drive, command);
	else if (state == ACTIVE && drive->power.state != ACTIVE)
		recover(drive, command, wait);
	else
		power_enter(drive, state, false);
	drive->power.idle_since_us = now_us();
}

uint16_t power_sense(const struct drive *drive)
{
	const struct power *power = &drive->power;

	if (power->state == STOPPED)
		return 0x0402;
	if (power->state == ACTIVE || power->state == SLEEP)
		return 0;
	return (uint16_t)(0x5e00 |
		(power->by_timer ? places[power->state].sense_timer
				 : places[power->state].sense_command));
}

uint8_t power_count(const struct drive *drive)
{
	enum power_state state = drive->power.state;

	if (!drive->power.epc && state >= IDLE_A && state <= IDLE_C)
		return 0x80;
	if (!drive->power.epc && state == STANDBY_Y)
		return 0x00;
	return places[state].count;
}

static enum power_state state_of_count(uint8_t count)
{
	for (enum power_state state = IDLE_A; state <= STANDBY_Z; state++)
		if (places[state].count == count)
			return state;
	return POWER_STATES;
}

/* Subcommands of ACS-4 7.45.20: LBA 3:0 which one, Count the power condition. */
bool power_epc(struct drive *drive, uint16_t count, uint64_t lba)
{
	struct power *power = &drive->power;
	enum power_state state = state_of_count((uint8_t)count);
	int64_t unit_us = lba & 0x80 ? 60 * INT64_C(1000000) : 100000;

	switch (lba & 15) {
	case 0x4:
		power->epc = true;
		return true;
	case 0x5:
		power->epc = false;
		memset(power->timer_us, 0, sizeof(power->timer_us));
		return true;
	case 0x1:
		if (!power->epc || state == POWER_STATES || power_refuses(drive, state))
			return false;
		power_enter(drive, state, false);
		return true;
	case 0x2:
		if (!power->epc || state == POWER_STATES)
			return false;
		power->timer_changed[state] = true;
		power->timer_on[state] = lba & 0x20;
		power->timer_units[state] = (uint32_t)((int64_t)(lba >> 8 & 0xffff) * unit_us /
			100000);
		power->timer_us[state] = lba & 0x20 ? (int64_t)(lba >> 8 & 0xffff) * unit_us : 0;
		return true;
	case 0x3:
		if (!power->epc || state == POWER_STATES)
			return false;
		if (!(lba & 0x20))
			power->timer_us[state] = 0;
		return true;
	}
	return false;
}

uint8_t power_log_parameter(enum power_state state)
{
	static const uint8_t codes[POWER_STATES] = { [ACTIVE] = 1,
		[IDLE_A] = 2,
		[IDLE_B] = 3,
		[IDLE_C] = 4,
		[STANDBY_Z] = 8,
		[STANDBY_Y] = 9 };

	return codes[state];
}

size_t power_ata_log_offset(enum power_state state)
{
	if (state < IDLE_A || state > STANDBY_Z)
		return 0;
	return places[state].ata_page * 512U + places[state].ata_at + 28U;
}
