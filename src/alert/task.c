#include "alert/task.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assay/clock.h"

/* What a program may take to end once it is asked to. */
enum { PARTING_MS = 1000 };

static int set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t defaults, mask;

	sigemptyset(&mask);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	posix_spawnattr_setsigmask(attributes, &mask);
	posix_spawnattr_setsigdefault(attributes, &defaults);
	posix_spawnattr_setpgroup(attributes, 0);
	return posix_spawnattr_setflags(
		attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* An errno value, 0 where it runs. */
static int spawn(const struct task *task, int input, pid_t *child)
{
	posix_spawnattr_t attributes;
	posix_spawn_file_actions_t actions;
	int failed;

	posix_spawnattr_init(&attributes);
	posix_spawn_file_actions_init(&actions);
	failed = set_attributes(&attributes);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
	if (!failed)
		failed = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
	if (!failed)
		failed = posix_spawnp(child, task->arguments[0], &actions, &attributes,
			task->arguments, task->environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

/* Writes what the pipe takes; closes it, and *pipe is -1, at the end. */
static void feed(const struct task *task, size_t *fed, int *pipe)
{
	ssize_t n = write(*pipe, task->input + *fed, task->input_len - *fed);

	if (n > 0)
		*fed += (size_t)n;
	if (*fed == task->input_len || (n < 0 && errno != EAGAIN && errno != EINTR)) {
		close(*pipe);
		*pipe = -1;
	}
}

/* False where the time is over before it has ended. */
static bool attend(const struct task *task, int process, int *pipe, unsigned limit_ms)
{
	int64_t end = clock_ms() + limit_ms, left;
	size_t fed = 0;

	while ((left = end - clock_ms()) > 0) {
		struct pollfd polls[2] = { { .fd = process, .events = POLLIN },
			{ .fd = *pipe, .events = POLLOUT } };

		if (poll(polls, 2, (int)left) < 0 && errno != EINTR)
			return false;
		if (polls[0].revents)
			return true;
		if (*pipe >= 0 && polls[1].revents)
			feed(task, &fed, pipe);
	}
	return false;
}

static int read_status(
	const char *program, int status, bool late, unsigned limit_ms, struct error *error)
{
	if (late)
		return error_set(error, EXIT_TIMED_OUT, "%s: ended at its time limit of %g s",
			program, limit_ms / 1000.0);
	if (WIFSIGNALED(status))
		return error_set(error, EXIT_INTERNAL, "%s: ended by signal %d (%s)", program,
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (WEXITSTATUS(status) != 0)
		return error_set(
			error, EXIT_INTERNAL, "%s: exit status %d", program, WEXITSTATUS(status));
	return 0;
}

/* Ends the whole group: what the program has started, too. */
static void end_group(const struct task *task, pid_t child, int process, int *pipe)
{
	kill(-child, SIGTERM);
	attend(task, process, pipe, PARTING_MS);
	kill(-child, SIGKILL);
}

static int watch(const struct task *task, pid_t child, int pipe, struct error *error)
{
	int process = pidfd_open(child, 0), status = 0;
	bool late = process < 0 || !attend(task, process, &pipe, task->timeout_ms);

	if (pipe >= 0)
		close(pipe);
	pipe = -1;
	if (late)
		end_group(task, child, process, &pipe);
	if (process >= 0)
		close(process);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return read_status(task->arguments[0], status, late, task->timeout_ms, error);
}

int task_run(const struct task *task, struct error *error)
{
	int ends[2], failed;
	void (*former)(int);
	pid_t child;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return error_set(
			error, EXIT_INTERNAL, "%s: %s", task->arguments[0], strerror(errno));
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	former = signal(SIGPIPE, SIG_IGN);
	failed = spawn(task, ends[0], &child);
	close(ends[0]);
	if (failed) {
		close(ends[1]);
		error_set(error, error_status_of(failed), "%s: %s", task->arguments[0],
			strerror(failed));
	} else {
		failed = watch(task, child, ends[1], error);
	}
	signal(SIGPIPE, former);
	return failed ? -1 : 0;
}
