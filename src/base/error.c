#include "assay/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "assay/array.h"

int error_set(struct error *error, enum exit_status status, const char *format, ...)
{
	va_list args;

	error->status = status;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return -1;
}

enum exit_status error_status_of(int errno_value)
{
	static const struct {
		int value;
		enum exit_status status;
	} table[] = {
		{ ENOENT, EXIT_NO_SUCH },
		{ ENXIO, EXIT_NO_SUCH },
		{ ENODEV, EXIT_NO_SUCH },
		{ ENOTDIR, EXIT_NO_SUCH },
		{ ENOMEDIUM, EXIT_NO_SUCH },
		{ EACCES, EXIT_NO_PERMISSION },
		{ EPERM, EXIT_NO_PERMISSION },
		{ EROFS, EXIT_NO_PERMISSION },
		{ ETIMEDOUT, EXIT_TIMED_OUT },
		{ EISDIR, EXIT_NO_DRIVE_DATA },
		{ EINVAL, EXIT_NO_DRIVE_DATA },
	};

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (table[i].value == errno_value)
			return table[i].status;
	return EXIT_INTERNAL;
}
