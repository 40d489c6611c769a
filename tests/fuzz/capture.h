/*
 * What happens to a capture, for the fuzzers that make one.
 */
#ifndef ASSAY_FUZZ_CAPTURE_H
#define ASSAY_FUZZ_CAPTURE_H

#include "fuzz.h"

#include "assay/decoder.h"
#include "assay/health.h"
#include "assay/import.h"
#include "assay/render.h"

/* By one renderer in one of its manners: which one, the input says. */
static void fuzz_print(const struct document *document, unsigned pick)
{
	static const struct render_options options[] = {
		{ .command = "show", .version = "0", .verbose = true },
		{ .command = "check", .version = "0", .brief = true, .width = 80 },
	};
	const struct render_options *option = &options[pick % ARRAY_LEN(options)];
	size_t count = 0;

	while (renderers[count])
		count++;
	const struct renderer *renderer = renderers[pick / ARRAY_LEN(options) % count];

	if (renderer->print)
		renderer->print(nowhere, document, 0, 1, option);
	else
		renderer->print_all(nowhere, document, 1, option);
}

/* Decodes, judges and prints. */
static void fuzz_show(const struct capture *capture, unsigned pick)
{
	struct facts facts;
	struct health health;

	facts_init(&facts);
	decode(capture, &facts);
	health_judge(&facts, NULL, &health);
	struct document document = { .target = "drive",
		.capture = capture,
		.facts = &facts,
		.verdicts = health.verdicts,
		.verdict_count = health.count };

	fuzz_print(&document, pick);
	health_deinit(&health);
	facts_deinit(&facts);
}

/* To be freed. */
static char *fuzz_write(const struct capture *capture, size_t *len)
{
	char *text = NULL;
	FILE *file = open_memstream(&text, len);

	if (!file || capture_write(file, capture))
		abort();
	fclose(file);
	return text;
}

/* What is written is read again, and written again byte by byte. */
static void fuzz_round_trip(const struct capture *capture)
{
	struct capture again;
	struct error error = { 0 };
	size_t len, len_again;
	char *text = fuzz_write(capture, &len), *text_again;
	FILE *file = fmemopen(text, len, "r");

	capture_init(&again, "again");
	if (!file || capture_read(file, "again", &again, &error))
		abort();
	fclose(file);
	text_again = fuzz_write(&again, &len_again);
	if (len != len_again || memcmp(text, text_again, len) ||
		again.record_count != capture->record_count)
		abort();
	free(text);
	free(text_again);
	capture_deinit(&again);
}

/* One of the things that happen to a capture: which one, the input says. */
static void fuzz_capture(struct capture *capture, const uint8_t *data, size_t size)
{
	unsigned pick = fuzz_turn << 4;

	for (size_t i = 0; i < size; i++)
		pick = pick * 31 + data[i];
	pick >>= 4;
	if (pick % 4 == 0)
		capture_redact(capture);
	if (pick % 4 == 1)
		fuzz_round_trip(capture);
	else
		fuzz_show(capture, pick / 4);
}

#endif
