/*
 * Power states and what leads to them: SPC-5 (REQUEST SENSE, mode page 1Ah, VPD
 * pages 8Ah and 8Dh), ACS-4 4.9 and 4.16 (APM, EPC).
 */
#include "power.h"
#include "place.h"

static const struct key keys[] = {
	{ "power.state", .label = "Power state" },
	{ "power.idle_a_recovery_us", "Recovery from idle_a", UNIT_MICROSECONDS,
		.agreement = AGREE_EXACT, .detail = true },
	{ "power.idle_b_recovery_us", "Recovery from idle_b", UNIT_MICROSECONDS,
		.agreement = AGREE_EXACT, .detail = true },
	{ "power.idle_c_recovery_us", "Recovery from idle_c", UNIT_MICROSECONDS,
		.agreement = AGREE_EXACT, .detail = true },
	{ "power.standby_y_recovery_us", "Recovery from standby_y", UNIT_MICROSECONDS,
		.agreement = AGREE_EXACT, .detail = true },
	{ "power.standby_z_recovery_us", "Recovery from standby_z", UNIT_MICROSECONDS,
		.agreement = AGREE_EXACT, .detail = true },
	{ "power.stopped_recovery_us", "Recovery from stopped", UNIT_MICROSECONDS, .detail = true },
	{ "power.limit_milliwatts", "Power limit", .unit = UNIT_MILLIWATTS },
	{ "power.active_level", .label = "Power consumption level", .detail = true },
	{ "power.background_precedence", .label = "Power or background functions first",
		.detail = true },
	{ "power.epc_supported", .label = "Extended power conditions", .detail = true },
	{ "power.epc_enabled", .label = "Extended power conditions, enabled" },
	{ "power.apm_supported", .label = "Advanced power management", .detail = true },
	{ "power.apm_enabled", .label = "Advanced power management, enabled", .detail = true },
	{ "power.apm_level", .label = "Advanced power management level" },
	{ "power.puis_supported", .label = "Power-up in standby", .detail = true },
	{ "power.puis_enabled", .label = "Power-up in standby, enabled" },
	{ "power.puis_spin_up_needed", .label = "Power-up in standby, spin-up by command",
		.detail = true },
	{ "power.standard_standby_timers", .label = "Standby timers of the standard",
		.detail = true },
	{ "power.vendor_minimum_standby_timer", .label = "Standby timer has a minimum",
		.detail = true },
};

/* ACS-4 7.12.7: words 119 and 120 are there where bit 15 of word 86 says so. */
static const struct condition supported_valid[] = { IDENTIFY_SIGNED(83), { 0 } };
static const struct condition more_supported_valid[] = { IDENTIFY_SIGNED(83),
	{ 2 * 86, 2, 0x8000, 0x8000 }, IDENTIFY_SIGNED(119), { 0 } };
static const struct condition epc_valid[] = { IDENTIFY_SIGNED(83), { 2 * 86, 2, 0x8000, 0x8000 },
	IDENTIFY_SIGNED(119), IDENTIFY_SIGNED(120), { 2 * 119, 2, 1 << 7, 1 << 7 }, { 0 } };
static const struct condition apm_enabled_valid[] = { { 2 * 83, 2, 0xc008, 0x4008 },
	IDENTIFY_SIGNED(87), { 0 } };
static const struct condition puis_enabled_valid[] = { { 2 * 83, 2, 0xc020, 0x4020 },
	IDENTIFY_SIGNED(87), { 0 } };
static const struct condition puis_valid[] = { { 2 * 83, 2, 0xc020, 0x4020 }, { 0 } };
static const struct condition standby_timers_valid[] = { IDENTIFY_SIGNED(50), { 0 } };

static const struct field identify_fields[] = {
	{ "power.standard_standby_timers", .at = 2 * 49, .width = 2, .low_bit = 13, .bits = 1,
		.format = FORMAT_FLAG },
	{ "power.vendor_minimum_standby_timer", .at = 2 * 50, .width = 2, .bits = 1,
		.format = FORMAT_FLAG, .when = standby_timers_valid },
	{ "power.apm_supported", .at = 2 * 83, .width = 2, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG, .when = supported_valid },
	{ "power.puis_supported", .at = 2 * 83, .width = 2, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG, .when = supported_valid },
	{ "power.puis_spin_up_needed", .at = 2 * 83, .width = 2, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG, .when = puis_valid },
	{ "power.apm_enabled", .at = 2 * 86, .width = 2, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG, .when = apm_enabled_valid },
	{ "power.puis_enabled", .at = 2 * 86, .width = 2, .low_bit = 5, .bits = 1,
		.format = FORMAT_FLAG, .when = puis_enabled_valid },
	{ "power.epc_supported", .at = 2 * 119, .width = 2, .low_bit = 7, .bits = 1,
		.format = FORMAT_FLAG, .when = more_supported_valid },
	{ "power.epc_enabled", .at = 2 * 120, .width = 2, .low_bit = 7, .bits = 1,
		.format = FORMAT_FLAG, .when = epc_valid },
};

/* SPC-5 7.5.13, 7.5.14 */
static const struct word precedences[] = {
	{ 0, "vendor specific" },
	{ 1, "background functions" },
	{ 2, "power management" },
	{ 0 },
};
/* SPC-3's page, of 0Ah bytes, has reserved bits there. */
static const struct condition longer_page[] = { { 1, 1, 0xff, 0x26 }, { 0 } };
static const struct field power_condition[] = {
	{ "power.background_precedence", .at = 2, .width = 1, .low_bit = 6, .bits = 2,
		.format = FORMAT_ENUM, .words = precedences, .when = longer_page },
};
static const struct word levels[] = {
	{ 0, "by identifier" },
	{ 1, "highest" },
	{ 2, "intermediate" },
	{ 3, "lowest" },
	{ 0 },
};
static const struct field consumption[] = {
	{ "power.active_level", .at = 6, .width = 1, .bits = 3, .format = FORMAT_ENUM,
		.words = levels },
};

/* ACS-4 9.11.6 */
static const struct field settings_log[] = {
	{ "power.apm_enabled", .at = 8, .width = 8, .low_bit = 2, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1 },
	{ "power.puis_enabled", .at = 8, .width = 8, .low_bit = 3, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1 },
	{ "power.epc_enabled", .at = 8, .width = 8, .low_bit = 15, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1 },
};

static const struct layout layouts[] = {
	{ { PAGE_ATA_IDENTIFY, 0, 0, 0 }, 0, identify_fields, ARRAY_LEN(identify_fields) },
	{ { PAGE_MODE, 0x1a, 0, 0 }, 0, power_condition, ARRAY_LEN(power_condition) },
	{ { PAGE_MODE, 0x1a, 1, 0 }, 0, consumption, ARRAY_LEN(consumption) },
	{ { PAGE_ATA_LOG, 0x30, 4, 0 }, 0, settings_log, ARRAY_LEN(settings_log) },
};

/* The byte above it is no part of the level: many old drives have 40h there. */
static void add_apm_level(const struct capture *capture, struct facts *facts)
{
	enum { WORD = 91, OFF = 0xff };
	struct page page = page_get(capture, facts, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	unsigned level = bytes_u8(page.data, word_at(WORD));
	bool enabled;

	if (facts_flag(facts, "power.apm_enabled", &enabled) && enabled && page.data.at)
		place_fact(facts, "power.apm_level", value_uint(level),
			state_of(level && level != OFF, false),
			(struct place) { &page, word_at(WORD), 1, 0 });
}

static void extra(const struct capture *capture, struct facts *facts)
{
	power_state_decode(capture, facts);
	power_states_decode(capture, facts);
	power_consumption_decode(capture, facts);
	add_apm_level(capture, facts);
}

static const struct table *const tables[] = { &table_power_states, &table_power_consumption };

const struct decoder decoder_power = {
	.name = "power",
	.title = "Power",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = extra,
};
