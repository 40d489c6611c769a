#include "test.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../../decoders/pattern.h"

static const struct {
	const char *pattern, *text;
	bool want;
} cases[] = {
	{ "ABC", "ABC", true },
	{ "ABC", "ABCD", false },
	{ "ABC", "AB", false },
	{ "A.C", "AXC", true },
	{ "A\\.C", "AXC", false },
	{ "A\\.C", "A.C", true },
	{ "AB|CD", "CD", true },
	{ "AB|CD", "ABCD", false },
	{ "A(B|CD)E", "ACDE", true },
	{ "A(B|CD)?E", "AE", true },
	{ "A(B|)C", "AC", true },
	{ "A(B|CD)*E", "ABCDBE", true },
	{ "A(B|CD)+E", "AE", false },
	{ "[0-9]+GB", "128GB", true },
	{ "[^0-9]+", "12", false },
	{ "[]a]", "]", true },
	{ "[a-]", "-", true },
	{ "[0-9]{3}", "123", true },
	{ "[0-9]{3}", "12", false },
	{ "[0-9]{2,3}X", "1234X", false },
	{ "[0-9]{2,}X", "1234X", true },
	{ "(AB){2}", "ABAB", true },
	{ "(AB){2}", "AB", false },
	{ "^ABC$", "ABC", true },
	{ ".*DL[0-9A-F]{2}", "G201DL2B", true },
	{ "(a*)*b", "aaab", true },
	{ "(a|ab)(c|bcd)", "abcd", true },
	{ "(a|ab)(c|bcd)(d*)", "abcd", true },
	{ "(Micron_5100_)?(EE|MT)FDDA[KV](240|480)T(BY|CB)", "MTFDDAV480TCB", true },
	{ "", "", true },
	{ "", "A", false },
};

static void a_pattern_must_match_the_whole_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (pattern_matches(cases[i].pattern, strlen(cases[i].pattern), cases[i].text) !=
			cases[i].want)
			fail_msg("%s of %s", cases[i].pattern, cases[i].text);
}

static void the_c_library_matches_the_same(void **state)
{
	char whole[256];
	regex_t regex;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		snprintf(whole, sizeof(whole), "^(%s)$", cases[i].pattern);
		if (!*cases[i].pattern || regcomp(&regex, whole, REG_EXTENDED | REG_NOSUB) != 0)
			continue;
		if ((regexec(&regex, cases[i].text, 0, NULL, 0) == 0) != cases[i].want)
			fail_msg("%s of %s", cases[i].pattern, cases[i].text);
		regfree(&regex);
	}
}

static void a_pattern_that_is_not_well_formed_matches_nothing(void **state)
{
	static const char *const patterns[] = { "(", "(A", "[", "[A", "A{", "A{2", "A{2,1}", "*",
		"A\\", "A)", "(A|(B)", "A{300}" };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		assert_false(pattern_matches(patterns[i], strlen(patterns[i]), "A"));
		assert_false(pattern_matches(patterns[i], strlen(patterns[i]), ""));
	}
}

static void a_pattern_that_would_take_forever_is_given_up(void **state)
{
	static const char *const patterns[] = { "((a*)*)*b", "(a|aa)*(a|aa)*(a|aa)*(a|aa)*b",
		"((((a{255}){255}){255}){255}){255}b", "(((((((((a?)*)*)*)*)*)*)*)*)*b" };
	clock_t began = clock();

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
		assert_false(pattern_matches(patterns[i], strlen(patterns[i]),
			"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac"));
	assert_true((clock() - began) / CLOCKS_PER_SEC < 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pattern_must_match_the_whole_text),
		cmocka_unit_test(the_c_library_matches_the_same),
		cmocka_unit_test(a_pattern_that_is_not_well_formed_matches_nothing),
		cmocka_unit_test(a_pattern_that_would_take_forever_is_given_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
