/* The walkers of src/fact on bytes that are short, that overlap and that lie. */
#include "pages.h"

static size_t parameters_in(const uint8_t *data, size_t len)
{
	uint8_t *copy = exact_copy(data, len);
	struct page page = { .data = { copy, len } };
	struct log_parameter parameter;
	size_t count = 0;

	for (size_t at = 4; log_parameter_next(&page, &at, &parameter); count++) {
		assert_true(at <= len);
		assert_true(parameter.data.at >= copy && parameter.data.len >= 4);
		assert_true(parameter.offset + parameter.data.len <= len);
	}
	free(copy);
	return count;
}

static void a_log_page_gives_each_parameter_that_is_all_there(void **state)
{
	static const uint8_t data[] = { 0x0d, 0, 0, 18, 0, 0, 3, 2, 0, 30, /* to 10 */
		0, 1, 3, 0,                                                /* to 14: no value */
		0, 2, 3, 4, 1, 2, 3, 4 };                                  /* to 22 */
	static const size_t ends[] = { 10, 14, 22 };

	(void)state;
	for (size_t len = 0; len <= sizeof(data); len++) {
		size_t want = 0;

		while (want < ARRAY_LEN(ends) && ends[want] <= len)
			want++;
		assert_int_equal(parameters_in(data, len), want);
	}
}

static void parameters_of_no_length_do_not_stop_the_walk(void **state)
{
	static const uint8_t zeros[404];

	(void)state;
	assert_int_equal(parameters_in(zeros, sizeof(zeros)), 100);
}

static void a_parameter_that_reaches_over_the_end_ends_the_walk(void **state)
{
	static const uint8_t data[] = { 0, 0, 0, 12, 0, 0, 3, 2, 1, 2, 0, 1, 3, 255, 1, 2 };
	struct page page = { .data = { data, sizeof(data) } };
	struct log_parameter parameter;

	(void)state;
	assert_int_equal(parameters_in(data, sizeof(data)), 1);
	assert_true(log_parameter_find(&page, 0, &parameter));
	assert_false(log_parameter_find(&page, 1, &parameter));
	assert_false(log_parameter_find(&page, 7, &parameter));
}

static void the_first_of_equal_codes_is_found(void **state)
{
	static const uint8_t data[] = { 0, 0, 0, 10, 0, 5, 3, 1, 11, 0, 5, 3, 1, 22 };
	struct page page = { .data = { data, sizeof(data) }, .offset = 100 };
	struct log_parameter parameter;

	(void)state;
	assert_true(log_parameter_find(&page, 5, &parameter));
	assert_int_equal(parameter.data.at[4], 11);
	assert_int_equal(parameter.offset, 104);
	assert_int_equal(parameter.control, 3);
}

static void a_parameter_is_a_number_of_any_length(void **state)
{
	static const struct {
		uint8_t len;
		uint8_t value[12];
		bool good;
		uint64_t number;
	} cases[] = {
		{ 0, { 0 }, false, 0 },
		{ 1, { 0xff }, true, 255 },
		{ 3, { 1, 2, 3 }, true, 0x010203 },
		{ 8, { 1, 2, 3, 4, 5, 6, 7, 8 }, true, 0x0102030405060708 },
		{ 9, { 0, 1, 2, 3, 4, 5, 6, 7, 8 }, true, 0x0102030405060708 },
		{ 9, { 1, 1, 2, 3, 4, 5, 6, 7, 8 }, false, 0 },
		{ 12, { [11] = 9 }, true, 9 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct log_page log;
		struct page page = { 0 };
		struct log_parameter parameter;
		uint64_t number = 42;

		log_begin(&log, 2, 0);
		log_add(&log, 0, cases[i].value, cases[i].len);
		page.data = (struct bytes) { log.data, log.len };
		assert_true(log_parameter_find(&page, 0, &parameter));
		assert_int_equal(log_parameter_uint(&parameter, &number), cases[i].good);
		assert_true(number == (cases[i].good ? cases[i].number : 42));
	}
}

static void a_page_is_cut_to_what_its_length_says(void **state)
{
	static const struct {
		uint8_t data[12];
		size_t len, want; /* want 0: no page */
		const char *note;
	} cases[] = {
		{ { 0x0d, 0, 0, 4, 1, 2, 3, 4, 9, 9, 9, 9 }, 12, 8, NULL },
		{ { 0x0d, 0, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8 }, 12, 12, NULL },
		{ { 0x4d, 0, 0, 0, 1, 2, 3, 4 }, 8, 4, NULL }, /* SPF, page 0Dh */
		{ { 0x0d, 0, 0xff, 0xff, 1, 2, 3, 4 }, 8, 8, "shorter than its length field" },
		{ { 0x0d, 0, 0 }, 3, 0, "too short for its header" },
		{ { 0x0d }, 0, 0, "too short for its header" },
		{ { 0x0e, 0, 0, 4, 1, 2, 3, 4 }, 8, 0, "answered with another page" },
	};
	static const struct page_id id = { PAGE_LOG, 0x0d, 0, 1 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct drive *drive = drive_new();
		uint8_t *copy = exact_copy(cases[i].data, cases[i].len);

		give_log(&drive->capture, 0x0d, 0, copy, cases[i].len);
		struct page page = page_get(&drive->capture, &drive->facts, id);

		assert_int_equal(page.data.at != NULL, cases[i].want != 0);
		assert_int_equal(page.data.len, cases[i].want);
		assert_int_equal(drive->facts.note_count, cases[i].note != NULL);
		if (cases[i].note)
			assert_true(has_note(drive, cases[i].note));
		assert_int_equal(page_get(&drive->capture, NULL, id).data.len, cases[i].want);
		free(copy);
		drive_free(drive);
	}
}

static void what_is_not_captured_or_was_refused_is_no_page(void **state)
{
	static const uint8_t sense[18] = { 0x70, 0, 0x05, [12] = 0x24 };
	static const uint8_t data[] = { 0x0d, 0, 0, 2, 1, 2 };
	static const struct page_id id = { PAGE_LOG, 0x0d, 0, 1 };
	struct record record = { .cdb = { 0x4d, 0, 0x4d, [7] = 0x40 },
		.cdb_len = 10,
		.scsi_status = 0x02,
		.duration_us = -1,
		.data = { data, sizeof(data) },
		.sense = { sense, sizeof(sense) } };
	struct drive *drive = drive_new();

	(void)state;
	assert_null(page_get(&drive->capture, NULL, id).data.at);
	capture_add(&drive->capture, &record);
	assert_null(page_get(&drive->capture, NULL, id).data.at);
	record.scsi_status = 0;
	record.delivery = DELIVERY_TIMED_OUT;
	capture_add(&drive->capture, &record);
	assert_null(page_get(&drive->capture, NULL, id).data.at);
	record.delivery = DELIVERY_DONE;
	capture_add(&drive->capture, &record);
	assert_int_equal(page_get(&drive->capture, NULL, id).data.len, 6);
	drive_free(drive);
}

static void a_vpd_page_has_a_length_of_16_bits_but_the_oldest(void **state)
{
	static uint8_t data[4 + 300] = { 0, 0x83, 0x01, 0x2c };
	struct drive *drive = drive_new();

	(void)state;
	give_vpd(&drive->capture, 0x83, data, sizeof(data));
	data[1] = 0x80;
	data[2] = 0xaa; /* junk of drives of before SPC-3 */
	data[3] = 8;
	give_vpd(&drive->capture, 0x80, data, sizeof(data));
	assert_int_equal(
		page_get(&drive->capture, NULL, (struct page_id) { PAGE_VPD, 0x83, 0, 0 }).data.len,
		304);
	assert_int_equal(
		page_get(&drive->capture, NULL, (struct page_id) { PAGE_VPD, 0x80, 0, 0 }).data.len,
		12);
	drive_free(drive);
}

/* MODE SENSE(10): a block descriptor, page 08h, subpage 0Ah/01h, page 1Ch. */
static const uint8_t mode_10[] = { 0, 32, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 2, 0, /* to 16 */
	0x88, 0x02, 1, 2,                                                           /* to 20 */
	0x4a, 0x01, 0, 0x03, 3, 4, 5,                                               /* to 27 */
	0x1c, 0x05, 6, 7, 8, 9, 10 };                                               /* to 34 */

static size_t mode_pages_in(const uint8_t *data, size_t len, uint8_t operation)
{
	uint8_t *copy = exact_copy(data, len);
	struct record record = { .page = { .kind = PAGE_MODE },
		.cdb = { operation, 0, 0x3f, 0xff },
		.cdb_len = operation == 0x5a ? 10 : 6,
		.data = { copy, len } };
	struct page page;
	size_t count = 0;

	for (size_t at = 0; mode_page_next(&record, &at, &page); count++) {
		assert_true(page.data.at >= copy);
		assert_true(page.offset + page.data.len <= len);
	}
	free(copy);
	return count;
}

static void a_mode_sense_answer_gives_each_page_that_is_all_there(void **state)
{
	static const size_t ends[] = { 20, 27, 34 };

	(void)state;
	for (size_t len = 0; len <= sizeof(mode_10); len++) {
		size_t want = 0;

		while (want < ARRAY_LEN(ends) && ends[want] <= len)
			want++;
		assert_int_equal(mode_pages_in(mode_10, len, 0x5a), want);
	}
}

static void the_mode_data_length_ends_the_pages(void **state)
{
	uint8_t data[sizeof(mode_10)];

	(void)state;
	memcpy(data, mode_10, sizeof(data));
	data[1] = 25; /* up to the end of the second page */
	assert_int_equal(mode_pages_in(data, sizeof(data), 0x5a), 2);
	data[1] = 26;
	assert_int_equal(mode_pages_in(data, sizeof(data), 0x5a), 2);
	data[1] = 13;
	assert_int_equal(mode_pages_in(data, sizeof(data), 0x5a), 0);
	data[0] = data[1] = 0xff;
	assert_int_equal(mode_pages_in(data, sizeof(data), 0x5a), 3);
}

static void block_descriptors_may_be_long_missing_or_a_lie(void **state)
{
	static const uint8_t none_6[] = { 7, 0, 0, 0, 0x08, 0x02, 1, 2 };
	static const uint8_t long_10[] = { 0, 26, 0, 0, 1, 0, 0, 16, [24] = 0x08, 0x02, 1, 2 };
	static const uint8_t lie_6[] = { 7, 0, 0, 200, 0x08, 0x02, 1, 2 };
	struct record record = {
		.page = { .kind = PAGE_MODE }, .cdb = { 0x5a, 0, 0x3f }, .cdb_len = 10
	};

	(void)state;
	assert_int_equal(mode_pages_in(none_6, sizeof(none_6), 0x1a), 1);
	assert_int_equal(mode_pages_in(long_10, sizeof(long_10), 0x5a), 1);
	assert_int_equal(mode_pages_in(lie_6, sizeof(lie_6), 0x1a), 0);
	record.data = (struct bytes) { long_10, sizeof(long_10) };
	assert_int_equal(mode_block_descriptors(&record).len, 16);
	record.cdb[0] = 0x1a;
	record.data = (struct bytes) { lie_6, sizeof(lie_6) };
	assert_null(mode_block_descriptors(&record).at);
}

static void mode_pages_of_no_length_do_not_stop_the_walk(void **state)
{
	static const uint8_t zeros[8 + 100] = { 0, 106 };

	(void)state;
	assert_int_equal(mode_pages_in(zeros, sizeof(zeros), 0x5a), 50);
}

static void a_mode_page_is_found_in_whichever_answer_holds_it(void **state)
{
	static const uint8_t alone[] = { 7, 0, 0, 0, 0x1c, 0x02, 0xaa, 0xbb };
	static const struct {
		struct page_id id;
		size_t len; /* 0: not there */
		size_t offset;
	} cases[] = {
		{ { PAGE_MODE, 0x08, 0x00, 0 }, 4, 16 },
		{ { PAGE_MODE, 0x0a, 0x01, 0 }, 7, 20 },
		{ { PAGE_MODE, 0x0a, 0x00, 0 }, 0, 0 },
		{ { PAGE_MODE, 0x08, 0x00, 2 }, 0, 0 },
		{ { PAGE_MODE, 0x1c, 0x00, 2 }, 4, 4 },
		{ { PAGE_MODE, 0x1c, 0x00, 0 }, 7, 27 },
	};
	struct drive *drive = drive_new();

	(void)state;
	give_mode(&drive->capture, 0, 0x3f, 0xff, mode_10, sizeof(mode_10));
	give(&drive->capture, (const uint8_t[]) { 0x1a, 0, 0x80 | 0x1c, 0, 255, 0 }, 6, alone,
		sizeof(alone));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct page page = page_get(&drive->capture, NULL, cases[i].id);

		assert_int_equal(page.data.len, cases[i].len);
		assert_int_equal(page.data.at != NULL, cases[i].len != 0);
		assert_int_equal(page.offset, cases[i].offset);
	}
	drive_free(drive);
}

static void designators_that_are_all_there_are_given(void **state)
{
	static const uint8_t list[] = { 0x61, 0x93, 0, 2, 0xaa, 0xbb, /* to 6 */
		0x02, 0x00, 0, 0,                                     /* to 10 */
		0x01, 0x03, 0, 3, 1, 2, 3 };                          /* to 17 */
	static const size_t ends[] = { 6, 10, 17 };
	struct designator first = { 0 };
	size_t at = 0;

	(void)state;
	for (size_t len = 0; len <= sizeof(list); len++) {
		uint8_t *copy = exact_copy(list, len);
		struct designator designator;
		size_t count = 0, want = 0;

		for (size_t offset = 0;
			designator_next((struct bytes) { copy, len }, &offset, &designator);)
			count++;
		while (want < ARRAY_LEN(ends) && ends[want] <= len)
			want++;
		assert_int_equal(count, want);
		free(copy);
	}
	assert_true(designator_next((struct bytes) { list, sizeof(list) }, &at, &first));
	assert_int_equal(first.protocol, 6);
	assert_true(first.protocol_valid);
	assert_int_equal(first.code_set, 1);
	assert_int_equal(first.association, 1);
	assert_int_equal(first.type, 3);
	assert_int_equal(first.offset, 4);
	assert_int_equal(first.data.len, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_page_gives_each_parameter_that_is_all_there),
		cmocka_unit_test(parameters_of_no_length_do_not_stop_the_walk),
		cmocka_unit_test(a_parameter_that_reaches_over_the_end_ends_the_walk),
		cmocka_unit_test(the_first_of_equal_codes_is_found),
		cmocka_unit_test(a_parameter_is_a_number_of_any_length),
		cmocka_unit_test(a_page_is_cut_to_what_its_length_says),
		cmocka_unit_test(what_is_not_captured_or_was_refused_is_no_page),
		cmocka_unit_test(a_vpd_page_has_a_length_of_16_bits_but_the_oldest),
		cmocka_unit_test(a_mode_sense_answer_gives_each_page_that_is_all_there),
		cmocka_unit_test(the_mode_data_length_ends_the_pages),
		cmocka_unit_test(block_descriptors_may_be_long_missing_or_a_lie),
		cmocka_unit_test(mode_pages_of_no_length_do_not_stop_the_walk),
		cmocka_unit_test(a_mode_page_is_found_in_whichever_answer_holds_it),
		cmocka_unit_test(designators_that_are_all_there_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
