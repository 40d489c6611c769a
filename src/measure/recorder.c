#include <stdlib.h>
#include <string.h>

#include "assay/arena.h"
#include "measure/worker.h"

void tally_init(struct tally *tally)
{
	for (size_t i = 0; i < IO_KINDS; i++) {
		histogram_init(&tally->latency[i]);
		tally->bytes[i] = 0;
	}
}

void tally_merge(struct tally *tally, const struct tally *other)
{
	for (size_t i = 0; i < IO_KINDS; i++) {
		histogram_merge(&tally->latency[i], &other->latency[i]);
		tally->bytes[i] += other->bytes[i];
	}
}

void recorder_init(struct recorder *recorder, unsigned workers, uint64_t score_from)
{
	*recorder = (struct recorder) { .workers = workers, .score_from = score_from };
	pthread_mutex_init(&recorder->lock, NULL);
	recorder->reached = calloc(workers, sizeof(*recorder->reached));
	tally_init(&recorder->total);
}

void recorder_deinit(struct recorder *recorder)
{
	for (size_t i = 0; i < recorder->open_count; i++)
		free(recorder->open[i]);
	free(recorder->open);
	free(recorder->reached);
	pthread_mutex_destroy(&recorder->lock);
}

static void summarize(const struct tally *tally, uint64_t second, struct engine_second *row)
{
	struct histogram both = tally->latency[IO_READ];

	histogram_merge(&both, &tally->latency[IO_WRITE]);
	*row = (struct engine_second) {
		.index = second,
		.mean_us = histogram_mean_ns(&both) / 1e3,
		.p50_us = (double)histogram_percentile_ns(&both, 50) / 1e3,
		.p99_us = (double)histogram_percentile_ns(&both, 99) / 1e3,
		.max_us = (double)both.max_ns / 1e3,
	};
	for (size_t i = 0; i < IO_KINDS; i++) {
		row->count[i] = tally->latency[i].count;
		row->bytes[i] = tally->bytes[i];
	}
}

static struct tally *open_second(struct recorder *recorder, uint64_t second)
{
	while (recorder->open_count <= second) {
		recorder->open = array_grow(
			recorder->open, recorder->open_count, sizeof(struct tally *));
		recorder->open[recorder->open_count++] = NULL;
	}
	if (!recorder->open[second]) {
		recorder->open[second] = malloc(sizeof(struct tally));
		if (recorder->open[second])
			tally_init(recorder->open[second]);
	}
	return recorder->open[second];
}

/* Closes the seconds that no thread is in any more. */
static void close_until(struct recorder *recorder, uint64_t second)
{
	static const struct tally nothing;

	while (recorder->series_count < second) {
		size_t i = recorder->series_count;
		struct tally *tally = i < recorder->open_count ? recorder->open[i] : NULL;

		recorder->series = array_grow(recorder->series, i, sizeof(*recorder->series));
		summarize(tally ? tally : &nothing, i, &recorder->series[i]);
		recorder->series_count++;
		if (!tally)
			continue;
		if (i >= recorder->score_from)
			tally_merge(&recorder->total, tally);
		free(tally);
		recorder->open[i] = NULL;
	}
}

void recorder_add(struct recorder *recorder, unsigned worker, uint64_t second,
	const struct tally *tally, uint64_t next)
{
	uint64_t least = next;

	pthread_mutex_lock(&recorder->lock);
	struct tally *open = open_second(recorder, second);

	if (open)
		tally_merge(open, tally);
	recorder->reached[worker] = next;
	for (unsigned i = 0; i < recorder->workers; i++)
		if (recorder->reached[i] < least)
			least = recorder->reached[i];
	close_until(recorder, least < recorder->open_count ? least : recorder->open_count);
	pthread_mutex_unlock(&recorder->lock);
}

void recorder_finish(struct recorder *recorder)
{
	close_until(recorder, recorder->open_count);
	while (recorder->series_count) {
		const struct engine_second *last = &recorder->series[recorder->series_count - 1];

		if (last->count[IO_READ] || last->count[IO_WRITE] || last->count[IO_FLUSH])
			break;
		recorder->series_count--;
	}
}
