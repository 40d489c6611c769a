/* Names, sizes and patterns: of a model, and among families. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/lint.h"

static const double SIZE_TOLERANCE = 0.005;

static void check_size(struct lint *lint, const struct spec_model *model, const char *path)
{
	double nominal = model->capacity.value;
	uint64_t size = model->size_count ? model->sizes[0] : 0;

	if (!model->sizes_seen || nominal == 0)
		return;
	double ratio = (double)size / nominal;
	if (fabs(ratio / 1.073741824 - 1) < 0.001)
		report(lint, FINDING_WARNING, "capacity-arithmetic", path,
			"%llu bytes / %s = 1.0737: GiB printed as GB", (unsigned long long)size,
			model->capacity_printed);
	else if (fabs(ratio - 1) > SIZE_TOLERANCE)
		report(lint, FINDING_WARNING, "capacity-arithmetic", path,
			"%llu bytes are %.1f %% of %s", (unsigned long long)size, ratio * 100,
			model->capacity_printed);
	else if (nominal >= 5e10 && !capacity_rule(size, nominal / 1e9))
		report(lint, FINDING_NOTE, "capacity-rule", path,
			"%llu bytes are %lld sectors off IDEMA LBA1-03, which gives %llu",
			(unsigned long long)size,
			((long long)size - (long long)capacity_lba103(nominal / 1e9, 512)) / 512,
			(unsigned long long)capacity_lba103(nominal / 1e9, 512));
}

static void check_spelling(struct lint *lint, const struct spec_model *model, const char *path)
{
	for (const char *at = model->name; (at = strchr(at, ',')); at++)
		if (at > model->name && isdigit((unsigned char)at[-1]) &&
			isdigit((unsigned char)at[1])) {
			report(lint, FINDING_WARNING, "name-is-number", path,
				"\"%s\" holds a number with a thousands separator: a value and a "
				"model number are swapped",
				model->name);
			return;
		}
}

struct decoded {
	struct lint *lint;
	const struct spec_model *model;
	const char *name, *path;
	double capacity;
};

static void take_capacity(void *context, const struct part_digits *digits)
{
	struct decoded *decoded = context;

	if (digits->claim && !strcmp(digits->claim->key->name, "capacity.bytes"))
		decoded->capacity = digits->claim->quantity.low.value;
}

static double decode_capacity(
	struct lint *lint, const struct spec_model *model, char *name, size_t size)
{
	struct decoded decoded = { .lint = lint, .model = model };

	snprintf(name, size, "%s", model->name);
	if (!spec_decode(lint->library, name, take_capacity, &decoded) && model->pattern_count &&
		regex_example(model->patterns[0].regex, name, size))
		spec_decode(lint->library, name, take_capacity, &decoded);
	return decoded.capacity;
}

static bool differs(double decoded, double stated)
{
	return decoded > 0 && stated > 0 && fabs(decoded / stated - 1) > SIZE_TOLERANCE;
}

static void check_part_number(
	struct lint *lint, const struct spec_model *model, const char *path, size_t *wrong)
{
	char name[128], size[32];
	double decoded = decode_capacity(lint, model, name, sizeof(name));

	if (!differs(decoded, model->capacity.value))
		return;
	(*wrong)++;
	report(lint, FINDING_WARNING, "part-number-capacity", path,
		"the digits of %s say %s, the sheet says %s", name,
		quantity_human(decoded, DIMENSION_BYTES, size, sizeof(size)),
		model->capacity_printed);
}

/* The part numbers are right but stand in the wrong rows. */
static bool is_permutation(struct lint *lint)
{
	char name[128];
	const struct spec_sheet *sheet = lint->sheet;

	for (size_t i = 0; i < sheet->model_count; i++) {
		double decoded = decode_capacity(lint, &sheet->models[i], name, sizeof(name));
		bool found = false;

		for (size_t k = 0; k < sheet->model_count; k++)
			found |= decoded > 0 && !differs(decoded, sheet->models[k].capacity.value);
		if (!found)
			return false;
	}
	return true;
}

static void check_overlap(struct lint *lint, const struct spec_model *model,
	const struct pattern *pattern, const char *path)
{
	char name[128];
	struct spec_matches matches;
	struct spec_subject subject = {
		.vendor = "", .model = name, .bytes = model->size_count ? model->sizes[0] : 0
	};

	if (!regex_example(pattern->regex, name, sizeof(name)))
		return;
	spec_match(lint->library, &subject, &matches);
	if (matches.count == 0)
		report(lint, FINDING_WARNING, "pattern", path,
			"\"%s\" does not match its own example \"%s\"", pattern->regex, name);
	for (size_t i = 0; i < matches.count; i++)
		if (strcmp(matches.matches[i].sheet->file, lint->sheet->file) != 0)
			report(lint, FINDING_WARNING, "pattern-overlap", path,
				"\"%s\" matches \"%s\", and so does \"%s\" of %s", name,
				pattern->regex, matches.matches[i].pattern->regex,
				matches.matches[i].sheet->family);
		else if (!matches.matches[i].model)
			report(lint, FINDING_WARNING, "pattern-overlap", path,
				"\"%s\" and the size tell this model from no other of the family",
				name);
}

void lint_names(struct lint *lint)
{
	const struct spec_sheet *sheet = lint->sheet;
	char path[64];
	size_t wrong = 0;

	for (size_t i = 0; i < sheet->model_count; i++) {
		const struct spec_model *model = &sheet->models[i];

		model_path(lint, model, path, sizeof(path));
		check_size(lint, model, path);
		check_spelling(lint, model, path);
		check_part_number(lint, model, path, &wrong);
		for (size_t k = 0; k < model->pattern_count; k++)
			check_overlap(lint, model, &model->patterns[k], path);
	}
	if (wrong > 1 && is_permutation(lint))
		report(lint, FINDING_WARNING, "part-number-order", "models",
			"all capacities are there, but %zu part numbers stand in the wrong rows",
			wrong);
}
