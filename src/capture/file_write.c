/* Writes the capture file: assay-capture(5). */
#include "assay/capture.h"

#include <errno.h>
#include <string.h>

#include "capture/lines.h"

enum { BYTES_A_LINE = 16, SHORT = 32 };
enum { STATUS_GOOD = 0x00, STATUS_CHECK_CONDITION = 0x02 };

static char printable(uint8_t byte)
{
	return byte >= 0x20 && byte < 0x7f ? (char)byte : '.';
}

/* Two digits and a blank. */
static void put_hex(char at[3], uint8_t byte)
{
	static const char digits[] = "0123456789abcdef";

	at[0] = digits[byte >> 4];
	at[1] = digits[byte & 15];
	at[2] = ' ';
}

/* Sixteen bytes a line, with their offset and as ASCII behind them. */
static void put_lines(FILE *file, struct bytes bytes)
{
	for (size_t at = 0; at < bytes.len; at += BYTES_A_LINE) {
		struct bytes line = bytes_cut(bytes, at, BYTES_A_LINE);
		char hex[3 * BYTES_A_LINE + 1], text[BYTES_A_LINE + 1] = "";

		memset(hex, ' ', sizeof(hex) - 1);
		hex[sizeof(hex) - 1] = '\0';
		for (size_t i = 0; i < line.len; i++) {
			put_hex(hex + 3 * i, line.at[i]);
			text[i] = printable(line.at[i]);
		}
		fprintf(file, "%s # %04zx |%s|\n", hex, at, text);
	}
}

static void put_bytes(FILE *file, const char *word, struct bytes bytes)
{
	if (!bytes.at)
		return;
	fputs(word, file);
	if (bytes.len <= SHORT)
		for (size_t i = 0; i < bytes.len; i++)
			fprintf(file, " %02x", bytes.at[i]);
	fputc('\n', file);
	if (bytes.len > SHORT)
		put_lines(file, bytes);
}

static void put_cdb(FILE *file, const struct record *record)
{
	const char *command = page_command(record->page);
	char name[80];

	fputs("cdb", file);
	for (size_t i = 0; i < record->cdb_len; i++)
		fprintf(file, " %02x", record->cdb[i]);
	fprintf(file, "  # %s", command);
	page_name(record->page, name, sizeof(name));
	if (strcmp(name, command) != 0)
		fprintf(file, ", %s", name);
	fputc('\n', file);
}

static void put_record(FILE *file, const struct record *record)
{
	static const char *const words[] = {
		[DELIVERY_TIMED_OUT] = "timed-out",
		[DELIVERY_GONE] = "gone",
		[DELIVERY_FAILED] = "failed",
	};
	uint8_t usual = record->sense.at ? STATUS_CHECK_CONDITION : STATUS_GOOD;

	put_cdb(file, record);
	put_bytes(file, "out", record->out);
	if (record->scsi_status != usual)
		fprintf(file, "status %02x\n", record->scsi_status);
	if (record->delivery != DELIVERY_DONE)
		fprintf(file, "transport %s\n", words[record->delivery]);
	put_bytes(file, "sense", record->sense);
	if (record->duration_us >= 0)
		fprintf(file, "duration_us %lld\n", (long long)record->duration_us);
	if (record->data.at) {
		fputs("data\n", file);
		put_lines(file, record->data);
	}
}

/* Trimmed as a reader does; neither line ends nor what a terminal obeys. */
static void put_text(FILE *file, const char *text)
{
	struct span span = span_trim((struct span) { text, strlen(text) });

	for (size_t i = 0; i < span.len; i++)
		fputc(span.at[i] >= 0x20 && span.at[i] < 0x7f ? span.at[i] : '?', file);
}

static void put_note(FILE *file, const char *note)
{
	if (span_trim((struct span) { note, strlen(note) }).len == 0)
		return;
	fputs("note ", file);
	put_text(file, note);
	fputc('\n', file);
}

int capture_write(FILE *file, const struct capture *capture)
{
	errno = 0;
	fputs("assay-capture 1\n", file);
	for (size_t i = 0; i < capture->host_count; i++) {
		fputs("host ", file);
		put_text(file, capture->host[i].name);
		fputc(' ', file);
		put_text(file, capture->host[i].value);
		fputc('\n', file);
	}
	for (size_t i = 0; i < capture->note_count; i++)
		put_note(file, capture->notes[i]);
	for (size_t i = 0; i < capture->record_count; i++) {
		fputc('\n', file);
		put_record(file, &capture->records[i]);
	}
	if (fflush(file) || ferror(file))
		return errno ? -errno : -EIO;
	return 0;
}
