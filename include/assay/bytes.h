/*
 * Borrowed bytes and checked loads: the only way in which this project reads
 * a number out of a response. A load that does not fit fails; it never reads
 * past the end. And two stores, for what is sent or made up.
 */
#ifndef ASSAY_BYTES_H
#define ASSAY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A view of somebody else's memory. at is NULL where there is nothing, which
 * is not the same as len 0 (a response of no bytes). */
struct bytes {
	const uint8_t *at;
	size_t len;
};

/* The width bytes (1 to 8) at offset, most significant first (SCSI). False,
 * and *value untouched, where they are not all there. */
bool bytes_be(struct bytes bytes, size_t offset, size_t width, uint64_t *value);

/* The same, least significant first (ATA). */
bool bytes_le(struct bytes bytes, size_t offset, size_t width, uint64_t *value);

/* One byte, and 16, 32 and 64 bits, or 0 where they are not all there: for
 * code that has checked the length, or for which 0 and absent are the same. */
uint8_t bytes_u8(struct bytes bytes, size_t offset);
uint16_t bytes_be16(struct bytes bytes, size_t offset);
uint32_t bytes_be32(struct bytes bytes, size_t offset);
uint64_t bytes_be64(struct bytes bytes, size_t offset);
uint16_t bytes_le16(struct bytes bytes, size_t offset);
uint32_t bytes_le32(struct bytes bytes, size_t offset);
uint64_t bytes_le48(struct bytes bytes, size_t offset);
uint64_t bytes_le64(struct bytes bytes, size_t offset);

/* Writes the width lower bytes of value, most significant first. */
void bytes_put_be(uint8_t *at, size_t width, uint64_t value);

/* Writes len bytes of an ATA string, an even number: filled up with blanks, the
 * bytes of each pair exchanged (ACS-4, "ATA string convention"). */
void bytes_put_ata_text(uint8_t *at, size_t len, const char *text);

/* At most len bytes from offset: clamped to what is there. */
struct bytes bytes_cut(struct bytes bytes, size_t offset, size_t len);

/* True where every byte has this value; false for no bytes. */
bool bytes_all(struct bytes bytes, uint8_t value);

/* The sum of all bytes modulo 256: 0 in an ATA structure with a right
 * checksum (ACS-4, "data structure checksum"). */
uint8_t bytes_sum(struct bytes bytes);

/* Copies printable ASCII of bytes to text (size bytes, always terminated),
 * trimmed at both ends; what is not printable becomes '?'. swapped exchanges
 * the bytes of each pair, as in ATA strings (ACS-4, "ATA string convention").
 * Returns the length of the text: 0 where there was nothing but blanks. */
size_t bytes_text(struct bytes bytes, bool swapped, char *text, size_t size);

#endif
