/* Meters that are read: files of hwmon and others, and sums of them. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "assay/array.h"
#include "assay/clock.h"
#include "measure/meter.h"
#include "measure/target.h"

enum quantity_kind { QUANTITY_VOLTS, QUANTITY_AMPERES, QUANTITY_WATTS, QUANTITY_JOULES };

/* Attributes of hwmon by the beginning of their names. */
static const struct {
	const char *prefix;
	enum quantity_kind kind;
	double scale;
} attributes[] = {
	{ "power", QUANTITY_WATTS, 1e-6 },
	{ "energy", QUANTITY_JOULES, 1e-6 },
	{ "in", QUANTITY_VOLTS, 1e-3 },
	{ "curr", QUANTITY_AMPERES, 1e-3 },
};

/* Chips that measure a processor or the whole host. */
static const char *const of_the_host[] = { "acpi_power_meter", "power_meter", "amd_energy",
	"amdgpu", "fam15h_power", "i915", "ibmpowernv", "nouveau", "occ", "xe", "zenpower" };

static const struct {
	const char *unit;
	double watts;
} units[] = { { "W", 1 }, { "mW", 1e-3 }, { "uW", 1e-6 } };

/* A copy of a file's name, of the attribute alone, or with what it may lack. */
static const char *find_attribute(struct arena *arena, const char *folder, const char *name)
{
	static const char *const suffixes[] = { "", "_input", "_average" };
	char path[600];

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++) {
		snprintf(path, sizeof(path), "%s/%s%s", folder, name, suffixes[i]);
		if (access(path, F_OK) == 0)
			return arena_text(arena, path);
	}
	return NULL;
}

static bool is_chip(const char *root, const char *folder, const char *chip)
{
	char path[600], name[64];

	if (!strcmp(folder, chip))
		return true;
	snprintf(path, sizeof(path), "%s/%s/name", root, folder);
	return line_of(path, name, sizeof(name)) && !strcmp(name, chip);
}

/* CHIP/ATTRIBUTE: two chips of one name cannot be told apart by it. */
static const char *find_by_chip(
	const char *text, const char *sysfs, struct arena *arena, struct error *error)
{
	char root[256], folder[600], chip[64];
	const char *slash = strchr(text, '/'), *found = NULL;
	struct dirent *entry;

	snprintf(root, sizeof(root), "%s/class/hwmon", sysfs);
	snprintf(chip, sizeof(chip), "%.*s", (int)(slash - text), text);
	DIR *directory = opendir(root);

	error_set(error, EXIT_NO_SUCH, "no attribute '%s' below %s", text, root);
	while (directory && (entry = readdir(directory))) {
		if (entry->d_name[0] == '.' || !is_chip(root, entry->d_name, chip))
			continue;
		if (found) {
			error_set(error, EXIT_USAGE, "several chips are named '%s': name hwmonN",
				chip);
			found = NULL;
			break;
		}
		snprintf(folder, sizeof(folder), "%s/%s", root, entry->d_name);
		found = find_attribute(arena, folder, slash + 1);
	}
	if (directory)
		closedir(directory);
	return found;
}

static const char *find_path(
	const char *text, const char *sysfs, struct arena *arena, struct error *error)
{
	char *copy, *base, *folder;
	const char *found;

	if (*text != '/' && strchr(text, '/'))
		return find_by_chip(text, sysfs, arena, error);
	copy = strdup(text);
	base = strdup(text);
	folder = copy && base ? dirname(copy) : NULL;
	found = folder && *text == '/' ? find_attribute(arena, folder, basename(base)) : NULL;
	free(copy);
	free(base);
	if (!found)
		error_set(error, EXIT_NO_SUCH,
			"no attribute '%s': expected CHIP/ATTRIBUTE or a path", text);
	return found;
}

/* What others than the drive take is no power of the drive. */
static int check_foreign(const char *path, struct error *error)
{
	char real[PATH_MAX], name[64] = "";

	if (!realpath(path, real))
		return error_set(error, error_status_of(errno), "%s: %s", path, strerror(errno));
	bool foreign = strstr(real, "/powercap/") || strstr(real, "intel-rapl");
	char *end = strrchr(real, '/');

	snprintf(end, sizeof(real) - (size_t)(end - real), "/name");
	line_of(real, name, sizeof(name));
	for (size_t i = 0; i < ARRAY_LEN(of_the_host); i++)
		foreign |= !strcmp(of_the_host[i], name);
	if (foreign)
		return error_set(error, EXIT_USAGE,
			"%s: is of the processor or the whole host%s%s, never of a drive", path,
			*name ? ": " : "", name);
	return 0;
}

/* "12V" and the like. */
static bool read_constant(const char *text, struct meter_factor *factor, enum quantity_kind *kind)
{
	static const char letters[] = {
		[QUANTITY_VOLTS] = 'V', [QUANTITY_AMPERES] = 'A', [QUANTITY_WATTS] = 'W'
	};
	char *end;

	factor->value = strtod(text, &end);
	if (end == text || !isfinite(factor->value) || strlen(end) != 1)
		return false;
	for (size_t i = 0; i < sizeof(letters); i++)
		if (*end == letters[i]) {
			*kind = (enum quantity_kind)i;
			return true;
		}
	return false;
}

static int read_factor(const char *text, const char *sysfs, struct arena *arena,
	struct meter_factor *factor, enum quantity_kind *kind, struct error *error)
{
	if (read_constant(text, factor, kind))
		return 0;
	factor->path = find_path(text, sysfs, arena, error);
	if (!factor->path || check_foreign(factor->path, error) != 0)
		return -1;
	const char *name = strrchr(factor->path, '/') + 1;

	for (size_t i = 0; i < ARRAY_LEN(attributes); i++)
		if (!strncmp(name, attributes[i].prefix, strlen(attributes[i].prefix))) {
			*kind = attributes[i].kind;
			factor->scale = attributes[i].scale;
			factor->counter = *kind == QUANTITY_JOULES;
			return 0;
		}
	return error_set(error, EXIT_USAGE, "'%s': expected powerN, energyN, inN or currN", text);
}

/* VOLTS*AMPS, or POWER. */
static int read_term(char *text, const char *sysfs, struct arena *arena, struct meter_term *term,
	struct error *error)
{
	enum quantity_kind kinds[2] = { QUANTITY_WATTS, QUANTITY_WATTS };
	char *rest = text, *part;

	while ((part = strsep(&rest, "*"))) {
		if (term->factor_count == 2)
			return error_set(error, EXIT_USAGE, "expected VOLTS*AMPS");
		if (read_factor(part, sysfs, arena, &term->factors[term->factor_count],
			    &kinds[term->factor_count], error) != 0)
			return -1;
		term->factor_count++;
	}
	bool alone = term->factor_count == 1 && kinds[0] >= QUANTITY_WATTS;
	bool product = term->factor_count == 2 && kinds[0] + kinds[1] == 1;

	if (alone || product)
		return 0;
	return error_set(error, EXIT_USAGE, "expected VOLTS*AMPS or a power, each of one kind");
}

static int read_terms(struct meter_registers *registers, const char *text, const char *sysfs,
	struct arena *arena, struct error *error)
{
	char *copy = arena_text(arena, text), *part;

	while ((part = strsep(&copy, "+"))) {
		if (registers->term_count == METER_TERMS)
			return error_set(
				error, EXIT_USAGE, "expected at most %d terms", METER_TERMS);
		if (read_term(part, sysfs, arena, &registers->terms[registers->term_count++],
			    error) != 0)
			return -1;
	}
	for (size_t i = 0; i < registers->term_count; i++)
		if (registers->term_count > 1 && registers->terms[i].factors[0].counter)
			return error_set(error, EXIT_USAGE, "an energy counter stands alone");
	return 0;
}

/* Files of the kernel are made when they are read: their time says nothing. */
static bool is_of_kernel(const char *path)
{
	struct statfs system;

	return statfs(path, &system) == 0 &&
		(system.f_type == SYSFS_MAGIC || system.f_type == PROC_SUPER_MAGIC ||
			system.f_type == DEBUGFS_MAGIC);
}

static int read_file_spec(struct meter_registers *registers, const char *text, struct arena *arena,
	struct error *error)
{
	struct meter_factor *factor = &registers->terms[0].factors[0];
	char *path = arena_text(arena, text), *colon = strrchr(path, ':');

	factor->scale = 1;
	for (size_t i = 0; colon && i < ARRAY_LEN(units); i++)
		if (!strcmp(colon + 1, units[i].unit)) {
			factor->scale = units[i].watts;
			*colon = '\0';
			break;
		}
	if (access(path, R_OK) != 0)
		return error_set(error, error_status_of(errno), "%s: %s", path, strerror(errno));
	if (check_foreign(path, error) != 0)
		return -1;
	factor->path = path;
	factor->written = !is_of_kernel(path);
	registers->terms[0].factor_count = registers->term_count = 1;
	return 0;
}

static int read_const_spec(struct meter_registers *registers, const char *text, struct error *error)
{
	struct meter_factor *factor = &registers->terms[0].factors[0];
	char *end;

	factor->value = strtod(text, &end);
	if (end == text || !isfinite(factor->value) || factor->value < 0 ||
		(*end && strcmp(end, "W") != 0))
		return error_set(error, EXIT_USAGE, "expected const:WATTS");
	registers->terms[0].factor_count = registers->term_count = 1;
	return 0;
}

int meter_registers_parse(struct meter_registers *registers, const char *spec, const char *sysfs,
	struct arena *arena, struct error *error)
{
	const char *text = strchr(spec, ':') + 1;

	*registers = (struct meter_registers) { 0 };
	if (!strncmp(spec, "const:", 6))
		return read_const_spec(registers, text, error);
	if (!strncmp(spec, "file:", 5))
		return read_file_spec(registers, text, arena, error);
	if (read_terms(registers, text, sysfs, arena, error) != 0)
		return -1;
	if (!strncmp(spec, "hwmon:", 6) &&
		(registers->term_count != 1 || registers->terms[0].factor_count != 1 ||
			!registers->terms[0].factors[0].path))
		return error_set(error, EXIT_USAGE, "expected hwmon:CHIP/powerN or a path of it");
	return 0;
}

static enum meter_reading read_number(const char *path, double *number, struct timespec *written)
{
	char text[64], *end;
	struct stat state;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t len = file < 0 ? -1 : read(file, text, sizeof(text) - 1);
	bool known = file >= 0 && fstat(file, &state) == 0;

	if (file >= 0)
		close(file);
	if (len < 0 || !known)
		return METER_BAD;
	text[len] = '\0';
	*number = strtod(text, &end);
	*written = state.st_mtim;
	/* a file that is just being written is empty */
	if (!len)
		return METER_NONE;
	return end != text && isfinite(*number) ? METER_READ : METER_BAD;
}

/* A counter gives the mean power since it was read last. */
static enum meter_reading read_counter(
	struct meter_factor *factor, double joules, int64_t ns, double *value)
{
	double change = joules - factor->last_joules;
	int64_t time = ns - factor->last_ns;
	bool first = !factor->last_ns;

	factor->last_joules = joules;
	factor->last_ns = ns;
	if (first || time <= 0 || change < 0)
		return METER_NONE;
	*value = change / ((double)time / 1e9);
	return METER_READ;
}

static enum meter_reading read_value(struct meter_factor *factor, int64_t ns, double *value)
{
	struct timespec written;
	double number;

	*value = factor->value;
	if (!factor->path)
		return METER_READ;
	enum meter_reading reading = read_number(factor->path, &number, &written);

	if (reading != METER_READ)
		return reading;
	if (factor->written && written.tv_sec == factor->written_at.tv_sec &&
		written.tv_nsec == factor->written_at.tv_nsec)
		return METER_NONE;
	factor->written_at = written;
	*value = number * factor->scale;
	return factor->counter ? read_counter(factor, *value, ns, value) : METER_READ;
}

enum meter_reading meter_registers_read(
	struct meter_registers *registers, int64_t *ns, double *watts)
{
	int64_t before = clock_ns(), earlier = registers->terms[0].factors[0].last_ns;
	double sum = 0;

	for (size_t i = 0; i < registers->term_count; i++) {
		struct meter_term *term = &registers->terms[i];
		double product = 1;

		for (size_t f = 0; f < term->factor_count; f++) {
			double value;
			enum meter_reading reading = read_value(&term->factors[f], before, &value);

			if (reading != METER_READ)
				return reading;
			product *= value;
		}
		sum += product;
	}
	*watts = sum;
	*ns = before + (clock_ns() - before) / 2;
	/* a mean is that of the middle of its time */
	if (registers->terms[0].factors[0].counter)
		*ns = earlier + (before - earlier) / 2;
	return METER_READ;
}
