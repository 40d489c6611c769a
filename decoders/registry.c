/*
 * The topics, in the order in which people read them.
 *
 * A new one: decoders/<topic>.c with its `const struct decoder decoder_<topic>`,
 * and a line in both lists below.
 */
#include "assay/decoder.h"

extern const struct decoder decoder_identity;
extern const struct decoder decoder_capacity;
extern const struct decoder decoder_link;
extern const struct decoder decoder_health;
extern const struct decoder decoder_usage;
extern const struct decoder decoder_endurance;
extern const struct decoder decoder_temperature;
extern const struct decoder decoder_errors;
extern const struct decoder decoder_selftest;
extern const struct decoder decoder_power_loss;
extern const struct decoder decoder_protection;
extern const struct decoder decoder_power;
extern const struct decoder decoder_security;
extern const struct decoder decoder_attributes;
extern const struct decoder decoder_statistics;
extern const struct decoder decoder_bench;
extern const struct decoder decoder_measured_power;
extern const struct decoder decoder_history;
extern const struct decoder decoder_responses;

const struct decoder *const decoders[] = {
	&decoder_identity,
	&decoder_capacity,
	&decoder_link,
	&decoder_health,
	&decoder_usage,
	&decoder_endurance,
	&decoder_temperature,
	&decoder_errors,
	&decoder_selftest,
	&decoder_power_loss,
	&decoder_protection,
	&decoder_power,
	&decoder_security,
	&decoder_attributes,
	&decoder_statistics,
	&decoder_bench,
	&decoder_measured_power,
	&decoder_history,
	&decoder_responses,
	NULL,
};
