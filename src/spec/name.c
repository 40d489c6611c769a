#include "spec/name.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void name_plain(const char *name, char *plain, size_t size)
{
	size_t len = 0;

	for (; *name && len + 1 < size; name++)
		if (*name != ' ' || (len && plain[len - 1] != ' '))
			plain[len++] = *name;
	if (len && plain[len - 1] == ' ')
		len--;
	plain[len] = '\0';
}

const char *name_without_maker(const struct spec_sheet *sheet, const char *plain)
{
	for (size_t i = 0; i < sheet->name_count; i++) {
		size_t len = strlen(sheet->names[i]);

		if (!strncasecmp(plain, sheet->names[i], len) && plain[len] == ' ')
			return plain + len + 1;
	}
	return plain;
}

bool name_matches(const char *regex, const char *literal, const char *name, bool loose)
{
	char whole[512];
	regex_t compiled;

	if (loose ? !strcasestr(name, literal) : !strstr(name, literal))
		return false;
	if (snprintf(whole, sizeof(whole), "^(%s)$", regex) >= (int)sizeof(whole))
		return false;
	if (regcomp(&compiled, whole, REG_EXTENDED | REG_NOSUB | (loose ? REG_ICASE : 0)))
		return false;
	bool matches = regexec(&compiled, name, 0, NULL, 0) == 0;
	regfree(&compiled);
	return matches;
}

bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}
