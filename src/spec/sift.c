/* Which sheets may be a drive's, from their text alone: to parse them all would
 * take ten times as long. */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "spec/read.h"

enum { WORD_BYTES = 256, LIST_BYTES = 8192 };

/* The string that starts behind a quote, into word; NULL where it is not closed,
 * or needs more than this to be read. */
static const char *take_string(const char *at, const char *end, char *word)
{
	const char *quote = memchr(at, '"', (size_t)(end - at));
	size_t len = 0;

	if (quote && quote - at < WORD_BYTES && !memchr(at, '\\', (size_t)(quote - at))) {
		len = (size_t)(quote - at);
		memcpy(word, at, len);
		word[len] = '\0';
		return quote + 1;
	}
	for (; at < end && len + 1 < WORD_BYTES; at++) {
		if (*at == '"') {
			word[len] = '\0';
			return at + 1;
		}
		if (*at == '\\' && (++at == end || !strchr("\\\"/", *at)))
			return NULL;
		word[len++] = *at;
	}
	return NULL;
}

/* As cJSON does, which takes every control character for a blank. */
static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && (unsigned char)*at <= ' ')
		at++;
	return at;
}

/* Strings in the values of these keys may be patterns, or names that are some
 * of themselves; in all others they are none. */
static bool is_pattern_key(const char *word)
{
	return !strcmp(word, "name") || !strcmp(word, "match");
}

/* Behind the name of a seller others of the same array may follow. */
static const char *skip_seller(const char *word, const char *colon, const char *end)
{
	const char *value = strcmp(word, "oem") ? end : skip_blanks(colon + 1, end);
	char seller[WORD_BYTES];

	return value < end && *value == '"' ? take_string(value + 1, end, seller) : NULL;
}

/* The literal of a pattern in lower case, and room behind it; NULL where it has
 * none, or there is no room. */
static char *put_literal(const char *pattern, char *used, const char *room)
{
	if (room - used <= LITERAL_BYTES)
		return NULL;
	regex_literal(pattern, used);
	if (!*used)
		return NULL;
	for (; *used; used++)
		*used = (char)tolower((unsigned char)*used);
	return used + 1;
}

static int nesting(const char *at, const char *end)
{
	int depth = 0;

	for (; at < end; at++)
		depth += (*at == '[' || *at == '{') - (*at == ']' || *at == '}');
	return depth;
}

/* The literals of all patterns from here on, one after the other; NULL where
 * one has none, or they are too many. */
static char *gather(const char *at, const char *end, char *used, const char *room)
{
	char word[WORD_BYTES];
	int depth = 0, wanted = INT_MAX; /* how deep the key stood whose value is wanted */
	const char *quote;

	while (used && (quote = memchr(at, '"', (size_t)(end - at)))) {
		depth += nesting(at, quote);
		at = take_string(quote + 1, end, word);
		if (!at)
			return NULL;
		const char *colon = skip_blanks(at, end);
		bool is_key = colon < end && *colon == ':';
		const char *behind = is_key && depth > wanted ? skip_seller(word, colon, end)
							      : NULL;

		if (behind)
			at = behind;
		else if (is_key && depth <= wanted)
			wanted = is_pattern_key(word) ? depth : INT_MAX;
		else if (!is_key && depth >= wanted)
			used = put_literal(word, used, room);
	}
	return used;
}

static bool is_whole(const char *text, size_t len)
{
	while (len && (unsigned char)text[len - 1] <= ' ')
		len--;
	return len && text[len - 1] == '}';
}

const char *sheet_literals(struct arena *arena, const char *text, size_t len)
{
	static const char models[] = "\"models\"", rules[] = "\"part_numbers\"";
	char literals[LIST_BYTES];

	if (!is_whole(text, len))
		return NULL;
	const char *at = memmem(text, len, models, sizeof(models) - 1);
	const char *rule = memmem(text, len, rules, sizeof(rules) - 1);

	at = !at || (rule && rule < at) ? rule : at;
	char *used = at ? gather(at, text + len, literals, literals + sizeof(literals) - 1) : NULL;

	if (!used)
		return NULL;
	*used++ = '\0';
	return arena_copy(arena, literals, (size_t)(used - literals));
}

bool sheet_may_match(const char *literals, const char *lower)
{
	for (; *literals; literals += strlen(literals) + 1)
		if (strstr(lower, literals))
			return true;
	return false;
}
