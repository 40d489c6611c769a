/*
 * Memory that is given piecewise and freed at once. What a piece points to
 * stays where it is until arena_free().
 */
#ifndef ASSAY_ARENA_H
#define ASSAY_ARENA_H

#include <stddef.h>

struct arena;

/* Never NULL: a program that has no memory for its own bookkeeping ends with
 * a message and EXIT_INTERNAL (error.h). So do all functions below. */
struct arena *arena_new(void);
void arena_free(struct arena *arena);

/* len zeroed bytes, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t len);
void *arena_copy(struct arena *arena, const void *bytes, size_t len);
char *arena_text(struct arena *arena, const char *text);

/* A growing array on the heap: returns room for one more element of size bytes
 * behind count of them, moving *array when needed. Elements are zeroed. */
void *array_grow(void *array, size_t count, size_t size);

#endif
