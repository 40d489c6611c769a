/*
 * Private to the decoders: smartmontools' drive database, read where it is
 * installed. Its own update tool keeps it fresh; nothing of it is copied here.
 */
#ifndef ASSAY_DECODERS_DRIVEDB_H
#define ASSAY_DECODERS_DRIVEDB_H

#include "assay/arena.h"
#include "attribute_raw.h"

enum medium { MEDIUM_UNKNOWN, MEDIUM_ROTATING, MEDIUM_SOLID };

/* What the database says of one attribute. */
struct drivedb_attribute {
	enum raw_format format; /* RAW_UNKNOWN: nothing */
	char order[RAW_ORDER_LEN + 1];
	struct bytes name; /* len 0: none */
	bool own;          /* the model's entry says so, not the default for all drives */
};

struct drivedb {
	const char *path;                         /* NULL: there is no database */
	const char *family;                       /* of the model's entry; NULL: no entry matches */
	struct drivedb_attribute attributes[256]; /* by id */
};

/* Looks a drive up in the first of $ASSAY_DRIVEDB (alone, where it is set),
 * /var/lib/smartmontools/drivedb/drivedb.h and
 * /usr/share/smartmontools/drivedb.h that can be read. Names that hold for disks
 * or for solid state drives only count for a medium that is known to be one.
 * What the names point to and the family are in the arena. A database that is
 * broken gives as much as can be read. */
void drivedb_find(const char *model, const char *firmware, enum medium medium, struct arena *arena,
	struct drivedb *drivedb);

#endif
