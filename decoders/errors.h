/*
 * Private to the errors decoder.
 */
#ifndef ASSAY_DECODERS_ERRORS_H
#define ASSAY_DECODERS_ERRORS_H

#include "assay/decoder.h"

/* ATA error logs 01h, 02h, 03h and 10h: errors.logged_count and these tables. */
extern const struct table table_error_log, table_error_log_commands, table_ncq_error;
void error_log_decode(const struct capture *capture, struct facts *facts);

/* SCSI log pages 02h to 05h and 15h, ATA log 0Ch: their tables. */
extern const struct table table_error_counters, table_background_scan, table_pending_defects;
void error_tables_decode(const struct capture *capture, struct facts *facts);

#endif
