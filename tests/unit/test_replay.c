#include "test.h"

#include <string.h>

#include "assay/command.h"

static const uint8_t page[8] = { 0x0d, 0, 0, 4, 1, 2, 3, 4 };
static const uint8_t attention[14] = { 0x70, 0, 6, [7] = 6, [12] = 0x29 };

static void add(struct capture *capture, struct page_id id, struct bytes data, struct bytes sense)
{
	struct cdb cdb = cdb_of_page(id, 64, false);
	struct record record = { .cdb_len = (uint8_t)cdb.len,
		.data = data,
		.sense = sense,
		.scsi_status = sense.at ? 0x02 : 0 };

	memcpy(record.cdb, cdb.bytes, cdb.len);
	capture_add(capture, &record);
}

static struct outcome ask(struct capture *capture, struct page_id id, size_t len, uint8_t *room)
{
	struct transport *transport = transport_open_replay(capture);
	struct cdb cdb = cdb_of_page(id, 64, false);
	struct request request = {
		.cdb = cdb.bytes, .cdb_len = cdb.len, .in = room, .in_len = len
	};
	struct outcome outcome;

	transport->send(transport, &request, &outcome);
	transport->close(transport);
	return outcome;
}

static void a_capture_answers_with_what_it_holds(void **state)
{
	static const struct page_id id = { PAGE_LOG, 0x0d, 0, 1 };
	struct capture capture;
	uint8_t room[64] = { 0 };
	struct outcome outcome;

	(void)state;
	capture_init(&capture, "test");
	add(&capture, id, (struct bytes) { 0 }, (struct bytes) { attention, sizeof(attention) });
	add(&capture, id, (struct bytes) { page, sizeof(page) }, (struct bytes) { 0 });
	outcome = ask(&capture, id, sizeof(room), room);
	assert_int_equal(outcome.delivery, DELIVERY_DONE);
	assert_int_equal(outcome.scsi_status, 0);
	assert_int_equal(outcome.received, sizeof(page));
	assert_memory_equal(room, page, sizeof(page));
	capture_deinit(&capture);
}

static void no_more_is_given_than_there_is_room_for(void **state)
{
	static const struct page_id id = { PAGE_LOG, 0x0d, 0, 1 };
	struct capture capture;
	uint8_t room[4] = { 0 };
	struct outcome outcome;

	(void)state;
	capture_init(&capture, "test");
	add(&capture, id, (struct bytes) { page, sizeof(page) }, (struct bytes) { 0 });
	outcome = ask(&capture, id, 3, room);
	assert_int_equal(outcome.received, 3);
	assert_int_equal(room[2], page[2]);
	assert_int_equal(room[3], 0);
	capture_deinit(&capture);
}

static void what_was_not_captured_is_an_invalid_field_in_the_cdb(void **state)
{
	static const struct page_id other = { PAGE_LOG, 0x2f, 0, 1 };
	struct capture capture;
	uint8_t room[64];
	struct outcome outcome;
	struct sense sense;

	(void)state;
	capture_init(&capture, "test");
	outcome = ask(&capture, other, sizeof(room), room);
	assert_int_equal(outcome.scsi_status, 0x02);
	assert_int_equal(outcome.received, 0);
	assert_true(sense_read((struct bytes) { outcome.sense, outcome.sense_len }, &sense));
	assert_int_equal(sense.key, 5);
	assert_int_equal(sense.asc, 0x24);
	capture_deinit(&capture);
}

static void a_refusal_and_a_time_out_are_answers_too(void **state)
{
	static const struct page_id id = { PAGE_LOG, 0x0d, 0, 1 };
	struct capture capture;
	uint8_t room[64];
	struct outcome outcome;

	(void)state;
	capture_init(&capture, "test");
	add(&capture, id, (struct bytes) { 0 }, (struct bytes) { attention, sizeof(attention) });
	outcome = ask(&capture, id, sizeof(room), room);
	assert_int_equal(outcome.sense_len, sizeof(attention));
	capture.records[0].delivery = DELIVERY_TIMED_OUT;
	outcome = ask(&capture, id, sizeof(room), room);
	assert_int_equal(outcome.delivery, DELIVERY_TIMED_OUT);
	capture_deinit(&capture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_capture_answers_with_what_it_holds),
		cmocka_unit_test(no_more_is_given_than_there_is_room_for),
		cmocka_unit_test(what_was_not_captured_is_an_invalid_field_in_the_cdb),
		cmocka_unit_test(a_refusal_and_a_time_out_are_answers_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
