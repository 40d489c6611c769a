# shellcheck shell=bash disable=SC2154
# What cannot be read: one clear line, the right exit status, nothing else. And what is read
# costs no more commands than it shows pages.
# attempts: 2
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture

as_nobody() { # SECONDS ARGUMENT...
	local limit=$1

	shift
	timed "$limit" /usr/bin/setpriv --reuid 65534 --regid 65534 --clear-groups "$ASSAY" "$@"
}

one_line_of() { # NODE
	expect "one line, not $(wc -l <"$err")" test "$(wc -l <"$err")" = 1
	expect_err "^assay: $1: .*[Pp]ermission"
}

a_node_without_permission_is_told_in_one_line() {
	local node

	plug d "$sas"
	chmod 600 "$sd" "$sg"
	for node in "$sd" "$sg"; do
		as_nobody 10 show -q "$node"
		expect_status 77
		one_line_of "$node"
		as_nobody 10 capture -q -o /tmp/of-nobody "$node"
		expect_status 77
		one_line_of "$node"
		expect 'no capture' test ! -e /tmp/of-nobody
	done
}

a_drive_without_permission_is_listed_by_what_the_kernel_knows() {
	plug d "$sas"
	chmod 600 "$sd" "$sg"
	as_nobody 10 scan -j
	expect_status 0
	expect_json '[.. | .model? // empty] | any(. == "REPLAYED SAS")'
}

root_without_capabilities_is_told_what_is_missing() {
	plug d "$sata"
	timed 10 /usr/bin/setpriv --bounding-set -all "$ASSAY" show -q -j "$sd"
	[ "$status" = 0 ] || [ "$status" = 77 ] || fail "ended with $status: $(head -c 300 "$err")"
	[ "$status" = 77 ] || expect_json '.facts["identity.model"].value != null'
}

# Neither waited for, nor sent anything of ATA: A1h, for one, would blank a disc.
an_optical_drive_is_told_what_it_is() {
	local node tries=0

	modprobe -r scsi_debug
	modprobe scsi_debug ptype=5 dev_size_mb=16
	until node=$(grep -lx 5 /sys/class/scsi_generic/sg*/device/type | head -n 1) && [ -n "$node" ] &&
		node=/dev/$(basename "${node%/device/type}") && [ -c "$node" ]; do
		tries=$((tries + 1))
		[ $tries -lt 100 ] || {
			fail 'scsi_debug has no optical drive'
			return
		}
		sleep 0.05
	done
	assay 10 show -q -j "$node"
	expect_status 0
	expect_within 5000
	expect_json '.facts["identity.model"].value == "scsi_debug"' \
		'[.tables.responses[].command | select(test("ATA|SMART|IDENTIFY|READ LOG"))] == []' \
		'.facts["capacity.bytes"] == null'
	modprobe -r scsi_debug
}

a_drive_that_vanishes_is_told_in_one_line() {
	plug d "$sas"
	control d fault gone count=1
	assay 10 show -q "$sg"
	expect_status 66
	expect "one line, not $(wc -l <"$err")" test "$(wc -l <"$err")" = 1
}

# The witness is the drive's own journal. Only SCT commands, which differ in what they send,
# have the same CDB.
costs_no_more_commands_than_pages() { # CAPTURE
	local sent

	plug d "$1"
	assay 20 show -q "$sg" # takes what was left from the start
	mark d
	assay 20 show -q -j "$sg"
	expect_status 0
	sent=$(journal d | wc -l)
	expect_json \
		".device.command_count == $sent" \
		'.device.command_count == (.tables.responses | length)' \
		'[.tables.responses[] | select(.page | test("^ATA command 3F") | not) | .cdb] |
			length == (unique | length)'
	assay 20 show -q -v "$sg"
	expect_out "(^| )$sent commands"
}
a_sas_drive_costs_no_more_commands_than_pages() {
	costs_no_more_commands_than_pages "$sas"
}
a_sata_drive_costs_no_more_commands_than_pages() {
	costs_no_more_commands_than_pages "$sata"
}

run a_node_without_permission_is_told_in_one_line
run a_drive_without_permission_is_listed_by_what_the_kernel_knows
run root_without_capabilities_is_told_what_is_missing
run an_optical_drive_is_told_what_it_is
run a_drive_that_vanishes_is_told_in_one_line
run a_sas_drive_costs_no_more_commands_than_pages
run a_sata_drive_costs_no_more_commands_than_pages
