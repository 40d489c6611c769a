/*
 * SAS phys: SPL-4 9.2.8 (log page 18h) and 9.2.7.5 (mode page 19h/01h). Their
 * descriptors begin alike; the log has counters, the mode page what the phy
 * could do.
 */
#include "link.h"
#include "place.h"

#include <stdio.h>
#include <string.h>

enum { PORT_HEADER = 8, PHY_LEN = 48, SAS = 6 };

static const struct column columns[] = {
	{ "port", .label = "Port" },
	{ "phy", .label = "Phy" },
	{ "state", .label = "State" },
	{ "now_gbps", "Rate", UNIT_GBPS },
	{ "max_gbps", "At most", UNIT_GBPS },
	{ "attached", .label = "Attached" },
	{ "sas_address", .label = "SAS address" },
	{ "attached_sas_address", .label = "Attached address" },
	{ "attached_phy", .label = NULL },
	{ "invalid_dwords", "Invalid dwords", UNIT_COUNT },
	{ "running_disparity_errors", "Disparity errors", UNIT_COUNT },
	{ "loss_of_dword_sync", "Sync losses", UNIT_COUNT },
	{ "phy_reset_problems", "Reset problems", UNIT_COUNT },
};

const struct table table_phys = {
	.name = "phys",
	.label = "SAS phys",
	.columns = columns,
	.column_count = ARRAY_LEN(columns),
};

/* By physical link rate: 0 is none. */
static double gbps_of(unsigned code)
{
	static const double rates[16] = { [8] = 1.5, [9] = 3, [10] = 6, [11] = 12, [12] = 22.5 };

	return rates[code & 15];
}

static struct value rate_value(unsigned code)
{
	return gbps_of(code) > 0 ? value_real(gbps_of(code)) : value_null();
}

static struct value state_value(unsigned code)
{
	static const char *const states[] = { NULL, "disabled", "phy reset problem", "spinup hold",
		"port selector", "reset in progress", "unsupported phy" };

	if (gbps_of(code) > 0)
		return value_text("linked");
	return code < ARRAY_LEN(states) && states[code] ? value_text(states[code]) : value_null();
}

static struct value attached_value(unsigned type)
{
	static const char *const types[] = { "none", "end device", "expander", "fanout expander" };

	return type < ARRAY_LEN(types) ? value_text(types[type]) : value_null();
}

static struct value address_value(struct bytes phy, size_t at, struct facts *facts)
{
	unsigned long long address = bytes_be64(phy, at);

	return address ? value_text(facts_printf(facts, "0x%016llx", address)) : value_null();
}

/* What descriptors of both pages have. */
static void set_common(struct row *row, struct bytes phy, struct facts *facts)
{
	unsigned rate = bytes_u8(phy, 5) & 15;

	row_set(row, "phy", value_uint(bytes_u8(phy, 1)));
	row_set(row, "state", state_value(rate));
	row_set(row, "now_gbps", rate_value(rate));
	row_set(row, "attached", attached_value(bytes_u8(phy, 4) >> 4 & 7));
	row_set(row, "sas_address", address_value(phy, 8, facts));
	row_set(row, "attached_sas_address", address_value(phy, 16, facts));
	row_set(row, "attached_phy", value_uint(bytes_u8(phy, 24)));
}

static void set_counters(struct row *row, struct bytes phy)
{
	static const char *const counters[] = { "invalid_dwords", "running_disparity_errors",
		"loss_of_dword_sync", "phy_reset_problems" };
	uint64_t value;

	for (size_t i = 0; i < ARRAY_LEN(counters); i++)
		if (bytes_be(phy, 32 + 4 * i, 4, &value))
			row_set(row, counters[i], value_uint(value));
}

/* Old drives leave the length of a descriptor 0. */
static size_t phy_len(struct bytes phy)
{
	uint8_t length = bytes_u8(phy, 3);

	return length ? (size_t)length + 4 : PHY_LEN;
}

static void add_port(const struct page *page, const struct log_parameter *port, struct facts *facts)
{
	size_t offset = PORT_HEADER;

	for (unsigned i = 0; i < bytes_u8(port->data, 7); i++) {
		struct bytes phy = bytes_cut(port->data, offset, SIZE_MAX);

		phy = bytes_cut(phy, 0, phy_len(phy));
		if (phy.len < 25)
			return;
		struct source source = source_page(page->id, port->offset + offset, phy);

		source.parameter = port->code;
		struct row *row = facts_row(facts, &table_phys, source);

		row_set(row, "port", value_uint(port->code));
		set_common(row, phy, facts);
		set_counters(row, phy);
		offset += phy_len(phy);
	}
}

/* A parameter is a port (SPL-4: its code is the relative target port). */
static void add_log_ports(const struct capture *capture, struct facts *facts)
{
	static const struct page_id id = { PAGE_LOG, 0x18, 0, 1 };
	struct page page = page_get(capture, facts, id);
	struct log_parameter port;
	size_t offset = 4;
	unsigned ports = 0;

	while (log_parameter_next(&page, &offset, &port)) {
		if ((bytes_u8(port.data, 4) & 15) != SAS)
			continue;
		ports++;
		add_port(&page, &port, facts);
	}
	if (ports)
		place_fact(facts, "link.port_count", value_uint(ports), FACT_KNOWN,
			(struct place) { &page, 0, 4, .rank = 1 });
}

static struct row *row_of_phy(struct facts *facts, unsigned phy)
{
	for (size_t i = 0; i < facts->row_count; i++)
		if (facts->rows[i].table == &table_phys &&
			row_get(&facts->rows[i], "phy").uint == phy)
			return &facts->rows[i];
	return NULL;
}

/* Hardware maximum physical link rate: what a phy can do, whatever is allowed. */
static void add_mode_phys(const struct capture *capture, struct facts *facts)
{
	static const struct page_id id = { PAGE_MODE, 0x19, 1, 0 };
	struct page page = page_get(capture, facts, id);

	if ((bytes_u8(page.data, 5) & 15) != SAS)
		return;
	for (unsigned i = 0; i < bytes_u8(page.data, 7); i++) {
		size_t at = PORT_HEADER + (size_t)i * PHY_LEN;
		struct bytes phy = bytes_cut(page.data, at, PHY_LEN);

		if (phy.len < PHY_LEN)
			return;
		struct row *row = row_of_phy(facts, bytes_u8(phy, 1));

		if (!row) {
			row = facts_row(
				facts, &table_phys, source_page(page.id, page.offset + at, phy));
			set_common(row, phy, facts);
		}
		row_set(row, "max_gbps", rate_value(bytes_u8(phy, 33) & 15));
	}
}

/* The fastest of the phys: a drive's other port may have nothing attached. */
static void add_fastest(struct facts *facts, const char *key, const char *column)
{
	const struct row *best = NULL;
	double fastest = 0, gbps;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table == &table_phys && value_number(row_get(row, column), &gbps) &&
			gbps > fastest) {
			best = row;
			fastest = gbps;
		}
	}
	if (!best)
		return;
	struct fact *fact = facts_add(
		facts, decoder_key(key), value_real(fastest), FACT_KNOWN, best->source, 0);

	fact->source.text = "the fastest phy";
}

static void note_slow_phys(struct facts *facts)
{
	double now, most;

	for (size_t i = 0; i < facts->row_count; i++) {
		const struct row *row = &facts->rows[i];

		if (row->table == &table_phys && value_number(row_get(row, "now_gbps"), &now) &&
			value_number(row_get(row, "max_gbps"), &most) && now < most)
			facts_note(facts, &row->source, "phy %u: linked at %g Gbit/s, can do %g",
				(unsigned)row_get(row, "phy").uint, now, most);
	}
}

void phys_decode(const struct capture *capture, struct facts *facts)
{
	add_log_ports(capture, facts);
	add_mode_phys(capture, facts);
	add_fastest(facts, "link.now_gbps", "now_gbps");
	add_fastest(facts, "link.max_gbps", "max_gbps");
	note_slow_phys(facts);
}
