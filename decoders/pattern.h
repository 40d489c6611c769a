/*
 * Private to the decoders: model patterns.
 */
#ifndef ASSAY_DECODERS_PATTERN_H
#define ASSAY_DECODERS_PATTERN_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the whole of text matches a POSIX extended regular expression of len
 * characters: | ( ) [ ] . * + ? {n,m} ^ $ and \ before any of them; no character
 * classes by name. Uses no memory but the stack, and no more than a fixed amount
 * of time: a pattern that would need more matches nothing, as one that is not
 * well-formed. Databases hold thousands of these and each is wanted once, so
 * that compiling them would take longer than all else. */
bool pattern_matches(const char *pattern, size_t len, const char *text);

#endif
