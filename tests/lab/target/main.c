/*
 * usage: lab-drive up NAME CAPTURE-FILE     plugs the drive in, prints "sdX sgN"
 *        lab-drive down NAME                takes it away
 *
 * The drive runs until it is taken away. Its folder is /run/lab/NAME: control (a line a
 * change, see README.md), journal (each command), messages.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drive.h"

static int fail(const char *name, const char *what)
{
	fprintf(stderr, "lab-drive: %s: %s\n", name, what);
	return 1;
}

static const char *path_of(const char *name, const char *file)
{
	static char path[200];

	snprintf(path, sizeof(path), "/run/lab/%s%s", name, file);
	return path;
}

static bool is_ata(const struct capture *capture)
{
	for (size_t i = 0; i < capture->record_count; i++)
		if (page_is_ata(capture->records[i].page) && record_is_good(&capture->records[i]))
			return true;
	return false;
}

static bool load(struct drive *drive, const char *path)
{
	struct error error = { 0 };
	FILE *file = fopen(path, "r");

	if (!file) {
		perror(path);
		return false;
	}
	capture_init(&drive->capture, path);
	if (capture_read(file, path, &drive->capture, &error)) {
		fprintf(stderr, "lab-drive: %s\n", error.text);
		fclose(file);
		return false;
	}
	fclose(file);
	drive->ata = is_ata(&drive->capture);
	drive->counters.unit_bytes = 512;
	medium_load(drive);
	mode_load(drive);
	power_load(drive);
	thermal_load(drive);
	pace_load(drive);
	return true;
}

/* Serves in the background; what goes wrong stands in the drive's messages. */
static void serve(struct drive *drive, const char *uio, int control)
{
	int messages = open(
		path_of(drive->name, "/messages"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	dup2(nothing, 0);
	dup2(nothing, 1);
	dup2(messages, 2);
	drive->journal = open(path_of(drive->name, "/journal"),
		O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
	ring_serve(drive, uio, control);
	_exit(0);
}

static int up(const char *name, const char *path)
{
	struct drive *drive = calloc(1, sizeof(*drive));
	const char *wrong;
	char *uio;
	int control;

	if (!drive)
		return fail(name, "out of memory");
	drive->name = name;
	drive->journal = -1;
	if (!load(drive, path))
		return 1;
	mkdir("/run/lab", 0755);
	mkdir(path_of(name, ""), 0755);
	unlink(path_of(name, "/control")); /* an earlier drive of that name may still read it */
	mkfifo(path_of(name, "/control"), 0600);
	control = open(path_of(name, "/control"), O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (control < 0)
		return fail(name, "no control file");
	wrong = plug_backstore(drive, &uio);
	if (wrong)
		return fail(name, wrong);
	if (fork() == 0)
		serve(drive, uio, control);
	wrong = plug_disk(drive);
	return wrong ? fail(name, wrong) : 0;
}

static int down(const char *name)
{
	int control = open(path_of(name, "/control"), O_WRONLY | O_NONBLOCK | O_CLOEXEC);

	/* Nothing may be held back, or the kernel waits for it. */
	if (control >= 0 && write(control, "clear\n", 6) != 6)
		perror(name);
	unplug(name);
	if (control >= 0 && write(control, "quit\n", 5) != 5)
		perror(name);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 4 && !strcmp(argv[1], "up"))
		return up(argv[2], argv[3]);
	if (argc == 3 && !strcmp(argv[1], "down"))
		return down(argv[2]);
	fprintf(stderr, "usage: lab-drive up NAME CAPTURE-FILE | down NAME\n");
	return 2;
}
