#include "test.h"

#include "trial.h"

static void healthy_drives_are_what_their_datasheets_say(void **state)
{
	static const char *const drives[] = { "sandisk-cloudspeed-eco-960gb-healthy",
		"sandisk-ultra-plus-256gb-healthy", "sandisk-lightning-lb406s-healthy",
		"hgst-ultrastar-ssd800mm-800gb-healthy" };
	struct trial trial;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(drives); i++) {
		trial_init(&trial, drives[i]);
		trial_verify(&trial);
		assert_int_equal(trial.matches.count, 1);
		for (size_t k = 0; k < trial.verification.count; k++)
			if (trial.verification.verdicts[k].state == VERDICT_FAIL ||
				trial.verification.verdicts[k].state == VERDICT_MARGINAL)
				fail_msg("%s: %s: %s", drives[i], trial.verification.verdicts[k].id,
					trial.verification.verdicts[k].reason);
		assert_true(count_of(&trial, VERDICT_PASS) >= 8);
		assert_int_equal(verification_status(&trial.verification), EXIT_GOOD);
		trial_deinit(&trial);
	}
}

/* ---- Lies: bytes of a healthy drive are changed wherever they stand ---- */

enum place { PLACE_END, PLACE_PAGE, PLACE_IDENTIFY };

struct edit {
	enum place place;
	struct page_id page;
	size_t at;
	uint8_t bytes[12];
	size_t len;
};

static uint8_t *writable(struct bytes bytes)
{
	return (uint8_t *)(uintptr_t)bytes.at;
}

static void fix_checksum(uint8_t *identify)
{
	uint8_t sum = 0;

	if (identify[510] != 0xa5)
		return;
	for (size_t i = 0; i < 511; i++)
		sum = (uint8_t)(sum + identify[i]);
	identify[511] = (uint8_t)-sum;
}

static size_t edit_record(struct record *record, const struct edit *edit)
{
	static const struct page_id translated = { .kind = PAGE_VPD, .page = 0x89 };
	size_t start = 0;

	if (edit->place == PLACE_IDENTIFY) {
		if (page_same(record->page, translated))
			start = 60;
		else if (record->page.kind != PAGE_ATA_IDENTIFY)
			return 0;
	} else if (!page_same(record->page, edit->page)) {
		return 0;
	}
	if (!record->data.at || record->data.len < start + edit->at + edit->len)
		return 0;
	uint8_t *data = writable(record->data) + start;
	memcpy(data + edit->at, edit->bytes, edit->len);
	if (edit->place == PLACE_IDENTIFY)
		fix_checksum(data);
	return 1;
}

static void apply(struct capture *capture, const struct edit *edits)
{
	for (; edits->place != PLACE_END; edits++) {
		size_t changed = 0;

		for (size_t i = 0; i < capture->record_count; i++)
			changed += edit_record(&capture->records[i], edits);
		assert_true(changed > 0);
	}
}

#define IDENTIFY(at, ...)                                                                       \
	{                                                                                       \
		PLACE_IDENTIFY, { 0 }, at, { __VA_ARGS__ }, sizeof((uint8_t[]) { __VA_ARGS__ }) \
	}
#define RECORD(kind, page, sub, at, ...)                                 \
	{                                                                \
		PLACE_PAGE, { kind, page, sub, 0 }, at, { __VA_ARGS__ }, \
			sizeof((uint8_t[]) { __VA_ARGS__ })              \
	}
#define LOG(page, at, ...)                                                 \
	{                                                                  \
		PLACE_PAGE, { PAGE_LOG, page, 0, 1 }, at, { __VA_ARGS__ }, \
			sizeof((uint8_t[]) { __VA_ARGS__ })                \
	}

/* 1,953,504 blocks of 512 bytes less: one GB of IDEMA LBA1-03. */
static const struct {
	const char *drive, *id;
	struct edit edits[5];
} lies[] = {
	/* 800 GB: 1562824368 - 1953504 = 1560870864 blocks */
	{ "hgst-ultrastar-ssd800mm-800gb-healthy", "capacity.bytes",
		{ RECORD(PAGE_READ_CAPACITY_16, 0, 0, 0, 0, 0, 0, 0, 0x5d, 0x08, 0xff, 0xcf) } },
	{ "hgst-ultrastar-ssd800mm-800gb-healthy", "genuine.firmware",
		{ RECORD(PAGE_INQUIRY, 0, 0, 32, 'F', 'A', 'K', 'E') } },
	{ "hgst-ultrastar-ssd800mm-800gb-healthy", "endurance.rated_written_bytes",
		{ LOG(0x11, 11, 130) } },
	{ "sandisk-lightning-lb406s-healthy", "power_loss.write_cache",
		{ RECORD(PAGE_MODE, 0x3f, 0xff, 0x2e, 0x04) } },
	{ "sandisk-lightning-lb406s-healthy", "protection.capable",
		{ RECORD(PAGE_INQUIRY, 0, 0, 5, 0) } },
	{ "sandisk-lightning-lb406s-healthy", "new.hours", { LOG(0x15, 8, 0, 0, 1, 0x2c) } },
	{ "sandisk-lightning-lb406s-healthy", "genuine.firmware",
		{ RECORD(PAGE_INQUIRY, 0, 0, 32, 'd', '3', '2', '3') } },
	{ "sandisk-cloudspeed-eco-960gb-healthy", "genuine.firmware",
		{ IDENTIFY(46, 'R', 'Z', '0', '3', 'P', 'R', '1', 'A') } },
	/* 960 GB: 1875385008 - 1953504 = 1873431504 sectors */
	{ "sandisk-cloudspeed-eco-960gb-healthy", "capacity.bytes",
		{ IDENTIFY(200, 0xd0, 0x4b, 0xaa, 0x6f, 0, 0, 0, 0),
			RECORD(PAGE_READ_CAPACITY_16, 0, 0, 0, 0, 0, 0, 0, 0x6f, 0xaa, 0x4b,
				0xcf) } },
	/* 256 GB: 500118192 - 1953504 = 498164688 sectors */
	{ "sandisk-ultra-plus-256gb-healthy", "capacity.bytes",
		{ IDENTIFY(120, 0xd0, 0x63, 0xb1, 0x1d),
			IDENTIFY(200, 0xd0, 0x63, 0xb1, 0x1d, 0, 0, 0, 0),
			RECORD(PAGE_READ_CAPACITY_16, 0, 0, 0, 0, 0, 0, 0, 0x1d, 0xb1, 0x63,
				0xcf) } },
};

static void each_lie_gives_exactly_its_own_failure(void **state)
{
	struct trial trial;
	(void)state;

	for (size_t i = 0; i < ARRAY_LEN(lies); i++) {
		trial_init(&trial, lies[i].drive);
		apply(&trial.capture, lies[i].edits);
		trial_verify(&trial);
		one_failure(&trial, lies[i].drive, lies[i].id);
		trial_deinit(&trial);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(healthy_drives_are_what_their_datasheets_say),
		cmocka_unit_test(each_lie_gives_exactly_its_own_failure),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
