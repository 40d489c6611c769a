#include "capture/importing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "assay/array.h"
#include "assay/command.h"
#include "capture/file.h"
#include "capture/lines.h"

enum { STATUS_CHECK_CONDITION = 0x02 };
enum { PIPE_WAIT_MS = 5000 };

int import_kind_of(const char *word)
{
	static const char *const words[] = {
		[IMPORT_AUTO] = "auto",
		[IMPORT_IDENTIFY] = "identify",
		[IMPORT_SMART] = "smart",
		[IMPORT_THRESHOLDS] = "thresholds",
		[IMPORT_INQUIRY] = "inquiry",
		[IMPORT_VPD] = "vpd",
		[IMPORT_LOG] = "log",
		[IMPORT_MODE] = "mode",
		[IMPORT_READCAP16] = "readcap16",
		[IMPORT_SENSE] = "sense",
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!strcmp(words[i], word))
			return (int)i;
	return -1;
}

void import_refuse(struct importing *importing, const char *format, ...)
{
	va_list args;

	if (importing->refusal_count++)
		return;
	va_start(args, format);
	vsnprintf(importing->refusal, sizeof(importing->refusal), format, args);
	va_end(args);
}

static void add(struct importing *importing, const struct cdb *cdb, struct record *record)
{
	memcpy(record->cdb, cdb->bytes, cdb->len);
	record->cdb_len = (uint8_t)cdb->len;
	record->duration_us = -1;
	capture_add(importing->capture, record);
}

void import_page(struct importing *importing, struct page_id id, struct bytes data)
{
	struct cdb cdb = cdb_of_page(id, data.len, false);

	add(importing, &cdb, &(struct record) { .data = data });
}

void import_mode_6(struct importing *importing, struct page_id id, struct bytes data)
{
	struct cdb cdb = cdb_of_page(id, data.len, true);

	add(importing, &cdb, &(struct record) { .data = data });
}

/* SAT-4 12.2.6: descriptor format, ATA Status Return; ACS-4 7.48.8: LBA 23:8. */
void import_smart_status(struct importing *importing, bool passed)
{
	const uint8_t sense[] = { 0x72, 0x01, 0x00, 0x1d, 0, 0, 0, 14, /* header */
		0x09, 12, 0, 0, 0, 0, 0, 0,                            /* error, count, LBA low */
		0, passed ? 0x4f : 0xf4, 0, passed ? 0xc2 : 0x2c, 0, 0x50 };
	struct cdb cdb = cdb_of_page((struct page_id) { .kind = PAGE_SMART_STATUS }, 0, false);

	add(importing, &cdb,
		&(struct record) {
			.scsi_status = STATUS_CHECK_CONDITION, .sense = { sense, sizeof(sense) } });
}

/* Text, though a sector full of FFh has no control characters either. */
static bool is_hex_text(struct bytes bytes)
{
	size_t beyond_ascii = 0;

	for (size_t i = 0; i < bytes.len; i++)
		beyond_ascii += bytes.at[i] >= 0x80;
	return is_text(bytes) && beyond_ascii <= bytes.len / 2;
}

static void note_refusals(const struct importing *importing)
{
	size_t more = importing->refusal_count - 1;

	if (more)
		capture_note(importing->capture, "%s: %s; %zu more like this", importing->name,
			importing->refusal, more);
	else
		capture_note(importing->capture, "%s: %s", importing->name, importing->refusal);
}

static int import_foreign(struct bytes bytes, const char *name, enum import_kind kind,
	struct capture *capture, struct error *error)
{
	const char *slash = strrchr(name, '/');
	struct importing importing = {
		.name = slash ? slash + 1 : name, .kind = kind, .capture = capture
	};
	size_t before = capture->record_count;

	if (!import_blob(&importing, bytes)) {
		if (is_hex_text(bytes))
			import_hex(&importing, bytes);
		else
			import_raw(&importing, bytes, false);
	}
	if (capture->record_count == before)
		return error_set(error, EXIT_NO_DRIVE_DATA, "%s",
			importing.refusal_count ? importing.refusal : "holds no drive data");
	if (importing.refusal_count)
		note_refusals(&importing);
	return 0;
}

int import_bytes(struct bytes bytes, const char *name, enum import_kind kind,
	struct capture *capture, struct error *error)
{
	size_t before = capture->record_count;

	if (bytes.len == 0)
		return error_set(error, EXIT_NO_DRIVE_DATA, "is empty");
	if (!capture_is_text(bytes))
		return import_foreign(bytes, name, kind, capture, error);
	if (capture_parse(bytes, name, capture, error))
		return -1;
	if (capture->record_count == before)
		return error_set(error, EXIT_NO_DRIVE_DATA, "is a capture without a record");
	return 0;
}

/* Up to FILE_BYTES_MAX + 1 bytes; a pipe that stays silent ends it. */
static int read_all(int fd, struct buffer *buffer)
{
	struct pollfd more = { .fd = fd, .events = POLLIN };
	uint8_t chunk[16384];
	ssize_t got;

	while (buffer->len <= FILE_BYTES_MAX && (got = read(fd, chunk, sizeof(chunk))) != 0) {
		if (got > 0)
			buffer_append(buffer, chunk, (size_t)got);
		if (got > 0 || errno == EINTR)
			continue;
		if (errno != EAGAIN)
			return errno;
		if (poll(&more, 1, PIPE_WAIT_MS) == 0)
			return ETIMEDOUT;
	}
	return 0;
}

static int fail_errno(struct error *error, int errno_value)
{
	enum exit_status status = error_status_of(errno_value);

	return error_set(error, status == EXIT_INTERNAL ? EXIT_NO_SUCH : status, "%s",
		strerror(errno_value));
}

/* Before it is opened: to open some devices is to start them. */
static int check_file(const char *path, struct error *error)
{
	struct stat status;

	if (stat(path, &status))
		return fail_errno(error, errno);
	if (S_ISDIR(status.st_mode))
		return error_set(error, EXIT_NO_DRIVE_DATA, "is a directory");
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
		return error_set(error, EXIT_NO_DRIVE_DATA, "is a device, not a file");
	if (S_ISREG(status.st_mode) && status.st_size > FILE_BYTES_MAX)
		return error_set(error, EXIT_NO_DRIVE_DATA,
			"is larger than %d MiB: not a capture of one drive", FILE_BYTES_MAX >> 20);
	return 0;
}

int import_file(
	const char *path, enum import_kind kind, struct capture *capture, struct error *error)
{
	struct buffer buffer = { 0 };
	int fd, problem, result;

	if (check_file(path, error))
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail_errno(error, errno);
	problem = read_all(fd, &buffer);
	close(fd);
	if (problem)
		result = fail_errno(error, problem);
	else if (buffer.len > FILE_BYTES_MAX)
		result = error_set(
			error, EXIT_NO_DRIVE_DATA, "gives more than %d MiB", FILE_BYTES_MAX >> 20);
	else
		result = import_bytes(buffer_bytes(&buffer), path, kind, capture, error);
	buffer_deinit(&buffer);
	return result;
}
