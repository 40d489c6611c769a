# shellcheck shell=bash disable=SC2154
# A sleeping drive is not woken. The witness is the drive's own journal.
# attempts: 2
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture

# sleeps CAPTURE STATE WORD: shown by either node, and scanned, it stays in that state
sleeps() {
	local node

	plug d "$1"
	control d state "$2"
	mark d
	for node in "$sg" "$sd"; do
		assay 10 show -j -q "$node"
		expect_status 0
		expect_json ".facts[\"power.state\"].value | startswith(\"$3\")" \
			'.facts["identity.model"].value != null'
	done
	assay 10 scan
	expect_status 0
	expect 'commands were sent' test -n "$(journal d ' quiet ')"
	expect "woken by $(journal d ' wakes ' | head -n 1)" test -z "$(journal d ' wakes ')"
	# the state is the drive's own word for it
	expect 'it still sleeps' test -z "$(journal d ' active ')"
}

a_sas_drive_in_standby_is_not_woken() {
	sleeps "$sas" standby_z standby_z
}
a_sas_drive_in_standby_y_is_not_woken() {
	sleeps "$sas" standby_y standby_y
}
a_stopped_sas_drive_is_not_started() {
	sleeps "$sas" stopped stopped
}
a_sata_drive_in_standby_is_not_woken() {
	sleeps "$sata" standby_z standby
}

a_sata_drive_put_to_sleep_by_hdparm_is_not_woken() {
	plug d "$sata"
	hdparm -y "$sd" >/dev/null
	mark d
	assay 10 show -j -q "$sd"
	expect_status 0
	expect "woken by $(journal d ' wakes ' | head -n 1)" test -z "$(journal d ' wakes ')"
	expect_json '.facts["power.state"].value | startswith("standby")'
}

a_sleeping_drive_is_woken_where_that_is_asked_for() {
	plug d "$sas"
	control d state standby_z
	control d recovery standby_z 500
	mark d
	assay 20 show -j -q --wake "$sg"
	expect_status 0
	expect 'it wakes' test -n "$(journal d ' wakes ')"
	expect_json '.facts["temperature.current_celsius"].value == 31'
}

an_idle_drive_is_shown_whole() {
	plug d "$sas"
	control d state idle_b
	mark d
	assay 10 show -j -q "$sg"
	expect_json \
		'.facts["power.state"].value == "idle_b"' \
		'.facts["temperature.current_celsius"].value == 31'
	expect "woken by $(journal d ' wakes ' | head -n 1)" test -z "$(journal d ' wakes ')"
}

an_idle_sata_drive_with_extended_power_conditions_says_which() {
	plug d "$sata"
	control d state idle_c
	assay 10 show -j -q "$sg"
	expect_json '.facts["power.state"].value == "idle_c"'
}

run a_sas_drive_in_standby_is_not_woken
run a_sas_drive_in_standby_y_is_not_woken
run a_stopped_sas_drive_is_not_started
run a_sata_drive_in_standby_is_not_woken
run a_sata_drive_put_to_sleep_by_hdparm_is_not_woken
run a_sleeping_drive_is_woken_where_that_is_asked_for
run an_idle_drive_is_shown_whole
run an_idle_sata_drive_with_extended_power_conditions_says_which
