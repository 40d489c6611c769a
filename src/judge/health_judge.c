/* The engine of the health rules. */
#include "assay/health.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "assay/array.h"

/* A rule under test. */
struct trial {
	const struct rule *rule;
	const struct facts *facts;
	const struct health_settings *settings;
	const struct fact *fact; /* of the rule's key; NULL for rows */
	double value, limit, change;
	struct rule_before before;
	const char *limit_from; /* NULL: the table's own */
	char reason[400];
};

static bool is_solid_state(const struct facts *facts)
{
	uint64_t rpm;

	return facts_uint(facts, "identity.rotation_rpm", &rpm) && rpm == 0;
}

static void find_limit(struct trial *trial)
{
	const struct rule *rule = trial->rule;
	const struct health_settings *settings = trial->settings;
	struct rule_limit set, limit = { .value = rule->limit, .own_first = true };

	if (rule->limit_solid_state > 0 && is_solid_state(trial->facts))
		limit.value = rule->limit_solid_state;
	if (settings && settings->limit && settings->limit(settings->context, rule, &set)) {
		trial->limit_from = "configured";
		limit = set;
	}
	trial->limit = limit.value;
	if (!limit.own_first)
		return;
	if (rule->limit_key && facts_number(trial->facts, rule->limit_key, &trial->limit))
		trial->limit_from = rule->limit_key;
	else if (rule->rated_key && facts_number(trial->facts, rule->rated_key, &trial->limit))
		trial->limit_from = rule->rated_key;
}

static bool flag_of(const struct row *row, const char *column)
{
	struct value value = row_get(row, column);

	return value.kind == VALUE_FLAG && value.flag;
}

static bool row_counts(const struct row *row, const struct rule *rule)
{
	struct value value = row_get(row, rule->column);

	return value.kind == VALUE_TEXT && !strcmp(value.text, rule->word) &&
		(!rule->also_column || flag_of(row, rule->also_column)) &&
		(!rule->unless_column || !flag_of(row, rule->unless_column));
}

/* Adds to the reason. */
static void tell(struct trial *trial, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void tell(struct trial *trial, const char *format, ...)
{
	size_t len = strlen(trial->reason);
	va_list args;

	va_start(args, format);
	vsnprintf(trial->reason + len, sizeof(trial->reason) - len, format, args);
	va_end(args);
}

/* A row's name, or else its number: what has no name is not said to be nothing. */
static void tell_row(struct trial *trial, const struct row *row)
{
	struct value name = row_get(row, "name"), id = row_get(row, "id");

	if (name.kind == VALUE_TEXT && *name.text)
		tell(trial, "%s", name.text);
	else if (id.kind == VALUE_UINT)
		tell(trial, "attribute %" PRIu64, id.uint);
	else
		tell(trial, "a row without a name");
}

/* False where the drive has no such table. */
static bool test_rows(struct trial *trial, bool *holds)
{
	const struct rule *rule = trial->rule;
	size_t rows = 0, len = 0;

	trial->value = 0;
	for (size_t i = 0; i < trial->facts->row_count; i++) {
		const struct row *row = &trial->facts->rows[i];

		if (strcmp(row->table->name, rule->key) != 0)
			continue;
		rows++;
		if (!row_counts(row, rule))
			continue;
		trial->value++;
		tell(trial, "%s", len++ ? ", " : "");
		tell_row(trial, row);
	}
	*holds = trial->value >= trial->limit;
	return rows > 0;
}

/* A counter that the drive has room for and does not keep. */
static bool is_left_at_zero(const struct fact *fact)
{
	double value;

	return fact->value.kind != VALUE_FLAG && value_number(fact->value, &value) &&
		!(value > 0) && !(value < 0);
}

/* True where two known sources of the fact contradict each other. */
static bool test_agreement(struct trial *trial)
{
	const struct fact *fact;
	char here[80], there[80];
	size_t at = 0;

	while ((fact = facts_contradiction(trial->facts, &at))) {
		if (fact->key != trial->fact->key || is_left_at_zero(fact))
			continue;
		value_human(trial->fact->value, fact->key->unit, here, sizeof(here));
		value_human(fact->value, fact->key->unit, there, sizeof(there));
		tell(trial, "%s: %s and %s", fact->key->label, here, there);
		return true;
	}
	return false;
}

static bool test_growth(struct trial *trial, bool *holds)
{
	const struct health_settings *settings = trial->settings;

	if (!settings || !settings->before ||
		!settings->before(settings->context, trial->rule->key, &trial->before))
		return false;
	/* Of a counter that was set back, what it has grown since. */
	trial->change = trial->value -
		(trial->rule->test == RULE_FALL ? trial->before.most : trial->before.least);
	*holds = trial->rule->test == RULE_FALL ? trial->change < 0 : trial->change >= trial->limit;
	return true;
}

static bool test_number(struct trial *trial, bool *holds)
{
	if (!value_number(trial->fact->value, &trial->value))
		return false;
	switch (trial->rule->test) {
	case RULE_AT_LEAST:
		*holds = trial->value >= trial->limit;
		return true;
	case RULE_AT_MOST:
		*holds = trial->value <= trial->limit;
		return true;
	case RULE_BELOW_KEY:
		*holds = trial->value < trial->limit;
		return trial->limit_from;
	default:
		return test_growth(trial, holds);
	}
}

/* False where nothing can be said: the fact is absent or unknown. */
static bool test(struct trial *trial, bool *holds)
{
	const struct rule *rule = trial->rule;
	const char *text;

	find_limit(trial);
	if (rule->test == RULE_ROWS)
		return test_rows(trial, holds);
	trial->fact = facts_find(trial->facts, rule->key);
	if (!trial->fact || trial->fact->state != FACT_KNOWN)
		return false;
	switch (rule->test) {
	case RULE_IS:
		text = facts_text(trial->facts, rule->key);
		*holds = !strcmp(text, rule->word);
		return *text && strcmp(text, "unknown") != 0;
	case RULE_TRUE:
		return facts_flag(trial->facts, rule->key, holds);
	case RULE_KNOWN:
		*holds = true;
		return true;
	case RULE_AGREEMENT:
		*holds = test_agreement(trial);
		return *holds;
	default:
		return test_number(trial, holds);
	}
}

static const char *print(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static const char *print(struct arena *arena, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return arena_text(arena, text);
}

/* "in the last 24 h" */
static const char *since(const struct trial *trial, char *text, size_t size)
{
	static const struct {
		enum unit unit;
		double seconds;
	} units[] = { { UNIT_HOURS, 3600 }, { UNIT_MINUTES, 60 }, { UNIT_SECONDS, 1 } };
	double seconds = trial->before.seconds;
	char length[40];
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(units) && seconds < 2 * units[i].seconds)
		i++;
	value_human(value_uint((uint64_t)(seconds / units[i].seconds + 0.5)), units[i].unit, length,
		sizeof(length));
	snprintf(text, size, seconds > 0 ? "in the last %s" : "since the last record", length);
	return text;
}

static const char *reason_of(struct trial *trial, bool holds, struct arena *arena)
{
	const struct rule *rule = trial->rule;
	enum unit unit = trial->fact ? trial->fact->key->unit : UNIT_NONE;
	char value[80], limit[80];

	if (!trial->fact || rule->test == RULE_AGREEMENT)
		return holds ? print(arena, "%s", trial->reason)
			     : print(arena, "none of %s", rule->key);
	value_human(trial->fact->value, unit, value, sizeof(value));
	value_human(trial->limit < 1e18 && floor(trial->limit) >= trial->limit
			? value_int((int64_t)trial->limit)
			: value_real(trial->limit),
		unit, limit, sizeof(limit));
	if (rule->test == RULE_FALL || rule->test == RULE_GROWTH)
		return print(arena,
			rule->test == RULE_FALL ? "%s: %s, %+.3g %s" : "%s: %s, %+.0f %s",
			trial->fact->key->label, value, trial->change,
			since(trial, limit, sizeof(limit)));
	if (rule->test == RULE_IS || rule->test == RULE_TRUE || rule->test == RULE_KNOWN)
		return print(arena, "%s: %s", trial->fact->key->label, value);
	return print(arena, "%s: %s (limit %s%s%s)", trial->fact->key->label, value, limit,
		trial->limit_from ? ", " : "", trial->limit_from ? trial->limit_from : "");
}

static bool is_silenced(const struct trial *trial)
{
	const struct health_settings *settings = trial->settings;

	return settings && settings->silent &&
		settings->silent(settings->context, trial->rule, trial->value);
}

static int weight(enum verdict_state state)
{
	return state == VERDICT_FAILING ? 2 : state == VERDICT_WARNING ? 1 : 0;
}

static struct verdict *add(struct health *health, const struct verdict *verdict)
{
	health->verdicts = array_grow(health->verdicts, health->count, sizeof(*health->verdicts));
	health->verdicts[health->count] = *verdict;
	return &health->verdicts[health->count++];
}

/* One reason for one thing. */
static bool is_told_by_a_graver(const struct health *health, const struct rule *rule)
{
	for (size_t i = 1; rule->graver && i < health->count; i++)
		if (!strcmp(health->verdicts[i].id, rule->graver))
			return weight(health->verdicts[i].state) > 0;
	return false;
}

static void judge_rule(const struct rule *rule, const struct facts *facts,
	const struct health_settings *settings, struct health *health)
{
	struct trial trial = { .rule = rule, .facts = facts, .settings = settings };
	const char **keys = arena_alloc(health->arena, 2 * sizeof(*keys));
	struct verdict verdict = {
		.id = rule->id, .keys = keys, .label = rule->why, .test = rule->action
	};
	bool holds = false;

	if (!test(&trial, &holds))
		return;
	health->judged += weight(rule->state) > 0;
	bool silenced = holds && is_silenced(&trial);
	bool told = holds && is_told_by_a_graver(health, rule);
	bool heard = holds && !silenced && !told;

	verdict.state = heard ? rule->state : VERDICT_OK;
	verdict.noted = holds && !silenced && verdict.state == VERDICT_OK;
	if (rule->test == RULE_AT_LEAST || rule->test == RULE_AT_MOST) {
		verdict.limit = trial.limit;
		verdict.limit_state = rule->state;
		verdict.limit_is_least = rule->test == RULE_AT_MOST;
	}
	verdict.reason = reason_of(&trial, holds, health->arena);
	if (silenced)
		verdict.reason = print(health->arena, "%s; accepted", verdict.reason);
	else if (told)
		verdict.reason = print(
			health->arena, "%s; told by %s", verdict.reason, rule->graver);
	if (trial.fact)
		keys[verdict.key_count++] = trial.fact->key->name;
	if (trial.limit_from && facts_find(facts, trial.limit_from))
		keys[verdict.key_count++] = trial.limit_from;
	add(health, &verdict);
}

/* What decides, in one line: the reasons of the worst state. */
static void sum_up(struct health *health)
{
	struct verdict *sum = &health->verdicts[0];
	const char *reason = "";

	sum->state = health->judged ? VERDICT_OK : VERDICT_UNKNOWN;
	for (size_t i = 1; i < health->count; i++)
		if (weight(health->verdicts[i].state) > weight(sum->state))
			sum->state = health->verdicts[i].state;
	for (size_t i = 1; weight(sum->state) && i < health->count; i++)
		if (health->verdicts[i].state == sum->state)
			reason = print(health->arena, "%s%s%s", reason, *reason ? "; " : "",
				health->verdicts[i].reason);
	if (sum->state == VERDICT_UNKNOWN)
		reason = "nothing that the drive says could be judged";
	else if (!weight(sum->state))
		reason = print(
			health->arena, "%zu rules looked at, none of them broken", health->judged);
	sum->reason = reason;
}

void health_judge(
	const struct facts *facts, const struct health_settings *settings, struct health *health)
{
	*health = (struct health) { .arena = arena_new() };
	add(health, &(struct verdict) { .id = "health" });
	for (const struct rule *rule = rules; rule->id; rule++)
		judge_rule(rule, facts, settings, health);
	sum_up(health);
}

void health_deinit(struct health *health)
{
	free(health->verdicts);
	arena_free(health->arena);
	*health = (struct health) { 0 };
}

enum verdict_state health_state(const struct health *health)
{
	return health->verdicts[0].state;
}

enum exit_status health_status(const struct health *health)
{
	switch (health_state(health)) {
	case VERDICT_OK:
		return EXIT_GOOD;
	case VERDICT_WARNING:
		return EXIT_WARNING;
	case VERDICT_FAILING:
		return EXIT_FAILING;
	default:
		return EXIT_UNKNOWN;
	}
}
