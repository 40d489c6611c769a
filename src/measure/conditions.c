/* What the host says about itself and the target. */
#include <dirent.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "assay/array.h"
#include "measure/target.h"
#include "measure/topic.h"

/* A file below the disk's folder: of a partition, the whole disk's. */
static bool disk_line(const struct target *target, const char *name, char *line, size_t size)
{
	char path[256];

	if (!*target->sysfs)
		return false;
	snprintf(path, sizeof(path), "%s/%s", target->sysfs, name);
	if (line_of(path, line, size))
		return true;
	snprintf(path, sizeof(path), "%s/../%s", target->sysfs, name);
	return line_of(path, line, size);
}

/* The word in brackets: "none [mq-deadline]". */
static void chosen_word(char *line)
{
	char *from = strchr(line, '['), *to = from ? strchr(from, ']') : NULL;

	if (!to)
		return;
	*to = '\0';
	memmove(line, from + 1, strlen(from + 1) + 1);
}

static void add_text(
	const struct target *target, struct facts *facts, const char *file, const char *key)
{
	char line[128];

	if (!disk_line(target, file, line, sizeof(line)))
		return;
	chosen_word(line);
	bench_fact(facts, key, value_text(line));
}

static void add_number(const struct target *target, struct facts *facts, const char *file,
	const char *key, uint64_t factor)
{
	char line[64];

	if (disk_line(target, file, line, sizeof(line)))
		bench_fact(facts, key, value_uint(strtoull(line, NULL, 10) * factor));
}

void measure_conditions(const struct target *target, struct facts *facts)
{
	struct utsname name;
	double load;

	bench_fact(facts, "bench.target_bytes", value_uint(target->size_bytes));
	bench_fact(facts, "bench.block_bytes", value_uint(target->block_bytes));
	bench_fact(facts, "bench.direct", value_flag(target->direct));
	if (uname(&name) == 0)
		bench_fact(facts, "bench.kernel", value_text(name.release));
	bench_fact(facts, "bench.processor_count",
		value_uint((uint64_t)sysconf(_SC_NPROCESSORS_ONLN)));
	if (getloadavg(&load, 1) == 1)
		bench_fact(facts, "bench.load_average", value_real(load));
	add_text(target, facts, "queue/scheduler", "bench.scheduler");
	add_text(target, facts, "queue/write_cache", "bench.write_cache");
	add_number(target, facts, "queue/nr_requests", "bench.queue_request_count", 1);
	add_number(target, facts, "queue/max_sectors_kb", "bench.maximum_request_bytes", 1024);
	if (!target->direct)
		facts_note(facts, NULL,
			"The file system has no O_DIRECT: these are figures of the page cache");
}

bool target_temperature(const struct target *target, double *celsius)
{
	static const char *const places[] = { "device/hwmon", "../device/hwmon" };
	char path[600], line[32];
	bool found = false;

	for (size_t i = 0; *target->sysfs && !found && i < 2; i++) {
		snprintf(path, sizeof(path), "%s/%s", target->sysfs, places[i]);
		DIR *directory = opendir(path);
		struct dirent *entry;

		while (directory && !found && (entry = readdir(directory))) {
			snprintf(path, sizeof(path), "%s/%s/%s/temp1_input", target->sysfs,
				places[i], entry->d_name);
			found = entry->d_name[0] != '.' && line_of(path, line, sizeof(line));
		}
		if (directory)
			closedir(directory);
	}
	if (found)
		*celsius = strtod(line, NULL) / 1000;
	return found;
}

__attribute__((format(printf, 3, 4))) static void say(
	struct doctor_finding *finding, const char *id, const char *format, ...)
{
	va_list args;

	finding->id = id;
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
}

/* A file whose value should be one word, and what another one does. */
static const struct {
	const char *id, *file, *good, *why;
} wishes[] = {
	{ "scheduler", "queue/scheduler", "none",
		"an I/O scheduler sorts and delays what is measured" },
	{ "write_back_throttling", "queue/wbt_lat_usec", "0",
		"write-back throttling holds writes back" },
	{ "merging", "queue/nomerges", "2", "the kernel may merge sequential accesses" },
	{ "accounting", "queue/iostats", "0", "statistics of the kernel cost time per access" },
	{ "entropy", "queue/add_random", "0", "each completion feeds the random pool" },
	{ "affinity", "queue/rq_affinity", "2", "completions run on another processor" },
	{ "runtime_power", "device/power/control", "on", "the kernel may suspend the drive" },
};

/* What is bad enough to tell in the exit status: the others cost little. */
static bool is_serious(const char *id)
{
	return !strcmp(id, "scheduler") || !strcmp(id, "write_back_throttling") ||
		!strcmp(id, "runtime_power");
}

static void examine_governor(struct doctor_finding *finding)
{
	char line[64];

	if (!line_of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", line, sizeof(line)))
		return;
	finding->bad = strcmp(line, "performance") != 0;
	say(finding, "governor", "the processors' governor is %s%s", line,
		finding->bad ? ": 'performance' keeps their clock" : "");
}

static void examine_load(struct doctor_finding *finding)
{
	double load, processors = (double)sysconf(_SC_NPROCESSORS_ONLN);

	if (getloadavg(&load, 1) != 1)
		return;
	finding->bad = load > 0.5 * processors;
	say(finding, "load", "the load is %.1f on %.0f processors%s", load, processors,
		finding->bad ? ": others take part in what is measured" : "");
}

static void examine_other_io(const struct target *target, struct doctor_finding *finding)
{
	unsigned long before = 0, after = 0, writes = 0;
	char line[256];

	if (!disk_line(target, "stat", line, sizeof(line)) ||
		sscanf(line, "%lu %*u %*u %*u %lu", &before, &writes) != 2)
		return;
	before += writes;
	usleep(500000);
	if (!disk_line(target, "stat", line, sizeof(line)) ||
		sscanf(line, "%lu %*u %*u %*u %lu", &after, &writes) != 2)
		return;
	after += writes;
	finding->bad = after != before;
	say(finding, "other_users", "%lu accesses by others within half a second", after - before);
}

size_t doctor_examine(const struct target *target, struct doctor_finding *findings)
{
	struct doctor_finding *at = findings;
	char line[128];

	memset(findings, 0, DOCTOR_FINDINGS * sizeof(*findings));
	for (size_t i = 0; i < ARRAY_LEN(wishes); i++) {
		if (!disk_line(target, wishes[i].file, line, sizeof(line)))
			continue;
		chosen_word(line);
		bool differs = strcmp(line, wishes[i].good) != 0;

		at->bad = differs && is_serious(wishes[i].id);
		say(at++, wishes[i].id, differs ? "%s is %s, not %s: %s" : "%s is %s",
			wishes[i].file, line, wishes[i].good, wishes[i].why);
	}
	examine_governor(at);
	at += at->id != NULL;
	examine_load(at);
	at += at->id != NULL;
	examine_other_io(target, at);
	at += at->id != NULL;
	return (size_t)(at - findings);
}
