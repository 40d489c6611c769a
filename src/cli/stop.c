/* Runs that a signal ends. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "assay/array.h"
#include "cli/cli.h"

static volatile sig_atomic_t stop, asked;
static const char *last_words;

static void on_signal(int number)
{
	if (asked) {
		ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));

		(void)written;
		_exit(128 + number);
	}
	asked = stop = 1;
}

volatile sig_atomic_t *stop_on_signals(const char *at_once)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = on_signal };

	last_words = at_once;
	asked = stop = 0;
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaction(signals[i], &action, NULL);
	return &stop;
}
