/*
 * Private to the decoders: which commands a SCSI drive supports, by REPORT
 * SUPPORTED OPERATION CODES (SPC-5 6.35).
 */
#ifndef ASSAY_DECODERS_COMMANDS_H
#define ASSAY_DECODERS_COMMANDS_H

#include "assay/decoder.h"

enum { NO_SERVICE_ACTION = -1 };

/* What was found of a command. */
struct command_support {
	bool supported;
	struct page_id page;
	size_t offset;    /* of raw in the response */
	struct bytes raw; /* the descriptor, or the head of the list that lacks it */
};

/* False where the capture does not tell: no list, or one that is cut off and
 * lacks the command in what came. */
bool command_support_get(const struct capture *capture, uint8_t operation_code, int service_action,
	struct command_support *support);

#endif
