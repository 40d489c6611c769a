/* A power run on the drive of fake_power.h. */
#ifndef ASSAY_TEST_POWER_TRIAL_H
#define ASSAY_TEST_POWER_TRIAL_H

#include <stdio.h>
#include <stdlib.h>

#include "fake_power.h"

/* What the drive said of itself is put into facts by the test. */
struct fake_run {
	struct fake_drive drive;
	struct capture capture;
	struct facts before, facts;
	struct power_subject subject;
	struct power_options options;
	enum power_end end;
	struct error error;
	char journal[64];
};

static inline void claim_state(struct fake_run *run, const char *name, const char *key, double ms)
{
	const struct table *table = NULL;

	for (size_t d = 0; decoders[d]; d++)
		for (size_t i = 0; i < decoders[d]->table_count; i++)
			if (!strcmp(decoders[d]->tables[i]->name, "power_states"))
				table = decoders[d]->tables[i];
	struct row *row = facts_row(&run->before, table, source_derived("test"));

	row_set(row, "name", value_text(name));
	row_set(row, "supported", value_flag(true));
	facts_add(&run->before, decoder_key(key), value_uint((uint64_t)(ms * 1000)), FACT_KNOWN,
		source_derived("test"), 0);
}

static inline void say(struct fake_run *run, const char *key, struct value value)
{
	facts_add(&run->before, decoder_key(key), value, FACT_KNOWN, source_derived("test"), 0);
}

static inline struct fake_run *fake_run_new(bool ata)
{
	struct fake_run *run = calloc(1, sizeof(*run));

	assert_non_null(run);
	capture_init(&run->capture, "test");
	facts_init(&run->before);
	facts_init(&run->facts);
	snprintf(run->journal, sizeof(run->journal), "/tmp/assay-test-power-%ld.json",
		(long)getpid());
	unlink(run->journal);
	run->drive = (struct fake_drive) { .transport = { .send = fake_drive_send },
		.ata = ata,
		.latency_us = 100,
		.log08_len = sizeof(run->drive.log08),
		.journal = run->journal,
		.recovery_us = { 0, 5000, 300000, 8000000, 2000000 } };
	run->subject = (struct power_subject) { .transport = &run->drive.transport,
		.capture = &run->capture,
		.facts = &run->before,
		.node = "",
		.sysfs = "/nowhere",
		.clock = { fake_now, fake_sleep, &run->drive } };
	run->options = (struct power_options) { .parts = POWER_STATES,
		.repeat = 3,
		.dwell_seconds = 0.2,
		.timer_seconds = 1,
		.journal = run->journal,
		.stop = &run->drive.stop };
	say(run, "identity.protocol", value_text(ata ? "ata" : "scsi"));
	say(run, "identity.serial", value_text("TEST1"));
	say(run, "capacity.bytes", value_uint(UINT64_C(1) << 40));
	say(run, "capacity.logical_block_bytes", value_uint(512));
	claim_state(run, "idle_a", "power.idle_a_recovery_us", 5);
	claim_state(run, "idle_b", "power.idle_b_recovery_us", 200);
	claim_state(run, "standby_z", "power.standby_z_recovery_us", 8000);
	return run;
}

static inline void fake_run_free(struct fake_run *run)
{
	unlink(run->journal);
	facts_deinit(&run->facts);
	facts_deinit(&run->before);
	capture_deinit(&run->capture);
	free(run);
}

static inline int fake_run_go(struct fake_run *run)
{
	return power_run(&run->subject, &run->options, &run->facts, &run->end, &run->error);
}

/* The row of a state, or NULL. */
static inline const struct row *row_of(
	const struct fake_run *run, const char *table, const char *column, const char *name)
{
	for (size_t i = 0; i < run->facts.row_count; i++) {
		const struct row *row = &run->facts.rows[i];

		if (!strcmp(row->table->name, table) && !strcmp(row_get(row, column).text, name))
			return row;
	}
	return NULL;
}

static inline double cell(const struct fake_run *run, const char *state, const char *column)
{
	const struct row *row = row_of(run, "power_measured", "state", state);
	double number = -1;

	if (!row)
		fail_msg("no row of %s", state);
	value_number(row_get(row, column), &number);
	return number;
}

static inline const char *result_of(const struct fake_run *run, const char *state)
{
	const struct row *row = row_of(run, "power_measured", "state", state);

	return row ? row_get(row, "result").text : "no row";
}

#endif
