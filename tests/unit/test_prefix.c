/*
 * Every prefix of every page of every brought-along drive, each in an
 * allocation of just that size: an unchecked load does not survive it.
 */
#include "test.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "assay/decoder.h"
#include "assay/import.h"

/* Decoders want these beside their page: who the drive is, how large its blocks are. */
static bool is_context(const struct record *record)
{
	return record->page.kind == PAGE_INQUIRY || record->page.kind == PAGE_ATA_IDENTIFY ||
		record->page.kind == PAGE_READ_CAPACITY_16;
}

/* A capture of the context, with the record cut to len bytes in front of it. */
static void decode_prefix(const struct capture *whole, const struct record *record, size_t len)
{
	struct record records[16];
	struct capture capture = { .name = whole->name, .records = records };
	struct facts facts;
	uint8_t *data = malloc(len ? len : 1);

	memcpy(data, record->data.at, len);
	records[capture.record_count++] = *record;
	records[0].data = (struct bytes) { data, len };
	for (size_t i = 0; i < whole->record_count && capture.record_count < 16; i++)
		if (is_context(&whole->records[i]) && &whole->records[i] != record)
			records[capture.record_count++] = whole->records[i];
	facts_init(&facts);
	decode(&capture, &facts);
	facts_deinit(&facts);
	free(data);
}

/* All of a short page; of a long one each length near its structures. */
static size_t step(size_t len)
{
	return len < 128 ? 1 : len < 1024 ? 7 : 61;
}

static void every_prefix_of_every_page_is_survived(void **state)
{
	glob_t found;
	size_t decoded = 0;

	(void)state;
	assert_int_equal(glob("data/drives/*.capture", 0, NULL, &found), 0);
	for (size_t f = 0; f < found.gl_pathc; f++) {
		struct capture capture;
		struct error error;

		capture_init(&capture, found.gl_pathv[f]);
		assert_int_equal(import_file(found.gl_pathv[f], IMPORT_AUTO, &capture, &error), 0);
		for (size_t i = 0; i < capture.record_count; i++) {
			const struct record *record = &capture.records[i];

			for (size_t len = 0; len < record->data.len; len += step(len), decoded++)
				decode_prefix(&capture, record, len);
		}
		capture_deinit(&capture);
	}
	globfree(&found);
	assert_true(decoded > 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_prefix_of_every_page_is_survived),
	};

	setenv("ASSAY_DRIVEDB", "/dev/null", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
