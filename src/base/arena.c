#include "assay/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"

enum { BLOCK_BYTES = 8192, ALIGNMENT = 16 };

struct block {
	struct block *next;
	size_t used, size;
};

struct arena {
	struct block *first;
};

static void *checked(void *memory)
{
	if (!memory) {
		fputs("assay: out of memory\n", stderr);
		exit(EXIT_INTERNAL);
	}
	return memory;
}

struct arena *arena_new(void)
{
	return checked(calloc(1, sizeof(struct arena)));
}

void arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct block *block = arena->first, *next; block; block = next) {
		next = block->next;
		free(block);
	}
	free(arena);
}

static size_t aligned(size_t len)
{
	return (len + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static struct block *block_add(struct arena *arena, size_t len)
{
	size_t size = len > BLOCK_BYTES ? len : BLOCK_BYTES;
	struct block *block = checked(calloc(1, aligned(sizeof(*block)) + size));

	block->size = size;
	block->next = arena->first;
	arena->first = block;
	return block;
}

void *arena_alloc(struct arena *arena, size_t len)
{
	struct block *block = arena->first;

	len = aligned(len ? len : 1);
	if (!block || block->size - block->used < len)
		block = block_add(arena, len);
	char *at = (char *)block + aligned(sizeof(*block)) + block->used;
	block->used += len;
	return at;
}

void *arena_copy(struct arena *arena, const void *bytes, size_t len)
{
	void *copy = arena_alloc(arena, len);

	if (len)
		memcpy(copy, bytes, len);
	return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text) + 1);
}

/* Capacities are the powers of two: where count is one, the array is full. */
void *array_grow(void *array, size_t count, size_t size)
{
	if ((count & (count - 1)) == 0) {
		size_t room = count ? count * 2 : 1;

		array = checked(reallocarray(array, room, size));
	}
	memset((char *)array + count * size, 0, size);
	return array;
}
