/*
 * A drive with power states and a clock of its own, for tests of power runs: SCSI, or ATA
 * behind a translator. Time passes only by its answers and by sleeping.
 */
#ifndef ASSAY_TEST_FAKE_POWER_H
#define ASSAY_TEST_FAKE_POWER_H

#include <string.h>
#include <unistd.h>

#include "assay/power.h"
#include "test.h"

enum fake_state { F_ACTIVE, F_IDLE_A, F_IDLE_B, F_STANDBY_Z, F_STOPPED, F_STATES };

struct fake_drive {
	struct transport transport;
	bool ata;
	int64_t now_us;
	enum fake_state state;
	int64_t recovery_us[F_STATES];
	bool refused[F_STATES], ignored[F_STATES];
	int64_t latency_us;
	unsigned cached; /* reads that do not wake it, after each entry */
	unsigned cached_left;
	unsigned tail, tail_left; /* so many reads after the first take 50 ms */
	size_t bad_after;         /* reads; then the medium is unreadable; 0: never */
	bool wakes_alone;         /* while it is let alone */
	bool silent;              /* lets every command time out */
	bool asleep;              /* of SLEEP: until a reset */
	unsigned reset_after;     /* the host resets it after so many time-outs; 0: never */
	unsigned time_outs, resets, sleeps;
	int64_t standby_timer_us; /* of IDLE; 0: off */
	size_t silent_after;      /* commands; 0: never */
	bool fua_refused;
	bool echoes;         /* CHECK POWER MODE gives back its own Count */
	uint8_t page[2][64]; /* mode pages 1Ah/00h and 1Ah/01h */
	size_t page_len[2];  /* 0: it has none */
	size_t selected_len; /* of the last list of MODE SELECT, without its header */
	uint8_t identify[512], log08[1024];
	size_t log08_len;
	bool timers_run;  /* LU_CONTROL was the last that was said of them */
	int64_t timer_us; /* of idle_a, since the last access; 0: off */
	int64_t accessed_us;
	uint64_t lbas[4096];
	size_t read_count, command_count, select_count;
	const char *journal; /* must be there before anything is changed */
	bool journal_missing;
	volatile sig_atomic_t stop;
	enum fake_state stop_at; /* sets stop where that state is entered; F_ACTIVE: never */
};

static inline int64_t fake_now(void *context)
{
	return ((struct fake_drive *)context)->now_us;
}

static inline void fake_sleep(void *context, int64_t us)
{
	struct fake_drive *drive = context;

	drive->now_us += us;
	if (drive->wakes_alone && us >= 50000)
		drive->state = F_ACTIVE;
}

static inline void fake_sense(struct outcome *outcome, uint8_t key, uint8_t asc, uint8_t ascq)
{
	const uint8_t sense[18] = { 0x70, 0, key, [7] = 10, [12] = asc, ascq };

	memcpy(outcome->sense, sense, sizeof(sense));
	outcome->sense_len = sizeof(sense);
	outcome->scsi_status = 0x02;
}

static inline void fake_give(
	const struct request *request, struct outcome *outcome, const uint8_t *data, size_t len)
{
	if (len > request->in_len)
		len = request->in_len;
	memcpy(request->in, data, len);
	outcome->received = len;
}

/* What is to be undone must stand in the journal first. */
static inline void fake_changes(struct fake_drive *drive)
{
	if (drive->journal && access(drive->journal, F_OK) != 0)
		drive->journal_missing = true;
}

static inline void fake_timer(struct fake_drive *drive)
{
	if (drive->timer_us && drive->state == F_ACTIVE &&
		drive->now_us - drive->accessed_us >= drive->timer_us)
		drive->state = F_IDLE_A;
	if (drive->standby_timer_us && drive->state < F_STANDBY_Z &&
		drive->now_us - drive->accessed_us >= drive->standby_timer_us)
		drive->state = F_STANDBY_Z;
}

static inline bool fake_reset(struct transport *transport)
{
	struct fake_drive *drive = (struct fake_drive *)transport;

	drive->resets++;
	drive->asleep = false;
	drive->state = F_STANDBY_Z;
	drive->identify[2 * 91] = 0xfe; /* the level of power-on */
	return true;
}

static inline bool fake_is_asleep(struct fake_drive *drive)
{
	if (!drive->asleep)
		return false;
	drive->now_us += 10000000;
	if (drive->reset_after && ++drive->time_outs == drive->reset_after) {
		fake_reset(&drive->transport);
		drive->resets = 0; /* it was not asked for */
	}
	return true;
}

static inline bool fake_enter(struct fake_drive *drive, enum fake_state state)
{
	fake_changes(drive);
	if (drive->refused[state])
		return false;
	if (drive->ignored[state])
		return true;
	drive->state = state;
	drive->cached_left = drive->cached;
	if (drive->stop_at == state && state != F_ACTIVE)
		drive->stop = 1;
	return true;
}

static inline void fake_wake(struct fake_drive *drive)
{
	drive->now_us += drive->recovery_us[drive->state];
	if (drive->state != F_ACTIVE)
		drive->tail_left = drive->tail;
	drive->state = F_ACTIVE;
}

static inline void fake_read(
	struct fake_drive *drive, const struct request *request, struct outcome *outcome)
{
	uint64_t lba = bytes_be64((struct bytes) { request->cdb, request->cdb_len }, 2);

	drive->now_us += drive->latency_us;
	drive->accessed_us = drive->now_us;
	if (drive->fua_refused && (request->cdb[1] & 0x08)) {
		fake_sense(outcome, 5, 0x24, 0);
		return;
	}
	if (drive->state == F_STOPPED) {
		fake_sense(outcome, 2, 0x04, 0x02);
		return;
	}
	if (drive->bad_after && drive->read_count >= drive->bad_after) {
		fake_wake(drive);
		fake_sense(outcome, 3, 0x11, 0);
		return;
	}
	if (drive->tail_left) {
		drive->tail_left--;
		drive->now_us += 50000;
	}
	outcome->received = request->in_len;
	if (drive->read_count < ARRAY_LEN(drive->lbas))
		drive->lbas[drive->read_count] = lba;
	drive->read_count++;
	if (drive->state != F_ACTIVE && drive->cached_left)
		drive->cached_left--;
	else
		fake_wake(drive);
	drive->accessed_us = drive->now_us;
}

static inline void fake_start_stop(
	struct fake_drive *drive, const uint8_t *cdb, struct outcome *outcome)
{
	static const struct {
		uint8_t condition, modifier;
		enum fake_state state;
	} table[] = { { 2, 0, F_IDLE_A }, { 2, 1, F_IDLE_B }, { 3, 0, F_STANDBY_Z } };
	unsigned condition = cdb[4] >> 4;

	drive->now_us += 1000;
	drive->timers_run = condition == 7;
	if (condition == 0 && (cdb[4] & 1)) {
		fake_wake(drive);
	} else if (condition == 1) {
		fake_wake(drive);
	} else if (condition == 0 && !fake_enter(drive, F_STOPPED)) {
		fake_sense(outcome, 5, 0x24, 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].condition == condition && table[i].modifier == cdb[3] &&
			!fake_enter(drive, table[i].state))
			fake_sense(outcome, 5, 0x24, 0);
}

static inline void fake_request_sense(
	struct fake_drive *drive, const struct request *request, struct outcome *outcome)
{
	static const uint8_t codes[F_STATES] = { 0, 0x03, 0x06, 0x04, 0 };
	uint8_t sense[18] = { 0x70, [7] = 10, [12] = codes[drive->state] ? 0x5e : 0,
		codes[drive->state] };

	fake_give(request, outcome, sense, sizeof(sense));
}

static inline void fake_mode(
	struct fake_drive *drive, const struct request *request, struct outcome *outcome)
{
	uint8_t answer[128] = { 0 };
	size_t sub = request->cdb[0] == 0x5a ? request->cdb[3] : request->out.at[8] >> 6 & 1;

	if (sub > 1 || !drive->page_len[sub]) {
		fake_sense(outcome, 5, 0x24, 0);
		return;
	}
	if (request->cdb[0] == 0x5a) {
		memcpy(answer + 8, drive->page[sub], drive->page_len[sub]);
		fake_give(request, outcome, answer, 8 + drive->page_len[sub]);
		return;
	}
	fake_changes(drive);
	drive->select_count++;
	drive->selected_len = request->out.len - 8;
	if (drive->selected_len != drive->page_len[sub])
		return;
	memcpy(drive->page[sub] + 2, request->out.at + 10, drive->page_len[sub] - 2);
	if (sub == 0)
		drive->timer_us = drive->page[0][3] & 0x02
			? (int64_t)bytes_be32((struct bytes) { drive->page[0], 64 }, 4) * 100000
			: 0;
}

static inline void fake_registers(struct outcome *outcome, uint8_t count, bool good)
{
	const uint8_t sense[22] = { 0x72, good ? 1 : 0x0b, 0, good ? 0x1d : 0, [7] = 14, 9,
		12, [11] = good ? 0 : 4, [13] = count, [21] = good ? 0x50 : 0x51 };

	memcpy(outcome->sense, sense, sizeof(sense));
	outcome->sense_len = sizeof(sense);
	outcome->scsi_status = 0x02;
}

/* The levels and the enable bit of IDENTIFY DEVICE follow the commands. */
static inline bool fake_set_features(struct fake_drive *drive, const uint8_t *cdb)
{
	uint8_t *words = drive->identify;
	size_t at;

	fake_changes(drive);
	switch (cdb[4]) {
	case 0x05:
		words[2 * 86] |= 0x08;
		words[2 * 91] = cdb[6];
		return true;
	case 0x85:
		words[2 * 86] &= (uint8_t)~0x08;
		return true;
	case 0x4a:
		break;
	default:
		return false;
	}
	switch (cdb[8] & 15) {
	case 1:
		if (!(words[2 * 120] & 0x80))
			return false;
		return fake_enter(drive,
			cdb[6] == 0x81           ? F_IDLE_A
				: cdb[6] == 0x82 ? F_IDLE_B
						 : F_STANDBY_Z);
	case 2:
		at = cdb[6] == 0x81      ? 0
			: cdb[6] == 0x82 ? 64
			: cdb[6] == 0x83 ? 128
			: cdb[6] == 0x01 ? 896
					 : 960;
		drive->log08[at + 1] = (uint8_t)((drive->log08[at + 1] & ~4) |
			(cdb[8] & 0x20 ? 4 : 0));
		drive->log08[at + 12] = cdb[10];
		drive->log08[at + 13] = cdb[12];
		return true;
	case 4: /* switches advanced power management off */
		words[2 * 120] |= 0x80;
		words[2 * 86] &= (uint8_t)~0x08;
		return true;
	case 5:
		words[2 * 120] &= 0x7f;
		return true;
	}
	return false;
}

static inline void fake_ata(
	struct fake_drive *drive, const struct request *request, struct outcome *outcome)
{
	static const uint8_t counts[F_STATES] = { 0xff, 0x81, 0x82, 0x00, 0x00 };
	const uint8_t *cdb = request->cdb;
	bool good = true;

	switch (cdb[14]) {
	case 0xe5:
		fake_registers(outcome, drive->echoes ? 0 : counts[drive->state], true);
		return;
	case 0xec:
		fake_give(request, outcome, drive->identify, 512);
		return;
	case 0x2f:
		fake_give(request, outcome, drive->log08, drive->log08_len);
		return;
	case 0xe0:
		good = fake_enter(drive, F_STANDBY_Z);
		break;
	case 0xe1:
		good = fake_enter(drive, F_IDLE_A);
		break;
	case 0xe3:
		fake_changes(drive);
		drive->standby_timer_us = cdb[6] * INT64_C(5000000);
		drive->state = F_IDLE_A;
		break;
	case 0xe6:
		fake_changes(drive);
		drive->sleeps++;
		drive->asleep = true;
		if (drive->stop_at == F_STOPPED)
			drive->stop = 1;
		break;
	case 0xef:
		good = fake_set_features(drive, cdb);
		break;
	default:
		good = false;
	}
	drive->now_us += 1000;
	fake_registers(outcome, 0, good);
}

static inline void fake_drive_send(
	struct transport *transport, const struct request *request, struct outcome *outcome)
{
	struct fake_drive *drive = (struct fake_drive *)transport;

	*outcome = (struct outcome) { .delivery = DELIVERY_DONE };
	fake_timer(drive);
	drive->command_count++;
	if (drive->silent_after && drive->command_count > drive->silent_after)
		drive->silent = true;
	drive->now_us += 10;
	if (fake_is_asleep(drive) || drive->silent) {
		outcome->delivery = DELIVERY_TIMED_OUT;
		return;
	}
	switch (request->cdb[0]) {
	case 0x00:
		if (drive->state == F_STOPPED)
			fake_sense(outcome, 2, 0x04, 0x02);
		break;
	case 0x03:
		fake_request_sense(drive, request, outcome);
		break;
	case 0x1b:
		fake_start_stop(drive, request->cdb, outcome);
		break;
	case 0x88:
		fake_read(drive, request, outcome);
		break;
	case 0x55:
	case 0x5a:
		fake_mode(drive, request, outcome);
		break;
	case 0x85:
		fake_ata(drive, request, outcome);
		break;
	default:
		fake_sense(outcome, 5, 0x20, 0);
	}
}

#endif
