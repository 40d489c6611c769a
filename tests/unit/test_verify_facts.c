#include "test.h"

#include <math.h>

#include "trial.h"

static void a_recalled_claim_never_fails(void **state)
{
	struct trial trial;
	(void)state;

	/* DC S3500 160 GB: 100 TB, recalled. */
	trial_of(&trial, "INTEL", "INTEL SSDSC2BB160G4", "ata", 160041885696);
	add(&trial.facts, "endurance.host_written_bytes", value_uint(900000000000000));
	add(&trial.facts, "usage.power_on_hours", value_uint(40000));
	trial_verify(&trial);
	assert_int_equal(
		verdict_of(&trial, "endurance.rated_written_bytes")->state, VERDICT_MARGINAL);
	assert_int_equal(count_of(&trial, VERDICT_FAIL), 0);
	trial_deinit(&trial);
}

static void a_drive_of_another_maker_is_not_genuine(void **state)
{
	struct trial trial;
	(void)state;

	trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 800166076416);
	add(&trial.facts, "identity.wwn", value_text("0x5000c50012345678"));
	trial_verify(&trial);
	one_failure(&trial, "HUSMM8080ASS200", "genuine.company");
	assert_non_null(strstr(verdict_of(&trial, "genuine.company")->reason, "seagate"));
	trial_deinit(&trial);
}

static void hidden_capacity_is_told(void **state)
{
	struct trial trial;
	(void)state;

	trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 400088457216);
	add(&trial.facts, "capacity.clipped", value_flag(true));
	add(&trial.facts, "capacity.native_block_count", value_uint(1562824368));
	trial_verify(&trial);
	one_failure(&trial, "HUSMM8080ASS200", "capacity.bytes");
	assert_non_null(strstr(verdict_of(&trial, "capacity.bytes")->reason, "are hidden"));
	trial_deinit(&trial);
}

static void blocks_of_520_bytes_are_judged_by_no_rule(void **state)
{
	struct trial trial;
	(void)state;

	trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 792000000000);
	add(&trial.facts, "capacity.logical_block_bytes", value_uint(520));
	trial.facts.facts[trial.facts.fact_count - 2].rank = 1;
	trial_verify(&trial);
	assert_int_equal(count_of(&trial, VERDICT_FAIL), 0);
	trial_deinit(&trial);
}

static void a_used_drive_is_not_new(void **state)
{
	struct trial trial;
	(void)state;

	trial_init(&trial, "sandisk-lightning-lb406s-healthy");
	trial.options.expect_new = true;
	trial_verify(&trial);
	one_failure(&trial, "LB406S", "new.unused");
	trial_deinit(&trial);

	trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 800166076416);
	trial.options.expect_new = true;
	add(&trial.facts, "usage.power_on_hours", value_uint(3));
	trial_verify(&trial);
	assert_int_equal(verdict_of(&trial, "new.unused")->state, VERDICT_PASS);
	trial_deinit(&trial);
}

static void the_warranty_ends_with_time_or_endurance(void **state)
{
	static const struct {
		uint64_t hours, written;
		const char *reason;
		enum verdict_state state;
	} cases[] = {
		{ 8760, 14600000000000, "the time ends first", VERDICT_PASS },
		{ 8760, 7300000000000000, "the endurance ends first", VERDICT_PASS },
		{ 8760, 14700000000000000, "the endurance ended it", VERDICT_MARGINAL },
		{ 50000, 14600000000000, "the time ended it", VERDICT_MARGINAL },
	};
	struct trial trial;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 800166076416);
		add(&trial.facts, "usage.power_on_hours", value_uint(cases[i].hours));
		add(&trial.facts, "endurance.host_written_bytes", value_uint(cases[i].written));
		trial_verify(&trial);
		const struct verdict *verdict = verdict_of(&trial, "warranty.years");
		if (verdict->state != cases[i].state || !strstr(verdict->reason, cases[i].reason))
			fail_msg("%s: %s", cases[i].reason, verdict->reason);
		trial_deinit(&trial);
	}
}

static void ratings_become_facts_without_loss(void **state)
{
	struct trial trial;
	uint64_t rated, days;
	double percent;
	(void)state;

	trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 800166076416);
	add(&trial.facts, "usage.power_on_hours", value_uint(24000));
	add(&trial.facts, "endurance.host_written_bytes", value_uint(1460000000000000));
	trial_verify(&trial);
	assert_true(facts_uint(&trial.facts, "endurance.rated_written_bytes", &rated));
	assert_true(rated == 14600000000000000);
	assert_true(facts_number(&trial.facts, "endurance.rated_used_percent", &percent));
	assert_true(fabs(percent - 10) < 1e-9);
	assert_true(facts_uint(&trial.facts, "endurance.days_left", &days));
	assert_int_equal(days, 9000);
	trial_deinit(&trial);
}

/* ---- Measured claims ---- */

#define ROWS(rows)                                                                                \
	"{\"facts\": {\"identity.serial\": {\"value\": \"S1\"}}, \"tables\": {\"measurements\": " \
	"[" rows "]}}"

static const struct {
	const char *rows, *id;
	enum verdict_state state;
	const char *reason;
} measured[] = {
	{ "{\"key\": \"performance.random_read_iops\", \"value\": 149697, \"block_bytes\": 4096, "
	  "\"queue_depth\": 256, \"state\": \"steady\", \"link_gbps\": 12}",
		"performance.random_read_iops", VERDICT_PASS, "states no queue depth" },
	{ "{\"key\": \"performance.random_write_iops\", \"value\": 69000, \"block_bytes\": 4096, "
	  "\"link_gbps\": 12}",
		"performance.random_write_iops", VERDICT_MARGINAL, "tolerance" },
	{ "{\"key\": \"performance.random_write_iops\", \"value\": 20000, \"block_bytes\": 4096, "
	  "\"link_gbps\": 12}",
		"performance.random_write_iops", VERDICT_FAIL, "not as claimed" },
	{ "{\"key\": \"performance.random_write_iops\", \"value\": 20000, \"block_bytes\": 4096, "
	  "\"link_gbps\": 12}, {\"key\": \"performance.random_write_iops\", \"value\": 71000, "
	  "\"block_bytes\": 4096, \"link_gbps\": 12}",
		"performance.random_write_iops", VERDICT_PASS, "as claimed" },
	{ "{\"key\": \"performance.random_write_iops\", \"value\": 71000, \"block_bytes\": 512, "
	  "\"link_gbps\": 12}",
		"performance.random_write_iops", VERDICT_NOT_TESTED, "has to be measured" },
	{ "{\"key\": \"performance.sequential_read_bytes_per_second\", \"value\": 560000000, "
	  "\"link_gbps\": 6}",
		"performance.sequential_read_bytes_per_second", VERDICT_NOT_TESTED,
		"takes a link of 12" },
	{ "{\"key\": \"performance.ready_time_us\", \"value\": 3000000}",
		"performance.ready_time_us", VERDICT_NO_CLAIM, "claims nothing" },
};

static void a_measured_claim_is_judged_under_its_conditions(void **state)
{
	struct trial trial;
	struct error error;
	char json[1024];
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(measured); i++) {
		trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 800166076416);
		snprintf(json, sizeof(json), ROWS("%s"), measured[i].rows);
		assert_int_equal(measurements_read_text(
					 "b.json", json, strlen(json), &trial.measurements, &error),
			0);
		assert_string_equal(trial.measurements.serial, "S1");
		trial_verify(&trial);
		const struct verdict *verdict = verdict_of(&trial, measured[i].id);
		if (verdict->state != measured[i].state ||
			!strstr(verdict->reason, measured[i].reason))
			fail_msg("%s: state %d: %s", measured[i].rows, verdict->state,
				verdict->reason);
		trial_deinit(&trial);
	}
}

static bool is_noted(const struct facts *facts, const char *text)
{
	for (size_t i = 0; i < facts->note_count; i++)
		if (strstr(facts->notes[i].text, text))
			return true;
	return false;
}

#define WRITES(value, state)                                                  \
	ROWS("{\"key\": \"performance.random_write_iops\", \"value\": " value \
	     ", \"block_bytes\": 4096, \"link_gbps\": 12, \"state\": \"" state "\"}")

static void two_files_that_disagree_make_a_conflict_whichever_is_read_first(void **state)
{
	static const struct {
		const char *texts[2];
		enum verdict_state state;
		bool noted;
	} cases[] = {
		{ { WRITES("71000", "steady"), WRITES("20000", "steady") }, VERDICT_CONFLICT,
			true },
		{ { WRITES("71000", "steady"), WRITES("68000", "steady") }, VERDICT_PASS, false },
		{ { WRITES("90000", "steady"), WRITES("72000", "steady") }, VERDICT_PASS, true },
		{ { WRITES("20000", "steady"), WRITES("30000", "steady") }, VERDICT_FAIL, true },
		/* under other conditions it is another figure */
		{ { WRITES("20000", "burst"), WRITES("71000", "steady") }, VERDICT_PASS, false },
		{ { WRITES("71000", "steady"), ROWS("") }, VERDICT_PASS, false },
	};
	(void)state;

	for (size_t i = 0; i < 2 * ARRAY_LEN(cases); i++) {
		struct trial trial;
		struct error error;

		trial_of(&trial, "HGST", "HUSMM8080ASS200", "scsi", 800166076416);
		for (size_t f = 0; f < 2; f++) {
			const char *text = cases[i / 2].texts[f ^ (i & 1)];

			assert_int_equal(measurements_read_text(f ? "b.json" : "a.json", text,
						 strlen(text), &trial.measurements, &error),
				0);
		}
		trial_verify(&trial);
		assert_int_equal(verdict_of(&trial, "performance.random_write_iops")->state,
			cases[i / 2].state);
		assert_int_equal(
			is_noted(&trial.facts, "(a.json: measurement 1) and"), cases[i / 2].noted);
		trial_deinit(&trial);
	}
}

static void results_of_another_drive_are_refused_beside_those_of_one(void **state)
{
	static const char other[] = "{\"facts\": {\"identity.serial\": {\"value\": \"S2\"}}}",
			  nobody[] = "{\"facts\": {\"performance.ready_time_us\": {\"value\": 9}}}";
	struct measurements all;
	struct error error;
	(void)state;

	measurements_init(&all);
	assert_int_equal(
		measurements_read_text("a.json", ROWS(""), strlen(ROWS("")), &all, &error), 0);
	assert_int_equal(measurements_read_text("b.json", other, strlen(other), &all, &error), -1);
	assert_string_equal(error.text, "results of two drives: S1 and S2");
	assert_null(all.unnamed);
	assert_int_equal(measurements_read_text("c.json", nobody, strlen(nobody), &all, &error), 0);
	assert_string_equal(all.unnamed, "c.json");
	measurements_deinit(&all);
}

static void two_sources_that_disagree_make_a_conflict(void **state)
{
	static const struct {
		const char *value;
		enum verdict_state state;
	} cases[] = {
		{ "480000000", VERDICT_PASS },
		{ "455000000", VERDICT_CONFLICT },
		{ "300000000", VERDICT_FAIL },
	};
	struct trial trial;
	struct error error;
	char json[512];
	(void)state;

	/* CloudSpeed Eco: 475 MB/s in the text, 450 in the list. */
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		trial_of(&trial, "SanDisk", "SDLFNCAR-960G-1HA1", "ata", 960197124096);
		snprintf(json, sizeof(json),
			ROWS("{\"key\": \"performance.sequential_read_bytes_per_second\", "
			     "\"value\": %s, \"link_gbps\": 6}"),
			cases[i].value);
		assert_int_equal(measurements_read_text(
					 "b.json", json, strlen(json), &trial.measurements, &error),
			0);
		trial_verify(&trial);
		assert_int_equal(
			verdict_of(&trial, "performance.sequential_read_bytes_per_second")->state,
			cases[i].state);
		trial_deinit(&trial);
	}
}

static void results_that_are_none_are_refused(void **state)
{
	static const char *const texts[] = { "", "[", "{}", "[{\"facts\": 1}]",
		"[" ROWS("") ", {\"facts\": {\"identity.serial\": {\"value\": \"S2\"}}}]" };
	struct measurements measurements;
	struct error error;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		measurements_init(&measurements);
		assert_int_equal(measurements_read_text("b.json", texts[i], strlen(texts[i]),
					 &measurements, &error),
			-1);
		measurements_deinit(&measurements);
	}
}

static void without_a_datasheet_the_rules_still_judge_the_size(void **state)
{
	struct trial trial;
	(void)state;

	trial_of(&trial, "NOBODY", "NOTHING", "scsi", 960197124096);
	trial_verify(&trial);
	assert_int_equal(trial.matches.count, 0);
	assert_int_equal(verdict_of(&trial, "capacity.bytes")->state, VERDICT_PASS);
	trial_deinit(&trial);
	trial_of(&trial, "NOBODY", "NOTHING", "scsi", 12000138625024);
	trial_verify(&trial);
	assert_non_null(strstr(verdict_of(&trial, "capacity.bytes")->reason, "SFF-8447"));
	trial_deinit(&trial);
	trial_of(&trial, "NOBODY", "NOTHING", "scsi", 961000000000);
	trial_verify(&trial);
	assert_int_equal(verdict_of(&trial, "capacity.bytes")->state, VERDICT_NOT_TESTED);
	assert_int_equal(verification_status(&trial.verification), EXIT_UNKNOWN);
	trial_deinit(&trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recalled_claim_never_fails),
		cmocka_unit_test(a_drive_of_another_maker_is_not_genuine),
		cmocka_unit_test(hidden_capacity_is_told),
		cmocka_unit_test(blocks_of_520_bytes_are_judged_by_no_rule),
		cmocka_unit_test(a_used_drive_is_not_new),
		cmocka_unit_test(the_warranty_ends_with_time_or_endurance),
		cmocka_unit_test(ratings_become_facts_without_loss),
		cmocka_unit_test(a_measured_claim_is_judged_under_its_conditions),
		cmocka_unit_test(two_files_that_disagree_make_a_conflict_whichever_is_read_first),
		cmocka_unit_test(results_of_another_drive_are_refused_beside_those_of_one),
		cmocka_unit_test(two_sources_that_disagree_make_a_conflict),
		cmocka_unit_test(results_that_are_none_are_refused),
		cmocka_unit_test(without_a_datasheet_the_rules_still_judge_the_size),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
