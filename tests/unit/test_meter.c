/* Meters of each kind, with real files, programs and pipes. */
#include "test.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "assay/clock.h"
#include "measure/meter.h"

static char folder[64];
static struct error error;

static void wait_seconds(double seconds)
{
	struct timespec pause = { (time_t)seconds, (long)(fmod(seconds, 1) * 1e9) };

	nanosleep(&pause, NULL);
}

static struct meter *open_meter(const char *spec)
{
	struct meter_options options = { .interval_seconds = 0.02, .sysfs = folder };
	struct meter *meter = meter_open(spec, &options, &error);

	if (!meter)
		fail_msg("%s: %s", spec, error.text);
	return meter;
}

/* On a busy host it may take its time. */
static void wait_for(struct meter *meter, bool dead, struct meter_state *is)
{
	for (int i = 0; i < 1000; i++) {
		meter_state(meter, is);
		if (dead ? is->dead : is->reading_count > 0)
			return;
		wait_seconds(0.01);
	}
	fail_msg("%s", dead ? "it does not end" : "it gives no reading");
}

static void look(struct meter *meter, double seconds, struct meter_figures *figures)
{
	int64_t from = clock_ns();

	wait_seconds(seconds);
	meter_window(meter, from, clock_ns(), figures);
}

__attribute__((format(printf, 2, 3))) static const char *put(
	const char *name, const char *format, ...)
{
	static char path[200];
	va_list args;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "w");

	va_start(args, format);
	assert_non_null(file);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
	return path;
}

static const char *spec_of(const char *format, ...)
{
	static char spec[600];
	va_list args;

	va_start(args, format);
	vsnprintf(spec, sizeof(spec), format, args);
	va_end(args);
	return spec;
}

static void specifications_that_are_wrong_are_refused(void **state)
{
	static const struct {
		const char *spec;
		enum exit_status status;
	} cases[] = {
		{ "", EXIT_USAGE },
		{ "watts:5", EXIT_USAGE },
		{ "const:", EXIT_USAGE },
		{ "const:-1", EXIT_USAGE },
		{ "const:nan", EXIT_USAGE },
		{ "const:5 mW", EXIT_USAGE },
		{ "cmd:", EXIT_USAGE },
		{ "fifo:/nowhere/at/all", EXIT_NO_SUCH },
		{ "fifo:/etc/passwd", EXIT_USAGE },
		{ "file:/nowhere/at/all", EXIT_NO_SUCH },
		{ "hwmon:ina/power9", EXIT_NO_SUCH },
		{ "hwmon:power1", EXIT_NO_SUCH },
		{ "hwmon:ina/in1", EXIT_USAGE },           /* volts alone */
		{ "hwmon:ina/in1*ina/curr1", EXIT_USAGE }, /* a rail */
		{ "hwmon:5W", EXIT_USAGE },
		{ "rail:ina/in1*ina/in1", EXIT_USAGE },
		{ "rail:ina/in1*ina/curr1*2A", EXIT_USAGE },
		{ "rail:5V", EXIT_USAGE },
		{ "rail:5X*1A", EXIT_NO_SUCH },
		{ "rail:ina/energy1+1W", EXIT_USAGE },
		{ "hwmon:two/power1", EXIT_USAGE }, /* two chips of this name */
		{ "hwmon:zenpower/power1", EXIT_USAGE },
	};
	struct meter_options options = { .sysfs = folder };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct meter *meter = meter_open(cases[i].spec, &options, &error);

		if (meter || error.status != cases[i].status)
			fail_msg("'%s': %s, %d", cases[i].spec, meter ? "taken" : error.text,
				error.status);
	}
}

static void what_the_processor_takes_is_refused(void **state)
{
	struct meter_options options = { .sysfs = folder };
	char path[200];

	(void)state;
	snprintf(path, sizeof(path), "%s/powercap", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "file:%s", put("powercap/energy_uj", "1"));
	assert_null(meter_open(path, &options, &error));
	assert_non_null(strstr(error.text, "never of a drive"));
	assert_null(meter_open("hwmon:zenpower/power1", &options, &error));
	assert_non_null(strstr(error.text, "zenpower"));
}

static void attributes_and_rails_are_scaled_and_summed(void **state)
{
	static const struct {
		const char *spec;
		double watts;
	} cases[] = {
		{ "hwmon:ina/power1", 4.5 },
		{ "hwmon:ina/power1_input", 4.5 },
		{ "hwmon:hwmon1/power1", 4.5 },
		{ "rail:ina/in1*ina/curr1", 5.1 * 0.8 },
		{ "rail:ina/in1*ina/curr1+12V*ina/curr2+0.25W", 5.1 * 0.8 + 12 * 0.3 + 0.25 },
		{ "rail:ina/power1+5V*0.1A", 5 },
		{ "const:6.5", 6.5 },
		{ "const:6.5W", 6.5 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct meter *meter = open_meter(cases[i].spec);
		struct meter_figures figures;
		struct meter_state meter_is;

		wait_for(meter, false, &meter_is);
		look(meter, 0.3, &figures);
		meter_close(meter);
		if (!figures.known || fabs(figures.average_watts - cases[i].watts) > 1e-9)
			fail_msg("%s: %g W", cases[i].spec, figures.average_watts);
	}
}

/* A writer that is another process: 2 W and 4 W in turn, then silence. */
static pid_t write_files(const char *path, int times)
{
	pid_t child = fork();

	if (child)
		return child;
	for (int i = 0; i < times; i++) {
		int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		if (write(file, i & 1 ? "4000\n" : "2000\n", 5) != 5)
			_exit(1);
		close(file);
		wait_seconds(0.04);
	}
	_exit(0);
}

static void a_file_is_followed_while_it_is_written_and_dead_afterwards(void **state)
{
	char path[200];
	struct meter_figures figures;
	struct meter_state meter_is;

	(void)state;
	snprintf(path, sizeof(path), "%s", put("power", "2000\n"));
	pid_t child = write_files(path, 40);
	struct meter *meter = open_meter(spec_of("file:%s:mW", path));
	wait_for(meter, false, &meter_is);
	look(meter, 1, &figures);
	assert_true(figures.known);
	assert_true(fabs(figures.average_watts - 3) < 0.7);
	assert_true(figures.maximum_watts >= 4 && figures.maximum_watts <= 4);
	meter_state(meter, &meter_is);
	assert_false(meter_is.dead);
	assert_true(fabs(meter_is.resolution_watts - 2) < 1e-9);
	waitpid(child, NULL, 0);
	look(meter, 2.2, &figures);
	meter_state(meter, &meter_is);
	assert_true(meter_is.dead);
	assert_non_null(strstr(meter_is.why, "no reading for"));
	assert_false(figures.known);
	meter_close(meter);
}

static void an_energy_counter_gives_the_power_between_its_readings(void **state)
{
	struct meter_figures figures;

	(void)state;
	struct meter *meter = open_meter("hwmon:ina/energy1");
	int64_t began = clock_ns(), last = began, longest = 0;

	/* 3 W: 3 microjoules each microsecond */
	for (int i = 0; i < 60; i++) {
		int64_t now = clock_ns();

		put("class/hwmon/hwmon1/energy1_input", "%.0f\n",
			1e6 + 3 * (double)(now - began) / 1e3);
		longest = now - last > longest ? now - last : longest;
		last = now;
		wait_seconds(0.01);
	}
	meter_window(meter, began + 200000000, began + 500000000, &figures);
	meter_close(meter);
	assert_true(figures.known);
	/* a counter that stood still for so long, because this process did, is behind by so much */
	assert_true(fabs(figures.average_watts - 3) < 0.5 + 2 * 3 * (double)longest / 300e6);
}

static void a_program_is_read_and_its_end_is_told(void **state)
{
	struct meter_figures figures;
	struct meter_state meter_is;

	(void)state;
	struct meter *meter = open_meter("cmd:i=0; while [ $i -lt 25 ]; do echo 5.5; i=$((i+1)); "
					 "sleep 0.02; done; echo nonsense; exit 3");
	wait_for(meter, false, &meter_is);
	look(meter, 0.4, &figures);
	assert_true(figures.known);
	assert_true(fabs(figures.average_watts - 5.5) < 1e-9);
	wait_for(meter, true, &meter_is);
	assert_true(meter_is.dead);
	assert_string_equal(meter_is.why, "its program ended with status 3");
	assert_int_equal(meter_is.bad_count, 1);
	assert_int_equal(meter_is.reading_count, 25);
	meter_close(meter);
}

static void a_program_that_does_not_end_is_ended_with_the_meter(void **state)
{
	struct meter_state meter_is;
	char path[200], line[32] = "";

	(void)state;
	snprintf(path, sizeof(path), "%s/pid", folder);
	struct meter *meter = open_meter(
		spec_of("cmd:echo $$ >%s; while :; do echo 1; sleep 0.02; done", path));

	wait_for(meter, false, &meter_is);
	meter_close(meter);
	FILE *file = fopen(path, "r");

	assert_non_null(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	assert_int_equal(kill(atoi(line), 0), -1);
}

static void a_named_pipe_may_lose_its_writer_and_get_another(void **state)
{
	struct meter_figures figures;
	struct meter_state meter_is;
	char path[200];

	(void)state;
	snprintf(path, sizeof(path), "%s/pipe", folder);
	assert_int_equal(mkfifo(path, 0600), 0);
	struct meter *meter = open_meter(spec_of("fifo:%s", path));

	for (int writer = 0; writer < 2; writer++) {
		int file = open(path, O_WRONLY);

		for (int i = 0; i < 20; i++) {
			assert_int_equal(write(file, "- 2.5\n", 6), 6);
			wait_seconds(0.02);
		}
		int64_t now = clock_ns();

		meter_window(meter, now - 300000000, now, &figures);
		assert_true(figures.known);
		assert_true(fabs(figures.average_watts - 2.5) < 1e-9);
		close(file);
		if (writer)
			break;
		look(meter, 1.3, &figures);
		meter_state(meter, &meter_is);
		assert_true(meter_is.dead);
		assert_false(figures.known);
	}
	meter_close(meter);
}

static void what_is_forgotten_leaves_the_rest_as_it_was(void **state)
{
	struct meter_figures before, after;

	(void)state;
	struct meter *meter = open_meter("const:3");
	struct meter_state meter_is;

	wait_for(meter, false, &meter_is);
	int64_t from = clock_ns();

	wait_seconds(0.3);
	int64_t middle = clock_ns();

	wait_seconds(0.4);
	int64_t to = clock_ns();

	meter_window(meter, middle, to, &before);
	meter_forget(meter, middle);
	meter_window(meter, middle, to, &after);
	assert_memory_equal(&before, &after, sizeof(before));
	meter_window(meter, from, middle, &after);
	assert_true(after.coverage_percent < 20);
	meter_close(meter);
}

static void make_chip(const char *chip, const char *name)
{
	char path[200];

	snprintf(path, sizeof(path), "%s/class/hwmon/%s", folder, chip);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "class/hwmon/%s/name", chip);
	put(path, "%s\n", name);
	snprintf(path, sizeof(path), "class/hwmon/%s/power1_input", chip);
	put(path, "4500000\n");
}

/* As hwmon shows them, but of a file system whose times change: a meter of hwmon
 * does not look at them. */
static int set_up(void **state)
{
	char path[200];

	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/assay-meter-%d", getpid());
	mkdir(folder, 0700);
	snprintf(path, sizeof(path), "%s/class", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/class/hwmon", folder);
	mkdir(path, 0700);
	make_chip("hwmon1", "ina");
	make_chip("hwmon2", "two");
	make_chip("hwmon3", "two");
	make_chip("hwmon4", "zenpower");
	put("class/hwmon/hwmon1/in1_input", "5100\n");
	put("class/hwmon/hwmon1/curr1_input", "800\n");
	put("class/hwmon/hwmon1/curr2_input", "300\n");
	put("class/hwmon/hwmon1/energy1_input", "1\n");
	return 0;
}

static int tear_down(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(specifications_that_are_wrong_are_refused),
		cmocka_unit_test(what_the_processor_takes_is_refused),
		cmocka_unit_test(attributes_and_rails_are_scaled_and_summed),
		cmocka_unit_test(a_file_is_followed_while_it_is_written_and_dead_afterwards),
		cmocka_unit_test(an_energy_counter_gives_the_power_between_its_readings),
		cmocka_unit_test(a_program_is_read_and_its_end_is_told),
		cmocka_unit_test(a_program_that_does_not_end_is_ended_with_the_meter),
		cmocka_unit_test(a_named_pipe_may_lose_its_writer_and_get_another),
		cmocka_unit_test(what_is_forgotten_leaves_the_rest_as_it_was),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
