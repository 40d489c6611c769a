#include "test.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "assay/spec.h"

static struct spec_library library;

static int load(void **state)
{
	(void)state;
	spec_library_init(&library);
	spec_load_folder(&library, "data/specs", SPEC_CHECKED);
	return library.sheet_count ? 0 : -1;
}

static int unload(void **state)
{
	(void)state;
	spec_library_deinit(&library);
	return 0;
}

static void every_sheet_of_the_library_loads(void **state)
{
	size_t families = 0, models = 0;
	(void)state;

	for (size_t i = 0; i < library.problem_count; i++)
		print_message("%s: %s: %s\n", library.problems[i].file, library.problems[i].path,
			library.problems[i].text);
	assert_int_equal(library.problem_count, 0);
	for (size_t i = 0; i < library.sheet_count; i++) {
		families += library.sheets[i]->family ? 1 : 0;
		models += library.sheets[i]->model_count;
	}
	print_message("%zu families, %zu models\n", families, models);
	assert_true(families >= 150);
	assert_true(models >= 750);
}

static void every_sheet_of_the_library_lints_clean(void **state)
{
	struct findings findings;
	size_t bad = 0;
	(void)state;

	findings_init(&findings);
	for (size_t i = 0; i < library.sheet_count; i++)
		spec_lint(&library, library.sheets[i], &findings);
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.findings[i];

		if (finding->level == FINDING_NOTE || finding->acknowledged)
			continue;
		bad++;
		print_message("%s: %s: %s: %s\n", finding->file, finding->path, finding->code,
			finding->text);
	}
	assert_int_equal(bad, 0);
	findings_deinit(&findings);
}

/* What the founding reviews got wrong, as printed: file, code, place, and a
 * part of the arithmetic. */
static const struct {
	const char *file, *code, *path, *text;
} slips[] = {
	{ "cloudspeed-eco", "conflict", "claims.performance.sequential_read_bytes_per_second[1]",
		"475 MB/s (English review, text) and 450 MB/s" },
	{ "cloudspeed-eco", "conflict", "claims.performance.sequential_write_bytes_per_second[1]",
		"450 MB/s" },
	{ "cloudspeed-eco", "bit-error-notation",
		"claims.reliability.unrecoverable_bit_error_rate[0]", "1e-17 was meant" },
	{ "cloudspeed-eco", "bit-error-notation",
		"claims.reliability.unrecoverable_bit_error_rate[1]", "10^17" },
	{ "cloudspeed-eco", "mtbf-below-life", "claims.reliability.mtbf_hours[1]",
		"20000 h / 8760 = 2.3 years" },
	{ "cloudspeed-eco", "no-block-size", "claims.performance.random_read_iops[0]",
		"factor of 8" },
	{ "cloudspeed-eco", "outstanding-arithmetic", "claims.performance.random_read_iops[1]",
		"at 256 the latency is 4.276 ms" },
	{ "cloudspeed-eco", "outstanding-arithmetic", "claims.performance.random_mixed_iops[0]",
		"the latency is 10.61 ms" },
	{ "cloudspeed-eco", "other-subject", "claims.performance.random_mixed_iops[1]",
		"Toshiba HK3R2" },
	{ "lightning", "vocabulary", "claims.link.max_gbps", "swapped" },
	{ "lightning", "vocabulary", "claims.identity.form_factor", "swapped" },
	{ "lightning", "vocabulary", "claims.media.type", "406 nm" },
	{ "lightning", "bit-error-notation", "claims.reliability.unrecoverable_bit_error_rate",
		"1e-17" },
	{ "lightning", "mtbf-below-life", "claims.reliability.mtbf_hours",
		"less than the service life of 5.0 years" },
	{ "lightning", "media-arithmetic", "models[0].claims.media.packages", "8 x 4 GB = 32 GB" },
	{ "lightning", "two-labels", "models[0].claims.performance.random_mixed_iops[0]",
		"39000 IOPS" },
	{ "lightning", "binary-unit",
		"models[0].claims.performance.sequential_read_bytes_per_second[1]",
		"x 1.048576 = 433.9 MB/s" },
	{ "lightning", "watt-arithmetic", "models[0].claims.performance.random_write_iops[1]",
		"19220 IOPS / 8.3 W = 2316 IOPS/W" },
	{ "lightning", "no-block-size", "models[0].claims.performance.random_read_iops", "120000" },
	{ "lightning", "falls-with-capacity",
		"models[1].claims.performance.sequential_read_bytes_per_second", "370 MB/s" },
	{ "lightning", "conflict",
		"models[0].claims.performance.sequential_read_bytes_per_second[2]", "406 MB/s" },
	{ "lightning", "vocabulary", "models[0].claims.performance.random_mixed_iops[1]",
		"accesses of 20 KiB" },
	{ "lightning", "name-is-number", "models[3]", "P38,481" },
	{ "lightning", "name-is-number", "models[4]", "MKx16,385GRZB" },
	{ "ssd800mm", "part-number-capacity", "models[0]", "say 800 GB, the sheet says 200 GB" },
	{ "ssd800mm", "part-number-capacity", "models[2]", "say 200 GB, the sheet says 800 GB" },
	{ "ssd800mm", "part-number-order", "models", "in the wrong rows" },
	{ "ssd800mm", "endurance-sibling", "models[0].claims.endurance.rated_written_bytes",
		"25 DWPD x 5 years, the rating of Ultrastar SSD800MH:" },
	{ "ssd800mm", "endurance-sibling", "models[1].claims.endurance.rated_written_bytes",
		"10 DWPD x 0.4 TB x 365 x 5 years = 7300 TB, but 18.3 PB" },
	{ "ssd800mm", "endurance-sibling", "models[2].claims.endurance.rated_written_bytes[1]",
		"36.5 PB" },
	{ "ssd800mm", "conflict", "models[2].claims.endurance.rated_written_bytes[1]", "14.6 PB" },
	{ "ssd800mm", "conflict", "claims.warranty.years[1]", "5 years" },
	{ "ssd800mm", "warranty-arithmetic", "claims.warranty.years[1]", "3 years does not" },
	{ "ssd800mm", "listed-twice", "claims.link.compatible_gbps", "12 stands twice" },
	{ "ssd800mm", "link-limit", "claims.performance.random_read_iops", "593.9 MB/s is 99 %" },
	{ "ssd800mm", "outstanding-arithmetic", "claims.performance.random_write_iops[1]",
		"28700 IOPS" },
	{ "ssd800mm", "media-arithmetic", "models[1].claims.media.packages", "18 x 32 GB = 576" },
	{ "ssd800mm", "other-subject", "claims.performance.sequential_write_bytes_per_second",
		"SSD80MM" },
};

static bool has(const struct findings *findings, size_t slip)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct finding *finding = &findings->findings[i];

		if (strstr(finding->file, slips[slip].file) &&
			!strcmp(finding->code, slips[slip].code) &&
			!strcmp(finding->path, slips[slip].path) &&
			strstr(finding->text, slips[slip].text))
			return true;
	}
	return false;
}

static void every_slip_of_the_founding_reviews_is_found(void **state)
{
	static const char *const files[] = { "cloudspeed-eco", "lightning", "ssd800mm" };
	struct findings findings;
	char path[64];
	(void)state;

	findings_init(&findings);
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		snprintf(path, sizeof(path), "tests/spec/slips/%s.json", files[i]);
		const struct spec_sheet *sheet = spec_load(&library, path, SPEC_CHECKED);

		assert_non_null(sheet);
		spec_lint(&library, sheet, &findings);
	}
	assert_int_equal(library.problem_count, 0);
	for (size_t i = 0; i < ARRAY_LEN(slips); i++)
		if (!has(&findings, i))
			fail_msg("%s: %s at %s (%s) was not found", slips[i].file, slips[i].code,
				slips[i].path, slips[i].text);
	findings_deinit(&findings);
}

/* One sheet, one claim that is wrong, one finding. */
static const struct {
	const char *claims, *model, *code, *text;
} wrong[] = {
	{ "\"temperature.operating_celsius\": \"70..0 C\"", "", "range-swapped", "swapped" },
	{ "\"power.idle_milliwatts\": \"9 W\", \"power.active_milliwatts\": \"5 W\"", "",
		"power-order", "above" },
	{ "\"reliability.mtbf_hours\": \"200000 hours\"", "", "mtbf-range", "factor" },
	{ "\"performance.random_mixed_iops\": {\"is\": \"9000 IOPS\", \"at\": {\"block\": \"20 "
	  "KiB\", \"read_percent\": 80}}",
		"", "vocabulary", "accesses of 20 KiB" },
	{ "\"physical.height_mm\": \"6 mm\"", "", "vocabulary", "usual heights" },
	{ "", ", \"claims\": {\"media.raw_bytes\": \"300 GB\"}", "media-arithmetic", "-25 %" },
	{ "", ", \"claims\": {\"media.raw_bytes\": \"2000 GB\"}", "media-arithmetic",
		"400 % over-provisioning" },
	{ "\"reliability.unrecoverable_bit_error_rate\": \"1e-9\"", "", "bit-error-notation",
		"power of ten" },
	{ "\"link.max_gbps\": \"6 Gbit/s\", \"performance.sequential_read_bytes_per_second\": "
	  "\"700 MB/s\"",
		"", "above-link", "600 MB/s" },
	{ "\"endurance.rated_dwpd\": \"1 DWPD\", \"warranty.years\": \"5 years\", "
	  "\"endurance.rated_written_bytes\": \"100 TB\"",
		"", "endurance-arithmetic", "x 0.14" },
	{ "\"endurance.rated_dwpd\": \"1 DWPD\", \"warranty.years\": \"5 years\", "
	  "\"endurance.rated_written_bytes\": \"900 TB\"",
		"", "endurance-floor", "floor" },
	{ "\"endurance.rated_dwpd\": {\"is\": \"1 DWPD\", \"as\": \"nominal\"}, "
	  "\"warranty.years\": \"5 years\", \"endurance.rated_written_bytes\": \"100 TB\"",
		"", "endurance-family", "of the family" },
	{ "", ", \"bytes\": 300000000000", "capacity-arithmetic", "75.0 % of 400 GB" },
	{ "", ", \"bytes\": 429496729600", "capacity-arithmetic", "GiB printed as GB" },
	{ "", ", \"bytes\": 400088457728", "capacity-rule", "1 sectors off" },
	{ "", ", \"match\": \"LB[ _]?406S.*\"", "pattern-overlap", "Lightning SLC" },
	{ "\"performance.random_read_iops\": [{\"is\": \"503 IOPS\", \"at\": {\"block\": \"4 "
	  "KiB\"}}, "
	  "{\"is\": \"480 IOPS\", \"at\": {\"block\": \"4 KiB\"}}]",
		"", "conflict", "1.0486" },
};

static void what_contradicts_itself_is_found_with_its_arithmetic(void **state)
{
	struct findings findings;
	char json[1024];
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		snprintf(json, sizeof(json),
			"{\"schema\": \"assay-spec/1\", \"vendor\": \"Nobody\", \"family\": "
			"\"Nothing %zu\", \"claims\": {%s}, \"models\": [{\"name\": \"NN%zu\", "
			"\"capacity\": \"400 GB\"%s}]}",
			i, wrong[i].claims, i, wrong[i].model);
		struct spec_sheet *sheet = spec_load_text(
			&library, "nothing.json", json, strlen(json), SPEC_CHECKED);
		findings_init(&findings);
		spec_lint(&library, sheet, &findings);
		if (findings.count != 1 || strcmp(findings.findings[0].code, wrong[i].code) != 0 ||
			!strstr(findings.findings[0].text, wrong[i].text))
			fail_msg("%s: %zu findings, first %s: %s", json, findings.count,
				findings.count ? findings.findings[0].code : "",
				findings.count ? findings.findings[0].text : "");
		findings_deinit(&findings);
	}
}

static void a_known_misprint_is_left_alone_and_an_acknowledged_finding_says_why(void **state)
{
	static const char json[] =
		"{\"schema\": \"assay-spec/1\", \"vendor\": \"Nobody\", \"family\": \"Nothing at "
		"all\", "
		"\"claims\": {\"temperature.operating_celsius\": [\"0..60 C\", {\"is\": \"70..0 "
		"C\", "
		"\"as\": \"misprint\"}], \"reliability.mtbf_hours\": \"200000 hours\"}, "
		"\"acknowledged\": {\"mtbf-range\": \"an old drive\"}, \"models\": []}";
	struct findings findings;
	(void)state;

	struct spec_sheet *sheet = spec_load_text(
		&library, "all.json", json, sizeof(json) - 1, SPEC_CHECKED);
	findings_init(&findings);
	spec_lint(&library, sheet, &findings);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.findings[0].acknowledged, "an old drive");
	findings_deinit(&findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sheet_of_the_library_loads),
		cmocka_unit_test(every_sheet_of_the_library_lints_clean),
		cmocka_unit_test(every_slip_of_the_founding_reviews_is_found),
		cmocka_unit_test(what_contradicts_itself_is_found_with_its_arithmetic),
		cmocka_unit_test(
			a_known_misprint_is_left_alone_and_an_acknowledged_finding_says_why),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
