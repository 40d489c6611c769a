/*
 * Ports, rates and queues: SPC-5 (INQUIRY, VPD page 88h), SPL-4 (log page 18h,
 * mode page 19h/01h), SATA 3.2 and ACS-4 7.12.7 (IDENTIFY words 75 to 79, log
 * 11h).
 */
#include "link.h"
#include "place.h"

#include <stdlib.h>
#include <string.h>

static const struct key keys[] = {
	{ "link.max_gbps", "Link rate, at most", UNIT_GBPS, .agreement = AGREE_EXACT },
	{ "link.now_gbps", "Link rate, now", UNIT_GBPS, .agreement = AGREE_EXACT },
	{ "link.retrain_count", "Link lost and trained anew", UNIT_COUNT, .detail = true },
	{ "link.host_gbps", "Link rate, host to bridge", .unit = UNIT_GBPS },
	{ "link.port_count", "Ports", UNIT_COUNT, .agreement = AGREE_EXACT },
	{ "link.multiport", .label = "Several ports", .detail = true },
	{ "link.asymmetric_access", .label = "Asymmetric access (TPGS)", .detail = true },
	{ "link.queuing", .label = "Command queuing" },
	{ "link.queue_depth_count", "Queue depth", .unit = UNIT_COUNT },
	{ "link.ncq_priority", .label = "NCQ priority", .detail = true },
	{ "link.ncq_autosense", .label = "NCQ autosense", .detail = true },
	{ "link.phy_events_supported", .label = "Phy event counters", .detail = true },
	{ "link.host_power_management", .label = "Host-initiated link power management",
		.detail = true },
	{ "link.device_power_management", .label = "Device-initiated link power management",
		.detail = true },
	{ "link.device_power_management_enabled",
		.label = "Device-initiated link power management, enabled", .detail = true },
	{ "link.devsleep", .label = "Device sleep", .detail = true },
	{ "link.devsleep_enabled", .label = "Device sleep, enabled", .detail = true },
	{ "link.power_disable", .label = "Power disable pin", .detail = true },
	{ "link.settings_preserved", .label = "Software settings preservation", .detail = true },
};

/* SPC-5 6.7.2 */
static const struct word access_modes[] = {
	{ 0, "none" },
	{ 1, "implicit" },
	{ 2, "explicit" },
	{ 3, "implicit and explicit" },
	{ 0 },
};
static const struct field inquiry_fields[] = {
	{ "link.asymmetric_access", .at = 5, .width = 1, .low_bit = 4, .bits = 2,
		.format = FORMAT_ENUM, .words = access_modes },
	{ "link.multiport", .at = 6, .width = 1, .low_bit = 4, .bits = 1, .format = FORMAT_FLAG },
	{ "link.queuing", .at = 7, .width = 1, .low_bit = 1, .bits = 1, .format = FORMAT_FLAG,
		.rank = 1 },
};

static const struct layout layouts[] = {
	{ { PAGE_INQUIRY, 0, 0, 0 }, 0, inquiry_fields, ARRAY_LEN(inquiry_fields) },
};

/* ACS-4 7.12.7.33 to .37; only where word 76 is valid */
static const struct field serial_ata[] = {
	{ "link.queuing", .at = 2 * 76, .width = 2, .low_bit = 8, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.host_power_management", .at = 2 * 76, .width = 2, .low_bit = 9, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.phy_events_supported", .at = 2 * 76, .width = 2, .low_bit = 10, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.ncq_priority", .at = 2 * 76, .width = 2, .low_bit = 12, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.device_power_management", .at = 2 * 78, .width = 2, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.settings_preserved", .at = 2 * 78, .width = 2, .low_bit = 6, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.ncq_autosense", .at = 2 * 78, .width = 2, .low_bit = 7, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.devsleep", .at = 2 * 78, .width = 2, .low_bit = 8, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.power_disable", .at = 2 * 78, .width = 2, .low_bit = 12, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.device_power_management_enabled", .at = 2 * 79, .width = 2, .low_bit = 3, .bits = 1,
		.format = FORMAT_FLAG },
	{ "link.devsleep_enabled", .at = 2 * 79, .width = 2, .low_bit = 8, .bits = 1,
		.format = FORMAT_FLAG },
};

/* By generation; 0 is "not reported". */
static const double generation_gbps[] = { 0, 1.5, 3, 6 };

static void add_max(const struct page *identify, struct facts *facts)
{
	enum { WORD = 76 };
	unsigned bits = word_value(identify, WORD) >> 1 & 7, generation = 0;

	while (bits >> generation)
		generation++;
	place_fact(facts, "link.max_gbps", value_real(generation_gbps[generation]),
		state_of(generation, true), (struct place) { identify, word_at(WORD), 2, 0 });
}

static void add_now(struct facts *facts, unsigned generation, struct place place)
{
	bool known = generation && generation < ARRAY_LEN(generation_gbps);

	place_fact(facts, "link.now_gbps", value_real(known ? generation_gbps[generation] : 0),
		state_of(known, generation == 0), place);
}

static void add_depth(const struct page *identify, struct facts *facts)
{
	enum { WORD = 75, NOT_REPORTED = 0xffff };
	unsigned raw = word_value(identify, WORD);
	bool queuing;

	/* 0 is depth 1, which no NCQ drive has, and "not reported". */
	if (facts_flag(facts, "link.queuing", &queuing) && queuing)
		place_fact(facts, "link.queue_depth_count", value_uint((raw & 0x1f) + 1),
			state_of(raw && raw != NOT_REPORTED, true),
			(struct place) { identify, word_at(WORD), 2, 0 });
}

/* Word 76 is 0000h or FFFFh where the drive is not serial, and bit 0 always 0. */
static void add_serial_ata(const struct capture *capture, struct facts *facts)
{
	struct page page = page_get(capture, facts, (struct page_id) { .kind = PAGE_ATA_IDENTIFY });
	unsigned capabilities = word_value(&page, 76);

	if (!capabilities || (capabilities & 1))
		return;
	fields_decode(&page, serial_ata, ARRAY_LEN(serial_ata), facts);
	add_max(&page, facts);
	add_now(facts, word_value(&page, 77) >> 1 & 7, (struct place) { &page, word_at(77), 2, 0 });
	add_depth(&page, facts);
}

/* ACS-4 9.11.10 */
static void add_log_rate(const struct capture *capture, struct facts *facts)
{
	enum { AT = 16 };
	struct page page = page_ata_log(capture, 0x30, 8);
	unsigned generation = bytes_u8(page.data, AT) & 7;

	if (generation && bytes_u8(page.data, AT + 7) >> 7)
		add_now(facts, generation, (struct place) { &page, AT, 8, 1 });
}

/* Through a bridge the host sees another link than the drive's. */
static void add_host_rate(const struct capture *capture, struct facts *facts)
{
	const char *text = capture_host_value(capture, "link_gbps");
	const char *transport = capture_host_value(capture, "transport");
	bool own = !transport || !strcmp(transport, "sata") || !strcmp(transport, "sas");
	char *end = NULL;
	double gbps = text ? strtod(text, &end) : 0;

	if (text && end != text && gbps > 0 && gbps < 1000)
		facts_add(facts, decoder_key(own ? "link.now_gbps" : "link.host_gbps"),
			value_real(gbps), FACT_KNOWN, source_host("link_gbps"), 2);
}

/* SPC-5 7.7.14: descriptors of ports, each with a list of designators. */
static void add_ports(const struct capture *capture, struct facts *facts)
{
	enum { DESCRIPTOR_LEN = 12 };
	struct page page = page_get(
		capture, facts, (struct page_id) { .kind = PAGE_VPD, .page = 0x88 });
	size_t offset = 4;
	unsigned ports = 0;

	while (bytes_cut(page.data, offset, DESCRIPTOR_LEN).len == DESCRIPTOR_LEN) {
		size_t initiator = bytes_be16(page.data, offset + 6);
		uint64_t target;

		if (!bytes_be(page.data, offset + 10 + initiator, 2, &target))
			break;
		ports++;
		offset += DESCRIPTOR_LEN + initiator + target;
	}
	if (ports)
		place_fact(facts, "link.port_count", value_uint(ports), FACT_KNOWN,
			(struct place) { &page, 0, page.data.len, 0 });
}

static void note_slow_link(struct facts *facts)
{
	const struct fact *now = facts_find(facts, "link.now_gbps");
	const struct fact *most = facts_find(facts, "link.max_gbps");

	/* SAS phys have notes of their own. */
	if (now && most && now->state == FACT_KNOWN && most->state == FACT_KNOWN &&
		now->value.real < most->value.real && most->source.page.kind != PAGE_MODE)
		facts_note(facts, &now->source, "linked at %g Gbit/s, the drive can do %g",
			now->value.real, most->value.real);
}

/* Of rows of a table, the sum of a column; false where none has it. */
static bool add_up(const struct facts *facts, const struct table *table, const char *column,
	bool (*fits)(const struct row *row), uint64_t *sum)
{
	bool any = false;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table != table || (fits && !fits(row)))
			continue;
		struct value value = row_get(row, column);

		if (value.kind != VALUE_UINT)
			continue;
		any = true;
		*sum += value.uint;
	}
	return any;
}

static bool is_link_loss(const struct row *row)
{
	enum { PHY_RDY_TO_NOT_RDY = 0x09 };

	return row_get(row, "id").uint == PHY_RDY_TO_NOT_RDY;
}

/* Counters of SAS phys are of 32 bits, those of SATA of 64 at most: a sum that
 * wraps is no sum. */
static void add_retrains(struct facts *facts)
{
	uint64_t lost = 0, problems = 0;

	if (add_up(facts, &table_phys, "loss_of_dword_sync", NULL, &lost) &&
		add_up(facts, &table_phys, "phy_reset_problems", NULL, &problems))
		facts_add(facts, decoder_key("link.retrain_count"), value_uint(lost + problems),
			FACT_KNOWN, source_derived("sync losses + reset problems of all SAS phys"),
			0);
	else if (add_up(facts, &table_phy_event_counters, "value", is_link_loss, &lost))
		facts_add(facts, decoder_key("link.retrain_count"), value_uint(lost), FACT_KNOWN,
			source_derived("phy event counter 0009h"), 0);
}

static void extra(const struct capture *capture, struct facts *facts)
{
	add_serial_ata(capture, facts);
	add_log_rate(capture, facts);
	phys_decode(capture, facts);
	add_host_rate(capture, facts);
	add_ports(capture, facts);
	note_slow_link(facts);
	phy_events_decode(capture, facts);
	add_retrains(facts);
}

static const struct table *const tables[] = { &table_phys, &table_phy_event_counters };

const struct decoder decoder_link = {
	.name = "link",
	.title = "Link",
	.keys = keys,
	.key_count = ARRAY_LEN(keys),
	.layouts = layouts,
	.layout_count = ARRAY_LEN(layouts),
	.tables = tables,
	.table_count = ARRAY_LEN(tables),
	.extra = extra,
};
