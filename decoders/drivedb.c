/*
 * The file is a C initialiser: { family, model pattern, firmware pattern, warning,
 * presets }, each of them string literals one behind the other. The first entry
 * of which both patterns match the whole string counts. Presets are options of
 * smartctl(8), of which "-v ID,FORMAT[:ORDER][,NAME[,HDD|SSD]]" is wanted.
 */
#include "drivedb.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pattern.h"

enum { FILE_MAX = 4 << 20, PATTERN_MAX = 8192 };
enum { FAMILY, MODEL, FIRMWARE, WARNING, PRESETS, FIELDS };

enum token { TOKEN_END, TOKEN_OPEN, TOKEN_CLOSE, TOKEN_COMMA, TOKEN_STRING };

struct lexer {
	const char *at, *end;
	struct bytes string; /* of TOKEN_STRING, between the quotes, escapes as they are */
};

/* Each field's first token. */
struct entry {
	struct lexer fields[FIELDS];
};

static const char *behind(const char *at, const char *end, const char *mark)
{
	size_t len = strlen(mark);
	const char *found = memmem(at, (size_t)(end - at), mark, len);

	return found ? found + len : end;
}

static bool is_escaped(const char *start, const char *at)
{
	const char *first = at;

	while (first > start && first[-1] == '\\')
		first--;
	return (at - first) % 2;
}

static void take_string(struct lexer *lexer)
{
	const char *start = lexer->at, *at = start, *quote;

	while ((quote = memchr(at, '"', (size_t)(lexer->end - at))) && is_escaped(start, quote))
		at = quote + 1;
	at = quote ? quote : lexer->end;
	lexer->string = (struct bytes) { (const uint8_t *)start, (size_t)(at - start) };
	lexer->at = quote ? quote + 1 : at;
}

static enum token next_token(struct lexer *lexer)
{
	while (lexer->at < lexer->end) {
		char c = *lexer->at++;
		bool more = lexer->at < lexer->end;

		switch (c) {
		case '{':
			return TOKEN_OPEN;
		case '}':
			return TOKEN_CLOSE;
		case ',':
			return TOKEN_COMMA;
		case '"':
			take_string(lexer);
			return TOKEN_STRING;
		case '/':
			if (more && *lexer->at == '/')
				lexer->at = behind(lexer->at, lexer->end, "\n");
			else if (more && *lexer->at == '*')
				lexer->at = behind(lexer->at + 1, lexer->end, "*/");
			break;
		}
	}
	return TOKEN_END;
}

/* The next { } that has all fields. */
static bool next_entry(struct lexer *lexer, struct entry *entry)
{
	enum token token;
	size_t field = FIELDS;

	do {
		token = next_token(lexer);
		if (token == TOKEN_OPEN)
			field = FAMILY;
		else if (token == TOKEN_COMMA && field < FIELDS)
			field++;
		else if (token == TOKEN_CLOSE && field == PRESETS)
			return true;
		if ((token == TOKEN_OPEN || token == TOKEN_COMMA) && field < FIELDS)
			entry->fields[field] = *lexer;
	} while (token != TOKEN_END);
	return false;
}

static char unescaped(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c;
}

/* The strings of a field as one text of at most PATTERN_MAX characters. Returns
 * its length; 0 where it is longer. */
static size_t field_text(struct lexer field, char text[PATTERN_MAX])
{
	size_t len = 0;

	while (next_token(&field) == TOKEN_STRING) {
		const char *at = (const char *)field.string.at, *end = at + field.string.len;

		for (; at < end; at++) {
			bool escape = *at == '\\' && at + 1 < end;

			if (len == PATTERN_MAX)
				return 0;
			text[len++] = escape ? unescaped(at[1]) : *at;
			at += escape;
		}
	}
	return len;
}

static bool begins_with(struct lexer field, const char *word)
{
	return next_token(&field) == TOKEN_STRING && field.string.len >= strlen(word) &&
		!memcmp(field.string.at, word, strlen(word));
}

static bool field_matches(struct lexer field, const char *text, bool empty_matches)
{
	char pattern[PATTERN_MAX];
	size_t len = field_text(field, pattern);

	return len ? pattern_matches(pattern, len, text) : empty_matches;
}

/* Cuts the part before the next comma off *text. */
static struct bytes cut_part(struct bytes *text)
{
	const uint8_t *comma = text->len ? memchr(text->at, ',', text->len) : NULL;
	size_t len = comma ? (size_t)(comma - text->at) : text->len;
	struct bytes part = bytes_cut(*text, 0, len);

	*text = bytes_cut(*text, len + (comma != NULL), SIZE_MAX);
	return part;
}

static bool is_word(struct bytes bytes, const char *word)
{
	return bytes.len == strlen(word) && !memcmp(bytes.at, word, bytes.len);
}

static unsigned id_of(struct bytes digits)
{
	unsigned id = 0;

	for (size_t i = 0; i < digits.len && id < 256; i++) {
		if (digits.at[i] < '0' || digits.at[i] > '9')
			return 0;
		id = id * 10 + digits.at[i] - '0';
	}
	return id < 256 ? id : 0;
}

/* FORMAT[:ORDER] */
static void set_format(struct bytes word, struct drivedb_attribute *attribute)
{
	static const char places[] = { '0', '1', '2', '3', '4', '5', 'r', 'v', 'w', 'z' };
	const uint8_t *colon = word.len ? memchr(word.at, ':', word.len) : NULL;
	size_t len = colon ? (size_t)(colon - word.at) : word.len;

	attribute->format = raw_format_of(bytes_cut(word, 0, len));
	memset(attribute->order, 0, sizeof(attribute->order));
	if (!colon)
		return;
	struct bytes order = bytes_cut(word, len + 1, SIZE_MAX);
	for (size_t i = 0; i < order.len; i++)
		if (!memchr(places, order.at[i], sizeof(places)) || i >= RAW_ORDER_LEN)
			attribute->format = RAW_UNKNOWN;
		else
			attribute->order[i] = (char)order.at[i];
}

/* ID,FORMAT[:ORDER][,NAME[,HDD|SSD]] */
static void preset(struct bytes text, enum medium medium, bool own, struct drivedb *drivedb)
{
	unsigned id = id_of(cut_part(&text));
	struct bytes format = cut_part(&text), name = cut_part(&text), only = cut_part(&text);
	struct drivedb_attribute *attribute = &drivedb->attributes[id];

	if (id == 0 || (is_word(only, "HDD") && medium != MEDIUM_ROTATING) ||
		(is_word(only, "SSD") && medium != MEDIUM_SOLID))
		return;
	set_format(format, attribute);
	if (name.len)
		attribute->name = name;
	attribute->own = own;
}

static struct bytes next_word(struct bytes *text)
{
	size_t start = 0, end;

	while (start < text->len && text->at[start] == ' ')
		start++;
	for (end = start; end < text->len && text->at[end] != ' ';)
		end++;
	struct bytes word = bytes_cut(*text, start, end - start);

	*text = bytes_cut(*text, end, SIZE_MAX);
	return word;
}

static void presets(struct lexer field, enum medium medium, bool own, struct drivedb *drivedb)
{
	while (next_token(&field) == TOKEN_STRING) {
		struct bytes text = field.string, word;

		while ((word = next_word(&text)).len)
			if (is_word(word, "-v"))
				preset(next_word(&text), medium, own, drivedb);
	}
}

static const char *family_name(struct lexer field, struct arena *arena)
{
	char text[PATTERN_MAX];
	size_t len = field_text(field, text);
	char *name = arena_alloc(arena, len + 1);

	memcpy(name, text, len);
	return name;
}

static struct bytes read_file(const char *path, struct arena *arena)
{
	struct bytes bytes = { 0 };
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return bytes;
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= FILE_MAX) {
		uint8_t *buffer = arena_alloc(arena, (size_t)status.st_size);
		ssize_t len = read(fd, buffer, (size_t)status.st_size);

		if (len > 0)
			bytes = (struct bytes) { buffer, (size_t)len };
	}
	close(fd);
	return bytes;
}

static struct bytes read_database(struct arena *arena, const char **path)
{
	static const char *const places[] = {
		"/var/lib/smartmontools/drivedb/drivedb.h",
		"/usr/share/smartmontools/drivedb.h",
	};
	struct bytes bytes = { 0 };

	*path = getenv("ASSAY_DRIVEDB");
	if (*path)
		return read_file(*path, arena);
	for (size_t i = 0; i < ARRAY_LEN(places) && !bytes.at; i++) {
		*path = places[i];
		bytes = read_file(*path, arena);
	}
	return bytes;
}

void drivedb_find(const char *model, const char *firmware, enum medium medium, struct arena *arena,
	struct drivedb *drivedb)
{
	struct entry entry;

	memset(drivedb, 0, sizeof(*drivedb));
	struct bytes text = read_database(arena, &drivedb->path);
	if (!text.at) {
		drivedb->path = NULL;
		return;
	}
	struct lexer lexer = { (const char *)text.at, (const char *)text.at + text.len, { 0 } };
	while (next_entry(&lexer, &entry)) {
		struct lexer family = entry.fields[FAMILY];

		if (begins_with(family, "DEFAULT"))
			presets(entry.fields[PRESETS], medium, false, drivedb);
		if (begins_with(family, "DEFAULT") || begins_with(family, "VERSION:") ||
			begins_with(family, "USB:") || begins_with(family, "$") ||
			!field_matches(entry.fields[MODEL], model, false) ||
			!field_matches(entry.fields[FIRMWARE], firmware, true))
			continue;
		drivedb->family = family_name(family, arena);
		presets(entry.fields[PRESETS], medium, true, drivedb);
		return;
	}
}
