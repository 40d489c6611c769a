/* What datasheets claim. assay-spec(5) and assay-spec.schema.json list the same. */
#include "assay/spec.h"

#include <string.h>

#define BENCH "assay bench"
#define POWER "assay power"

const struct claim_key claim_keys[] = {
	/* key, label, dimension, operator, proof, test */
	{ "interface", "Interface", DIMENSION_TEXT, 0, PROOF_STATIC, NULL },
	{ "identity.form_factor", "Form factor", DIMENSION_TEXT, 0, PROOF_STATIC, NULL },
	{ "identity.rotation_rpm", "Rotation rate", DIMENSION_RPM, OPERATOR_EQUAL, PROOF_STATIC,
		NULL },
	{ "identity.inquiry_vendor", "INQUIRY vendor", DIMENSION_TEXT, 0, PROOF_STATIC, NULL },
	{ "capacity.bytes", "Capacity", DIMENSION_BYTES, OPERATOR_EQUAL, PROOF_STATIC, NULL },
	{ "capacity.logical_block_bytes", "Logical block", DIMENSION_BYTES, OPERATOR_ONE_OF,
		PROOF_STATIC, NULL },
	{ "capacity.physical_block_bytes", "Physical block", DIMENSION_BYTES, OPERATOR_ONE_OF,
		PROOF_STATIC, NULL },
	{ "link.max_gbps", "Link rate", DIMENSION_GBPS, OPERATOR_EQUAL, PROOF_STATIC, NULL },
	{ "link.compatible_gbps", "Also on", DIMENSION_GBPS, OPERATOR_ONE_OF, PROOF_NONE, NULL },
	{ "link.port_count", "Ports", DIMENSION_COUNT, OPERATOR_EQUAL, PROOF_STATIC, NULL },

	{ "performance.sequential_read_bytes_per_second", "Sequential read",
		DIMENSION_BYTES_PER_SECOND, OPERATOR_AT_LEAST, PROOF_MEASURED, BENCH },
	{ "performance.sequential_write_bytes_per_second", "Sequential write",
		DIMENSION_BYTES_PER_SECOND, OPERATOR_AT_LEAST, PROOF_MEASURED, BENCH },
	{ "performance.random_read_bytes_per_second", "Random read rate",
		DIMENSION_BYTES_PER_SECOND, OPERATOR_AT_LEAST, PROOF_MEASURED, BENCH },
	{ "performance.random_write_bytes_per_second", "Random write rate",
		DIMENSION_BYTES_PER_SECOND, OPERATOR_AT_LEAST, PROOF_MEASURED, BENCH },
	{ "performance.random_read_iops", "Random read", DIMENSION_IOPS, OPERATOR_AT_LEAST,
		PROOF_MEASURED, BENCH },
	{ "performance.random_write_iops", "Random write", DIMENSION_IOPS, OPERATOR_AT_LEAST,
		PROOF_MEASURED, BENCH },
	{ "performance.random_mixed_iops", "Random mixed", DIMENSION_IOPS, OPERATOR_AT_LEAST,
		PROOF_MEASURED, BENCH },
	{ "performance.read_latency_us", "Read latency", DIMENSION_MICROSECONDS, OPERATOR_AT_MOST,
		PROOF_MEASURED, BENCH },
	{ "performance.write_latency_us", "Write latency", DIMENSION_MICROSECONDS, OPERATOR_AT_MOST,
		PROOF_MEASURED, BENCH },
	{ "performance.access_time_us", "Access time", DIMENSION_MICROSECONDS, OPERATOR_AT_MOST,
		PROOF_MEASURED, BENCH },
	{ "performance.rotational_latency_us", "Rotational latency", DIMENSION_MICROSECONDS,
		OPERATOR_ABOUT, PROOF_MEASURED, BENCH },
	{ "performance.read_seek_us", "Read seek", DIMENSION_MICROSECONDS, OPERATOR_AT_MOST,
		PROOF_MEASURED, BENCH },
	{ "performance.write_seek_us", "Write seek", DIMENSION_MICROSECONDS, OPERATOR_AT_MOST,
		PROOF_MEASURED, BENCH },
	{ "performance.ready_time_us", "Ready time", DIMENSION_MICROSECONDS, OPERATOR_AT_MOST,
		PROOF_MEASURED, POWER },

	{ "endurance.rated_written_bytes", "Rated writes", DIMENSION_BYTES, OPERATOR_EQUAL,
		PROOF_STATIC, NULL },
	{ "endurance.rated_dwpd", "Drive writes per day", DIMENSION_DWPD, OPERATOR_EQUAL,
		PROOF_STATIC, NULL },
	{ "endurance.workload_bytes_per_year", "Workload limit", DIMENSION_BYTES_PER_YEAR,
		OPERATOR_AT_MOST, PROOF_STATIC, NULL },
	{ "endurance.retention", "Retention without power", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ "warranty.years", "Warranty", DIMENSION_YEARS, OPERATOR_EQUAL, PROOF_NONE, NULL },

	{ "reliability.unrecoverable_bit_error_rate", "Unrecoverable errors per bit read",
		DIMENSION_PROBABILITY, OPERATOR_AT_MOST, PROOF_NONE, NULL },
	{ "reliability.mtbf_hours", "MTBF", DIMENSION_HOURS, OPERATOR_AT_LEAST, PROOF_NONE, NULL },
	{ "reliability.service_life_hours", "Service life", DIMENSION_HOURS, OPERATOR_AT_LEAST,
		PROOF_NONE, NULL },
	{ "reliability.annual_failure_percent", "Annual failure rate", DIMENSION_PERCENT,
		OPERATOR_AT_MOST, PROOF_NONE, NULL },
	{ "reliability.load_cycles", "Load cycles", DIMENSION_COUNT, OPERATOR_AT_LEAST, PROOF_NONE,
		NULL },
	{ "reliability.patrol_read", "Patrol read", DIMENSION_FLAG, 0, PROOF_NONE, NULL },

	{ "power_loss.write_cache", "Volatile write cache", DIMENSION_FLAG, 0, PROOF_STATIC, NULL },
	{ "power_loss.protection", "Power-loss circuit", DIMENSION_FLAG, 0, PROOF_ACTIVE,
		"assay prove power-loss" },
	{ "power_loss.scope", "Power loss", DIMENSION_TEXT, 0, PROOF_ACTIVE,
		"assay prove power-loss" },
	{ "protection.capable", "T10 protection information", DIMENSION_FLAG, 0, PROOF_STATIC,
		NULL },
	{ "protection.types", "Protection types", DIMENSION_TEXT, 0, PROOF_STATIC, NULL },
	{ "protection.end_to_end", "End-to-end data path protection", DIMENSION_FLAG, 0,
		PROOF_ACTIVE, "assay prove protection" },

	{ "security.encryption", "Encryption", DIMENSION_TEXT, 0, PROOF_STATIC, NULL },

	{ "power.idle_milliwatts", "Power, idle", DIMENSION_MILLIWATTS, OPERATOR_AT_MOST,
		PROOF_MEASURED, POWER },
	{ "power.typical_milliwatts", "Power, typical", DIMENSION_MILLIWATTS, OPERATOR_ABOUT,
		PROOF_MEASURED, POWER },
	{ "power.active_milliwatts", "Power, active", DIMENSION_MILLIWATTS, OPERATOR_AT_MOST,
		PROOF_MEASURED, POWER },
	{ "power.read_milliwatts", "Power, reading", DIMENSION_MILLIWATTS, OPERATOR_AT_MOST,
		PROOF_MEASURED, POWER },
	{ "power.write_milliwatts", "Power, writing", DIMENSION_MILLIWATTS, OPERATOR_AT_MOST,
		PROOF_MEASURED, POWER },
	{ "power.maximum_milliwatts", "Power, maximum", DIMENSION_MILLIWATTS, OPERATOR_AT_MOST,
		PROOF_MEASURED, POWER },
	{ "power.selectable_milliwatts", "Power, selectable", DIMENSION_MILLIWATTS, OPERATOR_ONE_OF,
		PROOF_STATIC, POWER },
	{ "power.supply_volts", "Supply", DIMENSION_VOLTS, OPERATOR_RANGE, PROOF_NONE, NULL },

	{ "temperature.operating_celsius", "Temperature, operating", DIMENSION_CELSIUS,
		OPERATOR_RANGE, PROOF_STATIC, NULL },
	{ "temperature.storage_celsius", "Temperature, not operating", DIMENSION_CELSIUS,
		OPERATOR_RANGE, PROOF_NONE, NULL },
	{ "temperature.throttle_celsius", "Throttles at", DIMENSION_CELSIUS, OPERATOR_AT_LEAST,
		PROOF_MEASURED, POWER },
	{ "temperature.throttles", "Throttles when hot", DIMENSION_FLAG, 0, PROOF_ACTIVE, POWER },
	{ "environment.shock_operating_g", "Shock, operating", DIMENSION_GRAVITIES,
		OPERATOR_AT_LEAST, PROOF_NONE, NULL },
	{ "environment.shock_storage_g", "Shock, not operating", DIMENSION_GRAVITIES,
		OPERATOR_AT_LEAST, PROOF_NONE, NULL },
	{ "environment.vibration_operating_g", "Vibration, operating", DIMENSION_GRAVITIES,
		OPERATOR_AT_LEAST, PROOF_NONE, NULL },
	{ "environment.humidity_percent", "Humidity", DIMENSION_PERCENT, OPERATOR_RANGE, PROOF_NONE,
		NULL },
	{ "environment.altitude_metres", "Altitude", DIMENSION_METRES, OPERATOR_RANGE, PROOF_NONE,
		NULL },
	{ "environment.acoustics", "Acoustics", DIMENSION_TEXT, 0, PROOF_NONE, NULL },

	{ "physical.height_mm", "Height", DIMENSION_MILLIMETRES, OPERATOR_EQUAL, PROOF_NONE, NULL },
	{ "physical.width_mm", "Width", DIMENSION_MILLIMETRES, OPERATOR_EQUAL, PROOF_NONE, NULL },
	{ "physical.length_mm", "Length", DIMENSION_MILLIMETRES, OPERATOR_EQUAL, PROOF_NONE, NULL },
	{ "physical.mass_grams", "Mass", DIMENSION_GRAMS, OPERATOR_AT_MOST, PROOF_NONE, NULL },

	{ "media.type", "Media", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ "media.raw_bytes", "Raw media", DIMENSION_BYTES, OPERATOR_EQUAL, PROOF_NONE, NULL },
	{ "media.packages", "Media packages", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ "media.controller", "Controller", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ "media.cache_bytes", "Buffer", DIMENSION_BYTES, OPERATOR_EQUAL, PROOF_NONE, NULL },
	{ "media.recording", "Recording", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ "media.fill", "Enclosure filled with", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ "certification", "Certification", DIMENSION_TEXT, 0, PROOF_NONE, NULL },
	{ 0 },
};

const struct claim_key *claim_key_find(const char *name)
{
	for (const struct claim_key *key = claim_keys; key->name; key++)
		if (!strcmp(key->name, name))
			return key;
	return NULL;
}
