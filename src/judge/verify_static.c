/* Claims that the drive's own words prove or disprove. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assay/array.h"
#include "judge/verify.h"

/* A nominal size, such as "960 GB", is a rounded one. */
static enum holding test_size(struct verifying *verifying, const struct claim *claim)
{
	return fabs(known_number(verifying, "capacity.bytes") / claim->quantity.low.value - 1) <=
			0.005
		? HOLDS
		: HOLDS_NOT;
}

static void verify_size(struct verifying *verifying, const struct claim_group *group)
{
	compare_number(verifying, group, "capacity.bytes", test_size, NULL);
}

static enum holding test_block(struct verifying *verifying, const struct claim *claim)
{
	return holds(claim, known_number(verifying, "capacity.logical_block_bytes"), 0);
}

static void verify_block(struct verifying *verifying, const struct claim_group *group)
{
	compare_number(verifying, group, "capacity.logical_block_bytes", test_block, NULL);
}

/* Some families let the user choose what the drive reports. */
static enum holding test_physical(struct verifying *verifying, const struct claim *claim)
{
	enum holding holding = holds(
		claim, known_number(verifying, "capacity.physical_block_bytes"), 0);

	return holding == HOLDS_NOT ? HOLDS_NEARLY : holding;
}

static void verify_physical(struct verifying *verifying, const struct claim_group *group)
{
	compare_number(verifying, group, "capacity.physical_block_bytes", test_physical, NULL);
}

static enum holding test_link(struct verifying *verifying, const struct claim *claim)
{
	return known_number(verifying, "link.max_gbps") >= claim->quantity.low.value ? HOLDS
										     : HOLDS_NOT;
}

static void verify_link(struct verifying *verifying, const struct claim_group *group)
{
	compare_number(verifying, group, "link.max_gbps", test_link, NULL);
}

static enum holding test_ports(struct verifying *verifying, const struct claim *claim)
{
	return known_number(verifying, "link.port_count") >= claim->quantity.low.value ? HOLDS
										       : HOLDS_NOT;
}

static void verify_ports(struct verifying *verifying, const struct claim_group *group)
{
	compare_number(verifying, group, "link.port_count", test_ports, NULL);
}

/* Classes such as "5400 rpm" are printed of drives that turn at 5700. */
static enum holding test_rotation(struct verifying *verifying, const struct claim *claim)
{
	double found = known_number(verifying, "identity.rotation_rpm");
	double claimed = claim->quantity.low.value;

	if (found == claimed)
		return HOLDS;
	return found > 0 && fabs(found / claimed - 1) <= 0.1 ? HOLDS_NEARLY : HOLDS_NOT;
}

static void verify_rotation(struct verifying *verifying, const struct claim_group *group)
{
	compare_number(verifying, group, "identity.rotation_rpm", test_rotation, NULL);
}

/* Older standards had no word for small boards. */
static bool is_board(const char *form)
{
	return !strncmp(form, "M.2", 3) || !strncmp(form, "mSATA", 5) ||
		!strcmp(form, "below 1.8 inch");
}

/* "2.5in" and "2.5 inch"; "M.2". A claim may name several: "2.5in or M.2". */
static bool same_form(const char *claimed, const char *found)
{
	double inches = strtod(found, NULL);

	if (is_board(claimed) && is_board(found))
		return true;

	for (const char *at = claimed; at; at = strstr(at, " or ")) {
		at += !strncmp(at, " or ", 4) ? 4 : 0;
		if (inches > 0 ? strtod(at, NULL) == inches
			       : !strncasecmp(at, found, strlen(found)))
			return true;
	}
	return false;
}

static enum holding test_form(struct verifying *verifying, const struct claim *claim)
{
	return same_form(claim->text, facts_text(verifying->facts, "identity.form_factor"))
		? HOLDS
		: HOLDS_NOT;
}

static void verify_text(struct verifying *verifying, const struct claim_group *group,
	const char *key, enum holding (*test)(struct verifying *, const struct claim *))
{
	struct opinion opinion = opinion_of(verifying, group);

	opinion.key = key;
	opinion.found = facts_text(verifying->facts, key);
	opinion.evidence = evidence_of(verifying, key);
	if (*opinion.found)
		judge_group(verifying, group, &opinion, test);
	else
		not_tested(verifying, group, "the drive does not say");
}

static void verify_form(struct verifying *verifying, const struct claim_group *group)
{
	verify_text(verifying, group, "identity.form_factor", test_form);
}

static enum holding test_interface(struct verifying *verifying, const struct claim *claim)
{
	bool is_ata = !strcmp(facts_text(verifying->facts, "identity.protocol"), "ata");

	return is_ata == !strcmp(claim->text, "SATA") ? HOLDS : HOLDS_NOT;
}

static void verify_interface(struct verifying *verifying, const struct claim_group *group)
{
	verify_text(verifying, group, "identity.protocol", test_interface);
}

static enum holding test_vendor(struct verifying *verifying, const struct claim *claim)
{
	return !strcasecmp(claim->text, facts_text(verifying->facts, "identity.vendor"))
		? HOLDS
		: HOLDS_NOT;
}

static void verify_vendor(struct verifying *verifying, const struct claim_group *group)
{
	verify_text(verifying, group, "identity.vendor", test_vendor);
}

static enum holding test_types(struct verifying *verifying, const struct claim *claim)
{
	return !strcmp(claim->text, facts_text(verifying->facts, "protection.types")) ? HOLDS
										      : HOLDS_NOT;
}

static void verify_types(struct verifying *verifying, const struct claim_group *group)
{
	verify_text(verifying, group, "protection.types", test_types);
}

static void verify_flag(struct verifying *verifying, const struct claim_group *group,
	const char *key, enum holding (*test)(struct verifying *, const struct claim *))
{
	struct opinion opinion = opinion_of(verifying, group);
	bool found;

	if (!facts_flag(verifying->facts, key, &found)) {
		not_tested(verifying, group, "the drive does not say");
		return;
	}
	opinion.key = key;
	opinion.found = found ? "yes" : "no";
	opinion.evidence = evidence_of(verifying, key);
	judge_group(verifying, group, &opinion, test);
}

static enum holding test_capable(struct verifying *verifying, const struct claim *claim)
{
	bool found = false;

	facts_flag(verifying->facts, "protection.capable", &found);
	return found == (claim->quantity.low.value != 0) ? HOLDS : HOLDS_NOT;
}

static void verify_protection(struct verifying *verifying, const struct claim_group *group)
{
	verify_flag(verifying, group, "protection.capable", test_capable);
}

/* A drive that has a cache may run with it turned off; one that has none
 * cannot run with it turned on. */
static enum holding test_cache(struct verifying *verifying, const struct claim *claim)
{
	bool enabled = false;

	facts_flag(verifying->facts, "power_loss.write_cache_enabled", &enabled);
	return enabled && claim->quantity.low.value == 0 ? HOLDS_NOT : HOLDS;
}

static void verify_cache(struct verifying *verifying, const struct claim_group *group)
{
	verify_flag(verifying, group, "power_loss.write_cache_enabled", test_cache);
}

/* A failed test of the capacitors disproves the circuit; nothing but a power
 * cut proves it. */
static void verify_circuit(struct verifying *verifying, const struct claim_group *group)
{
	static const char key[] = "power_loss.capacitor_test";
	struct opinion opinion = opinion_of(verifying, group);
	const char *result = facts_text(verifying->facts, key);

	opinion.state = VERDICT_NOT_TESTED;
	opinion.key = *result ? key : NULL;
	opinion.found = *result ? keep(verifying, "capacitor test %s", result) : NULL;
	opinion.evidence = *result ? evidence_of(verifying, key) : NULL;
	if (!strcmp(result, "failed") && group->claims[0]->quantity.low.value != 0) {
		opinion.state = group_is_recalled(group) ? VERDICT_MARGINAL : VERDICT_FAIL;
		conclude(verifying, &opinion, "the drive's own test of its capacitors failed");
	} else {
		conclude(verifying, &opinion, "only a power cut under writes proves it");
	}
}

struct encryption {
	const char *word, *key;
};

/* What a word of the claim makes the drive say; first match counts. */
static const struct encryption encryptions[] = {
	{ "none or", NULL },
	{ " none ", NULL },
	{ "TCG", "security.tcg_supported" },
	{ "self-encrypting", "security.tcg_supported" },
	{ "crypto sanitize", "security.sanitize_supported" },
	{ "ATA password", "security.supported" },
};

static const struct encryption *encryption_of(const char *text)
{
	for (size_t i = 0; i < ARRAY_LEN(encryptions); i++)
		if (strstr(text, encryptions[i].word))
			return &encryptions[i];
	return NULL;
}

static enum holding test_encryption(struct verifying *verifying, const struct claim *claim)
{
	const struct encryption *encryption = encryption_of(claim->text);
	bool found = false;

	if (encryption && encryption->key)
		facts_flag(verifying->facts, encryption->key, &found);
	return found ? HOLDS : HOLDS_NOT;
}

/* A family has models with it and without; only a part number tells which. */
static void verify_encryption(struct verifying *verifying, const struct claim_group *group)
{
	const struct encryption *encryption = encryption_of(group->claims[0]->text);
	bool is_decoded = !strncmp(group->id, "part_number.", 12);

	if (!encryption || !encryption->key)
		not_tested(verifying, group, "the claim does not say what this model has");
	else if (!is_decoded && test_encryption(verifying, group->claims[0]) != HOLDS)
		not_tested(verifying, group,
			"the drive does not show it; not all of a family have it");
	else
		verify_flag(verifying, group, encryption->key, test_encryption);
}

/* Errors per bit: zero errors in n bits only bound the rate at 3 / n (95 %). */
static void verify_bit_errors(struct verifying *verifying, const struct claim_group *group)
{
	struct opinion opinion = opinion_of(verifying, group);
	double bytes = known_number(verifying, "endurance.host_read_bytes");
	double errors = known_number(verifying, "errors.uncorrected_count");

	opinion.state = VERDICT_NOT_VERIFIABLE;
	if (isnan(bytes) || isnan(errors) || bytes == 0) {
		conclude(verifying, &opinion, "no software can tell this from the host");
		return;
	}
	opinion.key = "endurance.host_read_bytes";
	opinion.found = keep(verifying, "%.0f uncorrected in %.3g bits read", errors, bytes * 8);
	opinion.evidence = evidence_of(verifying, opinion.key);
	conclude(verifying, &opinion,
		errors == 0 ? "so many bits bound the rate at %.0e at best (95 %%)"
			    : "errors / bits = %.0e; a few errors prove no rate",
		errors == 0 ? 3 / (bytes * 8) : errors / (bytes * 8));
}

static const struct {
	const char *key;
	void (*verify)(struct verifying *verifying, const struct claim_group *group);
} checks[] = {
	{ "interface", verify_interface },
	{ "identity.form_factor", verify_form },
	{ "identity.rotation_rpm", verify_rotation },
	{ "identity.inquiry_vendor", verify_vendor },
	{ "capacity.bytes", verify_size },
	{ "capacity.logical_block_bytes", verify_block },
	{ "capacity.physical_block_bytes", verify_physical },
	{ "link.max_gbps", verify_link },
	{ "link.port_count", verify_ports },
	{ "endurance.rated_written_bytes", verify_written },
	{ "endurance.rated_dwpd", verify_dwpd },
	{ "endurance.workload_bytes_per_year", verify_workload },
	{ "warranty.years", verify_warranty },
	{ "reliability.unrecoverable_bit_error_rate", verify_bit_errors },
	{ "power_loss.write_cache", verify_cache },
	{ "power_loss.protection", verify_circuit },
	{ "protection.capable", verify_protection },
	{ "protection.types", verify_types },
	{ "security.encryption", verify_encryption },
	{ "power.selectable_milliwatts", verify_selectable },
	{ "temperature.operating_celsius", verify_temperature },
	{ "temperature.throttles", verify_throttles },
};

bool verify_static(struct verifying *verifying, const struct claim_group *group)
{
	for (size_t i = 0; i < ARRAY_LEN(checks); i++)
		if (!strcmp(checks[i].key, group->claims[0]->key->name)) {
			checks[i].verify(verifying, group);
			return true;
		}
	return false;
}
