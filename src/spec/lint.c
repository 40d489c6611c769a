#include "spec/lint.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void findings_init(struct findings *findings)
{
	*findings = (struct findings) { .arena = arena_new() };
}

void findings_deinit(struct findings *findings)
{
	free(findings->findings);
	arena_free(findings->arena);
	*findings = (struct findings) { 0 };
}

static const char *acknowledged(const struct spec_sheet *sheet, const char *code)
{
	for (size_t i = 0; i < sheet->acknowledged_count; i++)
		if (!strcmp(sheet->acknowledged[i * 2], code))
			return sheet->acknowledged[i * 2 + 1];
	return NULL;
}

static void add(struct lint *lint, enum finding_level level, const char *code, const char *path,
	const char *format, va_list args)
{
	struct findings *findings = lint->findings;
	char text[640];

	vsnprintf(text, sizeof(text), format, args);
	findings->findings = array_grow(
		findings->findings, findings->count, sizeof(*findings->findings));
	findings->findings[findings->count++] = (struct finding) {
		.sheet = lint->sheet,
		.file = lint->sheet->file,
		.path = arena_text(findings->arena, path),
		.code = code,
		.text = arena_text(findings->arena, text),
		.level = level,
		.acknowledged = acknowledged(lint->sheet, code),
	};
}

void report(struct lint *lint, enum finding_level level, const char *code, const char *path,
	const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add(lint, level, code, path, format, args);
	va_end(args);
}

void report_claim(struct lint *lint, enum finding_level level, const char *code,
	const struct claim *claim, const char *format, ...)
{
	char path[160];
	va_list args;

	va_start(args, format);
	add(lint, level, code, claim_path(lint->sheet, claim, path, sizeof(path)), format, args);
	va_end(args);
}

const char *model_path(
	const struct lint *lint, const struct spec_model *model, char *text, size_t size)
{
	snprintf(text, size, "models[%td]", model - lint->sheet->models);
	return text;
}

static void each_of(struct lint *lint, const struct claim *claims, size_t count,
	void (*check)(struct lint *lint, const struct claim *claim))
{
	for (size_t i = 0; i < count; i++)
		if (claims[i].kind != CLAIM_MISPRINT)
			check(lint, &claims[i]);
}

void each_claim(struct lint *lint, void (*check)(struct lint *lint, const struct claim *claim))
{
	const struct spec_sheet *sheet = lint->sheet;

	each_of(lint, sheet->claims, sheet->claim_count, check);
	for (size_t i = 0; i < sheet->model_count; i++)
		each_of(lint, sheet->models[i].claims, sheet->models[i].claim_count, check);
}

void spec_lint(
	struct spec_library *library, const struct spec_sheet *sheet, struct findings *findings)
{
	struct lint lint = { library, sheet, findings };

	lint_values(&lint);
	lint_conflicts(&lint);
	lint_performance(&lint);
	lint_endurance(&lint);
	lint_names(&lint);
}
