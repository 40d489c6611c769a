#include "assay/command.h"

/* SAT-4, ATA Status Return sense data descriptor. */
static void registers_of_descriptor(struct bytes descriptor, struct ata_registers *registers)
{
	uint64_t high = (uint64_t)bytes_u8(descriptor, 6) << 24 |
		(uint64_t)bytes_u8(descriptor, 8) << 32 | (uint64_t)bytes_u8(descriptor, 10) << 40;

	*registers = (struct ata_registers) {
		.error = bytes_u8(descriptor, 3),
		.count = bytes_be16(descriptor, 4),
		.lba = high | bytes_u8(descriptor, 7) | (uint64_t)bytes_u8(descriptor, 9) << 8 |
			(uint64_t)bytes_u8(descriptor, 11) << 16,
		.device = bytes_u8(descriptor, 12),
		.status = bytes_u8(descriptor, 13),
		.extend = bytes_u8(descriptor, 2) & 1,
	};
	if (!registers->extend) {
		registers->count &= 0xff;
		registers->lba &= 0xffffff;
	}
}

static bool in_descriptors(struct bytes sense, struct ata_registers *registers)
{
	enum { ATA_STATUS_RETURN = 0x09, LEN = 14 };
	struct bytes list = bytes_cut(sense, 8, bytes_u8(sense, 7));

	for (size_t at = 0; at + 2 <= list.len; at += 2u + bytes_u8(list, at + 1)) {
		struct bytes descriptor = bytes_cut(list, at, LEN);

		if (bytes_u8(descriptor, 0) != ATA_STATUS_RETURN || descriptor.len < LEN)
			continue;
		registers_of_descriptor(descriptor, registers);
		return true;
	}
	return false;
}

/* The fixed format has the registers where other sense data have INFORMATION,
 * so only the additional sense code tells that they are there. */
static bool in_fixed_format(struct bytes sense, struct ata_registers *registers)
{
	enum { EXTEND = 0x80, COUNT_UPPER = 0x40, LBA_UPPER = 0x20 };
	uint64_t code;

	if (!bytes_be(sense, 12, 2, &code) || code != 0x001d)
		return false;
	*registers = (struct ata_registers) {
		.error = bytes_u8(sense, 3),
		.status = bytes_u8(sense, 4),
		.device = bytes_u8(sense, 5),
		.count = bytes_u8(sense, 6),
		.lba = bytes_u8(sense, 9) | (uint64_t)bytes_u8(sense, 10) << 8 |
			(uint64_t)bytes_u8(sense, 11) << 16,
		.upper_lost = bytes_u8(sense, 8) & (COUNT_UPPER | LBA_UPPER),
	};
	return true;
}

bool ata_registers_of_sense(struct bytes sense, struct ata_registers *registers)
{
	switch (bytes_u8(sense, 0) & 0x7f) {
	case 0x72:
		return in_descriptors(sense, registers);
	case 0x70:
		return in_fixed_format(sense, registers);
	}
	return false; /* deferred errors are of another command */
}
