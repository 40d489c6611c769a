/* Names of drives, as far as they can be compared. */
#ifndef ASSAY_SPEC_NAME_H
#define ASSAY_SPEC_NAME_H

#include "assay/spec.h"

enum { NAME_BYTES = 128 };

/* Without blanks at the ends, runs of them one. */
void name_plain(const char *name, char *plain, size_t size);
/* Behind the maker's name, where the name begins with one; else the name. */
const char *name_without_maker(const struct spec_sheet *sheet, const char *plain);
/* The whole name matches; insensitive to case if loose. */
bool name_matches(const char *regex, const char *literal, const char *name, bool loose);
/* Both NULL, or the same letters. */
bool text_same(const char *a, const char *b);

#endif
