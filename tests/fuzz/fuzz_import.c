/*
 * Files of any kind: the last byte, modulo the number of kinds, is what they
 * are said to be. A text file ends with a line feed, which says nothing.
 */
#include "capture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { KINDS = IMPORT_SENSE + 1 };
	struct capture capture;
	struct error error = { 0 };

	if (size == 0)
		return 0;
	capture_init(&capture, "drive");
	if (import_bytes((struct bytes) { data, size - 1 }, "drive",
		    (enum import_kind)(data[size - 1] % KINDS), &capture, &error) == 0)
		fuzz_capture(&capture, data, size);
	else if (!error.text[0] || strchr(error.text, '\n'))
		abort();
	capture_deinit(&capture);
	return 0;
}
