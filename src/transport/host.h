/*
 * Reading sysfs: what host.c and host_scan.c share.
 */
#ifndef ASSAY_TRANSPORT_HOST_H
#define ASSAY_TRANSPORT_HOST_H

#include <limits.h>

#include "assay/transport.h"

/* Where a SCSI device stands in sysfs, and its nodes below /dev; "" without. */
struct host_place {
	char folder[PATH_MAX]; /* of the device, links resolved */
	char block[24], sg[24];
};

/* The place whose folder is behind a link. False where there is no SCSI device. */
bool host_place_at(const char *link, struct host_place *place);

/* The place of a node. False and *error where it is no SCSI device. */
bool host_place_of(
	const char *sysfs, const char *node, struct host_place *place, struct error *error);

/* The first line of a file, trimmed, "" where there is none: false for both. */
bool host_line(char *text, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The first entry of a folder whose name begins so. */
bool host_entry(const char *folder, const char *prefix, char *name, size_t size);

/* "sata", "usb", ...: assay-capture(5). */
void host_transport(const char *sysfs, const struct host_place *place, char *text, size_t size);

/* The link's rate in Gbit/s, as text; "" where it is not told. */
void host_link_rate(const char *sysfs, const struct host_place *place, char *text, size_t size);

/* The digits behind a part of a path, "/host" in ".../host3/...": -1 where
 * there is no such part. The last one counts. */
int host_number(const char *path, const char *part);

#endif
