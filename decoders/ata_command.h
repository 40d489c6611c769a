/*
 * Private to the decoders: names of ATA commands.
 */
#ifndef ASSAY_DECODERS_ATA_COMMAND_H
#define ASSAY_DECODERS_ATA_COMMAND_H

#include <stdint.h>

/* As ACS-4 calls it: static, or NULL where the code is none of a disk's. */
const char *ata_command_name(uint8_t code);

#endif
