# shellcheck shell=bash disable=SC2154
# What power runs change is as before, whatever ends them.
# attempts: 2
# shellcheck source=tests/lab/power.sh
. "$LAB/power.sh"

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

# The first asks the kernel; what a killed run left asleep, the next one finds.
a_signal_in_SLEEP_wakes_the_drive() {
	local signal

	for signal in INT KILL; do
		plug p "$sata"
		control p recovery standby_z 50
		mark p
		begin "$sg" --parts states --states sleep --with-sleep --dwell 30 -n 1 -t 1
		until_journal p ' 85 .* e6 00$'
		sleep 0.5
		kill -$signal "$program"
		end
		[ $signal = INT ] || {
			expect 'the journal is there' test -s "$journal_file"
			assay 60 power --restore --state "$journal_file" -t 1 "$sg"
			expect_status 0
			expect_out 'SLEEP: ended'
		}
		expect 'the journal is gone' test ! -e "$journal_file"
		timed 10 dd if="$sd" of=/dev/null bs=4k count=1 iflag=direct
		expect_status 0
		expect 'it is awake' test -z "$(journal p . | tail -n 1 | grep ' sleep ')"
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
	expect_out ': mode page 1a/00: as before$'
	expect_out ': power state: active$'
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
		'.notes[].text | select(test("mode page 1a/00.*--restore"))'
	expect 'the journal is there' test -s "$journal_file"
	control p clear
	assay 20 power --restore --state "$journal_file" "$sg"
	expect_status 0
	restored
}

each_power_level_is_worked_on_and_the_first_is_back() {
	plug p "$levels"
	remember
	control p speed latency_us=200000
	control p level 1 0.5
	power 60 "$sd" --parts levels --level-time 2
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

run a_signal_restores_and_keeps_the_result
run a_killed_run_is_restored_afterwards
run a_signal_in_SLEEP_wakes_the_drive
run a_drive_that_stops_answering_is_said_and_restored_later
run each_power_level_is_worked_on_and_the_first_is_back
run levels_of_apm_are_restored
run link_policies_of_the_adapter_are_restored
