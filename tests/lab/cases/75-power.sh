# shellcheck shell=bash disable=SC2154
# Power states on real nodes: planted behaviour is measured, and all is restored afterwards.
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture
journal_file=$work/power.json

power() { # SECONDS NODE OPTION...
	local limit=$1 node=$2

	shift 2
	assay "$limit" power -q -j --state "$journal_file" --dwell 0.05 "$@" "$node"
}

# within STATE MILLISECONDS: its recovery was measured within 10 ms or 3 %
within() {
	expect_json ".tables.power_measured[] | select(.state == \"$1\") |
		(.recovery_us / 1000 - $2 | fabs) < ([10, $2 * 0.03] | max)"
}

# restored CAPTURE-OF-MODE: the mode pages are as they were, and the journal is gone
restored() {
	expect 'the journal is gone' test ! -e "$journal_file"
	timed 10 sg_raw -r 512 "$sg" 5a 08 3f ff 00 00 00 02 00 00
	expect_same "$work/modes" "$err"
}
remember() {
	timed 10 sg_raw -r 512 "$sg" 5a 08 3f ff 00 00 00 02 00 00
	cp "$err" "$work/modes"
}

recovery_times_that_were_planted_are_measured() {
	local tries=0

	plug p "$sas"
	remember
	control p recovery idle_a 5
	control p recovery idle_b 40
	control p recovery idle_c 250
	control p recovery stopped 500
	# the emulated host is late now and then
	until [ $tries = 3 ]; do
		tries=$((tries + 1))
		problem=
		power 60 "$sg" -n 3 --parts states --states idle_a,idle_b,idle_c,stopped
		within idle_a 5
		within idle_b 40
		within idle_c 250
		within stopped 500
		[ -n "$problem" ] || break
	done
	told
	expect_status 0
	expect_json '.facts["measured_power.start_stop_count"].value == 3' \
		'.verdicts | all(.state == "pass")'
	restored
}

# The measured times, as a comment.
told() {
	jq -r '.tables.power_measured[] |
		"# \(.state): \(.recovery_us / 1000) ms, entry \(.entry_us / 1000) ms"' "$out"
}

long_recovery_times_fail_their_claims_in_verify_too() {
	plug p "$sas"
	control p recovery standby_y 1100
	control p recovery standby_z 8000
	power 60 "$sg" -n 1 --parts states --states standby_y,standby_z
	cp "$out" "$work/result.json"
	told
	expect_status 2
	within standby_y 1100
	within standby_z 8000
	expect_json '.facts["measured_power.end"].value == "complete"' \
		'.facts["measured_power.restored"].value' \
		'.facts["measured_power.start_stop_count"].value == 2' \
		'.verdicts[] | select(.id == "recovery.standby_z") | .state == "fail"' \
		'.verdicts[] | select(.id == "recovery.standby_y") | .state == "pass"' \
		'[.tables.power_tries[].seen] == ["standby_y", "standby_z"]'
	assay 20 verify -q -j --wake --results "$work/result.json" "$sg"
	expect_status 2
	expect_json '.verdicts[] | select(.id == "performance.standby_z_recovery_us") |
		.state == "fail"' \
		'.verdicts[] | select(.id == "performance.standby_y_recovery_us") | .state == "pass"'
}

a_claim_that_does_not_hold_fails() {
	plug p "$sata"
	control p poke ata-log 08 0 16 02 00 00 00 # idle_a: 200 ms
	control p recovery idle_a 900
	power 30 "$sg" -n 2 --parts states --states idle_a
	expect_status 2
	within idle_a 900
	expect_json '.verdicts[0].id == "recovery.idle_a" and .verdicts[0].state == "fail"' \
		'.verdicts[0].reason | test("4\\.[56] times")'
}

answers_out_of_a_cache_are_noticed() {
	plug p "$sas"
	control p recovery idle_a 60
	control p recovery idle_b 60
	control p cache 3
	power 30 "$sg" -n 1 --parts states --states idle_a
	within idle_a 60
	expect_json '.tables.power_measured[0].cached_reads == 3'
	control p cache 1000
	power 30 "$sg" -n 1 --parts states --states idle_b
	expect_status 1
	expect_json '.tables.power_measured[0].result == "answers asleep"' \
		'.tables.power_measured[0].recovery_us == null' \
		'.facts["measured_power.idle_b_recovery_us"] == null'
}

a_state_that_is_refused_or_not_entered_is_reported() {
	plug p "$sas"
	control p refuse idle_c
	control p ignore idle_a
	power 30 "$sg" -n 2 --parts states --states idle_a,idle_b,idle_c
	expect_status 2
	expect_json '[.tables.power_measured[].result] == ["not entered", "measured", "refused"]' \
		'.tables.power_measured[2].reason | test("Illegal Request")' \
		'[.tables.power_tries[] | select(.state == "idle_c")] | length == 1'
}

a_sata_drive_is_put_into_each_state_and_never_to_sleep() {
	plug p "$sata"
	mark p
	power 60 "$sg" -n 1 --parts states
	expect_json '[.tables.power_measured[].result] | all(. == "measured")' \
		'[.tables.power_measured[].state] == ["idle_a", "idle_b", "idle_c", "standby_y",
			"standby_z", "idle_immediate", "standby_immediate"]'
	expect 'no SLEEP was sent' test -z "$(journal p ' sleep ')"
}

run recovery_times_that_were_planted_are_measured
run long_recovery_times_fail_their_claims_in_verify_too
run a_claim_that_does_not_hold_fails
run answers_out_of_a_cache_are_noticed
run a_state_that_is_refused_or_not_entered_is_reported
run a_sata_drive_is_put_into_each_state_and_never_to_sleep
