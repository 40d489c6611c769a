/*
 * Private to the decoders: facts whose value a table cannot say but whose place
 * is some bytes of a page all the same.
 */
#ifndef ASSAY_DECODERS_PLACE_H
#define ASSAY_DECODERS_PLACE_H

#include "assay/decoder.h"

/* What every IDENTIFY DEVICE word with a validity signature must show in bits
 * 15:14 (ACS-4 7.12.7): one row of an array of conditions. */
#define IDENTIFY_SIGNED(word)                 \
	{                                     \
		2 * (word), 2, 0xc000, 0x4000 \
	}

/* The place of an IDENTIFY DEVICE word in bytes, and its value. */
size_t word_at(unsigned word);
unsigned word_value(const struct page *identify, unsigned word);

/* Some bytes of a page, which must live as long as the place. */
struct place {
	const struct page *page;
	size_t at, width;
	uint8_t rank; /* of a fact from there */
};

struct source place_source(struct place place);

/* Adds a fact of that key, which must exist, with those bytes as its source.
 * The pointer is valid until the next fact is added. */
struct fact *place_fact(struct facts *facts, const char *key, struct value value,
	enum fact_state state, struct place place);

/* Decodes each field in a page that is no log page of SCSI. */
void fields_decode(
	const struct page *page, const struct field *fields, size_t count, struct facts *facts);

/* FACT_KNOWN, else FACT_UNKNOWN, else FACT_INVALID. */
enum fact_state state_of(bool known, bool unknown);

/* Something that the host says; name is that of the host line. */
struct source source_host(const char *name);

#endif
