/*
 * Private to the power decoder.
 */
#ifndef ASSAY_DECODERS_POWER_H
#define ASSAY_DECODERS_POWER_H

#include "assay/decoder.h"

/* Rows of power_states, and of them the recovery times. */
void power_states_decode(const struct capture *capture, struct facts *facts);
extern const struct table table_power_states;

/* Rows of power_consumption, and of them power.limit_milliwatts. */
void power_consumption_decode(const struct capture *capture, struct facts *facts);
extern const struct table table_power_consumption;

/* power.state, of whatever was asked for it without waking the drive. */
void power_state_decode(const struct capture *capture, struct facts *facts);

#endif
