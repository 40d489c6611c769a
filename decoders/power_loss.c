/*
 * What a power cut may cost: SBC-4 6.5.6 (caching mode page), SPC-5 7.7.7 (VPD
 * page 86h) and 7.3.14 (log page 17h), ACS-4 7.12.7 (IDENTIFY DEVICE).
 *
 * power_loss.capacitor_test ("passed", "failed") and .unsafe_shutdown_count come
 * from the attributes of a family.
 */
#include "commands.h"
#include "place.h"

#include <stdio.h>
#include <string.h>

static const struct key keys[] = {
	{ "power_loss.at_risk", .label = "Cached writes at risk" },
	{ "power_loss.write_cache_enabled", .label = "Write cache", .agreement = AGREE_EXACT },
	{ "power_loss.volatile_cache", .label = "Volatile cache" },
	{ "power_loss.nonvolatile_cache", .label = "Non-volatile cache" },
	{ "power_loss.capacitor_test", .label = "Capacitor test" },
	{ "power_loss.unsafe_shutdown_count", "Unsafe shutdowns", UNIT_COUNT,
		.agreement = AGREE_CLOSE },
	{ "power_loss.remaining_nonvolatile_minutes", "Cache holds without power, now",
		.unit = UNIT_MINUTES },
	{ "power_loss.maximum_nonvolatile_minutes", "Cache holds without power, at most",
		.unit = UNIT_MINUTES, .detail = true },
	{ "power_loss.write_cache_changeable", .label = "Write cache, changeable", .detail = true },
	{ "power_loss.write_cache_default", .label = "Write cache, default", .detail = true },
	{ "power_loss.write_cache_saved", .label = "Write cache, saved", .detail = true },
	{ "power_loss.fua_supported", .label = "Forced unit access", .detail = true },
	{ "power_loss.flush_supported", .label = "Flush", .detail = true },
};

/* SBC-4 6.5.6 */
static const struct field caching[] = {
	{ "power_loss.write_cache_enabled", .at = 2, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1 },
};
static const struct field caching_changeable[] = {
	{ "power_loss.write_cache_changeable", .at = 2, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
};
static const struct field caching_default[] = {
	{ "power_loss.write_cache_default", .at = 2, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
};
static const struct field caching_saved[] = {
	{ "power_loss.write_cache_saved", .at = 2, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
};

/* SPC-5 7.7.7 */
static const struct field extended_inquiry[] = {
	{ "power_loss.volatile_cache", .at = 6, .width = 1, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1 },
};

/* ACS-4 7.12.7 */
static const struct condition features_valid[] = { IDENTIFY_SIGNED(83), { 0 } };
static const struct condition cache_valid[] = { IDENTIFY_SIGNED(83), { 2 * 82, 2, 0x20, 0x20 },
	IDENTIFY_SIGNED(87), { 0 } };
static const struct condition more_features_valid[] = { IDENTIFY_SIGNED(84), { 0 } };
static const struct field identify_fields[] = {
	{ "power_loss.nonvolatile_cache", .at = 2 * 69, .width = 2, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG },
	{ "power_loss.volatile_cache", .at = 2 * 82, .width = 2, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG, .when = features_valid },
	{ "power_loss.flush_supported", .at = 2 * 83, .width = 2, .low_bit = 12, .bits = 1,
		.format = FORMAT_FLAG, .when = features_valid },
	{ "power_loss.fua_supported", .at = 2 * 84, .width = 2, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG, .when = more_features_valid },
	{ "power_loss.write_cache_enabled", .at = 2 * 85, .width = 2, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG, .when = cache_valid },
};

/* ACS-4 9.11.6 */
static const struct field settings_log[] = {
	{ "power_loss.write_cache_enabled", .at = 8, .width = 8, .low_bit = 13, .bits = 1,
		.format = FORMAT_FLAG, .rank = 2 },
};

static const struct layout layouts[] = {
	{ { PAGE_MODE, 0x08, 0, 0 }, 0, caching, ARRAY_LEN(caching) },
	{ { PAGE_MODE, 0x08, 0, 1 }, 0, caching_changeable, ARRAY_LEN(caching_changeable) },
	{ { PAGE_MODE, 0x08, 0, 2 }, 0, caching_default, ARRAY_LEN(caching_default) },
	{ { PAGE_MODE, 0x08, 0, 3 }, 0, caching_saved, ARRAY_LEN(caching_saved) },
	{ { PAGE_VPD, 0x86, 0, 0 }, 0, extended_inquiry, ARRAY_LEN(extended_inquiry) },
	{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 0, identify_fields, ARRAY_LEN(identify_fields) },
	{ { PAGE_ATA_LOG, 0x30, 4, 0 }, 0, settings_log, ARRAY_LEN(settings_log) },
};

/* A bit, or that nothing tells it. */
enum answer { UNTOLD = -1, NO = 0, YES = 1 };

static enum answer bit_of(const struct page *page, size_t at, uint8_t mask)
{
	uint64_t byte;

	if (!bytes_be(page->data, at, 1, &byte))
		return UNTOLD;
	return byte & mask ? YES : NO;
}

static enum answer answer_of(const struct facts *facts, const char *key)
{
	bool flag;

	if (!facts_flag(facts, key, &flag))
		return UNTOLD;
	return flag ? YES : NO;
}

static struct page caching_page(const struct capture *capture)
{
	return page_get(capture, NULL, (struct page_id) { PAGE_MODE, 0x08, 0, 0 });
}

/* A non-volatile cache that is there may be switched off: NV_DIS. */
static void add_nonvolatile(const struct capture *capture, struct facts *facts)
{
	struct page vpd = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_VPD, .page = 0x86 });
	struct page mode = caching_page(capture);
	enum answer there = bit_of(&vpd, 6, 0x02), off = bit_of(&mode, 12, 0x01);
	struct place place = { &vpd, 6, 1, .rank = 1 };

	if (there == UNTOLD)
		return;
	struct fact *fact = place_fact(facts, "power_loss.nonvolatile_cache",
		value_flag(there == YES && off == NO), state_of(there == NO || off != UNTOLD, true),
		place);

	fact->source.text = "NV_SUP, and NV_DIS of mode page 08h";
}

/* ---- Log page 17h ---- */

/* What parameter 0 says of the cache's time without power. */
enum retention { RETENTION_UNTOLD, RETENTION_NONE, RETENTION_SOME };

static void add_time(const struct page *page, uint16_t code, const char *key, struct facts *facts)
{
	enum { UNKNOWN = 1, INDEFINITE = 0xffffff };
	struct log_parameter parameter;
	uint64_t minutes;

	if (!log_parameter_find(page, code, &parameter) ||
		!bytes_be(parameter.data, 5, 3, &minutes))
		return;
	struct fact *fact = facts_add(facts, decoder_key(key), value_uint(minutes),
		state_of(minutes != UNKNOWN && minutes != INDEFINITE, true),
		source_page(page->id, parameter.offset + 5, bytes_cut(parameter.data, 5, 3)), 0);

	fact->source.parameter = code;
	if (minutes == INDEFINITE)
		fact->note = "without limit";
	if (minutes == 0)
		fact->note = "the cache is volatile";
}

static void add_times(const struct capture *capture, struct facts *facts)
{
	struct page page = page_get(capture, facts, (struct page_id) { PAGE_LOG, 0x17, 0, 1 });

	add_time(&page, 0, "power_loss.remaining_nonvolatile_minutes", facts);
	add_time(&page, 1, "power_loss.maximum_nonvolatile_minutes", facts);
}

static enum retention retention_of(const struct facts *facts)
{
	const struct fact *fact = facts_find(facts, "power_loss.remaining_nonvolatile_minutes");

	if (!fact)
		return RETENTION_UNTOLD;
	if (fact->state == FACT_KNOWN)
		return fact->value.uint ? RETENTION_SOME : RETENTION_NONE;
	return fact->note ? RETENTION_SOME : RETENTION_UNTOLD;
}

/* ---- Commands ---- */

static void add_flush(const struct capture *capture, struct facts *facts)
{
	static const uint8_t codes[] = { 0x35, 0x91 }; /* SYNCHRONIZE CACHE (10), (16) */
	struct command_support support, best = { 0 };
	bool told = false;

	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (!command_support_get(capture, codes[i], NO_SERVICE_ACTION, &support))
			continue;
		if (!told || support.supported)
			best = support;
		told = true;
	}
	if (told)
		facts_add(facts, decoder_key("power_loss.flush_supported"),
			value_flag(best.supported), FACT_KNOWN,
			source_page(best.page, best.offset, best.raw), 1);
}

/* SBC-4 6.5.1: DPOFUA, in the header of any MODE SENSE answer. */
static void add_fua(const struct capture *capture, struct facts *facts)
{
	enum { DPOFUA = 0x10 };

	for (size_t i = 0; i < capture->record_count; i++) {
		const struct record *record = &capture->records[i];
		size_t at = record->cdb[0] == 0x5a ? 3 : 2;
		uint64_t byte;

		if (record->page.kind != PAGE_MODE || record->page.control != 0 ||
			!record_is_good(record) || !bytes_be(record->data, at, 1, &byte))
			continue;
		facts_add(facts, decoder_key("power_loss.fua_supported"), value_flag(byte & DPOFUA),
			FACT_KNOWN, source_page(record->page, at, bytes_cut(record->data, at, 1)),
			1);
		return;
	}
}

/* ---- The answer ---- */

struct evidence {
	enum answer enabled, volatile_cache, nonvolatile, capacitors;
	enum retention retention;
};

/* Answers from the best evidence down. That V_SUP is 0 does not say that there
 * is no volatile cache (SPC-5), but ATA's bit does. */
static enum answer at_risk(const struct evidence *evidence, bool ata)
{
	if (evidence->enabled == NO || (ata && evidence->volatile_cache == NO))
		return NO;
	if (evidence->enabled == UNTOLD)
		return UNTOLD;
	if (evidence->capacitors == NO || evidence->retention == RETENTION_NONE)
		return YES;
	if (evidence->capacitors == YES || evidence->retention == RETENTION_SOME ||
		evidence->nonvolatile == YES)
		return NO;
	if (evidence->volatile_cache == YES && evidence->nonvolatile == NO)
		return YES;
	return UNTOLD;
}

static enum answer capacitors_of(const struct facts *facts)
{
	const char *test = facts_text(facts, "power_loss.capacitor_test");

	if (!strcmp(test, "passed"))
		return YES;
	return strcmp(test, "failed") ? UNTOLD : NO;
}

static void append(char *text, size_t size, const char *name, enum answer answer)
{
	size_t len = strlen(text);

	if (answer != UNTOLD)
		snprintf(text + len, size - len, "%s%s=%d", len ? " " : "", name, (int)answer);
}

static const char *evidence_text(const struct capture *capture, const struct evidence *evidence,
	bool ata, struct facts *facts)
{
	static const char *const retentions[] = { "", ", log page 17h: volatile",
		", log page 17h: non-volatile" };
	static const char *const tests[] = { ", capacitor test failed", ", capacitor test passed" };
	struct page vpd = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_VPD, .page = 0x86 });
	struct page mode = caching_page(capture);
	char text[128] = "";

	append(text, sizeof(text), ata ? "word 82.5" : "V_SUP", evidence->volatile_cache);
	append(text, sizeof(text), ata ? "word 85.5" : "WCE", evidence->enabled);
	append(text, sizeof(text), ata ? "word 69.2" : "NV_SUP",
		ata ? evidence->nonvolatile : bit_of(&vpd, 6, 0x02));
	if (!ata)
		append(text, sizeof(text), "NV_DIS", bit_of(&mode, 12, 0x01));
	return facts_printf(facts, "%s%s%s", text, retentions[evidence->retention],
		evidence->capacitors == UNTOLD ? "" : tests[evidence->capacitors]);
}

static void add_at_risk(const struct capture *capture, struct facts *facts)
{
	struct page identify = page_get(
		capture, NULL, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	bool ata = identify.data.at;
	uint64_t rotation;
	struct evidence evidence = {
		.enabled = answer_of(facts, "power_loss.write_cache_enabled"),
		.volatile_cache = answer_of(facts, "power_loss.volatile_cache"),
		.nonvolatile = answer_of(facts, "power_loss.nonvolatile_cache"),
		.capacitors = capacitors_of(facts),
		.retention = retention_of(facts),
	};
	enum answer answer = at_risk(&evidence, ata);

	if (evidence.enabled == UNTOLD && evidence.volatile_cache == UNTOLD)
		return;
	struct fact *fact = facts_add(facts, decoder_key("power_loss.at_risk"),
		value_flag(answer == YES), state_of(answer != UNTOLD, true),
		source_derived(evidence_text(capture, &evidence, ata, facts)), 0);

	if (ata && answer == YES && evidence.capacitors == UNTOLD &&
		facts_uint(facts, "identity.rotation_rpm", &rotation) && rotation == 0)
		fact->note = "unless capacitors protect it, of which ATA cannot tell";
}

static void extra(const struct capture *capture, struct facts *facts)
{
	add_nonvolatile(capture, facts);
	add_times(capture, facts);
	add_flush(capture, facts);
	add_fua(capture, facts);
	add_at_risk(capture, facts);
}

const struct decoder decoder_power_loss = {
	.name = "power_loss",
	.title = "Power loss",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.extra = extra,
};
