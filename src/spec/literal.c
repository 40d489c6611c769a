/* A prefilter: most names need no regcomp() to be told apart. */
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
	while (*at && *at != ']')
		at++;
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

/* One atom: sets *letter where it is a plain letter, else 0. */
static const char *skip_atom(const char *at, char *letter)
{
	*letter = 0;
	if (*at == '(')
		return skip_group(at);
	if (*at == '[')
		return skip_bracket(at);
	if (*at == '\\' && at[1])
		at++;
	else if (strchr(".^$|*+?{}", *at))
		return at + 1;
	*letter = *at;
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

const char *regex_literal(struct arena *arena, const char *regex)
{
	char run[64], best[64] = "";
	size_t len = 0;

	for (const char *at = regex; *at;) {
		bool absent, repeat;
		char letter;

		if (*at == '|')
			return "";
		at = skip_atom(at, &letter);
		at = skip_quantifier(at, &absent, &repeat);
		if (letter && !absent && len + 1 < sizeof(run))
			run[len++] = letter;
		run[len] = '\0';
		if (len > strlen(best))
			memcpy(best, run, len + 1);
		if (!letter || repeat)
			len = 0;
	}
	return *best ? arena_text(arena, best) : "";
}
