/*
 * What the fuzzers share: a main() that replays files where libFuzzer is not
 * linked.
 */
#ifndef ASSAY_FUZZ_H
#define ASSAY_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Where all output goes. */
static FILE *nowhere;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	setenv("ASSAY_DRIVEDB", "tests/fuzz/seeds/drivedb.h", 1);
	nowhere = fopen("/dev/null", "w");
	return nowhere ? 0 : -1;
}

/* Counts the replays of one input. */
static unsigned fuzz_turn;

#ifndef ASSAY_LIBFUZZER
static void fuzz_file(const char *path)
{
	enum { MOST = 1 << 20 };
	FILE *file = fopen(path, "r");
	uint8_t *data = malloc(MOST);
	size_t len;

	if (!file || !data) {
		printf("not ok - %s cannot be read\n", path);
		exit(1);
	}
	len = fread(data, 1, MOST, file);
	fclose(file);
	/* In an allocation of just its size. */
	uint8_t *exact = malloc(len ? len : 1);

	memcpy(exact, data, len);
	free(data);
	/* Each of 32 turns in a row does another thing. */
	for (fuzz_turn = 0; fuzz_turn < (len < 8192 ? 32 : 4); fuzz_turn++)
		LLVMFuzzerTestOneInput(exact, len);
	free(exact);
	printf("ok - %s\n", path);
}

/* Replays the files that are named. */
int main(int argc, char **argv)
{
	LLVMFuzzerInitialize(&argc, &argv);
	for (int i = 1; i < argc; i++)
		fuzz_file(argv[i]);
	return 0;
}
#endif

#endif
