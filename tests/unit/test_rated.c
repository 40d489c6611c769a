#include "test.h"

#include <stdio.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/verify.h"

/* A datasheet with these claims, and a drive of it that has written 50 TB. */
static void rated(const char *claims, struct facts *facts)
{
	static const char frame[] =
		"{\"schema\": \"assay-spec/1\", \"vendor\": \"V\", \"family\": \"F\",\n"
		"\"sources\": {\"sheet\": {\"title\": \"t\"},\n"
		"\"memory\": {\"title\": \"m\", \"recalled\": true}},\n"
		"\"claims\": {%s},\n"
		"\"models\": [{\"name\": \"M\", \"capacity\": \"100 GB\", \"match\": \"M\"}]}\n";
	struct spec_subject subject = { .vendor = "V", .model = "M", .bytes = 0 };
	struct spec_library library;
	struct spec_matches matches;
	char text[2048];

	snprintf(text, sizeof(text), frame, claims);
	spec_library_init(&library);
	assert_non_null(spec_load_text(&library, "f.json", text, strlen(text), SPEC_CHECKED));
	if (library.problem_count)
		fail_msg("%s: %s", library.problems[0].path, library.problems[0].text);
	spec_match(&library, &subject, &matches);
	assert_int_equal(matches.count, 1);
	facts_init(facts);
	facts_add(facts, decoder_key("endurance.host_written_bytes"), value_uint(50000000000000),
		FACT_KNOWN, source_derived("t"), 0);
	facts_add(facts, decoder_key("usage.power_on_hours"), value_uint(2400), FACT_KNOWN,
		source_derived("t"), 0);
	rate(facts, &matches.matches[0]);
	spec_library_deinit(&library);
}

static void only_what_is_sure_becomes_a_rating(void **state)
{
	static const struct {
		const char *claims;
		double used_percent, limit_celsius; /* -1: none */
	} cases[] = {
		{ "", -1, -1 },
		{ "\"endurance.rated_written_bytes\": \"100 TB\"", 50, -1 },
		{ "\"endurance.rated_written_bytes\": {\"is\": \"100 TB\", \"source\": \"memory\"}",
			-1, -1 },
		{ "\"endurance.rated_written_bytes\": [{\"is\": \"100 TB\", \"source\": "
		  "\"sheet\"}, {\"is\": \"200 TB\", \"source\": \"sheet\"}]",
			25, -1 },
		{ "\"endurance.rated_written_bytes\": \"unlimited\"", -1, -1 },
		{ "\"temperature.operating_celsius\": \"0..55 C\"", -1, 55 },
		{ "\"temperature.operating_celsius\": {\"is\": \"0..55 C\", \"at\": "
		  "{\"reference\": \"ambient\"}}",
			-1, -1 },
		{ "\"temperature.operating_celsius\": {\"is\": \"0..60 C\", \"at\": "
		  "{\"reference\": \"internal\"}}",
			-1, 60 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double used = -1, limit = -1;
		struct facts facts;

		rated(cases[i].claims, &facts);
		facts_number(&facts, "endurance.rated_used_percent", &used);
		facts_number(&facts, "temperature.rated_limit_celsius", &limit);
		if (used < cases[i].used_percent || used > cases[i].used_percent ||
			limit < cases[i].limit_celsius || limit > cases[i].limit_celsius)
			fail_msg("case %zu: %g %%, %g C", i, used, limit);
		facts_deinit(&facts);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_is_sure_becomes_a_rating),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
