/*
 * The tables of all decoders: what a compiler cannot see of them. Reads the
 * folder decoders/, so it runs where that is.
 */
#include "drive.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>

static bool ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len >= end_len && !strcmp(text + len - end_len, end);
}

static bool is_lower_snake(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!islower((unsigned char)name[i]) && !isdigit((unsigned char)name[i]) &&
			name[i] != '_')
			return false;
	return len > 0 && name[0] != '_' && name[len - 1] != '_';
}

/* ---- Keys ---- */

/* How a key of that unit ends; the first is what unit_name() says, or short. */
static const struct {
	enum unit unit;
	const char *ends[4];
} unit_ends[] = {
	{ UNIT_BYTES, { "bytes", "bytes_per_year" } },
	{ UNIT_BLOCKS, { "blocks", "block_count", "block", "lba" } },
	{ UNIT_COUNT, { "count", "per_block" } },
	{ UNIT_HOURS, { "hours" } },
	{ UNIT_MINUTES, { "minutes" } },
	{ UNIT_SECONDS, { "seconds" } },
	{ UNIT_MILLISECONDS, { "_ms" } },
	{ UNIT_MICROSECONDS, { "_us" } },
	{ UNIT_DAYS, { "days", "days_left" } },
	{ UNIT_CELSIUS, { "celsius" } },
	{ UNIT_PERCENT, { "percent" } },
	{ UNIT_RATIO, { "ratio" } },
	{ UNIT_RPM, { "rpm" } },
	{ UNIT_GBPS, { "gbps" } },
	{ UNIT_MILLIWATTS, { "milliwatts" } },
	{ UNIT_DWPD, { "dwpd" } },
	{ UNIT_IOPS, { "iops" } },
	{ UNIT_BYTES_PER_SECOND, { "bytes_per_second" } },
};

static bool ends_in_unit(const char *name, size_t unit)
{
	for (size_t i = 0; i < 4 && unit_ends[unit].ends[i]; i++)
		if (ends_with(name, unit_ends[unit].ends[i]))
			return true;
	return false;
}

static void check_unit(const struct key *key)
{
	for (size_t i = 0; i < ARRAY_LEN(unit_ends); i++)
		if (unit_ends[i].unit == key->unit && !ends_in_unit(key->name, i))
			fail_msg(
				"%s does not end in its unit, %s", key->name, unit_name(key->unit));
	for (size_t i = 0; i < ARRAY_LEN(unit_ends); i++)
		if (key->unit == UNIT_NONE && unit_ends[i].unit != UNIT_BLOCKS &&
			ends_in_unit(key->name, i))
			fail_msg("%s ends in a unit that it does not have", key->name);
}

static void check_key(const struct decoder *decoder, const struct key *key)
{
	size_t topic = strlen(decoder->name);

	if (strncmp(key->name, decoder->name, topic) || key->name[topic] != '.')
		fail_msg("%s does not begin with %s.", key->name, decoder->name);
	const char *rest = key->name + topic + 1;

	if (!is_lower_snake(rest, strlen(rest)))
		fail_msg("%s is not in lower_snake", key->name);
	if (!key->label || !*key->label)
		fail_msg("%s has no label", key->name);
	if (decoder_key(key->name) != key)
		fail_msg("%s is there twice", key->name);
	if (decoder_of_key(key) != decoder)
		fail_msg("%s has another owner", key->name);
	check_unit(key);
}

static void keys_are_unique_and_named_for_topic_and_unit(void **state)
{
	size_t keys = 0;

	(void)state;
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->key_count; i++, keys++)
			check_key(decoders[d], &decoders[d]->keys[i]);
	assert_true(keys > 100);
	assert_null(decoder_key("usage"));
	assert_null(decoder_key("usage."));
	assert_null(decoder_key("no.such"));
}

/* ---- Layouts ---- */

static size_t size_of(struct page_id id)
{
	enum { SECTOR = 512, PARAMETER = 4 + 255, LONGEST = 4 + 0xffff };

	if (page_is_ata(id))
		return SECTOR;
	switch (id.kind) {
	case PAGE_LOG:
		return PARAMETER;
	case PAGE_INQUIRY:
		return 5 + 255;
	case PAGE_READ_CAPACITY_10:
		return 8;
	case PAGE_READ_CAPACITY_16:
		return 32;
	default:
		return LONGEST;
	}
}

static bool is_number(const struct field *field)
{
	return field->format != FORMAT_TEXT && field->format != FORMAT_ATA_TEXT;
}

static unsigned bits_of(const struct field *field)
{
	return field->bits ? field->bits : field->width * 8u - field->low_bit;
}

static void check_words(const struct field *field)
{
	if ((field->format == FORMAT_ENUM) != (field->words != NULL))
		fail_msg("%s: words and format do not go together", field->key);
	for (const struct word *a = field->words; a && a->word; a++)
		for (const struct word *b = a + 1; b->word; b++)
			if (a->value == b->value)
				fail_msg("%s: two words for %u", field->key, a->value);
}

static void check_conditions(const struct field *field, size_t size)
{
	for (const struct condition *when = field->when; when && when->width; when++) {
		if (when->at + when->width > size || when->width > 8)
			fail_msg("%s: a condition beyond the page", field->key);
		if (when->equals & ~when->mask || !when->mask)
			fail_msg("%s: a condition that never holds", field->key);
	}
}

static void check_field(const struct field *field, struct page_id id)
{
	size_t size = size_of(id);
	bool whole = id.kind == PAGE_LOG || !is_number(field);

	if (!decoder_key(field->key))
		fail_msg("%s is no key", field->key);
	if (field->at + (field->width ? field->width : 1u) > size)
		fail_msg("%s: at %u, beyond its page", field->key, field->at);
	if (field->width == 0 && !whole)
		fail_msg("%s has no width", field->key);
	if (is_number(field) && field->width > 8)
		fail_msg("%s: %u bytes are no number", field->key, field->width);
	if (is_number(field) && field->width &&
		(bits_of(field) == 0 || field->low_bit + bits_of(field) > field->width * 8u))
		fail_msg("%s: bits beyond its bytes", field->key);
	if (!is_number(field) && (field->bits || field->low_bit || field->unknown))
		fail_msg("%s: a text has no bits", field->key);
	if ((field->multiply || field->divide) && field->format != FORMAT_UINT &&
		field->format != FORMAT_SINT && field->format != FORMAT_WHOLE)
		fail_msg("%s: not to be scaled", field->key);
	if (field->format == FORMAT_WHOLE && field->divide < 2)
		fail_msg("%s: nothing to divide by", field->key);
	if (id.kind == PAGE_LOG && field->at < 4)
		fail_msg("%s: in the header of its parameter", field->key);
	check_words(field);
	check_conditions(field, size);
}

static void check_layout(const struct layout *layout)
{
	unsigned last = 0;

	assert_true(layout->field_count > 0);
	for (size_t i = 0; i < layout->field_count; i++) {
		const struct field *field = &layout->fields[i];

		check_field(field, layout->page);
		if (field->at < last)
			fail_msg("%s: not in the order of the page", field->key);
		last = field->at;
	}
}

static void fields_are_inside_their_page_and_in_its_order(void **state)
{
	size_t layouts = 0;

	(void)state;
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->layout_count; i++, layouts++)
			check_layout(&decoders[d]->layouts[i]);
	assert_true(layouts > 20);
}

static bool overlap(const struct field *a, const struct field *b)
{
	unsigned a_first = a->at * 8u + a->low_bit, b_first = b->at * 8u + b->low_bit;

	return a_first < b_first + bits_of(b) && b_first < a_first + bits_of(a);
}

static bool same_place(const struct layout *a, const struct layout *b)
{
	return page_same(a->page, b->page) && a->parameter == b->parameter;
}

static void check_claims(const struct layout *a, const struct layout *b)
{
	for (size_t i = 0; i < a->field_count && same_place(a, b); i++)
		for (size_t j = 0; j < b->field_count; j++) {
			const struct field *x = &a->fields[i], *y = &b->fields[j];

			if (x != y && !strcmp(x->key, y->key) && x->when == y->when &&
				overlap(x, y))
				fail_msg("%s claims bits twice", x->key);
		}
}

static void no_key_claims_a_bit_twice(void **state)
{
	(void)state;
	for (size_t c = 0; decoders[c]; c++)
		for (size_t d = 0; decoders[d]; d++)
			for (size_t i = 0; i < decoders[c]->layout_count; i++)
				for (size_t j = 0; j < decoders[d]->layout_count; j++)
					check_claims(
						&decoders[c]->layouts[i], &decoders[d]->layouts[j]);
}

/* ---- Tables of rows ---- */

static void check_columns(const struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		const char *name = table->columns[i].name;

		if (!is_lower_snake(name, strlen(name)))
			fail_msg("%s: column %s is not in lower_snake", table->name, name);
		for (size_t j = 0; j < i; j++)
			if (!strcmp(name, table->columns[j].name))
				fail_msg("%s: column %s is there twice", table->name, name);
	}
}

static void check_table(const struct decoder *decoder, const struct table *table)
{
	if (!is_lower_snake(table->name, strlen(table->name)))
		fail_msg("table %s is not in lower_snake", table->name);
	if (!table->label || !table->column_count)
		fail_msg("table %s has no label or no columns", table->name);
	if (decoder_of_table(table) != decoder)
		fail_msg("table %s has another owner", table->name);
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->table_count; i++)
			if (decoders[d]->tables[i] != table &&
				!strcmp(decoders[d]->tables[i]->name, table->name))
				fail_msg("table %s is there twice", table->name);
	check_columns(table);
}

static void tables_and_their_columns_are_unique(void **state)
{
	size_t tables = 0;

	(void)state;
	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->table_count; i++, tables++)
			check_table(decoders[d], decoders[d]->tables[i]);
	assert_true(tables > 10);
}

/* ---- Sources ---- */

static char *source_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 1 << 18);

	assert_non_null(file);
	assert_in_range(fread(text, 1, (1 << 18) - 1, file), 1, (1 << 18) - 2);
	fclose(file);
	return text;
}

static const struct decoder *registered(const char *name)
{
	for (size_t d = 0; decoders[d]; d++)
		if (!strcmp(decoders[d]->name, name))
			return decoders[d];
	return NULL;
}

/* What follows `const struct decoder decoder_`, up to a blank: true for a
 * definition. */
static bool defines_decoder(const char *text, char *name, size_t size)
{
	static const char start[] = "\nconst struct decoder decoder_";
	const char *at = strstr(text, start);
	size_t len = 0;

	if (!at)
		return false;
	for (at += strlen(start); *at != ' ' && len + 1 < size; at++)
		name[len++] = *at;
	name[len] = '\0';
	return true;
}

/* How many decoders the files of that pattern define, all of which are registered. */
static size_t defined_in(const char *pattern, const char *path_format)
{
	glob_t found;
	size_t defined = 0;

	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *text = source_read(found.gl_pathv[i]), name[64], path[80];

		if (defines_decoder(text, name, sizeof(name))) {
			snprintf(path, sizeof(path), path_format, name);
			assert_string_equal(path, found.gl_pathv[i]);
			if (!registered(name))
				fail_msg("%s is not in the registry", name);
			defined++;
		}
		free(text);
	}
	globfree(&found);
	return defined;
}

/* Measurements and the history are topics, too: they stand beside what makes them. */
static void every_file_that_defines_a_decoder_is_registered(void **state)
{
	size_t count = 0,
	       defined = defined_in("decoders/*.c", "decoders/%s.c") +
		defined_in("src/measure/topic.c", "src/measure/topic.c") +
		defined_in("src/measure/power_topic.c", "src/measure/power_topic.c") +
		defined_in("src/history/tables.c", "src/history/tables.c");

	(void)state;
	while (decoders[count])
		count++;
	assert_int_equal(defined, count);
}

/* A literal of a source that is shaped like a key: a topic, a dot, a name. */
static bool is_key_literal(const char *literal, size_t len, char *name, size_t size)
{
	const char *dot = memchr(literal, '.', len);
	size_t topic = dot ? (size_t)(dot - literal) : 0;

	if (!dot || len >= size)
		return false;
	memcpy(name, literal, len);
	name[topic] = '\0';
	bool is_topic = registered(name);

	name[len] = '\0';
	name[topic] = '.';
	return is_topic && is_lower_snake(dot + 1, len - topic - 1);
}

static void check_literals(const char *path, const char *text)
{
	char name[96];

	for (const char *at = strchr(text, '"'); at; at = strchr(at, '"')) {
		size_t len = strcspn(++at, "\"\n");

		if (at[len] == '"' && at[len + 1] != '.' &&
			is_key_literal(at, len, name, sizeof(name)) && !decoder_key(name) &&
			!ends_with(name, ".h"))
			fail_msg("%s: %s is no key", path, name);
		at += len + (at[len] == '"');
	}
}

static void every_key_that_a_source_names_exists(void **state)
{
	static const char *const patterns[] = { "decoders/*.c", "src/measure/topic.c",
		"src/judge/rules.c" };

	(void)state;
	for (size_t p = 0; p < ARRAY_LEN(patterns); p++) {
		glob_t found;

		if (glob(patterns[p], 0, NULL, &found))
			continue;
		for (size_t i = 0; i < found.gl_pathc; i++) {
			char *text = source_read(found.gl_pathv[i]);

			check_literals(found.gl_pathv[i], text);
			free(text);
		}
		globfree(&found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_are_unique_and_named_for_topic_and_unit),
		cmocka_unit_test(fields_are_inside_their_page_and_in_its_order),
		cmocka_unit_test(no_key_claims_a_bit_twice),
		cmocka_unit_test(tables_and_their_columns_are_unique),
		cmocka_unit_test(every_file_that_defines_a_decoder_is_registered),
		cmocka_unit_test(every_key_that_a_source_names_exists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
