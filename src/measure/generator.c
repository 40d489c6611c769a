#include "measure/generator.h"

#include <math.h>
#include <string.h>

static const double LIMIT = 1 << 20;

/* Gives each share its part of the slots, the rounding spread over all. */
static void fill_slots(uint8_t *slots, const double *percents, size_t count)
{
	double total = 0, upto = 0;
	size_t slot = 0;

	for (size_t i = 0; i < count; i++)
		total += percents[i];
	for (size_t i = 0; i < count; i++) {
		upto += percents[i] / total * SHARE_SLOTS;
		while (slot < SHARE_SLOTS && (double)slot + 0.5 < upto)
			slots[slot++] = (uint8_t)i;
	}
	while (slot < SHARE_SLOTS)
		slots[slot++] = (uint8_t)(count - 1);
}

static void init_sizes(struct generator *generator, const struct stream *stream)
{
	double percents[STREAM_SIZES];

	for (size_t i = 0; i < stream->size_count; i++) {
		uint32_t bytes = stream->sizes[i].bytes;

		percents[i] = stream->sizes[i].percent;
		generator->sizes[i] = bytes;
		generator->places[i] = (stream->span_bytes - bytes) / generator->align + 1;
	}
	generator->mixed_sizes = stream->size_count > 1;
	fill_slots(generator->size_slots, percents, stream->size_count);
}

static void init_zones(struct generator *generator, const struct stream *stream)
{
	double percents[STREAM_ZONES], from = 0, total = 0;

	generator->zone_count = stream->zone_count;
	for (size_t i = 0; i < stream->zone_count; i++)
		total += stream->zones[i].span_percent;
	for (size_t i = 0; i < stream->zone_count; i++) {
		percents[i] = stream->zones[i].access_percent;
		generator->zone_from[i] = from;
		generator->zone_part[i] = stream->zones[i].span_percent / total;
		from += generator->zone_part[i];
	}
	if (stream->zone_count)
		fill_slots(generator->zone_slots, percents, stream->zone_count);
}

/* Threads begin at equal distances, so that they do not follow each other. */
static uint64_t first_place(const struct stream *stream, unsigned thread)
{
	uint64_t align = stream->align_bytes, largest = stream_largest_bytes(stream);
	uint64_t places = stream->span_bytes / largest;
	uint64_t place = places * thread / stream->threads * largest;

	return stream->offset_bytes + place / align * align;
}

void generator_init(
	struct generator *generator, const struct stream *stream, unsigned thread, uint64_t seed)
{
	memset(generator, 0, sizeof(*generator));
	random_seed(&generator->random, seed + 0x10001 * (uint64_t)thread);
	generator->offset = stream->offset_bytes;
	generator->end = stream->offset_bytes + stream->span_bytes;
	generator->align = stream->align_bytes;
	generator->next = first_place(stream, thread);
	generator->read_limit = (uint32_t)lround(stream->read_percent / 100 * LIMIT);
	generator->random_limit = (uint32_t)lround(stream->random_percent / 100 * LIMIT);
	generator->flush_every = stream->flush_every;
	init_sizes(generator, stream);
	init_zones(generator, stream);
	generator->once = stream->once;
	generator->zipfian = stream->zipf > 0;
	generator->scattered = stream->zone_count || generator->zipfian;
	generator->plain = !stream->once && !generator->scattered && !generator->mixed_sizes &&
		!stream->flush_every && stream->random_percent >= 100 &&
		(stream->read_percent >= 100 || stream->read_percent <= 0);
	generator->index = thread;
	generator->step = stream->threads;
	if (generator->zipfian)
		zipf_init(&generator->zipf, generator->places[0], stream->zipf);
	if (generator->zipfian || generator->once)
		permutation_init(&generator->permutation,
			generator->once ? stream->span_bytes / generator->sizes[0]
					: generator->places[0],
			seed);
}

/* A place of a distribution that is not uniform. Places of a larger size are
 * fewer: the same part of them is taken. */
static uint64_t scattered_place(struct generator *generator, uint64_t places, uint64_t bits)
{
	size_t zone = generator->zone_slots[bits % SHARE_SLOTS];

	if (generator->zipfian) {
		uint64_t rank = zipf_next(&generator->zipf, &generator->random);
		uint64_t place = permutation_at(&generator->permutation, rank);

		return place < places ? place : place % places;
	}
	double part = generator->zone_from[zone] +
		generator->zone_part[zone] * random_unit(&generator->random);
	uint64_t place = (uint64_t)(part * (double)places);

	return place < places ? place : places - 1;
}

static bool next_once(struct generator *generator, uint64_t bits, struct io *io)
{
	uint64_t at = generator->index;

	if (at >= generator->permutation.n)
		return false;
	generator->index += generator->step;
	if (generator->random_limit)
		at = permutation_at(&generator->permutation, at);
	*io = (struct io) {
		.offset = generator->offset + at * generator->sizes[0],
		.bytes = generator->sizes[0],
		.kind = (bits >> 12) % (1 << 20) < generator->read_limit ? IO_READ : IO_WRITE,
	};
	return true;
}

static bool flush_is_due(struct generator *generator, struct io *io)
{
	if (!generator->flush_every || generator->unflushed < generator->flush_every)
		return false;
	generator->unflushed = 0;
	*io = (struct io) { .kind = IO_FLUSH };
	return true;
}

bool generator_choose(struct generator *generator, struct io *io)
{
	if (flush_is_due(generator, io))
		return true;
	/* 12 bits for the size, 20 for the direction, 20 for random, 12 for the zone */
	uint64_t bits = random_next(&generator->random);
	size_t size = generator->mixed_sizes ? generator->size_slots[bits % SHARE_SLOTS] : 0;
	uint32_t bytes = generator->sizes[size];

	if (generator->once)
		return next_once(generator, bits, io);
	if ((bits >> 32) % (1 << 20) < generator->random_limit) {
		uint64_t places = generator->places[size];
		uint64_t place = generator->scattered
			? scattered_place(generator, places, bits >> 52)
			: random_below(&generator->random, places);

		io->offset = generator->offset + place * generator->align;
	} else {
		io->offset = generator->next;
		if (io->offset + bytes > generator->end)
			io->offset = generator->offset;
	}
	generator->next = io->offset + bytes;
	io->bytes = bytes;
	io->kind = (bits >> 12) % (1 << 20) < generator->read_limit ? IO_READ : IO_WRITE;
	generator->unflushed += io->kind == IO_WRITE;
	return true;
}
