#include "test.h"

#include <string.h>

#include "fake.h"

#include "assay/command.h"

#define ATTENTION "700006000000000a000000002900"
#define DEFERRED  "710004000000000a000000004400"
#define CRC_ERROR "70000b000000000a000000004703"
#define ABORTED   "70000b000000000a000000000000"
#define REFUSED   "700005000000000a000000002400"

static const struct page_id log_page = { PAGE_LOG, 0x0d, 0, 1 };

struct run {
	struct fake fake;
	struct session session;
	struct outcome outcome;
	unsigned tried;
};

static void count_tries(void *context, const struct request *request, const struct outcome *outcome)
{
	struct run *run = context;

	(void)request;
	(void)outcome;
	run->tried++;
}

static void run_init(
	struct run *run, struct fake_answer *answers, size_t count, struct command_limits limits)
{
	memset(run, 0, sizeof(*run));
	fake_init(&run->fake, answers, count);
	session_init(&run->session, &run->fake.transport, &limits);
	run->session.tried = count_tries;
	run->session.context = run;
}

static bool run_send(struct run *run, struct page_id id)
{
	struct cdb cdb = cdb_of_page(id, 64, false);
	uint8_t room[64];
	struct request request = { .cdb = cdb.bytes, .cdb_len = cdb.len, .in = room, .in_len = 64 };

	return session_send(&run->session, &request, &run->outcome);
}

/* What the session does with a first answer, and how often it asks in all. */
static void an_answer_that_is_not_about_the_command_is_asked_again(void **state)
{
	static const struct {
		const char *name;
		struct fake_answer first;
		unsigned tries;
	} cases[] = {
		{ "good", { .cdb = "4d", .text = "0d00", .times = 1 }, 1 },
		{ "refused", { .cdb = "4d", .sense = REFUSED, .times = 1 }, 1 },
		{ "recovered", { .cdb = "4d", .sense = "700001000000000a000000001700", .times = 1 },
			1 },
		{ "aborted by the drive", { .cdb = "4d", .sense = ABORTED, .times = 1 }, 1 },
		{ "not ready", { .cdb = "4d", .sense = "700002000000000a000000000402", .times = 1 },
			1 },
		{ "reservation conflict", { .cdb = "4d", .status = 0x18, .times = 1 }, 1 },
		{ "unit attention", { .cdb = "4d", .sense = ATTENTION, .times = 1 }, 2 },
		{ "two of them", { .cdb = "4d", .sense = ATTENTION, .times = 2 }, 3 },
		{ "in descriptors", { .cdb = "4d", .sense = "7206290000000000", .times = 1 }, 2 },
		{ "deferred error", { .cdb = "4d", .sense = DEFERRED, .times = 1 }, 2 },
		{ "deferred, descriptors", { .cdb = "4d", .sense = "7304440000000000", .times = 1 },
			2 },
		{ "link error", { .cdb = "4d", .sense = CRC_ERROR, .times = 1 }, 2 },
		{ "busy", { .cdb = "4d", .status = 0x08, .times = 2 }, 3 },
		{ "task set full", { .cdb = "4d", .status = 0x28, .times = 1 }, 2 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fake_answer answers[] = { cases[i].first, { .cdb = "4d", .text = "0d00" } };
		struct run run;

		run_init(&run, answers, ARRAY_LEN(answers), (struct command_limits) { 0 });
		assert_true(run_send(&run, log_page));
		if (run.fake.count != cases[i].tries)
			fail_msg("%s: %zu tries", cases[i].name, run.fake.count);
		assert_int_equal(run.tried, cases[i].tries);
		if (cases[i].tries > 1)
			assert_int_equal(run.outcome.scsi_status, 0);
	}
}

static void what_never_changes_becomes_the_answer(void **state)
{
	struct fake_answer answers[] = { { .cdb = "4d", .sense = ATTENTION } };
	struct run run;

	(void)state;
	run_init(&run, answers, 1, (struct command_limits) { 0 });
	assert_true(run_send(&run, log_page));
	assert_int_equal(run.fake.count, 6);
	assert_int_equal(run.outcome.scsi_status, 0x02);
	assert_int_equal(run.session.end, SESSION_OPEN);
}

static void a_busy_drive_is_given_up_at_the_deadline(void **state)
{
	struct fake_answer answers[] = { { .cdb = "4d", .status = 0x08 } };
	struct run run;

	(void)state;
	run_init(&run, answers, 1, (struct command_limits) { .deadline_ms = 50 });
	assert_true(run_send(&run, log_page));
	assert_true(run.fake.count < 6);
	assert_int_equal(run.outcome.scsi_status, 0x08);
	assert_int_equal(run.session.end, SESSION_LATE);
	assert_false(run_send(&run, log_page));
}

static void after_a_time_out_the_drive_is_asked_whether_it_is_there(void **state)
{
	static const char *const sent[] = { "4d004d", "000000000000", "4d004d", "4d004d" };
	struct fake_answer answers[] = {
		{ .cdb = "4d", .delivery = DELIVERY_TIMED_OUT, .times = 1 },
		{ .cdb = "4d", .text = "0d00" },
		{ .cdb = "00" },
	};
	struct run run;

	(void)state;
	run_init(&run, answers, ARRAY_LEN(answers), (struct command_limits) { 0 });
	assert_true(run_send(&run, log_page));
	assert_int_equal(run.outcome.delivery, DELIVERY_TIMED_OUT);
	assert_true(run_send(&run, log_page));
	assert_int_equal(run.outcome.delivery, DELIVERY_DONE);
	assert_true(run_send(&run, log_page));
	fake_expect(&run.fake, sent, ARRAY_LEN(sent));
	/* and it gets less time from then on */
	assert_int_equal(run.fake.timeouts_ms[0], 20000);
	for (size_t i = 1; i < 4; i++)
		assert_int_equal(run.fake.timeouts_ms[i], 5000);
}

static void two_time_outs_in_a_row_end_the_session(void **state)
{
	static const char *const sent[] = { "4d004d", "000000000000" };
	struct fake_answer answers[] = { { .cdb = "", .delivery = DELIVERY_TIMED_OUT } };
	struct run run;

	(void)state;
	run_init(&run, answers, 1, (struct command_limits) { 0 });
	assert_true(run_send(&run, log_page));
	assert_false(run_send(&run, log_page));
	assert_false(run_send(&run, log_page));
	fake_expect(&run.fake, sent, ARRAY_LEN(sent));
	assert_int_equal(run.session.end, SESSION_SILENT);
}

static void so_do_four_of_them_in_all(void **state)
{
	struct fake_answer answers[] = {
		{ .cdb = "4d", .delivery = DELIVERY_TIMED_OUT },
		{ .cdb = "00" },
	};
	struct run run;

	(void)state;
	run_init(&run, answers, ARRAY_LEN(answers), (struct command_limits) { 0 });
	for (unsigned i = 0; i < 4; i++)
		assert_true(run_send(&run, log_page));
	assert_false(run_send(&run, log_page));
	assert_int_equal(run.fake.count, 4 + 3);
	assert_int_equal(run.session.end, SESSION_SILENT);
}

static void a_drive_that_is_gone_is_not_asked_again(void **state)
{
	struct fake_answer answers[] = { { .cdb = "4d", .delivery = DELIVERY_GONE } };
	struct run run;

	(void)state;
	run_init(&run, answers, 1, (struct command_limits) { 0 });
	assert_true(run_send(&run, log_page));
	assert_false(run_send(&run, log_page));
	assert_int_equal(run.session.end, SESSION_GONE);
	assert_int_equal(run.fake.count, 1);
}

static void a_command_gets_the_time_that_is_meant_for_it(void **state)
{
	static const struct page_id inquiry = { .kind = PAGE_INQUIRY };
	static const struct page_id defects = { .kind = PAGE_DEFECTS, .control = 1 };
	static const struct {
		struct command_limits limits;
		unsigned log_ms, inquiry_ms, defects_ms;
	} cases[] = {
		{ { 0, 0 }, 20000, 10000, 60000 },
		{ { 7000, 0 }, 7000, 7000, 7000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fake_answer answers[] = { { .cdb = "" } };
		struct run run;

		run_init(&run, answers, 1, cases[i].limits);
		run_send(&run, log_page);
		run_send(&run, inquiry);
		run_send(&run, defects);
		assert_int_equal(run.fake.timeouts_ms[0], cases[i].log_ms);
		assert_int_equal(run.fake.timeouts_ms[1], cases[i].inquiry_ms);
		assert_int_equal(run.fake.timeouts_ms[2], cases[i].defects_ms);
	}
}

static void no_command_gets_more_time_than_the_deadline_leaves(void **state)
{
	struct fake_answer answers[] = { { .cdb = "" } };
	struct run run;

	(void)state;
	run_init(&run, answers, 1, (struct command_limits) { .deadline_ms = 3000 });
	run_send(&run, log_page);
	assert_true(run.fake.timeouts_ms[0] <= 3000 && run.fake.timeouts_ms[0] > 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_that_is_not_about_the_command_is_asked_again),
		cmocka_unit_test(what_never_changes_becomes_the_answer),
		cmocka_unit_test(a_busy_drive_is_given_up_at_the_deadline),
		cmocka_unit_test(after_a_time_out_the_drive_is_asked_whether_it_is_there),
		cmocka_unit_test(two_time_outs_in_a_row_end_the_session),
		cmocka_unit_test(so_do_four_of_them_in_all),
		cmocka_unit_test(a_drive_that_is_gone_is_not_asked_again),
		cmocka_unit_test(a_command_gets_the_time_that_is_meant_for_it),
		cmocka_unit_test(no_command_gets_more_time_than_the_deadline_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
