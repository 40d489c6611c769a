# shellcheck shell=bash disable=SC2154
# A capture file is worth as much as the drive: what show says of one, it says of the other.

# The document without what may differ: the target's name and how many commands it took.
document() { # TARGET FILE
	assay 20 show -j "$1"
	grep -vE '^\s*"(target|command_count|duration_us)":' "$out" | sed 's/,$//' >"$2"
}

same_of_drive_and_file() { # NODE
	assay 20 show -q "$1" # what was left from the start is told now
	assay 20 capture -q -o "$work/capture" "$1"
	expect_status 0
	document "$1" "$work/of-drive"
	document "$work/capture" "$work/of-file"
	expect 'facts' grep -q identity.model "$work/of-drive"
	expect_same "$work/of-drive" "$work/of-file"
}

a_capture_of_a_sata_drive_on_ahci_shows_the_drive() {
	same_of_drive_and_file "$(node_of QEMU-AHCI)"
}
a_capture_of_a_sata_drive_on_ata_piix_shows_the_drive() {
	same_of_drive_and_file "$(node_of QEMU-PIIX)"
}
a_capture_of_a_scsi_drive_on_virtio_shows_the_drive() {
	same_of_drive_and_file "$(node_of QEMU-VIRTIO)"
}
a_capture_of_a_sas_drive_on_mptsas_shows_the_drive() {
	same_of_drive_and_file "$(node_of QEMU-MPT)"
}

a_capture_of_a_replayed_sas_drive_shows_the_drive() {
	plug d "$LAB/drives/sas.capture"
	same_of_drive_and_file "$sg"
}
a_capture_of_a_replayed_sata_drive_shows_the_drive() {
	plug d "$LAB/drives/sata.capture"
	same_of_drive_and_file "$sd"
}

# What differs between two documents, given in turn: facts that are not the host's, and tables.
# shellcheck disable=SC2016 # the dollars are jq's
differences='def values: { tables: (.tables | del(.responses)), facts: (.facts |
	with_entries(select(.key | startswith("protection.host") | not)) |
	map_values([.value, .state])) };
def pairs: input as $file | input as $drive | ([$file, $drive], pairs);
try pairs catch empty | . as [$file, $drive] | ($file | values) as $of_file |
	($drive | values) as $of_drive | $file.device.target,
	($of_file | keys[] as $part | (.[$part] + $of_drive[$part] | keys[]) as $key |
		select($of_file[$part][$key] != $of_drive[$part][$key]) |
		"differs: \($file.device.target) \($key)")'

every_drive_that_is_brought_along_is_replayed_as_it_is() {
	local file documents=() number=0

	for file in "$LAB"/../../data/drives/*.capture; do
		plug d "$file"
		number=$((number + 1))
		assay 20 show -q -j -o "$work/file-$number" "$file"
		expect_status 0
		assay 20 show -q -j -o "$work/drive-$number" "$sg"
		expect_status 0
		documents+=("$work/file-$number" "$work/drive-$number")
		unplug d
	done
	jq -n -r "$differences" "${documents[@]}" >"$work/differences" 2>&1
	expect 'all were compared' test "$(grep -vc '^differs' "$work/differences")" = "$number"
	expect "$(grep '^differs' "$work/differences" | head -n 5)" \
		test "$(grep -c '^differs' "$work/differences")" = 0
}

a_redacted_capture_hides_the_serial_number_and_stays_right() {
	plug d "$LAB/drives/sata.capture"
	assay 20 capture -q --redact -o "$work/capture" "$sg"
	expect_status 0
	expect 'no serial number' sh -c "! grep -qi '4c 41 42 53 41 54 41 31' '$work/capture'"
	assay 20 show -j "$work/capture"
	expect_json \
		'.facts["identity.model"].value == "LAB REPLAYED SATA"' \
		'.facts["identity.serial"].value != "LABSATA1"' \
		'.facts["identity.wwn"].value != "0x5000c50000000b01"' \
		'[.notes[] | select(.text | test("checksum"))] == []'
}

run a_capture_of_a_sata_drive_on_ahci_shows_the_drive
run a_capture_of_a_sata_drive_on_ata_piix_shows_the_drive
run a_capture_of_a_scsi_drive_on_virtio_shows_the_drive
run a_capture_of_a_sas_drive_on_mptsas_shows_the_drive
run a_capture_of_a_replayed_sas_drive_shows_the_drive
run a_capture_of_a_replayed_sata_drive_shows_the_drive
run every_drive_that_is_brought_along_is_replayed_as_it_is
run a_redacted_capture_hides_the_serial_number_and_stays_right
