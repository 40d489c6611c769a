#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/render.h"
#include "render/text_clean.h"

static void values_read_as_people_say_them(void **state)
{
	static const struct {
		struct value value;
		enum unit unit;
		const char *want;
	} cases[] = {
		{ { .kind = VALUE_NULL }, UNIT_BYTES, "-" },
		{ { .kind = VALUE_FLAG, .flag = true }, UNIT_NONE, "yes" },
		{ { .kind = VALUE_UINT, .uint = 0 }, UNIT_COUNT, "0" },
		{ { .kind = VALUE_UINT, .uint = 999 }, UNIT_COUNT, "999" },
		{ { .kind = VALUE_UINT, .uint = 1234567 }, UNIT_COUNT, "1,234,567" },
		{ { .kind = VALUE_UINT, .uint = UINT64_MAX }, UNIT_COUNT,
			"18,446,744,073,709,551,615" },
		{ { .kind = VALUE_UINT, .uint = 512 }, UNIT_BYTES, "512 bytes" },
		{ { .kind = VALUE_UINT, .uint = 960197124096 }, UNIT_BYTES,
			"960.2 GB (960,197,124,096 bytes)" },
		{ { .kind = VALUE_UINT, .uint = 999999 }, UNIT_BYTES, "1.00 MB (999,999 bytes)" },
		{ { .kind = VALUE_UINT, .uint = 14600000000000000 }, UNIT_BYTES,
			"14.6 PB (14,600,000,000,000,000 bytes)" },
		{ { .kind = VALUE_INT, .sint = -5 }, UNIT_CELSIUS, "-5 °C" },
		{ { .kind = VALUE_UINT, .uint = 40 }, UNIT_HOURS, "40 h" },
		{ { .kind = VALUE_UINT, .uint = 8766 }, UNIT_HOURS, "8,766 h (1.0 years)" },
		{ { .kind = VALUE_UINT, .uint = 200000 }, UNIT_MICROSECONDS, "200 ms" },
		{ { .kind = VALUE_REAL, .real = 1.234 }, UNIT_RATIO, "1.23" },
		{ { .kind = VALUE_REAL, .real = 6 }, UNIT_GBPS, "6 Gbit/s" },
		{ { .kind = VALUE_REAL, .real = 12 }, UNIT_GBPS, "12 Gbit/s" },
		{ { .kind = VALUE_REAL, .real = 98.25 }, UNIT_PERCENT, "98.25 %" },
		{ { .kind = VALUE_UINT, .uint = 0 }, UNIT_RPM, "none, solid state" },
		{ { .kind = VALUE_UINT, .uint = 7200 }, UNIT_RPM, "7,200 rpm" },
		{ { .kind = VALUE_TEXT, .text = "idle_a" }, UNIT_NONE, "idle_a" },
	};
	char text[80];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(value_human(cases[i].value, cases[i].unit, text, sizeof(text)),
			cases[i].want);
}

static void a_source_names_page_parameter_and_bytes(void **state)
{
	static const uint8_t raw[] = { 0x04 }, more[10] = { 1, 2 };
	struct page_id log = { .kind = PAGE_LOG, .page = 0x11, .control = 1 };
	struct source source = source_page(log, 11, (struct bytes) { raw, 1 });
	char text[160];

	(void)state;
	source.parameter = 1;
	assert_string_equal(source_human(&source, text, sizeof(text)),
		"log page 11h/00h, parameter 0001h, byte 11: 04");
	source = source_page(
		(struct page_id) { .kind = PAGE_SMART_DATA }, 2, (struct bytes) { more, 10 });
	source.parameter = 241;
	assert_string_equal(source_human(&source, text, sizeof(text)),
		"SMART READ DATA, attribute 241, byte 2: 01 02 00 00 00 00 00 00 ...");
	source = source_derived("a / b");
	assert_string_equal(source_human(&source, text, sizeof(text)), "a / b");
	source = (struct source) { .origin = ORIGIN_HOST, .text = "link_gbps" };
	assert_string_equal(source_human(&source, text, sizeof(text)), "the host: link_gbps");
}

static void what_is_no_text_is_made_one(void **state)
{
	static const struct {
		const char *in, *want;
	} cases[] = {
		{ "plain", "plain" },
		{ "31 °C", "31 °C" },
		{ "a\033[2Jb", "a?[2Jb" },
		{ "tab\there", "tab?here" },
		{ "\xff\xfe", "??" },
		{ "\xc3", "?" },
		{ "\xed\xa0\x80", "???" },
		{ "\xc2\x9b", "??" },
		{ "\xf4\x90\x80\x80", "????" },
		{ "\xe2\x82\xac", "\xe2\x82\xac" },
	};
	char clean[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(text_clean(cases[i].in, clean, sizeof(clean)), cases[i].want);
	assert_string_equal(text_clean("abc\xe2\x82\xac", clean, 6), "abc");
	assert_int_equal(text_columns("31 °C"), 5);
}

/* What a renderer prints of one document. */
static char *printed(const char *format, const struct document *document,
	const struct render_options *options, size_t index, size_t count)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	renderer_find(format)->print(file, document, index, count, options);
	fclose(file);
	return text;
}

static const struct key key_written = { "endurance.host_written_bytes", "Written by the host",
	UNIT_BYTES, AGREE_CLOSE, false };

static void counters_are_exact_in_json(void **state)
{
	struct render_options options = { .command = "show", .version = "0" };
	struct facts facts;
	struct document document = { .target = "x\xff\"y", .facts = &facts };

	(void)state;
	facts_init(&facts);
	facts_add(&facts, &key_written, value_uint(UINT64_MAX), FACT_KNOWN, source_derived("test"),
		1);
	facts_add(&facts, &key_written, value_uint(9007199254740993), FACT_KNOWN,
		source_derived("better"), 0);
	facts_add(&facts, &key_written, value_uint(1), FACT_UNKNOWN, source_derived("third"), 2);
	char *text = printed("json", &document, &options, 0, 1);

	assert_non_null(strstr(text, "9007199254740993"));
	assert_non_null(strstr(text, "18446744073709551615"));
	assert_non_null(strstr(text, "\"x?\\\"y\""));
	assert_non_null(strstr(text, "\"others\""));
	assert_non_null(strstr(text, "null"));
	free(text);
	facts_deinit(&facts);
}

static void several_documents_are_an_array(void **state)
{
	static const struct {
		size_t index, count;
		const char *begin;
		bool ends_array;
	} cases[] = { { 0, 1, "{", false }, { 0, 2, "[\n{", false }, { 1, 2, ",\n{", true } };
	struct render_options options = { .command = "show", .version = "0" };
	struct document document = { .target = "x" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = printed("json", &document, &options, cases[i].index, cases[i].count);

		assert_memory_equal(text, cases[i].begin, strlen(cases[i].begin));
		assert_int_equal(strstr(text, "\n]\n") != NULL, cases[i].ends_array);
		free(text);
	}
}

static void an_error_and_a_verdict_are_told(void **state)
{
	static const char *const keys[] = { "health.self_assessment" };
	struct render_options options = { .command = "check", .version = "0" };
	struct error error = { EXIT_TIMED_OUT, "no answer" };
	struct verdict verdict = { .id = "self-assessment",
		.state = VERDICT_FAILING,
		.reason = "the drive says so",
		.keys = keys,
		.key_count = 1 };
	struct document document = {
		.target = "x", .error = &error, .verdicts = &verdict, .verdict_count = 1
	};
	char *text = printed("text", &document, &options, 0, 1);

	(void)state;
	assert_non_null(strstr(text, "no answer"));
	assert_non_null(strstr(text, "FAILING"));
	free(text);
	text = printed("json", &document, &options, 0, 1);
	assert_non_null(strstr(text, "\"exit_status\":\t75"));
	assert_non_null(strstr(text, "\"failing\""));
	free(text);
}

static char *printed_all(const char *format, const struct document *documents, size_t count)
{
	struct render_options options = { .command = "check", .version = "0" };
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	assert_non_null(file);
	renderer_find(format)->print_all(file, documents, count, &options);
	fclose(file);
	return text;
}

static void give_number(struct facts *facts, const char *key, double value)
{
	facts_add(facts, decoder_key(key), value_real(value), FACT_KNOWN, source_derived(NULL), 0);
}

static size_t occurrences(const char *text, const char *what)
{
	size_t n = 0;

	for (; (text = strstr(text, what)); text++)
		n++;
	return n;
}

static void a_drive_that_is_named_twice_is_one_series(void **state)
{
	struct verdict ok = { .id = "health", .state = VERDICT_OK, .reason = "" };
	struct document documents[] = {
		{ .target = "/dev/sda", .verdicts = &ok, .verdict_count = 1 },
		{ .target = "/dev/sdb", .verdicts = &ok, .verdict_count = 1 },
		{ .target = "/dev/sda", .verdicts = &ok, .verdict_count = 1 },
		{ .target = "sda", .verdicts = &ok, .verdict_count = 1 },
	};
	char *text = printed_all("prometheus", documents, ARRAY_LEN(documents));

	(void)state;
	assert_int_equal(occurrences(text, "assay_health{drive=\"sda\"} 0\n"), 1);
	assert_int_equal(occurrences(text, "assay_health{drive=\"sdb\"} 0\n"), 1);
	assert_int_equal(occurrences(text, "assay_drive_info{drive=\"sda\""), 1);
	free(text);
}

static void the_metric_of_a_sleeping_drive_is_no_health(void **state)
{
	static const struct {
		enum verdict_state sum;
		bool asleep;
		const char *want;
	} cases[] = { { VERDICT_OK, false, "assay_health{drive=\"sda\"} 0\n" },
		{ VERDICT_OK, true, "assay_health{drive=\"sda\"} -1\n" },
		{ VERDICT_FAILING, true, "assay_health{drive=\"sda\"} 2\n" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct verdict sum = { .id = "health", .state = cases[i].sum, .reason = "" };
		struct document document = { .target = "/dev/sda",
			.verdicts = &sum,
			.verdict_count = 1,
			.asleep = cases[i].asleep };
		char *text = printed_all("prometheus", &document, 1);

		assert_non_null(strstr(text, cases[i].want));
		free(text);
	}
}

static void a_host_without_drives_has_metrics_of_the_run_alone(void **state)
{
	char *text = printed_all("prometheus", NULL, 0);

	(void)state;
	assert_int_equal(occurrences(text, "# TYPE"), 1);
	assert_non_null(strstr(text, "\nassay_check_timestamp_seconds 1"));
	free(text);
}

static void a_plug_in_that_checked_nothing_does_not_say_ok(void **state)
{
	char *text = printed_all("nagios", NULL, 0);

	(void)state;
	assert_string_equal(text, "ASSAY UNKNOWN: no drive was checked\n");
	free(text);
}

static void plug_in_output_says_state_reason_and_curves(void **state)
{
	static const char *const keys[] = { "endurance.used_percent" },
				 *const spare[] = { "endurance.spare_percent" };
	struct verdict verdicts[] = {
		{ .id = "health", .state = VERDICT_WARNING, .reason = "used | up" },
		{ .id = "wear-used",
			.state = VERDICT_WARNING,
			.keys = keys,
			.key_count = 1,
			.limit = 90,
			.limit_state = VERDICT_WARNING },
		{ .id = "spare-low",
			.state = VERDICT_OK,
			.keys = spare,
			.key_count = 1,
			.limit = 20,
			.limit_state = VERDICT_WARNING,
			.limit_is_least = true },
		{ .id = "spare-gone",
			.state = VERDICT_OK,
			.keys = spare,
			.key_count = 1,
			.limit = 5,
			.limit_state = VERDICT_FAILING,
			.limit_is_least = true },
	};
	struct facts facts;
	struct document document = { .target = "/dev/sda",
		.facts = &facts,
		.verdicts = verdicts,
		.verdict_count = ARRAY_LEN(verdicts),
		.status = EXIT_WARNING };

	(void)state;
	facts_init(&facts);
	give_number(&facts, "endurance.used_percent", 91.5);
	give_number(&facts, "endurance.spare_percent", 98);
	give_number(&facts, "endurance.host_written_bytes", 14980000012435456.0);
	give_number(&facts, "errors.crc_count", 4);
	char *text = printed_all("nagios", &document, 1);

	assert_string_equal(text,
		"ASSAY WARNING: sda: used / up | 'used'=91.500%;90;;0; 'spare'=98%;20:;5:;0;100 "
		"'host_written'=14980000012435456B;;;0; 'crc'=4c;;;0;\n");
	free(text);
	facts_deinit(&facts);
}

static void the_word_of_a_plug_in_is_its_exit_status(void **state)
{
	struct error late = { EXIT_TIMED_OUT, "no answer" };
	struct facts facts;
	const struct {
		enum verdict_state sum;
		enum exit_status status;
		const struct error *error;
		const char *want;
	} cases[] = {
		{ VERDICT_OK, EXIT_GOOD, NULL, "ASSAY OK: sda: why\n" },
		{ VERDICT_WARNING, EXIT_WARNING, NULL, "ASSAY WARNING: sda: why\n" },
		{ VERDICT_FAILING, EXIT_FAILING, NULL, "ASSAY CRITICAL: sda: why\n" },
		{ VERDICT_FAILING, EXIT_FAILING, &late, "ASSAY CRITICAL: sda: why\n" },
		{ VERDICT_UNKNOWN, EXIT_UNKNOWN, NULL, "ASSAY UNKNOWN: sda: why\n" },
		{ VERDICT_OK, EXIT_TIMED_OUT, &late, "ASSAY UNKNOWN: sda: no answer\n" },
		{ VERDICT_UNKNOWN, EXIT_GOOD, NULL, "ASSAY OK: sda: why\n" },
	};

	(void)state;
	facts_init(&facts);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct verdict sum = { .id = "health", .state = cases[i].sum, .reason = "why" };
		struct document document = { .target = "/dev/sda",
			.facts = &facts,
			.verdicts = &sum,
			.verdict_count = 1,
			.error = cases[i].error,
			.status = cases[i].status };
		char *text = printed_all("nagios", &document, 1);

		assert_string_equal(text, cases[i].want);
		free(text);
	}
	facts_deinit(&facts);
}

/* Whole lines and whole items only, and the worst first. */
static void plug_in_output_fits_what_is_read_of_it(void **state)
{
	enum { DRIVES = 100 };
	struct verdict sum = { .id = "health", .state = VERDICT_OK, .reason = "none broken" };
	struct document documents[DRIVES];
	struct facts facts;

	(void)state;
	facts_init(&facts);
	give_number(&facts, "temperature.current_celsius", 31);
	give_number(&facts, "usage.power_on_hours", 8791);
	for (size_t i = 0; i < DRIVES; i++)
		documents[i] = (struct document) {
			.target = "/dev/sda", .facts = &facts, .verdicts = &sum, .verdict_count = 1
		};
	for (size_t count = 1; count <= DRIVES; count++) {
		char *text = printed_all("nagios", documents, count);
		size_t len = strlen(text), lines = occurrences(text, "OK: "), told = 0;
		const char *more = strstr(text, "\nand ");

		assert_true(len <= 4096);
		assert_int_equal(text[len - 1], '\n');
		if (more)
			assert_int_equal(sscanf(more, "\nand %zu more, none worse", &told), 1);
		assert_int_equal(lines + told, count);
		assert_true(occurrences(text, "|") <= 2);
		assert_int_equal(occurrences(text, "  ") + occurrences(text, "\n "), 0);
		assert_int_equal(occurrences(text, "\n"),
			lines + !!more + occurrences(text, "\nperformance data cut to "));
		if (count <= 20)
			assert_int_equal(occurrences(text, "temperature'=31;;;;"), count);
		free(text);
	}
	facts_deinit(&facts);
}

/* Each drive keeps the same curves, and what is left out is said. */
static void a_shelf_of_drives_has_a_few_curves_of_each(void **state)
{
	enum { DRIVES = 24 };
	static const char *const keys[] = { "temperature.current_celsius", "endurance.used_percent",
		"endurance.host_written_bytes", "usage.power_on_hours", "errors.reallocated_count",
		"errors.crc_count" };
	struct verdict sum = {
		.id = "health", .state = VERDICT_OK, .reason = "31 rules looked at, none broken"
	};
	struct document documents[DRIVES];
	struct facts facts, none;
	char name[DRIVES][16];

	(void)state;
	facts_init(&facts);
	facts_init(&none);
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		give_number(&facts, keys[i], 1234567);
	for (size_t i = 0; i < DRIVES; i++) {
		snprintf(name[i], sizeof(name[i]), "/dev/sd%c", (int)('a' + i));
		documents[i] = (struct document) { .target = name[i],
			.facts = i == 5 ? &none : &facts,
			.verdicts = &sum,
			.verdict_count = 1 };
	}
	char *text = printed_all("nagios", documents, DRIVES);

	assert_in_range(strlen(text), 2000, 4096);
	assert_int_equal(occurrences(text, "OK: "), DRIVES);
	assert_non_null(strstr(text, "\nperformance data cut to the first 6 of 11 a drive |'sdb "));
	assert_int_equal(occurrences(text, " temperature'=1234567;;;;"), DRIVES - 1);
	assert_int_equal(occurrences(text, " used'=1234567%;;;0;"), DRIVES - 1);
	assert_int_equal(occurrences(text, " power_on_hours'=1234567;;;0;"), DRIVES - 1);
	assert_int_equal(occurrences(text, " reallocated'="), 0);
	assert_int_equal(occurrences(text, "  "), 0);
	assert_int_equal(occurrences(text, "|"), 2);
	free(text);
	facts_deinit(&none);
	facts_deinit(&facts);
}

static void text_in_brief_says_what_is_worst_and_what_to_do(void **state)
{
	struct render_options options = { .command = "check", .version = "0", .brief = true };
	static const struct verdict verdicts[] = {
		{ .id = "health", .state = VERDICT_FAILING, .reason = "sum" },
		{ .id = "first", .state = VERDICT_WARNING, .reason = "one", .test = "Plan." },
		{ .id = "second", .state = VERDICT_OK, .reason = "two", .test = "Do nothing." },
		{ .id = "third", .state = VERDICT_WARNING, .reason = "three", .test = "Plan." },
		{ .id = "fourth", .state = VERDICT_FAILING, .reason = "four", .test = "Replace." },
	};
	const struct document document = {
		.target = "/dev/sda", .verdicts = verdicts, .verdict_count = ARRAY_LEN(verdicts)
	};
	char *text = NULL;
	size_t len;
	FILE *file = open_memstream(&text, &len);

	(void)state;
	assert_non_null(file);
	renderer_find("text")->print(file, &document, 0, 1, &options);
	fclose(file);
	assert_string_equal(text,
		"FAILING  /dev/sda\n"
		"    FAILING  fourth                   four\n"
		"                                      Replace.\n"
		"    WARNING  first                    one\n"
		"                                      Plan.\n"
		"    WARNING  third                    three\n");
	free(text);
}

static void there_is_no_unknown_renderer(void **state)
{
	(void)state;
	assert_null(renderer_find("xml"));
	assert_non_null(renderer_find("text"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_read_as_people_say_them),
		cmocka_unit_test(a_source_names_page_parameter_and_bytes),
		cmocka_unit_test(what_is_no_text_is_made_one),
		cmocka_unit_test(counters_are_exact_in_json),
		cmocka_unit_test(several_documents_are_an_array),
		cmocka_unit_test(an_error_and_a_verdict_are_told),
		cmocka_unit_test(a_drive_that_is_named_twice_is_one_series),
		cmocka_unit_test(the_metric_of_a_sleeping_drive_is_no_health),
		cmocka_unit_test(a_host_without_drives_has_metrics_of_the_run_alone),
		cmocka_unit_test(a_plug_in_that_checked_nothing_does_not_say_ok),
		cmocka_unit_test(plug_in_output_says_state_reason_and_curves),
		cmocka_unit_test(the_word_of_a_plug_in_is_its_exit_status),
		cmocka_unit_test(plug_in_output_fits_what_is_read_of_it),
		cmocka_unit_test(a_shelf_of_drives_has_a_few_curves_of_each),
		cmocka_unit_test(text_in_brief_says_what_is_worst_and_what_to_do),
		cmocka_unit_test(there_is_no_unknown_renderer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
