/* Targets: one in this process, or many at once. */
#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assay/clock.h"
#include "assay/transport.h"

/* How long a finished target waits for an earlier one to be printed first: long
 * enough for drives of a kind to keep their order, too short to be felt. */
enum { PATIENCE_MS = 100, PROCESSES = 64 };

/* What a process may take beyond its drive's deadline before it is given up, and
 * beyond that of the run. */
enum { GRACE_MS = 2000, RUN_GRACE_MS = 400 };

bool target_is_device(const char *target)
{
	struct stat state;

	if (!strncmp(target, "/dev/", 5) && stat(target, &state) != 0)
		return true; /* a node that is not there is no file that could be imported */
	return stat(target, &state) == 0 && (S_ISBLK(state.st_mode) || S_ISCHR(state.st_mode));
}

static int load_device(const char *target, const struct options *options, struct capture *capture,
	struct error *error)
{
	char count[24];

	if (options->identity)
		return collect_identity("/sys", target, &options->collect, capture, error);
	if (host_read("/sys", target, capture, error) != 0)
		return -1;
	const char *state = capture_host_value(capture, "runtime_status");
	bool suspended = state && !strcmp(state, "suspended") && !options->collect.wake;

	if (suspended || options->collect.pages)
		host_cached_pages("/sys", target, capture);
	if (suspended)
		return 0; /* an open would wake it */
	struct transport *transport = transport_open_sg(target, error);
	if (!transport)
		return -1;
	int failed = collect(transport, &options->collect, capture, error);
	transport->close(transport);
	snprintf(count, sizeof(count), "%zu", capture->command_count);
	capture_host(capture, "command_count", count);
	return failed;
}

int target_load(const char *target, const struct options *options, struct capture *capture,
	struct error *error)
{
	capture_init(capture, target);
	if (target_is_device(target))
		return load_device(target, options, capture, error);
	return import_file(target, options->import_as, capture, error);
}

/* A target on its way. */
struct job {
	struct loaded loaded;
	pid_t child; /* 0: none */
	int pipe;    /* what the child writes */
	char *text;
	size_t len;
	bool started, finished, printed;
	int64_t started_ms, finished_ms, limit_ms; /* monotonic */
};

/* The child: the error as a comment of the first line, then the capture. */
static void run_child(const char *target, const struct options *options, int pipe)
{
	struct capture capture;
	struct error error = { 0 };
	FILE *file = fdopen(pipe, "w");

	/* An abandoned child must not keep the reader of our output waiting. */
	close(STDOUT_FILENO);
	int failed = target_load(target, options, &capture, &error);

	progress_clear();
	if (!file)
		_exit(EXIT_INTERNAL);
	if (failed)
		fprintf(file, "# %s\n", error.text);
	capture_write(file, &capture);
	_exit(fclose(file) != 0 ? EXIT_INTERNAL : failed ? (int)error.status : 0);
}

static void job_finish(struct job *job)
{
	job->finished = true;
	job->finished_ms = clock_ms();
}

static void job_fail(struct job *job, enum exit_status status, const char *why)
{
	job->loaded.failed = true;
	error_set(&job->loaded.error, status, "%s", why);
}

/* The time that a drive has: what is left of the run, where that is limited. */
static unsigned time_for(struct job *job, const struct options *options, int64_t began_ms)
{
	int64_t left = began_ms + options->run_ms - job->started_ms;

	if (!options->run_ms) {
		job->limit_ms = job->started_ms + options->collect.limits.deadline_ms + GRACE_MS;
		return options->collect.limits.deadline_ms;
	}
	job->limit_ms = job->started_ms + left + RUN_GRACE_MS;
	return left > 0 ? (unsigned)left : 0;
}

static void job_start(struct job *job, const struct options *options, int64_t began_ms)
{
	struct options own = *options;
	int ends[2];

	job->started = true;
	job->started_ms = clock_ms();
	own.collect.limits.deadline_ms = time_for(job, options, began_ms);
	if (!own.collect.limits.deadline_ms) {
		job_fail(job, EXIT_TIMED_OUT, "not asked: the time limit of the run was over");
		job_finish(job);
		return;
	}
	if (pipe(ends) != 0) {
		job_fail(job, EXIT_INTERNAL, strerror(errno));
		job_finish(job);
		return;
	}
	job->child = fork();
	if (job->child < 0) {
		close(ends[0]);
		close(ends[1]);
		job_fail(job, EXIT_INTERNAL, strerror(errno));
		job_finish(job);
		return;
	}
	if (job->child == 0) {
		close(ends[0]);
		run_child(job->loaded.target, &own, ends[1]);
	}
	close(ends[1]);
	job->pipe = ends[0];
}

/* The child's message stands behind "# " in the first line. */
static void job_message(struct job *job, enum exit_status status)
{
	char message[sizeof(job->loaded.error.text)] = "";
	size_t len = 0;

	while (len < job->len && job->text[len] != '\n')
		len++;
	if (len > 2)
		snprintf(message, sizeof(message), "%.*s", (int)len - 2, job->text + 2);
	job_fail(job, status, *message ? message : "the process that read it ended early");
}

static void job_result(struct job *job, int status)
{
	FILE *file = job->len ? fmemopen(job->text, job->len, "r") : NULL;
	struct error error = { 0 };

	if (!WIFEXITED(status) || !file)
		job_message(job, EXIT_INTERNAL);
	else if (WEXITSTATUS(status) != 0)
		job_message(job, (enum exit_status)WEXITSTATUS(status));
	if (file && capture_read(file, job->loaded.target, &job->loaded.capture, &error) != 0 &&
		!job->loaded.failed)
		job_fail(job, error.status, error.text);
	if (file)
		fclose(file);
}

static void job_end(struct job *job)
{
	int status = 0;

	close(job->pipe);
	waitpid(job->child, &status, 0);
	job_result(job, status);
	free(job->text);
	job->text = NULL;
	job_finish(job);
}

/* Who it is that gives no answer: what the kernel has kept of it. */
static void job_identify(struct job *job)
{
	struct capture *capture = &job->loaded.capture;
	struct error error;

	if (host_read("/sys", job->loaded.target, capture, &error) == 0)
		host_cached_pages("/sys", job->loaded.target, capture);
}

/* A process that hangs in the kernel cannot be waited for: it ends when the
 * kernel lets it go. */
static void job_abandon(struct job *job)
{
	job_identify(job);
	kill(job->child, SIGKILL);
	close(job->pipe);
	job_fail(job, EXIT_TIMED_OUT, "no answer within the deadline");
	free(job->text);
	job->text = NULL;
	job_finish(job);
}

static void job_receive(struct job *job)
{
	enum { CHUNK = 65536 };
	char *text = realloc(job->text, job->len + CHUNK);

	if (!text) {
		job_end(job);
		return;
	}
	job->text = text;
	ssize_t n = read(job->pipe, job->text + job->len, CHUNK);

	if (n > 0)
		job->len += (size_t)n;
	else if (n == 0 || errno != EINTR)
		job_end(job);
}

/* Starts what may be started and waits for news of what runs. */
static void jobs_wait(
	struct job *jobs, size_t count, const struct options *options, int64_t began_ms)
{
	struct pollfd polls[PROCESSES];
	struct job *of[PROCESSES];
	size_t running = 0;

	for (size_t i = 0; i < count && running < PROCESSES; i++) {
		if (!jobs[i].started)
			job_start(&jobs[i], options, began_ms);
		if (!jobs[i].finished && clock_ms() > jobs[i].limit_ms)
			job_abandon(&jobs[i]);
		if (jobs[i].finished)
			continue;
		polls[running] = (struct pollfd) { .fd = jobs[i].pipe, .events = POLLIN };
		of[running++] = &jobs[i];
	}
	if (running && poll(polls, running, PATIENCE_MS / 4) > 0)
		for (size_t i = 0; i < running; i++)
			if (polls[i].revents)
				job_receive(of[i]);
}

/* The first that is to be printed now: in order, but none waits for long. */
static struct job *job_printable(struct job *jobs, size_t count)
{
	bool waits = false;

	for (size_t i = 0; i < count; i++) {
		if (jobs[i].printed)
			continue;
		if (jobs[i].finished && (!waits || clock_ms() - jobs[i].finished_ms >= PATIENCE_MS))
			return &jobs[i];
		waits = true;
	}
	return NULL;
}

static void load_here(struct loaded *loaded, const struct options *options)
{
	loaded->failed = target_load(loaded->target, options, &loaded->capture, &loaded->error) !=
		0;
}

int64_t loaded_time(const struct loaded *loaded)
{
	const char *text = capture_host_value(&loaded->capture, "time");
	struct tm date = { 0 };

	return text && strptime(text, "%Y-%m-%dT%H:%M:%S", &date) ? timegm(&date) : 0;
}

void targets_load(char **targets, size_t count, const struct options *options,
	void (*done)(void *context, struct loaded *loaded, size_t index), void *context)
{
	struct job *jobs = calloc(count ? count : 1, sizeof(*jobs)), *job;
	int64_t began_ms = clock_ms();
	size_t printed = 0;
	bool prepared = false;

	for (size_t i = 0; jobs && i < count; i++) {
		jobs[i].loaded.target = targets[i];
		jobs[i].started = jobs[i].finished = !target_is_device(targets[i]);
		if (!jobs[i].finished)
			capture_init(&jobs[i].loaded.capture, targets[i]);
	}
	while (jobs && printed < count) {
		jobs_wait(jobs, count, options, began_ms);
		if (options->meanwhile && !prepared)
			options->meanwhile(context);
		prepared = true;
		while ((job = job_printable(jobs, count))) {
			if (!job->child && !job->loaded.failed)
				load_here(&job->loaded, options);
			done(context, &job->loaded, printed++);
			capture_deinit(&job->loaded.capture);
			job->printed = true;
		}
	}
	free(jobs);
}
