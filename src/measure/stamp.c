#include "measure/stamp.h"

#include <string.h>

static const uint64_t MAGIC = UINT64_C(0x706d617473796173); /* "saystamp" in memory */

/* As it stands in a block, in the host's byte order. */
struct layout {
	uint64_t magic, offset, sequence, run;
	uint32_t pattern_check;
	uint32_t check; /* of all before it */
};

_Static_assert(sizeof(struct layout) == STAMP_BYTES, "a stamp has 40 bytes");

const char *stamp_verdict_name(enum stamp_verdict verdict)
{
	static const char *const names[] = { "good", "corrupt", "misdirected", "stale", "lost" };

	return names[verdict];
}

/* A checksum that any flipped bit changes: words are mixed one after the other. */
static uint32_t check_of(const void *bytes, size_t len)
{
	uint64_t sum = len, word;

	for (size_t i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, (const char *)bytes + i, sizeof(word));
		sum = (sum ^ word) * UINT64_C(0x9fb21c651e98df25);
		sum ^= sum >> 32;
	}
	word = 0;
	memcpy(&word, (const char *)bytes + len / sizeof(word) * sizeof(word), len % sizeof(word));
	sum = (sum ^ word) * UINT64_C(0x9fb21c651e98df25);
	return (uint32_t)(sum ^ (sum >> 32));
}

/* Per block of 4 KiB, as drives compress and dedupe: random, then zeros. */
static void fill_block(char *block, size_t len, const struct stream *stream, struct random *random)
{
	size_t noise = (size_t)((double)len * (1 - stream->compressible_percent / 100));
	struct random same;

	random_seed(&same, 1);
	bool copy = stream->repeating || random_unit(random) * 100 < stream->dedupe_percent;
	memset(block, 0, len);
	for (size_t i = 0; i < noise; i += sizeof(uint64_t)) {
		uint64_t word = random_next(copy ? &same : random);

		memcpy(block + i, &word, noise - i < sizeof(word) ? noise - i : sizeof(word));
	}
}

void pattern_fill(void *buffer, size_t len, const struct stream *stream, struct random *random)
{
	enum { UNIT = 4096 };

	for (size_t i = 0; i < len; i += UNIT)
		fill_block((char *)buffer + i, len - i < UNIT ? len - i : UNIT, stream, random);
}

void pattern_checks(const void *buffer, size_t len, uint32_t *checks)
{
	for (size_t i = 0; i < len / STAMP_BLOCK_BYTES; i++)
		checks[i] = check_of((const char *)buffer + i * STAMP_BLOCK_BYTES + STAMP_BYTES,
			STAMP_BLOCK_BYTES - STAMP_BYTES);
}

void stamp_write(void *buffer, size_t len, const struct stamp *stamp, const uint32_t *checks)
{
	struct layout layout = { .magic = MAGIC, .sequence = stamp->sequence, .run = stamp->run };

	for (size_t i = 0; i < len / STAMP_BLOCK_BYTES; i++) {
		layout.offset = stamp->offset + i * STAMP_BLOCK_BYTES;
		layout.pattern_check = checks[i];
		layout.check = check_of(&layout, offsetof(struct layout, check));
		memcpy((char *)buffer + i * STAMP_BLOCK_BYTES, &layout, sizeof(layout));
	}
}

static bool is_ours(const struct layout *layout, const struct stamp *expected)
{
	int same = (layout->magic == MAGIC) + (layout->offset == expected->offset) +
		(layout->run == expected->run);

	return same >= 2;
}

enum stamp_verdict stamp_check(const void *block, const struct stamp *expected, struct stamp *found)
{
	struct layout layout;

	memcpy(&layout, block, sizeof(layout));
	*found = (struct stamp) { layout.offset, layout.sequence, layout.run };
	/* A damaged stamp is told from none by what is left of it. */
	if (layout.check != check_of(&layout, offsetof(struct layout, check)))
		return is_ours(&layout, expected) ? STAMP_CORRUPT : STAMP_LOST;
	if (layout.magic != MAGIC || layout.run != expected->run)
		return STAMP_LOST;
	if (layout.pattern_check !=
		check_of((const char *)block + STAMP_BYTES, STAMP_BLOCK_BYTES - STAMP_BYTES))
		return STAMP_CORRUPT;
	if (layout.offset != expected->offset)
		return STAMP_MISDIRECTED;
	return layout.sequence == expected->sequence ? STAMP_GOOD : STAMP_STALE;
}
