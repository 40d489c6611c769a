#include "assay/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <scsi/sg_lib.h>
#include <scsi/sg_pt.h>

#include "assay/clock.h"
#include "transport/host.h"

struct sg_transport {
	struct transport transport; /* first: a pointer to it is one to this */
	int fd;
	struct sg_pt_base *command;
};

enum { CHECK_CONDITION = 0x02 }; /* SAM-5 status code */

/* The kernel's host bytes (include/scsi/scsi_status.h), as far as they tell. */
enum host_byte { DID_NO_CONNECT = 1, DID_TIME_OUT = 3, DID_BAD_TARGET = 4, DID_FAILFAST = 15 };

static enum delivery delivery_of_errno(int value)
{
	switch (value) {
	case ENODEV:
	case ENXIO:
		return DELIVERY_GONE;
	case ETIMEDOUT:
		return DELIVERY_TIMED_OUT;
	}
	return DELIVERY_FAILED;
}

/* Some adapters report a command that their error handler gave up as aborted
 * or reset; then only the time tells what it was. */
static enum delivery delivery_of_host_byte(int host_byte, bool took_all_its_time)
{
	switch (host_byte) {
	case DID_NO_CONNECT:
	case DID_BAD_TARGET:
	case DID_FAILFAST:
		return DELIVERY_GONE;
	case DID_TIME_OUT:
		return DELIVERY_TIMED_OUT;
	}
	return took_all_its_time ? DELIVERY_TIMED_OUT : DELIVERY_FAILED;
}

static void read_delivery(
	struct sg_pt_base *command, int sent, bool took_all_its_time, struct outcome *outcome)
{
	if (sent) {
		outcome->os_error = sent < 0 ? -sent : EINVAL;
		outcome->delivery = delivery_of_errno(outcome->os_error);
		return;
	}
	if (get_scsi_pt_result_category(command) == SCSI_PT_RESULT_TRANSPORT_ERR) {
		outcome->delivery = delivery_of_host_byte(
			get_scsi_pt_transport_err(command), took_all_its_time);
		outcome->os_error = outcome->delivery == DELIVERY_GONE ? ENODEV : EIO;
		if (outcome->delivery == DELIVERY_TIMED_OUT)
			outcome->os_error = 0;
	}
}

static void read_answer(
	struct sg_pt_base *command, const struct request *request, struct outcome *outcome)
{
	int residual = get_scsi_pt_resid(command);
	int sense_len = get_scsi_pt_sense_len(command);

	outcome->scsi_status = (uint8_t)get_scsi_pt_status_response(command);
	if (sense_len > 0)
		outcome->sense_len = sense_len < SENSE_MAX ? (size_t)sense_len : SENSE_MAX;
	/* Sense data that came along with another status are a kernel's omission. */
	if (get_scsi_pt_result_category(command) == SCSI_PT_RESULT_SENSE && outcome->sense_len > 0)
		outcome->scsi_status = CHECK_CONDITION;
	if (residual < 0)
		residual = 0;
	if ((size_t)residual <= request->in_len)
		outcome->received = request->in_len - (size_t)residual;
}

static void sg_send(
	struct transport *transport, const struct request *request, struct outcome *outcome)
{
	struct sg_transport *sg = (struct sg_transport *)transport;
	int seconds = (int)((request->timeout_ms + 999) / 1000);

	*outcome = (struct outcome) { .delivery = DELIVERY_DONE };
	if (request->in)
		memset(request->in, 0, request->in_len);
	clear_scsi_pt_obj(sg->command);
	set_scsi_pt_cdb(sg->command, request->cdb, (int)request->cdb_len);
	set_scsi_pt_sense(sg->command, outcome->sense, SENSE_MAX);
	if (request->in)
		set_scsi_pt_data_in(sg->command, request->in, (int)request->in_len);
	else if (request->out.at)
		set_scsi_pt_data_out(sg->command, request->out.at, (int)request->out.len);

	int64_t began = clock_us();
	int sent = do_scsi_pt(sg->command, -1, seconds, 0);

	outcome->duration_us = clock_us() - began;
	read_delivery(
		sg->command, sent, outcome->duration_us >= (int64_t)seconds * 1000000, outcome);
	if (!sent)
		read_answer(sg->command, request, outcome);
	if (outcome->delivery != DELIVERY_DONE)
		outcome->received = 0;
}

/* An ioctl of the kernel's (include/scsi/sg.h), for which libsgutils2 has no call; since Linux
 * 4.2 it can be kept from going on to the target, the bus and the host. */
enum { RESET = 0x2284, RESET_DEVICE = 1, RESET_NOTHING_ELSE = 0x100 };

static bool sg_reset(struct transport *transport)
{
	const struct sg_transport *sg = (const struct sg_transport *)transport;
	int what = RESET_DEVICE | RESET_NOTHING_ELSE;

	return ioctl(sg->fd, RESET, &what) == 0;
}

static void sg_close(struct transport *transport)
{
	struct sg_transport *sg = (struct sg_transport *)transport;

	destruct_scsi_pt_obj(sg->command);
	close(sg->fd);
	free(sg);
}

static int open_failed(int value, struct error *error)
{
	static const char hint[] = " (needs root, or CAP_SYS_RAWIO and the right to open the node)";

	return error_set(error, error_status_of(value), "%s%s", strerror(value),
		error_status_of(value) == EXIT_NO_PERMISSION ? hint : "");
}

/* Looked at before the open: other files may wait in open(), or do something. */
static int check_kind(const char *node, const struct stat *info, struct error *error)
{
	static const char nvme[] = "/dev/nvme";

	if (S_ISDIR(info->st_mode))
		return open_failed(EISDIR, error);
	if (!S_ISBLK(info->st_mode) && !S_ISCHR(info->st_mode))
		return error_set(error, EXIT_NO_DRIVE_DATA, "not a device node");
	if (!strncmp(node, nvme, strlen(nvme)))
		return error_set(error, EXIT_NO_DRIVE_DATA,
			"an NVMe drive: only SCSI and ATA drives can be read");
	return 0;
}

/* The generic node of a block device. It keeps short time limits, which the
 * block layer lengthens to 7 s; a process that waits there can be ended; and
 * nobody reads the drive again when it is closed, as happens to a block device
 * that was open for writing. */
static int open_generic(const char *node)
{
	struct host_place place;
	struct error error;
	struct stat info;
	char name[32], number[32], wanted[32];
	int fd;

	if (!host_place_of("/sys", node, &place, &error) || !place.sg[0] ||
		!host_line(
			wanted, sizeof(wanted), "%s/scsi_generic/%s/dev", place.folder, place.sg))
		return -1;
	snprintf(name, sizeof(name), "/dev/%s", place.sg);
	fd = open(name, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	number[0] = '\0';
	if (fstat(fd, &info) == 0)
		snprintf(number, sizeof(number), "%u:%u", major(info.st_rdev), minor(info.st_rdev));
	if (strcmp(number, wanted) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int open_node(const char *node, bool block)
{
	int flags = O_NONBLOCK | O_CLOEXEC;
	int fd = block ? open_generic(node) : open(node, flags | O_RDWR);

	if (fd < 0 && (block || errno == EACCES || errno == EPERM || errno == EROFS))
		fd = open(node, flags | O_RDONLY);
	return fd;
}

/* What is no SCSI device would answer each command with an errno of its own. */
static bool is_scsi(const char *node, struct error *error)
{
	struct host_place place;

	return access("/sys/class/scsi_device", F_OK) != 0 ||
		host_place_of("/sys", node, &place, error);
}

struct transport *transport_open_sg(const char *node, struct error *error)
{
	struct stat info;
	struct sg_transport *sg;
	int fd;

	if (stat(node, &info)) {
		open_failed(errno, error);
		return NULL;
	}
	if (check_kind(node, &info, error) || !is_scsi(node, error))
		return NULL;
	fd = open_node(node, S_ISBLK(info.st_mode));
	if (fd < 0) {
		open_failed(errno, error);
		return NULL;
	}
	sg = calloc(1, sizeof(*sg));
	if (sg)
		sg->command = construct_scsi_pt_obj_with_fd(fd, 0);
	if (!sg || !sg->command) {
		free(sg);
		close(fd);
		error_set(error, EXIT_INTERNAL, "no memory");
		return NULL;
	}
	sg->fd = fd;
	sg->transport =
		(struct transport) { .send = sg_send, .close = sg_close, .reset = sg_reset };
	return &sg->transport;
}
