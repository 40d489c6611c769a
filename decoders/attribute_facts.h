/*
 * Private to the decoders: what SMART attributes say of usage, temperature, errors
 * and power loss.
 */
#ifndef ASSAY_DECODERS_ATTRIBUTE_FACTS_H
#define ASSAY_DECODERS_ATTRIBUTE_FACTS_H

#include "attribute_set.h"

/* The source of a fact that an attribute gives: its raw value, and from where its
 * meaning is known. */
struct source attribute_source(const struct known_attribute *known);

/* Adds facts of other topics, with ranks below those of standard sources. */
void attribute_facts_add(const struct attribute_set *set, struct facts *facts);

#endif
