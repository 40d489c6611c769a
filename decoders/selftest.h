/*
 * Private to the self-test decoder.
 */
#ifndef ASSAY_DECODERS_SELFTEST_H
#define ASSAY_DECODERS_SELFTEST_H

#include "assay/decoder.h"

extern const struct table table_self_tests, table_selective_spans;

/* Rows of the tables, newest first, of whichever self-test log is there: log page
 * 10h of SCSI, logs 07h, 06h and 09h of ATA. False where there is none. */
bool self_test_logs_decode(const struct capture *capture, struct facts *facts);

/* The words of an ATA self-test execution status (ACS-4, bits 7:4): static, or
 * NULL where the value is reserved. */
const char *self_test_result(unsigned nibble);

#endif
