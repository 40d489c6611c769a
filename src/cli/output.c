/* Where the output goes: standard output, or a file that appears whole. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void complain(const char *target, const struct error *error)
{
	size_t len = strlen(target);

	/* Messages about a line of a file begin with its name already. */
	if (!strncmp(error->text, target, len) && error->text[len] == ':')
		fprintf(stderr, "assay: %s\n", error->text);
	else
		fprintf(stderr, "assay: %s: %s\n", target, error->text);
}

static bool is_plain_file(const char *path)
{
	struct stat state;

	return stat(path, &state) != 0 || S_ISREG(state.st_mode);
}

/* A plain file is written beside its place and moved there at the end; each of two
 * runs at once has its own. */
static const char *file_name(const struct options *options, char *name, size_t size)
{
	if (!is_plain_file(options->output))
		return options->output;
	snprintf(name, size, "%s.%ld.part", options->output, (long)getpid());
	return name;
}

int output_open(struct options *options)
{
	char name[4096];

	options->file = stdout;
	if (!options->output)
		return 0;
	options->file = fopen(file_name(options, name, sizeof(name)), "we");
	if (options->file)
		return 0;
	fprintf(stderr, "assay: %s: %s\n", options->output, strerror(errno));
	return -1;
}

static void discard(const char *name)
{
	int why = errno;

	unlink(name);
	errno = why;
}

int output_close(struct options *options, int status)
{
	char name[4096];
	const char *written = options->output ? file_name(options, name, sizeof(name)) : NULL;
	bool failed = fflush(options->file) != 0 || ferror(options->file);

	if (options->file != stdout) {
		failed |= fclose(options->file) != 0;
		if (!failed && written == name)
			failed = rename(name, options->output) != 0;
		if (failed && written == name)
			discard(name);
	}
	options->file = NULL;
	if (!failed)
		return status;
	fprintf(stderr, "assay: %s: %s\n", options->output ? options->output : "standard output",
		strerror(errno));
	return EXIT_INTERNAL;
}

void print_document(
	const struct options *options, const struct document *document, size_t index, size_t count)
{
	progress_clear();
	options->renderer->print(options->file, document, index, count, &options->render);
	fflush(options->file);
}

void print_documents(const struct options *options, const struct document *documents, size_t count)
{
	progress_clear();
	if (options->renderer->print_all)
		options->renderer->print_all(options->file, documents, count, &options->render);
	for (size_t i = 0; !options->renderer->print_all && i < count; i++)
		print_document(options, &documents[i], i, count);
}

static bool progress_shown;

void progress_line(const char *format, ...)
{
	va_list args;

	if (!isatty(STDERR_FILENO))
		return;
	progress_shown = true;
	fputs("\r\033[K", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}

void progress_show(void *context, size_t command_count, struct page_id page)
{
	char name[80];

	(void)context;
	progress_line("%3zu  %s", command_count, page_name(page, name, sizeof(name)));
}

void progress_clear(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = false;
}
