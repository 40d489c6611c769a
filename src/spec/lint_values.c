/* Single values: notation, vocabulary, ranges. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/array.h"
#include "spec/lint.h"

static bool is_key(const struct claim *claim, const char *name)
{
	return !strcmp(claim->key->name, name);
}

static void check_range(struct lint *lint, const struct claim *claim)
{
	const struct quantity *quantity = &claim->quantity;

	if (quantity->op == OPERATOR_RANGE && quantity->low.value > quantity->high.value)
		report_claim(lint, FINDING_WARNING, "range-swapped", claim,
			"\"%s\": %g is above %g: minimum and maximum are swapped", claim->printed,
			quantity->low.value, quantity->high.value);
}

static void check_list(struct lint *lint, const struct claim *claim)
{
	const struct quantity *quantity = &claim->quantity;

	for (size_t i = 0; quantity->op == OPERATOR_ONE_OF && i < quantity->list_count; i++)
		for (size_t k = 0; k < i; k++)
			if (quantity->list[i].value == quantity->list[k].value)
				report_claim(lint, FINDING_WARNING, "listed-twice", claim,
					"\"%s\": %g stands twice: another value was meant",
					claim->printed, quantity->list[i].value);
}

/* A superscript that got lost: "1017" was 10^17. */
static int lost_exponent(double value)
{
	double number = value < 1 ? 1 / value : value;

	return number >= 1009.5 && number <= 1019.5 ? (int)lround(number) - 1000 : 0;
}

static void check_bit_errors(struct lint *lint, const struct claim *claim)
{
	double value = claim->quantity.low.value;
	int exponent = lost_exponent(value);

	if (!is_key(claim, "reliability.unrecoverable_bit_error_rate"))
		return;
	if (claim->quantity.suspicious)
		report_claim(lint, FINDING_WARNING, "bit-error-notation", claim,
			"\"%s\" is no number: 10^-%d, written %.0e, was meant", claim->printed,
			(int)lround(-log10(value)), value);
	else if (exponent)
		report_claim(lint, FINDING_WARNING, "bit-error-notation", claim,
			"\"%s\": 1 error in %.0f bits cannot be; 10%d without its superscript is "
			"10^%d: 1e-%d was meant",
			claim->printed, value < 1 ? 1 / value : value, exponent, exponent,
			exponent);
	else if (value > 1e-12 || value < 1e-19)
		report_claim(lint, FINDING_WARNING, "bit-error-notation", claim,
			"\"%s\": expected a power of ten between 1e-12 and 1e-19", claim->printed);
}

static double life_hours(const struct lint *lint, const struct claim *claim, const char **name)
{
	const struct claim *life = spec_claim(
		lint->sheet, claim->model, "reliability.service_life_hours");
	const struct claim *warranty = spec_claim(lint->sheet, claim->model, "warranty.years");

	*name = life ? "service life" : "warranty";
	if (life)
		return life->quantity.low.value;
	return warranty ? warranty->quantity.low.value * 8760 : 0;
}

static void check_mtbf(struct lint *lint, const struct claim *claim)
{
	double hours = claim->quantity.low.value;
	const char *name;

	if (!is_key(claim, "reliability.mtbf_hours"))
		return;
	double life = life_hours(lint, claim, &name);
	if (life > 0 && hours < life)
		report_claim(lint, FINDING_WARNING, "mtbf-below-life", claim,
			"%.0f h / 8760 = %.1f years, less than the %s of %.1f years%s", hours,
			hours / 8760, name, life / 8760,
			claim->quantity.suspicious ? "; 万 is 10^4, and M was meant: x 100" : "");
	else if (hours < 3e5 || hours > 3e6)
		report_claim(lint, FINDING_WARNING, "mtbf-range", claim,
			"%.0f h is outside 300,000 to 3,000,000 h: a factor of 10 or 100?", hours);
}

static void check_link(struct lint *lint, const struct claim *claim)
{
	static const double forms[] = { 1.8, 2.5, 3.5 };
	double rate = claim->quantity.low.value;

	if (!is_key(claim, "link.max_gbps") || link_payload(rate) > 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (rate == forms[i]) {
			report_claim(lint, FINDING_WARNING, "vocabulary", claim,
				"%g Gbit/s is no rate of SATA or SAS (1.5 3 6 12 22.5); %g inch is "
				"a form factor: the two are swapped",
				rate, rate);
			return;
		}
	report_claim(lint, FINDING_WARNING, "vocabulary", claim,
		"%g Gbit/s is no rate of SATA or SAS: expected 1.5, 3, 6, 12 or 22.5", rate);
}

static bool is_form_factor(const char *text)
{
	static const char *const words[] = { "1.8in", "2.5in", "3.5in", "M.2", "mSATA" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (!strncmp(text, words[i], strlen(words[i])))
			return true;
	return false;
}

static void check_form_factor(struct lint *lint, const struct claim *claim)
{
	if (!is_key(claim, "identity.form_factor") || is_form_factor(claim->text))
		return;
	double number = strtod(claim->text, NULL);
	report_claim(lint, FINDING_WARNING, "vocabulary", claim,
		"\"%s\" is no form factor: expected 1.8in, 2.5in, 3.5in, M.2 or mSATA%s",
		claim->text,
		link_payload(number) > 0 ? "; it is a link rate: the two are swapped" : "");
}

static void check_interface(struct lint *lint, const struct claim *claim)
{
	if (is_key(claim, "interface") && strcmp(claim->text, "SATA") != 0 &&
		strcmp(claim->text, "SAS") != 0)
		report_claim(lint, FINDING_WARNING, "vocabulary", claim,
			"\"%s\": expected \"SATA\" or \"SAS\"", claim->text);
}

static void check_height(struct lint *lint, const struct claim *claim)
{
	static const double heights[] = { 5, 7, 8, 9.5, 12.5, 14.8, 15, 20, 20.2, 25.4, 26.1 };
	double height = claim->quantity.low.value;

	if (!is_key(claim, "physical.height_mm"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(heights); i++)
		if (fabs(height - heights[i]) <= 0.1)
			return;
	report_claim(lint, FINDING_NOTE, "vocabulary", claim,
		"%g mm is not one of the usual heights 5, 7, 9.5, 15 and 26.1 mm", height);
}

/* Processes of flash memory are of 10 to 90 nm. */
static void check_process(struct lint *lint, const struct claim *claim)
{
	const char *at = claim->text ? strstr(claim->text, "nm") : NULL;

	if (!is_key(claim, "media.type") || !at)
		return;
	while (at > claim->text && isdigit((unsigned char)at[-1]))
		at--;
	double process = strtod(at, NULL);
	if (process < 10 || process > 90)
		report_claim(lint, FINDING_WARNING, "vocabulary", claim,
			"\"%s\": flash of %.0f nm does not exist: swapped with another number",
			claim->text, process);
}

/* "18 x 32 GB" against the raw size, and that against the usable one. */
static void check_packages(struct lint *lint, const struct claim *claim)
{
	const struct claim *raw = spec_claim(lint->sheet, claim->model, "media.raw_bytes");
	struct quantity_room room;
	struct quantity size;
	char *end;

	if (!is_key(claim, "media.packages") || !raw)
		return;
	double count = strtod(claim->text, &end);
	end += strspn(end, " x");
	if (quantity_read(end, DIMENSION_BYTES, &size, &room))
		return;
	double product = count * size.low.value, printed = raw->quantity.low.value;
	if (fabs(product - printed) > 0.01 * printed)
		report_claim(lint, FINDING_WARNING, "media-arithmetic", claim,
			"%.0f x %.0f GB = %.0f GB, not the %.0f GB of raw media", count,
			size.low.value / 1e9, product / 1e9, printed / 1e9);
}

static void check_raw(struct lint *lint, const struct claim *claim)
{
	const struct spec_model *model = claim->model;

	if (!is_key(claim, "media.raw_bytes") || !model || model->capacity.value <= 0)
		return;
	double spare = claim->quantity.low.value / model->capacity.value - 1;
	if (spare < 0 || spare > 1.6)
		report_claim(lint, FINDING_WARNING, "media-arithmetic", claim,
			"%s raw / %s - 1 = %.0f %% over-provisioning: expected 0 to 160 %%",
			claim->printed, model->capacity_printed, spare * 100);
}

static void check_power(struct lint *lint, const struct claim *claim)
{
	static const char *const above[] = { "power.maximum_milliwatts", "power.active_milliwatts",
		"power.write_milliwatts" };
	bool idle = is_key(claim, "power.idle_milliwatts");

	if (!idle && !is_key(claim, "power.typical_milliwatts"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(above); i++) {
		const struct claim *other = spec_claim(lint->sheet, claim->model, above[i]);

		if (other && other->quantity.low.value < claim->quantity.low.value)
			report_claim(lint, FINDING_WARNING, "power-order", claim,
				"%s of %s is above %s of %s", claim->key->label, claim->printed,
				other->key->label, other->printed);
	}
}

/* A figure that was copied with the name of another drive. */
static void check_subject(struct lint *lint, const struct claim *claim)
{
	const struct spec_sheet *sheet = lint->sheet;
	const char *subject = claim->subject;

	if (!subject || !sheet->family || strcasestr(sheet->family, subject) ||
		strcasestr(subject, sheet->family))
		return;
	for (size_t i = 0; i < sheet->model_count; i++)
		if (strcasestr(subject, sheet->models[i].name) ||
			strcasestr(sheet->models[i].name, subject))
			return;
	report_claim(lint, FINDING_WARNING, "other-subject", claim,
		"the source says this of \"%s\", which names neither %s nor one of its models: "
		"copied, or misspelt",
		subject, sheet->family);
}

/* Accesses are of a power of two of bytes, or of blocks that carry protection. */
static void check_block(struct lint *lint, const struct claim *claim)
{
	uint64_t block = claim->conditions.block_bytes;

	if ((block & (block - 1)) == 0 || block % 520 == 0 || block % 528 == 0)
		return;
	report_claim(lint, FINDING_WARNING, "vocabulary", claim,
		"accesses of %g KiB are not usual: swapped with another number",
		(double)block / 1024);
}

static void check_value(struct lint *lint, const struct claim *claim)
{
	check_range(lint, claim);
	check_list(lint, claim);
	check_bit_errors(lint, claim);
	check_mtbf(lint, claim);
	check_link(lint, claim);
	check_form_factor(lint, claim);
	check_interface(lint, claim);
	check_height(lint, claim);
	check_process(lint, claim);
	check_packages(lint, claim);
	check_raw(lint, claim);
	check_power(lint, claim);
	check_subject(lint, claim);
	check_block(lint, claim);
}

void lint_values(struct lint *lint)
{
	each_claim(lint, check_value);
}
