/* A prefilter: most names need no regcomp() to be told apart. */
#include <ctype.h>
#include <string.h>

#include "spec/read.h"

/* The end of a group or a bracket expression that starts at `at`. */
static const char *skip_bracket(const char *at)
{
	at++;
	if (*at == '^')
		at++;
	if (*at == ']')
		at++;
	while (*at && *at != ']') {
		char kind = at[0] == '[' && at[1] && strchr(":.=", at[1]) ? at[1] : '\0';

		for (at += kind ? 2 : 1; kind && *at && !(at[0] == kind && at[1] == ']'); at++)
			;
		at += kind && *at ? 2 : 0;
	}
	return *at ? at + 1 : at;
}

static const char *skip_group(const char *at)
{
	unsigned depth = 0;

	while (*at) {
		if (*at == '[') {
			at = skip_bracket(at);
			continue;
		}
		if (*at == '\\' && at[1])
			at++;
		else if (*at == '(')
			depth++;
		else if (*at == ')' && --depth == 0)
			return at + 1;
		at++;
	}
	return at;
}

/* One atom: sets *letter where it is a plain letter, else 0. Behind a backslash
 * letters and digits are classes, anchors and references. */
static const char *skip_atom(const char *at, char *letter)
{
	*letter = 0;
	if (*at == '(')
		return skip_group(at);
	if (*at == '[')
		return skip_bracket(at);
	if (*at == '\\' && at[1]) {
		at++;
		*letter = isalnum((unsigned char)*at) || strchr("<>`'", *at) ? '\0' : *at;
	} else if (!strchr(".^$|*+?{}\\", *at)) {
		*letter = *at;
	}
	return at + 1;
}

static const char *skip_quantifier(const char *at, bool *may_be_absent, bool *may_repeat)
{
	*may_be_absent = *at == '?' || *at == '*' || *at == '{';
	*may_repeat = *may_be_absent || *at == '+';
	if (*at == '{')
		while (*at && *at != '}')
			at++;
	return *may_repeat && *at ? at + 1 : at;
}

void regex_literal(const char *regex, char *literal)
{
	char run[LITERAL_BYTES];
	size_t len = 0, longest = 0;

	literal[0] = '\0';
	for (const char *at = regex; *at;) {
		bool absent, repeat;
		char letter;

		if (*at == '|') {
			literal[0] = '\0';
			return;
		}
		at = skip_atom(at, &letter);
		at = skip_quantifier(at, &absent, &repeat);
		if (letter && !absent && len + 1 < sizeof(run))
			run[len++] = letter;
		if (len > longest) {
			memcpy(literal, run, len);
			literal[len] = '\0';
			longest = len;
		}
		if (!letter || repeat)
			len = 0;
	}
}
