#include "render/text_parts.h"

#include <stdarg.h>
#include <stdint.h>

#include "render/text_clean.h"

const char text_bold[] = "\033[1m", text_dim[] = "\033[2m", text_red[] = "\033[31m",
	   text_yellow[] = "\033[33m";

static const char plain[] = "\033[0m";

void text_coloured(FILE *file, const struct render_options *options, const char *colour,
	const char *format, ...)
{
	bool coloured = options->colour && *colour;
	va_list args;

	va_start(args, format);
	if (coloured)
		fputs(colour, file);
	vfprintf(file, format, args);
	if (coloured)
		fputs(plain, file);
	va_end(args);
}

void text_wrapped(FILE *file, const struct render_options *options, const char *text, size_t indent)
{
	enum { LEAST = 20 };
	size_t room = options->width > indent + LEAST ? options->width - indent : SIZE_MAX;

	while (text_columns(text) > room) {
		size_t cut = room;

		while (cut > 0 && text[cut] != ' ')
			cut--;
		if (cut == 0)
			break;
		fprintf(file, "%.*s\n%*s", (int)cut, text, (int)indent, "");
		text += cut + 1;
	}
	fprintf(file, "%s\n", text);
}

const char *verdict_word(enum verdict_state state)
{
	static const char *const words[] = { "ok", "WARNING", "FAILING", "unknown", "pass", "FAIL",
		"marginal", "not tested", "not verifiable", "conflict", "no claim" };

	return words[state];
}

const char *verdict_colour(enum verdict_state state)
{
	if (state == VERDICT_FAILING || state == VERDICT_FAIL)
		return text_red;
	if (state == VERDICT_WARNING || state == VERDICT_MARGINAL || state == VERDICT_CONFLICT)
		return text_yellow;
	return "";
}
