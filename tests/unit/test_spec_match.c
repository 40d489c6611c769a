#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/spec.h"

static struct spec_library library;

static int load(void **state)
{
	(void)state;
	spec_library_init(&library);
	return spec_load_folder(&library, "data/specs", SPEC_NAMES) ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	spec_library_deinit(&library);
	return 0;
}

static const struct {
	const char *vendor, *model;
	uint64_t bytes;
	const char *family, *name; /* name NULL: the family alone; family NULL: none */
} cases[] = {
	{ "HGST", "HUSMM8080ASS200", 800166076416, "Ultrastar SSD800MM", "HUSMM8080ASS200" },
	{ "HGST", "HUSMH8080BSS204", 0, "Ultrastar SSD800MH.B", "HUSMH8080BSS20x" },
	{ "SanDisk", "LB406S", 0, "Lightning SLC (Pliant)", "LB 406S" },
	{ "Pliant", "LB 406M  ", 0, "Lightning MLC (Pliant)", "LB 406M" },
	{ "ATA", "SDLFNCAR-960G-1HA1", 0, "CloudSpeed Eco (gen 1)", "SDLFNCAR-960G-1HA1" },
	{ "ATA", "SDLFNDAR240G1HA1", 0, "CloudSpeed Eco (gen 1)", "SDLFNDAR-240G-1HA1" },
	{ "", "SanDisk SDSSDHP256G", 256059432448, "Ultra Plus", "SDSSDHP256G" },
	{ "", "INTEL SSDSC2BA400G3", 0, "DC S3700", "INTEL SSDSC2BA400G3" },
	{ "", "SSDSC2BA400G3T", 0, "DC S3700", "INTEL SSDSC2BA400G3" },
	{ "", "SSDSC2BA400G3I       00AJ162 00AJ165IBM", 400088457216, "DC S3700",
		"INTEL SSDSC2BA400G3" },
	{ "", "OCZ-VECTOR", 256060514304, "Vector", "OCZ-VECTOR 256" },
	{ "", "OCZ-VECTOR", 0, "Vector", NULL },
	{ "", "WDC  WUH721818ALE6L4", 0, "Ultrastar DC HC550", "WUH721818ALE6L" },
	{ "SMART", "OPTIMUS ECO", 800166076416, "Optimus Eco", "Optimus Eco 800" },
	{ "", "SAMSUNG MZ7L3480HBLT-00A07", 0, "PM897", "MZ7L3480HBLT" },
	{ "", "SAMSUNG MZ7L3480HCHQ-00A07", 0, "PM893", "MZ7L3480" },
	{ "", "Samsung SSD 845DC", 0, NULL, NULL },
	{ "", "SDLFNCAR-960G-1HA12", 0, NULL, NULL },
	{ "", "XSDLFNCAR-960G-1HA1", 0, NULL, NULL },
	{ "", "", 0, NULL, NULL },
};

static void a_drive_is_told_by_its_name_and_size(void **state)
{
	struct spec_matches matches;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct spec_subject subject = { cases[i].vendor, cases[i].model, cases[i].bytes };

		spec_match(&library, &subject, &matches);
		if (matches.count != (cases[i].family ? 1 : 0))
			fail_msg("%s: %zu matches: %s", cases[i].model, matches.count,
				matches.reason);
		if (!cases[i].family)
			continue;
		assert_string_equal(matches.matches[0].sheet->family, cases[i].family);
		if (!cases[i].name)
			assert_null(matches.matches[0].model);
		else if (!strstr(matches.matches[0].model->name, cases[i].name))
			fail_msg("%s: %s", cases[i].model, matches.matches[0].model->name);
		assert_false(matches.matches[0].is_respelt);
	}
}

static void a_name_in_the_wrong_case_is_matched_and_said_to_be(void **state)
{
	struct spec_matches matches;
	struct spec_subject subject = { "", "husmm8080ass200", 0 };
	(void)state;

	spec_match(&library, &subject, &matches);
	assert_int_equal(matches.count, 1);
	assert_true(matches.matches[0].is_respelt);
}

static void two_families_with_one_pattern_stay_ambiguous(void **state)
{
	static const char *const sheets[] = {
		"{\"schema\":\"assay-spec/"
		"1\",\"vendor\":\"V\",\"family\":\"F\",\"models\":[{\"name\":"
		"\"AB1\",\"match\":\"AB[0-9]\",\"capacity\":\"960 GB\"}]}",
		"{\"schema\":\"assay-spec/"
		"1\",\"vendor\":\"V\",\"family\":\"G\",\"models\":[{\"name\":"
		"\"AB2\",\"match\":\"AB[12]\",\"capacity\":\"480 GB\"}]}",
	};
	struct spec_library two;
	struct spec_matches matches;
	struct spec_subject subject = { "", "AB1", 0 };
	(void)state;

	spec_library_init(&two);
	for (size_t i = 0; i < 2; i++)
		spec_load_text(
			&two, i ? "b.json" : "a.json", sheets[i], strlen(sheets[i]), SPEC_CHECKED);
	spec_match(&two, &subject, &matches);
	assert_int_equal(matches.count, 2);
	subject.bytes = 480103981056;
	spec_match(&two, &subject, &matches);
	assert_int_equal(matches.count, 1);
	assert_string_equal(matches.matches[0].sheet->family, "G");
	spec_library_deinit(&two);
}

struct decoded {
	double capacity;
	char encryption[64];
};

static void take(void *context, const struct part_digits *digits)
{
	struct decoded *decoded = context;

	if (digits->claim && !strcmp(digits->claim->key->name, "capacity.bytes"))
		decoded->capacity = digits->claim->quantity.low.value;
	if (digits->claim && !strcmp(digits->claim->key->name, "security.encryption"))
		snprintf(decoded->encryption, sizeof(decoded->encryption), "%s", digits->meaning);
}

static void a_part_number_says_its_capacity(void **state)
{
	static const struct {
		const char *model;
		double gigabytes;
		const char *encryption;
	} parts[] = {
		{ "HUSMM8080ASS201", 800, "TCG" },
		{ "HUSMM8010ASS200", 0, "crypto sanitize" },
		{ "HUSMR1610ASS204", 1000, "none" },
		{ "HUSMM1680ASS205", 800, "TCG and FIPS 140" },
		{ "HGST HUH721212ALE604", 12000, "" },
		{ "INTEL SSDSC2KB019T8", 1920, "" },
		{ "SAMSUNG MZ7KM1T9HAJM-00005", 1920, "" },
		{ "MZILT15THALA/007", 15360, "" },
		{ "Micron_5100_MTFDDAK960TCB", 960, "" },
		{ "PX02SMF040", 400, "" },
		{ "KPM5XRUG3T84", 3840, "none" },
		{ "ST16000NM001G-2KK103", 16000, "" },
		{ "CT1000MX500SSD1", 1000, "" },
		{ "LB 806M", 800, "" },
		{ "SDLF1CRR019T-1HHS", 1920, "" },
	};
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct decoded decoded = { 0 };

		if (!spec_decode(&library, parts[i].model, take, &decoded))
			fail_msg("%s: no rule", parts[i].model);
		if (decoded.capacity != parts[i].gigabytes * 1e9)
			fail_msg("%s: %g", parts[i].model, decoded.capacity);
		assert_string_equal(decoded.encryption, parts[i].encryption);
	}
}

/* Model strings of real drives with their sizes, outside of this repository. */
static const char observed_file[] = "../shared/facts/observed.tsv";

static void count_observed(char *line, size_t *matched, size_t *exact, size_t *unsure)
{
	char *rest = line, *model = strsep(&rest, "\t");
	struct spec_matches matches;
	struct spec_subject subject = { .vendor = "", .model = model };

	strsep(&rest, "\t");
	subject.bytes = strtoull(rest, NULL, 10);
	spec_match(&library, &subject, &matches);
	if (!matches.count)
		return;
	(*matched)++;
	const struct spec_model *found = matches.matches[0].model;
	if (matches.count > 1 || !found) {
		(*unsure)++;
		print_message("%s: cannot be told: %s\n", model, matches.reason);
		return;
	}
	for (size_t i = 0; i < found->size_count; i++)
		if (found->sizes[i] == subject.bytes) {
			(*exact)++;
			return;
		}
	print_message(
		"%s: %llu bytes, but %s\n", model, (unsigned long long)subject.bytes, found->name);
}

static void observed_drives_get_the_sheet_of_their_size(void **state)
{
	FILE *file = fopen(observed_file, "r");
	char line[4096];
	size_t total = 0, matched = 0, exact = 0, unsure = 0;
	(void)state;

	if (!file) {
		print_message("SKIPPED: %s is not there\n", observed_file);
		skip();
	}
	assert_non_null(fgets(line, sizeof(line), file));
	while (fgets(line, sizeof(line), file)) {
		total++;
		count_observed(line, &matched, &exact, &unsure);
	}
	fclose(file);
	print_message("%zu model strings, %zu matched, %zu of exactly that size, %zu unsure\n",
		total, matched, exact, unsure);
	assert_int_equal(unsure, 0);
	assert_int_equal(exact, matched);
	assert_true(matched >= 560);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_drive_is_told_by_its_name_and_size),
		cmocka_unit_test(a_name_in_the_wrong_case_is_matched_and_said_to_be),
		cmocka_unit_test(two_families_with_one_pattern_stay_ambiguous),
		cmocka_unit_test(a_part_number_says_its_capacity),
		cmocka_unit_test(observed_drives_get_the_sheet_of_their_size),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
