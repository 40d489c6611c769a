/*
 * Collects a drive's responses into a capture.
 */
#ifndef ASSAY_COLLECT_H
#define ASSAY_COLLECT_H

#include "assay/command.h"

struct collect_options {
	struct command_limits limits;
	bool wake; /* go on where the drive sleeps */
	/* Only these are fetched, and what is needed to find them, as far as the
	 * capture does not hold them already; NULL: everything. */
	const struct page_id *pages;
	size_t page_count;
	/* Nothing is sent that resets a drive's idle timers: its power state is
	 * asked, no more. */
	bool quiet;
	/* Called before each command, for progress; NULL: nobody looks. */
	void (*progress)(void *context, size_t command_count, struct page_id page);
	void *context;
};

/* Fetches everything that the drive lists and that this project knows or can
 * show, asking the power state first. One page that fails never ends it; a
 * drive that does not answer at all does. What is refused is recorded with its
 * sense. Returns 0, or -1 with *error where not even the identity could be had
 * (what was recorded until then stays in the capture). A drive that sleeps
 * leaves just its power state and what does not wake it. */
int collect(struct transport *transport, const struct collect_options *options,
	struct capture *capture, struct error *error);

/* Only who the drive is, and how large where the kernel cannot say: host lines,
 * the kernel's copies of INQUIRY data and VPD pages, and commands for what of
 * these it does not keep. A suspended drive is not opened. Mostly no command at
 * all, so that a drive that never answers delays nobody. */
int collect_identity(const char *sysfs, const char *node, const struct collect_options *options,
	struct capture *capture, struct error *error);

#endif
