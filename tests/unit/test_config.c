#include "test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/config.h"

static int read_text(const char *text, struct config *config, struct error *error)
{
	FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
	int result;

	assert_non_null(file);
	config_init(config);
	result = config_read(file, "x.conf", config, error);
	fclose(file);
	return result;
}

static char *printed(const struct config *config)
{
	char *text = NULL;
	size_t len = 0;
	FILE *file = open_memstream(&text, &len);

	config_print(file, config);
	fclose(file);
	return text;
}

static const char whole[] = "; of the whole run\n"
			    "[check]\n"
			    "deadline = 7.5 ; seconds\n"
			    "  quiet-drives = yes\n"
			    "growth-hours = 36\n"
			    "[history]\n"
			    "database=/tmp/h.db\n"
			    "full-days = 30\n"
			    "[alerts]\n"
			    "command = /usr/local/bin/tell --all\n"
			    "mail : root\n"
			    "[limits]\n"
			    "wear-used = 80\n"
			    "temperature-limit = own 55\n"
			    "[limits solid-state]\n"
			    "reallocated = 50\n"
			    "[silences]\n"
			    "crc = 12\n"
			    "[drive the backup shelf]\n"
			    "model = ST4000*\n"
			    "limit.reallocated = 20\n"
			    "silence.crc = 400 until 2026-12-31\n"
			    "[drive one of them]\n"
			    "serial = zc1*\n"
			    "limit.reallocated = 30\n"
			    "silence.spare-low = 12\n"
			    "silence.warning = any\n";

static void a_file_sets_what_it_names_and_nothing_else(void **state)
{
	struct config config;
	struct error error = { 0 };

	(void)state;
	assert_int_equal(read_text(whole, &config, &error), 0);
	assert_int_equal(config.check.deadline_ms, 7500);
	assert_true(config.check.quiet_drives);
	assert_int_equal(config.check.growth_hours, 36);
	assert_string_equal(config.history.database, "/tmp/h.db");
	assert_int_equal(config.history.full_days, 30);
	assert_int_equal(config.history.daily_days, 0);
	assert_string_equal(config.alerts.command, "/usr/local/bin/tell --all");
	assert_string_equal(config.alerts.mail, "root");
	assert_int_equal(config.alerts.interval_hours, 24);
	config_deinit(&config);
}

static double limit_of(const struct config *config, const char *id, const char *model,
	const char *serial, bool solid_state)
{
	struct config_drive drive = {
		.config = config,
		.vendor = "ATA",
		.model = model,
		.serial = serial,
		.wwn = "",
		.solid_state = solid_state,
	};
	struct rule_limit limit;

	return config_limit(&drive, rule_find(id), &limit)
		? limit.value + (limit.own_first ? 1000 : 0)
		: -1;
}

static void the_closest_section_has_the_limit(void **state)
{
	static const struct {
		const char *id, *model, *serial;
		bool solid_state;
		double limit;
	} cases[] = {
		{ "wear-used", "Other", "S1", true, 80 },
		{ "spare-low", "Other", "S1", true, -1 },
		{ "temperature-limit", "Other", "S1", false, 1055 },
		{ "reallocated", "Other", "S1", false, -1 },
		{ "reallocated", "Other", "S1", true, 50 },
		{ "reallocated", "ST4000NM0023", "S1", true, 20 },
		{ "reallocated", "ATA ST4000", "S1", false, -1 },
		{ "reallocated", "st4000nm0023", "", false, 20 },
		{ "reallocated", "ST4000NM0023", "ZC1ABCDE", false, 30 },
		{ "reallocated", "", "", false, -1 },
	};
	struct config config;
	struct error error = { 0 };

	(void)state;
	assert_int_equal(read_text(whole, &config, &error), 0);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		double limit = limit_of(&config, cases[i].id, cases[i].model, cases[i].serial,
			cases[i].solid_state);

		if (limit < cases[i].limit || limit > cases[i].limit)
			fail_msg("case %zu: %g", i, limit);
	}
	config_deinit(&config);
}

static void a_silence_holds_for_its_drives_up_to_its_value_and_day(void **state)
{
	enum { LAST_SECOND_OF_2026 = 1798761599 };
	static const struct {
		const char *id, *model, *serial;
		double value;
		int64_t now;
		bool silent;
	} cases[] = {
		{ "crc", "Other", "S", 12, 0, true },
		{ "crc", "Other", "S", 13, 0, false },
		{ "crc", "ST4000X", "S", 400, LAST_SECOND_OF_2026, true },
		{ "crc", "ST4000X", "S", 401, LAST_SECOND_OF_2026, false },
		{ "crc", "ST4000X", "S", 400, LAST_SECOND_OF_2026 + 1, false },
		{ "crc", "ST4000X", "S", 12, LAST_SECOND_OF_2026 + 1, true },
		{ "crc-growth", "Other", "S", 1, 0, false },
		{ "spare-low", "Other", "ZC1", 12, 0, true },
		{ "spare-low", "Other", "ZC1", 11, 0, false },
		{ "warning", "Other", "ZC1", 0, 0, true },
		{ "warning", "Other", "S", 0, 0, false },
	};
	struct config config;
	struct error error = { 0 };

	(void)state;
	assert_int_equal(read_text(whole, &config, &error), 0);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct config_drive drive = {
			.config = &config,
			.vendor = "ATA",
			.model = cases[i].model,
			.serial = cases[i].serial,
			.wwn = "",
			.now = cases[i].now,
		};

		if (config_silent(&drive, rule_find(cases[i].id), cases[i].value) !=
			cases[i].silent)
			fail_msg("case %zu", i);
	}
	config_deinit(&config);
}

static void all_patterns_of_a_section_must_match(void **state)
{
	static const char text[] =
		"[drive a]\nmodel = HGST HUSMM*\nwwn = 0x5000CCA0*\nlimit.wear-used = 50\n";
	struct config config;
	struct error error = { 0 };
	struct config_drive drive = { .config = &config,
		.vendor = "HGST",
		.model = "HUSMM1680",
		.serial = "X",
		.wwn = "0x5000cca012345678" };
	struct rule_limit limit;

	(void)state;
	assert_int_equal(read_text(text, &config, &error), 0);
	assert_true(config_limit(&drive, rule_find("wear-used"), &limit));
	drive.wwn = "0x5000cca112345678";
	assert_false(config_limit(&drive, rule_find("wear-used"), &limit));
	drive.wwn = "";
	assert_false(config_limit(&drive, rule_find("wear-used"), &limit));
	config_deinit(&config);
}

static void what_is_printed_is_a_file_that_means_the_same(void **state)
{
	static const char *const texts[] = { "", whole };
	struct error error = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct config first, second;

		if (*texts[i])
			assert_int_equal(read_text(texts[i], &first, &error), 0);
		else
			config_init(&first);
		char *once = printed(&first);

		if (read_text(once, &second, &error) != 0)
			fail_msg("%s\n%s", error.text, once);
		char *twice = printed(&second);

		assert_string_equal(once, twice);
		free(once);
		free(twice);
		config_deinit(&first);
		config_deinit(&second);
	}
}

static void the_printed_defaults_are_the_table_s_own(void **state)
{
	struct config none, read;
	struct error error = { 0 };

	(void)state;
	config_init(&none);
	char *text = printed(&none);

	assert_int_equal(read_text(text, &read, &error), 0);
	for (const struct rule *rule = rules; rule->id; rule++) {
		bool number = rule->test == RULE_AT_LEAST || rule->test == RULE_AT_MOST ||
			rule->test == RULE_ROWS || rule->test == RULE_GROWTH;
		double own = rule->limit_key ? 1000 : 0;
		double solid_state = rule->limit_solid_state > 0 ? rule->limit_solid_state
								 : rule->limit;

		assert_true(limit_of(&none, rule->id, "M", "S", true) < 0);
		if (!number)
			continue;
		assert_true(
			fabs(limit_of(&read, rule->id, "M", "S", true) - solid_state - own) < 1e-9);
		assert_true(fabs(limit_of(&read, rule->id, "M", "S", false) - rule->limit - own) <
			1e-9);
	}
	free(text);
	config_deinit(&none);
	config_deinit(&read);
}

static const struct {
	const char *text, *message;
} mistakes[] = {
	{ "[check]\ndeadline = soon\n",
		"x.conf:2: deadline: seconds, 1 to 86400 is expected, not 'soon'" },
	{ "[check]\ndeadline = 0\n", "x.conf:2: deadline: seconds" },
	{ "[check]\ndeadline = -5\n", "x.conf:2: deadline: seconds" },
	{ "[check]\ndeadline = nan\n", "x.conf:2: deadline: seconds" },
	{ "[check]\n\n; x\nquiet-drives = true\n",
		"x.conf:4: quiet-drives: yes or no is expected, not 'true'" },
	{ "[check]\nquiet = yes\n",
		"x.conf:2: unknown key 'quiet' in [check]: expected is one of deadline, "
		"quiet-drives" },
	{ "[chek]\ndeadline = 5\n", "x.conf:2: unknown section [chek]: check, history" },
	{ "deadline = 5\n", "x.conf:1: unknown section []" },
	{ "[check]\ndeadline\n", "x.conf:2: '[section]' or 'key = value' is expected" },
	{ "[check\ndeadline = 4\n", "x.conf:1: '[section]' or 'key = value' is expected" },
	{ "[check]\ndeadline = 4\n\n  deadline = 5\n",
		"x.conf:4: 'deadline' is set already, on line 2" },
	{ "[history]\nfull-days = 1.5\n", "x.conf:2: full-days: a whole number" },
	{ "[history]\ndatabase =\n", "x.conf:2: database: a text is expected, not ''" },
	{ "[alerts]\ncommand =;x\n", "x.conf:2: command: no ';' as the first" },
	{ "[limits]\nwear = 5\n", "x.conf:2: a rule of 'assay check' is expected, 'wear' is none" },
	{ "[limits]\nwear-used = much\n",
		"x.conf:2: a number is expected as the limit of 'wear-used'" },
	{ "[limits]\nwear-used = own 5\n", "x.conf:2: a number is expected: no drive" },
	{ "[limits]\ntemperature-limit = own\n", "x.conf:2: a number, or 'own'" },
	{ "[limits]\nself-assessment = 5\n", "x.conf:2: rule 'self-assessment' has no limit" },
	{ "[limits]\nwear-used = 5\nwear-used = 6\n",
		"x.conf:3: the limit of 'wear-used' is set already" },
	{ "[silences]\ncrc = some\n",
		"x.conf:2: the accepted value, or 'any', is expected for 'crc'" },
	{ "[silences]\nwarning = 3\n", "x.conf:2: 'any' is expected for 'warning'" },
	{ "[silences]\ncrc = 3 until 2026-02-30\n", "x.conf:2: a date is expected" },
	{ "[silences]\ncrc = 3 until 26-2-3\n", "x.conf:2: a date is expected" },
	{ "[silences]\ncrc = 3\ncrc = any\n",
		"x.conf:3: what is accepted of 'crc' is set already" },
	{ "[drive a]\nserial = x\nserial = y\n", "x.conf:3: one pattern of a kind is expected" },
	{ "[drive a]\nserial =\n", "x.conf:2: a pattern is expected" },
	{ "[check]\n[drive a]\nlimit.crc = 4\n",
		"x.conf:3: [drive a]: a serial, wwn or model is expected" },
	{ "[drive a]\nmodell = x\n",
		"x.conf:2: serial, wwn, model, limit.RULE or silence.RULE is expected, not "
		"'modell'" },
	{ "[drive a name that is much too long for the section of a file]\nmodel = x\n",
		"x.conf:2: a name of at most 48 characters is expected" },
	{ "[alerts]\ncommand = /0123456789012345678901234567890123456789012345678901234567"
	  "89012345678901234567890123456789012345678901234567890123456789012345678901234567"
	  "89012345678901234567890123456789012345678901234567890123456789012345678901\n",
		"x.conf:2: a line of at most 198 characters is expected" },
};

static void a_mistake_is_told_with_its_line_and_what_was_expected(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(mistakes); i++) {
		struct config config;
		struct error error = { 0 };

		if (read_text(mistakes[i].text, &config, &error) == 0)
			fail_msg("no mistake found in: %s", mistakes[i].text);
		assert_int_equal(error.status, EXIT_USAGE);
		if (strncmp(error.text, mistakes[i].message, strlen(mistakes[i].message)) != 0)
			fail_msg("%s\nis told as: %s\nand not as: %s", mistakes[i].text, error.text,
				mistakes[i].message);
		config_deinit(&config);
	}
}

static void a_byte_0_is_no_text(void **state)
{
	char text[] = "[check]\ndeadline = 5\0 0\n";
	FILE *file = fmemopen(text, sizeof(text) - 1, "r");
	struct config config;
	struct error error = { 0 };

	(void)state;
	config_init(&config);
	assert_int_equal(config_read(file, "x.conf", &config, &error), -1);
	assert_string_equal(error.text, "x.conf:2: a text is expected, this is a byte 0");
	fclose(file);
	config_deinit(&config);
}

static void a_file_that_was_asked_for_must_be_there(void **state)
{
	struct config config;
	struct error error = { 0 };

	(void)state;
	config_init(&config);
	assert_int_equal(config_load("/nowhere/assay.conf", &config, &error), -1);
	assert_int_equal(error.status, EXIT_NO_SUCH);
	config_deinit(&config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_sets_what_it_names_and_nothing_else),
		cmocka_unit_test(the_closest_section_has_the_limit),
		cmocka_unit_test(a_silence_holds_for_its_drives_up_to_its_value_and_day),
		cmocka_unit_test(all_patterns_of_a_section_must_match),
		cmocka_unit_test(what_is_printed_is_a_file_that_means_the_same),
		cmocka_unit_test(the_printed_defaults_are_the_table_s_own),
		cmocka_unit_test(a_mistake_is_told_with_its_line_and_what_was_expected),
		cmocka_unit_test(a_byte_0_is_no_text),
		cmocka_unit_test(a_file_that_was_asked_for_must_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
