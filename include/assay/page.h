/*
 * The name of a response: which command fetches it and which page of it.
 *
 * A CDB and a page_id say the same thing; page_of_cdb() leads from one to the
 * other, so that a capture file needs nothing but CDBs.
 */
#ifndef ASSAY_PAGE_H
#define ASSAY_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values are of no meaning outside the program. */
enum page_kind {
	PAGE_NONE,
	/* SCSI: big endian */
	PAGE_TEST_UNIT_READY,
	PAGE_REQUEST_SENSE,
	PAGE_INQUIRY, /* standard INQUIRY data */
	PAGE_VPD,     /* page: VPD page */
	PAGE_READ_CAPACITY_10,
	PAGE_READ_CAPACITY_16,
	PAGE_LOG,  /* page, sub: log page and subpage; control: PC (1 cumulative) */
	PAGE_MODE, /* page, sub; control: PC (0 current 1 changeable 2 default 3 saved) */
	PAGE_OPERATION_CODES, /* REPORT SUPPORTED OPERATION CODES, all */
	PAGE_DIAGNOSTIC,      /* page: RECEIVE DIAGNOSTIC RESULTS page */
	PAGE_SECURITY,        /* page: security protocol; sub: protocol specific */
	PAGE_DEFECTS,         /* READ DEFECT DATA; control: 1 grown list, 2 primary list */
	/* ATA, through ATA PASS-THROUGH: little endian */
	PAGE_ATA_IDENTIFY,
	PAGE_ATA_IDENTIFY_PACKET,
	PAGE_ATA_POWER_MODE, /* CHECK POWER MODE: registers only */
	PAGE_SMART_DATA,
	PAGE_SMART_THRESHOLDS,
	PAGE_SMART_STATUS, /* SMART RETURN STATUS: registers only */
	PAGE_SMART_LOG,    /* page: log address, by SMART READ LOG; sub: always 0 */
	PAGE_ATA_LOG,      /* page: log address, by READ LOG (DMA) EXT; sub: first page */
	PAGE_ATA_OTHER,    /* page: command; sub: feature; control 1: it writes (SCT command) */
};

struct page_id {
	enum page_kind kind;
	uint8_t page;
	uint16_t sub;
	uint8_t control;
};

/* All of it is the same: kind, page, sub and control. */
bool page_same(struct page_id a, struct page_id b);
/* Fetched by ATA PASS-THROUGH: little endian. */
bool page_is_ata(struct page_id id);

/* Which response a CDB of len bytes asks for: kind PAGE_NONE where it is none
 * of these. Layouts: SPC-5 (INQUIRY, LOG SENSE, ...), SBC-4 (READ CAPACITY),
 * SAT-4 (ATA PASS-THROUGH 12, 16 and 32). */
struct page_id page_of_cdb(const uint8_t *cdb, size_t len);

/* "log page 11h", "VPD page B1h", "READ LOG EXT 04h page 7": for people.
 * Writes at most size bytes to text and returns text. */
const char *page_name(struct page_id id, char *text, size_t size);

/* The command's name as in the standards: "LOG SENSE". Static. */
const char *page_command(struct page_id id);

#endif
