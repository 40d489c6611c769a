#include "drive.h"

static const struct key any = { "test.any_count", "Any", UNIT_COUNT, AGREE_ANY, false };
static const struct key exact = { "test.exact", "Exact", UNIT_NONE, AGREE_EXACT, false };
static const struct key close = { "test.close_hours", "Close", UNIT_HOURS, AGREE_CLOSE, false };

static const struct column columns[] = {
	{ "first", "First", UNIT_NONE },
	{ "second", NULL, UNIT_COUNT },
};
static const struct table table = {
	.name = "rows",
	.label = "Rows",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

static struct fact *add(struct facts *facts, const struct key *key, struct value value,
	enum fact_state state, int rank)
{
	return facts_add(facts, key, value, state, source_derived("test"), (uint8_t)rank);
}

static void the_best_fact_is_known_then_of_low_rank_then_the_first(void **state)
{
	struct facts facts;
	uint64_t value = 42;

	(void)state;
	facts_init(&facts);
	assert_null(facts_find(&facts, any.name));
	assert_false(facts_uint(&facts, any.name, &value));
	assert_int_equal(value, 42);
	add(&facts, &any, value_uint(1), FACT_INVALID, 0);
	assert_int_equal(facts_find(&facts, any.name)->state, FACT_INVALID);
	assert_false(facts_uint(&facts, any.name, &value));
	add(&facts, &any, value_uint(2), FACT_KNOWN, 3);
	assert_true(facts_uint(&facts, any.name, &value));
	assert_int_equal(value, 2);
	add(&facts, &any, value_uint(3), FACT_KNOWN, 1);
	add(&facts, &any, value_uint(4), FACT_KNOWN, 1);
	add(&facts, &any, value_uint(5), FACT_UNKNOWN, 0);
	assert_true(facts_uint(&facts, any.name, &value));
	assert_int_equal(value, 3);
	assert_int_equal(facts.fact_count, 5);
	facts_deinit(&facts);
}

static void a_fact_that_is_not_known_has_no_value(void **state)
{
	struct facts facts;

	(void)state;
	facts_init(&facts);
	assert_int_equal(add(&facts, &any, value_uint(7), FACT_UNKNOWN, 0)->value.kind, VALUE_NULL);
	assert_int_equal(
		add(&facts, &any, value_text("x"), FACT_INVALID, 0)->value.kind, VALUE_NULL);
	facts_deinit(&facts);
}

static void texts_live_as_long_as_the_facts(void **state)
{
	struct facts facts;
	char text[] = "before";

	(void)state;
	facts_init(&facts);
	add(&facts, &exact, value_text(text), FACT_KNOWN, 0);
	facts_note(&facts, NULL, "%s", text);
	const char *printed = facts_printf(&facts, "%s %d", text, 7);

	memcpy(text, "after!", 6);
	assert_string_equal(facts_text(&facts, exact.name), "before");
	assert_string_equal(facts.notes[0].text, "before");
	assert_string_equal(printed, "before 7");
	assert_string_equal(facts_text(&facts, any.name), "");
	facts_deinit(&facts);
}

static void getters_give_their_own_kind_only(void **state)
{
	static const struct {
		struct value value;
		bool uint, number, flag;
		double want;
	} cases[] = {
		{ { VALUE_UINT, { .uint = 9 } }, true, true, false, 9 },
		{ { VALUE_INT, { .sint = -9 } }, false, true, false, -9 },
		{ { VALUE_REAL, { .real = 0.5 } }, false, true, false, 0.5 },
		{ { VALUE_FLAG, { .flag = true } }, false, true, true, 1 },
		{ { VALUE_TEXT, { .text = "9" } }, false, false, false, 0 },
		{ { VALUE_NULL, { 0 } }, false, false, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct facts facts;
		uint64_t uint = 0;
		double number = 0;
		bool flag = false;

		facts_init(&facts);
		add(&facts, &any, cases[i].value, FACT_KNOWN, 0);
		assert_int_equal(facts_uint(&facts, any.name, &uint), cases[i].uint);
		assert_int_equal(facts_number(&facts, any.name, &number), cases[i].number);
		assert_int_equal(facts_flag(&facts, any.name, &flag), cases[i].flag);
		assert_true(number >= cases[i].want && number <= cases[i].want);
		facts_deinit(&facts);
	}
}

static void contradictions_are_noted_as_the_key_wants(void **state)
{
	static const struct {
		const struct key *key;
		struct value a, b;
		bool noted;
	} cases[] = {
		{ &any, { VALUE_UINT, { .uint = 1 } }, { VALUE_UINT, { .uint = 999 } }, false },
		{ &exact, { VALUE_UINT, { .uint = 1 } }, { VALUE_UINT, { .uint = 1 } }, false },
		{ &exact, { VALUE_UINT, { .uint = 1 } }, { VALUE_UINT, { .uint = 2 } }, true },
		{ &exact, { VALUE_TEXT, { .text = "a" } }, { VALUE_TEXT, { .text = "a" } }, false },
		{ &exact, { VALUE_TEXT, { .text = "a" } }, { VALUE_TEXT, { .text = "b" } }, true },
		{ &exact, { VALUE_UINT, { .uint = 30 } }, { VALUE_INT, { .sint = 30 } }, false },
		{ &exact, { VALUE_UINT, { .uint = UINT64_MAX } },
			{ VALUE_UINT, { .uint = UINT64_MAX - 1 } }, true },
		{ &close, { VALUE_UINT, { .uint = 1000 } }, { VALUE_UINT, { .uint = 1050 } },
			false },
		{ &close, { VALUE_UINT, { .uint = 1000 } }, { VALUE_UINT, { .uint = 1060 } },
			true },
		{ &close, { VALUE_UINT, { .uint = 1 } }, { VALUE_UINT, { .uint = 3 } }, false },
		{ &close, { VALUE_UINT, { .uint = 1 } }, { VALUE_UINT, { .uint = 4 } }, true },
		{ &close, { VALUE_TEXT, { .text = "a" } }, { VALUE_UINT, { .uint = 4 } }, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct facts facts;

		facts_init(&facts);
		add(&facts, cases[i].key, cases[i].a, FACT_KNOWN, 0);
		add(&facts, cases[i].key, cases[i].b, FACT_KNOWN, 1);
		add(&facts, cases[i].key, value_uint(77777), FACT_UNKNOWN, 2);
		facts_note_contradictions(&facts);
		assert_int_equal(facts.note_count, cases[i].noted);
		facts_deinit(&facts);
	}
}

static void a_note_is_kept_once(void **state)
{
	static const uint8_t raw[] = { 1, 2 };
	struct source source = source_page(
		(struct page_id) { PAGE_LOG, 0x0d, 0, 1 }, 5, (struct bytes) { raw, sizeof(raw) });
	struct facts facts;

	(void)state;
	facts_init(&facts);
	facts_note(&facts, &source, "page %d", 1);
	facts_note(&facts, NULL, "page %d", 1);
	facts_note(&facts, NULL, "page %d", 2);
	assert_int_equal(facts.note_count, 2);
	assert_int_equal(facts.notes[0].source.offset, 5);
	assert_int_equal(facts.notes[0].source.parameter, -1);
	assert_int_equal(facts.notes[1].source.origin, ORIGIN_DERIVED);
	assert_null(facts.notes[1].source.text);
	facts_deinit(&facts);
}

static void a_long_note_is_cut_and_not_overrun(void **state)
{
	struct facts facts;
	char text[4000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	facts_init(&facts);
	facts_note(&facts, NULL, "%s", text);
	assert_in_range(strlen(facts.notes[0].text), 500, 3999);
	facts_deinit(&facts);
}

static void a_row_begins_with_nulls_and_keeps_its_cells(void **state)
{
	struct facts facts;

	(void)state;
	facts_init(&facts);
	for (uint64_t i = 0; i < 100; i++) {
		struct row *row = facts_row(&facts, &table, source_derived("test"));

		assert_int_equal(row_get(row, "first").kind, VALUE_NULL);
		row_set(row, "second", value_uint(i));
	}
	assert_int_equal(facts.row_count, 100);
	for (uint64_t i = 0; i < 100; i++) {
		assert_int_equal(row_get(&facts.rows[i], "second").uint, i);
		assert_int_equal(row_get(&facts.rows[i], "first").kind, VALUE_NULL);
	}
	facts_deinit(&facts);
}

static void many_facts_stay_in_the_order_in_which_they_came(void **state)
{
	struct facts facts;

	(void)state;
	facts_init(&facts);
	for (uint64_t i = 0; i < 1000; i++)
		add(&facts, &any, value_uint(i), FACT_KNOWN, 0);
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(facts.facts[i].value.uint, i);
	facts_deinit(&facts);
	assert_int_equal(facts.fact_count, 0);
}

/* More keys than chains. */
static void each_of_many_keys_is_found(void **state)
{
	enum { MANY = 1000 };
	static struct key keys[MANY];
	static char names[MANY][24];
	struct facts facts;
	uint64_t value;

	(void)state;
	facts_init(&facts);
	for (uint64_t i = 0; i < MANY; i++) {
		snprintf(names[i], sizeof(names[i]), "test.%u_count", (unsigned)i);
		keys[i] = (struct key) { .name = names[i] };
		add(&facts, &keys[i], value_uint(i), FACT_KNOWN, 1);
	}
	for (uint64_t i = 0; i < MANY; i++) {
		assert_true(facts_uint(&facts, names[i], &value));
		assert_int_equal(value, i);
	}
	assert_null(facts_find(&facts, "test.1000_count"));
	facts_deinit(&facts);
}

static bool is_known(const struct fact *fact)
{
	return fact->state == FACT_KNOWN;
}

static void a_part_of_the_facts_finds_no_other(void **state)
{
	struct facts facts;

	(void)state;
	facts_init(&facts);
	add(&facts, &any, value_uint(1), FACT_UNKNOWN, 0);
	add(&facts, &exact, value_uint(2), FACT_UNKNOWN, 0);
	add(&facts, &any, value_uint(3), FACT_KNOWN, 1);
	add(&facts, &close, value_uint(4), FACT_KNOWN, 1);
	facts_row(&facts, &table, source_derived("test"));
	struct facts part = facts_part(&facts, is_known);

	assert_int_equal(part.fact_count, 2);
	assert_int_equal(part.row_count, 0);
	assert_ptr_equal(facts_find(&part, any.name), &part.facts[0]);
	assert_ptr_equal(facts_find(&part, close.name), &part.facts[1]);
	assert_null(facts_find(&part, exact.name));
	assert_ptr_equal(facts_find(&facts, exact.name), &facts.facts[1]);
	assert_int_equal(facts.row_count, 1);
	facts_deinit(&facts);
}

static void values_are_the_same_by_number_or_text(void **state)
{
	static const struct {
		struct value a, b;
		bool same;
	} cases[] = {
		{ { VALUE_NULL, { 0 } }, { VALUE_NULL, { 0 } }, true },
		{ { VALUE_NULL, { 0 } }, { VALUE_UINT, { .uint = 0 } }, false },
		{ { VALUE_UINT, { .uint = 5 } }, { VALUE_REAL, { .real = 5 } }, true },
		{ { VALUE_UINT, { .uint = 5 } }, { VALUE_TEXT, { .text = "5" } }, false },
		{ { VALUE_FLAG, { .flag = true } }, { VALUE_UINT, { .uint = 1 } }, true },
		{ { VALUE_INT, { .sint = -1 } }, { VALUE_UINT, { .uint = UINT64_MAX } }, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(value_same(cases[i].a, cases[i].b), cases[i].same);
		assert_int_equal(value_same(cases[i].b, cases[i].a), cases[i].same);
	}
}

static void every_unit_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(unit_name(UNIT_NONE), "");
	for (enum unit unit = UNIT_NONE; unit <= UNIT_DWPD; unit++)
		assert_non_null(unit_name(unit));
	assert_string_equal(unit_name(UNIT_DWPD), "drive_writes_per_day");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_fact_is_known_then_of_low_rank_then_the_first),
		cmocka_unit_test(a_fact_that_is_not_known_has_no_value),
		cmocka_unit_test(texts_live_as_long_as_the_facts),
		cmocka_unit_test(getters_give_their_own_kind_only),
		cmocka_unit_test(contradictions_are_noted_as_the_key_wants),
		cmocka_unit_test(a_note_is_kept_once),
		cmocka_unit_test(a_long_note_is_cut_and_not_overrun),
		cmocka_unit_test(a_row_begins_with_nulls_and_keeps_its_cells),
		cmocka_unit_test(many_facts_stay_in_the_order_in_which_they_came),
		cmocka_unit_test(each_of_many_keys_is_found),
		cmocka_unit_test(a_part_of_the_facts_finds_no_other),
		cmocka_unit_test(values_are_the_same_by_number_or_text),
		cmocka_unit_test(every_unit_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
