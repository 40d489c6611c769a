/* A meter: opened by what it is, read by its thread. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "assay/array.h"
#include "assay/clock.h"
#include "measure/meter.h"

/* Readings closer together become one sample. */
static const int64_t BIN_NS = 10000000;
/* Without a reading for so long, and five intervals, nothing is known. */
static const double GAP_SECONDS_LEAST = 1;

struct meter {
	char *spec;
	struct arena *arena;
	bool is_stream;
	struct meter_registers registers;
	struct meter_stream stream;
	int64_t interval_ns, gap_ns, opened_ns;
	pthread_t thread;
	int wake; /* written to: end */
	pthread_mutex_t lock;
	/* below the lock */
	struct meter_sample *samples;
	size_t count;
	uint64_t reading_count, bad_count;
	int64_t first_ns, last_ns;
	double last_watts, resolution_watts;
	bool ended; /* the stream is */
	char why[96];
};

static void keep_sample(struct meter *meter, int64_t ns, double watts)
{
	struct meter_sample *last = meter->count ? &meter->samples[meter->count - 1] : NULL;

	if (last && ns - last->ns < BIN_NS) {
		last->watts += (watts - last->watts) / ++last->count;
		last->maximum_watts = fmax(last->maximum_watts, watts);
		return;
	}
	meter->samples = array_grow(meter->samples, meter->count, sizeof(*meter->samples));
	meter->samples[meter->count++] = (struct meter_sample) { ns, watts, watts, 1 };
}

static void take_reading(void *context, enum meter_reading kind, int64_t ns, double watts)
{
	struct meter *meter = context;

	if (kind == METER_NONE)
		return;
	pthread_mutex_lock(&meter->lock);
	/* times must rise: what comes late is of no use */
	if (kind == METER_BAD || ns < meter->last_ns) {
		meter->bad_count++;
		pthread_mutex_unlock(&meter->lock);
		return;
	}
	double step = fabs(watts - meter->last_watts);

	if (meter->reading_count && step > 0)
		meter->resolution_watts = fmin(meter->resolution_watts, step);
	if (!meter->reading_count++)
		meter->first_ns = ns;
	meter->last_ns = ns;
	meter->last_watts = watts;
	keep_sample(meter, ns, watts);
	pthread_mutex_unlock(&meter->lock);
}

/* False when it is to end. */
static bool wait_until(struct meter *meter, int64_t until_ns, bool *comes)
{
	struct pollfd files[2] = { { .fd = meter->wake, .events = POLLIN },
		{ .fd = meter->is_stream ? meter->stream.file : -1, .events = POLLIN } };
	int64_t left = until_ns - clock_ns();
	struct timespec timeout = { 0, 0 };

	if (left > 0)
		timeout = (struct timespec) { left / 1000000000, left % 1000000000 };
	ppoll(files, *comes ? 2 : 1, &timeout, NULL);
	*comes = !(files[1].revents & POLLHUP) || (files[1].revents & POLLIN);
	return !(files[0].revents & POLLIN);
}

static void end_stream(struct meter *meter, const char *why)
{
	pthread_mutex_lock(&meter->lock);
	meter->ended = true;
	snprintf(meter->why, sizeof(meter->why), "%s", why);
	pthread_mutex_unlock(&meter->lock);
}

static void follow_stream(struct meter *meter)
{
	char why[96];
	bool comes = true;

	/* where nobody writes, the pipe is always ready: wait without it */
	while (wait_until(meter, clock_ns() + meter->interval_ns, &comes))
		if (!meter_stream_read(&meter->stream, take_reading, meter, why, sizeof(why))) {
			end_stream(meter, why);
			return;
		}
}

static void read_regularly(struct meter *meter)
{
	int64_t next = clock_ns(), ns = 0;
	double watts = 0;
	bool unused = false;

	do {
		enum meter_reading kind = meter_registers_read(&meter->registers, &ns, &watts);

		take_reading(meter, kind, ns, watts);
		next += meter->interval_ns;
		/* what was missed is not made up for */
		if (next < clock_ns())
			next = clock_ns() + meter->interval_ns;
	} while (wait_until(meter, next, &unused));
}

static void *run(void *argument)
{
	struct meter *meter = argument;

	if (meter->is_stream)
		follow_stream(meter);
	else
		read_regularly(meter);
	return NULL;
}

static int open_source(struct meter *meter, const char *spec, const struct meter_options *options,
	struct error *error)
{
	static const char *const streams[] = { "cmd:", "fifo:" };
	static const char *const registers[] = { "hwmon:", "rail:", "file:", "const:" };

	for (size_t i = 0; i < ARRAY_LEN(streams); i++)
		if (!strncmp(spec, streams[i], strlen(streams[i]))) {
			meter->is_stream = true;
			return meter_stream_open(&meter->stream, spec, error);
		}
	for (size_t i = 0; i < ARRAY_LEN(registers); i++)
		if (!strncmp(spec, registers[i], strlen(registers[i])))
			return meter_registers_parse(&meter->registers, spec,
				options->sysfs ? options->sysfs : "/sys", meter->arena, error);
	return error_set(error, EXIT_USAGE,
		"expected hwmon:, rail:, file:, cmd:, fifo: or const: and what it is");
}

/* Signals are the business of the thread that measures. */
static int start_thread(struct meter *meter)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int failed = pthread_create(&meter->thread, NULL, run, meter);

	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

static void free_meter(struct meter *meter)
{
	if (meter->is_stream)
		meter_stream_close(&meter->stream);
	if (meter->wake >= 0)
		close(meter->wake);
	pthread_mutex_destroy(&meter->lock);
	arena_free(meter->arena);
	free(meter->samples);
	free(meter);
}

struct meter *meter_open(const char *spec, const struct meter_options *options, struct error *error)
{
	struct meter *meter = calloc(1, sizeof(*meter));
	double interval = options->interval_seconds > 0 ? options->interval_seconds : 0.1;

	if (!meter)
		return NULL;
	*meter = (struct meter) { .arena = arena_new(),
		.stream = { .file = -1 },
		.interval_ns = (int64_t)(interval * 1e9),
		.gap_ns = (int64_t)(fmax(5 * interval, GAP_SECONDS_LEAST) * 1e9),
		.opened_ns = clock_ns(),
		.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
		.resolution_watts = INFINITY };
	pthread_mutex_init(&meter->lock, NULL);
	meter->spec = arena_text(meter->arena, spec);
	int failed = open_source(meter, spec, options, error);

	if (!failed && start_thread(meter) != 0)
		failed = error_set(error, EXIT_INTERNAL, "no thread to read the meter");
	if (!failed)
		return meter;
	free_meter(meter);
	return NULL;
}

void meter_close(struct meter *meter)
{
	uint64_t one = 1;

	if (!meter)
		return;
	while (write(meter->wake, &one, sizeof(one)) < 0 && errno == EINTR)
		;
	pthread_join(meter->thread, NULL);
	free_meter(meter);
}

/* A stretch's end is known once something is read behind it. */
static bool wait_for_reading(struct meter *meter, int64_t after_ns, int64_t at_most_ns)
{
	struct timespec pause = { 0, 5000000 };
	int64_t until = clock_ns() + at_most_ns;
	bool done = false, there = false;

	while (!done && clock_ns() < until) {
		pthread_mutex_lock(&meter->lock);
		there = meter->last_ns >= after_ns;
		done = there || meter->ended;
		pthread_mutex_unlock(&meter->lock);
		if (!done)
			nanosleep(&pause, NULL);
	}
	return there;
}

bool meter_wait(struct meter *meter)
{
	return wait_for_reading(meter, 1, 5000000000);
}

void meter_window(
	struct meter *meter, int64_t from_ns, int64_t to_ns, struct meter_figures *figures)
{
	wait_for_reading(meter, to_ns, 2 * meter->interval_ns);
	pthread_mutex_lock(&meter->lock);
	meter_integrate(meter->samples, meter->count, from_ns, to_ns, meter->gap_ns,
		METER_SAMPLES_MIN, figures);
	pthread_mutex_unlock(&meter->lock);
}

double meter_mean_watts(struct meter *meter, int64_t from_ns, int64_t to_ns)
{
	struct meter_figures figures;

	pthread_mutex_lock(&meter->lock);
	meter_integrate(meter->samples, meter->count, from_ns, to_ns, meter->gap_ns, 0, &figures);
	pthread_mutex_unlock(&meter->lock);
	return figures.average_watts;
}

void meter_forget(struct meter *meter, int64_t before_ns)
{
	size_t first = 0;

	pthread_mutex_lock(&meter->lock);
	/* the last one before it begins the stretch that crosses it */
	while (first + 1 < meter->count && meter->samples[first + 1].ns <= before_ns)
		first++;
	if (first) {
		memmove(meter->samples, meter->samples + first,
			(meter->count - first) * sizeof(*meter->samples));
		meter->count -= first;
	}
	pthread_mutex_unlock(&meter->lock);
}

void meter_state(struct meter *meter, struct meter_state *state)
{
	pthread_mutex_lock(&meter->lock);
	int64_t since = meter->last_ns ? meter->last_ns : meter->opened_ns;
	int64_t silent = clock_ns() - since, time = meter->last_ns - meter->first_ns;

	*state = (struct meter_state) { .source = meter->spec,
		.given = !strncmp(meter->spec, "const:", 6),
		.dead = meter->ended || silent > meter->gap_ns,
		.interval_seconds = (double)meter->interval_ns / 1e9,
		.gap_seconds = (double)meter->gap_ns / 1e9,
		.reading_count = meter->reading_count,
		.bad_count = meter->bad_count,
		.readings_per_second = time > 0
			? (double)(meter->reading_count - 1) / ((double)time / 1e9)
			: NAN,
		.resolution_watts = isfinite(meter->resolution_watts) ? meter->resolution_watts
								      : NAN };
	if (meter->ended)
		snprintf(state->why, sizeof(state->why), "%s", meter->why);
	else if (state->dead && !meter->last_ns)
		snprintf(state->why, sizeof(state->why), "it never gave a reading");
	else if (state->dead)
		snprintf(state->why, sizeof(state->why), "it has given no reading for %.1f s",
			(double)silent / 1e9);
	pthread_mutex_unlock(&meter->lock);
}
