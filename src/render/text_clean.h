/*
 * For all renderers: a text from anywhere, fit to be shown.
 */
#ifndef ASSAY_RENDER_TEXT_CLEAN_H
#define ASSAY_RENDER_TEXT_CLEAN_H

#include <stddef.h>

/* Copies text; what is a control character or no valid UTF-8 becomes '?'.
 * Cuts at size; returns clean. */
const char *text_clean(const char *text, char *clean, size_t size);

/* Columns that a text takes on a terminal: its UTF-8 characters. */
size_t text_columns(const char *text);

#endif
