/* Thermometers: the command that gave the temperature is sent again. */
#include "test.h"

#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/thermometer.h"

/* LOG SENSE of page 0Dh, 4 KiB: 31 degrees, reference 68. */
static const uint8_t log_sense[] = { 0x4d, 0, 0x4d, 0, 0, 0, 0, 0x10, 0, 0 };
static const uint8_t log_page[] = { 0x0d, 0, 0, 12, 0, 0, 3, 2, 0, 31, 0, 1, 3, 2, 0, 68 };

/* A drive whose answer a test changes; NULL: it refuses. */
static uint8_t answer[512];
static size_t answer_len;
static unsigned sent, closed;
static bool dead;

static void send_fake(
	struct transport *transport, const struct request *request, struct outcome *outcome)
{
	size_t len = answer_len < request->in_len ? answer_len : request->in_len;

	(void)transport;
	sent++;
	*outcome = (struct outcome) { .delivery = dead ? DELIVERY_GONE : DELIVERY_DONE,
		.received = dead ? 0 : len };
	if (!dead && request->in)
		memcpy(request->in, answer, len);
}

static void close_fake(struct transport *transport)
{
	(void)transport;
	closed++;
}

static struct transport fake = { .send = send_fake, .close = close_fake };
static struct capture capture;
static struct facts facts;

static int set_up(void **state)
{
	(void)state;
	capture_init(&capture, "test");
	facts_init(&facts);
	sent = closed = 0;
	dead = false;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	facts_deinit(&facts);
	capture_deinit(&capture);
	return 0;
}

static void give(const uint8_t *cdb, size_t cdb_len, const uint8_t *data, size_t len)
{
	struct record record = { .cdb_len = (uint8_t)cdb_len, .data = { data, len } };

	memcpy(record.cdb, cdb, cdb_len);
	capture_add(&capture, &record);
	memcpy(answer, data, len);
	answer_len = len;
}

static struct thermometer *open_log(void)
{
	give(log_sense, sizeof(log_sense), log_page, sizeof(log_page));
	decode(&capture, &facts);
	return thermometer_open(NULL, &capture, &facts, &fake, 0);
}

static void a_scsi_drive_is_asked_for_its_log_page_each_second(void **state)
{
	double celsius = 0;

	(void)state;
	struct thermometer *thermometer = open_log();

	assert_non_null(thermometer);
	assert_int_equal(sent, 0);
	assert_false(thermometer_about(thermometer)->disturbs);
	assert_true(thermometer_about(thermometer)->interval_seconds <= 1);
	assert_non_null(strstr(thermometer_about(thermometer)->source, "0Dh"));
	answer[9] = 77;
	assert_true(thermometer_read(thermometer, &celsius));
	assert_int_equal((int)celsius, 77);
	assert_int_equal(sent, 1);
	thermometer_close(thermometer);
	assert_int_equal(closed, 1);
}

static void what_the_drive_does_not_know_is_no_temperature(void **state)
{
	static const uint8_t unknown[] = { 0, 0xff };
	double celsius = 0;

	(void)state;
	struct thermometer *thermometer = open_log();

	for (size_t i = 0; i < sizeof(unknown); i++) {
		answer[9] = unknown[i];
		assert_false(thermometer_read(thermometer, &celsius));
	}
	thermometer_close(thermometer);
}

static void another_page_or_parameter_or_a_short_one_is_none(void **state)
{
	static const size_t at[] = { 0, 1, 4, 5 };
	double celsius = 0;

	(void)state;
	struct thermometer *thermometer = open_log();

	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		answer[at[i]] ^= 1;
		assert_false(thermometer_read(thermometer, &celsius));
		answer[at[i]] ^= 1;
	}
	answer_len = 9;
	assert_false(thermometer_read(thermometer, &celsius));
	answer_len = sizeof(log_page);
	assert_true(thermometer_read(thermometer, &celsius));
	dead = true;
	assert_false(thermometer_read(thermometer, &celsius));
	thermometer_close(thermometer);
}

static void a_drive_without_a_temperature_has_no_thermometer(void **state)
{
	(void)state;
	assert_null(thermometer_open(NULL, &capture, &facts, &fake, 0));
	assert_int_equal(closed, 1);
	assert_null(thermometer_open(NULL, &capture, &facts, NULL, 0));
}

/* READ LOG EXT E0h: the SCT status, 512 bytes; 45 degrees. */
static void an_ata_drive_is_read_each_ten_seconds_and_may_be_below_zero(void **state)
{
	static const uint8_t read_log[] = { 0x85, 0x09, 0x0e, 0, 0, 0, 1, 0, 0xe0, 0, 0, 0, 0, 0,
		0x2f, 0 };
	uint8_t status[512] = { 2, 0 };
	double celsius = 0;

	(void)state;
	status[200] = 45;
	give(read_log, sizeof(read_log), status, sizeof(status));
	decode(&capture, &facts);
	struct thermometer *thermometer = thermometer_open(NULL, &capture, &facts, &fake, 0);

	assert_non_null(thermometer);
	assert_true(thermometer_about(thermometer)->disturbs);
	assert_true(thermometer_about(thermometer)->interval_seconds >= 10);
	answer[200] = 0xfb;
	assert_true(thermometer_read(thermometer, &celsius));
	assert_int_equal((int)celsius, -5);
	answer[200] = 0x80;
	assert_false(thermometer_read(thermometer, &celsius));
	thermometer_close(thermometer);
	thermometer = thermometer_open(NULL, &capture, &facts, &fake, 3);
	assert_true(thermometer_about(thermometer)->interval_seconds <= 3);
	thermometer_close(thermometer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			a_scsi_drive_is_asked_for_its_log_page_each_second, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_the_drive_does_not_know_is_no_temperature, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			another_page_or_parameter_or_a_short_one_is_none, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_drive_without_a_temperature_has_no_thermometer, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			an_ata_drive_is_read_each_ten_seconds_and_may_be_below_zero, set_up,
			tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
