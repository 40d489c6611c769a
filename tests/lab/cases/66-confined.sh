# shellcheck shell=bash disable=SC2154
# What packaging/systemd/assay-check.service leaves to the check: one capability, and that is
# for block nodes.
sas=$LAB/drives/sas.capture
sata=$LAB/drives/sata.capture

# confined BOUNDING-SET SECONDS ARGUMENT...: as root with no other capability
confined() {
	local set=$1 limit=$2

	shift 2
	timed "$limit" /usr/bin/setpriv --no-new-privs --bounding-set "$set" --inh-caps "$set" \
		"$ASSAY" "$@"
}

# What a drive says and what is wrong with it, without what moves.
said() {
	jq -S '[.facts | to_entries[] | select(.key | test("temperature|hours") | not)
		| {key, value: .value.value}], [.verdicts[] | {id, state}]' "$out"
}

reads_as_much_with() { # CAPTURE
	local node

	plug d "$1"
	for node in "$sg" "$sd"; do
		assay 20 check -j -q "$node"
		said >"$work/free"
		confined -all,+sys_rawio 20 check -j -q "$node"
		expect_status 0
		said >"$work/confined"
		expect 'something was said' test "$(wc -l <"$work/free")" -gt 100
		expect_same "$work/free" "$work/confined"
	done
}

a_sas_drive_tells_all_to_a_check_with_raw_io_alone() {
	reads_as_much_with "$sas"
}
a_sata_drive_tells_all_to_a_check_with_raw_io_alone() {
	reads_as_much_with "$sata"
}

# reads CAPABILITIES NODE FILE: what a check says that has no others
reads() {
	confined "$1" 20 check -j -q "$2"
	said >"$3"
}

a_generic_node_needs_no_capability_at_all() {
	plug d "$sata"
	assay 20 check -j -q "$sg"
	said >"$work/free"
	reads -all "$sg" "$work/confined"
	expect_same "$work/free" "$work/confined"
}

# Nobody but the owner of all rights may open this generic node.
a_block_node_alone_needs_raw_io() {
	plug d "$sata"
	assay 20 check -j -q "$sd"
	said >"$work/free"
	chmod 000 "$sg"
	reads -all,+sys_rawio "$sd" "$work/confined"
	expect_same "$work/free" "$work/confined"
	reads -all "$sd" "$work/less"
	expect 'without it as much is said' test \
		"$(wc -l <"$work/less")" -lt "$(wc -l <"$work/free")"
}

run a_sas_drive_tells_all_to_a_check_with_raw_io_alone
run a_sata_drive_tells_all_to_a_check_with_raw_io_alone
run a_generic_node_needs_no_capability_at_all
run a_block_node_alone_needs_raw_io
