/* Claims of one key that contradict each other, or are the same twice. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/lint.h"
#include "spec/name.h"

static bool same_value(const struct claim *a, const struct claim *b)
{
	if (a->text || b->text)
		return text_same(a->text, b->text);
	return a->quantity.low.value == b->quantity.low.value &&
		a->quantity.high.value == b->quantity.high.value;
}

/* A binary megabyte is 4.86 % more than a decimal one, a gigabyte 7.37 %. */
static const char *unit_slip(double ratio)
{
	if (fabs(ratio / 1.048576 - 1) < 0.003)
		return "; their ratio is 1.0486: MiB printed as MB?";
	if (fabs(ratio / 1.073741824 - 1) < 0.003)
		return "; their ratio is 1.0737: GiB printed as GB?";
	return "";
}

static void compare(struct lint *lint, const struct claim *first, const struct claim *second)
{
	char a[128], b[128];
	double low = first->quantity.low.value, high = second->quantity.low.value;

	if (!claim_is_promise(first) || !claim_is_promise(second) || first->kind != second->kind ||
		same_value(first, second) ||
		!conditions_same(&first->conditions, &second->conditions))
		return;
	report_claim(lint, FINDING_NOTE, "conflict", second, "%s: %s (%s) and %s (%s)%s",
		first->key->label, first->printed, claim_source_human(first, a, sizeof(a)),
		second->printed, claim_source_human(second, b, sizeof(b)),
		first->text || low == 0 ? "" : unit_slip(fmax(low, high) / fmin(low, high)));
}

/* "4 KiB random write" and "4 KiB 70/30" cannot both be 39,000. */
static void compare_labels(struct lint *lint, const struct claim *first, const struct claim *second)
{
	if (first->key == second->key || first->key->dimension != DIMENSION_IOPS ||
		second->key->dimension != DIMENSION_IOPS || first->source == second->source ||
		first->quantity.low.value != second->quantity.low.value ||
		first->conditions.block_bytes != second->conditions.block_bytes)
		return;
	report_claim(lint, FINDING_WARNING, "two-labels", second,
		"%s are \"%s\" in one source and \"%s\" in the other: one label is wrong",
		second->printed, first->key->label, second->key->label);
}

static void compare_all(struct lint *lint, const struct claim *claims, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++) {
			if (claims[i].kind == CLAIM_MISPRINT || claims[k].kind == CLAIM_MISPRINT)
				continue;
			if (claims[i].key == claims[k].key)
				compare(lint, &claims[k], &claims[i]);
			else
				compare_labels(lint, &claims[k], &claims[i]);
		}
}

void lint_conflicts(struct lint *lint)
{
	const struct spec_sheet *sheet = lint->sheet;

	compare_all(lint, sheet->claims, sheet->claim_count);
	for (size_t i = 0; i < sheet->model_count; i++)
		compare_all(lint, sheet->models[i].claims, sheet->models[i].claim_count);
}
