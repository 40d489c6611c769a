/*
 * Between the files of the redaction: where secrets stand, and how they are masked.
 */
#ifndef ASSAY_CAPTURE_REDACT_H
#define ASSAY_CAPTURE_REDACT_H

#include "assay/capture.h"

/* Bytes of the capture that may be changed in place. */
struct area {
	uint8_t *at;
	size_t len;
};

/* The capture owns what its records show. */
struct area area_of(struct bytes bytes);
/* At most len bytes from offset: clamped to what is there. */
struct area area_cut(struct area area, size_t offset, size_t len);
struct bytes area_bytes(struct area area);

enum secret {
	SECRET_SERIAL,     /* text: a serial number */
	SECRET_ATA_SERIAL, /* the same with the bytes of each word exchanged */
	SECRET_TEXT,       /* text that may hold one */
	SECRET_PRINTABLE,  /* the printable bytes of what may also be no text */
	SECRET_WWN,        /* NAA designator, most significant byte first */
	SECRET_WWN_WORDS,  /* in ATA words, the most significant one first */
	SECRET_WWN_LITTLE, /* least significant byte first */
	SECRET_EUI,        /* EUI-64 */
	SECRET_NAME,       /* SCSI name string: "naa.5000..." */
	SECRET_OPAQUE,     /* a number as a whole */
};

/* Masks one: '-' for text, zero for what is unique in a number. Length, NAA
 * and OUI stay. */
void secret_mask(enum secret secret, struct area area);
/* The bytes of a WWN as a number, whatever their order; 0 where they are not all there. */
uint64_t secret_wwn(enum secret secret, struct area area);
/* The same of a SCSI name string. */
uint64_t secret_name_wwn(struct area area);
/* Which bits of a WWN are not unique. */
uint64_t wwn_keep(uint64_t wwn);

/* Called for each place. */
struct visitor {
	void (*visit)(void *context, enum secret secret, struct area area);
	void *context;
	struct bytes product;   /* of INQUIRY; no bytes where it is not captured */
	struct bytes ata_model; /* of IDENTIFY, as transferred */
	struct bytes serial;    /* of VPD page 80h, trimmed */
};
/* len bytes at offset, as far as they are there. */
void place_visit(const struct visitor *visitor, enum secret secret, struct area area, size_t offset,
	size_t len);
/* The places that the standards give serial numbers and names. */
void places_of_scsi(const struct visitor *visitor, const struct record *record);
void places_of_ata(const struct visitor *visitor, const struct record *record);

#endif
