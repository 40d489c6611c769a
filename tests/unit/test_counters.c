/* What the drive itself counted while it was measured. */
#include "test.h"

#include <math.h>

#include "assay/decoder.h"
#include "assay/measure.h"

static struct facts before, after, facts;

static int set_up(void **state)
{
	(void)state;
	facts_init(&before);
	facts_init(&after);
	facts_init(&facts);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	facts_deinit(&before);
	facts_deinit(&after);
	facts_deinit(&facts);
	return 0;
}

static void count(struct facts *when, const char *name, uint64_t value)
{
	const struct key *key = decoder_key(name);

	assert_non_null(key);
	facts_add(when, key, value_uint(value), FACT_KNOWN, source_derived("a test"), 0);
}

static void each_counter_is_after_less_before(void **state)
{
	static const struct {
		const char *key, *change;
		uint64_t first, last;
	} table[] = {
		{ "endurance.host_written_bytes", "bench.host_written_bytes", 1000, 5000 },
		{ "endurance.nand_written_bytes", "bench.nand_written_bytes", 3000, 9000 },
		{ "endurance.used_percent", "bench.used_change_percent", 3, 4 },
		{ "errors.uncorrected_count", "bench.uncorrected_change_count", 0, 3 },
		{ "errors.reallocated_count", "bench.reallocated_change_count", 7, 7 },
		{ "errors.crc_count", "bench.crc_change_count", 1, 12 },
	};
	double change = -1;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		count(&before, table[i].key, table[i].first);
		count(&after, table[i].key, table[i].last);
	}
	measure_counters(&before, &after, &facts);
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		if (!facts_number(&facts, table[i].change, &change))
			fail_msg("no %s", table[i].change);
		assert_int_equal((uint64_t)change, table[i].last - table[i].first);
	}
	assert_true(facts_number(&facts, "bench.write_amplification_ratio", &change));
	assert_true(fabs(change - 1.5) < 1e-9);
}

static void what_went_down_or_was_told_once_gives_nothing(void **state)
{
	double change;

	(void)state;
	count(&before, "endurance.host_written_bytes", 5000);
	count(&after, "endurance.host_written_bytes", 4000);
	count(&before, "errors.crc_count", 5);
	count(&after, "errors.uncorrected_count", 5);
	measure_counters(&before, &after, &facts);
	assert_false(facts_number(&facts, "bench.host_written_bytes", &change));
	assert_false(facts_number(&facts, "bench.crc_change_count", &change));
	assert_false(facts_number(&facts, "bench.uncorrected_change_count", &change));
	assert_false(facts_number(&facts, "bench.write_amplification_ratio", &change));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			each_counter_is_after_less_before, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_went_down_or_was_told_once_gives_nothing, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
