/* A name that a pattern matches: the first alternative, the first letter of a
 * bracket expression, nothing of what may be absent. */
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

#include "spec/lint.h"
#include "spec/name.h"

struct writer {
	char *text;
	size_t size, len;
	bool failed;
};

static void put(struct writer *writer, char letter)
{
	if (writer->len + 1 < writer->size)
		writer->text[writer->len++] = letter;
	else
		writer->failed = true;
}

static const char *write_alternatives(struct writer *writer, const char *at);

static const char *write_bracket(struct writer *writer, const char *at)
{
	char letter = at[1];

	if (letter == '^' || letter == '[')
		writer->failed = true;
	put(writer, letter);
	while (*at && *at != ']')
		at++;
	return *at ? at + 1 : at;
}

static const char *write_atom(struct writer *writer, const char *at)
{
	if (*at == '(') {
		at = write_alternatives(writer, at + 1);
		return *at == ')' ? at + 1 : at;
	}
	if (*at == '[')
		return write_bracket(writer, at);
	if (*at == '\\' && at[1])
		put(writer, *++at);
	else
		put(writer, *at == '.' ? 'A' : *at);
	return at + 1;
}

/* How often an atom is to be written, by what follows it. */
static const char *read_times(const char *at, unsigned *times)
{
	*times = 1;
	if (*at == '?' || *at == '*')
		*times = 0;
	else if (*at == '{')
		*times = (unsigned)(at[1] - '0');
	else if (*at != '+')
		return at;
	while (*at == '{' || isdigit((unsigned char)*at) || *at == ',')
		at++;
	return *at ? at + 1 : at;
}

static const char *write_sequence(struct writer *writer, const char *at)
{
	while (*at && *at != '|' && *at != ')') {
		size_t before = writer->len;
		unsigned times;

		at = write_atom(writer, at);
		size_t atom = writer->len - before;
		at = read_times(at, &times);
		if (times == 0)
			writer->len = before;
		for (unsigned i = 1; i < times && times < 10; i++)
			for (size_t k = 0; k < atom; k++)
				put(writer, writer->text[before + k]);
	}
	return at;
}

static const char *write_alternatives(struct writer *writer, const char *at)
{
	at = write_sequence(writer, at);
	while (*at == '|') {
		size_t before = writer->len;

		at = write_sequence(writer, at + 1);
		writer->len = before;
	}
	return at;
}

bool regex_example(const char *regex, char *text, size_t size)
{
	struct writer writer = { .text = text, .size = size };

	write_alternatives(&writer, regex);
	text[writer.len] = '\0';
	return !writer.failed && name_matches(regex, "", text, false);
}
