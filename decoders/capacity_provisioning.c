/* Logical block provisioning: SBC-4 4.7, VPD page B2h (6.6.6), log page 0Ch (6.4.5). */
#include "capacity.h"
#include "place.h"

static const struct page_id provisioning_page = { .kind = PAGE_VPD, .page = 0xb2 };

/* SBC-4 4.7: without LBPME every block is backed, whatever VPD page B2h says. */
static void add_provisioning(const struct capture *capture, struct facts *facts)
{
	static const struct page_id capacity = { .kind = PAGE_READ_CAPACITY_16 };
	static const char *const types[] = { [1] = "resource", [2] = "thin" };
	struct page page = page_get(capture, NULL, capacity);
	bool managed_now;

	if (!facts_flag(facts, "capacity.provisioning_managed", &managed_now))
		return;
	if (!managed_now) {
		place_fact(facts, "capacity.provisioning", value_text("full"), FACT_KNOWN,
			(struct place) { &page, 14, 1, 0 });
		return;
	}
	page = page_get(capture, NULL, provisioning_page);
	unsigned type = bytes_u8(page.data, 6) & 7;
	bool known = type < ARRAY_LEN(types) && types[type];

	if (page.data.len > 6)
		place_fact(facts, "capacity.provisioning", value_text(known ? types[type] : ""),
			state_of(known, type == 0), (struct place) { &page, 6, 1, 0 });
}

/* Resources are counted in sets of 2 to the THRESHOLD EXPONENT blocks; 0 there: the
 * drive has no such sets. 0: not known. */
static uint64_t set_bytes(const struct capture *capture, const struct facts *facts)
{
	enum { EXPONENT_AT = 4, MOST = 32 };
	struct page page = page_get(capture, NULL, provisioning_page);
	unsigned exponent = bytes_u8(page.data, EXPONENT_AT);
	uint64_t block_bytes = 0;

	if (exponent == 0 || exponent > MOST ||
		!facts_uint(facts, "capacity.logical_block_bytes", &block_bytes) ||
		block_bytes > UINT32_MAX >> 1)
		return 0;
	return block_bytes << exponent;
}

static void add_resources(const struct capture *capture, struct facts *facts)
{
	static const struct {
		uint16_t parameter;
		const char *key;
	} resources[] = {
		{ 0x0001, "capacity.provisioned_available_bytes" },
		{ 0x0002, "capacity.provisioned_used_bytes" },
	};
	enum { COUNT_AT = 4, COUNT_LEN = 4 };
	static const struct page_id id = { .kind = PAGE_LOG, .page = 0x0c, .control = 1 };
	struct page page = page_get(capture, facts, id);
	uint64_t bytes = 0, unit = set_bytes(capture, facts), count;

	for (size_t i = 0; i < ARRAY_LEN(resources); i++) {
		struct log_parameter parameter;

		if (!log_parameter_find(&page, resources[i].parameter, &parameter) ||
			!bytes_be(parameter.data, COUNT_AT, COUNT_LEN, &count))
			continue;
		struct source source = source_page(page.id, parameter.offset + COUNT_AT,
			bytes_cut(parameter.data, COUNT_AT, COUNT_LEN));
		bool fits = !__builtin_mul_overflow(count, unit, &bytes);

		source.parameter = parameter.code;
		source.text = "threshold sets x 2^exponent x logical block size";
		struct fact *fact = facts_add(facts, decoder_key(resources[i].key),
			value_uint(bytes), unit && fits ? FACT_KNOWN : FACT_UNKNOWN, source, 0);
		if (!unit)
			fact->note = "the size of a threshold set is not known";
	}
}

void provisioning_decode(const struct capture *capture, struct facts *facts)
{
	add_provisioning(capture, facts);
	add_resources(capture, facts);
}
