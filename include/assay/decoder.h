/*
 * Decoders: one file a topic. A decoder is tables: keys, and layouts that say
 * where in which response a key's value stands. What a table cannot say is in
 * its extra function.
 *
 * Decoders cannot fail on bytes: what is short, reserved or contradictory adds
 * a note or a fact that is not KNOWN. A response that is not in the capture
 * gives no fact at all.
 */
#ifndef ASSAY_DECODER_H
#define ASSAY_DECODER_H

#include "assay/array.h"
#include "assay/capture.h"
#include "assay/fact.h"

/* How the bytes of a field are to be read. Byte order follows from the page:
 * ATA little, SCSI big endian. */
enum format {
	FORMAT_UINT,
	FORMAT_SINT,     /* two's complement of the field's width */
	FORMAT_WHOLE,    /* as UINT, but what dividing leaves over is dropped */
	FORMAT_FLAG,     /* not 0: true */
	FORMAT_FLAG_NOT, /* not 0: false */
	FORMAT_ENUM,     /* names[]: the value's word; one without a word is FACT_INVALID */
	FORMAT_TEXT,     /* ASCII, trimmed */
	FORMAT_ATA_TEXT, /* ASCII with the bytes of each word exchanged, trimmed */
};

/* Raw values by which the drive says that it does not know. */
enum {
	UNKNOWN_ZERO = 1 << 0,
	UNKNOWN_ONES = 1 << 1, /* all bits of the field */
	UNKNOWN_SIGN = 1 << 2, /* the sign bit alone: 80h of a byte */
};

/* A value and its word; an array of them ends with word NULL. */
struct word {
	uint32_t value;
	const char *word;
};

/* A field counts only where these bits of the same page have this value. An
 * array of them, which must all hold, ends with width 0. */
struct condition {
	uint16_t at;
	uint8_t width;
	uint64_t mask, equals;
};

struct field {
	const char *key;
	uint16_t at;   /* from the start of the page, or of the parameter (its header counts) */
	uint8_t width; /* bytes; 0: up to the end of the page or parameter */
	uint8_t low_bit, bits; /* bits 0: all of them */
	enum format format;
	uint8_t unknown;           /* UNKNOWN_... */
	uint8_t rank;              /* as struct fact */
	uint32_t multiply, divide; /* 0: by 1; a field that divides gives a real */
	const struct word *words;
	const struct condition *when; /* NULL: always */
};

/* Fields of one page, or of one parameter of a log page. The shape of the page
 * follows from its id:
 *   PAGE_LOG          fields of the parameter with code `parameter`
 *   PAGE_ATA_LOG 04h  device statistics: a field's at is that of its qword;
 *                     the flags SUPPORTED and VALID are heeded; either route
 *                     (READ LOG EXT, SMART READ LOG) serves
 *   PAGE_ATA_LOG 30h  IDENTIFY DEVICE data log: bit 63 of the field's qword is heeded
 *   PAGE_MODE         cut out of whichever MODE SENSE answer holds it; control is heeded
 *   PAGE_ATA_IDENTIFY the pass-through's answer; else the copy in VPD page 89h
 *   anything else     offsets in the response */
struct layout {
	struct page_id page;
	uint16_t parameter;
	const struct field *fields;
	size_t field_count;
};

struct decoder {
	const char *name;  /* of the topic, the file, and the first part of its keys: "link" */
	const char *title; /* heading for people */
	const struct key *keys;
	size_t key_count;
	const struct layout *layouts;
	size_t layout_count;
	const struct table *const *tables; /* that it fills */
	size_t table_count;
	/* What tables cannot say; NULL mostly. Runs after the layouts of all
	 * decoders, in the registry's order. */
	void (*extra)(const struct capture *capture, struct facts *facts);
	/* What follows from facts of other topics; NULL mostly. Runs last. */
	void (*derive)(struct facts *facts);
};

/* All topics, in the order in which people read them. Ends with NULL. */
extern const struct decoder *const decoders[];

/* The key of that name, of whichever decoder: NULL where there is none. */
const struct key *decoder_key(const char *name);
/* The decoder that owns a key or a table. */
const struct decoder *decoder_of_key(const struct key *key);
const struct decoder *decoder_of_table(const struct table *table);

/* Runs all decoders. */
void decode(const struct capture *capture, struct facts *facts);

/* ---- The walkers: one for each shape of page (src/fact) ---- */

/* A page as it may be read: its header checked, cut to what its length field
 * says and what came. data.at is NULL where it is not captured, refused, or
 * another page's (a note says so if facts is not NULL). */
struct page {
	struct page_id id;
	struct bytes data; /* from the page's own byte 0 */
	size_t offset;     /* of data in the response that holds it */
};

struct page page_get(const struct capture *capture, struct facts *facts, struct page_id id);

/* Any page of the ATA logs: READ LOG EXT first, then SMART READ LOG; exactly
 * 512 bytes of page number `page` of log `log`, or at NULL. */
struct page page_ata_log(const struct capture *capture, uint8_t log, uint16_t page);

/* Whether the bytes of an ATA structure add up to 0 (ACS-4, "data structure
 * checksum"); where they do not, a note says so if facts is not NULL. */
bool page_checksum(const struct page *page, struct facts *facts);

/* One parameter of a log page. */
struct log_parameter {
	uint16_t code;
	uint8_t control;   /* byte 2: DU TSD ETC TMC FORMAT AND LINKING */
	struct bytes data; /* header and value; value from byte 4 */
	size_t offset;     /* of data in the response */
};

/* Steps through a log page: *offset starts at 4. False at the end. A parameter
 * that the page cuts off is not given. */
bool log_parameter_next(const struct page *page, size_t *offset, struct log_parameter *parameter);
/* The first parameter with that code. */
bool log_parameter_find(const struct page *page, uint16_t code, struct log_parameter *parameter);

/* The value of a parameter as a number: its own length, 1 to 8 bytes; longer
 * ones where the bytes above are 0. */
bool log_parameter_uint(const struct log_parameter *parameter, uint64_t *value);

/* Steps through the mode pages of one MODE SENSE answer; *offset starts at 0.
 * A page that the answer cuts off is not given. */
bool mode_page_next(const struct record *record, size_t *offset, struct page *page);
/* The mode parameter block descriptors of a MODE SENSE answer: at NULL if none
 * can be read. */
struct bytes mode_block_descriptors(const struct record *record);

/* A designation descriptor of VPD pages 83h and 88h (SPC-5 7.7.6). */
struct designator {
	uint8_t code_set, association, type, protocol;
	bool protocol_valid;
	struct bytes data; /* the designator itself */
	size_t offset;     /* of data in `list` */
};
/* Steps through a list of them; *offset starts at 0. */
bool designator_next(struct bytes list, size_t *offset, struct designator *designator);

/* One device statistic: false where the drive does not support it. */
struct statistic {
	uint64_t value; /* bytes 0 to 6 */
	uint8_t flags;  /* byte 7 */
	bool valid;
	size_t offset;    /* of the qword, in the response */
	struct bytes raw; /* its 8 bytes */
};
bool statistic_get(const struct page *page, size_t at, struct statistic *statistic);

/* One entry of SMART READ DATA, by slot 0 to 29: false where it is unused. */
struct attribute {
	uint8_t id;
	uint16_t flags;
	uint8_t value, worst;
	uint64_t raw;       /* six bytes, little endian */
	int threshold;      /* of the same slot, else of the same id; -1: none */
	struct bytes bytes; /* the 12 bytes */
	size_t offset;
};
bool attribute_get(const struct page *data, const struct page *thresholds, size_t slot,
	struct attribute *attribute);

/* Adds the fact that a field gives in these bytes, which start at `offset` of
 * the response. For decoders whose place a table cannot say. */
void field_decode(const struct field *field, struct page_id id, struct bytes bytes, size_t offset,
	int32_t parameter, struct facts *facts);

#endif
