/* Purging: which commands a drive gets, what it is told of, and what is refused. */
#include "test.h"

#include <math.h>

#include "fake.h"

#include "assay/decoder.h"
#include "assay/purge.h"

/* Fixed format: key, additional sense code, progress or registers. */
#define SANITIZING(progress) "700002000000000a00000000041b0080" progress
#define FORMATTING(progress) "700002000000000a0000000004040080" progress
#define SANITIZE_FAILED      "700003000000000a000000003103"
#define NO_SUCH_CODE         "700005000000000a000000002000"
#define NO_SUCH_ACTION       "700005000000000a000000002400"

/* Descriptor format: count, LBA, status; a 48-bit command. */
#define REGISTERS(count, lba, status) "7201001d0000000e090c0100" count "00" lba "0000000000" status
#define IDLE                          "7201001d0000000e090c0100000000ff00ff00000050"
#define FROZEN                        "7201001d0000000e090c0100200000ff00ff00000050"
#define AT_HALF                                      \
	"7201001d0000000e090c0100400000000080000000" \
	"50"
#define COMPLETED     "7201001d0000000e090c0100800000ff00ff00000050"
#define NOT_COMPLETED "7201001d0000000e090c0100000000ff00ff00000050"
#define TAKEN                                        \
	"7201001d0000000e090c0000000000000000000040" \
	"50"
#define ABORTED                                      \
	"720b00000000000e090c0004000000000000000040" \
	"51"
#define ABORTED_FROZEN                               \
	"720b00000000000e090c0104000000030000000040" \
	"51"

static struct facts facts;
static struct error error;
static double seen[16];
static size_t seen_count;
static volatile sig_atomic_t stop;

static int set_up(void **state)
{
	(void)state;
	facts_init(&facts);
	seen_count = 0;
	stop = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	facts_deinit(&facts);
	return 0;
}

static void tell(const char *key, struct value value)
{
	const struct key *known = decoder_key(key);

	assert_non_null(known);
	facts_add(&facts, known, value, FACT_KNOWN, source_derived("a test"), 0);
}

static void flags(const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		tell(keys[i], value_flag(true));
}

static void see(void *context, double percent)
{
	(void)context;
	if (seen_count < ARRAY_LEN(seen))
		seen[seen_count++] = percent;
}

static int purge_it(struct fake *fake, enum purge_method method)
{
	struct purge_options options = {
		.method = method, .poll_ms = 1, .stop = &stop, .progress = see
	};

	error = (struct error) { 0 };
	return purge_drive(&fake->transport, &facts, &options, &error);
}

static void expect_error(enum exit_status status, const char *text)
{
	if (error.status != status || !strstr(error.text, text))
		fail_msg("status %d: '%s', not %d: '%s'", (int)error.status, error.text,
			(int)status, text);
}

static void the_names_are_read_as_they_are_printed(void **state)
{
	(void)state;
	for (int method = PURGE_DISCARD; method < PURGE_METHODS; method++)
		assert_int_equal(purge_of_name(purge_name((enum purge_method)method)), method);
	assert_int_equal(purge_of_name("shred"), PURGE_METHODS);
	assert_int_equal(purge_of_name(""), PURGE_METHODS);
}

static void a_scsi_drive_is_sanitized_and_its_progress_followed(void **state)
{
	static const struct {
		enum purge_method method;
		const char *cdb, *out;
	} table[] = {
		{ PURGE_SANITIZE_BLOCK, "48820000000000000000", "" },
		{ PURGE_SANITIZE_CRYPTO, "48830000000000000000", "" },
		{ PURGE_SANITIZE_OVERWRITE, "48810000000000000800", "0100000400000000" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;
		struct fake_answer answers[] = {
			{ .cdb = "48" },
			{ .cdb = "00", .sense = SANITIZING("4000"), .times = 2 },
			{ .cdb = "00", .status = 0x08, .times = 1 },
			{ .cdb = "00", .sense = SANITIZING("c000"), .times = 1 },
			{ .cdb = "00" },
		};
		const char *const cdbs[] = { table[i].cdb, "00", "00", "00", "00", "00" };

		seen_count = 0;
		fake_init(&fake, answers, ARRAY_LEN(answers));
		assert_int_equal(purge_it(&fake, table[i].method), 0);
		fake_expect(&fake, cdbs, ARRAY_LEN(cdbs));
		assert_string_equal(fake.log[0], table[i].cdb);
		assert_string_equal(fake.out[0], table[i].out);
		/* the drive that was busy was asked again at once */
		assert_int_equal(seen_count, 3);
		assert_true(fabs(seen[0] - 25) < 0.01 && fabs(seen[2] - 75) < 0.01);
	}
}

static void a_scsi_drive_that_fails_or_refuses_is_told(void **state)
{
	static const struct {
		struct fake_answer first, then;
		enum exit_status status;
		const char *text;
	} table[] = {
		{ { .cdb = "48", .sense = NO_SUCH_CODE }, { .cdb = "00" }, EXIT_USAGE,
			"the drive has no sanitize-block" },
		{ { .cdb = "48", .sense = NO_SUCH_ACTION }, { .cdb = "00" }, EXIT_USAGE,
			"the drive has no sanitize-block" },
		{ { .cdb = "48", .status = 0x18 }, { .cdb = "00" }, EXIT_FAILING,
			"sanitize-block failed" },
		{ { .cdb = "48" }, { .cdb = "00", .sense = SANITIZE_FAILED }, EXIT_FAILING,
			"sanitize-block failed" },
		/* stopped: it never becomes ready by itself */
		{ { .cdb = "48" }, { .cdb = "00", .sense = "700002000000000a000000000402" },
			EXIT_FAILING, "sanitize-block failed" },
		{ { .cdb = "48" }, { .cdb = "00", .status = 0x18 }, EXIT_FAILING,
			"sanitize-block failed" },
		{ { .cdb = "48" }, { .cdb = "00", .delivery = DELIVERY_GONE }, EXIT_NO_SUCH,
			"gone" },
		{ { .cdb = "48", .delivery = DELIVERY_TIMED_OUT }, { .cdb = "00" }, EXIT_TIMED_OUT,
			"does not answer" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;
		struct fake_answer answers[] = { table[i].first, table[i].then };

		fake_init(&fake, answers, ARRAY_LEN(answers));
		assert_int_equal(purge_it(&fake, PURGE_SANITIZE_BLOCK), -1);
		expect_error(table[i].status, table[i].text);
	}
}

static void a_format_keeps_the_protection_type(void **state)
{
#define CAPACITY(protection) "00000000000fffff00000200" protection "00000000"
	static const struct {
		const char *capacity, *cdb, *out;
	} table[] = {
		{ CAPACITY("00"), "041000000000", "00020000" },
		{ CAPACITY("01"), "049000000000", "00020000" },
		{ CAPACITY("03"), "04d000000000", "00020000" },
		{ CAPACITY("05"), "04d000000000", "01020000" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;
		struct fake_answer answers[] = {
			{ .cdb = "9e10", .text = table[i].capacity },
			{ .cdb = "04" },
			{ .cdb = "00", .sense = FORMATTING("8000"), .times = 1 },
			{ .cdb = "00" },
		};
		const char *const cdbs[] = { "9e10", table[i].cdb, "00", "00" };

		fake_init(&fake, answers, ARRAY_LEN(answers));
		assert_int_equal(purge_it(&fake, PURGE_FORMAT), 0);
		fake_expect(&fake, cdbs, ARRAY_LEN(cdbs));
		assert_string_equal(fake.out[1], table[i].out);
	}
	/* what is not known is not formatted */
	struct fake_answer strange[] = { { .cdb = "9e10", .text = CAPACITY("0f") },
		{ .cdb = "04" } };
	struct fake fake;

	fake_init(&fake, strange, ARRAY_LEN(strange));
	assert_int_equal(purge_it(&fake, PURGE_FORMAT), -1);
	assert_int_equal(fake.count, 1);
}

static const char *const all_sanitizes[] = { "security.sanitize_crypto_supported",
	"security.sanitize_block_supported", "security.sanitize_overwrite_supported" };

static void ata_drive(void)
{
	tell("identity.protocol", value_text("ata"));
	flags(all_sanitizes, ARRAY_LEN(all_sanitizes));
}

#define STATUS "8507200000000000000000000040b400"

static void an_ata_drive_is_sanitized_and_its_progress_followed(void **state)
{
	static const struct {
		enum purge_method method;
		const char *cdb;
	} table[] = {
		/* LBA 31:24, 7:0, 39:32, 15:8, 47:40, 23:16 */
		{ PURGE_SANITIZE_CRYPTO,
			"850720001100004370007900"
			"7240b400" },
		{ PURGE_SANITIZE_BLOCK,
			"850720001200004272004500"
			"6b40b400" },
		{ PURGE_SANITIZE_OVERWRITE,
			"85072000140001000057004f"
			"0040b400" },
	};

	(void)state;
	ata_drive();
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;
		struct fake_answer answers[] = {
			{ .cdb = STATUS, .sense = IDLE, .times = 1 },
			{ .cdb = table[i].cdb, .sense = TAKEN },
			{ .cdb = STATUS, .sense = AT_HALF, .times = 2 },
			{ .cdb = STATUS, .sense = COMPLETED },
		};
		const char *const cdbs[] = { STATUS, table[i].cdb, STATUS, STATUS, STATUS };

		seen_count = 0;
		fake_init(&fake, answers, ARRAY_LEN(answers));
		if (purge_it(&fake, table[i].method) != 0)
			fail_msg("%s: %s; %s", table[i].cdb, error.text, fake.log[1]);
		fake_expect(&fake, cdbs, ARRAY_LEN(cdbs));
		assert_int_equal(seen_count, 2);
		assert_true(fabs(seen[0] - 50) < 0.01);
	}
}

/* Linux gives the registers in the fixed format, where COUNT's upper half is lost. */
static void progress_is_followed_in_the_fixed_format(void **state)
{
	/* error, status, device, count; flags, LBA 7:0, 15:8, 23:16 */
	struct fake_answer answers[] = {
		{ .cdb = STATUS,
			.sense = "f0000100504000"
				 "0a80ffff00"
				 "001d0000",
			.times = 1 },
		{ .cdb = "85072000120000", .sense = "f00001005040000a80000000001d0000" },
		{ .cdb = STATUS, .sense = "f00001005040000ac0004000001d0000", .times = 1 },
		{ .cdb = STATUS, .sense = "f00001005040000ac0ffff00001d0000" },
	};
	struct fake fake;

	(void)state;
	ata_drive();
	fake_init(&fake, answers, ARRAY_LEN(answers));
	if (purge_it(&fake, PURGE_SANITIZE_BLOCK) != 0)
		fail_msg("%s", error.text);
	assert_int_equal(fake.count, 4);
	assert_int_equal(seen_count, 1);
	assert_true(fabs(seen[0] - 25) < 0.01);
}

static void an_ata_drive_that_is_frozen_or_fails_is_told(void **state)
{
	static const struct {
		const char *before, *taken, *after;
		size_t commands;
		enum exit_status status;
		const char *text;
	} table[] = {
		{ FROZEN, TAKEN, COMPLETED, 1, EXIT_NO_PERMISSION, "frozen" },
		{ AT_HALF, TAKEN, COMPLETED, 1, EXIT_NO_PERMISSION, "going on already" },
		{ IDLE, ABORTED_FROZEN, COMPLETED, 2, EXIT_FAILING, "frozen" },
		{ IDLE, ABORTED, COMPLETED, 2, EXIT_FAILING, "no reason" },
		{ IDLE, TAKEN, NOT_COMPLETED, 3, EXIT_FAILING, "without success" },
		/* an adapter that keeps the registers for itself: before anything is lost */
		{ NULL, TAKEN, COMPLETED, 1, EXIT_UNKNOWN, "registers" },
		{ NO_SUCH_CODE, TAKEN, COMPLETED, 1, EXIT_FAILING, "sanitize-block" },
	};

	(void)state;
	ata_drive();
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;
		struct fake_answer answers[] = {
			{ .cdb = STATUS, .sense = table[i].before, .times = 1 },
			{ .cdb = "850720001200", .sense = table[i].taken },
			{ .cdb = STATUS, .sense = table[i].after },
		};

		fake_init(&fake, answers, ARRAY_LEN(answers));
		assert_int_equal(purge_it(&fake, PURGE_SANITIZE_BLOCK), -1);
		expect_error(table[i].status, table[i].text);
		assert_int_equal(fake.count, table[i].commands);
	}
}

static void nothing_is_sent_to_a_drive_that_does_not_have_it(void **state)
{
	struct fake fake;

	(void)state;
	fake_init(&fake, NULL, 0);
	for (int method = PURGE_SECURITY_ERASE; method < PURGE_FORMAT; method++) {
		assert_int_equal(purge_it(&fake, (enum purge_method)method), -1);
		expect_error(EXIT_USAGE, "of ATA drives");
	}
	tell("identity.protocol", value_text("ata"));
	for (int method = PURGE_SANITIZE_BLOCK; method < PURGE_METHODS; method++) {
		assert_int_equal(purge_it(&fake, (enum purge_method)method), -1);
		expect_error(
			EXIT_USAGE, method == PURGE_FORMAT ? "of SCSI drives" : "does not have it");
	}
	assert_int_equal(fake.count, 0);
}

#define SET_PASSWORD     "850a260000000100000000000000f100"
#define ERASE_PREPARE    "8506200000000000000000000000f300"
#define ERASE_UNIT       "850a260000000100000000000000f400"
#define DISABLE_PASSWORD "850a260000000100000000000000f600"

static void a_security_erase_sets_a_password_and_erases(void **state)
{
	static const struct {
		enum purge_method method;
		const char *out;
		unsigned timeout_ms;
	} table[] = {
		{ PURGE_SECURITY_ERASE, "0000617373617900", (2 * 30 + 10) * 60000 },
		{ PURGE_SECURITY_ERASE_ENHANCED, "0200617373617900", (2 * 720 + 10) * 60000 },
	};
	static const char *const keys[] = { "security.supported",
		"security.enhanced_erase_supported" };
	const char *const cdbs[] = { SET_PASSWORD, ERASE_PREPARE, ERASE_UNIT };

	(void)state;
	tell("identity.protocol", value_text("ata"));
	flags(keys, ARRAY_LEN(keys));
	tell("security.erase_minutes", value_uint(30));
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;
		struct fake_answer answers[] = { { .cdb = "85", .sense = TAKEN } };

		fake_init(&fake, answers, ARRAY_LEN(answers));
		if (purge_it(&fake, table[i].method) != 0)
			fail_msg("%s", error.text);
		fake_expect(&fake, cdbs, ARRAY_LEN(cdbs));
		assert_string_equal(fake.out[0], "0000617373617900");
		assert_string_equal(fake.out[2], table[i].out);
		assert_int_equal(fake.timeouts_ms[2], table[i].timeout_ms);
	}
}

static void a_locked_or_frozen_drive_gets_no_command(void **state)
{
	static const struct {
		const char *key, *text;
	} table[] = {
		{ "security.frozen", "frozen" },
		{ "security.locked", "locked" },
		{ "security.enabled", "password" },
		{ "security.count_expired", "too many wrong passwords" },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct fake fake;

		tear_down(state);
		set_up(state);
		fake_init(&fake, NULL, 0);
		tell("identity.protocol", value_text("ata"));
		tell("security.supported", value_flag(true));
		tell(table[i].key, value_flag(true));
		assert_int_equal(purge_it(&fake, PURGE_SECURITY_ERASE), -1);
		expect_error(EXIT_NO_PERMISSION, table[i].text);
		assert_int_equal(fake.count, 0);
	}
}

static void a_password_does_not_stay_after_a_failed_erase(void **state)
{
	struct fake_answer answers[] = {
		{ .cdb = ERASE_UNIT, .sense = ABORTED },
		{ .cdb = "85", .sense = TAKEN },
	};
	const char *const cdbs[] = { SET_PASSWORD, ERASE_PREPARE, ERASE_UNIT, DISABLE_PASSWORD };
	struct fake fake;

	(void)state;
	tell("identity.protocol", value_text("ata"));
	tell("security.supported", value_flag(true));
	fake_init(&fake, answers, ARRAY_LEN(answers));
	assert_int_equal(purge_it(&fake, PURGE_SECURITY_ERASE), -1);
	fake_expect(&fake, cdbs, ARRAY_LEN(cdbs));
	assert_string_equal(fake.out[3], "0000617373617900");
	expect_error(EXIT_FAILING, "aborted");
	assert_null(strstr(error.text, "user password"));
	/* and where it does, that is said */
	answers[1].times = 2;
	fake_init(&fake, answers, ARRAY_LEN(answers));
	assert_int_equal(purge_it(&fake, PURGE_SECURITY_ERASE), -1);
	expect_error(EXIT_FAILING, "left with the user password 'assay'");
}

static void a_stop_leaves_the_drive_to_itself(void **state)
{
	struct fake_answer answers[] = { { .cdb = "48" },
		{ .cdb = "00", .sense = SANITIZING("4000") } };
	struct fake fake;

	(void)state;
	stop = 1;
	fake_init(&fake, answers, ARRAY_LEN(answers));
	assert_int_equal(purge_it(&fake, PURGE_SANITIZE_CRYPTO), -1);
	expect_error(EXIT_UNKNOWN, "by itself");
	assert_int_equal(fake.count, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_names_are_read_as_they_are_printed),
		TEST(a_scsi_drive_is_sanitized_and_its_progress_followed),
		TEST(a_scsi_drive_that_fails_or_refuses_is_told),
		TEST(a_format_keeps_the_protection_type),
		TEST(an_ata_drive_is_sanitized_and_its_progress_followed),
		TEST(progress_is_followed_in_the_fixed_format),
		TEST(an_ata_drive_that_is_frozen_or_fails_is_told),
		TEST(nothing_is_sent_to_a_drive_that_does_not_have_it),
		TEST(a_security_erase_sets_a_password_and_erases),
		TEST(a_locked_or_frozen_drive_gets_no_command),
		TEST(a_password_does_not_stay_after_a_failed_erase),
		TEST(a_stop_leaves_the_drive_to_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
