/*
 * Which responses a health check needs. Where a layout says where a key's value
 * stands, the layout is asked; what decoders read by code is listed here.
 * tests/unit/test_pages.c holds both against all of a drive's responses.
 */
#include "assay/health.h"

#include <string.h>

#include "assay/decoder.h"

/* Keys that monitoring shows beside the verdicts, and that name the drive. */
static const char *const told[] = {
	"capacity.bytes",
	"endurance.host_read_bytes",
	"endurance.host_written_bytes",
	"endurance.nand_written_bytes",
	"identity.firmware",
	"identity.model",
	"identity.rotation_rpm",
	"identity.serial",
	"identity.wwn",
	"usage.power_on_hours",
};

/* A key, or the beginning of keys, and a response from which it is made by code. */
static const struct {
	const char *key;
	struct page_id page;
} by_code[] = {
	{ "ata_attributes", { .kind = PAGE_SMART_DATA } },
	{ "ata_attributes", { .kind = PAGE_SMART_THRESHOLDS } },
	{ "capacity.bytes", { .kind = PAGE_READ_CAPACITY_16 } },
	{ "endurance.used_percent", { PAGE_ATA_LOG, 0x04, 7, 0 } },
	{ "endurance.host_written_bytes", { PAGE_ATA_LOG, 0x04, 1, 0 } },
	{ "endurance.host_written_bytes", { PAGE_LOG, 0x02, 0, 1 } },
	{ "endurance.host_written_bytes", { PAGE_LOG, 0x19, 0, 1 } },
	{ "endurance.host_written_bytes", { PAGE_LOG, 0x37, 0, 1 } },
	{ "endurance.host_read_bytes", { PAGE_LOG, 0x03, 0, 1 } },
	{ "errors.background_scan", { PAGE_LOG, 0x15, 0, 1 } },
	{ "errors.grown_defect_count", { .kind = PAGE_DEFECTS } },
	{ "errors.uncorrected_count", { PAGE_LOG, 0x02, 0, 1 } },
	{ "errors.uncorrected_count", { PAGE_LOG, 0x03, 0, 1 } },
	{ "errors.uncorrected_count", { PAGE_LOG, 0x04, 0, 1 } },
	{ "errors.uncorrected_count", { PAGE_LOG, 0x05, 0, 1 } },
	{ "health.self_assessment", { .kind = PAGE_SMART_STATUS } },
	{ "health.self_assessment", { PAGE_ATA_LOG, 0xe0, 0, 0 } },
	{ "health.", { PAGE_LOG, 0x2f, 0, 1 } },
	{ "identity.", { .kind = PAGE_ATA_IDENTIFY } },
	{ "identity.serial", { .kind = PAGE_VPD, .page = 0x80 } },
	{ "identity.wwn", { .kind = PAGE_VPD, .page = 0x83 } },
	{ "identity.rotation_rpm", { .kind = PAGE_VPD, .page = 0xb1 } },
	{ "link.", { PAGE_LOG, 0x18, 0, 1 } },
	{ "link.max_gbps", { PAGE_MODE, 0x19, 1, 0 } },
	{ "link.retrain_count", { PAGE_ATA_LOG, 0x11, 0, 0 } },
	{ "power_loss.at_risk", { .kind = PAGE_VPD, .page = 0x86 } },
	{ "power_loss.at_risk", { PAGE_MODE, 0x08, 0, 0 } },
	{ "power_loss.at_risk", { PAGE_LOG, 0x17, 0, 1 } },
	{ "selftest.", { PAGE_ATA_LOG, 0x07, 0, 0 } },
	{ "selftest.", { .kind = PAGE_SMART_LOG, .page = 0x06 } },
	{ "selftest.", { PAGE_LOG, 0x10, 0, 1 } },
	{ "temperature.current_celsius", { PAGE_ATA_LOG, 0xe0, 0, 0 } },
	{ "usage.power_on_hours", { PAGE_LOG, 0x37, 0, 1 } },
	{ "usage.power_on_hours", { PAGE_LOG, 0x3e, 0, 1 } },
};

static bool needs_record(const struct rule *rule)
{
	return rule->test == RULE_GROWTH || rule->test == RULE_FALL;
}

static bool is_wanted(bool with_growth, const char *key, size_t len)
{
	for (const struct rule *rule = rules; rule->id; rule++)
		if ((with_growth || !needs_record(rule)) &&
			(!strncmp(rule->key, key, len) ||
				(rule->limit_key && !strncmp(rule->limit_key, key, len))))
			return true;
	for (size_t i = 0; i < ARRAY_LEN(told); i++)
		if (!strncmp(told[i], key, len))
			return true;
	return false;
}

/* A third source is not asked where there are two better ones. */
static bool layout_is_wanted(bool with_growth, const struct layout *layout)
{
	enum { BEST_RANKS = 2 };

	for (size_t i = 0; i < layout->field_count; i++)
		if (layout->fields[i].rank < BEST_RANKS &&
			is_wanted(with_growth, layout->fields[i].key,
				strlen(layout->fields[i].key) + 1))
			return true;
	return false;
}

static void add(struct page_id id, struct page_id *pages, size_t most, size_t *count)
{
	for (size_t i = 0; i < *count && i < most; i++)
		if (page_same(pages[i], id))
			return;
	if (*count < most)
		pages[*count] = id;
	++*count;
}

size_t health_pages(bool with_growth, struct page_id *pages, size_t most)
{
	size_t count = 0;

	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->layout_count; i++)
			if (layout_is_wanted(with_growth, &decoders[d]->layouts[i]))
				add(decoders[d]->layouts[i].page, pages, most, &count);
	for (size_t i = 0; i < ARRAY_LEN(by_code); i++)
		if (is_wanted(with_growth, by_code[i].key, strlen(by_code[i].key)))
			add(by_code[i].page, pages, most, &count);
	return count;
}
