# shellcheck shell=bash disable=SC2154
# Power states on real nodes: planted behaviour is measured.
# attempts: 2
# shellcheck source=tests/lab/power.sh
. "$LAB/power.sh"

recovery_times_that_were_planted_are_measured() {
	plug p "$sas"
	remember
	control p recovery idle_a 5
	control p recovery idle_b 40
	control p recovery idle_c 120
	control p recovery stopped 300
	mark p
	power 60 "$sg" -n 3 --parts states --states idle_a,idle_b,idle_c,stopped
	as_the_drive_says p
	within idle_a 5
	within idle_b 40
	within idle_c 120
	within stopped 300
	expect_status 0
	expect_json '.facts["measured_power.start_stop_count"].value == 3' \
		'.verdicts | all(.state == "pass")'
	restored
}

long_recovery_times_fail_their_claims_in_verify_too() {
	plug p "$sas"
	control p recovery standby_y 1100
	control p recovery standby_z 8000
	mark p
	power 60 "$sg" -n 1 --parts states --states standby_y,standby_z
	cp "$out" "$work/result.json"
	as_the_drive_says p
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
	mark p
	power 30 "$sg" -n 1 --parts states --states idle_a
	as_the_drive_says p
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
	expect 'no SLEEP was sent' test -z "$(journal p "$sleep_command")"
}
sleep_command=' 85 .* e6 00$' # ATA PASS-THROUGH(16)

sleep_is_entered_where_it_is_asked_for_and_ended_by_a_reset() {
	plug p "$sata"
	control p apm 96
	control p recovery standby_z 50
	mark p
	power 30 "$sg" -n 1 --parts states --states sleep
	expect_status 64
	expect_err 'with-sleep'
	expect 'no SLEEP was sent' test -z "$(journal p "$sleep_command")"
	power 60 "$sg" -n 2 --parts states --with-sleep --states idle_immediate,sleep -t 1
	expect_json '[.tables.power_measured[].result] == ["measured", "left by a reset"]' \
		'[.tables.power_tries[] | select(.state == "sleep").reason] |
			length == 1 and (.[0] | test("asked to reset it"))' \
		'.facts["measured_power.end"].value == "complete"' \
		'.facts["measured_power.restored"].value'
	expect 'one SLEEP' test "$(journal p "$sleep_command" | wc -l)" = 1
	expect 'it is awake' test -z "$(journal p . | tail -n 1 | grep ' sleep ')"
	expect 'the journal is gone' test ! -e "$journal_file"
	timed 10 hdparm -B "$sd" # the reset set it to another level
	expect_out '= 96'
}

the_timer_of_standby_is_tested_where_its_later_value_is_given() {
	plug p "$sata"
	control p poke identify 0 0 240 00 # extended power conditions are off
	control p recovery standby_z 50
	mark p
	power 30 "$sg" --parts timers
	expect_json '.tables.power_timers == null' \
		'[.notes[].text | select(test("not tested.*--standby-timer"))] | length == 1'
	expect 'no IDLE was sent' test -z "$(journal p ' 85 .* e3 00$')"
	power 30 "$sg" --parts timers --timer 5 --standby-timer 1200
	expect_status 0
	expect_json '.tables.power_timers[0] | .state == "standby" and .timer_ms == 5000' \
		'.tables.power_timers[0].observed_ms | . >= 5000 and . < 6000' \
		'[.notes[].text | select(test("set to .1200.*no drive tells"))] | length == 1' \
		'.facts["measured_power.restored"].value' \
		'[.verdicts[] | [.id, .state]] == [["timer.standby", "pass"]]'
	# Count: 5 s, and 1200 s in the end
	journal p ' 85 .* e3 00$' | awk '{ print $10 }' >"$work/counts"
	printf '01\nf0\n' >"$work/wanted"
	expect_same "$work/wanted" "$work/counts"
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
run sleep_is_entered_where_it_is_asked_for_and_ended_by_a_reset
run a_drive_goes_to_sleep_when_it_says
run the_timer_of_standby_is_tested_where_its_later_value_is_given
run a_drive_in_use_is_refused
