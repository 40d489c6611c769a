/* TBW = DWPD x capacity x 365 x years. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "spec/lint.h"

/* 9.1 PB is printed for 9.125. */
static const double ROUNDING = 0.05, SIBLING_ROUNDING = 0.02, FLOOR_MAX = 1.5;

static size_t common_prefix(const char *a, const char *b)
{
	size_t len = 0;

	while (a[len] && a[len] == b[len])
		len++;
	return len;
}

struct sibling {
	const struct spec_sheet *sheet;
	double dwpd, years;
	size_t likeness;
};

static void try_sibling(const struct lint *lint, const struct spec_sheet *sheet, double drive_days,
	struct sibling *best)
{
	static const double years[] = { 3, 5 };
	const struct claim *dwpd = spec_claim(
		sheet, sheet->model_count ? &sheet->models[0] : NULL, "endurance.rated_dwpd");
	size_t likeness = common_prefix(sheet->family, lint->sheet->family);

	if (!dwpd || dwpd->quantity.op == OPERATOR_UNLIMITED || likeness < 5 ||
		(best->sheet &&
			(likeness < best->likeness ||
				(likeness == best->likeness &&
					strlen(sheet->family) > strlen(best->sheet->family)))))
		return;
	for (size_t i = 0; i < 2; i++) {
		double days = dwpd->quantity.low.value * 365 * years[i];

		if (fabs(drive_days / days - 1) <= SIBLING_ROUNDING)
			*best = (struct sibling) { sheet, dwpd->quantity.low.value, years[i],
				likeness };
	}
}

/* A family of the same maker whose rating the printed value is. */
static struct sibling find_sibling(const struct lint *lint, double drive_days)
{
	struct sibling best = { 0 };

	for (size_t i = 0; i < lint->library->sheet_count; i++) {
		const struct spec_sheet *sheet = lint->library->sheets[i];

		if (sheet->family && strcmp(sheet->vendor, lint->sheet->vendor) == 0 &&
			strcmp(sheet->family, lint->sheet->family) != 0)
			try_sibling(lint, sheet, drive_days, &best);
	}
	return best;
}

static bool is_loose(const struct claim *claim)
{
	return (claim->kind != CLAIM_EACH && claim->kind != CLAIM_COMPUTED) ||
		claim->quantity.op == OPERATOR_AT_LEAST || claim->quantity.op == OPERATOR_AT_MOST;
}

static void report_mismatch(struct lint *lint, const struct claim *written,
	const struct claim *dwpd, double capacity, double years)
{
	double tbw = written->quantity.low.value, rate = dwpd->quantity.low.value;
	double computed = rate * capacity * 365 * years, ratio = tbw / computed;
	struct sibling sibling = find_sibling(lint, tbw / capacity);
	char sum[160];

	snprintf(sum, sizeof(sum),
		"%g DWPD x %.4g TB x 365 x %g years = %.4g TB, but %s is printed (x %.2f)", rate,
		capacity / 1e12, years, computed / 1e12, written->printed, ratio);
	if (sibling.sheet && (ratio > FLOOR_MAX || ratio < 1 - ROUNDING))
		report_claim(lint, FINDING_WARNING, "endurance-sibling", written,
			"%s: that is %g DWPD x %g years, the rating of %s: the row is taken from "
			"it",
			sum, sibling.dwpd, sibling.years, sibling.sheet->family);
	else if (is_loose(dwpd) || is_loose(written))
		report_claim(lint, FINDING_NOTE, "endurance-family", written,
			"%s: one of them is a figure of the family, not of this model", sum);
	else if (ratio > 1 && ratio <= FLOOR_MAX)
		report_claim(lint, FINDING_NOTE, "endurance-floor", written,
			"%s: the drive writes per day are the family's floor", sum);
	else
		report_claim(lint, FINDING_WARNING, "endurance-arithmetic", written, "%s", sum);
}

static bool in_range(double value, const struct quantity *quantity, double capacity, double years)
{
	double low = quantity->low.value * capacity * 365 * years;
	double high = quantity->high.value * capacity * 365 * years;

	return value >= low * (1 - ROUNDING) && value <= high * (1 + ROUNDING);
}

/* Some pair of a claimed rate and a claimed warranty gives the value. */
static bool fits(const struct lint *lint, const struct spec_model *model, double written)
{
	const struct claim *dwpd, *warranty;

	for (size_t i = 0; (dwpd = spec_claim_next(lint->sheet, model, &i));) {
		if (strcmp(dwpd->key->name, "endurance.rated_dwpd") != 0 || !claim_is_promise(dwpd))
			continue;
		for (size_t k = 0; (warranty = spec_claim_next(lint->sheet, model, &k));)
			if (!strcmp(warranty->key->name, "warranty.years") &&
				claim_is_promise(warranty) &&
				in_range(written, &dwpd->quantity, model->capacity.value,
					warranty->quantity.low.value))
				return true;
	}
	return false;
}

static void check_written(
	struct lint *lint, const struct spec_model *model, const struct claim *written)
{
	const struct claim *dwpd = spec_claim(lint->sheet, model, "endurance.rated_dwpd");
	const struct claim *warranty = spec_claim(lint->sheet, model, "warranty.years");
	double capacity = model->capacity.value;

	if (!dwpd || !warranty || capacity == 0 || !isfinite(written->quantity.low.value) ||
		!isfinite(dwpd->quantity.low.value) || dwpd->quantity.low.value == 0)
		return;
	if (!fits(lint, model, written->quantity.low.value))
		report_mismatch(lint, written, dwpd, capacity, warranty->quantity.low.value);
}

static bool is_warranty(const struct claim *claim)
{
	return !strcmp(claim->key->name, "warranty.years") && claim_is_promise(claim);
}

/* Several warranties: which of them the endurance fits. */
static void check_warranty(
	struct lint *lint, const struct spec_model *model, const struct claim *written)
{
	const struct claim *dwpd = spec_claim(lint->sheet, model, "endurance.rated_dwpd");
	const struct claim *claim, *fitting = NULL;
	double value = written->quantity.low.value;

	if (!dwpd || !isfinite(value))
		return;
	double years = value / (dwpd->quantity.low.value * model->capacity.value * 365);
	for (size_t i = 0; (claim = spec_claim_next(lint->sheet, model, &i));)
		if (is_warranty(claim) && fabs(years / claim->quantity.low.value - 1) <= ROUNDING)
			fitting = claim;
	for (size_t i = 0; fitting && (claim = spec_claim_next(lint->sheet, model, &i));)
		if (is_warranty(claim) && claim != fitting)
			report_claim(lint, FINDING_NOTE, "warranty-arithmetic", claim,
				"%s / (%g DWPD x %.4g TB x 365) = %.2f years: %s fits, %s does not",
				written->printed, dwpd->quantity.low.value,
				model->capacity.value / 1e12, years, fitting->printed,
				claim->printed);
}

void lint_endurance(struct lint *lint)
{
	for (size_t i = 0; i < lint->sheet->model_count; i++) {
		const struct spec_model *model = &lint->sheet->models[i];
		const struct claim *claim;

		for (size_t k = 0; (claim = spec_claim_next(lint->sheet, model, &k));)
			if (!strcmp(claim->key->name, "endurance.rated_written_bytes") &&
				claim_is_promise(claim)) {
				check_written(lint, model, claim);
				check_warranty(lint, model, claim);
			}
	}
}
