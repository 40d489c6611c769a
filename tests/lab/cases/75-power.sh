# shellcheck shell=bash disable=SC2154
# Power states on real nodes: planted behaviour is measured, and all is restored afterwards.
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture
levels=$LAB/drives/levels.capture
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

# The output is as its schema says.
as_the_schema_says() {
	timed 60 /usr/bin/python3 "$LAB/../golden/schema.py" 1 "$1"
	expect_out '^ok 1 '
}

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
	as_the_schema_says "$work/result.json"
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

# begin NODE OPTION...: runs in the background; $program
begin() {
	local node=$1

	shift
	"$ASSAY" power -q -j --state "$journal_file" "$@" "$node" >"$out" 2>"$err" &
	program=$!
}
end() {
	wait "$program"
	# shellcheck disable=SC2034 # expect_status reads it
	status=$?
}
# until_journal NAME PATTERN: the drive was sent such a command
until_journal() {
	local tries=0

	until [ -n "$(journal "$1" "$2")" ] || [ $tries = 100 ]; do
		tries=$((tries + 1))
		sleep 0.1
	done
	expect "a command '$2' was sent" test $tries -lt 100
}

# While idle_b's dwell lasts, with a timer of its own set: pages and state are changed.
in_the_middle() {
	plug p "$sas"
	remember
	mark p
	begin "$sg" --parts states,timers --states idle_b --dwell 30 -n 1
	until_journal p ' 1b 00 00 01 20'
	expect 'the journal is there' test -s "$journal_file"
}

a_signal_restores_and_keeps_the_result() {
	local signal

	for signal in INT TERM; do
		in_the_middle
		kill -$signal "$program"
		end
		expect_status 3
		expect_json '.facts["measured_power.end"].value == "stopped"' \
			'.facts["measured_power.restored"].value'
		expect 'it is active' test -z "$(sg_requests "$sg" | grep -i idle)"
		restored
		unplug p
	done
}

timing() { # begins a run that sets timers, and waits for the first MODE SELECT
	plug p "$sas"
	remember
	mark p
	begin "$sg" --parts timers --states idle_a,idle_b,standby_z --timer 20 "$@"
	until_journal p ' 55 10'
	sleep 0.3
}

a_killed_run_is_restored_afterwards() {
	timing
	kill -KILL "$program"
	end
	expect 'the journal is there' test -s "$journal_file"
	assay 20 power -q --state "$journal_file" "$sg"
	expect_status 3
	expect_err 'assay power --restore'
	assay 20 power --restore --state "$journal_file" "$sg"
	expect_status 0
	expect_out '2 settings restored'
	restored
	assay 20 power --restore --state "$journal_file" "$sg"
	expect_out 'nothing to restore'
}

a_drive_that_stops_answering_is_said_and_restored_later() {
	timing -t 1
	control p fault hang
	end
	expect_status 75
	expect_json '.facts["measured_power.end"].value == "no answer"' \
		'.facts["measured_power.restored"].value == false' \
		'.notes[].text | select(test("mode_page 1a/00.*--restore"))'
	expect 'the journal is there' test -s "$journal_file"
	control p clear
	assay 20 power --restore --state "$journal_file" "$sg"
	expect_status 0
	restored
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

each_power_level_is_worked_on_and_the_first_is_back() {
	plug p "$levels"
	remember
	control p speed latency_us=100000
	control p level 1 0.5
	power 60 "$sd" --parts levels --level-time 1
	expect_json '[.tables.power_levels[] | .limit_milliwatts] == [11000, 9000]' \
		'.tables.power_levels | .[0].mean_us / .[1].mean_us | . > 0.4 and . < 0.65' \
		'.tables.power_levels | .[0].iops / .[1].iops | . > 1.5 and . < 2.5'
	jq -r '.tables.power_levels[] | "# \(.limit_milliwatts) mW: \(.iops) IOPS, mean \(.mean_us) us"' "$out"
	restored
	control p fault sense=5/26/00 op=55
	power 60 "$sd" --parts levels --level-time 1
	expect_json '[.tables.power_levels[].result] == ["refused", "refused"]'
	restored
}

levels_of_apm_are_restored() {
	plug p "$sata"
	control p apm 96
	control p poke identify 0 0 240 00 # extended power conditions are off
	power 60 "$sg" --parts apm --gaps 1,50 -n 2
	expect_json '[.tables.power_gaps[].value] == ["1", "1", "128", "128", "254", "254", "off",
		"off"]' '.facts["measured_power.restored"].value'
	timed 10 hdparm -B "$sd"
	expect_out '= 96'
}

link_policies_of_the_adapter_are_restored() {
	local node file before

	node=$(node_of QEMU-AHCI)
	file=$(echo /sys/block/"${node#/dev/}"/device/../../scsi_host/host*/link_power_management_policy)
	[ -f "$file" ] || {
		echo "# no $file"
		return
	}
	before=$(cat "$file")
	power 60 "$node" --parts link --gaps 1,50 -n 2
	expect_json '[.tables.power_gaps[] | select(.result == "measured")] | length >= 2' \
		'.facts["measured_power.restored"].value'
	jq -r '.tables.power_gaps[] | "# \(.value): \(.result) \(.gap_ms) ms: \(.median_us) us"' "$out"
	expect "the policy is $before" test "$(cat "$file")" = "$before"
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
run a_signal_restores_and_keeps_the_result
run a_killed_run_is_restored_afterwards
run a_drive_that_stops_answering_is_said_and_restored_later
run a_drive_goes_to_sleep_when_it_says
run each_power_level_is_worked_on_and_the_first_is_back
run levels_of_apm_are_restored
run link_policies_of_the_adapter_are_restored
run a_drive_in_use_is_refused
