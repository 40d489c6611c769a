/*
 * Locks and erasure: ACS-4 4.18 and 7.12.7 (security, sanitize), SPC-5 (security
 * protocols), SBC-4 5.30 (SANITIZE), TCG.
 */
#include "commands.h"
#include "place.h"
#include "security.h"

#include <string.h>

static const struct key keys[] = {
	{ "security.supported", .label = "ATA security", .agreement = AGREE_EXACT },
	{ "security.enabled", .label = "Password set", .agreement = AGREE_EXACT },
	{ "security.locked", .label = "Locked", .agreement = AGREE_EXACT },
	{ "security.frozen", .label = "Security settings frozen" },
	{ "security.count_expired", .label = "Password attempts used up", .detail = true },
	{ "security.level_maximum", .label = "Security level is maximum", .detail = true },
	{ "security.enhanced_erase_supported", .label = "Enhanced security erase", .detail = true },
	{ "security.erase_minutes", "Security erase takes", .unit = UNIT_MINUTES, .detail = true },
	{ "security.enhanced_erase_minutes", "Enhanced security erase takes", .unit = UNIT_MINUTES,
		.detail = true },
	{ "security.master_password_id", .label = "Master password identifier", .detail = true },
	{ "security.sanitize_supported", .label = "Sanitize" },
	{ "security.sanitize_crypto_supported", .label = "Sanitize, cryptographic",
		.agreement = AGREE_EXACT, .detail = true },
	{ "security.sanitize_block_supported", .label = "Sanitize, block erase",
		.agreement = AGREE_EXACT, .detail = true },
	{ "security.sanitize_overwrite_supported", .label = "Sanitize, overwrite",
		.agreement = AGREE_EXACT, .detail = true },
	{ "security.sanitize_antifreeze_supported", .label = "Sanitize, antifreeze lock",
		.detail = true },
	{ "security.encrypts_all", .label = "Encrypts all user data", .agreement = AGREE_EXACT },
	{ "security.tcg_supported", .label = "Trusted computing (TCG)" },
	{ "security.tcg_class", .label = "TCG class" },
	{ "security.locking_supported", .label = "TCG locking", .detail = true },
	{ "security.locking_enabled", .label = "TCG locking, enabled" },
	{ "security.tcg_locked", .label = "TCG locking, a range is locked" },
	{ "security.media_encryption", .label = "TCG media encryption", .detail = true },
	{ "security.shadow_mbr_enabled", .label = "TCG shadow MBR, enabled", .detail = true },
	{ "security.protocols", .label = "Security protocols", .detail = true },
	{ "security.fips", .label = "FIPS compliance" },
};

/* ACS-4 7.12.7: word 128 and its kin mean something where bit 1 of word 82
 * says that the feature set is there. */
static const struct condition features_valid[] = { IDENTIFY_SIGNED(83), { 0 } };
static const struct condition security[] = { IDENTIFY_SIGNED(83), { 2 * 82, 2, 2, 2 }, { 0 } };
static const struct condition enabled[] = { IDENTIFY_SIGNED(83), { 2 * 82, 2, 2, 2 },
	{ 2 * 128, 2, 2, 2 }, { 0 } };
static const struct condition sanitize[] = { { 2 * 59, 2, 0x1000, 0x1000 }, { 0 } };
static const struct condition trusted_valid[] = { IDENTIFY_SIGNED(48), { 0 } };
static const struct field identify_fields[] = {
	{ "security.tcg_supported", .at = 2 * 48, .width = 2, .bits = 1, .format = FORMAT_FLAG,
		.when = trusted_valid },
	{ "security.sanitize_antifreeze_supported", .at = 2 * 59, .width = 2, .low_bit = 10,
		.bits = 1, .format = FORMAT_FLAG, .when = sanitize },
	{ "security.sanitize_supported", .at = 2 * 59, .width = 2, .low_bit = 12, .bits = 1,
		.format = FORMAT_FLAG },
	{ "security.sanitize_crypto_supported", .at = 2 * 59, .width = 2, .low_bit = 13, .bits = 1,
		.format = FORMAT_FLAG, .when = sanitize },
	{ "security.sanitize_overwrite_supported", .at = 2 * 59, .width = 2, .low_bit = 14,
		.bits = 1, .format = FORMAT_FLAG, .when = sanitize },
	{ "security.sanitize_block_supported", .at = 2 * 59, .width = 2, .low_bit = 15, .bits = 1,
		.format = FORMAT_FLAG, .when = sanitize },
	{ "security.encrypts_all", .at = 2 * 69, .width = 2, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG },
	{ "security.supported", .at = 2 * 82, .width = 2, .low_bit = 1, .bits = 1,
		.format = FORMAT_FLAG, .when = features_valid },
	{ "security.master_password_id", .at = 2 * 92, .width = 2,
		.unknown = UNKNOWN_ZERO | UNKNOWN_ONES, .when = security },
	{ "security.enabled", .at = 2 * 128, .width = 2, .low_bit = 1, .bits = 1,
		.format = FORMAT_FLAG, .when = security },
	{ "security.locked", .at = 2 * 128, .width = 2, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG, .when = security },
	{ "security.frozen", .at = 2 * 128, .width = 2, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG, .when = security },
	{ "security.count_expired", .at = 2 * 128, .width = 2, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG, .when = security },
	{ "security.enhanced_erase_supported", .at = 2 * 128, .width = 2, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG, .when = security },
	{ "security.level_maximum", .at = 2 * 128, .width = 2, .low_bit = 8, .bits = 1,
		.format = FORMAT_FLAG, .when = enabled },
};

/* ACS-4 9.11.8: the same in another order */
static const struct condition log_security[] = { { 16, 1, 0x40, 0x40 }, { 0 } };
static const struct condition log_sanitize[] = { { 48, 1, 0x02, 0x02 }, { 0 } };
static const struct field security_log[] = {
	{ "security.supported", .at = 16, .width = 1, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1 },
	{ "security.enabled", .at = 16, .width = 1, .bits = 1, .format = FORMAT_FLAG, .rank = 1,
		.when = log_security },
	{ "security.locked", .at = 16, .width = 1, .low_bit = 1, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1, .when = log_security },
	{ "security.frozen", .at = 16, .width = 1, .low_bit = 2, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1, .when = log_security },
	{ "security.count_expired", .at = 16, .width = 1, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1, .when = log_security },
	{ "security.enhanced_erase_supported", .at = 16, .width = 1, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1, .when = log_security },
	{ "security.encrypts_all", .at = 48, .width = 1, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1 },
	{ "security.sanitize_supported", .at = 48, .width = 1, .low_bit = 1, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1 },
	{ "security.sanitize_crypto_supported", .at = 48, .width = 1, .low_bit = 2, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1, .when = log_sanitize },
	{ "security.sanitize_overwrite_supported", .at = 48, .width = 1, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1, .when = log_sanitize },
	{ "security.sanitize_block_supported", .at = 48, .width = 1, .low_bit = 4, .bits = 1,
		.format = FORMAT_FLAG, .rank = 1, .when = log_sanitize },
};

static const struct layout layouts[] = {
	{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 0, identify_fields, ARRAY_LEN(identify_fields) },
	{ { PAGE_ATA_LOG, 0x30, 6, 0 }, 0, security_log, ARRAY_LEN(security_log) },
};

/* ACS-4 7.12.7.41: units of two minutes in 8 bits, or in 15 where bit 15 says
 * so; all ones are longer than that, 0 is not told. */
static void add_erase_time(
	const struct page *identify, unsigned word, const char *key, struct facts *facts)
{
	enum { LONG_FORM = 1 << 15, UNIT = 2 };
	unsigned raw = word_value(identify, word);
	unsigned mask = raw & LONG_FORM ? 0x7fff : 0xff, value = raw & mask;
	struct fact *fact = place_fact(facts, key, value_uint((uint64_t)UNIT * value),
		state_of(value && value != mask, true),
		(struct place) { identify, word_at(word), 2, 0 });

	if (value == mask)
		fact->note = facts_printf(facts, "more than %u minutes", UNIT * (mask - 1));
}

static void add_erase_times(const struct capture *capture, struct facts *facts)
{
	struct page page = page_get(capture, facts, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	bool supported, enhanced;

	if (!page.data.at || !facts_flag(facts, "security.supported", &supported) || !supported)
		return;
	add_erase_time(&page, 89, "security.erase_minutes", facts);
	if (facts_flag(facts, "security.enhanced_erase_supported", &enhanced) && enhanced)
		add_erase_time(&page, 90, "security.enhanced_erase_minutes", facts);
}

/* SBC-4 5.30: which service actions of SANITIZE the drive lists. A SAT layer
 * lists what it translates, not what the drive can do. */
static void add_sanitize(const struct capture *capture, struct facts *facts)
{
	enum { SANITIZE = 0x48 };
	static const struct {
		int action;
		const char *key;
	} actions[] = {
		{ 0x01, "security.sanitize_overwrite_supported" },
		{ 0x02, "security.sanitize_block_supported" },
		{ 0x03, "security.sanitize_crypto_supported" },
	};
	struct command_support support, any = { 0 };
	bool told = false;

	if (!strcmp(facts_text(facts, "identity.protocol"), "ata"))
		return;
	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		if (!command_support_get(capture, SANITIZE, actions[i].action, &support))
			continue;
		facts_add(facts, decoder_key(actions[i].key), value_flag(support.supported),
			FACT_KNOWN, source_page(support.page, support.offset, support.raw), 2);
		if (!told || support.supported)
			any = support;
		told = true;
	}
	if (told)
		facts_add(facts, decoder_key("security.sanitize_supported"),
			value_flag(any.supported), FACT_KNOWN,
			source_page(any.page, any.offset, any.raw), 2);
}

static void extra(const struct capture *capture, struct facts *facts)
{
	add_erase_times(capture, facts);
	add_sanitize(capture, facts);
	security_protocols_decode(capture, facts);
}

const struct decoder decoder_security = {
	.name = "security",
	.title = "Security",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.extra = extra,
};
