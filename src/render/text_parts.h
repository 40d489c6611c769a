/*
 * What the parts of the text renderer share.
 */
#ifndef ASSAY_RENDER_TEXT_PARTS_H
#define ASSAY_RENDER_TEXT_PARTS_H

#include "assay/render.h"

extern const char text_bold[], text_dim[], text_red[], text_yellow[];

/* Prints in a colour (ANSI escape) where the options want colour; "" is none. */
void text_coloured(FILE *file, const struct render_options *options, const char *colour,
	const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The rest of a line that has reached column `indent`: broken at blanks where
 * the terminal ends, and ended. */
void text_wrapped(
	FILE *file, const struct render_options *options, const char *text, size_t indent);

/* A verdict's state as people read it, and its colour. */
const char *verdict_word(enum verdict_state state);
const char *verdict_colour(enum verdict_state state);

/* A line for the drive: its sum (the first verdict), who it is, how it does.
 * Below it each verdict that is not ok, failing ones first, and what to do; with
 * verbose all of them. */
void text_brief_print(
	FILE *file, const struct document *document, const struct render_options *options);

#endif
