#include "test.h"

#include "assay/page.h"

static const struct {
	const char *name;
	uint8_t cdb[32];
	size_t len;
	struct page_id want;
	const char *text;
} cases[] = {
	{ "no bytes are no command", { 0 }, 0, { 0 }, "unknown command" },
	{ "INQUIRY", { 0x12, 0, 0, 0, 0x60 }, 6, { .kind = PAGE_INQUIRY },
		"standard INQUIRY data" },
	{ "INQUIRY with EVPD", { 0x12, 1, 0xb1, 0, 0x40 }, 6, { .kind = PAGE_VPD, .page = 0xb1 },
		"VPD page B1h" },
	{ "LOG SENSE, cumulative, with a subpage", { 0x4d, 0, 0x4d, 1, 0, 0, 0, 0x40 }, 10,
		{ .kind = PAGE_LOG, .page = 0x0d, .sub = 1, .control = 1 }, "log page 0Dh/01h" },
	{ "MODE SENSE(10), changeable", { 0x5a, 0, 0x48, 0, 0, 0, 0, 0x20 }, 10,
		{ .kind = PAGE_MODE, .page = 8, .control = 1 }, "mode page 08h/00h, changeable" },
	{ "MODE SENSE(6) names the same page", { 0x1a, 0, 0x08, 0, 0xff }, 6,
		{ .kind = PAGE_MODE, .page = 8 }, "mode page 08h/00h" },
	{ "READ CAPACITY(16) by its service action", { 0x9e, 0x10 }, 16,
		{ .kind = PAGE_READ_CAPACITY_16 }, "READ CAPACITY(16)" },
	{ "another service action of 9Eh is not known", { 0x9e, 0x12 }, 16, { 0 },
		"unknown command" },
	{ "READ DEFECT DATA(12), grown list", { 0xb7, 0x08 }, 12,
		{ .kind = PAGE_DEFECTS, .control = 1 }, "grown defect list" },
	{ "SECURITY PROTOCOL IN", { 0xa2, 1, 0, 1 }, 12,
		{ .kind = PAGE_SECURITY, .page = 1, .sub = 1 }, "security protocol 01h/0001h" },
	{ "IDENTIFY DEVICE by ATA PASS-THROUGH(16)",
		{ 0x85, 0x08, 0x0e, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0xec }, 16,
		{ .kind = PAGE_ATA_IDENTIFY }, "IDENTIFY DEVICE" },
	{ "the same by ATA PASS-THROUGH(12)", { 0xa1, 0x08, 0x0e, 0, 1, 0, 0, 0, 0, 0xec }, 12,
		{ .kind = PAGE_ATA_IDENTIFY }, "IDENTIFY DEVICE" },
	{ "the same by ATA PASS-THROUGH(32)",
		{ 0x7f, 0, 0, 0, 0, 0, 0, 0x18, 0x1f, 0xf0, 0x08, 0x0e, [25] = 0xec }, 32,
		{ .kind = PAGE_ATA_IDENTIFY }, "IDENTIFY DEVICE" },
	{ "READ LOG EXT: the page's halves are LBA 15:8 and 39:32",
		{ 0x85, 0x09, 0x0e, 0, 0, 0, 1, 0, 0x04, 0x01, 0x07, 0, 0, 0x40, 0x2f }, 16,
		{ .kind = PAGE_ATA_LOG, .page = 0x04, .sub = 0x0107 }, "ATA log 04h page 263" },
	{ "READ LOG DMA EXT names the same page",
		{ 0x85, 0x0d, 0x0e, 0, 0, 0, 1, 0, 0x11, 0, 0, 0, 0, 0x40, 0x47 }, 16,
		{ .kind = PAGE_ATA_LOG, .page = 0x11 }, "ATA log 11h page 0" },
	{ "SMART READ DATA", { 0x85, 0x08, 0x0e, 0, 0xd0, 0, 1, 0, 0, 0, 0x4f, 0, 0xc2, 0, 0xb0 },
		16, { .kind = PAGE_SMART_DATA }, "SMART READ DATA" },
	{ "SMART READ LOG", { 0x85, 0x08, 0x0e, 0, 0xd5, 0, 1, 0, 0x06, 0, 0x4f, 0, 0xc2, 0, 0xb0 },
		16, { .kind = PAGE_SMART_LOG, .page = 6 }, "SMART log 06h" },
	{ "a SCT command is no page to decode",
		{ 0x85, 0x0a, 0x06, 0, 0xd6, 0, 1, 0, 0xe0, 0, 0x4f, 0, 0xc2, 0, 0xb0 }, 16,
		{ .kind = PAGE_ATA_OTHER, .page = 0xb0, .sub = 0xd6, .control = 1 },
		"ATA command B0h feature 00D6h" },
	{ "CHECK POWER MODE", { 0x85, 0x06, 0x20, [14] = 0xe5 }, 16,
		{ .kind = PAGE_ATA_POWER_MODE }, "CHECK POWER MODE" },
	{ "a pass-through that is cut off is none", { 0x85, 0x08, 0x0e, [14] = 0xec }, 15, { 0 },
		"unknown command" },
};

static void each_cdb_names_its_page(void **state)
{
	char text[80];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct page_id id = page_of_cdb(cases[i].cdb, cases[i].len);

		if (!page_same(id, cases[i].want))
			fail_msg("%s: %s", cases[i].name, page_name(id, text, sizeof(text)));
		assert_string_equal(page_name(id, text, sizeof(text)), cases[i].text);
	}
}

static void a_name_that_does_not_fit_is_cut(void **state)
{
	char text[8];

	(void)state;
	page_name((struct page_id) { .kind = PAGE_MODE, .page = 8, .control = 3 }, text,
		sizeof(text));
	assert_string_equal(text, "mode pa");
}

static void only_ata_pages_are_little_endian(void **state)
{
	(void)state;
	assert_false(page_is_ata((struct page_id) { .kind = PAGE_DEFECTS }));
	assert_true(page_is_ata((struct page_id) { .kind = PAGE_ATA_IDENTIFY }));
	assert_true(page_is_ata((struct page_id) { .kind = PAGE_ATA_LOG }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cdb_names_its_page),
		cmocka_unit_test(a_name_that_does_not_fit_is_cut),
		cmocka_unit_test(only_ata_pages_are_little_endian),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
