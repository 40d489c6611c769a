/*
 * Private to the statistics decoder.
 */
#ifndef ASSAY_DECODERS_STATISTICS_H
#define ASSAY_DECODERS_STATISTICS_H

#include "assay/decoder.h"

/* One statistic of ACS-4 9.5 that has a name. */
struct known_statistic {
	uint8_t page;
	uint16_t at;   /* of its qword */
	uint8_t width; /* of its value */
	bool is_signed;
	const char *name, *unit; /* unit: in words, "" where it just counts */
};

/* The one at that place, or NULL. */
const struct known_statistic *statistic_known(uint8_t page, size_t at);
/* As the standard calls the page: static, never NULL. */
const char *statistics_page_name(uint8_t page);

extern const struct table table_log_directory, table_mode_pages;
void log_directory_decode(const struct capture *capture, struct facts *facts);
void mode_pages_decode(const struct capture *capture, struct facts *facts);

#endif
