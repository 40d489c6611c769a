#include "test.h"

#include "trial.h"

/* What hardly any datasheet claims, all at once. */
static void say_what_is_wrong(struct facts *facts)
{
	static const struct {
		const char *key;
		uint64_t number;
	} numbers[] = {
		{ "identity.rotation_rpm", 12345 },
		{ "capacity.physical_block_bytes", 1 << 20 },
		{ "link.max_gbps", 0 },
		{ "link.port_count", 0 },
		{ "power.limit_milliwatts", 1 },
		{ "temperature.current_celsius", 200 },
		{ "usage.power_on_hours", 200000 },
		{ "endurance.used_percent", 250 },
		{ "endurance.host_written_bytes", 1000000000000000000 },
		{ "endurance.measured_dwpd", 1000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		add(facts, numbers[i].key, value_uint(numbers[i].number));
	add(facts, "identity.form_factor", value_text("9 inch"));
	add(facts, "protection.types", value_text("none"));
	add(facts, "power_loss.capacitor_test", value_text("failed"));
}

static void say_flags(struct facts *facts, bool flag)
{
	static const char *const flags[] = { "protection.capable", "power_loss.write_cache_enabled",
		"security.tcg_supported", "security.supported", "security.sanitize_supported" };

	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		add(facts, flags[i], value_flag(flag));
}

static void measure_all(struct measurements *measurements, double value)
{
	for (const struct claim_key *key = claim_keys; key->name; key++) {
		if (key->proof != PROOF_MEASURED)
			continue;
		measurements->measurements = array_grow(measurements->measurements,
			measurements->count, sizeof(*measurements->measurements));
		measurements->measurements[measurements->count++] = (struct measurement) {
			.key = key,
			.value = value,
			.conditions = { .read_percent = -1, .link_gbps = 22.5, .ports = 2 },
			.file = "a test",
			.where = "a test",
		};
	}
}

/* Whether a promise of that key was read; all: whether there is one at all. */
static bool any_read(
	const struct spec_sheet *sheet, const struct spec_model *model, const char *id, bool *any)
{
	const struct claim *claim;
	size_t len = strcspn(id, "/");
	bool read = false;

	*any = false;
	for (size_t i = 0; (claim = spec_claim_next(sheet, model, &i));) {
		if (strlen(claim->key->name) != len || strncmp(claim->key->name, id, len) != 0 ||
			!claim_is_promise(claim))
			continue;
		*any = true;
		read |= !claim->source || !claim->source->recalled;
	}
	return read;
}

static void check_model(struct spec_sheet *sheet, const struct spec_model *model, bool flag,
	double measured, size_t *failed, size_t *spared)
{
	struct trial trial;
	struct spec_match match = { .sheet = sheet, .model = model };

	trial_of(&trial, "?", model->name, "scsi",
		model->size_count ? model->sizes[0] : 800166076416);
	say_what_is_wrong(&trial.facts);
	say_flags(&trial.facts, flag);
	measure_all(&trial.measurements, measured);
	struct verify_subject subject = { .library = &library,
		.facts = &trial.facts,
		.match = &match,
		.measurements = &trial.measurements };
	verify(&subject, &trial.options, &trial.verification);
	for (size_t i = 0; i < trial.verification.count; i++) {
		const struct verdict *verdict = &trial.verification.verdicts[i];
		bool any, read = any_read(sheet, model, verdict->id, &any);

		if (!any)
			continue;
		*failed += verdict->state == VERDICT_FAIL;
		*spared += verdict->state == VERDICT_MARGINAL && !read;
		if (verdict->state == VERDICT_FAIL && !read)
			fail_msg("%s, %s: %s fails by a claim that is recalled: %s", sheet->file,
				model->name, verdict->id, verdict->expected);
	}
	trial_deinit(&trial);
}

static void no_claim_that_is_recalled_ever_fails(void **state)
{
	size_t failed = 0, spared = 0;
	(void)state;

	for (size_t i = 0; i < library.sheet_count; i++)
		for (size_t k = 0; k < library.sheets[i]->model_count; k++) {
			struct spec_sheet *sheet = library.sheets[i];

			check_model(sheet, &sheet->models[k], false, 1, &failed, &spared);
			check_model(sheet, &sheet->models[k], true, 1e15, &failed, &spared);
		}
	print_message("%zu failures, all by claims that were read; %zu by recalled ones are but "
		      "marginal\n",
		failed, spared);
	assert_true(failed > 1000);
	assert_true(spared > 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_claim_that_is_recalled_ever_fails),
	};

	return cmocka_run_group_tests(tests, load, unload);
}
