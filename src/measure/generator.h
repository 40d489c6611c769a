/* Makes the accesses of a stream, one after the other. */
#ifndef ASSAY_MEASURE_GENERATOR_H
#define ASSAY_MEASURE_GENERATOR_H

#include "assay/engine.h"
#include "measure/random.h"

struct io {
	uint64_t offset;
	uint32_t bytes;
	enum io_kind kind;
};

enum { SHARE_SLOTS = 4096 };

/* One thread's accesses. */
struct generator {
	struct random random;
	uint64_t offset, end; /* of the span */
	uint64_t next;        /* sequential: behind the access before */
	uint32_t align;
	uint32_t read_limit, random_limit; /* of 2^20 */
	bool mixed_sizes, scattered;
	bool plain; /* random, uniform, of one size and direction: nothing to choose */
	uint32_t sizes[STREAM_SIZES];
	uint64_t places[STREAM_SIZES]; /* aligned places at which each size fits */
	uint8_t size_slots[SHARE_SLOTS], zone_slots[SHARE_SLOTS];
	size_t zone_count;
	double zone_from[STREAM_ZONES], zone_part[STREAM_ZONES]; /* of the places, 0 to 1 */
	struct zipf zipf;
	bool zipfian, once;
	struct permutation permutation; /* of once, and of the ranks of zipf */
	uint64_t index, step;           /* of once: this thread's next one */
	unsigned flush_every, unflushed;
};

/* The generator of thread `thread` of a stream that fits (stream_fit()). The
 * same seed gives the same accesses again. */
void generator_init(
	struct generator *generator, const struct stream *stream, unsigned thread, uint64_t seed);

/* The next access where there is something to choose. */
bool generator_choose(struct generator *generator, struct io *io);

/* False where there are no more (stream->once). */
static inline bool generator_next(struct generator *generator, struct io *io)
{
	if (!generator->plain)
		return generator_choose(generator, io);
	uint64_t place = random_below(&generator->random, generator->places[0]);

	io->offset = generator->offset + place * generator->align;
	io->bytes = generator->sizes[0];
	io->kind = generator->read_limit ? IO_READ : IO_WRITE;
	return true;
}

#endif
