/*
 * Where data that the program reads is looked for: datasheets, workloads, plans.
 */
#ifndef ASSAY_DATA_H
#define ASSAY_DATA_H

#include <stddef.h>

enum { DATA_FOLDERS = 4, DATA_PATH_BYTES = 1024 };

/* Folders in their order: what is in an earlier one hides the same in a later. */
struct data_folders {
	char paths[DATA_FOLDERS][DATA_PATH_BYTES];
	size_t count;
};

/* The folders of a kind ("specs", "workloads"): below $ASSAY_DATA, else below
 * data/ of the source tree that the program was built in; below /etc/assay;
 * below share/assay beside the program's bin/; below /usr/share/assay. They
 * need not exist. */
void data_folders(const char *kind, struct data_folders *folders);

#endif
