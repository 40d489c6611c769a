/* Rates against the link, latency, power and each other. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "assay/array.h"
#include "spec/lint.h"

/* Printed figures are rounded to three digits. */
static const double ROUNDING = 0.03;
/* What frames and idle time leave of a link's payload. */
static const double REACHABLE = 0.94;

/* Bytes per second that the claim needs; 0: it is no rate. */
static double rate_of(const struct claim *claim)
{
	double value = claim->quantity.high.value;

	if (claim->key->dimension == DIMENSION_BYTES_PER_SECOND)
		return value;
	if (claim->key->dimension == DIMENSION_IOPS)
		return value * (double)claim->conditions.block_bytes;
	return 0;
}

static double number_of(struct lint *lint, const struct claim *claim, const char *key)
{
	const struct claim *other = spec_claim(lint->sheet, claim->model, key);

	return other ? other->quantity.low.value : 0;
}

static const char *rate_text(const struct claim *claim, char *text, size_t size)
{
	if (claim->key->dimension == DIMENSION_IOPS)
		snprintf(text, size, "%s x %llu bytes = %.1f MB/s", claim->printed,
			(unsigned long long)claim->conditions.block_bytes, rate_of(claim) / 1e6);
	else
		snprintf(text, size, "%s", claim->printed);
	return text;
}

static void check_link(struct lint *lint, const struct claim *claim)
{
	double rate = rate_of(claim), gbps = claim->conditions.link_gbps;
	char text[96];

	if (gbps == 0)
		gbps = number_of(lint, claim, "link.max_gbps");
	double payload = link_payload(gbps), ports = claim->conditions.ports;
	if (ports == 0)
		ports = number_of(lint, claim, "link.port_count");
	if (rate == 0 || payload == 0)
		return;
	rate_text(claim, text, sizeof(text));
	if (rate > payload * fmax(ports, 1))
		report_claim(lint, FINDING_WARNING, "above-link", claim,
			"%s is more than %s of %g Gbit/s can carry: %.0f MB/s", text,
			ports > 1 ? "all links" : "the link", gbps, payload * fmax(ports, 1) / 1e6);
	else if (rate > payload && claim->conditions.ports < 2)
		report_claim(lint, FINDING_NOTE, "needs-ports", claim,
			"%s is more than one link of %g Gbit/s can carry (%.0f MB/s): it takes "
			"both "
			"ports",
			text, gbps, payload / 1e6);
	else if (rate > REACHABLE * payload && rate <= payload)
		report_claim(lint, FINDING_NOTE, "link-limit", claim,
			"%s is %.0f %% of what one link of %g Gbit/s carries (%.0f MB/s): it "
			"cannot "
			"be reached on it",
			text, rate / payload * 100, gbps, payload / 1e6);
}

/* Little's law: outstanding = rate x time. */
static void check_latency(struct lint *lint, const struct claim *claim)
{
	const struct conditions *at = &claim->conditions;
	double iops = claim->quantity.low.value;

	if (claim->key->dimension != DIMENSION_IOPS || at->latency_us <= 0 || at->queue_depth <= 0)
		return;
	double outstanding = iops * at->latency_us / 1e6;
	if (fabs(outstanding / at->queue_depth - 1) > ROUNDING)
		report_claim(lint, FINDING_WARNING, "outstanding-arithmetic", claim,
			"%.0f IOPS x %.4g ms = %.0f outstanding, not %.0f; at %.0f the latency is "
			"%.4g ms or the rate %.0f IOPS",
			iops, at->latency_us / 1e3, outstanding, at->queue_depth, at->queue_depth,
			at->queue_depth / iops * 1e3, at->queue_depth / at->latency_us * 1e6);
}

static void check_efficiency(struct lint *lint, const struct claim *claim)
{
	const struct conditions *at = &claim->conditions;
	double iops = claim->quantity.low.value, watts = at->milliwatts / 1000;

	if (claim->key->dimension != DIMENSION_IOPS || watts <= 0 || at->iops_per_watt <= 0)
		return;
	if (fabs(iops / watts / at->iops_per_watt - 1) > ROUNDING)
		report_claim(lint, FINDING_WARNING, "watt-arithmetic", claim,
			"%.0f IOPS / %.3g W = %.0f IOPS/W, not %.0f", iops, watts, iops / watts,
			at->iops_per_watt);
}

static void check_block(struct lint *lint, const struct claim *claim)
{
	if (claim->key->dimension == DIMENSION_IOPS && !claim->conditions.block_bytes)
		report_claim(lint, FINDING_NOTE, "no-block-size", claim,
			"%s without a block size: 512 bytes or 4 KiB differ by a factor of 8",
			claim->printed);
}

/* A measured rate that misses the promise only because it is in MiB. */
static void check_binary(struct lint *lint, const struct claim *claim)
{
	const struct claim *promise = spec_claim(lint->sheet, claim->model, claim->key->name);
	double value = claim->quantity.low.value;

	if (claim->kind != CLAIM_MEASURED || !promise ||
		claim->key->dimension != DIMENSION_BYTES_PER_SECOND || strstr(claim->printed, "iB"))
		return;
	double wanted = promise->quantity.low.value;
	if (value < wanted && value * 1.048576 >= wanted)
		report_claim(lint, FINDING_WARNING, "binary-unit", claim,
			"%s misses the %s by %.1f %%; in MiB/s it is x 1.048576 = %.1f MB/s and "
			"holds it",
			claim->printed, promise->printed, (1 - value / wanted) * 100,
			value * 1.048576 / 1e6);
}

static void check_claim(struct lint *lint, const struct claim *claim)
{
	check_link(lint, claim);
	check_latency(lint, claim);
	check_efficiency(lint, claim);
	check_block(lint, claim);
	check_binary(lint, claim);
}

static const struct spec_model *next_larger(
	const struct spec_sheet *sheet, const struct spec_model *model)
{
	const struct spec_model *next = NULL;

	for (size_t i = 0; i < sheet->model_count; i++) {
		const struct spec_model *other = &sheet->models[i];

		if (other->capacity.value > model->capacity.value &&
			(!next || other->capacity.value < next->capacity.value))
			next = other;
	}
	return next;
}

/* What should not fall with the capacity. */
static void check_order(struct lint *lint, const struct spec_model *model, const char *key)
{
	const struct spec_model *larger = next_larger(lint->sheet, model);
	const struct claim *small = spec_claim(lint->sheet, model, key);
	const struct claim *large = larger ? spec_claim(lint->sheet, larger, key) : NULL;

	if (!small || !large || small->kind != large->kind || model->capacity.value == 0 ||
		large->quantity.low.value >= small->quantity.low.value)
		return;
	report_claim(lint, FINDING_NOTE, "falls-with-capacity", large,
		"%s falls with the capacity: %s at %s, %s at %s", small->key->label, small->printed,
		model->capacity_printed, large->printed, larger->capacity_printed);
}

void lint_performance(struct lint *lint)
{
	static const char *const keys[] = { "performance.sequential_read_bytes_per_second",
		"performance.sequential_write_bytes_per_second", "performance.random_write_iops",
		"endurance.rated_written_bytes" };

	each_claim(lint, check_claim);
	for (size_t i = 0; i < lint->sheet->model_count; i++)
		for (size_t k = 0; k < ARRAY_LEN(keys); k++)
			check_order(lint, &lint->sheet->models[i], keys[k]);
}
