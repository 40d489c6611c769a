/*
 * One run of collect(): what collect.c, collect_scsi.c and collect_ata.c share.
 */
#ifndef ASSAY_CAPTURE_COLLECTOR_H
#define ASSAY_CAPTURE_COLLECTOR_H

#include "assay/collect.h"

enum { SECTOR = 512, MOST_BYTES = 0xffff, MOST_LOG_PAGES = 16 };

/* SCSI peripheral device types (SPC-5, PERIPHERAL DEVICE TYPE). */
enum {
	TYPE_DISK = 0x00,
	TYPE_WRITE_ONCE = 0x04,
	TYPE_OPTICAL = 0x07,
	TYPE_ENCLOSURE = 0x0d,
	TYPE_SIMPLIFIED_DISK = 0x0e,
	TYPE_ZONED = 0x14
};

struct collector {
	struct session session;
	const struct collect_options *options;
	struct capture *capture;
	uint8_t *room; /* MOST_BYTES + 1 for what comes */

	/* The command under way: its CDB, and the records of its answers. */
	const uint8_t *cdb;
	struct bytes out;
	size_t first, last;
	bool answered;
	bool reached; /* some command came to its end */

	/* What has been learned of the drive. */
	uint8_t device_type, version;
	bool present; /* there is a logical unit */
	bool usb;
	bool refused[256];            /* operation codes that it does not know */
	struct bytes operation_codes; /* REPORT SUPPORTED OPERATION CODES; at NULL: unknown */
	struct bytes vpd_pages;       /* VPD page 00h, from its list on */
	struct bytes identify;        /* IDENTIFY DEVICE data; at NULL: none */
	bool twelve;                  /* ATA PASS-THROUGH(12) only */
	bool pass_through;            /* ATA commands reach the drive */
	struct bytes log_directory, smart_log_directory; /* at NULL: none */
	bool dma_logs;                                   /* READ LOG DMA EXT */
	bool single_sectors;                             /* a log page at a time */
};

void collector_init(struct collector *collector, struct transport *transport,
	const struct collect_options *options, struct capture *capture);
void collector_deinit(struct collector *collector);

/* Sends a CDB and records each answer to it; the one that counts stands first
 * and is returned, valid until the next command. NULL where nothing was sent:
 * no such CDB, not supported by the drive, or the session has ended. */
const struct record *collect_send(
	struct collector *collector, const struct cdb *cdb, struct bytes out);

/* Fetches a page of SCSI with room for len bytes; again with more where the page
 * says that it is longer; by the shorter CDB where the longer one is unknown to
 * the drive. */
const struct record *collect_page(struct collector *collector, struct page_id id, size_t len);

/* Exchanges two records, so that capture_find() finds the better one. */
void collect_prefer(struct collector *collector, size_t better, size_t place);

/* record may be NULL, which is not good. */
bool collect_good(const struct record *record);
/* What a good answer brought; at NULL of any other. */
struct bytes collect_data(const struct record *record);
/* ILLEGAL REQUEST, INVALID COMMAND OPERATION CODE. */
bool collect_unknown_command(const struct record *record);

/* An answer to REPORT SUPPORTED OPERATION CODES lists it; service_action counts
 * where the command has one. */
bool collect_lists_command(struct bytes codes, uint8_t opcode, uint16_t service_action);
/* VPD page 00h lists it. */
bool collect_lists_vpd(const struct collector *collector, uint8_t page);
/* Direct access, with a capacity. */
bool collect_is_disk(const struct collector *collector);

/* The response is to be fetched: it was asked for, or everything was. */
bool collect_wants(const struct collector *collector, struct page_id id);
/* Of an ATA log any page. */
bool collect_wants_log(const struct collector *collector, uint8_t log);
/* Only what was asked for is to be fetched. */
bool collect_is_light(const struct collector *collector);

/* Standard INQUIRY data and VPD page 00h, sent for and taken in. */
int collect_inquiry(struct collector *collector, struct error *error);
/* Takes in what these say, wherever they come from; false where it is nothing. */
bool collect_take_inquiry(struct collector *collector, const struct record *record);
void collect_take_vpd_list(struct collector *collector, const struct record *record);

/* The power state, asked by what does not wake: REQUEST SENSE. */
const char *collect_scsi_power(struct collector *collector);
void collect_scsi_vpd(struct collector *collector);
void collect_scsi_capacity(struct collector *collector);
/* Everything else that a SCSI drive has. */
void collect_scsi(struct collector *collector);

/* Whether ATA commands are for it: by evidence, never by trying it on anything
 * that is no disk. */
bool collect_may_be_ata(const struct collector *collector);
/* INQUIRY data name the vendor ATA, as SAT-4 wants of each translator. */
bool collect_is_translated(const struct collector *collector);
/* CHECK POWER MODE: "unknown" where the drive, or what is before it, gives no
 * registers. Clears collector->pass_through where no ATA command gets through. */
const char *collect_ata_power(struct collector *collector);
/* IDENTIFY DEVICE, else the copy in VPD page 89h; false where neither makes sense. */
bool collect_ata_identify(struct collector *collector);
/* Everything else that an ATA drive has. */
void collect_ata(struct collector *collector);

#endif
