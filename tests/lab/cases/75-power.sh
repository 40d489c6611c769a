# shellcheck shell=bash disable=SC2154
# Power states on real nodes: planted behaviour is measured.
# shellcheck source=tests/lab/power.sh
. "$LAB/power.sh"

recovery_times_that_were_planted_are_measured() {
	local tries=0

	plug p "$sas"
	remember
	control p recovery idle_a 5
	control p recovery idle_b 40
	control p recovery idle_c 120
	control p recovery stopped 300
	# the emulated host is late now and then
	until [ $tries = 3 ]; do
		tries=$((tries + 1))
		problem=
		power 60 "$sg" -n 3 --parts states --states idle_a,idle_b,idle_c,stopped
		within idle_a 5
		within idle_b 40
		within idle_c 120
		within stopped 300
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
	mkdir -p /exchange/json
	cp "$work/result.json" /exchange/json/power.json
}

a_claim_that_does_not_hold_fails() {
	plug p "$sata"
	control p poke ata-log 08 0 16 02 00 00 00 # idle_a: 200 ms
	control p recovery idle_a 900
	power 30 "$sg" -n 1 --parts states --states idle_a
	expect_status 2
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
	control p recovery idle_b 10
	power 30 "$sg" -n 2 --parts states --states idle_a,idle_b,idle_c
	expect_status 2
	expect_json '[.tables.power_measured[].result] == ["not entered", "measured", "refused"]' \
		'.tables.power_measured[2].reason | test("Illegal Request")' \
		'[.tables.power_tries[] | select(.state == "idle_c")] | length == 1'
}

a_sata_drive_is_put_into_each_state_and_never_to_sleep() {
	local state

	plug p "$sata"
	for state in idle_a idle_b idle_c standby_y standby_z; do
		control p recovery $state 50
	done
	mark p
	power 60 "$sg" -n 1 --parts states
	expect_json '[.tables.power_measured[].result] | all(. == "measured")' \
		'[.tables.power_measured[].state] == ["idle_a", "idle_b", "idle_c", "standby_y",
			"standby_z", "idle_immediate", "standby_immediate"]'
	expect 'no SLEEP was sent' test -z "$(journal p ' sleep ')"
}

a_drive_goes_to_sleep_when_it_says() {
	plug p "$sas"
	remember
	control p recovery standby_z 50
	power 30 "$sg" --parts timers --states idle_a,standby_z --timer 1
	expect_status 0
	expect_json '[.tables.power_timers[].result] == ["went to sleep", "went to sleep"]' \
		'.tables.power_timers[0].observed_ms | . >= 1000 and . < 2000'
	restored
	plug q "$sata"
	power 30 "$sg" --parts timers --states idle_b --timer 1
	expect_status 0
	expect_json '.tables.power_timers[0].observed_ms | . >= 1000 and . < 2000' \
		'.facts["measured_power.restored"].value'
}

a_drive_in_use_is_refused() {
	local node

	node=$(node_of QEMU-VIRTIO)
	timed 10 mkswap "$node"
	timed 10 swapon "$node"
	expect_status 0
	power 20 "$node" --parts states -n 1
	expect_status 77
	expect_err 'is swapped to.*--force'
	swapoff "$node"
	timed 10 dd if=/dev/zero of="$node" bs=1M count=2 oflag=direct
}

run recovery_times_that_were_planted_are_measured
run long_recovery_times_fail_their_claims_in_verify_too
run a_claim_that_does_not_hold_fails
run answers_out_of_a_cache_are_noticed
run a_state_that_is_refused_or_not_entered_is_reported
run a_sata_drive_is_put_into_each_state_and_never_to_sleep
run a_drive_goes_to_sleep_when_it_says
run a_drive_in_use_is_refused
