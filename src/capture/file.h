/*
 * The capture file's form in memory, between the files of this folder.
 */
#ifndef ASSAY_CAPTURE_FILE_H
#define ASSAY_CAPTURE_FILE_H

#include "assay/capture.h"

/* No file that is larger is read: noise is to be refused before it fills the memory. */
enum { FILE_BYTES_MAX = 64 << 20 };

/* The first word that is not in a comment is "assay-capture". */
bool capture_is_text(struct bytes text);

/* capture_read() of text in memory. */
int capture_parse(
	struct bytes text, const char *name, struct capture *capture, struct error *error);

#endif
