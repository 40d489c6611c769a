#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../decoders/drivedb.h"

static char path[] = "/tmp/assay-test-drivedb-XXXXXX";
static struct arena *arena;
static struct drivedb found;

static void write_database(const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
	setenv("ASSAY_DRIVEDB", path, 1);
}

static const struct drivedb_attribute *find(
	const char *model, const char *firmware, enum medium medium, unsigned id)
{
	drivedb_find(model, firmware, medium, arena, &found);
	return &found.attributes[id];
}

static void assert_name(const struct drivedb_attribute *attribute, const char *want)
{
	assert_int_equal(attribute->name.len, strlen(want));
	assert_memory_equal(attribute->name.at, want, strlen(want));
}

/* The form of the real file, with comments wherever they may stand. */
static const char database[] =
	"/* { \"a comment\", \"x\" } */\n"
	"{ \"VERSION: 1\", \"-\", \"-\", \"about\", \"\" },\n"
	"{ \"DEFAULT\", \"-\", \"-\", \"defaults\",\n"
	"  \"-v 9,raw24(raw8),Hours \"\n"
	"  // \"-v 9,raw48,In_A_Comment \"\n"
	"  \"-v 190,tempminmax,Airflow \"\n"
	"  \"-v 177,raw48,Wear,SSD \"\n"
	"  \"-v 193,raw48,Loads,HDD \"\n"
	"},\n"
	"{ \"USB: a bridge\", \"DISK 1\", \"\", \"\", \"-d sat\" },\n"
	"{ \"$ignored\", \"DISK 1\", \"\", \"\", \"-v 9,raw48,Ignored \" },\n"
	"{ \"Old \\\"disks\\\"\", // tested with DISK 1\n"
	"  \"DISK (1|2)|\" // the first half\n"
	"  \"DISK\\\\.3\",\n"
	"  \"F[0-9]+\", \"a warning, with a comma and a { brace }\",\n"
	"  \"-v 9,minutes -F nologdir -v 241,raw48,Host_Writes_GiB \"\n"
	"  \"-v 198,raw48:012345,Turned -v 199,hex56:r543210zz,Too_Long \"\n"
	"},\n"
	"{ \"Any disk\", \"DISK.*\", \"\", \"\", \"-v 241,raw64,Total_LBAs_Written\" },\n";

static void the_first_entry_that_matches_counts(void **state)
{
	(void)state;
	write_database(database);
	const struct drivedb_attribute *attribute = find("DISK 2", "F12", MEDIUM_ROTATING, 241);

	assert_string_equal(found.family, "Old \"disks\"");
	assert_name(attribute, "Host_Writes_GiB");
	assert_true(attribute->own);
	assert_int_equal(attribute->format, RAW_48);
	find("DISK.3", "F12", MEDIUM_ROTATING, 241);
	assert_string_equal(found.family, "Old \"disks\"");
}

static void both_patterns_must_match_the_whole_string(void **state)
{
	(void)state;
	write_database(database);
	find("DISK 2", "G1", MEDIUM_ROTATING, 241);
	assert_string_equal(found.family, "Any disk");
	find("DISK 22", "F1", MEDIUM_ROTATING, 241);
	assert_string_equal(found.family, "Any disk");
	find("A DISK 2", "F1", MEDIUM_ROTATING, 241);
	assert_null(found.family);
}

static void an_entry_overrides_the_defaults_and_keeps_the_rest(void **state)
{
	(void)state;
	write_database(database);
	const struct drivedb_attribute *attribute = find("DISK 1", "F1", MEDIUM_UNKNOWN, 9);

	assert_int_equal(attribute->format, RAW_MINUTES);
	assert_name(attribute, "Hours");
	assert_true(attribute->own);
	attribute = find("DISK 1", "F1", MEDIUM_UNKNOWN, 190);
	assert_int_equal(attribute->format, RAW_TEMPERATURES);
	assert_false(attribute->own);
}

static void names_for_one_medium_hold_for_that_only(void **state)
{
	(void)state;
	write_database(database);
	assert_name(find("X", "", MEDIUM_SOLID, 177), "Wear");
	assert_int_equal(find("X", "", MEDIUM_SOLID, 193)->name.len, 0);
	assert_name(find("X", "", MEDIUM_ROTATING, 193), "Loads");
	assert_int_equal(find("X", "", MEDIUM_ROTATING, 177)->name.len, 0);
	assert_int_equal(find("X", "", MEDIUM_UNKNOWN, 177)->name.len, 0);
	assert_int_equal(find("X", "", MEDIUM_UNKNOWN, 193)->name.len, 0);
}

static void a_byte_order_is_kept_and_a_wrong_one_makes_the_format_unknown(void **state)
{
	(void)state;
	write_database(database);
	assert_string_equal(find("DISK 1", "F1", MEDIUM_UNKNOWN, 198)->order, "012345");
	assert_int_equal(find("DISK 1", "F1", MEDIUM_UNKNOWN, 199)->format, RAW_UNKNOWN);
	write_database("{ \"A\", \"A\", \"\", \"\", \"-v 1,raw48:99,Name\" }");
	assert_int_equal(find("A", "", MEDIUM_UNKNOWN, 1)->format, RAW_UNKNOWN);
}

static void no_database_is_no_error(void **state)
{
	(void)state;
	setenv("ASSAY_DRIVEDB", "/nonexistent/drivedb.h", 1);
	find("DISK 1", "F1", MEDIUM_UNKNOWN, 9);
	assert_null(found.path);
	assert_null(found.family);
	setenv("ASSAY_DRIVEDB", "/tmp", 1);
	find("DISK 1", "F1", MEDIUM_UNKNOWN, 9);
	assert_null(found.path);
}

static void every_beginning_of_a_database_can_be_read(void **state)
{
	char part[sizeof(database)];

	(void)state;
	for (size_t len = 0; len < sizeof(database); len++) {
		memcpy(part, database, len);
		part[len] = '\0';
		write_database(part);
		find("DISK 1", "F1", MEDIUM_UNKNOWN, 9);
	}
}

static void broken_databases_give_nothing_and_do_no_harm(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"}",
		"\"",
		"{{{{",
		"{,,,,}",
		"{ \"A\" }",
		"/*",
		"//",
		"{ \"A\", \"A\", \"\", \"\", \"-v\" }",
		"{ \"A\", \"A\", \"\", \"\", \"-v ,,,\" }",
		"{ \"A\", \"A\", \"\", \"\", \"-v 999,raw48,X -v 0,raw48,X -v 1a,raw48,X\" }",
		"{ \"A\", \"(((\", \"\", \"\", \"-v 1,raw48,X\" }",
		"{ \"A\", \"A\", \"\", \"\", \"-v 1,raw48,X\", \"a sixth\" }",
		"{ \"A\\",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		write_database(texts[i]);
		assert_int_equal(find("A", "F", MEDIUM_UNKNOWN, 1)->name.len, 0);
	}
}

static void a_pattern_that_is_too_long_matches_nothing(void **state)
{
	enum { LONG = 20000 };
	static char text[LONG + 64];

	(void)state;
	snprintf(
		text, sizeof(text), "{ \"A\", \"%0*d|A\", \"\", \"\", \"-v 1,raw48,X\" }", LONG, 0);
	write_database(text);
	find("A", "F", MEDIUM_UNKNOWN, 1);
	assert_null(found.family);
}

static int begin(void **state)
{
	(void)state;
	int fd = mkstemp(path);

	arena = arena_new();
	return fd < 0 || close(fd) != 0;
}

static int end(void **state)
{
	(void)state;
	arena_free(arena);
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_entry_that_matches_counts),
		cmocka_unit_test(both_patterns_must_match_the_whole_string),
		cmocka_unit_test(an_entry_overrides_the_defaults_and_keeps_the_rest),
		cmocka_unit_test(names_for_one_medium_hold_for_that_only),
		cmocka_unit_test(a_byte_order_is_kept_and_a_wrong_one_makes_the_format_unknown),
		cmocka_unit_test(no_database_is_no_error),
		cmocka_unit_test(every_beginning_of_a_database_can_be_read),
		cmocka_unit_test(broken_databases_give_nothing_and_do_no_harm),
		cmocka_unit_test(a_pattern_that_is_too_long_matches_nothing),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
