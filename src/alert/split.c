/* A command without a shell. */
#include "assay/alert.h"

#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Copies one word to *to, which moves behind its end; returns what is behind
 * it, or NULL where a quote is not closed. */
static const char *take_word(const char *at, char **to)
{
	char quote = '\0';

	for (; *at && (quote || !is_blank(*at)); at++) {
		if (*at == quote) {
			quote = '\0';
		} else if (!quote && (*at == '\'' || *at == '"')) {
			quote = *at;
		} else {
			if (*at == '\\' && quote != '\'' && at[1])
				at++;
			*(*to)++ = *at;
		}
	}
	*(*to)++ = '\0';
	return quote ? NULL : at;
}

/* One block: the pointers, of which there are at most one for every two
 * characters, then the texts. */
char **alert_split(const char *command, struct error *error)
{
	size_t len = strlen(command), most = len / 2 + 2, count = 0;
	char **words = calloc(1, most * sizeof(char *) + 2 * len + 2);
	char *to = (char *)(words + most);
	const char *at = command;

	while (words && at) {
		while (is_blank(*at))
			at++;
		if (!*at)
			break;
		words[count++] = to;
		at = take_word(at, &to);
	}
	if (words && at && count)
		return words;
	free(words);
	error_set(error, EXIT_USAGE, "alert command '%s': %s", command,
		!words       ? "no memory"
			: at ? "no program"
			     : "a quote is not closed");
	return NULL;
}
