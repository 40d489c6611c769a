/* Meters that tell: a program, a named pipe, a serial line. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assay/clock.h"
#include "measure/meter.h"

extern char **environ;

/* A line that tells a time from then on is not believed. */
static const int64_t FUTURE_NS = 1000000000;

/* Its own group, so that an interrupt from the terminal does not end it first. */
static int start_program(const char *command, int output, pid_t *child)
{
	char *words[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawnattr_setflags(&attributes,
		POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	int failed = posix_spawn(child, "/bin/sh", &actions, &attributes, words, environ);

	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

static int open_program(struct meter_stream *stream, const char *command, struct error *error)
{
	int pipes[2];

	if (!*command)
		return error_set(error, EXIT_USAGE, "expected cmd:COMMAND");
	if (pipe2(pipes, O_CLOEXEC) != 0)
		return error_set(error, error_status_of(errno), "%s", strerror(errno));
	int failed = start_program(command, pipes[1], &stream->child);

	close(pipes[1]);
	stream->file = pipes[0];
	fcntl(stream->file, F_SETFL, O_NONBLOCK);
	if (failed) {
		stream->child = 0;
		meter_stream_close(stream);
		return error_set(error, EXIT_INTERNAL, "/bin/sh: %s", strerror(failed));
	}
	return 0;
}

static int open_pipe(struct meter_stream *stream, const char *path, struct error *error)
{
	struct stat state;

	stream->file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (stream->file < 0)
		return error_set(error, error_status_of(errno), "%s: %s", path, strerror(errno));
	if (fstat(stream->file, &state) == 0 && (S_ISFIFO(state.st_mode) || S_ISCHR(state.st_mode)))
		return 0;
	meter_stream_close(stream);
	return error_set(error, EXIT_USAGE, "%s: is no named pipe and no serial line", path);
}

int meter_stream_open(struct meter_stream *stream, const char *spec, struct error *error)
{
	*stream = (struct meter_stream) { .file = -1 };
	return !strncmp(spec, "cmd:", 4) ? open_program(stream, spec + 4, error)
					 : open_pipe(stream, spec + 5, error);
}

static void end_program(pid_t child)
{
	struct timespec pause = { 0, 10000000 };

	kill(-child, SIGTERM);
	for (int i = 0; i < 100; i++) {
		if (waitpid(child, NULL, WNOHANG) != 0)
			return;
		nanosleep(&pause, NULL);
	}
	kill(-child, SIGKILL);
	waitpid(child, NULL, 0);
}

void meter_stream_close(struct meter_stream *stream)
{
	if (stream->file >= 0)
		close(stream->file);
	stream->file = -1;
	if (stream->child)
		end_program(stream->child);
	stream->child = 0;
}

static bool whole_number(const char *text, double *watts)
{
	char *end;

	*watts = strtod(text, &end);
	return end != text && !*end && isfinite(*watts);
}

static bool whole_time(const char *text, int64_t now_ns, int64_t *ns)
{
	char *end;

	*ns = now_ns;
	if (!strcmp(text, "-"))
		return true;
	*ns = strtoll(text, &end, 10);
	return end != text && !*end && *ns > 0 && *ns <= now_ns + FUTURE_NS;
}

enum meter_reading meter_line(const char *line, int64_t now_ns, int64_t *ns, double *watts)
{
	char first[64], second[64], more;
	int words = sscanf(line, "%63s %63s %c", first, second, &more);

	*ns = now_ns;
	if (words < 1 || *first == '#')
		return METER_NONE;
	if (words == 1)
		return whole_number(first, watts) ? METER_READ : METER_BAD;
	if (words > 2 || !whole_time(first, now_ns, ns) || !whole_number(second, watts))
		return METER_BAD;
	return METER_READ;
}

static void take_byte(struct meter_stream *stream, char byte,
	void (*reading)(void *context, enum meter_reading kind, int64_t ns, double watts),
	void *context)
{
	int64_t ns = 0;
	double watts = 0;

	if (byte != '\n') {
		stream->skip |= stream->len == sizeof(stream->line) - 1;
		if (!stream->skip)
			stream->line[stream->len++] = byte;
		return;
	}
	stream->line[stream->len] = '\0';
	enum meter_reading kind = stream->skip ? METER_BAD
					       : meter_line(stream->line, clock_ns(), &ns, &watts);

	reading(context, kind, ns, watts);
	stream->len = 0;
	stream->skip = false;
}

/* Its output ends a little before the program itself. */
static void why_ended(struct meter_stream *stream, char *why, size_t size)
{
	struct timespec pause = { 0, 5000000 };
	int status = 0;
	pid_t ended = 0;

	for (int i = 0; !ended && i < 40; i++) {
		ended = waitpid(stream->child, &status, WNOHANG);
		if (!ended)
			nanosleep(&pause, NULL);
	}
	snprintf(why, size, "its program closed its output");
	if (ended <= 0)
		return;
	stream->child = 0;
	if (WIFSIGNALED(status))
		snprintf(why, size, "its program was ended by signal %d", WTERMSIG(status));
	else
		snprintf(why, size, "its program ended with status %d", WEXITSTATUS(status));
}

bool meter_stream_read(struct meter_stream *stream,
	void (*reading)(void *context, enum meter_reading kind, int64_t ns, double watts),
	void *context, char *why, size_t size)
{
	char bytes[4096];
	ssize_t len;

	while ((len = read(stream->file, bytes, sizeof(bytes))) > 0)
		for (ssize_t i = 0; i < len; i++)
			take_byte(stream, bytes[i], reading, context);
	if (len < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	/* a pipe without a writer may get one again */
	if (len == 0 && !stream->child)
		return true;
	if (len < 0)
		snprintf(why, size, "%s", strerror(errno));
	else
		why_ended(stream, why, size);
	return false;
}
