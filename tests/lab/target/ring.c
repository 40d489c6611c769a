/* The kernel's ring of commands (Documentation/target/tcmu-design). Commands end in any order:
 * one that never ends does not hold up the others. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "drive.h"

#define iovec ring_iovec /* the kernel's header brings another one */
#include <linux/target_core_user.h>
#undef iovec

/* A command that is answered but not yet handed back. */
struct waiting {
	uint16_t id;
	int64_t due_us, taken_us;
	uint8_t status;
	int recovers_from;
	bool stubborn;
	bool moved_valid;
	uint32_t moved;
	uint8_t sense[SENSE_BYTES];
};

struct ring {
	struct drive *drive;
	int uio;
	uint8_t *map;
	struct tcmu_mailbox *mailbox;
	uint32_t next; /* first entry that was not looked at */
	struct waiting *waiting;
	size_t waiting_count;
	bool told; /* the kernel is to be told that commands ended */
};

int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

static struct tcmu_cmd_entry *entry_at(const struct ring *ring, uint32_t offset)
{
	return (struct tcmu_cmd_entry *)(void *)(ring->map + ring->mailbox->cmdr_off + offset);
}

static void move_tail(struct ring *ring)
{
	struct tcmu_mailbox *mailbox = ring->mailbox;
	uint32_t len = tcmu_hdr_get_len(entry_at(ring, mailbox->cmd_tail)->hdr.len_op);

	__atomic_store_n(&mailbox->cmd_tail, (mailbox->cmd_tail + len) % mailbox->cmdr_size,
		__ATOMIC_RELEASE);
	ring->told = true;
}

/* Entries that are no commands need no answer. */
static void skip_others(struct ring *ring)
{
	struct tcmu_mailbox *mailbox = ring->mailbox;

	while (mailbox->cmd_tail != ring->next &&
		tcmu_hdr_get_op(entry_at(ring, mailbox->cmd_tail)->hdr.len_op) != TCMU_OP_CMD)
		move_tail(ring);
}

/* The answer goes to the oldest entry, whichever command that held: the id tells. */
static void hand_back(struct ring *ring, const struct waiting *answer)
{
	struct tcmu_cmd_entry *entry;

	skip_others(ring);
	entry = entry_at(ring, ring->mailbox->cmd_tail);
	entry->hdr.cmd_id = answer->id;
	entry->hdr.uflags = answer->moved_valid ? TCMU_UFLAG_READ_LEN : 0;
	memset(&entry->rsp, 0, sizeof(entry->rsp));
	entry->rsp.scsi_status = answer->status;
	entry->rsp.read_len = answer->moved;
	memcpy(entry->rsp.sense_buffer, answer->sense, sizeof(answer->sense));
	move_tail(ring);
	skip_others(ring);
}

static void wait_for(
	struct ring *ring, uint16_t id, const struct command *command, int64_t taken_us)
{
	struct waiting answer = { .id = id,
		.taken_us = taken_us,
		.recovers_from = command->recovers_from,
		.status = command->status,
		.stubborn = command->stubborn,
		.due_us = NEVER,
		.moved_valid = command->moved || command->status == STATUS_GOOD,
		.moved = (uint32_t)command->moved };

	memcpy(answer.sense, command->sense, sizeof(answer.sense));
	if (command->delay_us != NEVER)
		answer.due_us = now_us() + command->delay_us;
	ring->waiting = realloc(ring->waiting, (ring->waiting_count + 1) * sizeof(*ring->waiting));
	ring->waiting[ring->waiting_count++] = answer;
}

/* Length of a CDB by its group (SPC-5 4.2.5). */
static size_t cdb_length(const uint8_t *cdb)
{
	static const uint8_t lengths[8] = { 6, 10, 10, 0, 16, 12, 10, 10 };

	return cdb[0] == 0x7f ? 8U + cdb[7] : lengths[cdb[0] >> 5];
}

static void take_command(struct ring *ring, struct tcmu_cmd_entry *entry)
{
	struct iovec *pieces = calloc(entry->req.iov_cnt + 1U, sizeof(*pieces));
	int64_t taken_us = now_us();
	uint8_t cdb[CDB_MAX] = { 0 };
	size_t len = cdb_length(ring->map + entry->req.cdb_off);
	struct command command = { .cdb = cdb,
		.cdb_len = len < CDB_MAX ? len : CDB_MAX,
		.pieces = pieces,
		.piece_count = entry->req.iov_cnt,
		.cut_to = -1,
		.flip_at = -1,
		.length_lie = -1 };

	memcpy(cdb, ring->map + entry->req.cdb_off, command.cdb_len);
	for (size_t i = 0; i < command.piece_count; i++) {
		pieces[i].iov_base = ring->map + (size_t)entry->req.iov[i].iov_base;
		pieces[i].iov_len = entry->req.iov[i].iov_len;
		command.wanted += pieces[i].iov_len;
	}
	command.page = page_of_cdb(cdb, command.cdb_len);
	drive_run(ring->drive, &command);
	wait_for(ring, entry->hdr.cmd_id, &command, taken_us);
	free(pieces);
}

/* Commands that the kernel aborts end now, but for stubborn ones. */
static void take_management(struct ring *ring, const struct tcmu_tmr_entry *entry)
{
	for (uint32_t i = 0; i < entry->cmd_cnt; i++)
		for (size_t k = 0; k < ring->waiting_count; k++) {
			struct waiting *waiting = &ring->waiting[k];

			if (waiting->id != entry->cmd_ids[i] || waiting->stubborn)
				continue;
			waiting->due_us = 0;
			waiting->status = STATUS_TASK_ABORTED;
			waiting->moved_valid = false;
		}
	if (entry->tmr_type != TCMU_TMR_ABORT_TASK)
		power_reset(ring->drive);
	journal_mark(ring->drive, "task management");
}

static void take_new(struct ring *ring)
{
	struct tcmu_mailbox *mailbox = ring->mailbox;

	while (ring->next != __atomic_load_n(&mailbox->cmd_head, __ATOMIC_ACQUIRE)) {
		struct tcmu_cmd_entry *entry = entry_at(ring, ring->next);
		uint32_t len = tcmu_hdr_get_len(entry->hdr.len_op);

		if (tcmu_hdr_get_op(entry->hdr.len_op) == TCMU_OP_CMD)
			take_command(ring, entry);
		else if (tcmu_hdr_get_op(entry->hdr.len_op) == TCMU_OP_TMR)
			take_management(ring, (struct tcmu_tmr_entry *)(void *)entry);
		ring->next = (ring->next + len) % mailbox->cmdr_size;
	}
	skip_others(ring);
}

static void hand_back_due(struct ring *ring)
{
	int64_t now = now_us();
	size_t kept = 0;

	for (size_t i = 0; i < ring->waiting_count; i++) {
		struct waiting *waiting = &ring->waiting[i];

		if (ring->drive->release && waiting->due_us == NEVER)
			waiting->due_us = 0;
		if (waiting->due_us <= now) {
			hand_back(ring, waiting);
			if (waiting->recovers_from)
				journal_recovered(ring->drive, waiting->recovers_from,
					now_us() - waiting->taken_us);
		} else {
			ring->waiting[kept++] = *waiting;
		}
	}
	ring->waiting_count = kept;
	ring->drive->release = false;
}

static void tell_kernel(struct ring *ring)
{
	uint32_t one = 1;

	if (ring->told && write(ring->uio, &one, sizeof(one)) != sizeof(one))
		perror("uio");
	ring->told = false;
}

/* How long to sleep: until the next answer is due. */
static struct timespec time_to_next(const struct ring *ring)
{
	int64_t due = watts_tell(ring->drive), left;

	for (size_t i = 0; i < ring->waiting_count; i++)
		if (ring->waiting[i].due_us < due)
			due = ring->waiting[i].due_us;
	left = due == NEVER ? INT64_C(3600000000) : due - now_us();
	if (left < 0)
		left = 0;
	return (struct timespec) { .tv_sec = left / 1000000, .tv_nsec = left % 1000000 * 1000 };
}

static void read_control(struct drive *drive, int control)
{
	static char text[4096];
	static size_t len;
	ssize_t got = read(control, text + len, sizeof(text) - 1 - len);
	char *line = text, *end;

	if (got <= 0)
		return;
	len += (size_t)got;
	text[len] = '\0';
	while ((end = strchr(line, '\n'))) {
		const char *wrong;

		*end = '\0';
		wrong = control_line(drive, line);
		if (wrong)
			fprintf(stderr, "%s: control file: %s: %s\n", drive->name, line, wrong);
		line = end + 1;
	}
	len = strlen(line);
	memmove(text, line, len);
}

static bool open_ring(struct ring *ring, const char *uio)
{
	char path[128];
	unsigned long long size = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/dev/%s", uio);
	ring->uio = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	snprintf(path, sizeof(path), "/sys/class/uio/%s/maps/map0/size", uio);
	file = fopen(path, "r");
	if (ring->uio < 0 || !file || fscanf(file, "%llx", &size) != 1)
		return false;
	fclose(file);
	ring->map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, ring->uio, 0);
	if (ring->map == MAP_FAILED)
		return false;
	ring->mailbox = (struct tcmu_mailbox *)(void *)ring->map;
	ring->next = ring->mailbox->cmd_tail;
	return true;
}

void ring_serve(struct drive *drive, const char *uio, int control)
{
	struct ring ring = { .drive = drive };
	struct pollfd poll_for[2] = { { .events = POLLIN }, { .fd = control, .events = POLLIN } };

	if (!open_ring(&ring, uio)) {
		perror(uio);
		return;
	}
	poll_for[0].fd = ring.uio;
	while (!drive->quit) {
		struct timespec left = time_to_next(&ring);
		uint32_t events;

		if (ppoll(poll_for, 2, &left, NULL) < 0 && errno != EINTR)
			return;
		if (read(ring.uio, &events, sizeof(events)) < 0 && errno == EIO)
			return; /* the backstore is gone */
		read_control(drive, control);
		take_new(&ring);
		hand_back_due(&ring);
		tell_kernel(&ring);
	}
}
