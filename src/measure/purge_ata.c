/* SANITIZE DEVICE and SECURITY ERASE UNIT of ATA drives (ACS-4 7.36, 7.40). */
#include "measure/purge.h"

#include <pthread.h>
#include <string.h>

#include "assay/array.h"

enum { SANITIZE_DEVICE = 0xb4, SANITIZE_STATUS = 0x0000 };
enum {
	SECURITY_SET_PASSWORD = 0xf1,
	SECURITY_ERASE_PREPARE = 0xf3,
	SECURITY_ERASE_UNIT = 0xf4,
	SECURITY_DISABLE_PASSWORD = 0xf6
};
enum { SECTOR = 512, STATUS_ERROR = 0x01, STATUS_FAULT = 0x20, NO_PROGRESS = 0xffff };

static const char password[] = "assay";

/* Sends a command; *registers is what it left, zeros where nothing came back. */
static int send_task(struct purge *purge, const struct ata_task *task, const uint8_t *sector,
	unsigned timeout_ms, struct ata_registers *registers)
{
	struct cdb cdb = cdb_of_ata(task);
	struct request request = { .cdb = cdb.bytes,
		.cdb_len = cdb.len,
		.out = { sector, sector ? SECTOR : 0 },
		.timeout_ms = timeout_ms };
	struct outcome outcome = { 0 };
	bool sent = session_send(&purge->session, &request, &outcome);
	struct bytes sense = { outcome.sense, outcome.sense_len };
	char text[160];

	*registers = (struct ata_registers) { 0 };
	if (!sent || outcome.delivery != DELIVERY_DONE)
		return purge_no_answer(purge, &outcome, sent);
	if (ata_registers_of_sense(sense, registers) || !outcome.scsi_status)
		return 0;
	return error_set(purge->error, EXIT_FAILING, "%s: %s", purge_name(purge->options->method),
		outcome.sense_len ? sense_text(sense, text, sizeof(text)) : "it was refused");
}

static bool is_error(const struct ata_registers *registers)
{
	return registers->status & (STATUS_ERROR | STATUS_FAULT);
}

static int refuse(struct purge *purge, enum exit_status status, const char *why)
{
	return error_set(purge->error, status, "%s: %s", purge_name(purge->options->method), why);
}

/* ---- SANITIZE DEVICE ---- */

struct sanitize_state {
	bool completed, goes_on, frozen;
	unsigned progress; /* of 65536 */
};

static int sanitize_status(struct purge *purge, struct sanitize_state *state)
{
	struct ata_task task = { ATA_NON_DATA, SANITIZE_DEVICE, SANITIZE_STATUS, .extend = true };
	struct ata_registers registers;

	if (send_task(purge, &task, NULL, 0, &registers))
		return -1;
	if (!registers.status)
		return refuse(purge, EXIT_UNKNOWN,
			"the adapter does not give the drive's registers back");
	if (is_error(&registers))
		return refuse(purge, EXIT_FAILING, "the drive does not tell how far it is");
	*state = (struct sanitize_state) { .progress = registers.lba & 0xffff };
	if (registers.extend || !registers.upper_lost) {
		state->completed = registers.count & 0x8000;
		state->goes_on = registers.count & 0x4000;
		state->frozen = registers.count & 0x2000;
		return 0;
	}
	/* Sense data of the fixed format have room for the lower half of COUNT
	 * only, and say whether the upper one is 0. */
	state->goes_on = state->progress != NO_PROGRESS;
	state->completed = !state->goes_on;
	return 0;
}

static enum purge_progress look(struct purge *purge, double *percent)
{
	struct sanitize_state state = { 0 };

	if (sanitize_status(purge, &state))
		return PURGE_FAILED;
	if (state.goes_on) {
		*percent = state.progress / 655.36;
		return PURGE_GOES_ON;
	}
	if (state.completed)
		return PURGE_DONE;
	refuse(purge, EXIT_FAILING, "the drive ended it without success");
	return PURGE_FAILED;
}

/* Why it was aborted: LBA 7:0 (ACS-4 table 101). */
static const char *reason_of(const struct ata_registers *registers)
{
	static const char *const reasons[] = { "the drive gives no reason",
		"the last one was not successful", "the drive does not have it",
		"the drive's sanitize feature is frozen: take its power away",
		"the drive's antifreeze lock is set" };
	size_t reason = registers->lba & 0xff;

	return reasons[reason < ARRAY_LEN(reasons) ? reason : 0];
}

static const struct {
	enum purge_method method;
	const char *key;
	uint16_t feature, count; /* of OVERWRITE: one pass */
	uint64_t lba;            /* the key; of OVERWRITE with the pattern */
} sanitizes[] = {
	{ PURGE_SANITIZE_CRYPTO, "security.sanitize_crypto_supported", 0x0011, 0, 0x43727970 },
	{ PURGE_SANITIZE_BLOCK, "security.sanitize_block_supported", 0x0012, 0, 0x426b4572 },
	{ PURGE_SANITIZE_OVERWRITE, "security.sanitize_overwrite_supported", 0x0014, 1,
		UINT64_C(0x4f5700000000) },
};

static int sanitize(struct purge *purge, size_t row)
{
	struct ata_task task = { ATA_NON_DATA, SANITIZE_DEVICE, sanitizes[row].feature,
		sanitizes[row].count, sanitizes[row].lba, true };
	struct ata_registers registers;
	struct sanitize_state state = { 0 };

	if (!purge_fact(purge, sanitizes[row].key))
		return refuse(purge, EXIT_USAGE, "the drive does not have it");
	if (sanitize_status(purge, &state))
		return -1;
	if (state.frozen)
		return refuse(purge, EXIT_NO_PERMISSION,
			"the drive's sanitize feature is frozen: take its power away");
	if (state.goes_on)
		return refuse(purge, EXIT_NO_PERMISSION, "one is going on already");
	if (send_task(purge, &task, NULL, 0, &registers))
		return -1;
	if (is_error(&registers))
		return refuse(purge, EXIT_FAILING, reason_of(&registers));
	return purge_wait(purge, look);
}

/* ---- SECURITY ERASE UNIT ---- */

static int check_security(struct purge *purge, bool enhanced)
{
	static const struct {
		const char *key, *why;
	} hindrances[] = {
		{ "security.locked", "the drive is locked" },
		{ "security.frozen",
			"the drive's security is frozen, mostly by the firmware of "
			"the host: plug it in again, or suspend the host" },
		{ "security.enabled", "the drive has a password already" },
		{ "security.count_expired", "too many wrong passwords: take its power away" },
	};

	if (!purge_fact(purge, "security.supported"))
		return refuse(purge, EXIT_USAGE, "the drive does not have it");
	for (size_t i = 0; i < ARRAY_LEN(hindrances); i++)
		if (purge_fact(purge, hindrances[i].key))
			return refuse(purge, EXIT_NO_PERMISSION, hindrances[i].why);
	if (enhanced && !purge_fact(purge, "security.enhanced_erase_supported"))
		return refuse(purge, EXIT_USAGE, "the drive does not have it");
	return 0;
}

/* Twice what the drive says, and some minutes; half a day where it does not. */
static unsigned erase_timeout_ms(const struct purge *purge, bool enhanced)
{
	enum { UNKNOWN_MINUTES = 720, MORE_MINUTES = 10, MOST_MINUTES = 20160 };
	uint64_t minutes = 0;

	if (!facts_uint(purge->drive,
		    enhanced ? "security.enhanced_erase_minutes" : "security.erase_minutes",
		    &minutes) ||
		!minutes)
		minutes = UNKNOWN_MINUTES;
	minutes = 2 * minutes + MORE_MINUTES;
	return (unsigned)(minutes > MOST_MINUTES ? MOST_MINUTES : minutes) * 60000;
}

/* A command of the security feature set; those with a sector tell the password. */
static int security_command(
	struct purge *purge, uint8_t command, const uint8_t *sector, unsigned timeout_ms)
{
	struct ata_task task = { sector ? ATA_PIO_OUT : ATA_NON_DATA, command,
		.count = sector ? 1 : 0 };
	struct ata_registers registers;

	if (send_task(purge, &task, sector, timeout_ms, &registers))
		return -1;
	return is_error(&registers) ? refuse(purge, EXIT_FAILING, "the drive aborted it") : 0;
}

/* The erasure takes the password away; where it failed that is to be done. */
static int give_password_back(struct purge *purge, const uint8_t *sector)
{
	struct error why = *purge->error;

	if (security_command(purge, SECURITY_DISABLE_PASSWORD, sector, 0))
		return error_set(purge->error, EXIT_FAILING,
			"%s; the drive is left with the user password '%s'", why.text, password);
	*purge->error = why;
	return -1;
}

static int erase_prepared(struct purge *purge, bool enhanced)
{
	uint8_t sector[SECTOR] = { 0 };

	memcpy(sector + 2, password, sizeof(password) - 1);
	if (security_command(purge, SECURITY_SET_PASSWORD, sector, 0))
		return -1;
	if (purge->options->progress)
		purge->options->progress(purge->options->context, -1);
	if (security_command(purge, SECURITY_ERASE_PREPARE, NULL, 0))
		return give_password_back(purge, sector);
	sector[0] = enhanced ? 0x02 : 0;
	int failed = security_command(
		purge, SECURITY_ERASE_UNIT, sector, erase_timeout_ms(purge, enhanced));

	sector[0] = 0;
	return failed ? give_password_back(purge, sector) : 0;
}

static int security_erase(struct purge *purge, bool enhanced)
{
	sigset_t all, old;

	if (check_security(purge, enhanced))
		return -1;
	/* A signal would leave the command behind, and the drive with a password. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int failed = erase_prepared(purge, enhanced);

	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return failed;
}

int purge_ata(struct purge *purge)
{
	enum purge_method method = purge->options->method;

	for (size_t i = 0; i < ARRAY_LEN(sanitizes); i++)
		if (sanitizes[i].method == method)
			return sanitize(purge, i);
	if (method == PURGE_SECURITY_ERASE || method == PURGE_SECURITY_ERASE_ENHANCED)
		return security_erase(purge, method == PURGE_SECURITY_ERASE_ENHANCED);
	return refuse(purge, EXIT_USAGE, "this is of SCSI drives");
}
