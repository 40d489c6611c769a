/*
 * Transports: whatever takes a CDB and gives an answer. sg is a real drive by
 * SG_IO, replay is a capture that answers.
 */
#ifndef ASSAY_TRANSPORT_H
#define ASSAY_TRANSPORT_H

#include "assay/capture.h"

/* A command to send. */
struct request {
	const uint8_t *cdb;
	size_t cdb_len;
	uint8_t *in; /* room for what comes; NULL: nothing is wanted */
	size_t in_len;
	struct bytes out; /* what to send; at NULL: nothing. in and out exclude each other */
	unsigned timeout_ms;
};

/* Its answer. */
struct outcome {
	enum delivery delivery;
	uint8_t scsi_status; /* SAM-5, where delivery is DELIVERY_DONE */
	size_t received;     /* bytes in request.in: asked less residual */
	uint8_t sense[SENSE_MAX];
	size_t sense_len;
	int64_t duration_us;
	int os_error; /* errno where delivery is DELIVERY_FAILED or DELIVERY_GONE; else 0 */
};

struct transport {
	/* Always fills *outcome. */
	void (*send)(struct transport *transport, const struct request *request,
		struct outcome *outcome);
	void (*close)(struct transport *transport); /* frees the transport itself */
	/* Has the host reset the drive, and nothing else where that does not help. False
	 * where it cannot; NULL: there is no such thing. */
	bool (*reset)(struct transport *transport);
};

/* Opens a node for SG_IO (libsgutils2), with O_NONBLOCK so that an open never
 * waits for a medium: of a block device its generic node where that can be had,
 * else the device itself, read-only, which is enough for root. NULL and *error
 * where it fails. */
struct transport *transport_open_sg(const char *node, struct error *error);

/* A capture that answers: each CDB with its recorded answer, any other with
 * ILLEGAL REQUEST, INVALID FIELD IN CDB. Does not own the capture. */
struct transport *transport_open_replay(const struct capture *capture);

/* What sysfs says of a drive, as host lines of the capture. node is /dev/sdX,
 * /dev/sgN or a link to one. Does not open the node. sysfs is "/sys", or a
 * copy of one in tests. 0, or -1 and *error where there is no such drive. */
int host_read(const char *sysfs, const char *node, struct capture *capture, struct error *error);

/* Adds to the capture, as records, what the kernel keeps of the drive's INQUIRY
 * data and VPD pages: identity without any command, for a drive that is not to
 * be opened. Returns how many there were. */
size_t host_cached_pages(const char *sysfs, const char *node, struct capture *capture);

/* The bytes that the block layer offers of it; 0 where it has no block device,
 * or one whose sectors the kernel cannot use. */
uint64_t host_size_bytes(const char *sysfs, const char *node);

/* A drive found in sysfs. Owned by the list. */
struct host_drive {
	char node[32];                          /* "/dev/sda"; "" where there is no block device */
	char sg_node[32];                       /* "/dev/sg0"; "" where there is none */
	unsigned device_type;                   /* SCSI peripheral device type */
	char vendor[9], model[17], revision[5]; /* of INQUIRY, as the kernel cached it */
	char transport[16]; /* "sata", "sas", "usb", ...: assay-capture(5), "HOST"; "" not known */
	bool suspended;     /* by the kernel's runtime power management */
};
/* All SCSI devices, by node. Returns how many; *drives is to be freed. */
size_t host_scan(const char *sysfs, struct host_drive **drives);

#endif
