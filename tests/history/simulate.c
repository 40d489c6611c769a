/*
 * Simulated drives, recorded by the hour through the same functions as real ones.
 *
 * usage: simulate FILE DRIVES DAYS
 *
 * Prints what a run took. The drives are solid state ones of 960 GB that are
 * written to in bursts, wear, warm up and cool down, and meet an error now and
 * then; the seed is fixed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "assay/decoder.h"
#include "assay/history.h"

enum { HOUR = 3600, START = 1609459200, KEEP_FULL = 90, KEEP_DAILY = 0 };

struct drive {
	char serial[24];
	uint64_t written, read, nand, errors, hours;
	unsigned busy; /* hours of a burst that are left */
};

static uint64_t random_state = 88172645463325252u;

static unsigned below(unsigned end)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned)((random_state * 2685821657736338717u) >> 33) % end;
}

static void live(struct drive *drive)
{
	uint64_t amount = 2000000000u + below(1000000000);

	if (!drive->busy && below(200) == 0)
		drive->busy = 1 + below(12);
	if (drive->busy) {
		drive->busy--;
		amount *= 20;
	}
	drive->written += amount;
	drive->nand += amount + amount / 4;
	drive->read += 2 * amount + below(1000000000);
	drive->errors += below(4000) == 0;
	drive->hours++;
}

static void give(struct facts *facts, const char *key, struct value value)
{
	facts_add(facts, decoder_key(key), value, FACT_KNOWN, source_derived("simulated"), 0);
}

static void tell(const struct drive *drive, struct facts *facts)
{
	static const double rated = 2000e12;
	unsigned hour = (unsigned)(drive->hours % 24);

	facts_init(facts);
	give(facts, "identity.protocol", value_text("ata"));
	give(facts, "identity.vendor", value_text("Simulated"));
	give(facts, "identity.model", value_text("Simulated SSD 960"));
	give(facts, "identity.serial", value_text(drive->serial));
	give(facts, "identity.firmware", value_text("1.0"));
	give(facts, "capacity.bytes", value_uint(960197124096));
	give(facts, "usage.power_on_hours", value_uint(drive->hours));
	give(facts, "endurance.rated_written_bytes", value_uint((uint64_t)rated));
	give(facts, "endurance.host_written_bytes", value_uint(drive->written));
	give(facts, "endurance.host_read_bytes", value_uint(drive->read));
	give(facts, "endurance.nand_written_bytes", value_uint(drive->nand));
	give(facts, "endurance.used_percent",
		value_uint((uint64_t)(100 * (double)drive->written / rated)));
	give(facts, "temperature.current_celsius",
		value_int(30 + (hour < 12 ? hour : 24 - hour) / 2 + (drive->busy ? 8 : 0) +
			below(3)));
	give(facts, "errors.uncorrected_count", value_uint(drive->errors));
	give(facts, "errors.crc_count", value_uint(0));
	give(facts, "errors.reallocated_count", value_uint(drive->errors));
}

static void record_hour(struct history *history, struct drive *drives, size_t count, int64_t time)
{
	struct history_record *records = calloc(count, sizeof(*records));
	struct verdict *verdicts = calloc(count, sizeof(*verdicts));
	struct facts *facts = calloc(count, sizeof(*facts));
	struct history_keep keep = { KEEP_FULL, KEEP_DAILY };
	struct error error;

	for (size_t i = 0; i < count; i++) {
		live(&drives[i]);
		tell(&drives[i], &facts[i]);
		verdicts[i] = (struct verdict) { .id = "health",
			.state = drives[i].errors ? VERDICT_WARNING : VERDICT_OK,
			.reason = "simulated" };
		records[i] = (struct history_record) { .time = time,
			.facts = &facts[i],
			.verdicts = &verdicts[i],
			.verdict_count = 1,
			.target = "/dev/sda" };
	}
	if (history_record(history, records, count, &error) != 0 ||
		history_thin(history, &keep, time, &error) != 0) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	for (size_t i = 0; i < count; i++)
		facts_deinit(&facts[i]);
	free(facts);
	free(verdicts);
	free(records);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	size_t count = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
	int64_t hours = argc == 4 ? 24 * strtol(argv[3], NULL, 10) : 0;
	struct drive *drives = calloc(count + 1, sizeof(*drives));
	struct history *history;
	struct error error;

	if (!count || hours <= 0 || history_open(argv[1], HISTORY_WRITE, &history, &error) != 0) {
		fprintf(stderr, "usage: simulate FILE DRIVES DAYS\n");
		return 64;
	}
	for (size_t i = 0; i < count; i++)
		snprintf(drives[i].serial, sizeof(drives[i].serial), "SIM%05zu", i);
	double start = now();

	for (int64_t hour = 0; hour < hours; hour++)
		record_hour(history, drives, count, START + hour * HOUR);
	printf("%lld runs of %zu drives: %.2f ms a run\n", (long long)hours, count,
		(now() - start) * 1000 / (double)hours);
	history_close(history);
	free(drives);
	return 0;
}
