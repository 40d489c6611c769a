/* Extended regular expressions: POSIX.1-2017, XBD 9.4. */
#include "pattern.h"

enum { STEPS_MAX = 20000, DEPTH_MAX = 2000, MANY = 255 };

/* What is left to match when the present part of the pattern has matched: first
 * the group again, where there is one, then [at, end). */
struct rest {
	const char *group, *group_end;
	unsigned least, most; /* how often the group must and may be repeated */
	const char *from;     /* where in the text its last repetition began */
	const char *at, *end;
	const struct rest *next;
};

struct matcher {
	unsigned steps, depth;
};

static bool match(struct matcher *matcher, const char *at, const char *end, const char *text,
	const struct rest *rest);

/* Behind the bracket expression that begins at `at`, or NULL. */
static const char *bracket_end(const char *at, const char *end)
{
	const char *p = at + 1;

	if (p < end && *p == '^')
		p++;
	if (p < end && *p == ']')
		p++;
	while (p < end && *p != ']')
		p++;
	return p < end ? p + 1 : NULL;
}

/* Behind the parenthesis that closes the one at `at`, or NULL. */
static const char *group_end(const char *at, const char *end)
{
	unsigned open = 0;

	while (at && at < end) {
		if (*at == '[') {
			at = bracket_end(at, end);
			continue;
		}
		open += *at == '(';
		open -= *at == ')';
		if (open == 0)
			return at + 1;
		at += *at == '\\' ? 2 : 1;
	}
	return NULL;
}

/* Behind the first atom of [at, end), or NULL where there is none. */
static const char *atom_end(const char *at, const char *end)
{
	if (*at == '(')
		return group_end(at, end);
	if (*at == '[')
		return bracket_end(at, end);
	if (*at == '\\')
		return at + 1 < end ? at + 2 : NULL;
	return *at == ')' || *at == '*' || *at == '+' || *at == '?' ? NULL : at + 1;
}

static bool in_bracket(const char *at, const char *end, char c)
{
	bool negated = at[1] == '^';
	bool found = false;

	for (at += negated ? 2 : 1; at < end - 1; at++) {
		bool range = at + 2 < end - 1 && at[1] == '-';

		if (range ? (at[0] <= c && c <= at[2]) : *at == c)
			found = true;
		at += range ? 2 : 0;
	}
	return found != negated;
}

static bool matches_character(const char *at, const char *end, char c)
{
	switch (*at) {
	case '.':
		return true;
	case '[':
		return in_bracket(at, end, c);
	case '\\':
		return at[1] == c;
	default:
		return *at == c;
	}
}

static const char *number(const char *at, const char *end, unsigned *value)
{
	for (*value = 0; at < end && *at >= '0' && *at <= '9' && *value <= MANY; at++)
		*value = *value * 10 + (unsigned)(*at - '0');
	return at;
}

/* {n}, {n,} or {n,m}: behind it, or NULL. */
static const char *interval(const char *at, const char *end, unsigned *least, unsigned *most)
{
	at = number(at + 1, end, least);
	*most = *least;
	if (at < end && *at == ',') {
		const char *digits = at + 1;

		at = number(digits, end, most);
		if (at == digits)
			*most = MANY;
	}
	return at < end && *at == '}' && *least <= *most && *most <= MANY ? at + 1 : NULL;
}

/* How often the atom before `at` is wanted: behind what says so, or NULL. */
static const char *repetition(const char *at, const char *end, unsigned *least, unsigned *most)
{
	*least = *most = 1;
	if (at == end)
		return at;
	switch (*at) {
	case '?':
		*least = 0;
		return at + 1;
	case '*':
		*least = 0;
		*most = MANY;
		return at + 1;
	case '+':
		*most = MANY;
		return at + 1;
	case '{':
		return interval(at, end, least, most);
	default:
		return at;
	}
}

/* Behind the alternative that begins at `at`: at a '|', or the end; or NULL. */
static const char *alternative_end(const char *at, const char *end)
{
	while (at && at < end && *at != '|') {
		if (*at == '(')
			at = group_end(at, end);
		else if (*at == '[')
			at = bracket_end(at, end);
		else
			at += *at == '\\' ? 2 : 1;
	}
	return at && at <= end ? at : NULL;
}

static bool match_alternatives(struct matcher *matcher, const char *at, const char *end,
	const char *text, const struct rest *rest)
{
	for (;;) {
		const char *stop = alternative_end(at, end);

		if (!stop)
			return false;
		if (match(matcher, at, stop, text, rest))
			return true;
		if (stop == end)
			return false;
		at = stop + 1;
	}
}

static bool match_rest(struct matcher *matcher, const char *text, const struct rest *rest);

/* The group at most `most` times, the longest first, then what follows it. */
static bool match_group(struct matcher *matcher, const struct rest *group, const char *text)
{
	struct rest again = *group;

	again.least -= again.least > 0;
	again.most--;
	again.from = text;
	if (group->most > 0 &&
		match_alternatives(matcher, group->group + 1, group->group_end - 1, text, &again))
		return true;
	return group->least == 0 && match(matcher, group->at, group->end, text, group->next);
}

static bool match_rest(struct matcher *matcher, const char *text, const struct rest *rest)
{
	if (!rest)
		return *text == '\0';
	if (!rest->group)
		return match(matcher, rest->at, rest->end, text, rest->next);
	if (text == rest->from) /* matched nothing: so would every repetition */
		return match(matcher, rest->at, rest->end, text, rest->next);
	return match_group(matcher, rest, text);
}

static bool match_characters(struct matcher *matcher, const char *atom, const char *end,
	const char *text, const struct rest *after)
{
	unsigned count = 0;

	while (count < after->most && text[count] && matches_character(atom, end, text[count]))
		count++;
	for (;; count--) {
		if (count < after->least)
			return false;
		if (match(matcher, after->at, after->end, text + count, after->next))
			return true;
		if (count == 0)
			return false;
	}
}

static bool match_atom(struct matcher *matcher, const char *at, const char *end, const char *text,
	const struct rest *rest)
{
	const char *stop = atom_end(at, end);
	struct rest after = { .end = end, .next = rest };

	if (!stop)
		return false;
	after.at = repetition(stop, end, &after.least, &after.most);
	if (!after.at)
		return false;
	if (*at != '(')
		return match_characters(matcher, at, stop, text, &after);
	after.group = at;
	after.group_end = stop;
	return match_group(matcher, &after, text);
}

static bool match(struct matcher *matcher, const char *at, const char *end, const char *text,
	const struct rest *rest)
{
	bool matched;

	if (++matcher->steps > STEPS_MAX || matcher->depth > DEPTH_MAX)
		return false;
	matcher->depth++;
	if (at == end)
		matched = match_rest(matcher, text, rest);
	else if (*at == '$')
		matched = *text == '\0' && match(matcher, at + 1, end, text, rest);
	else
		matched = match_atom(matcher, at, end, text, rest);
	matcher->depth--;
	return matched;
}

bool pattern_matches(const char *pattern, size_t len, const char *text)
{
	struct matcher matcher = { 0 };
	const char *end = pattern + len;

	for (;;) {
		const char *stop = alternative_end(pattern, end);

		if (!stop)
			return false;
		if (pattern < stop && *pattern == '^')
			pattern++;
		matcher.steps = 0;
		if (match(&matcher, pattern, stop, text, NULL))
			return true;
		if (stop == end)
			return false;
		pattern = stop + 1;
	}
}
