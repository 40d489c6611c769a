/*
 * Private to the endurance decoder.
 */
#ifndef ASSAY_DECODERS_ENDURANCE_H
#define ASSAY_DECODERS_ENDURANCE_H

#include "attribute_set.h"

/* Ranks of the sources of one key: 0 is the standard's own, unless it is known to
 * be wrong on this drive. */
enum { RANK_STANDARD, RANK_ATTRIBUTES, RANK_DOUBTFUL = 3 };

/* What an ATA drive says of bytes written and read: device statistics and
 * attributes, each checked against the other. set may be empty. */
void written_decode(
	const struct capture *capture, const struct attribute_set *set, struct facts *facts);

/* Notes where known facts of a key are more than 5 % and so many bytes apart. */
void written_note_contradiction(struct facts *facts, const char *key, uint64_t tolerance_bytes);

/* What it says of wear and of spare blocks. */
void wear_decode(
	const struct capture *capture, const struct attribute_set *set, struct facts *facts);

#endif
